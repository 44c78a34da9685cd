/* Pages that go through a browser: one at a time, each of their requests fetched by the crawl's own client under the rules that
 * hold for every page. The browser itself never reaches the network. */
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/strbuf.h"
#include "crawler/crawl_internal.h"
#include "crawler/render.h"
#include "crawler/render_capture.h"
#include "net/header.h"
#include "net/retry_after.h"

enum {
    DESK_HOSTS_MAX = 64,
    LOADS_BYTES_MAX = 1024 * 1024,
    REASON_REFUSALS_MAX = 2, /* named in a reason; the rest is counted */
    ASK_SECTION_HEADERS_MAX = PLAN_HEADERS_MAX,
};

/* The one place where a page is in the browser, and the line before it. */
struct render_desk {
    struct page_job *first, *last; /* waiting */
    struct page_job *page;         /* in the browser; NULL: none */
    struct render *render;
    int64_t serial;                /* of the page: a transfer that comes back for an earlier one has nobody to go to */
    int64_t asked;                 /* numbers the requests of the page */
    struct render_ask *asks, *asks_last; /* not yet sent */
    struct host *hosts[DESK_HOSTS_MAX];  /* that this page has asked: their pause was kept before its first request */
    size_t host_count;
    int64_t bytes; /* of all answers */
    struct arena *arena;
    struct capture capture;
    struct strbuf loads;
    struct http_response *failed; /* the page's own answer, when there is nothing to show */
};

/* A request on its way. In the crawl's arena: it may come back after its page has gone. */
struct ask_fetch {
    struct crawl *crawl;
    struct host *host;
    struct render_ask *ask;
    int64_t serial, order;
};

/* ---- the line ---- */

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
    if (crawl->client != NULL) http_client_watch(crawl->client, -1);
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

static void on_ask(void *ctx, struct render_ask *ask);

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
    if (err == GT_OK) err = render_open(&settings, on_ask, crawl, &desk->render, &info);
    if (err == GT_OK && http_client_watch(crawl->client, render_fd(desk->render)) != GT_OK)
        err = gt_fail(&info, GT_EIO, "render: the browser cannot be watched");
    if (err == GT_OK) return;
    desk_clear(crawl);
    page_fail(page, STATUS_FAILED, "%s", info.text);
}

/* ---- requests of the page ---- */

/* Numbers the request and puts it in line. */
static void on_ask(void *ctx, struct render_ask *ask)
{
    struct crawl *crawl = ctx;
    struct render_desk *desk = crawl->desk;
    ask->next = NULL;
    if (desk->asks_last != NULL) desk->asks_last->next = ask;
    else desk->asks = ask;
    desk->asks_last = ask;
}

/* Notes what became of a request, for the archive and the log. */
static void load_note(struct crawl *crawl, const char *field, struct gt_str what, struct gt_str url)
{
    struct strbuf *loads = &crawl->desk->loads;
    size_t before = loads->len;
    strbuf_addf(loads, "%s: %.*s ", field, GT_STR_ARG(what));
    /* an address as the page wrote it: what would break out of the line becomes a blank */
    for (size_t i = 0; i < url.len; i++) strbuf_addc(loads, (unsigned char)url.ptr[i] <= 0x20 ? '_' : url.ptr[i]);
    struct gt_str line = loads->err == GT_OK ? arena_dup(crawl->desk->arena, gt_str_slice(strbuf_str(loads), before, SIZE_MAX)) : GT_STR("");
    strbuf_adds(loads, "\r\n");
    log_event(crawl->options->log, LOG_DEBUG, "render_load", "what", line.ptr != NULL ? line.ptr : "", (char *)NULL);
}

/* The page itself cannot be had: this is its answer, and the browser is not needed any more. */
static void document_failed(struct crawl *crawl, struct http_response *response)
{
    http_response_free(crawl->desk->failed);
    crawl->desk->failed = response;
}

/* An answer that `capture` names: kept, or the reason why the whole cannot be had. */
static void capture_take(struct crawl *crawl, const struct ask_fetch *fetch, const struct http_response *response)
{
    struct render_desk *desk = crawl->desk;
    const struct site_plan *plan = &desk->page->part->site->plan;
    if (!capture_matches(plan->capture, fetch->ask->url)) return;
    if (response->err == GT_OK && response->status == 200) {
        capture_add(&desk->capture, fetch->order, response->body, plan->body_bytes_max, desk->arena);
        return;
    }
    struct gt_str why = response->err != GT_OK ? response->detail : arena_printf(desk->arena, "HTTP %d", response->status);
    if (!http_response_is_redirect(response))
        desk->capture.fault = arena_printf(desk->arena, "%.*s: %.*s", GT_STR_ARG(gt_str_slice(fetch->ask->url, 0, 200)), GT_STR_ARG(why));
}

/* A redirect against the rules of hops (to another scheme, from https to http) is no redirect. */
static bool leads_astray(const struct crawl *crawl, const struct http_response *response, struct gt_str *ret_why)
{
    struct url to;
    bool keeps_body;
    struct gt_errinfo info = {0};
    if (!http_response_is_redirect(response)) return false;
    if (http_redirect_resolve(response, false, crawl->desk->arena, &to, &keeps_body, &info) == GT_OK) return false;
    *ret_why = arena_dup(crawl->desk->arena, gt_str_from(info.text));
    return true;
}

/* Hands an answer on to the page. */
static void ask_answered(struct crawl *crawl, const struct ask_fetch *fetch, struct http_response *response)
{
    struct render_desk *desk = crawl->desk;
    struct render_ask *ask = fetch->ask;
    struct gt_str why;
    desk->bytes += (int64_t)response->wire.len + (int64_t)response->body.len;
    struct gt_str what = response->err != GT_OK ? response->detail : arena_printf(desk->arena, "%d %zu", response->status, response->wire.len);
    load_note(crawl, "gputape-load", what, ask->url);
    capture_take(crawl, fetch, response);
    bool is_shown = response->err == GT_OK && (response->status == 200 || http_response_is_redirect(response));
    if (ask->is_document && !is_shown) {
        document_failed(crawl, response);
        return;
    }
    if (response->err != GT_OK) render_refuse(ask, response->err == GT_EREFUSED, response->detail);
    else if (leads_astray(crawl, response, &why)) render_refuse(ask, true, why);
    else if (desk->bytes > RENDER_BYTES_MAX) render_refuse(ask, true, GT_STR("more bytes than one page may load"));
    else render_answer(ask, response);
    http_response_free(response);
}

/* Every answer to a request of a page comes here; the page may have gone. */
static void on_answer(void *ctx, struct http_response *response)
{
    struct ask_fetch *fetch = ctx;
    struct crawl *crawl = fetch->crawl;
    int64_t now_unix_s = clock_unix_s(crawl->options->clock), asked_s = -1;
    host_note_done(fetch->host, response);
    if (response == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    if (response->err == GT_OK && (response->status == 429 || response->status == 503)) {
        retry_after_find(response->head, now_unix_s, &asked_s);
        due_host_failed(&fetch->host->memory, true, asked_s, now_unix_s);
        fetch->host->is_memory_changed = true;
    }
    bool is_wanted = response->err != GT_EINTERRUPTED && crawl->err == GT_OK && fetch->serial == crawl->desk->serial;
    if (is_wanted && crawl->desk->page != NULL) ask_answered(crawl, fetch, response);
    else http_response_free(response);
}

/* ---- which may be sent ---- */

enum permission { MAY_GO, MUST_WAIT, MUST_NOT };

/* True when the page has asked this host before; the first time it is noted. */
static bool host_is_known(struct render_desk *desk, struct host *host)
{
    for (size_t i = 0; i < desk->host_count; i++)
        if (desk->hosts[i] == host) return true;
    return false;
}

/* robots.txt of the address's origin, asked for when it is not known. */
static enum permission robots_permit(struct crawl *crawl, struct host *host, const struct url *url, struct gt_str *ret_why)
{
    const struct site_plan *plan = &crawl->desk->page->part->site->plan;
    if (!plan->obeys_robots) return MAY_GO;
    struct origin *origin = crawl_origin(crawl, host, url);
    if (origin == NULL || origin->state == ROBOTS_ASKED) return MUST_WAIT;
    if (origin->state == ROBOTS_UNKNOWN) {
        if (clock_mono_ms() >= host->not_before_mono_ms) origin_ask(origin, plan);
        return MUST_WAIT;
    }
    *ret_why = origin->reason;
    if (origin->state == ROBOTS_UNREACHABLE) return MUST_NOT;
    struct robots_verdict verdict = robots_match(origin->robots_txt, plan->agent_token, url->href);
    *ret_why = arena_printf(crawl->desk->arena, "robots.txt forbids it: %.*s", GT_STR_ARG(gt_str_slice(verdict.rule, 0, 100)));
    return verdict.is_allowed ? MAY_GO : MUST_NOT;
}

/* The host's side: is it left alone, is another request at it, is its pause over? Within one page there is no pause between
 * requests, as with everybody's browser, but there is never more than one at a time. */
static enum permission host_permit(struct crawl *crawl, struct host *host, struct gt_str *ret_why)
{
    struct render_desk *desk = crawl->desk;
    if (due_host_waits(&host->memory, clock_unix_s(crawl->options->clock))) {
        *ret_why = GT_STR("its host is left alone for some time");
        return MUST_NOT;
    }
    if (host->is_busy) return MUST_WAIT;
    if (host == desk->page->host || host_is_known(desk, host)) return MAY_GO;
    return clock_mono_ms() >= host_ready_mono_ms(host, desk->page, -1) ? MAY_GO : MUST_WAIT;
}

/* The page's own fields, then the section's, which only its own origin gets. */
static size_t ask_headers(const struct render_desk *desk, const struct render_ask *ask, const struct url *url,
                          struct http_header headers[HTTP_HEADERS_MAX])
{
    const struct page_job *page = desk->page;
    const struct site_plan *plan = &page->part->site->plan;
    size_t count = 0, own = url_is_same_origin(url, &page->url) ? plan->header_count : 0;
    headers[count++] = (struct http_header){GT_STR("Accept-Language"), plan->language, false};
    for (size_t i = 0; i < own && count < HTTP_HEADERS_MAX; i++)
        if (!gt_str_eq_nocase(plan->headers[i].name, GT_STR("Accept-Language"))) headers[count++] = plan->headers[i];
        else headers[0] = plan->headers[i];
    size_t fixed = count;
    for (size_t i = 0; i < ask->header_count && count < HTTP_HEADERS_MAX; i++) {
        bool is_set = false;
        for (size_t k = 0; k < fixed; k++) is_set = is_set || gt_str_eq_nocase(headers[k].name, ask->headers[i].name);
        if (is_set) continue;
        headers[count] = ask->headers[i];
        /* what a page keeps in cookies and tokens is not ours to print */
        headers[count].is_secret = gt_str_eq_nocase(headers[count].name, GT_STR("Cookie")) || gt_str_eq_nocase(headers[count].name, GT_STR("Authorization"));
        count++;
    }
    return count;
}

/* Hands the request to the client. False when it cannot be sent at all. */
static bool ask_send(struct crawl *crawl, struct render_ask *ask, struct host *host, const struct url *url, struct gt_str *ret_why)
{
    struct render_desk *desk = crawl->desk;
    const struct site_plan *plan = &desk->page->part->site->plan;
    struct http_header headers[HTTP_HEADERS_MAX];
    struct gt_errinfo info = {0};
    struct ask_fetch *fetch = arena_alloc(crawl->arena, sizeof *fetch);
    struct http_request request = {.url = url->href,
                                   .method = ask->method,
                                   .body = ask->body,
                                   .user_agent = plan->user_agent,
                                   .allow_ports = plan->allow_ports,
                                   .allow_private = plan->allow_private,
                                   .timeout_ms = plan->timeout_ms,
                                   .body_bytes_max = plan->body_bytes_max,
                                   .headers = headers};
    request.header_count = ask_headers(desk, ask, url, headers);
    *ret_why = GT_STR("more requests than one run may make");
    if (fetch == NULL || crawl->requests >= CRAWL_REQUESTS_MAX) return false;
    *fetch = (struct ask_fetch){.crawl = crawl, .host = host, .ask = ask, .serial = desk->serial, .order = desk->asked++};
    if (http_client_add(crawl->client, &request, on_answer, fetch, &info) != GT_OK) {
        *ret_why = arena_dup(desk->arena, gt_str_from(info.text));
        return false;
    }
    if (!host_is_known(desk, host)) desk->hosts[desk->host_count++] = host;
    host->is_busy = true;
    crawl->requests++;
    return true;
}

/* Sends, refuses, or leaves in line. */
static enum permission ask_try(struct crawl *crawl, struct render_ask *ask, struct gt_str *ret_why)
{
    struct render_desk *desk = crawl->desk;
    struct url url;
    struct gt_errinfo info = {0};
    if (url_parse(ask->url, desk->arena, &url, &info) != GT_OK) {
        *ret_why = arena_dup(desk->arena, gt_str_from(info.text));
        return MUST_NOT;
    }
    struct host *host = crawl_host(crawl, url.host);
    if (host == NULL) return MUST_WAIT;
    *ret_why = GT_STR("more hosts than one page may ask");
    if (desk->host_count == DESK_HOSTS_MAX && !host_is_known(desk, host)) return MUST_NOT;
    enum permission permission = host_permit(crawl, host, ret_why);
    if (permission == MAY_GO) permission = robots_permit(crawl, host, &url, ret_why);
    if (permission != MAY_GO) return permission;
    return ask_send(crawl, ask, host, &url, ret_why) ? MAY_GO : MUST_NOT;
}

/* The page itself was refused: an answer that says so, for whoever judges answers. */
static struct http_response *refusal_response(const struct render_ask *ask, struct gt_str why)
{
    struct http_response *response = calloc(1, sizeof *response);
    if (response == NULL) return NULL;
    response->err = GT_EREFUSED;
    response->detail.ptr = strndup(why.ptr != NULL ? why.ptr : "", why.len);
    response->url.ptr = strndup(ask->url.ptr, ask->url.len);
    response->detail.len = response->detail.ptr != NULL ? why.len : 0;
    response->url.len = response->url.ptr != NULL ? ask->url.len : 0;
    return response;
}

/* Goes once through what is not yet sent. Requests of one host keep their order by themselves: it has one at a time. */
static void asks_send(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    struct render_ask *ask = desk->asks, *left = NULL, *left_last = NULL;
    desk->asks = desk->asks_last = NULL;
    for (struct render_ask *next; ask != NULL; ask = next) {
        struct gt_str why = GT_STR("");
        next = ask->next;
        ask->next = NULL;
        enum permission permission = ask_try(crawl, ask, &why);
        if (permission == MUST_NOT) {
            load_note(crawl, "gputape-refused", why, ask->url);
            if (ask->is_document) document_failed(crawl, refusal_response(ask, why));
            else render_refuse(ask, true, why);
        } else if (permission == MUST_WAIT) {
            if (left_last != NULL) left_last->next = ask;
            else left = ask;
            left_last = ask;
        }
    }
    desk->asks = left;
    desk->asks_last = left_last;
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
        load_note(crawl, "gputape-refused", refusal->reason, refusal->url);
        log_event(crawl->options->log, LOG_INFO, "render_refused", "url", refusal->url.ptr, "reason", refusal->reason.ptr, (char *)NULL);
    }
    struct gt_str counts = arena_printf(crawl->desk->arena, "asked %d, refused %d, spared %d, stopped at the proxy %d, dialogs %d, popups %d",
                                        result->asked, result->refused, result->spared, result->strays, result->dialogs, result->popups);
    load_note(crawl, "gputape-render", counts, GT_STR(""));
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

/* Why there is nothing to read although the browser came to an end; "" when there is. */
static struct gt_str capture_fault(const struct render_desk *desk)
{
    if (desk->page->part->site->plan.capture.len == 0) return GT_STR("");
    if (desk->capture.fault.len > 0) return desk->capture.fault;
    return desk->capture.count > 0 ? GT_STR("") : GT_STR("render: no JSON answer that the page loaded matches capture");
}

/* The browser has come to its end: page or reason, then the browser goes, then the page goes on its way. */
static void desk_finish(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    struct page_job *page = desk->page;
    const struct render_result *result = render_result(desk->render);
    struct http_response *response = desk->failed;
    struct gt_str reason = result->err == GT_OK ? capture_fault(desk) : result->detail;
    enum part_status status = result->err == GT_EINCOMPLETE || result->err == GT_ELIMIT ? STATUS_INCOMPLETE : STATUS_FAILED;
    if (result->err == GT_OK && desk->capture.fault.len > 0) status = STATUS_INCOMPLETE;
    bool is_shown = response == NULL && reason.len == 0;
    desk->failed = NULL;
    refusals_note(crawl, result);
    if (is_shown) response = response_of(desk, result);
    if (is_shown && response == NULL) reason = GT_STR("render: out of memory");
    if (is_shown && response != NULL) archive_rendered(page, response, strbuf_str(&desk->loads));
    page->refusals = refusals_text(desk, result);
    reason = arena_dup(page->part->site->arena, reason);
    desk_clear(crawl);
    if (crawl->err != GT_OK) http_response_free(response);
    else if (response == NULL) page_fail(page, status, "%.*s%.*s", GT_STR_ARG(reason), GT_STR_ARG(page->refusals));
    else if (is_shown) page_finish(page, response);
    else page_answered(page, response);
}

int64_t desk_step(struct crawl *crawl)
{
    struct render_desk *desk = crawl->desk;
    if (desk == NULL || crawl->is_stopping || crawl->err != GT_OK) return INT64_MAX;
    if (desk->page == NULL && desk->first == NULL) return INT64_MAX;
    if (desk->page == NULL) desk_begin(crawl);
    if (desk->page == NULL) return clock_mono_ms();
    bool is_done = render_step(desk->render);
    if (!is_done && crawl->err == GT_OK) asks_send(crawl);
    if (is_done || desk->failed != NULL) {
        desk_finish(crawl);
        return clock_mono_ms();
    }
    return clock_mono_ms() + RENDER_POLL_MS / 4;
}
