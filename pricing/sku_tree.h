/* Walking the SKU tree. Internal to the resolver; others use pricing/sku.h. */
#ifndef GT_PRICING_SKU_TREE_H
#define GT_PRICING_SKU_TREE_H

#include "pricing/sku.h"

/* The first twelve digits of a SHA-256 over every row of the tables; test_sku prints the right one when it is not this. */
#include "pricing/sku_version.def"

/* Two tables in one: a card of the same name with another VRAM (`other`), or another figure printed for the same card
 * (`vram_gb`). */
struct sku_relation {
    const char *card;
    const char *other; /* NULL: the row is about `vram_gb` */
    int32_t vram_gb;
};

/* All relations, in the order of the catalogue. */
const struct sku_relation *sku_relations(size_t *ret_count);

/* The node above, NULL for a vendor. */
const struct sku_node *sku_parent(const struct sku_node *node);

/* True when `node` is `ancestor` or lies below it. */
bool sku_node_is_within(const struct sku_node *node, const struct sku_node *ancestor);

/* The first node right below `node` after the child `after` (NULL: the first of all), in name order; NULL when there is no
 * more. */
const struct sku_node *sku_child(const struct sku_node *node, const struct sku_node *after);

/* True for a vendor; true for a node with nothing below it. */
bool sku_is_root(const struct sku_node *node);
bool sku_is_leaf(const struct sku_node *node);

/* The deepest node that holds both, NULL when the vendors differ. */
const struct sku_node *sku_common(const struct sku_node *a, const struct sku_node *b);

#endif
