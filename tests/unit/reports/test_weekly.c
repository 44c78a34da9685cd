/* The weekly report's figures: matched offers, first week, stale weeks, medians, means, sources. */
#include "reports/weekly.h"
#include "tests/unit/reports/market.h"

/* ---- one offer over the week ---- */

enum { SPANS_MAX = 4, WEEK_BEGIN = 1789315200 /* 2026-09-13 16:00 UTC: Monday 00:00 in Beijing */ };

/* A span: from and to in days after the week's begin, the price, runs. */
struct span_words {
    int from_day, to_day;
    int64_t price;
    uint64_t first_seq, last_seq;
    bool is_doubted, is_voided;
};

struct mean_row {
    const char *name;
    struct span_words spans[SPANS_MAX];
    int64_t mean_cents, low;
};

static const struct mean_row means[] = {
    {"one price all week", {{0, 7, 1074, 1, 8, false, false}}, 107400, 1074},
    {"half and half", {{0, 3, 1000, 1, 4, false, false}, {4, 8, 2000, 5, 8, false, false}}, 142857, 1000},
    {"began before the week", {{-30, 7, 1074, 1, 38, false, false}}, 107400, 1074},
    {"a promotion in mid-week shows in the low", {{0, 2, 1000, 1, 3, false, false}, {3, 3, 500, 4, 4, false, false}, {4, 7, 1000, 5, 8, false, false}}, 92857, 500},
    {"a gap counts for nobody", {{0, 1, 1000, 1, 2, false, false}, {5, 6, 3000, 9, 10, false, false}}, 200000, 1000},
    {"doubted does not count", {{0, 6, 1000, 1, 4, false, false}, {4, 6, 10, 5, 8, true, false}}, 100000, 1000},
    {"voided does not count", {{0, 6, 1000, 1, 4, false, false}, {4, 6, 10, 5, 8, false, true}}, 100000, 1000},
    {"nothing in the week", {{-9, -8, 1000, 1, 2, false, false}}, 0, 0},
    {"no span", {{0, 0, 0, 0, 0, false, false}}, 0, 0},
};

static void check_mean(void **state)
{
    const struct mean_row *row = *state;
    struct history_span spans[SPANS_MAX] = {0};
    struct history_offer offer = {.spans = spans};
    int64_t mean = -1, low = -1;
    for (size_t i = 0; i < SPANS_MAX && row->spans[i].price != 0; i++, offer.count++) {
        const struct span_words *words = &row->spans[i];
        spans[i] = (struct history_span){.first_unix_s = WEEK_BEGIN + words->from_day * (int64_t)CIVIL_DAY_S,
                                         .last_unix_s = WEEK_BEGIN + words->to_day * (int64_t)CIVIL_DAY_S,
                                         .first_seq = words->first_seq,
                                         .last_seq = words->last_seq,
                                         .is_doubted = words->is_doubted,
                                         .is_voided = words->is_voided,
                                         .price_nano = words->price * NANO};
        if (i > 0) spans[i - 1].is_joined = words->first_seq == spans[i - 1].last_seq + 1;
    }
    weekly_offer_mean(&offer, WEEK_BEGIN, WEEK_BEGIN + CIVIL_WEEK_S, &mean, &low);
    int64_t half = NANO / 200; /* shares are rounded one by one */
    assert_true(mean - row->mean_cents * (NANO / 100) <= half && row->mean_cents * (NANO / 100) - mean <= half);
    assert_int_equal(low, row->low * NANO);
}

/* ---- two weeks ---- */

enum { OFFERS_MAX = 5 };

/* An offer's price at the end of both weeks; 0: not listed. `age_h`: how old each observation is. */
struct two_prices {
    uint64_t id;
    const char *site;
    int64_t before, now;
    int before_age_h, now_age_h;
};

struct week_row {
    const char *name;
    struct two_prices offers[OFFERS_MAX];
    enum move_state state;
    int64_t percent_hundredths, low, low_before, median;
    int32_t sellers;
    size_t moves;
    bool is_low_matched;
};

static const struct week_row week_rows[] = {
    {"nothing moved", {{1, "a", 1000, 1000, 0, 0}}, MOVE_KNOWN, 0, 1000, 1000, 0, 1, 0, true},
    {"a fall", {{1, "a", 1000, 900, 0, 0}}, MOVE_KNOWN, -1000, 900, 1000, 0, 1, 1, true},
    {"a rise", {{1, "a", 1000, 1100, 0, 0}}, MOVE_KNOWN, 1000, 1100, 1000, 0, 1, 1, true},
    {"first week", {{1, "a", 0, 900, 0, 0}}, MOVE_FIRST_WEEK, 0, 900, 0, 0, 1, 0, false},
    {"a cheaper newcomer moves nothing", {{1, "a", 1000, 1000, 0, 0}, {2, "b", 0, 700, 0, 0}}, MOVE_KNOWN, 0, 700, 1000, 0, 2, 0, false},
    {"the cheapest leaves and moves nothing", {{1, "a", 1000, 1000, 0, 0}, {2, "b", 700, 0, 0, 0}}, MOVE_KNOWN, 0, 1000, 1000, 0, 1, 0, true},
    {"three sellers have a median", {{1, "a", 1000, 1000, 0, 0}, {2, "b", 900, 900, 0, 0}, {3, "c", 1200, 1200, 0, 0}}, MOVE_KNOWN, 0, 900, 900, 1000, 3, 0, true},
    {"two sellers have none", {{1, "a", 1000, 1000, 0, 0}, {2, "b", 900, 900, 0, 0}}, MOVE_KNOWN, 0, 900, 900, 0, 2, 0, true},
    {"one seller with three offers is one seller", {{1, "a", 1000, 1000, 0, 0}, {2, "a", 900, 900, 0, 0}, {3, "a", 800, 800, 0, 0}}, MOVE_KNOWN, 0, 800, 800, 0, 1, 0, true},
    {"four sellers: the middle of two", {{1, "a", 1000, 1000, 0, 0}, {2, "b", 900, 900, 0, 0}, {3, "c", 1200, 1200, 0, 0}, {4, "d", 1100, 1100, 0, 0}}, MOVE_KNOWN, 0, 900, 900, 1050, 4, 0, true},
    {"last week's price is 48 h old: it counts", {{1, "a", 1000, 900, 47, 0}}, MOVE_KNOWN, -1000, 900, 1000, 0, 1, 1, true},
    {"last week's price is older: too little history", {{1, "a", 1000, 900, 72, 0}}, MOVE_SHORT, 0, 900, 0, 0, 1, 0, false},
    {"this week's price is older: no low", {{1, "a", 1000, 900, 0, 72}, {2, "b", 1100, 1100, 0, 0}}, MOVE_KNOWN, 0, 1100, 1100, 0, 1, 0, true},
    {"all new in a later week", {{1, "a", 0, 900, 0, 0}, {9, "z", 500, 0, 0, 0}}, MOVE_NEW, 0, 900, 0, 0, 1, 0, false},
    {"the low moves from one offer to another", {{1, "a", 1000, 1300, 0, 0}, {2, "b", 1100, 1100, 0, 0}}, MOVE_KNOWN, 1000, 1100, 1000, 0, 2, 1, true},
};

static struct board_row priced_row(struct arena *arena, const struct two_prices *offer, int64_t price, int64_t seen_unix_s)
{
    struct market_offer words = {.id = offer->id, .site = offer->site, .title = offer->site, .label = "4090", .sku = "NVIDIA-RTX-4090",
                                 .vram_gb = 24, .status = SKU_EXACT, .delivery = DELIVERY_CONTAINER, .currency = "CNY",
                                 .month_nano = price * NANO, .is_listed = true, .since_unix_s = seen_unix_s, .seen_unix_s = seen_unix_s};
    return market_row(arena, &words);
}

static void check_week(void **state)
{
    const struct week_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row now[OFFERS_MAX], before[OFFERS_MAX];
    int64_t end = WEEK_BEGIN + CIVIL_WEEK_S - 1, end_before = WEEK_BEGIN - 1;
    struct weekly weekly = {.period = {REPORT_WEEK, WEEK_BEGIN, WEEK_BEGIN + CIVIL_WEEK_S}, .at_unix_s = end};
    struct board_rows rows_before = {.rows = before};
    struct board board_before;
    for (size_t i = 0; i < OFFERS_MAX && row->offers[i].id != 0; i++) {
        const struct two_prices *offer = &row->offers[i];
        if (offer->now != 0) now[weekly.rows.count++] = priced_row(arena, offer, offer->now, end - offer->now_age_h * 3600);
        if (offer->before != 0) before[rows_before.count++] = priced_row(arena, offer, offer->before, end_before - offer->before_age_h * 3600);
    }
    weekly.rows.rows = now;
    weekly.is_first = rows_before.count == 0;
    struct board_view view = {.now_unix_s = end, .persona = persona_default()}, view_before = {.now_unix_s = end_before, .persona = persona_default()};
    assert_int_equal(board_compute(&weekly.rows, &view, arena, &weekly.board), GT_OK);
    assert_int_equal(board_compute(&rows_before, &view_before, arena, &board_before), GT_OK);
    assert_int_equal(weekly_before_compute(&weekly, &board_before, arena), GT_OK);
    assert_int_equal(weekly_moves_compute(&weekly, arena), GT_OK);
    assert_int_equal(weekly_classes_compute(&weekly, arena), GT_OK);
    assert_int_equal(weekly_groups_compute(&weekly, arena), GT_OK);
    assert_int_equal(weekly.class_count, 1);
    assert_int_equal(weekly.group_count, 1);
    const struct weekly_class *class = &weekly.classes[0];
    assert_int_equal(class->state, row->state);
    assert_int_equal(class->percent_nano, row->percent_hundredths * (NANO / 100));
    assert_int_equal(class->low->price_nano, row->low * NANO);
    assert_int_equal(class->low_before_nano, row->low_before * NANO);
    assert_int_equal(class->median_nano, row->median * NANO);
    assert_int_equal(class->sellers, row->sellers);
    assert_int_equal(weekly.move_count, row->moves);
    assert_int_equal(class->is_low_matched, row->is_low_matched);
    arena_free(arena);
}

/* ---- sources ---- */

struct run_words {
    uint64_t seq;
    int age_h;
    enum part_status status;
};

struct source_row {
    const char *name;
    struct run_words runs[4];
    int row_age_h;          /* of a board row of the site; -1 none */
    bool is_good;
    int32_t runs_seen, failed;
    enum part_status status;
};

static const struct source_row source_rows[] = {
    {"never crawled", {{0}}, -1, false, 0, 0, STATUS_OK},
    {"one good run", {{1, 3, STATUS_OK}}, 3, true, 1, 0, STATUS_OK},
    {"an unchanged page is good", {{1, 3, STATUS_UNCHANGED}}, 3, true, 1, 0, STATUS_UNCHANGED},
    {"failed since, but the data is fresh", {{1, 20, STATUS_OK}, {2, 3, STATUS_FAILED}}, 20, true, 2, 1, STATUS_FAILED},
    {"blocked for days", {{1, 30, STATUS_BLOCKED}, {2, 3, STATUS_BLOCKED}}, 80, false, 2, 2, STATUS_BLOCKED},
    {"good before the period, no run in it", {{0}}, 40, true, 0, 0, STATUS_OK},
    {"one part of two failed", {{1, 3, STATUS_FAILED}, {1, 3, STATUS_OK}}, 3, true, 1, 1, STATUS_FAILED},
    {"the second part failed", {{1, 3, STATUS_OK}, {1, 3, STATUS_DRIFTED}}, 3, true, 1, 1, STATUS_DRIFTED},
    {"exactly 48 h", {{1, 48, STATUS_OK}}, -1, true, 1, 0, STATUS_OK},
    {"49 h", {{1, 49, STATUS_OK}}, -1, false, 1, 0, STATUS_OK},
};

static void check_source(void **state)
{
    const struct source_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct run_row runs[4] = {0};
    struct two_prices offer = {1, "a", 0, 0, 0, 0};
    struct board_row rows[1] = {priced_row(arena, &offer, 1000, MARKET_NOW - row->row_age_h * 3600)};
    struct report_site sites[] = {{GT_STR("a"), GT_STR("甲"), 0, 0}};
    struct source_list list;
    size_t count = 0;
    for (; count < 4 && row->runs[count].seq != 0; count++)
        runs[count] = (struct run_row){.site = GT_STR("a"), .seq = row->runs[count].seq, .status = row->runs[count].status,
                                       .start_unix_s = MARKET_NOW - row->runs[count].age_h * 3600};
    struct board_rows board_rows = {rows, row->row_age_h >= 0};
    assert_int_equal(source_list_compute(runs, count, &board_rows, sites, 1, MARKET_NOW, arena, &list), GT_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.sources[0].is_good, row->is_good);
    assert_int_equal(list.good, row->is_good);
    assert_int_equal(list.sources[0].runs, row->runs_seen);
    assert_int_equal(list.sources[0].runs_failed, row->failed);
    assert_int_equal(list.sources[0].status, row->status);
    assert_str(list.sources[0].title, "甲");
    arena_free(arena);
}

/* How many runs in a row ended alike, from when on, and the sums of the last run. Statuses by run, the oldest first; two parts a run. */
static const struct streak_row {
    const char *name;
    int runs[5][2]; /* STATUS + 1; 0: none */
    int streak, since_run;
} streaks[] = {
    {"one good run", {{STATUS_OK + 1, STATUS_OK + 1}}, 1, 0},
    {"three good ones", {{STATUS_OK + 1, STATUS_UNCHANGED + 1}, {STATUS_OK + 1, STATUS_OK + 1}, {STATUS_UNCHANGED + 1, STATUS_UNCHANGED + 1}}, 3, 0},
    {"good, then bad", {{STATUS_OK + 1, STATUS_OK + 1}, {STATUS_FAILED + 1, STATUS_OK + 1}}, 1, 1},
    {"the second part makes it bad", {{STATUS_FAILED + 1, STATUS_OK + 1}, {STATUS_OK + 1, STATUS_BLOCKED + 1}}, 2, 0},
    {"both parts are bad: one run", {{STATUS_FAILED + 1, STATUS_FAILED + 1}, {STATUS_FAILED + 1, STATUS_BLOCKED + 1}}, 2, 0},
    {"bad, good, bad, good", {{STATUS_FAILED + 1, 0}, {STATUS_OK + 1, 0}, {STATUS_DRIFTED + 1, 0}, {STATUS_OK + 1, 0}}, 1, 3},
    {"no run", {{0, 0}}, 0, -1},
};

static void check_streak(void **state)
{
    const struct streak_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct run_row runs[10] = {0};
    struct report_site sites[] = {{GT_STR("a"), GT_STR("甲"), 0, MARKET_NOW + 60}};
    struct board_rows none = {NULL, 0};
    struct source_list list;
    size_t count = 0, parts = 0;
    for (int run = 0; run < 5 && row->runs[run][0] != 0; run++) {
        parts = 0;
        for (int part = 0; part < 2 && row->runs[run][part] != 0; part++, parts++)
            runs[count++] = (struct run_row){.site = GT_STR("a"), .seq = (uint64_t)run + 1, .status = (enum part_status)(row->runs[run][part] - 1),
                                             .start_unix_s = MARKET_NOW - 100 + run, .latency_ms = run, .body_bytes = 7, .rows_found = 3};
    }
    assert_int_equal(source_list_compute(runs, count, &none, sites, 1, MARKET_NOW, arena, &list), GT_OK);
    const struct source *source = &list.sources[0];
    assert_int_equal(source->streak, row->streak);
    assert_int_equal(source->streak_unix_s, row->since_run >= 0 ? MARKET_NOW - 100 + row->since_run : 0);
    assert_int_equal(source->body_bytes, 7 * parts);
    assert_int_equal(source->rows_found, 3 * parts);
    assert_int_equal(source->due_unix_s, MARKET_NOW + 60);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(means, check_mean) + TABLE_RUN(week_rows, check_week) + TABLE_RUN(source_rows, check_source) +
           TABLE_RUN(streaks, check_streak);
}
