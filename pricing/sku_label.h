/* A label on its way to a card, read once and matched against several sizes of memory. Internal to the resolver and to offer_sku; others use
 * pricing/sku.h. */
#ifndef GT_PRICING_SKU_LABEL_H
#define GT_PRICING_SKU_LABEL_H

#include "common/arena.h"
#include "pricing/sku.h"
#include "pricing/sku_beside.h"

enum {
    SKU_MENTIONS_MAX = 16,
    SKU_LABEL_ARENA_BYTES = 2 * 1024 * 1024, /* a folded label of SKU_LABEL_MAX bytes may be eleven times as long, with four bytes of origin each */
};

/* The names that a label holds and what stands beside each. */
struct sku_mentions {
    struct sku_mention at[SKU_MENTIONS_MAX];
    struct sku_beside beside[SKU_MENTIONS_MAX];
    size_t count;
};

struct sku_label {
    struct gt_str words; /* cut to SKU_LABEL_MAX */
    struct sku_text text;
    struct sku_mentions mentions;
    bool is_read;      /* false: empty, or memory was out; it names nothing then */
    bool is_canonical; /* a node's own name */
    bool is_alias;     /* one of the site's own names: `alias` says which card */
    struct sku_match alias;
};

/* Reads a label as sku_resolve does. What it points to lies in the arena and in `label`. */
void sku_label_read(struct gt_str label, const struct sku_alias *aliases, size_t alias_count, struct arena *arena, struct sku_label *ret_label);

/* What the label says where the row prints `vram_gb` beside it (0: nothing). */
struct sku_match sku_label_match(const struct sku_label *label, int32_t vram_gb);

#endif
