/* The calendar against known dates: RFC 3339, ISO weeks. */
#include "tests/unit/table.h"

#include "common/civil.h"

static const struct parse_row {
    const char *name, *text;
    bool is_ok;
    int64_t unix_s;
} parse_rows[] = {
    {"UTC", "2026-09-20T12:00:00Z", true, 1789905600},
    {"an offset east", "2026-09-20T20:00:00+08:00", true, 1789905600},
    {"an offset west", "2026-09-20T08:00:00-04:00", true, 1789905600},
    {"a fraction is dropped", "2026-09-20T12:00:00.999Z", true, 1789905600},
    {"a date alone is midnight UTC", "2026-09-20", true, 1789862400},
    {"seconds", "@1789905600", true, 1789905600},
    {"negative seconds", "@-1", true, -1},
    {"leap day", "2024-02-29", true, 1709164800},
    {"a leap second is taken", "2016-12-31T23:59:60Z", true, 1483228800},
    {"the epoch", "1970-01-01T00:00:00Z", true, 0},
    {"past 2038", "2106-02-07T06:28:16Z", true, 4294967296},
    {"no leap day in 2026", "2026-02-29", false, 0},
    {"no leap day in 2100", "2100-02-29", false, 0},
    {"month 13", "2026-13-01", false, 0},
    {"hour 24", "2026-09-20T24:00:00Z", false, 0},
    {"no zone", "2026-09-20T12:00:00", false, 0},
    {"words behind", "2026-09-20T12:00:00Z now", false, 0},
    {"empty", "", false, 0},
    {"a bare at sign", "@", false, 0},
    {"too many seconds", "@1234567890123", false, 0},
    {"letters", "yesterday", false, 0},
};

static void check_parse(void **state)
{
    const struct parse_row *row = *state;
    int64_t unix_s = 0;
    assert_int_equal(civil_parse(gt_str_from(row->text), &unix_s), row->is_ok);
    assert_int_equal(unix_s, row->unix_s);
}

static const struct print_row {
    const char *name;
    int64_t unix_s;
    const char *text, *date_shanghai;
} print_rows[] = {
    {"noon", 1789905600, "2026-09-20T12:00:00Z", "2026-09-20"},
    {"16:00 UTC is tomorrow in Shanghai", 1789920000, "2026-09-20T16:00:00Z", "2026-09-21"},
    {"a second before", 1789919999, "2026-09-20T15:59:59Z", "2026-09-20"},
    {"before the epoch", -1, "1969-12-31T23:59:59Z", "1970-01-01"},
    {"a year of four hundred", 951782400, "2000-02-29T00:00:00Z", "2000-02-29"},
};

static void check_print(void **state)
{
    const struct print_row *row = *state;
    char text[CIVIL_TEXT_MAX];
    assert_string_equal(civil_rfc3339(row->unix_s, text), row->text);
    assert_string_equal(civil_date(row->unix_s, CIVIL_SHANGHAI_S, text), row->date_shanghai);
}

static const struct week_row {
    const char *name, *date;
    int64_t year;
    int week;
} week_rows[] = {
    {"a Sunday ends its week", "2026-09-20", 2026, 38},
    {"a Monday begins one", "2026-09-21", 2026, 39},
    {"1 January may be last year's week", "2027-01-01", 2026, 53},
    {"31 December may be next year's week", "2025-12-31", 2026, 1},
    {"a year of 52 weeks ends", "2024-12-29", 2024, 52},
};

static void check_week(void **state)
{
    const struct week_row *row = *state;
    int64_t unix_s, year, begin;
    int week;
    assert_true(civil_parse(gt_str_from(row->date), &unix_s));
    civil_week(unix_s, 0, &year, &week);
    assert_int_equal(year, row->year);
    assert_int_equal(week, row->week);
    assert_true(civil_week_begin(year, week, 0, &begin));
    assert_true(begin <= unix_s && unix_s < begin + CIVIL_WEEK_S);
    assert_int_equal(civil_from_unix(begin, 0).weekday, 1);
}

static const struct week_text_row {
    const char *name, *text;
    bool is_ok;
} week_text_rows[] = {
    {"a week", "2026-W38", true},           {"small w", "2026-w38", true},      {"week 53 of a long year", "2026-W53", true},
    {"no week 53 in 2025", "2025-W53", false}, {"week 0", "2026-W00", false},   {"one digit", "2026-W8", false},
    {"no dash", "2026W38", false},          {"a month", "2026-09", false},
};

static void check_week_text(void **state)
{
    const struct week_text_row *row = *state;
    int64_t year;
    int week;
    assert_int_equal(civil_week_parse(gt_str_from(row->text), &year, &week), row->is_ok);
}

/* Every day of four centuries goes there and back. */
static void days_round_trip(void **state)
{
    (void)state;
    int64_t previous = civil_days(1799, 12, 31);
    for (int64_t day = civil_days(1800, 1, 1); day < civil_days(2200, 1, 1); day++) {
        struct civil c = civil_from_unix(day * CIVIL_DAY_S, 0);
        assert_int_equal(civil_days(c.year, c.month, c.day), day);
        assert_int_equal(day, previous + 1);
        previous = day;
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest alone[] = {cmocka_unit_test(days_round_trip)};
    return TABLE_RUN(parse_rows, check_parse) + TABLE_RUN(print_rows, check_print) + TABLE_RUN(week_rows, check_week) +
           TABLE_RUN(week_text_rows, check_week_text) + cmocka_run_group_tests(alone, NULL, NULL);
}
