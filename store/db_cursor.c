/* Walking a table in key order. */
#include "store/db_impl.h"

void db_cursor_init(struct db_cursor *cursor, struct db_txn *txn, enum db_table table)
{
    *cursor = (struct db_cursor){.txn = txn, .table = table};
    if (txn->err != GT_OK || txn->db->dbis[table] == DB_DBI_NONE) return;
    MDB_cursor *impl = NULL;
    int rc = mdb_cursor_open(txn->impl, txn->db->dbis[table], &impl);
    if (rc != 0) db_txn_fail(txn, "cannot read from the store in", rc);
    else cursor->impl = impl;
}

void db_cursor_done(struct db_cursor *cursor)
{
    if (cursor->impl != NULL) mdb_cursor_close(cursor->impl);
    cursor->impl = NULL;
}

/* Moves, and checks what it lands on. */
static bool move(struct db_cursor *cursor, struct gt_str key, MDB_cursor_op op)
{
    if (cursor->impl == NULL || cursor->txn->err != GT_OK) return false;
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v;
    int rc = mdb_cursor_get(cursor->impl, &k, &v, op);
    if (rc == MDB_NOTFOUND) return false;
    if (rc != 0) {
        db_txn_fail(cursor->txn, "cannot read from the store in", rc);
        return false;
    }
    cursor->key = (struct gt_str){k.mv_data, k.mv_size};
    if (db_unseal(cursor->table, cursor->key, v, &cursor->value)) return true;
    db_txn_damaged(cursor->txn, cursor->table, cursor->key);
    return false;
}

bool db_cursor_seek(struct db_cursor *cursor, struct gt_str key)
{
    /* LMDB knows no empty key; the first entry is what lies at or after it. */
    if (key.len == 0) return move(cursor, key, MDB_FIRST);
    return move(cursor, key, MDB_SET_RANGE);
}

/* Beyond the last key there is nothing to step back from: the last one is it. An empty key asks for that. */
bool db_cursor_seek_before(struct db_cursor *cursor, struct gt_str key)
{
    if (cursor->impl == NULL || cursor->txn->err != GT_OK) return false;
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v;
    int rc = key.len > 0 ? mdb_cursor_get(cursor->impl, &k, &v, MDB_SET_RANGE) : MDB_NOTFOUND;
    if (rc != 0 && rc != MDB_NOTFOUND) {
        db_txn_fail(cursor->txn, "cannot read from the store in", rc);
        return false;
    }
    return move(cursor, (struct gt_str){NULL, 0}, rc == 0 ? MDB_PREV : MDB_LAST);
}

bool db_cursor_next(struct db_cursor *cursor)
{
    return move(cursor, (struct gt_str){NULL, 0}, MDB_NEXT);
}

bool db_cursor_prev(struct db_cursor *cursor)
{
    return move(cursor, (struct gt_str){NULL, 0}, MDB_PREV);
}
