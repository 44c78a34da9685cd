/* The field rules of a [site] section, read once for all extractors: which field, and how its text is found. Inside parsers/
 * only. */
#ifndef GT_PARSERS_FIELD_RULES_H
#define GT_PARSERS_FIELD_RULES_H

#include "common/conf.h"

enum {
    FIELD_RULES_MAX = 64,
    FIELD_RULE_BYTES_MAX = 8 * 1024,
    FIELD_RULES_ARENA_MAX = 1024 * 1024, /* for the texts of one site's rules */
};

enum field_rule_kind {
    FIELD_LITERAL, /* 'literal text', or a plain number for a count such as `cards` */
    FIELD_COLUMN,  /* #3, or a plain number for anything but a count: the column, from 1 */
    FIELD_WORDS,   /* everything else; what it means is the extractor's matter: a header's words, a key, a group */
};

struct field_rule {
    struct gt_str field; /* the listing's field: "price.hour"; `remark` of the section is "note" here */
    enum field_rule_kind kind;
    struct gt_str text;       /* the words, or the literal without its quotes */
    size_t column;            /* FIELD_COLUMN: from 0 */
    struct conf_value origin; /* where it was written, for errors; its texts are copies */
};

/* All rules of a section in a fixed order: label first, then the plain fields, then price.* and discount.* by name. `variant`
 * has a rule for each of its lines. Texts live in the arena that came with them. */
struct field_rules {
    struct field_rule rules[FIELD_RULES_MAX];
    size_t count;
};

/* Reads them. GT_OK; GT_ECONF with file:line (a quote that is not closed, a rule that is too long, too many); GT_ENOMEM. */
enum gt_err field_rules_read(const struct conf_section *section, struct arena *arena, struct field_rules *ret_rules,
                             struct gt_errinfo *info);

/* A copy of a value whose texts live in the arena; false when that is full. A NULL value gives an empty copy. */
bool conf_value_copy(const struct conf_value *value, struct arena *arena, struct conf_value *ret_copy);

/* True when a listing may have a field of that name: those of sites.conf's field rules and, of rows that name themselves (JSON
 * keys, groups), also delivery, tier, currency, tax and note. */
bool field_name_is_known(struct gt_str name);

/* `skip` and /regex/ rules: the pattern between the slashes, or the whole text when it has none. */
struct gt_str rule_regex_text(struct gt_str rule);

/* True when the rule is written as /regex/. */
bool rule_is_regex(struct gt_str rule);

#endif
