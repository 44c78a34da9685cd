/* Opening and closing; the map's size; what LMDB's codes mean. */
#include "store/db.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "store/db_impl.h"

enum { READERS_MAX = 126 };

#define MAP_FIRST ((size_t)64 << 20)
#define MAP_STEP_MAX ((size_t)4 << 30)
#define MAP_MAX ((size_t)1 << 42)

static const char *const table_names[DB_TABLES] = {
#define DB_TABLE(id, name) [DB_##id] = name,
#include "store/db_tables.def"
#undef DB_TABLE
};

const char *db_table_name(enum db_table table)
{
    return (unsigned)table < DB_TABLES ? table_names[table] : "?";
}

const char *db_folder(const struct db *db)
{
    return db->folder;
}

bool db_is_write(const struct db *db)
{
    return db->is_write;
}

int db_format(const struct db *db)
{
    return db->format;
}

/* The codes a caller would act on; everything else of LMDB's own means a damaged file. */
static enum gt_err translate(int rc)
{
    switch (rc) {
    case MDB_SUCCESS: return GT_OK;
    case MDB_NOTFOUND: return GT_ENOENT;
    case MDB_MAP_FULL:
    case MDB_TXN_FULL:
    case MDB_READERS_FULL:
    case MDB_DBS_FULL:
    case MDB_BAD_VALSIZE: return GT_ELIMIT;
    case MDB_VERSION_MISMATCH: return GT_ENEWER;
    case MDB_PANIC: return GT_EIO;
    default: return rc > 0 ? gt_err_from_errno(rc) : GT_ECORRUPT;
    }
}

enum gt_err db_fail_code(struct db *db, struct gt_errinfo *info, const char *what, int rc)
{
    if (rc > 0) {
        errno = rc;
        return file_fail(info, what, db->folder);
    }
    return gt_fail(info, translate(rc), "%s %s: %s", what, db->folder, mdb_strerror(rc));
}

void db_map_use(struct db *db, size_t *ret_used, size_t *ret_map)
{
    MDB_envinfo now;
    MDB_stat stat;
    mdb_env_info(db->env, &now);
    mdb_env_stat(db->env, &stat);
    *ret_used = (now.me_last_pgno + 1) * stat.ms_psize;
    *ret_map = now.me_mapsize;
}

enum gt_err db_grow(struct db *db, struct gt_errinfo *info)
{
    size_t used, map;
    db_map_use(db, &used, &map);
    size_t step = map < MAP_STEP_MAX ? map : MAP_STEP_MAX;
    if (map >= MAP_MAX) return gt_fail(info, GT_ELIMIT, "the store in %s has reached its largest size", db->folder);
    int rc = mdb_env_set_mapsize(db->env, map + step);
    return rc == 0 ? GT_OK : db_fail_code(db, info, "cannot enlarge the map of", rc);
}

int db_begin(struct db *db, bool is_write, MDB_txn **ret_impl)
{
    unsigned flags = is_write ? 0 : MDB_RDONLY;
    int rc = mdb_txn_begin(db->env, NULL, flags, ret_impl);
    if (rc == MDB_MAP_RESIZED) {
        /* Size 0 means: what the other process has written into the file. */
        rc = mdb_env_set_mapsize(db->env, 0);
        if (rc == 0) rc = mdb_txn_begin(db->env, NULL, flags, ret_impl);
    }
    return rc;
}

/* LMDB's own order of keys, which its tools and older programs keep to: by bytes, the shorter first. Nearly every comparison is decided
 * by the first four bytes, which are an id: as one number and without a call they cost a third, and looking up is mostly comparing. */
static int key_cmp(const MDB_val *a, const MDB_val *b)
{
    uint32_t x, y;
    if (a->mv_size >= sizeof x && b->mv_size >= sizeof y) {
        memcpy(&x, a->mv_data, sizeof x);
        memcpy(&y, b->mv_data, sizeof y);
        if (x != y) return be32toh(x) < be32toh(y) ? -1 : 1;
        if (a->mv_size == sizeof x && b->mv_size == sizeof y) return 0;
    }
    return gt_str_cmp((struct gt_str){a->mv_data, a->mv_size}, (struct gt_str){b->mv_data, b->mv_size});
}

/* A reader of a store that a newer program has not written to yet finds fewer tables: those read as empty. */
int db_tables_open(struct db *db, MDB_txn *txn, bool *ret_has_made)
{
    int rc = 0;
    *ret_has_made = false;
    for (int i = 0; i < DB_TABLES && rc == 0; i++) {
        rc = mdb_dbi_open(txn, table_names[i], 0, &db->dbis[i]);
        if (rc == MDB_NOTFOUND) {
            db->dbis[i] = DB_DBI_NONE;
            rc = db->is_write ? mdb_dbi_open(txn, table_names[i], MDB_CREATE, &db->dbis[i]) : 0;
            *ret_has_made = *ret_has_made || db->is_write;
        }
        if (rc == 0 && db->dbis[i] != DB_DBI_NONE) rc = mdb_set_compare(txn, db->dbis[i], key_cmp);
    }
    return rc;
}

/* Opens every table in one transaction; one that makes some signs the sums, as every transaction that writes. */
static int open_tables(struct db *db)
{
    MDB_txn *txn;
    bool has_made;
    struct db_sums sums;
    int rc = db_begin(db, db->is_write, &txn);
    if (rc != 0) return rc;
    rc = db_tables_open(db, txn, &has_made);
    if (rc == 0 && has_made) rc = db_sums_read(txn, db->dbis[DB_META], &sums);
    if (rc == 0 && has_made && sums.is_kept) rc = db_sums_write(txn, db->dbis[DB_META], &sums);
    if (rc == 0) return mdb_txn_commit(txn);
    mdb_txn_abort(txn);
    return rc;
}

/* Everything that has to be said before LMDB maps the file, and the readers of dead processes cleared away right after. */
static int env_open(struct db *db, const struct db_options *options)
{
    int rc = mdb_env_create(&db->env);
    if (rc == 0) rc = mdb_env_set_maxdbs(db->env, DB_TABLES);
    if (rc == 0) rc = mdb_env_set_maxreaders(db->env, READERS_MAX);
    size_t map = options->map_bytes != 0 ? options->map_bytes : MAP_FIRST;
    if (rc == 0 && db->is_write) rc = mdb_env_set_mapsize(db->env, map);
    /* Default sync flags: without them power loss loses acknowledged runs. No MDB_WRITEMAP: a full disk would be SIGBUS.
     * MDB_NOTLS: a reader's slot belongs to its transaction and not to the thread. */
    if (rc == 0) rc = mdb_env_open(db->env, db->folder, MDB_NOTLS | (db->is_write ? 0 : MDB_RDONLY), 0640);
    int dead;
    /* Readers that were killed would keep every page since then from being used again. */
    if (rc == 0) rc = mdb_reader_check(db->env, &dead);
    return rc;
}

/* A store for reading exists when its data file does; LMDB would make one. */
static enum gt_err must_exist(const char *folder, struct gt_errinfo *info)
{
    char path[PATH_MAX];
    struct stat st;
    if (snprintf(path, sizeof path, "%s/data.mdb", folder) >= (int)sizeof path)
        return gt_fail(info, GT_ELIMIT, "path too long: %s", folder);
    if (stat(path, &st) != 0) return file_fail(info, errno == ENOENT ? "no store:" : "cannot look into", path);
    return st.st_size > 0 ? GT_OK : gt_fail(info, GT_ENOENT, "no store: %s is empty", path);
}

/* Asks for sizes only: nothing of the map is touched but the two first pages. */
static bool is_short(const struct db *db)
{
    MDB_envinfo now;
    MDB_stat stat;
    mdb_filehandle_t fd;
    struct stat st;
    if (mdb_env_info(db->env, &now) != 0 || mdb_env_stat(db->env, &stat) != 0) return true;
    if (mdb_env_get_fd(db->env, &fd) != 0 || fstat(fd, &st) != 0) return true;
    return (uint64_t)st.st_size < (uint64_t)(now.me_last_pgno + 1) * stat.ms_psize;
}

/* From the outside in: what kind of folder, whether this process has it open, whether the file is whole, whose format it
 * has; then the tables. */
static enum gt_err folder_open(const char *folder, const struct db_options *options, struct db *db, struct gt_errinfo *info)
{
    enum gt_err err = options->is_write ? file_make_folder(folder, info) : must_exist(folder, info);
    if (err == GT_OK) err = db_folder_check(folder, info);
    if (err == GT_OK) err = db_once_take(folder, &db->once_fd, info);
    if (err != GT_OK) return err;
    int rc = env_open(db, options);
    if (rc == EACCES && !options->is_write)
        return gt_fail(info, GT_EACCES, "cannot open the store in %s: Permission denied (who only reads must be able to write lock.mdb, too)",
                       folder);
    if (rc != 0) return db_fail_code(db, info, "cannot open the store in", rc);
    if (!options->is_short_fine && is_short(db))
        return gt_fail(info, GT_EINCOMPLETE, "the store in %s ends before its last page", folder);
    err = db_meta_check(db, info);
    if (err == GT_OK) err = db_format_check(db, info);
    if (err != GT_OK) return err;
    rc = open_tables(db);
    return rc == 0 ? GT_OK : db_fail_code(db, info, "cannot open the tables of", rc);
}

enum gt_err db_open(const char *folder, const struct db_options *options, struct db **ret_db, struct gt_errinfo *info)
{
    struct db *db = calloc(1, sizeof *db);
    if (db == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    db->once_fd = -1;
    db->pid = getpid();
    db->is_write = options->is_write;
    db->is_older_fine = options->is_older_fine;
    db->is_growth_late = options->is_growth_late;
    db->folder = strdup(folder);
    enum gt_err err = db->folder != NULL ? folder_open(folder, options, db, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        db_close(db);
        return err;
    }
    *ret_db = db;
    return GT_OK;
}

void db_close(struct db *db)
{
    if (db == NULL) return;
    /* In a child the environment is the parent's: closing it there would free what the parent's locks stand for. */
    if (db->env != NULL && db->pid == getpid()) mdb_env_close(db->env);
    if (db->once_fd >= 0) close(db->once_fd);
    free(db->folder);
    free(db);
}

/* Pages of one table, whatever they hold. */
static uint64_t table_bytes(MDB_txn *txn, MDB_dbi dbi)
{
    MDB_stat s;
    if (mdb_stat(txn, dbi, &s) != 0) return 0;
    return (uint64_t)(s.ms_branch_pages + s.ms_leaf_pages + s.ms_overflow_pages) * s.ms_psize;
}

/* Pages in use, beside the size of the file: LMDB keeps freed pages for later, and only `db compact` gives them back. */
enum gt_err db_measure(struct db *db, struct db_sizes *ret_sizes, struct gt_errinfo *info)
{
    MDB_txn *txn;
    MDB_envinfo now;
    mdb_filehandle_t fd;
    struct stat st;
    if (mdb_env_get_fd(db->env, &fd) != 0 || fstat(fd, &st) != 0)
        return file_fail(info, "cannot measure the store in", db->folder);
    int rc = db_begin(db, false, &txn);
    if (rc != 0) return db_fail_code(db, info, "cannot read the store in", rc);
    mdb_env_info(db->env, &now);
    *ret_sizes = (struct db_sizes){.file_bytes = (uint64_t)st.st_size, .map_bytes = now.me_mapsize};
    for (int i = 0; i < DB_TABLES; i++)
        if (db->dbis[i] != DB_DBI_NONE) ret_sizes->used_bytes += table_bytes(txn, db->dbis[i]);
    mdb_txn_abort(txn);
    return GT_OK;
}
