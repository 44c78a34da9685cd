/* What retention leaves of a page (`db compact --keep-pages`): a record of the same id, type, address and date without the page, which says
 * so. Whoever asks for the page is told that it was let go, and when; nobody is told that it is damaged or missing. */
#ifndef GT_CRAWLER_DROPPED_H
#define GT_CRAWLER_DROPPED_H

#include "common/strbuf.h"
#include "crawler/warc_reader.h"

/* True for a response or resource that has bytes to let go. */
bool dropped_may_be(const struct warc_entry *entry);

/* True for what dropped_note_add wrote. */
bool dropped_is(const struct warc_entry *entry);

/* Adds what is to be left of the record, plain: its fields, the status line of an answer, and in place of the page when it went, how long its
 * block was and that block's digest. Errors stick in `out`. */
void dropped_note_add(const struct warc_entry *entry, int64_t dropped_unix_s, struct strbuf *out);

/* The block's digest as the record states it, of what is left of a page: as it stated it then; "sha1:…", or empty. */
struct gt_str dropped_digest(const struct warc_entry *entry);

/* The sentence for whoever wants the page, as GT_ENOENT. */
enum gt_err dropped_fail(const struct warc_entry *entry, struct gt_errinfo *info);

#endif
