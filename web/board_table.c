#include "web/board_table.h"

#include "reports/figure.h"
#include "reports/html_text.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"
#include "web/snapshot.h"

/* clang-format off */
enum board_column {
    /* what is paid stands where a narrow window still shows it */
    B_SITE, B_OFFER, B_CURRENCY, B_MONTH_NET, B_HOUR_NET, B_HOUR_LIST, B_MONTH_LIST, B_NODE, B_PROMO, B_STOCK, B_EVIDENCE,
    B_MARKS, B_AGE, B_FORMULA, BOARD_COLUMNS
};

static const struct column_def columns[BOARD_COLUMNS] = {
    [B_SITE] = {"platform", LABEL_PLATFORM, COLUMN_KEEP, 0},
    [B_OFFER] = {"offer", LABEL_OFFER, COLUMN_KEEP | COLUMN_WRAP, 0},
    [B_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [B_HOUR_LIST] = {"hour_list", LABEL_HOUR_LIST, COLUMN_RIGHT, 4},
    [B_HOUR_NET] = {"hour_net", LABEL_HOUR_NET, COLUMN_RIGHT, 4},
    [B_MONTH_LIST] = {"month_list", LABEL_MONTH_LIST, COLUMN_RIGHT, 2},
    [B_MONTH_NET] = {"month_net", LABEL_MONTH_NET, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [B_NODE] = {"node_month_net", LABEL_NODE_MONTH, COLUMN_RIGHT, 2},
    [B_PROMO] = {"promo", LABEL_PROMO_MONTH, 0, 2},
    [B_STOCK] = {"availability", LABEL_STOCK, 0, 0},
    [B_EVIDENCE] = {"evidence", LABEL_EVIDENCE, 0, 0},
    [B_MARKS] = {"marks", LABEL_MARKS, 0, 0},
    [B_AGE] = {"age", LABEL_AGE, COLUMN_RIGHT, 0},
    [B_FORMULA] = {"formula", LABEL_FORMULA, COLUMN_WRAP, 0},
};
/* clang-format on */

/* The rows come from the moment's snapshot: ten pages asked for at once read the store once. */
enum gt_err web_board_read(const struct web_view *view, const struct report_input *input, struct web_board *ret_board, struct gt_errinfo *info)
{
    struct board_view board_view = board_view_from(input, input->now_unix_s);
    enum gt_err err = web_snapshot_read(view->snapshot, input, info);
    if (err != GT_OK) return err;
    board_view.sites = view->snapshot->sites;
    ret_board->rows = view->snapshot->rows;
    err = board_compute(&ret_board->rows, &board_view, view->arena, &ret_board->board);
    return err == GT_OK ? err : gt_fail(info, err, "reckoning the board: %s", gt_err_text(err));
}

/* Marked offers are set apart as a whole line, as in the report. */
static void row_fill(struct cell *cells, const struct board_entry *entry, const struct web_view *view)
{
    enum gt_lang lang = view->input.lang;
    const struct net_price *net = &entry->net;
    const struct board_row *row = entry->row;
    struct gt_str id = figure_count_text((int64_t)row->offer_id, view->arena);
    cells[B_SITE] = web_link_cell(name_site(row, lang), web_link(view, "/platform", WEB_SITE, row->site));
    cells[B_OFFER] = web_link_cell(name_offer(&row->offer.identity, view->arena), web_link(view, "/offer", WEB_ID, id));
    cells[B_HOUR_LIST] = cell_money(net->hour_list_nano);
    cells[B_HOUR_NET] = cell_money(net->hour_net_nano);
    cells[B_MONTH_LIST] = cell_money(net->month_list_nano);
    cells[B_MONTH_NET] = cell_money(net->month_net_nano);
    cells[B_MONTH_NET].text = figure_alt_text(net, lang, view->arena);
    cells[B_NODE] = cell_money(net->node_month_net_nano);
    cells[B_PROMO] = cell_text(figure_promotion_text(net, lang, view->input.zone_offset_s, view->arena));
    cells[B_STOCK] = cell_word_shown(lang, VOCABULARY_AVAIL, (int)row->offer.record.availability);
    cells[B_EVIDENCE] = cell_text(figure_evidence_text(entry, lang, view->arena));
    cells[B_MARKS] = cell_remark(figure_marks_text(entry, lang, view->arena));
    cells[B_AGE] = cell_number(CELL_AGE, entry->age_s);
    cells[B_FORMULA] = cell_sentence(cell_text(net->formula));
    for (size_t i = 0; i < BOARD_COLUMNS; i++) cells[i].is_marked = entry->marks != 0;
}

/* The class in words; from here one gets to the card and to the class alone. */
static void heading_write(const struct web_page *page, const struct board_entry *entry)
{
    const struct web_view *view = page->view;
    struct sink_writer *writer = page->writer;
    enum gt_lang lang = view->input.lang;
    const char *sku = entry->row->offer.attributes.sku;
    struct gt_str name = name_class(entry->class, lang, view->arena), currency = name_currency(&entry->net.currency, lang);
    html_heading_keep(writer, arena_printf(view->arena, "%.*s · %.*s", GT_STR_ARG(name), GT_STR_ARG(currency)));
    out_text(&writer->out, "<h2>");
    if (sku[0] != '\0') web_link_write(page, web_link(view, "/sku", WEB_SKU, gt_str_from(sku)), name);
    else html_text(writer, name);
    out_text(&writer->out, " · ");
    html_text(writer, currency);
    if (strcmp(view->route->path, "/") == 0 && view->request->params[WEB_CLASS].len == 0) {
        struct web_request only = *view->request;
        only.params[WEB_CLASS] = entry->class;
        only.params[WEB_PAGE] = (struct gt_str){NULL, 0};
        out_text(&writer->out, " <small>");
        web_link_write(page, web_request_key(&only, 0, view->arena), web_word(lang, WEB_WORD_CLASS_ONLY));
        out_text(&writer->out, "</small>");
    }
    out_text(&writer->out, "</h2>\n");
}

/* Offers whose card is not sure stand together: each is in a class of its own. */
static size_t group_end(const struct board *board, size_t from, size_t until)
{
    size_t end = board_class_is_unsure(board->entries[from].class) ? board->count : from + board_class_count(board, from);
    return end < until ? end : until;
}

/* One table a class. Offers whose card is not sure stand in one of their own, with the currency in each row since they share none. */
enum gt_err web_board_write(const struct web_page *page, const struct board *board, size_t from, size_t until)
{
    const struct web_view *view = page->view;
    enum gt_lang lang = view->input.lang;
    enum gt_err err = GT_OK;
    for (size_t end; from < until && err == GT_OK; from = end) {
        const struct board_entry *first = &board->entries[from];
        bool is_unsure = board_class_is_unsure(first->class);
        struct table table;
        end = group_end(board, from, until);
        if (is_unsure) sink_heading(page->writer, 1, label(lang, LABEL_SECTION_UNSURE));
        else heading_write(page, first);
        table_init(&table, view->arena, lang, columns, BOARD_COLUMNS);
        for (size_t i = from; i < end; i++) {
            struct cell *cells = table_row(&table);
            row_fill(cells, &board->entries[i], view);
            if (is_unsure) cells[B_CURRENCY] = cell_text(name_currency(&board->entries[i].net.currency, lang));
        }
        err = table_write(&table, page->writer, "offers", (struct gt_str){NULL, 0});
    }
    return err;
}
