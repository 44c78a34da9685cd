#include "store/part_rebuild.h"

#include "store/price_row.h"

/* An encoder's error is the transaction's. */
static void put_value(struct db_txn *txn, enum db_table table, const struct key *key, struct strbuf *bytes)
{
    if (bytes->err != GT_OK) db_fail(txn, bytes->err, "a stream cannot be kept: %s", gt_err_text(bytes->err));
    db_put(txn, table, key_str(key), strbuf_str(bytes));
    strbuf_clear(bytes);
}

/* Those that were delisted and are not any more, or never were as the log has it now. */
static void gone_remove(struct db_txn *txn, uint32_t stream, const struct part_state *state, struct arena *arena)
{
    struct part_state before;
    part_state_init(&before, arena, false);
    if (!part_load_gone(txn, stream, &before)) return;
    for (size_t i = 0; i < before.count && db_err(txn) == GT_OK; i++) {
        const struct slot *slot = part_slot_find(state, before.slots[i].offer);
        struct key key = key_of_gone(stream, before.slots[i].offer);
        if (slot == NULL || slot->is_listed) db_del(txn, DB_GONE, key_str(&key));
    }
}

int64_t part_until_next(struct reader *reader, const struct part_state *state)
{
    int64_t next = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct offer_record *record = reader_record(reader, state->slots[i].good.record);
        int64_t until = record != NULL ? offer_turn_next(record, state->last_t_unix_s, NULL) : 0;
        if (until != 0 && (next == 0 || until < next)) next = until;
    }
    return next;
}

void part_state_put(struct reader *reader, uint32_t stream, const struct part_state *state)
{
    struct db_txn *txn = reader->txn;
    struct strbuf bytes;
    struct key key = key_of_id(stream);
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_latest(&bytes, state);
    put_value(txn, DB_HEADS, &key, &bytes);
    price_row_put(reader, stream, state, NULL, 0);
    for (size_t i = 0; i < state->count && db_err(txn) == GT_OK; i++) {
        if (state->slots[i].is_listed) continue;
        key = key_of_gone(stream, state->slots[i].offer);
        enc_gone(&bytes, &state->slots[i]);
        put_value(txn, DB_GONE, &key, &bytes);
    }
    strbuf_done(&bytes);
}

/* From the log alone. When the next promotion ends is taken over: it hangs on a clock that the log does not have. */
void part_latest_rebuild(struct db_txn *txn, uint32_t stream, struct arena *arena)
{
    struct part_state latest, state;
    struct reader reader;
    reader_init(&reader, txn, arena);
    if (!part_load_latest(txn, stream, &latest, arena)) return;
    if (!part_replay(txn, stream, KEY_SEQ_LAST, &state, arena)) return;
    state.until_next_unix_s = latest.until_next_unix_s;
    gone_remove(txn, stream, &state, arena);
    part_state_put(&reader, stream, &state);
}
