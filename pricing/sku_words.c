#include "pricing/sku_words.h"

#include <wchar.h>

static const struct sku_word words[] = {
#define SKU_WORD(kind, word) {SKU_WORD_##kind, word, sizeof(word) - 1},
#include "pricing/sku_words.def"
#undef SKU_WORD
};

enum { WORD_TOTAL = sizeof words / sizeof words[0] };

/* How the words begin, apart from them: a Chinese character, else two bytes, the second 0 for a word of one. wmemchr compares eight at a time,
 * and few words begin alike. */
#define BEGIN_OF(a, b, c) ((wchar_t)((unsigned char)(a) < 0xE0 ? (a) & 0xFF : ((a) & 0xFF) | ((c) & 0xFF) << 16) | ((b) & 0xFF) << 8)
static const wchar_t begins[] = {
#define SKU_WORD(kind, word) BEGIN_OF((word)[0], sizeof(word) > 2 ? (word)[1] : 0, sizeof(word) > 3 ? (word)[2 % sizeof(word)] : 0),
#include "pricing/sku_words.def"
#undef SKU_WORD
};

/* The words' last bytes. */
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

/* The longest of `best` and the words that begin so and stand at `at`. */
static const struct sku_word *longest_of(const struct sku_text *text, size_t at, wchar_t begin, unsigned kinds, const struct sku_word *best)
{
    const wchar_t *found = wmemchr(begins, begin, WORD_TOTAL);
    while (found != NULL) {
        size_t i = (size_t)(found - begins);
        if (stands_at(text, at, &words[i])) best = longer(best, &words[i], kinds);
        found = wmemchr(found + 1, begin, WORD_TOTAL - i - 1);
    }
    return best;
}

const struct sku_word *sku_word_at(const struct sku_text *text, size_t at, unsigned kinds)
{
    const struct sku_word *best = NULL;
    if (at >= text->len) return NULL;
    char first = text->s[at], second = at + 1 < text->len ? text->s[at + 1] : '\0', third = at + 2 < text->len ? text->s[at + 2] : '\0';
    best = longest_of(text, at, BEGIN_OF(first, second, third), kinds, best);
    if ((unsigned char)first < 0x80) best = longest_of(text, at, BEGIN_OF(first, 0, 0), kinds, best);
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
