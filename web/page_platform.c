/* One platform: how its fetches went, its offers now, what the audit found. */
#include <stdlib.h>

#include "common/civil.h"
#include "reports/name.h"
#include "reports/sold_out_hours.h"
#include "reports/source_table.h"
#include "web/board_table.h"
#include "web/page.h"

/* A name as sites.conf has them: it goes into a query, so nothing else may. */
static bool is_site_name(struct gt_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!gt_char_is_in(name.ptr[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")) return false;
    return name.len > 0;
}

static int id_order(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The source alone, with all that is told of it. */
static enum gt_err health_write(const struct web_page *page, const struct source *source)
{
    const struct report_input *input = &page->view->input;
    struct source_list one = {.sources = (struct source *)(uintptr_t)source, .count = 1, .good = source->is_good};
    sink_heading(page->writer, 1, web_word(input->lang, WEB_WORD_HEALTH));
    return source_table_write(page->writer, &one, true, input->now_unix_s, input->lang, page->view->arena);
}

/* When it is sold out, by what is known of its own offers; rows come by site, offers of it with rising or falling numbers. */
static enum gt_err sold_out_write(const struct web_page *page, const struct board_rows *rows, struct gt_str site, struct gt_errinfo *info)
{
    const struct report_input *input = &page->view->input;
    struct arena *arena = page->view->arena;
    struct sold_out_hours hours;
    size_t count = 0;
    uint64_t *offers = arena_array(arena, rows->count, sizeof *offers);
    if (offers == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < rows->count; i++)
        if (gt_str_eq(rows->rows[i].site, site)) offers[count++] = rows->rows[i].offer_id;
    if (count > 0) qsort(offers, count, sizeof *offers, id_order);
    int64_t until = input->now_unix_s + 1, since = until - SOLD_OUT_WEEKS * (int64_t)CIVIL_WEEK_S;
    enum gt_err err = sold_out_hours_read(input->store, offers, count, since, until, input->zone_offset_s, arena, &hours, info);
    return err == GT_OK ? sold_out_hours_write(page->writer, &hours, true, input->lang, arena) : err;
}

static const struct source *source_find(const struct source_list *list, struct gt_str site)
{
    for (size_t i = 0; i < list->count; i++)
        if (gt_str_eq(list->sources[i].site, site)) return &list->sources[i];
    return NULL;
}

static enum gt_err sections_write(struct web_page *page, const struct report_input *input, const struct board_rows *rows, const struct board *board,
                                  const struct source *source, struct gt_errinfo *info)
{
    enum gt_err err = health_write(page, source);
    if (err == GT_OK) err = sold_out_write(page, rows, source->site, info);
    if (board->count == 0) sink_paragraph(page->writer, label(input->lang, LABEL_NO_OFFERS));
    if (err == GT_OK) err = web_board_write(page, board, 0, board->count);
    if (err == GT_OK) err = web_page_report(page, &report_audit, input, info);
    return err == GT_OK ? web_page_report(page, &report_changes, input, info) : err;
}

/* Found by its sources of the last week, so that a platform without any offer today still has a page that says why. */
static enum gt_err platform_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    struct web_board read;
    struct source_list list;
    struct report_input input = view->input;
    struct gt_str site = view->request->params[WEB_SITE];
    struct gt_str no_site = web_phrase(view->arena, input.lang, WEB_WORD_NO_SITE, &site, 1);
    if (!is_site_name(site)) return gt_fail(info, GT_ENOENT, "%.*s", GT_STR_ARG(no_site));
    input.query_text = arena_printf(view->arena, "site=%.*s", GT_STR_ARG(site));
    enum gt_err err = query_read(input.query_text, view->arena, &input.query, info);
    if (err == GT_OK) err = web_board_read(view, &input, &read, info);
    int64_t until = input.now_unix_s + 1;
    if (err == GT_OK)
        err = source_list_read(input.store, until - CIVIL_WEEK_S, until, &read.rows, input.sites, input.site_count, input.now_unix_s, view->arena,
                               &list, info);
    if (err != GT_OK) return err;
    const struct source *source = source_find(&list, site);
    if (source == NULL) return gt_fail(info, GT_ENOENT, "%.*s", GT_STR_ARG(no_site));
    struct gt_str persona = name_persona(&input.persona, input.lang, view->arena);
    err = web_page_open(&page, view, file, source->title.len > 0 ? source->title : site, persona, info);
    if (err != GT_OK) return err;
    return web_page_close(&page, sections_write(&page, &input, &read.rows, &read.board, source, info), info);
}

const struct web_route web_route_platform = {
    .path = "/platform",
    .kind = WEB_KIND_PAGE,
    .media_type = "text/html; charset=utf-8",
    .params = WEB_BIT(SITE) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY),
    .render = platform_render,
};
