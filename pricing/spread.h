/* How the prices of many offers are spread: the figures of a marketplace, whose single offers are one seller's mood. */
#ifndef GT_PRICING_SPREAD_H
#define GT_PRICING_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One offer: a price per card, and how many cards it is for. */
struct spread_item {
    int64_t nano;  /* > 0 */
    int32_t cards; /* an unknown count (0) weighs as one */
};

/* Each figure is a price that some offer asks, none is between two. The P-th percentile is the lowest price at which, with all cheaper
 * ones, P of a hundred cards or more are offered: an offer of eight cards counts eight times. */
struct spread {
    int64_t min_nano, p10_nano, p25_nano, median_nano, p75_nano;
    size_t offers;
    int64_t cards;
};

/* Reckons the spread of `count` items, which are put into the order of their prices. False when there is none. */
bool spread_compute(struct spread_item *items, size_t count, struct spread *ret_spread);

/* What an offer of so many cards weighs. */
int64_t spread_weight(int32_t cards);

#endif
