/* Lists of runs; and the good runs of each listing, to tell a price that held from an offer that was gone in between. */
#ifndef GT_REPORTS_RUN_INDEX_H
#define GT_REPORTS_RUN_INDEX_H

#include "reports/report.h"

enum { RUN_LIST_MAX = 8 * 1000 * 1000 };

/* One run of one part of a site. */
struct run_entry {
    struct gt_str site, part;
    uint64_t seq;
    int64_t start_unix_s;
    bool is_good; /* its offers were seen, not only read */
};

struct run_index {
    struct run_entry *runs; /* by site, part, sequence; of a list: by site, sequence, part */
    size_t count;
};

/* True for a run that the list is to have. */
typedef bool run_wanted_fn(const void *ctx, const struct run_row *run);

/* Collects the runs that started in [since, until) and are wanted, in the store's order. GT_OK; GT_ENOMEM; GT_ELIMIT; what the store says. */
enum gt_err run_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, run_wanted_fn *wanted, const void *ctx,
                          struct arena *arena, struct run_index *ret_list, struct gt_errinfo *info);

/* Where it matters whether a listing had a run: after one sequence number and before another, neither included. */
struct run_gap {
    struct gt_str site, part;
    uint64_t after_seq, before_seq;
};

/* Collects the good runs that started in [since, until): all (`gaps` NULL), or those in one of `gap_count` gaps, which are put in order and
 * joined where they overlap. A month of a large store has more runs than a chart's few offers ask about. GT_OK; GT_ENOMEM; GT_ELIMIT; what the
 * store says. */
enum gt_err run_index_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct run_gap *gaps, size_t gap_count,
                           struct arena *arena, struct run_index *ret_index, struct gt_errinfo *info);

/* Brings runs into the index's order; for runs that were gathered by hand. */
void run_index_sort(struct run_index *index);

/* The place of the listing's first run from `seq` on; where it would stand when there is none. */
size_t run_index_place(const struct run_index *index, struct gt_str site, struct gt_str part, uint64_t seq);

/* True when the listing had a good run after `after_seq` and before `before_seq`, neither included. */
bool run_index_has_between(const struct run_index *index, struct gt_str site, struct gt_str part, uint64_t after_seq,
                           uint64_t before_seq);

#endif
