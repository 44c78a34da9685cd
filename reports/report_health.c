/* `health`: each source with the age of its last good data and how its runs ended. The weekly report prints the same table. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/sold_out_hours.h"
#include "reports/source_table.h"
#include "reports/table.h"

/* clang-format off */
enum source_column {
    C_SITE, C_TITLE, C_GOOD, C_GOOD_UNIX, C_AGE, C_RUNS, C_FAILED, C_STATUS, C_HTTP, C_OFFERS, C_DOUBTED, C_REFUSED,
    C_TRIED, C_REASON, C_STREAK, C_SINCE, C_LATENCY, C_BYTES, C_ROWS, C_DUE, SOURCE_COLUMNS
};

static const struct column_def data_columns[SOURCE_COLUMNS] = {
    [C_SITE] = {.key = "site"}, [C_TITLE] = {.key = "site_title"}, [C_GOOD] = {.key = "good"},
    [C_GOOD_UNIX] = {.key = "last_good"},
    [C_AGE] = {.key = "age_s"}, [C_RUNS] = {.key = "runs"}, [C_FAILED] = {.key = "runs_failed"},
    [C_STATUS] = {.key = "status"},
    [C_HTTP] = {.key = "http_code"}, [C_OFFERS] = {.key = "offers"}, [C_DOUBTED] = {.key = "doubted"},
    [C_REFUSED] = {.key = "rows_refused"}, [C_TRIED] = {.key = "last_run"}, [C_REASON] = {.key = "reason"},
    [C_STREAK] = {.key = "streak"}, [C_SINCE] = {.key = "streak_since"}, [C_LATENCY] = {.key = "latency_ms"},
    [C_BYTES] = {.key = "body_bytes"}, [C_ROWS] = {.key = "rows_found"}, [C_DUE] = {.key = "next_due"},
};

static const struct column_def shown_columns[SOURCE_COLUMNS] = {
    [C_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [C_TITLE] = {"site_title", LABEL_UNTITLED, 0, 0},
    [C_GOOD] = {"good", LABEL_GOOD, COLUMN_KEEP, 0},
    [C_GOOD_UNIX] = {"last_good", LABEL_LAST_GOOD, COLUMN_KEEP, 0},
    [C_AGE] = {"age", LABEL_AGE, COLUMN_RIGHT | COLUMN_KEEP, 0},
    [C_RUNS] = {"runs", LABEL_RUNS, COLUMN_RIGHT, 0},
    [C_FAILED] = {"failed", LABEL_RUNS_FAILED, COLUMN_RIGHT, 0},
    [C_STATUS] = {"status", LABEL_LAST_STATUS, 0, 0},
    [C_HTTP] = {"http", LABEL_HTTP, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_OFFERS] = {"offers", LABEL_OFFERS, COLUMN_RIGHT, 0},
    [C_DOUBTED] = {"doubted", LABEL_DOUBTED, COLUMN_RIGHT, 0},
    [C_REFUSED] = {"refused", LABEL_ROWS_REFUSED, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_TRIED] = {"last_run", LABEL_LAST_RUN, COLUMN_EXTRA, 0},
    [C_REASON] = {"reason", LABEL_REASON, COLUMN_WRAP, 0},
    [C_STREAK] = {"streak", LABEL_STREAK, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_SINCE] = {"streak_since", LABEL_STREAK_SINCE, COLUMN_EXTRA, 0},
    [C_LATENCY] = {"latency_ms", LABEL_LATENCY_MS, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_BYTES] = {"body_bytes", LABEL_BODY_BYTES, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_ROWS] = {"rows_found", LABEL_ROWS_FOUND, COLUMN_RIGHT | COLUMN_EXTRA, 0},
    [C_DUE] = {"next_due", LABEL_NEXT_DUE, COLUMN_EXTRA, 0},
};
/* clang-format on */

/* What is of use to whoever runs the crawler, behind what every reader wants to know. */
static void fill_operation(struct cell *cells, const struct source *source)
{
    cells[C_DUE] = cell_moment(CELL_TIME, source->due_unix_s);
    if (source->runs == 0) return;
    cells[C_STREAK] = cell_number(CELL_COUNT, source->streak);
    cells[C_SINCE] = cell_moment(CELL_TIME, source->streak_unix_s);
    cells[C_LATENCY] = cell_number(CELL_COUNT, source->latency_ms);
    cells[C_BYTES] = cell_number(CELL_COUNT, source->body_bytes);
    cells[C_ROWS] = cell_number(CELL_COUNT, source->rows_found);
}

static void fill_source(struct cell *cells, const struct source *source, int64_t at_unix_s)
{
    cells[C_SITE] = cell_text(source->site);
    cells[C_TITLE] = cell_text(source->title);
    cells[C_GOOD] = cell_number(CELL_BOOL, source->is_good);
    cells[C_GOOD_UNIX] = cell_moment(CELL_TIME, source->good_unix_s);
    if (source->good_unix_s != 0) cells[C_AGE] = cell_number(CELL_AGE, at_unix_s - source->good_unix_s);
    cells[C_RUNS] = cell_number(CELL_COUNT, source->runs);
    cells[C_FAILED] = cell_number(CELL_COUNT, source->runs_failed);
    if (source->tried_unix_s != 0) cells[C_STATUS] = cell_word(VOCABULARY_STATUS, (int)source->status);
    cells[C_HTTP] = cell_count_known(source->http_code);
    cells[C_OFFERS] = cell_number(CELL_COUNT, source->offers);
    cells[C_DOUBTED] = cell_count_known(source->doubted);
    cells[C_REFUSED] = cell_count_known(source->rows_refused);
    cells[C_TRIED] = cell_moment(CELL_TIME, source->tried_unix_s);
    cells[C_REASON] = cell_sentence(cell_text(source->reason));
}

enum gt_err source_table_write(struct sink_writer *writer, const struct source_list *list, bool is_long, int64_t at_unix_s,
                               enum gt_lang lang, struct arena *arena)
{
    struct table table;
    bool is_data = sink_is_data(writer);
    table_init(&table, arena, lang, is_data ? data_columns : shown_columns, is_long ? SOURCE_COLUMNS : C_STREAK);
    for (size_t i = 0; i < list->count; i++) {
        struct cell *cells = table_row(&table);
        fill_source(cells, &list->sources[i], at_unix_s);
        if (is_long) fill_operation(cells, &list->sources[i]);
        if (is_data) continue;
        cells[C_SITE] = cell_text(name_site_title(list->sources[i].title, list->sources[i].site, lang));
        cells[C_TITLE] = cell_none();
        if (list->sources[i].tried_unix_s != 0)
            cells[C_STATUS] = cell_word_shown(lang, VOCABULARY_STATUS, (int)list->sources[i].status);
        if (list->sources[i].doubted == 0) cells[C_DOUBTED] = cell_blank();
        cells[C_REASON] = cell_sentence(cell_remark(list->sources[i].reason));
        for (size_t k = 0; k < (is_long ? SOURCE_COLUMNS : C_STREAK); k++) cells[k].is_marked = !list->sources[i].is_good;
    }
    return is_data ? table_write_all(&table, writer, "sources") : table_write(&table, writer, "sources", GT_STR(""));
}

/* What was sold out at which hour: over the period asked for, else some weeks. Both lists stand by site. */
static enum gt_err write_sold_out(struct frame *frame, const struct report_period *period, const struct source_list *list, struct gt_errinfo *info)
{
    const struct report_input *input = frame->input;
    struct sold_out_hours hours;
    bool is_asked = input->since_unix_s != 0 || input->until_unix_s != 0;
    int64_t since = is_asked ? period->since_unix_s : period->until_unix_s - SOLD_OUT_WEEKS * (int64_t)CIVIL_WEEK_S;
    enum gt_err err = sold_out_hours_read(input->store, NULL, 0, since, period->until_unix_s, input->zone_offset_s, frame->arena, &hours, info);
    if (err != GT_OK) return err;
    for (size_t i = 0, k = 0; i < hours.count; i++) {
        while (k < list->count && gt_str_cmp(list->sources[k].site, hours.sources[i].site) < 0) k++;
        if (k < list->count && gt_str_eq(list->sources[k].site, hours.sources[i].site)) hours.sources[i].title = list->sources[k].title;
    }
    return sold_out_hours_write(frame->writer, &hours, false, input->lang, frame->arena);
}

static struct gt_str health_title(struct frame *frame)
{
    struct gt_str args[] = {figure_minute_text(frame->input->now_unix_s, frame->input->zone_offset_s, frame->arena)};
    return phrase(frame->arena, frame->input->lang, LABEL_HEALTH_TITLE, args, 1);
}

static enum gt_err health_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    struct report_period period;
    struct source_list list = {0};
    struct report_period fallback = {REPORT_SPAN, input->now_unix_s + 1 - CIVIL_WEEK_S, input->now_unix_s + 1};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_period(input, fallback, &period, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    if (err == GT_OK)
        err = source_list_read(input->store, period.since_unix_s, period.until_unix_s, &frame.rows, input->sites,
                               input->site_count, input->now_unix_s, frame.arena, &list, info);
    if (err == GT_OK) err = frame_open(&frame, sink, file, health_title(&frame), GT_STR(""), GT_STR(""), info);
    if (err != GT_OK) goto out;
    frame_values(&frame);
    sink_value(frame.writer, "since", cell_number(CELL_TIME, period.since_unix_s));
    sink_value(frame.writer, "until", cell_number(CELL_TIME, period.until_unix_s));
    if (list.count == 0) sink_paragraph(frame.writer, label(input->lang, LABEL_NO_SOURCES));
    err = source_table_write(frame.writer, &list, true, input->now_unix_s, input->lang, frame.arena);
    if (err == GT_OK) err = write_sold_out(&frame, &period, &list, info);
out:
    return frame_done(&frame, err, info);
}

const struct report report_health = {"health", "each source: age of its last good data, how its runs ended", health_run};
