/* The card catalogue: from printed labels to nodes of the SKU tree (vendor > family > VRAM > form). */
#ifndef GT_PRICING_SKU_H
#define GT_PRICING_SKU_H

#include <stdbool.h>

#include "common/arena.h"
#include "pricing/offer.h"

enum { SKU_LABEL_MAX = 4096, SKU_CANDIDATES_MAX = 16 };

/* A node of the tree. Inner nodes are ours ("NVIDIA-A100", "NVIDIA-A100-80G"); leaves are the catalogue's canonical names. */
struct sku_node {
    const char *name;
    const char *parent;       /* "" at a vendor's root */
    const char *vendor;       /* "NVIDIA", "ASCEND", … : the name's first part */
    int32_t vram_gb;          /* 0 where it stays open or is not known */
    const char *form;         /* "SXM4", "PCIe", … or "" */
    const char *interconnect; /* what the card really has: "NVLink", "HCCS", "" none, NULL not known */
};

struct sku_match {
    enum sku_status status;
    const struct sku_node *node; /* NULL when unmapped or ambiguous */
    const struct sku_node *candidates[SKU_CANDIDATES_MAX];
    size_t candidate_count;
    int32_t cards;               /* a count glued to the card's name ("8*910B", "gpu-h100x8-640gb"); 0 none */
    bool is_type_count;          /* `cards` is what the catalogue knows of a machine's name: any printed count goes before it */
    int32_t vram_gb;             /* printed beside the name, per card; 0 none */
    int32_t slice_num, slice_den;
    size_t offset, len;          /* of the words that named it, in the label */
};

/* A user's alias from sites.conf: exact words that stand for a node. */
struct sku_alias {
    struct gt_str words;
    const char *sku;
};

/* Resolves a printed label (a name, a glued instance type, or a sentence) to the deepest node that its own words support.
 *
 *  label     borrowed UTF-8, at most SKU_LABEL_MAX bytes (longer: only the first ones count).
 *  vram_gb   what the row prints beside the name, per card, 0 when nothing: picks or refuses variants (snapped within 7 %).
 *  aliases   the site's own, tried first; may be NULL with count 0.
 *
 * Never a guess: a bare "A100" is `family`, "RTX 6000" is `ambiguous` with candidates, an unknown name is `unmapped`. */
struct sku_match sku_resolve(struct gt_str label, int32_t vram_gb, const struct sku_alias *aliases, size_t alias_count);

/* True when so much memory, in GB, is too little for the card that was matched, whichever of its variants it is. */
bool sku_is_part(const struct sku_match *match, int32_t vram_gb);

/* The node of a canonical name (any case), or NULL. */
const struct sku_node *sku_find(struct gt_str name);

/* True when `name` is `ancestor` or lies below it in the tree. */
bool sku_is_within(struct gt_str name, struct gt_str ancestor);

/* All nodes in name order. */
const struct sku_node *sku_nodes(size_t *ret_count);

/* The version of the catalogue's data: changes when any row does. */
const char *sku_catalogue_version(void);

#endif
