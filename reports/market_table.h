/* The spreads of a history's marketplaces as tables. */
#ifndef GT_REPORTS_MARKET_TABLE_H
#define GT_REPORTS_MARKET_TABLE_H

#include "reports/frame.h"
#include "reports/market_history.h"

/* For people: of one class and currency, a table a marketplace, a line a day: the last spread that began in it. Nothing where there are
 * never three offers. GT_OK; GT_ENOMEM. */
enum gt_err market_table_write(const struct market_history *market, struct gt_str class, const struct currency *currency, const struct frame *frame);

/* For programs: one table "markets", a row for runs that follow each other with one spread. */
void market_data_write(const struct market_history *market, const struct frame *frame);

#endif
