/* What goes on the weekly report's first screen: which tables, how many rows of each, and which cards. */
#ifndef GT_REPORTS_WEEKLY_PICK_H
#define GT_REPORTS_WEEKLY_PICK_H

#include "reports/weekly.h"

enum {
    PICK_GROUPS_MAX = 4,
    PICK_TABLE_LINES = 2, /* a table's caption and titles */
    PICK_ROWS_MIN = 2,    /* a further table is not begun for less */
};

/* One table of the first screen. */
struct weekly_pick {
    const struct weekly_group *group;
    size_t rows;
};

/* Chooses tables for `lines` lines: the best group of containers and the like, the best of bare metal, each at least half
 * when both want all, then further groups while there is room. Better is: at home before abroad, containers before other
 * ways, on demand before what does not say, then more cards. Returns how many. */
size_t weekly_pick_groups(const struct weekly *weekly, size_t lines, struct weekly_pick ret_picks[PICK_GROUPS_MAX]);

/* The classes that a table shows, by price: watched cards first, then those that more sellers offer. In the arena; GT_ENOMEM. */
enum gt_err weekly_pick_classes(const struct weekly_pick *pick, struct arena *arena, const struct weekly_class ***ret_classes);

/* The cards of watch.def: nodes of the SKU tree, closed by NULL. */
const char *const *weekly_watched(void);

#endif
