/* The normal form of a record, and rows that say the same twice. */
#include <stdlib.h>

#include "pricing/listing_row.h"
#include "pricing/net_price_quote.h"

enum { HOUR_S = 3600, REPEATS_LOOKED_AT = 64 };

/* Some price of the record is in it. */
static bool has_currency(const struct offer_record *record, struct currency currency)
{
    for (size_t i = 0; i < record->quote_count; i++)
        if (currency_eq(record->quotes[i].currency, currency)) return true;
    return false;
}

/* The record's one currency: the section's where some price is in it, else that of the first list price, else of the first
 * price. */
static struct currency currency_of(const struct offer_record *record, const struct site_facts *facts)
{
    if (has_currency(record, facts->currency)) return facts->currency;
    for (size_t i = 0; i < record->quote_count; i++)
        if (record->quotes[i].role == ROLE_LIST) return record->quotes[i].currency;
    return record->quote_count > 0 ? record->quotes[0].currency : (struct currency){""};
}

/* A list price that everybody can have without being bound. What is only let as spot has its spot price for a list price. */
static bool is_list(const struct offer *offer, const struct quote *quote)
{
    bool is_role = quote->role == ROLE_LIST || (quote->role == ROLE_SPOT && offer->attributes.tier == TIER_SPOT);
    bool is_currency = memcmp(&quote->currency, &offer->record.currency, sizeof quote->currency) == 0;
    return is_role && is_currency && quote->bound == BOUND_EXACT && quote->amount_nano > 0 && quote_is_plain(quote);
}

/* The first list price of the wanted kind; the longer period where second and hour are both printed. */
static const struct quote *list_find(const struct offer *offer, bool by_hour)
{
    const struct quote *best = NULL;
    for (size_t i = 0; i < offer->record.quote_count; i++) {
        const struct quote *quote = &offer->record.quotes[i];
        struct quote_term term = quote_term(quote);
        bool is_wanted = by_hour ? term.seconds > 0 && term.seconds <= HOUR_S : term.months_paid == 1;
        if (!is_wanted || !is_list(offer, quote) || quote_cards(offer, quote) == 0) continue;
        if (best == NULL || term.seconds > quote_term(best).seconds) best = quote;
    }
    return best;
}

void listing_normalise(struct offer *offer, const struct site_facts *facts)
{
    struct offer_record *record = &offer->record;
    /* One currency a record: figures in two of them are never compared, so one must not follow the other by accident. */
    record->currency = currency_of(record, facts);
    const struct quote *hour = list_find(offer, true), *month = list_find(offer, false);
    int32_t hours = facts->hours_per_month;
    if (hour == NULL || !quote_per_card(offer, hour, true, hours, &record->hour_list_nano)) record->hour_list_nano = 0;
    if (month == NULL || !quote_per_card(offer, month, false, hours, &record->month_list_nano)) record->month_list_nano = 0;
}

/* Everything that a reader would notice; where it was printed does not count. */
static bool is_same_quote(const struct quote *a, const struct quote *b)
{
    return a->amount_nano == b->amount_nano && a->amount_high_nano == b->amount_high_nano && a->period == b->period &&
           a->period_count == b->period_count && a->basis == b->basis && a->cards == b->cards && a->role == b->role &&
           a->bound == b->bound && a->months == b->months && a->condition_count == b->condition_count &&
           memcmp(&a->currency, &b->currency, sizeof a->currency) == 0;
}

/* The same prices, discounts and availability, in the same order. */
static bool is_same_record(const struct offer_record *a, const struct offer_record *b)
{
    if (a->quote_count != b->quote_count || a->discount_count != b->discount_count || a->availability != b->availability)
        return false;
    for (size_t i = 0; i < a->quote_count; i++)
        if (!is_same_quote(&a->quotes[i], &b->quotes[i])) return false;
    for (size_t i = 0; i < a->discount_count; i++)
        if (a->discounts[i].factor_nano != b->discounts[i].factor_nano ||
            a->discounts[i].amount_off_nano != b->discounts[i].amount_off_nano)
            return false;
    return true;
}

/* For qsort: by identity, then by place on the page, so that the first of equals stays. */
static int compare_pointers(const void *a, const void *b)
{
    const struct offer *x = *(const struct offer *const *)a, *y = *(const struct offer *const *)b;
    int order = offer_identity_cmp(&x->identity, &y->identity);
    return order != 0 ? order : (x > y) - (x < y);
}

/* True when one of the offers just before in the order, of the same identity, says the same. */
static bool repeats_one(const struct offer *const *sorted, size_t at)
{
    for (size_t back = 1; back <= at && back <= REPEATS_LOOKED_AT; back++) {
        const struct offer *earlier = sorted[at - back];
        if (offer_identity_cmp(&earlier->identity, &sorted[at]->identity) != 0) return false;
        if (is_same_record(&earlier->record, &sorted[at]->record)) return true;
    }
    return false;
}

/* Pointers are sorted, not the offers: the page's order stays, and of equal rows the first is kept. */
enum gt_err listing_drop_repeats(struct offer *offers, size_t *count, struct arena *arena)
{
    const struct offer **sorted = arena_array(arena, *count, sizeof(const struct offer *));
    uint8_t *is_repeat = arena_array(arena, *count, sizeof *is_repeat);
    size_t kept = 0;
    if (sorted == NULL || is_repeat == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < *count; i++) sorted[i] = &offers[i];
    if (*count > 1) qsort(sorted, *count, sizeof(const struct offer *), compare_pointers);
    for (size_t i = 1; i < *count; i++) is_repeat[sorted[i] - offers] = repeats_one(sorted, i);
    for (size_t i = 0; i < *count; i++)
        if (!is_repeat[i]) offers[kept++] = offers[i];
    *count = kept;
    return GT_OK;
}
