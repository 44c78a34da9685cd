#include "pricing/sku_words.h"

static const struct sku_word words[] = {
#define SKU_WORD(kind, word) {SKU_WORD_##kind, word, sizeof(word) - 1},
#include "pricing/sku_words.def"
#undef SKU_WORD
};

enum { WORD_TOTAL = sizeof words / sizeof words[0] };

/* The words' first and last bytes, apart: a search looks at few of the words themselves. */
static const char first_bytes[] = {
#define SKU_WORD(kind, word) (word)[0],
#include "pricing/sku_words.def"
#undef SKU_WORD
};
static const char last_bytes[] = {
#define SKU_WORD(kind, word) (word)[sizeof(word) - 2],
#include "pricing/sku_words.def"
#undef SKU_WORD
};

/* One byte was compared already; of Chinese words many begin alike, and the third tells more. */
static bool stands_at(const struct sku_text *text, size_t at, const struct sku_word *word)
{
    if (word->len > text->len - at || (word->len > 2 && word->text[2] != text->s[at + 2])) return false;
    return memcmp(text->s + at, word->text, word->len) == 0 && sku_text_begins_word(text, at) &&
           sku_text_ends_word(text, at + word->len);
}

/* The next word at or after the i'th whose byte in `bytes` is `c`; WORD_TOTAL when there is none. */
static size_t next_with(const char *bytes, char c, size_t i)
{
    const char *found = i < WORD_TOTAL ? memchr(bytes + i, c, WORD_TOTAL - i) : NULL;
    return found != NULL ? (size_t)(found - bytes) : WORD_TOTAL;
}

/* The longer of two, of equals the first: one word may stand under two kinds ("/h" is of cards, and a unit after a number). */
static const struct sku_word *longer(const struct sku_word *best, const struct sku_word *word, unsigned kinds)
{
    if (best == NULL || word->len > best->len) return word;
    return word->len == best->len && (best->kind & kinds) == 0 ? word : best;
}

const struct sku_word *sku_word_at(const struct sku_text *text, size_t at, unsigned kinds)
{
    const struct sku_word *best = NULL;
    if (at >= text->len) return NULL;
    for (size_t i = next_with(first_bytes, text->s[at], 0); i < WORD_TOTAL; i = next_with(first_bytes, text->s[at], i + 1))
        if (stands_at(text, at, &words[i])) best = longer(best, &words[i], kinds);
    return best != NULL && (best->kind & kinds) != 0 ? best : NULL;
}

const struct sku_word *sku_word_before(const struct sku_text *text, size_t end, unsigned kinds)
{
    const struct sku_word *best = NULL;
    if (end == 0) return NULL;
    for (size_t i = next_with(last_bytes, text->s[end - 1], 0); i < WORD_TOTAL;
         i = next_with(last_bytes, text->s[end - 1], i + 1))
        if (words[i].len <= end && stands_at(text, end - words[i].len, &words[i])) best = longer(best, &words[i], kinds);
    return best != NULL && (best->kind & kinds) != 0 ? best : NULL;
}

bool sku_word_anywhere(const struct sku_text *text, unsigned kinds, size_t skip_start, size_t skip_end)
{
    for (size_t at = 0; at < text->len; at++) {
        if (at >= skip_start && at < skip_end) continue;
        if (sku_word_at(text, at, kinds) != NULL) return true;
    }
    return false;
}
