#include "store/diff.h"

/* In order: the printed order is part of what was printed. */
static bool conditions_eq(const struct condition *a, size_t a_count, const struct condition *b, size_t b_count)
{
    if (a_count != b_count) return false;
    for (size_t i = 0; i < a_count; i++)
        if (a[i].kind != b[i].kind || a[i].n != b[i].n || !gt_str_eq(a[i].text, b[i].text)) return false;
    return true;
}

/* Equal codes, also when both are unknown; currency_eq would call those different. */
static bool code_eq(struct currency a, struct currency b)
{
    return strncmp(a.code, b.code, CURRENCY_MAX) == 0;
}

/* What one unit of the amount buys. */
static bool unit_eq(const struct quote *a, const struct quote *b)
{
    return a->period == b->period && a->period_count == b->period_count && a->basis == b->basis && a->cards == b->cards;
}

/* Everything of a quote but its amount and its unit. */
static bool terms_eq(const struct quote *a, const struct quote *b)
{
    return a->role == b->role && a->bound == b->bound && a->months == b->months && a->is_upfront == b->is_upfront &&
           a->tax == b->tax && code_eq(a->currency, b->currency) &&
           conditions_eq(a->conditions, a->condition_count, b->conditions, b->condition_count);
}

/* All that decides what is paid. The words it was read from may differ. */
static bool discount_eq(const struct discount *a, const struct discount *b)
{
    return a->factor_nano == b->factor_nano && a->factor_alt_nano == b->factor_alt_nano &&
           a->amount_off_nano == b->amount_off_nano && code_eq(a->currency, b->currency) && a->stacks == b->stacks &&
           a->is_inferred == b->is_inferred && a->is_upto == b->is_upto &&
           conditions_eq(a->conditions, a->condition_count, b->conditions, b->condition_count);
}

static bool discounts_eq(const struct offer_record *a, const struct offer_record *b)
{
    if (a->discount_count != b->discount_count) return false;
    for (size_t i = 0; i < a->discount_count; i++)
        if (!discount_eq(&a->discounts[i], &b->discounts[i])) return false;
    return true;
}

/* Quotes are compared in the order in which the page prints them. When their number differs, which of them is new cannot
 * be told, and need not be: the terms are others. */
static unsigned diff_quotes(const struct offer_record *before, const struct offer_record *after)
{
    if (before->quote_count != after->quote_count) return KIND_BIT(CHANGE_TERMS);
    unsigned kinds = 0;
    for (size_t i = 0; i < before->quote_count; i++) {
        const struct quote *a = &before->quotes[i], *b = &after->quotes[i];
        if (!unit_eq(a, b)) kinds |= KIND_BIT(CHANGE_UNIT);
        else if (a->amount_nano != b->amount_nano || a->amount_high_nano != b->amount_high_nano) kinds |= KIND_BIT(CHANGE_PRICE);
        if (!terms_eq(a, b)) kinds |= KIND_BIT(CHANGE_TERMS);
    }
    return kinds;
}

static bool has_promotion_in(const struct condition *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (conditions[i].kind == COND_PROMOTION || conditions[i].kind == COND_UNTIL) return true;
    return false;
}

/* Printed as a promotion, or with an end: both go away by themselves. */
static bool has_promotion(const struct offer_record *record)
{
    for (size_t i = 0; i < record->quote_count; i++)
        if (has_promotion_in(record->quotes[i].conditions, record->quotes[i].condition_count)) return true;
    for (size_t i = 0; i < record->discount_count; i++)
        if (has_promotion_in(record->discounts[i].conditions, record->discounts[i].condition_count)) return true;
    return false;
}

/* Only beginning and end are told here; what a promotion costs is told as price and terms. */
static unsigned diff_promotion(const struct offer_record *before, const struct offer_record *after)
{
    bool had = has_promotion(before), has = has_promotion(after);
    if (had == has) return 0;
    return has ? KIND_BIT(CHANGE_PROMOTION_BEGAN) : KIND_BIT(CHANGE_PROMOTION_ENDED);
}

/* Only sold out or not: limited and unknown come and go with words on the page. */
static unsigned diff_stock(const struct offer_record *before, const struct offer_record *after)
{
    bool was_out = before->availability == AVAIL_SOLD_OUT, is_out = after->availability == AVAIL_SOLD_OUT;
    if (was_out == is_out) return 0;
    return is_out ? KIND_BIT(CHANGE_SOLD_OUT) : KIND_BIT(CHANGE_BACK_IN_STOCK);
}

unsigned diff_attributes(const struct offer_attributes *before, const struct offer_attributes *after)
{
    if (before == NULL || after == NULL) return 0;
    bool same = before->cards == after->cards && before->slice_num == after->slice_num && before->slice_den == after->slice_den;
    return same ? 0 : KIND_BIT(CHANGE_UNIT);
}

unsigned diff_kinds(const struct offer_record *before, const struct offer_record *after,
                    const struct offer_attributes *attributes_before, const struct offer_attributes *attributes_after)
{
    unsigned kinds = diff_quotes(before, after) | diff_promotion(before, after) | diff_stock(before, after) |
                     diff_attributes(attributes_before, attributes_after);
    if (!discounts_eq(before, after)) kinds |= KIND_BIT(CHANGE_TERMS);
    /* The normal form speaks where quotes came or went: it moved, or it did not. A changed unit speaks for itself. */
    bool has_moved = before->hour_list_nano != after->hour_list_nano || before->month_list_nano != after->month_list_nano ||
                     !code_eq(before->currency, after->currency);
    if (has_moved && (kinds & KIND_BIT(CHANGE_UNIT)) == 0) kinds |= KIND_BIT(CHANGE_PRICE);
    return kinds;
}
