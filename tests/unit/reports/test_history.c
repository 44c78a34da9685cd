/* Histories: moves between spans, what joins and what is a gap, sparklines, real fetch intervals, the first screen's choice. */
#include "reports/figure.h"
#include "reports/history.h"
#include "reports/interval.h"
#include "reports/weekly_pick.h"
#include "tests/unit/reports/market.h"

/* ---- spans ---- */

enum { SPANS_MAX = 4, RUNS_MAX = 8, DAY0 = 1788220800 /* 2026-09-01 00:00 UTC */ };

struct span_words {
    int from_day, to_day;
    int64_t price;
    uint64_t first_seq, last_seq;
    bool is_doubted, is_voided;
};

struct span_row {
    const char *name;
    struct span_words spans[SPANS_MAX];
    uint64_t good_runs[RUNS_MAX];
    const char *expected; /* of each span: move in percent and '+' when it is joined to the next */
    int64_t low, high, latest;
};

static const struct span_row spans[] = {
    {"one span", {{0, 5, 1000, 1, 6, false, false}}, {1, 2, 3}, "-", 1000, 1000, 1000},
    {"a fall, joined", {{0, 5, 1000, 10, 60, false, false}, {6, 9, 900, 70, 90, false, false}}, {10, 60, 70}, "-+ -10.0", 900, 1000, 900},
    {"other sites' runs in between are no gap", {{0, 5, 1000, 10, 60, false, false}, {6, 9, 900, 70, 90, false, false}}, {10, 60, 70, 90}, "-+ -10.0", 900, 1000, 900},
    {"a good run without it is a gap", {{0, 5, 1000, 10, 60, false, false}, {8, 9, 900, 80, 90, false, false}}, {10, 60, 70, 80}, "- -10.0", 900, 1000, 900},
    {"doubted moves nothing after it", {{0, 5, 1000, 10, 60, false, false}, {6, 6, 125, 70, 70, true, false}, {7, 9, 1000, 80, 90, false, false}}, {10, 60, 70, 80},
     "-+ -87.5+ 0.0", 1000, 1000, 1000},
    {"voided is no low", {{0, 5, 1000, 10, 60, false, false}, {6, 6, 125, 70, 70, false, true}}, {10, 60, 70}, "-+ -87.5", 1000, 1000, 1000},
    {"only doubted: no figure", {{0, 5, 1000, 10, 60, true, false}}, {10, 60}, "-", 0, 0, 0},
};

static struct history_span span_from(struct arena *arena, const struct span_words *words)
{
    struct market_offer offer = {.id = 7, .site = "a", .title = "a", .label = "4090", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
                                 .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = words->price * NANO, .is_listed = true};
    return (struct history_span){.row = market_row(arena, &offer),
                                 .first_unix_s = DAY0 + words->from_day * (int64_t)CIVIL_DAY_S,
                                 .last_unix_s = DAY0 + words->to_day * (int64_t)CIVIL_DAY_S,
                                 .first_seq = words->first_seq,
                                 .last_seq = words->last_seq,
                                 .is_doubted = words->is_doubted,
                                 .is_voided = words->is_voided};
}

static void check_spans(void **state)
{
    const struct span_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct history_span all[SPANS_MAX];
    struct run_entry runs[RUNS_MAX + 2] = {{.site = GT_STR("b"), .part = GT_STR("main"), .seq = 65}, {.site = GT_STR("a"), .part = GT_STR("other"), .seq = 66}};
    struct run_index index = {runs, 2};
    struct history history;
    char words[128] = "";
    size_t count = 0;
    for (; count < SPANS_MAX && row->spans[count].price != 0; count++) all[count] = span_from(arena, &row->spans[count]);
    for (size_t i = 0; i < RUNS_MAX && row->good_runs[i] != 0; i++)
        runs[index.count++] = (struct run_entry){.site = GT_STR("a"), .part = GT_STR("main"), .seq = row->good_runs[i]};
    run_index_sort(&index);
    struct board_view view = {.now_unix_s = DAY0, .persona = persona_default()};
    assert_int_equal(history_compute(all, count, &index, &view, arena, &history), GT_OK);
    assert_int_equal(history.offer_count, 1);
    for (size_t i = 0; i < count; i++) {
        struct gt_str percent = figure_percent_text(all[i].change_percent_nano, arena);
        size_t len = strlen(words);
        if (!all[i].has_change) snprintf(words + len, sizeof words - len, "%s-", i > 0 ? " " : "");
        else
            snprintf(words + len, sizeof words - len, " %s%.*s", all[i].change_percent_nano < 0 ? "-" : "", (int)percent.len - 1, percent.ptr);
        if (all[i].is_joined) strcat(words, "+");
    }
    assert_string_equal(words, row->expected);
    assert_int_equal(history.offers[0].low_nano, row->low * NANO);
    assert_int_equal(history.offers[0].high_nano, row->high * NANO);
    assert_int_equal(history.offers[0].latest_nano, row->latest * NANO);
    arena_free(arena);
}

/* ---- sparkline ---- */

struct spark_row {
    const char *name;
    struct span_words spans[SPANS_MAX];
    const char *line; /* the end of each of 24 days */
};

static const struct spark_row sparks[] = {
    {"all days", {{0, 24, 1000, 1, 9, false, false}}, "▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅"},
    {"began in the middle", {{12, 24, 1000, 1, 9, false, false}}, "           ▅▅▅▅▅▅▅▅▅▅▅▅▅"},
    {"ended: two days more, then nothing", {{0, 10, 1000, 1, 9, false, false}}, "▅▅▅▅▅▅▅▅▅▅▅▅            "},
    {"a fall", {{0, 11, 1000, 1, 9, false, false}, {12, 24, 900, 10, 19, false, false}}, "███████████▁▁▁▁▁▁▁▁▁▁▁▁▁"},
    {"doubted is not drawn", {{0, 24, 1000, 1, 9, false, false}, {12, 14, 10, 10, 11, true, false}}, "▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅"},
    {"seen once", {{12, 12, 1000, 5, 5, false, false}}, "           ▅▅▅          "},
};

static void check_spark(void **state)
{
    const struct spark_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct history_span all[SPANS_MAX];
    struct history_offer offer = {.spans = all};
    int64_t values[HISTORY_SPARK_POINTS];
    for (; offer.count < SPANS_MAX && row->spans[offer.count].price != 0; offer.count++) {
        all[offer.count] = span_from(arena, &row->spans[offer.count]);
        all[offer.count].price_nano = row->spans[offer.count].price * NANO;
    }
    history_spark(&offer, DAY0, DAY0 + HISTORY_SPARK_POINTS * (int64_t)CIVIL_DAY_S + 1, values);
    struct gt_str line = figure_sparkline(values, HISTORY_SPARK_POINTS, arena);
    assert_str(line, row->line);
    arena_free(arena);
}

/* ---- intervals ---- */

struct interval_row {
    const char *name;
    int ages_h[6];          /* of runs, oldest first; 0 ends */
    int64_t every_h, expected_h;
};

static const struct interval_row intervals[] = {
    {"no run", {0}, 6, 0},
    {"one run says nothing", {5}, 6, 0},
    {"every six hours, as allowed", {24, 18, 12, 6}, 6, 6},
    {"cron comes once a day", {60, 36, 12}, 6, 24},
    {"more often than allowed: forced", {3, 2, 1}, 6, 6},
    {"older runs do not count", {200, 100, 10}, 6, 0},
};

static void check_interval(void **state)
{
    const struct interval_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct run_row runs[12];
    struct store store = {.runs = runs};
    struct report_site sites[] = {{GT_STR("z"), GT_STR("z"), 3600, 0}, {GT_STR("a"), GT_STR("a"), row->every_h * 3600, 0}};
    struct report_input input = {.store = &store, .sites = sites, .site_count = 2};
    struct report_site *seen;
    struct gt_errinfo info = {0};
    for (size_t i = 0; i < 6 && row->ages_h[i] != 0; i++)
        /* Two parts each: a run counts once. */
        for (int part = 0; part < 2; part++)
            runs[store.run_count++] = (struct run_row){.site = GT_STR("a"), .part = part == 0 ? GT_STR("x") : GT_STR("y"), .seq = i + 1,
                                                       .start_unix_s = MARKET_NOW - row->ages_h[i] * 3600};
    assert_int_equal(intervals_read(&input, MARKET_NOW, arena, &seen, &info), GT_OK);
    assert_int_equal(seen[1].every_s, row->expected_h * 3600);
    assert_int_equal(seen[0].every_s, 0);
    arena_free(arena);
}

/* ---- what the first screen shows ---- */

struct pick_row {
    const char *name;
    const char *groups;     /* a letter a group: c container, n node, v VM, f container abroad, u container of unknown tier; then its classes */
    size_t lines;
    const char *expected;   /* letters with rows */
};

static const struct pick_row picks[] = {
    {"nothing", "", 18, ""},
    {"the golden case", "c3 n3", 18, "c3 n3"},
    {"both are cut in half", "c30 n30", 18, "c7 n7"},
    {"what one does not need the other gets", "c30 n2", 18, "c12 n2"},
    {"and the other way round", "c2 n30", 18, "c2 n12"},
    {"containers alone", "c30", 18, "c16"},
    {"nodes alone", "n30", 18, "n16"},
    {"containers before virtual machines", "v9 c3 n3", 18, "c3 n3 v6"},
    {"at home before abroad", "f20 c3 n3", 18, "c3 n3 f6"},
    {"on demand before what does not say", "u20 c3 n3", 18, "c3 n3 u6"},
    {"no table for one row of many", "c5 n6 v9", 18, "c5 n6"},
    {"no more than four tables", "c1 n1 v1 u1 f1", 40, "c1 n1 u1 v1"},
    {"hardly any room", "c9 n9", 5, "c1"},
};

static void check_pick(void **state)
{
    const struct pick_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct weekly_group groups[6];
    struct board_row rows[6] = {0};
    struct board_entry lows[6] = {0};
    struct weekly_class classes[6] = {0};
    const struct weekly_class *lists[6][40];
    struct weekly weekly = {.groups = groups};
    struct weekly_pick chosen[PICK_GROUPS_MAX];
    char letters[6], words[64] = "";
    struct gt_str rest = gt_str_from(row->groups), word;
    size_t used = 0;
    while (gt_str_split(&rest, ' ', &word)) {
        size_t i = weekly.group_count++;
        char kind = letters[i] = word.ptr[0];
        struct offer_attributes *attributes = &rows[i].offer.attributes;
        attributes->delivery = kind == 'n' ? DELIVERY_BARE_METAL : kind == 'v' ? DELIVERY_VM : DELIVERY_CONTAINER;
        attributes->market = kind == 'f' ? MARKET_OVERSEAS : MARKET_DOMESTIC;
        attributes->tier = kind == 'u' ? TIER_UNKNOWN : TIER_ON_DEMAND;
        lows[i].row = &rows[i];
        classes[i].low = &lows[i];
        for (size_t k = 0; k < 40; k++) lists[i][k] = &classes[i];
        groups[i] = (struct weekly_group){.classes = lists[i], .count = (size_t)strtoul(word.ptr + 1, NULL, 10)};
    }
    size_t count = weekly_pick_groups(&weekly, row->lines, chosen);
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(words);
        used += chosen[i].rows + PICK_TABLE_LINES;
        snprintf(words + len, sizeof words - len, "%s%c%zu", i > 0 ? " " : "", letters[chosen[i].group - groups], chosen[i].rows);
    }
    assert_string_equal(words, row->expected);
    assert_true(used <= row->lines);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(spans, check_spans) + TABLE_RUN(sparks, check_spark) + TABLE_RUN(intervals, check_interval) +
           TABLE_RUN(picks, check_pick);
}
