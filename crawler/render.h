/* One page in a browser: loaded, waited for, read. The browser reaches no network: each request of the page comes to the caller,
 * who fetches it (or not) as it fetches everything, and hands the answer back. */
#ifndef GT_CRAWLER_RENDER_H
#define GT_CRAWLER_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "net/http.h"

enum {
    RENDER_REQUESTS_MAX = 200,             /* of one page; further ones are refused */
    RENDER_DOCUMENTS_MAX = 6,              /* of the page itself: redirects and navigations of its own */
    RENDER_BYTES_MAX = 64 * 1024 * 1024,   /* of all answers together */
    RENDER_REFUSALS_MAX = 32,              /* that are kept by name */
    RENDER_ARENA_MAX = 64 * 1024 * 1024,
    RENDER_QUIET_MS = 1000,                /* without a request, and the page counts as loaded */
    RENDER_POLL_MS = 200,                  /* between two looks for the selector */
    RENDER_URL_BYTES_MAX = 4096,           /* of an address that is told; longer ones are refused */
};

/* What is loaded. Borrowed for the life of the render. */
struct render_settings {
    const char *program, *user; /* as in struct render_program */
    struct gt_str url;
    struct gt_str wait;                 /* CSS selector that must be there; "": until the network is quiet */
    struct gt_str user_agent, language; /* as the page's scripts see them */
    int64_t timeout_ms, memory_bytes;
    size_t dom_bytes_max;
};

struct render;

/* A request of the page. Lives as long as the render; must be answered or refused once. */
struct render_ask {
    struct render_ask *next; /* the caller's, for a queue */
    struct render *render;
    struct gt_str url, method, body;
    struct http_header *headers; /* the page's own and its cookies; what the client sets itself is left out */
    size_t header_count;
    bool is_document;          /* the page itself, or where it leads */
    int32_t number;            /* how many the page had made before it */
    struct gt_str id, session; /* the browser's names for it */
};

/* Takes one request. */
typedef void render_ask_fn(void *ctx, struct render_ask *ask);

/* Something that the page wanted and did not get. */
struct render_refusal {
    struct gt_str url, reason;
};

/* What it came to; texts belong to the render. */
struct render_result {
    enum gt_err err; /* GT_OK: dom is the page. GT_EINCOMPLETE: still loading when its time was over. GT_ELIMIT: memory, size.
                        GT_ETIMEOUT, GT_EREFUSED, GT_EINTERNAL */
    struct gt_str detail;
    struct gt_str dom; /* HTML, UTF-8 */
    struct gt_str url; /* of the document, after redirects and navigations */
    const struct render_refusal *refusals;
    size_t refusal_count;  /* of them; `refused` counts all */
    int32_t asked, refused;
    int32_t spared;        /* images, fonts, style sheets and the like: never asked for */
    int32_t strays;        /* connections that were tried past the driver and ended at the closed proxy */
    int32_t dialogs, popups;
    bool is_cut; /* a limit kept something from the page that may belong to it */
};

/* Starts a browser on the page. GT_ENOENT when there is none, and what render_process_start says. */
enum gt_err render_open(const struct render_settings *settings, render_ask_fn *fn, void *ctx, struct render **ret_render,
                        struct gt_errinfo *info);

/* Ends the browser, waits until it is gone, frees everything. NULL is accepted. */
void render_close(struct render *render);

/* Readable when render_step has something to do. The render's own. */
int render_fd(const struct render *render);

/* Moves on, never waits; calls back for requests. True when it has come to its end: render_result says to which. To be called
 * at least every RENDER_POLL_MS. */
bool render_step(struct render *render);

/* Set once render_step has said so. */
const struct render_result *render_result(const struct render *render);

/* Hands the page an answer: status, fields and decoded body go to it, Content-Encoding and the like do not. */
void render_answer(struct render_ask *ask, const struct http_response *response);

/* Tells the page that there is no answer. `is_policy`: it is kept as a refusal, with the reason. */
void render_refuse(struct render_ask *ask, bool is_policy, struct gt_str reason);

#endif
