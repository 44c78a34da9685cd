/* What is known of a host, and its pauses. State is read when the host is first seen and written at the end of the crawl,
 * and only where the next run would act differently for it. */
#include "common/civil.h"
#include "common/clock.h"
#include "crawler/crawl_internal.h"

struct host *crawl_host(struct crawl *crawl, struct gt_str name)
{
    for (struct host *host = crawl->hosts; host != NULL; host = host->next)
        if (gt_str_eq(host->name, name)) return host;
    struct host *host = arena_alloc(crawl->arena, sizeof *host);
    struct gt_str copy = arena_dup(crawl->arena, name), value;
    if (host == NULL || copy.ptr == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return NULL;
    }
    host->crawl = crawl;
    host->name = copy;
    host->last_done_mono_ms = INT64_MIN / 2;
    enum gt_err err = crawl->memory->get(crawl->memory->ctx, "hosts", copy, crawl->arena, &value);
    if (err != GT_OK && err != GT_ENOENT) {
        crawl_break(crawl, err, "what is known of %.*s cannot be read: %s", GT_STR_ARG(name), gt_err_text(err));
        return NULL;
    }
    if (err == GT_OK && !host_memory_parse(value, &host->memory)) host->memory = (struct host_memory){0};
    /* the last run's request keeps its distance from this run's first */
    int64_t ago_s = clock_unix_s(crawl->options->clock) - host->memory.last_unix_s;
    if (host->memory.last_unix_s > 0 && ago_s >= 0 && ago_s <= CIVIL_HOUR_S)
        host->last_done_mono_ms = clock_mono_ms() - ago_s * 1000;
    host->next = crawl->hosts;
    crawl->hosts = host;
    return host;
}

int64_t host_ready_mono_ms(struct host *host, const struct page_job *page, int64_t crawl_delay_ms)
{
    const struct crawl_options *options = host->crawl->options;
    /* an override is exact: it exists for servers on this machine, where nothing is hurt */
    int64_t gap_ms = options->delay_ms;
    if (gap_ms < 0) {
        const struct site_plan *plan = &page->part->site->plan;
        int64_t adaptive_ms = host->last_elapsed_ms * CRAWL_ADAPTIVE_FACTOR;
        if (adaptive_ms > CRAWL_ADAPTIVE_MAX_MS) adaptive_ms = CRAWL_ADAPTIVE_MAX_MS;
        gap_ms = plan->delay_ms;
        /* whoever allows a private address and no delay speaks of a machine of his own: it may be slow and asked all the same */
        if (plan->allow_private && gap_ms == 0) adaptive_ms = 0;
        if (crawl_delay_ms > gap_ms) gap_ms = crawl_delay_ms;
        if (adaptive_ms > gap_ms) gap_ms = adaptive_ms;
    }
    if (gap_ms > host->gap_ms) host->gap_ms = gap_ms;
    int64_t ready = host->last_done_mono_ms + gap_ms;
    if (host->not_before_mono_ms > ready) ready = host->not_before_mono_ms;
    return page->not_before_mono_ms > ready ? page->not_before_mono_ms : ready;
}

void host_note_done(struct host *host, const struct http_response *response)
{
    int64_t now_unix_s = clock_unix_s(host->crawl->options->clock);
    host->is_busy = false;
    host->last_done_mono_ms = clock_mono_ms();
    host->memory.last_unix_s = now_unix_s;
    if (response == NULL) return;
    /* an error is often quicker than a page, and no reason to come sooner */
    bool is_page = response->err == GT_OK && (response->status == 200 || response->status == 304);
    if (is_page || response->elapsed_ms > host->last_elapsed_ms) host->last_elapsed_ms = response->elapsed_ms;
    /* any answer that is not an error of the server shows that the host is well; its delay never shrinks by failing fast */
    bool is_good = response->err == GT_OK && response->status > 0 && response->status < 500 && response->status != 429;
    if (is_good && (host->memory.failures > 0 || host->memory.not_before_unix_s > 0)) {
        host->memory.failures = 0;
        host->memory.not_before_unix_s = 0;
        host->is_memory_changed = true;
    }
}

/* A pause that the next run could otherwise break is kept too. */
static bool is_pausing(const struct host *host)
{
    return clock_mono_ms() - host->last_done_mono_ms < host->gap_ms;
}

/* Also of hosts that are pausing: a wait that a server asked for outlives this process. */
enum gt_err crawl_hosts_save(struct crawl *crawl, struct gt_errinfo *info)
{
    for (struct host *host = crawl->hosts; host != NULL; host = host->next) {
        if (!host->is_memory_changed && !is_pausing(host)) continue;
        struct gt_str value = host_memory_print(&host->memory, crawl->arena);
        if (value.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
        enum gt_err err = crawl->memory->put(crawl->memory->ctx, "hosts", host->name, value);
        if (err != GT_OK)
            return gt_fail(info, err, "what was seen of %.*s cannot be kept: %s", GT_STR_ARG(host->name), gt_err_text(err));
    }
    return GT_OK;
}
