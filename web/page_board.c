/* The board: what a persona pays today, class by class, a page at a time. Figures are the report's; here is what a reader may choose. */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/html_text.h"
#include "reports/name.h"
#include "web/board_table.h"
#include "web/limits.h"

/* ---- order ---- */

/* Only inside a class: across classes there is no cheaper. Equal ones stay as the board has them (entries lie in one array). */
static int class_order(const struct board_entry *a, const struct board_entry *b)
{
    int order = board_class_order(a->class, b->class);
    return order != 0 ? order : strcmp(a->net.currency.code, b->net.currency.code);
}

static int site_order(const void *left, const void *right)
{
    const struct board_entry *a = left, *b = right;
    int order = class_order(a, b);
    if (order == 0) order = gt_str_cmp(a->row->site, b->row->site);
    if (order == 0) order = (a->price_nano > b->price_nano) - (a->price_nano < b->price_nano);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static int age_order(const void *left, const void *right)
{
    const struct board_entry *a = left, *b = right;
    int order = class_order(a, b);
    if (order == 0) order = (a->age_s > b->age_s) - (a->age_s < b->age_s);
    if (order == 0) order = (a->price_nano > b->price_nano) - (a->price_nano < b->price_nano);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

/* Offers without an hourly price last: 0 is none. */
static int hour_order(const void *left, const void *right)
{
    const struct board_entry *a = left, *b = right;
    int order = class_order(a, b);
    if (order == 0) order = (a->net.hour_net_nano == 0) - (b->net.hour_net_nano == 0);
    if (order == 0) order = (a->net.hour_net_nano > b->net.hour_net_nano) - (a->net.hour_net_nano < b->net.hour_net_nano);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

/* Within a class: orders compare the class first. "price" is the order in which the board comes. */
static enum gt_err sort_board(const struct web_view *view, struct board *board, struct gt_errinfo *info)
{
    static const struct {
        const char *name;
        int (*order)(const void *left, const void *right);
    } sorts[] = {{"price", NULL}, {"site", site_order}, {"age", age_order}, {"hour", hour_order}};
    struct gt_str sort = view->request->params[WEB_SORT];
    if (sort.len == 0) return GT_OK;
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        if (!gt_str_is(sort, sorts[i].name)) continue;
        if (sorts[i].order != NULL && board->count > 0) qsort(board->entries, board->count, sizeof *board->entries, sorts[i].order);
        return GT_OK;
    }
    return gt_fail(info, GT_EUSAGE, "sort takes price, site, age or hour, not \"%.*s\"", GT_STR_ARG(sort));
}

/* Keeps one class. */
static void filter_class(const struct web_view *view, struct board *board)
{
    struct gt_str class = view->request->params[WEB_CLASS];
    size_t kept = 0;
    if (class.len == 0) return;
    for (size_t i = 0; i < board->count; i++)
        if (gt_str_eq(board->entries[i].class, class)) board->entries[kept++] = board->entries[i];
    board->count = kept;
}

/* ---- pages ---- */

/* A page that is not there is an error, not the last one: a bookmark would show other offers in silence. */
static enum gt_err page_number_read(const struct web_view *view, size_t pages, size_t *ret_page, struct gt_errinfo *info)
{
    enum { DIGITS_MAX = 6 };
    struct gt_str text = view->request->params[WEB_PAGE];
    size_t page = text.len == 0;
    for (size_t i = 0; i < text.len && i < DIGITS_MAX; i++)
        page = text.ptr[i] >= '0' && text.ptr[i] <= '9' ? page * 10 + (size_t)(text.ptr[i] - '0') : SIZE_MAX / 20;
    if (page < 1 || page > pages || text.len > DIGITS_MAX) return gt_fail(info, GT_EUSAGE, "page takes a number from 1 to %zu", pages);
    *ret_page = page;
    return GT_OK;
}

static void pager_link(const struct web_page *page, size_t number, enum web_word word)
{
    const struct web_view *view = page->view;
    struct web_request request = *view->request;
    request.params[WEB_PAGE] = figure_count_text((int64_t)number, view->arena);
    out_text(&page->writer->out, " ");
    web_link_write(page, web_request_key(&request, 0, view->arena), web_word(view->input.lang, word));
}

static void pager_write(const struct web_page *page, size_t number, size_t pages, size_t offers)
{
    const struct web_view *view = page->view;
    struct gt_str args[] = {figure_count_text((int64_t)number, view->arena), figure_count_text((int64_t)pages, view->arena),
                            figure_count_text((int64_t)offers, view->arena)};
    out_text(&page->writer->out, "<p class=\"pager\">");
    html_text(page->writer, web_phrase(view->arena, view->input.lang, WEB_WORD_PAGE_OF, args, sizeof args / sizeof args[0]));
    if (number > 1) pager_link(page, number - 1, WEB_WORD_PREVIOUS);
    if (number < pages) pager_link(page, number + 1, WEB_WORD_NEXT);
    out_text(&page->writer->out, "</p>\n");
}

/* How to get from one class back to all. */
static void class_write(const struct web_page *page)
{
    const struct web_view *view = page->view;
    struct web_request all = *view->request;
    if (all.params[WEB_CLASS].len == 0) return;
    all.params[WEB_CLASS] = (struct gt_str){NULL, 0};
    out_text(&page->writer->out, "<p>");
    web_link_write(page, web_request_key(&all, 0, view->arena), web_word(view->input.lang, WEB_WORD_CLASS_ALL));
    out_text(&page->writer->out, "</p>\n");
}

static struct gt_str title_of(const struct web_view *view)
{
    struct gt_str args[] = {figure_minute_text(view->input.now_unix_s, view->input.zone_offset_s, view->arena), view->input.query_text};
    return gt_str_trim(phrase(view->arena, view->input.lang, LABEL_BOARD_TITLE, args, sizeof args / sizeof args[0]));
}

/* Sorted, then filtered, then cut: the number of pages is of what is shown. */
static enum gt_err board_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_board read;
    struct web_page page;
    size_t number = 1;
    enum gt_lang lang = view->input.lang;
    enum gt_err err = web_board_read(view, &view->input, &read, info);
    struct board *board = &read.board;
    if (err == GT_OK) err = sort_board(view, board, info);
    if (err != GT_OK) return err;
    filter_class(view, board);
    size_t pages = board->count > 0 ? (board->count - 1) / WEB_BOARD_ROWS + 1 : 1;
    err = page_number_read(view, pages, &number, info);
    struct gt_str persona = name_persona(&view->input.persona, lang, view->arena);
    if (err == GT_OK) err = web_page_open(&page, view, file, title_of(view), persona, info);
    if (err != GT_OK) return err;
    class_write(&page);
    pager_write(&page, number, pages, board->count);
    if (board->count == 0) sink_paragraph(page.writer, label(lang, LABEL_NO_OFFERS));
    size_t from = (number - 1) * WEB_BOARD_ROWS, until = from + WEB_BOARD_ROWS;
    err = web_board_write(&page, board, from, until < board->count ? until : board->count);
    if (pages > 1) pager_write(&page, number, pages, board->count);
    sink_paragraph(page.writer, label(lang, LABEL_BOARD_NOTE));
    return web_page_close(&page, err, info);
}

const struct web_route web_route_board = {
    .path = "/",
    .kind = WEB_KIND_PAGE,
    .media_type = "text/html; charset=utf-8",
    .params = WEB_BIT(Q) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY) | WEB_BIT(CLASS) | WEB_BIT(SORT) | WEB_BIT(PAGE),
    .report = &report_offers,
    .render = board_render,
};
