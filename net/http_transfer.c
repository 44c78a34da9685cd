/* One libcurl handle: what never changes about it, and what libcurl calls while bytes come in. */
#include <stdlib.h>

#include "net/http_internal.h"

enum { WIRE_CAP_FIRST = 16 * 1024, HEAD_KEPT_BYTES = 8 * 1024, MAX_LIFETIME_CONN_S = 600 };

/* Counts every header line, of interim answers too; a status line begins a new block, and lines after the body began are
 * trailers. */
static size_t on_header(char *bytes, size_t size, size_t count, void *ctx)
{
    struct transfer *transfer = ctx;
    struct gt_str line = {bytes, size * count};
    transfer->head_bytes += line.len;
    if (transfer->head_bytes > transfer->head.len_max) {
        transfer->is_head_too_large = true;
        return 0;
    }
    if (transfer->is_head_done && gt_str_starts(line, GT_STR("HTTP/")) && transfer->wire_len == 0) {
        strbuf_clear(&transfer->head);
        transfer->is_head_done = false;
    }
    if (transfer->is_head_done) return line.len;
    strbuf_add(&transfer->head, line);
    if (line.ptr[0] == '\r' || line.ptr[0] == '\n') transfer->is_head_done = true;
    if (transfer->head.err == GT_OK) return line.len;
    transfer->is_out_of_memory = true;
    return 0;
}

/* Room for `more` bytes; the stated length saves the growing, within the limit. */
static bool wire_reserve(struct transfer *transfer, size_t more)
{
    if (transfer->wire_cap - transfer->wire_len >= more) return true;
    size_t cap = transfer->wire_cap == 0 ? WIRE_CAP_FIRST : transfer->wire_cap * 2;
    curl_off_t stated = -1;
    if (transfer->wire_cap == 0) curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &stated);
    if (stated > 0) cap = (size_t)stated;
    if (cap < transfer->wire_len + more) cap = transfer->wire_len + more;
    if (cap > transfer->wire_max) cap = transfer->wire_max;
    char *grown = realloc(transfer->wire, cap);
    if (grown == NULL) return false;
    transfer->wire = grown;
    transfer->wire_cap = cap;
    return true;
}

/* Counts the body and keeps what fits; one byte more than the limit ends the transfer. libcurl's own limit (MAXFILESIZE)
 * sees stated lengths only. */
static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct transfer *transfer = ctx;
    size_t len = size * count, room = transfer->wire_max - transfer->wire_len;
    transfer->is_too_large = len > room;
    size_t kept = len < room ? len : room;
    if (kept > 0 && !wire_reserve(transfer, kept)) {
        transfer->is_out_of_memory = true;
        return 0;
    }
    if (kept > 0) memcpy(transfer->wire + transfer->wire_len, bytes, kept);
    transfer->wire_len += kept;
    return kept; /* fewer than came ends the transfer */
}

/* From here on libcurl's words are about this transfer. Before, it may close others' dead connections in its name, and it keeps the first
 * words only that it has for a transfer: those about the end of another connection would stand where the reason should. */
static void words_begin(struct transfer *transfer)
{
    curl_easy_setopt(transfer->easy, CURLOPT_ERRORBUFFER, transfer->curl_error);
}

/* Before a name is looked up: that it takes too long is this transfer's own news. */
static int on_resolve(void *resolver, void *reserved, void *ctx)
{
    (void)resolver;
    (void)reserved;
    words_begin(ctx);
    return 0;
}

/* Sees the address itself, whatever spelling, redirect or DNS answer led to it. */
static curl_socket_t on_open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *transfer = ctx;
    (void)purpose;
    words_begin(transfer);
    enum address_class class = address_of_sockaddr(&address->addr, address->addrlen);
    if (class != ADDRESS_PUBLIC && !transfer->is_private_allowed) {
        transfer->refused = class;
        return CURL_SOCKET_BAD;
    }
    return http_socket_open(transfer->client, address);
}

/* Asked before each request is sent. A connection opened for a request that may go to private addresses can be reused by one
 * that may not. And libcurl sends a request again, a POST too, when a kept connection turns out to be dead: how often one is
 * sent is the caller's to decide. */
static int on_before_request(void *ctx, char *peer, char *local, int peer_port, int local_port)
{
    struct transfer *transfer = ctx;
    (void)local;
    (void)peer_port;
    (void)local_port;
    if (transfer->is_sent) return CURL_PREREQFUNC_ABORT;
    transfer->is_sent = true;
    words_begin(transfer);
    enum address_class class = address_of_text(peer);
    if (class == ADDRESS_PUBLIC || transfer->is_private_allowed) return CURL_PREREQFUNC_OK;
    transfer->refused = class;
    return CURL_PREREQFUNC_ABORT;
}

/* What never changes. An empty PROXY is stronger than none, which would let the environment name one; with a proxy, the address check
 * would see the proxy alone. QUICK_EXIT: a name server that does not answer must not hold up the end of the run. A name that was found is not
 * looked up again in a run: libcurl would go through all names that it knows after each request, to forget the old ones. */
static void set_policy(CURL *easy)
{
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(easy, CURLOPT_UNRESTRICTED_AUTH, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)HTTP_LOW_SPEED_BYTES);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)HTTP_LOW_SPEED_S);
    curl_easy_setopt(easy, CURLOPT_MAXLIFETIME_CONN, (long)MAX_LIFETIME_CONN_S);
    curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1L);
}

/* The system's folder of certificates stays trusted beside an extra file. Without an extra file the system's bundle alone is
 * named: only then libcurl keeps it parsed from one connection to the next. */
static void set_trust(CURL *easy, const char *ca_file)
{
    const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    if (ca_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file);
        if (version->capath != NULL) curl_easy_setopt(easy, CURLOPT_CAPATH, version->capath);
    } else if (version->cainfo != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, version->cainfo);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
}

/* Once a handle; what differs from request to request is set when it starts. */
enum gt_err transfer_handle_make(struct transfer *transfer)
{
    CURL *easy = curl_easy_init();
    if (easy == NULL) return GT_ENOMEM;
    transfer->easy = easy;
    set_policy(easy);
    set_trust(easy, transfer->client->settings.ca_file);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, on_resolve);
    curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, http_socket_close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, transfer->client);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_before_request);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    return GT_OK;
}

/* A large head is given back: one page with a megabyte of headers must not stay for the whole crawl. */
void transfer_reset_answer(struct transfer *transfer)
{
    free(transfer->wire);
    transfer->wire = NULL;
    transfer->wire_len = transfer->wire_cap = transfer->head_bytes = 0;
    if (transfer->head.cap > HEAD_KEPT_BYTES) strbuf_done(&transfer->head);
    strbuf_clear(&transfer->head);
    transfer->is_sent = transfer->is_head_done = transfer->is_too_large = transfer->is_head_too_large =
        transfer->is_out_of_memory = false;
    transfer->refused = ADDRESS_PUBLIC;
    transfer->curl_error[0] = '\0';
}

void transfer_free(struct transfer *transfer)
{
    if (transfer == NULL) return;
    curl_easy_cleanup(transfer->easy);
    curl_url_cleanup(transfer->address);
    arena_free(transfer->arena);
    strbuf_done(&transfer->head);
    strbuf_done(&transfer->request_head);
    free(transfer->wire);
    free(transfer);
}
