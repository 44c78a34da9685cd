/* Axes of a chart in whole numbers, so that a drawing is the same on every machine: round steps for values, calendar steps
 * for days. */
#ifndef GT_REPORTS_CHART_AXIS_H
#define GT_REPORTS_CHART_AXIS_H

#include <stdint.h>

#include "common/civil.h"
#include "reports/sink.h"

enum { CHART_TICKS_MAX = 12 };

/* An axis from `low` to `high` drawn over `length` tenths of a pixel, with ticks between. */
struct chart_axis {
    int64_t low, high; /* low < high */
    int64_t length;
    int64_t ticks[CHART_TICKS_MAX];
    int tick_count;
    int months; /* of a time axis: ticks stand months apart (0: days) */
};

/* The value axis over all lines: steps of 1, 2 or 5 times a power of ten. False when there is nothing to draw. */
bool chart_value_axis(const struct chart *chart, int64_t length, struct chart_axis *ret_axis);

/* The time axis over all lines: ticks at midnight of every day, second day, Monday, second Monday, or at the first of every
 * so many months. */
bool chart_time_axis(const struct chart *chart, int32_t zone_offset_s, int64_t length, struct chart_axis *ret_axis);

/* True when a line, or one of a chart's lines that are drawn, was sold out at some time: the chart then says how that looks. */
bool chart_line_has_sold_out(const struct chart_line *line);
bool chart_has_sold_out(const struct chart *chart);

/* What stands at a tick of a time axis: "09-14", with the year where it begins or changes; "2026-09" on an axis of months. */
void chart_tick_label(const struct chart_axis *axis, int i, int32_t zone_offset_s, char ret_text[CIVIL_TEXT_MAX]);

/* Where a value lies on the axis, in tenths of a pixel from its low end. */
int64_t chart_axis_place(const struct chart_axis *axis, int64_t value);

#endif
