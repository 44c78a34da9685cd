#include "reports/picture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/program.h"
#include "common/strbuf.h"
#include "pricing/money.h"
#include "reports/chart_axis.h"
#include "reports/sink_writer.h"

enum {
    TITLE_HEIGHT = 60, /* pixels, as all measures before `scale` */
    LEGEND_HEIGHT = 22,
    COMMANDS_BYTES_MAX = 1024 * 1024,
    DRAW_MS = 60 * 1000,
    HEAD_BYTES = 5, /* by which a picture is known */
};

/* What a picture is for decides its size. */
struct picture_form {
    const struct sink *sink;
    const char *terminal;
    int charts_max, columns, width, row_height;
    int scale;         /* of every pixel, for print */
    size_t name_bytes; /* of an offer's name under its chart */
    char head[HEAD_BYTES];
    size_t bytes_max;
    bool is_file; /* has the room to say more, and to give every name a line */
};

/* More charts than six are too small on a telephone; in a file they stand below each other, as wide as a page. */
static const struct picture_form forms[] = {
    {&picture_sink, "pngcairo", 6, 2, 1200, 380, 1, 60, "\x89PNG\r", PICTURE_BYTES_MAX, false},
    {&picture_sink_png, "pngcairo", 24, 1, 1000, 400, 2, 110, "\x89PNG\r", PICTURE_FILE_BYTES_MAX, true},
    {&picture_sink_svg, "svg", 24, 1, 1000, 400, 1, 110, "<?xml", PICTURE_FILE_BYTES_MAX, true},
};

static const struct picture_form *form_of(const struct sink *sink)
{
    size_t i = sizeof forms / sizeof forms[0] - 1;
    while (i > 0 && forms[i].sink != sink) i--;
    return &forms[i];
}

/* The colours of the html report on white; marks and dashes differ too, so that a line is known without its colour. */
static const char line_types[] = "set linetype 1 linecolor rgb '#0072b2' pointtype 7\n"
                                 "set linetype 2 linecolor rgb '#c24e00' pointtype 5\n"
                                 "set linetype 3 linecolor rgb '#00795a' pointtype 9\n"
                                 "set linetype 4 linecolor rgb '#a8457f' pointtype 11\n"
                                 "set linetype 5 linecolor rgb '#2a8fc7' pointtype 6 dashtype '-'\n"
                                 "set linetype 6 linecolor rgb '#a66f00' pointtype 4 dashtype '_'\n"
                                 "set linetype 7 linecolor rgb '#1b1f24' pointtype 8 dashtype '-.'\n"
                                 "set linetype 8 linecolor rgb '#6b4a1f' pointtype 10 dashtype '_..'\n";

/* Data go out as they come; what plots them follows at the end, when it is known how many charts there are. */
struct picture_state {
    const struct picture_form *form;
    struct strbuf plots;
    int charts, charts_left_out;
    size_t lines_max; /* of one chart: its legend's */
};

/* Between single quotes gnuplot reads nothing but a doubled quote; sink_printable leaves no line end. */
static void add_quoted(struct strbuf *plots, struct sink_writer *writer, struct gt_str text)
{
    struct gt_str printable = sink_printable(writer, text);
    strbuf_addc(plots, '\'');
    for (size_t i = 0; i < printable.len; i++) {
        if (printable.ptr[i] == '\'') strbuf_addc(plots, '\'');
        strbuf_addc(plots, printable.ptr[i]);
    }
    strbuf_addc(plots, '\'');
}

static void picture_begin(struct sink_writer *writer)
{
    struct picture_state *state = writer->state;
    state->form = form_of(writer->sink);
    strbuf_init(&state->plots, COMMANDS_BYTES_MAX);
}

/* Both ends of each step and whether it was sold out; an empty line where the offer was not listed, which leaves a gap. */
static void put_steps(struct sink_writer *writer, const struct chart_line *line)
{
    int64_t zone_s = writer->head.zone_offset_s;
    for (size_t i = 0; i < line->count; i++) {
        const struct chart_step *step = &line->steps[i];
        char amount[MONEY_TEXT_MAX];
        money_format(step->value_nano, amount);
        if (i > 0 && line->steps[i - 1].to_unix_s != step->from_unix_s) out_text(&writer->out, "\n");
        out_printf(&writer->out, "%lld %s %d\n%lld %s %d\n", (long long)step->from_unix_s + zone_s, amount, step->is_sold_out,
                   (long long)step->to_unix_s + zone_s, amount, step->is_sold_out);
    }
}

/* "、另有 3 条报价未画出" behind a title. */
static void add_count(struct strbuf *plots, struct sink_writer *writer, enum label text, size_t count)
{
    struct gt_str number = arena_printf(writer->scratch, "%zu", count);
    if (count == 0) return;
    strbuf_adds(plots, ".'  '.");
    add_quoted(plots, writer, phrase(writer->scratch, writer->head.lang, text, &number, 1));
}

/* The axes are the html report's. */
static void add_axes(struct strbuf *plots, struct sink_writer *writer, const struct chart_axis *time, const struct chart_axis *value)
{
    int32_t zone_s = writer->head.zone_offset_s;
    char low[MONEY_TEXT_MAX], high[MONEY_TEXT_MAX], day[CIVIL_TEXT_MAX];
    if (value->low > 0) {
        strbuf_adds(plots, ".' · '.");
        add_quoted(plots, writer, label(writer->head.lang, LABEL_AXIS_NOT_ZERO));
    }
    strbuf_addf(plots, " \nset yrange [%s:%s]\nset xrange ['%lld':'%lld']\nset xtics (", money_format(value->low, low),
                money_format(value->high, high), (long long)time->low + zone_s, (long long)time->high + zone_s);
    for (int i = 0; i < time->tick_count; i++) {
        chart_tick_label(time, i, zone_s, day);
        strbuf_addf(plots, "%s'%s' '%lld'", i > 0 ? ", " : "", day, (long long)time->ticks[i] + zone_s);
    }
    strbuf_adds(plots, ") \nplot ");
}

/* What stands over and beside one chart: all that a reader must know of it. */
static void add_words(struct strbuf *plots, struct sink_writer *writer, const struct chart *chart, size_t shown)
{
    strbuf_adds(plots, "set title ");
    add_quoted(plots, writer, chart->caption);
    add_count(plots, writer, LABEL_CHART_MORE, chart->count - shown + chart->more);
    if (chart_has_sold_out(chart)) {
        strbuf_adds(plots, ".'  '.");
        add_quoted(plots, writer, label(writer->head.lang, LABEL_CHART_SOLD_OUT));
    }
    strbuf_adds(plots, " \nset ylabel ");
    add_quoted(plots, writer, chart->unit);
}

static void picture_chart(struct sink_writer *writer, const struct chart *chart)
{
    struct picture_state *state = writer->state;
    struct chart_axis time, value;
    size_t count = chart->count < SINK_CHART_LINES_MAX ? chart->count : SINK_CHART_LINES_MAX;
    if (!chart_value_axis(chart, 1, &value) || !chart_time_axis(chart, writer->head.zone_offset_s, 1, &time)) return;
    if (state->charts == state->form->charts_max) {
        state->charts_left_out++;
        return;
    }
    add_words(&state->plots, writer, chart, count);
    add_axes(&state->plots, writer, &time, &value);
    for (size_t i = 0; i < count; i++) {
        struct gt_str name = chart->lines[i].name, cut = gt_str_cut(name, state->form->name_bytes);
        out_printf(&writer->out, "$d%d_%zu << END\n", state->charts, i);
        put_steps(writer, &chart->lines[i]);
        out_text(&writer->out, "END\n");
        strbuf_addf(&state->plots, "%s$d%d_%zu using 1:($3 > 0 ? NaN : $2) with linespoints linetype %zu linewidth 2 pointsize 0.8 title ",
                    i > 0 ? ", " : "", state->charts, i, i + 1);
        add_quoted(&state->plots, writer, cut);
        if (cut.len < name.len) strbuf_adds(&state->plots, ".'…'");
        if (chart_line_has_sold_out(&chart->lines[i]))
            strbuf_addf(&state->plots, ", $d%d_%zu using 1:($3 > 0 ? $2 : NaN) with lines linetype %zu linewidth 2 dashtype '.' notitle",
                        state->charts, i, i + 1);
    }
    strbuf_adds(&state->plots, " \n");
    state->charts++;
    if (count > state->lines_max) state->lines_max = count;
}

/* Sample data say so in the picture, too, which travels alone. */
static void put_page(struct sink_writer *writer, struct picture_state *state)
{
    const struct picture_form *form = state->form;
    int rows = (state->charts + form->columns - 1) / form->columns, columns = state->charts < form->columns ? state->charts : form->columns;
    int row_height = form->row_height + (form->is_file ? LEGEND_HEIGHT * (int)state->lines_max : 0);
    struct strbuf title;
    strbuf_init(&title, COMMANDS_BYTES_MAX);
    add_quoted(&title, writer, writer->head.title);
    if (form->is_file && writer->head.terms.len > 0) {
        strbuf_adds(&title, ".'  '.");
        add_quoted(&title, writer, writer->head.terms);
    }
    add_count(&title, writer, LABEL_CHARTS_MORE, (size_t)state->charts_left_out);
    if (writer->head.is_sample) strbuf_adds(&title, ".'  *** " STORE_SAMPLE_NOTICE " ***'");
    out_printf(&writer->out, "set terminal %s noenhanced size %d,%d font 'sans,11' fontscale %d linewidth %d background rgb '#ffffff'\n",
               form->terminal, form->width * form->scale, (TITLE_HEIGHT + rows * row_height) * form->scale, form->scale, form->scale);
    out_text(&writer->out, line_types);
    out_printf(&writer->out, "set multiplot layout %d,%d title ", rows, columns);
    out_str(&writer->out, strbuf_str(&title));
    out_printf(&writer->out, " \nset xdata time\nset timefmt '%%s'\nset grid\nset key below left Left reverse%s\n",
               form->is_file ? " maxcols 1" : "");
    out_str(&writer->out, strbuf_str(&state->plots));
    out_text(&writer->out, "unset multiplot\n");
    if (title.err != GT_OK || state->plots.err != GT_OK) writer->is_out_of_memory = true;
    strbuf_done(&title);
}

static void picture_end(struct sink_writer *writer)
{
    struct picture_state *state = writer->state;
    if (state->charts > 0) put_page(writer, state);
    strbuf_done(&state->plots);
}

#define PICTURE_SINK(suffix, words)                            \
    const struct sink picture_sink##suffix = {                 \
        .name = words,                                         \
        .state_bytes = sizeof(struct picture_state),           \
        .begin = picture_begin,                                \
        .chart = picture_chart,                                \
        .end = picture_end,                                    \
    }

PICTURE_SINK(, "picture");
PICTURE_SINK(_png, "picture.png");
PICTURE_SINK(_svg, "picture.svg");

/* ---- drawing ---- */

static enum gt_err drawn_read(int fd, const struct picture_form *form, struct gt_str *ret_picture, struct gt_errinfo *why)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return file_fail(why, "cannot read", "the picture");
    if ((uint64_t)st.st_size > form->bytes_max) return gt_fail(why, GT_ELIMIT, "the picture is larger than %zu bytes", form->bytes_max);
    size_t len = (size_t)st.st_size;
    char *bytes = malloc(len + 1);
    if (bytes == NULL) return gt_fail(why, GT_ENOMEM, "out of memory");
    enum gt_err err = file_read_at(fd, 0, bytes, len);
    if (err != GT_OK) file_fail(why, "cannot read", "the picture");
    struct gt_str picture = {bytes, len};
    if (err == GT_OK && !gt_str_starts(picture, (struct gt_str){form->head, HEAD_BYTES}))
        err = gt_fail(why, GT_EFORMAT, "what was drawn is no %s", form->head[0] == '<' ? "SVG" : "PNG");
    if (err == GT_OK) *ret_picture = picture;
    else free(bytes);
    return err;
}

enum gt_err picture_draw(const char *program, const struct sink *sink, struct gt_str commands, struct gt_str *ret_picture,
                         struct gt_errinfo *why)
{
    char *const args[] = {(char *)(uintptr_t)program, (char[]){"-d"}, NULL}; /* -d: no settings of this machine's own */
    if (access(program, X_OK) != 0) return file_fail(why, "charts are drawn by gnuplot (Debian: gnuplot-nox): cannot run", program);
    int fd = memfd_create("gputape-picture", MFD_CLOEXEC);
    if (fd < 0) return file_fail(why, "cannot make", "a picture");
    enum gt_err err = program_run(args, commands, fd, DRAW_MS, why);
    if (err == GT_OK) err = drawn_read(fd, form_of(sink), ret_picture, why);
    close(fd);
    return err;
}
