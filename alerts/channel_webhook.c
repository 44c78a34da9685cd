/* webhook: the digest posted as JSON to an address, signed when there is a secret. */
#include <stdio.h>
#include <stdlib.h>

#include "alerts/channel.h"
#include "common/digest.h"
#include "common/file.h"
#include "net/http.h"
#include "net/url.h"

enum {
    ARENA_BYTES_MAX = 256 * 1024,
    ANSWER_BYTES_MAX = 64 * 1024,
    SIGNATURE_MAX = sizeof "sha256=" + SHA256_HEX_MAX,
    HEADERS = 2,
};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    const struct conf_value *url = conf_get(section, "url"), *file = conf_get(section, "url_file");
    if (url == NULL && file == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: [channel %.*s] has neither `url` nor `url_file`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(conf_section_name(section)));
    if (url != NULL && file != NULL) return conf_fail(file, info, "`url` is set as well: one of them");
    bool is_http = url == NULL || gt_str_starts(url->text, GT_STR("https://")) || gt_str_starts(url->text, GT_STR("http://"));
    return is_http ? GT_OK : conf_fail(url, info, "an address begins with https:// or http://");
}

/* A file's content without the line end that editors put there. Malloc'ed; NULL with `why` when it cannot be read. */
static char *secret_read(struct gt_str path, size_t bytes_max, size_t *ret_len, struct gt_errinfo *why)
{
    char *bytes = NULL;
    char name[4096];
    if (path.len >= sizeof name) return NULL;
    memcpy(name, path.ptr, path.len);
    name[path.len] = '\0';
    if (file_read(name, bytes_max, &bytes, ret_len, why) != GT_OK) return NULL;
    struct gt_str text = gt_str_trim((struct gt_str){bytes, *ret_len});
    memmove(bytes, text.ptr, text.len);
    *ret_len = text.len;
    bytes[text.len] = '\0';
    return bytes;
}

/* "sha256=HEX" of the body, or an empty text where no secret is set. False when the secret cannot be had. */
static bool sign(const struct conf_section *section, struct gt_str body, char signature[SIGNATURE_MAX], struct gt_errinfo *why)
{
    struct gt_str path = conf_text(section, "secret_file");
    uint8_t digest[SHA256_BYTES];
    size_t len = 0;
    signature[0] = '\0';
    if (path.len == 0) return true;
    char *secret = secret_read(path, CHANNEL_SECRET_BYTES_MAX, &len, why);
    if (secret == NULL) return false;
    bool is_signed = len > 0 && digest_hmac_sha256((struct gt_str){secret, len}, body, digest) == GT_OK;
    if (!is_signed) gt_fail(why, GT_EFORMAT, "the secret is empty");
    explicit_bzero(secret, len);
    free(secret);
    if (!is_signed) return false;
    memcpy(signature, "sha256=", sizeof "sha256=");
    digest_hex(digest, sizeof digest, signature + strlen(signature));
    return true;
}

/* Called by the client once the exchange is over, well or not. */
static void take(void *ctx, struct http_response *response)
{
    *(struct http_response **)ctx = response;
}

/* One exchange, to its end. NULL with `why` when it could not even be begun. */
static struct http_response *exchange(const struct http_request *request, struct gt_errinfo *why)
{
    const struct http_settings settings = {.parallel_max = 1};
    struct http_client *client = NULL;
    struct http_response *response = NULL;
    if (http_client_new(&settings, &client, why) == GT_OK && http_client_add(client, request, take, &response, why) == GT_OK)
        http_client_run(client, NULL, 0, why);
    http_client_free(client);
    return response;
}

/* The detail of a failed exchange may name the address, and the address may be the secret: only what kind of failure it was is
 * told. */
static enum delivery_result judge(const struct http_response *response, struct gt_errinfo *why)
{
    if (response == NULL) return DELIVERY_LATER;
    if (response->err == GT_EREFUSED) {
        gt_fail(why, GT_EREFUSED, "the address is refused by policy (a private one needs allow_private = yes)");
        return DELIVERY_NEVER;
    }
    if (response->status == 0 || (response->err != GT_OK && response->status / 100 != 2)) {
        gt_fail(why, response->err, "no answer: %s", gt_err_text(response->err));
        return DELIVERY_LATER;
    }
    if (response->status / 100 == 2) return DELIVERY_DONE;
    gt_fail(why, GT_ENET, "answered with status %d", response->status);
    bool is_for_now =
        response->status / 100 == 5 || response->status == 408 || response->status == 425 || response->status == 429;
    return is_for_now ? DELIVERY_LATER : DELIVERY_NEVER;
}

/* The signature is made here, at the moment of sending: a retry hours later is signed anew. */
static enum delivery_result post(const struct channel *channel, const struct url *url, struct gt_str body, struct gt_errinfo *why)
{
    char signature[SIGNATURE_MAX];
    if (!sign(channel->section, body, signature, why)) return DELIVERY_LATER;
    char port[sizeof "65535"];
    snprintf(port, sizeof port, "%u", (unsigned)url->port);
    const struct http_header headers[HEADERS] = {
        {.name = GT_STR("Content-Type"), .value = GT_STR("application/json; charset=utf-8")},
        {.name = GT_STR("X-Gputape-Signature"), .value = gt_str_from(signature), .is_secret = true},
    };
    bool is_private = conf_bool(channel->section, "allow_private", false);
    struct http_request request = {.url = url->href,
                                   .method = GT_STR("POST"),
                                   .body = body,
                                   .user_agent = GT_STR("gputape/" GPUTAPE_VERSION),
                                   .headers = headers,
                                   .header_count = signature[0] != '\0' ? HEADERS : HEADERS - 1,
                                   .allow_ports = gt_str_from(port), /* whoever wrote the address meant its port */
                                   .timeout_ms = conf_duration_ms(channel->section, "timeout", CHANNEL_TIMEOUT_DEFAULT_MS),
                                   .body_bytes_max = ANSWER_BYTES_MAX,
                                   .allow_private = is_private};
    struct http_response *response = exchange(&request, why);
    enum delivery_result result = judge(response, why);
    http_response_free(response);
    return result;
}

static enum delivery_result send(const struct channel *channel, struct gt_str digest, struct gt_errinfo *why)
{
    struct gt_str path = conf_text(channel->section, "url_file"), text = conf_text(channel->section, "url");
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct url url;
    char *secret = NULL;
    size_t len = 0;
    enum delivery_result result = DELIVERY_LATER;
    if (path.len > 0) {
        secret = secret_read(path, URL_BYTES_MAX, &len, why);
        text = (struct gt_str){secret, len};
    }
    if (text.ptr == NULL || arena == NULL) goto out;
    if (url_parse(text, arena, &url, NULL) == GT_OK) {
        result = post(channel, &url, digest, why);
    } else {
        gt_fail(why, GT_EFORMAT, "the address is none that can be posted to");
        result = DELIVERY_NEVER;
    }
out:
    if (secret != NULL) explicit_bzero(secret, len);
    free(secret);
    arena_free(arena);
    return result;
}

const struct channel_type channel_webhook = {.name = "webhook", .check = check, .send = send};
