/* ntfy: a topic of an ntfy server (docs.ntfy.sh/publish). JSON to the server's root, so that titles need no header encoding; the token, when
 * there is one, in a header. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"

enum {
    TEXT_BYTES_MAX = 4000, /* 4,096 by the server, longer becomes an attachment */
    PER_MINUTE = 12,       /* sixty at once, then one in five seconds */
    ARENA_BYTES = 64 * 1024,
};

#define NTFY_URL "https://ntfy.sh"

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    enum gt_err err = post_check_address(section, info);
    return err == GT_OK ? post_check_key(section, "topic", info) : err;
}

static size_t measure(const struct message *message)
{
    return message->text.len;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret url = {NULL, 0}, token = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    struct gt_str topic = conf_text(channel->section, "topic");
    bool has_token = conf_text(channel->section, "token_file").len > 0;
    if (arena == NULL || !post_address(channel->section, NTFY_URL, &url, why) ||
        (has_token && !post_secret_read(channel->section, "token_file", &token, why)))
        goto out;
    struct gt_str bearer = has_token ? arena_printf(arena, "Bearer %.*s", (int)token.len, token.bytes) : GT_STR("");
    const struct http_header header = {.name = GT_STR("Authorization"), .value = bearer, .is_secret = true};
    result = post_json(channel, (struct gt_str){url.bytes, url.len},
                       json_pack("{s:s%, s:s%, s:s%}", "topic", topic.ptr, topic.len, "title", message->title.ptr, message->title.len,
                                 "message", message->text.ptr, message->text.len),
                       has_token ? &header : NULL, ret_hold_s, why);
    if (bearer.len > 0) explicit_bzero((char *)(uintptr_t)bearer.ptr, bearer.len);
out:
    post_secret_free(&token);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_ntfy = {
    .name = "ntfy", .check = check, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
