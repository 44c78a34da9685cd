/* Calendar dates inside price texts, so that their digits are never taken for amounts, and "until"
 * has a day. */
#ifndef GT_PRICING_PRICE_DATE_H
#define GT_PRICING_PRICE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

/* A date as printed. year is 0 when none is printed; day and month are 0 when their order is open
 * (03/04/2026). */
struct price_date {
    int year, month, day;
    size_t len; /* bytes of text it took */
};

/* Reads 2026-12-31, 2026/12/31, 2026.12.31, 2026年12月31日, 12月31日, 03/23/2022, 31.12.2026 at byte
 * `at` (a digit). False when no date stands there. `text` is folded and in lower case, as for all
 * functions here. */
bool price_date_scan(struct gt_str text, size_t at, struct price_date *ret_date);

/* Reads "dec 31, 2026", "december 31", "31 dec 2026" at byte `at` (a letter or digit). */
bool price_date_scan_english(struct gt_str text, size_t at, struct price_date *ret_date);

/* The moment 0:00 of the date, at `offset_s` east of UTC; 0 when year, month or day are open. */
int64_t price_date_unix_s(const struct price_date *date, int32_t offset_s);

/* The bytes at `at` that say "round the clock" ("24/7", "7x24小时"), whose numbers are none of a price; 0 when none do. */
size_t price_always_scan(struct gt_str text, size_t at);

#endif
