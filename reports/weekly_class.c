/* One line for each comparison class: low, sellers, median, change on matched offers. */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/weekly.h"

/* ---- the week of one offer ---- */

void weekly_offer_mean(const struct history_offer *offer, int64_t since_unix_s, int64_t until_unix_s, int64_t *ret_mean_nano,
                       int64_t *ret_low_nano)
{
    int64_t total_s = 0, mean = 0, low = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < offer->count; i++) {
            const struct history_span *span = &offer->spans[i];
            /* A price holds until the next one is seen: to the first run of the next span when that run follows directly. */
            bool is_joined = i + 1 < offer->count && offer->spans[i + 1].first_seq == span->last_seq + 1;
            int64_t from = span->first_unix_s > since_unix_s ? span->first_unix_s : since_unix_s;
            int64_t to = is_joined ? offer->spans[i + 1].first_unix_s : span->last_unix_s + 1;
            if (to > until_unix_s) to = until_unix_s;
            if (!history_span_counts(span) || from >= to) continue;
            int64_t share = 0;
            if (pass == 0) total_s += to - from;
            else if (money_scale(span->price_nano, to - from, total_s, ROUND_HALF_UP, &share) == GT_OK) mean += share;
            if (low == 0 || span->price_nano < low) low = span->price_nano;
        }
        if (total_s == 0) break;
    }
    /* To the cent: shares are rounded one by one. */
    if (money_round(mean, NANO / 100, ROUND_HALF_UP, &mean) != GT_OK) mean = 0;
    *ret_mean_nano = mean;
    *ret_low_nano = low;
}

static void week_of_low(struct weekly_class *class, const struct weekly *weekly)
{
    for (size_t i = 0; i < weekly->history.offer_count && class->low != NULL; i++) {
        const struct history_offer *offer = &weekly->history.offers[i];
        if (offer->spans[0].row.offer_id != class->low->row->offer_id) continue;
        weekly_offer_mean(offer, weekly->period.since_unix_s, weekly->at_unix_s + 1, &class->week_mean_nano, &class->week_low_nano);
        return;
    }
}

/* ---- sellers and median ---- */

static int price_order(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Counts sellers, each by its cheapest offer, and takes the median of those. Entries come cheapest first, so a seller's first is its cheapest. */
static enum gt_err sum_sellers(struct weekly_class *class, struct arena *arena)
{
    int64_t *prices = arena_array(arena, class->count, sizeof *prices);
    size_t count = 0;
    if (prices == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < class->count && class->entries[i].marks == 0; i++) {
        size_t k = 0;
        while (k < i && !gt_str_eq(class->entries[k].row->site, class->entries[i].row->site)) k++;
        class->offers++;
        if (k == i) prices[count++] = class->entries[i].price_nano;
    }
    class->sellers = (int32_t)count;
    if (count < WEEKLY_SELLERS_FOR_MEDIAN) return GT_OK;
    qsort(prices, count, sizeof *prices, price_order);
    int64_t low = prices[(count - 1) / 2], high = prices[count / 2];
    class->median_nano = low + (high - low) / 2;
    return GT_OK;
}

/* ---- change ---- */

/* The class of the week before, or an empty one. Both boards are ordered alike. */
static size_t class_before(const struct weekly *weekly, const struct board_entry *first, size_t *ret_from)
{
    const struct board *before = &weekly->board_before;
    for (size_t i = 0, count; i < before->count; i += count) {
        count = board_class_count(before, i);
        if (!board_is_comparable(&before->entries[i], first)) continue;
        *ret_from = i;
        return count;
    }
    return 0;
}

/* The lows over the offers that stood usable in both weeks, so that a platform that joins or leaves moves nothing. */
static void sum_change(struct weekly_class *class, const struct weekly *weekly)
{
    size_t from = 0, count = class_before(weekly, class->entries, &from);
    int64_t now = 0, before = 0;
    bool was_known = false;
    for (size_t i = from; i < from + count; i++) {
        const struct board_entry *old = &weekly->board_before.entries[i];
        for (size_t k = 0; k < class->count; k++) {
            const struct board_entry *new = &class->entries[k];
            if (new->row->offer_id != old->row->offer_id || new->marks != 0) continue;
            was_known = true;
            if (old->marks != 0) continue;
            if (now == 0 || new->price_nano < now) now = new->price_nano;
            if (before == 0 || old->price_nano < before) before = old->price_nano;
        }
    }
    class->low_before_nano = before;
    if (weekly->is_first) class->state = MOVE_FIRST_WEEK;
    else if (figure_percent(before, now, &class->percent_nano)) class->state = MOVE_KNOWN;
    else class->state = was_known ? MOVE_SHORT : MOVE_NEW;
}

enum gt_err weekly_classes_compute(struct weekly *weekly, struct arena *arena)
{
    const struct board *board = &weekly->board;
    weekly->classes = arena_array(arena, board->count, sizeof *weekly->classes);
    weekly->class_count = 0;
    if (weekly->classes == NULL) return GT_ENOMEM;
    for (size_t i = 0, count; i < board->count; i += count) {
        count = board_class_count(board, i);
        struct weekly_class *class = &weekly->classes[weekly->class_count++];
        *class = (struct weekly_class){.entries = &board->entries[i], .count = count};
        if (board->entries[i].is_cheapest) class->low = &board->entries[i];
        if (sum_sellers(class, arena) != GT_OK) return GT_ENOMEM;
        sum_change(class, weekly);
        week_of_low(class, weekly);
    }
    return GT_OK;
}
