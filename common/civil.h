/* The calendar: RFC 3339, ISO 8601 weeks, days. Proleptic Gregorian, no leap seconds, no look at TZ or the locale.
 * Source of the day arithmetic: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
#ifndef GT_COMMON_CIVIL_H
#define GT_COMMON_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/str.h"

enum {
    CIVIL_MINUTE_S = 60,
    CIVIL_HOUR_S = 3600,
    CIVIL_DAY_S = 86400,
    CIVIL_WEEK_S = 7 * 86400,
    /* Asia/Shanghai has been UTC+8 without summer time since 1991-09-15 (tz database), before any price here. */
    CIVIL_SHANGHAI_S = 8 * 3600,
    CIVIL_TEXT_MAX = 40, /* bytes that any text made here needs, with its NUL */
};

/* A moment read as a calendar shows it at a fixed offset from UTC. */
struct civil {
    int64_t year;
    int month;   /* 1..12 */
    int day;     /* 1..31 */
    int hour, minute, second;
    int weekday; /* 1 Monday .. 7 Sunday */
};

/* Reads `t_unix_s` at `offset_s` seconds east of UTC. */
struct civil civil_from_unix(int64_t t_unix_s, int32_t offset_s);

/* Days from 1970-01-01 to the given date (negative before). */
int64_t civil_days(int64_t year, int month, int day);

/* The moment of a date's 00:00 at `offset_s` east of UTC. */
int64_t civil_midnight_unix(int64_t year, int month, int day, int32_t offset_s);

/* The Monday 00:00 before or at a moment, at `offset_s` east of UTC. */
int64_t civil_monday_unix(int64_t t_unix_s, int32_t offset_s);

/* Writes RFC 3339 UTC, such as 2026-09-20T12:00:00Z. Returns `text`. */
const char *civil_rfc3339(int64_t t_unix_s, char text[CIVIL_TEXT_MAX]);

/* Writes the date alone, such as 2026-09-20, as it is at the offset. Returns `text`. */
const char *civil_date(int64_t t_unix_s, int32_t offset_s, char text[CIVIL_TEXT_MAX]);

/* Reads RFC 3339 with a zone, a date (00:00 UTC), or `@seconds`. False when it is none of them. */
bool civil_parse(struct gt_str text, int64_t *ret_unix_s);

/* The ISO week of a moment at the offset: year and week 1..53. */
void civil_week(int64_t t_unix_s, int32_t offset_s, int64_t *ret_year, int *ret_week);

/* The Monday 00:00 at which an ISO week begins. False when the year has no such week. */
bool civil_week_begin(int64_t year, int week, int32_t offset_s, int64_t *ret_unix_s);

/* Reads "2026-W38". False when it is none or the year has no such week. */
bool civil_week_parse(struct gt_str text, int64_t *ret_year, int *ret_week);

#endif
