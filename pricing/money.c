#include "pricing/money.h"

#include <string.h>

/* ISO C has no name for it; gcc and clang have it on every 64-bit machine. */
__extension__ typedef __int128 wide;

enum { NANO_DIGITS = 9 };

enum gt_err money_parse(struct gt_str decimal, int64_t *ret_nano)
{
    size_t at = 0;
    bool is_negative = decimal.len > 0 && decimal.ptr[0] == '-';
    if (decimal.len > 0 && (decimal.ptr[0] == '-' || decimal.ptr[0] == '+')) at++;
    int64_t value = 0;
    int digits = 0, decimals = -1; /* -1: no point yet */
    for (; at < decimal.len; at++) {
        char c = decimal.ptr[at];
        if (c == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (c < '0' || c > '9') return GT_EFORMAT;
        digits++;
        if (decimals >= NANO_DIGITS) {
            if (c != '0') return GT_EPRECISION;
            continue;
        }
        decimals += decimals >= 0;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value))
            return GT_EOVERFLOW;
    }
    if (digits == 0) return GT_EFORMAT;
    for (int i = decimals < 0 ? 0 : decimals; i < NANO_DIGITS; i++)
        if (__builtin_mul_overflow(value, 10, &value)) return GT_EOVERFLOW;
    *ret_nano = is_negative ? -value : value;
    return GT_OK;
}

const char *money_format(int64_t nano, char text[MONEY_TEXT_MAX])
{
    char digits[MONEY_TEXT_MAX] = "";
    uint64_t rest = nano < 0 ? 0 - (uint64_t)nano : (uint64_t)nano;
    int skipped = 0, count = 0, len = 0;
    /* Digits come last first. By hand: every figure of every report passes here. */
    for (; skipped < NANO_DIGITS && rest % 10 == 0; skipped++) rest /= 10;
    for (; rest != 0 || count + skipped <= NANO_DIGITS; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    if (nano < 0) text[len++] = '-';
    for (int place = count + skipped; place > skipped; place--) {
        if (place == NANO_DIGITS) text[len++] = '.';
        text[len++] = digits[place - skipped - 1];
    }
    text[len] = '\0';
    return text;
}

/* num / den rounded; den > 0. */
static wide divide(wide num, wide den, enum rounding rounding)
{
    wide quotient = num / den, rest = num % den;
    wide away = num < 0 ? -1 : 1;
    if (rest < 0) rest = -rest;
    if (rest == 0 || rounding == ROUND_DOWN) return quotient;
    if (rounding == ROUND_UP) return quotient + away;
    return 2 * rest >= den ? quotient + away : quotient;
}

static enum gt_err narrow(wide value, int64_t *ret_value)
{
    if (value > INT64_MAX || value < INT64_MIN) return GT_EOVERFLOW;
    *ret_value = (int64_t)value;
    return GT_OK;
}

enum gt_err money_scale(int64_t value, int64_t num, int64_t den, enum rounding rounding, int64_t *ret_value)
{
    if (den == 0) return GT_EUSAGE;
    if (num == den) { /* most of all scales */
        *ret_value = value;
        return GT_OK;
    }
    wide product = (wide)value * num, divisor = den;
    if (divisor < 0) {
        product = -product;
        divisor = -divisor;
    }
    return narrow(divide(product, divisor, rounding), ret_value);
}

enum gt_err money_round(int64_t value_nano, int64_t step_nano, enum rounding rounding, int64_t *ret_nano)
{
    if (step_nano <= 0) return GT_EUSAGE;
    return narrow(divide(value_nano, step_nano, rounding) * step_nano, ret_nano);
}

int money_moved(int64_t before_nano, int64_t now_nano, int64_t percent_nano)
{
    if (before_nano == 0) return 0;
    wide moved = (wide)now_nano - before_nano;
    wide base = before_nano;
    if (moved < 0) moved = -moved;
    if (base < 0) base = -base;
    return moved * 100 * NANO >= base * percent_nano;
}

struct currency currency_from(struct gt_str code)
{
    struct currency ret = {""};
    if (code.len == 0 || code.len >= CURRENCY_MAX) return ret;
    for (size_t i = 0; i < code.len; i++)
        ret.code[i] = (char)(code.ptr[i] >= 'a' && code.ptr[i] <= 'z' ? code.ptr[i] - 'a' + 'A' : code.ptr[i]);
    return ret;
}

bool currency_is_code(struct gt_str text)
{
    bool is_own = text.len > 2 && (text.ptr[0] == 'X' || text.ptr[0] == 'x') && text.ptr[1] == '-';
    for (size_t i = is_own ? 2 : 0; i < text.len; i++)
        if ((text.ptr[i] | 0x20) < 'a' || (text.ptr[i] | 0x20) > 'z') return false; /* isalpha asks the locale */
    return is_own ? text.len < CURRENCY_MAX : text.len == 3;
}

int currency_eq(struct currency a, struct currency b)
{
    return a.code[0] != '\0' && strncmp(a.code, b.code, CURRENCY_MAX) == 0;
}

/* "50 CNY": both, always. A figure without its currency is what made comparisons wrong in the first place. */
enum gt_err amount_read(struct gt_str text, int64_t *ret_nano, struct currency *ret_currency, struct gt_errinfo *info)
{
    static const char blanks[] = " \t\n";
    struct gt_str words = gt_str_trim(text);
    size_t len = 0;
    int64_t nano;
    while (len < words.len && strchr(blanks, words.ptr[len]) == NULL) len++;
    struct gt_str code = gt_str_trim(gt_str_slice(words, len, words.len - len));
    if (money_parse(gt_str_slice(words, 0, len), &nano) != GT_OK || nano < 0 || !currency_is_code(code))
        return gt_fail(info, GT_EUSAGE, "\"%.*s\" is no amount with a currency such as 50 CNY", GT_STR_ARG(text));
    *ret_nano = nano;
    *ret_currency = currency_from(code);
    return GT_OK;
}
