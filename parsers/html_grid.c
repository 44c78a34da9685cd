#include "parsers/html_grid.h"

#include <libxml/tree.h>
#include <stdlib.h>

#include "parsers/html_tree.h"

enum { CELL_TEXT_MAX = 64 * 1024 };

/* What reaches down into the next row from a cell with rowspan. */
struct reach {
    struct grid_cell *cell;
    size_t rows_left;
};

/* A table while it is laid out. */
struct layout {
    struct arena *arena;
    xmlNodePtr table;
    size_t rows, columns;
    struct placed {
        struct grid_cell *cell;
        size_t row, column;
    } * placed;
    size_t placed_count, placed_cap;
    struct reach reach[GRID_COLUMNS_MAX];
    bool is_full;
};

static bool is_section(const xmlNode *node)
{
    return html_is(node, "thead") || html_is(node, "tbody") || html_is(node, "tfoot");
}

/* The row after `row` within the table (its first when NULL), whatever section it is in. Nested tables are not entered. */
static xmlNodePtr next_row(xmlNodePtr table, xmlNodePtr row)
{
    xmlNodePtr node = row == NULL ? table->children : row->next;
    xmlNodePtr parent = row == NULL ? table : row->parent;
    for (;;) {
        if (node == NULL) {
            if (parent == table) return NULL;
            node = parent->next;
            parent = parent->parent;
        } else if (html_is(node, "tr")) {
            return node;
        } else if (is_section(node) && parent == table && node->children != NULL) {
            parent = node;
            node = node->children;
        } else {
            node = node->next;
        }
    }
}

/* A span attribute: 1 when absent or nonsense; 0 is "to the end" for rows. */
static size_t read_span(const xmlNode *cell, const char *name, size_t span_max)
{
    struct gt_str text = html_attribute(cell, name);
    size_t span = 0, digits = 0;
    for (; digits < text.len && text.ptr[digits] >= '0' && text.ptr[digits] <= '9'; digits++) {
        if (span <= span_max) span = span * 10 + (size_t)(text.ptr[digits] - '0');
    }
    if (digits == 0) return 1;
    return span > span_max ? span_max : span;
}

/* A list of places, not a field of rows: how wide the table is shows only at its end. */
static void place(struct layout *layout, struct grid_cell *cell, size_t row, size_t column)
{
    void *items = layout->placed;
    if (!arena_grow(layout->arena, &items, layout->placed_count, &layout->placed_cap, sizeof *layout->placed) ||
        layout->placed_count == GRID_CELLS_MAX) {
        layout->is_full = true;
        return;
    }
    layout->placed = items;
    layout->placed[layout->placed_count++] = (struct placed){cell, row, column};
    if (column + 1 > layout->columns) layout->columns = column + 1;
}

/* Passes the columns that cells from above still cover; returns the first free one. */
static size_t pass_reach(struct layout *layout, size_t row, size_t column)
{
    while (column < GRID_COLUMNS_MAX && layout->reach[column].rows_left > 0) {
        layout->reach[column].rows_left--;
        place(layout, layout->reach[column].cell, row, column);
        column++;
    }
    return column;
}

static void lay_cell(struct layout *layout, xmlNodePtr node, size_t row, size_t *column)
{
    struct grid_cell *cell = arena_alloc(layout->arena, sizeof *cell);
    if (cell == NULL) {
        layout->is_full = true;
        return;
    }
    size_t rowspan = read_span(node, "rowspan", 65534), colspan = read_span(node, "colspan", GRID_COLUMNS_MAX);
    if (rowspan == 0 || rowspan > layout->rows - row) rowspan = layout->rows - row;
    if (colspan == 0) colspan = 1;
    *cell = (struct grid_cell){
        .node = node, .row = row, .column = *column, .rows = rowspan, .columns = colspan, .is_heading = html_is(node, "th")};
    node->_private = cell;
    for (size_t i = 0; i < colspan && *column < GRID_COLUMNS_MAX; i++) {
        layout->reach[*column] = (struct reach){cell, rowspan - 1};
        place(layout, cell, row, *column);
        *column = *column + 1;
        /* A cell from above that is met within the span: HTML overlaps them; here the span ends, so that no column shifts. */
        if (*column < GRID_COLUMNS_MAX && layout->reach[*column].rows_left > 0) {
            cell->columns = i + 1;
            break;
        }
    }
}

/* Cells of rows above that reach down here stand first; what is left of the row may be under them as well. */
static void lay_row(struct layout *layout, xmlNodePtr tr, size_t row)
{
    size_t column = 0;
    for (xmlNodePtr node = tr->children; node != NULL && !layout->is_full; node = node->next) {
        if (!html_is(node, "td") && !html_is(node, "th")) continue;
        column = pass_reach(layout, row, column);
        if (column == GRID_COLUMNS_MAX) break;
        lay_cell(layout, node, row, &column);
    }
    while (column < GRID_COLUMNS_MAX && !layout->is_full) {
        column = pass_reach(layout, row, column);
        if (column < GRID_COLUMNS_MAX) column++;
        if (column >= layout->columns) break;
    }
}

/* Divided, not multiplied: spans of a hostile table would overflow the product. */
static struct grid *new_grid(struct arena *arena, size_t rows, size_t columns)
{
    struct grid *grid = arena_alloc(arena, sizeof *grid);
    if (grid == NULL || (columns > 0 && rows > GRID_CELLS_MAX / columns)) return NULL;
    *grid = (struct grid){.rows = rows, .columns = columns, .caption = GT_STR(""), .arena = arena};
    grid->cells = arena_array(arena, rows * columns, sizeof(struct grid_cell *));
    grid->kinds = arena_array(arena, rows, sizeof *grid->kinds);
    grid->header_ends = arena_array(arena, rows + 2, sizeof *grid->header_ends);
    return grid->cells != NULL && grid->kinds != NULL && grid->header_ends != NULL ? grid : NULL;
}

/* Tells header rows and section rows by their tags. */
static enum grid_row_kind kind_of_row(const struct grid *grid, size_t row, bool in_thead)
{
    size_t cells = 0, headings = 0;
    for (size_t column = 0; column < grid->columns; column++) {
        const struct grid_cell *cell = grid_at(grid, row, column);
        if (cell == NULL || (cell->column != column && cell->row == row)) continue;
        cells++;
        headings += cell->is_heading;
    }
    const struct grid_cell *first = grid_at(grid, row, 0);
    bool is_section = cells == 1 && first != NULL && first->row == row && grid->columns > 1;
    if (in_thead) return is_section && row > 0 ? GRID_SECTION : GRID_HEADER;
    if (is_section) return GRID_SECTION;
    return cells > 1 && headings == cells ? GRID_HEADER : GRID_DATA;
}

static void read_caption(struct grid *grid)
{
    for (xmlNodePtr node = grid->table->children; node != NULL; node = node->next) {
        if (!html_is(node, "caption")) continue;
        struct strbuf text;
        strbuf_init(&text, CELL_TEXT_MAX);
        html_text_add(node, false, &text);
        grid->caption = arena_dup(grid->arena, gt_str_cut(strbuf_str(&text), GRID_HEADER_BYTES_MAX));
        strbuf_done(&text);
        return;
    }
}

/* Two passes: rows are counted before cells are laid, since a rowspan may reach to the end. */
enum gt_err grid_from_html(struct _xmlNode *table, struct arena *arena, struct grid **ret_grid, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    struct grid *grid = NULL;
    struct layout *layout = calloc(1, sizeof *layout);
    if (layout == NULL) return gt_fail(info, GT_ENOMEM, "no memory for a table");
    layout->arena = arena;
    layout->table = table;
    for (xmlNodePtr tr = next_row(table, NULL); tr != NULL; tr = next_row(table, tr)) layout->rows++;
    size_t row = 0;
    for (xmlNodePtr tr = next_row(table, NULL); tr != NULL && !layout->is_full; tr = next_row(table, tr))
        lay_row(layout, tr, row++);
    if (!layout->is_full) grid = new_grid(arena, layout->rows, layout->columns);
    if (grid == NULL) {
        err = gt_fail(info, GT_ELIMIT, "a table has more than GRID_CELLS_MAX (%d) cells", GRID_CELLS_MAX);
        goto out;
    }
    grid->table = table;
    for (size_t i = 0; i < layout->placed_count; i++)
        grid->cells[layout->placed[i].row * grid->columns + layout->placed[i].column] = layout->placed[i].cell;
    row = 0;
    for (xmlNodePtr tr = next_row(table, NULL); tr != NULL; tr = next_row(table, tr), row++) {
        grid->kinds[row] = kind_of_row(grid, row, html_is(tr->parent, "thead"));
        tr->_private = (void *)(row + 1);
    }
    read_caption(grid);
    *ret_grid = grid;
out:
    free(layout);
    return err;
}

/* Markdown, CSV and pages of other kinds become the same grid, so that one reader serves them all. */
struct grid *grid_from_texts(const struct gt_str *cells, size_t rows, size_t columns, struct arena *arena)
{
    struct grid *grid = new_grid(arena, rows, columns);
    struct grid_cell *made = arena_array(arena, rows * columns, sizeof *made);
    if (grid == NULL || made == NULL) return NULL;
    for (size_t i = 0; i < rows * columns; i++) {
        made[i] = (struct grid_cell){
            .row = i / columns, .column = i % columns, .rows = 1, .columns = 1, .has_text = true, .text = cells[i]};
        grid->cells[i] = &made[i];
    }
    if (rows > 0) grid->kinds[0] = GRID_HEADER;
    return grid;
}
