/* 更正: what was published and would be printed otherwise now, a line each. */
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/weekly_write.h"

/* "1074(极智算)", or that there is none. */
static struct gt_str low_text(const struct weekly_frame *frame, const struct published_row *row)
{
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    if (row == NULL) return label(lang, LABEL_CORRECTION_NONE);
    struct gt_str args[] = {figure_money_text(row->low_nano, arena), name_site_title(row->site_title, row->site, lang),
                            name_currency(&row->currency, lang)};
    return phrase(arena, lang, LABEL_CORRECTION_LOW, args, 3);
}

/* 0: there was none. */
static struct gt_str money_text(int64_t nano, struct arena *arena)
{
    return nano != 0 ? figure_money_text(nano, arena) : GT_STR("—");
}

/* "最低/卡 1074(极智算) → 1130(AutoDL)" and so on, for each figure that differs. In the arena. */
static struct gt_str figures_text(const struct weekly_frame *frame, const struct correction *correction)
{
    static const struct published_row none = {.evidence = EVIDENCE_NONE};
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    const struct published_row *was = correction->was != NULL ? correction->was : &none, *now = correction->now != NULL ? correction->now : &none;
    bool is_both = correction->was != NULL && correction->now != NULL;
    const struct {
        enum label name;
        bool differs;
        struct gt_str was, now;
    } figures[] = {
        {LABEL_LOW, was->low_nano != now->low_nano || !gt_str_eq(was->site, now->site), low_text(frame, correction->was),
         low_text(frame, correction->now)},
        {LABEL_OFFER, is_both && gt_str_eq(was->site, now->site) && !gt_str_eq(was->label, now->label), was->label, now->label},
        {LABEL_HOUR_LIST, is_both && was->hour_list_nano != now->hour_list_nano, money_text(was->hour_list_nano, arena),
         money_text(now->hour_list_nano, arena)},
        {LABEL_MEDIAN, was->median_nano != now->median_nano, money_text(was->median_nano, arena), money_text(now->median_nano, arena)},
        {LABEL_EVIDENCE, is_both && was->evidence != now->evidence, label_word(lang, VOCABULARY_EVIDENCE, (int)was->evidence),
         label_word(lang, VOCABULARY_EVIDENCE, (int)now->evidence)},
    };
    struct gt_str text = GT_STR(""), comma = label(lang, LABEL_CORRECTION_COMMA);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct gt_str name = label(lang, figures[i].name);
        if (!figures[i].differs) continue;
        text = arena_printf(arena, "%.*s%.*s%.*s %.*s → %.*s", GT_STR_ARG(text), text.len > 0 ? (int)comma.len : 0, comma.ptr, GT_STR_ARG(name),
                            GT_STR_ARG(figures[i].was), GT_STR_ARG(figures[i].now));
    }
    return text;
}

static struct gt_str cause_text(const struct weekly_frame *frame, const struct correction *correction)
{
    static const enum label labels[CORRECTION_CAUSES] = {[CORRECTION_REREAD] = LABEL_CORRECTION_REREAD,
                                                         [CORRECTION_CATALOGUE] = LABEL_CORRECTION_CATALOGUE,
                                                         [CORRECTION_RELEASED] = LABEL_CORRECTION_RELEASED,
                                                         [CORRECTION_VOIDED] = LABEL_CORRECTION_VOIDED};
    struct arena *arena = frame->base.arena;
    struct gt_str args[] = {figure_day_text(correction->decided_unix_s, frame->base.input->zone_offset_s, arena), correction->detail};
    return phrase(arena, frame->base.input->lang, labels[correction->cause], args, 2);
}

enum gt_err weekly_corrections(struct weekly_frame *frame)
{
    const struct correction_list *list = &frame->weekly.corrections;
    enum gt_lang lang = frame->base.input->lang;
    struct arena *arena = frame->base.arena;
    if (list->count == 0) return GT_OK;
    sink_heading(frame->base.writer, 1, label(lang, LABEL_SECTION_CORRECTIONS));
    for (size_t i = 0; i < list->count && i < WEEKLY_CORRECTIONS_SHOWN_MAX; i++) {
        const struct correction *correction = &list->items[i];
        struct gt_str class = correction->was != NULL ? correction->was->class : correction->now->class;
        struct gt_str args[] = {correction->week, name_class(class, lang, arena), figures_text(frame, correction), cause_text(frame, correction)};
        struct gt_str line = phrase(arena, lang, LABEL_CORRECTION_LINE, args, 4);
        if (line.len == 0) return GT_ENOMEM;
        sink_paragraph(frame->base.writer, line);
    }
    if (list->count > WEEKLY_CORRECTIONS_SHOWN_MAX) {
        struct gt_str left = figure_count_text((int64_t)(list->count - WEEKLY_CORRECTIONS_SHOWN_MAX), arena);
        sink_paragraph(frame->base.writer, phrase(arena, lang, LABEL_ROWS_LEFT, &left, 1));
    }
    return GT_OK;
}

/* ---- for programs ---- */

/* clang-format off */
enum correction_column {
    R_WEEK, R_PUBLISHED, R_CLASS, R_SKU, R_CURRENCY, R_LOW_WAS, R_LOW, R_SITE_WAS, R_SITE, R_LABEL_WAS, R_LABEL, R_HOUR_LIST_WAS, R_HOUR_LIST,
    R_MEDIAN_WAS, R_MEDIAN, R_EVIDENCE_WAS, R_EVIDENCE, R_CAUSE, R_DECIDED, R_DETAIL, CORRECTION_COLUMNS
};

static const struct column_def correction_defs[CORRECTION_COLUMNS] = {
    [R_WEEK] = {.key = "week"}, [R_PUBLISHED] = {.key = "published"}, [R_CLASS] = {.key = "class"}, [R_SKU] = {.key = "sku"},
    [R_CURRENCY] = {.key = "currency"}, [R_LOW_WAS] = {.key = "low_was"}, [R_LOW] = {.key = "low"}, [R_SITE_WAS] = {.key = "site_was"},
    [R_SITE] = {.key = "site"}, [R_LABEL_WAS] = {.key = "label_was"}, [R_LABEL] = {.key = "label"},
    [R_HOUR_LIST_WAS] = {.key = "hour_list_was"}, [R_HOUR_LIST] = {.key = "hour_list"}, [R_MEDIAN_WAS] = {.key = "median_was"},
    [R_MEDIAN] = {.key = "median"}, [R_EVIDENCE_WAS] = {.key = "evidence_was"}, [R_EVIDENCE] = {.key = "evidence"},
    [R_CAUSE] = {.key = "cause"}, [R_DECIDED] = {.key = "decided"}, [R_DETAIL] = {.key = "detail"},
};
/* clang-format on */

/* Every second column from `low` on, beginning at low_was or low. */
static void fill_side(struct cell *cells, const struct published_row *row)
{
    if (row == NULL) return;
    cells[R_LOW_WAS] = cell_money(row->low_nano);
    cells[R_SITE_WAS] = cell_text(row->site);
    cells[R_LABEL_WAS] = cell_text(row->label);
    cells[R_HOUR_LIST_WAS] = cell_money(row->hour_list_nano);
    cells[R_MEDIAN_WAS] = cell_money(row->median_nano);
    cells[R_EVIDENCE_WAS] = cell_word(VOCABULARY_EVIDENCE, (int)row->evidence);
}

void weekly_corrections_data(struct weekly_frame *frame)
{
    const struct correction_list *list = &frame->weekly.corrections;
    struct column columns[CORRECTION_COLUMNS];
    table_columns(correction_defs, CORRECTION_COLUMNS, frame->base.input->lang, columns);
    sink_table_begin(frame->base.writer, "corrections", GT_STR(""), columns, CORRECTION_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        const struct correction *correction = &list->items[i];
        const struct published_row *any = correction->was != NULL ? correction->was : correction->now;
        struct cell cells[CORRECTION_COLUMNS] = {0};
        cells[R_WEEK] = cell_text(correction->week);
        cells[R_PUBLISHED] = cell_moment(CELL_TIME, correction->published_unix_s);
        cells[R_CLASS] = cell_text(any->class);
        cells[R_SKU] = cell_text(any->sku);
        cells[R_CURRENCY] = cell_words(any->currency.code);
        fill_side(cells, correction->was);
        fill_side(cells + 1, correction->now);
        cells[R_CAUSE] = cell_words(correction_cause_word(correction->cause));
        cells[R_DECIDED] = cell_moment(CELL_TIME, correction->decided_unix_s);
        cells[R_DETAIL] = cell_text(correction->detail);
        sink_row(frame->base.writer, cells);
    }
    sink_table_end(frame->base.writer);
}
