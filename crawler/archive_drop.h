/* Retention: pages of months that are long over leave the packs, and a note stays in the place of each (dropped.h). What their records say has to
 * be in the archive by then (archive_history.h). Nothing is decided here but what is still needed. */
#ifndef GT_CRAWLER_ARCHIVE_DROP_H
#define GT_CRAWLER_ARCHIVE_DROP_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/pack.h"

/* What may go. Borrowed. */
struct drop_options {
    const char *folder;          /* the archive's */
    int64_t before_unix_s;       /* the beginning of the first month whose pages all stay */
    int64_t now_unix_s;          /* of whose month nothing goes */
    const struct gt_str *wanted; /* ids of records that runs lead to whose pages stay all the same */
    size_t wanted_count;
};

/* What becomes of a month that is over. Pages are counted where they may go. */
struct drop_month {
    char month[7];      /* "202603" */
    size_t pages, kept; /* that go; that stay since something needs them */
    int64_t bytes;      /* of their blocks that go, as they were received */
    size_t histories;   /* records of histories that go: the one that is written now replaces them */
};

struct drop_plan;

/* Finds out what goes. A page stays that a run of a kept month, an imported run or a wanted one was read from, and one that a revisit of a
 * kept month refers to. Reads the whole archive and changes nothing. GT_ECORRUPT when anything in it is damaged: what cannot be read may be
 * needed. GT_EACCES, GT_EIO, GT_ENOMEM, GT_ELIMIT. */
enum gt_err drop_plan_make(const struct drop_options *options, struct drop_plan **ret_plan, struct gt_errinfo *info);

/* NULL is accepted. */
void drop_plan_free(struct drop_plan *plan);

/* The months, oldest first. Borrowed. */
const struct drop_month *drop_plan_months(const struct drop_plan *plan, size_t *ret_count);

/* Does it, pack by pack, with `history` for what goes: each is written anew beside its place, compared, synced and renamed, so that a crash
 * leaves the one or the other, and a second call goes on. The months must be packed, and the caller holds the run lock. GT_EEXIST for a file
 * of such a month that lies unpacked. Errors as pack_thin: then the pack in question is as it was. */
enum gt_err drop_plan_run(struct drop_plan *plan, const struct pack_history *history, struct gt_errinfo *info);

#endif
