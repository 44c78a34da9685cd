/* The long tables of the weekly report: every class with its week, charts, what is doubted, leads, unmapped labels. */
#include "reports/figure.h"
#include "reports/history_chart.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/weekly_write.h"

enum { DETAIL_CHARTS_MAX = 12 };

/* ---- every class ---- */

/* clang-format off */
enum class_column {
    C_CARD, C_VRAM, C_LOW, C_CONVERTED, C_SITE, C_SELLERS, C_OFFERS, C_MEDIAN, C_BEFORE, C_CHANGE, C_MEAN, C_WEEK_LOW, C_EVIDENCE,
    C_AGE, C_FORMULA, CLASS_COLUMNS
};

static const struct column_def class_columns[CLASS_COLUMNS] = {
    [C_CARD] = {"card", LABEL_CARD, COLUMN_KEEP, 0},
    [C_VRAM] = {"vram", LABEL_VRAM, 0, 0},
    [C_LOW] = {"low", LABEL_LOW, COLUMN_RIGHT | COLUMN_KEEP, 4},
    [C_CONVERTED] = {"converted", LABEL_SHOWN_IN, COLUMN_RIGHT, 2},
    [C_SITE] = {"site", LABEL_CHEAPEST_SITE, COLUMN_KEEP, 0},
    [C_SELLERS] = {"sellers", LABEL_SELLERS, COLUMN_RIGHT, 0},
    [C_OFFERS] = {"offers", LABEL_OFFERS, COLUMN_RIGHT, 0},
    [C_MEDIAN] = {"median", LABEL_MEDIAN, COLUMN_RIGHT, 2},
    [C_BEFORE] = {"before", LABEL_LAST_WEEK, COLUMN_RIGHT, 4},
    [C_CHANGE] = {"change", LABEL_WEEK_CHANGE, COLUMN_RIGHT, 0},
    [C_MEAN] = {"week_mean", LABEL_WEEK_MEAN, COLUMN_RIGHT | COLUMN_EXTRA, 2},
    [C_WEEK_LOW] = {"week_low", LABEL_WEEK_LOW, COLUMN_RIGHT | COLUMN_EXTRA, 2},
    [C_EVIDENCE] = {"evidence", LABEL_EVIDENCE, 0, 0},
    [C_AGE] = {"age", LABEL_AGE, COLUMN_RIGHT, 0},
    [C_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_EXTRA | COLUMN_WRAP, 0},
};
/* clang-format on */

/* The low with everything that makes it checkable: who, how many, since when, by which formula. */
static void fill_class(struct cell *cells, const struct weekly_class *class, struct weekly_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    const struct board_entry *low = class->low;
    cells[C_CARD] = cell_linked(name_offer_card(&low->row->offer), low->row);
    if (low->row->offer.attributes.vram_gb > 0)
        cells[C_VRAM] = cell_text(arena_printf(frame->base.arena, "%dG", (int)low->row->offer.attributes.vram_gb));
    cells[C_LOW] = cell_money(low->price_nano);
    cells[C_CONVERTED] = fx_shown_cell(&frame->base.fx, low->price_nano, low->net.currency);
    cells[C_SITE] = cell_text(name_site(low->row, lang));
    cells[C_SELLERS] = cell_number(CELL_COUNT, class->sellers);
    cells[C_OFFERS] = cell_number(CELL_COUNT, class->offers);
    cells[C_MEDIAN] = cell_money(class->median_nano);
    cells[C_BEFORE] = cell_money(class->low_before_nano);
    cells[C_CHANGE] = weekly_change_cell(class, lang);
    cells[C_MEAN] = cell_money(class->week_mean_nano);
    cells[C_WEEK_LOW] = cell_money(class->week_low_nano);
    cells[C_EVIDENCE] = cell_text(figure_evidence_text(low, lang, frame->base.arena));
    cells[C_AGE] = cell_number(CELL_AGE, low->age_s);
    cells[C_FORMULA] = cell_text(low->net.formula);
}

/* Charts of those of a group's classes in which some price moved, the first DETAIL_CHARTS_MAX of them: a flat line says nothing
 * that the table does not. */
static void write_charts(struct weekly_frame *frame, const struct weekly_group *group, int *charts)
{
    for (size_t i = 0; i < group->count && *charts < DETAIL_CHARTS_MAX; i++) {
        struct history_chart_view view = {
            .lang = frame->base.input->lang,
            .persona = &frame->base.input->persona,
            .moved_only = true,
            .since_unix_s = frame->weekly.period.until_unix_s - WEEKLY_CHART_DAYS * (int64_t)CIVIL_DAY_S,
            .left_out = weekly_chart_left_out(&frame->weekly, group->classes[i])};
        *charts += history_chart_write(&frame->weekly.history, group->classes[i]->low->class, &view, frame->base.arena,
                                       frame->base.writer);
    }
}

enum gt_err weekly_details(struct weekly_frame *frame)
{
    enum gt_err err = GT_OK;
    int charts = 0;
    if (frame->weekly.group_count > 0) sink_heading(frame->base.writer, 1, label(frame->base.input->lang, LABEL_SECTION_CLASSES));
    for (size_t i = 0; i < frame->weekly.group_count && err == GT_OK; i++) {
        const struct weekly_group *group = &frame->weekly.groups[i];
        struct table table;
        table_init(&table, frame->base.arena, frame->base.input->lang, class_columns, CLASS_COLUMNS);
        for (size_t k = 0; k < group->count; k++) fill_class(table_row(&table), group->classes[k], frame);
        sink_heading(frame->base.writer, 2, weekly_group_name(frame, group));
        err = table_write(&table, frame->base.writer, "classes", GT_STR(""));
        write_charts(frame, group, &charts);
    }
    return err;
}

/* ---- offers apart ---- */

/* clang-format off */
enum apart_column { A_SITE, A_OFFER, A_CURRENCY, A_PRICE, A_MARKS, A_AGE, A_WHY, APART_COLUMNS };

static const struct column_def apart_columns[APART_COLUMNS] = {
    [A_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [A_OFFER] = {"offer", LABEL_OFFER, COLUMN_WRAP | COLUMN_KEEP, 0},
    [A_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [A_PRICE] = {"price", LABEL_CARD_PRICE, COLUMN_RIGHT, 4},
    [A_MARKS] = {"marks", LABEL_MARKS, 0, 0},
    [A_AGE] = {"age", LABEL_AGE, COLUMN_RIGHT, 0},
    [A_WHY] = {"why", LABEL_REASON, COLUMN_WRAP, 0},
};
/* clang-format on */

/* The guard's sentence, or the cards that the label may mean. */
static struct gt_str why_text(const struct board_entry *entry, struct arena *arena)
{
    if (entry->row->doubt.len > 0) return entry->row->doubt;
    return figure_candidates_text(entry->row->offer.attributes.candidates, arena);
}

/* The entries that have (all of) some marks and none of others. */
static enum gt_err write_apart(struct weekly_frame *frame, enum label heading, unsigned with, unsigned without)
{
    enum gt_lang lang = frame->base.input->lang;
    struct table table;
    table_init(&table, frame->base.arena, lang, apart_columns, APART_COLUMNS);
    table.row_max = WEEKLY_ROWS_MAX;
    for (size_t i = 0; i < frame->weekly.board.count; i++) {
        const struct board_entry *entry = &frame->weekly.board.entries[i];
        if ((entry->marks & with) == 0 || (entry->marks & without) != 0 || !table_has_room(&table)) continue;
        struct cell *cells = table_row(&table);
        cells[A_SITE] = cell_text(name_site(entry->row, lang));
        cells[A_OFFER] = cell_linked(name_offer(&entry->row->offer.identity, frame->base.arena), entry->row);
        cells[A_CURRENCY] = frame_currency_cell(&frame->base, &entry->net.currency);
        cells[A_PRICE] = cell_money(entry->price_nano);
        cells[A_MARKS] = cell_remark(figure_marks_text(entry, lang, frame->base.arena));
        cells[A_AGE] = cell_number(CELL_AGE, entry->age_s);
        cells[A_WHY] = cell_sentence(cell_remark(why_text(entry, frame->base.arena)));
    }
    if (table.row_count > 0) sink_heading(frame->base.writer, 2, label(lang, heading));
    return table_write(&table, frame->base.writer, "apart", GT_STR(""));
}

enum gt_err weekly_doubts(struct weekly_frame *frame)
{
    sink_heading(frame->base.writer, 1, label(frame->base.input->lang, LABEL_SECTION_APART));
    bool is_any = false;
    for (size_t i = 0; i < frame->weekly.board.count; i++) is_any |= frame->weekly.board.entries[i].marks != 0;
    if (!is_any) sink_paragraph(frame->base.writer, label(frame->base.input->lang, LABEL_NONE_APART));
    enum gt_err err = write_apart(frame, LABEL_SECTION_DOUBTED, BOARD_DOUBTED, 0);
    if (err == GT_OK) err = write_apart(frame, LABEL_SECTION_STALE, BOARD_STALE, BOARD_DOUBTED | BOARD_LEAD);
    if (err == GT_OK) err = write_apart(frame, LABEL_SECTION_LEADS, BOARD_LEAD, BOARD_DOUBTED);
    if (err == GT_OK)
        err = write_apart(frame, LABEL_SECTION_MARKED, BOARD_BOUND | BOARD_SOLD_OUT | BOARD_NO_PRICE,
                          BOARD_DOUBTED | BOARD_STALE | BOARD_LEAD);
    return err;
}
