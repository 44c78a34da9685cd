/* Comparison classes (可比组): lows, medians and movers compare only inside one. */
#ifndef GT_PRICING_COMPARE_CLASS_H
#define GT_PRICING_COMPARE_CLASS_H

#include "common/arena.h"
#include "pricing/offer.h"
#include "pricing/persona.h"

/* The key of an offer's class for a persona's term, as one word that sorts: SKU node / vram / delivery / tier / term /
 * min-cards (one or node) / market / includes [/ fabric above one node]:
 * "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole". Offers whose SKU is not exact are in a class of their
 * label's own ("?…"). In the arena. */
struct gt_str compare_class(const struct offer *offer, const struct persona *persona, struct arena *arena);

#endif
