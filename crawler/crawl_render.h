/* The state of the page that is in the browser. Shared by the files crawl_render.c (the page) and crawl_ask.c (its requests). */
#ifndef GT_CRAWLER_CRAWL_RENDER_H
#define GT_CRAWLER_CRAWL_RENDER_H

#include "common/strbuf.h"
#include "crawler/crawl_internal.h"
#include "crawler/render.h"
#include "crawler/render_capture.h"

enum { DESK_HOSTS_MAX = 64 };

/* The one place where a page is in the browser, and the line before it. */
struct render_desk {
    struct page_job *first, *last; /* waiting */
    struct page_job *page;         /* in the browser; NULL: none */
    struct render *render;
    bool is_watched; /* by the client's waits */
    int64_t serial;                /* of the page: a transfer that comes back for an earlier one has nobody to go to */
    struct render_ask *asks, *asks_last; /* not yet sent */
    struct host *hosts[DESK_HOSTS_MAX];  /* that this page has asked: their pause was kept before its first request */
    size_t host_count;
    int64_t bytes; /* of all answers */
    bool is_cut;   /* a limit kept something from the page that may belong to it */
    struct arena *arena;
    struct capture capture;
    struct strbuf loads;
    struct http_response *failed; /* the page's own answer, when there is nothing to show */
};

/* Takes a request of the page: puts it in line. For render_open; ctx is the crawl. */
void desk_ask(void *ctx, struct render_ask *ask);

/* Sends what may be sent of the line, refuses what may not. */
void desk_send(struct crawl *crawl);

/* Notes what became of a request, for the archive and the log. */
void desk_note(struct crawl *crawl, const char *field, struct gt_str what, struct gt_str url);

#endif
