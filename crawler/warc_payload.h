/* From an archived answer to the page: transfer and content coding undone, for what others wrote, too. */
#ifndef GT_CRAWLER_WARC_PAYLOAD_H
#define GT_CRAWLER_WARC_PAYLOAD_H

#include "common/arena.h"
#include "crawler/warc_reader.h"

enum { PAYLOAD_BYTES_MAX = 64 * 1024 * 1024 };

/* An answer taken apart. */
struct warc_answer {
    int32_t status;     /* 0 when there is no status line */
    struct gt_str head; /* as archived, borrowed */
    struct gt_str body; /* decoded; in the arena, or borrowed where nothing was coded */
    bool is_as_is;      /* the head names a coding that the body does not have: the writer had undone it */
    bool is_truncated;  /* by WARC-Truncated */
};

/* Takes a response (or a resource, whose block is the page) apart.
 *
 * Seen in the wild: bodies verbatim (chunks and gzip still on), bodies decoded under a head that names the codings, bodies with the head's
 * fields renamed X-Crawl-… . What is not of the shape that its head says is taken as it is.
 *
 * GT_OK; GT_EFORMAT for a record of another type; GT_ENOENT for a page that was dropped, with the sentence that says so (dropped.h);
 * GT_EINCOMPLETE for a body that begins as its coding says and ends too early; GT_ELIMIT; GT_ENOMEM. */
enum gt_err warc_answer_read(const struct warc_entry *entry, struct arena *arena, struct warc_answer *ret_answer,
                             struct gt_errinfo *info);

#endif
