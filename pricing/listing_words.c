/* Words in mixed text. Chinese has no blanks between words and English has, so that the ends of a word are looked at only where
 * they are letters. White space is normalised for identities and not case or width: those are printed words, and printed words
 * tell offers apart. */
#include "pricing/listing_words.h"

#include "common/utf8.h"
#include "pricing/offer.h"

enum { ASCII_END = 0x80 };

/* ASCII only; the locale has no say. */
static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* What could make the word a part of a longer one. */
static bool is_letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

/* `word` stands at `at`, whole. */
static bool stands_at(struct gt_str text, struct gt_str word, size_t at)
{
    for (size_t i = 0; i < word.len; i++)
        if (lower(text.ptr[at + i]) != word.ptr[i]) return false;
    size_t end = at + word.len;
    bool touches_before = at > 0 && is_letter(word.ptr[0]) && is_letter(text.ptr[at - 1]);
    bool touches_after = end < text.len && is_letter(word.ptr[word.len - 1]) && is_letter(text.ptr[end]);
    return !touches_before && !touches_after;
}

size_t words_find(struct gt_str text, const char *word, size_t from)
{
    struct gt_str wanted = gt_str_from(word);
    if (wanted.len == 0 || from > text.len || text.len - from < wanted.len) return SIZE_MAX;
    /* Chinese words have neither case nor blanks around them: the bytes decide, and libc is quick at that. */
    if ((unsigned char)word[0] >= ASCII_END && !is_letter(word[wanted.len - 1])) {
        const char *found = memmem(text.ptr + from, text.len - from, word, wanted.len);
        return found != NULL ? (size_t)(found - text.ptr) : SIZE_MAX;
    }
    for (size_t at = from; at + wanted.len <= text.len; at++)
        if (lower(text.ptr[at]) == wanted.ptr[0] && stands_at(text, wanted, at)) return at;
    return SIZE_MAX;
}

bool words_have(struct gt_str text, const char *word)
{
    return words_find(text, word, 0) != SIZE_MAX;
}

bool words_begin(struct gt_str text, const char *word)
{
    if (text.len == 0 || lower(text.ptr[0]) != word[0]) return false; /* nearly always */
    return words_find(gt_str_slice(text, 0, strlen(word) + 1), word, 0) == 0;
}

/* Where two bytes of a text are noted. */
static unsigned pair_bit(char first, char second)
{
    unsigned hash = (unsigned char)lower(first) * 37U ^ (unsigned char)lower(second) * 5U;
    return hash % WORDS_PAIRS;
}

struct words_pairs words_pairs(struct gt_str text)
{
    struct words_pairs ret = {{0}};
    for (size_t i = 1; i < text.len; i++) {
        unsigned bit = pair_bit(text.ptr[i - 1], text.ptr[i]);
        ret.bits[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return ret;
}

bool words_may_have(const struct words_pairs *pairs, const char *word)
{
    for (size_t i = 0; i < 2 && word[i] != '\0' && word[i + 1] != '\0'; i++) {
        unsigned bit = pair_bit(word[i], word[i + 1]);
        if ((pairs->bits[bit / 64] >> bit % 64 & 1) == 0) return false;
    }
    return true;
}

/* The earliest sign counts; of two that begin at one place the longer, which says more. */
int words_first(struct gt_str text, const struct word_sign *signs, size_t count, int otherwise)
{
    size_t best_at = SIZE_MAX, best_len = 0;
    int value = otherwise;
    if (text.len == 0) return otherwise;
    struct words_pairs pairs = words_pairs(text);
    for (size_t i = 0; i < count; i++) {
        if (!words_may_have(&pairs, signs[i].word)) continue;
        size_t at = words_find(text, signs[i].word, 0), len = strlen(signs[i].word);
        if (at == SIZE_MAX || at > best_at || (at == best_at && len <= best_len)) continue;
        best_at = at;
        best_len = len;
        value = signs[i].value;
    }
    return value;
}

struct gt_str words_cut(struct gt_str text, size_t max)
{
    return gt_str_cut(text, max);
}

/* Every character that shows as a gap, beside ASCII's own. */
static bool is_blank(int32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Takes no room on a screen, so that no reader can tell two texts apart by it. */
static bool is_invisible(int32_t c)
{
    return (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF || c == 0xAD;
}

/* Identity hangs on it, so it may never change: blanks fold to one, what nobody sees goes, case and width stay as printed. */
struct gt_str words_normalise(struct gt_str text, struct arena *arena)
{
    size_t room = text.len < OFFER_TEXT_MAX ? text.len : OFFER_TEXT_MAX;
    char *copy = arena_alloc(arena, room + 1);
    if (copy == NULL) return (struct gt_str){NULL, 0};
    size_t used = 0;
    bool gap = false;
    for (size_t at = 0, len; at < text.len; at += len) {
        int32_t c = utf8_decode(text, at, &len);
        if (c >= 0x80 && is_invisible(c)) continue;
        if (is_blank(c)) {
            gap = used > 0;
            continue;
        }
        if (used + gap + len > room) break;
        if (gap) copy[used++] = ' ';
        gap = false;
        memcpy(copy + used, text.ptr + at, len);
        used += len;
    }
    copy[used] = '\0';
    return (struct gt_str){copy, used};
}
