/* Digits beside an amount that may be part of it. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

/* "¥ 1 . 98" and "1 , 299": a sign with blanks around it, as pages print that set each part in an element of its own. A list has no
 * blank before its comma. */
static bool is_sign_before(const struct price_parse *parse, size_t first, size_t number)
{
    const struct price_token *sign = &parse->tokens[number] - 1;
    char c = sign->len == 1 ? parse->lexed.text.ptr[sign->at] : '\0';
    return first == number && sign->kind != PK_END && sign[-1].kind == PK_NUMBER &&
           (c == '.' || (c == ',' && price_is_spaced(sign)));
}

/* "$1.3e-4/s" is no 4. */
static bool is_exponent(const struct price_parse *parse, size_t number)
{
    const struct price_token *dash = &parse->tokens[number] - 1, *name = dash - 1;
    if (dash->kind != PK_RANGE || name->kind != PK_IDENT || price_is_spaced(dash)) return false;
    const char *text = parse->lexed.text.ptr + name->at;
    return text[0] >= '0' && text[0] <= '9' && text[name->len - 1] == 'e';
}

/* "1 649 元" with a plain blank: 1649, or 649 behind a 1. */
static bool is_split_before(const struct price_parse *parse, size_t first, size_t number)
{
    const struct price_token *t = &parse->tokens[number], *before = t - 1;
    if (is_sign_before(parse, first, number) || is_exponent(parse, number)) return true;
    if (first != number || (t->arg != 3 && t->arg != 2) || before->kind != PK_NUMBER || !price_is_spaced(t)) return false;
    return before->value == PRICE_FORM_INTEGER && before->arg <= 3 && before[-1].kind != PK_MUL &&
           !price_is_model(&parse->lexed, number - 1) && !(before->flags & PRICE_TOKEN_NUMERAL);
}

/* "1块9毛8", "8 万 8", "¢99": digits that a unit below or above this one stands before. */
static bool is_rest(const struct price_parse *parse, size_t first, size_t number)
{
    const struct price_token *t = &parse->tokens[number], *before = t - 1;
    if (first != number || t->value != PRICE_FORM_INTEGER) return false;
    if (before->kind == PK_CENTS) return !price_is_spaced(t);
    return before->kind == PK_SCALE && before[-1].kind == PK_NUMBER && t->arg == 1;
}

/* "1/2元": a fraction, or two prices. Prices have decimals or a currency of their own. */
static bool is_fraction(const struct price_parse *parse, size_t first, size_t number)
{
    const struct price_token *t = &parse->tokens[number];
    return first == number && price_is_punct(t - 1, '/') && t[-2].kind == PK_NUMBER && !price_is_spaced(t) &&
           t->value == PRICE_FORM_INTEGER && t[-2].value == PRICE_FORM_INTEGER;
}

/* "$1 649": one number only where nothing but its unit follows. */
static bool is_grouped_badly(const struct price_parse *parse, size_t number)
{
    const struct price_token *t = &parse->tokens[number] + 1;
    if (!(parse->tokens[number].flags & PRICE_TOKEN_GROUPED)) return false;
    return t->kind != PK_END && t->kind != PK_CURRENCY && t->kind != PK_PER && t->kind != PK_BREAK && t->kind != PK_RATE &&
           t->kind != PK_RANGE && !price_is_punct(t, '/') && !price_is_punct(t, ')') && !(t->kind == PK_BOUND && t->arg == 1);
}

/* Part of a figure that its plain digits do not tell: a digit that was raised or circled, or a mark set over or through the character before it
 * (U+0300 to U+037F), which strikes a figure out or makes it another one. */
static bool is_odd_part(const struct price_parse *parse, const struct price_token *t)
{
    unsigned char lead = (unsigned char)parse->lexed.text.ptr[t->at];
    return price_is_punct(t, PRICE_PUNCT_ODD) || (t->kind == PK_OTHER && (lead == 0xCC || lead == 0xCD));
}

/* The token ends in a digit, or begins with one: a number, a name's rest, a time. */
static bool has_digit_at(const struct price_parse *parse, const struct price_token *t, size_t at)
{
    char c = parse->lexed.text.ptr[t->at + at];
    return t->kind == PK_NUMBER || (t->len > 0 && c >= '0' && c <= '9');
}

/* A sign that parts no numbers from each other, nor the digits of one: "1'98", "1`98", "1⁄98". Those that do (| ; = @ % !) are not among them. */
static bool is_no_separator(const struct price_parse *parse, const struct price_token *sign)
{
    static const char *const wide[] = {"‘", "’", "⁄", "∕"};
    struct gt_str text = gt_str_slice(parse->lexed.text, sign->at, sign->len);
    if (sign->kind == PK_PUNCT) return text.len == 1 && strchr("'`^#&\\", text.ptr[0]) != NULL;
    for (size_t i = 0; sign->kind == PK_OTHER && i < sizeof wide / sizeof wide[0]; i++)
        if (gt_str_is(text, wide[i])) return true;
    return false;
}

/* "1'98", "1·98", "1..5": at `sign` stands what joins these digits to no number. A card's name may have a raised point behind it:
 * "4090·1.98元". */
static bool is_bad_joint(const struct price_parse *parse, const struct price_token *sign)
{
    const struct price_token *before = sign - 1, *behind = sign + 1;
    if ((sign->kind != PK_PUNCT && sign->kind != PK_OTHER) || price_is_spaced(sign) || price_is_spaced(behind)) return false;
    if (!has_digit_at(parse, before, before->len - 1) || !(has_digit_at(parse, behind, 0) || is_odd_part(parse, behind))) return false;
    if (price_is_punct(sign, '.') || is_no_separator(parse, sign)) return true;
    if (!price_is_punct(sign, PRICE_PUNCT_DOT) || before->kind != PK_NUMBER) return false;
    const struct price_lexed *lexed = &parse->lexed;
    size_t number = (size_t)(behind - lexed->tokens);
    int counted = behind[1].kind; /* "¥1.98·8卡", "¥1.98·24G" */
    bool is_listed = counted == PK_CARD || counted == PK_BYTES || counted == PK_CORE || counted == PK_VRAM || counted == PK_NODE;
    return !is_listed && !price_is_model(lexed, number) && !price_is_model(lexed, number - 2);
}

/* "1_2 zł": what folding made a blank of parts the words of a key, and no key holds a price in two parts. */
static bool is_underscored(const struct price_parse *parse, const struct price_token *t)
{
    const struct price_lexed *lexed = &parse->lexed;
    if (t->kind != PK_NUMBER || t[-1].kind != PK_NUMBER || !price_is_spaced(t)) return false;
    return lexed->original.ptr[lexed->origin[t->at - 1]] == '_' && !price_is_model(lexed, (size_t)(t - 1 - parse->tokens));
}

/* "1-2-3 元": a number that is dialled, or a list, but no range, so that its end is no price. */
static bool is_chained(const struct price_token *t)
{
    for (int i = 0; i < 2; i++, t -= 2)
        if (price_is_spaced(t) || t[-1].kind != PK_RANGE || price_is_spaced(t - 1) || t[-2].kind != PK_NUMBER) return false;
    return true;
}

/* "$2&nbsp;000", "2  050": digits that begin with a zero go on with the number, whatever parts them. */
static bool is_thousands_apart(const struct price_parse *parse, const struct price_token *t)
{
    const char *digits = parse->lexed.text.ptr + t->at;
    if (t->kind != PK_IDENT || t->len != 3 || digits[0] != '0') return false;
    return digits[1] >= '0' && digits[1] <= '9' && digits[2] >= '0' && digits[2] <= '9';
}

/* What may go on with a number's digits; a slash, a word of the vocabulary and the text's end, which stand beside nearly all, do not. */
static inline bool may_go_on(const struct price_token *t)
{
    return (t->kind == PK_PUNCT && t->value != '/') || t->kind == PK_OTHER || t->kind == PK_IDENT || t->kind == PK_NUMBER;
}

/* Digits go on behind the number in a way in which no number is written. */
static bool goes_on_behind(const struct price_parse *parse, const struct price_token *t)
{
    /* "1½", "99²00" */
    bool is_fraction = price_is_punct(t + 1, PRICE_PUNCT_ODD) && !price_is_spaced(t + 2) &&
                       (t[2].kind == PK_OTHER || (t[2].kind == PK_IDENT && has_digit_at(parse, t + 2, 0)));
    bool is_marked = is_fraction || (t[1].kind == PK_OTHER && is_odd_part(parse, t + 1));
    return is_marked || is_bad_joint(parse, t + 1) || is_thousands_apart(parse, t + 1) || is_underscored(parse, t + 1);
}

/* Likewise in front of it, where no currency parts them. */
static bool goes_on_before(const struct price_parse *parse, const struct price_token *t)
{
    if (price_is_spaced(t)) return is_underscored(parse, t);
    bool is_rest = t[-1].kind == PK_BREAK && !price_is_spaced(t - 1) && is_odd_part(parse, t - 2); /* a struck 2 before ",600" */
    return is_rest || is_odd_part(parse, t - 1) || is_bad_joint(parse, t - 1) || is_chained(t);
}

bool price_is_digits_unclear(const struct price_parse *parse, size_t first, size_t number)
{
    const struct price_token *t = &parse->tokens[number];
    if (may_go_on(t + 1) && goes_on_behind(parse, t)) return true;
    if (first == number && t[-1].kind != PK_END && goes_on_before(parse, t)) return true;
    /* A currency right before the number parts it from what stands there. */
    if (first != number && t[-1].kind != PK_RANGE && !(t->flags & PRICE_TOKEN_GROUPED)) return false;
    return is_split_before(parse, first, number) || is_rest(parse, first, number) || is_fraction(parse, first, number) ||
           is_grouped_badly(parse, number);
}

bool price_is_one_period(const struct price_parse *parse, const struct price_token *t)
{
    return t->len == 3 && t[1].kind == PK_PERIOD && memcmp(parse->lexed.text.ptr + t->at, "一", 3) == 0;
}

/* "2块5" is 2.50 only where the phrase then ends or a unit follows; in "2块5张卡" five are cards. */
size_t price_spoken_tenths_end(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at], *behind = t + 1;
    if (price_number_whole(&parse->lexed, at, 9) == 0 || price_is_spaced(t)) return at;
    bool is_named = behind->kind == PK_CENTS && behind->arg == 1 && !price_is_spaced(behind);
    behind += is_named;
    bool is_each = behind->kind == PK_RATE && behind->arg == PRICE_STYLE_EACH;
    bool is_end = is_named && (behind->kind == PK_END || behind->kind == PK_BREAK || price_is_punct(behind, '/'));
    return is_each || price_is_one_period(parse, behind) || is_end ? (size_t)(behind - parse->tokens) : at;
}

bool price_is_factor(const struct price_parse *parse, size_t at)
{
    const struct price_token *times = &parse->tokens[at] - 1, *before = times - 1;
    if (times->kind != PK_MUL) return false;
    return before->kind == PK_CURRENCY ||
           (before->kind == PK_NUMBER && (before[-1].kind == PK_CURRENCY || before->value == PRICE_FORM_POINT));
}
