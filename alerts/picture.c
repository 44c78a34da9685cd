#include "alerts/picture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alerts/program.h"
#include "common/file.h"
#include "common/strbuf.h"
#include "pricing/money.h"
#include "reports/sink_writer.h"

enum {
    CHARTS_MAX = 6, /* more are too small on a telephone */
    COLUMNS = 2,
    WIDTH = 1200, /* pixels */
    ROW_HEIGHT = 380,
    TITLE_HEIGHT = 60,
    NAME_BYTES = 60, /* of an offer's name under its chart */
    COMMANDS_BYTES_MAX = 256 * 1024,
    DRAW_MS = 20 * 1000,
};

/* Data go out as they come; what plots them follows at the end, when it is known how many charts there are. */
struct picture_state {
    struct strbuf plots;
    int charts;
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
    strbuf_init(&state->plots, COMMANDS_BYTES_MAX);
}

/* Both ends of each step; an empty line where the offer was not listed, which leaves a gap. */
static void put_steps(struct sink_writer *writer, const struct chart_line *line)
{
    int64_t zone_s = writer->head.zone_offset_s;
    for (size_t i = 0; i < line->count; i++) {
        const struct chart_step *step = &line->steps[i];
        char amount[MONEY_TEXT_MAX];
        money_format(step->value_nano, amount);
        if (i > 0 && line->steps[i - 1].to_unix_s != step->from_unix_s) out_text(&writer->out, "\n");
        out_printf(&writer->out, "%lld %s\n%lld %s\n", (long long)step->from_unix_s + zone_s, amount,
                   (long long)step->to_unix_s + zone_s, amount);
    }
}

static void picture_chart(struct sink_writer *writer, const struct chart *chart)
{
    struct picture_state *state = writer->state;
    size_t count = chart->count < SINK_CHART_LINES_MAX ? chart->count : SINK_CHART_LINES_MAX;
    if (state->charts == CHARTS_MAX || count == 0) return;
    strbuf_adds(&state->plots, "set title ");
    add_quoted(&state->plots, writer, chart->caption);
    strbuf_adds(&state->plots, " \nset ylabel ");
    add_quoted(&state->plots, writer, chart->unit);
    strbuf_adds(&state->plots, " \nplot ");
    for (size_t i = 0; i < count; i++) {
        out_printf(&writer->out, "$d%d_%zu << END\n", state->charts, i);
        put_steps(writer, &chart->lines[i]);
        out_text(&writer->out, "END\n");
        strbuf_addf(&state->plots, "%s$d%d_%zu using 1:2 with lines linewidth 2 title ", i > 0 ? ", " : "", state->charts, i);
        struct gt_str name = chart->lines[i].name, cut = gt_str_cut(name, NAME_BYTES);
        add_quoted(&state->plots, writer, cut);
        if (cut.len < name.len) strbuf_adds(&state->plots, ".'…'");
    }
    strbuf_adds(&state->plots, " \n");
    state->charts++;
}

/* Sample data say so in the picture, too, which travels alone. */
static void put_page(struct sink_writer *writer, struct picture_state *state)
{
    int rows = (state->charts + COLUMNS - 1) / COLUMNS, columns = state->charts < COLUMNS ? state->charts : COLUMNS;
    struct strbuf title;
    strbuf_init(&title, COMMANDS_BYTES_MAX);
    add_quoted(&title, writer, writer->head.title);
    if (writer->head.is_sample) strbuf_adds(&title, ".'  *** " SINK_SAMPLE_NOTICE " ***'");
    out_printf(&writer->out, "set terminal pngcairo noenhanced size %d,%d font 'sans,11'\n", WIDTH,
               TITLE_HEIGHT + rows * ROW_HEIGHT);
    out_printf(&writer->out, "set multiplot layout %d,%d title ", rows, columns);
    out_str(&writer->out, strbuf_str(&title));
    out_text(&writer->out, " \nset xdata time\nset timefmt '%s'\nset format x '%m-%d'\nunset mxtics\n"
                           "set grid\nset key below left Left reverse\nset offsets 0, 0, graph 0.1, graph 0.1\n");
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

const struct sink picture_sink = {
    .name = "picture",
    .state_bytes = sizeof(struct picture_state),
    .begin = picture_begin,
    .chart = picture_chart,
    .end = picture_end,
};

/* ---- drawing ---- */

static enum gt_err png_read(int fd, struct gt_str *ret_png, struct gt_errinfo *why)
{
    static const char magic[] = "\x89PNG\r\n\x1A\n";
    struct stat st;
    if (fstat(fd, &st) != 0) return file_fail(why, "cannot read", "the picture");
    if (st.st_size > PICTURE_BYTES_MAX) return gt_fail(why, GT_ELIMIT, "the picture is larger than %d bytes", PICTURE_BYTES_MAX);
    size_t len = (size_t)st.st_size;
    char *bytes = malloc(len + 1);
    if (bytes == NULL) return gt_fail(why, GT_ENOMEM, "out of memory");
    enum gt_err err = file_read_at(fd, 0, bytes, len);
    if (err != GT_OK) file_fail(why, "cannot read", "the picture");
    struct gt_str png = {bytes, len};
    if (err == GT_OK && !gt_str_starts(png, (struct gt_str){magic, sizeof magic - 1}))
        err = gt_fail(why, GT_EFORMAT, "what was drawn is no PNG");
    if (err == GT_OK) *ret_png = png;
    else free(bytes);
    return err;
}

enum gt_err picture_draw(const char *program, struct gt_str commands, struct gt_str *ret_png, struct gt_errinfo *why)
{
    char *const args[] = {(char *)(uintptr_t)program, (char[]){"-d"}, NULL}; /* -d: no settings of this machine's own */
    if (access(program, X_OK) != 0) return file_fail(why, "cannot run", program);
    int fd = memfd_create("gputape-picture", MFD_CLOEXEC);
    if (fd < 0) return file_fail(why, "cannot make", "a picture");
    enum gt_err err = program_run(args, commands, fd, DRAW_MS, why);
    if (err == GT_OK) err = png_read(fd, ret_png, why);
    close(fd);
    return err;
}
