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
            int64_t from = span->first_unix_s > since_unix_s ? span->first_unix_s : since_unix_s;
            /* A price holds until the next one is seen. */
            int64_t to = span->is_joined ? offer->spans[i + 1].first_unix_s : span->last_unix_s + 1;
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

static int offer_id_order(const void *left, const void *right)
{
    uint64_t a = (*(const struct history_offer *const *)left)->spans[0].row.offer_id;
    uint64_t b = (*(const struct history_offer *const *)right)->spans[0].row.offer_id;
    return (a > b) - (a < b);
}

/* The offers of the history by offer id. NULL when memory is out. */
static const struct history_offer **history_by_id(const struct history *history, struct arena *arena)
{
    const struct history_offer **offers = arena_array(arena, history->offer_count, sizeof(const struct history_offer *));
    for (size_t i = 0; i < history->offer_count && offers != NULL; i++) offers[i] = &history->offers[i];
    if (offers != NULL && history->offer_count > 0) qsort(offers, history->offer_count, sizeof(const struct history_offer *), offer_id_order);
    return offers;
}

/* Fills the mean and the low of the class's cheapest offer over the period. */
static void week_of_low(struct weekly_class *class, const struct weekly *weekly, const struct history_offer **by_id)
{
    size_t low = 0, high = weekly->history.offer_count;
    uint64_t id = class->low->row->offer_id;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_id[middle]->spans[0].row.offer_id < id) low = middle + 1;
        else high = middle;
    }
    if (low < weekly->history.offer_count && by_id[low]->spans[0].row.offer_id == id)
        weekly_offer_mean(by_id[low], weekly->period.since_unix_s, weekly->at_unix_s + 1, &class->week_mean_nano,
                          &class->week_low_nano);
}

/* ---- sellers and median ---- */

/* What one seller asks at least. */
struct seller_price {
    struct gt_str site;
    int64_t price_nano;
};

static int seller_order(const void *left, const void *right)
{
    const struct seller_price *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    return order != 0 ? order : (a->price_nano > b->price_nano) - (a->price_nano < b->price_nano);
}

/* Ascending. */
static int price_order(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Counts sellers, each by its cheapest offer, and takes the median of those. */
static enum gt_err sum_sellers(struct weekly_class *class, struct arena *arena)
{
    struct seller_price *sellers = arena_array(arena, class->count, sizeof *sellers);
    int64_t *prices = arena_array(arena, class->count, sizeof *prices);
    size_t offers = 0, count = 0;
    if (sellers == NULL || prices == NULL) return GT_ENOMEM;
    for (; offers < class->count && class->entries[offers].marks == 0; offers++)
        sellers[offers] = (struct seller_price){class->entries[offers].row->site, class->entries[offers].price_nano};
    if (offers > 0) qsort(sellers, offers, sizeof *sellers, seller_order);
    for (size_t i = 0; i < offers; i++)
        if (i == 0 || !gt_str_eq(sellers[i].site, sellers[i - 1].site)) prices[count++] = sellers[i].price_nano;
    class->offers = (int32_t)offers;
    class->sellers = (int32_t)count;
    if (count < WEEKLY_SELLERS_FOR_MEDIAN) return GT_OK;
    qsort(prices, count, sizeof *prices, price_order);
    int64_t low = prices[(count - 1) / 2], high = prices[count / 2];
    class->median_nano = low + (high - low) / 2;
    return GT_OK;
}

/* ---- change ---- */

/* The first pair whose later entry is not before `entry`: pairs are ordered as the board is. */
static size_t pair_from(const struct weekly *weekly, const struct board_entry *entry)
{
    size_t low = 0, high = weekly->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (weekly->pairs[middle].now < entry) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The lows over the offers that stood usable in both weeks, so that a platform that joins or leaves moves nothing. */
static void sum_change(struct weekly_class *class, const struct weekly *weekly)
{
    int64_t now = 0, before = 0;
    bool was_known = false;
    for (size_t i = pair_from(weekly, class->entries); i < weekly->pair_count; i++) {
        const struct weekly_pair *pair = &weekly->pairs[i];
        if (pair->now >= class->entries + class->count) break;
        if (pair->now->marks != 0) continue;
        was_known = true;
        if (pair->before->marks != 0) continue;
        class->is_low_matched |= pair->now == class->low;
        if (now == 0 || pair->now->price_nano < now) now = pair->now->price_nano;
        if (before == 0 || pair->before->price_nano < before) before = pair->before->price_nano;
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
    }
    return GT_OK;
}

enum gt_err weekly_means_compute(struct weekly *weekly, struct arena *arena)
{
    const struct history_offer **by_id = history_by_id(&weekly->history, arena);
    if (by_id == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < weekly->class_count; i++)
        if (weekly->classes[i].low != NULL) week_of_low(&weekly->classes[i], weekly, by_id);
    return GT_OK;
}
