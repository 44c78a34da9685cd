/* What a replay remembers instead of writing it into the store: the same keys and values, in memory. Internal to alerts/. */
#ifndef GT_ALERTS_OVERLAY_H
#define GT_ALERTS_OVERLAY_H

#include "common/arena.h"
#include "common/err.h"
#include "store/store.h"

struct overlay;

/* An empty one; NULL when memory is out. */
struct overlay *overlay_new(void);
void overlay_free(struct overlay *overlay);

/* As store_get, store_put, store_each (the tables of alerts share no first byte of a key, so a table need not be named). Values live until the
 * next write under their key. GT_ENOENT; GT_ENOMEM. */
enum gt_err overlay_get(const struct overlay *overlay, struct gt_str key, struct gt_str *ret_value);
enum gt_err overlay_put(struct overlay *overlay, struct gt_str key, struct gt_str value);
enum gt_err overlay_each(const struct overlay *overlay, struct gt_str prefix, store_each_fn *fn, void *ctx);

#endif
