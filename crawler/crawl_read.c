/* Pages on their way through the jail: one is read, a line waits. Reading one takes as long as fetching several, so the network, the archive
 * and the store go on meanwhile. */
#include <stdlib.h>

#include "crawler/crawl_internal.h"

/* What may wait unread before the crawl waits itself: some ten pages, and a bound of the memory they take. */
enum { UNREAD_BYTES_MAX = 1024 * 1024 };

/* A page in the line before the jail. */
struct unread {
    struct unread *next;
    struct page_job *page;
    struct http_response *response;
};

/* What an answer keeps in memory at most: body and wire are one where nothing was packed. */
static size_t bytes_of(const struct http_response *response)
{
    return response->wire.len + response->body.len;
}

/* Takes the first page out of the line. */
static void unread_drop(struct crawl *crawl)
{
    struct unread *unread = crawl->unread;
    crawl->unread = unread->next;
    crawl->unread_bytes -= bytes_of(unread->response);
    http_response_free(unread->response);
    free(unread);
}

/* The verdict is there: the page goes on its way. */
static void page_judged(struct page_job *page)
{
    struct page_verdict *verdict = &page->verdict;
    if (verdict->status != STATUS_OK && page->refusals.len > 0)
        verdict->reason =
            arena_printf(page->part->site->arena, "%.*s%.*s", GT_STR_ARG(verdict->reason), GT_STR_ARG(page->refusals));
    page_settle(page);
}

/* Has the worker begin with the first page of the line that has something to be read. */
static void read_begin(struct crawl *crawl)
{
    while (crawl->unread != NULL && crawl->reading == NULL) {
        struct page_job *page = crawl->unread->page;
        struct site_job *site = page->part->site;
        const struct page_case in = {.response = crawl->unread->response,
                                     .rules = site->rules,
                                     .charset = conf_text(site->section, "charset"),
                                     .is_followed = page->is_followed};
        bool is_begun = jail_page_begin(crawl->jail, &in, site->arena, &page->verdict);
        unread_drop(crawl); /* the worker has a copy */
        if (is_begun) crawl->reading = page;
        else page_judged(page);
    }
    /* where it cannot be watched, the loop's next turn sees to it */
    if (crawl->reading != NULL) http_client_watch(crawl->client, jail_fd(crawl->jail));
}

/* Takes the verdict, waiting for it. What follows from it comes after the worker has something to do again. */
static void read_end(struct crawl *crawl)
{
    struct page_job *page = crawl->reading;
    http_client_unwatch(crawl->client, jail_fd(crawl->jail));
    jail_page_end(crawl->jail, page->part->site->arena, &page->verdict);
    crawl->reading = NULL;
    read_begin(crawl);
    page_judged(page);
}

void read_step(struct crawl *crawl)
{
    if (crawl->reading == NULL) read_begin(crawl);
    else if (jail_is_ready(crawl->jail)) read_end(crawl);
}

void read_add(struct page_job *page, struct http_response *response)
{
    struct crawl *crawl = page->part->site->crawl;
    struct unread *unread = malloc(sizeof *unread), **end = &crawl->unread;
    if (unread == NULL) {
        http_response_free(response);
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    *unread = (struct unread){.page = page, .response = response};
    while (*end != NULL) end = &(*end)->next;
    *end = unread;
    crawl->unread_bytes += bytes_of(response);
    read_step(crawl);
    /* ends: each turn takes a page out of the line, and an empty one weighs nothing */
    while (crawl->reading != NULL && crawl->unread_bytes > UNREAD_BYTES_MAX) read_end(crawl);
}

void read_stop(struct crawl *crawl)
{
    while (crawl->unread != NULL) unread_drop(crawl);
    if (crawl->reading != NULL) http_client_unwatch(crawl->client, jail_fd(crawl->jail));
    crawl->reading = NULL;
    jail_free(crawl->jail);
    crawl->jail = NULL;
}
