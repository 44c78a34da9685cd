/* Who may have what. A condition that is not understood does not hold, because a price that the reader cannot get is worse than
 * one that is a little too high. Tiers are alternatives, not factors to be multiplied: "3 个月 95 折, 12 个月 85 折" is 0.85 for a
 * year, not 0.8075. */
#include "pricing/net_price_terms.h"

#include "pricing/net_price_quote.h"

/* Who pays yearly also pays ahead by the month, not the other way round; by the hour nobody pays ahead. */
static bool pays_ahead(const struct net_ask *ask, enum period at_least)
{
    if (ask->term == PERIOD_HOUR) return false;
    return ask->persona->pay == PERIOD_YEAR || (ask->persona->pay == PERIOD_MONTH && at_least == PERIOD_MONTH);
}

/* How many cards the persona ends up renting: a node is taken whole, and so is the least number that the offer asks for. */
static int32_t cards_rented(const struct net_ask *ask)
{
    const struct offer_attributes *attributes = &ask->offer->attributes;
    int32_t unit = attributes->cards > attributes->min_cards ? attributes->cards : attributes->min_cards;
    return ask->persona->cards > unit ? ask->persona->cards : unit;
}

static bool is_member_of(const struct persona *persona, struct gt_str level)
{
    return persona->member.len > 0 && (level.len == 0 || gt_str_eq_nocase(persona->member, level));
}

/* Night, holiday and promotion depend on a moment that a month does not have. */
static bool condition_holds(const struct net_ask *ask, const struct condition *condition, int64_t bill_nano)
{
    const struct persona *persona = ask->persona;
    switch (condition->kind) {
    case COND_PREPAY_MONTH: return pays_ahead(ask, PERIOD_MONTH);
    case COND_PREPAY_YEAR: return pays_ahead(ask, PERIOD_YEAR);
    case COND_MIN_MONTHS: return ask->term != PERIOD_HOUR && persona->months >= condition->n;
    case COND_MIN_CARDS: return cards_rented(ask) >= condition->n;
    case COND_MIN_SPEND: return bill_nano > 0 && bill_nano >= condition->n;
    case COND_STUDENT: return persona->is_student;
    case COND_ENTERPRISE: return persona->is_enterprise;
    case COND_NEW_CUSTOMER: return persona->is_new_customer;
    case COND_MEMBER: return is_member_of(persona, condition->text);
    case COND_UNTIL: return condition->n == 0 || ask->now_unix_s < condition->n;
    case COND_FROM: return ask->now_unix_s >= condition->n;
    case COND_NIGHT:
    case COND_HOLIDAY:
    case COND_PROMOTION:
    case COND_UNKNOWN:
    case COND_WORDS: break;
    }
    return false;
}

bool conditions_hold(const struct net_ask *ask, const struct condition *conditions, size_t count, int64_t bill_nano)
{
    for (size_t i = 0; i < count; i++)
        if (!condition_holds(ask, &conditions[i], bill_nano)) return false;
    return true;
}

bool quote_is_promotion(const struct quote *quote)
{
    return conditions_have(quote->conditions, quote->condition_count, COND_PROMOTION);
}

/* Derived prices are the page's own arithmetic, and ours is shown beside them. */
static bool role_is_for(const struct net_ask *ask, enum role role)
{
    const struct persona *persona = ask->persona;
    if (ask->offer->attributes.tier == TIER_SPOT && !persona->takes_spot) return false;
    if (role == ROLE_DERIVED) return false;
    if (role == ROLE_SPOT) return persona->takes_spot;
    return role != ROLE_MEMBER || persona->member.len > 0;
}

/* By the hour nobody is bound; by the month for no longer than the persona stays, and a longer term is paid at once only by
 * who pays yearly. */
static bool term_is_for(const struct net_ask *ask, const struct quote *quote)
{
    struct quote_term term = quote_term(quote);
    if (term.seconds == 0 && term.months_paid == 0) return false;
    if (ask->term == PERIOD_HOUR) return term.months_paid == 0 && term.months_bound == 0;
    if (term.months_bound > ask->persona->months) return false;
    bool is_paid_at_once = term.months_paid > 1 || (quote->is_upfront && term.months_bound > 1);
    bool is_year = term.months_paid >= QUOTE_MONTHS_OF_A_YEAR || quote->is_upfront;
    return !is_paid_at_once || ask->persona->pay == PERIOD_YEAR || (!is_year && ask->persona->pay == PERIOD_MONTH);
}

bool quote_is_for(const struct net_ask *ask, const struct quote *quote)
{
    struct currency wanted = ask->offer->record.currency;
    if (strncmp(quote->currency.code, wanted.code, CURRENCY_MAX) != 0 || quote->amount_nano <= 0) return false;
    if (quote_is_promotion(quote) || !role_is_for(ask, quote->role) || !term_is_for(ask, quote)) return false;
    return conditions_hold(ask, quote->conditions, quote->condition_count, 0);
}

/* What a tier is reckoned in; tiers of one kind are alternatives. */
enum tier_kind { TIER_KIND_NONE, TIER_KIND_TERM, TIER_KIND_CARDS, TIER_KIND_SPEND, TIER_KIND_MEMBER };

struct tier_step {
    enum tier_kind kind;
    int64_t height;
};

/* Heights are comparable within a kind only. Levels of members have no order that is printed. */
static struct tier_step step_of(const struct condition *condition)
{
    switch (condition->kind) {
    case COND_PREPAY_MONTH: return (struct tier_step){TIER_KIND_TERM, 1};
    case COND_PREPAY_YEAR: return (struct tier_step){TIER_KIND_TERM, QUOTE_MONTHS_OF_A_YEAR};
    case COND_MIN_MONTHS: return (struct tier_step){TIER_KIND_TERM, condition->n};
    case COND_MIN_CARDS: return (struct tier_step){TIER_KIND_CARDS, condition->n};
    case COND_MIN_SPEND: return (struct tier_step){TIER_KIND_SPEND, condition->n};
    case COND_MEMBER: return (struct tier_step){TIER_KIND_MEMBER, (int64_t)condition->text.len};
    default: return (struct tier_step){TIER_KIND_NONE, 0};
    }
}

/* The step that a discount stands on: that of its first condition which has one. */
static struct tier_step step_of_discount(const struct discount *discount)
{
    struct tier_step step = {TIER_KIND_NONE, 0};
    for (size_t i = 0; i < discount->condition_count && step.kind == TIER_KIND_NONE; i++)
        step = step_of(&discount->conditions[i]);
    return step;
}

/* Whom a discount is for, as bits: a student's tier does not replace everybody's. */
static unsigned audience_of(const struct discount *discount)
{
    unsigned bits = 0;
    for (size_t i = 0; i < discount->condition_count; i++) {
        enum cond_kind kind = discount->conditions[i].kind;
        if (kind == COND_STUDENT || kind == COND_ENTERPRISE || kind == COND_NEW_CUSTOMER) bits |= 1u << kind;
    }
    return bits;
}

/* Whether a discount counts for itself, the others left aside. */
static bool is_applicable(const struct net_ask *ask, const struct discount *discount, int64_t bill_nano)
{
    /* Bounds and open readings: a factor that may be another one is not multiplied. */
    if (discount->is_upto || discount->factor_alt_nano != 0) return false;
    if (discount->factor_nano <= 0 && discount->amount_off_nano <= 0) return false;
    /* What the page's own arithmetic shows holds for the shown prices, which are the discounted ones: not for who pays by the
     * hour. */
    if (discount->is_inferred) return !ask->without_inferred && ask->term != PERIOD_HOUR;
    if (discount->amount_off_nano > 0 && ask->term == PERIOD_HOUR) return false;
    return conditions_hold(ask, discount->conditions, discount->condition_count, bill_nano);
}

/* `other` is a higher tier of the same kind, or the same one printed earlier. */
static bool is_replaced_by(const struct discount *discount, const struct discount *other)
{
    struct tier_step mine = step_of_discount(discount), theirs = step_of_discount(other);
    if (discount == other || mine.kind == TIER_KIND_NONE || mine.kind != theirs.kind) return false;
    if (discount->stacks == STACKS_YES || other->stacks == STACKS_YES) return false;
    if (audience_of(discount) != audience_of(other)) return false;
    return theirs.height > mine.height || (theirs.height == mine.height && other < discount);
}

/* It counts for itself and no higher tier that counts takes its place. */
static bool is_chosen(const struct net_ask *ask, const struct discount *discount, int64_t bill_nano)
{
    const struct offer_record *record = &ask->offer->record;
    if (!is_applicable(ask, discount, bill_nano)) return false;
    for (size_t i = 0; i < record->discount_count; i++)
        if (is_applicable(ask, &record->discounts[i], bill_nano) && is_replaced_by(discount, &record->discounts[i])) return false;
    return true;
}

/* Puts a discount where it belongs. A printed factor that everybody gets is part of the posted price, as an inferred one is. */
static void stack_add(struct discount_stack *stack, const struct discount *discount)
{
    bool is_site = discount->is_inferred || discount->condition_count == 0;
    stack->has_inferred |= discount->is_inferred != 0;
    if (discount->factor_nano <= 0) stack->off[stack->off_count++] = discount;
    else if (is_site) stack->site[stack->site_count++] = discount;
    else stack->labels[stack->label_count++] = discount;
}

/* What all printed factors of the stack leave to pay, in nano. Overflow cannot happen: factors are below one. */
static int64_t printed_product(const struct discount_stack *stack)
{
    int64_t product = NANO;
    for (size_t i = 0; i < stack->site_count + stack->label_count; i++) {
        const struct discount *discount = i < stack->site_count ? stack->site[i] : stack->labels[i - stack->site_count];
        if (discount->is_inferred) continue;
        if (money_scale(product, discount->factor_nano, NANO, ROUND_HALF_UP, &product) != GT_OK) return NANO;
    }
    return product;
}

/* Leaves only what is not printed: an exclusive discount goes together with no other, but it is taken off the posted price. */
static void stack_drop_printed(struct discount_stack *stack)
{
    size_t kept = 0;
    for (size_t i = 0; i < stack->site_count; i++)
        if (stack->site[i]->is_inferred) stack->site[kept++] = stack->site[i];
    stack->site_count = kept;
    stack->label_count = 0;
    stack->off_count = 0;
}

/* The better of two exclusive ones: the smaller factor; an amount off only where there is no factor. */
static bool is_better_exclusive(const struct discount *discount, const struct discount *best)
{
    if (best == NULL) return true;
    if (discount->factor_nano <= 0) return best->factor_nano <= 0 && discount->amount_off_nano > best->amount_off_nano;
    return best->factor_nano <= 0 || discount->factor_nano < best->factor_nano;
}

/* The best exclusive discount replaces the others when it is less to pay; otherwise it is left out. */
static void stack_settle_exclusive(struct discount_stack *stack, const struct discount *exclusive)
{
    int64_t factor_nano = exclusive == NULL || exclusive->factor_nano <= 0 ? NANO : exclusive->factor_nano;
    bool is_alone = printed_product(stack) == NANO && stack->off_count == 0;
    if (exclusive == NULL || (!is_alone && factor_nano >= printed_product(stack))) return;
    stack_drop_printed(stack);
    if (exclusive->factor_nano > 0) stack->labels[stack->label_count++] = exclusive;
    else stack->off[stack->off_count++] = exclusive;
}

void discounts_choose(const struct net_ask *ask, int64_t bill_nano, bool only_extra, struct discount_stack *ret_stack)
{
    const struct offer_record *record = &ask->offer->record;
    const struct discount *exclusive = NULL;
    struct discount_stack stack = {0};
    for (size_t i = 0; i < record->discount_count && i < OFFER_DISCOUNTS_MAX; i++) {
        const struct discount *discount = &record->discounts[i];
        /* An amount off is taken off the order, whatever the price; a factor needs words that say so. */
        bool is_extra = discount->stacks == STACKS_YES || discount->factor_nano <= 0;
        if ((only_extra && !is_extra) || !is_chosen(ask, discount, bill_nano)) continue;
        if (discount->stacks != STACKS_NO) stack_add(&stack, discount);
        else if (is_better_exclusive(discount, exclusive)) exclusive = discount;
    }
    stack_settle_exclusive(&stack, exclusive);
    *ret_stack = stack;
}

bool discount_stack_is_empty(const struct discount_stack *stack)
{
    return stack->site_count + stack->label_count + stack->off_count == 0;
}
