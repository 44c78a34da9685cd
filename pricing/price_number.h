/* Numbers as people write them: which signs part thousands and which decimals, and what a number is
 * worth. */
#ifndef GT_PRICING_PRICE_NUMBER_H
#define GT_PRICING_PRICE_NUMBER_H

#include "pricing/price_token.h"
#include "pricing/site_facts.h"

enum {
    PRICE_NUMBER_GROUPS_MAX = 8, /* groups of digits; more is no amount */
    PRICE_NUMERAL_BYTES_MAX = 36,
};

/* How a number's separators can be read. */
enum price_form {
    PRICE_FORM_INTEGER,     /* digits only, or groups parted by blanks or apostrophes */
    PRICE_FORM_POINT,       /* a decimal point, surely: 1.5, 1,299.00 */
    PRICE_FORM_COMMA,       /* a decimal comma, surely: 1,5, 1.299,00 */
    PRICE_FORM_GROUP_COMMA, /* thousands by comma, surely: 1,234,567 */
    PRICE_FORM_GROUP_POINT, /* thousands by point, surely: 1.234.567 */
    PRICE_FORM_POINT3,      /* 1.299: either */
    PRICE_FORM_COMMA3,      /* 1,299: either */
    PRICE_FORM_BAD,         /* no single reading */
};

/* A number's worth. `status` is GT_OK, GT_EAMBIGUOUS, GT_EPRECISION or GT_EOVERFLOW; the rest is
 * set for GT_OK only. */
struct price_value {
    enum gt_err status;
    int64_t nano;
    int decimals;      /* printed digits behind the decimal sign */
    bool is_by_custom; /* 1.299 or 1,299 read by the custom of Chinese and English pages */
};

/* Measures the number that begins at byte `at` of the text (a digit, or a point before one). Fills
 * len, value, arg, flags of *token; false when it is no number that can stand alone (0x1f, 007).
 * `has_currency` says that a currency sign stands before it: then "1 649" may be one number. */
bool price_number_scan(const struct price_lexed *lexed, size_t at, bool has_currency, struct price_token *token);

/* 8xH100, 8x: true when an x at byte `end`, right behind the number, multiplies it. */
bool price_is_times(const struct price_lexed *lexed, const struct price_token *number, size_t end);

/* True when the number, which ends at byte `end`, is one in spite of what is glued to it: "2.5h", "80GB", but not "7B". */
bool price_stands_alone(const struct price_lexed *lexed, const struct price_token *number, size_t end);

/* Measures a Chinese numeral at byte `at`: 八, 十二, 三万, 八五 (digits), 半. 0 when there is none; else
 * its bytes. */
size_t price_numeral_scan(struct gt_str text, size_t at);

/* The worth of number token `at`. `decimal` is what is known of the text's signs; `has_comma` that
 * the currency's home writes decimal commas, so that 1.299 stays ambiguous. */
struct price_value price_number_value(const struct price_lexed *lexed, size_t at, enum decimal_sign decimal, bool has_comma);

/* The whole number of a token, 0 when it is none or above `max`. */
int32_t price_number_whole(const struct price_lexed *lexed, size_t at, int32_t max);

#endif
