/* `history`: each offer's spans with dates, amounts and moves; a sparkline in text, a chart for each comparison class in html. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/history.h"
#include "reports/history_chart.h"
#include "reports/market_store.h"
#include "reports/market_table.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

/* The report in the making, with its spans. */
struct history_frame {
    struct frame base;
    struct history history;
    struct market_history market;
    struct report_period period;
};

/* ---- for programs ---- */

/* clang-format off */
enum data_column {
    D_SITE, D_LABEL, D_PLAN, D_REGION, D_VARIANT, D_KEY, D_OFFER_ID, D_SKU, D_CLASS, D_CARDS, D_DELIVERY, D_TIER,
    D_FIRST, D_LAST,
    D_OBSERVATIONS, D_CURRENCY, D_HOUR_LIST, D_HOUR_NET, D_MONTH_LIST, D_MONTH_NET, D_MONTH_ALT, D_BOUND, D_EVIDENCE,
    D_FORMULA,
    D_PROMO_MONTH, D_AVAILABILITY, D_CHANGE, D_DOUBTED, D_VOIDED, D_OPEN, D_PROVENANCE, D_PAGE, D_URL, DATA_COLUMNS
};

static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_SITE] = {.key = "site"}, [D_LABEL] = {.key = "label"}, [D_PLAN] = {.key = "plan"}, [D_REGION] = {.key = "region"},
    [D_VARIANT] = {.key = "variant"}, [D_KEY] = {.key = "key"}, [D_OFFER_ID] = {.key = "offer_id"}, [D_SKU] = {.key = "sku"},
    [D_CLASS] = {.key = "class"}, [D_CARDS] = {.key = "cards"}, [D_DELIVERY] = {.key = "delivery"},
    [D_TIER] = {.key = "tier"},
    [D_FIRST] = {.key = "first"}, [D_LAST] = {.key = "last"}, [D_OBSERVATIONS] = {.key = "observations"},
    [D_CURRENCY] = {.key = "currency"}, [D_HOUR_LIST] = {.key = "hour_list"}, [D_HOUR_NET] = {.key = "hour_net"},
    [D_MONTH_LIST] = {.key = "month_list"}, [D_MONTH_NET] = {.key = "month_net"}, [D_MONTH_ALT] = {.key = "month_alt"},
    [D_BOUND] = {.key = "bound"}, [D_EVIDENCE] = {.key = "evidence"}, [D_FORMULA] = {.key = "formula"},
    [D_PROMO_MONTH] = {.key = "promo_month"}, [D_AVAILABILITY] = {.key = "availability"},
    [D_CHANGE] = {.key = "change_percent"},
    [D_DOUBTED] = {.key = "doubted"}, [D_VOIDED] = {.key = "voided"}, [D_OPEN] = {.key = "open"},
    [D_PROVENANCE] = {.key = "provenance"}, [D_PAGE] = {.key = "page"}, [D_URL] = {.key = "url"},
};
/* clang-format on */

static void fill_identity(struct cell *cells, const struct history_span *span, const struct history_offer *offer)
{
    const struct offer_identity *identity = &span->row.offer.identity;
    const struct offer_attributes *attributes = &span->row.offer.attributes;
    cells[D_SITE] = cell_text(span->row.site);
    cells[D_LABEL] = cell_text(identity->label);
    cells[D_PLAN] = cell_text(identity->plan);
    cells[D_REGION] = cell_text(identity->region);
    cells[D_VARIANT] = cell_text(identity->variant);
    cells[D_KEY] = cell_text(identity->key);
    cells[D_OFFER_ID] = cell_number(CELL_COUNT, (int64_t)span->row.offer_id);
    cells[D_SKU] = cell_words(attributes->sku);
    cells[D_CLASS] = cell_text(offer->class);
    cells[D_CARDS] = cell_count_known(attributes->cards);
    cells[D_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)attributes->delivery);
    cells[D_TIER] = cell_word(VOCABULARY_TIER, (int)attributes->tier);
    cells[D_PROVENANCE] = cell_word(VOCABULARY_PROVENANCE, (int)span->row.provenance);
}

static void fill_span(struct cell *cells, const struct history_span *span, struct arena *arena)
{
    const struct net_price *net = &span->net;
    cells[D_FIRST] = cell_moment(CELL_TIME, span->first_unix_s);
    cells[D_LAST] = cell_moment(CELL_TIME, span->last_unix_s);
    cells[D_OBSERVATIONS] = cell_number(CELL_COUNT, span->observations);
    cells[D_CURRENCY] = cell_words(net->currency.code);
    cells[D_HOUR_LIST] = cell_money(net->hour_list_nano);
    cells[D_HOUR_NET] = cell_money(net->hour_net_nano);
    cells[D_MONTH_LIST] = cell_money(net->month_list_nano);
    cells[D_MONTH_NET] = cell_money(net->month_net_nano);
    cells[D_MONTH_ALT] = cell_money(net->month_alt_nano);
    cells[D_BOUND] = cell_word(VOCABULARY_BOUND, (int)net->bound);
    cells[D_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)net->evidence);
    cells[D_FORMULA] = cell_text(net->formula);
    cells[D_PROMO_MONTH] = cell_money(net->promo_month_nano);
    cells[D_AVAILABILITY] = cell_word(VOCABULARY_AVAIL, (int)span->row.offer.record.availability);
    if (span->has_change) cells[D_CHANGE] = cell_number(CELL_PERCENT, span->change_percent_nano);
    cells[D_DOUBTED] = cell_number(CELL_BOOL, span->is_doubted);
    cells[D_VOIDED] = cell_number(CELL_BOOL, span->is_voided);
    cells[D_OPEN] = cell_number(CELL_BOOL, span->is_open);
    cells[D_PAGE] = cell_page(&span->row, arena);
    cells[D_URL] = cell_text(span->row.url);
}

static void write_data(struct history_frame *frame)
{
    struct column columns[DATA_COLUMNS];
    table_columns(data_columns, DATA_COLUMNS, frame->base.input->lang, columns);
    frame_values(&frame->base);
    sink_value(frame->base.writer, "since", cell_number(CELL_TIME, frame->period.since_unix_s));
    sink_value(frame->base.writer, "until", cell_number(CELL_TIME, frame->period.until_unix_s));
    sink_table_begin(frame->base.writer, "spans", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < frame->history.offer_count; i++)
        for (size_t k = 0; k < frame->history.offers[i].count; k++) {
            struct cell cells[DATA_COLUMNS] = {0};
            fill_identity(cells, &frame->history.offers[i].spans[k], &frame->history.offers[i]);
            fill_span(cells, &frame->history.offers[i].spans[k], frame->base.arena);
            sink_row(frame->base.writer, cells);
        }
    sink_table_end(frame->base.writer);
}

/* ---- for people ---- */

/* clang-format off */
enum shown_column {
    S_FIRST, S_LAST, S_HOUR_LIST, S_HOUR_NET, S_MONTH_NET, S_CHANGE, S_STOCK, S_SEEN, S_STATE, S_FORMULA, SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_FIRST] = {"first", LABEL_FROM_DAY, COLUMN_KEEP, 0},
    [S_LAST] = {"last", LABEL_TO_DAY, COLUMN_KEEP, 0},
    [S_HOUR_LIST] = {"hour_list", LABEL_HOUR_LIST, COLUMN_RIGHT, 4},
    [S_HOUR_NET] = {"hour_net", LABEL_HOUR_NET, COLUMN_RIGHT, 4},
    [S_MONTH_NET] = {"month_net", LABEL_MONTH_NET, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [S_CHANGE] = {"change", LABEL_CHANGE, COLUMN_RIGHT, 0},
    [S_STOCK] = {"availability", LABEL_STOCK, 0, 0},
    [S_SEEN] = {"observations", LABEL_TIMES_SEEN, COLUMN_RIGHT, 0},
    [S_STATE] = {"state", LABEL_MARKS, 0, 0},
    [S_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_EXTRA | COLUMN_WRAP, 0},
};
/* clang-format on */

/* What is special about a span: doubted, voided, a bound price. */
static struct gt_str span_state(const struct history_span *span, enum gt_lang lang)
{
    if (span->is_voided) return label(lang, LABEL_VOIDED);
    if (span->is_doubted) return label(lang, LABEL_DOUBTED);
    return span->net.bound != BOUND_EXACT ? label_word(lang, VOCABULARY_BOUND, (int)span->net.bound) : GT_STR("");
}

static void fill_shown(struct cell *cells, const struct history_span *span, const struct history_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    cells[S_FIRST] = cell_moment(CELL_DAY, span->first_unix_s);
    cells[S_LAST] = cell_moment(CELL_DAY, span->last_unix_s);
    cells[S_HOUR_LIST] = cell_money(span->net.hour_list_nano);
    cells[S_HOUR_NET] = cell_money(span->net.hour_net_nano);
    cells[S_MONTH_NET] = cell_money(span->net.month_net_nano);
    cells[S_MONTH_NET].text = figure_alt_text(&span->net, lang, frame->base.arena);
    if (span->has_change) cells[S_CHANGE] = cell_number(CELL_PERCENT, span->change_percent_nano);
    cells[S_STOCK] = cell_word_shown(lang, VOCABULARY_AVAIL, (int)span->row.offer.record.availability);
    cells[S_SEEN] = cell_number(CELL_COUNT, span->observations);
    cells[S_STATE] = cell_remark(span_state(span, lang));
    cells[S_FORMULA] = cell_sentence(cell_text(span->net.formula));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) cells[i].is_marked = span->is_doubted || span->is_voided;
}

/* "▁▁▃ 990 → 1074 (+8.5%), low 990, high 1074". */
static void write_spark(struct history_frame *frame, const struct history_offer *offer)
{
    int64_t values[HISTORY_SPARK_POINTS], move = 0;
    struct arena *arena = frame->base.arena;
    if (offer->latest_nano == 0) return;
    history_spark(offer, frame->period.since_unix_s, frame->period.until_unix_s, values);
    bool has_move = figure_percent(offer->latest_before_nano, offer->latest_nano, &move);
    struct gt_str args[] = {figure_sparkline(values, HISTORY_SPARK_POINTS, arena),
                            figure_money_text(offer->latest_before_nano, arena),
                            figure_money_text(offer->latest_nano, arena),
                            has_move ? figure_percent_text(move, arena) : GT_STR("—"),
                            figure_money_text(offer->low_nano, arena),
                            figure_money_text(offer->high_nano, arena),
                            gt_str_from(move > 0   ? "+"
                                        : move < 0 ? "-"
                                                   : "")};
    sink_paragraph(frame->base.writer,
                   phrase(arena, frame->base.input->lang, LABEL_SPARK_LINE, args, sizeof args / sizeof args[0]));
}

/* An offer is named by its site and all its printed words: the label alone does not tell plans apart. */
static enum gt_err write_offer(struct history_frame *frame, const struct history_offer *offer)
{
    const struct board_row *row = &offer->spans[offer->count - 1].row;
    struct arena *arena = frame->base.arena;
    struct gt_str name = name_offer(&row->offer.identity, arena), site = name_site(row, frame->base.input->lang);
    struct table table;
    sink_heading(frame->base.writer, 2, arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(site), GT_STR_ARG(name)));
    write_spark(frame, offer);
    table_init(&table, arena, frame->base.input->lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < offer->count; i++) fill_shown(table_row(&table), &offer->spans[i], frame);
    return table_write(&table, frame->base.writer, "spans", GT_STR(""));
}

static enum gt_err write_shown(struct history_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    struct history_chart_view view = {.lang = lang,
                                      .persona = &frame->base.input->persona,
                                      .since_unix_s = frame->period.since_unix_s};
    enum gt_err err = GT_OK;
    if (sink_has_headings(frame->base.writer)) view.caption = label(lang, LABEL_CHART_PRICE);
    if (frame->history.offer_count == 0) sink_paragraph(frame->base.writer, label(lang, LABEL_NO_HISTORY));
    for (size_t i = 0, count; i < frame->history.offer_count && err == GT_OK; i += count) {
        struct gt_str class = frame->history.offers[i].class;
        count = history_class_count(&frame->history, i);
        sink_heading(frame->base.writer, 1, name_class(class, lang, frame->base.arena));
        if (i == 0 || !gt_str_eq(frame->history.offers[i - 1].class, class)) /* those of its other currencies as well */
            history_chart_write(&frame->history, class, &view, frame->base.arena, frame->base.writer);
        err = market_table_write(&frame->market, class, &frame->history.offers[i].currency, &frame->base);
        for (size_t k = 0; k < count && err == GT_OK; k++) err = write_offer(frame, &frame->history.offers[i + k]);
    }
    return err;
}

static struct gt_str history_title(struct history_frame *frame)
{
    struct arena *arena = frame->base.arena;
    struct report_period span = frame->period;
    span.kind = REPORT_SPAN;
    struct gt_str args[] = {period_name(&span, frame->base.input->zone_offset_s, arena), frame->base.input->query_text};
    return gt_str_trim(phrase(arena, frame->base.input->lang, LABEL_HISTORY_TITLE, args, 2));
}

static enum gt_err history_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct history_frame frame = {0};
    struct board_view view = board_view_from(input, input->now_unix_s);
    struct report_period fallback = {REPORT_SPAN, input->now_unix_s + 1 - REPORT_HISTORY_DAYS * (int64_t)CIVIL_DAY_S,
                                     input->now_unix_s + 1};
    enum gt_err err = frame_init(&frame.base, input, info);
    if (err == GT_OK) err = frame_period(input, fallback, &frame.period, info);
    if (err == GT_OK)
        err = history_read(input->store, frame.period.since_unix_s, frame.period.until_unix_s, &view, frame.base.arena,
                           &frame.history, info);
    if (err == GT_OK)
        err = market_history_read(input->store, frame.period.since_unix_s, frame.period.until_unix_s, &view, &frame.history, frame.base.arena,
                                  &frame.market, info);
    if (err != GT_OK) goto out;
    frame.base.is_sample |= frame.history.is_sample;
    frame.base.board.hours_per_month = frame.history.hours_per_month;
    err = frame_open(&frame.base, sink, file, history_title(&frame), name_persona(&input->persona, input->lang, frame.base.arena),
                     GT_STR(""), info);
    if (err != GT_OK) goto out;
    if (sink->is_data) {
        write_data(&frame);
        market_data_write(&frame.market, &frame.base);
    } else {
        err = write_shown(&frame);
    }
out:
    return frame_done(&frame.base, err, info);
}

const struct report report_history = {"history", "each offer's prices over time, with moves, sparklines and charts", history_run};
