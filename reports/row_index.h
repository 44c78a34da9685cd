/* Finding the row of an offer among the rows of a board. */
#ifndef GT_REPORTS_ROW_INDEX_H
#define GT_REPORTS_ROW_INDEX_H

#include "reports/board.h"

struct row_index {
    const struct board_row **by_id; /* by offer id, what is not doubted first */
    size_t count;
    struct board_rows rows;
};

/* Indexes the rows; the array that they lie in stays borrowed. GT_OK; GT_ENOMEM. */
enum gt_err row_index_make(const struct board_rows *rows, struct arena *arena, struct row_index *ret_index);

/* The row of an offer, the one that is not doubted when there are two; NULL when there is none. */
const struct board_row *row_index_find(const struct row_index *index, uint64_t offer_id);

/* Any row of a site, for its title and rounding; NULL when there is none. */
const struct board_row *row_index_site(const struct row_index *index, struct gt_str site);

#endif
