/* The index on cases reckoned by hand: what may move it, and what may not. */
#include <math.h>

#include "reports/price_index.h"
#include "tests/unit/table.h"

enum { WEEKS = 4, OFFERS = 64, SHARES_SHOWN = 3 };

#define CLASS_A "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole"
#define CLASS_B "NVIDIA-RTX-4090/24G/bare-metal/on-demand/month/node/domestic/whole"
#define CLASS_C "NVIDIA-A100-80G/80G/container/on-demand/month/one/domestic/whole"

/* One offer: its price at each week's end; 0 not usable then. */
struct offer_line {
    uint64_t id;
    const char *site, *class, *currency;
    int64_t price[WEEKS];
    const char *later_currency; /* from week 2 on; NULL: the same */
    int copies;                 /* rows of other regions with the same prices; 0: one */
};

struct row {
    const char *name;
    struct offer_line offers[6];
    const char *key; /* whose values are wanted */
    double value[WEEKS]; /* 0: none */
    int32_t matched[WEEKS];
    enum index_low low[WEEKS];
};

#define OFFER(id, site, class, currency, ...) {id, site, class, currency, {__VA_ARGS__}, NULL, 0}
#define NONE INDEX_LOW_NONE
#define FIRST INDEX_LOW_FIRST
#define SAME INDEX_LOW_SAME
#define MOVED INDEX_LOW_MOVED
#define JOINED INDEX_LOW_JOINED
#define LEFT INDEX_LOW_LEFT

static const struct row rows[] = {
    {"nothing moves", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000, 1000, 1000)}, CLASS_A, {100, 100, 100, 100}, {0, 1, 1, 1}, {FIRST, SAME, SAME, SAME}},
    {"one offer up a tenth, then back", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1100, 1000, 1000)}, CLASS_A, {100, 110, 100, 100}, {0, 1, 1, 1},
     {FIRST, MOVED, MOVED, SAME}},
    {"one of two platforms falls by 19 %: the square root of 0.81",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 810, 810, 810), OFFER(2, "b", CLASS_A, "CNY", 2000, 2000, 2000, 2000)},
     CLASS_A, {100, 90, 90, 90}, {0, 2, 2, 2}, {FIRST, MOVED, SAME, SAME}},
    {"a platform of sixty regions counts once",
     {{1, "a", CLASS_A, "CNY", {1000, 810, 810, 810}, NULL, 60}, OFFER(900, "b", CLASS_A, "CNY", 2000, 2000, 2000, 2000)},
     CLASS_A, {100, 90, 90, 90}, {0, 61, 61, 61}, {FIRST, MOVED, SAME, SAME}},
    {"inside a platform the mean is geometric: 0.5 and 2 cancel out",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 500, 500, 500), OFFER(2, "a", CLASS_A, "CNY", 1000, 2000, 2000, 2000)},
     CLASS_A, {100, 100, 100, 100}, {0, 2, 2, 2}, {FIRST, MOVED, SAME, SAME}},
    {"a newcomer at 30 % less moves nothing, then counts",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000, 1000, 1000), OFFER(2, "b", CLASS_A, "CNY", 0, 700, 700, 567)},
     CLASS_A, {100, 100, 100, 90}, {0, 1, 2, 2}, {FIRST, JOINED, SAME, MOVED}},
    {"the cheapest leaves: the low rises, the index does not",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000, 1000, 1000), OFFER(2, "b", CLASS_A, "CNY", 700, 700, 0, 0)},
     CLASS_A, {100, 100, 100, 100}, {0, 2, 1, 1}, {FIRST, SAME, LEFT, SAME}},
    {"a platform returns with another price: nothing is compared across its absence",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000, 1000, 1000), OFFER(2, "b", CLASS_A, "CNY", 900, 0, 450, 450)},
     CLASS_A, {100, 100, 100, 100}, {0, 1, 1, 2}, {FIRST, LEFT, JOINED, SAME}},
    {"everybody is replaced: the chain breaks, and a new one begins at 100",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 1100, 0, 0), OFFER(2, "b", CLASS_A, "CNY", 0, 0, 500, 550)},
     CLASS_A, {0, 0, 100, 110}, {0, 1, 0, 1}, {FIRST, MOVED, JOINED, MOVED}},
    {"a week without data breaks it too", {OFFER(1, "a", CLASS_A, "CNY", 1000, 0, 1000, 1100)}, CLASS_A, {0, 0, 100, 110}, {0, 0, 0, 1},
     {FIRST, NONE, FIRST, MOVED}},
    {"another currency is another thing: no move, however the figures differ",
     {{1, "a", CLASS_A, "CNY", {1000, 1000, 140, 140}, "USD", 0}, OFFER(2, "b", CLASS_A, "CNY", 2000, 2000, 2200, 2200)},
     CLASS_A, {100, 100, 110, 110}, {0, 2, 1, 2}, {FIRST, SAME, NONE, NONE}},
    {"offers of two currencies each move in their own", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1210, 1210, 1210), OFFER(2, "b", CLASS_A, "USD", 1, 1, 1, 1)},
     CLASS_A, {100, 110, 110, 110}, {0, 2, 2, 2}, {NONE, NONE, NONE, NONE}},
    {"a card over two classes: each offer against itself, platforms equal",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 810, 810, 810), OFFER(2, "b", CLASS_B, "CNY", 900, 900, 900, 900)},
     "NVIDIA-RTX-4090/24G", {100, 90, 90, 90}, {0, 2, 2, 2}, {NONE, NONE, NONE, NONE}},
    {"the same platform in two classes is one platform of the card",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 810, 810, 810), OFFER(2, "a", CLASS_B, "CNY", 900, 900, 900, 900),
      OFFER(3, "b", CLASS_B, "CNY", 900, 900, 900, 900)},
     "NVIDIA-RTX-4090/24G", {100, 94.87, 94.87, 94.87}, {0, 3, 3, 3}, {NONE, NONE, NONE, NONE}},
    {"another card's move is not this one's",
     {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000, 1000, 1000), OFFER(2, "a", CLASS_C, "CNY", 5000, 1000, 1000, 1000)},
     "NVIDIA-RTX-4090/24G", {100, 100, 100, 100}, {0, 1, 1, 1}, {NONE, NONE, NONE, NONE}},
    {"links are multiplied: 1.1 × 0.9 × 1.2", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1100, 990, 1188)}, CLASS_A, {100, 110, 99, 118.8}, {0, 1, 1, 1},
     {FIRST, MOVED, MOVED, MOVED}},
};

/* The usable offers of a week, as the reader hands them over. */
static size_t quotes_of(const struct offer_line *offers, size_t count, size_t week, struct index_quote *quotes)
{
    size_t total = 0;
    for (size_t i = 0; i < count && offers[i].id != 0; i++) {
        const struct offer_line *line = &offers[i];
        const char *currency = week >= 2 && line->later_currency != NULL ? line->later_currency : line->currency;
        for (int copy = 0; line->price[week] != 0 && copy < (line->copies > 0 ? line->copies : 1); copy++) {
            struct gt_str class = gt_str_from(line->class);
            quotes[total++] = (struct index_quote){.offer_id = line->id + (uint64_t)copy,
                                                   .class = class,
                                                   .sku = gt_str_slice(class, 0, gt_str_find(class, GT_STR("/"), 0)),
                                                   .site = gt_str_from(line->site),
                                                   .currency = currency_from(gt_str_from(currency)),
                                                   .price_nano = line->price[week] * NANO};
        }
    }
    return total;
}

static void play(const struct offer_line *offers, size_t count, size_t base, struct arena *arena, struct price_index *index)
{
    assert_int_equal(price_index_init(index, arena, WEEKS), GT_OK);
    for (size_t week = 0; week < WEEKS; week++) {
        struct index_quote quotes[OFFERS];
        assert_int_equal(price_index_add(index, quotes, quotes_of(offers, count, week, quotes)), GT_OK);
    }
    price_index_finish(index, base);
}

static const struct index_series *series_of(const struct price_index *index, const char *key)
{
    for (size_t i = 0; i < index->series_count; i++)
        if (gt_str_is(index->series[i].key, key)) return &index->series[i];
    fail_msg("no series %s", key);
    return NULL;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(64 << 20);
    struct price_index index;
    play(row->offers, sizeof row->offers / sizeof row->offers[0], SIZE_MAX, arena, &index);
    const struct index_series *series = series_of(&index, row->key);
    for (size_t week = 0; week < WEEKS; week++) {
        const struct index_point *point = &series->points[week];
        assert_int_equal(point->has_value, row->value[week] != 0);
        assert_int_equal(point->has_value ? point->value_nano : 0, llround(row->value[week] * 1000) * (NANO / 1000));
        assert_int_equal(point->matched, row->matched[week]);
        assert_int_equal(point->low_reason, row->low[week]);
    }
    price_index_done(&index);
    arena_free(arena);
}

/* ---- the base ---- */

struct base_row {
    const char *name;
    size_t base;
    double value[WEEKS];
};

static const struct base_row bases[] = {
    {"the first week", 0, {100, 110, 99, 118.8}},
    {"the second week", 1, {90.91, 100, 90, 108}},
    {"the last week", 3, {84.18, 92.59, 83.33, 100}},
};

static void check_base(void **state)
{
    const struct base_row *row = *state;
    static const struct offer_line offers[] = {OFFER(1, "a", CLASS_A, "CNY", 1000, 1100, 990, 1188)};
    struct arena *arena = arena_new(64 << 20);
    struct price_index index;
    play(offers, 1, row->base, arena, &index);
    for (size_t week = 0; week < WEEKS; week++)
        assert_int_equal(series_of(&index, CLASS_A)->points[week].value_nano, llround(row->value[week] * 1000) * (NANO / 1000));
    price_index_done(&index);
    arena_free(arena);
}

/* ---- who did it ---- */

struct share_row {
    const char *name;
    struct offer_line offers[SHARES_SHOWN];
    double link;                 /* of week 1, percent */
    double percent[SHARES_SHOWN]; /* of each platform's own, by name */
    double share[SHARES_SHOWN];   /* of the link; these add up to it */
};

static const struct share_row share_rows[] = {
    {"one of two", {OFFER(1, "a", CLASS_A, "CNY", 1000, 810), OFFER(2, "b", CLASS_A, "CNY", 1000, 1000)}, -10, {-19, 0}, {-10, 0}},
    {"both alike", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1100), OFFER(2, "b", CLASS_A, "CNY", 500, 550)}, 10, {10, 10}, {5, 5}},
    {"against each other", {OFFER(1, "a", CLASS_A, "CNY", 1000, 2000), OFFER(2, "b", CLASS_A, "CNY", 1000, 720)}, 20, {100, -28}, {38.02, -18.02}},
    {"one cancels the other", {OFFER(1, "a", CLASS_A, "CNY", 1000, 2000), OFFER(2, "b", CLASS_A, "CNY", 1000, 500)}, 0, {100, -50}, {34.66, -34.66}},
    {"nobody", {OFFER(1, "a", CLASS_A, "CNY", 1000, 1000), OFFER(2, "b", CLASS_A, "CNY", 1000, 1000)}, 0, {0, 0}, {0, 0}},
};

static void check_share(void **state)
{
    const struct share_row *row = *state;
    struct arena *arena = arena_new(64 << 20);
    struct price_index index;
    size_t seen = 0;
    play(row->offers, SHARES_SHOWN, SIZE_MAX, arena, &index);
    assert_int_equal(series_of(&index, CLASS_A)->points[1].link_percent_nano, llround(row->link * 1000) * (NANO / 1000));
    for (size_t i = 0; i < index.share_count; i++) {
        if (index.shares[i].week != 1 || index.shares[i].is_card) continue;
        assert_int_equal(index.shares[i].percent_nano, llround(row->percent[seen] * 1000) * (NANO / 1000));
        assert_int_equal(index.shares[i].share_nano, llround(row->share[seen] * 1000) * (NANO / 1000));
        seen++;
    }
    assert_int_equal(seen, 2);
    price_index_done(&index);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_row) + TABLE_RUN(bases, check_base) + TABLE_RUN(share_rows, check_share);
}
