/* A price worked out step by step, exact between roundings, that writes down its own formula as it goes. */
#ifndef GT_PRICING_NET_PRICE_CHAIN_H
#define GT_PRICING_NET_PRICE_CHAIN_H

#include <stdbool.h>

#include "pricing/money.h"

enum { CHAIN_TEXT_MAX = 512 };

/* value × num / den is the figure; the fraction stays open so that nothing is rounded but where a site rounds. After the first
 * failure `err` stays set and every step does nothing. */
struct price_chain {
    int64_t value_nano;
    int64_t num, den;
    bool has_steps;   /* something was done since the last figure was written */
    bool was_changed; /* anything was done at all */
    enum gt_err err;
    size_t len;
    char text[CHAIN_TEXT_MAX];
};

/* A number as price lists print it: whole, or with two decimals at least: "0.80", "1074". Returns `text`. */
const char *price_chain_operand(int64_t nano, char text[MONEY_TEXT_MAX]);

/* Begins with a printed amount. */
void price_chain_begin(struct price_chain *chain, int64_t amount_nano);

/* × a factor such as 0.80; × or ÷ a whole number (1 does nothing); − an amount (never below 0). */
void price_chain_factor(struct price_chain *chain, int64_t factor_nano);
void price_chain_times(struct price_chain *chain, int64_t n);
void price_chain_over(struct price_chain *chain, int64_t n);
void price_chain_minus(struct price_chain *chain, int64_t amount_nano);

/* Rounds to `step_nano` (0: not at all) within a formula: "1.96 × 0.80 = 1.568 → 1.57; 1.57 …". */
void price_chain_round(struct price_chain *chain, int64_t step_nano);

/* Ends the formula, rounded to `step_nano` where anything was done to the printed amount: "1.57 × 0.95 × 720 = 1073.88 → 1074".
 * GT_OK; GT_EOVERFLOW. The text stays in chain->text, closed by NUL. */
enum gt_err price_chain_end(struct price_chain *chain, int64_t step_nano, int64_t *ret_nano);

#endif
