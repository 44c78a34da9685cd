/* What the db*.c files share. Includes lmdb.h, so nothing else may include this. */
#ifndef GT_STORE_DB_IMPL_H
#define GT_STORE_DB_IMPL_H

#include <lmdb.h>
#include <sys/types.h>

#include "store/db.h"

/* A handle for "the file does not have this table": an older store opened for reading. */
#define DB_DBI_NONE ((MDB_dbi)UINT32_MAX)

struct db {
    MDB_env *env;
    char *folder;
    MDB_dbi dbis[DB_TABLES];
    pid_t pid;   /* who opened it: LMDB's handles must not cross a fork */
    int once_fd; /* holds the lock that makes a second open fail */
    int format;  /* its version in the file */
    size_t file_bytes; /* the file is known to be at least as large; 0 before a commit */
    bool is_write;
    bool is_older_fine;
    bool is_growth_late;
    bool is_writing; /* a write transaction is open: another would wait for itself */
    bool is_broken;  /* an fsync failed: the disk's state is not known */
};

/* For each table the sum over its entries of a hash of table, key and value: what is in the file, in a few bytes. An older
 * copy of a page has good checksums and the right number of entries; only the sum tells that it is not the page that was
 * written last. */
struct db_sums {
    uint64_t of[DB_TABLES];
    bool is_kept; /* the file has sums: else none are written */
    bool is_dirty;
    uint64_t txn; /* the transaction that wrote them: the last one, since each writes them */
};

/* Where a transaction found something last in a part of a table: what it asks for next is mostly near, and often the next entry. */
struct db_place {
    MDB_cursor *cursor;
    uint32_t id; /* that it stands at; 0: none, or not an id */
};

/* Ids that follow each other lie on one page of the tree, some dozens of them; each such stretch has a place, as far as there are places.
 * A page of offers asks for records all over their table: with a place for all of it each look-up would begin at the root. */
enum { DB_STRETCH_BITS = 6, DB_PLACES = 16 };

struct db_txn {
    struct db *db;
    MDB_txn *impl;
    struct gt_errinfo *info;
    enum gt_err err; /* the first failure; GT_OK before it */
    struct db_sums sums;
    bool is_map_full; /* it failed because the map must grow */
    struct db_place places[DB_TABLES][DB_PLACES];
};

/* Translates an LMDB code (or errno) into ours with a sentence: "`what` FOLDER: …"; asks the file system whether EIO means a
 * full disk. */
enum gt_err db_fail_code(struct db *db, struct gt_errinfo *info, const char *what, int rc);

/* The checksum that stands behind a value: CRC-32 over table, key and value, so that a value in the wrong place is wrong too. */
uint32_t db_check(enum db_table table, struct gt_str key, struct gt_str value);

/* Opens the handles of all tables in a transaction, making those that are missing where it may write (*ret_has_made), else
 * leaving them out: an older program did not know them. An LMDB code. */
int db_tables_open(struct db *db, MDB_txn *txn, bool *ret_has_made);

/* What an entry with a checksum adds to its table's sum. */
uint64_t db_sum_of(uint32_t check);

/* Reads the sums, in a transaction of either kind; `is_kept` is false where the file has none. An LMDB code. */
int db_sums_read(MDB_txn *txn, MDB_dbi meta, struct db_sums *ret_sums);

/* Writes them, with the number of the transaction. An LMDB code. */
int db_sums_write(MDB_txn *txn, MDB_dbi meta, const struct db_sums *sums);

/* True when the sums, read in the same transaction, were written by the last one that wrote to the file. */
bool db_sums_are_last(MDB_txn *txn, const struct db_sums *sums);

/* Writes a value and its checksum into the meta table, past a transaction's bookkeeping, which does not cover that table. */
int db_meta_put(MDB_txn *txn, MDB_dbi meta, struct gt_str key, struct gt_str value);

/* Splits checked bytes into value and checksum; false when they do not agree. */
bool db_unseal(enum db_table table, struct gt_str key, MDB_val sealed, struct gt_str *ret_value);

/* Records a failed LMDB call in the transaction. */
void db_txn_fail(struct db_txn *txn, const char *what, int rc);

/* Records damage found at a key of a table. */
void db_txn_damaged(struct db_txn *txn, enum db_table table, struct gt_str key);

/* Begins a transaction of LMDB, adopting a map that another process has made larger. Returns an LMDB code. */
int db_begin(struct db *db, bool is_write, MDB_txn **ret_impl);

/* Makes the map larger; no transaction may be open. */
enum gt_err db_grow(struct db *db, struct gt_errinfo *info);

/* Bytes of the map that pages have been given out of so far, and its size. */
void db_map_use(struct db *db, size_t *ret_used, size_t *ret_map);

/* Refuses folders where a map cannot be trusted: network file systems; anyone may write. */
enum gt_err db_folder_check(const char *folder, struct gt_errinfo *info);

/* Takes the lock that makes a second open in this process fail. *ret_fd is closed to let go; -1 where a lock file cannot be
 * had (read-only). */
enum gt_err db_once_take(const char *folder, int *ret_fd, struct gt_errinfo *info);

/* Compares the two meta pages: their transactions follow each other and the file does not shrink. A damaged newer one would
 * otherwise let LMDB fall back on the older without a word, and acknowledged runs would be gone. GT_ECORRUPT. */
enum gt_err db_meta_check(struct db *db, struct gt_errinfo *info);

/* Reads the format and features; writes them into a new file. */
enum gt_err db_format_check(struct db *db, struct gt_errinfo *info);

#endif
