/* The part of proposing that knows no kind of page: texts of listings found among texts of rows. */
#include <string.h>

#include "common/strbuf.h"
#include "parsers/propose_example.h"
#include "pricing/listing_spec.h"

enum { LABEL_CUT_MIN = 150, LINES_MAX = 64 * 1024 };

/* Two ways to the same rules are one candidate. */
void propose_add(struct propose *propose, struct gt_str rules)
{
    if (rules.ptr == NULL) propose->is_out_of_memory = true;
    if (rules.len == 0 || propose->candidate_count == PROPOSE_CANDIDATES_MAX) return;
    for (size_t i = 0; i < propose->candidate_count; i++)
        if (gt_str_eq(propose->candidates[i], rules)) return;
    propose->candidates[propose->candidate_count++] = rules;
}

/* ---- texts ---- */

/* The next byte that is no blank; false at the end. */
static bool next_byte(struct gt_str text, size_t *at, char *ret)
{
    while (*at < text.len && strchr(" \t\r\n", text.ptr[*at]) != NULL) (*at)++;
    if (*at >= text.len) return false;
    *ret = text.ptr[(*at)++];
    return true;
}

/* Without blanks, since cells are joined from pieces in more than one way; a label may have been cut at its limit. */
bool propose_is_text(struct gt_str cell, struct gt_str text)
{
    size_t i = 0, k = 0;
    char a = '\0', b = '\0';
    for (;;) {
        bool has_a = next_byte(cell, &i, &a), has_b = next_byte(text, &k, &b);
        if (!has_b) return !has_a || text.len >= LABEL_CUT_MIN;
        if (!has_a || a != b) return false;
    }
}

/* A memory size may be printed in other words: "80 GiB" is the listing's "80 GB". */
static bool is_field(struct gt_str cell, struct gt_str name, struct gt_str text)
{
    if (cell.len == 0) return false;
    if (gt_str_is(name, "vram") && spec_gb_read(cell) > 0) return spec_gb_read(cell) == spec_gb_read(text);
    if (gt_str_is(name, "currency")) return gt_str_eq_nocase(gt_str_trim(cell), text);
    return propose_is_text(cell, text);
}

/* "price" and "price.sale", not "prices". */
static bool is_price(struct gt_str name)
{
    return gt_str_is(name, "price") || gt_str_starts(name, GT_STR("price."));
}

/* The label alone is too little: models are named in menus and headings, too. */
bool propose_is_row(const struct gt_str *cells, size_t places, const struct listing *listing)
{
    bool has_label = false, has_price = false;
    for (size_t i = 0; i < listing->field_count && !(has_label && has_price); i++) {
        const struct listing_field *field = &listing->fields[i];
        bool *has = gt_str_is(field->name, "label") ? &has_label : is_price(field->name) ? &has_price : NULL;
        for (size_t p = 0; has != NULL && !*has && p < places; p++) *has = is_field(cells[p], field->name, field->text);
    }
    return has_label && has_price;
}

/* ---- places ---- */

/* A listing's nth field of a name; NULL when it has none. */
static const struct listing_field *field_of(const struct listing *listing, struct gt_str name, size_t nth)
{
    for (size_t i = 0; i < listing->field_count; i++)
        if (gt_str_eq(listing->fields[i].name, name) && nth-- == 0) return &listing->fields[i];
    return NULL;
}

/* One of the words that were joined to a variant; "" past the last. */
static struct gt_str piece_of(struct gt_str variant, size_t nth)
{
    size_t from = 0, end;
    for (;; nth--, from = end + 3) {
        end = gt_str_find(variant, GT_STR(" | "), from);
        if (nth == 0 || end == SIZE_MAX) break;
    }
    if (nth > 0) return GT_STR("");
    return gt_str_slice(variant, from, end == SIZE_MAX ? SIZE_MAX : end - from);
}

struct gt_str propose_text(const struct listing *listing, const struct propose_field *field)
{
    bool is_variant = gt_str_is(field->name, "variant");
    const struct listing_field *found = field_of(listing, field->name, is_variant ? 0 : field->nth);
    if (found == NULL) return GT_STR("");
    return is_variant ? piece_of(found->text, field->nth) : found->text;
}

/* True when the place holds the field's text in all examples that have it. Two fields may stand at one place: a label that is
 * also the specification. */
static bool is_place(const struct example *examples, size_t count, const struct propose_field *field, size_t place)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct gt_str text = propose_text(examples[i].listing, field);
        if (text.len == 0) continue;
        if (!is_field(examples[i].cells[place], field->name, text)) return false;
        found++;
    }
    return found > 0;
}

/* Adds a field when it has a place. True when it has one. */
static bool add_field(const struct example *examples, size_t count, size_t places, struct propose_field field,
                      struct propose_field *fields, size_t *field_count)
{
    for (size_t p = 0; p < places && *field_count < PROPOSE_FIELDS_MAX; p++) {
        bool is_taken = false;
        for (size_t i = 0; i < *field_count; i++) is_taken |= fields[i].place == p;
        if (is_taken || !is_place(examples, count, &field, p)) continue;
        field.place = p;
        fields[(*field_count)++] = field;
        return true;
    }
    return false;
}

/* The field has one and the same text in every listing: adds it as a literal. */
static void add_literal(const struct example *examples, size_t count, struct propose_field field, struct propose_field *fields,
                        size_t *field_count)
{
    struct gt_str text = propose_text(field.listing, &field);
    bool is_word = gt_str_is(field.name, "variant") || gt_str_is(field.name, "region") || gt_str_is(field.name, "plan");
    if (!is_word || *field_count == PROPOSE_FIELDS_MAX || text.len == 0 || text.len > PROPOSE_WORDS_MAX) return;
    for (size_t i = 0; i < count; i++)
        if (!gt_str_eq(propose_text(examples[i].listing, &field), text)) return;
    field.place = PROPOSE_LITERAL;
    fields[(*field_count)++] = field;
}

struct gt_str propose_literal(struct propose *propose, const struct propose_field *field)
{
    struct gt_str text = propose_text(field->listing, field);
    if (gt_str_find(text, GT_STR("'"), 0) != SIZE_MAX || gt_str_find(text, GT_STR("\n"), 0) != SIZE_MAX) return GT_STR("");
    return arena_printf(propose->arena, "'%.*s'", GT_STR_ARG(text));
}

/* The field is in the list already. */
static bool is_listed(const struct propose_field *fields, size_t count, struct gt_str name, size_t nth)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].nth == nth && gt_str_eq(fields[i].name, name)) return true;
    return false;
}

/* Every field that a listing has; false when its label or a price has no place. */
static bool add_listing(const struct example *examples, size_t count, size_t places, const struct listing *listing,
                        struct propose_field *fields, size_t *field_count)
{
    for (size_t i = 0; i < listing->field_count; i++) {
        const struct listing_field *own = &listing->fields[i];
        struct propose_field field = {.name = own->name, .example = own, .listing = listing};
        for (size_t k = 0; k < i; k++) field.nth += gt_str_eq(listing->fields[k].name, own->name);
        bool is_needed = gt_str_is(own->name, "label") || is_price(own->name), is_variant = gt_str_is(own->name, "variant");
        if (is_listed(fields, *field_count, own->name, field.nth)) continue;
        bool is_placed = add_field(examples, count, places, field, fields, field_count);
        if (!is_placed && is_needed) return false;
        if (!is_placed) add_literal(examples, count, field, fields, field_count);
        for (field.nth = 1; is_variant && piece_of(own->text, field.nth).len > 0; field.nth++)
            if (!add_field(examples, count, places, field, fields, field_count))
                add_literal(examples, count, field, fields, field_count);
    }
    return true;
}

/* All listings have a say: a promotion that stands in one row only is a column of the table all the same. */
size_t propose_places(const struct example *examples, size_t count, size_t places,
                      struct propose_field ret_fields[PROPOSE_FIELDS_MAX])
{
    size_t field_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!add_listing(examples, count, places, examples[i].listing, ret_fields, &field_count)) return 0;
    return field_count;
}

/* From everything to the least that makes an offer. */
static bool is_chosen(struct gt_str name, enum propose_choice choice)
{
    bool is_least = gt_str_is(name, "label") || is_price(name);
    switch (choice) {
    case CHOICE_ALL: return true;
    case CHOICE_NO_VRAM: return !gt_str_is(name, "vram");
    case CHOICE_FEW: return is_least || gt_str_is(name, "cards") || gt_str_is(name, "variant");
    default: return is_least;
    }
}

/* A choice that leaves nothing more out than the one before would only be tried twice. */
size_t propose_choose(const struct propose_field *fields, size_t count, enum propose_choice choice, struct propose_field *ret)
{
    size_t chosen = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        if (choice > CHOICE_ALL) before += is_chosen(fields[i].name, (enum propose_choice)(choice - 1));
        if (is_chosen(fields[i].name, choice)) ret[chosen++] = fields[i];
    }
    return choice > CHOICE_ALL && chosen == before ? 0 : chosen;
}

/* ---- names ---- */

/* What a price's reading says that its name may tell. */
static bool quote_of(struct propose *propose, const struct propose_field *field, struct quote *ret)
{
    struct site_facts facts;
    struct reading reading;
    struct listing_field fields[3] = {*field->example};
    struct listing one = {.fields = fields, .field_count = 2, .confidence_permille = 1000};
    const struct listing_field *label = field_of(field->listing, GT_STR("label"), 0);
    const struct listing_field *currency = field_of(field->listing, GT_STR("currency"), 0);
    if (label == NULL || site_facts_from_conf(NULL, &facts, NULL) != GT_OK) return false;
    facts.currency = currency_from(propose->currency);
    fields[1] = *label;
    if (currency != NULL) fields[one.field_count++] = *currency;
    if (listing_read(&one, 1, &facts, GT_STR("page"), propose->arena, &reading) != GT_OK) return false;
    if (reading.offer_count == 0 || reading.offers[0].record.quote_count == 0) return false;
    *ret = reading.offers[0].record.quotes[0];
    return true;
}

/* Read from the listing alone, with its heading: what the page says around it, `auto` has put there. */
struct gt_str propose_name(struct propose *propose, const struct propose_field *field, enum propose_naming naming)
{
    struct quote quote;
    if (!is_price(field->name) || naming == NAMING_PLAIN || naming == NAMING_UNION || !quote_of(propose, field, &quote)) return field->name;
    for (size_t i = 0; i < quote.condition_count; i++)
        if (quote.conditions[i].kind == COND_PROMOTION) return GT_STR("promo");
    bool has_period = naming >= NAMING_PERIOD && quote.period != PERIOD_NONE;
    bool has_basis = naming == NAMING_FULL && quote.basis != BASIS_UNKNOWN;
    bool has_months = naming == NAMING_FULL && quote.months > 0, has_role = quote.role != ROLE_LIST;
    struct gt_str months = has_months ? arena_printf(propose->arena, ".%dm", (int)quote.months) : GT_STR("");
    return arena_printf(propose->arena, "price%s%s%s%s%s%s%.*s", has_period ? "." : "",
                        has_period ? word_text(VOCABULARY_PERIOD, (int)quote.period) : "", has_role ? "." : "",
                        has_role ? word_text(VOCABULARY_ROLE, (int)quote.role) : "", has_basis ? "." : "",
                        has_basis ? word_text(VOCABULARY_BASIS, (int)quote.basis) : "", GT_STR_ARG(months));
}

/* True when a field before this one has its name. */
static bool is_repeated(const struct gt_str *names, size_t at)
{
    for (size_t k = 0; k < at; k++)
        if (gt_str_eq(names[k], names[at])) return true;
    return false;
}

/* One value: the rules of all fields of a name, joined as the naming allows. */
static void add_line(struct strbuf *lines, const struct gt_str *names, const struct gt_str *rules, size_t count, size_t at)
{
    bool is_variant = gt_str_is(names[at], "variant");
    strbuf_addf(lines, "%.*s = %.*s", GT_STR_ARG(names[at]), GT_STR_ARG(rules[at]));
    for (size_t k = at + 1; k < count; k++)
        if (gt_str_eq(names[k], names[at])) strbuf_addf(lines, "%s%.*s", is_variant ? "\n  " : " | ", GT_STR_ARG(rules[k]));
    strbuf_addc(lines, '\n');
}

struct gt_str propose_lines(struct propose *propose, const struct propose_field *fields, size_t count,
                            const struct gt_str *rules, enum propose_naming naming)
{
    struct gt_str names[PROPOSE_FIELDS_MAX];
    struct strbuf lines;
    bool is_twice = false;
    strbuf_init(&lines, LINES_MAX);
    for (size_t i = 0; i < count; i++) {
        names[i] = propose_name(propose, &fields[i], naming);
        bool may_join = gt_str_is(names[i], "variant") || (naming == NAMING_UNION && is_price(names[i]));
        is_twice |= rules[i].len == 0 || (is_repeated(names, i) && !may_join);
    }
    /* The currency of every row is a field only of rows that name themselves; the section says it for all. */
    for (size_t i = 0; i < count; i++)
        if (!is_repeated(names, i) && !gt_str_is(names[i], "currency")) add_line(&lines, names, rules, count, i);
    struct gt_str copy = is_twice || lines.err != GT_OK ? GT_STR("") : arena_dup(propose->arena, strbuf_str(&lines));
    strbuf_done(&lines);
    return copy;
}
