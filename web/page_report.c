/* Pages that are one report of the command line in the frame of the server, and the weekly reports by week. */
#include "reports/period.h"
#include "reports/published.h"
#include "web/limits.h"
#include "web/thing.h"

/* The name of the page in the navigation. */
static struct gt_str title_of(const struct web_view *view)
{
    static const struct {
        const struct report *report;
        enum web_word word;
    } titles[] = {{&report_changes, WEB_WORD_CHANGES}, {&report_index, WEB_WORD_INDEX},   {&report_breakeven, WEB_WORD_BREAKEVEN},
                  {&report_audit, WEB_WORD_AUDIT},     {&report_health, WEB_WORD_HEALTH}, {&report_history, WEB_WORD_HISTORY},
                  {&report_weekly, WEB_WORD_WEEKLY},   {&report_transparency, WEB_WORD_TRANSPARENCY},
                  {&report_advise, WEB_WORD_ADVISE}};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (titles[i].report == view->route->report) return web_word(view->input.lang, titles[i].word);
    return gt_str_from(view->route->report->name);
}

static enum gt_err report_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    enum gt_err err = web_page_open(&page, view, file, title_of(view), (struct gt_str){NULL, 0}, info);
    if (err != GT_OK) return err;
    err = web_page_report(&page, view->route->report, &view->input, info);
    return web_page_close(&page, err, info);
}

/* The form alone until a model is named. */
static enum gt_err advise_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    if (view->input.advice != NULL) return report_render(view, file, info);
    enum gt_err err = web_page_open(&page, view, file, title_of(view), (struct gt_str){NULL, 0}, info);
    if (err != GT_OK) return err;
    sink_paragraph(page.writer, web_word(view->input.lang, WEB_WORD_ADVISE_ASK));
    return web_page_close(&page, err, info);
}

/* ---- weekly reports ---- */

static const struct web_column week_columns[] = {{"week", WEB_WORD_WEEK, false, false}, {"days", WEB_WORD_DAYS, false, false},
                                                {"published", WEB_WORD_PUBLISHED, false, false}};

/* When a week was published; a dash where it was not. */
static struct cell published_cell(const struct published *list, size_t count, const struct report_period *week)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].period.since_unix_s == week->since_unix_s) return cell_moment(CELL_TIME, list[i].published_unix_s);
    return cell_none();
}

/* All weeks that the store knows something of, the newest first. */
static enum gt_err weeks_write(const struct web_page *page, struct gt_errinfo *info)
{
    const struct web_view *view = page->view;
    const struct report_input *input = &view->input;
    struct store_stat stat;
    struct published *published;
    size_t published_count;
    enum gt_err err = store_stat(input->store, &stat, info);
    if (err == GT_OK) err = published_list(input->store, view->arena, &published, &published_count, info);
    if (err == GT_OK) err = web_table_begin(page, WEB_WORD_WEEKS, week_columns, sizeof week_columns / sizeof week_columns[0]);
    if (err != GT_OK) return err;
    struct report_period week = period_week_of(input->now_unix_s, input->zone_offset_s);
    for (int i = 0; i < WEB_WEEKS_SHOWN_MAX && week.until_unix_s > stat.first_run_unix_s && stat.runs > 0; i++) {
        struct gt_str name = period_name(&week, input->zone_offset_s, view->arena);
        struct cell cells[] = {web_link_cell(name, web_link(view, "/reports", WEB_WEEK, name)),
                               cell_text(period_days(&week, input->zone_offset_s, view->arena)),
                               published_cell(published, published_count, &week)};
        sink_row(page->writer, cells);
        week = period_before(&week, input->zone_offset_s);
    }
    sink_table_end(page->writer);
    return GT_OK;
}

/* One week's report where the address names one, else the list of them under the form. */
static enum gt_err reports_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    struct web_page page;
    bool has_period = view->input.since_unix_s != 0 || view->input.until_unix_s != 0;
    enum gt_err err = web_page_open(&page, view, file, title_of(view), view->request->params[WEB_WEEK], info);
    if (err != GT_OK) return err;
    err = has_period ? web_page_report(&page, &report_weekly, &view->input, info) : weeks_write(&page, info);
    return web_page_close(&page, err, info);
}

#define BOARD_PARAMS (WEB_BIT(Q) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY))
#define SPAN_PARAMS (WEB_BIT(SINCE) | WEB_BIT(UNTIL))

#define PAGE(id, source, bits, function)                                                                                            \
    const struct web_route web_route_##id = {.path = "/" #id,                                                                       \
                                             .kind = WEB_KIND_PAGE,                                                                 \
                                             .media_type = "text/html; charset=utf-8",                                              \
                                             .params = bits,                                                                        \
                                             .report = &report_##source,                                                            \
                                             .render = function}

PAGE(changes, changes, BOARD_PARAMS | SPAN_PARAMS, report_render);
PAGE(index, index, BOARD_PARAMS | SPAN_PARAMS | WEB_BIT(BASE), report_render);
PAGE(breakeven, breakeven, BOARD_PARAMS, report_render);
PAGE(audit, audit, BOARD_PARAMS, report_render);
PAGE(advise, advise, WEB_ADVICE_BITS | BOARD_PARAMS, advise_render);
PAGE(transparency, transparency, BOARD_PARAMS, report_render);
PAGE(health, health, SPAN_PARAMS, report_render);
PAGE(history, history, BOARD_PARAMS | SPAN_PARAMS, report_render);
PAGE(reports, weekly, BOARD_PARAMS | SPAN_PARAMS | WEB_BIT(WEEK) | WEB_BIT(MONTH), reports_render);
