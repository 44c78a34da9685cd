/* Which reading of an offer is its price. Readings are tried in the order of their evidence and the first that yields a figure
 * stands; a lower one further down is shown beside it and never instead of it. The cheapest reading is usually the one that
 * forgot a condition. How a reading is worked out is in net_price_reading.c, who may have what in net_price_terms.c, what a
 * shown price holds already in net_price_contained.c. */
#include "pricing/net_price.h"

#include "pricing/net_price_contained.h"
#include "pricing/net_price_quote.h"
#include "pricing/net_price_reading.h"

#define ROLE_BIT(role) (1u << ROLE_##role)
enum {
    ROLES_REDUCED = ROLE_BIT(SALE) | ROLE_BIT(MEMBER) | ROLE_BIT(SPOT),
    ROLES_ANY = ROLES_REDUCED | ROLE_BIT(LIST),
};

struct net_rules net_rules_from_facts(const struct site_facts *facts)
{
    return (struct net_rules){facts->hours_per_month, facts->round_site_nano, facts->round_label_nano, facts->round_month_nano};
}

/* A printed price of the term itself: a list price takes the whole stack, a price that is already reduced only what is printed
 * to come on top of it. */
static enum gt_err read_printed(const struct net_ask *ask, enum quote_span span, bool exact_only, struct net_reading *ret)
{
    struct discount_stack stack;
    bool to_month = ask->term == PERIOD_MONTH;
    const struct quote *quote = quote_choose(ask, (struct quote_wish){span, ROLES_ANY, exact_only});
    if (quote == NULL) return GT_OK;
    discounts_choose(ask, quote_bill_nano(ask, quote), quote->role != ROLE_LIST, &stack);
    discounts_drop_contained(ask, quote, &stack);
    return reading_make(ask, quote, &stack, to_month, ret);
}

/* An hourly price that is the persona's own, kept up for a month. */
static enum gt_err read_own(const struct net_ask *ask, unsigned roles, bool exact_only, struct net_reading *ret)
{
    struct discount_stack stack;
    const struct quote *quote = quote_choose(ask, (struct quote_wish){SPAN_TIMED, roles, exact_only});
    if (quote == NULL) return GT_OK;
    discounts_choose(ask, quote_bill_nano(ask, quote), true, &stack);
    discounts_drop_contained(ask, quote, &stack);
    return reading_make(ask, quote, &stack, true, ret);
}

/* Who takes spot is asked for it first: that is what the persona came for. */
static enum gt_err read_spot(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    return read_own(ask, ROLE_BIT(SPOT), exact_only, ret);
}

/* After a printed month: membership by the hour is no reason to pay more than the lease. */
static enum gt_err read_member(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    return read_own(ask, ROLE_BIT(MEMBER), exact_only, ret);
}

/* List price × the stack × hours. A page that shows a reduced price and prints no discount has no stack to speak of. */
static enum gt_err read_stacked(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    struct discount_stack stack;
    const struct quote *list = quote_choose(ask, (struct quote_wish){SPAN_TIMED, ROLE_BIT(LIST), exact_only});
    if (list == NULL) return GT_OK;
    discounts_choose(ask, quote_bill_nano(ask, list), false, &stack);
    bool is_shown = quote_choose(ask, (struct quote_wish){SPAN_TIMED, ROLE_BIT(SALE), exact_only}) != NULL;
    /* 1.96 struck out and 1.57 beside it: nobody pays 1.96, even where no label says why. */
    if (is_shown && discount_stack_is_empty(&stack)) return GT_OK;
    return reading_make(ask, list, &stack, true, ret);
}

/* Shown price × hours × what it does not hold yet. */
static enum gt_err read_shown(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    struct discount_stack stack;
    const struct quote *shown = quote_choose(ask, (struct quote_wish){SPAN_TIMED, ROLE_BIT(SALE), exact_only});
    if (shown == NULL) return GT_OK;
    discounts_remaining(ask, shown, &stack);
    return reading_make(ask, shown, &stack, true, ret);
}

/* A printed reduced month with the persona's own discounts on top, although nothing prints that they go together. */
static enum gt_err read_hopeful(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    struct discount_stack stack;
    const struct quote *quote = quote_choose(ask, (struct quote_wish){SPAN_MONTHS, ROLES_REDUCED, exact_only});
    if (quote == NULL) return GT_OK;
    discounts_choose(ask, quote_bill_nano(ask, quote), false, &stack);
    discounts_drop_contained(ask, quote, &stack);
    return reading_make(ask, quote, &stack, true, ret);
}

/* Printed by the month, quarter or year. */
static enum gt_err read_month_printed(const struct net_ask *ask, bool exact_only, struct net_reading *ret)
{
    return read_printed(ask, SPAN_MONTHS, exact_only, ret);
}

/* Ranked by evidence; the first that yields a figure decides, the first lower one after it is the other reading. */
static enum gt_err (*const month_readers[])(const struct net_ask *, bool, struct net_reading *) = {
    read_spot, read_month_printed, read_member, read_stacked, read_shown, read_hopeful,
};

enum { MONTH_READERS = sizeof month_readers / sizeof month_readers[0] };

/* The reading that decides; exact prices before those marked 起, 约 or 低至, whatever their rank. */
static enum gt_err month_decide(const struct net_ask *ask, struct net_reading *ret, size_t *ret_rank)
{
    /* Two passes: a hedged price must not shadow an exact one of a lower rank, or a teaser would become the price. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t rank = 0; rank + 1 < MONTH_READERS; rank++) {
            enum gt_err err = month_readers[rank](ask, pass == 0, ret);
            if (err != GT_OK) return err;
            *ret_rank = rank;
            if (ret->is_set) return GT_OK;
        }
    return GT_OK;
}

/* The other reading: without the inferred factor where that decided, whatever it comes to; else a lower one of less evidence.
 * One that cannot be worked out is none. */
static void month_other(const struct net_ask *ask, const struct net_reading *decided, size_t rank, struct net_reading *ret)
{
    struct net_ask plain = *ask;
    plain.without_inferred = true;
    for (size_t i = rank + 1; i < MONTH_READERS; i++) {
        struct net_reading other = {0};
        if (month_readers[i](&plain, true, &other) != GT_OK || !other.is_set) continue;
        /* Beside an inferred figure every other one is worth showing; beside a printed one only what tempts: the lower one. */
        bool counts = decided->has_inferred ? other.card_nano != decided->card_nano : other.card_nano < decided->card_nano;
        if (!counts && !decided->has_inferred) continue;
        if (counts) *ret = other;
        return;
    }
    /* Nothing is shown beside the list price: the list price alone, its printed labels taken. */
    if (decided->has_inferred && month_readers[rank](&plain, true, ret) != GT_OK) ret->is_set = false;
}

/* Who pays by the hour pays for the hours used. */
static enum gt_err month_by_the_hour(const struct net_ask *ask, const struct net_reading *hour, struct net_reading *ret)
{
    struct discount_stack stack;
    if (!hour->is_set) return GT_OK;
    discounts_choose(ask, quote_bill_nano(ask, hour->quote), hour->quote->role != ROLE_LIST, &stack);
    discounts_drop_contained(ask, hour->quote, &stack);
    return reading_make(ask, hour->quote, &stack, true, ret);
}

/* By the hour nobody is bound, and the persona's own discounts are the only ones that hold. */
static enum gt_err hour_decide(const struct net_ask *ask, struct net_reading *ret)
{
    enum gt_err err = read_printed(ask, SPAN_HOURLY, true, ret);
    if (err == GT_OK && !ret->is_set) err = read_printed(ask, SPAN_HOURLY, false, ret);
    return err;
}

/* The hourly list price with the inferred factors, should they hold by the hour as well; 0 when there are none. */
static int64_t hour_other(const struct net_ask *ask)
{
    const struct offer_record *record = &ask->offer->record;
    struct discount_stack stack = {0};
    struct net_reading reading = {0};
    for (size_t i = 0; i < record->discount_count; i++)
        if (record->discounts[i].is_inferred) stack.site[stack.site_count++] = &record->discounts[i];
    const struct quote *list = quote_choose(ask, (struct quote_wish){SPAN_HOURLY, ROLE_BIT(LIST), true});
    if (stack.site_count == 0 || list == NULL) return 0;
    return reading_make(ask, list, &stack, false, &reading) == GT_OK ? reading.card_nano : 0;
}

/* True when the promotion is on, as far as its end is printed. */
static bool promo_is_on(const struct quote *quote, int64_t now_unix_s, int64_t *ret_until)
{
    *ret_until = 0;
    for (size_t i = 0; i < quote->condition_count; i++)
        if (quote->conditions[i].kind == COND_UNTIL) *ret_until = quote->conditions[i].n;
    return *ret_until == 0 || now_unix_s < *ret_until;
}

/* The promotion's price stands in its own fields, whoever asks. */
static void promo_set(const struct net_ask *ask, struct net_price *price)
{
    const struct offer_record *record = &ask->offer->record;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        int64_t card_nano, until_unix_s, step_nano = ask->rules->round_month_nano;
        if (!quote_is_promotion(quote) || !promo_is_on(quote, ask->now_unix_s, &until_unix_s)) continue;
        if (!quote_per_card(ask->offer, quote, false, ask->rules->hours_per_month, &card_nano)) continue;
        bool is_printed = card_nano == quote->amount_nano;
        if (!is_printed && step_nano > 0 && money_round(card_nano, step_nano, ROUND_HALF_UP, &card_nano) != GT_OK) continue;
        price->promo_month_nano = card_nano;
        price->promo_bound = quote->bound;
        price->promo_until_unix_s = until_unix_s;
        return;
    }
}

/* Why the persona cannot have the offer at all, or NULL. */
static const char *refusal_of(const struct offer *offer, const struct persona *persona)
{
    const struct offer_attributes *attributes = &offer->attributes;
    if (persona->market >= 0 && persona->market != (int)attributes->market) return "sold in the other market";
    if (persona->pay == PERIOD_HOUR && attributes->min_months > 0) return "not to be had by the hour";
    if (attributes->min_months > persona->months) return "the least term is longer than the persona stays";
    return attributes->tier == TIER_SPOT && !persona->takes_spot ? "spot only" : NULL;
}

/* A copy in the arena, since readings live on the stack. */
static enum gt_err text_set(struct arena *arena, const char *text, struct gt_str *ret)
{
    *ret = arena_dup(arena, gt_str_from(text));
    return ret->ptr != NULL ? GT_OK : GT_ENOMEM;
}

/* Hour and month, each in its own term. */
static enum gt_err net_decide(const struct offer *offer, const struct net_rules *rules, const struct persona *persona,
                              int64_t now_unix_s, struct net_reading *hour, struct net_reading *month, struct net_reading *other,
                              int64_t *ret_hour_alt)
{
    struct net_ask ask = {.offer = offer, .rules = rules, .persona = persona, .now_unix_s = now_unix_s, .term = PERIOD_HOUR};
    size_t rank = 0;
    enum gt_err err = offer->attributes.min_months > 0 ? GT_OK : hour_decide(&ask, hour);
    if (err != GT_OK) return err;
    *ret_hour_alt = hour->is_set ? hour_other(&ask) : 0;
    if (persona->pay == PERIOD_HOUR) return month_by_the_hour(&ask, hour, month);
    ask.term = PERIOD_MONTH;
    err = month_decide(&ask, month, &rank);
    if (err == GT_OK && month->is_set) month_other(&ask, month, rank, other);
    return err;
}

enum gt_err net_price_compute(const struct offer *offer, const struct net_rules *rules, const struct persona *persona,
                              int64_t now_unix_s, struct arena *arena, struct net_price *ret_price)
{
    const struct offer_record *record = &offer->record;
    struct net_ask ask = {.offer = offer, .rules = rules, .persona = persona, .now_unix_s = now_unix_s, .term = PERIOD_MONTH};
    struct net_reading hour = {0}, month = {0}, other = {0};
    struct net_price price = {
        .currency = record->currency, .hour_list_nano = record->hour_list_nano, .month_list_nano = record->month_list_nano};
    const char *refusal = refusal_of(offer, persona);
    enum gt_err err = GT_OK;
    promo_set(&ask, &price);
    if (refusal == NULL) err = net_decide(offer, rules, persona, now_unix_s, &hour, &month, &other, &price.hour_alt_nano);
    if (err != GT_OK) return err;
    /* Evidence and bound are of the month where there is one: that is the figure that reports rank by. */
    const struct net_reading *deciding = month.is_set ? &month : &hour;
    price.hour_net_nano = hour.card_nano;
    price.month_net_nano = month.card_nano;
    price.month_alt_nano = other.card_nano != month.card_nano ? other.card_nano : 0;
    price.node_month_net_nano = month.unit_nano;
    price.evidence = deciding->evidence;
    price.bound = deciding->bound;
    if (price.hour_alt_nano == price.hour_net_nano) price.hour_alt_nano = 0;
    err = text_set(arena, refusal != NULL ? refusal : deciding->text, &price.formula);
    if (err == GT_OK) err = text_set(arena, price.month_alt_nano != 0 ? other.text : "", &price.month_alt_formula);
    if (err == GT_OK) *ret_price = price;
    return err;
}
