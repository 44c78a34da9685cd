/* What an hour of a card can cost at all: bands so wide that only misreadings fall out of them. */
#ifndef GT_PRICING_GUARD_BAND_H
#define GT_PRICING_GUARD_BAND_H

#include <stdbool.h>

#include "pricing/money.h"

/* Per card and hour, in the currency that was asked for. */
struct guard_band {
    int64_t low_hour_nano;
    int64_t high_hour_nano;
};

/* The band of a SKU (or an inner node of the tree) in CNY, USD or EUR. False for "" and for other currencies: no opinion.
 * One dollar counts as seven yuan, one euro as eight: a band that spans two orders of magnitude does not feel the rate.
 * Source of the bounds: pricing/README.md, "Bands". */
bool guard_band_find(struct gt_str sku, struct currency currency, struct guard_band *ret_band);

#endif
