/* One offer: what it is, the prices and discounts as its page prints them, its spans, and the page itself from the archive. */
#include "common/civil.h"
#include "pricing/compare_class.h"
#include "reports/figure.h"
#include "reports/history_chart.h"
#include "reports/html_text.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "web/limits.h"
#include "web/offer_find.h"
#include "web/thing.h"

/* Archived pages are other people's: they are shown to who runs the archive, and to nobody else. */
static bool shows_archive(const struct web_view *view)
{
    return view->settings->is_local && view->is_local && view->settings->source.page_read != NULL;
}

/* ---- what it is ---- */

static enum gt_err facts_write(const struct web_page *page, const struct board_row *row, const struct net_price *net)
{
    const struct web_view *view = page->view;
    enum gt_lang lang = view->input.lang;
    const struct offer_identity *identity = &row->offer.identity;
    struct gt_str sku = gt_str_from(row->offer.attributes.sku), class = compare_class(&row->offer, &view->input.persona, view->arena);
    struct gt_str archive = web_link(view, "/archive", WEB_ID, view->request->params[WEB_ID]);
    struct cell month = cell_money(net->month_net_nano);
    month.text = figure_alt_text(net, lang, view->arena);
    struct web_fact facts[] = {
        {WEB_WORD_PLATFORM, web_link_cell(name_site(row, lang), web_link(view, "/platform", WEB_SITE, row->site))},
        {WEB_WORD_CARD, web_link_cell(sku, web_link(view, "/sku", WEB_SKU, sku))},
        {WEB_WORD_CLASS, cell_text(name_class(class, lang, view->arena))},
        {WEB_WORD_LABEL, cell_text(identity->label)},
        {WEB_WORD_PLAN, cell_text(identity->plan)},
        {WEB_WORD_REGION, cell_text(identity->region)},
        {WEB_WORD_VARIANT, cell_text(identity->variant)},
        {WEB_WORD_KEY, cell_text(identity->key)},
        {WEB_WORD_CURRENCY, cell_text(name_currency(&net->currency, lang))},
        {WEB_WORD_HOUR_NET, cell_money(net->hour_net_nano)},
        {WEB_WORD_MONTH_NET, month},
        {WEB_WORD_FORMULA, cell_sentence(cell_text(net->formula))},
        {WEB_WORD_DOUBT, cell_sentence(cell_text(row->doubt))},
        {WEB_WORD_SINCE, cell_moment(CELL_TIME, row->since_unix_s)},
        {WEB_WORD_SEEN, cell_moment(CELL_TIME, row->seen_unix_s)},
        {WEB_WORD_SOURCE_PAGE, cell_linked(row->url, row)},
        {WEB_WORD_PLACE, cell_page(row, view->arena)},
        {WEB_WORD_ARCHIVED_PAGE, cell_none()},
    };
    size_t count = sizeof facts / sizeof facts[0];
    if (shows_archive(view) && row->warc_file.len > 0) facts[count - 1].value = web_link_cell(web_word(lang, WEB_WORD_ARCHIVED_PAGE), archive);
    return web_facts_write(page, WEB_WORD_FACTS, facts, count);
}

/* ---- as printed ---- */

static const struct web_column quote_columns[] = {
    {"amount", WEB_WORD_AMOUNT, true, false}, {"period", WEB_WORD_PERIOD, false, false}, {"basis", WEB_WORD_BASIS, false, false},
    {"role", WEB_WORD_ROLE, false, false},    {"bound", WEB_WORD_BOUND, false, false},   {"raw", WEB_WORD_RAW, false, true},
    {"where", WEB_WORD_WHERE, false, true},
};

/* "12.5 CNY", "10~20 USD". */
static struct gt_str amount_text(const struct quote *quote, struct arena *arena)
{
    struct gt_str low = figure_money_text(quote->amount_nano, arena), high = figure_money_text(quote->amount_high_nano, arena);
    if (quote->amount_high_nano == 0) return arena_printf(arena, "%.*s %s", GT_STR_ARG(low), quote->currency.code);
    return arena_printf(arena, "%.*s~%.*s %s", GT_STR_ARG(low), GT_STR_ARG(high), quote->currency.code);
}

/* "month", and "3 × month" where the sum is for so many. */
static struct cell period_cell(const struct web_page *page, const struct quote *quote)
{
    struct cell cell = cell_word_shown(page->view->input.lang, VOCABULARY_PERIOD, (int)quote->period);
    if (quote->period == PERIOD_NONE || quote->period_count < 2) return cell;
    return cell_text(arena_printf(page->view->arena, "%d × %.*s", quote->period_count, GT_STR_ARG(cell.text)));
}

static enum gt_err quotes_write(const struct web_page *page, const struct offer_record *record)
{
    enum gt_lang lang = page->view->input.lang;
    enum gt_err err = web_table_begin(page, WEB_WORD_QUOTES, quote_columns, sizeof quote_columns / sizeof quote_columns[0]);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < record->quote_count; i++) {
        const struct quote *quote = &record->quotes[i];
        struct cell cells[] = {cell_text(amount_text(quote, page->view->arena)), period_cell(page, quote),
                               cell_word_shown(lang, VOCABULARY_BASIS, (int)quote->basis), cell_word_shown(lang, VOCABULARY_ROLE, (int)quote->role),
                               cell_word_shown(lang, VOCABULARY_BOUND, (int)quote->bound), cell_text(quote->raw), cell_text(quote->where)};
        sink_row(page->writer, cells);
    }
    sink_table_end(page->writer);
    return GT_OK;
}

static enum gt_err discounts_write(const struct web_page *page, const struct offer_record *record)
{
    static const struct web_column columns[] = {
        {"factor", WEB_WORD_FACTOR, true, false}, {"stacks", WEB_WORD_STACKS, false, false}, {"raw", WEB_WORD_RAW, false, true}};
    enum gt_lang lang = page->view->input.lang;
    if (record->discount_count == 0) return GT_OK;
    enum gt_err err = web_table_begin(page, WEB_WORD_DISCOUNTS, columns, sizeof columns / sizeof columns[0]);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < record->discount_count; i++) {
        const struct discount *discount = &record->discounts[i];
        struct cell cells[] = {cell_money(discount->factor_nano), cell_word_shown(lang, VOCABULARY_STACKS, (int)discount->stacks),
                               cell_text(discount->is_inferred ? label_word(lang, VOCABULARY_EVIDENCE, (int)EVIDENCE_INFERRED) : discount->raw)};
        sink_row(page->writer, cells);
    }
    sink_table_end(page->writer);
    return GT_OK;
}

/* ---- over time ---- */

static enum gt_err spans_write(const struct web_page *page, struct web_offer *offer, struct gt_errinfo *info)
{
    static const struct web_column columns[] = {{"first", WEB_WORD_SINCE, false, false},        {"last", WEB_WORD_SEEN, false, false},
                                                {"hour_net", WEB_WORD_HOUR_NET, true, false},   {"month_net", WEB_WORD_MONTH_NET, true, false},
                                                {"formula", WEB_WORD_FORMULA, false, true}};
    const struct web_view *view = page->view;
    const struct report_input *input = &view->input;
    struct board_view board_view = board_view_from(input, input->now_unix_s);
    struct run_index runs;
    struct history history;
    int64_t since = input->now_unix_s + 1 - REPORT_HISTORY_DAYS * (int64_t)CIVIL_DAY_S;
    struct history_chart_view chart = {.lang = input->lang, .persona = &input->persona, .since_unix_s = since};
    enum gt_err err = run_index_read(input->store, since, input->now_unix_s + 1, NULL, 0, view->arena, &runs, info);
    if (err == GT_OK) err = history_compute(offer->spans.rows, offer->spans.count, &runs, &board_view, view->arena, &history);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < history.offer_count; i++) history_chart_write(&history, history.offers[i].class, &chart, view->arena, page->writer);
    err = web_table_begin(page, WEB_WORD_SPANS, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < history.span_count && err == GT_OK; i++) {
        const struct history_span *span = &history.spans[i];
        struct cell cells[] = {cell_moment(CELL_TIME, span->first_unix_s), cell_moment(CELL_TIME, span->last_unix_s),
                               cell_money(span->net.hour_net_nano), cell_money(span->net.month_net_nano),
                               cell_sentence(cell_text(span->net.formula))};
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) cells[k].is_marked = span->is_doubted || span->is_voided;
        sink_row(page->writer, cells);
    }
    if (err == GT_OK) sink_table_end(page->writer);
    return err;
}

static enum gt_err offer_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    struct web_offer offer;
    enum gt_err err = web_offer_find(view, true, &offer, info);
    if (err != GT_OK) return err;
    const struct board_row *row = &offer.rows[0];
    struct gt_str args[] = {name_site(row, view->input.lang), name_offer(&row->offer.identity, view->arena)};
    struct gt_str title = web_phrase(view->arena, view->input.lang, WEB_WORD_OFFER_TITLE, args, 2);
    err = web_page_open(&page, view, file, title, name_persona(&view->input.persona, view->input.lang, view->arena), info);
    if (err != GT_OK) return err;
    for (size_t i = 0; i < offer.count && err == GT_OK; i++) {
        const struct offer *printed = &offer.rows[i].offer;
        struct net_price net = {0};
        err = net_price_compute(printed, &offer.rows[i].net_rules, &view->input.persona, view->input.now_unix_s, view->arena, &net);
        if (err != GT_ENOMEM) err = facts_write(&page, &offer.rows[i], &net);
        if (err == GT_OK) err = quotes_write(&page, &printed->record);
        if (err == GT_OK) err = discounts_write(&page, &printed->record);
    }
    if (err == GT_OK) err = spans_write(&page, &offer, info);
    return web_page_close(&page, err, info);
}

/* ---- the page from the archive ---- */

/* As plain text and only to this machine: another site's page must not be published by ours, nor run in it. */
static enum gt_err archive_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    const struct web_source *source = &view->settings->source;
    struct web_offer offer;
    struct gt_str text;
    if (!shows_archive(view)) return gt_fail(info, GT_ENOENT, "archived pages are shown on the machine that holds them, and nowhere else");
    enum gt_err err = web_offer_find(view, false, &offer, info);
    if (err != GT_OK) return err;
    const struct board_row *row = &offer.rows[0];
    if (row->warc_file.len == 0) return gt_fail(info, GT_ENOENT, "no page of this offer is kept");
    err = source->page_read(source->ctx, view->input.store, row->warc_file, row->warc_offset, WEB_ARCHIVE_BYTES_MAX, view->arena, &text, info);
    if (err == GT_OK && fwrite(text.ptr, 1, text.len, file) != text.len) err = gt_fail(info, GT_EIO, "the page could not be written");
    return err;
}

const struct web_route web_route_offer = {
    .path = "/offer",
    .kind = WEB_KIND_PAGE,
    .media_type = "text/html; charset=utf-8",
    .params = WEB_BIT(ID) | WEB_BIT(PERSONA),
    .render = offer_render,
};

const struct web_route web_route_archive = {
    .path = "/archive",
    .kind = WEB_KIND_TEXT,
    .media_type = "text/plain; charset=utf-8",
    .params = WEB_BIT(ID),
    .render = archive_render,
};
