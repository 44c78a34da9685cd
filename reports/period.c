#include "reports/period.h"

enum { YEAR_FIRST = 1970 };

bool period_week_read(struct gt_str text, int32_t zone_offset_s, struct report_period *ret_period)
{
    int64_t year, since;
    int week;
    if (!civil_week_parse(text, &year, &week) || year < YEAR_FIRST || !civil_week_begin(year, week, zone_offset_s, &since)) return false;
    *ret_period = (struct report_period){REPORT_WEEK, since, since + CIVIL_WEEK_S};
    return true;
}

/* The month that begins `months` after year 0. */
static struct report_period month_from(int64_t months, int32_t zone_offset_s)
{
    int64_t next = months + 1;
    return (struct report_period){REPORT_MONTH, civil_midnight_unix(months / 12, (int)(months % 12) + 1, 1, zone_offset_s),
                                  civil_midnight_unix(next / 12, (int)(next % 12) + 1, 1, zone_offset_s)};
}

/* Months since year 0 of the month that holds a moment. */
static int64_t month_of(int64_t t_unix_s, int32_t zone_offset_s)
{
    struct civil c = civil_from_unix(t_unix_s, zone_offset_s);
    return c.year * 12 + c.month - 1;
}

bool period_month_read(struct gt_str text, int32_t zone_offset_s, struct report_period *ret_period)
{
    int64_t number = 0;
    if (text.len != 7 || text.ptr[4] != '-') return false;
    for (size_t i = 0; i < text.len; i++) {
        if (i == 4) continue;
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
        number = number * 10 + (text.ptr[i] - '0');
    }
    int64_t year = number / 100, month = number % 100;
    if (year < YEAR_FIRST || month < 1 || month > 12) return false;
    *ret_period = month_from(year * 12 + month - 1, zone_offset_s);
    return true;
}

struct report_period period_week_of(int64_t now_unix_s, int32_t zone_offset_s)
{
    int64_t since = civil_monday_unix(now_unix_s - CIVIL_DAY_S, zone_offset_s);
    return (struct report_period){REPORT_WEEK, since, since + CIVIL_WEEK_S};
}

struct report_period period_from(int64_t since_unix_s, int64_t until_unix_s, int32_t zone_offset_s)
{
    struct report_period month = month_from(month_of(since_unix_s, zone_offset_s), zone_offset_s);
    if (month.since_unix_s == since_unix_s && month.until_unix_s == until_unix_s) return month;
    bool is_week = civil_monday_unix(since_unix_s, zone_offset_s) == since_unix_s && until_unix_s - since_unix_s == CIVIL_WEEK_S;
    return (struct report_period){is_week ? REPORT_WEEK : REPORT_SPAN, since_unix_s, until_unix_s};
}

struct report_period period_before(const struct report_period *period, int32_t zone_offset_s)
{
    if (period->kind == REPORT_MONTH) return month_from(month_of(period->since_unix_s, zone_offset_s) - 1, zone_offset_s);
    int64_t length = period->until_unix_s - period->since_unix_s;
    return (struct report_period){period->kind, period->since_unix_s - length, period->since_unix_s};
}

struct gt_str period_name(const struct report_period *period, int32_t zone_offset_s, struct arena *arena)
{
    char first[CIVIL_TEXT_MAX], last[CIVIL_TEXT_MAX];
    int64_t year;
    int week;
    civil_date(period->since_unix_s, zone_offset_s, first);
    civil_date(period->until_unix_s - 1, zone_offset_s, last);
    if (period->kind == REPORT_MONTH) return arena_printf(arena, "%.7s", first);
    if (period->kind == REPORT_SPAN) return arena_printf(arena, "%s~%s", first, last);
    civil_week(period->since_unix_s, zone_offset_s, &year, &week);
    return arena_printf(arena, "%lld-W%02d", (long long)year, week);
}

struct gt_str period_days(const struct report_period *period, int32_t zone_offset_s, struct arena *arena)
{
    struct civil first = civil_from_unix(period->since_unix_s, zone_offset_s);
    struct civil last = civil_from_unix(period->until_unix_s - 1, zone_offset_s);
    return arena_printf(arena, "%02d-%02d~%02d-%02d", first.month, first.day, last.month, last.day);
}
