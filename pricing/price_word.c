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

const struct price_word *price_words(size_t *ret_count)
{
    *ret_count = WORD_TOTAL;
    return words;
}

/* ASCII in lower case, as the vocabulary is. */
static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* A word that ends in a letter or digit must not go on in the text: "from" is not in "fromage", nor
 * "h" in "h100". */
static bool ends_well(const struct price_word *word, struct gt_str text, size_t end)
{
    return !is_alnum(word->text[word->len - 1]) || end >= text.len || !is_alnum(text.ptr[end]);
}

/* A blank inside a word of the table is a blank, a hyphen or an underscore of the text. */
static int fold_joint(char c)
{
    return c == '-' || c == '_' ? ' ' : (unsigned char)c;
}

/* Byte `i` of what is looked up at `at`, in the form of the vocabulary. */
static unsigned char byte_at(struct gt_str text, size_t at, size_t i)
{
    return (unsigned char)(i == 0 ? text.ptr[at] : fold_joint(text.ptr[at + i]));
}

/* The first eight bytes as one number that sorts as they do; a word's text is filled up with zeros, which sort before everything. */
static uint64_t key_of(const char *bytes)
{
    uint64_t key;
    memcpy(&key, bytes, sizeof key);
    return be64toh(key);
}

/* The key of the first `limit` bytes of a key. */
static uint64_t key_cut(uint64_t key, size_t limit)
{
    return limit >= sizeof key ? key : key & ~(UINT64_MAX >> (8 * limit));
}

/* Likewise of the text at `at`, of which `len` bytes may be looked at. */
static uint64_t key_read(struct gt_str text, size_t at, size_t len)
{
    char bytes[sizeof(uint64_t)] = {0};
    for (size_t i = 0; i < sizeof bytes && i < len; i++) bytes[i] = (char)byte_at(text, at, i);
    return key_of(bytes);
}

/* How many bytes the word shares with the first `limit` of the text at `at`. */
static size_t common_len(const struct price_word *word, struct gt_str text, size_t at, size_t limit)
{
    size_t len = 0, most = word->len < limit ? word->len : limit;
    while (len < most && byte_at(text, at, len) == (unsigned char)word->text[len]) len++;
    return len;
}

/* True when the word does not sort behind the first `limit` bytes of the text at `at`, whose key is `key`. */
static bool is_not_behind(const struct price_word *word, struct gt_str text, size_t at, size_t limit, uint64_t key)
{
    uint64_t own = key_of(word->text);
    if (own != key) return own < key;
    size_t common = common_len(word, text, at, limit);
    if (common == word->len) return true;
    return common < limit && (unsigned char)word->text[common] < byte_at(text, at, common);
}

/* Bytes of the character that begins with `lead`: no word begins with a part of one. */
static size_t char_len(unsigned char lead)
{
    return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* The words that the text can hold at `at` are prefixes of it, and a prefix sorts before all that go on: so the longest is the last word
 * not behind the text, or it is no longer than what that one shares with the text. One search mostly, two or three where words nest.
 * This is a quarter of all the time a phrase takes, hence the keys. */
const struct price_word *price_word_find(struct gt_str text, size_t at, size_t *ret_len)
{
    size_t high = WORD_TOTAL, limit = at < text.len ? text.len - at : 0;
    if (limit > PRICE_WORD_MAX) limit = PRICE_WORD_MAX;
    if (limit == 0) return NULL;
    uint64_t whole = key_read(text, at, limit);
    size_t least = char_len((unsigned char)text.ptr[at]);
    while (limit >= least) {
        size_t low = 0, end = high;
        uint64_t key = key_cut(whole, limit);
        while (low < end) {
            size_t middle = (low + end) / 2;
            if (is_not_behind(&words[middle], text, at, limit, key)) low = middle + 1;
            else end = middle;
        }
        if (low == 0) return NULL;
        const struct price_word *word = &words[low - 1];
        size_t common = common_len(word, text, at, limit);
        if (common == word->len && ends_well(word, text, at + common)) {
            *ret_len = common;
            return word;
        }
        limit = common == word->len ? common - 1 : common;
        high = low - 1;
    }
    return NULL;
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
        if (strncmp(currency.code, codes[i], CURRENCY_MAX) == 0) return true;
    return false;
}
