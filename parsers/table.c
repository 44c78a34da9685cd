/* The extractor `table`: XPath for rows and cells, or the words of a header that are mapped to a column. */
#include <libxml/tree.h>

#include "parsers/header_words.h"
#include "parsers/html_tree.h"
#include "parsers/table_rules.h"

static void rules_done(void *compiled)
{
    struct table_rules *rules = compiled;
    for (size_t i = 0; i < FIELD_RULES_MAX; i++) xpath_free(rules->paths[i]);
    xpath_free(rules->rows);
    xpath_free(rules->table);
    regex_free(rules->skip);
}

/* Field rules that look like an XPath are compiled as one; the rest are header words. */
static enum gt_err compile_fields(struct table_rules *rules, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < rules->fields.count && err == GT_OK; i++) {
        const struct field_rule *rule = &rules->fields.rules[i];
        if (rule->kind != FIELD_WORDS) continue;
        if (rule_is_xpath(rule->text)) {
            err = xpath_new(&rule->origin, rule->text, &rules->paths[i], info);
        } else {
            rules->folded[i] = header_fold(rule->text, rules->arena);
            rules->has_words = true;
            if (rules->folded[i].len == 0) err = conf_fail(&rule->origin, info, "the rule is empty");
        }
    }
    return err;
}

static enum gt_err compile_key(const struct conf_section *section, const char *key, struct xpath **ret_xpath,
                               struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, key);
    return value != NULL ? xpath_new(value, value->text, ret_xpath, info) : GT_OK;
}

/* An absolute path beside `table` would leave the table again and find rows of the whole page. */
static enum gt_err compile_rows(const struct conf_section *section, struct table_rules *rules, struct gt_errinfo *info)
{
    const struct conf_value *rows = conf_get(section, "rows");
    struct conf_value fallback = {
        .name = GT_STR("rows"), .text = rules->table != NULL ? GT_STR(".//tr[td]") : GT_STR("//tr[td]"), .file = "built-in"};
    if (rows == NULL) rows = &fallback;
    if (rules->table != NULL && gt_str_starts(gt_str_trim(rows->text), GT_STR("/")))
        return conf_fail(rows, info, "beside `table`, rows are looked for inside it: begin with `.//`");
    return xpath_new(rows, rows->text, &rules->rows, info);
}

static enum gt_err compile(const struct conf_section *section, struct arena *arena, void *compiled, struct gt_errinfo *info)
{
    struct table_rules *rules = compiled;
    const struct conf_value *skip = conf_get(section, "skip");
    rules->arena = arena;
    rules->is_transposed = conf_bool(section, "transposed", false);
    enum gt_err err = field_rules_read(section, arena, &rules->fields, info);
    if (err == GT_OK) err = compile_fields(rules, info);
    if (err == GT_OK) err = compile_key(section, "table", &rules->table, info);
    if (err == GT_OK) err = compile_rows(section, rules, info);
    if (err == GT_OK && skip != NULL) err = regex_new(skip, rule_regex_text(skip->text), &rules->skip, info);
    return err;
}

/* What one node gives for a rule: its text under the heading of its column. */
static void add_node(struct table_page *page, size_t index, struct _xmlNode *node)
{
    const struct field_rule *rule = &page->rules->fields.rules[index];
    struct _xmlNode *table = html_ancestor(node->type == XML_ATTRIBUTE_NODE ? node->parent : node, "table");
    struct gt_str heading = GT_STR("");
    struct grid *grid = NULL;
    if (table != NULL && table_grid(page, table, &grid) == GT_OK) {
        const struct grid_cell *cell = grid_cell_of(grid, node);
        if (cell != NULL) heading = table_heading(page, index, grid, cell->row, cell->column);
    }
    listing_builder_add(&page->builder, rule->field, table_node_text(page, node), heading, rule->origin.text);
}

/* Prices, discounts and promotions may be several nodes; of everything else the first one with a text counts. */
static bool takes_several(struct gt_str field)
{
    return gt_str_starts(field, GT_STR("price")) || gt_str_starts(field, GT_STR("discount")) || gt_str_is(field, "promo") ||
           gt_str_is(field, "note");
}

static enum gt_err add_path(struct table_page *page, size_t index, struct _xmlNode *row)
{
    const struct field_rule *rule = &page->rules->fields.rules[index];
    struct xpath_result result;
    enum gt_err err = xpath_evaluate(page->xpath, page->rules->paths[index], row, &result, page->info);
    if (err != GT_OK) return err;
    if (result.is_text) listing_builder_add(&page->builder, rule->field, result.text, GT_STR(""), rule->origin.text);
    size_t nodes_max = takes_several(rule->field) ? TABLE_NODES_PER_RULE_MAX : 1;
    size_t before = page->builder.field_count;
    for (size_t i = 0; i < result.count && page->builder.field_count - before < nodes_max; i++)
        add_node(page, index, result.nodes[i]);
    xpath_result_done(&result);
    return GT_OK;
}

/* A rule that goes by column: the cell of this row in it. */
static void add_cell(struct table_page *page, size_t index, struct grid *grid, size_t row, size_t column)
{
    const struct field_rule *rule = &page->rules->fields.rules[index];
    if (grid == NULL || row == SIZE_MAX || column == SIZE_MAX) return;
    listing_builder_add(&page->builder, rule->field, grid_text(grid, row, column), table_heading(page, index, grid, row, column),
                        rule->origin.text);
}

static enum gt_err add_fields(struct table_page *page, struct _xmlNode *row, struct grid *grid, size_t row_index)
{
    enum gt_err err = GT_OK;
    const struct field_rules *fields = &page->rules->fields;
    for (size_t i = 0; i < fields->count && err == GT_OK; i++) {
        const struct field_rule *rule = &fields->rules[i];
        if (page->rules->paths[i] != NULL) {
            err = add_path(page, i, row);
        } else if (rule->kind == FIELD_LITERAL) {
            listing_builder_add(&page->builder, rule->field, rule->text, GT_STR(""), rule->origin.text);
        } else if (rule->kind == FIELD_COLUMN) {
            add_cell(page, i, grid, row_index, rule->column);
        } else if (grid != NULL) {
            add_cell(page, i, grid, row_index, table_column(page, i, grid, row_index));
        }
    }
    return err;
}

static enum gt_err read_row(struct table_page *page, struct _xmlNode *row)
{
    if (row->type != XML_ELEMENT_NODE) return GT_OK;
    struct grid *grid = NULL;
    bool is_skipped = false;
    enum gt_err err = table_grid(page, html_ancestor(row, "table"), &grid);
    if (err != GT_OK) return err;
    size_t row_index = grid != NULL && html_is(row, "tr") ? grid_row_of(grid, row) : SIZE_MAX;
    /* `//tr` is a natural rule; the header that the words were found in is no offer. */
    if (page->rules->has_words && row_index != SIZE_MAX && grid->kinds[row_index] == GRID_HEADER) return GT_OK;
    if (page->rules->skip != NULL) err = table_is_skipped(page, table_node_text(page, row), &is_skipped);
    if (err != GT_OK || is_skipped) return err;
    page->rows_found++;
    err = add_fields(page, row, grid, row_index);
    if (err != GT_OK) return err;
    struct gt_str raw = listing_builder_refuses(&page->builder) ? table_node_text(page, row) : GT_STR("");
    listing_builder_close(&page->builder, raw, 1000, GT_STR(""));
    return page->builder.err;
}

/* Rows below one node (a table the section names, or the document). */
static enum gt_err read_rows(struct table_page *page, struct _xmlNode *below)
{
    struct xpath_result rows;
    enum gt_err err = xpath_evaluate(page->xpath, page->rules->rows, below, &rows, page->info);
    if (err != GT_OK) return err;
    struct _xmlNode *done = NULL;
    for (size_t i = 0; i < rows.count && err == GT_OK; i++) {
        if (!page->rules->is_transposed) {
            err = read_row(page, rows.nodes[i]);
            continue;
        }
        struct _xmlNode *table = html_ancestor(rows.nodes[i], "table");
        if (table != NULL && table != done) err = table_read_transposed(page, table);
        done = table;
    }
    xpath_result_done(&rows);
    return err;
}

static enum gt_err read_tables(struct table_page *page)
{
    if (page->rules->table == NULL) return read_rows(page, NULL);
    struct xpath_result tables;
    enum gt_err err = xpath_evaluate(page->xpath, page->rules->table, NULL, &tables, page->info);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < tables.count && err == GT_OK; i++) err = read_rows(page, tables.nodes[i]);
    xpath_result_done(&tables);
    return err;
}

static enum gt_err extract(const void *state, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    struct _xmlDoc *doc = NULL;
    struct table_page page = {.rules = state, .arena = arena, .info = info};
    strbuf_init(&page.text, TABLE_ROW_TEXT_MAX);
    listing_builder_init(&page.builder, arena);
    enum gt_err err = html_tree_parse(input->text, arena, &doc, info);
    if (err == GT_OK && xpath_run_begin(doc, &page.xpath) != GT_OK) err = gt_fail(info, GT_ENOMEM, "no memory for an XPath");
    if (err == GT_OK) err = read_tables(&page);
    if (err == GT_OK || page.builder.err != GT_OK) err = listing_builder_finish(&page.builder, ret, info);
    ret->rows_found = page.rows_found;
    if (err == GT_OK && page.rows_found == 0) err = gt_fail(info, GT_ENOROWS, "no row matched `rows`");
    xpath_run_end(page.xpath);
    html_tree_free(doc);
    strbuf_done(&page.text);
    return err;
}

const struct extractor extractor_table = {.name = "table", .rules_bytes = sizeof(struct table_rules),
                                          .compile = compile, .done = rules_done, .extract = extract};
