/* One page read by one section, printed as lines: what the extractor tests compare. */
#ifndef GT_TESTS_UNIT_PARSERS_PAGE_H
#define GT_TESTS_UNIT_PARSERS_PAGE_H

#include "common/strbuf.h"
#include "parsers/extract.h"
#include "tests/unit/table.h"

enum { PAGE_TEST_ARENA = 512 * 1024 * 1024, PAGE_TEST_TEXT = 1024 * 1024 };

/* What a run gave; the texts live until page_done. */
struct page_run {
    struct conf *conf;
    struct site_rules *rules;
    struct arena *arena;
    struct extraction extraction;
    struct gt_errinfo info;
    enum gt_err err;
};

/* Compiles `section` (the lines below "[site x]") and, when that went well, reads the page. */
static inline void page_read(struct page_run *run, const char *section, const struct page_input *page)
{
    struct strbuf text;
    *run = (struct page_run){.conf = conf_new(), .arena = arena_new(PAGE_TEST_ARENA)};
    strbuf_init(&text, PAGE_TEST_TEXT);
    strbuf_addf(&text, "[site x]\n%s\n", section);
    run->err = conf_read_text(run->conf, "sites.conf", strbuf_str(&text), &run->info);
    strbuf_done(&text);
    if (run->err == GT_OK) run->err = site_rules_new(conf_find(run->conf, "site", GT_STR("x")), &run->rules, &run->info);
    if (run->err == GT_OK) run->err = page_extract(run->rules, page, run->arena, &run->extraction, &run->info);
}

static inline void page_done(struct page_run *run)
{
    site_rules_free(run->rules);
    conf_free(run->conf);
    arena_free(run->arena);
}

/* The listings, a line each: name=text or name=text{header}, joined by "; ". NUL-closed, in the arena. */
static inline const char *page_print(struct page_run *run)
{
    struct strbuf text;
    strbuf_init(&text, PAGE_TEST_TEXT);
    for (size_t i = 0; i < run->extraction.count; i++) {
        const struct listing *listing = &run->extraction.listings[i];
        for (size_t j = 0; j < listing->field_count; j++) {
            const struct listing_field *field = &listing->fields[j];
            strbuf_addf(&text, "%s%.*s=%.*s", j > 0 ? "; " : "", GT_STR_ARG(field->name), GT_STR_ARG(field->text));
            if (field->header.len > 0) strbuf_addf(&text, "{%.*s}", GT_STR_ARG(field->header));
        }
        strbuf_addc(&text, '\n');
    }
    const char *printed = arena_dup(run->arena, strbuf_str(&text)).ptr;
    strbuf_done(&text);
    return printed;
}

/* A row of an extractor's table: section and page in, printed listings or an error out. */
struct page_case {
    const char *name;
    const char *section;
    const char *body;
    const char *expected;     /* page_print's lines; NULL when an error is expected */
    enum gt_err err;
    const char *message;      /* a part of the error's text */
    const char *content_type; /* NULL: text/html */
};

static inline void check_page(void **state)
{
    const struct page_case *row = *state;
    struct page_run run;
    const struct page_input page = {.body = gt_str_from(row->body),
                                    .url = GT_STR("https://example.com/a/b"),
                                    .content_type = gt_str_from(row->content_type != NULL ? row->content_type : "text/html; charset=utf-8")};
    page_read(&run, row->section, &page);
    if (run.err != row->err) print_error("%s: %s\n", gt_err_name(run.err), run.info.text);
    assert_int_equal(run.err, row->err);
    if (row->message != NULL && strstr(run.info.text, row->message) == NULL) print_error("message is \"%s\"\n", run.info.text);
    if (row->message != NULL) assert_non_null(strstr(run.info.text, row->message));
    if (row->expected != NULL) assert_string_equal(page_print(&run), row->expected);
    page_done(&run);
}

#endif
