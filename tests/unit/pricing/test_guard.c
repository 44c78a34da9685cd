/* Guards: unit slips, collapses, limits, bands; and what may pass. Failures a to g are those seen in a public price history:
 * node prices that became card prices overnight, rows that vanished, answers cut at a limit. */
#include "pricing/guard.h"

#include "pricing/guard_band.h"
#include "tests/unit/pricing/build.h"

enum { PART_MAX = 1200 };

struct move_case {
    const char *name;
    const char *sku, *currency;
    int32_t cards;
    const char *hour_before, *hour_now, *month_before, *month_now;
    enum guard_reason reason;
    const char *detail; /* a part of it */
};

static const struct move_case moves[] = {
    {"nothing moved", "NVIDIA-RTX-4090", "CNY", 1, "1.98", "1.98", "0", "0", GUARD_NONE, NULL},
    {"an ordinary rise", "NVIDIA-RTX-4090", "CNY", 1, "1.98", "2.20", "1052", "1100", GUARD_NONE, NULL},
    {"a fall of two thirds is a market's", "NVIDIA-RTX-4090", "CNY", 1, "3.00", "1.05", "0", "0", GUARD_NONE, NULL},
    {"a: eight A100, node became card", "NVIDIA-A100-80G", "USD", 8, "21.96", "2.74", "0", "0", GUARD_UNIT_SLIP,
     "÷8: per-node became per-card"},
    {"a: four A100", "NVIDIA-A100-80G", "USD", 4, "14.69", "3.67", "0", "0", GUARD_UNIT_SLIP, "÷4: per-node became per-card"},
    {"a: the count is not known", "NVIDIA-A100-80G", "USD", 0, "21.96", "2.74", "0", "0", GUARD_UNIT_SLIP, "÷8"},
    {"card became node", "NVIDIA-RTX-4090", "CNY", 8, "0", "0", "990", "7920", GUARD_UNIT_SLIP, "×8: per-card became per-node"},
    {"two cards", "NVIDIA-RTX-4090", "CNY", 2, "4.00", "2.00", "0", "0", GUARD_UNIT_SLIP, "÷2: per-node became per-card"},
    {"six cards", "NVIDIA-H100-SXM", "USD", 6, "12.00", "2.00", "0", "0", GUARD_UNIT_SLIP, "÷6"},
    {"half price is a slip until someone says otherwise", "NVIDIA-RTX-4090", "CNY", 1, "1.98", "0.99", "0", "0", GUARD_UNIT_SLIP,
     "÷2"},
    {"a month read as an hour", "NVIDIA-RTX-4090", "CNY", 1, "1.50", "1080", "0", "0", GUARD_UNIT_SLIP,
     "×720: per-hour became per-month"},
    {"with 730 hours", "NVIDIA-RTX-4090", "CNY", 1, "1.44", "1052", "0", "0", GUARD_UNIT_SLIP, "×730"},
    {"a day read as an hour", "NVIDIA-RTX-4090", "CNY", 1, "2.00", "48", "0", "0", GUARD_UNIT_SLIP,
     "×24: per-hour became per-day"},
    {"an hour read as a second", "NVIDIA-T4", "USD", 1, "0.54", "0.00015", "0", "0", GUARD_UNIT_SLIP, "÷3600"},
    {"万 lost", "NVIDIA-H100-SXM", "CNY", 1, "0", "0", "75000", "7.5", GUARD_UNIT_SLIP, "÷10000"},
    {"cents", "NVIDIA-H100-SXM", "USD", 1, "4.29", "429", "0", "0", GUARD_UNIT_SLIP, "×100"},
    {"厘", "NVIDIA-RTX-4090", "CNY", 1, "2.72", "2720", "0", "0", GUARD_UNIT_SLIP, "×1000"},
    {"a decimal point", "NVIDIA-RTX-4090", "CNY", 1, "1.98", "19.8", "0", "0", GUARD_UNIT_SLIP, "×10: the decimal point"},
    {"dollars became yuan", "NVIDIA-RTX-4090", "CNY", 1, "0.30", "2.13", "0", "0", GUARD_UNIT_SLIP, "×7: dollars became yuan"},
    {"rounded to cents on the way", "NVIDIA-T4", "CNY", 1, "3.92", "0.49", "0", "0", GUARD_UNIT_SLIP, "÷8"},
    {"a large move that is no unit's", "NVIDIA-RTX-4090", "CNY", 1, "1.00", "5.30", "0", "0", GUARD_LARGE_MOVE, "5 times"},
    {"five times exactly passes", "NVIDIA-RTX-4090", "CNY", 1, "1.00", "5.00", "0", "0", GUARD_NONE, NULL},
    {"a large fall", "NVIDIA-RTX-4090", "CNY", 1, "9.00", "1.60", "0", "0", GUARD_LARGE_MOVE, "hour moved"},
    {"an hour's price printed as a month's", "NVIDIA-RTX-4090", "CNY", 1, "1.96", "0", "0", "1.96", GUARD_UNIT_SLIP,
     "per-hour became per-month"},
    {"a new term is no slip", "NVIDIA-RTX-4090", "CNY", 1, "1.96", "1.96", "0", "1100", GUARD_NONE, NULL},
    {"f: an H200 for six cents", "NVIDIA-H200-SXM", "USD", 1, NULL, "0.06", "0", "0", GUARD_BAND, "NVIDIA-H200-SXM costs"},
    {"f: an A100 for seven cents", "NVIDIA-A100-40G", "USD", 1, NULL, "0.0667", "0", "0", GUARD_BAND, NULL},
    {"f: an H100 for the price of eight", "NVIDIA-H100-SXM", "USD", 1, NULL, "98.32", "0", "0", GUARD_BAND, NULL},
    {"a B200 for a cent", "NVIDIA-B200", "USD", 1, NULL, "0.01", "0", "0", GUARD_BAND, NULL},
    {"a 5090 for 55 万 a node and month", "NVIDIA-RTX-5090", "CNY", 8, NULL, "0", "0", "68750", GUARD_BAND, NULL},
    {"a 4090 for 77 cents a month", "NVIDIA-RTX-4090", "USD", 1, NULL, "0", "0", "0.77", GUARD_BAND, NULL},
    {"a newcomer at a market's price", "NVIDIA-RTX-4090", "CNY", 1, NULL, "1.98", "0", "1052", GUARD_NONE, NULL},
    {"a dear hyperscaler", "NVIDIA-H100-SXM", "USD", 1, NULL, "12.29", "0", "0", GUARD_NONE, NULL},
    {"a cheap spot market", "NVIDIA-RTX-4090", "USD", 1, NULL, "0.15", "0", "0", GUARD_NONE, NULL},
    {"no band for rupees", "NVIDIA-H100-SXM", "INR", 1, NULL, "249", "0", "0", GUARD_NONE, NULL},
    {"no band without a card", "", "CNY", 0, NULL, "99999", "0", "0", GUARD_NONE, NULL},
    {"a month above all its hours", "NVIDIA-RTX-4090", "CNY", 1, NULL, "1.00", "0", "900", GUARD_MONTH_ABOVE, "744 hours"},
    {"a month of 31 days is not", "NVIDIA-RTX-4090", "CNY", 1, NULL, "1.00", "0", "744", GUARD_NONE, NULL},
};

static void check_move(void **state)
{
    const struct move_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "row", row->sku, row->cards);
    struct offer_record *record = &built.offer.record;
    record->currency = currency_from(gt_str_from(row->currency));
    record->hour_list_nano = nano(row->hour_now);
    record->month_list_nano = nano(row->month_now);
    struct offer_record before = {.currency = record->currency};
    if (row->hour_before != NULL) {
        before.hour_list_nano = nano(row->hour_before);
        before.month_list_nano = nano(row->month_before);
    }
    struct guard_verdict verdict = guard_offer(&built.offer, row->hour_before != NULL ? &before : NULL, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_int_equal(verdict.is_releasable, row->reason == GUARD_LARGE_MOVE);
    if (row->detail != NULL && gt_str_find(verdict.detail, gt_str_from(row->detail), 0) == SIZE_MAX)
        fail_msg("detail is \"%.*s\"", GT_STR_ARG(verdict.detail));
    arena_free(arena);
}

struct quote_case {
    const char *name;
    const char *spot;
    enum tier tier;
    enum guard_reason reason;
};

static const struct quote_case spots[] = {
    {"spot below on demand", "1.19", TIER_ON_DEMAND, GUARD_NONE},
    {"spot at the price on demand", "1.98", TIER_ON_DEMAND, GUARD_NONE},
    {"spot above on demand", "2.40", TIER_ON_DEMAND, GUARD_SPOT_ABOVE},
    {"spot out of all reason", "50", TIER_ON_DEMAND, GUARD_BAND},
    {"nothing but spot", "2.40", TIER_SPOT, GUARD_NONE},
};

static void check_spot(void **state)
{
    const struct quote_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(&built, "1.98", ROLE_LIST);
    build_hour(&built, row->spot, ROLE_SPOT);
    built.offer.attributes.tier = row->tier;
    struct guard_verdict verdict = guard_offer(&built.offer, NULL, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_false(verdict.is_releasable);
    arena_free(arena);
}

/* Offers without a list price are held to the first exact price that they print. */
struct headline_case {
    const char *name;
    enum role role;
    const char *before, *now;
    enum bound bound;
    enum guard_reason reason;
};

static const struct headline_case headlines[] = {
    {"a spot price, unmoved", ROLE_SPOT, "1.19", "1.19", BOUND_EXACT, GUARD_NONE},
    {"a spot price that moves as spot does", ROLE_SPOT, "1.19", "0.80", BOUND_EXACT, GUARD_NONE},
    {"a spot price times eight", ROLE_SPOT, "1.19", "9.52", BOUND_EXACT, GUARD_UNIT_SLIP},
    {"a reduced price six times as high", ROLE_SALE, "1.19", "6.90", BOUND_EXACT, GUARD_LARGE_MOVE},
    {"a price from is not held to anything", ROLE_SALE, "1.19", "9.52", BOUND_FROM, GUARD_NONE},
};

static void check_headline(void **state)
{
    const struct headline_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built now, before;
    build_offer(&now, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_offer(&before, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(&now, row->now, row->role)->bound = row->bound;
    build_hour(&before, row->before, row->role)->bound = row->bound;
    struct guard_verdict verdict = guard_offer(&now.offer, &before.offer.record, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    arena_free(arena);
}

/* A change of currency under one figure: the sign slipped. */
struct currency_case {
    const char *name;
    const char *before, *now;
    enum guard_reason reason;
};

static const struct currency_case currencies[] = {
    {"the same", "CNY", "CNY", GUARD_NONE},
    {"another", "CNY", "USD", GUARD_UNIT_SLIP},
    {"none before", "", "CNY", GUARD_NONE},
};

static void check_currency(void **state)
{
    const struct currency_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    built.offer.record.currency = currency_from(gt_str_from(row->now));
    built.offer.record.hour_list_nano = nano("1.98");
    struct offer_record before = {.currency = currency_from(gt_str_from(row->before)), .hour_list_nano = nano("1.98")};
    assert_int_equal(guard_offer(&built.offer, &before, arena).reason, row->reason);
    arena_free(arena);
}

struct part_case {
    const char *name;
    size_t count;
    size_t skus;       /* different cards, in turn */
    size_t prices;     /* different prices, in turn */
    size_t duplicates; /* rows that repeat the first one's identity */
    int32_t before[4]; /* rows of recent runs, newest first; 0 ends */
    enum guard_reason reason;
    const char *detail;
};

static const struct part_case parts[] = {
    {"as many as ever", 20, 20, 20, 0, {20, 20, 20}, GUARD_NONE, NULL},
    {"the first run", 20, 20, 20, 0, {0}, GUARD_NONE, NULL},
    {"b: 367 rows became 104",
     104,
     40,
     90,
     0,
     {367, 367, 366},
     GUARD_ROWS_COLLAPSED,
     "104 rows, the median of recent runs is 367"},
    {"b: 28 became one", 1, 1, 1, 0, {28, 28, 28}, GUARD_ROWS_COLLAPSED, NULL},
    {"c: six became two", 2, 2, 2, 0, {6, 6, 6}, GUARD_ROWS_COLLAPSED, NULL},
    {"none at all", 0, 0, 0, 0, {1, 1, 1}, GUARD_ROWS_COLLAPSED, NULL},
    {"seven of ten pass", 7, 7, 7, 0, {10, 10, 10}, GUARD_NONE, NULL},
    {"six of ten do not", 6, 6, 6, 0, {10, 10, 10}, GUARD_ROWS_COLLAPSED, NULL},
    {"one bad run does not lower the bar", 6, 6, 6, 0, {2, 10, 10}, GUARD_ROWS_COLLAPSED, NULL},
    {"a card less on a small page", 2, 2, 2, 0, {3, 3, 3}, GUARD_NONE, NULL},
    {"e: many more rows than before", 549, 60, 300, 0, {113, 113, 113}, GUARD_NONE, NULL},
    {"d: exactly 64", 64, 20, 60, 0, {62, 61, 60}, GUARD_ROWS_PINNED, "exactly 64 rows"},
    {"d: exactly 500 from the first", 500, 60, 300, 0, {0}, GUARD_ROWS_PINNED, NULL},
    {"exactly 1000", 1000, 60, 600, 0, {998, 990}, GUARD_ROWS_PINNED, NULL},
    {"exactly 100 where 101 were seen", 100, 60, 90, 0, {101, 99}, GUARD_NONE, NULL},
    {"99 is no limit", 99, 60, 90, 0, {99}, GUARD_NONE, NULL},
    {"one price under five cards", 5, 5, 1, 0, {5, 5}, GUARD_SAME_PRICE, "5 different cards"},
    {"one price under three cards, and no other", 3, 3, 1, 0, {3}, GUARD_SAME_PRICE, NULL},
    {"one price under two cards", 2, 2, 1, 0, {2}, GUARD_NONE, NULL},
    {"one card at one price in many regions", 30, 1, 1, 0, {30}, GUARD_NONE, NULL},
    {"pairs of cards at one price", 20, 20, 10, 0, {20}, GUARD_NONE, NULL},
    {"two rows that cannot be told apart: not the part's matter", 20, 20, 20, 1, {20}, GUARD_NONE, NULL},
};

static void fill_part(const struct part_case *row, struct offer *offers, struct arena *arena)
{
    for (size_t i = 0; i < row->count; i++) {
        struct offer *offer = &offers[i];
        *offer = (struct offer){.attributes.sku_status = SKU_EXACT, .record.currency = currency_from(GT_STR("CNY"))};
        offer->identity.label = arena_printf(arena, "card %zu", i >= row->count - row->duplicates ? 0 : i);
        snprintf(offer->attributes.sku, SKU_NAME_MAX, "X-%zu", i % row->skus);
        offer->record.hour_list_nano = NANO + (int64_t)(i % row->prices) * (NANO / 100);
    }
}

static void check_part(void **state)
{
    const struct part_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct offer *offers = arena_array(arena, PART_MAX, sizeof *offers);
    size_t before_count = 0;
    assert_non_null(offers);
    while (before_count < 4 && row->before[before_count] != 0) before_count++;
    fill_part(row, offers, arena);
    struct guard_verdict verdict = guard_part(offers, row->count, row->before, before_count, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_false(verdict.is_releasable);
    if (row->detail != NULL && gt_str_find(verdict.detail, gt_str_from(row->detail), 0) == SIZE_MAX)
        fail_msg("detail is \"%.*s\"", GT_STR_ARG(verdict.detail));
    arena_free(arena);
}

struct band_case {
    const char *name;
    const char *sku, *currency;
    const char *low, *high; /* NULL: no opinion */
};

static const struct band_case bands[] = {
    {"a card", "NVIDIA-RTX-4090", "CNY", "0.3", "30"},
    {"another card whose name begins alike", "NVIDIA-RTX-4090D", "CNY", "0.3", "30"},
    {"a node of the tree covers what lies below", "NVIDIA-A100-SXM4-80G", "CNY", "1", "60"},
    {"the family itself", "NVIDIA-A100", "CNY", "1", "60"},
    {"a longer name wins", "NVIDIA-L40S", "CNY", "0.8", "50"},
    {"dollars", "NVIDIA-H100-SXM", "USD", "0.428571428", "28.571428571"},
    {"a card without a row", "NVIDIA-K80", "CNY", "0.03", "400"},
    {"no card", "", "CNY", NULL, NULL},
    {"another currency", "NVIDIA-RTX-4090", "JPY", NULL, NULL},
};

static void check_band(void **state)
{
    const struct band_case *row = *state;
    struct guard_band band;
    bool is_found = guard_band_find(gt_str_from(row->sku), currency_from(gt_str_from(row->currency)), &band);
    assert_int_equal(is_found, row->low != NULL);
    if (!is_found) return;
    assert_money(band.low_hour_nano, row->low);
    assert_money(band.high_hour_nano, row->high);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(moves, check_move) + TABLE_RUN(spots, check_spot) + TABLE_RUN(headlines, check_headline) +
           TABLE_RUN(currencies, check_currency) + TABLE_RUN(parts, check_part) + TABLE_RUN(bands, check_band);
}
