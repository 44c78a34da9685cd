/* The JSON API: each report as the command line prints it with --json, from the same code. */
#include "web/route.h"

static enum gt_err api_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    return view->route->report->run(&view->input, &sink_json, file, info);
}

#define BOARD_PARAMS (WEB_BIT(Q) | WEB_BIT(PERSONA) | WEB_BIT(CURRENCY))
#define SPAN_PARAMS (WEB_BIT(SINCE) | WEB_BIT(UNTIL))
#define PERIOD_PARAMS (SPAN_PARAMS | WEB_BIT(WEEK) | WEB_BIT(MONTH))

#define API(id, source, bits)                                                                                                       \
    const struct web_route web_route_api_##id = {.path = "/api/" #id,                                                               \
                                                 .kind = WEB_KIND_DATA,                                                             \
                                                 .media_type = "application/json",                                                  \
                                                 .params = bits,                                                                    \
                                                 .report = &report_##source,                                                        \
                                                 .render = api_render}

API(offers, offers, BOARD_PARAMS);
API(history, history, BOARD_PARAMS | SPAN_PARAMS);
API(changes, changes, BOARD_PARAMS | SPAN_PARAMS);
API(index, index, BOARD_PARAMS | SPAN_PARAMS | WEB_BIT(BASE));
API(report, weekly, BOARD_PARAMS | PERIOD_PARAMS);
API(reports, published, WEB_BIT(WEEK));
API(breakeven, breakeven, BOARD_PARAMS);
API(audit, audit, BOARD_PARAMS);
API(advise, advise, WEB_ADVICE_BITS | BOARD_PARAMS);
API(transparency, transparency, BOARD_PARAMS);
API(health, health, BOARD_PARAMS | SPAN_PARAMS);
