/* Exchange rates, for showing an amount in another currency beside the printed one. Nothing is compared, ranked or alerted by a
 * converted amount. */
#ifndef GT_PRICING_FX_H
#define GT_PRICING_FX_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/conf.h"
#include "pricing/money.h"

enum { FX_RATES_MAX = 512, FX_STEPS_MAX = 2 };

/* One unit of `one` is `rate_nano` units of `many`. Texts are borrowed. */
struct fx_rate {
    struct currency one, many;
    int64_t rate_nano;
    struct gt_str day;    /* "2026-09-18" */
    struct gt_str source; /* "sites.conf", or the site that published it */
};

/* Rates in order of preference. */
struct fx_table {
    struct fx_rate *rates;
    size_t count;
};

/* The way from one currency to another: a rate, or two of one source through a third currency; none when both are the same. */
struct fx_path {
    const struct fx_rate *rates[FX_STEPS_MAX]; /* in the table's memory */
    bool is_inverse[FX_STEPS_MAX];
    size_t count;
};

/* Adds the rates of [fx] (`rate.USD = 7.10 2026-09-18`: units of `base` for one, and the day) behind those that `table` holds. A
 * NULL section adds none. GT_OK; GT_ECONF with file:line (no number, none above zero, no day, a code that is none); GT_ELIMIT;
 * GT_ENOMEM. */
enum gt_err fx_table_read(const struct conf_section *section, struct arena *arena, struct fx_table *table, struct gt_errinfo *info);

/* Adds one rate at the end. GT_OK; GT_ELIMIT past FX_RATES_MAX; GT_ENOMEM. A rate that is not above zero is passed over. */
enum gt_err fx_table_add(struct fx_table *table, const struct fx_rate *rate, struct arena *arena);

/* Finds the first way in the table's order, by one rate or two of one source: all rates of a source share a base, so that it knows one
 * way at most. False when there is none, or a currency is not known. */
bool fx_path_find(const struct fx_table *table, struct currency from, struct currency to, struct fx_path *ret_path);

/* Converts, rounded to a ten-thousandth. GT_OK; GT_EOVERFLOW. */
enum gt_err fx_path_convert(const struct fx_path *path, int64_t amount_nano, int64_t *ret_nano);

#endif
