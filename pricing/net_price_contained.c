/* What a shown price holds already. Pages print "95 折后 ¥1.57" where 1.57 holds another factor, or both. Arithmetic decides where
 * it can: if list × some of the printed factors is the shown price to its last digit, those are inside. Where it cannot, the
 * words decide: "after discounts" holds the discounts. */
#include "pricing/net_price_contained.h"

#include "pricing/net_price_quote.h"

enum { SUBSET_FACTORS_MAX = 6 }; /* 64 subsets at most */

/* Same period, basis and currency: a reduced hour says nothing about the list price of a month. */
const struct quote *quote_list_of(const struct offer_record *record, const struct quote *shown)
{
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        bool is_free = quote->role == ROLE_LIST && quote->bound == BOUND_EXACT && quote_is_plain(quote);
        bool is_same = quote->period == shown->period && quote->period_count == shown->period_count &&
                       quote->basis == shown->basis && memcmp(&quote->currency, &shown->currency, sizeof quote->currency) == 0;
        if (quote != shown && is_free && is_same) return quote;
    }
    return NULL;
}

bool quote_is_explained(const struct quote *list, int64_t factor_nano, const struct quote *shown)
{
    int64_t product_nano;
    int64_t half_nano = quote_step_nano(shown->amount_nano, shown->raw) / 2;
    if (money_scale(list->amount_nano, factor_nano, NANO, ROUND_HALF_UP, &product_nano) != GT_OK) return false;
    int64_t apart = product_nano > shown->amount_nano ? product_nano - shown->amount_nano : shown->amount_nano - product_nano;
    return apart <= half_nano;
}

/* The printed factors of a stack, site-wide ones first. */
static size_t factors_of(const struct discount_stack *stack, const struct discount *factors[SUBSET_FACTORS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < stack->site_count && count < SUBSET_FACTORS_MAX; i++) factors[count++] = stack->site[i];
    for (size_t i = 0; i < stack->label_count && count < SUBSET_FACTORS_MAX; i++) factors[count++] = stack->labels[i];
    return count;
}

/* 0, which explains nothing, when it does not fit. */
static int64_t product_of(const struct discount *const *factors, size_t count, unsigned subset)
{
    int64_t product = NANO;
    for (size_t i = 0; i < count; i++)
        if ((subset & (1u << i)) != 0 && money_scale(product, factors[i]->factor_nano, NANO, ROUND_HALF_UP, &product) != GT_OK)
            return 0;
    return product;
}

/* "月均 1260 元（小时租 1800 元）": a price that is the list of its term may itself be worked out from a higher one beside it. */
static const struct quote *derived_above(const struct offer_record *record, const struct quote *list)
{
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        if (quote->role == ROLE_DERIVED && quote->period == list->period && quote->amount_nano > list->amount_nano) return quote;
    }
    return NULL;
}

/* The smallest set of factors that leads from the list price to the shown one; false when none does. */
static bool subset_find(const struct net_ask *ask, const struct quote *shown, const struct discount *const *factors, size_t count,
                        unsigned *ret_subset)
{
    const struct offer_record *record = &ask->offer->record;
    const struct quote *list = shown->role == ROLE_LIST ? derived_above(record, shown) : quote_list_of(record, shown);
    int best = -1;
    for (unsigned subset = 0; list != NULL && subset < 1u << count; subset++) {
        if (!quote_is_explained(list, product_of(factors, count, subset), shown)) continue;
        if (best < 0 || __builtin_popcount(subset) < __builtin_popcount((unsigned)best)) best = (int)subset;
    }
    if (best >= 0) *ret_subset = (unsigned)best;
    return best >= 0;
}

/* The discount is one of those in the subset. */
static bool is_in(const struct discount *discount, const struct discount *const *factors, size_t count, unsigned subset)
{
    for (size_t i = 0; i < count; i++)
        if (factors[i] == discount && (subset & (1u << i)) != 0) return true;
    return false;
}

/* Keeps of both lists what is not in the subset. */
static void stack_drop(struct discount_stack *stack, const struct discount *const *factors, size_t count, unsigned subset)
{
    size_t kept = 0;
    for (size_t i = 0; i < stack->site_count; i++)
        if (!is_in(stack->site[i], factors, count, subset)) stack->site[kept++] = stack->site[i];
    stack->site_count = kept;
    kept = 0;
    for (size_t i = 0; i < stack->label_count; i++)
        if (!is_in(stack->labels[i], factors, count, subset)) stack->labels[kept++] = stack->labels[i];
    stack->label_count = kept;
    stack->has_inferred = false;
    for (size_t i = 0; i < stack->site_count; i++) stack->has_inferred |= stack->site[i]->is_inferred != 0;
}

/* The price was printed for the very thing that the discount asks for. */
static bool is_printed_for(const struct quote *quote, const struct discount *discount)
{
    if (discount->stacks == STACKS_YES || discount->condition_count == 0) return false;
    for (size_t i = 0; i < discount->condition_count; i++)
        if (!conditions_have(quote->conditions, quote->condition_count, discount->conditions[i].kind)) return false;
    return true;
}

/* What list and reduced price show to be inside already is not taken off again; where that cannot be reckoned, what the row prints beside the
 * reduced price is held to be inside. */
void discounts_drop_contained(const struct net_ask *ask, const struct quote *quote, struct discount_stack *stack)
{
    const struct discount *factors[SUBSET_FACTORS_MAX];
    unsigned subset = 0;
    size_t count = factors_of(stack, factors);
    if (!subset_find(ask, quote, factors, count, &subset)) subset = 0;
    for (size_t i = 0; i < count && quote->role != ROLE_LIST; i++)
        if (factors[i]->is_inferred || is_printed_for(quote, factors[i])) subset |= 1u << i;
    stack_drop(stack, factors, count, subset);
}

/* When no subset explains the shown price, only discounts that say that they stack are left: too dear is the safer error. */
void discounts_remaining(const struct net_ask *ask, const struct quote *shown, struct discount_stack *ret_stack)
{
    const struct discount *factors[SUBSET_FACTORS_MAX];
    struct discount_stack stack;
    unsigned subset = 0;
    discounts_choose(ask, 0, false, &stack);
    size_t count = factors_of(&stack, factors);
    if (!subset_find(ask, shown, factors, count, &subset))
        for (size_t i = 0; i < count; i++)
            if (factors[i]->stacks != STACKS_YES || is_printed_for(shown, factors[i])) subset |= 1u << i;
    stack_drop(&stack, factors, count, subset);
    *ret_stack = stack;
}
