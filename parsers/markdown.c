/* The extractor `markdown`: pipe tables whose header holds certain words; fields by header words or column number. */

#include "common/strbuf.h"
#include "parsers/extractor.h"
#include "parsers/field_rules.h"
#include "parsers/header_words.h"
#include "parsers/listing_build.h"
#include "parsers/markdown_table.h"
#include "parsers/regex.h"

enum { ROW_TEXT_MAX = 64 * 1024 };

struct markdown_rules {
    struct field_rules fields;
    struct gt_str folded[FIELD_RULES_MAX]; /* header words as they are compared */
    struct gt_str wanted;                  /* words of `table`, blank-separated; "" for every table that has a label */
    struct regex *skip;
};

struct markdown_page {
    const struct markdown_rules *rules;
    struct arena *arena;
    struct listing_builder builder;
    struct strbuf text;              /* scratch */
    size_t columns[FIELD_RULES_MAX]; /* of each rule in the present table; SIZE_MAX when it has none */
    size_t rows_found;
    struct gt_errinfo *info;
};

static void rules_done(void *compiled)
{
    struct markdown_rules *rules = compiled;
    regex_free(rules->skip);
}

static enum gt_err compile(const struct conf_section *section, struct arena *arena, void *compiled, struct gt_errinfo *info)
{
    struct markdown_rules *rules = compiled;
    const struct conf_value *table = conf_get(section, "table"), *skip = conf_get(section, "skip");
    enum gt_err err = field_rules_read(section, arena, &rules->fields, info);
    for (size_t i = 0; i < rules->fields.count && err == GT_OK; i++) {
        const struct field_rule *rule = &rules->fields.rules[i];
        if (rule->kind != FIELD_WORDS) continue;
        rules->folded[i] = header_fold(rule->text, arena);
        if (rules->folded[i].len == 0) err = conf_fail(&rule->origin, info, "the rule is empty");
    }
    rules->wanted = table != NULL ? arena_dup(arena, table->text) : GT_STR("");
    if (err == GT_OK && skip != NULL) err = regex_new(skip, rule_regex_text(skip->text), &rules->skip, info);
    return err;
}

/* Joins the cells of a row in the scratch buffer. */
static struct gt_str row_text(struct markdown_page *page, const struct grid *grid, size_t row)
{
    strbuf_clear(&page->text);
    for (size_t column = 0; column < grid->columns; column++) {
        if (column > 0) strbuf_adds(&page->text, " | ");
        strbuf_add(&page->text, grid_text(grid, row, column));
    }
    return strbuf_str(&page->text);
}

/* True when the header holds every word that `table` asks for. */
static bool is_wanted(struct markdown_page *page, const struct grid *grid)
{
    struct gt_str header = header_fold(row_text(page, grid, 0), page->arena), rest = page->rules->wanted, word;
    while (gt_str_split(&rest, ' ', &word)) {
        if (word.len > 0 && gt_str_find(header, header_fold(word, page->arena), 0) == SIZE_MAX) return false;
    }
    return true;
}

/* Maps the rules to the table's columns. False when the label has none: such a table is about something else. */
static bool map_columns(struct markdown_page *page, struct grid *grid)
{
    bool has_label = false;
    for (size_t i = 0; i < page->rules->fields.count; i++) {
        const struct field_rule *rule = &page->rules->fields.rules[i];
        page->columns[i] = SIZE_MAX;
        if (rule->kind == FIELD_COLUMN && rule->column < grid->columns) page->columns[i] = rule->column;
        if (rule->kind == FIELD_WORDS) page->columns[i] = header_find_column(grid, 1, page->rules->folded[i]);
        if (gt_str_is(rule->field, "label")) has_label |= rule->kind == FIELD_LITERAL || page->columns[i] != SIZE_MAX;
    }
    return has_label;
}

static enum gt_err read_row(struct markdown_page *page, struct grid *grid, size_t row)
{
    bool is_skipped = false;
    struct gt_str raw = row_text(page, grid, row);
    enum gt_err err = page->rules->skip != NULL ? regex_search(page->rules->skip, raw, &is_skipped, page->info) : GT_OK;
    if (err != GT_OK || is_skipped) return err;
    page->rows_found++;
    for (size_t i = 0; i < page->rules->fields.count; i++) {
        const struct field_rule *rule = &page->rules->fields.rules[i];
        if (rule->kind == FIELD_LITERAL) {
            listing_builder_add(&page->builder, rule->field, rule->text, GT_STR(""), rule->origin.text);
        } else if (page->columns[i] != SIZE_MAX) {
            listing_builder_add(&page->builder, rule->field, grid_text(grid, row, page->columns[i]),
                                grid_heading(grid, row, page->columns[i]), rule->origin.text);
        }
    }
    listing_builder_close(&page->builder, raw, 1000, GT_STR(""));
    return page->builder.err;
}

/* Tables that lack the label's column are passed over: a page of documentation has many about other things. */
static enum gt_err read_tables(struct markdown_page *page, struct gt_str text)
{
    for (size_t at = 0;;) {
        bool is_found;
        struct markdown_table table;
        enum gt_err err = markdown_next_table(text, &at, page->arena, &is_found, &table, page->info);
        if (err != GT_OK || !is_found) return err;
        if (!is_wanted(page, table.grid) || !map_columns(page, table.grid)) continue;
        for (size_t row = 1; row < table.grid->rows && err == GT_OK; row++) err = read_row(page, table.grid, row);
        if (err != GT_OK) return err;
    }
}

static enum gt_err extract(const void *state, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    struct markdown_page page = {.rules = state, .arena = arena, .info = info};
    strbuf_init(&page.text, ROW_TEXT_MAX);
    listing_builder_init(&page.builder, arena);
    enum gt_err err = read_tables(&page, input->text);
    if (err == GT_OK || page.builder.err != GT_OK) err = listing_builder_finish(&page.builder, ret, info);
    ret->rows_found = page.rows_found;
    if (err == GT_OK && page.rows_found == 0)
        err = gt_fail(info, GT_ENOROWS, "no table has the header that `table` and `label` ask for");
    strbuf_done(&page.text);
    return err;
}

const struct extractor extractor_markdown = {.name = "markdown", .rules_bytes = sizeof(struct markdown_rules),
                                             .compile = compile, .done = rules_done, .extract = extract};
