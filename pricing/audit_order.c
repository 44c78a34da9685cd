/* Printed prices against each other: order, multiples, sums. */
#include "pricing/audit_check.h"
#include "pricing/net_price_quote.h"
#include "pricing/net_price_terms.h"

enum { HOUR_S = 3600, DAY_HOURS = 24, SLACK_PER_MILLE = 5, PER_MILLE = 1000 };

/* `dear` is above `cheap` by more than rounding can do. */
static bool is_above(int64_t dear, int64_t cheap)
{
    int64_t limit;
    return money_scale(cheap, PER_MILLE + SLACK_PER_MILLE, PER_MILLE, ROUND_HALF_UP, &limit) == GT_OK && dear > limit;
}

/* Two prices of which the first should not be the dearer one, and what they are called. */
struct pair {
    const struct quote *dear;
    const char *dear_name;
    const struct quote *cheap;
    const char *cheap_name;
};

/* Brings both to one card and `hours` hours; notes the finding when the first is above the second. */
static void compare(struct audit *audit, enum audit_code code, const struct pair *pair, int32_t hours)
{
    const struct quote *dear = pair->dear, *cheap = pair->cheap;
    int64_t dear_nano, cheap_nano;
    if (dear == NULL || cheap == NULL || memcmp(&dear->currency, &cheap->currency, sizeof dear->currency) != 0) return;
    if (!quote_per_card(audit->offer, dear, false, hours, &dear_nano)) return;
    if (!quote_per_card(audit->offer, cheap, false, hours, &cheap_nano)) return;
    if (is_above(dear_nano, cheap_nano))
        audit_add(audit, code, "%s is %s, %s is %s (per card and %d hours: %s against %s)", pair->dear_name,
                  AUDIT_TEXT(dear->amount_nano), pair->cheap_name, AUDIT_TEXT(cheap->amount_nano), (int)hours,
                  AUDIT_TEXT(dear_nano), AUDIT_TEXT(cheap_nano));
}

/* What is bound to a term costs no more than what is free. */
static void check_reserved(struct audit *audit, const struct quote *quote)
{
    struct pair pair = {quote, "bound to a term it", audit_quote(audit->offer, ROLE_LIST, quote->period), "free it"};
    bool is_bound = quote->months > 1 && quote->bound == BOUND_EXACT && quote->role == ROLE_LIST;
    if (is_bound && pair.cheap != NULL && pair.cheap->basis == quote->basis)
        compare(audit, AUDIT_RESERVED_ABOVE, &pair, audit->rules->hours_per_month);
}

/* Spot and reduced prices against the list price of the same period. */
static void check_period(struct audit *audit, enum period period)
{
    const struct quote *list = audit_quote(audit->offer, ROLE_LIST, period);
    struct pair spot = {audit_quote(audit->offer, ROLE_SPOT, period), "spot", list, "on demand"};
    struct pair sale = {audit_quote(audit->offer, ROLE_SALE, period), "the reduced price", list, "the list price"};
    compare(audit, AUDIT_SPOT_ABOVE, &spot, audit->rules->hours_per_month);
    if (sale.dear != NULL && list != NULL && sale.dear->basis == list->basis)
        compare(audit, AUDIT_SALE_ABOVE_LIST, &sale, audit->rules->hours_per_month);
}

/* What is longer never costs more than the shorter one so many times over; where it does, a unit or a column was mistaken. */
void audit_check_order(struct audit *audit)
{
    const struct offer *offer = audit->offer;
    const struct quote *hour = audit_quote(offer, ROLE_LIST, PERIOD_HOUR);
    struct pair month = {audit_quote(offer, ROLE_LIST, PERIOD_MONTH), "the month", hour, "the hour"};
    struct pair day = {audit_quote(offer, ROLE_LIST, PERIOD_DAY), "the day", hour, "the hour"};
    compare(audit, AUDIT_MONTH_ABOVE, &month, audit->rules->hours_per_month);
    compare(audit, AUDIT_DAY_ABOVE, &day, DAY_HOURS);
    for (enum period period = PERIOD_SECOND; period <= PERIOD_YEAR; period++) check_period(audit, period);
    for (size_t i = 0; i < offer->record.quote_count; i++) check_reserved(audit, &offer->record.quotes[i]);
}

/* A price that everybody gets, with nothing to tell it from another of its term. */
static bool is_plain_list(const struct quote *quote)
{
    return quote->role == ROLE_LIST && quote->bound == BOUND_EXACT && quote_is_plain(quote);
}

/* Two list prices of one period differ when a page shows an old table beside a new one, or when two columns were taken for one. */
void audit_check_lists(struct audit *audit)
{
    const struct offer_record *record = &audit->offer->record;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        const struct quote *first = is_plain_list(quote) ? audit_quote(audit->offer, ROLE_LIST, quote->period) : NULL;
        if (first == NULL || first == quote || first->basis != quote->basis || first->amount_nano == quote->amount_nano) continue;
        if (memcmp(&first->currency, &quote->currency, sizeof first->currency) != 0) continue;
        if (first->period_count != quote->period_count || first->cards != quote->cards) continue;
        audit_add(audit, AUDIT_LISTS_DIFFER, "%s and %s are both printed as the list price of a %s",
                  AUDIT_TEXT(first->amount_nano), AUDIT_TEXT(quote->amount_nano),
                  word_text(VOCABULARY_PERIOD, (int)quote->period));
        return;
    }
}

/* 3600 printed seconds (60 minutes) against the printed hour, within half a last digit of either. */
static void check_piece(struct audit *audit, enum role role, enum period period, int64_t pieces)
{
    const struct quote *piece = audit_quote(audit->offer, role, period), *hour = audit_quote(audit->offer, role, PERIOD_HOUR);
    int64_t sum_nano, slack_nano;
    if (piece == NULL || hour == NULL || piece->basis != hour->basis) return;
    if (memcmp(&piece->currency, &hour->currency, sizeof piece->currency) != 0) return;
    if (__builtin_mul_overflow(piece->amount_nano, pieces, &sum_nano)) return;
    slack_nano = quote_step_nano(hour->amount_nano, hour->raw) / 2;
    int64_t pieces_slack_nano = quote_step_nano(piece->amount_nano, piece->raw) / 2;
    if (__builtin_mul_overflow(pieces_slack_nano, pieces, &pieces_slack_nano)) return;
    if (__builtin_add_overflow(slack_nano, pieces_slack_nano, &slack_nano)) return;
    int64_t apart_nano = sum_nano > hour->amount_nano ? sum_nano - hour->amount_nano : hour->amount_nano - sum_nano;
    if (apart_nano > slack_nano)
        audit_add(audit, AUDIT_SECOND_HOUR, "%s × %lld = %s, but the hour is printed as %s", AUDIT_TEXT(piece->amount_nano),
                  (long long)pieces, AUDIT_TEXT(sum_nano), AUDIT_TEXT(hour->amount_nano));
}

void audit_check_pieces(struct audit *audit)
{
    enum { MINUTES = 60 };
    for (enum role role = ROLE_LIST; role <= ROLE_SPOT; role++) {
        check_piece(audit, role, PERIOD_SECOND, HOUR_S);
        check_piece(audit, role, PERIOD_MINUTE, MINUTES);
    }
}

/* True when `node` is what `cards` cards at the card's printed price come to, within half a last digit of each. */
static bool adds_up(const struct quote *card, const struct quote *node, int32_t cards, int64_t *ret_sum)
{
    int64_t slack_nano = quote_step_nano(card->amount_nano, card->raw) / 2;
    *ret_sum = 0;
    if (__builtin_mul_overflow(slack_nano, (int64_t)cards, &slack_nano)) return false;
    if (__builtin_add_overflow(slack_nano, quote_step_nano(node->amount_nano, node->raw) / 2, &slack_nano)) return false;
    if (__builtin_mul_overflow(card->amount_nano, (int64_t)cards, ret_sum)) return false;
    int64_t apart_nano = *ret_sum > node->amount_nano ? *ret_sum - node->amount_nano : node->amount_nano - *ret_sum;
    return apart_nano <= slack_nano;
}

/* A price per card that stands beside prices of the node belongs to one of them. */
static void check_card(struct audit *audit, const struct quote *card)
{
    const struct offer_record *record = &audit->offer->record;
    const struct quote *nearest = NULL;
    int64_t sum_nano = 0;
    int32_t cards = 0;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *node = &record->quotes[i];
        if (node->basis != BASIS_NODE || node->period != card->period || node->period_count != card->period_count) continue;
        if (memcmp(&node->currency, &card->currency, sizeof node->currency) != 0) continue;
        cards = quote_cards(audit->offer, node);
        /* One node price that fits is enough: the card is worked out from the list price or from the reduced one, not from
         * both. */
        if (cards == 0 || adds_up(card, node, cards, &sum_nano)) return;
        if (nearest == NULL || node->role == card->role) nearest = node;
    }
    if (nearest != NULL)
        audit_add(audit, AUDIT_NODE_CARD, "%s a card × %d = %s, but the node is printed as %s", AUDIT_TEXT(card->amount_nano),
                  (int)cards, AUDIT_TEXT(sum_nano), AUDIT_TEXT(nearest->amount_nano));
}

/* A price for "8 × H100" that no eight cards can cost is most often for one: which, only the page's author knows. */
void audit_check_node(struct audit *audit)
{
    const struct offer *offer = audit->offer;
    for (size_t i = 0; i < offer->record.quote_count; i++) {
        const struct quote *quote = &offer->record.quotes[i];
        bool is_whole = offer->attributes.slice_den == 0 && offer->attributes.cards > 1;
        if (quote->basis == BASIS_CARD) check_card(audit, quote);
        if (quote->basis == BASIS_UNKNOWN && is_whole && quote_cards(offer, quote) == 0)
            audit_add(audit, AUDIT_BASIS_UNCLEAR,
                      "%s for %d cards would be less than %s can cost, and nothing says that it is for one",
                      AUDIT_TEXT(quote->amount_nano), (int)offer->attributes.cards, offer->attributes.sku);
    }
}
