#include "web/route.h"

static const struct web_route *const routes[] = {
#define ROUTE(id) &web_route_##id,
#include "web/routes.def"
#undef ROUTE
    NULL,
};

const struct web_route *web_route_find(struct gt_str path)
{
    for (const struct web_route *const *route = routes; *route != NULL; route++)
        if (gt_str_is(path, (*route)->path)) return *route;
    return NULL;
}
