/* Which of the printed discounts a shown price already holds. */
#ifndef GT_PRICING_NET_PRICE_CONTAINED_H
#define GT_PRICING_NET_PRICE_CONTAINED_H

#include "pricing/net_price_terms.h"

/* Takes off the stack what a reduced printed price was printed for (the same condition) or holds by its own arithmetic: list ×
 * factors = shown. A list price holds only what leads to it from a derived one beside it. */
void discounts_drop_contained(const struct net_ask *ask, const struct quote *quote, struct discount_stack *stack);

/* The discounts that still come on top of a shown hourly price. Where list × some of them = shown, the rest; else the words
 * decide: what is called "after discounts" holds them all but those printed to stack. */
void discounts_remaining(const struct net_ask *ask, const struct quote *shown, struct discount_stack *ret_stack);

/* The list price that a shown one was reduced from: the same period, basis and currency, bound to no term and no condition.
 * NULL: none. */
const struct quote *quote_list_of(const struct offer_record *record, const struct quote *shown);

/* True when `list` × `factor_nano` is `shown`, within half of its last printed digit. */
bool quote_is_explained(const struct quote *list, int64_t factor_nano, const struct quote *shown);

#endif
