/* The addresses that the server knows. A route is a const struct at the foot of its own file, and a line in routes.def. */
#ifndef GT_WEB_ROUTE_H
#define GT_WEB_ROUTE_H

#include <stdio.h>

#include "reports/advice_words.h"
#include "reports/report.h"
#include "web/request.h"
#include "web/server.h"

struct web_view;
struct web_snapshot;

enum web_kind {
    WEB_KIND_DATA, /* errors are JSON */
    WEB_KIND_PAGE, /* errors are pages */
    WEB_KIND_TEXT, /* errors are a line of text */
    WEB_KIND_FILE, /* part of the program: knows no store */
};

struct web_route {
    const char *path;
    enum web_kind kind;
    const char *media_type;
    uint32_t params;              /* WEB_BIT of those it takes, beside lang */
    const struct report *report; /* what it shows, where that is one report */
    /* Writes the answer. GT_OK; GT_EUSAGE (400, the message is shown), GT_ENOENT (404, shown), GT_ELIMIT (400), others 500. */
    enum gt_err (*render)(const struct web_view *view, FILE *file, struct gt_errinfo *info);
};

/* One answer in the making. */
struct web_view {
    const struct web_route *route;
    const struct web_request *request;
    const struct web_settings *settings;
    struct report_input input; /* the request read; for pages of one thing without its query */
    struct advice_need advice; /* of `advise`, where it is asked anything: input.advice points here */
    struct arena *arena;
    struct web_snapshot *snapshot; /* the worker's; for web_board_read */
    bool is_local; /* asked from this machine, through nobody: archived pages may be shown */
};

#define ROUTE(id) extern const struct web_route web_route_##id;
#include "web/routes.def"
#undef ROUTE

/* The route of a path, or NULL. */
const struct web_route *web_route_find(struct gt_str path);

/* Reads the request's parameters into view->input (route, request, settings, arena, store and moment are set). GT_OK; GT_EUSAGE with a
 * message; GT_ENOMEM. */
enum gt_err web_view_read(struct web_view *view, struct gt_errinfo *info);

#endif
