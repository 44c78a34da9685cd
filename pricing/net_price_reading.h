/* One way to get from a printed price to what is paid: which quote, which discounts, how many hours. */
#ifndef GT_PRICING_NET_PRICE_READING_H
#define GT_PRICING_NET_PRICE_READING_H

#include "pricing/net_price_chain.h"
#include "pricing/net_price_terms.h"

/* What a reading came to. */
struct net_reading {
    bool is_set;
    int64_t card_nano; /* per card, rounded as the site rounds */
    int64_t unit_nano; /* of the smallest unit that can be had, when that is more than one card; else 0 */
    enum evidence evidence;
    enum bound bound;
    bool has_inferred;
    const struct quote *quote;
    char text[CHAIN_TEXT_MAX];
};

/* Which quotes a search looks at. */
enum quote_span {
    SPAN_MONTHS, /* paid by the month, quarter or year */
    SPAN_TIMED,  /* paid by anything up to a week */
    SPAN_HOURLY, /* paid by the second, minute or hour */
};

struct quote_wish {
    enum quote_span span;
    unsigned roles; /* bits 1u << enum role */
    bool exact_only;
};

/* The quote that the persona would take of those wished for: the most particular role (spot, member, sale, list), then the
 * longest term that it may have, then the longest period, then the one printed first. NULL when there is none. */
const struct quote *quote_choose(const struct net_ask *ask, struct quote_wish wish);

/* Works out a quote under a stack: per hour (to_month false) or per month. The hours of a month are the persona's own where it
 * is free to use fewer, the site's otherwise. Leaves ret_reading unset when the quote's cards are not known. GT_OK;
 * GT_EOVERFLOW. */
enum gt_err reading_make(const struct net_ask *ask, const struct quote *quote, const struct discount_stack *stack, bool to_month,
                         struct net_reading *ret_reading);

/* A month of the unit sold at the quote's price, for conditions on a least spend; 0 when it is not known. */
int64_t quote_bill_nano(const struct net_ask *ask, const struct quote *quote);

#endif
