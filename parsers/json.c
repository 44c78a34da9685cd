/* The extractor `json`: a jq program that yields one object an offer. */
#include <stdio.h>

#include "common/strbuf.h"
#include "parsers/extractor.h"
#include "parsers/field_rules.h"
#include "parsers/jq_program.h"
#include "parsers/json_locate.h"
#include "parsers/listing_build.h"
#include "parsers/regex.h"

enum { ROW_TEXT_MAX = 64 * 1024 };

struct json_rules {
    struct field_rules fields;
    struct jq_program *rows;
    struct json_place place;
    struct regex *skip;
};

/* A page while its rows are read. */
struct json_page {
    const struct json_rules *rules;
    struct arena *arena;
    struct listing_builder builder;
    struct strbuf text; /* scratch */
    size_t rows_found;
    struct gt_errinfo *info;
};

static void rules_done(void *compiled)
{
    struct json_rules *rules = compiled;
    jq_program_free(rules->rows);
    xpath_free(rules->place.in);
    regex_free(rules->skip);
}

static enum gt_err compile(const struct conf_section *section, struct arena *arena, void *compiled, struct gt_errinfo *info)
{
    struct json_rules *rules = compiled;
    const struct conf_value *in = conf_get(section, "json_in"), *variable = conf_get(section, "json_var");
    const struct conf_value *rows = conf_get(section, "rows"), *skip = conf_get(section, "skip");
    const struct conf_value everything = {.name = GT_STR("rows"), .text = GT_STR(".[]"), .file = "built-in"};
    enum gt_err err = field_rules_read(section, arena, &rules->fields, info);
    if (err == GT_OK) err = jq_program_new(rows != NULL ? rows : &everything, &rules->rows, info);
    if (err == GT_OK && in != NULL) err = xpath_new(in, in->text, &rules->place.in, info);
    if (err == GT_OK && skip != NULL) err = regex_new(skip, rule_regex_text(skip->text), &rules->skip, info);
    rules->place.variable = variable != NULL ? arena_dup(arena, variable->text) : GT_STR("");
    return err;
}

/* The printed form of a scalar. */
static struct gt_str scalar_text(const struct jnode *node)
{
    if (node->kind == JNODE_TRUE) return GT_STR("true");
    if (node->kind == JNODE_FALSE) return GT_STR("false");
    return node->text; /* empty for null, arrays and objects */
}

/* Adds a value under a name; each member of a list is a field of its own. */
static void add_value(struct json_page *page, struct gt_str field, const struct jnode *value, struct gt_str rule)
{
    if (value->kind != JNODE_ARRAY) {
        listing_builder_add(&page->builder, field, scalar_text(value), GT_STR(""), rule);
        return;
    }
    for (const struct jnode *member = value->children; member != NULL; member = member->next)
        listing_builder_add(&page->builder, field, scalar_text(member), GT_STR(""), rule);
}

/* A row in one line, to show a refused one and for `skip`. */
static struct gt_str row_text(struct json_page *page, const struct jnode *row)
{
    strbuf_clear(&page->text);
    for (const struct jnode *value = row->children; value != NULL; value = value->next) {
        struct gt_str text = scalar_text(value);
        if (text.len == 0) continue;
        if (page->text.len > 0) strbuf_adds(&page->text, " | ");
        strbuf_add(&page->text, text);
    }
    return strbuf_str(&page->text);
}

/* True when a field rule says where the field comes from, so that the key of that name is not taken by itself. */
static bool has_rule(const struct json_rules *rules, struct gt_str field)
{
    for (size_t i = 0; i < rules->fields.count; i++) {
        if (gt_str_eq(rules->fields.rules[i].field, field)) return true;
    }
    return false;
}

/* True when a rule takes its text from this key. */
static bool is_used(const struct json_rules *rules, struct gt_str key)
{
    for (size_t i = 0; i < rules->fields.count; i++) {
        if (rules->fields.rules[i].kind == FIELD_WORDS && gt_str_eq(rules->fields.rules[i].text, key)) return true;
    }
    return false;
}

/* Keys that are named like fields. Any other key that no rule uses is a slip of the pen: a field would be lost without a word. */
static enum gt_err add_named(struct json_page *page, const struct jnode *row)
{
    for (const struct jnode *value = row->children; value != NULL; value = value->next) {
        if (has_rule(page->rules, value->key) || is_used(page->rules, value->key)) continue;
        if (!field_name_is_known(value->key)) {
            char message[160];
            struct gt_str key = gt_str_cut(value->key, 64);
            snprintf(message, sizeof message, "the program yields a key \"%.*s\", which is no field", GT_STR_ARG(key));
            return conf_fail(jq_program_origin(page->rules->rows), page->info, message);
        }
        add_value(page, value->key, value, value->key);
    }
    return GT_OK;
}

static void add_by_rules(struct json_page *page, const struct jnode *row)
{
    for (size_t i = 0; i < page->rules->fields.count; i++) {
        const struct field_rule *rule = &page->rules->fields.rules[i];
        if (rule->kind == FIELD_LITERAL)
            listing_builder_add(&page->builder, rule->field, rule->text, GT_STR(""), rule->origin.text);
        for (const struct jnode *value = row->children; rule->kind == FIELD_WORDS && value != NULL; value = value->next) {
            if (gt_str_eq(value->key, rule->text)) add_value(page, rule->field, value, rule->origin.text);
        }
    }
}

/* null is how a jq program says "no row here"; anything else than an object is a mistake of the rules, and is told with their line. */
static enum gt_err read_row(struct json_page *page, const struct jnode *row)
{
    bool is_skipped = false;
    if (row->kind == JNODE_NULL) return GT_OK;
    if (row->kind != JNODE_OBJECT)
        return conf_fail(jq_program_origin(page->rules->rows), page->info, "the program yields a value that is no object");
    struct gt_str raw = row_text(page, row);
    enum gt_err err = page->rules->skip != NULL ? regex_search(page->rules->skip, raw, &is_skipped, page->info) : GT_OK;
    if (err != GT_OK || is_skipped) return err;
    page->rows_found++;
    err = add_named(page, row);
    if (err != GT_OK) return err;
    add_by_rules(page, row);
    listing_builder_close(&page->builder, raw, 1000, GT_STR(""));
    return page->builder.err;
}

static enum gt_err read_rows(struct json_page *page, const struct jnode *input)
{
    enum gt_err err = jq_program_start(page->rules->rows, input, page->info);
    while (err == GT_OK) {
        struct jnode *row;
        err = jq_program_next(page->rules->rows, page->arena, &row, page->info);
        if (err == GT_OK && row == NULL) return GT_OK;
        if (err == GT_OK) err = read_row(page, row);
    }
    return err;
}

static enum gt_err check(const void *state, struct gt_errinfo *info)
{
    const struct json_rules *rules = state;
    return jq_program_compile(rules->rows, info);
}

/* A page may hold several JSON values (scripts, islands): the program runs over each. */
static enum gt_err extract(const void *state, const struct decoded_page *input, struct arena *arena, struct extraction *ret,
                           struct gt_errinfo *info)
{
    struct json_page page = {.rules = state, .arena = arena, .info = info};
    struct jnode *values = NULL;
    strbuf_init(&page.text, ROW_TEXT_MAX);
    listing_builder_init(&page.builder, arena);
    enum gt_err err = json_locate(&page.rules->place, input->text, arena, &values, info);
    for (const struct jnode *value = err == GT_OK ? values->children : NULL; value != NULL && err == GT_OK; value = value->next)
        err = read_rows(&page, value);
    if (err == GT_OK || page.builder.err != GT_OK) err = listing_builder_finish(&page.builder, ret, info);
    ret->rows_found = page.rows_found;
    if (err == GT_OK && page.rows_found == 0) err = gt_fail(info, GT_ENOROWS, "the jq program yields no row");
    strbuf_done(&page.text);
    return err;
}

const struct extractor extractor_json = {.name = "json", .rules_bytes = sizeof(struct json_rules),
                                         .compile = compile, .check = check, .done = rules_done, .extract = extract};
