/* Taking the end of a history away, so that it can be written anew: for rules of today over pages of then, and for imports, which are
 * written in order of time. Done in a draft (store_draft_begin), never in the store that is read. */
#ifndef GT_STORE_CUT_H
#define GT_STORE_CUT_H

#include "store/store.h"

/* Whose history. */
struct cut_scope {
    struct gt_str site;
    enum provenance provenance;
    struct gt_str writer;
    int64_t since_unix_s; /* INT64_MIN: all of it */
};

/* Takes away every run of the scope's streams from the first one that began at or after `since` on, with all that follows from them; the streams
 * stand as after the run before. *ret_runs: how many rows. GT_OK;
 * GT_ENOSPC, GT_EIO, GT_ECORRUPT, GT_ENOMEM: then nothing has changed. */
enum gt_err store_cut(struct store *store, const struct cut_scope *scope, uint64_t *ret_runs, struct gt_errinfo *info);

#endif
