#include "reports/run_index.h"

#include <stdlib.h>

struct reading_runs {
    struct arena *arena;
    run_wanted_fn *wanted;
    const void *wanted_ctx;
    struct run_index list;
    size_t cap;
};

static enum gt_err keep_run(void *ctx, const struct run_row *run)
{
    struct reading_runs *reading = ctx;
    void *runs = reading->list.runs;
    if (!reading->wanted(reading->wanted_ctx, run)) return GT_OK;
    if (reading->list.count >= RUN_LIST_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->arena, &runs, reading->list.count, &reading->cap, sizeof *reading->list.runs)) return GT_ENOMEM;
    reading->list.runs = runs;
    reading->list.runs[reading->list.count++] = (struct run_entry){run->site, run->part, run->seq, run->start_unix_s, run->is_good};
    return GT_OK;
}

enum gt_err run_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, run_wanted_fn *wanted, const void *ctx,
                          struct arena *arena, struct run_index *ret_list, struct gt_errinfo *info)
{
    struct reading_runs reading = {.arena = arena, .wanted = wanted, .wanted_ctx = ctx};
    enum gt_err err = store_runs(store, since_unix_s, until_unix_s, arena, keep_run, &reading, info);
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the runs: %s", gt_err_text(err));
    if (err == GT_OK) *ret_list = reading.list;
    return err;
}

/* In order, joined where they overlap. */
struct run_gaps {
    const struct run_gap *items; /* NULL: all runs count */
    size_t count;
};

static int gap_order(const void *left, const void *right)
{
    const struct run_gap *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    if (order == 0) order = gt_str_cmp(a->part, b->part);
    return order != 0 ? order : (a->after_seq > b->after_seq) - (a->after_seq < b->after_seq);
}

/* Sorts gaps and joins those that overlap, so that a run lies in the last one that begins before it or in none. Returns how many are left. */
static size_t gaps_join(struct run_gap *gaps, size_t count)
{
    size_t kept = 0;
    if (count > 0) qsort(gaps, count, sizeof *gaps, gap_order);
    for (size_t i = 0; i < count; i++) {
        struct run_gap *last = kept > 0 ? &gaps[kept - 1] : NULL;
        bool is_same = last != NULL && gt_str_eq(last->site, gaps[i].site) && gt_str_eq(last->part, gaps[i].part);
        if (!is_same || gaps[i].after_seq >= last->before_seq) gaps[kept++] = gaps[i];
        else if (gaps[i].before_seq > last->before_seq) last->before_seq = gaps[i].before_seq;
    }
    return kept;
}

static bool is_in_gap(const struct run_gaps *gaps, const struct run_row *run)
{
    const struct run_gap wanted = {run->site, run->part, run->seq, 0};
    size_t low = 0, high = gaps->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gap_order(&gaps->items[middle], &wanted) < 0) low = middle + 1;
        else high = middle;
    }
    const struct run_gap *gap = low > 0 ? &gaps->items[low - 1] : NULL;
    return gap != NULL && gt_str_eq(gap->site, run->site) && gt_str_eq(gap->part, run->part) && run->seq < gap->before_seq;
}

/* Only runs that could have shown the offer: a failed one says nothing about it. */
static bool could_show(const void *ctx, const struct run_row *run)
{
    const struct run_gaps *gaps = ctx;
    return (run->status == STATUS_OK || run->status == STATUS_UNCHANGED) && (gaps->items == NULL || is_in_gap(gaps, run));
}

static int listing_order(const struct run_entry *run, struct gt_str site, struct gt_str part)
{
    int order = gt_str_cmp(run->site, site);
    return order != 0 ? order : gt_str_cmp(run->part, part);
}

static int run_order(const void *left, const void *right)
{
    const struct run_entry *a = left, *b = right;
    int order = listing_order(a, b->site, b->part);
    return order != 0 ? order : (a->seq > b->seq) - (a->seq < b->seq);
}

void run_index_sort(struct run_index *index)
{
    if (index->count > 0) qsort(index->runs, index->count, sizeof *index->runs, run_order);
}

enum gt_err run_index_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct run_gap *gaps, size_t gap_count,
                           struct arena *arena, struct run_index *ret_index, struct gt_errinfo *info)
{
    const struct run_gaps joined = {gaps, gaps_join(gaps, gap_count)};
    enum gt_err err = run_list_read(store, since_unix_s, until_unix_s, could_show, &joined, arena, ret_index, info);
    if (err == GT_OK) run_index_sort(ret_index);
    return err;
}

size_t run_index_place(const struct run_index *index, struct gt_str site, struct gt_str part, uint64_t seq)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct run_entry *run = &index->runs[middle];
        int order = listing_order(run, site, part);
        if (order < 0 || (order == 0 && run->seq < seq)) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool run_index_has_between(const struct run_index *index, struct gt_str site, struct gt_str part, uint64_t after_seq,
                           uint64_t before_seq)
{
    size_t at = run_index_place(index, site, part, after_seq + 1);
    return at < index->count && listing_order(&index->runs[at], site, part) == 0 && index->runs[at].seq < before_seq;
}
