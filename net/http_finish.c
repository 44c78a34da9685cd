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

/* What a header block says of the body behind it. */
struct body_facts {
    int64_t length;        /* as stated; -1: not */
    bool is_end_told;      /* apart from a broken connection */
    const char *fault;     /* why that end cannot be believed: libcurl believes one of several lies or, of a number too large, none */
    struct strbuf codings; /* all Content-Encoding fields in one list */
};

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

/* Takes in one field. A transfer coding that we did not ask for may hide an end of its own. */
static void facts_take(struct body_facts *facts, struct gt_str name, struct gt_str value)
{
    const char *fault = NULL;
    if (gt_str_eq_nocase(name, GT_STR("Content-Length"))) {
        bool is_second = facts->length >= 0;
        facts->is_end_told = true;
        if (!length_read(value, &facts->length))
            fault = is_second ? "the answer states two different lengths" : "the stated length is no number";
    } else if (gt_str_eq_nocase(name, GT_STR("Transfer-Encoding"))) {
        facts->is_end_told = true;
        if (!gt_str_eq_nocase(value, GT_STR("chunked")) && !gt_str_eq_nocase(value, GT_STR("identity")))
            fault = "the answer has a transfer coding that is not known";
    } else if (gt_str_eq_nocase(name, GT_STR("Content-Encoding"))) {
        if (facts->codings.len > 0) strbuf_addc(&facts->codings, ',');
        strbuf_add(&facts->codings, value);
    }
    if (facts->fault == NULL) facts->fault = fault;
}

/* Reads the block once. */
static void facts_read(struct gt_str head, struct body_facts *ret_facts)
{
    struct gt_str name, value;
    *ret_facts = (struct body_facts){.length = -1};
    strbuf_init(&ret_facts->codings, CODINGS_BYTES_MAX);
    while (header_next(&head, &name, &value)) facts_take(ret_facts, name, value);
}

/* Undoes the content codings. A body that was not whole keeps its first verdict, whatever the decoder says of it. */
static void decode(struct decoder *decoder, const struct strbuf *codings, struct http_response *response, size_t bytes_max)
{
    struct gt_errinfo info = {0};
    char *bytes = NULL;
    size_t len = 0;
    response->body = response->wire;
    enum gt_err err = codings->err;
    if (err != GT_OK) {
        gt_fail(&info, err = GT_EFORMAT, "the content codings cannot be read");
    } else if (!decode_is_identity(strbuf_str(codings))) {
        err = decode_body(decoder, strbuf_str(codings), response->wire, bytes_max, &bytes, &len, &info);
        response->body = (struct gt_str){bytes, len};
    }
    if (err == GT_OK || response->err != GT_OK) return;
    response->err = err;
    response->is_refetchable = err == GT_EINCOMPLETE;
    set_detail(response, "%s", info.text);
}

/* Copies a text, closed by a NUL, to *at and moves it on. */
static struct gt_str lay_down(char **at, struct gt_str text)
{
    struct gt_str copy = {*at, text.len};
    if (text.len > 0) memcpy(*at, text.ptr, text.len);
    (*at)[text.len] = '\0';
    *at += text.len + 1;
    return copy;
}

/* A response with its texts behind it in one piece of memory. NULL when there is none. */
static struct http_response *response_new(const struct transfer *transfer, struct gt_str address)
{
    struct gt_str head = strbuf_str(&transfer->head), request_head = strbuf_str(&transfer->request_head);
    struct gt_str url = transfer->url.href.len > 0 ? transfer->url.href : transfer->request.url;
    struct http_response *response = malloc(sizeof *response + head.len + request_head.len + url.len + address.len + 4);
    if (response == NULL) return NULL;
    char *at = (char *)(response + 1);
    *response = (struct http_response){.redirects = transfer->redirects};
    response->url = lay_down(&at, url);
    response->request_head = lay_down(&at, request_head);
    response->head = lay_down(&at, head);
    response->address = lay_down(&at, address);
    return response;
}

struct http_response *transfer_finish(struct transfer *transfer, CURLcode result)
{
    char *address = NULL;
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &address);
    struct http_response *response = response_new(transfer, gt_str_from(address));
    if (response == NULL) return NULL;
    int64_t busy_ms = http_client_busy_ms(transfer->client) - transfer->begin_busy_ms;
    response->elapsed_ms = clock_mono_ms() - transfer->begin_mono_ms - busy_ms;
    response->status = transfer->head.len > 0 ? (int32_t)status : 0;
    response->wire = (struct gt_str){transfer->wire, transfer->wire_len};
    transfer->wire = NULL;
    transfer->wire_len = transfer->wire_cap = 0;
    judge(transfer, response, result);
    struct body_facts facts;
    facts_read(response->head, &facts);
    if (response->err == GT_OK && !transfer->is_head_done) {
        /* libcurl takes a header block without its empty line for a whole one */
        response->err = GT_ENET;
        response->is_refetchable = true;
        set_detail(response, "the connection ended inside the headers");
    } else if (response->err == GT_OK && facts.fault != NULL) {
        response->err = GT_EFORMAT;
        set_detail(response, "%s", facts.fault);
    }
    response->is_length_known = facts.is_end_told || response->status == 204 || response->status == 304;
    decode(transfer->client->decoder, &facts.codings, response, transfer->request.body_bytes_max);
    strbuf_done(&facts.codings);
    return response;
}

struct http_response *transfer_refuse(struct transfer *transfer, enum gt_err err, const char *detail)
{
    strbuf_clear(&transfer->head);
    strbuf_clear(&transfer->request_head);
    struct http_response *response = response_new(transfer, GT_STR(""));
    if (response == NULL) return NULL;
    response->err = err;
    set_detail(response, "%s", detail);
    return response;
}

void http_response_free(struct http_response *response)
{
    if (response == NULL) return;
    free((char *)(uintptr_t)response->detail.ptr);
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

/* Resolved by the parser that connects. A weaker scheme and another site's POST are where secrets go astray. */
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
