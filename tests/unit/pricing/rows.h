/* Listings written as lines of text, for tests of the whole way from printed texts to offers.
 * A row is "label=RTX 4090; price.hour[单价（元/时）]=1.98; stock=售罄": fields parted by "; ", a heading in brackets. */
#ifndef GT_TESTS_UNIT_PRICING_ROWS_H
#define GT_TESTS_UNIT_PRICING_ROWS_H

#include "pricing/listing.h"
#include "tests/unit/pricing/build.h"

/* One field of "name[heading]=text". */
static inline struct listing_field rows_field(struct gt_str piece)
{
    struct listing_field field = {0};
    size_t equals = gt_str_find(piece, GT_STR("="), 0);
    if (equals == SIZE_MAX) abort();
    struct gt_str name = gt_str_trim(gt_str_slice(piece, 0, equals));
    size_t bracket = gt_str_find(name, GT_STR("["), 0);
    if (bracket != SIZE_MAX) {
        size_t end = gt_str_find(name, GT_STR("]"), bracket);
        field.header = gt_str_slice(name, bracket + 1, end - bracket - 1);
        name = gt_str_slice(name, 0, bracket);
    }
    field.name = name;
    field.text = gt_str_trim(gt_str_slice(piece, equals + 1, SIZE_MAX));
    return field;
}

/* Parses one line into a listing whose fields live in the arena. */
static inline struct listing rows_listing(const char *line, struct arena *arena)
{
    struct listing_field *fields = arena_array(arena, LISTING_FIELDS_MAX, sizeof *fields);
    struct listing listing = {.fields = fields, .confidence_permille = 1000};
    struct gt_str text = gt_str_from(line);
    if (fields == NULL) abort();
    for (size_t at = 0; at < text.len && listing.field_count < LISTING_FIELDS_MAX;) {
        size_t end = gt_str_find(text, GT_STR("; "), at);
        if (end == SIZE_MAX) end = text.len;
        fields[listing.field_count++] = rows_field(gt_str_slice(text, at, end - at));
        at = end + 2;
    }
    return listing;
}

/* Facts of a page without a section, in a currency ("" none). */
static inline struct site_facts rows_facts(const char *currency)
{
    struct site_facts facts;
    if (site_facts_from_conf(NULL, &facts, NULL) != GT_OK) abort();
    facts.currency = currency_from(gt_str_from(currency));
    return facts;
}

/* Reads lines (closed by NULL) as one page. */
static inline struct reading rows_read(const char *const *lines, const struct site_facts *facts, struct arena *arena)
{
    struct listing *listings = arena_array(arena, LISTING_FIELDS_MAX, sizeof *listings);
    struct reading reading = {0};
    size_t count = 0;
    if (listings == NULL) abort();
    for (; count < LISTING_FIELDS_MAX && lines[count] != NULL; count++) listings[count] = rows_listing(lines[count], arena);
    assert_int_equal(listing_read(listings, count, facts, GT_STR("page"), arena, &reading), GT_OK);
    return reading;
}

/* What a quote says, in one line: "1.96 CNY/hour list exact card". */
static inline struct gt_str rows_show_quote(const struct quote *quote, struct arena *arena)
{
    char amount[MONEY_TEXT_MAX], high[MONEY_TEXT_MAX];
    struct gt_str text = arena_printf(
        arena, "%s%s%s %s/%s %s %s %s", money_format(quote->amount_nano, amount), quote->amount_high_nano != 0 ? ".." : "",
        quote->amount_high_nano != 0 ? money_format(quote->amount_high_nano, high) : "", quote->currency.code,
        word_text(VOCABULARY_PERIOD, (int)quote->period), word_text(VOCABULARY_ROLE, (int)quote->role),
        word_text(VOCABULARY_BOUND, (int)quote->bound), word_text(VOCABULARY_BASIS, (int)quote->basis));
    if (quote->months > 1) text = arena_printf(arena, "%.*s %dm", GT_STR_ARG(text), (int)quote->months);
    for (size_t i = 0; i < quote->condition_count; i++)
        text = arena_printf(arena, "%.*s +%s", GT_STR_ARG(text), word_text(VOCABULARY_COND, (int)quote->conditions[i].kind));
    return text;
}

/* What a discount says: "0.95 prepay-month", with "?" in front of an inferred one. */
static inline struct gt_str rows_show_discount(const struct discount *discount, struct arena *arena)
{
    char factor[MONEY_TEXT_MAX], other[MONEY_TEXT_MAX];
    struct gt_str text =
        arena_printf(arena, "%s%s", discount->is_inferred ? "?" : "", money_format(discount->factor_nano, factor));
    if (discount->factor_alt_nano != 0)
        text = arena_printf(arena, "%.*s or %s", GT_STR_ARG(text), money_format(discount->factor_alt_nano, other));
    if (discount->amount_off_nano != 0) text = arena_printf(arena, "-%s", money_format(discount->amount_off_nano, other));
    for (size_t i = 0; i < discount->condition_count; i++) {
        const struct condition *condition = &discount->conditions[i];
        text = arena_printf(arena, "%.*s +%s", GT_STR_ARG(text), word_text(VOCABULARY_COND, (int)condition->kind));
        if (condition->kind == COND_MIN_MONTHS || condition->kind == COND_MIN_CARDS)
            text = arena_printf(arena, "%.*s:%lld", GT_STR_ARG(text), (long long)condition->n);
    }
    return text;
}

/* All quotes, then all discounts, joined by " | ". */
static inline struct gt_str rows_show(const struct offer *offer, struct arena *arena)
{
    struct gt_str text = {"", 0};
    for (size_t i = 0; i < offer->record.quote_count; i++)
        text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? " | " : "",
                            GT_STR_ARG(rows_show_quote(&offer->record.quotes[i], arena)));
    for (size_t i = 0; i < offer->record.discount_count; i++)
        text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? " | " : "",
                            GT_STR_ARG(rows_show_discount(&offer->record.discounts[i], arena)));
    return text;
}

#endif
