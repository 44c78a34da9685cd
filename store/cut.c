#include "store/cut.h"

#include <stdlib.h>

#include "store/part_rebuild.h"
#include "store/price_row.h"
#include "store/store_impl.h"

#define CUT_ARENA_MAX ((size_t)2 << 30)

/* Keys that are to go, copied: a cursor does not survive a deletion. */
struct key_list {
    struct key *items;
    size_t count, cap;
};

struct cut {
    const struct cut_scope *scope;
    struct db_txn *txn;
    struct arena *arena;
    uint64_t runs;
};

static void out_of_memory(struct cut *cut)
{
    db_fail(cut->txn, GT_ENOMEM, "out of memory");
}

/* Adds a stored key to a list. */
static void key_keep(struct cut *cut, struct key_list *list, struct gt_str stored)
{
    void *items = list->items;
    if (stored.len > KEY_BYTES_MAX || !arena_grow(cut->arena, &items, list->count, &list->cap, sizeof *list->items)) {
        out_of_memory(cut);
        return;
    }
    list->items = items;
    struct key *key = &list->items[list->count++];
    *key = (struct key){.len = 0};
    key_add_bytes(key, stored);
}

/* Takes all of a list out of a table. */
static void keys_del(struct cut *cut, enum db_table table, const struct key_list *list)
{
    for (size_t i = 0; i < list->count && db_err(cut->txn) == GT_OK; i++) db_del(cut->txn, table, key_str(&list->items[i]));
}

/* The rows of a stream from the cut on, as keys: *ret_before is the last run that stays, *ret_first the first that goes. */
static void rows_find(struct cut *cut, uint32_t stream, struct key_list *rows, uint64_t *ret_before, uint64_t *ret_first)
{
    struct run_cursor cursor;
    *ret_before = *ret_first = 0;
    run_cursor_init(&cursor, cut->txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has; has = run_cursor_next(&cursor)) {
        if (rows->count == 0 && cursor.row->t_unix_s < cut->scope->since_unix_s) {
            *ret_before = cursor.row->seq;
            continue;
        }
        struct key key = key_of_run(stream, cursor.row->seq);
        if (rows->count == 0) *ret_first = cursor.row->seq;
        key_keep(cut, rows, key_str(&key));
    }
    run_cursor_done(&cursor);
}

/* Delisted offers of the stream, as keys. */
static void gone_find(struct cut *cut, uint32_t stream, struct key_list *gone)
{
    struct db_cursor cursor;
    struct key key = key_of_id(stream);
    db_cursor_init(&cursor, cut->txn, DB_GONE);
    for (bool has = db_cursor_seek(&cursor, key_str(&key)); has && key_id_at(cursor.key, 0) == stream;
         has = db_cursor_next(&cursor))
        key_keep(cut, gone, cursor.key);
    db_cursor_done(&cursor);
}

/* Latest block and delisted offers as after the run before: its log is replayed. */
static void state_rebuild(struct cut *cut, uint32_t stream, uint64_t before)
{
    struct part_state state;
    struct reader reader;
    struct key key = key_of_id(stream);
    if (before == 0) {
        db_del(cut->txn, DB_HEADS, key_str(&key));
        price_row_del(cut->txn, stream);
        return;
    }
    if (!part_replay(cut->txn, stream, before, &state, cut->arena)) return;
    reader_init(&reader, cut->txn, cut->arena);
    state.until_next_unix_s = part_until_next(&reader, &state);
    part_state_put(&reader, stream, &state);
}

/* Cuts one stream. */
static void stream_cut(struct cut *cut, uint32_t stream)
{
    struct key_list rows = {.count = 0}, gone = {.count = 0};
    uint64_t before, first;
    rows_find(cut, stream, &rows, &before, &first);
    if (rows.count == 0) return;
    gone_find(cut, stream, &gone);
    run_rows_cut(cut->txn, stream, first);
    keys_del(cut, DB_STOCKS, &rows);
    keys_del(cut, DB_GONE, &gone);
    cut->runs += rows.count;
    if (db_err(cut->txn) == GT_OK) state_rebuild(cut, stream, before);
}

/* True for the scope's streams. */
static bool is_in_scope(const struct cut_scope *scope, const struct stream *stream)
{
    return gt_str_eq(stream->site, scope->site) && stream->provenance == scope->provenance &&
           gt_str_eq(stream->writer, scope->writer);
}

/* May be run again from the beginning. */
static enum gt_err cut_fill(void *ctx, struct db_txn *txn)
{
    struct cut *cut = ctx;
    struct reader reader;
    arena_clear(cut->arena);
    *cut = (struct cut){.scope = cut->scope, .txn = txn, .arena = cut->arena};
    reader_init(&reader, txn, cut->arena);
    for (uint32_t id = part_stream_next(txn, 0); id != 0 && db_err(txn) == GT_OK; id = part_stream_next(txn, id)) {
        const struct stream *stream = reader_stream(&reader, id);
        if (stream != NULL && is_in_scope(cut->scope, stream)) stream_cut(cut, id);
    }
    return db_err(txn);
}

enum gt_err store_cut(struct store *store, const struct cut_scope *scope, uint64_t *ret_runs, struct gt_errinfo *info)
{
    struct cut cut = {.scope = scope, .arena = arena_new(CUT_ARENA_MAX)};
    if (cut.arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_write(store->db, cut_fill, &cut, info);
    arena_free(cut.arena);
    if (err == GT_OK) *ret_runs = cut.runs;
    return err;
}
