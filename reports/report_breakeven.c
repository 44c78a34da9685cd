/* `breakeven`: from how many hours a month a monthly price beats an hourly one. */
#include "reports/breakeven.h"
#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

/* clang-format off */
enum data_column {
    D_SKU, D_VRAM, D_TIER, D_MARKET, D_CURRENCY, D_KIND, D_HOUR_SITE, D_HOUR_LABEL, D_HOUR_PLAN, D_HOUR_DELIVERY, D_HOUR_CLASS,
    D_HOUR_LIST, D_HOUR_DISCOUNTED, D_HOUR_AGE, D_HOUR_URL, D_MONTH_SITE, D_MONTH_LABEL, D_MONTH_PLAN, D_MONTH_DELIVERY,
    D_MONTH_CLASS, D_MONTH_CARDS, D_MIN_TERM, D_MONTH_NET, D_MONTH_ALT, D_MONTH_BILL, D_EVIDENCE, D_FORMULA, D_MONTH_AGE, D_MONTH_URL,
    D_HOURS_PER_MONTH, D_HOURS, D_HOURS_DISCOUNTED, D_REACHABLE, D_DETAIL, DATA_COLUMNS
};

static const struct column_def data_columns[DATA_COLUMNS] = {
    [D_SKU] = {.key = "sku"}, [D_VRAM] = {.key = "vram_gb"}, [D_TIER] = {.key = "tier"}, [D_MARKET] = {.key = "market"},
    [D_CURRENCY] = {.key = "currency"}, [D_KIND] = {.key = "kind"}, [D_HOUR_SITE] = {.key = "hour_site"},
    [D_HOUR_LABEL] = {.key = "hour_label"}, [D_HOUR_PLAN] = {.key = "hour_plan"}, [D_HOUR_DELIVERY] = {.key = "hour_delivery"},
    [D_HOUR_CLASS] = {.key = "hour_class"}, [D_HOUR_LIST] = {.key = "hour_list"},
    [D_HOUR_DISCOUNTED] = {.key = "hour_discounted"}, [D_HOUR_AGE] = {.key = "hour_age_s"}, [D_HOUR_URL] = {.key = "hour_url"},
    [D_MONTH_SITE] = {.key = "month_site"}, [D_MONTH_LABEL] = {.key = "month_label"}, [D_MONTH_PLAN] = {.key = "month_plan"},
    [D_MONTH_DELIVERY] = {.key = "month_delivery"}, [D_MONTH_CLASS] = {.key = "month_class"},
    [D_MONTH_CARDS] = {.key = "month_cards"}, [D_MIN_TERM] = {.key = "min_term"}, [D_MONTH_NET] = {.key = "month_net"},
    [D_MONTH_ALT] = {.key = "month_alt"}, [D_MONTH_BILL] = {.key = "month_bill"}, [D_EVIDENCE] = {.key = "evidence"},
    [D_FORMULA] = {.key = "formula"}, [D_MONTH_AGE] = {.key = "month_age_s"}, [D_MONTH_URL] = {.key = "month_url"},
    [D_HOURS_PER_MONTH] = {.key = "hours_per_month"}, [D_HOURS] = {.key = "hours_list"},
    [D_HOURS_DISCOUNTED] = {.key = "hours_discounted"}, [D_REACHABLE] = {.key = "reachable"}, [D_DETAIL] = {.key = "detail"},
};

enum shown_column {
    S_CARD, S_CURRENCY, S_HOUR_SITE, S_HOUR, S_MONTH_SITE, S_MONTH, S_BILL, S_HOURS, S_EVIDENCE, S_DETAIL, SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_CARD] = {"sku", LABEL_CARD, COLUMN_KEEP, 0},
    [S_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [S_HOUR_SITE] = {"hour_site", LABEL_BY_THE_HOUR, COLUMN_WRAP, 0},
    [S_HOUR] = {"hour_list", LABEL_HOUR_LIST, COLUMN_RIGHT, 0},
    [S_MONTH_SITE] = {"month_site", LABEL_BY_THE_MONTH, COLUMN_WRAP, 0},
    [S_MONTH] = {"month_net", LABEL_MONTH_NET, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [S_BILL] = {"month_bill", LABEL_NODE_MONTH, COLUMN_RIGHT | COLUMN_EXTRA, 2},
    [S_HOURS] = {"hours_list", LABEL_BREAKEVEN_HOURS, COLUMN_RIGHT | COLUMN_KEEP, 0},
    [S_EVIDENCE] = {"evidence", LABEL_EVIDENCE, COLUMN_EXTRA, 0},
    [S_DETAIL] = {"detail", LABEL_DETAIL, COLUMN_WRAP, 0},
};
/* clang-format on */

/* The hours as a sentence. */
static enum label sentence_of(const struct breakeven *item)
{
    if (!item->is_reachable) return LABEL_BREAKEVEN_NEVER;
    if (item->hours_discounted == 0) return LABEL_BREAKEVEN_FROM;
    bool is_never = item->hours_discounted > item->month->row->net_rules.hours_per_month;
    return is_never ? LABEL_BREAKEVEN_ONCE : LABEL_BREAKEVEN_BOTH;
}

/* What differs between the two sides beside the price, or the comparison would mislead. Begins with a mark when `text` holds
 * something. */
static struct gt_str differences_of(const struct breakeven *item, struct gt_str text, enum gt_lang lang, struct arena *arena)
{
    const struct offer_attributes *month = &item->month->row->offer.attributes;
    struct gt_str bill[] = {figure_count_text(month->cards, arena), figure_money_text(item->bill_nano, arena)};
    struct gt_str term[] = {figure_count_text(month->min_months, arena)};
    struct gt_str node = item->bill_nano > 0 ? phrase(arena, lang, LABEL_BREAKEVEN_NODE, bill, 2) : GT_STR("");
    struct gt_str least = month->min_months > 1 ? phrase(arena, lang, LABEL_BREAKEVEN_TERM, term, 1) : GT_STR("");
    const char *first = text.len > 0 && node.len > 0 ? "; " : "", *second = (text.len > 0 || node.len > 0) && least.len > 0 ? "; " : "";
    return arena_printf(arena, "%.*s%s%.*s%s%.*s", GT_STR_ARG(text), first, GT_STR_ARG(node), second, GT_STR_ARG(least));
}

static struct gt_str detail_of(const struct breakeven *item, enum gt_lang lang, struct arena *arena)
{
    struct gt_str args[] = {figure_count_text(item->hours, arena), figure_count_text(item->hours_discounted, arena)};
    return differences_of(item, phrase(arena, lang, sentence_of(item), args, 2), lang, arena);
}

/* The same without the hours, which the table shows. */
static struct gt_str remark_of(const struct breakeven *item, enum gt_lang lang, struct arena *arena)
{
    bool is_never = sentence_of(item) == LABEL_BREAKEVEN_NEVER;
    return differences_of(item, is_never ? label(lang, LABEL_BREAKEVEN_NEVER) : GT_STR(""), lang, arena);
}

static void fill_data(struct cell *cells, const struct breakeven *item, enum gt_lang lang, struct arena *arena)
{
    const struct board_row *hour = item->hour->row, *month = item->month->row;
    const struct offer_attributes *attributes = &month->offer.attributes;
    cells[D_SKU] = cell_words(attributes->sku);
    cells[D_VRAM] = cell_count_known(attributes->vram_gb);
    cells[D_TIER] = cell_word(VOCABULARY_TIER, (int)attributes->tier);
    cells[D_MARKET] = cell_word(VOCABULARY_MARKET, (int)attributes->market);
    cells[D_CURRENCY] = cell_words(item->month->net.currency.code);
    cells[D_KIND] = cell_words(item->is_same ? "same-offer" : "cheapest-hour");
    cells[D_HOUR_SITE] = cell_text(hour->site);
    cells[D_HOUR_LABEL] = cell_text(hour->offer.identity.label);
    cells[D_HOUR_PLAN] = cell_text(hour->offer.identity.plan);
    cells[D_HOUR_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)hour->offer.attributes.delivery);
    cells[D_HOUR_CLASS] = cell_text(item->hour->class);
    cells[D_HOUR_LIST] = cell_money(item->hour_nano);
    cells[D_HOUR_DISCOUNTED] = cell_money(item->discounted_nano);
    cells[D_HOUR_AGE] = cell_number(CELL_AGE, item->hour->age_s);
    cells[D_HOUR_URL] = cell_text(hour->url);
    cells[D_MONTH_SITE] = cell_text(month->site);
    cells[D_MONTH_LABEL] = cell_text(month->offer.identity.label);
    cells[D_MONTH_PLAN] = cell_text(month->offer.identity.plan);
    cells[D_MONTH_DELIVERY] = cell_word(VOCABULARY_DELIVERY, (int)attributes->delivery);
    cells[D_MONTH_CLASS] = cell_text(item->month->class);
    cells[D_MONTH_CARDS] = cell_count_known(attributes->cards);
    cells[D_MIN_TERM] = cell_count_known(attributes->min_months);
    cells[D_MONTH_NET] = cell_money(item->month->net.month_net_nano);
    cells[D_MONTH_ALT] = cell_money(item->month->net.month_alt_nano);
    cells[D_MONTH_BILL] = cell_money(item->bill_nano);
    cells[D_EVIDENCE] = cell_word(VOCABULARY_EVIDENCE, (int)item->month->net.evidence);
    cells[D_FORMULA] = cell_text(item->month->net.formula);
    cells[D_MONTH_AGE] = cell_number(CELL_AGE, item->month->age_s);
    cells[D_MONTH_URL] = cell_text(month->url);
    cells[D_HOURS_PER_MONTH] = cell_count_known(month->net_rules.hours_per_month);
    cells[D_HOURS] = cell_count_known(item->hours);
    cells[D_HOURS_DISCOUNTED] = cell_count_known(item->hours_discounted);
    cells[D_REACHABLE] = cell_number(CELL_BOOL, item->is_reachable);
    cells[D_DETAIL] = cell_text(detail_of(item, lang, arena));
}

/* One side: who sells it, and how. */
static struct gt_str side_text(const struct board_entry *entry, enum gt_lang lang, struct arena *arena)
{
    struct gt_str site = name_site(entry->row, lang), offer = name_offer(&entry->row->offer.identity, arena);
    return arena_printf(arena, "%.*s %.*s", GT_STR_ARG(site), GT_STR_ARG(offer));
}

/* "1.96/1.57": the list price, and the discounted one where there is one. */
static struct gt_str pair_text(struct gt_str first, int64_t second_nano, struct arena *arena)
{
    if (second_nano == 0) return first;
    return arena_printf(arena, "%.*s/%.*s", GT_STR_ARG(first), GT_STR_ARG(figure_money_text(second_nano, arena)));
}

static void fill_shown(struct cell *cells, const struct breakeven *item, const struct frame *frame)
{
    enum gt_lang lang = frame->input->lang;
    struct arena *arena = frame->arena;
    struct gt_str hours = figure_count_text(item->hours, arena);
    cells[S_CARD] = cell_text(name_offer_card(&item->month->row->offer));
    cells[S_CURRENCY] = frame_currency_cell(frame, &item->month->net.currency);
    cells[S_HOUR_SITE] = cell_linked(side_text(item->hour, lang, arena), item->hour->row);
    cells[S_HOUR] = cell_text(pair_text(figure_money_text(item->hour_nano, arena), item->discounted_nano, arena));
    cells[S_MONTH_SITE] = item->is_same ? cell_text(label(lang, LABEL_SAME_OFFER))
                                        : cell_linked(side_text(item->month, lang, arena), item->month->row);
    cells[S_MONTH] = cell_money(item->month->net.month_net_nano);
    cells[S_MONTH].text = figure_alt_text(&item->month->net, lang, arena);
    cells[S_BILL] = cell_money(item->bill_nano);
    cells[S_HOURS] = cell_text(item->hours_discounted == 0 ? hours
                                                           : arena_printf(arena, "%.*s/%.*s", GT_STR_ARG(hours),
                                                                          GT_STR_ARG(figure_count_text(item->hours_discounted, arena))));
    cells[S_EVIDENCE] = cell_text(figure_evidence_text(item->month, lang, arena));
    cells[S_DETAIL] = cell_text(remark_of(item, lang, arena));
}

static enum gt_err write_table(struct frame *frame, const struct breakeven_list *list)
{
    struct table table;
    bool is_data = sink_is_data(frame->writer);
    enum gt_lang lang = frame->input->lang;
    if (is_data) table_init(&table, frame->arena, lang, data_columns, DATA_COLUMNS);
    else table_init(&table, frame->arena, lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        struct cell *cells = table_row(&table);
        if (is_data) fill_data(cells, &list->items[i], lang, frame->arena);
        else fill_shown(cells, &list->items[i], frame);
    }
    return is_data ? table_write_all(&table, frame->writer, "breakeven") : table_write(&table, frame->writer, "breakeven", GT_STR(""));
}

static struct gt_str breakeven_title(struct frame *frame)
{
    struct gt_str args[] = {figure_minute_text(frame->input->now_unix_s, frame->input->zone_offset_s, frame->arena),
                            frame->input->query_text};
    return gt_str_trim(phrase(frame->arena, frame->input->lang, LABEL_BREAKEVEN_TITLE, args, 2));
}

static enum gt_err breakeven_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct frame frame = {0};
    struct breakeven_list list = {0};
    enum gt_err err = frame_init(&frame, input, info);
    if (err == GT_OK) err = frame_board(&frame, input->now_unix_s, info);
    if (err == GT_OK) {
        err = breakeven_list_compute(&frame.board, frame.arena, &list);
        if (err != GT_OK) gt_fail(info, err, "comparing hours with months: %s", gt_err_text(err));
    }
    if (err == GT_OK) err = frame_open(&frame, sink, file, breakeven_title(&frame), frame_terms_text(&frame), GT_STR(""), info);
    if (err != GT_OK) goto out;
    frame_values(&frame);
    if (list.count == 0) sink_paragraph(frame.writer, label(input->lang, LABEL_NO_BREAKEVEN));
    err = write_table(&frame, &list);
    if (!sink->is_data) sink_paragraph(frame.writer, label(input->lang, LABEL_BREAKEVEN_NOTE));
out:
    return frame_done(&frame, err, info);
}

const struct report report_breakeven = {"breakeven", "from how many hours a month the monthly price beats the hourly one", breakeven_run};
