/* The format's version and its named features: what a program must know to read a file, and to write it.
 *
 * A feature is "name:r" when a reader must know it, "name:w" when only a writer must. A newer program that adds an index adds
 * a feature of the second kind, and older programs still read; one that changes how runs are kept adds one of the first, and
 * they refuse. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/db_impl.h"
#include "store/store.h"

static const char features_new[] = "runblocks:r latest2:r prices:w"; /* of a store when it is made */
static const char features_older[] = "runblocks:r latest:r"; /* of format 2 */

/* True when a list of features has this one. */
static bool feature_is_in(struct gt_str features, struct gt_str feature)
{
    struct gt_str one;
    while (gt_str_split(&features, ' ', &one))
        if (gt_str_eq(one, feature)) return true;
    return false;
}

/* Known means: this program does what the feature asks of readers and writers. */
static bool feature_is_known(struct gt_str feature, long version)
{
    const char *known = version < STORE_FORMAT_VERSION ? features_older : features_new;
    return feature_is_in(gt_str_from(known), feature) || gt_str_eq(feature, DB_FEATURE_PACKED);
}

void db_feature_add(struct db_txn *txn, struct gt_str feature)
{
    struct gt_str has;
    char features[DB_FORMAT_TEXT_MAX];
    if (!db_get(txn, DB_META, GT_STR("features"), &has) || feature_is_in(has, feature)) return;
    int len = snprintf(features, sizeof features, "%.*s %.*s", GT_STR_ARG(has), GT_STR_ARG(feature));
    if (len > 0 && len < (int)sizeof features) db_put(txn, DB_META, GT_STR("features"), (struct gt_str){features, (size_t)len});
    else db_fail(txn, GT_ELIMIT, "too many features");
}

static struct gt_str version_text(char text[static 16])
{
    int len = snprintf(text, 16, "%d", STORE_FORMAT_VERSION);
    return (struct gt_str){text, len > 0 ? (size_t)len : 0};
}

void db_format_upgrade(struct db_txn *txn)
{
    struct gt_str has;
    char version[16];
    bool is_packed = db_get(txn, DB_META, GT_STR("features"), &has) && feature_is_in(has, DB_FEATURE_PACKED);
    db_put(txn, DB_META, GT_STR("format"), version_text(version));
    db_put(txn, DB_META, GT_STR("features"), gt_str_from(features_new));
    if (is_packed) db_feature_add(txn, DB_FEATURE_PACKED);
}

/* Makes a new file: format, features, every table and its sum in one transaction, so that there is never half a store. */
static enum gt_err format_write(struct db *db, struct gt_errinfo *info)
{
    char version[16];
    MDB_txn *txn;
    bool has_made;
    struct db_sums none = {.is_kept = true};
    int rc = db_begin(db, true, &txn);
    if (rc != 0) return db_fail_code(db, info, "cannot write to the store in", rc);
    rc = db_tables_open(db, txn, &has_made);
    MDB_dbi meta = db->dbis[DB_META];
    if (rc == 0) rc = db_meta_put(txn, meta, GT_STR("format"), version_text(version));
    if (rc == 0) rc = db_meta_put(txn, meta, GT_STR("features"), gt_str_from(features_new));
    if (rc == 0) rc = db_sums_write(txn, meta, &none);
    if (rc == 0) rc = mdb_txn_commit(txn);
    else mdb_txn_abort(txn);
    db->format = STORE_FORMAT_VERSION;
    return rc == 0 ? GT_OK : db_fail_code(db, info, "cannot write to the store in", rc);
}

/* Reads one text of the table into `text`, closed by NUL. MDB_NOTFOUND; MDB_CORRUPTED. */
static int read_text(MDB_txn *txn, MDB_dbi dbi, struct gt_str key, char *text, size_t text_max)
{
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v;
    int rc = mdb_get(txn, dbi, &k, &v);
    if (rc != 0) return rc;
    struct gt_str value;
    if (!db_unseal(DB_META, key, v, &value) || value.len >= text_max) return MDB_CORRUPTED;
    memcpy(text, value.ptr, value.len);
    text[value.len] = '\0';
    return 0;
}

struct format {
    char version[16];
    char features[DB_FORMAT_TEXT_MAX];
    bool is_last; /* the tables are those of the last commit */
};

/* MDB_NOTFOUND when the file has no format yet. */
static int format_read(struct db *db, struct format *ret_format)
{
    MDB_txn *txn;
    MDB_dbi dbi;
    int rc = db_begin(db, false, &txn);
    if (rc != 0) return rc;
    rc = mdb_dbi_open(txn, db_table_name(DB_META), 0, &dbi);
    if (rc == 0) rc = read_text(txn, dbi, GT_STR("format"), ret_format->version, sizeof ret_format->version);
    if (rc == 0) {
        rc = read_text(txn, dbi, GT_STR("features"), ret_format->features, sizeof ret_format->features);
        if (rc == MDB_NOTFOUND) rc = MDB_CORRUPTED;
    }
    struct db_sums sums;
    if (rc == 0) rc = db_sums_read(txn, dbi, &sums);
    if (rc == 0) ret_format->is_last = db_sums_are_last(txn, &sums);
    mdb_txn_abort(txn);
    return rc;
}

/* Judges a format that may be newer or older than this program. */
static enum gt_err format_judge(struct db *db, const struct format *format, struct gt_errinfo *info)
{
    long version = strtol(format->version, NULL, 10);
    if (version < 1) return gt_fail(info, GT_ECORRUPT, "the store in %s has no valid format version", db->folder);
    db->format = version <= INT_MAX ? (int)version : INT_MAX;
    if (version < STORE_FORMAT_OLDEST)
        return gt_fail(info, GT_EFORMAT, "the store in %s has format %ld, which is not read any more: `gputape db rebuild` makes it anew", db->folder,
                       version);
    if (version < STORE_FORMAT_VERSION && !db->is_older_fine)
        return gt_fail(info, GT_EFORMAT, "the store in %s has format %ld: `gputape db migrate` brings it to %d and keeps the old one", db->folder,
                       version, STORE_FORMAT_VERSION);
    if (version > STORE_FORMAT_VERSION && db->is_write)
        return gt_fail(info, GT_ENEWER, "the store in %s has format %ld, this program writes %d: read it, or use a newer one",
                       db->folder, version, STORE_FORMAT_VERSION);
    struct gt_str rest = gt_str_from(format->features), feature;
    while (gt_str_split(&rest, ' ', &feature)) {
        if (feature.len == 0 || feature_is_known(feature, version)) continue;
        if (db->is_write || gt_str_ends(feature, GT_STR(":r")))
            return gt_fail(info, GT_ENEWER, "the store in %s uses \"%.*s\", which this program does not know", db->folder,
                           GT_STR_ARG(feature));
    }
    return GT_OK;
}

/* A writer that finds an empty file makes a store of it; a reader says that there is none. */
enum gt_err db_format_check(struct db *db, struct gt_errinfo *info)
{
    struct format format;
    int rc = format_read(db, &format);
    if (rc == 0 && !format.is_last)
        return gt_fail(info, GT_ECORRUPT, "the store in %s is damaged: its last commits are gone, a root page is an older one",
                       db->folder);
    if (rc == 0) return format_judge(db, &format, info);
    if (rc == MDB_CORRUPTED)
        return gt_fail(info, GT_ECORRUPT, "the store in %s is damaged: its format is unreadable", db->folder);
    if (rc != MDB_NOTFOUND) return db_fail_code(db, info, "cannot read the store in", rc);
    if (!db->is_write) return gt_fail(info, GT_ENOENT, "no store in %s: the file is empty", db->folder);
    return format_write(db, info);
}
