#include "reports/chart_axis.h"

#include "pricing/money.h"

enum { TICKS_WANTED = 6 };

/* Lines beyond the limit are not drawn, so they must not stretch the axes either. */
static size_t lines_drawn(const struct chart *chart)
{
    return chart->count < SINK_CHART_LINES_MAX ? chart->count : SINK_CHART_LINES_MAX;
}

/* Rounds down (up) to a multiple of `step`, also below zero. */
static int64_t floor_to(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

/* The smallest of 1, 2, 5, 10, 20 … that is at least `least`. */
static int64_t round_step(int64_t least)
{
    int64_t step = 1;
    for (int i = 0; step < least && step < INT64_MAX / 5; i++) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

bool chart_value_axis(const struct chart *chart, int64_t length, struct chart_axis *ret_axis)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < lines_drawn(chart); i++)
        for (size_t k = 0; k < chart->lines[i].count; k++) {
            int64_t value = chart->lines[i].steps[k].value_nano;
            if (value < low) low = value;
            if (value > high) high = value;
        }
    if (low > high || low < 0 || high > INT64_MAX / 4) return false;
    /* A flat line stands in the middle of a band of a tenth of its value, instead of filling the drawing with noise. */
    int64_t least_band = high / 10 > 0 ? high / 10 : 10;
    if (high - low < least_band) {
        low -= (least_band - (high - low)) / 2;
        high = low + least_band;
    }
    if (low < 0) low = 0;
    int64_t step = round_step((high - low) / TICKS_WANTED > 0 ? (high - low) / TICKS_WANTED : 1);
    struct chart_axis axis = {.low = floor_to(low, step), .high = floor_to(high + step - 1, step), .length = length};
    /* No line on the frame: there it reads as part of it. */
    if (axis.low == low && low >= step) axis.low -= step;
    if (axis.high == high) axis.high += step;
    for (int64_t t = axis.low; t <= axis.high && axis.tick_count < CHART_TICKS_MAX; t += step) axis.ticks[axis.tick_count++] = t;
    *ret_axis = axis;
    return true;
}

/* Days between ticks, or months; 0 0 closes the list. Weeks begin on Monday. */
static const struct tick_step {
    int days, months;
} tick_steps[] = {{1, 0}, {2, 0}, {7, 0}, {14, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 6}, {0, 12}, {0, 24}, {0, 60}, {0, 0}};

/* The first tick at or after `from`. */
static int64_t first_tick(int64_t from_unix_s, int32_t zone_offset_s, struct tick_step step)
{
    struct civil c = civil_from_unix(from_unix_s, zone_offset_s);
    if (step.months > 0)
        return civil_midnight_unix(c.year, step.months < 12 ? c.month - (c.month - 1) % step.months : 1, 1, zone_offset_s);
    int64_t day = civil_days(c.year, c.month, c.day);
    int64_t back = step.days >= 7 ? c.weekday - 1 : day % step.days;
    return (day - back) * CIVIL_DAY_S - zone_offset_s;
}

/* Months have no fixed length; days do, because the zone is a fixed offset. */
static int64_t next_tick(int64_t t_unix_s, int32_t zone_offset_s, struct tick_step step)
{
    if (step.months == 0) return t_unix_s + step.days * CIVIL_DAY_S;
    struct civil c = civil_from_unix(t_unix_s, zone_offset_s);
    int64_t months = c.year * 12 + c.month - 1 + step.months;
    return civil_midnight_unix(months / 12, (int)(months % 12) + 1, 1, zone_offset_s);
}

/* Sets the ticks of one step; false when there are too many. */
static bool set_ticks(struct chart_axis *axis, int32_t zone_offset_s, struct tick_step step)
{
    axis->tick_count = 0;
    axis->months = step.months;
    for (int64_t t = first_tick(axis->low, zone_offset_s, step); t <= axis->high; t = next_tick(t, zone_offset_s, step)) {
        if (t < axis->low) continue;
        if (axis->tick_count >= TICKS_WANTED + 2) return false;
        axis->ticks[axis->tick_count++] = t;
    }
    return true;
}

bool chart_time_axis(const struct chart *chart, int32_t zone_offset_s, int64_t length, struct chart_axis *ret_axis)
{
    struct chart_axis axis = {.low = INT64_MAX, .high = INT64_MIN, .length = length};
    for (size_t i = 0; i < lines_drawn(chart); i++)
        for (size_t k = 0; k < chart->lines[i].count; k++) {
            const struct chart_step *step = &chart->lines[i].steps[k];
            if (step->from_unix_s < axis.low) axis.low = step->from_unix_s;
            if (step->to_unix_s > axis.high) axis.high = step->to_unix_s;
        }
    /* Times of no calendar we keep would make the tick loop long: years 1970 to about 4000. */
    if (axis.low > axis.high || axis.low < 0 || axis.high > (int64_t)64 << 30) return false;
    if (axis.high - axis.low < CIVIL_DAY_S) axis.high = axis.low + CIVIL_DAY_S;
    for (const struct tick_step *step = tick_steps; step->days + step->months > 0; step++)
        if (set_ticks(&axis, zone_offset_s, *step)) break;
    *ret_axis = axis;
    return true;
}

bool chart_line_has_sold_out(const struct chart_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->steps[i].is_sold_out) return true;
    return false;
}

bool chart_has_sold_out(const struct chart *chart)
{
    for (size_t i = 0; i < chart->count && i < SINK_CHART_LINES_MAX; i++)
        if (chart_line_has_sold_out(&chart->lines[i])) return true;
    return false;
}

void chart_tick_label(const struct chart_axis *axis, int i, int32_t zone_offset_s, char text[CIVIL_TEXT_MAX])
{
    char date[CIVIL_TEXT_MAX];
    civil_date(axis->ticks[i], zone_offset_s, date);
    int64_t year = civil_from_unix(axis->ticks[i], zone_offset_s).year;
    bool is_new_year = i == 0 || civil_from_unix(axis->ticks[i - 1], zone_offset_s).year != year;
    if (axis->months > 0) snprintf(text, CIVIL_TEXT_MAX, "%.7s", date);
    else snprintf(text, CIVIL_TEXT_MAX, "%s", is_new_year ? date : date + 5);
}

int64_t chart_axis_place(const struct chart_axis *axis, int64_t value)
{
    int64_t place;
    if (money_scale(value - axis->low, axis->length, axis->high - axis->low, ROUND_HALF_UP, &place) != GT_OK) return 0;
    return place;
}
