/* An older format made this program's. */
#ifndef GT_STORE_UPGRADE_H
#define GT_STORE_UPGRADE_H

#include "store/db.h"

/* In one transaction: what stands beside the logs is made anew from them, and the format's number follows. All that is history stays, byte by
 * byte. For a copy that nobody reads yet, opened with `is_older_fine`. GT_ECORRUPT, GT_ENOSPC, GT_EIO, GT_ENOMEM with a sentence. */
enum gt_err db_upgrade(struct db *db, struct gt_errinfo *info);

#endif
