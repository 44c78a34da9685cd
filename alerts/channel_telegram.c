/* telegram: sendMessage of the Bot API (core.telegram.org/bots/api), as plain text. The bot's token is part of the address. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"
#include "common/utf8.h"

enum {
    TEXT_SIGNS_MAX = 4000, /* 4,096 by the vendor */
    PER_MINUTE = 15,       /* 20 into a group, by the vendor */
    ARENA_BYTES = 64 * 1024,
};

#define TELEGRAM_URL "https://api.telegram.org"

/* Its statuses say all: 401 for the token, 400 for the chat or the text, 429 for the rate. */
static const struct robot_code codes[] = {{0, DELIVERY_DONE, 0, NULL}};
static const struct robot robot = {.code_key = "ok", .code_ok = 1, .codes = codes};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    enum gt_err err = post_check_token(section, info);
    return err == GT_OK ? post_check_key(section, "chat", info) : err;
}

/* UTF-16 units, as the vendor counts. */
static size_t units_of(struct gt_str text)
{
    size_t units = 0, step;
    for (size_t at = 0; at < text.len; at += step) units += utf8_decode(text, at, &step) > 0xFFFF ? 2 : 1;
    return units;
}

static size_t measure(const struct message *message)
{
    return units_of(message->title) + 1 + units_of(message->text);
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(MESSAGE_BYTES_MAX + ARENA_BYTES);
    struct post_secret url = {NULL, 0}, token = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    struct gt_str text = arena != NULL ? message_whole(message, arena) : GT_STR(""), chat = conf_text(channel->section, "chat");
    if (text.len == 0 || !post_address(channel->section, TELEGRAM_URL, &url, why) ||
        !post_secret_read(channel->section, "token_file", &token, why))
        goto out;
    struct gt_str address = arena_printf(arena, "%s/bot%.*s/sendMessage", url.bytes, (int)token.len, token.bytes);
    result = robot_post(&robot, channel, address,
                        json_pack("{s:s%, s:s%, s:b}", "chat_id", chat.ptr, chat.len, "text", text.ptr, text.len, "disable_web_page_preview", 1),
                        ret_hold_s, why);
    if (address.len > 0) explicit_bzero((char *)(uintptr_t)address.ptr, address.len);
out:
    post_secret_free(&token);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_telegram = {
    .name = "telegram", .check = check, .size_max = TEXT_SIGNS_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
