/* What a page in the browser asks for, fetched by the crawl's own client under the rules that hold for every page: addresses,
 * ports, robots.txt, one request at a time and host, limits. The browser itself never reaches the network. */
#include <stdlib.h>

#include "common/clock.h"
#include "crawler/crawl_render.h"
#include "net/retry_after.h"

/* A request on its way. In the crawl's arena: it may come back after its page has gone. */
struct ask_fetch {
    struct crawl *crawl;
    struct host *host;
    struct render_ask *ask;
    int64_t serial;
};

/* ---- answers ---- */

void desk_ask(void *ctx, struct render_ask *ask)
{
    struct crawl *crawl = ctx;
    struct render_desk *desk = crawl->desk;
    ask->next = NULL;
    if (desk->asks_last != NULL) desk->asks_last->next = ask;
    else desk->asks = ask;
    desk->asks_last = ask;
}

/* The page itself cannot be had: this is its answer, and the browser is not needed any more. */
static void document_failed(struct crawl *crawl, struct http_response *response)
{
    http_response_free(crawl->desk->failed);
    crawl->desk->failed = response;
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

/* An answer that `capture` names: kept, or the reason why the whole cannot be had. */
static void capture_take(struct crawl *crawl, const struct ask_fetch *fetch, const struct http_response *response)
{
    struct render_desk *desk = crawl->desk;
    const struct site_plan *plan = &desk->page->part->site->plan;
    if (!capture_matches(plan->capture, fetch->ask->url)) return;
    if (response->err == GT_OK && response->status == 200) {
        capture_add(&desk->capture, fetch->ask->number, response->body, plan->body_bytes_max, desk->arena);
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

/* A limit of ours keeps something from the page: what it shows then may be a part only. */
static void limit_refuse(struct render_desk *desk, struct render_ask *ask, struct gt_str why)
{
    desk->is_cut = true;
    render_refuse(ask, true, why);
}

/* Hands an answer on to the page. */
static void ask_answered(struct crawl *crawl, const struct ask_fetch *fetch, struct http_response *response)
{
    struct render_desk *desk = crawl->desk;
    struct render_ask *ask = fetch->ask;
    struct gt_str why;
    desk->bytes += (int64_t)response->wire.len + (int64_t)response->body.len;
    struct gt_str what = response->err != GT_OK ? response->detail : arena_printf(desk->arena, "%d %zu", response->status, response->wire.len);
    desk_note(crawl, "gputape-load", what, ask->url);
    capture_take(crawl, fetch, response);
    bool is_shown = response->err == GT_OK && (response->status == 200 || http_response_is_redirect(response));
    if (ask->is_document && !is_shown) {
        document_failed(crawl, response);
        return;
    }
    bool is_astray = response->err == GT_OK && leads_astray(crawl, response, &why);
    if (response->err != GT_OK) render_refuse(ask, response->err == GT_EREFUSED, response->detail);
    else if (is_astray && ask->is_document) document_failed(crawl, refusal_response(ask, why));
    else if (is_astray) render_refuse(ask, true, why);
    else if (desk->bytes > RENDER_BYTES_MAX) limit_refuse(desk, ask, GT_STR("more bytes than one page may load"));
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

/* True when the page has asked this host before. */
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
        if (clock_mono_ms() < host->not_before_mono_ms) return MUST_WAIT;
        origin->is_side = true;
        origin_ask(origin, plan);
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
        struct gt_str name = headers[count].name;
        headers[count].is_secret = gt_str_eq_nocase(name, GT_STR("Cookie")) || gt_str_eq_nocase(name, GT_STR("Authorization"));
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
    *fetch = (struct ask_fetch){.crawl = crawl, .host = host, .ask = ask, .serial = desk->serial};
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
    if (desk->host_count == DESK_HOSTS_MAX && !host_is_known(desk, host)) {
        desk->is_cut = true;
        return MUST_NOT;
    }
    enum permission permission = host_permit(crawl, host, ret_why);
    if (permission == MAY_GO) permission = robots_permit(crawl, host, &url, ret_why);
    if (permission != MAY_GO) return permission;
    return ask_send(crawl, ask, host, &url, ret_why) ? MAY_GO : MUST_NOT;
}

/* Goes once through what is not yet sent. Requests of one host keep their order by themselves: it has one at a time. */
void desk_send(struct crawl *crawl)
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
