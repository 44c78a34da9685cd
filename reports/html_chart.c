/* Step lines as inline SVG. A price holds until the next one is seen, so lines are steps; where an offer was not listed there
 * is a gap. */
#include <stdio.h>

#include "common/civil.h"
#include "pricing/money.h"
#include "reports/chart_axis.h"
#include "reports/html_text.h"

/* The drawing in pixels: the plot inside its margins. */
enum { CHART_W = 860, CHART_H = 300, LEFT = 74, RIGHT = 22, TOP = 26, BOTTOM = 34 };
enum { PLOT_W = CHART_W - LEFT - RIGHT, PLOT_H = CHART_H - TOP - BOTTOM };

/* A coordinate given in tenths of a pixel. */
static void put_tenths(struct sink_writer *writer, int64_t tenths)
{
    out_printf(&writer->out, "%lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
}

static int64_t x_of(const struct chart_axis *time, int64_t t_unix_s)
{
    return LEFT * 10 + chart_axis_place(time, t_unix_s);
}

/* The y axis of SVG points down. */
static int64_t y_of(const struct chart_axis *value, int64_t nano)
{
    return (TOP + PLOT_H) * 10 - chart_axis_place(value, nano);
}

/* Amounts stand left of the plot, on their lines. */
static void put_value_axis(struct sink_writer *writer, const struct chart_axis *axis)
{
    for (int i = 0; i < axis->tick_count; i++) {
        char amount[MONEY_TEXT_MAX];
        int64_t y = y_of(axis, axis->ticks[i]);
        out_printf(&writer->out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"", LEFT, LEFT + PLOT_W);
        put_tenths(writer, y);
        out_text(&writer->out, "\" y2=\"");
        put_tenths(writer, y);
        out_printf(&writer->out, "\"/><text x=\"%d\" y=\"", LEFT - 8);
        put_tenths(writer, y + 40);
        out_printf(&writer->out, "\" text-anchor=\"end\">%s</text>\n", money_format(axis->ticks[i], amount));
    }
}

/* Dates stand under their marks. */
static void put_time_axis(struct sink_writer *writer, const struct chart_axis *axis)
{
    out_printf(&writer->out, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", LEFT, LEFT + PLOT_W,
               TOP + PLOT_H, TOP + PLOT_H);
    for (int i = 0; i < axis->tick_count; i++) {
        char text[CIVIL_TEXT_MAX];
        int64_t x = x_of(axis, axis->ticks[i]);
        chart_tick_label(axis, i, writer->head.zone_offset_s, text);
        out_text(&writer->out, "<line class=\"axis\" x1=\"");
        put_tenths(writer, x);
        out_text(&writer->out, "\" x2=\"");
        put_tenths(writer, x);
        out_printf(&writer->out, "\" y1=\"%d\" y2=\"%d\"/><text x=\"", TOP + PLOT_H, TOP + PLOT_H + 5);
        put_tenths(writer, x);
        out_printf(&writer->out, "\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", TOP + PLOT_H + 20, text);
    }
}

/* A line's steps that were sold out, or those that were not: joined where a step begins at the moment at which the one before ends, else
 * with a gap. */
static void put_steps(struct sink_writer *writer, const struct chart_line *line, bool is_sold_out, size_t colour, const struct chart_axis *time,
                      const struct chart_axis *value)
{
    out_printf(&writer->out, "<path class=\"l k%zu%s\" d=\"", colour, is_sold_out ? " o" : "");
    for (size_t i = 0; i < line->count; i++) {
        const struct chart_step *step = &line->steps[i];
        if (step->is_sold_out != is_sold_out) continue;
        bool is_joined = i > 0 && line->steps[i - 1].to_unix_s == step->from_unix_s && line->steps[i - 1].is_sold_out == is_sold_out;
        int64_t x = x_of(time, step->from_unix_s), x_end = x_of(time, step->to_unix_s), y = y_of(value, step->value_nano);
        if (is_joined) {
            out_text(&writer->out, "V");
        } else {
            out_text(&writer->out, "M");
            put_tenths(writer, x);
            out_text(&writer->out, " ");
        }
        put_tenths(writer, y);
        out_text(&writer->out, "H");
        /* A price seen once is a dot, not nothing. */
        put_tenths(writer, x_end > x ? x_end : x + 1);
    }
    out_text(&writer->out, "\"><title>");
    html_text(writer, line->name);
    out_text(&writer->out, "</title></path>\n");
}

static void put_line(struct sink_writer *writer, const struct chart_line *line, size_t colour, const struct chart_axis *time,
                     const struct chart_axis *value)
{
    put_steps(writer, line, false, colour, time, value);
    if (chart_line_has_sold_out(line)) put_steps(writer, line, true, colour, time, value);
}

static void put_note(struct sink_writer *writer, struct gt_str text)
{
    out_text(&writer->out, "<p class=\"note\">");
    html_text(writer, text);
    out_text(&writer->out, "</p>\n");
}

/* Under the drawing, not in it: names are long, and a legend inside would hide lines. It carries the latest price, so that the
 * chart can be read on paper. */
static void put_legend(struct sink_writer *writer, const struct chart *chart, size_t count)
{
    out_text(&writer->out, "<ul class=\"legend\">\n");
    for (size_t i = 0; i < count; i++) {
        const struct chart_line *line = &chart->lines[i];
        char amount[MONEY_TEXT_MAX];
        out_printf(&writer->out,
                   "<li><svg viewBox=\"0 0 30 10\" aria-hidden=\"true\"><path class=\"l k%zu\" d=\"M1 5H29\"/></svg>", i);
        html_text(writer, line->name);
        if (line->count > 0)
            out_printf(&writer->out, " <b>%s</b>", money_format(line->steps[line->count - 1].value_nano, amount));
        out_text(&writer->out, "</li>\n");
    }
    out_text(&writer->out, "</ul>\n");
    size_t left = chart->count - count + chart->more;
    if (left == 0) return;
    char more[32];
    snprintf(more, sizeof more, "%zu", left);
    struct gt_str args[] = {gt_str_from(more)};
    put_note(writer, phrase(writer->scratch, writer->head.lang, LABEL_CHART_MORE, args, 1));
}

/* The unit above the value axis; an axis that does not begin at 0 says so, because it makes moves look larger. */
static void put_unit(struct sink_writer *writer, const struct chart *chart, const struct chart_axis *value)
{
    out_printf(&writer->out, "<text x=\"%d\" y=\"14\">", LEFT - 66);
    html_text(writer, chart->unit);
    if (value->low > 0) {
        out_text(&writer->out, " · ");
        html_text(writer, label(writer->head.lang, LABEL_AXIS_NOT_ZERO));
    }
    out_text(&writer->out, "</text>\n");
}

void html_chart(struct sink_writer *writer, const struct chart *chart, int number)
{
    struct chart_axis time, value;
    if (!chart_value_axis(chart, PLOT_H * 10, &value) || !chart_time_axis(chart, writer->head.zone_offset_s, PLOT_W * 10, &time))
        return;
    size_t count = chart->count < SINK_CHART_LINES_MAX ? chart->count : SINK_CHART_LINES_MAX;
    out_printf(&writer->out, "<figure tabindex=\"0\">\n<figcaption id=\"chart%d\">", number);
    html_text(writer, chart->caption);
    out_printf(&writer->out,
               "</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"chart%d\">\n", CHART_W,
               CHART_H, number);
    put_unit(writer, chart, &value);
    put_value_axis(writer, &value);
    put_time_axis(writer, &time);
    for (size_t i = 0; i < count; i++) put_line(writer, &chart->lines[i], i, &time, &value);
    out_text(&writer->out, "</svg>\n");
    put_legend(writer, chart, count);
    if (chart_has_sold_out(chart)) put_note(writer, label(writer->head.lang, LABEL_CHART_SOLD_OUT));
    out_text(&writer->out, "</figure>\n");
}
