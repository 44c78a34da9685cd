/* webhook: the digest posted as JSON to an address, signed when there is a secret. */
#include <stdlib.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/digest.h"

enum { SIGNATURE_MAX = sizeof "sha256=" + SHA256_HEX_MAX };

/* "sha256=HEX" of the body, or an empty text where no secret is set. False when the secret cannot be had. Made at the moment of sending: a
 * retry hours later is signed anew. */
static bool sign(const struct conf_section *section, struct gt_str body, char signature[SIGNATURE_MAX], struct gt_errinfo *why)
{
    uint8_t digest[SHA256_BYTES];
    struct post_secret secret;
    signature[0] = '\0';
    if (conf_text(section, "secret_file").len == 0) return true;
    if (!post_secret_read(section, "secret_file", &secret, why)) return false;
    bool is_signed = digest_hmac_sha256((struct gt_str){secret.bytes, secret.len}, body, digest) == GT_OK;
    post_secret_free(&secret);
    if (!is_signed) return false;
    memcpy(signature, "sha256=", sizeof "sha256=");
    digest_hex(digest, sizeof digest, signature + strlen(signature));
    return true;
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    char signature[SIGNATURE_MAX];
    struct post_secret url = {NULL, 0};
    enum delivery_result result = DELIVERY_LATER;
    char *digest = message_digest(message);
    struct gt_str body = gt_str_from(digest);
    if (digest == NULL || !post_address(channel->section, NULL, &url, why) || !sign(channel->section, body, signature, why)) goto out;
    const struct http_header header = {.name = GT_STR("X-Gputape-Signature"), .value = gt_str_from(signature), .is_secret = true};
    const struct post post = {.section = channel->section,
                              .url = {url.bytes, url.len},
                              .body = body,
                              .content_type = "application/json; charset=utf-8",
                              .headers = &header,
                              .header_count = signature[0] != '\0'};
    struct http_response *response = post_send(&post, why);
    result = post_judge(response, ret_hold_s, why);
    http_response_free(response);
out:
    post_secret_free(&url);
    free(digest);
    return result;
}

const struct channel_type channel_webhook = {.name = "webhook", .check = post_check_robot, .send = send};
