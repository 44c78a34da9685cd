/* Questions to a grid that was laid out. */
#include <libxml/tree.h>

#include "parsers/html_grid.h"
#include "parsers/html_tree.h"

enum { CELL_TEXT_MAX = 64 * 1024 };

struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column)
{
    return row < grid->rows && column < grid->columns ? grid->cells[row * grid->columns + column] : NULL;
}

/* Made when first asked for: most cells of most tables are no field of any rule. */
struct gt_str grid_text(const struct grid *grid, size_t row, size_t column)
{
    struct grid_cell *cell = grid_at(grid, row, column);
    if (cell == NULL) return GT_STR("");
    if (!cell->has_text) {
        struct strbuf text;
        strbuf_init(&text, CELL_TEXT_MAX);
        html_text_add(cell->node, false, &text);
        cell->text = arena_dup(grid->arena, strbuf_str(&text));
        cell->has_text = true;
        strbuf_done(&text);
    }
    return cell->text;
}

void grid_set_header(struct grid *grid, size_t row)
{
    grid->kinds[row] = GRID_HEADER;
    grid->headings = NULL;
    grid->header_ends[grid->rows + 1] = 0;
}

/* Finds for every row where the header above it ends: asked row by row, a long table would be walked again and again. */
static void find_headers(const struct grid *grid)
{
    for (size_t row = 1; row <= grid->rows; row++)
        grid->header_ends[row] = grid->kinds[row - 1] == GRID_HEADER ? row : grid->header_ends[row - 1];
    grid->header_ends[grid->rows + 1] = 1;
}

/* The header rows that name a row's columns: the nearest run of them above. False when there is none. */
static bool header_rows(const struct grid *grid, size_t row, size_t *ret_from, size_t *ret_to)
{
    if (grid->header_ends[grid->rows + 1] == 0) find_headers(grid);
    size_t to = grid->header_ends[row];
    if (to == 0) return false;
    size_t from = to;
    while (from > 0 && grid->kinds[from - 1] == GRID_HEADER) from--;
    *ret_from = from;
    *ret_to = to;
    return true;
}

size_t grid_header_group(const struct grid *grid, size_t row)
{
    size_t from, to;
    return row <= grid->rows && header_rows(grid, row, &from, &to) ? from : SIZE_MAX;
}

/* Joins the distinct cells of one column of header rows. */
static struct gt_str join_headings(const struct grid *grid, size_t from, size_t to, size_t column)
{
    struct strbuf text;
    strbuf_init(&text, GRID_HEADER_BYTES_MAX * 4);
    const struct grid_cell *before = NULL;
    for (size_t row = from; row < to; row++) {
        const struct grid_cell *cell = grid_at(grid, row, column);
        struct gt_str piece = grid_text(grid, row, column);
        if (cell == NULL || cell == before || piece.len == 0) continue;
        before = cell;
        if (text.len > 0) strbuf_addc(&text, ' ');
        strbuf_add(&text, gt_str_cut(piece, GRID_HEADER_BYTES_MAX));
    }
    struct gt_str joined = arena_dup(grid->arena, strbuf_str(&text));
    strbuf_done(&text);
    return joined.ptr != NULL ? joined : GT_STR("");
}

/* Kept: every row of a column asks for the same heading. */
struct gt_str grid_heading(struct grid *grid, size_t row, size_t column)
{
    size_t from, to;
    if (row > grid->rows || column >= grid->columns || !header_rows(grid, row, &from, &to)) return GT_STR("");
    if (grid->headings == NULL) {
        grid->headings = arena_array(grid->arena, grid->rows * grid->columns, sizeof *grid->headings);
        if (grid->headings == NULL) return GT_STR("");
    }
    struct gt_str *cached = &grid->headings[from * grid->columns + column];
    if (cached->ptr == NULL) *cached = join_headings(grid, from, to, column);
    return *cached;
}

struct grid_cell *grid_cell_of(const struct grid *grid, struct _xmlNode *node)
{
    if (node->type == XML_ATTRIBUTE_NODE) node = node->parent;
    for (; node != NULL && node != grid->table; node = node->parent) {
        if (!html_is(node, "td") && !html_is(node, "th")) continue;
        /* A cell of a table within a cell belongs to that one; go on outwards. */
        if (html_ancestor(node, "table") == grid->table) return node->_private;
    }
    return NULL;
}

size_t grid_row_of(const struct grid *grid, const struct _xmlNode *tr)
{
    size_t row = (size_t)tr->_private;
    return row == 0 || row > grid->rows ? SIZE_MAX : row - 1;
}

struct grid *grid_transpose(const struct grid *grid)
{
    struct grid *turned = arena_alloc(grid->arena, sizeof *turned);
    if (turned == NULL) return NULL;
    *turned = (struct grid){
        .table = grid->table, .rows = grid->columns, .columns = grid->rows, .caption = grid->caption, .arena = grid->arena};
    turned->cells = arena_array(grid->arena, grid->rows * grid->columns, sizeof(struct grid_cell *));
    turned->kinds = arena_array(grid->arena, turned->rows, sizeof *turned->kinds);
    turned->header_ends = arena_array(grid->arena, turned->rows + 2, sizeof *turned->header_ends);
    if (turned->cells == NULL || turned->kinds == NULL || turned->header_ends == NULL) return NULL;
    for (size_t row = 0; row < grid->rows; row++) {
        for (size_t column = 0; column < grid->columns; column++)
            turned->cells[column * turned->columns + row] = grid->cells[row * grid->columns + column];
    }
    return turned;
}
