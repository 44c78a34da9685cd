/* Changes with their prices before and after, reckoned for a persona. */
#ifndef GT_REPORTS_CHANGE_LIST_H
#define GT_REPORTS_CHANGE_LIST_H

#include "reports/row_index.h"

enum { CHANGES_MAX = 1000 * 1000 };

struct change_entry {
    struct change change;
    struct gt_str site_title;        /* empty when the site has no row on the board */
    struct gt_str url;               /* of the offer's page; empty when not known */
    struct net_price before, after;  /* zero where there is none */
    int64_t before_nano, after_nano; /* board_price of them */
    bool has_percent;
    int64_t percent_nano;
};

/* The changes of a period, each priced when it is asked for: there are many, and few reports show all. */
struct change_list {
    const struct change *changes; /* by time, as the store gives them */
    size_t count;
    struct row_index index; /* of the rows that give titles, rounding and addresses */
    struct board_view view;
};

/* Collects the changes of [since, until) whose offers the view asks for; changes of a source itself are kept when there is no
 * query. `rows` gives each site's title and rounding and stays borrowed. GT_OK; GT_ENOMEM; GT_ELIMIT past CHANGES_MAX; what the store says. */
enum gt_err change_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                             const struct board_rows *rows, struct arena *arena, struct change_list *ret_list,
                             struct gt_errinfo *info);

/* The change in place `at` with its prices. GT_OK; GT_ENOMEM. */
enum gt_err change_list_entry(const struct change_list *list, size_t at, struct arena *arena, struct change_entry *ret_entry);

#endif
