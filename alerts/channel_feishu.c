/* feishu: a custom bot of Feishu 飞书 or Lark (open.feishu.cn, "Use bots in groups"). A "post" of plain text runs: in a "text" message a scraped
 * `<at user_id="all">` would call everybody. Signed in the body, in seconds. */
#include <jansson.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "alerts/sign.h"
#include "common/clock.h"

enum {
    BODY_BYTES_MAX = 18000, /* 20 KB by the vendor, of the body */
    SIGN_BYTES = 256,       /* what the signature adds */
    PER_MINUTE = 60,        /* 100 by the vendor, and 5 a second */
    BUSY_S = 120,
};

static const struct robot_code codes[] = {
    {9499, DELIVERY_NEVER, 0, "the message's form or size was refused"},
    {19021, DELIVERY_NEVER, 0, "the signature or its time was refused"},
    {19022, DELIVERY_NEVER, 0, "this machine's IP address is not allowed"},
    {19024, DELIVERY_NEVER, 0, "a keyword of the bot is missing"},
    {11232, DELIVERY_LATER, BUSY_S, "too many messages"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "code", .code_ok = 0, .codes = codes};

/* One paragraph a line. */
static json_t *lines_of(struct gt_str text)
{
    json_t *lines = json_array();
    struct gt_str line;
    while (gt_str_split(&text, '\n', &line))
        json_array_append_new(lines, json_pack("[{s:s, s:s%}]", "tag", "text", "text", line.len > 0 ? line.ptr : "", line.len));
    return lines;
}

static json_t *body_of(const struct message *message)
{
    return json_pack("{s:s, s:{s:{s:{s:s%, s:o}}}}", "msg_type", "post", "content", "post", message->is_zh ? "zh_cn" : "en_us", "title",
                     message->title.ptr, message->title.len, "content", lines_of(message->text));
}

static size_t measure(const struct message *message)
{
    size_t bytes = robot_bytes(body_of(message));
    return bytes == SIZE_MAX ? bytes : bytes + SIGN_BYTES;
}

static bool body_sign(const struct conf_section *section, json_t *body, struct gt_errinfo *why)
{
    char signature[SIGN_BASE64_MAX];
    struct post_secret secret;
    if (conf_text(section, "secret_file").len == 0) return true;
    if (!post_secret_read(section, "secret_file", &secret, why)) return false;
    long long now_s = (long long)(clock_real_ms() / 1000);
    bool is_signed = sign_feishu((struct gt_str){secret.bytes, secret.len}, now_s, signature);
    post_secret_free(&secret);
    if (!is_signed) return false;
    json_object_set_new(body, "timestamp", json_sprintf("%lld", now_s));
    json_object_set_new(body, "sign", json_string(signature));
    return true;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    json_t *body = body_of(message);
    if (body != NULL && post_address(channel->section, NULL, &url, why) && body_sign(channel->section, body, why))
        result = robot_post(&robot, channel, (struct gt_str){url.bytes, url.len}, json_incref(body), ret_hold_s, why);
    json_decref(body);
    post_secret_free(&url);
    return result;
}

const struct channel_type channel_feishu = {.name = "feishu",
                                            .check = post_check_robot,
                                            .size_max = BODY_BYTES_MAX,
                                            .measure = measure,
                                            .per_minute = PER_MINUTE,
                                            .avoids_half_hours = true,
                                            .send = send};
