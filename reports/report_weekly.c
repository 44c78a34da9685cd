/* `report`: the weekly report (or that of a month or a span): its first screen is the whole message, the sections below are
 * its evidence. */
#include "reports/weekly_write.h"

/* How far back the prices are read: charts want eight weeks, the other formats the period alone. */
static int64_t history_since(const struct report_period *period, const struct sink *sink)
{
    int64_t since = period->until_unix_s - WEEKLY_CHART_DAYS * (int64_t)CIVIL_DAY_S;
    return sink->chart != NULL && since < period->since_unix_s ? since : period->since_unix_s;
}

static enum gt_err weekly_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct weekly_frame frame = {0};
    struct report_period period;
    enum gt_err err = frame_init(&frame.base, input, info);
    if (err == GT_OK) err = frame_period(input, period_week_of(input->now_unix_s, input->zone_offset_s), &period, info);
    if (err == GT_OK) err = weekly_read(input, &period, history_since(&period, sink), frame.base.arena, &frame.weekly, info);
    if (err != GT_OK) goto out;
    err = fx_shown_init(&frame.base.fx, input, frame.weekly.rows.rows, frame.weekly.rows.count, frame.weekly.at_unix_s,
                        frame.base.arena);
    if (err != GT_OK) {
        gt_fail(info, err, "reading exchange rates: %s", gt_err_text(err));
        goto out;
    }
    frame.base.is_sample |= frame.weekly.is_sample;
    frame.base.board = frame.weekly.board;
    err = frame_open(&frame.base, sink, file, weekly_title(&frame), weekly_terms(&frame), weekly_subtitle(&frame), info);
    if (err != GT_OK) goto out;
    if (sink->is_data) {
        err = weekly_data(&frame);
        goto out;
    }
    err = weekly_first_screen(&frame);
    if (err == GT_OK) err = weekly_corrections(&frame);
    if (err == GT_OK) err = weekly_sections(&frame);
    if (err != GT_OK) gt_fail(info, err, "writing the weekly report: %s", gt_err_text(err));
out:
    return frame_done(&frame.base, err, info);
}

const struct report report_weekly = {"report", "the weekly report: what moved, where the lows are, what to check", weekly_run};
