/* The vocabulary around card names (sku_words.def). Internal to the resolver. */
#ifndef GT_PRICING_SKU_WORDS_H
#define GT_PRICING_SKU_WORDS_H

#include "pricing/sku_text.h"

/* Kinds are bits, so that one search may look for several. What each means stands in sku_words.def. */
enum sku_word_kind {
    SKU_WORD_MAKER = 1,
    SKU_WORD_FORM = 2,
    SKU_WORD_NEUTRAL = 4,
    SKU_WORD_CARD = 8,
    SKU_WORD_VARIANT = 16,
    SKU_WORD_BEFORE = 32,
    SKU_WORD_LEAD = 64,
    SKU_WORD_AFTER = 128,
    SKU_WORD_UNIT = 256,
    SKU_WORD_MEMORY = 512,
};

struct sku_word {
    enum sku_word_kind kind;
    const char *text; /* static */
    size_t len;
};

/* The longest word of the whole vocabulary that begins at `at` (ends at `end`), if it is of one of `kinds`; else NULL. That
 * the longest one decides keeps "月租" (of cards) from being read as "月" (a unit). */
const struct sku_word *sku_word_at(const struct sku_text *text, size_t at, unsigned kinds);
const struct sku_word *sku_word_before(const struct sku_text *text, size_t end, unsigned kinds);

/* True when a word of one of `kinds` stands anywhere outside [skip_start, skip_end). */
bool sku_word_anywhere(const struct sku_text *text, unsigned kinds, size_t skip_start, size_t skip_end);

#endif
