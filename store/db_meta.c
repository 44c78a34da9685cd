/* The two meta pages of an LMDB file, read as bytes. Layout: MDB_page's header (16 bytes), then struct MDB_meta of lmdb 0.9
 * (mdb.c): magic, version, address, map size, two MDB_db of 48 bytes, last page, transaction. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "store/db_impl.h"
#include "store/store.h"

enum {
    META_MAGIC_AT = 16,
    META_PAGE_BYTES_AT = 16 + 24, /* LMDB keeps the size of a page in the first MDB_db's padding */
    META_LAST_PAGE_AT = 16 + 24 + 2 * 48,
    META_TXN_AT = META_LAST_PAGE_AT + 8,
    META_BYTES = META_TXN_AT + 8,
    TRIES_MAX = 8, /* a writer may commit between the two reads */
};

#define META_MAGIC 0xBEEFC0DEU

struct meta {
    uint32_t magic, page_bytes;
    uint64_t last_page, txn;
};

/* The fields that are compared; the others differ between two healthy pages. */
static bool meta_read(int fd, off_t at, struct meta *ret_meta)
{
    uint8_t bytes[META_BYTES];
    if (pread(fd, bytes, sizeof bytes, at) != (ssize_t)sizeof bytes) return false;
    memcpy(&ret_meta->magic, bytes + META_MAGIC_AT, sizeof ret_meta->magic);
    memcpy(&ret_meta->page_bytes, bytes + META_PAGE_BYTES_AT, sizeof ret_meta->page_bytes);
    memcpy(&ret_meta->last_page, bytes + META_LAST_PAGE_AT, sizeof ret_meta->last_page);
    memcpy(&ret_meta->txn, bytes + META_TXN_AT, sizeof ret_meta->txn);
    return true;
}

/* Each commit writes the meta page that the one before did not. */
static bool metas_fit(const struct meta *a, const struct meta *b)
{
    const struct meta *newer = a->txn > b->txn ? a : b, *older = a->txn > b->txn ? b : a;
    if (a->magic != META_MAGIC || b->magic != META_MAGIC) return false;
    /* A file in which nothing was ever committed has two equal ones. */
    if (a->txn == 0 && b->txn == 0) return true;
    return newer->txn - older->txn == 1 && newer->last_page >= older->last_page;
}

/* Tried again: a commit may write one of the two pages just between the two reads. */
enum gt_err db_meta_check(struct db *db, struct gt_errinfo *info)
{
    mdb_filehandle_t fd;
    MDB_stat stat;
    struct meta metas[2];
    if (mdb_env_get_fd(db->env, &fd) != 0 || mdb_env_stat(db->env, &stat) != 0)
        return gt_fail(info, GT_EINTERNAL, "cannot read the store in %s", db->folder);
    for (int i = 0; i < TRIES_MAX; i++) {
        bool is_read = meta_read(fd, 0, &metas[0]) && meta_read(fd, (off_t)stat.ms_psize, &metas[1]);
        if (is_read && metas_fit(&metas[0], &metas[1])) return GT_OK;
    }
    return gt_fail(info, GT_ECORRUPT, "the store in %s is damaged: its meta pages do not follow each other", db->folder);
}

/* The file is opened anew each time: a store that was compacted or restored is another file under the same name. */
enum gt_err store_version_read(const char *folder, struct store_version *ret_version, struct gt_errinfo *info)
{
    char path[PATH_MAX];
    struct stat st;
    struct meta metas[2];
    if (snprintf(path, sizeof path, "%s/data.mdb", folder) >= (int)sizeof path) return gt_fail(info, GT_ELIMIT, "path too long: %s", folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open", path);
    bool is_read = fstat(fd, &st) == 0 && meta_read(fd, 0, &metas[0]) && metas[0].magic == META_MAGIC &&
                   meta_read(fd, (off_t)metas[0].page_bytes, &metas[1]) && metas[1].magic == META_MAGIC;
    close(fd);
    if (!is_read) return gt_fail(info, GT_ECORRUPT, "the store in %s is damaged: its meta pages cannot be read", folder);
    uint64_t last = metas[0].txn > metas[1].txn ? metas[0].txn : metas[1].txn;
    *ret_version = (struct store_version){(uint64_t)st.st_dev, (uint64_t)st.st_ino, last};
    return GT_OK;
}
