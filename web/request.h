/* The address of a request, read strictly: what is not understood is refused, never passed over, so that every answer has one address. */
#ifndef GT_WEB_REQUEST_H
#define GT_WEB_REQUEST_H

#include <stdint.h>

#include "common/arena.h"
#include "common/str.h"

enum web_param {
#define PARAM(id, name, field, zh, en) WEB_##id,
#include "web/params.def"
#undef PARAM
    WEB_PARAMS
};

/* A set of parameters. */
#define WEB_BIT(id) (1U << WEB_##id)

/* Those of `advise`: the first ones, in the order of enum advice_word. */
#define WEB_ADVICE_BITS (2 * WEB_BIT(KV_WIDTH) - 1)

struct web_request {
    struct gt_str path;               /* decoded; begins with '/' */
    struct gt_str params[WEB_PARAMS]; /* decoded UTF-8 without control characters; empty: not given */
};

/* The name of a parameter. Static storage. */
const char *web_param_name(enum web_param param);

/* Reads "/path?name=value&…" (or the absolute form of a proxy). Returns 0, or the status to refuse it with: 400 (escapes that are none, bytes
 * that are no UTF-8, control characters, a parameter that nobody knows or that comes twice), 414 (too long), 500 (the arena is full);
 * *ret_why is then one sentence. */
int web_request_read(struct gt_str target, struct arena *arena, struct web_request *ret_request, const char **ret_why);

/* The request as one text, the same for every spelling of it: for keys, and for links, where `skip` (bits) leaves parameters
 * out. In the arena; ptr NULL when that is full. */
struct gt_str web_request_key(const struct web_request *request, uint32_t skip, struct arena *arena);

/* `text` with everything but letters, digits and -._~ percent-encoded. In the arena. */
struct gt_str web_encode(struct gt_str text, struct arena *arena);

#endif
