/* Requests and answers: what may begin when, what an answer leads to. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/civil.h"
#include "common/clock.h"
#include "common/digest.h"
#include "crawler/crawl_internal.h"
#include "net/header.h"
#include "net/retry_after.h"

enum { REQUEST_HEADERS_MAX = PLAN_HEADERS_MAX + 3 }; /* a language and two validators beside the section's */

/* The crawl that a page belongs to. */
static struct crawl *crawl_of(const struct page_job *page)
{
    return page->part->site->crawl;
}

void page_enqueue(struct page_job *page)
{
    struct host *host = crawl_host(crawl_of(page), page->hop.host);
    if (host == NULL) return; /* the crawl has ended with an error */
    page->host = host;
    page->next = NULL;
    if (host->last != NULL) host->last->next = page;
    else host->first = page;
    host->last = page;
}

/* Takes the first page out of its host's queue. */
static void dequeue(struct host *host)
{
    host->first = host->first->next;
    if (host->first == NULL) host->last = NULL;
}

void page_fail(struct page_job *page, enum part_status status, const char *format, ...)
{
    char text[CRAWL_REASON_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    page->verdict = (struct page_verdict){.status = status, .reason = arena_dup(page->part->site->arena, gt_str_from(text))};
    page_settle(page);
}

/* ---- asking ---- */

/* Validators go only where they came from, while they are fresh enough, and never with a POST. */
static const struct known_page *validators_of(const struct page_job *page)
{
    const struct site_job *site = page->part->site;
    const struct known_page *known = page_known(page);
    if (known == NULL || page->is_unconditional || page->is_post || (known->etag.len == 0 && known->modified.len == 0))
        return NULL;
    int64_t age_s = site->crawl->start_unix_s - page->part->known->full_unix_s;
    bool is_fresh = age_s >= 0 && age_s < site->plan.fresh_ms / 1000;
    return is_fresh && gt_str_eq(known->final_url, page->hop.href) ? known : NULL;
}

/* The section's headers, which another origin than the one they were written for does not get; the language, which everybody gets; and
 * validators. */
static size_t headers_of(struct page_job *page, struct http_header headers[REQUEST_HEADERS_MAX])
{
    const struct site_plan *plan = &page->part->site->plan;
    size_t count = url_is_same_origin(&page->hop, &page->url) ? plan->header_count : 0;
    memcpy(headers, plan->headers, count * sizeof *headers);
    bool has_language = false;
    for (size_t i = 0; i < count; i++)
        has_language = has_language || gt_str_eq_nocase(headers[i].name, GT_STR("Accept-Language"));
    if (!has_language) headers[count++] = (struct http_header){GT_STR("Accept-Language"), plan->language, false};
    const struct known_page *known = validators_of(page);
    page->is_conditional = known != NULL;
    if (known == NULL) return count;
    if (known->etag.len > 0) headers[count++] = (struct http_header){GT_STR("If-None-Match"), known->etag, false};
    if (known->modified.len > 0) headers[count++] = (struct http_header){GT_STR("If-Modified-Since"), known->modified, false};
    return count;
}

static void on_page(void *ctx, struct http_response *response);

/* Notes when the page's present request began. A site's run begins with its first one, not with the crawl: politeness may hold it
 * back for minutes. */
static void page_begin(struct page_job *page)
{
    struct site_job *site = page->part->site;
    page->begin_unix_s = clock_unix_s(site->crawl->options->clock);
    if (site->start_mono_ms != 0) return;
    site->start_mono_ms = clock_mono_ms();
    site->start_unix_s = page->begin_unix_s;
}

/* Hands the page's request to the client, or the page to the browser. Counted when it is sent, whatever becomes of it. */
static void page_send(struct page_job *page)
{
    struct site_job *site = page->part->site;
    struct crawl *crawl = site->crawl;
    struct http_header headers[REQUEST_HEADERS_MAX];
    struct gt_errinfo info = {0};
    /* a ceiling for the whole run: sections can be wrong in ways that multiply */
    if (crawl->requests >= CRAWL_REQUESTS_MAX) {
        page_fail(page, STATUS_FAILED, "more than %d requests in one run", CRAWL_REQUESTS_MAX);
        return;
    }
    page_begin(page);
    if (site->plan.is_rendered) {
        desk_add(page);
        return;
    }
    struct http_request request = {.url = page->hop.href,
                                   .method = page->is_post ? GT_STR("POST") : GT_STR("GET"),
                                   .user_agent = site->plan.user_agent,
                                   .allow_ports = site->plan.allow_ports,
                                   .allow_private = site->plan.allow_private,
                                   .timeout_ms = site->plan.timeout_ms,
                                   .body_bytes_max = site->plan.body_bytes_max,
                                   .headers = headers};
    if (page->is_post) request.body = site->plan.body;
    request.header_count = headers_of(page, headers);
    enum gt_err err = http_client_add(crawl->client, &request, on_page, page, &info);
    if (err == GT_ENOMEM) {
        crawl_break(crawl, err, "%s", info.text);
    } else if (err != GT_OK) {
        page_fail(page, STATUS_FAILED, "%s", info.text);
    } else {
        page->attempts++;
        page->host->is_busy = true;
        crawl->requests++;
    }
}

/* ---- what may begin ---- */

/* Whether a page may be asked for: now, later, or it was settled without asking. */
enum readiness { READY, NOT_YET, SETTLED };

/* Whether the host may be asked at all: Retry-After and the breaker hold for every site of the host, also when it was an
 * earlier page of this very run that met them. */
static enum readiness host_allows(struct page_job *page, int64_t now_unix_s)
{
    char until[CIVIL_TEXT_MAX];
    const struct host *host = page->host;
    if (!due_host_waits(&host->memory, now_unix_s)) return READY;
    page_fail(page, STATUS_FAILED, "%.*s is left alone until %s", GT_STR_ARG(host->name),
              civil_rfc3339(host->memory.not_before_unix_s, until));
    return SETTLED;
}

/* *ret_delay_ms: what robots.txt asks for, -1 for nothing. */
static enum readiness robots_allows(struct page_job *page, int64_t now_mono_ms, int64_t *ret_delay_ms)
{
    const struct site_plan *plan = &page->part->site->plan;
    *ret_delay_ms = -1;
    if (!plan->obeys_robots) return READY;
    struct origin *origin = crawl_origin(crawl_of(page), page->host, &page->hop);
    if (origin == NULL || origin->state == ROBOTS_ASKED) return NOT_YET;
    if (origin->state == ROBOTS_UNKNOWN) {
        if (now_mono_ms >= page->host->not_before_mono_ms) origin_ask(origin, plan);
        return NOT_YET;
    }
    if (origin->state == ROBOTS_UNREACHABLE) {
        page_fail(page, STATUS_FAILED, "%.*s", GT_STR_ARG(origin->reason));
        return SETTLED;
    }
    struct robots_verdict verdict = robots_match(origin->robots_txt, plan->agent_token, page->hop.href);
    *ret_delay_ms = verdict.crawl_delay_ms;
    bool is_slow = verdict.crawl_delay_ms > (int64_t)CRAWL_DELAY_CAP_S * 1000;
    if (verdict.is_allowed && !is_slow) return READY;
    struct gt_str rule = gt_str_cut(verdict.rule, CRAWL_REASON_MAX / 2);
    if (!verdict.is_allowed) page_fail(page, STATUS_FAILED, "robots.txt forbids it: %.*s", GT_STR_ARG(rule));
    else
        page_fail(page, STATUS_FAILED, "robots.txt asks for a pause of %lld s, more than %d s: left out",
                  (long long)(verdict.crawl_delay_ms / 1000), CRAWL_DELAY_CAP_S);
    return SETTLED;
}

/* Begins the host's next request if it may begin; else says when. Pages that cannot be asked for are settled on the way. */
static int64_t host_start(struct host *host)
{
    struct crawl *crawl = host->crawl;
    while (host->first != NULL && !host->is_busy && !host->is_held && !crawl->is_stopping) {
        struct page_job *page = host->first;
        int64_t now_mono_ms = clock_mono_ms(), delay_ms;
        dequeue(host); /* before it can be settled, which may put others in line */
        if (host_allows(page, clock_unix_s(crawl->options->clock)) == SETTLED) continue;
        enum readiness readiness = robots_allows(page, now_mono_ms, &delay_ms);
        if (readiness == SETTLED) continue;
        int64_t ready_mono_ms = readiness == READY ? host_ready_mono_ms(host, page, delay_ms) : host->not_before_mono_ms;
        if (readiness == READY && now_mono_ms >= ready_mono_ms) {
            page_send(page);
            continue;
        }
        /* back to the front: pages of one host keep their order */
        page->next = host->first;
        host->first = page;
        if (host->last == NULL) host->last = page;
        return host->is_busy ? INT64_MAX : ready_mono_ms;
    }
    return INT64_MAX;
}

int64_t crawl_start_ready(struct crawl *crawl)
{
    int64_t next_mono_ms = INT64_MAX;
    for (struct host *host = crawl->hosts; host != NULL && crawl->err == GT_OK; host = host->next) {
        int64_t at_mono_ms = host_start(host);
        if (at_mono_ms < next_mono_ms) next_mono_ms = at_mono_ms;
    }
    return next_mono_ms;
}

/* ---- what an answer leads to ---- */

/* Goes on to where a redirect leads. The hop waits in its own host's queue and obeys that host's robots.txt like any other
 * request; it has its own three attempts, since it is another address. */
static void page_follow_redirect(struct page_job *page, const struct http_response *response)
{
    struct gt_errinfo info = {0};
    struct url to;
    bool keeps_body;
    if (page->redirects >= HTTP_REDIRECTS_MAX) {
        page_fail(page, STATUS_FAILED, "more than %d redirects", HTTP_REDIRECTS_MAX);
        return;
    }
    enum gt_err err = http_redirect_resolve(response, page->is_post, page->part->site->arena, &to, &keeps_body, &info);
    if (err != GT_OK) {
        page_fail(page, STATUS_FAILED, "%s", info.text);
        return;
    }
    /* without cookies the same question gets the same answer; only a POST may lead to its own address, as a GET */
    page->hops[page->redirects] = page->is_post ? (struct gt_str){NULL, 0} : page->hop.href;
    for (int i = 0; i <= page->redirects; i++) {
        if (page->hops[i].ptr == NULL || !gt_str_eq(page->hops[i], to.href)) continue;
        page_fail(page, STATUS_FAILED, "redirects in a circle: %.*s", GT_STR_ARG(gt_str_slice(to.href, 0, CRAWL_REASON_MAX / 2)));
        return;
    }
    /* by the RFC's letter for 303, by everybody's practice for 301 and 302: what was a POST becomes a GET */
    page->hop = to;
    page->is_post = keeps_body;
    page->redirects++;
    page->attempts = 0;
    page_enqueue(page);
}

/* A 304 that answers our own validators. One with another entity tag speaks of a body that we do not have. */
static bool is_our_304(const struct page_job *page, const struct http_response *response)
{
    const struct known_page *known = page_known(page);
    struct gt_str etag = header_find(response->head, "ETag", 0);
    if (!page->is_conditional || known == NULL) return false;
    return etag.len == 0 || known->etag.len == 0 || gt_str_eq(etag, known->etag);
}

/* A 304: the same as last time when it answers what we asked. Otherwise it is asked again in full, once, for a cache on the
 * way may answer for somebody else's copy. */
static void page_not_modified(struct page_job *page, const struct http_response *response)
{
    page->http_code = response->status;
    if (is_our_304(page, response)) {
        page->is_same = true;
        page->seen = *page_known(page);
        page->verdict = (struct page_verdict){.status = STATUS_OK};
        page_settle(page);
    } else if (page->is_conditional && page->attempts < CRAWL_REQUESTS_PER_URL) {
        page->is_unconditional = true;
        page_enqueue(page);
    } else {
        page_fail(page, STATUS_FAILED, "HTTP 304 to a request that did not ask for it");
    }
}

/* True when the page is in line again. Else the host's record has been told of the failure. */
static bool page_retry(struct page_job *page, const struct http_response *response)
{
    struct crawl *crawl = crawl_of(page);
    struct host *host = page->host;
    int64_t now_unix_s = clock_unix_s(crawl->options->clock), asked_s = -1;
    bool is_overloaded = response->err == GT_OK && (response->status == 429 || response->status == 503);
    retry_after_find(response->head, now_unix_s, &asked_s);
    /* a POST may have been carried out although no answer came: it is never repeated */
    bool has_attempts = !page->is_post && page->attempts < CRAWL_REQUESTS_PER_URL && !crawl->is_stopping;
    if (!has_attempts || asked_s > CRAWL_RETRY_AFTER_IN_RUN_S) {
        due_host_failed(&host->memory, is_overloaded, asked_s, now_unix_s);
        host->is_memory_changed = true;
        return false;
    }
    int64_t base_ms = crawl->options->delay_ms >= 0 ? CRAWL_BACKOFF_SAMPLE_MS : CRAWL_BACKOFF_MS;
    uint64_t seed = digest_check64(page->hop.href) + (uint64_t)page->attempts * 7919u;
    int64_t wait_ms = due_backoff_ms(base_ms, page->attempts, seed);
    if (asked_s * 1000 > wait_ms) wait_ms = asked_s * 1000;
    /* a wait that ends after the run does is no wait */
    if (clock_mono_ms() + wait_ms >= crawl->deadline_mono_ms) return false;
    page->not_before_mono_ms = clock_mono_ms() + wait_ms;
    /* overload is the host's, an error may be the page's alone */
    if (is_overloaded) host->not_before_mono_ms = page->not_before_mono_ms;
    log_event(crawl->options->log, LOG_INFO, "retry", "url", page->hop.href.ptr, "reason",
              response->err != GT_OK ? response->detail.ptr : "status", (char *)NULL);
    page_enqueue(page);
    return true;
}

void page_remember(struct page_job *page, const struct http_response *response)
{
    struct arena *arena = page->part->site->arena;
    char wire[SHA1_BASE32_MAX];
    page->body_bytes = (int64_t)response->body.len;
    digest_sha256(response->body, page->seen.body_sha256);
    page->seen.url = page->url.href;
    page->seen.final_url = page->hop.href;
    page->seen.etag = arena_dup(arena, header_find(response->head, "ETag", 0));
    page->seen.modified = arena_dup(arena, header_find(response->head, "Last-Modified", 0));
    /* what we could not send back is not kept */
    if (!header_value_is_valid(page->seen.etag)) page->seen.etag = GT_STR("");
    if (!header_value_is_valid(page->seen.modified)) page->seen.modified = GT_STR("");
    if (digest_sha1_base32(response->wire, wire) == GT_OK) page->seen.wire_digest = arena_printf(arena, "sha1:%s", wire);
}

/* The last answer: the same bytes as last time, or bytes to be read. What is read of them is a copy. */
void page_finish(struct page_job *page, struct http_response *response)
{
    const struct known_page *known = page_known(page);
    page->http_code = response->status;
    page_remember(page, response);
    if (known != NULL && response->err == GT_OK && response->status == 200 && response->body.len > 0 &&
        memcmp(known->body_sha256, page->seen.body_sha256, sizeof known->body_sha256) == 0) {
        page->is_same = true;
        page->verdict = (struct page_verdict){.status = STATUS_OK};
        http_response_free(response);
        page_settle(page);
    } else {
        read_add(page, response);
    }
}

/* One event a request, for whoever wants to know what the crawl did on the wire. */
static void log_answer(const struct page_job *page, const struct http_response *response)
{
    char status[16], bytes[24], elapsed[24];
    snprintf(status, sizeof status, "%d", response->status);
    snprintf(bytes, sizeof bytes, "%zu", response->wire.len);
    snprintf(elapsed, sizeof elapsed, "%lld", (long long)response->elapsed_ms);
    log_event(crawl_of(page)->options->log, LOG_DEBUG, "fetched", "url", page->hop.href.ptr, "status", status, "bytes", bytes,
              "ms", elapsed, "error", response->err != GT_OK ? response->detail.ptr : "", (char *)NULL);
}

/* Archived first, before anything is made of it: what cannot be understood today may be tomorrow. */
void page_answered(struct page_job *page, struct http_response *response)
{
    struct crawl *crawl = crawl_of(page);
    log_answer(page, response);
    archive_answer(page, response);
    page->http_code = response->status;
    if (crawl->err != GT_OK) {
        http_response_free(response);
    } else if (http_response_is_redirect(response)) {
        page_follow_redirect(page, response);
        http_response_free(response);
    } else if (response->err == GT_OK && response->status == 304) {
        page_not_modified(page, response);
        http_response_free(response);
    } else if (page_is_refetchable(response) && page_retry(page, response)) {
        http_response_free(response);
    } else {
        page_finish(page, response);
    }
}

/* Every answer comes here. */
static void on_page(void *ctx, struct http_response *response)
{
    struct page_job *page = ctx;
    struct crawl *crawl = crawl_of(page);
    host_note_done(page->host, response);
    if (response == NULL) crawl_break(crawl, GT_ENOMEM, "out of memory");
    if (response == NULL || response->err == GT_EINTERRUPTED || crawl->err != GT_OK) {
        http_response_free(response);
        return;
    }
    page_answered(page, response);
}
