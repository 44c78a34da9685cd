#include "parsers/field_rules.h"

#include <stdio.h>

#include "pricing/listing.h"

enum { MESSAGE_BYTES = 256, WORD_BYTES_SHOWN = 64 };

/* Keys of a section that are field rules, in the order in which listings have them. */
static const struct {
    const char *key;
    const char *field;
    bool is_count; /* a plain number is meant as itself, not as a column */
} KEYS[] = {
    {"label", "label", false},        {"price", "price", false},
    {"discount", "discount", false},  {"cards", "cards", true},
    {"vram", "vram", false},          {"plan", "plan", false},
    {"variant", "variant", false},    {"key", "key", false},
    {"region", "region", false},      {"stock", "stock", false},
    {"vcpu", "vcpu", false},          {"ram", "ram", false},
    {"disk", "disk", false},          {"interconnect", "interconnect", false},
    {"min_cards", "min_cards", true}, {"min_months", "min_months", true},
    {"promo", "promo", false},        {"remark", "note", false},
};

static const char *const SELF_NAMED[] = {"delivery", "tier", "currency", "tax", "note"};

/* Keys that stand for a family: price.hour, discount.month … */
static const char *const FAMILIES[] = {"price.", "discount."};

/* Rules outlive the configuration that they were read from; errors still name file and line. */
bool conf_value_copy(const struct conf_value *value, struct arena *arena, struct conf_value *ret_copy)
{
    *ret_copy = (struct conf_value){.file = ""};
    if (value == NULL) return true;
    *ret_copy = (struct conf_value){.name = arena_dup(arena, value->name),
                                    .text = arena_dup(arena, value->text),
                                    .file = arena_dup(arena, gt_str_from(value->file)).ptr,
                                    .line = value->line};
    return ret_copy->name.ptr != NULL && ret_copy->text.ptr != NULL && ret_copy->file != NULL;
}

static bool is_number(struct gt_str text)
{
    if (text.len == 0 || text.len > 4) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    }
    return true;
}

/* A column number "3" as the index 2; false for 0. */
static bool read_column(struct gt_str digits, size_t *ret_column)
{
    size_t number = 0;
    for (size_t i = 0; i < digits.len; i++) number = number * 10 + (size_t)(digits.ptr[i] - '0');
    if (number == 0) return false;
    *ret_column = number - 1;
    return true;
}

/* Tells what kind of rule the text is. */
static enum gt_err classify(struct field_rule *rule, struct gt_str text, bool is_count, struct gt_errinfo *info)
{
    char first = text.len > 0 ? text.ptr[0] : 0;
    rule->kind = FIELD_WORDS;
    rule->text = text;
    if (text.len > FIELD_RULE_BYTES_MAX) return conf_fail(&rule->origin, info, "the rule is too long (FIELD_RULE_BYTES_MAX)");
    if (first == '\'' || first == '"') {
        if (text.len < 2 || text.ptr[text.len - 1] != first) return conf_fail(&rule->origin, info, "the quote is not closed");
        rule->kind = FIELD_LITERAL;
        rule->text = gt_str_slice(text, 1, text.len - 2);
    } else if (first == '#' && is_number(gt_str_slice(text, 1, SIZE_MAX))) {
        rule->kind = FIELD_COLUMN;
        if (!read_column(gt_str_slice(text, 1, SIZE_MAX), &rule->column))
            return conf_fail(&rule->origin, info, "columns count from 1");
    } else if (is_number(text)) {
        rule->kind = is_count ? FIELD_LITERAL : FIELD_COLUMN;
        if (!is_count && !read_column(text, &rule->column)) return conf_fail(&rule->origin, info, "columns count from 1");
    }
    return GT_OK;
}

/* Adds the rules of one value: one for each line of `variant`, else one. Empty values switch a key off that [defaults] sets. */
static enum gt_err add_value(const struct conf_value *value, struct gt_str field, bool is_count, struct arena *arena,
                             struct field_rules *rules, struct gt_errinfo *info)
{
    struct conf_value origin;
    if (!conf_value_copy(value, arena, &origin)) return gt_fail(info, GT_ENOMEM, "no memory for rules");
    struct gt_str rest = origin.text, line = origin.text;
    bool is_split = gt_str_is(field, "variant");
    while (is_split ? gt_str_split(&rest, '\n', &line) : rest.len > 0) {
        if (!is_split) rest = GT_STR("");
        if (rules->count == FIELD_RULES_MAX) return conf_fail(value, info, "too many field rules (FIELD_RULES_MAX)");
        struct field_rule *rule = &rules->rules[rules->count];
        *rule = (struct field_rule){.field = field, .origin = origin};
        enum gt_err err = classify(rule, gt_str_trim(line), is_count, info);
        if (err != GT_OK) return err;
        rules->count++;
    }
    return GT_OK;
}

static bool is_of_family(struct gt_str name)
{
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; i++) {
        if (gt_str_starts(name, gt_str_from(FAMILIES[i])) && name.len > strlen(FAMILIES[i])) return true;
    }
    return false;
}

/* A misspelt "price.huor" would be a price of no period: it is told where it stands. */
static enum gt_err check_family(const struct conf_value *value, struct gt_errinfo *info)
{
    struct gt_str unknown;
    const char *nearest;
    if (listing_field_name_check(value->name, &unknown, &nearest)) return GT_OK;
    char message[MESSAGE_BYTES];
    unknown = gt_str_slice(unknown, 0, WORD_BYTES_SHOWN);
    if (nearest != NULL)
        snprintf(message, sizeof message, "\"%.*s\" says nothing about a price, did you mean \"%s\"?", GT_STR_ARG(unknown), nearest);
    else snprintf(message, sizeof message, "\"%.*s\" says nothing about a price; sites.conf(5) lists the words", GT_STR_ARG(unknown));
    return conf_fail(value, info, message);
}

/* Fixed keys first, then families such as price.hour.spot. */
enum gt_err field_rules_read(const struct conf_section *section, struct arena *arena, struct field_rules *ret_rules,
                             struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    ret_rules->count = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0] && err == GT_OK; i++) {
        const struct conf_value *value = conf_get(section, KEYS[i].key);
        if (value != NULL) err = add_value(value, gt_str_from(KEYS[i].field), KEYS[i].is_count, arena, ret_rules, info);
    }
    const struct conf_value *value;
    for (size_t i = 0; err == GT_OK && (value = conf_at(section, i)) != NULL; i++) {
        if (!is_of_family(value->name)) continue;
        err = check_family(value, info);
        if (err != GT_OK) break;
        struct gt_str field = arena_dup(arena, value->name);
        err = field.ptr == NULL ? gt_fail(info, GT_ENOMEM, "no memory for rules")
                                : add_value(value, field, false, arena, ret_rules, info);
    }
    return err;
}

bool field_name_is_known(struct gt_str name)
{
    if (is_of_family(name)) return true;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (gt_str_is(name, KEYS[i].field)) return true;
    }
    for (size_t i = 0; i < sizeof SELF_NAMED / sizeof SELF_NAMED[0]; i++) {
        if (gt_str_is(name, SELF_NAMED[i])) return true;
    }
    return false;
}

bool rule_is_regex(struct gt_str rule)
{
    rule = gt_str_trim(rule);
    return rule.len >= 3 && rule.ptr[0] == '/' && rule.ptr[rule.len - 1] == '/' && rule.ptr[1] != '/';
}

struct gt_str rule_regex_text(struct gt_str rule)
{
    rule = gt_str_trim(rule);
    return rule_is_regex(rule) ? gt_str_slice(rule, 1, rule.len - 2) : rule;
}
