/* serverchan: a push to WeChat by ServerChan Server酱 (sct.ftqq.com; keys that begin with "sctp" belong to its third version, doc2.ft07.com). The text
 * is markdown there: scraped words are escaped. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/strbuf.h"

enum {
    TEXT_BYTES_MAX = 16000,
    PER_MINUTE = 10,
    ARENA_BYTES = 64 * 1024,
};

static const struct robot_code codes[] = {
    {40001, DELIVERY_NEVER, 0, "the key was refused"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "code", .code_ok = 0, .codes = codes};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    enum gt_err err = post_check_address(section, false, info);
    return err == GT_OK ? post_check_key(section, "token_file", info) : err;
}

/* Signs that CommonMark gives a meaning, each behind a backslash; a line a paragraph. The hyphens that begin the lines are ours. */
static void add_markdown(struct strbuf *text, struct gt_str words)
{
    bool is_begin = true;
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];
        bool is_ours = is_begin && c == '-';
        is_begin = c == '\n';
        if (!is_ours && strchr("\\`*_{}[]()#+-!<>|~", c) != NULL) strbuf_addc(text, '\\');
        strbuf_addc(text, c);
        if (is_begin) strbuf_addc(text, '\n');
    }
}

static size_t measure(const struct message *message)
{
    struct strbuf text;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    add_markdown(&text, message->text);
    size_t bytes = text.err == GT_OK ? text.len : SIZE_MAX;
    strbuf_done(&text);
    return bytes;
}

/* The address that a key belongs to: "sctp123t…" names its server by the number. */
static struct gt_str address_of(const struct conf_section *section, struct gt_str key, struct arena *arena)
{
    struct gt_str url = conf_text(section, "url");
    size_t digits = strlen("sctp");
    if (url.len > 0) return arena_printf(arena, "%.*s/%.*s.send", GT_STR_ARG(url), GT_STR_ARG(key));
    if (!gt_str_starts(key, GT_STR("sctp"))) return arena_printf(arena, "https://sctapi.ftqq.com/%.*s.send", GT_STR_ARG(key));
    while (digits < key.len && key.ptr[digits] >= '0' && key.ptr[digits] <= '9') digits++;
    return arena_printf(arena, "https://%.*s.push.ft07.com/send/%.*s.send", GT_STR_ARG(gt_str_slice(key, strlen("sctp"), digits - strlen("sctp"))),
                        GT_STR_ARG(key));
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret key = {NULL, 0};
    struct strbuf text;
    enum delivery_result result = DELIVERY_LATER;
    strbuf_init(&text, MESSAGE_BYTES_MAX);
    add_markdown(&text, message->text);
    if (arena == NULL || text.err != GT_OK || !post_secret_read(channel->section, "token_file", CHANNEL_SECRET_BYTES_MAX, &key, why)) goto out;
    struct gt_str address = address_of(channel->section, (struct gt_str){key.bytes, key.len}, arena);
    result = robot_post(&robot, channel, address,
                        json_pack("{s:s%, s:s%}", "title", message->title.ptr, message->title.len, "desp", text.ptr, text.len), ret_hold_s, why);
    if (address.len > 0) explicit_bzero((char *)(uintptr_t)address.ptr, address.len);
out:
    strbuf_done(&text);
    post_secret_free(&key);
    arena_free(arena);
    return result;
}

const struct channel_type channel_serverchan = {
    .name = "serverchan", .check = check, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
