/* bark: a push to an iPhone by a Bark server (bark-server, docs/API_V2.md). The device's key goes into the body. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"

enum {
    TEXT_BYTES_MAX = 2500, /* a push of Apple's holds 4,096 with everything around it */
    PER_MINUTE = 20,
    ARENA_BYTES = 64 * 1024,
};

#define BARK_URL "https://api.day.app"

static const struct robot_code codes[] = {
    {400, DELIVERY_NEVER, 0, "the message or the device's key was refused"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "code", .code_ok = 200, .codes = codes};

static size_t measure(const struct message *message)
{
    return message->title.len + message->text.len;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret url = {NULL, 0}, key = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    if (arena == NULL || !post_address(channel->section, BARK_URL, &url, why) ||
        !post_secret_read(channel->section, "token_file", &key, why))
        goto out;
    result = robot_post(&robot, channel, arena_printf(arena, "%s/push", url.bytes),
                        json_pack("{s:s%, s:s%, s:s%, s:s}", "device_key", key.bytes, key.len, "title", message->title.ptr, message->title.len,
                                  "body", message->text.ptr, message->text.len, "group", "gputape"),
                        ret_hold_s, why);
out:
    post_secret_free(&key);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_bark = {
    .name = "bark", .check = post_check_token, .size_max = TEXT_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
