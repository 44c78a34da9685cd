/* A table as a grid: colspan and rowspan laid out, header rows told from data. Inside parsers/ only. */
#ifndef GT_PARSERS_HTML_GRID_H
#define GT_PARSERS_HTML_GRID_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"

struct _xmlNode;

enum {
    GRID_CELLS_MAX = 1000000,    /* rows times columns */
    GRID_COLUMNS_MAX = 1000,     /* of one table; also the widest colspan (HTML Standard: 1000) */
    GRID_HEADER_BYTES_MAX = 400, /* of one heading: longer ones are prose */
};

enum grid_row_kind {
    GRID_DATA,
    GRID_HEADER,  /* names the columns of the rows below it */
    GRID_SECTION, /* one cell across the table: names the rows below it */
};

/* One cell; it stands in the grid at every place that it spans. */
struct grid_cell {
    struct _xmlNode *node; /* NULL in grids that were not made from HTML */
    size_t row, column;    /* its upper left place */
    size_t rows, columns;  /* how many it spans, clipped to the table */
    bool is_heading;       /* <th> */
    bool has_text;         /* `text` was made */
    struct gt_str text;
    struct gt_str struck; /* the part of it that markdown strikes out; "" when none, and in grids from HTML */
};

/* All in the arena. */
struct grid {
    struct _xmlNode *table;
    size_t rows, columns;
    struct grid_cell **cells;  /* [row * columns + column]; NULL where the table has a hole */
    enum grid_row_kind *kinds; /* of each row */
    struct gt_str caption;     /* <caption>, "" when none */
    struct gt_str *headings;   /* cache of grid_heading, by header group and column */
    size_t *
        header_ends; /* cache of each row's nearest header above: where it ends, 0 for none; the last entry says that it is made */
    struct arena *arena;
};

/* Lays a <table> out. Nested tables are grids of their own. GT_OK; GT_ELIMIT past GRID_CELLS_MAX or when the arena is full.
 * Each cell's node gets the cell in its `_private`, see grid_cell_of. */
enum gt_err grid_from_html(struct _xmlNode *table, struct arena *arena, struct grid **ret_grid, struct gt_errinfo *info);

/* A grid of texts, row by row; `cells` has rows * columns entries. Row 0 is its header. NULL when the arena is full. */
struct grid *grid_from_texts(const struct gt_str *cells, size_t rows, size_t columns, struct arena *arena);

/* The cell at a place; NULL for a hole. */
struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column);

/* The visible text at a place; "" for a hole. */
struct gt_str grid_text(const struct grid *grid, size_t row, size_t column);

/* Calls a row a header, when more is known about the table than its tags say. */
void grid_set_header(struct grid *grid, size_t row);

/* The heading of a cell's column: the texts of the nearest header rows above `row`, top down, joined by a blank. "" when there
 * are none. */
struct gt_str grid_heading(struct grid *grid, size_t row, size_t column);

/* The first of the header rows that name a row's columns: tells groups of rows with one header apart. SIZE_MAX when there is
 * none. */
size_t grid_header_group(const struct grid *grid, size_t row);

/* The cell that an element of the grid's table lies in, or NULL. */
struct grid_cell *grid_cell_of(const struct grid *grid, struct _xmlNode *node);

/* The row that a <tr> of the table is, or SIZE_MAX. */
size_t grid_row_of(const struct grid *grid, const struct _xmlNode *tr);

/* The grid with rows and columns exchanged, sharing the cells. Its header rows are none. NULL when the arena is full. */
struct grid *grid_transpose(const struct grid *grid);

#endif
