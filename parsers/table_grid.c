/* Grids of the table extractor, and offers that are columns. */
#include <libxml/tree.h>

#include "parsers/header_words.h"
#include "parsers/html_tree.h"
#include "parsers/table_rules.h"

struct gt_str table_node_text(struct table_page *page, const struct _xmlNode *node)
{
    strbuf_clear(&page->text);
    html_text_add(node, false, &page->text);
    return strbuf_str(&page->text);
}

enum gt_err table_is_skipped(struct table_page *page, struct gt_str text, bool *ret_skipped)
{
    *ret_skipped = false;
    return page->rules->skip != NULL ? regex_search(page->rules->skip, text, ret_skipped, page->info) : GT_OK;
}

/* How many of the rules' header words stand in a row. */
static size_t count_words(const struct table_page *page, struct grid *grid, size_t row)
{
    size_t found = 0;
    for (size_t i = 0; i < page->rules->fields.count; i++) {
        if (page->rules->folded[i].len == 0) continue;
        bool is_here = false;
        for (size_t column = 0; column < grid->columns && !is_here; column++)
            is_here = header_fits(grid_text(grid, row, column), page->rules->folded[i], page->arena) != HEADER_NONE;
        found += is_here;
    }
    return found;
}

/* Tables whose header is of plain <td>: the first row that holds most of the words is it. */
static void find_header(const struct table_page *page, struct grid *grid)
{
    size_t best = 0, best_row = 0;
    for (size_t row = 0; row < grid->rows && row < TABLE_HEADER_SEARCH_ROWS; row++) {
        if (grid->kinds[row] == GRID_HEADER) return;
        size_t found = count_words(page, grid, row);
        if (found <= best) continue;
        best = found;
        best_row = row;
    }
    if (best > 0) grid_set_header(grid, best_row);
}

enum gt_err table_grid(struct table_page *page, struct _xmlNode *table, struct grid **ret_grid)
{
    *ret_grid = NULL;
    if (table == NULL) return GT_OK;
    /* libxml2 leaves _private to its users; a table's is its grid. */
    struct grid *grid = table->_private;
    if (grid != NULL) {
        *ret_grid = grid;
        return GT_OK;
    }
    enum gt_err err = grid_from_html(table, page->arena, &grid, page->info);
    if (err != GT_OK) return err;
    if (page->rules->has_words && !page->rules->is_transposed) find_header(page, grid);
    table->_private = grid;
    *ret_grid = grid;
    return GT_OK;
}

struct gt_str table_heading(struct table_page *page, size_t index, struct grid *grid, size_t row, size_t column)
{
    struct gt_str heading = grid_heading(grid, row, column);
    if (grid->caption.len == 0) return heading;
    if (heading.len == 0) return grid->caption;
    struct table_memory *memory = &page->headings[index];
    size_t group = grid_header_group(grid, row);
    if (memory->grid != grid || memory->group != group || memory->column != column) {
        struct gt_str both = arena_printf(page->arena, "%.*s | %.*s", GT_STR_ARG(heading), GT_STR_ARG(grid->caption));
        *memory = (struct table_memory){grid, group, column, both.ptr != NULL ? both : heading};
    }
    return memory->heading;
}

size_t table_column(struct table_page *page, size_t index, struct grid *grid, size_t row)
{
    struct table_memory *memory = &page->words[index];
    size_t group = grid_header_group(grid, row);
    if (group == SIZE_MAX) return SIZE_MAX;
    if (memory->grid != grid || memory->group != group)
        *memory = (struct table_memory){grid, group, header_find_column(grid, row, page->rules->folded[index]), GT_STR("")};
    return memory->column;
}

/* The row of a transposed table that a rule means; SIZE_MAX when it has none. */
static enum gt_err find_line(struct table_page *page, struct grid *grid, size_t index, size_t *ret_row)
{
    const struct field_rule *rule = &page->rules->fields.rules[index];
    *ret_row = SIZE_MAX;
    if (rule->kind == FIELD_COLUMN) *ret_row = rule->column;
    if (rule->kind != FIELD_WORDS) return GT_OK;
    if (page->rules->paths[index] != NULL) {
        struct xpath_result result;
        enum gt_err err = xpath_evaluate(page->xpath, page->rules->paths[index], grid->table, &result, page->info);
        if (err != GT_OK) return err;
        struct _xmlNode *tr = result.count > 0 ? html_ancestor(result.nodes[0], "tr") : NULL;
        if (tr != NULL && html_ancestor(tr, "table") == grid->table) *ret_row = grid_row_of(grid, tr);
        xpath_result_done(&result);
        return GT_OK;
    }
    enum header_fit best = HEADER_NONE;
    for (size_t row = 0; row < grid->rows; row++) {
        enum header_fit fit = header_fits(grid_text(grid, row, 0), page->rules->folded[index], page->arena);
        if (fit <= best) continue;
        best = fit;
        *ret_row = row;
    }
    return GT_OK;
}

/* The text of a whole column, for `skip` and to show it. In the arena. */
static struct gt_str column_text(struct table_page *page, const struct grid *grid, size_t column)
{
    strbuf_clear(&page->text);
    for (size_t row = 0; row < grid->rows; row++) {
        if (row > 0) strbuf_adds(&page->text, " | ");
        strbuf_add(&page->text, grid_text(grid, row, column));
    }
    return arena_dup(page->arena, strbuf_str(&page->text));
}

static enum gt_err read_column(struct table_page *page, const struct grid *grid, const size_t *lines, size_t column)
{
    bool is_skipped;
    struct gt_str raw = column_text(page, grid, column);
    if (raw.ptr == NULL) return gt_fail(page->info, GT_ELIMIT, "the page's arena is full");
    enum gt_err err = table_is_skipped(page, raw, &is_skipped);
    if (err != GT_OK || is_skipped) return err;
    page->rows_found++;
    const struct field_rules *fields = &page->rules->fields;
    for (size_t i = 0; i < fields->count; i++) {
        const struct field_rule *rule = &fields->rules[i];
        if (rule->kind == FIELD_LITERAL) {
            listing_builder_add(&page->builder, rule->field, rule->text, GT_STR(""), rule->origin.text);
        } else if (lines[i] != SIZE_MAX) {
            /* In such a table the first cell of a line is the heading, unless that is the cell itself. */
            struct gt_str heading = column > 0 ? grid_text(grid, lines[i], 0) : GT_STR("");
            listing_builder_add(&page->builder, rule->field, grid_text(grid, lines[i], column), heading, rule->origin.text);
        }
    }
    listing_builder_close(&page->builder, raw, 1000, GT_STR(""));
    return page->builder.err;
}

enum gt_err table_read_transposed(struct table_page *page, struct _xmlNode *table)
{
    struct grid *grid = NULL;
    size_t lines[FIELD_RULES_MAX] = {0};
    enum gt_err err = table_grid(page, table, &grid);
    if (err != GT_OK || grid == NULL) return err;
    for (size_t i = 0; err == GT_OK && i < page->rules->fields.count; i++) err = find_line(page, grid, i, &lines[i]);
    for (size_t column = 1; err == GT_OK && column < grid->columns; column++) err = read_column(page, grid, lines, column);
    return err;
}
