/* Pages that go through a browser: one at a time, from the line into the browser and out of it as an answer like any other. */
#include <stdlib.h>

#include "common/clock.h"
#include "crawler/crawl_render.h"

enum {
    LOADS_BYTES_MAX = 1024 * 1024,
    REASON_REFUSALS_MAX = 2, /* named in a reason; the rest is counted */
};

/* ---- the line ---- */

/* One browser, pages in line: each takes hundreds of megabytes while it is shown. */
void desk_add(struct page_job *page)
{
    struct crawl *crawl = page->part->site->crawl;
    if (crawl->desk == NULL) crawl->desk = arena_alloc(crawl->arena, sizeof *crawl->desk);
    struct render_desk *desk = crawl->desk;
    if (desk == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    page->attempts++;
    page->host->is_held = true;
    page->next = NULL;
    if (desk->last != NULL) desk->last->next = page;
    else desk->first = page;
    desk->last = page;
}

/* Ends the browser and forgets the page. */
static void desk_clear(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    if (desk->is_watched) http_client_unwatch(crawl->client, render_fd(desk->render));
    render_close(desk->render);
    if (desk->page != NULL) desk->page->host->is_held = false;
    http_response_free(desk->failed);
    arena_free(desk->arena);
    strbuf_done(&desk->loads);
    *desk = (struct render_desk){.first = desk->first, .last = desk->last, .serial = desk->serial + 1};
}

void desk_close(struct crawl *crawl)
{
    if (crawl->desk == NULL) return;
    desk_clear(crawl);
    crawl->desk->first = crawl->desk->last = NULL;
}

/* Takes the next page of the line into the browser. One that cannot be is settled. */
static void desk_begin(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    struct page_job *page = desk->first;
    const struct site_plan *plan = &page->part->site->plan;
    struct gt_errinfo info = {0};
    desk->first = page->next;
    if (desk->first == NULL) desk->last = NULL;
    desk->page = page;
    desk->arena = arena_new(RENDER_BYTES_MAX);
    strbuf_init(&desk->loads, LOADS_BYTES_MAX);
    struct render_settings settings = {.program = plan->render_program,
                                       .user = plan->render_user,
                                       .url = page->hop.href,
                                       .wait = plan->render_wait,
                                       .user_agent = plan->user_agent,
                                       .language = plan->language,
                                       .timeout_ms = plan->render_timeout_ms,
                                       .memory_bytes = plan->render_memory_bytes,
                                       .dom_bytes_max = plan->body_bytes_max};
    enum gt_err err = desk->arena != NULL ? GT_OK : gt_fail(&info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = render_open(&settings, desk_ask, crawl, &desk->render, &info);
    desk->is_watched = err == GT_OK && http_client_watch(crawl->client, render_fd(desk->render)) == GT_OK;
    if (err == GT_OK && !desk->is_watched) err = gt_fail(&info, GT_EIO, "render: the browser cannot be watched");
    if (err == GT_OK) return;
    desk_clear(crawl);
    page_fail(page, STATUS_FAILED, "%s", info.text);
}

void desk_note(struct crawl *crawl, const char *field, struct gt_str what, struct gt_str url)
{
    struct strbuf *loads = &crawl->desk->loads;
    size_t before = loads->len;
    strbuf_addf(loads, "%s: %.*s ", field, GT_STR_ARG(what));
    /* an address as the page wrote it: what would break out of the line becomes an underscore */
    for (size_t i = 0; i < url.len; i++) strbuf_addc(loads, (unsigned char)url.ptr[i] <= 0x20 ? '_' : url.ptr[i]);
    struct gt_str line = loads->err == GT_OK ? arena_dup(crawl->desk->arena, gt_str_slice(strbuf_str(loads), before, SIZE_MAX)) : GT_STR("");
    strbuf_adds(loads, "\r\n");
    log_event(crawl->options->log, LOG_DEBUG, "render_load", "what", line.ptr != NULL ? line.ptr : "", (char *)NULL);
}

/* ---- the page's end ---- */

/* An answer as if a server had sent it: what comes behind judges, reads and compares it as any page. NULL when memory is out;
 * `body` (malloc'ed) is taken over. */
static struct http_response *response_make(struct gt_str url, const char *type, char *body, size_t len)
{
    struct strbuf head;
    struct http_response *response = calloc(1, sizeof *response);
    strbuf_init(&head, 256);
    strbuf_addf(&head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n", type);
    if (response == NULL || body == NULL || head.err != GT_OK) {
        free(response);
        free(body);
        strbuf_done(&head);
        return NULL;
    }
    response->status = 200;
    response->is_length_known = true;
    response->head = strbuf_str(&head);
    response->head.ptr = strbuf_take(&head);
    response->url.ptr = strndup(url.ptr, url.len);
    response->url.len = response->url.ptr != NULL ? url.len : 0;
    response->wire = response->body = (struct gt_str){body, len};
    return response;
}

/* What the page is: its DOM, or the answers that `capture` names. */
static struct http_response *response_of(struct render_desk *desk, const struct render_result *result)
{
    if (desk->page->part->site->plan.capture.len == 0) {
        char *dom = malloc(result->dom.len + 1);
        if (dom != NULL) memcpy(dom, result->dom.ptr, result->dom.len);
        return response_make(result->url, "text/html; charset=utf-8", dom, result->dom.len);
    }
    size_t len = 0;
    char *joined = capture_join(&desk->capture, &len);
    return response_make(result->url, "application/json; charset=utf-8", joined, len);
}

/* Names what was refused, in the page's words and ours. */
static void refusals_note(struct crawl *crawl, const struct render_result *result)
{
    for (size_t i = 0; i < result->refusal_count; i++) {
        const struct render_refusal *refusal = &result->refusals[i];
        desk_note(crawl, "gputape-refused", refusal->reason, refusal->url);
        log_event(crawl->options->log, LOG_INFO, "render_refused", "url", refusal->url.ptr, "reason", refusal->reason.ptr, (char *)NULL);
    }
    struct gt_str counts = arena_printf(crawl->desk->arena, "asked %d, refused %d, spared %d, stopped at the proxy %d, dialogs %d, popups %d",
                                        result->asked, result->refused, result->spared, result->strays, result->dialogs, result->popups);
    desk_note(crawl, "gputape-render", counts, GT_STR(""));
}

/* The refusals in words, to stand behind a reason; "" when there were none. In the site's arena. */
static struct gt_str refusals_text(const struct render_desk *desk, const struct render_result *result)
{
    struct arena *arena = desk->page->part->site->arena;
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < result->refusal_count && i < REASON_REFUSALS_MAX && text.ptr != NULL; i++)
        text = arena_printf(arena, "%.*s; refused: %.*s (%.*s)", GT_STR_ARG(text), GT_STR_ARG(gt_str_slice(result->refusals[i].url, 0, 80)),
                            GT_STR_ARG(result->refusals[i].reason));
    if (result->refused > REASON_REFUSALS_MAX && text.ptr != NULL)
        text = arena_printf(arena, "%.*s and %d more", GT_STR_ARG(text), (int)(result->refused - REASON_REFUSALS_MAX));
    return text;
}

/* What a browser's end comes to: a status, and a reason unless there is a page to read. */
static enum part_status verdict_of(const struct render_desk *desk, const struct render_result *result, struct gt_str *ret_reason)
{
    bool is_capturing = desk->page->part->site->plan.capture.len > 0;
    *ret_reason = result->detail;
    if (result->err != GT_OK) return result->err == GT_EINCOMPLETE || result->err == GT_ELIMIT ? STATUS_INCOMPLETE : STATUS_FAILED;
    *ret_reason = desk->capture.fault;
    if (is_capturing && ret_reason->len > 0) return STATUS_INCOMPLETE;
    *ret_reason = GT_STR("render: a limit kept from the page what may belong to it");
    if (desk->is_cut || result->is_cut) return STATUS_INCOMPLETE;
    *ret_reason = GT_STR("render: no JSON answer that the page loaded matches capture");
    if (is_capturing && desk->capture.count == 0) return STATUS_FAILED;
    *ret_reason = GT_STR("");
    return STATUS_OK;
}

/* The browser has come to its end: page or reason, then the browser goes, then the page goes on its way. */
static void desk_finish(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    struct page_job *page = desk->page;
    const struct render_result *result = render_result(desk->render);
    struct http_response *response = desk->failed;
    struct gt_str reason;
    enum part_status status = verdict_of(desk, result, &reason);
    bool is_shown = response == NULL && status == STATUS_OK;
    desk->failed = NULL;
    refusals_note(crawl, result);
    page->refusals = refusals_text(desk, result);
    if (is_shown) response = response_of(desk, result);
    if (is_shown && response == NULL) crawl_break(crawl, GT_ENOMEM, "out of memory");
    if (is_shown && response != NULL) archive_rendered(page, response, strbuf_str(&desk->loads));
    reason = arena_dup(page->part->site->arena, reason);
    desk_clear(crawl);
    if (crawl->err != GT_OK) http_response_free(response);
    else if (response == NULL) page_fail(page, status, "%.*s%.*s", GT_STR_ARG(reason), GT_STR_ARG(page->refusals));
    else if (is_shown) page_finish(page, response);
    else page_answered(page, response);
}

/* When to look again, so that the crawl's loop can wait for sockets meanwhile. */
int64_t desk_step(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    if (desk == NULL || crawl->is_stopping || crawl->err != GT_OK) return INT64_MAX;
    if (desk->page == NULL && desk->first == NULL) return INT64_MAX;
    if (desk->page == NULL) desk_begin(crawl);
    if (desk->page == NULL) return clock_mono_ms();
    bool is_done = render_step(desk->render);
    if (!is_done && crawl->err == GT_OK) desk_send(crawl);
    if (is_done || desk->failed != NULL) {
        desk_finish(crawl);
        return clock_mono_ms();
    }
    return clock_mono_ms() + RENDER_POLL_MS / 4;
}
