/* The spreads of a marketplace kept for ever, and its old offers let go. */
#ifndef GT_REPORTS_MARKET_STORE_H
#define GT_REPORTS_MARKET_STORE_H

#include "reports/market_history.h"
#include "store/thin.h"

/* Keeps how the prices of a marketplace were spread in each run before `before_unix_s`, for ordinary customers who pay by the hour and by the
 * month, then lets go of the offers' spans that had ended by the last good one of those runs (store/thin.h). *ret_counts is zero, and nothing is
 * written, when there is no such run that was not treated so before. Errors of the store, GT_ENOMEM. */
enum gt_err market_keep(struct store *store, struct gt_str site, int64_t before_unix_s, struct thin_counts *ret_counts, struct gt_errinfo *info);

/* The spreads of marketplaces in [since, until): reckoned from the history's spans, and for the time that market_keep has been over what it kept;
 * that for a persona which it knows alone, and of classes that the query asks for (by cards, delivery, tier, term, market, site). By class,
 * currency, site, time. GT_OK; GT_ENOMEM; GT_ELIMIT; what the store says. */
enum gt_err market_history_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                                const struct history *history, struct arena *arena, struct market_history *ret_market, struct gt_errinfo *info);

#endif
