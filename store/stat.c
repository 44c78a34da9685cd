/* store_stat and store_is_sample: counts and sizes. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

#define STAT_ARENA_MAX ((size_t)1 << 30)

/* The first row of a stream, for when its history begins. */
static int64_t first_time(struct db_txn *txn, uint32_t stream)
{
    struct db_cursor cursor;
    struct run_row_stored row = {.t_unix_s = 0};
    struct key begin = key_of_run(stream, 0);
    db_cursor_init(&cursor, txn, DB_RUNS);
    bool has = db_cursor_seek(&cursor, key_str(&begin)) && key_id_at(cursor.key, 0) == stream;
    if (has && dec_run(cursor.value, key_seq_at(cursor.key, KEY_ID_BYTES), NULL, &row) != GT_OK)
        db_fail(txn, GT_ECORRUPT, "the first run of stream %u is damaged", (unsigned)stream);
    db_cursor_done(&cursor);
    return row.t_unix_s;
}

/* One read a stream: the latest block counts its spans, the last row has the time. */
static void count_streams(struct db_txn *txn, struct arena *arena, struct store_stat *stat)
{
    for (uint32_t id = part_stream_next(txn, 0); id != 0; id = part_stream_next(txn, id)) {
        struct part_state state;
        arena_clear(arena);
        if (!part_load_latest(txn, id, &state, arena) || state.last_seq == 0) return;
        int64_t first = first_time(txn, id);
        bool is_first = stat->streams == 0;
        if (is_first || first < stat->first_run_unix_s) stat->first_run_unix_s = first;
        if (is_first || state.last_t_unix_s > stat->last_run_unix_s) stat->last_run_unix_s = state.last_t_unix_s;
        stat->streams++;
        stat->spans += state.spans;
    }
}

/* The index knows how many each run tells; no run has to be decoded. */
static void count_changes(struct db_txn *txn, struct store_stat *stat)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, txn, DB_CHANGES);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has; has = db_cursor_next(&cursor)) {
        struct dec dec = dec_begin(cursor.value, NULL);
        stat->changes += dec_uint(&dec);
    }
    db_cursor_done(&cursor);
}

/* Written in decimal digits, so that a person can read it in a dump. */
static void count_version(struct db_txn *txn, struct store_stat *stat)
{
    struct gt_str value;
    if (!db_get(txn, DB_META, GT_STR("format"), &value)) return;
    for (size_t i = 0; i < value.len; i++) stat->format_version = stat->format_version * 10 + (uint64_t)(value.ptr[i] - '0');
}

enum gt_err store_stat(struct store *store, struct store_stat *ret_stat, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct db_sizes sizes;
    struct store_stat stat = {.streams = 0};
    enum gt_err err = db_measure(store->db, &sizes, info);
    if (err != GT_OK) return err;
    struct arena *arena = arena_new(STAT_ARENA_MAX);
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    err = db_read_begin(store->db, &txn, info);
    if (err == GT_OK) {
        count_version(txn, &stat);
        count_streams(txn, arena, &stat);
        count_changes(txn, &stat);
        stat.runs = db_count(txn, DB_RUN_KEYS);
        stat.offers = db_count(txn, DB_OFFERS);
        stat.records = db_count(txn, DB_RECORDS);
        err = db_read_end(txn);
    }
    arena_free(arena);
    if (err != GT_OK) return err;
    stat.file_bytes = sizes.file_bytes;
    stat.map_bytes = sizes.map_bytes;
    stat.used_bytes = sizes.used_bytes;
    *ret_stat = stat;
    return GT_OK;
}

enum gt_err store_is_sample(struct store *store, bool *ret_is_sample, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct db_cursor cursor;
    bool is_sample = false;
    struct arena *arena = arena_new(STAT_ARENA_MAX);
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err == GT_OK) {
        db_cursor_init(&cursor, txn, DB_FACTS);
        bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
        for (; has && !is_sample; has = db_cursor_next(&cursor)) {
            struct facts facts;
            arena_clear(arena);
            enum gt_err bad = dec_facts(cursor.value, arena, &facts);
            if (bad != GT_OK) db_fail(txn, bad, "a site's facts: %s", gt_err_text(bad));
            else is_sample = facts.is_sample;
        }
        db_cursor_done(&cursor);
        err = db_read_end(txn);
    }
    arena_free(arena);
    if (err == GT_OK) *ret_is_sample = is_sample;
    return err;
}
