/* The stretch of time that a report covers: an ISO week, a month, or from one moment to another, in the report's zone. */
#ifndef GT_REPORTS_PERIOD_H
#define GT_REPORTS_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/civil.h"
#include "common/str.h"

enum period_kind { REPORT_WEEK, REPORT_MONTH, REPORT_SPAN };

struct report_period {
    enum period_kind kind;
    int64_t since_unix_s, until_unix_s; /* until is not included: Sunday 24:00 is Monday 00:00 */
};

/* Reads "2026-W38". False when it is no week. */
bool period_week_read(struct gt_str text, int32_t zone_offset_s, struct report_period *ret_period);

/* Reads "2026-11". False when it is no month. */
bool period_month_read(struct gt_str text, int32_t zone_offset_s, struct report_period *ret_period);

/* The week that a report made at `now` is about: the one that holds the day before, so that Monday's report is about the week
 * that ended. */
struct report_period period_week_of(int64_t now_unix_s, int32_t zone_offset_s);

/* What a stretch is: a week or month when it is exactly one, else a span. */
struct report_period period_from(int64_t since_unix_s, int64_t until_unix_s, int32_t zone_offset_s);

/* The period before: the week, the month, or a span of the same length. */
struct report_period period_before(const struct report_period *period, int32_t zone_offset_s);

/* "2026-W38", "2026-11", "2026-09-01~2026-09-20". In the arena. */
struct gt_str period_name(const struct report_period *period, int32_t zone_offset_s, struct arena *arena);

/* "09-14~09-20": first and last day. In the arena. */
struct gt_str period_days(const struct report_period *period, int32_t zone_offset_s, struct arena *arena);

#endif
