/* store_stat and store_is_sample: counts and sizes. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

#define STAT_ARENA_MAX ((size_t)1 << 30)

/* Which sequence numbers were counted, a bit each: a run of several parts has a row in several streams. */
struct seq_map {
    uint8_t *bits;
    uint64_t last;
};

/* One stream's rows: runs not counted yet, what they tell, when the first was. */
static void count_rows(struct db_txn *txn, uint32_t stream, struct seq_map *map, struct arena *arena, struct store_stat *stat)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0), is_first = true; has; has = run_cursor_next(&cursor), is_first = false) {
        struct run_row_stored row;
        arena_clear(arena);
        if (run_cursor_row(&cursor, arena, &row) != GT_OK) break;
        if (is_first && (stat->streams == 0 || row.t_unix_s < stat->first_run_unix_s)) stat->first_run_unix_s = row.t_unix_s;
        stat->changes += run_change_count(&row);
        uint8_t *byte = row.seq <= map->last ? &map->bits[row.seq / 8] : NULL, bit = (uint8_t)(1U << row.seq % 8);
        if (row.is_action || byte == NULL || (*byte & bit) != 0) continue;
        *byte |= bit;
        stat->runs++;
    }
    run_cursor_done(&cursor);
}

/* The latest block of each counts its spans. */
static void count_streams(struct db_txn *txn, struct arena *arena, struct store_stat *stat)
{
    struct gt_str value;
    struct seq_map map = {.last = db_get(txn, DB_META, GT_STR("seq"), &value) ? key_seq_at(value, 0) : 0};
    map.bits = calloc(map.last / 8 + 1, 1);
    if (map.bits == NULL) db_fail(txn, GT_ENOMEM, "out of memory");
    for (uint32_t id = part_stream_next(txn, 0); id != 0; id = part_stream_next(txn, id)) {
        struct part_state state;
        arena_clear(arena);
        if (!part_load_latest(txn, id, &state, arena) || state.last_seq == 0) break;
        stat->spans += state.spans;
        if (stat->streams == 0 || state.last_t_unix_s > stat->last_run_unix_s) stat->last_run_unix_s = state.last_t_unix_s;
        count_rows(txn, id, &map, arena, stat);
        stat->streams++;
    }
    free(map.bits);
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

/* One run from the sample market marks the store for good: nobody can tell later which figures it has touched. */
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
