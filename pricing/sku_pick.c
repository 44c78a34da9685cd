#include "pricing/sku_pick.h"

enum {
    SNAP_PERCENT = 7,       /* "79 GB" of an 80: drivers, error correction and decimal gigabytes take up to this much */
    CUT_GB_MIN = 16,        /* from here on a whole number may be a cut one: "22 GB" of 22.5 of a 24 */
    CARD_TENTHS_MAX = 3200, /* no card has more than 320 GB: a larger size is the host's or the node's */
    SIZE_FITS_NOT = INT32_MAX,
    DEPTH_MAX = 8, /* the tree is four deep */
};

static void leaf_add(struct sku_pick *pick, const struct sku_node *leaf)
{
    for (size_t i = 0; i < pick->count; i++)
        if (pick->leaves[i] == leaf) return;
    if (pick->count < SKU_LEAVES_MAX) pick->leaves[pick->count++] = leaf;
}

/* The tree is four deep, so this recursion is too. */
static void leaves_add(struct sku_pick *pick, const struct sku_node *node)
{
    const struct sku_node *child = sku_child(node, NULL);
    if (child == NULL) leaf_add(pick, node);
    for (; child != NULL; child = sku_child(node, child)) leaves_add(pick, child);
}

struct sku_pick sku_pick_begin(const char *nodes)
{
    struct sku_pick pick = {0};
    struct gt_str rest = gt_str_from(nodes), name;
    while (gt_str_split(&rest, ' ', &name)) {
        const struct sku_node *node = sku_find(name);
        if (node != NULL) leaves_add(&pick, node);
    }
    return pick;
}

/* How far a printed size is from a card's, in tenths of a GB; SIZE_FITS_NOT past the tolerance. */
static int32_t distance_to(struct sku_vram vram, int32_t card_gb)
{
    int32_t card = card_gb * 10;
    int32_t distance = vram.tenths > card ? vram.tenths - card : card - vram.tenths;
    if (distance * 100 <= card * SNAP_PERCENT) return distance;
    bool may_be_cut = vram.is_whole && card_gb >= CUT_GB_MIN && vram.tenths < card;
    return may_be_cut && (vram.tenths + 10) * 100 >= card * (100 - SNAP_PERCENT) ? distance : SIZE_FITS_NOT;
}

/* As distance_to, over every figure that is printed for the card; a card of unknown memory fits any size, but worse than a
 * known one. */
static int32_t card_distance(struct sku_vram vram, const struct sku_node *card)
{
    if (card->vram_gb == 0) return SIZE_FITS_NOT - 1;
    int32_t best = distance_to(vram, card->vram_gb);
    size_t count;
    const struct sku_relation *relations = sku_relations(&count);
    for (size_t i = 0; i < count; i++)
        if (relations[i].other == NULL && strcmp(relations[i].card, card->name) == 0) {
            int32_t distance = distance_to(vram, relations[i].vram_gb);
            if (distance < best) best = distance;
        }
    return best;
}

/* Keeps the leaves nearest to the size. False, with nothing changed, when none fits. */
static bool keep_nearest(struct sku_pick *pick, struct sku_vram vram)
{
    int32_t distances[SKU_LEAVES_MAX], best = SIZE_FITS_NOT;
    for (size_t i = 0; i < pick->count; i++) {
        distances[i] = card_distance(vram, pick->leaves[i]);
        if (distances[i] < best) best = distances[i];
    }
    if (best == SIZE_FITS_NOT) return false;
    size_t kept = 0;
    for (size_t i = 0; i < pick->count; i++)
        if (distances[i] == best) pick->leaves[kept++] = pick->leaves[i];
    pick->count = kept;
    pick->vram_gb = pick->leaves[0]->vram_gb != 0 ? pick->leaves[0]->vram_gb : vram.tenths / 10;
    return true;
}

/* The node that holds all leaves, the deepest; NULL when there is none. */
static const struct sku_node *common_of(const struct sku_pick *pick)
{
    const struct sku_node *node = pick->count > 0 ? pick->leaves[0] : NULL;
    for (size_t i = 1; i < pick->count && node != NULL; i++) node = sku_common(node, pick->leaves[i]);
    return node;
}

/* Cards of the same name with another memory, one or two steps away ("910B" > 910B4 > 910B4-1). */
static struct sku_pick variants_of(const struct sku_pick *pick)
{
    struct sku_pick variants = {0};
    const struct sku_node *above[DEPTH_MAX];
    size_t count, depth = 0;
    const struct sku_relation *relations = sku_relations(&count);
    for (const struct sku_node *node = common_of(pick); node != NULL && depth < DEPTH_MAX; node = sku_parent(node)) above[depth++] = node;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; relations[i].other != NULL && k < depth; k++)
            if (strcmp(relations[i].card, above[k]->name) == 0) leaf_add(&variants, sku_find(gt_str_from(relations[i].other)));
    return variants;
}

/* The usual variants first; another card of the same name only when none of them has that memory. */
static bool keep_fitting(struct sku_pick *pick, struct sku_vram vram)
{
    if (keep_nearest(pick, vram)) return true;
    struct sku_pick variants = variants_of(pick);
    if (!keep_nearest(&variants, vram)) return false;
    *pick = variants;
    return true;
}

/* The size of one card when the printed one is of `cards` together: only when it comes out even, and for the usual variant
 * only ("8 卡 384G" may be the host's memory as well as eight modified cards). */
static bool keep_fitting_share(struct sku_pick *pick, const struct sku_size *size)
{
    if (size->cards < 2 || size->vram.tenths % size->cards != 0) return false;
    return keep_nearest(pick, (struct sku_vram){.tenths = size->vram.tenths / size->cards, .is_whole = size->vram.is_whole});
}

/* Half a card is sold with half its memory. */
static bool keep_fitting_slice(struct sku_pick *pick, const struct sku_size *size)
{
    int64_t whole = (int64_t)size->vram.tenths * size->slice.den / size->slice.num;
    return whole < INT32_MAX && keep_fitting(pick, (struct sku_vram){.tenths = (int32_t)whole});
}

/* "2 GPUs, 48GB" of a card that is made with 24 and with 48: both readings stand where the size could be either; the usual card
 * alone where the other is a modified board and the size stands behind the count. False when there is no such choice. */
static bool keep_either(struct sku_pick *pick, const struct sku_size *size)
{
    struct sku_pick each = *pick, share = *pick;
    if (!keep_fitting_share(&share, size) || !keep_fitting(&each, size->vram)) return false;
    struct sku_pick usual = *pick;
    bool is_usual = keep_nearest(&usual, size->vram);
    if (is_usual && !size->vram.is_behind_count) return false;
    *pick = share;
    pick->vram_gb = 0;
    if (!is_usual && size->vram.is_behind_count) {
        pick->vram_gb = share.vram_gb;
        return true;
    }
    for (size_t i = 0; i < each.count; i++) leaf_add(pick, each.leaves[i]);
    return true;
}

bool sku_pick_is_part(const struct sku_pick *pick, int32_t vram_gb)
{
    enum { PART_OF_TEN_MAX = 7, TEN = 10 };
    struct sku_pick fitting = *pick;
    bool is_part = vram_gb > 0 && vram_gb < CARD_TENTHS_MAX && pick->count > 0 &&
                   !keep_fitting(&fitting, (struct sku_vram){.tenths = vram_gb * TEN, .is_whole = true});
    for (size_t i = 0; i < pick->count && is_part; i++) is_part = vram_gb * TEN <= pick->leaves[i]->vram_gb * PART_OF_TEN_MAX;
    return is_part;
}

bool sku_is_part(const struct sku_match *match, int32_t vram_gb)
{
    struct sku_pick pick = match->node != NULL ? sku_pick_begin(match->node->name) : (struct sku_pick){0};
    for (size_t i = 0; match->node == NULL && i < match->candidate_count; i++) leaf_add(&pick, match->candidates[i]);
    return sku_pick_is_part(&pick, vram_gb);
}

void sku_pick_by_vram(struct sku_pick *pick, const struct sku_size *size)
{
    if (size->vram.tenths == 0 || pick->count == 0 || pick->is_refused) return;
    if (size->slice.den != 0 && !size->slice.is_mig && keep_fitting_slice(pick, size)) return;
    if (keep_either(pick, size) || keep_fitting(pick, size->vram) || keep_fitting_share(pick, size)) return;
    pick->is_refused = !size->vram.is_doubtful && !size->slice.is_mig && size->vram.tenths <= CARD_TENTHS_MAX;
    if (pick->is_refused) pick->vram_gb = size->vram.tenths / 10;
}

bool sku_pick_by_two(struct sku_pick *pick, const struct sku_size *size, struct sku_vram other)
{
    struct sku_pick first = *pick, second = *pick;
    if (size->vram.tenths == 0 || other.tenths == 0 || !keep_fitting(&first, size->vram) || !keep_fitting(&second, other)) return false;
    if (first.count == second.count && memcmp(first.leaves, second.leaves, first.count * sizeof(const struct sku_node *)) == 0) return false;
    *pick = first;
    for (size_t i = 0; i < second.count; i++) leaf_add(pick, second.leaves[i]);
    pick->vram_gb = 0;
    return true;
}

/* "NVLink" rules out the variant that has none; most have it in every form, and then it says nothing. */
static bool has_nvlink(const struct sku_node *card)
{
    return card->interconnect == NULL || strcmp(card->interconnect, "NVLink") == 0;
}

/* "sxm" stands for each of its generations, "hgx" for a board of SXM modules, "dgx" for NVIDIA's own machine around one. */
static bool is_of_form(const struct sku_node *card, const struct sku_word *form)
{
    if (strcmp(form->text, "nvlink") == 0) return has_nvlink(card);
    bool is_board = strcmp(form->text, "hgx") == 0 || strcmp(form->text, "dgx") == 0;
    const char *word = is_board ? "sxm" : strncmp(form->text, "pci", 3) == 0 ? "pcie" : form->text;
    size_t len = strlen(word);
    struct gt_str card_form = gt_str_from(card->form);
    if (card_form.len < len) return false;
    bool is_generation_open = strcmp(word, "sxm") == 0;
    if (card_form.len != len && !is_generation_open) return false;
    return gt_str_eq_nocase(gt_str_slice(card_form, 0, len), (struct gt_str){word, len});
}

void sku_pick_by_form(struct sku_pick *pick, const struct sku_word *form)
{
    struct sku_pick kept = *pick;
    kept.count = 0;
    if (form == NULL || pick->is_refused) return;
    for (size_t i = 0; i < pick->count; i++)
        if (is_of_form(pick->leaves[i], form)) kept.leaves[kept.count++] = pick->leaves[i];
    if (kept.count > 0) *pick = kept;
}

const struct sku_node *sku_pick_node(const struct sku_pick *pick)
{
    const struct sku_node *node = common_of(pick);
    return node != NULL && !sku_is_root(node) ? node : NULL;
}
