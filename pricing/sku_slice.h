/* Parts of a card: "1/4 卡", "0.5 GPU", "MIG 1g.10gb". Internal to the resolver. */
#ifndef GT_PRICING_SKU_SLICE_H
#define GT_PRICING_SKU_SLICE_H

#include "pricing/sku_alias.h"

struct sku_slice {
    int32_t num, den; /* 0 and 0: a whole card */
    bool is_mig;      /* its memory is no plain fraction of the card's */
};

/* Reads the part of the card that the label sells. A fraction counts only where the label says of what: before 卡 or GPU,
 * before the name, in a label about slices, or when `is_part`, since the memory printed beside the name is no more than a part's:
 * "(1/8)" alone is a stock count, and so is "空闲 1/8 卡". */
struct sku_slice sku_slice_read(const struct sku_text *text, const struct sku_mention *mention, bool is_part);

#endif
