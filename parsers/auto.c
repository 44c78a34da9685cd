/* The extractor `auto`: offers from a page that nobody wrote rules for. It guesses, says how sure it is and why, and leaves out
 * what it does not believe: pages that sell nothing yield nothing. */
#include "parsers/auto.h"

#include "parsers/markdown_table.h"
#include "parsers/page_kind.h"

enum { SCRATCH_MAX = 64 * 1024 * 1024 };

void auto_fail_full(struct auto_page *page)
{
    if (page->err == GT_OK)
        page->err = gt_fail(page->info, GT_ELIMIT, "the page needs more memory than EXTRACT_ARENA_MAX or SCRATCH_MAX");
}

/* The lines up to an empty one as one, without marks. */
static struct gt_str paragraph_cut(struct auto_page *page, struct gt_str *rest)
{
    struct gt_str text = gt_str_trim(*rest);
    size_t end = gt_str_find(text, GT_STR("\n\n"), 0);
    *rest = gt_str_slice(text, end, SIZE_MAX);
    struct gt_str plain = markdown_plain(gt_str_slice(text, 0, end), page->arena);
    char *bytes = (char *)(uintptr_t)plain.ptr; /* the arena's, ours */
    for (size_t i = 0; i < plain.len; i++) {
        if (bytes[i] == '\n') bytes[i] = ' ';
    }
    return plain;
}

/* Keeps what the text between two tables says about the prices below: as far as the next heading, or for good. */
static void keep_unit(struct auto_page *page, struct gt_str text, struct gt_str *unit)
{
    while (text.len > 0) {
        if (gt_str_trim(text).len > 0 && gt_str_trim(text).ptr[0] == '#' && !auto_unit_is_for_all(page, *unit)) *unit = GT_STR("");
        struct gt_str sentence = auto_unit_sentence(page, paragraph_cut(page, &text));
        if (sentence.len > 0) *unit = sentence;
    }
}

enum gt_err auto_markdown_read(struct auto_page *page, struct gt_str text)
{
    struct gt_str unit = GT_STR("");
    for (size_t at = 0; page->err == GT_OK;) {
        bool is_found;
        size_t from = at;
        struct markdown_table table;
        enum gt_err err = markdown_next_table(text, &at, page->arena, &is_found, &table, page->info);
        if (err != GT_OK || !is_found) return err;
        /* The last line of text above the table. */
        struct gt_str above = gt_str_trim(gt_str_slice(text, from, table.begin - from)), rest = gt_str_slice(text, table.end, SIZE_MAX);
        size_t line = above.len;
        while (line > 0 && above.ptr[line - 1] != '\n') line--;
        struct gt_str before = gt_str_slice(above, line, SIZE_MAX);
        if (before.len > 0 && before.ptr[0] == '#') before = GT_STR("");
        /* A row of another table is no sentence about this one. */
        if (gt_str_find(before, GT_STR(" | "), 0) != SIZE_MAX) before = GT_STR("");
        keep_unit(page, above, &unit);
        bool is_text = gt_str_trim(rest).len > 0 && strchr("#|`<", gt_str_trim(rest).ptr[0]) == NULL;
        struct gt_str behind = is_text ? paragraph_cut(page, &rest) : GT_STR("");
        before = auto_unit_choose(page, markdown_plain(before, page->arena), behind, unit);
        const struct auto_around around = {GT_STR(""), table.heading, before};
        auto_grid_read(page, table.grid, &around, "table");
    }
    return page->err;
}

static enum gt_err read_page(struct auto_page *page, const struct decoded_page *input)
{
    enum page_kind kind = page_kind(input);
    if (kind == PAGE_HTML) return auto_html_read(page, input->text, false);
    page->evidence = auto_evidence_of(page, input->text);
    if (kind == PAGE_JSON) {
        page->evidence.lacks_names = false; /* keys have the names glued to other words */
        auto_json_read(page, input->text);
        return page->err;
    }
    enum gt_err err = auto_markdown_read(page, input->text);
    if (err == GT_OK && page->err == GT_OK && page->rows_found > 0) auto_lines_read(page, input->text, true);
    bool has_tables = gt_str_find(input->text, GT_STR("<table"), 0) != SIZE_MAX;
    if (err == GT_OK && has_tables) err = auto_html_read(page, input->text, true);
    if (err == GT_OK && page->rows_found == 0) auto_csv_read(page, input->text);
    if (err == GT_OK && page->err == GT_OK && page->rows_found == 0) auto_json_read(page, input->text);
    if (err == GT_OK && page->err == GT_OK && page->rows_found == 0) auto_yaml_read(page, input->text);
    if (err == GT_OK && page->err == GT_OK && page->rows_found == 0) auto_text_tables_read(page, input->text);
    if (err == GT_OK && page->err == GT_OK && page->rows_found == 0) auto_lines_read(page, input->text, false);
    return err != GT_OK ? err : page->err;
}

static enum gt_err extract(const void *rules, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    (void)rules;
    struct auto_page page = {.arena = arena, .scratch = arena_new(SCRATCH_MAX), .info = info};
    if (page.scratch == NULL) return gt_fail(info, GT_ENOMEM, "no memory for a page");
    listing_builder_init(&page.builder, arena);
    enum gt_err err = read_page(&page, input);
    if (err == GT_OK || page.builder.err != GT_OK) err = listing_builder_finish(&page.builder, ret, info);
    ret->rows_found = page.rows_found;
    if (err == GT_OK && ret->count == 0 && ret->refused_count == 0) err = gt_fail(info, GT_ENOROWS, "no block with a card and a price of renting it");
    arena_free(page.scratch);
    return err;
}

const struct extractor extractor_auto = {.name = "auto", .extract = extract};
