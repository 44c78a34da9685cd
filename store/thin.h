/* The old offers of a marketplace are let go: thousands come and go, and what each asked years ago is asked by nobody. How their prices were spread
 * is kept elsewhere (reports/market_store.h). */
#ifndef GT_STORE_THIN_H
#define GT_STORE_THIN_H

#include "store/store.h"

struct thin_counts {
    uint64_t spans;   /* let go */
    uint64_t runs;    /* rewritten */
    uint64_t records; /* taken away, since nothing refers to them any more */
};

/* Lets go of the spans that had ended by run `seq` in the live streams of a site, in one transaction: on a failure, or when the machine dies,
 * nothing has changed. What stood after that run stands, with its own beginning; who had left before is not known any more, nor are the changes
 * of the spans that go. Runs, their times, outcomes and pages stay, what they say of the source itself, and all that comes later.
 *
 *  site, seq     a good run of every live part of the site that has had one before it.
 *  note, value   kept in STORE_META in the same transaction.
 *
 * Again for the same run it finds nothing to do. GT_OK; GT_ENOENT when `seq` is no good run of the site; GT_EINTERNAL when what follows does not fit
 * (nothing is changed); GT_ENOMEM, GT_ENOSPC, GT_EIO, GT_ECORRUPT. */
enum gt_err store_thin(struct store *store, struct gt_str site, uint64_t seq, struct gt_str note, struct gt_str value, struct thin_counts *ret_counts,
                       struct gt_errinfo *info);

#endif
