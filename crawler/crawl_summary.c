/* What people see of a crawl: one line a site on `summary`, a bar on a terminal's stderr. */
#include <stdio.h>

#include "common/utf8.h"
#include "crawler/crawl_internal.h"

enum { STATUS_WIDTH = 10, BAR_WIDTH = 24, LINE_ARENA_MAX = 256 * 1024 };

void summary_line(const struct crawl *crawl, struct gt_str site, const char *status, struct gt_str note, struct gt_str reason)
{
    FILE *out = crawl->options->summary;
    if (out == NULL) return;
    /* the bar is on another stream, and on the same terminal */
    progress_clear(crawl);
    struct arena *arena = arena_new(LINE_ARENA_MAX);
    struct gt_str shown = {NULL, 0};
    if (arena != NULL) shown = utf8_printable(gt_str_cut(reason, CRAWL_REASON_MAX), arena);
    size_t width = utf8_width(site), pad = crawl->name_width > width ? crawl->name_width - width : 0;
    fprintf(out, "%.*s%*s  %-*s", GT_STR_ARG(site), (int)pad, "", STATUS_WIDTH, status);
    if (note.len > 0) fprintf(out, " %.*s", GT_STR_ARG(note));
    if (shown.len > 0) fprintf(out, "%s%.*s", note.len > 0 ? "; " : " ", GT_STR_ARG(shown));
    fputc('\n', out);
    fflush(out);
    arena_free(arena);
}

/* How bad a status is, for the one that stands for all. */
static int rank_of(enum part_status status)
{
    static const int ranks[STATUS_WORDS] = {[STATUS_OK] = 1,      [STATUS_UNCHANGED] = 0, [STATUS_FAILED] = 5,
                                            [STATUS_BLOCKED] = 4, [STATUS_DRIFTED] = 2,   [STATUS_INCOMPLETE] = 3};
    return ranks[status];
}

enum part_status site_status(const struct site_job *site, struct gt_str *ret_reason)
{
    const struct part_job *worst = &site->parts[0];
    /* the first of equals, so that the reason shown does not depend on which part was slower */
    for (size_t i = 1; i < site->plan.part_count; i++)
        if (rank_of(site->parts[i].result.status) > rank_of(worst->result.status)) worst = &site->parts[i];
    *ret_reason = worst->result.reason;
    return worst->result.status;
}

void summary_site(const struct site_job *site, struct gt_str note)
{
    struct gt_str reason;
    enum part_status status = site_status(site, &reason);
    size_t offers = 0, bad = 0, count = site->plan.part_count;
    for (size_t i = 0; i < count; i++) {
        offers += site->parts[i].result.reading.offer_count;
        bad += rank_of(site->parts[i].result.status) > rank_of(STATUS_OK);
    }
    if (note.len == 0 && status == STATUS_OK) note = arena_printf(site->arena, "%zu offers", offers);
    /* a failed listing shows no offers; saying "0 offers" beside the reason would read like a price list that is empty */
    if (bad == count && status != STATUS_DRIFTED) note = GT_STR("");
    if (bad > 0 && count > 1) reason = arena_printf(site->arena, "%zu of %zu parts: %.*s", bad, count, GT_STR_ARG(reason));
    summary_line(site->crawl, site->name, word_text(VOCABULARY_STATUS, (int)status), note, reason);
}

/* Why a part's page would not be asked for, as far as the kept robots.txt tells; empty when it would be. */
static struct gt_str part_obstacle(struct site_job *site, const struct plan_part *plan)
{
    struct host *host = site->plan.obeys_robots ? crawl_host(site->crawl, plan->url.host) : NULL;
    struct origin *origin = host != NULL ? crawl_origin(site->crawl, host, &plan->url) : NULL;
    if (origin == NULL || origin->state != ROBOTS_KNOWN) return GT_STR("");
    struct robots_verdict verdict = robots_match(origin->robots_txt, site->plan.agent_token, plan->url.href);
    if (verdict.is_allowed) return GT_STR("");
    return arena_printf(site->arena, "robots.txt forbids it: %.*s", GT_STR_ARG(gt_str_slice(verdict.rule, 0, CRAWL_REASON_MAX / 2)));
}

/* Sections that nobody asked for and that are not enabled; of interest only to whoever asks about all. */
static void summary_disabled(struct crawl *crawl)
{
    const struct conf_section *const *sections = conf_sections(crawl->options->conf, "site");
    for (size_t i = 0; crawl->options->sites == NULL && sections[i] != NULL; i++) {
        if (conf_bool(sections[i], "enabled", true)) continue;
        struct gt_str status = conf_text(sections[i], "status");
        struct gt_str reason = status.len > 0 ? arena_printf(crawl->arena, "not enabled: %.*s", GT_STR_ARG(status)) : GT_STR("not enabled");
        summary_line(crawl, conf_section_name(sections[i]), "skip", GT_STR(""), reason);
    }
}

/* From the same decisions that a crawl takes, without the fetching. */
void summary_dry_run(struct crawl *crawl)
{
    for (size_t i = 0; i < crawl->site_count; i++) {
        struct site_job *site = &crawl->sites[i];
        if (site->config_fault.len > 0) {
            summary_line(crawl, site->name, "faulty", GT_STR(""), site->config_fault);
        } else if (site->state == SITE_SKIPPED) {
            summary_line(crawl, site->name, "skip", GT_STR(""), site->skip_reason);
        }
        for (size_t k = 0; site->state == SITE_ACTIVE && k < site->plan.part_count; k++) {
            const struct plan_part *plan = &site->plan.parts[k];
            struct gt_str obstacle = part_obstacle(site, plan);
            summary_line(crawl, site->name, obstacle.len > 0 ? "skip" : "fetch", plan->url.href, obstacle);
        }
    }
    summary_disabled(crawl);
}

void progress_draw(const struct crawl *crawl)
{
    char bar[BAR_WIDTH + 1];
    size_t done = 0, all = 0;
    if (!crawl->options->shows_progress) return;
    for (size_t i = 0; i < crawl->site_count; i++) {
        all += crawl->sites[i].state != SITE_SKIPPED;
        done += crawl->sites[i].state == SITE_FINISHED || crawl->sites[i].state == SITE_HANDED_OVER;
    }
    if (all == 0) return;
    for (size_t i = 0; i < BAR_WIDTH; i++) bar[i] = i < done * BAR_WIDTH / all ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %zu/%zu sites, %zu requests\033[K", bar, done, all, crawl->requests);
    fflush(stderr);
}

void progress_clear(const struct crawl *crawl)
{
    if (!crawl->options->shows_progress) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
