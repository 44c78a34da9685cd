/* Who may have what: conditions against a persona, and which of the printed discounts go together. */
#ifndef GT_PRICING_NET_PRICE_TERMS_H
#define GT_PRICING_NET_PRICE_TERMS_H

#include <stdbool.h>

#include "pricing/net_price.h"

/* One question: this offer, asked by this persona, by the hour (term HOUR) or for a month (term MONTH). */
struct net_ask {
    const struct offer *offer;
    const struct net_rules *rules;
    const struct persona *persona;
    int64_t now_unix_s;
    enum period term;
    bool without_inferred; /* the reading that leaves inferred factors out */
};

/* The discounts that apply, in the order in which they are taken: site-wide factors, labelled ones as printed, amounts off. */
struct discount_stack {
    const struct discount *site[OFFER_DISCOUNTS_MAX];
    size_t site_count;
    const struct discount *labels[OFFER_DISCOUNTS_MAX];
    size_t label_count;
    const struct discount *off[OFFER_DISCOUNTS_MAX];
    size_t off_count;
    bool has_inferred;
};

/* True when all conditions hold. What was not understood does not hold, and neither does what depends on the hour of the day.
 * A least spend holds when `bill_nano` (a month of the unit sold; 0: not known) reaches it. */
bool conditions_hold(const struct net_ask *ask, const struct condition *conditions, size_t count, int64_t bill_nano);

/* True when a price was printed for a promotion: it stands apart and is never the net price. */
bool quote_is_promotion(const struct quote *quote);

/* True when the persona may have this printed price in the asked term. Bounds are not looked at. */
bool quote_is_for(const struct net_ask *ask, const struct quote *quote);

/* Chooses the discounts for a list price. Tiers of one kind (95 折 from 3 months, 85 折 from 12) are alternatives: the highest
 * that is reached counts. An exclusive one stands alone or gives way, whichever is less to pay. `only_extra` asks for those
 * that come on top of a price which is already discounted: printed to stack, or amounts off. */
void discounts_choose(const struct net_ask *ask, int64_t bill_nano, bool only_extra, struct discount_stack *ret_stack);

/* True when no discount was chosen. */
bool discount_stack_is_empty(const struct discount_stack *stack);

#endif
