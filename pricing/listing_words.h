/* Looking for words in printed text: what readers of rows and labels share. */
#ifndef GT_PRICING_LISTING_WORDS_H
#define GT_PRICING_LISTING_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/str.h"

/* A word to look for and what it means; `word` in lower case. */
struct word_sign {
    const char *word;
    int value;
};

/* The offset of `word` (lower case ASCII or Chinese) in `text` at or after `from`, without regard to the case of ASCII
 * letters; SIZE_MAX when it is not there. A word that begins or ends with a letter must not touch another letter: "spot" is
 * not in "spotless". */
size_t words_find(struct gt_str text, const char *word, size_t from);

/* True when the text holds the word. */
bool words_have(struct gt_str text, const char *word);

/* True when the text begins with the word, whole: "g" is not in "gpu". */
bool words_begin(struct gt_str text, const char *word);

/* Which pairs of neighbouring bytes a text holds, as a set of hashes: of a long list of words nearly all are told to be absent by it, and are
 * not looked for. */
enum { WORDS_PAIRS = 512 };
struct words_pairs {
    uint64_t bits[WORDS_PAIRS / 64];
};

/* The pairs of a text, whatever the case of its ASCII letters. */
struct words_pairs words_pairs(struct gt_str text);

/* False when the text of the pairs cannot hold the word. */
bool words_may_have(const struct words_pairs *pairs, const char *word);

/* The value of the sign whose word stands first in the text (the longer of two at one place); `otherwise` when there is none. */
int words_first(struct gt_str text, const struct word_sign *signs, size_t count, int otherwise);

/* At most `max` bytes of the text, cut between characters. */
struct gt_str words_cut(struct gt_str text, size_t max);

/* White space normalised: every run of blanks of any kind is one space, none at the ends, zero-width characters gone. At most
 * OFFER_TEXT_MAX bytes, cut at a character. In the arena; NULL ptr when it is full. */
struct gt_str words_normalise(struct gt_str text, struct arena *arena);

#endif
