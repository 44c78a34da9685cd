/* Walking the whole file for `db check`: what a transaction's sticky error would stop at. */
#ifndef GT_STORE_DB_VERIFY_H
#define GT_STORE_DB_VERIFY_H

#include "store/db.h"

/* Takes one sentence. */
typedef void db_finding_fn(void *ctx, const char *sentence);

/* Reads every entry of every table: its checksum, the order of keys, that the key is found by looking it up, that there are as
 * many entries as the table says. May crash on a damaged file: run it in a child. GT_OK also with findings. */
enum gt_err db_verify(struct db *db, db_finding_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
