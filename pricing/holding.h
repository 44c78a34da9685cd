/* [holding NAME] of sites.conf: what is rented today, held against the market by reports and alerts. */
#ifndef GT_PRICING_HOLDING_H
#define GT_PRICING_HOLDING_H

#include "common/conf.h"
#include "pricing/money.h"
#include "pricing/query.h"

enum { HOLDINGS_MAX = 256 };

struct holding {
    struct gt_str name;
    const struct query *query; /* what could stand in its place */
    int32_t cards;
    int64_t month_nano; /* of one card */
    struct currency currency;
    int64_t until_unix_s; /* the contract's last day; 0: none said */
};

/* Reads every [holding NAME] section, by name; in the arena. GT_OK; GT_ECONF with file:line; GT_ELIMIT past HOLDINGS_MAX; GT_ENOMEM. */
enum gt_err holdings_read(struct conf *conf, struct arena *arena, struct holding **ret_holdings, size_t *ret_count,
                          struct gt_errinfo *info);

#endif
