/* ntfy: a topic of an ntfy server (docs.ntfy.sh/publish). JSON to the server's root, so that titles need no header encoding; the token, when
 * there is one, in a header. */
#include <jansson.h>
#include <stdlib.h>

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
    enum gt_err err = post_check_address(section, false, info);
    return err == GT_OK ? post_check_key(section, "topic", info) : err;
}

static size_t measure(const struct message *message)
{
    return message->text.len;
}

static enum delivery_result post_json(const struct channel *channel, struct gt_str url, const char *bytes, int64_t *ret_hold_s,
                                      struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret token = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    bool has_token = conf_text(channel->section, "token_file").len > 0;
    if (arena == NULL || (has_token && !post_secret_read(channel->section, "token_file", CHANNEL_SECRET_BYTES_MAX, &token, why))) goto out;
    struct gt_str bearer = has_token ? arena_printf(arena, "Bearer %.*s", (int)token.len, token.bytes) : GT_STR("");
    const struct http_header header = {.name = GT_STR("Authorization"), .value = bearer, .is_secret = true};
    const struct post post = {.section = channel->section,
                              .url = url,
                              .body = gt_str_from(bytes),
                              .content_type = "application/json; charset=utf-8",
                              .headers = &header,
                              .header_count = has_token};
    struct http_response *response = post_send(&post, why);
    result = post_judge(response, ret_hold_s, why);
    http_response_free(response);
    if (bearer.len > 0) explicit_bzero((char *)(uintptr_t)bearer.ptr, bearer.len);
out:
    post_secret_free(&token);
    arena_free(arena);
    return result;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    struct gt_str topic = conf_text(channel->section, "topic");
    json_t *body = json_pack("{s:s%, s:s%, s:s%}", "topic", topic.ptr, topic.len, "title", message->title.ptr, message->title.len, "message",
                             message->text.ptr, message->text.len);
    char *bytes = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    if (bytes != NULL && post_address(channel->section, NTFY_URL, &url, why))
        result = post_json(channel, (struct gt_str){url.bytes, url.len}, bytes, ret_hold_s, why);
    free(bytes);
    json_decref(body);
    post_secret_free(&url);
    return result;
}

const struct channel_type channel_ntfy = {
    .name = "ntfy", .check = check, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
