/* What may be glued behind a number: the line between an amount with its unit ("2.5h", "1.2w/月") and a name (4090D, 7B). */
#include "pricing/price_number.h"

/* Small letters only: folding lowered the others. */
static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* What letters glued behind a number may be: a unit of their own. Anything else makes number and letters one name. */
static bool is_number_suffix(const struct price_word *word)
{
    switch (word->kind) {
    case PK_PERIOD: return word->text[0] != 'm' || word->len > 1; /* 1M tokens, $3.99M, 12m: millions, months, metres */
    case PK_BYTES:
    case PK_CURRENCY:
    case PK_CENTS:
    case PK_CARD:
    case PK_CORE:
    case PK_NODE:
    case PK_SCALE:
    case PK_CARD_TIME:
    case PK_CORE_TIME: return true;
    default: return false;
    }
}

/* The w of "1.2w/月" is 万, that of "350w" is watts. It counts as a scale before 元, a slash, a dash or a Chinese word, behind such a
 * scale and a dash ("1.3w-1.6w"), and in a Chinese text behind decimals, which watts have not. */
static bool is_true_scale(const struct price_lexed *lexed, const struct price_word *word, const struct price_token *number,
                          size_t end)
{
    if (word->kind != PK_SCALE || word->text[0] != 'w') return true;
    if (number[-1].kind == PK_RANGE && number[-2].kind == PK_SCALE) return true;
    bool is_money =
        number[-1].kind == PK_CURRENCY && (number[-1].value == PRICE_CUR_YEN_SIGN || number[-1].value == PRICE_CUR_CNY);
    if (number->value == PRICE_FORM_POINT && (lexed->has_han || is_money)) return true;
    size_t at = end;
    while (price_lexed_byte(lexed, at) == ' ') at++;
    return price_lexed_byte(lexed, at) == '/' || (unsigned char)price_lexed_byte(lexed, at) >= 0x80 ||
           price_lexed_byte(lexed, at) == '-' || price_lexed_byte(lexed, at) == '~';
}

bool price_is_times(const struct price_lexed *lexed, const struct price_token *number, size_t end)
{
    bool is_masked = price_lexed_byte(lexed, end + 1) == 'x' || number[-1].kind == PK_CURRENCY; /* $5XX */
    return price_lexed_byte(lexed, end) == 'x' && !is_masked && number->value == PRICE_FORM_INTEGER &&
           lexed->text.ptr[number->at] != '0';
}

bool price_stands_alone(const struct price_lexed *lexed, const struct price_token *number, size_t end)
{
    if (!is_letter(price_lexed_byte(lexed, end)) || price_is_times(lexed, number, end)) return true;
    const struct price_word *word = price_word_find(lexed->text, end);
    return word != NULL && is_number_suffix(word) && is_true_scale(lexed, word, number, end + word->len);
}
