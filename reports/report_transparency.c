/* `transparency`: what each platform says of what a buyer checks. It judges nothing but whether a thing is said. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/table.h"
#include "reports/transparency.h"

/* clang-format off */
enum data_column { D_SITE, D_TITLE, D_ASPECT, D_STATE, D_VALUE, D_PRINTED, D_OFFERS, D_SOURCE, D_DATE, DATA_COLUMNS };

static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_SITE] = {.key = "site"}, [D_TITLE] = {.key = "site_title"}, [D_ASPECT] = {.key = "aspect"}, [D_STATE] = {.key = "state"},
    [D_VALUE] = {.key = "value"}, [D_PRINTED] = {.key = "printed"}, [D_OFFERS] = {.key = "offers"}, [D_SOURCE] = {.key = "source"},
    [D_DATE] = {.key = "date"},
};

enum shown_column { S_ASPECT, S_STATE, S_VALUE, S_OFFERS, S_SOURCE, S_DATE, SHOWN_COLUMNS };

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_ASPECT] = {"aspect", LABEL_ASPECT, COLUMN_KEEP, 0},
    [S_STATE] = {"state", LABEL_DISCLOSURE, COLUMN_KEEP, 0},
    [S_VALUE] = {"value", LABEL_SAID, COLUMN_WRAP, 0},
    [S_OFFERS] = {"offers", LABEL_PRINTED_OF, COLUMN_RIGHT, 0},
    [S_SOURCE] = {"source", LABEL_SAID_WHERE, COLUMN_WRAP, 0},
    [S_DATE] = {"date", LABEL_SAID_WHEN, 0, 0},
};
/* clang-format on */

static void write_data(struct frame *frame, const struct transparency *list)
{
    struct column columns[DATA_COLUMNS];
    table_columns(data_columns, DATA_COLUMNS, frame->input->lang, columns);
    frame_values(frame);
    sink_table_begin(frame->writer, "aspects", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        const struct transparency_item *item = &list->items[i];
        const struct cell cells[DATA_COLUMNS] = {[D_SITE] = cell_text(item->site),
                                                 [D_TITLE] = cell_text(item->title),
                                                 [D_ASPECT] = cell_words(aspect_word(item->aspect)),
                                                 [D_STATE] = cell_words(disclosure_word(item->disclosure)),
                                                 [D_VALUE] = cell_text(item->value),
                                                 [D_PRINTED] = cell_number(CELL_COUNT, item->printed),
                                                 [D_OFFERS] = cell_number(CELL_COUNT, item->offers),
                                                 [D_SOURCE] = cell_text(item->source),
                                                 [D_DATE] = cell_text(item->date)};
        sink_row(frame->writer, cells);
    }
    sink_table_end(frame->writer);
}

static void fill_shown(struct cell *cells, const struct transparency_item *item, enum gt_lang lang, struct arena *arena)
{
    bool is_only_printed = gt_str_is(item->value, "printed");
    cells[S_ASPECT] = cell_text(aspect_label(lang, item->aspect));
    cells[S_STATE] = cell_text(label(lang, LABEL_NOT_EXAMINED + (enum label)(item->disclosure - DISCLOSURE_NOT_EXAMINED)));
    cells[S_VALUE] = is_only_printed ? cell_blank() : cell_sentence(cell_remark(item->value));
    cells[S_OFFERS] = item->offers > 0 ? cell_text(arena_printf(arena, "%d/%d", (int)item->printed, (int)item->offers)) : cell_blank();
    cells[S_SOURCE] = cell_remark(item->source);
    cells[S_DATE] = cell_remark(item->date);
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) cells[i].is_marked = item->disclosure == DISCLOSURE_CONTRADICTORY;
}

/* One site under its name; what nobody looked for goes into one line. */
static enum gt_err write_site(struct frame *frame, const struct transparency *list, size_t from, size_t *ret_count)
{
    enum gt_lang lang = frame->input->lang;
    const struct transparency_item *first = &list->items[from];
    struct gt_str unseen = GT_STR("");
    struct table table;
    size_t i = from;
    table_init(&table, frame->arena, lang, shown_columns, SHOWN_COLUMNS);
    for (; i < list->count && gt_str_eq(list->items[i].site, first->site); i++) {
        struct gt_str word = aspect_label(lang, list->items[i].aspect);
        if (list->items[i].disclosure != DISCLOSURE_NOT_EXAMINED) fill_shown(table_row(&table), &list->items[i], lang, frame->arena);
        else unseen = arena_printf(frame->arena, "%.*s%s%.*s", GT_STR_ARG(unseen), unseen.len > 0 ? "·" : "", GT_STR_ARG(word));
    }
    *ret_count = i - from;
    sink_heading(frame->writer, 2, name_site_title(first->title, first->site, lang));
    enum gt_err err = table_write(&table, frame->writer, "aspects", GT_STR(""));
    if (unseen.len > 0) sink_paragraph(frame->writer, phrase(frame->arena, lang, LABEL_UNSEEN_LINE, &unseen, 1));
    return err;
}

static struct gt_str transparency_title(struct frame *frame)
{
    struct gt_str args[] = {figure_minute_text(frame->input->now_unix_s, frame->input->zone_offset_s, frame->arena), frame->input->query_text};
    return gt_str_trim(phrase(frame->arena, frame->input->lang, LABEL_TRANSPARENCY_TITLE, args, 2));
}

static enum gt_err transparency_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    struct transparency list = {0};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    struct board_view view = board_view_from(input, input->now_unix_s);
    if (err == GT_OK) {
        err = transparency_compute(&frame.rows, &view, input->extras, input->extra_count, frame.arena, &list);
        if (err != GT_OK) gt_fail(info, err, "reading what is disclosed: %s", gt_err_text(err));
    }
    if (err == GT_OK)
        err = frame_open(&frame, sink, file, transparency_title(&frame), name_zone(input->zone_offset_s, input->lang, frame.arena), GT_STR(""), info);
    if (err != GT_OK) goto out;
    if (sink->is_data) {
        write_data(&frame, &list);
        goto out;
    }
    sink_paragraph(frame.writer, label(input->lang, LABEL_TRANSPARENCY_NOTE));
    if (list.count == 0) sink_paragraph(frame.writer, label(input->lang, LABEL_NO_OFFERS));
    if (list.count > 0) sink_heading(frame.writer, 1, label(input->lang, LABEL_BY_PLATFORM));
    for (size_t i = 0, count; i < list.count && err == GT_OK; i += count) err = write_site(&frame, &list, i, &count);
out:
    return frame_done(&frame, err, info);
}

const struct report report_transparency = {"transparency", "what each platform discloses of what a buyer checks, and what it does not",
                                           transparency_run};
