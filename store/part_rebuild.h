/* What is kept of a stream beside its log, made anew from the log after rows of it were rewritten. */
#ifndef GT_STORE_PART_REBUILD_H
#define GT_STORE_PART_REBUILD_H

#include "store/part_load.h"

/* Writes the latest block and the delisted offers as the log leaves them; delisted ones of before that it does not leave go. The earliest `until`
 * is taken over: the log does not tell it. Failures stand in the transaction. */
void part_latest_rebuild(struct db_txn *txn, uint32_t stream, struct arena *arena);

#endif
