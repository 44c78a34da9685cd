/* Arithmetic that writes its own formula. A figure that a reader cannot follow with a pencil is not worth much, and a formula
 * that is put together apart from the figure will one day say something else. Between roundings the value is an exact fraction:
 * 1.9975 × 720 must not lose the half that decides which yuan it becomes. */
#include "pricing/net_price_chain.h"

#include <string.h>

enum { ONE_DECIMAL = 2 /* bytes of ".8" */ };

/* A formula that does not fit is an error like a sum that does not fit: half a formula would mislead. */
static void write_piece(struct price_chain *chain, const char *piece)
{
    size_t len = strlen(piece);
    if (len >= CHAIN_TEXT_MAX - chain->len) {
        chain->err = GT_EOVERFLOW;
        return;
    }
    memcpy(chain->text + chain->len, piece, len + 1);
    chain->len += len;
}

/* A sign and what stands behind it. */
static void write_text(struct price_chain *chain, const char *sign, const char *text)
{
    write_piece(chain, sign);
    write_piece(chain, text);
}

static void write_count(struct price_chain *chain, const char *sign, int64_t n)
{
    char text[MONEY_TEXT_MAX];
    int64_t nano;
    if (__builtin_mul_overflow(n, NANO, &nano)) chain->err = GT_EOVERFLOW;
    else write_text(chain, sign, money_format(nano, text));
}

/* "1.50" and "0.80", as pages print prices and factors. */
const char *price_chain_operand(int64_t nano, char text[MONEY_TEXT_MAX])
{
    money_format(nano, text);
    size_t len = strlen(text);
    bool has_one_decimal = len >= ONE_DECIMAL && text[len - ONE_DECIMAL] == '.';
    if (has_one_decimal && len + 1 < MONEY_TEXT_MAX) {
        text[len] = '0';
        text[len + 1] = '\0';
    }
    return text;
}

/* 1 at least, so that it can be divided by. */
static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a != 0 ? a : 1;
}

/* Closes the open fraction: to the nano, which is where it has to be rounded when it cannot be kept open. */
static void settle(struct price_chain *chain)
{
    if (chain->err != GT_OK) return;
    chain->err = money_scale(chain->value_nano, chain->num, chain->den, ROUND_HALF_UP, &chain->value_nano);
    chain->num = 1;
    chain->den = 1;
}

/* Multiplies the open fraction, settling first when it would not fit. */
static void scale(struct price_chain *chain, int64_t num, int64_t den)
{
    if (chain->err != GT_OK) return;
    if (num < 0 || den <= 0) {
        chain->err = GT_EUSAGE;
        return;
    }
    /* In lowest terms the fraction of a month's price has a handful of digits; it is settled only when it would not fit. */
    int64_t num_new, den_new, own = gcd(num, den);
    if (__builtin_mul_overflow(chain->num, num / own, &num_new) || __builtin_mul_overflow(chain->den, den / own, &den_new)) {
        settle(chain);
        num_new = num / own;
        den_new = den / own;
    }
    int64_t common = gcd(num_new, den_new);
    chain->num = num_new / common;
    chain->den = den_new / common;
    chain->has_steps = true;
    chain->was_changed = true;
}

void price_chain_begin(struct price_chain *chain, int64_t amount_nano)
{
    char text[MONEY_TEXT_MAX];
    *chain = (struct price_chain){.value_nano = amount_nano, .num = 1, .den = 1};
    write_piece(chain, price_chain_operand(amount_nano, text));
}

void price_chain_factor(struct price_chain *chain, int64_t factor_nano)
{
    char text[MONEY_TEXT_MAX];
    scale(chain, factor_nano, NANO);
    write_text(chain, " × ", price_chain_operand(factor_nano, text));
}

void price_chain_times(struct price_chain *chain, int64_t n)
{
    if (n == 1) return;
    scale(chain, n, 1);
    write_count(chain, " × ", n);
}

void price_chain_over(struct price_chain *chain, int64_t n)
{
    if (n == 1) return;
    scale(chain, 1, n);
    write_count(chain, " ÷ ", n);
}

void price_chain_minus(struct price_chain *chain, int64_t amount_nano)
{
    char text[MONEY_TEXT_MAX];
    settle(chain);
    if (chain->err != GT_OK) return;
    if (__builtin_sub_overflow(chain->value_nano, amount_nano, &chain->value_nano)) chain->err = GT_EOVERFLOW;
    /* A voucher larger than the bill makes it nothing; no seller pays out the rest. */
    if (chain->value_nano < 0) chain->value_nano = 0;
    chain->has_steps = true;
    chain->was_changed = true;
    write_text(chain, " − ", price_chain_operand(amount_nano, text));
}

/* Writes " = 1.568 → 1.57", or " = 6.20" where rounding changed nothing. */
static void write_figure(struct price_chain *chain, int64_t exact_nano, bool pretty)
{
    char exact[MONEY_TEXT_MAX], rounded[MONEY_TEXT_MAX];
    if (pretty) price_chain_operand(chain->value_nano, rounded);
    else money_format(chain->value_nano, rounded);
    if (exact_nano != chain->value_nano) write_text(chain, " = ", money_format(exact_nano, exact));
    write_text(chain, exact_nano == chain->value_nano ? " = " : " → ", rounded);
}

/* The exact figure is printed before the rounded one: a reader can reckon along with every step. */
void price_chain_round(struct price_chain *chain, int64_t step_nano)
{
    char text[MONEY_TEXT_MAX];
    if (chain->err != GT_OK || step_nano == 0 || !chain->has_steps) return;
    settle(chain);
    int64_t exact_nano = chain->value_nano;
    if (chain->err == GT_OK) chain->err = money_round(exact_nano, step_nano, ROUND_HALF_UP, &chain->value_nano);
    write_figure(chain, exact_nano, true);
    write_text(chain, "; ", price_chain_operand(chain->value_nano, text));
    chain->has_steps = false;
}

/* A price that nothing was done to keeps all its printed digits, whatever the step. */
enum gt_err price_chain_end(struct price_chain *chain, int64_t step_nano, int64_t *ret_nano)
{
    bool has_steps = chain->has_steps;
    settle(chain);
    int64_t exact_nano = chain->value_nano;
    if (chain->err == GT_OK && step_nano != 0 && chain->was_changed)
        chain->err = money_round(exact_nano, step_nano, ROUND_HALF_UP, &chain->value_nano);
    if (has_steps || exact_nano != chain->value_nano) write_figure(chain, exact_nano, false);
    if (chain->err == GT_OK) *ret_nano = chain->value_nano;
    return chain->err;
}
