/* `changes`: what happened, by time, with the price before and after; and what alerts told. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"
#include "reports/told_list.h"

/* ---- for programs ---- */

/* clang-format off */
enum data_column {
    D_TIME, D_SEQ, D_KIND, D_SITE, D_OFFER_ID, D_LABEL, D_PLAN, D_REGION, D_VARIANT, D_SKU, D_DELIVERY, D_TIER, D_CURRENCY,
    D_HOUR_BEFORE, D_HOUR_AFTER, D_MONTH_BEFORE, D_MONTH_AFTER, D_PROMO_BEFORE, D_PROMO_AFTER, D_AVAIL_BEFORE, D_AVAIL_AFTER,
    D_PERCENT, D_EVIDENCE, D_FORMULA, D_DETAIL, D_DOUBTED, D_URL, D_EVENT, D_RULE, D_SEVERITY, D_CLASS, D_METRIC, D_OLD, D_NEW, D_REFERENCE,
    DATA_COLUMNS
};

static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_TIME] = {.key = "time"}, [D_SEQ] = {.key = "seq"}, [D_KIND] = {.key = "kind"}, [D_SITE] = {.key = "site"},
    [D_OFFER_ID] = {.key = "offer_id"}, [D_LABEL] = {.key = "label"}, [D_PLAN] = {.key = "plan"},
    [D_REGION] = {.key = "region"},
    [D_VARIANT] = {.key = "variant"}, [D_SKU] = {.key = "sku"}, [D_DELIVERY] = {.key = "delivery"},
    [D_TIER] = {.key = "tier"},
    [D_CURRENCY] = {.key = "currency"}, [D_HOUR_BEFORE] = {.key = "hour_list_before"},
    [D_HOUR_AFTER] = {.key = "hour_list_after"},
    [D_MONTH_BEFORE] = {.key = "month_net_before"}, [D_MONTH_AFTER] = {.key = "month_net_after"},
    [D_PROMO_BEFORE] = {.key = "promo_month_before"}, [D_PROMO_AFTER] = {.key = "promo_month_after"},
    [D_AVAIL_BEFORE] = {.key = "availability_before"}, [D_AVAIL_AFTER] = {.key = "availability_after"},
    [D_PERCENT] = {.key = "percent"}, [D_EVIDENCE] = {.key = "evidence"}, [D_FORMULA] = {.key = "formula"},
    [D_DETAIL] = {.key = "detail"}, [D_DOUBTED] = {.key = "doubted"}, [D_URL] = {.key = "url"},
    [D_EVENT] = {.key = "event"}, [D_RULE] = {.key = "rule"}, [D_SEVERITY] = {.key = "severity"}, [D_CLASS] = {.key = "class"},
    [D_METRIC] = {.key = "metric"}, [D_OLD] = {.key = "old"}, [D_NEW] = {.key = "new"}, [D_REFERENCE] = {.key = "reference"},
};
/* clang-format on */

static void fill_identity(struct cell *cells, const struct change *change)
{
    cells[D_TIME] = cell_moment(CELL_TIME, change->t_unix_s);
    cells[D_SEQ] = cell_count_known((int64_t)change->seq);
    cells[D_KIND] = cell_word(VOCABULARY_CHANGE, (int)change->kind);
    cells[D_SITE] = cell_text(change->site);
    cells[D_DETAIL] = cell_text(change->detail);
    cells[D_DOUBTED] = cell_number(CELL_BOOL, change->is_doubted);
    cells[D_OFFER_ID] = cell_count_known((int64_t)change->offer_id);
    if (change->identity == NULL || change->attributes == NULL) return;
    cells[D_LABEL] = cell_text(change->identity->label);
    cells[D_PLAN] = cell_text(change->identity->plan);
    cells[D_REGION] = cell_text(change->identity->region);
    cells[D_VARIANT] = cell_text(change->identity->variant);
    cells[D_SKU] = cell_words(change->attributes->sku);
    cells[D_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)change->attributes->delivery);
    cells[D_TIER] = cell_word(VOCABULARY_TIER, (int)change->attributes->tier);
}

/* Before and after as the persona pays them; a promotion stands beside them, because it is never part of the price. */
static void fill_prices(struct cell *cells, const struct change_entry *entry)
{
    const struct offer_record *before = entry->change.before, *after = entry->change.after;
    const struct net_price *net = after != NULL ? &entry->after : &entry->before;
    cells[D_CURRENCY] = cell_words(net->currency.code);
    cells[D_HOUR_BEFORE] = cell_money(entry->before.hour_list_nano);
    cells[D_HOUR_AFTER] = cell_money(entry->after.hour_list_nano);
    cells[D_MONTH_BEFORE] = cell_money(entry->before.month_net_nano);
    cells[D_MONTH_AFTER] = cell_money(entry->after.month_net_nano);
    cells[D_PROMO_BEFORE] = cell_money(entry->before.promo_month_nano);
    cells[D_PROMO_AFTER] = cell_money(entry->after.promo_month_nano);
    if (before != NULL) cells[D_AVAIL_BEFORE] = cell_word(VOCABULARY_AVAIL, (int)before->availability);
    if (after != NULL) cells[D_AVAIL_AFTER] = cell_word(VOCABULARY_AVAIL, (int)after->availability);
    if (entry->has_percent) cells[D_PERCENT] = cell_number(CELL_PERCENT, entry->percent_nano);
    cells[D_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)net->evidence);
    cells[D_FORMULA] = cell_text(net->formula);
    cells[D_URL] = cell_text(entry->url);
}

/* What the rule fired on, for its own persona; of an event alone also what a change would have said. */
static void fill_event(struct cell *cells, const struct told_entry *entry)
{
    const struct told_event *event = entry->event;
    int64_t percent_nano;
    if (event == NULL) return;
    cells[D_EVENT] = cell_text(event->id);
    cells[D_RULE] = cell_text(event->rule);
    cells[D_SEVERITY] = cell_text(event->severity);
    cells[D_CLASS] = cell_text(event->class_key);
    cells[D_METRIC] = cell_text(event->metric);
    cells[D_OLD] = cell_money(event->old_nano);
    cells[D_NEW] = cell_money(event->new_nano);
    cells[D_REFERENCE] = cell_text(event->reference);
    if (!entry->is_event_alone) return;
    cells[D_KIND] = cell_text(event->what);
    cells[D_CURRENCY] = cell_words(event->currency.code);
    if (figure_percent(event->old_nano, event->new_nano, &percent_nano)) cells[D_PERCENT] = cell_number(CELL_PERCENT, percent_nano);
    cells[D_EVIDENCE] = cell_text(event->evidence);
    cells[D_FORMULA] = cell_text(event->formula);
}

static enum gt_err write_data(struct frame *frame, const struct report_period *period, const struct told_list *list)
{
    struct column columns[DATA_COLUMNS];
    table_columns(data_columns, DATA_COLUMNS, frame->input->lang, columns);
    frame_values(frame);
    sink_value(frame->writer, "since", cell_number(CELL_TIME, period->since_unix_s));
    sink_value(frame->writer, "until", cell_number(CELL_TIME, period->until_unix_s));
    sink_table_begin(frame->writer, "changes", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        struct cell cells[DATA_COLUMNS] = {0};
        struct told_entry entry;
        if (told_list_entry(list, i, frame->arena, &entry) != GT_OK) return GT_ENOMEM;
        fill_identity(cells, &entry.priced.change);
        fill_prices(cells, &entry.priced);
        fill_event(cells, &entry);
        sink_row(frame->writer, cells);
    }
    sink_table_end(frame->writer);
    return GT_OK;
}

/* ---- for people ---- */

/* clang-format off */
enum shown_column {
    S_TIME, S_SITE, S_OFFER, S_KIND, S_CURRENCY, S_BEFORE, S_AFTER, S_PERCENT, S_EVIDENCE, S_DETAIL, SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_TIME] = {"time", LABEL_TIME, COLUMN_KEEP, 0},
    [S_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [S_OFFER] = {"offer", LABEL_OFFER, COLUMN_WRAP | COLUMN_KEEP, 0},
    [S_KIND] = {"kind", LABEL_WHAT, COLUMN_KEEP, 0},
    [S_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [S_BEFORE] = {"before", LABEL_BEFORE, COLUMN_RIGHT, 4},
    [S_AFTER] = {"after", LABEL_AFTER, COLUMN_RIGHT, 4},
    [S_PERCENT] = {"percent", LABEL_CHANGE, COLUMN_RIGHT, 0},
    [S_EVIDENCE] = {"evidence", LABEL_EVIDENCE, COLUMN_EXTRA, 0},
    [S_DETAIL] = {"detail", LABEL_DETAIL, COLUMN_WRAP, 0},
};
/* clang-format on */

/* Of a promotion its own price is shown: that is what began or ended. */
static void fill_shown(struct cell *cells, const struct change_entry *entry, const struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    const struct change *change = &entry->change;
    const struct net_price *net = change->after != NULL ? &entry->after : &entry->before;
    cells[S_TIME] = cell_moment(CELL_TIME, change->t_unix_s);
    cells[S_SITE] = cell_text(name_site_title(entry->site_title, change->site, lang));
    if (change->identity != NULL) cells[S_OFFER] = cell_text(name_offer(change->identity, frame->arena));
    cells[S_OFFER].link = entry->url;
    cells[S_KIND] = cell_word_shown(lang, VOCABULARY_CHANGE, (int)change->kind);
    cells[S_CURRENCY] = change->identity != NULL ? frame_currency_cell(frame, &net->currency) : cell_none();
    bool is_promotion = change->kind == CHANGE_PROMOTION_BEGAN || change->kind == CHANGE_PROMOTION_ENDED;
    cells[S_BEFORE] = cell_money(is_promotion ? entry->before.promo_month_nano : entry->before_nano);
    cells[S_AFTER] = cell_money(is_promotion ? entry->after.promo_month_nano : entry->after_nano);
    if (entry->has_percent && entry->percent_nano != 0) cells[S_PERCENT] = cell_number(CELL_PERCENT, entry->percent_nano);
    cells[S_EVIDENCE] = cell_word_shown(lang, VOCABULARY_EVIDENCE, (int)net->evidence);
    cells[S_DETAIL] = cell_sentence(cell_remark(change->detail));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) cells[i].is_marked = change->is_doubted;
}

/* An event alone says in one sentence what its message said; behind the detail of any line that has one stands as much of its id as
 * `alerts ack` takes. */
static void fill_shown_event(struct cell *cells, const struct told_entry *entry, const struct frame *frame)
{
    enum { ID_SHOWN = 8 };
    const struct told_event *event = entry->event;
    if (event == NULL) return;
    struct gt_str detail = label_sentence(frame->arena, frame->input->lang, entry->priced.change.detail), id = gt_str_cut(event->id, ID_SHOWN);
    cells[S_DETAIL] = cell_text(arena_printf(frame->arena, "%.*s%s#%.*s", GT_STR_ARG(detail), detail.len > 0 ? " " : "", GT_STR_ARG(id)));
    if (!entry->is_event_alone) return;
    cells[S_OFFER] = cells[S_CURRENCY] = cell_none();
    cells[S_KIND] = cell_text(label(frame->input->lang, LABEL_ALERT));
}

static enum gt_err write_shown(struct frame *frame, const struct told_list *list)
{
    struct table table;
    table_init(&table, frame->arena, frame->input->lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        struct told_entry entry;
        struct cell *cells = table_row(&table);
        if (told_list_entry(list, i, frame->arena, &entry) != GT_OK) return GT_ENOMEM;
        fill_shown(cells, &entry.priced, frame);
        fill_shown_event(cells, &entry, frame);
    }
    if (list->count == 0) sink_paragraph(frame->writer, label(frame->input->lang, LABEL_NO_CHANGES));
    return table_write(&table, frame->writer, "changes", GT_STR(""));
}

static struct gt_str changes_title(struct frame *frame, const struct report_period *period)
{
    struct report_period span = *period;
    span.kind = REPORT_SPAN;
    struct gt_str args[] = {period_name(&span, frame->input->zone_offset_s, frame->arena), frame->input->query_text};
    return gt_str_trim(phrase(frame->arena, frame->input->lang, LABEL_CHANGES_TITLE, args, 2));
}

/* The board is read for titles, rounding and page addresses; changes themselves carry none. */
static enum gt_err changes_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    struct report_period period;
    struct change_list list = {0};
    struct told_list told = {0};
    struct board_view view = board_view_from(input, input->now_unix_s);
    struct report_period fallback = {REPORT_SPAN, input->now_unix_s + 1 - REPORT_HISTORY_DAYS * (int64_t)CIVIL_DAY_S,
                                     input->now_unix_s + 1};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_period(input, fallback, &period, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    if (err == GT_OK)
        err = change_list_read(input->store, period.since_unix_s, period.until_unix_s, &view, &frame.rows, frame.arena, &list,
                               info);
    if (err == GT_OK)
        err = told_list_read(input->store, period.since_unix_s, period.until_unix_s, &list, sink->is_data ? LANG_EN : input->lang, frame.arena,
                             &told, info);
    if (err == GT_OK)
        err = frame_open(&frame, sink, file, changes_title(&frame, &period), frame_terms_text(&frame), GT_STR(""), info);
    if (err != GT_OK) goto out;
    err = sink->is_data ? write_data(&frame, &period, &told) : write_shown(&frame, &told);
out:
    return frame_done(&frame, err, info);
}

const struct report report_changes = {"changes", "what changed, by time, with prices before and after", changes_run};
