#include "alerts/post.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/file.h"
#include "net/retry_after.h"
#include "net/url.h"

enum { URL_ARENA_BYTES = 256 * 1024 };

/* ---- secrets and addresses ---- */

void post_secret_free(struct post_secret *secret)
{
    if (secret->bytes != NULL) explicit_bzero(secret->bytes, secret->len);
    free(secret->bytes);
    *secret = (struct post_secret){NULL, 0};
}

bool post_secret_read(const struct conf_section *section, const char *key, struct post_secret *ret_secret, struct gt_errinfo *why)
{
    char name[PATH_MAX];
    struct gt_str path = conf_text(section, key);
    *ret_secret = (struct post_secret){NULL, 0};
    if (path.len >= sizeof name) return gt_fail(why, GT_ELIMIT, "the path of a secret is too long"), false;
    memcpy(name, path.ptr, path.len);
    name[path.len] = '\0';
    struct post_secret secret = {NULL, 0};
    if (file_read(name, CHANNEL_SECRET_BYTES_MAX, &secret.bytes, &secret.len, why) != GT_OK) return false;
    struct gt_str text = gt_str_trim((struct gt_str){secret.bytes, secret.len});
    memmove(secret.bytes, text.ptr, text.len);
    explicit_bzero(secret.bytes + text.len, secret.len - text.len);
    secret.len = text.len;
    *ret_secret = secret;
    if (text.len > 0) return true;
    post_secret_free(ret_secret);
    return gt_fail(why, GT_EFORMAT, "%s is empty", name), false;
}

bool post_address(const struct conf_section *section, const char *otherwise, struct post_secret *ret_url, struct gt_errinfo *why)
{
    struct gt_str path = conf_text(section, "url_file"), text = conf_text(section, "url");
    if (path.len > 0) return post_secret_read(section, "url_file", ret_url, why);
    if (text.len == 0) text = gt_str_from(otherwise);
    *ret_url = (struct post_secret){malloc(text.len + 1), text.len};
    if (ret_url->bytes == NULL) return gt_fail(why, GT_ENOMEM, "out of memory"), false;
    memcpy(ret_url->bytes, text.ptr, text.len);
    ret_url->bytes[text.len] = '\0';
    return true;
}

enum gt_err post_check_key(const struct conf_section *section, const char *key, struct gt_errinfo *info)
{
    if (conf_get(section, key) != NULL) return GT_OK;
    return gt_fail(info, GT_ECONF, "%s:%d: [channel %.*s] has no `%s`", conf_section_file(section), conf_section_line(section),
                   GT_STR_ARG(conf_section_name(section)), key);
}

enum gt_err post_check_address(const struct conf_section *section, struct gt_errinfo *info)
{
    const struct conf_value *url = conf_get(section, "url"), *file = conf_get(section, "url_file");
    if (url != NULL && file != NULL) return conf_fail(file, info, "`url` is set as well: one of them");
    bool is_http = url == NULL || gt_str_starts(url->text, GT_STR("https://")) || gt_str_starts(url->text, GT_STR("http://"));
    return is_http ? GT_OK : conf_fail(url, info, "an address begins with https:// or http://");
}

enum gt_err post_check_robot(const struct conf_section *section, struct gt_errinfo *info)
{
    if (conf_get(section, "url") != NULL || conf_get(section, "url_file") != NULL) return post_check_address(section, info);
    return gt_fail(info, GT_ECONF, "%s:%d: [%s %.*s] has neither `url` nor `url_file`", conf_section_file(section),
                   conf_section_line(section), conf_section_kind(section), GT_STR_ARG(conf_section_name(section)));
}

enum gt_err post_check_token(const struct conf_section *section, struct gt_errinfo *info)
{
    enum gt_err err = post_check_address(section, info);
    return err == GT_OK ? post_check_key(section, "token_file", info) : err;
}

/* ---- the exchange ---- */

/* Called by the client once the exchange is over, well or not. */
static void take(void *ctx, struct http_response *response)
{
    *(struct http_response **)ctx = response;
}

static struct http_response *exchange(const struct http_request *request, const char *ca_file, struct gt_errinfo *why)
{
    const struct http_settings settings = {.parallel_max = 1, .ca_file = ca_file};
    struct http_client *client = NULL;
    struct http_response *response = NULL;
    if (http_client_new(&settings, &client, why) == GT_OK && http_client_add(client, request, take, &response, why) == GT_OK)
        http_client_run(client, NULL, 0, why);
    http_client_free(client);
    return response;
}

struct http_response *post_send(const struct post *post, struct gt_errinfo *why)
{
    struct http_header headers[POST_HEADERS_MAX];
    struct url url;
    char port[sizeof "65535"];
    struct gt_str trusted = conf_text(post->section, "ca_file");
    struct arena *arena = arena_new(URL_ARENA_BYTES);
    struct http_response *response = NULL;
    if (arena == NULL || post->header_count >= POST_HEADERS_MAX) {
        gt_fail(why, GT_ENOMEM, "out of memory");
        goto out;
    }
    if (url_parse(post->url, arena, &url, NULL) != GT_OK) {
        gt_fail(why, GT_EFORMAT, "the address is none that can be posted to");
        goto out;
    }
    headers[0] = (struct http_header){.name = GT_STR("Content-Type"), .value = gt_str_from(post->content_type)};
    for (size_t i = 0; i < post->header_count; i++) headers[i + 1] = post->headers[i];
    snprintf(port, sizeof port, "%u", (unsigned)url.port);
    const struct http_request request = {.url = url.href,
                                         .method = GT_STR("POST"),
                                         .body = post->body,
                                         .user_agent = GT_STR("gputape/" GPUTAPE_VERSION),
                                         .headers = headers,
                                         .header_count = post->header_count + 1,
                                         .allow_ports = gt_str_from(port), /* whoever wrote the address meant its port */
                                         .timeout_ms = conf_duration_ms(post->section, "timeout", CHANNEL_TIMEOUT_DEFAULT_MS),
                                         .body_bytes_max = POST_ANSWER_BYTES_MAX,
                                         .allow_private = conf_bool(post->section, "allow_private", false)};
    response = exchange(&request, trusted.len > 0 ? arena_dup(arena, trusted).ptr : NULL, why);
out:
    arena_free(arena);
    return response;
}

enum delivery_result post_judge(const struct http_response *response, int64_t *ret_hold_s, struct gt_errinfo *why)
{
    /* An address that is none stays none; all else that kept the exchange from beginning may pass. */
    if (response == NULL) return why->code == GT_EFORMAT ? DELIVERY_NEVER : DELIVERY_LATER;
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
    int64_t wait_s = 0;
    const struct gt_clock real = {.is_fixed = false};
    if (retry_after_find(response->head, clock_unix_s(&real), &wait_s)) *ret_hold_s = wait_s < POST_HOLD_MAX_S ? wait_s : POST_HOLD_MAX_S;
    bool is_for_now = response->status / 100 == 5 || response->status == 408 || response->status == 425 || response->status == 429;
    return is_for_now ? DELIVERY_LATER : DELIVERY_NEVER;
}

/* NULL with `why` as post_send. */
static struct http_response *send_json(const struct channel *channel, struct gt_str url, json_t *body, const struct http_header *header,
                                       struct gt_errinfo *why)
{
    char *bytes = body != NULL ? json_dumps(body, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(body);
    if (bytes == NULL) {
        gt_fail(why, GT_ENOMEM, "out of memory");
        return NULL;
    }
    const struct post post = {.section = channel->section,
                              .url = url,
                              .body = gt_str_from(bytes),
                              .content_type = "application/json; charset=utf-8",
                              .headers = header,
                              .header_count = header != NULL};
    struct http_response *response = post_send(&post, why);
    free(bytes);
    return response;
}

enum delivery_result post_json(const struct channel *channel, struct gt_str url, json_t *body, const struct http_header *header,
                               int64_t *ret_hold_s, struct gt_errinfo *why)
{
    struct http_response *response = send_json(channel, url, body, header, why);
    enum delivery_result result = post_judge(response, ret_hold_s, why);
    http_response_free(response);
    return result;
}

/* ---- robots ---- */

/* The code that a robot's answer holds, as a number or, in one, as true or false. */
static bool code_of(const struct robot *robot, const struct http_response *response, int64_t *ret_code)
{
    json_t *answer = json_loadb(response->body.ptr, response->body.len, JSON_REJECT_DUPLICATES, NULL);
    const json_t *code = json_object_get(answer, robot->code_key);
    bool has_code = json_is_integer(code) || json_is_boolean(code);
    if (json_is_integer(code)) *ret_code = json_integer_value(code);
    if (json_is_boolean(code)) *ret_code = json_boolean_value(code);
    json_decref(answer);
    return has_code;
}

static enum delivery_result robot_judge(const struct robot *robot, const struct http_response *response, int64_t *ret_hold_s,
                                        struct gt_errinfo *why)
{
    int64_t code = 0;
    enum delivery_result result = post_judge(response, ret_hold_s, why);
    if (response == NULL || response->status == 0) return result;
    bool has_code = response->err == GT_OK && code_of(robot, response, &code);
    if (result == DELIVERY_DONE && !has_code) {
        gt_fail(why, GT_EFORMAT, "the answer does not say whether the message was taken");
        return DELIVERY_UNSURE;
    }
    if (!has_code || (result == DELIVERY_DONE && code == robot->code_ok)) return result;
    for (const struct robot_code *known = robot->codes; known->says != NULL; known++) {
        if (known->code != code) continue;
        gt_fail(why, GT_ENET, "answered with code %lld: %s", (long long)code, known->says);
        if (known->hold_s > *ret_hold_s) *ret_hold_s = known->hold_s;
        return known->result;
    }
    gt_fail(why, GT_ENET, "answered with status %d, code %lld", response->status, (long long)code);
    return result == DELIVERY_DONE ? DELIVERY_LATER : result;
}

enum delivery_result robot_post(const struct robot *robot, const struct channel *channel, struct gt_str url, json_t *body,
                                int64_t *ret_hold_s, struct gt_errinfo *why)
{
    struct http_response *response = send_json(channel, url, body, NULL, why);
    enum delivery_result result = robot_judge(robot, response, ret_hold_s, why);
    http_response_free(response);
    return result;
}

size_t robot_bytes(json_t *body)
{
    size_t bytes = body != NULL ? json_dumpb(body, NULL, 0, JSON_COMPACT | JSON_PRESERVE_ORDER) : 0;
    json_decref(body);
    return bytes > 0 ? bytes : SIZE_MAX;
}
