/* The chart of one comparison class: a step line for each of its offers. */
#ifndef GT_REPORTS_HISTORY_CHART_H
#define GT_REPORTS_HISTORY_CHART_H

#include "reports/history.h"

/* What a chart needs beside the history. */
struct history_chart_view {
    enum gt_lang lang;
    const struct persona *persona; /* says whether the prices are per hour or month */
    bool moved_only;               /* no chart of a class in which no price moved */
    struct gt_str caption;         /* empty: the name of the class */
    int64_t since_unix_s;          /* earlier parts of a span are not drawn */
    size_t left_out;               /* offers of the class that are not in the history */
};

/* The line of one offer: its spans that count from since_unix_s on. In the arena. False when there is none. */
bool history_chart_line(const struct history_offer *offer, const struct history_chart_view *view, struct arena *arena,
                        struct chart_line *ret_line);

/* Writes the charts of a class, one for each currency in it. Returns how many. */
int history_chart_write(const struct history *history, struct gt_str class, const struct history_chart_view *view,
                        struct arena *arena, struct sink_writer *writer);

#endif
