/* One card: offers now, how each platform's price moved, the index. */
#include "common/civil.h"
#include "reports/history_chart.h"
#include "reports/name.h"
#include "web/board_table.h"
#include "web/page.h"

/* Each platform once, by its cheapest offer now: offers come cheapest first. */
static bool is_first_of_site(const struct history_offer *offers, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (gt_str_eq(offers[i].spans[0].row.site, offers[at].spans[0].row.site)) return false;
    return true;
}

/* As many charts as it takes to show every platform: beyond SINK_CHART_LINES_MAX lines the eye cannot follow. */
static void class_charts(const struct web_page *page, const struct history_offer *offers, size_t count, int64_t since_unix_s)
{
    const struct web_view *view = page->view;
    enum gt_lang lang = view->input.lang;
    struct chart_line *lines = arena_array(view->arena, count, sizeof *lines);
    struct history_chart_view chart_view = {.lang = lang, .persona = &view->input.persona, .since_unix_s = since_unix_s};
    size_t total = 0;
    if (lines == NULL) return;
    for (size_t i = 0; i < count; i++)
        if (is_first_of_site(offers, i)) total += history_chart_line(&offers[i], &chart_view, view->arena, &lines[total]);
    struct gt_str currency = gt_str_from(offers[0].currency.code), name = name_class(offers[0].class, lang, view->arena);
    size_t charts = (total + SINK_CHART_LINES_MAX - 1) / SINK_CHART_LINES_MAX;
    for (size_t i = 0; i < charts; i++) {
        size_t from = i * SINK_CHART_LINES_MAX, left = total - from;
        struct chart chart = {.caption = name, .lines = lines + from, .count = left < SINK_CHART_LINES_MAX ? left : SINK_CHART_LINES_MAX};
        struct gt_str args[] = {name, arena_printf(view->arena, "%zu", i + 1), arena_printf(view->arena, "%zu", charts)};
        if (charts > 1) chart.caption = web_phrase(view->arena, lang, WEB_WORD_MORE_LINES, args, sizeof args / sizeof args[0]);
        chart.unit = phrase(view->arena, lang, view->input.persona.pay == PERIOD_HOUR ? LABEL_UNIT_HOUR : LABEL_UNIT_MONTH, &currency, 1);
        sink_chart(page->writer, &chart);
    }
}

static enum gt_err charts_write(const struct web_page *page, const struct report_input *input, struct gt_errinfo *info)
{
    struct board_view view = board_view_from(input, input->now_unix_s);
    struct history history;
    int64_t since = input->since_unix_s, until = input->until_unix_s;
    if (until == 0) until = input->now_unix_s + 1;
    if (since == 0) since = input->now_unix_s + 1 - REPORT_HISTORY_DAYS * (int64_t)CIVIL_DAY_S;
    if (since >= until) return gt_fail(info, GT_EUSAGE, "the period ends before it begins");
    enum gt_err err = history_read(input->store, since, until, &view, page->view->arena, &history, info);
    if (err != GT_OK) return err;
    sink_heading(page->writer, 1, web_word(input->lang, WEB_WORD_PRICES_OVER_TIME));
    if (history.offer_count == 0) sink_paragraph(page->writer, label(input->lang, LABEL_NO_HISTORY));
    for (size_t i = 0, count; i < history.offer_count; i += count) {
        count = history_class_count(&history, i);
        class_charts(page, history.offers + i, count, since);
    }
    return GT_OK;
}

/* Names below it are included, as everywhere: the page of a family shows its variants, each in its class. */
static enum gt_err sku_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    struct web_board read;
    struct report_input input = view->input;
    struct gt_str name = view->request->params[WEB_SKU];
    const struct sku_node *node = sku_find(name);
    if (node == NULL)
        return gt_fail(info, GT_ENOENT, "%.*s", GT_STR_ARG(web_phrase(view->arena, input.lang, WEB_WORD_NO_SKU, &name, 1)));
    name = gt_str_from(node->name);
    input.query_text = arena_printf(view->arena, "sku=%s", node->name);
    enum gt_err err = query_read(input.query_text, view->arena, &input.query, info);
    if (err == GT_OK) err = web_board_read(view, &input, &read, info);
    struct gt_str persona = name_persona(&input.persona, input.lang, view->arena);
    if (err == GT_OK) err = web_page_open(&page, view, file, web_phrase(view->arena, input.lang, WEB_WORD_SKU_TITLE, &name, 1), persona, info);
    if (err != GT_OK) return err;
    if (read.board.count == 0) sink_paragraph(page.writer, label(input.lang, LABEL_NO_OFFERS));
    err = web_board_write(&page, &read.board, 0, read.board.count);
    if (err == GT_OK) err = charts_write(&page, &input, info);
    input.since_unix_s = input.until_unix_s = 0;
    if (err == GT_OK) err = web_page_report(&page, &report_index, &input, info);
    return web_page_close(&page, err, info);
}

const struct web_route web_route_sku = {
    .path = "/sku",
    .kind = WEB_KIND_PAGE,
    .media_type = "text/html; charset=utf-8",
    .params = WEB_BIT(SKU) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY) | WEB_BIT(SINCE) | WEB_BIT(UNTIL),
    .render = sku_render,
};
