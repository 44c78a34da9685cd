/* From how many hours a month a monthly price beats an hourly one: of one offer's own two prices, and of a class's cheapest month
 * against the cheapest hour of the same card. */
#ifndef GT_REPORTS_BREAKEVEN_H
#define GT_REPORTS_BREAKEVEN_H

#include "reports/board.h"

struct breakeven {
    const struct board_entry *hour, *month;
    bool is_same;               /* both are prices of one offer: the classes do not differ */
    int64_t hour_nano;          /* the list price, per card and hour */
    int64_t discounted_nano;    /* after what the page takes off for everybody; 0 when there is no second price */
    int64_t hours, hours_discounted; /* month ÷ hour, rounded to whole hours; 0 where there is no such price */
    int64_t bill_nano;          /* the least that is paid a month, where that is a whole node; 0: the price per card is the bill */
    bool is_reachable;          /* the month has that many hours: else the hour stays cheaper however long one rents */
};

struct breakeven_list {
    struct breakeven *items; /* card by card as on the board; an offer's own first, then by the month's price */
    size_t count;
};

/* Both sides share card, VRAM, tier, market, contents and currency, and carry no mark (no bound, doubt, staleness, lead). A month
 * that is nothing but the offer's own hours times its hourly price is no monthly offer. GT_OK; GT_ENOMEM. */
enum gt_err breakeven_list_compute(const struct board *board, struct arena *arena, struct breakeven_list *ret_list);

#endif
