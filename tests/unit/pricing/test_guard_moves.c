/* Guards that look at more than one price: all of a part moving together, an open doubt, the neighbour on the page, a change of
 * currency, terms that cost more than none. */
#include "pricing/guard.h"

#include "tests/unit/pricing/build.h"

enum { PAIRS_MAX = 16 };

/* ---- moves of a whole part ---- */

struct moves_case {
    const char *name;
    const char *currency;
    const char *prices; /* "before>now …" by the hour; "m" before it: by the month */
    const char *detail; /* a part of the sentence; NULL: passes */
};

static const struct moves_case moves[] = {
    {"nothing moved", "CNY", "1.98>1.98 2.50>2.50 8.00>8.00 12.00>12.00", NULL},
    {"a market: each price its own way", "CNY", "1.98>1.88 2.50>2.59 8.00>7.20 12.00>12.90", NULL},
    {"a sale: a tenth off everything", "CNY", "1.98>1.78 2.50>2.25 8.00>7.20 12.00>10.80", NULL},
    {"a rise of 15 % on everything", "CNY", "1.98>2.28 2.50>2.88 8.00>9.20 12.00>13.80", NULL},
    {"8.5 折 on everything, rounded to whole yuan a month", "CNY", "m1074>913 m1250>1063 m4999>4249 m990>842", NULL},
    {"dollars read as yuan", "CNY", "14.22>1.98 17.94>2.50 57.40>8.00 86.16>12.00", "4 of 4 prices moved by one factor: ÷7, yuan became dollars"},
    {"yuan read as dollars, one price in three left alone", "USD", "0.30>2.15 0.42>3.01 2.50>17.93 1.10>1.10 0.99>7.10",
     "4 of 5 prices"},
    {"hour read as day", "USD", "0.34>8.16 0.69>16.56 2.50>60.00", "×24"},
    {"small prices hide a factor that the others show", "USD", "0.08>0.01 3.92>0.49 8.00>1.00 16.00>2.00", "÷8"},
    {"yen under the same sign", "CNY", "1.98>41.24 2.50>52.07 8.00>166.61 12.00>249.92", "CNY/JPY"},
    {"euros under a dollar's price", "USD", "2.4931>2.3014 3.1117>2.8724 1.8803>1.7357 9.9171>9.1545", "EUR/USD"},
    {"Canadian dollars under the same sign", "USD", "2.49>3.42 3.11>4.27 1.88>2.58 19.91>27.36", "USD/CAD"},
    {"the same factor, but a whole percent may be it", "USD", "0.34>0.37 0.69>0.75 0.52>0.56 0.80>0.86", NULL},
    {"too few to say", "CNY", "1.98>41.24 2.50>52.07", NULL},
    {"half of the prices moved together", "CNY", "1.98>41.24 2.50>52.07 8.00>166.61 3.00>3.00 4.00>4.00 5.00>5.00", NULL},
    {"two thirds did", "CNY", "1.98>41.24 2.50>52.07 8.00>166.61 12.00>249.92 3.00>3.00 4.00>4.00", "4 of 6 prices"},
    {"a slip of eight while each price moves a little by itself", "CNY", "16.00>2.02 24.00>2.97 32.00>4.04 8.00>0.99 12.00>1.35", "4 of 5 prices"},
    {"half of them by about eight", "CNY", "16.00>2.02 24.00>2.97 32.00>4.04 8.00>7.90 12.00>12.10 9.00>9.10", NULL},
    {"a drift of a rate, as converted pages have it", "CNY", "19.8123>19.8718 25.0234>25.0985 80.1077>80.3480", NULL},
    {"no prices at all", "CNY", "0>0 0>0 0>0", NULL},
    {"prices that came and went", "CNY", "0>1.98 2.50>0 0>8.00", NULL},
};

static int64_t amount(struct gt_str text)
{
    char copy[32];
    snprintf(copy, sizeof copy, "%.*s", GT_STR_ARG(text));
    return nano(copy);
}

static void check_moves(void **state)
{
    const struct moves_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct offer offers[PAIRS_MAX] = {0};
    struct offer_record before[PAIRS_MAX] = {0};
    struct guard_pair pairs[PAIRS_MAX];
    struct gt_str rest = gt_str_from(row->prices), pair, was;
    size_t count = 0;
    while (gt_str_split(&rest, ' ', &pair)) {
        bool is_month = pair.ptr[0] == 'm';
        if (is_month) pair = gt_str_slice(pair, 1, SIZE_MAX);
        assert_true(gt_str_split(&pair, '>', &was) && count < PAIRS_MAX);
        struct offer_record *now = &offers[count].record;
        now->currency = before[count].currency = currency_from(gt_str_from(row->currency));
        *(is_month ? &now->month_list_nano : &now->hour_list_nano) = amount(pair);
        *(is_month ? &before[count].month_list_nano : &before[count].hour_list_nano) = amount(was);
        pairs[count] = (struct guard_pair){&offers[count], &before[count]};
        count++;
    }
    struct guard_verdict verdict = guard_moves(pairs, count, 0, arena);
    assert_string_equal(guard_reason_code(verdict.reason), row->detail != NULL ? "unit-slip" : "none");
    assert_false(verdict.is_releasable);
    if (row->detail != NULL && gt_str_find(verdict.detail, gt_str_from(row->detail), 0) == SIZE_MAX)
        fail_msg("detail is \"%.*s\"", GT_STR_ARG(verdict.detail));
    arena_free(arena);
}

/* ---- beside an open doubt ---- */

struct beside_case {
    const char *name;
    const char *good, *doubted, *now; /* by the hour */
    enum guard_reason doubt;
    enum guard_reason reason; /* of the verdict on `now` */
    bool is_releasable;
};

static const struct beside_case besides[] = {
    {"the slip moves on a little", "8.00", "1.00", "1.04", GUARD_UNIT_SLIP, GUARD_UNIT_SLIP, false},
    {"the slip moves to where no unit lies", "8.00", "1.00", "1.30", GUARD_UNIT_SLIP, GUARD_UNIT_SLIP, false},
    {"the slip moves to within five times of the good price", "8.00", "1.00", "1.70", GUARD_UNIT_SLIP, GUARD_UNIT_SLIP, false},
    {"back near the good price", "8.00", "1.00", "7.60", GUARD_UNIT_SLIP, GUARD_NONE, false},
    {"half-way, nearer the good one", "8.00", "1.00", "3.10", GUARD_UNIT_SLIP, GUARD_NONE, false},
    {"a slip to the other side", "1.00", "8.00", "7.40", GUARD_UNIT_SLIP, GUARD_UNIT_SLIP, false},
    {"a plain large move may go on", "1.00", "5.30", "5.60", GUARD_LARGE_MOVE, GUARD_LARGE_MOVE, true},
    {"an absurd price that becomes less absurd", "8.00", "0.90", "1.90", GUARD_BAND, GUARD_BAND, false},
    {"an absurd price that was a slip of the moment", "8.00", "0.10", "7.00", GUARD_BAND, GUARD_NONE, false},
    {"a doubted column is its own affair", "8.00", "2.00", "2.10", GUARD_SPOT_ABOVE, GUARD_NONE, false},
    {"another slip stays one", "8.00", "1.00", "0.80", GUARD_UNIT_SLIP, GUARD_UNIT_SLIP, false},
};

static void check_beside(void **state)
{
    const struct beside_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "row", "", 1);
    built.offer.record.hour_list_nano = nano(row->now);
    struct offer_record before = {.currency = built.offer.record.currency, .hour_list_nano = nano(row->good)};
    struct offer_record doubted = {.currency = built.offer.record.currency, .hour_list_nano = nano(row->doubted)};
    struct guard_doubt doubt = {&doubted, row->doubt, row->doubt == GUARD_LARGE_MOVE, GT_STR("÷8: words")};
    struct guard_verdict verdict = guard_offer(&built.offer, &before, arena);
    verdict = guard_beside(verdict, &built.offer, &before, &doubt, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_int_equal(verdict.is_releasable, row->is_releasable);
    /* Without a good price there is nothing to go back to: a slip holds while the price is less than a slip away. */
    struct guard_verdict newcomer = guard_beside((struct guard_verdict){.reason = GUARD_NONE}, &built.offer, NULL, &doubt, arena);
    int64_t now_nano = nano(row->now), doubted_nano = nano(row->doubted);
    bool is_near = now_nano < doubted_nano * 19 / 10 && doubted_nano < now_nano * 19 / 10;
    assert_int_equal(newcomer.reason, row->doubt == GUARD_UNIT_SLIP && is_near ? GUARD_UNIT_SLIP : GUARD_NONE);
    arena_free(arena);
}

/* ---- the neighbour ---- */

struct neighbour_case {
    const char *name;
    const char *sku, *before, *now;
    const char *other_sku, *other;
    enum guard_reason reason;
};

static const struct neighbour_case neighbours[] = {
    {"the click before did not register", "NVIDIA-H800-80G", "12.00", "1.98", "NVIDIA-RTX-4090", "1.98", GUARD_SAME_PRICE},
    {"dearer by what the neighbour costs", "NVIDIA-RTX-4090", "1.98", "12.00", "NVIDIA-H800-80G", "12.00", GUARD_SAME_PRICE},
    {"its own new price", "NVIDIA-H800-80G", "12.00", "9.00", "NVIDIA-RTX-4090", "1.98", GUARD_NONE},
    {"a small step onto the neighbour's price", "NVIDIA-RTX-4090D", "2.10", "1.98", "NVIDIA-RTX-4090", "1.98", GUARD_NONE},
    {"always the same", "NVIDIA-RTX-4090D", "1.98", "1.98", "NVIDIA-RTX-4090", "1.98", GUARD_NONE},
    {"two rows of one card", "NVIDIA-RTX-4090", "2.98", "1.98", "NVIDIA-RTX-4090", "1.98", GUARD_NONE},
    {"a neighbour without a card", "NVIDIA-RTX-4090", "2.98", "1.98", "", "1.98", GUARD_NONE},
};

static void check_neighbour(void **state)
{
    const struct neighbour_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built, other;
    build_offer(&built, "row", row->sku, 1);
    build_offer(&other, "other", row->other_sku, 1);
    built.offer.record.hour_list_nano = nano(row->now);
    other.offer.record.hour_list_nano = nano(row->other);
    struct offer_record before = {.currency = built.offer.record.currency, .hour_list_nano = nano(row->before)};
    struct guard_verdict verdict = guard_neighbour(&built.offer, &before, &other.offer, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_false(verdict.is_releasable);
    assert_int_equal(guard_neighbour(&built.offer, NULL, &other.offer, arena).reason, GUARD_NONE);
    assert_int_equal(guard_neighbour(&built.offer, &before, NULL, arena).reason, GUARD_NONE);
    arena_free(arena);
}

/* ---- another currency ---- */

struct currency_case {
    const char *name;
    const char *before, *hour_before, *now, *hour_now;
    enum guard_reason reason;
    bool is_releasable;
};

static const struct currency_case currencies[] = {
    {"the sign alone changed", "CNY", "1.98", "USD", "1.98", GUARD_UNIT_SLIP, false},
    {"the sign changed and the price moved a little", "CNY", "1.98", "USD", "2.05", GUARD_UNIT_SLIP, false},
    {"converted: other figures in another currency", "CNY", "14.20", "USD", "1.99", GUARD_LARGE_MOVE, true},
    {"known at last", "", "1.98", "CNY", "1.98", GUARD_NONE, false},
    {"the same", "CNY", "1.98", "CNY", "2.05", GUARD_NONE, false},
};

static void check_currency(void **state)
{
    const struct currency_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "row", "", 1);
    built.offer.record.currency = currency_from(gt_str_from(row->now));
    built.offer.record.hour_list_nano = nano(row->hour_now);
    struct offer_record before = {.currency = currency_from(gt_str_from(row->before)), .hour_list_nano = nano(row->hour_before)};
    struct guard_verdict verdict = guard_offer(&built.offer, &before, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_int_equal(verdict.is_releasable, row->is_releasable);
    arena_free(arena);
}

/* ---- reserved and on demand ---- */

struct reserved_case {
    const char *name;
    const char *hour, *month, *bound_month; /* list prices; the last for 12 months */
    enum role role;
    enum guard_reason reason;
};

static const struct reserved_case reserved[] = {
    {"a year costs less a month", "2.00", "1200", "1000", ROLE_LIST, GUARD_NONE},
    {"a year costs the same", "2.00", "1200", "1200", ROLE_LIST, GUARD_NONE},
    {"a year costs more", "2.00", "1200", "1300", ROLE_LIST, GUARD_RESERVED_ABOVE},
    {"more than all hours of a month", "2.00", "0", "1600", ROLE_LIST, GUARD_RESERVED_ABOVE},
    {"less than all hours of a month", "2.00", "0", "1400", ROLE_LIST, GUARD_NONE},
    {"a member's year is another price", "2.00", "1200", "1300", ROLE_MEMBER, GUARD_NONE},
};

static void check_reserved(void **state)
{
    const struct reserved_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    build_offer(&built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    built.quotes[0] = (struct quote){.amount_nano = nano(row->bound_month),
                                     .currency = built.offer.record.currency,
                                     .period = PERIOD_MONTH,
                                     .period_count = 1,
                                     .basis = BASIS_CARD,
                                     .role = row->role,
                                     .months = 12};
    built.offer.record.quote_count = 1;
    built.offer.record.hour_list_nano = nano(row->hour);
    built.offer.record.month_list_nano = nano(row->month);
    struct guard_verdict verdict = guard_offer(&built.offer, NULL, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_false(verdict.is_releasable);
    arena_free(arena);
}

/* ---- spot and on demand in rows of their own ---- */

struct spot_case {
    const char *name;
    const char *plan, *other_plan, *region, *other_region;
    const char *hour, *other_hour;
    enum tier tier, other_tier;
    enum guard_reason reason;
};

static const struct spot_case spot_rows[] = {
    {"cheaper", "竞价", "按量", "a", "a", "1.19", "1.98", TIER_SPOT, TIER_ON_DEMAND, GUARD_NONE},
    {"dearer", "竞价", "按量", "a", "a", "2.19", "1.98", TIER_SPOT, TIER_ON_DEMAND, GUARD_SPOT_ABOVE},
    {"by a rounding", "竞价", "按量", "a", "a", "1.99", "1.98", TIER_SPOT, TIER_ON_DEMAND, GUARD_NONE},
    {"dearer than another region's", "竞价", "按量", "a", "b", "2.19", "1.98", TIER_SPOT, TIER_ON_DEMAND, GUARD_NONE},
    {"two spot rows", "竞价", "竞价 2", "a", "a", "2.19", "1.98", TIER_SPOT, TIER_SPOT, GUARD_NONE},
    {"on demand is dearer than spot: that is how it is", "按量", "竞价", "a", "a", "2.19", "1.98", TIER_ON_DEMAND, TIER_SPOT, GUARD_NONE},
    {"beside a row whose tier is not known", "竞价", "", "a", "a", "2.19", "1.98", TIER_SPOT, TIER_UNKNOWN, GUARD_NONE},
    {"without a price", "竞价", "按量", "a", "a", "0", "1.98", TIER_SPOT, TIER_ON_DEMAND, GUARD_NONE},
};

static void check_spot_row(void **state)
{
    const struct spot_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built now, other;
    build_offer(&now, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_offer(&other, "RTX 4090", "NVIDIA-RTX-4090", 1);
    now.offer.identity.plan = gt_str_from(row->plan);
    other.offer.identity.plan = gt_str_from(row->other_plan);
    now.offer.identity.region = gt_str_from(row->region);
    other.offer.identity.region = gt_str_from(row->other_region);
    now.offer.attributes.tier = row->tier;
    other.offer.attributes.tier = row->other_tier;
    now.offer.record.hour_list_nano = nano(row->hour);
    other.offer.record.hour_list_nano = nano(row->other_hour);
    struct guard_verdict verdict = guard_spot_row(&now.offer, &other.offer, arena);
    assert_string_equal(guard_reason_code(verdict.reason), guard_reason_code(row->reason));
    assert_false(verdict.is_releasable);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(moves, check_moves) + TABLE_RUN(besides, check_beside) + TABLE_RUN(neighbours, check_neighbour) +
           TABLE_RUN(currencies, check_currency) + TABLE_RUN(reserved, check_reserved) +
           TABLE_RUN(spot_rows, check_spot_row);
}
