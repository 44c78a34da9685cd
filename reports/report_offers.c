/* `offers`: today's board. People get one table for each comparison class, programs one flat table in DESIGN's shape. */
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

/* ---- for programs ---- */

/* clang-format off */
enum data_column {
    D_SITE, D_LABEL, D_SKU, D_SKU_STATUS, D_CLASS, D_CARDS, D_DELIVERY, D_TIER, D_REGION, D_AVAILABILITY, D_MIN_CARDS,
    D_MIN_TERM,
    D_TAX, D_CURRENCY, D_HOUR_LIST, D_HOUR_NET, D_MONTH_LIST, D_MONTH_NET, D_MONTH_ALT, D_BOUND, D_EVIDENCE, D_FORMULA,
    D_PROVENANCE, D_DOUBTED, D_STALE, D_SINCE, D_SEEN, D_AGE_S, D_PAGE, D_PLAN, D_VARIANT, D_KEY, D_SITE_TITLE, D_KIND,
    D_MARKET,
    D_INCLUDES, D_VRAM_GB, D_INTERCONNECT, D_STOCK, D_NODE_MONTH_NET, D_PROMO_MONTH, D_PROMO_BOUND, D_PROMO_UNTIL,
    D_ALT_FORMULA,
    D_HOURS, D_CANDIDATES, D_DOUBT, D_CHEAPEST, D_URL, D_CONVERTED, D_CONVERTED_IN, DATA_COLUMNS
};

/* The names that scripts rely on: add, never rename. */
static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_SITE] = {.key = "site"}, [D_LABEL] = {.key = "label"}, [D_SKU] = {.key = "sku"},
    [D_SKU_STATUS] = {.key = "sku_status"},
    [D_CLASS] = {.key = "class"}, [D_CARDS] = {.key = "cards"}, [D_DELIVERY] = {.key = "delivery"},
    [D_TIER] = {.key = "tier"},
    [D_REGION] = {.key = "region"}, [D_AVAILABILITY] = {.key = "availability"}, [D_MIN_CARDS] = {.key = "min_cards"},
    [D_MIN_TERM] = {.key = "min_term"}, [D_TAX] = {.key = "tax"}, [D_CURRENCY] = {.key = "currency"},
    [D_HOUR_LIST] = {.key = "hour_list"}, [D_HOUR_NET] = {.key = "hour_net"}, [D_MONTH_LIST] = {.key = "month_list"},
    [D_MONTH_NET] = {.key = "month_net"}, [D_MONTH_ALT] = {.key = "month_alt"}, [D_BOUND] = {.key = "bound"},
    [D_EVIDENCE] = {.key = "evidence"}, [D_FORMULA] = {.key = "formula"}, [D_PROVENANCE] = {.key = "provenance"},
    [D_DOUBTED] = {.key = "doubted"}, [D_STALE] = {.key = "stale"}, [D_SINCE] = {.key = "since"}, [D_SEEN] = {.key = "seen"},
    [D_AGE_S] = {.key = "age_s"}, [D_PAGE] = {.key = "page"}, [D_PLAN] = {.key = "plan"}, [D_VARIANT] = {.key = "variant"},
    [D_KEY] = {.key = "key"}, [D_SITE_TITLE] = {.key = "site_title"}, [D_KIND] = {.key = "kind"},
    [D_MARKET] = {.key = "market"},
    [D_INCLUDES] = {.key = "includes"}, [D_VRAM_GB] = {.key = "vram_gb"}, [D_INTERCONNECT] = {.key = "interconnect"},
    [D_STOCK] = {.key = "stock"}, [D_NODE_MONTH_NET] = {.key = "node_month_net"}, [D_PROMO_MONTH] = {.key = "promo_month"},
    [D_PROMO_BOUND] = {.key = "promo_bound"}, [D_PROMO_UNTIL] = {.key = "promo_until"},
    [D_ALT_FORMULA] = {.key = "month_alt_formula"}, [D_HOURS] = {.key = "hours_per_month"},
    [D_CANDIDATES] = {.key = "candidates"}, [D_DOUBT] = {.key = "doubt"}, [D_CHEAPEST] = {.key = "cheapest"},
    [D_URL] = {.key = "url"}, [D_CONVERTED] = {.key = "converted"}, [D_CONVERTED_IN] = {.key = "converted_currency"},
};
/* clang-format on */

/* What the offer is. */
static void fill_identity(struct cell *cells, const struct board_entry *entry)
{
    const struct board_row *row = entry->row;
    const struct offer_attributes *attributes = &row->offer.attributes;
    cells[D_SITE] = cell_text(row->site);
    cells[D_SITE_TITLE] = cell_text(row->site_title);
    cells[D_LABEL] = cell_text(row->offer.identity.label);
    cells[D_PLAN] = cell_text(row->offer.identity.plan);
    cells[D_REGION] = cell_text(row->offer.identity.region);
    cells[D_VARIANT] = cell_text(row->offer.identity.variant);
    cells[D_KEY] = cell_text(row->offer.identity.key);
    cells[D_SKU] = cell_words(attributes->sku);
    cells[D_SKU_STATUS] = cell_word(VOCABULARY_SKU, (int)attributes->sku_status);
    cells[D_CANDIDATES] = cell_list(attributes->candidates);
    cells[D_CLASS] = cell_text(entry->class);
    cells[D_CARDS] = cell_count_known(attributes->cards);
    cells[D_VRAM_GB] = cell_count_known(attributes->vram_gb);
    cells[D_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)attributes->delivery);
    cells[D_TIER] = cell_word(VOCABULARY_TIER, (int)attributes->tier);
    cells[D_KIND] = cell_word(VOCABULARY_KIND, (int)row->kind);
    cells[D_MARKET] = cell_word(VOCABULARY_MARKET, (int)attributes->market);
    cells[D_INCLUDES] = cell_word(VOCABULARY_INCLUDES, (int)attributes->includes);
    cells[D_INTERCONNECT] = cell_text(attributes->interconnect);
    cells[D_MIN_CARDS] = cell_count_known(attributes->min_cards);
    cells[D_MIN_TERM] = cell_count_known(attributes->min_months);
    cells[D_TAX] = cell_word(VOCABULARY_TAX, (int)attributes->tax);
}

/* What it costs. */
static void fill_prices(struct cell *cells, const struct board_entry *entry)
{
    const struct net_price *net = &entry->net;
    cells[D_CURRENCY] = cell_words(net->currency.code);
    cells[D_HOUR_LIST] = cell_money(net->hour_list_nano);
    cells[D_HOUR_NET] = cell_money(net->hour_net_nano);
    cells[D_MONTH_LIST] = cell_money(net->month_list_nano);
    cells[D_MONTH_NET] = cell_money(net->month_net_nano);
    cells[D_MONTH_ALT] = cell_money(net->month_alt_nano);
    cells[D_ALT_FORMULA] = cell_text(net->month_alt_formula);
    cells[D_NODE_MONTH_NET] = cell_money(net->node_month_net_nano);
    cells[D_PROMO_MONTH] = cell_money(net->promo_month_nano);
    if (net->promo_month_nano != 0) cells[D_PROMO_BOUND] = cell_word(VOCABULARY_BOUND, (int)net->promo_bound);
    cells[D_PROMO_UNTIL] = cell_moment(CELL_TIME, net->promo_until_unix_s);
    cells[D_BOUND] = cell_word(VOCABULARY_BOUND, (int)net->bound);
    cells[D_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)net->evidence);
    cells[D_FORMULA] = cell_text(net->formula);
    cells[D_HOURS] = cell_count_known(entry->row->net_rules.hours_per_month);
}

/* The price that the persona compares, in the currency that was asked for. */
static void fill_converted(struct cell *cells, const struct board_entry *entry, struct frame *frame)
{
    cells[D_CONVERTED] = fx_shown_cell(&frame->fx, entry->price_nano, entry->net.currency);
    if (cells[D_CONVERTED].kind != CELL_NONE) cells[D_CONVERTED_IN] = cell_words(frame->fx.to.code);
}

/* How it was observed. */
static void fill_observation(struct cell *cells, const struct board_entry *entry, struct arena *arena)
{
    const struct board_row *row = entry->row;
    cells[D_AVAILABILITY] = cell_word(VOCABULARY_AVAIL, (int)row->offer.record.availability);
    if (row->offer.stock >= 0) cells[D_STOCK] = cell_number(CELL_COUNT, row->offer.stock);
    cells[D_PROVENANCE] = cell_word(VOCABULARY_PROVENANCE, (int)row->provenance);
    cells[D_DOUBTED] = cell_number(CELL_BOOL, row->is_doubted);
    cells[D_DOUBT] = cell_text(row->doubt);
    cells[D_STALE] = cell_number(CELL_BOOL, (entry->marks & BOARD_STALE) != 0);
    cells[D_CHEAPEST] = cell_number(CELL_BOOL, entry->is_cheapest);
    cells[D_SINCE] = cell_moment(CELL_TIME, entry->since_unix_s);
    cells[D_SEEN] = cell_moment(CELL_TIME, row->seen_unix_s);
    cells[D_AGE_S] = cell_number(CELL_AGE, entry->age_s);
    cells[D_PAGE] = cell_page(row, arena);
    cells[D_URL] = cell_text(row->url);
}

/* Row by row: a board of 100,000 offers is not held twice. */
static void write_data(struct frame *frame)
{
    struct column columns[DATA_COLUMNS];
    table_columns(data_columns, DATA_COLUMNS, frame->input->lang, columns);
    frame_values(frame);
    sink_table_begin(frame->writer, "offers", GT_STR(""), columns, DATA_COLUMNS);
    for (size_t i = 0; i < frame->board.count; i++) {
        struct cell cells[DATA_COLUMNS] = {0};
        fill_identity(cells, &frame->board.entries[i]);
        fill_prices(cells, &frame->board.entries[i]);
        fill_observation(cells, &frame->board.entries[i], frame->arena);
        fill_converted(cells, &frame->board.entries[i], frame);
        sink_row(frame->writer, cells);
    }
    sink_table_end(frame->writer);
    fx_shown_write(&frame->fx, frame->writer, frame->input->lang, frame->arena);
}

/* ---- for people ---- */

/* clang-format off */
enum shown_column {
    S_SITE, S_OFFER, S_CURRENCY, S_HOUR_LIST, S_HOUR_NET, S_MONTH_LIST, S_MONTH_NET, S_CONVERTED, S_NODE, S_PROMO, S_STOCK,
    S_EVIDENCE, S_MARKS, S_AGE, S_FORMULA,
    S_SINCE, SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_SITE] = {"site", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [S_OFFER] = {"offer", LABEL_OFFER, COLUMN_KEEP | COLUMN_WRAP, 0},
    [S_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [S_HOUR_LIST] = {"hour_list", LABEL_HOUR_LIST, COLUMN_RIGHT, 4},
    [S_HOUR_NET] = {"hour_net", LABEL_HOUR_NET, COLUMN_RIGHT, 4},
    [S_MONTH_LIST] = {"month_list", LABEL_MONTH_LIST, COLUMN_RIGHT | COLUMN_EXTRA, 2},
    [S_MONTH_NET] = {"month_net", LABEL_MONTH_NET, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [S_CONVERTED] = {"converted", LABEL_SHOWN_IN, COLUMN_RIGHT, 2},
    [S_NODE] = {"node_month_net", LABEL_NODE_MONTH, COLUMN_RIGHT, 2},
    [S_PROMO] = {"promo", LABEL_PROMO_MONTH, 0, 2},
    [S_STOCK] = {"availability", LABEL_STOCK, 0, 0},
    [S_EVIDENCE] = {"evidence", LABEL_EVIDENCE, 0, 0},
    [S_MARKS] = {"marks", LABEL_MARKS, 0, 0},
    [S_AGE] = {"age", LABEL_AGE, COLUMN_RIGHT, 0},
    [S_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_EXTRA | COLUMN_WRAP, 0},
    [S_SINCE] = {"since", LABEL_SINCE, COLUMN_EXTRA, 0},
};
/* clang-format on */

/* Marked offers are set apart as a whole line: a price without its mark misleads. */
static void fill_shown(struct cell *cells, const struct board_entry *entry, struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    const struct net_price *net = &entry->net;
    cells[S_SITE] = cell_text(name_site(entry->row, lang));
    cells[S_OFFER] = cell_linked(name_offer(&entry->row->offer.identity, frame->arena), entry->row);
    cells[S_HOUR_LIST] = cell_money(net->hour_list_nano);
    cells[S_HOUR_NET] = cell_money(net->hour_net_nano);
    cells[S_MONTH_LIST] = cell_money(net->month_list_nano);
    cells[S_MONTH_NET] = cell_money(net->month_net_nano);
    cells[S_MONTH_NET].text = figure_alt_text(net, lang, frame->arena);
    cells[S_CONVERTED] = fx_shown_cell(&frame->fx, entry->price_nano, net->currency);
    cells[S_NODE] = cell_money(net->node_month_net_nano);
    cells[S_PROMO] = cell_text(figure_promotion_text(net, lang, frame->input->zone_offset_s, frame->arena));
    cells[S_STOCK] = cell_word_shown(lang, VOCABULARY_AVAIL, (int)entry->row->offer.record.availability);
    cells[S_EVIDENCE] = cell_text(figure_evidence_text(entry, lang, frame->arena));
    cells[S_MARKS] = cell_remark(figure_marks_text(entry, lang, frame->arena));
    cells[S_AGE] = cell_number(CELL_AGE, entry->age_s);
    cells[S_SINCE] = cell_moment(CELL_DAY, entry->since_unix_s);
    cells[S_FORMULA] = cell_sentence(cell_text(net->formula));
    for (size_t i = 0; i < SHOWN_COLUMNS; i++) cells[i].is_marked = entry->marks != 0;
}

/* One class under its name and currency; or all offers whose card is not sure, which come last and are compared with nothing. */
static enum gt_err write_class(struct frame *frame, size_t from, size_t count)
{
    const struct board_entry *first = &frame->board.entries[from];
    enum gt_lang lang = frame->input->lang;
    struct gt_str name = name_class(first->class, lang, frame->arena), currency = name_currency(&first->net.currency, lang);
    struct gt_str heading = arena_printf(frame->arena, "%.*s · %.*s", GT_STR_ARG(name), GT_STR_ARG(currency));
    struct table table;
    table_init(&table, frame->arena, lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        struct cell *cells = table_row(&table);
        fill_shown(cells, &frame->board.entries[from + i], frame);
        if (board_class_is_unsure(first->class))
            cells[S_CURRENCY] = frame_currency_cell(frame, &frame->board.entries[from + i].net.currency);
    }
    sink_heading(frame->writer, 2, board_class_is_unsure(first->class) ? label(lang, LABEL_SECTION_UNSURE) : heading);
    return table_write(&table, frame->writer, "offers", GT_STR(""));
}

/* What was left out, and how to read the marks. */
static void write_foot(struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    const struct board *board = &frame->board;
    if (board->count == 0) sink_paragraph(frame->writer, label(lang, LABEL_NO_OFFERS));
    sink_heading(frame->writer, 2, label(lang, LABEL_NOTES));
    if (board->delisted + board->other_currency > 0) {
        struct gt_str args[] = {figure_count_text((int64_t)board->delisted, frame->arena),
                                figure_count_text((int64_t)board->other_currency, frame->arena)};
        sink_paragraph(frame->writer, phrase(frame->arena, lang, LABEL_LEFT_OUT_LINE, args, 2));
    }
    sink_paragraph(frame->writer, label(lang, LABEL_BOARD_NOTE));
    fx_shown_write(&frame->fx, frame->writer, lang, frame->arena);
}

static struct gt_str offers_title(struct frame *frame)
{
    struct gt_str args[] = {figure_minute_text(frame->input->now_unix_s, frame->input->zone_offset_s, frame->arena),
                            frame->input->query_text};
    return gt_str_trim(phrase(frame->arena, frame->input->lang, LABEL_BOARD_TITLE, args, 2));
}

static enum gt_err offers_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    if (err == GT_OK) err = frame_open(&frame, sink, file, offers_title(&frame), frame_terms_text(&frame), GT_STR(""), info);
    if (err != GT_OK) goto out;
    if (sink->is_data) {
        write_data(&frame);
        goto out;
    }
    for (size_t i = 0, count; i < frame.board.count && err == GT_OK; i += count) {
        count = board_class_is_unsure(frame.board.entries[i].class) ? frame.board.count - i : board_class_count(&frame.board, i);
        err = write_class(&frame, i, count);
    }
    write_foot(&frame);
out:
    return frame_done(&frame, err, info);
}

const struct report report_offers = {"offers", "today's board by comparison class, per card hour and month, cheapest first",
                                     offers_run};
