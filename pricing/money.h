/* Money as integers: nano-units (1e-9 of the currency's unit) in int64_t, range +-9.2e9 units. No double anywhere. */
#ifndef GT_PRICING_MONEY_H
#define GT_PRICING_MONEY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

#define NANO 1000000000LL

enum { MONEY_TEXT_MAX = 32, CURRENCY_MAX = 8 };

/* An ISO 4217 code such as "CNY", closed by NUL; "" when not known. Platform credits have codes of their own that no ISO code
 * can take: "X-SDD" is 算力豆. */
struct currency {
    char code[CURRENCY_MAX];
};

/* How a result is brought to a step: half away from zero, down (towards zero), up (away from zero). */
enum rounding { ROUND_HALF_UP, ROUND_DOWN, ROUND_UP };

/* Reads a plain decimal such as "0.00000222" or "-12800" (digits, at most one '.', optional sign; nothing else).
 * GT_OK; GT_EFORMAT; GT_EPRECISION when more than nine decimals are not zero; GT_EOVERFLOW. */
enum gt_err money_parse(struct gt_str decimal, int64_t *ret_nano);

/* Writes the shortest exact decimal: "1074", "1.57", "0.000164", "-0.5". Returns `text`. */
const char *money_format(int64_t nano, char text[MONEY_TEXT_MAX]);

/* value * num / den, exact in between (128 bits), rounded once. GT_EOVERFLOW; GT_EUSAGE when den is 0. */
enum gt_err money_scale(int64_t value, int64_t num, int64_t den, enum rounding rounding, int64_t *ret_value);

/* Rounds to a multiple of `step_nano` (> 0), such as NANO / 100 for cents. GT_EOVERFLOW. */
enum gt_err money_round(int64_t value_nano, int64_t step_nano, enum rounding rounding, int64_t *ret_nano);

/* True when |now - before| * 100 >= percent * |before|: compared without a division. `percent_nano` is a percent in
 * nano-units (5 % = 5 * NANO). False when before is 0. */
int money_moved(int64_t before_nano, int64_t now_nano, int64_t percent_nano);

/* The currency of a code in any case, "" for text that is none (longer than CURRENCY_MAX - 1). */
struct currency currency_from(struct gt_str code);

/* True for three letters as ISO 4217 has them, or a platform's own credits ("X-SDD"), in any case: what a person may name. Another
 * word would name a currency that no offer has. */
bool currency_is_code(struct gt_str text);

/* Reads an amount with its currency as a person writes it, "50 CNY"; not below 0. GT_EUSAGE with a message. */
enum gt_err amount_read(struct gt_str text, int64_t *ret_nano, struct currency *ret_currency, struct gt_errinfo *info);

/* True when both are known and the same. */
int currency_eq(struct currency a, struct currency b);

#endif
