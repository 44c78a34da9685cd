/* Transactions: the sticky error, checksums, the replay when the map is full. */
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/db_impl.h"
#include "store/key.h"

enum { REPLAYS_MAX = 32 };

#define MAP_SLACK ((size_t)24 << 20) /* free before a transaction begins: one that fits is not run twice */

uint32_t db_check(enum db_table table, struct gt_str key, struct gt_str value)
{
    uint8_t head[2] = {(uint8_t)table, (uint8_t)key.len};
    uint32_t crc = libdeflate_crc32(0, head, sizeof head);
    crc = libdeflate_crc32(crc, key.ptr, key.len);
    if (value.len > 0) crc = libdeflate_crc32(crc, value.ptr, value.len);
    return crc;
}

/* The check is over table, key and value: a good value in a wrong place is found as well. */
bool db_unseal(enum db_table table, struct gt_str key, MDB_val sealed, struct gt_str *ret_value)
{
    if (sealed.mv_size < DB_CHECK_BYTES) return false;
    struct gt_str value = {sealed.mv_data, sealed.mv_size - DB_CHECK_BYTES};
    uint32_t crc = db_check(table, key, value);
    uint8_t bytes[DB_CHECK_BYTES] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc};
    if (memcmp(bytes, value.ptr + value.len, DB_CHECK_BYTES) != 0) return false;
    *ret_value = value;
    return true;
}

void db_txn_fail(struct db_txn *txn, const char *what, int rc)
{
    if (txn->err != GT_OK) return;
    txn->is_map_full = rc == MDB_MAP_FULL;
    txn->err = db_fail_code(txn->db, txn->info, what, rc);
}

void db_txn_damaged(struct db_txn *txn, enum db_table table, struct gt_str key)
{
    char hex[2 * 16 + 1] = "";
    for (size_t i = 0; i < key.len && i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", (unsigned)(unsigned char)key.ptr[i]);
    db_fail(txn, GT_ECORRUPT, "the store in %s is damaged: table %s, key %s%s", txn->db->folder, db_table_name(table), hex,
            key.len > 16 ? "…" : "");
}

enum gt_err db_err(const struct db_txn *txn)
{
    return txn->err;
}

struct gt_errinfo *db_info(struct db_txn *txn)
{
    return txn->info;
}

enum gt_err db_fail(struct db_txn *txn, enum gt_err code, const char *format, ...)
{
    if (txn->err != GT_OK) return txn->err;
    va_list args;
    va_start(args, format);
    txn->err = gt_vfail(txn->info, code, format, args);
    va_end(args);
    return txn->err;
}

/* LMDB's handles belong to the process that opened them. */
static enum gt_err check_owner(const struct db *db, struct gt_errinfo *info)
{
    if (db->pid == getpid()) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "the store in %s was opened before a fork: open it anew", db->folder);
}

/* A handle that was carried over a fork would share locks with its parent; that is refused before LMDB sees it. */
enum gt_err db_read_begin(struct db *db, struct db_txn **ret_txn, struct gt_errinfo *info)
{
    enum gt_err err = check_owner(db, info);
    if (err != GT_OK) return err;
    struct db_txn *txn = calloc(1, sizeof *txn);
    if (txn == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    *txn = (struct db_txn){.db = db, .info = info};
    int rc = db_begin(db, false, &txn->impl);
    if (rc != 0) {
        free(txn);
        return db_fail_code(db, info, "cannot read the store in", rc);
    }
    *ret_txn = txn;
    return GT_OK;
}

/* Cursors end before their transaction. */
static void places_close(struct db_txn *txn)
{
    for (size_t i = 0; i < DB_TABLES; i++)
        for (size_t j = 0; j < DB_PLACES; j++)
            if (txn->places[i][j].cursor != NULL) mdb_cursor_close(txn->places[i][j].cursor);
}

enum gt_err db_read_end(struct db_txn *txn)
{
    if (txn == NULL) return GT_OK;
    enum gt_err err = txn->err;
    places_close(txn);
    mdb_txn_abort(txn->impl);
    free(txn);
    return err;
}

/* The file ends at its last page after every commit, even when that page was given out and never filled: then a shorter file
 * was cut. fallocate only ever makes a file longer: another process may be writing behind this page by now. A failure leaves a
 * short file, which the next open has looked at page by page.
 * Who asks for the size after every commit is given times as fine as the clock, which each flush then writes to the disk with the
 * inode: nothing cuts a file that is open, so what it was once is asked for only when pages lie behind that. */
static void round_up_file(struct db *db)
{
    mdb_filehandle_t fd;
    struct stat st;
    size_t used, map;
    db_map_use(db, &used, &map);
    if (used <= db->file_bytes || mdb_env_get_fd(db->env, &fd) != 0 || fstat(fd, &st) != 0) return;
    if ((size_t)st.st_size < used && fallocate(fd, 0, (off_t)used - 1, 1) != 0) return;
    db->file_bytes = (size_t)st.st_size < used ? used : (size_t)st.st_size;
}

/* One attempt. On a full map *ret_full is set and nothing was written. */
static enum gt_err write_once(struct db *db, db_write_fn *fn, void *ctx, struct gt_errinfo *info, bool *ret_full)
{
    struct db_txn txn = {.db = db, .info = info};
    int rc = db_begin(db, true, &txn.impl);
    if (rc != 0) return db_fail_code(db, info, "cannot write to the store in", rc);
    rc = db_sums_read(txn.impl, db->dbis[DB_META], &txn.sums);
    if (rc != 0) db_txn_fail(&txn, "cannot read the sums of", rc);
    enum gt_err err = txn.err == GT_OK ? fn(ctx, &txn) : txn.err;
    if (txn.err == GT_OK && err == GT_OK && txn.sums.is_kept && txn.sums.is_dirty) {
        rc = db_sums_write(txn.impl, db->dbis[DB_META], &txn.sums);
        if (rc != 0) db_txn_fail(&txn, "cannot write to the store in", rc);
    }
    if (txn.err != GT_OK) err = txn.err;
    places_close(&txn);
    if (err != GT_OK) {
        mdb_txn_abort(txn.impl);
        *ret_full = txn.is_map_full;
        return err;
    }
    rc = mdb_txn_commit(txn.impl);
    if (rc == 0) {
        round_up_file(db);
        return GT_OK;
    }
    *ret_full = rc == MDB_MAP_FULL;
    err = db_fail_code(db, info, "cannot write to the store in", rc);
    /* After a failed fsync the kernel may have dropped the pages: trying again would acknowledge what is not there. */
    if (err == GT_EIO) db->is_broken = true;
    return err;
}

/* Refuses what would hang or lie. */
static enum gt_err check_may_write(const struct db *db, struct gt_errinfo *info)
{
    enum gt_err err = check_owner(db, info);
    if (err != GT_OK) return err;
    if (!db->is_write) return gt_fail(info, GT_EACCES, "the store in %s is open for reading only", db->folder);
    if (db->is_writing) return gt_fail(info, GT_EUSAGE, "the store in %s is being written to by the caller", db->folder);
    if (db->is_broken) return gt_fail(info, GT_EIO, "the disk failed while the store in %s was written: start anew", db->folder);
    return GT_OK;
}

/* A full map is grown and the whole function done again: it must depend on nothing but the transaction. */
enum gt_err db_write(struct db *db, db_write_fn *fn, void *ctx, struct gt_errinfo *info)
{
    enum gt_err err = check_may_write(db, info);
    if (err != GT_OK) return err;
    size_t used, map;
    db_map_use(db, &used, &map);
    if (!db->is_growth_late && used + MAP_SLACK > map) err = db_grow(db, info);
    db->is_writing = true;
    bool is_full = true;
    for (int i = 0; i < REPLAYS_MAX && is_full; i++) {
        if (i > 0) err = db_grow(db, info);
        if (err != GT_OK) break;
        is_full = false;
        err = write_once(db, fn, ctx, info, &is_full);
    }
    db->is_writing = false;
    return err;
}

/* LMDB's look-up. A page or a query asks for thousands of ids, many in their order: most lie on a page of the tree found before, often
 * right behind, and the way there from the root is spared. LMDB takes such places along when something is written. */
static int find(struct db_txn *txn, enum db_table table, MDB_val *key, MDB_val *ret_value)
{
    struct gt_str bytes = {key->mv_data, key->mv_size};
    uint32_t id = bytes.len == KEY_ID_BYTES ? key_id_at(bytes, 0) : 0;
    struct db_place *place = &txn->places[table][(id >> DB_STRETCH_BITS) % DB_PLACES];
    uint32_t before = place->id;
    int rc = place->cursor != NULL ? 0 : mdb_cursor_open(txn->impl, txn->db->dbis[table], &place->cursor);
    if (rc != 0) return rc;
    place->id = id;
    if (id > 1 && id == before + 1) {
        MDB_val next;
        rc = mdb_cursor_get(place->cursor, &next, ret_value, MDB_NEXT);
        if (rc == 0 && gt_str_eq((struct gt_str){next.mv_data, next.mv_size}, bytes)) return 0;
    }
    rc = mdb_cursor_get(place->cursor, key, ret_value, MDB_SET);
    if (rc != 0) place->id = 0;
    return rc;
}

/* A table that is not there holds nothing; everything else that goes wrong sticks to the transaction, and callers need not look. */
bool db_get(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str *ret_value)
{
    if (txn->err != GT_OK || txn->db->dbis[table] == DB_DBI_NONE) return false;
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v;
    int rc = find(txn, table, &k, &v);
    if (rc == MDB_NOTFOUND) return false;
    if (rc != 0) {
        db_txn_fail(txn, "cannot read from the store in", rc);
        return false;
    }
    if (db_unseal(table, key, v, ret_value)) return true;
    db_txn_damaged(txn, table, key);
    return false;
}

/* The checksum behind sealed bytes, as it stands there. */
static uint32_t check_behind(MDB_val sealed)
{
    const uint8_t *at = (const uint8_t *)sealed.mv_data + sealed.mv_size - DB_CHECK_BYTES;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Takes an entry that is about to go out of its table's sum. One that is damaged is refused: writing over it would hide the damage. */
static bool sum_forget(struct db_txn *txn, enum db_table table, struct gt_str key, MDB_val sealed)
{
    struct gt_str value;
    if (!db_unseal(table, key, sealed, &value)) {
        db_txn_damaged(txn, table, key);
        return false;
    }
    txn->sums.of[table] -= db_sum_of(check_behind(sealed));
    txn->sums.is_dirty = true;
    return true;
}

/* Room for `bytes` under the key, new or over what is there. Most keys are new: asking for that finds the others on the way. One that
 * is to be the last of all (is_last) and is not cannot be written. */
static int reserve(struct db_txn *txn, enum db_table table, struct gt_str key, size_t bytes, bool is_last, MDB_val *ret_room)
{
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr};
    *ret_room = (MDB_val){bytes, NULL};
    int rc = mdb_put(txn->impl, txn->db->dbis[table], &k, ret_room, MDB_RESERVE | (is_last ? MDB_APPEND : MDB_NOOVERWRITE));
    if (rc != MDB_KEYEXIST || is_last) return rc;
    if (!sum_forget(txn, table, key, *ret_room)) return MDB_CORRUPTED;
    *ret_room = (MDB_val){bytes, NULL};
    return mdb_put(txn->impl, txn->db->dbis[table], &k, ret_room, MDB_RESERVE);
}

/* Written into LMDB's own page: the value is not put together elsewhere first. */
static void put(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value, bool is_last)
{
    if (txn->err != GT_OK) return;
    if (value.len > DB_VALUE_MAX) {
        db_fail(txn, GT_ELIMIT, "a value of %zu bytes is too large for the store", value.len);
        return;
    }
    MDB_val room;
    uint32_t crc = db_check(table, key, value);
    int rc = reserve(txn, table, key, value.len + DB_CHECK_BYTES, is_last, &room);
    if (rc != 0) {
        db_txn_fail(txn, "cannot write to the store in", rc);
        return;
    }
    uint8_t *at = room.mv_data;
    if (value.len > 0) memcpy(at, value.ptr, value.len);
    for (int i = 0; i < DB_CHECK_BYTES; i++) at[value.len + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
    txn->sums.of[table] += db_sum_of(crc);
    txn->sums.is_dirty = true;
}

void db_put(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value)
{
    put(txn, table, key, value, false);
}

void db_append(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value)
{
    put(txn, table, key, value, true);
}

/* What is not there is deleted already: replays and repairs need not ask. */
void db_del(struct db_txn *txn, enum db_table table, struct gt_str key)
{
    if (txn->err != GT_OK) return;
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v;
    int rc = mdb_get(txn->impl, txn->db->dbis[table], &k, &v);
    if (rc == MDB_NOTFOUND) return;
    if (rc == 0 && !sum_forget(txn, table, key, v)) return;
    if (rc == 0) rc = mdb_del(txn->impl, txn->db->dbis[table], &k, NULL);
    if (rc != 0) db_txn_fail(txn, "cannot write to the store in", rc);
}

uint64_t db_count(struct db_txn *txn, enum db_table table)
{
    MDB_stat stat;
    if (txn->err != GT_OK || txn->db->dbis[table] == DB_DBI_NONE) return 0;
    int rc = mdb_stat(txn->impl, txn->db->dbis[table], &stat);
    if (rc != 0) db_txn_fail(txn, "cannot read from the store in", rc);
    return rc == 0 ? stat.ms_entries : 0;
}
