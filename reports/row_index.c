#include "reports/row_index.h"

#include <stdlib.h>

/* The good row of an offer before its doubted one, so that a search finds it first. */
static int id_order(const void *left, const void *right)
{
    const struct board_row *a = *(const struct board_row *const *)left, *b = *(const struct board_row *const *)right;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    if (a->is_doubted != b->is_doubted) return a->is_doubted ? 1 : -1;
    return (a > b) - (a < b);
}

enum gt_err row_index_make(const struct board_rows *rows, struct arena *arena, struct row_index *ret_index)
{
    struct row_index index = {.count = rows->count, .rows = *rows};
    index.by_id = arena_array(arena, rows->count, sizeof(const struct board_row *));
    if (index.by_id == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < rows->count; i++) index.by_id[i] = &rows->rows[i];
    if (rows->count > 0) qsort(index.by_id, rows->count, sizeof(const struct board_row *), id_order);
    *ret_index = index;
    return GT_OK;
}

const struct board_row *row_index_find(const struct row_index *index, uint64_t offer_id)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->by_id[middle]->offer_id < offer_id) low = middle + 1;
        else high = middle;
    }
    return low < index->count && index->by_id[low]->offer_id == offer_id ? index->by_id[low] : NULL;
}

const struct board_row *row_index_site(const struct row_index *index, struct gt_str site)
{
    /* Rows come in order of site. */
    size_t low = 0, high = index->rows.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gt_str_cmp(index->rows.rows[middle].site, site) < 0) low = middle + 1;
        else high = middle;
    }
    return low < index->rows.count && gt_str_eq(index->rows.rows[low].site, site) ? &index->rows.rows[low] : NULL;
}
