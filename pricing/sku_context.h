/* Whether a name found in a label is one there: "4090" in "端口 4090" is none. Internal to the resolver. */
#ifndef GT_PRICING_SKU_CONTEXT_H
#define GT_PRICING_SKU_CONTEXT_H

#include "pricing/sku_beside.h"

/* True when the words around the i'th of a label's mentions allow it to be a card, by the strength of its row
 * (sku_aliases.def). `besides` is what stands beside each of the `count` mentions. */
bool sku_context_allows(const struct sku_text *text, const struct sku_mention *mention, const struct sku_beside *besides,
                        size_t count, size_t i);

#endif
