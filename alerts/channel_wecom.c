/* wecom: a group robot of WeCom 企业微信 (developer.work.weixin.qq.com, "Message push"). Plain text: its markdown knows mentions and colours that
 * scraped words could hold. The key in the address is the only secret. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/arena.h"
#include "common/digest.h"

enum {
    TEXT_BYTES_MAX = 2048, /* of the text itself, by the vendor */
    IMAGE_BYTES_MAX = 2 * 1024 * 1024,
    PER_MINUTE = 15,       /* 20 by the vendor */
    BUSY_S = 120,
};

static const struct robot_code codes[] = {
    {93000, DELIVERY_NEVER, 0, "the address is no robot's"},
    {40058, DELIVERY_NEVER, 0, "the message is too long"},
    {45009, DELIVERY_LATER, BUSY_S, "too many messages a minute"},
    {-1, DELIVERY_LATER, 0, "busy"},
    {0, DELIVERY_DONE, 0, NULL},
};
static const struct robot robot = {.code_key = "errcode", .code_ok = 0, .codes = codes};

static size_t measure(const struct message *message)
{
    return message->title.len + 1 + message->text.len;
}

/* The picture as a message of its own, behind the text: {"base64","md5" of the bytes}. NULL when memory is out. */
static json_t *image_of(struct gt_str png)
{
    char md5[MD5_HEX_MAX];
    char *base64 = malloc(DIGEST_BASE64_MAX(png.len));
    json_t *body = NULL;
    if (base64 != NULL && digest_md5_hex(png, md5) == GT_OK) {
        digest_base64((const uint8_t *)png.ptr, png.len, base64);
        body = json_pack("{s:s, s:{s:s, s:s}}", "msgtype", "image", "image", "base64", base64, "md5", md5);
    }
    free(base64);
    return body;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct arena *arena = arena_new(MESSAGE_BYTES_MAX);
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    struct gt_str text = arena != NULL ? message_whole(message, arena) : GT_STR("");
    if (text.len > 0 && post_address(channel->section, NULL, &url, why))
        result = robot_post(&robot, channel, (struct gt_str){url.bytes, url.len},
                            json_pack("{s:s, s:{s:s%}}", "msgtype", "text", "text", "content", text.ptr, text.len), ret_hold_s, why);
    post_secret_free(&url);
    arena_free(arena);
    return result;
}

static enum delivery_result send_picture(const struct channel *channel, struct gt_str png, int64_t *ret_hold_s, struct gt_errinfo *why)
{
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    if (png.len > IMAGE_BYTES_MAX) {
        gt_fail(why, GT_ELIMIT, "the picture is larger than the 2 MB that the vendor takes");
        return DELIVERY_NEVER;
    }
    if (post_address(channel->section, NULL, &url, why))
        result = robot_post(&robot, channel, (struct gt_str){url.bytes, url.len}, image_of(png), ret_hold_s, why);
    post_secret_free(&url);
    return result;
}

const struct channel_type channel_wecom = {.name = "wecom",
                                           .check = post_check_robot,
                                           .size_max = TEXT_BYTES_MAX,
                                           .measure = measure,
                                           .per_minute = PER_MINUTE,
                                           .send = send,
                                           .send_picture = send_picture};
