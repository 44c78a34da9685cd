#include "pricing/price_word.h"

#include <endian.h>

#include "pricing/offer.h"
#include "pricing/refusal.h"

static const struct price_word words[] = {
#define PRICE_WORD(text, kind, value, arg) {text, sizeof(text) - 1, PK_##kind, value, arg},
#include "pricing/price_word.def"
#undef PRICE_WORD
};

enum { WORD_TOTAL = sizeof words / sizeof words[0] };

/* The first eight bytes of each word as one number, the first byte highest, zeros behind the word's end. Apart from the words, so that a
 * search stays in few lines of the cache. */
#define BYTE_OF(text, i) ((uint64_t)(sizeof(text) > (i) ? (unsigned char)(text)[(i) % sizeof(text)] : 0) << (56 - 8 * (i)))
static const uint64_t heads[] = {
#define PRICE_WORD(text, kind, value, arg)                                                                    \
    BYTE_OF(text, 0) | BYTE_OF(text, 1) | BYTE_OF(text, 2) | BYTE_OF(text, 3) | BYTE_OF(text, 4) |            \
        BYTE_OF(text, 5) | BYTE_OF(text, 6) | BYTE_OF(text, 7),
#include "pricing/price_word.def"
#undef PRICE_WORD
};

/* Words that begin with one character are a group, in ASCII with the same two; a word of one byte has its own. A group's number is made of its
 * first three bytes. Broken bytes may get the number of another group: that costs a comparison and finds nothing. */
enum { CHARACTERS = 0x10000, PAIRS = 0x4000 };
/* Of a head: the bytes that a group's words share. */
static const uint64_t MASK_OF_TWO = UINT64_MAX << 48, MASK_OF_THREE = UINT64_MAX << 40;
#define GROUP_OF(a, b, c)                                             \
    ((a) < 0x80   ? CHARACTERS + (((a) << 7) | ((b)&0x7F))            \
     : (a) < 0xE0 ? (((a)&0x1F) << 6) | ((b)&0x3F)                    \
                  : (((a)&0x0F) << 12) | (((b)&0x3F) << 6) | ((c)&0x3F))

/* Behind the last word of each group; 0 where there is none. Made by price_word_groups.awk. */
static const uint16_t group_ends[CHARACTERS + PAIRS] = {
#define PRICE_GROUP(a, b, c, end) [GROUP_OF(a, b, c)] = (end),
#include "pricing/price_word_groups.def"
#undef PRICE_GROUP
};

const struct price_word *price_words(size_t *ret_count)
{
    *ret_count = WORD_TOTAL;
    return words;
}

/* ASCII in lower case, as the vocabulary is. */
static bool is_alnum(unsigned c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* A blank inside a word of the table is a blank or a hyphen of the text (folding has made blanks of underscores). */
static char fold_joint(char c)
{
    return (char)(c == '-' ? ' ' : c);
}

/* fold_joint on eight bytes at once, but for the first, the highest: what stands first is a word's own sign. */
static uint64_t head_blank(uint64_t head)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = 0x7F * ones;
    uint64_t other = head ^ (ones * '-');
    uint64_t is_joint = ~(((other & low) + low) | other | low) >> 7;
    return head ^ ((is_joint & (ones >> 8)) * ('-' ^ ' '));
}

/* The first eight bytes of a text in the form of the vocabulary, the first one highest. */
static uint64_t head_read(const char *text)
{
    uint64_t head;
    memcpy(&head, text, sizeof head);
    return head_blank(be64toh(head));
}

/* The text of `left` bytes, whose first eight are the word's as far as that goes, holds the word. One that ends in a letter or digit must not go
 * on: "from" is not in "fromage", nor "h" in "h100". */
static inline bool is_held(const struct price_word *word, const char *text, size_t left)
{
    const size_t len = word->len;
    if (len > left) return false;
    for (size_t i = sizeof(uint64_t); i < len; i++)
        if (word->text[i] != fold_joint(text[i])) return false;
    return len == left || !is_alnum((unsigned char)text[len]) || !is_alnum((unsigned char)word->text[len - 1]);
}

/* The word of one byte that ends at `alone`, 0 none, where the text does not go on with it. */
static const struct price_word *alone_find(size_t alone, const char *text, size_t left)
{
    return alone > 0 && is_held(&words[alone - 1], text, left) ? &words[alone - 1] : NULL;
}

/* The longest word of the group that ends at `end` and is held by the text of `left` bytes, else that of one byte; the group's words share the bits
 * of `mask`. Words that one text can hold are prefixes of each other, and a prefix sorts before all that go on: so the longest comes last. */
static const struct price_word *group_find(size_t end, size_t alone, uint64_t mask, const char *text, size_t left)
{
    enum { STRIDE = 8 };
    const uint64_t head = head_read(text);
    if (((heads[end - 1] ^ head) & mask) != 0) return alone_find(alone, text, left);
    /* No prefix of the text sorts behind it. */
    while (end > STRIDE && heads[end - STRIDE] > head) end -= STRIDE;
    while (end > 0 && heads[end - 1] > head) end--;
    for (; end > 0 && ((heads[end - 1] ^ head) & mask) == 0; end--) {
        const uint64_t known = heads[end - 1];
        /* The zeros that a short word is filled up with are not compared. */
        if (((known ^ head) & (UINT64_MAX << (__builtin_ctzll(known) & ~7))) != 0) continue;
        if (is_held(&words[end - 1], text, left)) return &words[end - 1];
    }
    return alone_find(alone, text, left);
}

/* Asked at every byte of every text: the index answers no for nearly all of them with one look. */
const struct price_word *price_word_find(struct gt_str text, size_t at)
{
    if (at >= text.len) return NULL;
    const char *from = text.ptr + at;
    const int a = (unsigned char)from[0], b = (unsigned char)from[1], c = (unsigned char)from[2];
    if (a >= 0x80) {
        size_t end = group_ends[GROUP_OF(a, b, c)];
        return end > 0 ? group_find(end, 0, a < 0xE0 ? MASK_OF_TWO : MASK_OF_THREE, from, text.len - at) : NULL;
    }
    size_t end = group_ends[GROUP_OF(a, (unsigned char)fold_joint((char)b), 0)], alone = group_ends[GROUP_OF(a, 0, 0)];
    return end > 0 ? group_find(end, alone, MASK_OF_TWO, from, text.len - at) : alone_find(alone, from, text.len - at);
}

static const char currency_codes[PRICE_CURRENCIES][CURRENCY_MAX] = {
    [PRICE_CUR_NONE] = "",   [PRICE_CUR_YEN_SIGN] = "", [PRICE_CUR_DOLLAR_SIGN] = "USD", [PRICE_CUR_CNY] = "CNY",
    [PRICE_CUR_USD] = "USD", [PRICE_CUR_EUR] = "EUR",   [PRICE_CUR_GBP] = "GBP",         [PRICE_CUR_INR] = "INR",
    [PRICE_CUR_JPY] = "JPY", [PRICE_CUR_HKD] = "HKD",   [PRICE_CUR_KRW] = "KRW",         [PRICE_CUR_SGD] = "SGD",
    [PRICE_CUR_AUD] = "AUD", [PRICE_CUR_CAD] = "CAD",   [PRICE_CUR_TWD] = "TWD",         [PRICE_CUR_NZD] = "NZD",
    [PRICE_CUR_BRL] = "BRL", [PRICE_CUR_RUB] = "RUB",   [PRICE_CUR_CHF] = "CHF",         [PRICE_CUR_SEK] = "SEK",
    [PRICE_CUR_NOK] = "NOK", [PRICE_CUR_DKK] = "DKK",   [PRICE_CUR_PLN] = "PLN",         [PRICE_CUR_TRY] = "TRY",
    [PRICE_CUR_AED] = "AED", [PRICE_CUR_SAR] = "SAR",   [PRICE_CUR_THB] = "THB",         [PRICE_CUR_MYR] = "MYR",
    [PRICE_CUR_IDR] = "IDR", [PRICE_CUR_VND] = "VND",   [PRICE_CUR_ILS] = "ILS",         [PRICE_CUR_CZK] = "CZK",
    [PRICE_CUR_ZAR] = "ZAR", [PRICE_CUR_MXN] = "MXN",   [PRICE_CUR_MOP] = "MOP",         [PRICE_CUR_PKR] = "PKR",
    [PRICE_CUR_HUF] = "HUF", [PRICE_CUR_UAH] = "UAH",   [PRICE_CUR_NGN] = "NGN",         [PRICE_CUR_EGP] = "EGP",
    [PRICE_CUR_QAR] = "QAR", [PRICE_CUR_KWD] = "KWD",   [PRICE_CUR_SDD] = "X-SDD",
};

struct currency price_currency_code(enum price_currency currency)
{
    struct currency ret = {""};
    if ((unsigned)currency < PRICE_CURRENCIES) memcpy(ret.code, currency_codes[currency], CURRENCY_MAX);
    return ret;
}

bool price_currency_has_comma(struct currency currency)
{
    static const char codes[][CURRENCY_MAX] = {"EUR", "BRL", "RUB", "SEK", "NOK", "DKK",
                                               "PLN", "TRY", "CZK", "HUF", "IDR", "VND"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (memcmp(currency.code, codes[i], CURRENCY_MAX) == 0) return true;
    return false;
}
