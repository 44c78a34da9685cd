/* From a finished transfer to a response: what libcurl's result means here, then the body decoded and the rules of hops. */
#include <stdlib.h>

#include "common/clock.h"
#include "net/decode.h"
#include "net/header.h"
#include "net/http_internal.h"

enum { CODINGS_BYTES_MAX = 1024 };

/* How one of libcurl's results is told: whose fault, and whether a second attempt may help. */
static const struct verdict {
    CURLcode code;
    enum gt_err err;
    bool is_refetchable;
    const char *text; /* NULL: libcurl's own words */
} verdicts[] = {
    {CURLE_OPERATION_TIMEDOUT, GT_ETIMEOUT, true, NULL},
    {CURLE_COULDNT_RESOLVE_HOST, GT_ENET, true, "the host's name cannot be resolved"},
    {CURLE_COULDNT_CONNECT, GT_ENET, true, NULL},
    {CURLE_PARTIAL_FILE, GT_EINCOMPLETE, true, "the connection ended before the stated length"},
    {CURLE_GOT_NOTHING, GT_ENET, true, "the server closed the connection without an answer"},
    {CURLE_ABORTED_BY_CALLBACK, GT_ENET, true,
     "the server closed the connection without an answer"}, /* it was about to be sent twice */
    {CURLE_SEND_ERROR, GT_ENET, true, NULL},
    {CURLE_PEER_FAILED_VERIFICATION, GT_ENET, false, NULL},
    {CURLE_SSL_CONNECT_ERROR, GT_ENET, true, NULL},
    {CURLE_SSL_CACERT_BADFILE, GT_ENET, false, NULL}, /* our own certificates: missing, or too many files are open */
    /* a header line over 100 KiB reads as "out of memory" (libcurl 7.88): the server's doing, not ours */
    {CURLE_OUT_OF_MEMORY, GT_EFORMAT, false, "a header line of the answer is too long"},
    {CURLE_UNSUPPORTED_PROTOCOL, GT_EFORMAT, false, "not an HTTP answer"},
    {CURLE_WEIRD_SERVER_REPLY, GT_EFORMAT, false, NULL},
    {CURLE_URL_MALFORMAT, GT_EFORMAT, false, NULL},
};

/* The row of a result, NULL for those that are told in libcurl's own words. */
static const struct verdict *verdict_of(CURLcode code)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
        if (verdicts[i].code == code) return &verdicts[i];
    return NULL;
}

/* Sets the sentence; without memory for it there is none. */
static void set_detail(struct http_response *response, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set_detail(struct http_response *response, const char *format, ...)
{
    struct strbuf buf;
    va_list args;
    strbuf_init(&buf, DETAIL_BYTES_MAX);
    va_start(args, format);
    strbuf_vaddf(&buf, format, args);
    va_end(args);
    response->detail.len = buf.len;
    response->detail.ptr = strbuf_take(&buf);
    if (response->detail.ptr == NULL) response->detail.len = 0;
}

/* Our own reasons for ending a transfer come before libcurl's reading of the end. */
static bool judge_own(struct transfer *transfer, struct http_response *response)
{
    if (transfer->refused != ADDRESS_PUBLIC) {
        response->err = GT_EREFUSED;
        set_detail(response, "%.*s leads to %s", GT_STR_ARG(transfer->url.host), address_class_text(transfer->refused));
    } else if (transfer->is_too_large) {
        response->err = GT_ELIMIT;
        set_detail(response, "the body is larger than %zu bytes", transfer->wire_max);
    } else if (transfer->is_head_too_large) {
        response->err = GT_EFORMAT;
        set_detail(response, "the headers are larger than %d bytes", HEADER_BLOCK_BYTES_MAX);
    } else if (transfer->is_out_of_memory) {
        response->err = GT_ENOMEM;
        set_detail(response, "out of memory");
    } else {
        return false;
    }
    return true;
}

/* Sets err, detail and is_refetchable from our own reasons and libcurl's result. */
static void judge(struct transfer *transfer, struct http_response *response, CURLcode result)
{
    if (judge_own(transfer, response) || result == CURLE_OK) return;
    const struct verdict *verdict = verdict_of(result);
    const char *words = transfer->curl_error[0] != '\0' ? transfer->curl_error : curl_easy_strerror(result);
    response->err = verdict != NULL ? verdict->err : GT_ENET;
    response->is_refetchable = verdict == NULL || verdict->is_refetchable;
    /* a connection that breaks while the body comes leaves a cut body */
    if (response->err == GT_ENET && transfer->is_head_done && response->status >= 200) response->err = GT_EINCOMPLETE;
    set_detail(response, "%s", verdict != NULL && verdict->text != NULL ? verdict->text : words);
}

/* A length that is a number, or several times the same one (RFC 9110, 8.6). */
static bool length_read(struct gt_str text, int64_t *length)
{
    struct gt_str word;
    while (gt_str_split(&text, ',', &word)) {
        int64_t value = 0;
        word = gt_str_trim(word);
        if (word.len == 0) return false;
        for (size_t i = 0; i < word.len; i++) {
            bool is_digit = word.ptr[i] >= '0' && word.ptr[i] <= '9';
            if (!is_digit || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, word.ptr[i] - '0', &value)) return false;
        }
        if (*length >= 0 && *length != value) return false;
        *length = value;
    }
    return true;
}

/* What the header says of the body's end, where libcurl believes one of several lies or, of a number too large, none. NULL when it
 * can be believed. A transfer coding that we did not ask for may hide an end of its own. */
static const char *framing_fault(const struct http_response *response)
{
    int64_t length = -1;
    struct gt_str value;
    for (size_t i = 0; (value = header_find(response->head, "Content-Length", i)).ptr != NULL; i++) {
        int64_t before = length;
        if (!length_read(value, &length)) return before >= 0 ? "the answer states two different lengths" : "the stated length is no number";
    }
    for (size_t i = 0; (value = header_find(response->head, "Transfer-Encoding", i)).ptr != NULL; i++)
        if (!gt_str_eq_nocase(value, GT_STR("chunked")) && !gt_str_eq_nocase(value, GT_STR("identity")))
            return "the answer has a transfer coding that is not known";
    return NULL;
}

/* True when the end of the body is told apart from a broken connection. */
static bool length_is_known(const struct http_response *response)
{
    if (response->status == 204 || response->status == 304) return true;
    struct gt_str coding = header_find(response->head, "Transfer-Encoding", 0);
    return coding.ptr != NULL || header_find(response->head, "Content-Length", 0).ptr != NULL;
}

/* All Content-Encoding fields in one list. */
static enum gt_err codings_join(struct gt_str head, struct strbuf *codings)
{
    for (size_t i = 0;; i++) {
        struct gt_str value = header_find(head, "Content-Encoding", i);
        if (value.ptr == NULL) return codings->err;
        if (i > 0) strbuf_addc(codings, ',');
        strbuf_add(codings, value);
    }
}

/* Undoes the content codings. A body that was not whole keeps its first verdict, whatever the decoder says of it. */
static void decode(struct decoder *decoder, struct http_response *response, size_t bytes_max)
{
    struct strbuf codings;
    struct gt_errinfo info = {0};
    char *bytes = NULL;
    size_t len = 0;
    strbuf_init(&codings, CODINGS_BYTES_MAX);
    response->body = response->wire;
    enum gt_err err = codings_join(response->head, &codings);
    if (err != GT_OK) {
        gt_fail(&info, err = GT_EFORMAT, "the content codings cannot be read");
    } else if (!decode_is_identity(strbuf_str(&codings))) {
        err = decode_body(decoder, strbuf_str(&codings), response->wire, bytes_max, &bytes, &len, &info);
        response->body = (struct gt_str){bytes, len};
    }
    strbuf_done(&codings);
    if (err == GT_OK || response->err != GT_OK) return;
    response->err = err;
    response->is_refetchable = err == GT_EINCOMPLETE;
    set_detail(response, "%s", info.text);
}

/* Hands a buffer over as a text. */
static bool take(struct strbuf *buf, struct gt_str *ret_text)
{
    size_t len = buf->len;
    char *text = strbuf_take(buf);
    *ret_text = (struct gt_str){text, text != NULL ? len : 0};
    return text != NULL;
}

/* A copy of its own, closed by a NUL. */
static bool copy(struct gt_str text, struct gt_str *ret_text)
{
    char *bytes = strndup(text.ptr != NULL ? text.ptr : "", text.len);
    *ret_text = (struct gt_str){bytes, bytes != NULL ? text.len : 0};
    return bytes != NULL;
}

struct http_response *transfer_finish(struct transfer *transfer, CURLcode result)
{
    struct http_response *response = calloc(1, sizeof *response);
    char *address = NULL;
    long status = 0;
    if (response == NULL) return NULL;
    int64_t busy_ms = http_client_busy_ms(transfer->client) - transfer->begin_busy_ms;
    response->elapsed_ms = clock_mono_ms() - transfer->begin_mono_ms - busy_ms;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &address);
    response->status = transfer->head.len > 0 ? (int32_t)status : 0;
    response->redirects = transfer->redirects;
    response->wire = (struct gt_str){transfer->wire, transfer->wire_len};
    transfer->wire = NULL;
    transfer->wire_len = transfer->wire_cap = 0;
    bool is_whole = take(&transfer->head, &response->head);
    is_whole = copy(strbuf_str(&transfer->request_head), &response->request_head) && is_whole;
    is_whole = copy(transfer->url.href, &response->url) && is_whole;
    is_whole = copy(gt_str_from(address), &response->address) && is_whole;
    judge(transfer, response, result);
    const char *fault = framing_fault(response);
    if (!is_whole) {
        response->err = GT_ENOMEM;
    } else if (response->err == GT_OK && !transfer->is_head_done) {
        /* libcurl takes a header block without its empty line for a whole one */
        response->err = GT_ENET;
        response->is_refetchable = true;
        set_detail(response, "the connection ended inside the headers");
    } else if (response->err == GT_OK && fault != NULL) {
        response->err = GT_EFORMAT;
        set_detail(response, "%s", fault);
    }
    response->is_length_known = length_is_known(response);
    decode(transfer->client->decoder, response, transfer->request.body_bytes_max);
    return response;
}

struct http_response *transfer_refuse(struct transfer *transfer, enum gt_err err, const char *detail)
{
    struct http_response *response = calloc(1, sizeof *response);
    if (response == NULL) return NULL;
    response->err = err;
    response->redirects = transfer->redirects;
    copy(transfer->url.href.len > 0 ? transfer->url.href : transfer->request.url, &response->url);
    set_detail(response, "%s", detail);
    return response;
}

void http_response_free(struct http_response *response)
{
    if (response == NULL) return;
    const struct gt_str texts[] = {response->detail, response->url, response->request_head, response->head, response->address};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) free((char *)(uintptr_t)texts[i].ptr);
    if (response->body.ptr != response->wire.ptr) free((char *)(uintptr_t)response->body.ptr);
    free((char *)(uintptr_t)response->wire.ptr);
    free(response);
}

bool http_response_is_redirect(const struct http_response *response)
{
    static const int32_t codes[] = {301, 302, 303, 307, 308};
    bool is_code = false;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) is_code = is_code || response->status == codes[i];
    return is_code && response->err == GT_OK && header_find(response->head, "Location", 0).len > 0;
}

enum gt_err http_redirect_resolve(const struct http_response *response, bool is_post, struct arena *arena, struct url *ret_url,
                                  bool *ret_keeps_body, struct gt_errinfo *info)
{
    struct url from, to;
    enum gt_err err = url_parse(response->url, arena, &from, info);
    if (err == GT_OK) err = url_resolve(&from, header_find(response->head, "Location", 0), arena, &to, info);
    if (err != GT_OK) return err;
    if (from.is_https && !to.is_https)
        return gt_fail(info, GT_EREFUSED, "a redirect from https to http is not followed: %.*s", GT_STR_ARG(to.href));
    bool keeps_body = is_post && (response->status == 307 || response->status == 308);
    if (keeps_body && !url_is_same_origin(&from, &to))
        return gt_fail(info, GT_EREFUSED, "a POST is not sent on to another site: %.*s", GT_STR_ARG(to.origin));
    *ret_url = to;
    *ret_keeps_body = keeps_body;
    return GT_OK;
}
