#include "store/part_load.h"

#include <stdlib.h>

/* A failure to decode is the transaction's failure: what was read so far must not be used. */
static bool damaged(struct db_txn *txn, enum gt_err err, const char *what, uint32_t stream)
{
    db_fail(txn, err, "%s of stream %u: %s", what, (unsigned)stream, gt_err_text(err));
    return false;
}

/* The stream's last row, where it has one. */
static bool load_last_row(struct db_txn *txn, uint32_t stream, struct part_state *state)
{
    struct run_cursor cursor;
    struct run_row_stored row, content;
    run_cursor_init(&cursor, txn, stream);
    bool has = run_cursor_last(&cursor) && run_cursor_row(&cursor, NULL, &row) == GT_OK;
    run_cursor_done(&cursor);
    if (!has) return db_err(txn) == GT_OK;
    part_run_apply(state, &row);
    if (row.is_content || row.content_before == 0) return true;
    if (run_row_get(txn, stream, row.content_before, &content)) state->offers_seen = content.offers_seen;
    return db_err(txn) == GT_OK;
}

/* The block is only rewritten when a step changed it; the last row brings what every run changes. */
bool part_load_latest(struct db_txn *txn, uint32_t stream, struct part_state *state, struct arena *arena)
{
    struct key key = key_of_id(stream);
    struct gt_str value;
    part_state_init(state, arena, false);
    if (db_get(txn, DB_HEADS, key_str(&key), &value)) {
        enum gt_err err = dec_latest(value, state);
        if (err != GT_OK) return damaged(txn, err, "the latest block", stream);
    }
    return load_last_row(txn, stream, state);
}

/* Decodes a delisted offer's row. */
static bool read_gone(struct db_txn *txn, uint32_t stream, uint32_t offer, struct gt_str value, struct slot *ret_slot)
{
    enum gt_err err = dec_gone(value, offer, ret_slot);
    return err == GT_OK || damaged(txn, err, "a delisted offer", stream);
}

struct slot *part_load_gone_one(struct db_txn *txn, uint32_t stream, uint32_t offer, struct part_state *state)
{
    struct key key = key_of_gone(stream, offer);
    struct gt_str value;
    struct slot gone;
    if (!db_get(txn, DB_GONE, key_str(&key), &value) || !read_gone(txn, stream, offer, value, &gone)) return NULL;
    struct slot *slot = part_slot_add(state, offer);
    if (slot != NULL) *slot = gone;
    else db_fail(txn, GT_ENOMEM, "out of memory");
    return slot;
}

/* Offers that left have a value each, since a page that loses and regains one would otherwise rewrite all. They are put among the state's
 * slots all at once, both being by offer: each by itself would move all slots behind it. */
bool part_load_gone(struct db_txn *txn, uint32_t stream, struct part_state *state)
{
    struct db_cursor cursor;
    struct key key = key_of_gone(stream, 0);
    void *gone = NULL;
    size_t count = 0, cap = 0;
    db_cursor_init(&cursor, txn, DB_GONE);
    for (bool has = db_cursor_seek(&cursor, key_str(&key)); has && key_id_at(cursor.key, 0) == stream; has = db_cursor_next(&cursor)) {
        if (!arena_grow(state->arena, &gone, count, &cap, sizeof(struct slot))) {
            db_fail(txn, GT_ENOMEM, "out of memory");
            break;
        }
        if (!read_gone(txn, stream, key_id_at(cursor.key, KEY_ID_BYTES), cursor.value, (struct slot *)gone + count++)) break;
    }
    db_cursor_done(&cursor);
    if (db_err(txn) == GT_OK && !part_slots_merge(state, gone, count)) db_fail(txn, GT_ENOMEM, "out of memory");
    return db_err(txn) == GT_OK;
}

static int id_cmp(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The stream's own steps are everybody's. */
static bool is_wanted(const struct offer_set *offers, uint64_t offer)
{
    return offers == NULL || offer == 0 || bsearch(&offer, offers->ids, offers->count, sizeof offer, id_cmp) != NULL;
}

/* Each step is forgotten once it is done; what stays of it is in the state. Nothing is cleared first: most rows are flags and a count. */
enum gt_err part_replay_row(struct part_state *state, const struct run_place *place, const struct offer_set *offers)
{
    struct run_row_stored row;
    struct run_steps steps;
    struct step step;
    enum gt_err err = run_steps_skim(place, &row, &steps);
    row.good_before = state->last_good;
    row.content_before = state->last_content;
    if (err != GT_OK) return err;
    if (offers != NULL && offers->count > 0) {
        uint64_t first = offers->ids[0], last = offers->ids[offers->count - 1];
        steps.first = first < UINT32_MAX ? (uint32_t)first : UINT32_MAX;
        steps.last = last < UINT32_MAX ? (uint32_t)last : UINT32_MAX;
    }
    while (run_steps_next(&steps, &step))
        if (is_wanted(offers, step.offer)) part_step_apply(state, &row, &step);
    part_run_apply(state, &row);
    return state->err != GT_OK ? state->err : run_steps_end(&steps);
}

/* On from the state's last run. */
static bool replay(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, const struct offer_set *offers,
                   struct part_state *state)
{
    struct run_cursor cursor;
    enum gt_err err = GT_OK;
    run_cursor_init(&cursor, txn, stream);
    for (bool has = run_cursor_seek(&cursor, state->last_seq + 1); has && cursor.row->seq <= cut_seq && err == GT_OK;
         has = run_cursor_next(&cursor))
        err = part_replay_row(state, cursor.row, offers);
    run_cursor_done(&cursor);
    if (err != GT_OK) return damaged(txn, err, "the run log", stream);
    part_spans_finish(state);
    return db_err(txn) == GT_OK;
}

bool part_replay(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct part_state *state, struct arena *arena)
{
    return part_replay_of(txn, stream, cut_seq, NULL, state, arena);
}

bool part_replay_of(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, const struct offer_set *offers,
                    struct part_state *state, struct arena *arena)
{
    part_state_init(state, arena, true);
    return replay(txn, stream, cut_seq, offers, state);
}

void part_replay_begin(struct part_state *state, bool is_replay)
{
    struct part_state before = *state;
    part_state_init(state, before.arena, is_replay);
    state->slots = before.slots;
    state->cap = before.cap;
    state->spans_seen = (struct span_log){before.spans_seen.items, 0, before.spans_seen.cap};
}

bool part_replay_on(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct part_state *state)
{
    return replay(txn, stream, cut_seq, NULL, state);
}

/* From the end: the moment asked for is most often near it. The last run in sequence counts, not the latest time. */
uint64_t part_cut_at(struct db_txn *txn, uint32_t stream, int64_t at_unix_s)
{
    struct run_cursor cursor;
    uint64_t cut = 0;
    run_cursor_init(&cursor, txn, stream);
    if (at_unix_s < INT64_MAX) cursor.until_unix_s = at_unix_s + 1;
    for (bool has = run_cursor_last(&cursor); has && cut == 0; has = run_cursor_prev(&cursor))
        if (cursor.row->t_unix_s <= at_unix_s) cut = cursor.row->seq;
    run_cursor_done(&cursor);
    return db_err(txn) == GT_OK ? cut : 0;
}

/* By seeking each time: the walk survives that streams are written meanwhile. */
uint32_t part_stream_next(struct db_txn *txn, uint32_t stream)
{
    struct db_cursor cursor;
    struct key key = key_of_id(stream + 1);
    if (stream == UINT32_MAX) return 0;
    db_cursor_init(&cursor, txn, DB_STREAMS);
    uint32_t next = db_cursor_seek(&cursor, key_str(&key)) ? key_id_at(cursor.key, 0) : 0;
    db_cursor_done(&cursor);
    return next;
}
