#include "pricing/sku.h"

#include "pricing/sku_tree.h"

#define SKU_NODE(vendor, name, parent, vram_gb, form, interconnect) {name, parent, #vendor, vram_gb, form, interconnect},
#define SKU_VARIANT(card, other)
#define SKU_ALSO(card, vram_gb)
static const struct sku_node nodes[] = {
#include "pricing/sku_catalogue.def"
};
#undef SKU_NODE
#undef SKU_VARIANT
#undef SKU_ALSO

/* How long the parents' names are, apart: it tells most nodes that are no children of one from those that are. */
#define SKU_NODE(vendor, name, parent, vram_gb, form, interconnect) sizeof(parent) - 1,
#define SKU_VARIANT(card, other)
#define SKU_ALSO(card, vram_gb)
static const unsigned char parent_lens[] = {
#include "pricing/sku_catalogue.def"
};
#undef SKU_NODE
#undef SKU_VARIANT
#undef SKU_ALSO

#define SKU_NODE(vendor, name, parent, vram_gb, form, interconnect)
#define SKU_VARIANT(card, other) {card, other, 0},
#define SKU_ALSO(card, vram_gb) {card, NULL, vram_gb},
static const struct sku_relation relations[] = {
#include "pricing/sku_catalogue.def"
};
#undef SKU_NODE
#undef SKU_VARIANT
#undef SKU_ALSO

enum {
    NODE_TOTAL = sizeof nodes / sizeof nodes[0],
    RELATION_TOTAL = sizeof relations / sizeof relations[0],
};

const struct sku_node *sku_nodes(size_t *ret_count)
{
    *ret_count = NODE_TOTAL;
    return nodes;
}

const struct sku_relation *sku_relations(size_t *ret_count)
{
    *ret_count = RELATION_TOTAL;
    return relations;
}

/* Orders a name of any case against a canonical one: canonical names are upper case. */
static int name_cmp(struct gt_str name, const char *canonical)
{
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (c >= 'a' && c <= 'z') c = (unsigned char)(c - 32);
        unsigned char expected = (unsigned char)canonical[i];
        if (c != expected || expected == 0) return (int)c - (int)expected;
    }
    return canonical[name.len] == '\0' ? 0 : -1;
}

const struct sku_node *sku_find(struct gt_str name)
{
    size_t low = 0, high = NODE_TOTAL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = name_cmp(name, nodes[middle].name);
        if (order == 0) return &nodes[middle];
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return NULL;
}

const struct sku_node *sku_parent(const struct sku_node *node)
{
    return node->parent[0] != '\0' ? sku_find(gt_str_from(node->parent)) : NULL;
}

bool sku_node_is_within(const struct sku_node *node, const struct sku_node *ancestor)
{
    for (; node != NULL; node = sku_parent(node))
        if (node == ancestor) return true;
    return false;
}

bool sku_is_within(struct gt_str name, struct gt_str ancestor)
{
    const struct sku_node *node = sku_find(name), *above = sku_find(ancestor);
    return node != NULL && above != NULL && sku_node_is_within(node, above);
}

bool sku_is_root(const struct sku_node *node)
{
    return node->parent[0] == '\0';
}

const struct sku_node *sku_child(const struct sku_node *node, const struct sku_node *after)
{
    size_t len = strlen(node->name);
    for (size_t i = after != NULL ? (size_t)(after - nodes) + 1 : 0; i < NODE_TOTAL; i++) {
        const unsigned char *next = memchr(parent_lens + i, (int)len, NODE_TOTAL - i);
        if (next == NULL) return NULL;
        i = (size_t)(next - parent_lens);
        if (memcmp(nodes[i].parent, node->name, len) == 0) return &nodes[i];
    }
    return NULL;
}

bool sku_is_leaf(const struct sku_node *node)
{
    return sku_child(node, NULL) == NULL;
}

const struct sku_node *sku_common(const struct sku_node *a, const struct sku_node *b)
{
    for (; a != NULL; a = sku_parent(a))
        if (sku_node_is_within(b, a)) return a;
    return NULL;
}

const char *sku_catalogue_version(void)
{
    return SKU_CATALOGUE_VERSION;
}
