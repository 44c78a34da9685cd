/* One record on its way into a pack, and out of it. Packing wants plain bytes that resemble those of the version before; what goes out
 * must be the gzip member that came in, byte for byte. */
#ifndef GT_CRAWLER_PACK_FOLD_H
#define GT_CRAWLER_PACK_FOLD_H

#include "crawler/deflate_twin.h"

/* The recipes that fitted last, of members and of payloads: the next ones are likely to be of the same making. */
struct fold_hints {
    struct deflate_recipe member, payload;
};

/* Adds a gzip member to `out`, unfolded: the record in plain, its payload without gzip where that can be made again, and the recipes for
 * both. A member that cannot be made again is added as it is. GT_OK; GT_ENOMEM, GT_ELIMIT. */
enum gt_err record_unfold(struct gt_str member, struct fold_hints *hints, struct strbuf *out);

/* The record in plain, from what record_unfold wrote, added to `out`. GT_OK; GT_ECORRUPT; GT_ENOMEM; GT_ELIMIT. */
enum gt_err record_fold_plain(struct gt_str unfolded, struct strbuf *out);

/* What is left of a page (dropped.h), a plain record, added to `out` unfolded; and whether that is what is unfolded there. */
void record_unfold_dropped(struct gt_str record, struct strbuf *out);
bool record_is_dropped(struct gt_str unfolded);

/* The gzip member, added to `out`: for a page that was dropped, one of what is left of it. As above. */
enum gt_err record_fold(struct gt_str unfolded, struct strbuf *out);

#endif
