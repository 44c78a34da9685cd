/* Card labels. Input: one byte of printed memory (GB), then the label. A node is given only with its status, candidates only where
 * several fit, and all of them are in the catalogue. */
#include "pricing/sku.h"
#include "tests/fuzz/fuzz.h"

/* True when no node lies below: such a node fixes the memory even where nobody says how much it is. */
static bool is_leaf(const struct sku_node *node)
{
    size_t count;
    const struct sku_node *nodes = sku_nodes(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(nodes[i].parent, node->name) == 0) return false;
    return true;
}

static void check_match(const struct sku_match *match, struct gt_str label)
{
    bool has_node = match->status == SKU_EXACT || match->status == SKU_FAMILY;
    FUZZ_CHECK("a node where one is known", has_node == (match->node != NULL));
    FUZZ_CHECK("candidates fit", match->candidate_count <= SKU_CANDIDATES_MAX);
    /* one alone where its own words speak against it: "P800 84GB" of a card of 96 */
    if (match->status == SKU_AMBIGUOUS) FUZZ_CHECK("ambiguous between some", match->candidate_count >= 1);
    for (size_t i = 0; i < match->candidate_count; i++) {
        FUZZ_CHECK("candidates are nodes", sku_find(gt_str_from(match->candidates[i]->name)) == match->candidates[i]);
        for (size_t j = 0; j < i; j++) FUZZ_CHECK("each once", match->candidates[i] != match->candidates[j]);
    }
    if (match->node != NULL) {
        FUZZ_CHECK("a node of the catalogue", sku_find(gt_str_from(match->node->name)) == match->node);
        FUZZ_CHECK("below its vendor", sku_is_within(gt_str_from(match->node->name), gt_str_from(match->node->name)));
    }
    if (match->status == SKU_EXACT) FUZZ_CHECK("exact fixes the memory", match->node->vram_gb > 0 || is_leaf(match->node));
    FUZZ_CHECK("the words are in the label", match->offset <= label.len && match->len <= label.len - match->offset);
    FUZZ_CHECK("counts are counts", match->cards >= 0 && match->cards <= CARDS_MAX && match->vram_gb >= 0);
    FUZZ_CHECK("a slice is a part", (match->slice_num == 0 && match->slice_den == 0) ||
                                        (match->slice_num > 0 && match->slice_num <= match->slice_den));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    struct gt_str label = fuzz_copy(fuzz_input(data + 1, size - 1));
    const struct sku_alias alias = {GT_STR("my card"), "NVIDIA-A100-SXM4-80G"};
    struct sku_match match = sku_resolve(label, 0, NULL, 0);
    check_match(&match, label);
    struct sku_match sized = sku_resolve(label, data[0], NULL, 0);
    check_match(&sized, label);
    if (match.status == SKU_UNMAPPED) FUZZ_CHECK("a size alone makes no card", sized.node == NULL);
    struct sku_match aliased = sku_resolve(label, 0, &alias, 1);
    check_match(&aliased, label);
    if (match.node != NULL) {
        struct sku_match by_name = sku_resolve(gt_str_from(match.node->name), 0, NULL, 0);
        if (by_name.node == NULL) fprintf(stderr, "%s\n", match.node->name);
        FUZZ_CHECK("a node's own name leads to it", by_name.node == match.node);
    }
    fuzz_free(label);
    return 0;
}
