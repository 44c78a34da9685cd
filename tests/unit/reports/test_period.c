/* Weeks and months in Beijing time. */
#include "reports/period.h"
#include "tests/unit/table.h"

enum { SHANGHAI = 8 * 3600 };

/* A moment of a date and hour in Beijing. */
#define BEIJING(year, month, day, hour) (civil_midnight_unix(year, month, day, SHANGHAI) + (hour) * 3600)

struct read_row {
    const char *name, *text;
    bool is_month, is_good;
    int since[3], until[3]; /* dates in Beijing */
};

static const struct read_row reads[] = {
    {"week 38 begins on Monday", "2026-W38", false, true, {2026, 9, 14}, {2026, 9, 21}},
    {"week 1 of 2026 begins in December", "2026-W01", false, true, {2025, 12, 29}, {2026, 1, 5}},
    {"2026 has a week 53", "2026-W53", false, true, {2026, 12, 28}, {2027, 1, 4}},
    {"2025 has no week 53", "2025-W53", false, false, {0}, {0}},
    {"no week of a year before all clocks", "0000-W01", false, false, {0}, {0}},
    {"no week 0", "2026-W00", false, false, {0}, {0}},
    {"a month is no week", "2026-09", false, false, {0}, {0}},
    {"empty is no week", "", false, false, {0}, {0}},
    {"November", "2026-11", true, true, {2026, 11, 1}, {2026, 12, 1}},
    {"December ends in the next year", "2026-12", true, true, {2026, 12, 1}, {2027, 1, 1}},
    {"February of a leap year", "2028-02", true, true, {2028, 2, 1}, {2028, 3, 1}},
    {"no month 13", "2026-13", true, false, {0}, {0}},
    {"no month 0", "2026-00", true, false, {0}, {0}},
    {"a day is no month", "2026-11-01", true, false, {0}, {0}},
    {"letters are no month", "2026-1x", true, false, {0}, {0}},
    {"a sign is no month", "2026+11", true, false, {0}, {0}},
};

static void check_read(void **state)
{
    const struct read_row *row = *state;
    struct report_period period = {0};
    struct gt_str text = gt_str_from(row->text);
    bool is_good = row->is_month ? period_month_read(text, SHANGHAI, &period) : period_week_read(text, SHANGHAI, &period);
    assert_int_equal(is_good, row->is_good);
    if (!is_good) return;
    assert_int_equal(period.since_unix_s, BEIJING(row->since[0], row->since[1], row->since[2], 0));
    assert_int_equal(period.until_unix_s, BEIJING(row->until[0], row->until[1], row->until[2], 0));
}

struct of_row {
    const char *name;
    int day, hour;          /* of September 2026, in Beijing */
    const char *week;
};

static const struct of_row weeks[] = {
    {"Monday morning is about the week that ended", 21, 9, "2026-W38"},
    {"Monday midnight too", 21, 0, "2026-W38"},
    {"Monday's last second too", 21, 23, "2026-W38"},
    {"Tuesday is about the week that runs", 22, 0, "2026-W39"},
    {"Sunday night is about the week that ends", 20, 23, "2026-W38"},
    {"Sunday 16:00 UTC is Monday in Beijing", 21, 0, "2026-W38"},
    {"the 1st of a month is nothing special", 1, 12, "2026-W36"},
};

static void check_of(void **state)
{
    const struct of_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct report_period period = period_week_of(BEIJING(2026, 9, row->day, row->hour), SHANGHAI);
    struct gt_str name = period_name(&period, SHANGHAI, arena);
    assert_str(name, row->week);
    assert_int_equal(period.until_unix_s - period.since_unix_s, CIVIL_WEEK_S);
    arena_free(arena);
}

struct from_row {
    const char *name;
    int since[4], until[4]; /* year, month, day, hour in Beijing */
    const char *label, *days, *before;
};

static const struct from_row spans[] = {
    {"exactly a week", {2026, 9, 14, 0}, {2026, 9, 21, 0}, "2026-W38", "09-14~09-20", "2026-W37"},
    {"seven days from a Tuesday are a span", {2026, 9, 15, 0}, {2026, 9, 22, 0}, "2026-09-15~2026-09-21", "09-15~09-21", "2026-09-08~2026-09-14"},
    {"exactly a month", {2026, 11, 1, 0}, {2026, 12, 1, 0}, "2026-11", "11-01~11-30", "2026-10"},
    {"January's month before is of the year before", {2026, 1, 1, 0}, {2026, 2, 1, 0}, "2026-01", "01-01~01-31", "2025-12"},
    {"a week that begins an hour late is a span", {2026, 9, 14, 1}, {2026, 9, 21, 1}, "2026-09-14~2026-09-21", "09-14~09-21", "2026-09-07~2026-09-14"},
    {"week 1's week before is the year's last", {2025, 12, 29, 0}, {2026, 1, 5, 0}, "2026-W01", "12-29~01-04", "2025-W52"},
};

static void check_from(void **state)
{
    const struct from_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct report_period period = period_from(BEIJING(row->since[0], row->since[1], row->since[2], row->since[3]),
                                              BEIJING(row->until[0], row->until[1], row->until[2], row->until[3]), SHANGHAI);
    struct report_period before = period_before(&period, SHANGHAI);
    struct gt_str name = period_name(&period, SHANGHAI, arena), days = period_days(&period, SHANGHAI, arena);
    struct gt_str name_before = period_name(&before, SHANGHAI, arena);
    assert_str(name, row->label);
    assert_str(days, row->days);
    assert_str(name_before, row->before);
    assert_int_equal(before.until_unix_s, period.since_unix_s);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(reads, check_read) + TABLE_RUN(weeks, check_of) + TABLE_RUN(spans, check_from);
}
