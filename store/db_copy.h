/* A compacted copy of a database, as bytes for a file of its own. */
#ifndef GT_STORE_DB_COPY_H
#define GT_STORE_DB_COPY_H

#include "store/db.h"

/* Writes what the last finished transaction left to `fd`, pages that hold nothing left out. Writers go on meanwhile; what they commit is
 * not in the copy. GT_ENOSPC, GT_EIO, GT_ECORRUPT, GT_ENOMEM with a sentence; what was written is worth nothing then. */
enum gt_err db_copy(struct db *db, int fd, struct gt_errinfo *info);

#endif
