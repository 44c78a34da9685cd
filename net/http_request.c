/* From a request to a libcurl handle: the copy, the header list, the rules for ports. */
#include <stdlib.h>

#include "net/connect_to.h"
#include "net/header.h"
#include "net/http_internal.h"

static const struct {
    const char *name, *value;
} default_headers[] = {
    {"Accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"},
};

/* What the client alone decides; a caller that sets one of these has a mistake in its own checks. */
static const char *const own_headers[] = {
    "Host",    "Content-Length", "Transfer-Encoding", "Connection",          "Accept-Encoding", "TE", "Trailer",
    "Upgrade", "Expect",         "Keep-Alive",        "Proxy-Authorization", "User-Agent"};

/* A field that may be sent as it is. */
static enum gt_err check_header(const struct http_header *header, struct gt_errinfo *info)
{
    if (!header_name_is_valid(header->name)) return gt_fail(info, GT_EUSAGE, "not a header name");
    if (!header_value_is_valid(header->value))
        return gt_fail(info, GT_EUSAGE, "header %.*s: not a value that can be sent", GT_STR_ARG(header->name));
    for (size_t i = 0; i < sizeof own_headers / sizeof own_headers[0]; i++)
        if (gt_str_eq_nocase(header->name, gt_str_from(own_headers[i])))
            return gt_fail(info, GT_EUSAGE, "header %s is set by the client itself", own_headers[i]);
    return GT_OK;
}

/* Copies the caller's fields, each one checked. */
static enum gt_err copy_headers(struct transfer *transfer, const struct http_request *request, struct gt_errinfo *info)
{
    if (request->header_count > HTTP_HEADERS_MAX)
        return gt_fail(info, GT_EUSAGE, "more than %d request headers", HTTP_HEADERS_MAX);
    struct http_header *copies = arena_array(transfer->arena, request->header_count, sizeof *copies);
    if (copies == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < request->header_count; i++) {
        enum gt_err err = check_header(&request->headers[i], info);
        if (err != GT_OK) return err;
        copies[i] = request->headers[i];
        copies[i].name = arena_dup(transfer->arena, copies[i].name);
        copies[i].value = arena_dup(transfer->arena, copies[i].value);
        if (copies[i].name.ptr == NULL || copies[i].value.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    }
    transfer->request.headers = copies;
    return GT_OK;
}

/* Copied: the caller's texts may be gone when a slot becomes free. */
enum gt_err transfer_take_request(struct transfer *transfer, const struct http_request *request, struct gt_errinfo *info)
{
    struct http_request *copy = &transfer->request;
    *copy = *request;
    transfer->is_post = gt_str_is(request->method, "POST");
    if (request->method.len > 0 && !transfer->is_post && !gt_str_is(request->method, "GET"))
        return gt_fail(info, GT_EUSAGE, "only GET and POST are sent");
    if (!header_value_is_valid(request->user_agent)) return gt_fail(info, GT_EUSAGE, "not a user agent that can be sent");
    if (request->body.len > HTTP_BODY_BYTES_MAX)
        return gt_fail(info, GT_EUSAGE, "a request body of %zu bytes", request->body.len);
    enum gt_err err = copy_headers(transfer, request, info);
    if (err != GT_OK) return err;
    copy->url = arena_dup(transfer->arena, request->url);
    copy->body = arena_dup(transfer->arena, request->body);
    copy->user_agent = arena_dup(transfer->arena, request->user_agent);
    copy->allow_ports = arena_dup(transfer->arena, request->allow_ports);
    if (copy->url.ptr == NULL || copy->body.ptr == NULL || copy->user_agent.ptr == NULL || copy->allow_ports.ptr == NULL)
        return gt_fail(info, GT_ENOMEM, "out of memory");
    if (copy->timeout_ms <= 0) copy->timeout_ms = HTTP_TIMEOUT_DEFAULT_MS;
    if (copy->body_bytes_max == 0 || copy->body_bytes_max > HTTP_BODY_BYTES_MAX) copy->body_bytes_max = HTTP_BODY_BYTES_MAX;
    return GT_OK;
}

/* 80, 443, and what the site names. Asked for each hop. */
static bool port_is_allowed(const struct transfer *transfer)
{
    uint16_t port = transfer->url.port;
    if (port == 80 || port == 443) return true;
    struct gt_str rest = transfer->request.allow_ports, word;
    while (gt_str_split(&rest, ' ', &word))
        if (word.len > 0 && word.len <= 5 && strtoul(word.ptr, NULL, 10) == port) return true;
    return false;
}

/* Adds one field to what is sent and to what is printed. The list lives in the arena: libcurl only reads it. */
static bool add_field(struct transfer *transfer, struct curl_slist ***tail, struct gt_str name, struct gt_str value,
                      bool is_secret)
{
    struct curl_slist *node = arena_alloc(transfer->arena, sizeof *node);
    char *line = arena_alloc(transfer->arena, name.len + value.len + 3);
    if (node == NULL || line == NULL) return false;
    /* "Name;" is how libcurl is told to send a field without a value */
    memcpy(line, name.ptr, name.len);
    memcpy(line + name.len, value.len > 0 ? ": " : ";", value.len > 0 ? 2 : 1);
    if (value.len > 0) memcpy(line + name.len + 2, value.ptr, value.len);
    node->data = line;
    **tail = node;
    *tail = &node->next;
    strbuf_add(&transfer->request_head, name);
    strbuf_adds(&transfer->request_head, value.len > 0 ? ": " : ":");
    strbuf_add(&transfer->request_head, is_secret ? GT_STR("[redacted]") : value);
    strbuf_adds(&transfer->request_head, "\r\n");
    return true;
}

/* True when the caller sends this field itself. */
static bool is_own(const struct transfer *transfer, const char *name)
{
    for (size_t i = 0; i < transfer->request.header_count; i++)
        if (gt_str_eq_nocase(transfer->request.headers[i].name, gt_str_from(name))) return true;
    return false;
}

/* The caller's fields, which another origin never sees. */
static bool add_caller_fields(struct transfer *transfer, struct curl_slist ***tail)
{
    for (size_t i = 0; i < transfer->request.header_count; i++) {
        const struct http_header *header = &transfer->request.headers[i];
        if (!add_field(transfer, tail, header->name, header->value, header->is_secret)) return false;
    }
    return true;
}

/* The type of a POST body that names none: JSON by its first sign, else a form. */
static struct gt_str body_type(struct gt_str body)
{
    struct gt_str trimmed = gt_str_trim(body);
    bool is_json = trimmed.len > 0 && (trimmed.ptr[0] == '{' || trimmed.ptr[0] == '[');
    return is_json ? GT_STR("application/json") : GT_STR("application/x-www-form-urlencoded");
}

/* Every field but Host and Content-Length is in our list, in our order, so that request_head is what libcurl sends. */
static bool build_fields(struct transfer *transfer, struct curl_slist **ret_list)
{
    struct curl_slist **tail = ret_list;
    bool is_first_origin = gt_str_eq(transfer->url.origin, transfer->origin);
    bool is_added = true;
    if (transfer->request.user_agent.len > 0)
        is_added = add_field(transfer, &tail, GT_STR("User-Agent"), transfer->request.user_agent, false);
    for (size_t i = 0; i < sizeof default_headers / sizeof default_headers[0] && is_added; i++) {
        const char *name = default_headers[i].name;
        if (is_first_origin && is_own(transfer, name)) continue;
        is_added = add_field(transfer, &tail, gt_str_from(name), gt_str_from(default_headers[i].value), false);
    }
    is_added = is_added && add_field(transfer, &tail, GT_STR("Accept-Encoding"), GT_STR(HTTP_ACCEPT_ENCODING), false);
    if (is_added && is_first_origin) is_added = add_caller_fields(transfer, &tail);
    if (is_added && transfer->is_post && !(is_first_origin && is_own(transfer, "Content-Type")))
        is_added = add_field(transfer, &tail, GT_STR("Content-Type"), body_type(transfer->request.body), false);
    if (!is_added || !transfer->is_post) return is_added;
    /* libcurl would wait for "100 Continue" before larger bodies */
    struct curl_slist *expect = arena_alloc(transfer->arena, sizeof *expect);
    struct gt_str none = arena_dup(transfer->arena, GT_STR("Expect:"));
    if (expect == NULL || none.ptr == NULL) return false;
    expect->data = (char *)(uintptr_t)none.ptr;
    *tail = expect;
    return true;
}

/* The request head, printed and as libcurl's list at once. */
static bool build_head(struct transfer *transfer, struct curl_slist **ret_list)
{
    const struct url *url = &transfer->url;
    size_t host_at = url->scheme.len + GT_STR("://").len; /* in href, where a usual port is not written either */
    strbuf_clear(&transfer->request_head);
    strbuf_adds(&transfer->request_head, transfer->is_post ? "POST " : "GET ");
    strbuf_add(&transfer->request_head, url->target);
    strbuf_adds(&transfer->request_head, " HTTP/1.1\r\nHost: ");
    strbuf_add(&transfer->request_head, gt_str_slice(url->href, host_at, url->href.len - url->target.len - host_at));
    strbuf_adds(&transfer->request_head, "\r\n");
    if (!build_fields(transfer, ret_list)) return false;
    if (transfer->is_post) strbuf_addf(&transfer->request_head, "Content-Length: %zu\r\n", transfer->request.body.len);
    strbuf_adds(&transfer->request_head, "\r\n");
    return transfer->request_head.err == GT_OK;
}

enum gt_err transfer_prepare(struct transfer *transfer, struct gt_errinfo *info)
{
    const struct http_client *client = transfer->client;
    struct curl_slist *fields = NULL;
    CURL *easy = transfer->easy;
    if (transfer->origin.len == 0) transfer->origin = transfer->url.origin;
    bool is_redirected = connect_to_applies(client->settings.connect_to, transfer->url.host, transfer->url.port);
    /* judged anew for each hop: a redirect away from a redirected host is an ordinary request */
    transfer->is_private_allowed = transfer->request.allow_private || is_redirected;
    if (!port_is_allowed(transfer)) return gt_fail(info, GT_EREFUSED, "port %u is not allowed for this site", transfer->url.port);
    if (!build_head(transfer, &fields)) return gt_fail(info, GT_ENOMEM, "out of memory");
    /* the parts as they were judged; the text is for libcurl's messages */
    curl_easy_setopt(easy, CURLOPT_CURLU, transfer->address);
    curl_easy_setopt(easy, CURLOPT_URL, transfer->url.href.ptr);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    if (transfer->is_post) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->request.body.len);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->request.body.ptr);
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    int64_t connect_ms =
        transfer->request.timeout_ms < HTTP_CONNECT_TIMEOUT_MS ? transfer->request.timeout_ms : HTTP_CONNECT_TIMEOUT_MS;
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)transfer->request.timeout_ms);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, client->connect_to);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL); /* until words_begin */
    transfer->wire_max = transfer->request.body_bytes_max;
    return GT_OK;
}
