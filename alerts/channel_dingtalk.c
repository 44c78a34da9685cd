/* dingtalk: a custom robot of DingTalk 钉钉 (open.dingtalk.com, "Custom robot access"). Plain text: scraped words meet no markup. Signed with the
 * robot's secret where there is one, in the address, by the clock of the moment of sending. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "alerts/sign.h"
#include "common/arena.h"
#include "common/clock.h"

enum {
    BODY_BYTES_MAX = 18000, /* 20,000 by the vendor, of the body as sent */
    PER_MINUTE = 15,        /* 20 by the vendor, who locks the robot for ten minutes past it */
    LOCKED_S = 600,
    ARENA_BYTES = 64 * 1024,
};

static const struct robot_code codes[] = {
    {310000, DELIVERY_NEVER, 0, "keyword, signature or IP address was refused"},
    {400402, DELIVERY_NEVER, 0, "a field is missing"},
    {460101, DELIVERY_NEVER, 0, "the message is too long"},
    {101002, DELIVERY_NEVER, 0, "the message is too long"},
    {130101, DELIVERY_LATER, LOCKED_S, "too many messages a minute"},
    {90030, DELIVERY_LATER, LOCKED_S, "too many messages"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "errcode", .code_ok = 0, .codes = codes};

static json_t *body_of(const struct message *message)
{
    struct arena *arena = arena_new(MESSAGE_BYTES_MAX);
    struct gt_str text = arena != NULL ? message_whole(message, arena) : GT_STR("");
    json_t *body = json_pack("{s:s, s:{s:s%}}", "msgtype", "text", "text", "content", text.len > 0 ? text.ptr : "", text.len);
    arena_free(arena);
    return body;
}

static size_t measure(const struct message *message)
{
    return robot_bytes(body_of(message));
}

/* "&timestamp=MS&sign=…" behind the address that has the token. */
static struct gt_str address_sign(const struct conf_section *section, struct gt_str url, struct arena *arena, struct gt_errinfo *why)
{
    char signature[SIGN_BASE64_MAX];
    struct post_secret secret;
    if (conf_text(section, "secret_file").len == 0) return url;
    if (!post_secret_read(section, "secret_file", &secret, why)) return (struct gt_str){NULL, 0};
    long long now_ms = (long long)clock_real_ms();
    bool is_signed = sign_dingtalk((struct gt_str){secret.bytes, secret.len}, now_ms, signature);
    post_secret_free(&secret);
    if (!is_signed) return (struct gt_str){NULL, 0};
    return arena_printf(arena, "%.*s&timestamp=%lld&sign=%.*s", GT_STR_ARG(url), now_ms,
                        GT_STR_ARG(sign_url_encode(gt_str_from(signature), arena)));
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(ARENA_BYTES);
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    if (arena == NULL || !post_address(channel->section, NULL, &url, why)) goto out;
    struct gt_str address = address_sign(channel->section, (struct gt_str){url.bytes, url.len}, arena, why);
    if (address.ptr != NULL) result = robot_post(&robot, channel, address, body_of(message), ret_hold_s, why);
out:
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

const struct channel_type channel_dingtalk = {
    .name = "dingtalk", .check = post_check_robot, .size_max = BODY_BYTES_MAX, .measure = measure, .per_minute = PER_MINUTE, .send = send};
