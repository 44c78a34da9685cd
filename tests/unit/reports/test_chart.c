/* Axes in whole numbers. */
#include "common/civil.h"
#include "pricing/money.h"
#include "reports/chart_axis.h"
#include "tests/unit/table.h"

enum { SHANGHAI = 8 * 3600 };

struct value_row {
    const char *name;
    int64_t low_cents, high_cents;
    bool is_drawn;
    int64_t axis_low_cents, axis_high_cents;
    int ticks;
};

static const struct value_row values[] = {
    {"990 to 1074: widened to a band of a tenth", 99000, 107400, true, 96000, 110000, 8},
    {"a flat line has a band of a tenth", 107400, 107400, true, 102000, 114000, 7},
    {"from 0: no line on the frame above", 0, 10000, true, 0, 12000, 7},
    {"cents", 157, 196, true, 150, 200, 6},
    {"a large span", 100, 100000000, true, 0, 120000000, 7},
    {"a negative price is not drawn", -100, 100, false, 0, 0, 0},
};

static void check_value(void **state)
{
    const struct value_row *row = *state;
    const struct chart_step steps[] = {{.to_unix_s = 1, .value_nano = row->low_cents * (NANO / 100)},
                                        {.from_unix_s = 1, .to_unix_s = 2, .value_nano = row->high_cents * (NANO / 100)}};
    const struct chart_line line = {GT_STR("x"), steps, 2};
    const struct chart chart = {.lines = &line, .count = 1};
    struct chart_axis axis = {0};
    assert_int_equal(chart_value_axis(&chart, 2400, &axis), row->is_drawn);
    if (!row->is_drawn) return;
    assert_true(axis.low <= steps[0].value_nano && axis.high >= steps[1].value_nano);
    assert_int_equal(chart_axis_place(&axis, axis.low), 0);
    assert_int_equal(chart_axis_place(&axis, axis.high), 2400);
    assert_int_equal(axis.low, row->axis_low_cents * (NANO / 100));
    assert_int_equal(axis.high, row->axis_high_cents * (NANO / 100));
    assert_int_equal(axis.tick_count, row->ticks);
    assert_int_equal(axis.ticks[0], axis.low);
}

struct time_row {
    const char *name;
    int from[3], to[3];      /* dates in Beijing */
    bool is_drawn;
    const char *first, *last; /* ticks */
    int ticks, months;
};

static const struct time_row times[] = {
    {"a week: days", {2026, 9, 14}, {2026, 9, 20}, true, "2026-09-14", "2026-09-20", 7, 0},
    {"two weeks: every second day", {2026, 9, 7}, {2026, 9, 20}, true, "2026-09-08", "2026-09-20", 7, 0},
    {"eight weeks: Mondays, every second", {2026, 7, 27}, {2026, 9, 20}, true, "2026-07-27", "2026-09-14", 8, 0},
    {"half a year: months", {2026, 4, 15}, {2026, 9, 20}, true, "2026-05-01", "2026-09-01", 5, 1},
    {"two years: quarters", {2025, 1, 1}, {2026, 9, 20}, true, "2025-01-01", "2026-07-01", 7, 3},
    {"ten years", {2016, 6, 1}, {2026, 9, 20}, true, "2018-01-01", "2026-01-01", 5, 24},
    {"one moment is a day", {2026, 9, 20}, {2026, 9, 20}, true, "2026-09-20", "2026-09-21", 2, 0},
    {"before 1970 is not drawn", {1969, 1, 1}, {2026, 1, 1}, false, "", "", 0, 0},
    {"the far future is not drawn", {2026, 1, 1}, {99999, 1, 1}, false, "", "", 0, 0},
};

static void check_time(void **state)
{
    const struct time_row *row = *state;
    const struct chart_step steps[] = {{civil_midnight_unix(row->from[0], row->from[1], row->from[2], SHANGHAI),
                                        civil_midnight_unix(row->to[0], row->to[1], row->to[2], SHANGHAI), NANO, false}};
    const struct chart_line line = {GT_STR("x"), steps, 1};
    const struct chart chart = {.lines = &line, .count = 1};
    struct chart_axis axis = {0};
    char text[CIVIL_TEXT_MAX];
    assert_int_equal(chart_time_axis(&chart, SHANGHAI, 7000, &axis), row->is_drawn);
    if (!row->is_drawn) return;
    assert_string_equal(civil_date(axis.ticks[0], SHANGHAI, text), row->first);
    assert_string_equal(civil_date(axis.ticks[axis.tick_count - 1], SHANGHAI, text), row->last);
    assert_int_equal(axis.tick_count, row->ticks);
    assert_int_equal(axis.months, row->months);
    assert_true(axis.tick_count <= CHART_TICKS_MAX);
}

/* An empty chart is not drawn. */
struct empty_row {
    const char *name;
    size_t lines, steps;
};

static const struct empty_row empties[] = {{"no line", 0, 0}, {"a line without steps", 1, 0}};

static void check_empty(void **state)
{
    const struct empty_row *row = *state;
    const struct chart_line line = {GT_STR("x"), NULL, row->steps};
    const struct chart chart = {.lines = &line, .count = row->lines};
    struct chart_axis axis;
    assert_false(chart_value_axis(&chart, 2400, &axis));
    assert_false(chart_time_axis(&chart, SHANGHAI, 7000, &axis));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(values, check_value) + TABLE_RUN(times, check_time) + TABLE_RUN(empties, check_empty);
}
