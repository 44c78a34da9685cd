/* One offer of the store by its number. */
#ifndef GT_WEB_OFFER_FIND_H
#define GT_WEB_OFFER_FIND_H

#include "reports/history.h"
#include "web/route.h"

enum { WEB_OFFER_ROWS_MAX = 16 }; /* the same words in several streams, with a doubt each */

/* What is known of it now (the good row before the doubted one), and its spans. */
struct web_offer {
    struct board_row rows[WEB_OFFER_ROWS_MAX];
    size_t count;
    struct history_spans spans;
};

/* Finds the offer that the request's id names, in the view's arena; is_with_spans: also its history of REPORT_HISTORY_DAYS, or of the period asked
 * for. GT_OK; GT_ENOENT with a message; GT_ENOMEM, GT_ELIMIT; what the store says. */
enum gt_err web_offer_find(const struct web_view *view, bool is_with_spans, struct web_offer *ret_offer, struct gt_errinfo *info);

#endif
