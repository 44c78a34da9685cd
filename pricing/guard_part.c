/* Guards over a whole part: how many rows, how many prices. */
#include <stdlib.h>

#include "pricing/guard.h"
#include "pricing/net_price_chain.h"

enum {
    COLLAPSE_PERCENT = 70,
    PERCENT = 100,
    HISTORY_MAX = 32,      /* recent good runs that count */
    SAME_SKUS_MIN = 4,     /* different cards at one price … */
    SAME_SKUS_ALL_MIN = 3, /* … or fewer, when the page has no other price */
    SAME_ROWS_SHARE = 2,   /* … and one row in two at least */
    SKUS_SEEN_MAX = 64,
};

/* For qsort, by copies: its pointers are not typed. */
static int compare_counts(const void *a, const void *b)
{
    int32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* The median of the newest counts, the lower of two middle ones; 0 without any. */
static int32_t median_of(const int32_t *counts, size_t count)
{
    int32_t sorted[HISTORY_MAX];
    if (count > HISTORY_MAX) count = HISTORY_MAX;
    if (count == 0) return 0;
    memcpy(sorted, counts, count * sizeof *counts);
    qsort(sorted, count, sizeof *sorted, compare_counts);
    /* The lower one: a page that has just grown is not held to its new size at once. */
    return sorted[(count - 1) / 2];
}

/* Nothing to say. */
static struct guard_verdict none(void)
{
    return (struct guard_verdict){GUARD_NONE, false, {NULL, 0}};
}

/* Fewer than seven of ten rows that were there before. One row alone may always leave: small pages lose a card now and then. */
static struct guard_verdict check_collapse(size_t count, const int32_t *before, size_t before_count, struct arena *arena)
{
    int32_t median = median_of(before, before_count);
    bool is_few = (int64_t)count * PERCENT < (int64_t)median * COLLAPSE_PERCENT;
    if (!is_few || (count > 0 && (int64_t)count + 1 >= median)) return none();
    struct gt_str detail = arena_printf(arena, "%zu rows, the median of recent runs is %d", count, (int)median);
    return (struct guard_verdict){GUARD_ROWS_COLLAPSED, false, detail};
}

/* Sizes of pages and answers that programmers choose. */
static bool is_round_limit(size_t count)
{
    static const size_t limits[] = {64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10000, 20000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (count == limits[i]) return true;
    return false;
}

/* A count that is exactly a request's limit was cut there, unless recent runs went beyond it. */
static struct guard_verdict check_pinned(size_t count, const int32_t *before, size_t before_count, struct arena *arena)
{
    if (!is_round_limit(count)) return none();
    for (size_t i = 0; i < before_count && i < HISTORY_MAX; i++)
        if (before[i] > (int64_t)count) return none();
    struct gt_str detail = arena_printf(arena, "exactly %zu rows: the answer was cut at a limit", count);
    return (struct guard_verdict){GUARD_ROWS_PINNED, false, detail};
}

/* What the rows are compared by: the hour where there is one. */
static int64_t price_of(const struct offer *offer)
{
    const struct offer_record *record = &offer->record;
    return record->hour_list_nano > 0 ? record->hour_list_nano : record->month_list_nano;
}

/* How many different cards are sold at exactly this price. */
static size_t skus_at(const struct offer *offers, size_t count, int64_t price_nano)
{
    const char *seen[SKUS_SEEN_MAX];
    size_t skus = 0;
    for (size_t i = 0; i < count; i++) {
        const char *sku = offers[i].attributes.sku;
        if (price_of(&offers[i]) != price_nano) continue;
        bool is_new = sku[0] != '\0' && skus < SKUS_SEEN_MAX;
        for (size_t s = 0; s < skus && is_new; s++) is_new = strcmp(seen[s], sku) != 0;
        if (is_new) seen[skus++] = sku;
    }
    return skus;
}

/* A tab that was not clicked, a column read twice: many cards, one price. A price that fills half of the rows is met by
 * looking at a few rows spread over the page; how many rows have those prices is counted in one pass, since pages are long. */
static struct guard_verdict check_same(const struct offer *offers, size_t count, struct arena *arena)
{
    enum { LEADING_MAX = 16 };
    int64_t leading[LEADING_MAX];
    size_t leads = count < LEADING_MAX ? count : LEADING_MAX, rows[LEADING_MAX] = {0}, priced = 0;
    char text[MONEY_TEXT_MAX];
    for (size_t i = 0; i < leads; i++) leading[i] = price_of(&offers[i * count / leads]);
    for (size_t i = 0; i < count; i++) {
        int64_t price_nano = price_of(&offers[i]);
        priced += price_nano > 0;
        for (size_t j = 0; j < leads; j++) rows[j] += leading[j] == price_nano;
    }
    for (size_t i = 0; i < leads; i++) {
        if (leading[i] <= 0 || rows[i] * SAME_ROWS_SHARE < priced) continue;
        size_t skus = skus_at(offers, count, leading[i]);
        if (skus < SAME_SKUS_MIN && !(skus >= SAME_SKUS_ALL_MIN && rows[i] == priced)) continue;
        struct gt_str detail = arena_printf(arena, "%zu different cards all cost %s (%zu of %zu rows)", skus,
                                            money_format(leading[i], text), rows[i], priced);
        return (struct guard_verdict){GUARD_SAME_PRICE, false, detail};
    }
    return none();
}

struct guard_verdict guard_part(const struct offer *offers, size_t count, const int32_t *rows_before, size_t before_count,
                                struct arena *arena)
{
    struct guard_verdict verdict = check_collapse(count, rows_before, before_count, arena);
    if (verdict.reason == GUARD_NONE) verdict = check_pinned(count, rows_before, before_count, arena);
    if (verdict.reason == GUARD_NONE) verdict = check_same(offers, count, arena);
    return verdict;
}
