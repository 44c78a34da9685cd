#include "common/civil.h"

#include <stdio.h>

enum { ERA_DAYS = 146097, ERA_YEARS = 400, DAYS_0000_TO_1970 = 719468 };

/* Division that rounds down for negative numbers too. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t civil_days(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = floor_div(year, ERA_YEARS);
    int64_t year_of_era = year - era * ERA_YEARS;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * ERA_DAYS + day_of_era - DAYS_0000_TO_1970;
}

static void date_from_days(int64_t days, struct civil *ret)
{
    days += DAYS_0000_TO_1970;
    int64_t era = floor_div(days, ERA_DAYS);
    int64_t doe = days - era * ERA_DAYS;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t shifted_month = (5 * doy + 2) / 153;
    ret->day = (int)(doy - (153 * shifted_month + 2) / 5 + 1);
    ret->month = (int)(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    ret->year = yoe + era * ERA_YEARS + (ret->month <= 2);
}

struct civil civil_from_unix(int64_t t_unix_s, int32_t offset_s)
{
    struct civil ret = {0};
    int64_t local = t_unix_s + offset_s;
    int64_t days = floor_div(local, CIVIL_DAY_S);
    int64_t rest = local - days * CIVIL_DAY_S;
    date_from_days(days, &ret);
    ret.hour = (int)(rest / CIVIL_HOUR_S);
    ret.minute = (int)(rest % CIVIL_HOUR_S / CIVIL_MINUTE_S);
    ret.second = (int)(rest % CIVIL_MINUTE_S);
    /* 1970-01-01 was a Thursday (4). */
    ret.weekday = (int)(((days + 3) % 7 + 7) % 7 + 1);
    return ret;
}

int64_t civil_midnight_unix(int64_t year, int month, int day, int32_t offset_s)
{
    return civil_days(year, month, day) * CIVIL_DAY_S - offset_s;
}

int64_t civil_monday_unix(int64_t t_unix_s, int32_t offset_s)
{
    struct civil now = civil_from_unix(t_unix_s, offset_s);
    return civil_midnight_unix(now.year, now.month, now.day, offset_s) - (int64_t)(now.weekday - 1) * CIVIL_DAY_S;
}

const char *civil_rfc3339(int64_t t_unix_s, char text[CIVIL_TEXT_MAX])
{
    struct civil c = civil_from_unix(t_unix_s, 0);
    snprintf(text, CIVIL_TEXT_MAX, "%04lld-%02d-%02dT%02d:%02d:%02dZ", (long long)c.year, c.month, c.day, c.hour,
             c.minute, c.second);
    return text;
}

const char *civil_date(int64_t t_unix_s, int32_t offset_s, char text[CIVIL_TEXT_MAX])
{
    struct civil c = civil_from_unix(t_unix_s, offset_s);
    snprintf(text, CIVIL_TEXT_MAX, "%04lld-%02d-%02d", (long long)c.year, c.month, c.day);
    return text;
}

/* Reads exactly `digits` ASCII digits at *at and moves it on. */
static bool take_digits(struct gt_str text, size_t *at, int digits, int64_t *ret)
{
    int64_t value = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (*at >= text.len || text.ptr[*at] < '0' || text.ptr[*at] > '9') return false;
        value = value * 10 + (text.ptr[*at] - '0');
    }
    *ret = value;
    return true;
}

static bool take_char(struct gt_str text, size_t *at, const char *any_of)
{
    if (*at >= text.len || strchr(any_of, text.ptr[*at]) == NULL || text.ptr[*at] == '\0') return false;
    (*at)++;
    return true;
}

static int month_days(int64_t year, int64_t month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

/* Only days that exist: 2026-02-30 is a slip, and making the 2nd of March of it would hide that. */
static bool take_date(struct gt_str text, size_t *at, int64_t *ret_days)
{
    int64_t year, month, day;
    if (!take_digits(text, at, 4, &year) || !take_char(text, at, "-") || !take_digits(text, at, 2, &month) ||
        !take_char(text, at, "-") || !take_digits(text, at, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > month_days(year, month)) return false;
    *ret_days = civil_days(year, (int)month, (int)day);
    return true;
}

/* Required: a time without its zone may be eight hours off in the market that this reads most of. */
static bool take_zone(struct gt_str text, size_t *at, int64_t *ret_offset_s)
{
    *ret_offset_s = 0;
    if (take_char(text, at, "Zz")) return true;
    int64_t hours, minutes;
    bool is_west = *at < text.len && text.ptr[*at] == '-';
    if (!take_char(text, at, "+-") || !take_digits(text, at, 2, &hours) || !take_char(text, at, ":") ||
        !take_digits(text, at, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *ret_offset_s = (hours * CIVIL_HOUR_S + minutes * CIVIL_MINUTE_S) * (is_west ? -1 : 1);
    return true;
}

static bool parse_seconds(struct gt_str text, int64_t *ret_unix_s)
{
    bool is_negative = text.len > 0 && text.ptr[0] == '-';
    struct gt_str digits = gt_str_slice(text, is_negative, SIZE_MAX);
    /* 12 digits reach the year 33658: more is a slip. */
    if (digits.len == 0 || digits.len > 12) return false;
    int64_t value;
    size_t at = 0;
    if (!take_digits(digits, &at, (int)digits.len, &value)) return false;
    *ret_unix_s = is_negative ? -value : value;
    return true;
}

/* Second 60 is taken (a leap second is printed so) and is the first of the next minute. */
bool civil_parse(struct gt_str text, int64_t *ret_unix_s)
{
    if (text.len > 0 && text.ptr[0] == '@') return parse_seconds(gt_str_slice(text, 1, SIZE_MAX), ret_unix_s);
    size_t at = 0;
    int64_t days, hour = 0, minute = 0, second = 0, offset_s = 0, fraction;
    if (!take_date(text, &at, &days)) return false;
    if (at < text.len) {
        if (!take_char(text, &at, "Tt ") || !take_digits(text, &at, 2, &hour) || !take_char(text, &at, ":") ||
            !take_digits(text, &at, 2, &minute) || !take_char(text, &at, ":") || !take_digits(text, &at, 2, &second))
            return false;
        if (take_char(text, &at, "."))
            while (take_digits(text, &at, 1, &fraction)) continue;
        if (!take_zone(text, &at, &offset_s) || at != text.len) return false;
    }
    if (hour > 23 || minute > 59 || second > 60) return false;
    *ret_unix_s = days * CIVIL_DAY_S + hour * CIVIL_HOUR_S + minute * CIVIL_MINUTE_S + second - offset_s;
    return true;
}

/* Days from 1970 of the Monday of week 1: the week that holds 4 January. */
static int64_t week_one_days(int64_t year)
{
    int64_t jan4 = civil_days(year, 1, 4);
    int64_t weekday = ((jan4 + 3) % 7 + 7) % 7; /* 0 Monday */
    return jan4 - weekday;
}

void civil_week(int64_t t_unix_s, int32_t offset_s, int64_t *ret_year, int *ret_week)
{
    int64_t days = floor_div(t_unix_s + offset_s, CIVIL_DAY_S);
    int64_t year = civil_from_unix(t_unix_s, offset_s).year + 1;
    while (days < week_one_days(year)) year--;
    *ret_year = year;
    *ret_week = (int)((days - week_one_days(year)) / 7 + 1);
}

bool civil_week_begin(int64_t year, int week, int32_t offset_s, int64_t *ret_unix_s)
{
    int64_t days = week_one_days(year) + (int64_t)(week - 1) * 7;
    if (week < 1 || days >= week_one_days(year + 1)) return false;
    *ret_unix_s = days * CIVIL_DAY_S - offset_s;
    return true;
}

bool civil_week_parse(struct gt_str text, int64_t *ret_year, int *ret_week)
{
    size_t at = 0;
    int64_t year, week, begin;
    if (!take_digits(text, &at, 4, &year) || !take_char(text, &at, "-") || !take_char(text, &at, "Ww") ||
        !take_digits(text, &at, 2, &week) || at != text.len || !civil_week_begin(year, (int)week, 0, &begin))
        return false;
    *ret_year = year;
    *ret_week = (int)week;
    return true;
}
