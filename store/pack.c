#include "store/pack.h"

#include "store/part_load.h"

static const struct gt_str none = {NULL, 0};

static void table_copy(struct db_txn *from, struct db_txn *to, enum db_table table)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, from, table);
    for (bool has = db_cursor_seek(&cursor, none); has && db_err(to) == GT_OK; has = db_cursor_next(&cursor))
        db_append(to, table, cursor.key, cursor.value);
    db_cursor_done(&cursor);
}

static void runs_copy(struct db_txn *from, struct db_txn *to)
{
    for (uint32_t id = part_stream_next(from, 0); id != 0 && db_err(to) == GT_OK; id = part_stream_next(from, id))
        run_rows_pack(from, to, id);
}

/* The format is the new store's own, the sums are those of what is written. */
static void meta_copy(struct db_txn *from, struct db_txn *to)
{
    struct gt_str seq;
    if (db_get(from, DB_META, GT_STR("seq"), &seq)) db_put(to, DB_META, GT_STR("seq"), seq);
    db_feature_add(to, DB_FEATURE_PACKED);
}

/* Keys in order fill each page to its end. */
static enum gt_err write_all(void *ctx, struct db_txn *to)
{
    struct db_txn *from = ctx;
    for (enum db_table table = 0; table < DB_TABLES; table++) {
        if (table == DB_META) meta_copy(from, to);
        else if (table == DB_RUNS) runs_copy(from, to);
        else table_copy(from, to, table);
    }
    return db_err(from) != GT_OK ? db_err(from) : db_err(to);
}

static bool row_eq(const struct run_place *a, const struct run_place *b)
{
    return a->seq == b->seq && a->t_unix_s == b->t_unix_s && gt_str_eq(a->bytes, b->bytes);
}

/* What was packed is read as everybody will read it, before it counts. */
static void stream_compare(struct db_txn *from, struct db_txn *to, uint32_t stream)
{
    struct run_cursor was, is;
    run_cursor_init(&was, from, stream);
    run_cursor_init(&is, to, stream);
    bool has_was = run_cursor_seek(&was, 0), has_is = run_cursor_seek(&is, 0);
    while (has_was && has_is && row_eq(was.row, is.row)) {
        has_was = run_cursor_next(&was);
        has_is = run_cursor_next(&is);
    }
    if ((has_was || has_is) && db_err(from) == GT_OK)
        db_fail(to, GT_EINTERNAL, "stream %u does not come out of packing as it went in", (unsigned)stream);
    run_cursor_done(&was);
    run_cursor_done(&is);
}

static enum gt_err compare_all(struct db_txn *from, struct db *made, struct gt_errinfo *info)
{
    struct db_txn *to;
    enum gt_err err = db_read_begin(made, &to, info);
    if (err != GT_OK) return err;
    for (uint32_t id = part_stream_next(from, 0); id != 0 && db_err(to) == GT_OK; id = part_stream_next(from, id))
        stream_compare(from, to, id);
    return db_read_end(to);
}

/* Compared in the same reading transaction: what was written in between would look like damage. */
enum gt_err db_pack(struct db *from, struct db *to, struct gt_errinfo *info)
{
    struct db_txn *txn;
    enum gt_err err = db_read_begin(from, &txn, info);
    if (err != GT_OK) return err;
    err = db_write(to, write_all, txn, info);
    if (err == GT_OK) err = compare_all(txn, to, info);
    enum gt_err read_err = db_read_end(txn);
    return err != GT_OK ? err : read_err;
}
