/* Which offers hold a model, and what it costs to rent them for so long: reckoning apart from reading and writing. */
#ifndef GT_REPORTS_ADVICE_H
#define GT_REPORTS_ADVICE_H

#include "pricing/site_extras.h"
#include "reports/board.h"
#include "reports/model_memory.h"

enum {
    ADVICE_CARDS_DEFAULT = 8, /* one node */
    ADVICE_CARDS_MAX = 4096,
    ADVICE_HOURS_MAX = 1000 * 1000,
    ADVICE_MONTHS_MAX = 120,
    ADVICE_GB_MAX = 1000 * 1000 * 1000,
};

/* What is to be rented. */
struct advice_need {
    struct model_need model;
    int64_t hours;  /* of use, in all; 0: `months` counts */
    int32_t months; /* 0 and 0 hours: one month */
    int64_t storage_gb;
    int64_t egress_gb; /* in all */
    int32_t cards_max; /* 0: ADVICE_CARDS_DEFAULT */
};

/* What is not known of an item, or differs from what one might take for granted. Bits. */
enum advice_gap {
    ADVICE_GAP_STORAGE = 1,       /* storage is asked for and its fee is not known (or is in another currency) */
    ADVICE_GAP_TRAFFIC = 2,       /* as STORAGE, for what leaves */
    ADVICE_GAP_MANAGEMENT = 4,    /* whether anything is charged on top of the rent */
    ADVICE_GAP_TAX = 8,           /* whether tax is in the price */
    ADVICE_GAP_INTERCONNECT = 16, /* several cards, and nothing says how they are linked */
    ADVICE_GAP_ONE_NODE = 32,     /* several units: whether they come in one machine */
    ADVICE_GAP_HOST = 64,         /* CPU, memory and disk are billed apart */
    ADVICE_GAP_APPROX = 128,      /* a fee that is only about so much */
    ADVICE_GAP_COUNT = 8,
};

/* An offer that fits, paid one way. */
struct advice_item {
    const struct board_entry *entry;
    struct net_price net;   /* for as many cards as are taken */
    enum period pay;        /* HOUR, MONTH, YEAR */
    int32_t needed;         /* cards that the model needs at least */
    int32_t units, cards;   /* taken: units sold, and cards in them */
    int64_t hours;          /* billed when paid by the hour, else 0 */
    int64_t months;         /* billed when not, else 0 */
    int64_t kept_months;    /* that the data is kept */
    int64_t rent_nano, storage_nano, traffic_nano, management_nano, total_nano;
    int64_t hidden_percent_nano; /* what is not rent, in the total */
    int64_t trial_nano;     /* the least that is paid to try it: an hour, or the least term; fees not in it */
    unsigned gaps;          /* enum advice_gap */
    unsigned marks;         /* enum board_mark, of this number of cards */
    bool is_complete;       /* every fee that was asked for is known */
    bool is_cheapest;       /* of its class and currency, among those complete and without marks */
    bool is_smallest_trial; /* of its currency, among those without marks */
};

struct advice {
    struct model_memory memory;
    struct advice_item *items; /* by class, currency, marked and incomplete last, total, printed words */
    size_t count;
    size_t too_large;      /* offers that would take more than cards_max cards */
    size_t no_price;       /* offers that fit and have no price for this persona */
    size_t unknown_memory; /* offers whose memory or count of cards is not known, and slices, which have no price per card */
    bool has_currencies;   /* more than one */
};

/* Finds what fits and reckons it. Each offer is reckoned by the hour and, where it has a month of its own, by the month (by the
 * year for a persona who pays so). The rows, view and extras are borrowed.
 * GT_OK; GT_EUSAGE and GT_EOVERFLOW of the memory estimate; GT_ENOMEM. An offer whose costs overflow is left out. */
enum gt_err advice_compute(const struct board_rows *rows, const struct board_view *view, const struct advice_need *need,
                           const struct site_extras *extras, size_t extra_count, struct arena *arena, struct advice *ret_advice,
                           struct gt_errinfo *info);

/* What advice_interconnect says of a card that has no link of its own. */
#define ADVICE_LINK_NONE "none"

/* How the cards of an item are linked: the printed words, else what the catalogue says the card has (ADVICE_LINK_NONE: nothing
 * beside the bus), else empty. Borrowed or static. */
struct gt_str advice_interconnect(const struct advice_item *item, bool *ret_is_printed);

#endif
