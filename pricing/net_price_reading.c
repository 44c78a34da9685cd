/* How a reading is worked out: printed amount → an hour's → factors → a month's → amounts off → one card's, each rounded where
 * the site rounds. The division comes last: sites round what they print, and they print the unit that they sell. */
#include "pricing/net_price_reading.h"

#include "pricing/net_price_quote.h"

enum { HOUR_S = 3600 };

/* A day is no hour and no month, but a month can be made of days. */
static bool spans(enum quote_span span, struct quote_term term)
{
    if (span == SPAN_MONTHS) return term.months_paid > 0;
    return term.seconds > 0 && (span == SPAN_TIMED || term.seconds <= HOUR_S);
}

/* The persona may have it, its cards are known, and it is of the kind that is looked for. */
static bool is_wished(const struct net_ask *ask, const struct quote *quote, struct quote_wish wish)
{
    if ((wish.roles & (1u << quote->role)) == 0) return false;
    if (wish.exact_only && quote->bound != BOUND_EXACT) return false;
    return spans(wish.span, quote_term(quote)) && quote_is_for(ask, quote) && quote_cards(ask->offer, quote) > 0;
}

/* The more particular a price is, the nearer it is to what is paid. */
static int role_rank(enum role role)
{
    static const int ranks[ROLE_WORDS] = {[ROLE_LIST] = 1, [ROLE_SALE] = 2, [ROLE_MEMBER] = 3, [ROLE_SPOT] = 4};
    return ranks[role];
}

/* True when `a` is to be taken before `b`, which was printed earlier. */
static bool is_preferred(const struct quote *a, const struct quote *b)
{
    struct quote_term term_a = quote_term(a), term_b = quote_term(b);
    if (role_rank(a->role) != role_rank(b->role)) return role_rank(a->role) > role_rank(b->role);
    if (term_a.months_bound != term_b.months_bound) return term_a.months_bound > term_b.months_bound;
    if (term_a.months_paid != term_b.months_paid) return term_a.months_paid > term_b.months_paid;
    if (term_a.seconds != term_b.seconds) return term_a.seconds > term_b.seconds;
    return a->condition_count > b->condition_count;
}

/* Of equals the first printed: pages put first what they sell most. */
const struct quote *quote_choose(const struct net_ask *ask, struct quote_wish wish)
{
    const struct offer_record *record = &ask->offer->record;
    const struct quote *best = NULL;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        if (is_wished(ask, quote, wish) && (best == NULL || is_preferred(quote, best))) best = quote;
    }
    return best;
}

/* A discount that is only had for a term binds to whole months of use. */
static bool binds(const struct discount *discount)
{
    return conditions_have(discount->conditions, discount->condition_count, COND_PREPAY_MONTH) ||
           conditions_have(discount->conditions, discount->condition_count, COND_PREPAY_YEAR) ||
           conditions_have(discount->conditions, discount->condition_count, COND_MIN_MONTHS);
}

/* Who is bound pays for all hours, used or not. */
static int32_t hours_of(const struct net_ask *ask, const struct quote *quote, const struct discount_stack *stack)
{
    bool is_bound = quote_term(quote).months_bound > 0 || ask->offer->attributes.min_months > 0 ||
                    conditions_have(quote->conditions, quote->condition_count, COND_PREPAY_MONTH) ||
                    conditions_have(quote->conditions, quote->condition_count, COND_PREPAY_YEAR);
    for (size_t i = 0; i < stack->label_count; i++) is_bound |= binds(stack->labels[i]);
    int32_t own = ask->persona->hours_per_month;
    return own > 0 && !is_bound ? own : ask->rules->hours_per_month;
}

/* × num ÷ den with what they have in common taken out first, so that the formula reads as a person would write it. */
static void chain_scale(struct price_chain *chain, int64_t num, int64_t den)
{
    int64_t a = num, b = den;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    price_chain_times(chain, num / a);
    price_chain_over(chain, den / a);
}

/* Site-wide factors make the posted price and are rounded as it is; labels work on that. */
static void chain_factors(struct price_chain *chain, const struct net_rules *rules, const struct discount_stack *stack)
{
    for (size_t i = 0; i < stack->site_count; i++) {
        price_chain_factor(chain, stack->site[i]->factor_nano);
        price_chain_round(chain, rules->round_site_nano);
    }
    for (size_t i = 0; i < stack->label_count; i++) {
        price_chain_factor(chain, stack->labels[i]->factor_nano);
        price_chain_round(chain, rules->round_label_nano);
    }
}

/* An amount off is taken once off an order: its share of one month of one unit that `cards` cards are sold in. */
static void chain_off(struct price_chain *chain, const struct net_ask *ask, const struct discount_stack *stack, int32_t cards)
{
    int32_t ordered = ask->persona->cards > cards ? ask->persona->cards : cards;
    for (size_t i = 0; i < stack->off_count; i++) {
        int64_t share_nano;
        chain->err = chain->err != GT_OK ? chain->err
                                         : money_scale(stack->off[i]->amount_off_nano, cards,
                                                       (int64_t)ordered * ask->persona->months, ROUND_HALF_UP, &share_nano);
        if (chain->err == GT_OK) price_chain_minus(chain, share_nano);
    }
}

struct plan {
    const struct quote *quote;
    const struct discount_stack *stack;
    bool to_month;
    int32_t cards;
};

/* The whole way for `units` cards: printed amount → an hour's (for seconds and minutes) → factors → month → amounts off →
 * cards. */
static enum gt_err chain_run(const struct net_ask *ask, const struct plan *plan, int32_t units, struct price_chain *chain,
                             int64_t *ret_nano)
{
    struct quote_term term = quote_term(plan->quote);
    int64_t piece_s = term.seconds;
    price_chain_begin(chain, plan->quote->amount_nano);
    /* A second's price rounded to cents would be nothing: seconds and minutes become hours before any factor. */
    if (piece_s > 0 && (piece_s < HOUR_S || !plan->to_month)) {
        chain_scale(chain, HOUR_S, piece_s);
        piece_s = HOUR_S;
    }
    chain_factors(chain, ask->rules, plan->stack);
    if (plan->to_month && piece_s > 0) chain_scale(chain, (int64_t)hours_of(ask, plan->quote, plan->stack) * HOUR_S, piece_s);
    if (term.months_paid > 1) price_chain_over(chain, term.months_paid);
    if (plan->to_month) chain_off(chain, ask, plan->stack, plan->cards);
    /* One card of a node is a division, the whole node none at all: so the printed bill comes out as printed. */
    chain_scale(chain, units, plan->cards);
    return price_chain_end(chain, plan->to_month ? ask->rules->round_month_nano : 0, ret_nano);
}

/* The smallest number of cards that can be had: the unit's, or what the offer asks for at least. */
static int32_t unit_cards(const struct net_ask *ask, int32_t cards)
{
    const struct offer_attributes *attributes = &ask->offer->attributes;
    int32_t unit = attributes->cards > cards ? attributes->cards : cards;
    return attributes->min_cards > unit ? attributes->min_cards : unit;
}

/* Dividing a node by its printed cards, or a year by twelve, leaves a printed price printed; hours × price does not. */
static enum evidence evidence_of(const struct plan *plan)
{
    struct quote_term term = quote_term(plan->quote);
    bool is_term = plan->to_month ? term.months_paid > 0 : term.seconds == HOUR_S;
    if (plan->stack->has_inferred) return EVIDENCE_INFERRED;
    return is_term && discount_stack_is_empty(plan->stack) ? EVIDENCE_PRINTED : EVIDENCE_COMPUTED;
}

/* Reckoned for the unit and for the card apart: each is rounded as the site rounds it, and dividing the rounded unit afterwards would show
 * another figure. */
enum gt_err reading_make(const struct net_ask *ask, const struct quote *quote, const struct discount_stack *stack, bool to_month,
                         struct net_reading *ret_reading)
{
    struct plan plan = {quote, stack, to_month, quote_cards(ask->offer, quote)};
    struct net_reading reading = {.quote = quote, .bound = quote->bound, .has_inferred = stack->has_inferred};
    struct price_chain chain;
    if (plan.cards == 0) return GT_OK;
    int32_t unit = unit_cards(ask, plan.cards);
    if (unit > 1) {
        enum gt_err err = chain_run(ask, &plan, unit, &chain, &reading.unit_nano);
        if (err != GT_OK) return err;
    }
    enum gt_err err = chain_run(ask, &plan, 1, &chain, &reading.card_nano);
    if (err != GT_OK) return err;
    reading.evidence = evidence_of(&plan);
    reading.is_set = true;
    memcpy(reading.text, chain.text, sizeof reading.text);
    *ret_reading = reading;
    return GT_OK;
}

int64_t quote_bill_nano(const struct net_ask *ask, const struct quote *quote)
{
    int64_t card_nano, bill_nano;
    if (!quote_per_card(ask->offer, quote, false, ask->rules->hours_per_month, &card_nano)) return 0;
    int32_t cards = unit_cards(ask, ask->persona->cards);
    return __builtin_mul_overflow(card_nano, (int64_t)cards, &bill_nano) ? 0 : bill_nano;
}
