/* Printed discounts against printed prices. */
#include "pricing/audit_check.h"
#include "pricing/net_price_contained.h"
#include "pricing/net_price_quote.h"
#include "pricing/net_price_terms.h"

enum { FACTORS_MAX = 5, NEAR_PER_MILLE = 5, PER_MILLE = 1000, HOURS_OF_A_DAY = 24 };

/* The factors of an offer that can be multiplied, the inferred one first. */
static size_t factors_read(const struct offer *offer, int64_t factors[FACTORS_MAX], bool *ret_inferred)
{
    size_t count = 0;
    *ret_inferred = false;
    for (size_t i = 0; i < offer->record.discount_count && count < FACTORS_MAX; i++) {
        const struct discount *discount = &offer->record.discounts[i];
        if (discount->factor_nano <= 0 || discount->factor_alt_nano != 0 || discount->is_upto) continue;
        if (discount->is_inferred) *ret_inferred = true;
        factors[count++] = discount->factor_nano;
    }
    return count;
}

/* What the factors of a subset leave to pay. */
static int64_t product(const int64_t *factors, size_t count, unsigned subset)
{
    int64_t value = NANO;
    for (size_t i = 0; i < count; i++)
        if ((subset & (1u << i)) != 0 && money_scale(value, factors[i], NANO, ROUND_HALF_UP, &value) != GT_OK) return 0;
    return value;
}

/* amount × factor; 0 when it does not fit, which no printed price is. */
static int64_t times(int64_t amount_nano, int64_t factor_nano)
{
    int64_t value = 0;
    return money_scale(amount_nano, factor_nano, NANO, ROUND_HALF_UP, &value) == GT_OK ? value : 0;
}

/* The reduced price at `i` that stands beside a list price of its kind, or NULL. */
static const struct quote *reduced_at(const struct offer *offer, size_t i, const struct quote **ret_list)
{
    const struct quote *shown = &offer->record.quotes[i];
    if (shown->role != ROLE_SALE || shown->bound != BOUND_EXACT || shown->amount_nano <= 0 || quote_is_promotion(shown))
        return NULL;
    *ret_list = quote_list_of(&offer->record, shown);
    return *ret_list != NULL ? shown : NULL;
}

/* Which of the site's and the row's own factor a shown price holds. */
static void say_which(struct audit *audit, const struct quote *list, const struct quote *shown, int64_t site_nano,
                      int64_t label_nano)
{
    int64_t both_nano = times(site_nano, label_nano);
    const char *aside = quote_is_explained(list, label_nano, shown) ? "; the label alone would come to the same" : "";
    if (quote_is_explained(list, site_nano, shown))
        audit_add(audit, AUDIT_SHOWN_SITE, "%s is shown, %s × %s = %s: the site-wide factor alone, without the labelled %s%s",
                  AUDIT_TEXT(shown->amount_nano), AUDIT_TEXT(list->amount_nano), AUDIT_TEXT(site_nano),
                  AUDIT_TEXT(times(list->amount_nano, site_nano)), AUDIT_TEXT(label_nano), aside);
    else if (quote_is_explained(list, both_nano, shown))
        audit_add(audit, AUDIT_SHOWN_BOTH, "%s is shown, %s × %s × %s = %s: the site-wide factor and the labelled one",
                  AUDIT_TEXT(shown->amount_nano), AUDIT_TEXT(list->amount_nano), AUDIT_TEXT(site_nano), AUDIT_TEXT(label_nano),
                  AUDIT_TEXT(times(list->amount_nano, both_nano)));
}

/* Told once, with the first row that shows it: on a page the factor is the same for all. */
void audit_check_inferred(struct audit *audit)
{
    int64_t factors[FACTORS_MAX];
    bool is_inferred;
    size_t count = factors_read(audit->offer, factors, &is_inferred);
    const struct quote *list;
    for (size_t i = 0; i < audit->offer->record.quote_count && is_inferred; i++) {
        const struct quote *shown = reduced_at(audit->offer, i, &list);
        if (shown == NULL) continue;
        audit_add(audit, AUDIT_INFERRED_FACTOR, "%s is shown for a list price of %s: a factor of %s that is printed nowhere",
                  AUDIT_TEXT(shown->amount_nano), AUDIT_TEXT(list->amount_nano), AUDIT_TEXT(factors[0]));
        if (count > 1) say_which(audit, list, shown, factors[0], factors[1]);
        return;
    }
}

void audit_check_discounts(struct audit *audit)
{
    int64_t factors[FACTORS_MAX];
    bool is_inferred, is_explained = false;
    size_t count = factors_read(audit->offer, factors, &is_inferred);
    const struct quote *list;
    for (size_t i = 0; i < audit->offer->record.quote_count && count > 0; i++, is_explained = false) {
        const struct quote *shown = reduced_at(audit->offer, i, &list);
        if (shown == NULL) continue;
        /* Any of the factors, alone or together, may be what the page reduced by. */
        for (unsigned subset = 1; subset < 1u << count; subset++)
            is_explained |= quote_is_explained(list, product(factors, count, subset), shown);
        if (!is_explained)
            audit_add(audit, AUDIT_DISCOUNT_MISMATCH, "%s × %s = %s, but %s is shown", AUDIT_TEXT(list->amount_nano),
                      AUDIT_TEXT(factors[0]), AUDIT_TEXT(times(list->amount_nano, factors[0])), AUDIT_TEXT(shown->amount_nano));
    }
}

/* Within half a percent: months are printed as whole yuan, and the hour behind them in cents. */
static bool is_near(int64_t a, int64_t b)
{
    int64_t apart = a > b ? a - b : b - a, limit;
    return money_scale(b, NEAR_PER_MILLE, PER_MILLE, ROUND_HALF_UP, &limit) == GT_OK && apart <= limit;
}

/* A price paid by the hour or day, whatever its bound, brought to a month; with how it was printed. */
static const struct quote *timed_quote(const struct audit *audit, int64_t *ret_month_nano)
{
    for (size_t i = 0; i < audit->offer->record.quote_count; i++) {
        const struct quote *quote = &audit->offer->record.quotes[i];
        if (quote_term(quote).seconds == 0 || (quote->role != ROLE_LIST && quote->role != ROLE_SALE)) continue;
        if (quote_per_card(audit->offer, quote, false, audit->rules->hours_per_month, ret_month_nano)) return quote;
    }
    return NULL;
}

/* The first price of a month that is known per card, derived ones too: they are what is to be checked. */
static const struct quote *month_quote(const struct audit *audit, int64_t *ret_month_nano)
{
    for (size_t i = 0; i < audit->offer->record.quote_count; i++) {
        const struct quote *quote = &audit->offer->record.quotes[i];
        if (quote->period != PERIOD_MONTH || quote_is_promotion(quote)) continue;
        if (quote_per_card(audit->offer, quote, false, audit->rules->hours_per_month, ret_month_nano)) return quote;
    }
    return NULL;
}

/* "25%" may be what is paid or what is taken off; both figures are told beside the month that the page prints, for a person to decide. */
void audit_check_percent(struct audit *audit)
{
    int64_t timed_nano = 0, month_nano = 0;
    const struct quote *timed = timed_quote(audit, &timed_nano), *month = month_quote(audit, &month_nano);
    for (size_t i = 0; i < audit->offer->record.discount_count; i++) {
        const struct discount *discount = &audit->offer->record.discounts[i];
        if (discount->factor_alt_nano == 0) continue;
        int64_t other = discount->factor_alt_nano;
        int64_t first = discount->factor_nano != 0 ? discount->factor_nano : NANO - other;
        if (timed == NULL || month == NULL)
            audit_add(audit, AUDIT_PERCENT_AMBIGUOUS, "\"%.*s\" can mean that %s is paid or that %s is",
                      GT_STR_ARG(discount->raw), AUDIT_TEXT(first), AUDIT_TEXT(other));
        else
            audit_add(audit, AUDIT_PERCENT_AMBIGUOUS, "\"%.*s\": %s a month × %s = %s, × %s = %s, and %s is printed",
                      GT_STR_ARG(discount->raw), AUDIT_TEXT(timed_nano), AUDIT_TEXT(first), AUDIT_TEXT(times(timed_nano, first)),
                      AUDIT_TEXT(other), AUDIT_TEXT(times(timed_nano, other)), AUDIT_TEXT(month_nano));
    }
}

/* A discount that is had for paying by the month, or for a term. */
static bool has_term_discount(const struct offer *offer)
{
    for (size_t i = 0; i < offer->record.discount_count; i++) {
        const struct discount *discount = &offer->record.discounts[i];
        if (discount->factor_nano > 0 && discount->factor_alt_nano == 0 &&
            (conditions_have(discount->conditions, discount->condition_count, COND_PREPAY_MONTH) ||
             conditions_have(discount->conditions, discount->condition_count, COND_MIN_MONTHS)))
            return true;
    }
    return false;
}

/* Some hourly price of the row times some of its factors comes to the month, within half a percent. */
static bool month_is_explained(const struct audit *audit, int64_t month_nano)
{
    int64_t factors[FACTORS_MAX], hours_nano;
    bool is_inferred;
    size_t count = factors_read(audit->offer, factors, &is_inferred);
    for (size_t i = 0; i < audit->offer->record.quote_count; i++) {
        const struct quote *quote = &audit->offer->record.quotes[i];
        if (quote_term(quote).seconds == 0 || quote->bound != BOUND_EXACT) continue;
        if (!quote_per_card(audit->offer, quote, false, audit->rules->hours_per_month, &hours_nano)) continue;
        for (unsigned subset = 0; subset < 1u << count; subset++)
            if (is_near(times(hours_nano, product(factors, count, subset)), month_nano)) return true;
    }
    return false;
}

/* A month that any subset of the printed factors explains is no finding: sites apply some of them and not others. */
void audit_check_month_hour(struct audit *audit)
{
    int64_t month_nano, hours_nano, factors[FACTORS_MAX];
    bool is_inferred;
    const struct quote *hour = audit_quote(audit->offer, ROLE_LIST, PERIOD_HOUR);
    if (month_quote(audit, &month_nano) == NULL || hour == NULL || !has_term_discount(audit->offer)) return;
    if (!quote_per_card(audit->offer, hour, false, audit->rules->hours_per_month, &hours_nano)) return;
    if (month_is_explained(audit, month_nano)) return;
    size_t count = factors_read(audit->offer, factors, &is_inferred);
    int64_t all_nano = product(factors, count, (1u << count) - 1);
    audit_add(audit, AUDIT_MONTH_HOUR, "%s × %d × %s = %s, but the month is printed as %s", AUDIT_TEXT(hour->amount_nano),
              (int)audit->rules->hours_per_month, AUDIT_TEXT(all_nano), AUDIT_TEXT(times(hours_nano, all_nano)),
              AUDIT_TEXT(month_nano));
}
