/* The weekly report's figures, before anything is written. A week's price is the last good observation before Sunday 24:00 in
 * the report's zone, at most 48 h old; moves are taken on offers that stood in both weeks. */
#ifndef GT_REPORTS_WEEKLY_H
#define GT_REPORTS_WEEKLY_H

#include "pricing/holding.h"
#include "reports/change_list.h"
#include "reports/correction.h"
#include "reports/crossing.h"
#include "reports/finding_list.h"
#include "reports/history.h"
#include "reports/period.h"
#include "reports/source_list.h"

enum {
    WEEKLY_SELLERS_FOR_MEDIAN = 3,
    WEEKLY_CHART_DAYS = 56,
    WEEKLY_CORRECTIONS_SHOWN_MAX = 20,
    WEEKLY_ENDS_SOON_S = 7 * 86400,
    WEEKLY_FACTORS_MAX = 8,
    WEEKLY_CHART_OFFERS_MAX = 10000, /* whose history is read for charts; of a larger store … */
    WEEKLY_CHART_LINES_MAX = 512,    /* … that of so many: the cheapest of each class in the first tables, some of which draw no chart */
    WEEKLY_ROWS_MAX = 500, /* of a table for people: nobody acts on more, and a page of them stays below 1 MiB. csv and json have all */
};

/* Why a class or offer has a change or none. */
enum move_state {
    MOVE_KNOWN,
    MOVE_FIRST_WEEK, /* nothing at all was known the week before */
    MOVE_NEW,        /* none of its offers stood in both weeks */
    MOVE_SHORT,      /* it was known, but without a price fresh enough at the end of the week before */
};

/* What is kept of an offer on the board of the week before. */
struct weekly_before {
    uint64_t offer_id;
    struct gt_str class;
    struct currency currency;
    int64_t price_nano;
    unsigned marks; /* enum board_mark; doubted ones are not kept */
};

/* An offer that stands on both boards, in one class and currency. */
struct weekly_pair {
    const struct weekly_before *before;
    const struct board_entry *now;
};

/* An offer whose price moved between the two weeks. */
struct weekly_move {
    const struct weekly_before *before;
    const struct board_entry *now;
    int64_t percent_nano;
};

/* A change of an offer: its place in the list of changes. */
struct weekly_change {
    uint64_t offer_id;
    size_t at;
};

/* One comparison class of one currency. */
struct weekly_class {
    const struct board_entry *entries; /* on the board, cheapest first */
    size_t count;
    const struct board_entry *low; /* the cheapest that may be it; NULL: none usable */
    int32_t offers, sellers;       /* usable */
    int64_t median_nano;           /* of each seller's cheapest; 0 below WEEKLY_SELLERS_FOR_MEDIAN */
    enum move_state state;
    bool is_low_matched;                   /* the cheapest offer itself stood in both weeks */
    int64_t low_before_nano;               /* of the matched offers */
    int64_t percent_nano;                  /* of the low over matched offers */
    int64_t week_mean_nano, week_low_nano; /* of the cheapest offer over the week; 0 not known */
};

/* Classes that differ in the card alone: one table. */
struct weekly_group {
    const struct weekly_class **classes; /* usable ones by price */
    size_t count;
    int32_t cards; /* in the unit sold, when all have the same; 0 else */
    bool has_hour; /* some offer is sold by the hour too */
};

/* What is rented today against the low of one class that could stand in its place; a holding that fits several has several. */
struct weekly_holding {
    const struct holding *holding;
    const struct board_entry *low; /* the cheapest by the month; NULL: nothing to compare it with */
    int64_t difference_nano;       /* a month, of all its cards: what is paid above the low; below 0: less than the low */
    int64_t percent_nano;          /* of the low */
    bool is_known;                 /* the two figures are */
    int64_t days_left;             /* to the contract's last day, where one is said; below 0: it is over */
};

struct weekly {
    struct report_period period;
    int64_t at_unix_s; /* what was known then: the period's last second, or now when that is earlier */
    bool is_first;
    struct board_rows rows;
    struct board board;
    struct weekly_before *before; /* of the week before, by offer */
    size_t before_count;
    struct weekly_class *classes;
    size_t class_count;
    struct weekly_group *groups; /* containers, virtual machines, bare metal, serverless, others */
    size_t group_count;
    struct weekly_move *moves; /* the largest first */
    size_t move_count;
    struct weekly_pair *pairs; /* by the entry of the later board */
    size_t pair_count;
    struct change_list changes;
    struct weekly_change *by_offer; /* the changes that are not doubted, by offer, then time */
    size_t by_offer_count;
    struct history history; /* of the offers that it is shown of */
    struct crossing_list crossings;
    struct finding_list findings;
    struct weekly_holding *holdings; /* by name, a holding's cheapest class first */
    size_t holding_count;
    struct source_list sources;
    struct correction_list corrections; /* of the week before, of the week itself, then what came to light of older ones, where they were published */
    int64_t factors[WEEKLY_FACTORS_MAX]; /* inferred ones, each once */
    size_t factor_count;
    size_t doubted, unmapped, leads;
    bool is_sample;
};

/* The report's view at a moment: the persona's, without spot unless it takes spot, and without the sites' own intervals: in a week's price
 * 48 h count. */
struct board_view weekly_view_at(const struct report_input *input, int64_t at_unix_s);

/* How many offers of a class its chart has no line for, because their history was not read: 0 up to WEEKLY_CHART_OFFERS_MAX offers. */
size_t weekly_chart_left_out(const struct weekly *weekly, const struct weekly_class *class);

/* Reads the store and reckons everything. GT_OK; GT_ENOMEM; GT_ELIMIT; what the store says. `history_since_unix_s`: how far
 * back charts go. */
enum gt_err weekly_read(const struct report_input *input, const struct report_period *period, int64_t history_since_unix_s,
                        struct arena *arena, struct weekly *ret_weekly, struct gt_errinfo *info);

/* The parts, each from what stands in the weekly before it; for tests. GT_OK; GT_ENOMEM. */

/* Keeps of a board's entries what the next week's report asks of them: `before`. Nothing goes on pointing to the board. */
enum gt_err weekly_before_compute(struct weekly *weekly, const struct board *board, struct arena *arena);
/* Matches the two boards: `pairs`, `moves` and `by_offer`, from changes, `before` and board. */
enum gt_err weekly_moves_compute(struct weekly *weekly, struct arena *arena);
/* Sums up classes: lows, medians, changes. */
enum gt_err weekly_classes_compute(struct weekly *weekly, struct arena *arena);
/* Adds the mean and the low of each class's cheapest offer over the week, from `history`. */
enum gt_err weekly_means_compute(struct weekly *weekly, struct arena *arena);
/* Gathers classes into groups. */
enum gt_err weekly_groups_compute(struct weekly *weekly, struct arena *arena);
/* Holds what is rented against the classes: `holdings`. Only offers in the holding's currency and without marks count. */
enum gt_err weekly_holdings_compute(struct weekly *weekly, const struct report_input *input, struct arena *arena);
/* Counts doubts, leads, unmapped labels, inferred factors. */
void weekly_counts_compute(struct weekly *weekly);

/* When the new price of a move was first seen, by the changes; 0 when they do not say. GT_OK; GT_ENOMEM. */
enum gt_err weekly_move_seen(const struct weekly *weekly, const struct weekly_move *move, struct arena *arena, int64_t *ret_unix_s);

/* The time-weighted mean and the low of an offer's price within [since, until); 0 where nothing counts. */
void weekly_offer_mean(const struct history_offer *offer, int64_t since_unix_s, int64_t until_unix_s, int64_t *ret_mean_nano,
                       int64_t *ret_low_nano);

#endif
