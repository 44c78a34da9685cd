/* What was published: the weeks, and of one week its figures as they were printed then. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/published.h"
#include "reports/table.h"

struct published_frame {
    struct frame base;
    struct published *list; /* the newest first */
    size_t count;
    const struct published *week; /* the one asked for; NULL: all are */
    struct gt_str week_name;      /* as asked for; empty: all are */
    struct published_rows rows;
};

/* ---- the weeks ---- */

/* clang-format off */
enum week_column { W_WEEK, W_SINCE, W_UNTIL, W_PUBLISHED, W_HOW, W_CATALOGUE, W_ROWS, W_LEFT_OUT, WEEK_COLUMNS };

static const struct column_def week_columns[WEEK_COLUMNS] = {
    [W_WEEK] = {"week", LABEL_WEEK, COLUMN_KEEP, 0},
    [W_SINCE] = {"since", LABEL_FROM_DAY, COLUMN_EXTRA, 0},
    [W_UNTIL] = {"until", LABEL_UNTITLED, 0, 0},
    [W_PUBLISHED] = {"published", LABEL_PUBLISHED, COLUMN_KEEP, 0},
    [W_HOW] = {"how", LABEL_PUBLISHED_HOW, 0, 0},
    [W_CATALOGUE] = {"catalogue", LABEL_UNTITLED, 0, 0},
    [W_ROWS] = {"rows", LABEL_PUBLISHED_ROWS, COLUMN_RIGHT, 0},
    [W_LEFT_OUT] = {"left_out", LABEL_UNTITLED, COLUMN_RIGHT, 0},
};
/* clang-format on */

/* People are spared what only a program compares. */
static void fill_week(struct cell *cells, const struct published *week, bool is_data, enum gt_lang lang)
{
    cells[W_WEEK] = cell_text(week->week);
    cells[W_SINCE] = cell_moment(is_data ? CELL_TIME : CELL_DAY, week->period.since_unix_s);
    cells[W_PUBLISHED] = cell_moment(CELL_TIME, week->published_unix_s);
    cells[W_HOW] = is_data ? cell_words(published_how_word(week->how))
                           : cell_text(label(lang, week->how == PUBLISHED_SENT ? LABEL_PUBLISHED_SENT : LABEL_PUBLISHED_BY_HAND));
    cells[W_ROWS] = cell_number(CELL_COUNT, week->rows);
    if (!is_data) return;
    cells[W_UNTIL] = cell_moment(CELL_TIME, week->period.until_unix_s);
    cells[W_CATALOGUE] = cell_text(week->catalogue);
    cells[W_LEFT_OUT] = cell_number(CELL_COUNT, week->left_out);
}

static enum gt_err write_weeks(struct published_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    bool is_data = sink_is_data(frame->base.writer);
    struct table table;
    table_init(&table, frame->base.arena, lang, week_columns, WEEK_COLUMNS);
    for (size_t i = 0; i < frame->count; i++)
        if (frame->week_name.len == 0 || &frame->list[i] == frame->week) fill_week(table_row(&table), &frame->list[i], is_data, lang);
    if (is_data) return table_write_all(&table, frame->base.writer, "published");
    if (table.row_count == 0 && frame->week_name.len == 0) sink_paragraph(frame->base.writer, label(lang, LABEL_PUBLISHED_NONE));
    if (table.row_count == 0 && frame->week_name.len > 0)
        sink_paragraph(frame->base.writer, phrase(frame->base.arena, lang, LABEL_PUBLISHED_NOT, &frame->week_name, 1));
    return table_write(&table, frame->base.writer, "published", GT_STR(""));
}

/* ---- the figures of one ---- */

/* clang-format off */
enum row_column { P_CLASS, P_SKU, P_CURRENCY, P_LOW, P_SITE, P_LABEL, P_HOUR_LIST, P_MEDIAN, P_SELLERS, P_EVIDENCE, ROW_COLUMNS };

static const struct column_def row_columns[ROW_COLUMNS] = {
    [P_CLASS] = {"class", LABEL_CLASS, COLUMN_WRAP, 0},
    [P_SKU] = {"sku", LABEL_UNTITLED, 0, 0},
    [P_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [P_LOW] = {"low", LABEL_LOW, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [P_SITE] = {"site", LABEL_CHEAPEST_SITE, 0, 0},
    [P_LABEL] = {"label", LABEL_OFFER, COLUMN_EXTRA | COLUMN_WRAP, 0},
    [P_HOUR_LIST] = {"hour_list", LABEL_HOUR_LIST, COLUMN_RIGHT, 4},
    [P_MEDIAN] = {"median", LABEL_MEDIAN, COLUMN_RIGHT, 2},
    [P_SELLERS] = {"sellers", LABEL_SELLERS, COLUMN_RIGHT, 0},
    [P_EVIDENCE] = {"evidence", LABEL_EVIDENCE, 0, 0},
};
/* clang-format on */

static void fill_row(struct cell *cells, const struct published_row *row, struct published_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    bool is_data = sink_is_data(frame->base.writer);
    cells[P_CLASS] = cell_text(is_data ? row->class : name_class(row->class, lang, frame->base.arena));
    if (is_data) cells[P_SKU] = cell_text(row->sku);
    cells[P_CURRENCY] = is_data ? cell_words(row->currency.code) : cell_text(name_currency(&row->currency, lang));
    cells[P_LOW] = cell_money(row->low_nano);
    cells[P_SITE] = cell_text(is_data ? row->site : name_site_title(row->site_title, row->site, lang));
    cells[P_LABEL] = cell_text(row->label);
    cells[P_HOUR_LIST] = cell_money(row->hour_list_nano);
    cells[P_MEDIAN] = cell_money(row->median_nano);
    cells[P_SELLERS] = cell_number(CELL_COUNT, row->sellers);
    cells[P_EVIDENCE] = is_data ? cell_word(VOCABULARY_EVIDENCE, (int)row->evidence) : cell_word_shown(lang, VOCABULARY_EVIDENCE, (int)row->evidence);
}

static enum gt_err write_rows(struct published_frame *frame)
{
    struct table table;
    table_init(&table, frame->base.arena, frame->base.input->lang, row_columns, ROW_COLUMNS);
    for (size_t i = 0; i < frame->rows.count; i++) fill_row(table_row(&table), &frame->rows.rows[i], frame);
    if (sink_is_data(frame->base.writer)) return table_write_all(&table, frame->base.writer, "rows");
    return table_write(&table, frame->base.writer, "rows", GT_STR(""));
}

/* The week asked for, if any, and its figures. */
static enum gt_err find_week(struct published_frame *frame, struct gt_errinfo *info)
{
    const struct report_input *input = frame->base.input;
    struct report_period none = {.since_unix_s = 0, .until_unix_s = 1}, period;
    enum gt_err err = frame_period(input, none, &period, info);
    if (err != GT_OK || period.since_unix_s == 0) return err;
    frame->week_name = period_name(&period, input->zone_offset_s, frame->base.arena);
    for (size_t i = 0; i < frame->count; i++)
        if (gt_str_eq(frame->list[i].week, frame->week_name)) frame->week = &frame->list[i];
    return frame->week != NULL ? published_rows_read(input->store, frame->week_name, frame->base.arena, &frame->rows, info) : GT_OK;
}

static enum gt_err published_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct published_frame frame = {0};
    enum gt_err err = frame_init(&frame.base, input, info);
    if (err == GT_OK) err = published_list(input->store, frame.base.arena, &frame.list, &frame.count, info);
    if (err == GT_OK) err = find_week(&frame, info);
    if (err != GT_OK) goto out;
    struct gt_str title = frame.week_name.len > 0 ? phrase(frame.base.arena, input->lang, LABEL_PUBLISHED_WEEK_TITLE, &frame.week_name, 1)
                                                  : label(input->lang, LABEL_PUBLISHED_TITLE);
    err = frame_open(&frame.base, sink, file, title, GT_STR(""), GT_STR(""), info);
    if (err != GT_OK) goto out;
    if (sink->is_data) sink_value(frame.base.writer, "now", cell_number(CELL_TIME, input->now_unix_s));
    err = write_weeks(&frame);
    if (err == GT_OK && (sink->is_data || frame.week != NULL)) err = write_rows(&frame);
    if (err != GT_OK) gt_fail(info, err, "writing the published reports: %s", gt_err_text(err));
out:
    return frame_done(&frame.base, err, info);
}

const struct report report_published = {"published", "the weekly reports that were published, and a week's figures as they were printed",
                                        published_run};
