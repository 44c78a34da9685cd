/* From what a name may mean and what is printed beside it to nodes of the tree. Internal to the resolver. */
#ifndef GT_PRICING_SKU_PICK_H
#define GT_PRICING_SKU_PICK_H

#include "pricing/sku_beside.h"
#include "pricing/sku_slice.h"
#include "pricing/sku_tree.h"

enum { SKU_LEAVES_MAX = 32 };

/* The cards (leaves of the tree) that the words still allow. */
struct sku_pick {
    const struct sku_node *leaves[SKU_LEAVES_MAX];
    size_t count;
    int32_t vram_gb; /* printed and found to fit, as the catalogue has it; 0 none */
    bool is_refused; /* a printed size contradicts every variant: `leaves` are those it contradicts */
};

/* What a printed size may be: per card; else of `cards` together; else of the slice. */
struct sku_size {
    struct sku_vram vram;
    int32_t cards;
    struct sku_slice slice;
};

/* All cards below the nodes (canonical names joined by ' '). */
struct sku_pick sku_pick_begin(const char *nodes);

/* True for a size of memory, in GB, that is too small for all of them: a part of a card has it, or something else. */
bool sku_pick_is_part(const struct sku_pick *pick, int32_t vram_gb);

/* Keeps the cards whose memory is nearest to the printed size, within 7 %; cards of the same name with another memory come in
 * when none of those at hand fits. A doubtful size that fits nothing is ignored, any other one refuses. */
void sku_pick_by_vram(struct sku_pick *pick, const struct sku_size *size);

/* "40G 或 80G": keeps the cards of either size, when there are some of each and they differ. False, with nothing changed, else. */
bool sku_pick_by_two(struct sku_pick *pick, const struct sku_size *size, struct sku_vram other);

/* Keeps the cards of the printed form; ignored when there is none of it. */
void sku_pick_by_form(struct sku_pick *pick, const struct sku_word *form);

/* The deepest node that holds all of them; NULL when that is a vendor or nothing. */
const struct sku_node *sku_pick_node(const struct sku_pick *pick);

#endif
