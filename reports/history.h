/* The spans of each offer, priced for a persona, with the move from one to the next. */
#ifndef GT_REPORTS_HISTORY_H
#define GT_REPORTS_HISTORY_H

#include "reports/board.h"
#include "reports/run_index.h"

enum { HISTORY_SPANS_MAX = 4 * 1000 * 1000, HISTORY_SPARK_POINTS = 24 };

/* One span as a report shows it. */
struct history_span {
    struct board_row row; /* identity and attributes; the record is this span's */
    int64_t first_unix_s, last_unix_s;
    uint64_t first_seq, last_seq;
    uint32_t observations;
    bool is_doubted, is_open, is_voided;
    bool is_joined; /* the offer's next span begins at the very next good run of its listing: the price held until then */
    struct net_price net;
    int64_t price_nano; /* board_price of it; 0 none */
    bool has_change;
    int64_t change_percent_nano; /* against the last span of the offer that was neither doubted nor voided */
};

/* Spans as they are collected. */
struct history_spans {
    struct history_span *rows;
    size_t count, cap;
};

/* Adds a row that the store tells. GT_OK; GT_ENOMEM; GT_ELIMIT past HISTORY_SPANS_MAX. */
enum gt_err history_spans_add(struct history_spans *spans, const struct history_row *row, struct arena *arena);

/* One offer with its spans in order of time. */
struct history_offer {
    const struct history_span *spans;
    size_t count;
    struct gt_str class; /* of its latest span */
    struct currency currency;
    int64_t latest_nano, low_nano, high_nano; /* over spans that count; 0 none */
    int64_t latest_before_nano;               /* the first price of the period */
};

struct history {
    struct history_span *spans; /* in the store's order: by offer, then time */
    size_t span_count;
    struct history_offer *offers; /* by class, currency, latest price */
    size_t offer_count;
    bool is_sample;
    int32_t hours_per_month; /* what all spans reckon a month at; 0 when they differ; 720 when there are none */
};

/* Collects the spans of the offers that the view asks for and that touch [since, until). GT_OK; GT_ENOMEM; GT_ELIMIT; what
 * the store says. */
enum gt_err history_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                         struct arena *arena, struct history *ret_history, struct gt_errinfo *info);

/* As history_read, of the offers named alone: `offer_count` ids in `offers`, ascending. */
enum gt_err history_read_of(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s,
                            int64_t until_unix_s, const struct board_view *view, struct arena *arena, struct history *ret_history,
                            struct gt_errinfo *info);

/* Prices spans that stand in the store's order and groups them by offer: the part of history_read that needs no store. Each
 * span's net price is reckoned as of its last observation, so that a discount that has ended since still counts there; one in which a discount
 * ended or began by its own date becomes two. */
enum gt_err history_compute(struct history_span *spans, size_t count, const struct run_index *runs, const struct board_view *view,
                            struct arena *arena, struct history *ret_history);

/* The number of offers from `from` on that share the first one's class and currency. */
size_t history_class_count(const struct history *history, size_t from);

/* True when the span may enter lows and charts: priced, neither doubted nor voided. */
bool history_span_counts(const struct history_span *span);

/* The price of an offer at HISTORY_SPARK_POINTS moments spread over [since, until): the span that covers each, 0 where none
 * does. */
void history_spark(const struct history_offer *offer, int64_t since_unix_s, int64_t until_unix_s,
                   int64_t ret_values[HISTORY_SPARK_POINTS]);

#endif
