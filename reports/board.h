/* Today's board: every listed offer with what the persona pays, ordered by comparison class, cheapest first. Reading the
 * store and reckoning are apart, so that tests hand in rows of their own. */
#ifndef GT_REPORTS_BOARD_H
#define GT_REPORTS_BOARD_H

#include "pricing/net_price.h"
#include "pricing/persona.h"
#include "pricing/query.h"
#include "reports/report.h"
#include "store/store.h"

enum {
    BOARD_ROWS_MAX = 2 * 1000 * 1000,
    BOARD_STALE_S = 48 * 3600,       /* older than this is stale */
    BOARD_STALE_INTERVALS = 3,       /* so is what is older than three times its site's interval … */
    BOARD_INTERVAL_MIN_S = 6 * 3600, /* … reckoned at least at this: a price of some hours ago is news to a person */
};

/* Why an offer is shown marked and is never the cheapest. Bits. */
enum board_mark {
    BOARD_BOUND = 1, /* its price is a from, an upto, about, or a range */
    BOARD_DOUBTED = 2,
    BOARD_STALE = 4,
    BOARD_SOLD_OUT = 8,
    BOARD_LEAD = 16,     /* got by hand, or its card is not sure: enters no low, median or index */
    BOARD_NO_PRICE = 32, /* no price for the persona's term */
};

/* One offer on the board. */
struct board_entry {
    const struct board_row *row;
    struct net_price net;
    struct gt_str class;
    int64_t price_nano; /* per card, by which the class is ordered: the month, or the hour for who pays hourly; 0 none */
    unsigned marks;     /* enum board_mark */
    int64_t age_s;
    int64_t since_unix_s; /* the price: the record's beginning, or when a discount in it last began or ended by its own date */
    bool is_cheapest; /* of its class and currency, among those without marks */
};

struct board {
    struct board_entry *entries; /* ordered by class, currency, marked last, price, then by the printed words */
    size_t count;
    size_t delisted;       /* left out because delisted */
    size_t other_currency; /* left out because priced in another currency than asked for */
    bool is_sample;
    bool has_currencies;     /* more than one */
    int32_t hours_per_month; /* what all entries reckon a month at; 0 when they differ; 720 when there are none */
};

/* What the board is asked. Borrowed. */
struct board_view {
    int64_t now_unix_s;
    struct persona persona;
    const struct query *query;       /* NULL: everything */
    struct currency currency;        /* "": any */
    const struct report_site *sites; /* for `every_s`, as intervals_read gives it */
    size_t site_count;
    bool skips_spot; /* spot offers are left out, unless the persona takes them */
};

/* The rows of a store at one moment, in an arena. */
struct board_rows {
    struct board_row *rows;
    size_t count;
};

/* The view that a report's input asks for, at `at_unix_s`. */
struct board_view board_view_from(const struct report_input *input, int64_t at_unix_s);

/* Reads all rows of the store as known at `at_unix_s`. GT_OK; GT_ENOMEM; GT_ELIMIT past BOARD_ROWS_MAX; what the store says. */
enum gt_err board_read(struct store *store, int64_t at_unix_s, struct arena *arena, struct board_rows *ret_rows,
                       struct gt_errinfo *info);

/* As board_read; and on the way gives the rows of an earlier moment to `fn`, as store_board_rows does. */
enum gt_err board_read_after(struct store *store, int64_t before_unix_s, board_rows_fn *fn, void *ctx, int64_t at_unix_s,
                             struct arena *arena, struct board_rows *ret_rows, struct gt_errinfo *info);

/* Filters, prices, classes, marks and orders the rows, which `ret_board` goes on pointing to. GT_OK; GT_ENOMEM. An offer
 * whose arithmetic overflows is kept without a price. */
enum gt_err board_compute(const struct board_rows *rows, const struct board_view *view, struct arena *arena,
                          struct board *ret_board);

/* The same entries in the rows' order, none of them the cheapest: for who asks about single offers. */
enum gt_err board_entries_compute(const struct board_rows *rows, const struct board_view *view, struct arena *arena,
                                  struct board *ret_board);

/* True when the row passes the view's query and market; rows of kind fx only where the query names their site or kind. `arena` holds
 * a scratch text. */
bool board_row_matches(const struct board_row *row, const struct board_view *view, struct arena *arena);

/* Orders class keys: by bytes, those of cards that are not sure ("?…") last. <0, 0, >0. */
int board_class_order(struct gt_str a, struct gt_str b);

/* Orders rows by their printed words, then by what else tells them apart: never 0 for two rows. <0, >0. */
int board_words_order(const struct board_row *a, const struct board_row *b);

/* True when the class is one of a label's own: the card is not sure, and nothing is compared. */
bool board_class_is_unsure(struct gt_str class);

/* The price per card by which a persona compares: the month, or the hour for who pays hourly; 0 none. */
int64_t board_price(const struct net_price *net, const struct persona *persona);

/* True when both stand in one class and are priced in one currency. */
bool board_is_comparable(const struct board_entry *a, const struct board_entry *b);

/* The number of entries from `from` on that are comparable with the first of them. */
size_t board_class_count(const struct board *board, size_t from);

#endif
