#include "reports/source_list.h"

#include <stdlib.h>

/* ---- the sites ---- */

/* The place of a site in the sorted list, or where it belongs. */
static size_t place_of(const struct source_list *list, struct gt_str site)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gt_str_cmp(list->sources[middle].site, site) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The source of a site, added when it is not there. NULL past SOURCES_MAX. */
static struct source *source_of(struct source_list *list, struct gt_str site, struct gt_str title)
{
    size_t at = place_of(list, site);
    struct source *source = &list->sources[at];
    if (at >= list->count || !gt_str_eq(source->site, site)) {
        if (list->count >= SOURCES_MAX) return NULL;
        memmove(source + 1, source, (list->count - at) * sizeof *source);
        *source = (struct source){.site = site};
        list->count++;
    }
    if (source->title.len == 0) source->title = title;
    return source;
}

/* ---- what happened ---- */

/* Drifted pages are not good: what was read from them is doubted. */
static bool is_good_status(enum part_status status)
{
    return status == STATUS_OK || status == STATUS_UNCHANGED;
}

/* Counts the run among those before it that ended alike; called again when a further part of it turns out to be bad. */
static void add_to_streak(struct source *source, const struct run_row *run, bool is_good)
{
    bool goes_on = source->before.streak > 0 && source->before.is_good == is_good;
    source->streak = goes_on ? source->before.streak + 1 : 1;
    source->streak_unix_s = goes_on ? source->before.unix_s : run->start_unix_s;
}

/* Adds one part of one run; `is_same_run` when the row before was of the same run. */
static void add_run(struct source *source, const struct run_row *run, bool is_same_run)
{
    bool is_good = is_good_status(run->status), was_failed = is_same_run && !is_good_status(source->status);
    if (!is_same_run) {
        source->before.streak = source->streak;
        source->before.unix_s = source->streak_unix_s;
        source->before.is_good = is_good_status(source->status);
        source->runs++;
        source->rows_refused = source->rows_found = 0;
        source->body_bytes = 0;
    }
    source->latency_ms = run->latency_ms;
    source->body_bytes += run->body_bytes;
    source->rows_found += run->rows_found;
    source->rows_refused += run->rows_refused;
    if (!is_same_run || (!is_good && !was_failed)) add_to_streak(source, run, is_good);
    if (is_good && run->start_unix_s > source->good_unix_s) source->good_unix_s = run->start_unix_s;
    source->tried_unix_s = run->start_unix_s;
    if (!is_good && !was_failed) source->runs_failed++;
    /* The first bad part speaks for its run. */
    if (is_same_run && (is_good || was_failed)) return;
    source->status = run->status;
    source->http_code = run->http_code;
    source->reason = run->reason;
}

/* Adds an offer. Where there are any, the last one believed says when the source was good: an unchanged page (304) after a
 * doubted one is no good data. */
static void add_row(struct source *source, const struct board_row *row)
{
    if (!source->has_rows) source->good_unix_s = 0;
    source->has_rows = true;
    if (!row->is_doubted && row->site_good_unix_s > source->good_unix_s) source->good_unix_s = row->site_good_unix_s;
    if (!row->is_doubted && row->seen_unix_s > source->good_unix_s) source->good_unix_s = row->seen_unix_s;
    source->offers += row->is_listed && !row->is_doubted;
    source->doubted += row->is_listed && row->is_doubted;
}

enum gt_err source_list_compute(const struct run_row *runs, size_t run_count, const struct board_rows *rows,
                                const struct report_site *sites, size_t site_count, int64_t at_unix_s, struct arena *arena,
                                struct source_list *ret_list)
{
    struct source_list list = {.sources = arena_array(arena, SOURCES_MAX + 1, sizeof *list.sources)};
    if (list.sources == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < site_count; i++) {
        struct source *source = source_of(&list, sites[i].name, sites[i].title);
        if (source == NULL) return GT_ELIMIT;
        source->due_unix_s = sites[i].due_unix_s;
    }
    for (size_t i = 0; i < run_count; i++) {
        struct source *source = source_of(&list, runs[i].site, runs[i].site_title);
        if (source == NULL) return GT_ELIMIT;
        add_run(source, &runs[i], i > 0 && runs[i - 1].seq == runs[i].seq && gt_str_eq(runs[i - 1].site, runs[i].site));
    }
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].provenance == PROVENANCE_MANUAL) continue; /* a lead says nothing of how its source fares */
        struct source *source = source_of(&list, rows->rows[i].site, rows->rows[i].site_title);
        if (source == NULL) return GT_ELIMIT;
        add_row(source, &rows->rows[i]);
    }
    for (size_t i = 0; i < list.count; i++) {
        struct source *source = &list.sources[i];
        source->is_good = source->good_unix_s != 0 && at_unix_s - source->good_unix_s <= BOARD_STALE_S;
        list.good += source->is_good;
    }
    *ret_list = list;
    return GT_OK;
}

/* ---- reading ---- */

struct reading_runs {
    struct arena *arena; /* of the rows; what they point to lives in the report's */
    struct run_row *runs;
    size_t count, cap;
};

static enum gt_err keep_run(void *ctx, const struct run_row *run)
{
    struct reading_runs *reading = ctx;
    void *runs = reading->runs;
    if (reading->count >= RUN_ROWS_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->arena, &runs, reading->count, &reading->cap, sizeof *run)) return GT_ENOMEM;
    reading->runs = runs;
    reading->runs[reading->count++] = *run;
    return GT_OK;
}

enum gt_err source_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_rows *rows,
                             const struct report_site *sites, size_t site_count, int64_t at_unix_s, struct arena *arena,
                             struct source_list *ret_list, struct gt_errinfo *info)
{
    struct reading_runs reading = {.arena = arena_new(REPORT_BYTES_MAX)};
    if (reading.arena == NULL) return gt_fail(info, GT_ENOMEM, "reading the runs: out of memory");
    enum gt_err err = store_runs(store, since_unix_s, until_unix_s, arena, keep_run, &reading, info);
    if (err == GT_OK) err = source_list_compute(reading.runs, reading.count, rows, sites, site_count, at_unix_s, arena, ret_list);
    arena_free(reading.arena);
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the runs: %s", gt_err_text(err));
    return err;
}
