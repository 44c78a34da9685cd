/* A record as bytes, before packing. */
#ifndef GT_CRAWLER_WARC_RECORD_H
#define GT_CRAWLER_WARC_RECORD_H

#include "common/strbuf.h"
#include "crawler/warc.h"

/* Adds a whole record, its two closing line ends included. `id` is its record id; `warcinfo_id` may be empty. GT_OK;
 * GT_EINTERNAL for a record against the grammar (no target, no profile, a field with a line break); GT_ELIMIT; GT_ENOMEM. */
enum gt_err warc_record_print(const struct warc_record *record, struct gt_str id, struct gt_str warcinfo_id, struct strbuf *out,
                              struct gt_errinfo *info);

#endif
