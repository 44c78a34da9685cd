/* What the files of the HTTP client share; nobody else includes it, and only here libcurl's types appear. */
#ifndef GT_NET_HTTP_INTERNAL_H
#define GT_NET_HTTP_INTERNAL_H

#include <curl/curl.h>

#include "common/arena.h"
#include "net/address.h"
#include "net/decode.h"
#include "net/http.h"
#include "net/url.h"

enum {
    TRANSFER_ARENA_MAX = 16 * 1024 * 1024 + HTTP_BODY_BYTES_MAX, /* the request's copy; a POST body is in it */
    DETAIL_BYTES_MAX = 512,
};

/* One request on its way; reused for the next when it has called back. */
struct transfer {
    struct http_client *client;
    struct transfer *next; /* in the list of waiting or of spare ones */
    struct transfer *next_running, *prev_running;
    CURL *easy;
    struct arena *arena;         /* the request's copy, the address, the header list */
    struct http_request request; /* in the arena */
    struct url url;              /* of the present hop */
    CURLU *address;              /* the same, as libcurl takes it */
    struct gt_str origin;        /* of the first hop: the only one that gets request.headers */
    bool is_post;                /* at the present hop */
    http_done_fn *fn;
    void *ctx;
    int32_t redirects;
    struct gt_str hops[HTTP_REDIRECTS_MAX]; /* addresses that led on by GET, in the arena */
    int64_t begin_mono_ms;
    int64_t begin_busy_ms; /* http_client_busy_ms then */
    /* what came */
    struct strbuf head;
    struct strbuf request_head;
    char *wire;
    size_t wire_len, wire_cap, wire_max;
    size_t head_bytes; /* of all blocks, interim answers too */
    bool is_sent, is_head_done, is_too_large, is_head_too_large, is_out_of_memory;
    bool is_private_allowed;
    enum address_class refused; /* ADDRESS_PUBLIC: none was */
    char curl_error[CURL_ERROR_SIZE];
};

struct http_client {
    struct http_settings settings;
    CURLM *multi;
    int epoll_fd;
    int64_t timer_mono_ms; /* when libcurl wants to be called again; -1: not */
    int64_t awake_mono_ms; /* end of the last wait for the network */
    int64_t busy_ms;       /* spent between waits, up to the last one */
    size_t pending_count, running_count;
    size_t finished_count; /* callbacks so far */
    int32_t parallel_max;
    struct transfer *waiting, *waiting_last;
    struct transfer *spare;
    struct transfer *running;
    struct decoder *decoder;
    struct curl_slist *connect_to; /* settings.connect_to as libcurl wants it */
    struct watched *watched;       /* by descriptor; of http_socket.c alone */
    size_t watched_cap;
};

/* As url_parse. *ret_address is set on success: the address as it was judged, for libcurl to connect to without reading it again; ends
 * with curl_url_cleanup. */
enum gt_err url_parse_address(struct gt_str text, struct arena *arena, struct url *ret_url, CURLU **ret_address, struct gt_errinfo *info);

/* libcurl's CURLMOPT_SOCKETFUNCTION: it wants news of a socket, or no more. */
int http_socket_want(CURL *easy, curl_socket_t fd, int what, void *client, void *known);

/* Called when a socket has news: false when libcurl waits for none. The connection is then ended here, unless the news are old; libcurl closes
 * it when it next looks for one to reuse. */
bool http_socket_hear(struct http_client *client, curl_socket_t fd);

/* A socket that stays watched between two requests; CURL_SOCKET_BAD when there is none. Ends with http_socket_close. */
curl_socket_t http_socket_open(struct http_client *client, const struct curl_sockaddr *address);

/* libcurl's CURLOPT_CLOSESOCKETFUNCTION. */
int http_socket_close(void *client, curl_socket_t fd);

/* How long the client has been at work so far instead of waiting for the network: what a server must not be blamed for. */
int64_t http_client_busy_ms(const struct http_client *client);

/* Makes the transfer's easy handle with everything that never changes. GT_ENOMEM. */
enum gt_err transfer_handle_make(struct transfer *transfer);

/* Sets the handle up for transfer->url. GT_OK; GT_EREFUSED for a port against the rules; GT_ENOMEM; GT_EUSAGE. */
enum gt_err transfer_prepare(struct transfer *transfer, struct gt_errinfo *info);

/* Copies a request into the transfer and checks it. GT_EUSAGE, GT_ENOMEM. */
enum gt_err transfer_take_request(struct transfer *transfer, const struct http_request *request, struct gt_errinfo *info);

/* Empties what a hop received. */
void transfer_reset_answer(struct transfer *transfer);

/* Makes the response of a finished hop: verdict, decoding, texts. NULL when memory is out. The transfer's buffers move into it. */
struct http_response *transfer_finish(struct transfer *transfer, CURLcode result);

/* A response that never had an answer. NULL when memory is out. */
struct http_response *transfer_refuse(struct transfer *transfer, enum gt_err err, const char *detail);

/* Frees the transfer and its handle; NULL is accepted. */
void transfer_free(struct transfer *transfer);

#endif
