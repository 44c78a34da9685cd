#include "reports/history_chart.h"

#include "reports/name.h"

/* The line of one offer: its spans that count, joined where the next run continues without a gap. */
bool history_chart_line(const struct history_offer *offer, const struct history_chart_view *view, struct arena *arena,
                        struct chart_line *ret_line)
{
    struct chart_step *steps = arena_array(arena, offer->count, sizeof *steps);
    struct gt_str site = name_site(&offer->spans[0].row, view->lang);
    struct gt_str name = name_offer(&offer->spans[0].row.offer.identity, arena);
    size_t count = 0;
    if (steps == NULL) return false;
    for (size_t i = 0; i < offer->count; i++) {
        const struct history_span *span = &offer->spans[i];
        if (!history_span_counts(span)) continue;
        struct chart_step step = {
            .from_unix_s = span->first_unix_s,
            .to_unix_s = span->last_unix_s,
            .value_nano = span->price_nano,
            .is_sold_out = span->row.offer.record.availability == AVAIL_SOLD_OUT};
        if (span->is_joined && history_span_counts(&offer->spans[i + 1])) step.to_unix_s = offer->spans[i + 1].first_unix_s;
        if (step.from_unix_s < view->since_unix_s) step.from_unix_s = view->since_unix_s;
        if (step.to_unix_s >= step.from_unix_s) steps[count++] = step;
    }
    *ret_line = (struct chart_line){
        .name = arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(site), GT_STR_ARG(name)), .steps = steps, .count = count};
    return count > 0;
}

/* One chart for offers of one class and currency. */
static int write_chart(const struct history_offer *offers, size_t count, const struct history_chart_view *view,
                       struct arena *arena, struct sink_writer *writer)
{
    struct chart_line *lines = arena_array(arena, count, sizeof *lines);
    struct chart chart = {.caption = view->caption, .lines = lines, .more = view->left_out};
    if (chart.caption.len == 0) chart.caption = name_class(offers[0].class, view->lang, arena);
    if (lines == NULL) return 0;
    for (size_t i = 0; i < count; i++) chart.count += history_chart_line(&offers[i], view, arena, &lines[chart.count]);
    struct gt_str currency = gt_str_from(offers[0].currency.code);
    chart.unit = phrase(arena, view->lang, view->persona->pay == PERIOD_HOUR ? LABEL_UNIT_HOUR : LABEL_UNIT_MONTH, &currency, 1);
    if (chart.count > 0) sink_chart(writer, &chart);
    return chart.count > 0;
}

/* True when the price of one of the offers moved. */
static bool has_move(const struct history_offer *offers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (offers[i].low_nano != offers[i].high_nano) return true;
    return false;
}

int history_chart_write(const struct history *history, struct gt_str class, const struct history_chart_view *view,
                        struct arena *arena, struct sink_writer *writer)
{
    int charts = 0;
    for (size_t i = 0, count; i < history->offer_count && sink_has_charts(writer); i += count) {
        count = history_class_count(history, i);
        if (view->moved_only && !has_move(history->offers + i, count)) continue;
        if (gt_str_eq(history->offers[i].class, class)) charts += write_chart(history->offers + i, count, view, arena, writer);
    }
    return charts;
}
