#include "pricing/price_word.h"

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

/* The byte of a word at `at` for ordering: a word that has ended sorts before all that go on. */
static int byte_at(const struct price_word *word, size_t at)
{
    return at < word->len ? (unsigned char)word->text[at] : -1;
}

/* The first word in [low, high), all of which agree in the bytes before `at`, whose byte there is
 * not below `byte`. */
static size_t lower_bound(size_t low, size_t high, size_t at, int byte)
{
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (byte_at(&words[middle], at) < byte) low = middle + 1;
        else high = middle;
    }
    return low;
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

const struct price_word *price_word_find(struct gt_str text, size_t at, size_t *ret_len)
{
    const struct price_word *found = NULL;
    size_t low = 0, high = WORD_TOTAL;
    /* Narrows the range byte by byte; whenever its first word ends here, the text holds it. */
    for (size_t i = 0; at + i < text.len; i++) {
        int byte = i == 0 ? (unsigned char)text.ptr[at] : fold_joint(text.ptr[at + i]);
        low = lower_bound(low, high, i, byte);
        high = lower_bound(low, high, i, byte + 1);
        if (low == high) break;
        if (words[low].len == i + 1 && ends_well(&words[low], text, at + i + 1)) {
            found = &words[low];
            *ret_len = i + 1;
        }
    }
    return found;
}

static const char currency_codes[PRICE_CURRENCIES][CURRENCY_MAX] = {
    [PRICE_CUR_NONE] = "",     [PRICE_CUR_YEN_SIGN] = "", [PRICE_CUR_DOLLAR_SIGN] = "USD", [PRICE_CUR_CNY] = "CNY",
    [PRICE_CUR_USD] = "USD",   [PRICE_CUR_EUR] = "EUR",   [PRICE_CUR_GBP] = "GBP",         [PRICE_CUR_INR] = "INR",
    [PRICE_CUR_JPY] = "JPY",   [PRICE_CUR_HKD] = "HKD",   [PRICE_CUR_KRW] = "KRW",         [PRICE_CUR_SGD] = "SGD",
    [PRICE_CUR_AUD] = "AUD",   [PRICE_CUR_CAD] = "CAD",   [PRICE_CUR_TWD] = "TWD",         [PRICE_CUR_NZD] = "NZD",
    [PRICE_CUR_BRL] = "BRL",   [PRICE_CUR_RUB] = "RUB",   [PRICE_CUR_CHF] = "CHF",         [PRICE_CUR_SEK] = "SEK",
    [PRICE_CUR_NOK] = "NOK",   [PRICE_CUR_DKK] = "DKK",   [PRICE_CUR_PLN] = "PLN",         [PRICE_CUR_TRY] = "TRY",
    [PRICE_CUR_AED] = "AED",   [PRICE_CUR_SAR] = "SAR",   [PRICE_CUR_THB] = "THB",         [PRICE_CUR_MYR] = "MYR",
    [PRICE_CUR_IDR] = "IDR",   [PRICE_CUR_VND] = "VND",   [PRICE_CUR_ILS] = "ILS",         [PRICE_CUR_CZK] = "CZK",
    [PRICE_CUR_ZAR] = "ZAR",   [PRICE_CUR_MXN] = "MXN",   [PRICE_CUR_MOP] = "MOP",         [PRICE_CUR_PKR] = "PKR",
    [PRICE_CUR_HUF] = "HUF",   [PRICE_CUR_UAH] = "UAH",   [PRICE_CUR_NGN] = "NGN",         [PRICE_CUR_EGP] = "EGP",
    [PRICE_CUR_QAR] = "QAR",   [PRICE_CUR_KWD] = "KWD",   [PRICE_CUR_SDD] = "X-SDD",
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
