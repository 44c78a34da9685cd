/* Comma- and tab-separated tables. */
#include "parsers/auto.h"
#include "parsers/csv_table.h"

enum { CSV_COLUMNS_MIN = 3 };

/* The table being put together. */
struct csv {
    struct auto_page *page;
    void *cells; /* struct gt_str, row by row */
    size_t columns, rows, cap;
};

/* Adds a row. A text whose rows are not of one length is no table: prose has commas too. */
static enum gt_err add_row(void *ctx, size_t line, const struct gt_str *cells, size_t count)
{
    struct csv *csv = ctx;
    (void)line;
    if (csv->rows == 0) csv->columns = count;
    if (count != csv->columns || count < CSV_COLUMNS_MIN || count > CSV_CELLS_MAX) return GT_EFORMAT;
    if ((csv->rows + 1) * count > GRID_CELLS_MAX) {
        csv->page->err = gt_fail(csv->page->info, GT_ELIMIT, "the table has more cells than GRID_CELLS_MAX (%d)", GRID_CELLS_MAX);
        return csv->page->err;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = csv->rows * count + i;
        if (!arena_grow(csv->page->arena, &csv->cells, at, &csv->cap, sizeof *cells)) return GT_ENOMEM;
        bool is_key = csv->rows == 0 && gt_str_find(cells[i], GT_STR(" "), 0) == SIZE_MAX;
        ((struct gt_str *)csv->cells)[at] = is_key ? auto_key_words(csv->page, GT_STR(""), cells[i]) : cells[i];
    }
    csv->rows++;
    return GT_OK;
}

size_t auto_csv_read(struct auto_page *page, struct gt_str text)
{
    struct csv csv = {.page = page};
    struct gt_errinfo ignored = {0};
    enum gt_err err = csv_table_read(text, page->arena, add_row, &csv, &ignored);
    if (err == GT_ENOMEM) auto_fail_full(page);
    if (err != GT_OK || csv.rows < 2) return 0;
    struct grid *grid = grid_from_texts(csv.cells, csv.rows, csv.columns, page->arena);
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    if (grid == NULL) auto_fail_full(page);
    return grid != NULL ? auto_grid_read(page, grid, &nothing, "csv") : 0;
}
