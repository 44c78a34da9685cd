/* LMDB behind a wrapper: tables instead of handles, a sticky error instead of ten checks, a checksum on every value. Nothing of
 * LMDB shows here; only the db*.c files include lmdb.h.
 *
 * A transaction remembers its first failure: from then on every operation on it does nothing and answers "nothing there", and the
 * end reports the failure. A sequence of reads and writes therefore reads as prose. */
#ifndef GT_STORE_DB_H
#define GT_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum db_table {
#define DB_TABLE(id, name) DB_##id,
#include "store/db_tables.def"
#undef DB_TABLE
    DB_TABLES
};

enum {
    DB_KEY_MAX = 511,          /* LMDB's own limit, as compiled by Debian */
    DB_CHECK_BYTES = 4,        /* the checksum behind every value */
    DB_FORMAT_TEXT_MAX = 4096, /* bytes of the list of features */
};

#define DB_VALUE_MAX ((size_t)256 << 20) /* bytes of one value */

#define DB_FEATURE_PACKED GT_STR("packed:r") /* blocks of the run log may be packed */
#define DB_FEATURE_PRICES GT_STR("prices:w") /* latest blocks have prices beside them: who writes one writes the other */

struct db;
struct db_txn;

/* How to open. Zero is the default everywhere. */
struct db_options {
    bool is_write;       /* makes what is missing; else nothing is written, not even a file */
    size_t map_bytes;    /* first size of the map; 0: DB_MAP_FIRST or what the file has */
    bool is_growth_late; /* the map grows only once it is full: for tests of the replay */
    bool is_older_fine;  /* open a format that only db_format_upgrade and a check may meet */
    bool is_short_fine;  /* open a file that ends before its last page: the caller has had it checked */
};

/* Opens the file in `folder`. Refuses network file systems, folders that anyone may write to, a second open in the same
 * process, a newer format (for reading only when it has features that a reader must know). GT_EINCOMPLETE when the file is
 * shorter than its last page: it was cut, or the machine died between a commit and the file's growth; touching a page that is
 * not there is SIGBUS. GT_ENOENT, GT_EACCES, GT_EREFUSED, GT_EUSAGE, GT_ENEWER, GT_ECORRUPT, GT_ENOSPC, GT_EIO, GT_ENOMEM,
 * each with a sentence. */
enum gt_err db_open(const char *folder, const struct db_options *options, struct db **ret_db, struct gt_errinfo *info);

/* Closes and frees; NULL is accepted. In a forked child it only frees what is the child's own. */
void db_close(struct db *db);

/* The folder it was opened in. */
const char *db_folder(const struct db *db);

/* True when it may write. */
bool db_is_write(const struct db *db);

/* The format's version, as the file says. */
int db_format(const struct db *db);

/* Sizes for `db stat`, in bytes. */
struct db_sizes {
    uint64_t file_bytes; /* data.mdb */
    uint64_t map_bytes;  /* address space set aside */
    uint64_t used_bytes; /* pages that hold something */
};

/* Asks the file, the map and every table. */
enum gt_err db_measure(struct db *db, struct db_sizes *ret_sizes, struct gt_errinfo *info);

/* ---- transactions ---- */

/* Begins a snapshot for reading; end it with db_read_end, soon: pages that it sees cannot be used again. `info` gets the first
 * failure and must outlive the transaction. */
enum gt_err db_read_begin(struct db *db, struct db_txn **ret_txn, struct gt_errinfo *info);

/* Ends it and returns its first failure. NULL is accepted. */
enum gt_err db_read_end(struct db_txn *txn);

/* Fills one transaction. Called again from the beginning when the map had to grow: it must depend on the database alone. */
typedef enum gt_err db_write_fn(void *ctx, struct db_txn *txn);

/* Runs `fn` in a write transaction, durable on GT_OK; on any failure nothing was written. GT_ENOSPC also where the kernel
 * answers EIO for a full disk; after a real EIO the database takes no more writes, since what the disk holds is not known any
 * more. */
enum gt_err db_write(struct db *db, db_write_fn *fn, void *ctx, struct gt_errinfo *info);

/* The first failure so far. */
enum gt_err db_err(const struct db_txn *txn);

/* Makes the transaction fail with a sentence, unless it has failed already. Returns the first failure. */
enum gt_err db_fail(struct db_txn *txn, enum gt_err code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Where the transaction's failure is told; for functions that fail on their own. */
struct gt_errinfo *db_info(struct db_txn *txn);

/* Reads the value of a key; false when there is none (or the transaction has failed). A value whose checksum is wrong fails
 * the transaction with GT_ECORRUPT. The value lives until the next write or the end of the transaction. */
bool db_get(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str *ret_value);

/* Writes a value over what is there. `value` must not point into the database: the write may move it. */
void db_put(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value);

/* The same for a key behind all others of the table: pages are filled to their end. Another one fails the transaction. */
void db_append(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value);

/* Takes a key out; one that is not there is fine. */
void db_del(struct db_txn *txn, enum db_table table, struct gt_str key);

/* Says in the file that it uses a feature which not every program knows. */
void db_feature_add(struct db_txn *txn, struct gt_str feature);

/* Writes this program's format and features in the place of older ones; packed stays packed. */
void db_format_upgrade(struct db_txn *txn);

/* What a table holds, in a number: the sum over its entries that the file keeps. In a transaction that writes. */
uint64_t db_table_sum(const struct db_txn *txn, enum db_table table);

/* How many entries the table has. */
uint64_t db_count(struct db_txn *txn, enum db_table table);

/* A place in a table. Closed by db_cursor_done, before its transaction ends. `key` and `value` as for db_get. */
struct db_cursor {
    struct db_txn *txn;
    enum db_table table;
    void *impl;
    struct gt_str key, value;
};

/* Begins before the first entry; in a transaction that has failed, every move answers false. */
void db_cursor_init(struct db_cursor *cursor, struct db_txn *txn, enum db_table table);
void db_cursor_done(struct db_cursor *cursor);

/* The first entry at or after `key`; the last before it; the next; the one before. False when there is none. */
bool db_cursor_seek(struct db_cursor *cursor, struct gt_str key);
bool db_cursor_seek_before(struct db_cursor *cursor, struct gt_str key);
bool db_cursor_next(struct db_cursor *cursor);
bool db_cursor_prev(struct db_cursor *cursor);

/* The name of a file system that a store cannot lie on, by its statfs(2) number; NULL for all others. */
const char *db_network_name(uint32_t magic);

/* The name of a table, for messages. Static storage. */
const char *db_table_name(enum db_table table);

#endif
