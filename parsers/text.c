/* The extractor `text`: a regular expression with named groups over the visible text of a page. */

#include "common/strbuf.h"
#include "parsers/extractor.h"
#include "parsers/field_rules.h"
#include "parsers/html_tree.h"
#include "parsers/listing_build.h"
#include "parsers/page_kind.h"
#include "parsers/regex.h"

#include <libxml/tree.h>

struct text_rules {
    struct arena *arena;
    struct field_rules fields;
    struct gt_str group_fields[REGEX_NAMES_MAX]; /* the field of each named group */
    struct regex *rows;
    struct regex *skip;
};

struct text_page {
    const struct text_rules *rules;
    struct arena *arena;
    struct listing_builder builder;
    size_t rows_found;
    struct gt_errinfo *info;
};

static void rules_done(void *compiled)
{
    struct text_rules *rules = compiled;
    regex_free(rules->rows);
    regex_free(rules->skip);
}

/* The field of a group: group names have no dots, so price_hour is price.hour and price_hour_spot price.hour.spot. */
static struct gt_str field_of_group(struct gt_str group, struct arena *arena)
{
    struct gt_str copy = arena_dup(arena, group);
    if (copy.ptr == NULL || !(gt_str_starts(group, GT_STR("price_")) || gt_str_starts(group, GT_STR("discount_")))) return copy;
    char *bytes = (char *)(uintptr_t)copy.ptr; /* the arena's memory, ours */
    for (size_t i = 0; i < copy.len; i++) {
        if (bytes[i] == '_') bytes[i] = '.';
    }
    return copy;
}

/* True when a field rule renames the group. */
static const struct field_rule *rule_for_group(const struct text_rules *rules, struct gt_str group)
{
    for (size_t i = 0; i < rules->fields.count; i++) {
        const struct field_rule *rule = &rules->fields.rules[i];
        if (rule->kind == FIELD_WORDS && gt_str_eq(rule->text, group)) return rule;
    }
    return NULL;
}

static enum gt_err map_groups(struct text_rules *rules, const struct conf_value *rows, struct gt_errinfo *info)
{
    size_t count;
    const struct regex_name *names = regex_names(rules->rows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct field_rule *rule = rule_for_group(rules, names[i].name);
        rules->group_fields[i] = rule != NULL ? rule->field : field_of_group(names[i].name, rules->arena);
        if (rules->group_fields[i].ptr == NULL) return gt_fail(info, GT_ENOMEM, "no memory for rules");
        if (!field_name_is_known(rules->group_fields[i])) return conf_fail(rows, info, "a named group is no field");
    }
    return GT_OK;
}

static enum gt_err compile(const struct conf_section *section, struct arena *arena, void *compiled, struct gt_errinfo *info)
{
    struct text_rules *rules = compiled;
    const struct conf_value *rows = conf_get(section, "rows"), *skip = conf_get(section, "skip");
    rules->arena = arena;
    if (rows == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: extract = text needs rows = /regex/", conf_section_file(section),
                       conf_section_line(section));
    enum gt_err err = field_rules_read(section, arena, &rules->fields, info);
    if (err == GT_OK) err = regex_new(rows, rule_regex_text(rows->text), &rules->rows, info);
    if (err == GT_OK) err = map_groups(rules, rows, info);
    if (err == GT_OK && skip != NULL) err = regex_new(skip, rule_regex_text(skip->text), &rules->skip, info);
    return err;
}

/* HTML is matched as it is seen, a line a block; everything else as it stands. */
static enum gt_err subject_of(const struct decoded_page *input, struct arena *arena, struct gt_str *ret_subject,
                              struct gt_errinfo *info)
{
    struct _xmlDoc *doc = NULL;
    struct strbuf text;
    *ret_subject = input->text;
    if (page_kind(input) != PAGE_HTML) return GT_OK;
    strbuf_init(&text, REGEX_SUBJECT_MAX);
    enum gt_err err = html_tree_parse(input->text, arena, &doc, info);
    if (err == GT_OK) {
        html_text_add((const xmlNode *)doc, true, &text);
        *ret_subject = arena_dup(arena, strbuf_str(&text));
        if (text.err != GT_OK || ret_subject->ptr == NULL) err = gt_fail(info, GT_ELIMIT, "the page's text is too long");
    }
    html_tree_free(doc);
    strbuf_done(&text);
    return err;
}

static enum gt_err read_match(struct text_page *page, const struct regex_run *run)
{
    size_t count;
    bool is_skipped = false;
    struct gt_str raw, text;
    const struct regex_name *names = regex_names(page->rules->rows, &count);
    if (!regex_run_group(run, 0, &raw)) raw = GT_STR("");
    enum gt_err err = page->rules->skip != NULL ? regex_search(page->rules->skip, raw, &is_skipped, page->info) : GT_OK;
    if (err != GT_OK || is_skipped) return err;
    page->rows_found++;
    for (size_t i = 0; i < count; i++) {
        if (regex_run_group(run, names[i].group, &text))
            listing_builder_add(&page->builder, page->rules->group_fields[i], text, GT_STR(""), names[i].name);
    }
    for (size_t i = 0; i < page->rules->fields.count; i++) {
        const struct field_rule *rule = &page->rules->fields.rules[i];
        if (rule->kind == FIELD_LITERAL)
            listing_builder_add(&page->builder, rule->field, rule->text, GT_STR(""), rule->origin.text);
    }
    listing_builder_close(&page->builder, raw, 1000, GT_STR(""));
    return page->builder.err;
}

static enum gt_err read_matches(struct text_page *page, struct gt_str subject)
{
    struct regex_run *run = NULL;
    bool is_found = true;
    enum gt_err err = regex_run_begin(page->rules->rows, subject, &run, page->info);
    while (err == GT_OK && is_found) {
        err = regex_run_next(run, &is_found, page->info);
        if (err == GT_OK && is_found) err = read_match(page, run);
    }
    regex_run_end(run);
    return err;
}

static enum gt_err extract(const void *state, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    struct text_page page = {.rules = state, .arena = arena, .info = info};
    struct gt_str subject;
    listing_builder_init(&page.builder, arena);
    enum gt_err err = subject_of(input, arena, &subject, info);
    if (err == GT_OK) err = read_matches(&page, subject);
    if (err == GT_OK || page.builder.err != GT_OK) err = listing_builder_finish(&page.builder, ret, info);
    ret->rows_found = page.rows_found;
    if (err == GT_OK && page.rows_found == 0) err = gt_fail(info, GT_ENOROWS, "the regex matches nowhere");
    return err;
}

const struct extractor extractor_text = {.name = "text", .rules_bytes = sizeof(struct text_rules),
                                         .compile = compile, .done = rules_done, .extract = extract};
