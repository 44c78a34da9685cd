/* Backup, restore, compact: a copy is made in a folder of its own beside the place, verified there in a child, and only then put
 * into the place by one rename. Whatever dies on the way leaves what was there, and a staging folder that the next one uses. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "store/db_copy.h"
#include "store/store_impl.h"

enum { COPY_STEP_BYTES = 1 << 20 };

/* The staging folder of a place: "PLACE.gputape-part". */
struct stage {
    char folder[PATH_MAX];
    char data[PATH_MAX];
    int lock_fd; /* two copies to one place at a time would write one file */
};

/* What a store's folder may hold; anything else is somebody's and stays. */
static const char *const store_files[] = {"data.mdb", "lock.mdb", "open"};

static enum gt_err path_join(char *path, const char *folder, const char *name, struct gt_errinfo *info)
{
    int len = snprintf(path, PATH_MAX, "%s%s", folder, name);
    return len > 0 && len < PATH_MAX ? GT_OK : gt_fail(info, GT_ELIMIT, "path too long: %s", folder);
}

/* Deletes a store's files and its folder. Best effort: what stays is told by the next one that stumbles over it. */
static void folder_remove(const char *folder)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof store_files / sizeof store_files[0]; i++) {
        int len = snprintf(path, sizeof path, "%s/%s", folder, store_files[i]);
        if (len > 0 && len < (int)sizeof path) unlink(path);
    }
    rmdir(folder);
}

/* The folder itself is locked: the kernel lets go of it when the holder dies, and no file is left in it. */
static enum gt_err stage_lock(struct stage *stage, struct gt_errinfo *info)
{
    stage->lock_fd = open(stage->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (stage->lock_fd < 0) return file_fail(info, "cannot open", stage->folder);
    if (flock(stage->lock_fd, LOCK_EX | LOCK_NB) == 0) return GT_OK;
    if (errno == EWOULDBLOCK) return gt_fail(info, GT_ELOCKED, "another copy to %s is being made", stage->folder);
    return file_fail(info, "cannot lock", stage->folder);
}

/* Makes it, or takes over the one that a copy left which was killed. */
static enum gt_err stage_open(struct stage *stage, const char *place, struct gt_errinfo *info)
{
    stage->lock_fd = -1;
    enum gt_err err = path_join(stage->folder, place, ".gputape-part", info);
    if (err == GT_OK) err = path_join(stage->data, stage->folder, "/data.mdb", info);
    if (err != GT_OK) return err;
    if (mkdir(stage->folder, 0750) != 0 && errno != EEXIST) return file_fail(info, "cannot make", stage->folder);
    err = stage_lock(stage, info);
    if (err == GT_OK && unlink(stage->data) != 0 && errno != ENOENT) err = file_fail(info, "cannot replace", stage->data);
    return err;
}

/* Whoever holds the lock clears up; the folder goes last. */
static void stage_close(struct stage *stage, bool is_ours)
{
    if (is_ours) folder_remove(stage->folder);
    if (stage->lock_fd >= 0) close(stage->lock_fd);
}

/* Creates the staged file and lets `fill` write it; durable on GT_OK. */
typedef enum gt_err fill_fn(const void *ctx, int fd, struct gt_errinfo *info);

static enum gt_err stage_fill(const struct stage *stage, fill_fn *fill, const void *ctx, struct gt_errinfo *info)
{
    int fd = open(stage->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (fd < 0) return file_fail(info, "cannot create", stage->data);
    enum gt_err err = fill(ctx, fd, info);
    if (err == GT_OK && fsync(fd) != 0) err = file_fail(info, "cannot write", stage->data);
    if (close(fd) != 0 && err == GT_OK) err = file_fail(info, "cannot close", stage->data);
    return err;
}

/* A copy that does not pass is worth nothing, whoever is to blame. */
static enum gt_err stage_verify(const struct stage *stage, const char *what, struct gt_errinfo *info)
{
    size_t findings = 0;
    struct gt_errinfo why = {0};
    enum gt_err err = store_check(stage->folder, NULL, NULL, &findings, &why);
    if (err == GT_OK) return GT_OK;
    return gt_fail(info, err, "%s is not clean and was not used: %s", what, why.text);
}

static enum gt_err fill_from_db(const void *ctx, int fd, struct gt_errinfo *info)
{
    return db_copy((struct db *)(uintptr_t)ctx, fd, info);
}

static enum gt_err fill_from_file(const void *ctx, int fd, struct gt_errinfo *info)
{
    const char *path = ctx;
    char *bytes = malloc(COPY_STEP_BYTES);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    enum gt_err err = from < 0 ? file_fail(info, "cannot open", path) : GT_OK;
    if (err == GT_OK && bytes == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    while (err == GT_OK) {
        ssize_t n = read(from, bytes, COPY_STEP_BYTES);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) err = file_fail(info, "cannot read", path);
        if (n <= 0) break;
        err = file_write_all(fd, (struct gt_str){bytes, (size_t)n}, info);
    }
    if (from >= 0) close(from);
    free(bytes);
    return err;
}

enum gt_err store_backup(struct store *store, const char *path, struct gt_errinfo *info)
{
    struct stage stage;
    enum gt_err err = stage_open(&stage, path, info);
    bool is_ours = err != GT_ELOCKED;
    if (err == GT_OK) err = stage_fill(&stage, fill_from_db, store->db, info);
    if (err == GT_OK) err = stage_verify(&stage, "the copy", info);
    if (err == GT_OK && rename(stage.data, path) != 0) err = file_fail(info, "cannot rename to", path);
    if (err == GT_OK) err = file_sync_folder_of(path, info);
    stage_close(&stage, is_ours);
    return err;
}

/* Changes places with the staged store in one step: at no moment is there none. What stood there goes to `kept`, or away. */
static enum gt_err stage_swap(const struct stage *stage, const char *folder, const char *kept, struct gt_errinfo *info)
{
    if (renameat2(AT_FDCWD, stage->folder, AT_FDCWD, folder, RENAME_EXCHANGE) != 0) return file_fail(info, "cannot swap in", folder);
    if (kept != NULL && rename(stage->folder, kept) != 0) return file_fail(info, "cannot keep the old store as", kept);
    return file_sync_folder_of(folder, info);
}

enum gt_err store_compact(struct store *store, struct gt_errinfo *info)
{
    struct stage stage;
    const char *folder = db_folder(store->db);
    enum gt_err err = stage_open(&stage, folder, info);
    bool is_ours = err != GT_ELOCKED;
    if (err == GT_OK) err = stage_fill(&stage, fill_from_db, store->db, info);
    if (err == GT_OK) err = stage_verify(&stage, "the compacted copy", info);
    if (err == GT_OK) err = stage_swap(&stage, folder, NULL, info);
    stage_close(&stage, is_ours);
    return err;
}

/* Into a place where no store is, or an empty folder. */
static enum gt_err stage_place(const struct stage *stage, const char *folder, struct gt_errinfo *info)
{
    if (rmdir(folder) != 0 && errno != ENOENT) return file_fail(info, "not empty:", folder);
    if (rename(stage->folder, folder) != 0) return file_fail(info, "cannot rename to", folder);
    return file_sync_folder_of(folder, info);
}

/* Where a store that is replaced is kept; GT_EEXIST when one is kept there already. */
static enum gt_err kept_path(char *kept, const char *folder, struct gt_errinfo *info)
{
    struct stat st;
    enum gt_err err = path_join(kept, folder, ".replaced", info);
    if (err == GT_OK && lstat(kept, &st) == 0)
        err = gt_fail(info, GT_EEXIST, "%s is there from an earlier restore: move it away or delete it first", kept);
    return err;
}

enum gt_err store_restore(const char *folder, const char *path, bool replaces, struct gt_errinfo *info)
{
    struct stage stage;
    struct stat st;
    char data[PATH_MAX], kept[PATH_MAX];
    enum gt_err err = path_join(data, folder, "/data.mdb", info);
    if (err != GT_OK) return err;
    bool has_store = lstat(data, &st) == 0;
    if (has_store && !replaces) return gt_fail(info, GT_EEXIST, "there is a store in %s: --replace keeps it as %s.replaced", folder, folder);
    if (has_store) err = kept_path(kept, folder, info);
    if (err != GT_OK) return err;
    err = stage_open(&stage, folder, info);
    bool is_ours = err != GT_ELOCKED;
    if (err == GT_OK) err = stage_fill(&stage, fill_from_file, path, info);
    if (err == GT_OK) err = stage_verify(&stage, path, info);
    if (err == GT_OK) err = has_store ? stage_swap(&stage, folder, kept, info) : stage_place(&stage, folder, info);
    stage_close(&stage, is_ours);
    return err;
}
