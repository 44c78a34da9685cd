/* The health of each source: when it last gave good data, and how its runs of a period ended. */
#ifndef GT_REPORTS_SOURCE_LIST_H
#define GT_REPORTS_SOURCE_LIST_H

#include "reports/board.h"

enum { SOURCES_MAX = 10000, RUN_ROWS_MAX = 4 * 1000 * 1000 };

struct source {
    struct gt_str site, title;
    int64_t good_unix_s;  /* the last good run of any part; 0: never */
    int64_t tried_unix_s; /* the last run of the period; 0: none */
    int32_t runs, runs_failed;
    int32_t streak;         /* runs of the period up to the last that ended alike: all good, or none */
    int64_t streak_unix_s;  /* the first of them */
    int64_t latency_ms;     /* of the last run */
    int64_t body_bytes;     /* of its parts together, as decoded */
    int32_t rows_found;     /* of its parts together */
    int64_t due_unix_s;     /* the next run; 0: not known */
    struct {
        int32_t streak; /* before the last run, which may yet turn out to be no good one */
        int64_t unix_s;
        bool is_good;
    } before;
    enum part_status status; /* of the last run: the worst of its parts */
    int32_t http_code;       /* of that part */
    struct gt_str reason;    /* of that part */
    int32_t rows_refused;    /* in the last run */
    int32_t offers;          /* listed now */
    int32_t doubted;
    bool has_rows; /* the store knows offers of it */
    bool is_good;  /* good data at most BOARD_STALE_S old */
};

struct source_list {
    struct source *sources; /* by site */
    size_t count, good;
};

/* Gathers run rows (in the store's order), board rows and the named sites into one list as of `at_unix_s`. GT_OK; GT_ENOMEM;
 * GT_ELIMIT. */
enum gt_err source_list_compute(const struct run_row *runs, size_t run_count, const struct board_rows *rows,
                                const struct report_site *sites, size_t site_count, int64_t at_unix_s, struct arena *arena,
                                struct source_list *ret_list);

/* As source_list_compute, with the store's runs of [since, until). */
enum gt_err source_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_rows *rows,
                             const struct report_site *sites, size_t site_count, int64_t at_unix_s, struct arena *arena,
                             struct source_list *ret_list, struct gt_errinfo *info);

#endif
