#include "reports/interval.h"

/* The runs of one site: rows come by site, then run. */
struct seen_runs {
    int64_t first_unix_s, last_unix_s;
    int64_t runs;
    uint64_t seq;
};

struct reading_intervals {
    const struct report_input *input;
    struct seen_runs *seen; /* one for each of the input's sites */
    size_t at;              /* the site of the row before */
};

/* The place of a site among the input's; SIZE_MAX when it is not named there. Rows of one site come together. */
static size_t site_place(struct reading_intervals *reading, struct gt_str site)
{
    const struct report_site *sites = reading->input->sites;
    if (reading->at < reading->input->site_count && gt_str_eq(sites[reading->at].name, site)) return reading->at;
    for (size_t i = 0; i < reading->input->site_count; i++)
        if (gt_str_eq(sites[i].name, site)) return reading->at = i;
    return SIZE_MAX;
}

/* A run has a row for each of its parts; it is counted once. */
static enum gt_err note_run(void *ctx, const struct run_row *run)
{
    struct reading_intervals *reading = ctx;
    size_t place = site_place(reading, run->site);
    if (place == SIZE_MAX) return GT_OK;
    struct seen_runs *seen = &reading->seen[place];
    if (seen->runs > 0 && seen->seq == run->seq) return GT_OK;
    if (seen->runs++ == 0) seen->first_unix_s = run->start_unix_s;
    seen->last_unix_s = run->start_unix_s;
    seen->seq = run->seq;
    return GT_OK;
}

enum gt_err intervals_read(const struct report_input *input, int64_t at_unix_s, struct arena *arena,
                           struct report_site **ret_sites, struct gt_errinfo *info)
{
    struct report_site *sites = arena_array(arena, input->site_count, sizeof *sites);
    struct reading_intervals reading = {.input = input, .seen = arena_array(arena, input->site_count, sizeof *reading.seen)};
    if (sites == NULL || reading.seen == NULL) return gt_fail(info, GT_ENOMEM, "reading the runs: out of memory");
    enum gt_err err = store_runs(input->store, at_unix_s - INTERVAL_LOOK_BACK_S, at_unix_s + 1, arena, note_run, &reading, info);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < input->site_count; i++) {
        const struct seen_runs *seen = &reading.seen[i];
        sites[i] = input->sites[i];
        int64_t mean_s = seen->runs > 1 ? (seen->last_unix_s - seen->first_unix_s) / (seen->runs - 1) : 0;
        if (seen->runs < 2) sites[i].every_s = 0;
        else if (mean_s > sites[i].every_s) sites[i].every_s = mean_s;
    }
    *ret_sites = sites;
    return GT_OK;
}
