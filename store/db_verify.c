#include "store/db_verify.h"

#include <stdio.h>

#include "store/db_impl.h"

enum { SENTENCE_MAX = 256, HEX_BYTES_MAX = 20, PER_TABLE_MAX = 100 };

struct verify {
    MDB_txn *txn;
    db_finding_fn *fn;
    void *ctx;
    enum db_table table;
    MDB_dbi dbi;
    size_t findings; /* of this table */
    uint64_t sum;    /* of its entries */
};

/* "table runs, key 00000001…: what". Many findings of one table say no more than the first hundred. */
static void find(struct verify *verify, struct gt_str key, const char *what)
{
    char hex[2 * HEX_BYTES_MAX + 1] = "", sentence[SENTENCE_MAX];
    if (++verify->findings > PER_TABLE_MAX) return;
    for (size_t i = 0; i < key.len && i < HEX_BYTES_MAX; i++) snprintf(hex + 2 * i, 3, "%02x", (unsigned)(uint8_t)key.ptr[i]);
    snprintf(sentence, sizeof sentence, "table %s, key %s%s: %s", db_table_name(verify->table), hex,
             key.len > HEX_BYTES_MAX ? "…" : "", what);
    verify->fn(verify->ctx, sentence);
}

/* The checksum covers the key and the table as well, so that pages that changed places are found. */
static void verify_entry(struct verify *verify, MDB_val k, MDB_val v)
{
    struct gt_str key = {k.mv_data, k.mv_size}, value;
    MDB_val again;
    bool is_whole = db_unseal(verify->table, key, v, &value);
    if (is_whole) verify->sum += db_sum_of(db_check(verify->table, key, value));
    if (!is_whole) find(verify, key, "the checksum is wrong: this entry is lost");
    /* A damaged branch page leads a walk to the entry and a look-up past it. */
    else if (mdb_get(verify->txn, verify->dbi, &k, &again) != 0 || again.mv_data != v.mv_data)
        find(verify, key, "the entry is there, but looking it up does not find it");
}

/* Counts are compared at the end: a page that fell out of the tree takes its entries along without a trace. */
static void verify_table(struct verify *verify)
{
    MDB_cursor *cursor;
    MDB_stat stat;
    MDB_val k, v;
    char before[DB_KEY_MAX];
    size_t before_len = 0, count = 0;
    int rc = mdb_stat(verify->txn, verify->dbi, &stat);
    if (rc == 0) rc = mdb_cursor_open(verify->txn, verify->dbi, &cursor);
    if (rc != 0) {
        find(verify, (struct gt_str){NULL, 0}, mdb_strerror(rc));
        return;
    }
    while ((rc = mdb_cursor_get(cursor, &k, &v, count == 0 ? MDB_FIRST : MDB_NEXT)) == 0) {
        struct gt_str key = {k.mv_data, k.mv_size};
        /* More entries than the table says: a page leads back into the walk. */
        if (++count > stat.ms_entries || key.len > DB_KEY_MAX) break;
        if (before_len > 0 && gt_str_cmp((struct gt_str){before, before_len}, key) >= 0)
            find(verify, key, "keys are out of order");
        verify_entry(verify, k, v);
        memcpy(before, key.ptr, key.len);
        before_len = key.len;
    }
    mdb_cursor_close(cursor);
    if (rc != MDB_NOTFOUND || count != stat.ms_entries)
        find(verify, (struct gt_str){NULL, 0},
             rc != 0 && rc != MDB_NOTFOUND ? mdb_strerror(rc) : "entries are missing or too many");
}

enum gt_err db_verify(struct db *db, db_finding_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct verify verify = {.fn = fn, .ctx = ctx};
    struct db_sums sums = {.is_kept = false};
    int rc = db_begin(db, false, &verify.txn);
    if (rc != 0) return db_fail_code(db, info, "cannot read the store in", rc);
    if (db->dbis[DB_META] != DB_DBI_NONE && db_sums_read(verify.txn, db->dbis[DB_META], &sums) != 0)
        fn(ctx, "the sums of the tables are unreadable");
    if (!db_sums_are_last(verify.txn, &sums)) fn(ctx, "the last commits are gone: a root page is an older one");
    for (int i = 0; i < DB_TABLES; i++) {
        verify.sum = 0;
        verify.table = (enum db_table)i;
        verify.dbi = db->dbis[i];
        verify.findings = 0;
        if (verify.dbi != DB_DBI_NONE) verify_table(&verify);
        else find(&verify, (struct gt_str){NULL, 0}, "the table is missing");
        /* The sums stand in the meta table and cannot cover it: an older copy of it has the sums of older tables. */
        if (sums.is_kept && i != DB_META && verify.findings == 0 && verify.sum != sums.of[i])
            find(&verify, (struct gt_str){NULL, 0}, "its entries are not those written last: a page of it is an older one");
    }
    mdb_txn_abort(verify.txn);
    return GT_OK;
}
