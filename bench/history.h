/* The price history that every store of the bench takes in, and the four questions asked of each; the same on every machine.
 *
 * A site has 333 series (37 of 60 cards, three deliveries, three plans), each with one observation an hour: a price in 1/10,000 dollar,
 * or 0 where the page does not show it. At hour 0 all are shown. At each later hour, independently of each other, a price becomes
 * another one between 0.8 and 1.2 of its base, in whole cents, with probability 0.005, and a series leaves or comes back with 0.001.
 *
 * Programs are told its shape by a word, SITESxHOURS or SITESxHOURS/CALM: in a calm history both happen CALM times less often. */
#ifndef GT_BENCH_HISTORY_H
#define GT_BENCH_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTORY_PER_SITE = 333, HISTORY_PLANS = 9, HISTORY_SKUS = 60, HISTORY_WEEK_HOURS = 168, HISTORY_TOP = 20 };

#define HISTORY_BEGIN_UNIX_S ((int64_t)1767225600) /* 2026-01-01 */
#define HISTORY_WEEK_S ((int64_t)HISTORY_WEEK_HOURS * 3600)

struct history {
    size_t sites, series;
    int64_t hours;
    uint32_t change_p, leave_p; /* of 2^32 */
    int64_t *base, *price;      /* price: also of those that are not shown */
    int64_t *now;               /* what a page shows at this hour */
    bool *is_shown;
};

/* The memory given; ends the program when there is none. */
void *must(void *memory);

/* A history before its first hour, by its shape. Owned by the caller; ends the program when the word is none, or memory is out. */
struct history *history_new(const char *shape);
void history_free(struct history *history);

/* Goes on to `hour`, one more than the time before; 0 leaves it as it is. */
void history_step(struct history *history, int64_t hour);

/* When a site's page of an hour is read: an offset of its own, and up to 30 s of jitter. */
int64_t history_time(size_t site, int64_t hour);

/* When its last week begins: swings are asked of that. */
int64_t history_last_week(const struct history *history);

/* The card of a series, 0 … HISTORY_SKUS - 1. */
int history_sku(size_t series);

/* The numbers drawn for a place of the history, well mixed. */
uint64_t history_mix(uint64_t number);

/* The series whose whole history is asked for. */
size_t history_asked(size_t series);

/* ---- answers: each a count and a sum that all stores must agree on ---- */

struct answer {
    uint64_t count, sum;
};

/* Lower medians by week and card, over every hour's observation of every series. */
struct medians;
struct medians *medians_new(void);
void medians_add(struct medians *medians, int64_t week, int sku, int64_t price, uint64_t weight);
/* Frees them. */
struct answer medians_end(struct medians *medians);

/* The series with the largest (highest - lowest) / lowest, ties by number. Series are added in order. */
struct swings {
    struct swing {
        int64_t low, high;
        size_t series;
    } top[HISTORY_TOP];
    size_t count;
};
void swings_add(struct swings *swings, size_t series, int64_t low, int64_t high);
struct answer swings_end(const struct swings *swings);

/* ---- what a program of the bench prints ---- */

/* Times of commits, one after another. */
struct meter {
    int64_t begin_ns, total_ns, first_ns, last_ns; /* CPU time: whoever else uses the disk or the machine does not count */
    int64_t wall_begin_ns, wall_ns;
    uint64_t commits, commits_all;
};

/* `commits_all`: how many there will be; the first and last tenth are timed by themselves, too. */
struct meter meter_init(uint64_t commits_all);
void meter_begin(struct meter *meter);
void meter_end(struct meter *meter);
void meter_print(const struct meter *meter);

/* Asks a question (1 …) up to five times, as long as that takes under two seconds; prints the medians of CPU and wall time, and the answer. */
typedef struct answer ask_fn(void *ctx);
void question_ask(int number, ask_fn *ask, void *ctx);

#endif
