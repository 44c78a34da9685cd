/* Container against bare metal, card by card: the one place where two comparison classes are held against each other. */
#ifndef GT_REPORTS_CROSSING_H
#define GT_REPORTS_CROSSING_H

#include "reports/board.h"

struct crossing {
    const struct board_entry *container; /* the cheapest of its class: container or virtual machine, one card */
    const struct board_entry *node;      /* the cheapest of its class: bare metal */
    int64_t percent_nano;                /* the node's card against the container: below 0, the node is cheaper */
    int64_t bill_nano;                   /* the smallest bill for the node a month; 0: its cards are not known */
    /* From how many hours a month the monthly price beats the container by the hour: at the list price, and at the price
     * after the discount that the page shows; 0 where there is none. */
    int64_t container_hours_list, container_hours_net;
    int64_t node_hours_list, node_hours_net;
};

struct crossing_list {
    struct crossing *crossings; /* by the node's price per card */
    size_t count;
};

/* Pairs the cheapest container with the cheapest node of the same card, VRAM, tier, market, contents and currency. GT_OK;
 * GT_ENOMEM. */
enum gt_err crossing_list_compute(const struct board *board, struct arena *arena, struct crossing_list *ret_list);

/* True when the two classes agree in card, VRAM, tier, market, contents and currency: what may be held against each other across
 * delivery, term and count. */
bool crossing_is_pair(const struct board_entry *a, const struct board_entry *b);

/* True for a month of its own: printed, or less than its hours at `hour_nano` come to; else paying by the month is paying by the hour. */
bool crossing_has_month(const struct net_price *net, int64_t hour_nano, int32_t hours_per_month);

/* Hours a month from which `month_nano` is less than `hour_nano` an hour, rounded to whole hours; 0 when either is not known. */
int64_t crossing_hours(int64_t month_nano, int64_t hour_nano);

/* The hourly price after what the page's own arithmetic takes off for everybody (an inferred factor), rounded as the site
 * rounds; else the persona's hourly price where it is below the list price; 0 when there is no second price. */
int64_t crossing_hour_discounted(const struct board_entry *entry);

#endif
