/* The key of a comparison class. A low or a median over cards that are not alike is worse than none: a spot price beside a
 * lease, a node beside a card, a price without its host beside one with it. What is not known is a word of its own ("?",
 * "unknown"), so that it meets only its like. */
#include "pricing/compare_class.h"

#include <stdio.h>

#include "pricing/listing_words.h"

enum {
    LABEL_SHOWN_MAX = 96,
    VRAM_TEXT_MAX = 16,
    CLASS_BYTES_MAX = 512,
    NODE_CARDS = 8, /* above one node the links between nodes decide what a card is worth */
};

/* A label as one word: lower case, everything that would end or split a word replaced. */
static struct gt_str label_word(struct gt_str label, struct arena *arena)
{
    struct gt_str word = arena_dup(arena, words_cut(label, LABEL_SHOWN_MAX));
    char *bytes = word.ptr != NULL ? arena_alloc(arena, word.len + 1) : NULL;
    if (bytes == NULL) return (struct gt_str){NULL, 0};
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        bool is_splitting = c == ' ' || c == '/' || (unsigned char)c < ' ';
        bytes[i] = is_splitting ? '_' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return (struct gt_str){bytes, word.len};
}

/* The row prints a price for who can be interrupted. */
static bool has_spot(const struct offer *offer)
{
    for (size_t i = 0; i < offer->record.quote_count; i++)
        if (offer->record.quotes[i].role == ROLE_SPOT) return true;
    return false;
}

/* Who takes spot is compared on the spot price, where the row prints one. */
static enum tier tier_for(const struct offer *offer, const struct persona *persona)
{
    return persona->takes_spot && has_spot(offer) ? TIER_SPOT : offer->attributes.tier;
}

/* More than one card has to be taken at once. */
static bool is_node(const struct offer_attributes *attributes)
{
    return attributes->cards > 1 || attributes->min_cards > 1;
}

/* "/fabric-400" where more than one node is rented at once; "/fabric-0" when it is not printed. */
static struct gt_str fabric_of(const struct offer *offer, const struct persona *persona, struct arena *arena)
{
    const struct offer_attributes *attributes = &offer->attributes;
    bool is_above = persona->cards > NODE_CARDS || attributes->cards > NODE_CARDS || attributes->min_cards > NODE_CARDS;
    if (!is_above) return (struct gt_str){"", 0};
    return arena_printf(arena, "/fabric-%d", (int)attributes->fabric_gbps);
}

/* A key in the making. Every offer of every report has one, and printf would be most of the cost. */
struct class_line {
    char bytes[CLASS_BYTES_MAX];
    size_t len;
};

/* Pieces are shorter than the line by far: SKU names, cut labels and words of our own. */
static void put(struct class_line *line, struct gt_str piece)
{
    size_t len = piece.len < CLASS_BYTES_MAX - line->len ? piece.len : CLASS_BYTES_MAX - line->len;
    if (len > 0) memcpy(line->bytes + line->len, piece.ptr, len);
    line->len += len;
}

static void put_word(struct class_line *line, enum vocabulary vocabulary, int value)
{
    put(line, GT_STR("/"));
    put(line, gt_str_from(word_text(vocabulary, value)));
}

struct gt_str compare_class(const struct offer *offer, const struct persona *persona, struct arena *arena)
{
    const struct offer_attributes *attributes = &offer->attributes;
    /* A family ("A100") holds cards of different memory: it is compared with nothing but rows of the same label. */
    bool is_exact = attributes->sku_status == SKU_EXACT && attributes->sku[0] != '\0';
    struct gt_str name = is_exact ? gt_str_from(attributes->sku) : label_word(offer->identity.label, arena);
    struct class_line line = {.len = 0};
    char vram[VRAM_TEXT_MAX] = "?";
    if (name.ptr == NULL) return name;
    if (attributes->vram_gb > 0) snprintf(vram, sizeof vram, "%d", (int)attributes->vram_gb);
    if (!is_exact) put(&line, GT_STR("?"));
    put(&line, name);
    put(&line, GT_STR("/"));
    put(&line, gt_str_from(vram));
    put(&line, GT_STR("G"));
    put_word(&line, VOCABULARY_DELIVERY, (int)attributes->delivery);
    put_word(&line, VOCABULARY_TIER, (int)tier_for(offer, persona));
    put_word(&line, VOCABULARY_PERIOD, (int)persona->pay);
    put(&line, is_node(attributes) ? GT_STR("/node") : GT_STR("/one"));
    put_word(&line, VOCABULARY_MARKET, (int)attributes->market);
    put_word(&line, VOCABULARY_INCLUDES, (int)attributes->includes);
    put(&line, fabric_of(offer, persona, arena));
    return arena_dup(arena, (struct gt_str){line.bytes, line.len});
}
