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

void summary_dry_run(struct crawl *crawl)
{
    for (size_t i = 0; i < crawl->site_count; i++) {
        struct site_job *site = &crawl->sites[i];
        if (site->config_fault.len > 0) {
            summary_line(crawl, site->name, "faulty", GT_STR(""), site->config_fault);
        } else if (site->state == SITE_SKIPPED) {
            summary_line(crawl, site->name, "skip", GT_STR(""), site->skip_reason);
        }
        for (size_t k = 0; site->state == SITE_ACTIVE && k < site->plan.part_count; k++)
            summary_line(crawl, site->name, "fetch", site->plan.parts[k].url.href, GT_STR(""));
    }
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
