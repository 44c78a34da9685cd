/* What is kept of a stream beside its log, made from the log: after rows of it were rewritten, cut off or filled in. */
#ifndef GT_STORE_PART_REBUILD_H
#define GT_STORE_PART_REBUILD_H

#include "store/part_load.h"
#include "store/reader.h"

/* When the next promotion of a standing record ends, as the commit of the state's last run left it; 0: none does. */
int64_t part_until_next(struct reader *reader, const struct part_state *state);

/* Writes the latest block, its prices and the delisted offers of a state that was replayed from the beginning. Failures stand in the transaction. */
void part_state_put(struct reader *reader, uint32_t stream, const struct part_state *state);

/* Writes the latest block, its prices and the delisted offers as the log leaves them; delisted ones of before that it does not leave go. The
 * earliest `until` is taken over: the log does not tell it. Failures stand in the transaction. */
void part_latest_rebuild(struct db_txn *txn, uint32_t stream, struct arena *arena);

#endif
