/* A store written anew, for `db compact --pack`. */
#ifndef GT_STORE_PACK_H
#define GT_STORE_PACK_H

#include "store/db.h"

/* Fills a new database with all that another one holds: every table in the order of its keys, so that pages are full, the run log
 * packed but for its newest rows. Then reads both logs, row by row. GT_ECORRUPT, GT_ENOSPC, GT_EIO, GT_ENOMEM with a sentence. */
enum gt_err db_pack(struct db *from, struct db *to, struct gt_errinfo *info);

#endif
