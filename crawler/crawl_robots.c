/* robots.txt of the hosts that are crawled: asked for once a day, kept in the memory's table "robots" as "1 FETCHED\n" and the
 * text. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/digest.h"
#include "crawler/crawl_internal.h"
#include "net/retry_after.h"

enum { ROBOTS_ATTEMPTS = 2 };

/* The kept copy: fresh, it applies; older, it is kept for when the host cannot be reached. */
static void copy_take(struct origin *origin, struct gt_str value)
{
    struct gt_str rest = value, line, version;
    if (!gt_str_split(&rest, '\n', &line) || !gt_str_split(&line, ' ', &version) || !gt_str_is(version, "1")) return;
    int64_t fetched = 0, now = clock_unix_s(origin->crawl->options->clock);
    if (line.len == 0 || line.len > 18) return;
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] < '0' || line.ptr[i] > '9') return;
        fetched = fetched * 10 + (line.ptr[i] - '0');
    }
    size_t newline = gt_str_find(value, GT_STR("\n"), 0);
    origin->last_good = newline + 1 < value.len ? gt_str_slice(value, newline + 1, SIZE_MAX) : GT_STR("");
    origin->last_good_unix_s = fetched;
    /* from the future: the clock was wrong when it was kept, or is now */
    if (fetched > now || now - fetched >= ROBOTS_FRESH_S) return;
    origin->state = ROBOTS_KNOWN;
    origin->robots_txt = origin->last_good;
}

/* robots.txt is of scheme, host and port together; politeness is of the host. */
struct origin *crawl_origin(struct crawl *crawl, struct host *host, const struct url *url)
{
    for (struct origin *origin = host->origins; origin != NULL; origin = origin->next)
        if (gt_str_eq(origin->name, url->origin)) return origin;
    struct origin *origin = arena_alloc(crawl->arena, sizeof *origin);
    struct gt_str name = arena_dup(crawl->arena, url->origin), value;
    if (origin == NULL || name.ptr == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return NULL;
    }
    *origin = (struct origin){.next = host->origins, .crawl = crawl, .host = host, .name = name};
    host->origins = origin;
    enum gt_err err = crawl->memory->get(crawl->memory->ctx, "robots", name, crawl->arena, &value);
    if (err == GT_OK) copy_take(origin, value);
    else if (err != GT_ENOENT) crawl_break(crawl, err, "the robots.txt that is known of %.*s cannot be read", GT_STR_ARG(name));
    return origin;
}

/* Notes what applies, and keeps it. */
static void apply(struct origin *origin, struct gt_str text)
{
    struct crawl *crawl = origin->crawl;
    text = gt_str_slice(text, 0, ROBOTS_BYTES_MAX);
    long long now = (long long)clock_unix_s(crawl->options->clock);
    struct gt_str value = arena_printf(crawl->arena, "1 %lld\n", now);
    char *whole = value.ptr != NULL ? arena_alloc(crawl->arena, value.len + text.len + 1) : NULL;
    if (whole == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    memcpy(whole, value.ptr, value.len);
    if (text.len > 0) memcpy(whole + value.len, text.ptr, text.len);
    origin->state = ROBOTS_KNOWN;
    origin->robots_txt = (struct gt_str){whole + value.len, text.len};
    enum gt_err err =
        crawl->memory->put(crawl->memory->ctx, "robots", origin->name, (struct gt_str){whole, value.len + text.len});
    if (err != GT_OK)
        crawl_break(crawl, err, "the robots.txt of %.*s cannot be kept: %s", GT_STR_ARG(origin->name), gt_err_text(err));
}

/* RFC 9309, 2.3.1.4: what cannot be reached forbids everything, unless a copy of the last thirty days is at hand. */
static void unreachable(struct origin *origin, const struct http_response *response)
{
    struct crawl *crawl = origin->crawl;
    int64_t age_s = clock_unix_s(crawl->options->clock) - origin->last_good_unix_s;
    origin->reason = response->err != GT_OK
                         ? arena_printf(crawl->arena, "robots.txt unreachable: %.*s", GT_STR_ARG(response->detail))
                         : arena_printf(crawl->arena, "robots.txt unreachable: HTTP %d", response->status);
    bool has_copy = origin->last_good.ptr != NULL && age_s >= 0 && age_s <= ROBOTS_LAST_GOOD_S;
    origin->state = has_copy ? ROBOTS_KNOWN : ROBOTS_UNREACHABLE;
    if (has_copy) origin->robots_txt = origin->last_good;
    enum log_level level = origin->is_side ? LOG_INFO : LOG_WARN;
    log_event(crawl->options->log, level, "robots_unreachable", "host", origin->name.ptr, "reason", origin->reason.ptr, "copy",
              has_copy ? "yes" : "no", (char *)NULL);
}

/* RFC 9309, 2.3.1: found; not there, which allows everything; or out of reach. A redirect too many counts as not there. */
static void judge(struct origin *origin, const struct http_response *response)
{
    bool is_whole = response->err == GT_OK;
    int32_t status = response->status;
    bool is_found = status >= 200 && status <= 299 && (is_whole || response->err == GT_ELIMIT);
    bool is_lost_in_redirects = status >= 300 && status <= 399 && (is_whole || response->err == GT_ELIMIT);
    /* 401 and 403 too: RFC 9309 counts them as "unavailable", the site has its other means */
    bool is_absent = is_whole && status >= 400 && status <= 499 && status != 429;
    if (is_found) apply(origin, response->body);
    else if (is_absent || is_lost_in_redirects) apply(origin, GT_STR(""));
    else unreachable(origin, response);
}

/* True when robots.txt will be asked for once more. One that is told when to come back is left alone until then, and its
 * host with it. */
static bool is_asked_again(struct origin *origin, const struct http_response *response)
{
    int64_t wait_s = -1;
    struct host *host = origin->host;
    struct crawl *crawl = origin->crawl;
    if (retry_after_find(response->head, clock_unix_s(crawl->options->clock), &wait_s)) {
        due_host_failed(&host->memory, true, wait_s, clock_unix_s(crawl->options->clock));
        host->is_memory_changed = true;
        return false;
    }
    if (!page_is_refetchable(response) || origin->attempts >= ROBOTS_ATTEMPTS || crawl->is_stopping) return false;
    int64_t base_ms = crawl->options->delay_ms >= 0 ? CRAWL_BACKOFF_SAMPLE_MS : CRAWL_BACKOFF_MS;
    host->not_before_mono_ms = clock_mono_ms() + due_backoff_ms(base_ms, origin->attempts, digest_check64(origin->name));
    origin->state = ROBOTS_UNKNOWN;
    return true;
}

/* The answer. robots.txt does not count towards the host's pauses: it is the server's own word on them. */
static void on_robots(void *ctx, struct http_response *response)
{
    struct origin *origin = ctx;
    struct crawl *crawl = origin->crawl;
    origin->host->is_busy = false;
    if (response == NULL) {
        crawl_break(crawl, GT_ENOMEM, "out of memory");
        return;
    }
    if (response->err == GT_EINTERRUPTED) {
        origin->state = ROBOTS_UNKNOWN;
    } else {
        archive_robots(origin, response);
        if (!is_asked_again(origin, response)) judge(origin, response);
    }
    http_response_free(response);
}

/* Counted as a request of the host: asking for permission is subject to the same pauses. */
void origin_ask(struct origin *origin, const struct site_plan *plan)
{
    struct crawl *crawl = origin->crawl;
    struct gt_str url = arena_printf(crawl->arena, "%.*s/robots.txt", GT_STR_ARG(origin->name));
    struct http_request request = {.url = url,
                                   .user_agent = plan->user_agent,
                                   .allow_ports = plan->allow_ports,
                                   .allow_private = plan->allow_private,
                                   .timeout_ms = plan->timeout_ms,
                                   .body_bytes_max = ROBOTS_BYTES_MAX,
                                   .redirects_max = HTTP_REDIRECTS_MAX};
    struct gt_errinfo info = {0};
    enum gt_err err = http_client_add(crawl->client, &request, on_robots, origin, &info);
    if (err != GT_OK) {
        crawl_break(crawl, err, "%s", info.text);
        return;
    }
    origin->attempts++;
    origin->state = ROBOTS_ASKED;
    origin->host->is_busy = true;
    crawl->requests++;
}
