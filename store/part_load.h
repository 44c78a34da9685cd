/* A stream's state from the database: its latest block, or a replay of its run log up to a moment. */
#ifndef GT_STORE_PART_LOAD_H
#define GT_STORE_PART_LOAD_H

#include "store/db.h"
#include "store/key.h"
#include "store/part_state.h"
#include "store/run_block.h"

/* Loads where the stream stands now; an empty state when it has no runs. Delisted offers are not among the slots. False on
 * failure, which stands in the transaction. */
bool part_load_latest(struct db_txn *txn, uint32_t stream, struct part_state *state, struct arena *arena);

/* Adds the delisted offers to a state from part_load_latest. */
bool part_load_gone(struct db_txn *txn, uint32_t stream, struct part_state *state);

/* The delisted offer's slot, added to the state; NULL when it is not delisted there. */
struct slot *part_load_gone_one(struct db_txn *txn, uint32_t stream, uint32_t offer, struct part_state *state);

/* Replays the stream's runs up to `cut_seq` into a replay state: slots with the delisted ones, spans, counts. */
bool part_replay(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct part_state *state, struct arena *arena);

/* Offers by number, ascending. */
struct offer_set {
    const uint64_t *ids;
    size_t count;
};

/* As part_replay, of these offers alone: what happened to others is passed over. NULL: of all. */
bool part_replay_of(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, const struct offer_set *offers,
                    struct part_state *state, struct arena *arena);

/* Replays one row, where a cursor stands, behind the state's last run: the same for whoever looks at the state between runs. GT_OK;
 * GT_ECORRUPT; GT_ENOMEM. */
enum gt_err part_replay_row(struct part_state *state, const struct run_place *place, const struct offer_set *offers);

/* Empties a state, whose slots and log of spans lend their room to what is replayed next. `is_replay` as for part_state_init. */
void part_replay_begin(struct part_state *state, bool is_replay);

/* Replays the stream's runs behind the state's last one up to `cut_seq`, as part_replay does, without the spans: for whoever asks only
 * where the stream stood. */
bool part_replay_on(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct part_state *state);

/* The last run (by sequence) that began at or before `at_unix_s`; 0 when there is none. What came before it in the sequence
 * was known then, whatever its clock said. */
uint64_t part_cut_at(struct db_txn *txn, uint32_t stream, int64_t at_unix_s);

/* Walks all streams: the next id after `stream` (begin with 0), or 0 at the end. */
uint32_t part_stream_next(struct db_txn *txn, uint32_t stream);

#endif
