/* A label made ready for matching: folded, lower case, with a way back to the printed bytes. Internal to the resolver
 * (pricing/sku*.c). */
#ifndef GT_PRICING_SKU_TEXT_H
#define GT_PRICING_SKU_TEXT_H

#include <stdbool.h>

#include "common/arena.h"

/* What a byte is for word boundaries. WIDE is every byte of a character outside ASCII: Chinese has no blanks, so each is a
 * word. */
enum sku_char { SKU_CHAR_MARK, SKU_CHAR_LETTER, SKU_CHAR_DIGIT, SKU_CHAR_WIDE };

struct sku_text {
    const char *s; /* lower case; every sign of multiplication is '*' */
    size_t len;
    const uint32_t *origin; /* len + 1 of them: where in the printed label a byte came from */
};

/* Folds a label into the arena. False when memory is out. */
bool sku_text_read(struct gt_str label, struct arena *arena, struct sku_text *ret_text);

/* The class of the byte at `at`; MARK past the end. */
enum sku_char sku_text_char(const struct sku_text *text, size_t at);

/* True for a letter or digit of ASCII. */
bool sku_text_is_alnum(const struct sku_text *text, size_t at);

/* The end of the run of letters and digits that begins at `at`; `at` when none does. */
size_t sku_text_run_end(const struct sku_text *text, size_t at);

/* The first byte at or after `at` that is no blank (MARKs of `marks` are skipped too). */
size_t sku_text_skip(const struct sku_text *text, size_t at, const char *marks);

/* The same backwards: the end of what stands before `end`, without blanks and the given marks. */
size_t sku_text_skip_back(const struct sku_text *text, size_t end, const char *marks);

/* Reads a whole number of at most `digits_max` digits at `at`; its end, or 0 when there is none, it is longer or it begins
 * with 0. */
size_t sku_text_number(const struct sku_text *text, size_t at, int digits_max, int32_t *ret_number);

/* True when a word may begin at `start` (end at `end`): the neighbouring byte does not continue it. */
bool sku_text_begins_word(const struct sku_text *text, size_t start);
bool sku_text_ends_word(const struct sku_text *text, size_t end);

/* True when the text has `word` at `at`, boundaries aside. */
bool sku_text_has(const struct sku_text *text, size_t at, const char *word);

#endif
