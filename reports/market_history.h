/* Marketplaces in a history: the spread of prices in each comparison class, run by run, beside the spans of single offers. */
#ifndef GT_REPORTS_MARKET_HISTORY_H
#define GT_REPORTS_MARKET_HISTORY_H

#include "pricing/spread.h"
#include "reports/history.h"
#include "reports/run_index.h"

enum { MARKET_SPREADS_MAX = 4 * 1000 * 1000 };

/* Runs in a row with one spread. */
struct market_row {
    struct gt_str site, site_title, class;
    struct currency currency;
    int64_t first_unix_s, last_unix_s; /* the runs' */
    uint32_t runs;
    struct spread spread; /* of what the persona pays (history's price_nano) */
};

struct market_history {
    struct market_row *rows; /* in the order of the history's classes, then by site, time */
    size_t count;
};

/* The live runs in [since, until) of sites of kind market, by site and sequence: all parts of a run as one, which is good when every part is;
 * else nobody knows what was offered. GT_OK; GT_ENOMEM; GT_ELIMIT; what the store says. */
enum gt_err market_runs_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, struct run_index *ret_runs,
                             struct gt_errinfo *info);

/* Reckons the spreads from the history's spans: in each good run the offers whose span covers it, with a price that counts, not sold out. Exact,
 * since spans say what each good run showed. GT_OK; GT_ENOMEM; GT_ELIMIT. */
enum gt_err market_history_compute(const struct history *history, const struct run_index *runs, struct arena *arena,
                                   struct market_history *ret_market);

#endif
