/* The one HTTP client: many requests at once over libcurl, with limits on everything and a say over every address that is
 * connected to.
 *
 * It speaks HTTP/1.1 only (the bytes can be archived as they were), keeps one connection a host (but for hosts behind
 * connect_to), knows no cookies, no proxies, no .netrc, and looks at no environment variable. Not for use by several threads at
 * once. */
#ifndef GT_NET_HTTP_H
#define GT_NET_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"
#include "common/strbuf.h"

enum {
    HTTP_REDIRECTS_MAX = 5,
    HTTP_HEADERS_MAX = 64, /* fields of one request */
    HTTP_PARALLEL_MAX = 512,
    HTTP_BODY_BYTES_MAX = 64 * 1024 * 1024,
    HTTP_TIMEOUT_DEFAULT_MS = 30 * 1000,
    HTTP_CONNECT_TIMEOUT_MS = 10 * 1000,
    HTTP_LOW_SPEED_BYTES = 64, /* slower than this a second … */
    HTTP_LOW_SPEED_S = 20,     /* … for so long, and the transfer ends */
};

/* The same with every request, so that entity tags stay comparable. */
#define HTTP_ACCEPT_ENCODING "gzip, deflate, br, zstd"

struct http_client;

/* What holds for all requests of a client. Borrowed for the client's life. */
struct http_settings {
    const char *const
        *connect_to;      /* rules of net/connect_to.h, NULL-closed; NULL: none. Hosts redirected so may be private ones */
    const char *ca_file;  /* PEM, trusted beside the system's; NULL: none */
    int32_t parallel_max; /* transfers at once; 0: 64 */
    int32_t idle_max;     /* connections kept open between requests, some 50 KiB each; 0: as many as files allow, at most 1024 */
};

/* One field that we send. A secret one is sent, and printed as "[redacted]". */
struct http_header {
    struct gt_str name, value;
    bool is_secret;
};

/* One request. Copied when added. */
struct http_request {
    struct gt_str url;
    struct gt_str method;              /* "GET" or "POST"; empty: GET */
    struct gt_str body;                /* of a POST */
    struct gt_str user_agent;          /* "" sends none */
    const struct http_header *headers; /* go to the first origin only, never along a redirect to another one */
    size_t header_count;
    struct gt_str allow_ports; /* ports beside 80 and 443, blank-separated */
    int64_t timeout_ms;        /* all in all; 0: HTTP_TIMEOUT_DEFAULT_MS */
    size_t body_bytes_max;     /* of the body as sent and as decoded; 0: HTTP_BODY_BYTES_MAX */
    int32_t redirects_max;     /* followed here, each hop judged anew; 0: a 3xx is an answer like any other */
    bool allow_private;        /* loopback and private addresses may be connected to */
};

/* One answer. Everything in it belongs to it; ends with http_response_free. */
struct http_response {
    /* GT_OK: a whole, verified answer of any status. GT_ENET, GT_ETIMEOUT: none. GT_EREFUSED: an address, port, scheme or redirect
     * against the rules. GT_EINCOMPLETE: cut or corrupt. GT_ELIMIT: too large; what came stands in wire. GT_EFORMAT: an answer that
     * HTTP does not know. GT_EINTERRUPTED: http_client_abort. GT_ENOMEM */
    enum gt_err err;
    struct gt_str detail;       /* why, in one sentence; empty on GT_OK */
    int32_t status;             /* 0 when no status line came */
    struct gt_str url;          /* of this answer, after redirects; closed by a NUL */
    struct gt_str request_head; /* what was sent, secrets redacted, with its empty line */
    struct gt_str head;         /* the last header block as received, status line and empty line included */
    struct gt_str wire;         /* the body without transfer coding, content coding still on */
    struct gt_str body;         /* decoded; the same memory as wire where nothing was coded */
    struct gt_str address;      /* printed IP address of the peer; empty when there was none */
    int32_t redirects;          /* followed on the way */
    bool is_length_known;       /* false: the body ended where the connection did, a cut would not show */
    bool is_refetchable;        /* a failure that a second attempt may well not have */
    int64_t elapsed_ms;         /* from sending to the end, of the last hop; without the time in which this process did other things */
};

/* Called once for each request added, from http_client_step or http_client_abort. Takes over the response, which is NULL when
 * there is no memory for one. May add requests. */
typedef void http_done_fn(void *ctx, struct http_response *response);

/* A new client. Takes SSLKEYLOGFILE out of the environment, which libcurl would obey. GT_ENOMEM; GT_EUSAGE for a malformed
 * connect_to rule; GT_ENOENT when ca_file cannot be read. */
enum gt_err http_client_new(const struct http_settings *settings, struct http_client **ret_client, struct gt_errinfo *info);

/* Ends all transfers without calling back and frees everything. NULL is accepted. */
void http_client_free(struct http_client *client);

/* Puts a request in line. Requests against the rules are not refused here: their answer says so. GT_ENOMEM; GT_EUSAGE for a
 * method, header or body size that no caller should have let through. */
enum gt_err http_client_add(struct http_client *client, const struct http_request *request, http_done_fn *fn, void *ctx,
                            struct gt_errinfo *info);

/* Moves transfers on until something has finished (callbacks done) or `wait_ms` have passed; a signal ends the wait early.
 * GT_OK, or GT_EINTERNAL when the system refuses to wait. */
enum gt_err http_client_step(struct http_client *client, int64_t wait_ms, struct gt_errinfo *info);

/* Ends the waits of http_client_step also when `fd` (borrowed; readable means ready) has something, until http_client_unwatch, which has
 * to come before it is closed. GT_EIO when it cannot be watched. */
enum gt_err http_client_watch(struct http_client *client, int fd);

/* Takes http_client_watch back. */
void http_client_unwatch(struct http_client *client, int fd);

/* Requests that have not called back yet. */
size_t http_client_pending(const struct http_client *client);

/* Steps until nothing is pending, *stop is set or `deadline_mono_ms` (0: none) has passed; the last two abort what is left.
 * GT_OK, GT_EINTERRUPTED, GT_ETIMEOUT. `stop` may be NULL. */
enum gt_err http_client_run(struct http_client *client, const volatile int *stop, int64_t deadline_mono_ms,
                            struct gt_errinfo *info);

/* Ends every request now; each calls back with GT_EINTERRUPTED. */
void http_client_abort(struct http_client *client);

/* Frees a response; NULL is accepted. */
void http_response_free(struct http_response *response);

/* True for 301, 302, 303, 307 and 308 with a Location. */
bool http_response_is_redirect(const struct http_response *response);

/* Where a redirect leads by the rules of hops: http(s) only, never from https to http, a POST only to GET it (303) or, kept a
 * POST, to its own origin.
 *
 *  ret_url         in the arena; set on GT_OK.
 *  ret_keeps_body  the next request is a POST again.
 *
 * GT_OK; GT_EREFUSED, GT_EFORMAT, GT_ELIMIT with a sentence; GT_ENOMEM. */
struct url;
struct arena;
enum gt_err http_redirect_resolve(const struct http_response *response, bool is_post, struct arena *arena, struct url *ret_url,
                                  bool *ret_keeps_body, struct gt_errinfo *info);

#endif
