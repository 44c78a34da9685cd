/* One way from words to a card, walked by the reader of rows and by re-derivation: a history that was derived anew must not
 * differ from one that was read anew. */
#include "pricing/offer_sku.h"

#include <stdio.h>

#include "pricing/listing_row.h"
#include "pricing/listing_spec.h"
#include "pricing/net_price_quote.h"
#include "pricing/sku_label.h"
#include "pricing/sku_tree.h"

/* The clues as far as they were asked: a second size of memory is tried on the labels that were read for the first. */
struct clues_read {
    const struct sku_clues *clues;
    struct arena *arena; /* NULL when memory was out: nothing is read then */
    struct sku_label labels[SKU_CLUES_MAX];
    size_t count; /* of labels read */
};

/* What the i'th clue says by itself. */
static struct sku_match match_clue(struct clues_read *read, size_t i, int32_t vram_gb)
{
    const struct site_aliases *aliases = read->clues->aliases;
    if (read->arena == NULL) return (struct sku_match){.status = SKU_UNMAPPED};
    for (; read->count <= i; read->count++)
        sku_label_read(read->clues->texts[read->count], aliases != NULL ? aliases->items : NULL, aliases != NULL ? aliases->count : 0,
                       read->arena, &read->labels[read->count]);
    return sku_label_match(&read->labels[i], vram_gb);
}

/* "GN7.10XLARGE160" beside "2 * NVIDIA T4": a printed count of the same card goes before what the machine's name stands for. */
static void count_printed(struct sku_match *match, const struct sku_match *other)
{
    bool is_same = match->node != NULL && other->node != NULL &&
                   (sku_node_is_within(match->node, other->node) || sku_node_is_within(other->node, match->node));
    if (!match->is_type_count || !is_same || other->cards == 0 || other->is_type_count) return;
    match->cards = other->cards;
    match->is_type_count = false;
}

/* The first clue that names a card. */
static struct sku_match match_with(struct clues_read *read, int32_t vram_gb)
{
    struct sku_match match = {.status = SKU_UNMAPPED};
    for (size_t i = 0; i < SKU_CLUES_MAX && (match.status == SKU_UNMAPPED || match.is_type_count); i++) {
        if (i > 0 && read->clues->texts[i].len == 0) continue;
        struct sku_match own = match_clue(read, i, vram_gb);
        if (match.status == SKU_UNMAPPED) match = own;
        else count_printed(&match, &own);
    }
    return match;
}

/* The fraction in lowest terms. */
static void set_slice(struct sku_match *match, int32_t part, int32_t whole)
{
    for (int32_t by = 2; by <= part; by++)
        while (part % by == 0 && whole % by == 0) {
            part /= by;
            whole /= by;
        }
    match->slice_num = part;
    match->slice_den = whole;
}

/* Cards that the clues count; 0 when they count none. */
static int32_t cards_of(const struct sku_clues *clues)
{
    int32_t cards = 0;
    for (size_t i = 0; i < SKU_CLUES_MAX && cards == 0; i++) cards = spec_cards_find(clues->texts[i]);
    return cards;
}

/* A part is looked for only where the words with that memory name no card: most memory is the whole card's. */
static struct sku_match match_or_part(struct clues_read *read, int32_t vram_gb)
{
    enum { PART_OF_TEN_MAX = 7, TEN = 10 };
    struct sku_match match = match_with(read, vram_gb);
    bool is_open = match.status == SKU_UNMAPPED || match.status == SKU_AMBIGUOUS;
    if (vram_gb == 0 || !is_open) return match;
    struct sku_match whole = match_with(read, 0);
    /* "4 GPUs, 320GB VRAM", "RTX 4090 24GB × 2" beside 48 GB: the memory of all together. */
    int32_t cards = cards_of(read->clues);
    if (cards == 0 && !whole.is_type_count) cards = whole.cards;
    if (cards > 1 && vram_gb % cards == 0) {
        struct sku_match each = match_with(read, vram_gb / cards);
        if (each.status == SKU_EXACT) return each;
    }
    if (whole.status != SKU_EXACT || vram_gb * TEN > whole.node->vram_gb * PART_OF_TEN_MAX) return match;
    set_slice(&whole, vram_gb, whole.node->vram_gb);
    return whole;
}

struct sku_match offer_sku_match(const struct sku_clues *clues, int32_t vram_gb)
{
    struct clues_read read;
    read.clues = clues;
    read.arena = arena_new(SKU_CLUES_MAX * SKU_LABEL_ARENA_BYTES);
    read.count = 0;
    struct sku_match match = match_or_part(&read, vram_gb);
    arena_free(read.arena);
    return match;
}

/* The cards that an ambiguous label may mean, for the reader to decide. */
static struct gt_str names_of(const struct sku_match *match, struct arena *arena)
{
    struct gt_str names = {"", 0};
    for (size_t i = 0; i < match->candidate_count; i++)
        names = arena_printf(arena, "%.*s%s%s", GT_STR_ARG(names), i > 0 ? " " : "", match->candidates[i]->name);
    return names;
}

void offer_sku_set(struct offer_attributes *attributes, const struct sku_match *match, struct arena *arena)
{
    attributes->sku_status = match->status;
    attributes->candidates = names_of(match, arena);
    attributes->sku[0] = '\0';
    if (match->node != NULL) snprintf(attributes->sku, sizeof attributes->sku, "%s", match->node->name);
    if (attributes->vram_gb == 0) attributes->vram_gb = match->vram_gb;
    /* The catalogue knows the memory of a card better than a page that rounds it. */
    if (match->node != NULL && match->node->vram_gb > 0) attributes->vram_gb = match->node->vram_gb;
}

/* ---- again, from what is stored ---- */

/* What the identity holds of a row's words. */
static struct gt_str words_of(const struct offer_identity *identity, struct arena *arena)
{
    return arena_printf(arena, "%.*s %.*s %.*s", GT_STR_ARG(identity->label), GT_STR_ARG(identity->plan),
                        GT_STR_ARG(identity->variant));
}

/* True when card, status, candidates and memory are those that stand already. */
static bool is_same_card(const struct offer_attributes *a, const struct offer_attributes *b)
{
    return strcmp(a->sku, b->sku) == 0 && a->sku_status == b->sku_status && gt_str_eq(a->candidates, b->candidates) &&
           a->vram_gb == b->vram_gb;
}

/* Cards in the unit sold, where no count was known. */
static void settle_cards(struct offer *offer, const struct sku_match *match, struct gt_str words)
{
    struct offer_attributes *attributes = &offer->attributes;
    if (attributes->cards != 0 || attributes->slice_den != 0) return;
    attributes->slice_num = match->slice_num;
    attributes->slice_den = match->slice_den;
    if (attributes->slice_den != 0) return;
    if (match->cards > 0 && match->cards <= CARDS_MAX && !match->is_type_count) attributes->cards = match->cards;
    else if (spec_cards_find(words) > 0 && spec_cards_find(words) <= CARDS_MAX) attributes->cards = spec_cards_find(words);
    else if (match->is_type_count) attributes->cards = match->cards;
    else if (offer_sells_single(offer)) attributes->cards = 1;
}

/* True when the name of a machine counts its cards by now and no printed count stood against it: none was known, or a single
 * card was assumed. */
static bool is_counted_anew(const struct offer *offer, const struct sku_match *match, struct gt_str words)
{
    const struct offer_attributes *attributes = &offer->attributes;
    return match->is_type_count && attributes->slice_den == 0 && attributes->cards < match->cards && attributes->cards <= 1 &&
           spec_cards_find(words) == 0;
}

/* What is the same stays untouched to the last byte, so that the store has nothing to write for it. */
bool offer_sku_rederive(struct offer *offer, const struct site_facts *facts, const struct site_aliases *aliases,
                        struct arena *arena)
{
    struct offer_attributes before = offer->attributes;
    const struct offer_identity *identity = &offer->identity;
    const struct sku_clues clues = {.texts = {identity->label, identity->key, identity->variant, identity->plan},
                                    .aliases = aliases};
    struct sku_match match = offer_sku_match(&clues, before.vram_printed_gb);
    offer->attributes.vram_gb = before.vram_printed_gb;
    offer_sku_set(&offer->attributes, &match, arena);
    struct gt_str words = words_of(identity, arena);
    bool is_counted = is_counted_anew(offer, &match, words);
    if (!is_counted && is_same_card(&before, &offer->attributes)) {
        offer->attributes = before;
        return false;
    }
    if (is_counted) offer->attributes.cards = 0;
    settle_cards(offer, &match, words);
    struct site_facts own = *facts;
    /* The record keeps its currency, whatever the section says by now. */
    if (offer->record.currency.code[0] != '\0') own.currency = offer->record.currency;
    listing_normalise(offer, &own);
    return true;
}
