/* New stores and copies: each is made in a folder of its own beside its place, verified there in a child, and only then put into the place by
 * one rename. Whatever dies on the way leaves what was there, and a staging folder that the next one uses. */
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
#include "store/pack.h"
#include "store/store_impl.h"
#include "store/upgrade.h"

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

/* Deletes a store's files. Best effort: what stays is told by whoever stumbles over it. */
static void folder_empty(const char *folder)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof store_files / sizeof store_files[0]; i++) {
        int len = snprintf(path, sizeof path, "%s/%s", folder, store_files[i]);
        if (len > 0 && len < (int)sizeof path) unlink(path);
    }
}

static void folder_remove(const char *folder)
{
    folder_empty(folder);
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
    if (err == GT_OK) folder_empty(stage->folder);
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

/* Brings a staged copy of an older format up to this program's. It is looked at in a child before it is touched here. */
static enum gt_err stage_upgrade(const struct stage *stage, struct gt_errinfo *info)
{
    struct store *store = NULL;
    struct db_options options = {.is_older_fine = true};
    /* A copy that cannot be opened is judged, with a sentence, by the check that every copy has to pass. */
    bool is_older = store_open_with(stage->folder, &options, &store, NULL) == GT_OK && db_format(store->db) < STORE_FORMAT_VERSION;
    store_close(store);
    if (!is_older) return GT_OK;
    enum gt_err err = stage_verify(stage, "the store of an older format", info);
    options.is_write = true;
    store = NULL;
    if (err == GT_OK) err = store_open_with(stage->folder, &options, &store, info);
    if (err == GT_OK) err = db_upgrade(store->db, info);
    store_close(store);
    return err;
}

static enum gt_err fill_from_db(const void *ctx, int fd, struct gt_errinfo *info)
{
    return db_copy((struct db *)(uintptr_t)ctx, fd, info);
}

/* In pieces: a backup may be larger than memory. */
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

/* Verified before it gets its name: a backup that was never read is a hope. */
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

/* ---- in the place of a store ---- */

struct store_draft {
    char folder[PATH_MAX]; /* whose place it is to take */
    struct stage stage;
};

/* A stage that another process holds is left alone, also when this fails: it may be a rebuild at work. */
static enum gt_err draft_new(const char *folder, struct store_draft **ret_draft, struct gt_errinfo *info)
{
    struct store_draft *draft = calloc(1, sizeof *draft);
    if (draft == NULL) {
        gt_fail(info, GT_ENOMEM, "out of memory");
        return GT_ENOMEM;
    }
    enum gt_err err = path_join(draft->folder, folder, "", info);
    bool has_stage = err == GT_OK;
    if (err == GT_OK) err = stage_open(&draft->stage, folder, info);
    if (err == GT_OK) {
        *ret_draft = draft;
        return GT_OK;
    }
    if (has_stage) stage_close(&draft->stage, err != GT_ELOCKED);
    free(draft);
    return err;
}

void store_draft_abort(struct store_draft *draft)
{
    if (draft == NULL) return;
    stage_close(&draft->stage, true);
    free(draft);
}

/* The copy is that of a moment, as of a backup. */
static enum gt_err draft_copy(const struct store_draft *draft, const struct db_options *options, struct gt_errinfo *info)
{
    struct store *own = NULL;
    enum gt_err err = store_open_with(draft->folder, options, &own, info);
    if (err == GT_OK) err = stage_fill(&draft->stage, fill_from_db, own->db, info);
    store_close(own);
    return err;
}

enum gt_err store_draft_begin(const char *folder, bool is_copy, struct store_draft **ret_draft, struct store **ret_store,
                              struct gt_errinfo *info)
{
    struct store_draft *draft = NULL;
    enum gt_err err = draft_new(folder, &draft, info);
    if (err == GT_OK && is_copy) err = draft_copy(draft, &(struct db_options){.is_write = false}, info);
    if (err == GT_OK) err = store_open(draft->stage.folder, STORE_WRITE, ret_store, info);
    if (err == GT_OK) *ret_draft = draft;
    else store_draft_abort(draft);
    return err;
}

const char *store_draft_folder(const struct store_draft *draft)
{
    return draft->stage.folder;
}

/* One step: at no moment is there no store. What stood there goes to `kept` (over what was kept before), or away with the stage. */
static enum gt_err draft_place(const struct store_draft *draft, bool keeps, struct gt_errinfo *info)
{
    char kept[PATH_MAX];
    struct stat st;
    const char *made = draft->stage.folder, *own = draft->folder;
    enum gt_err err = path_join(kept, own, ".old", info);
    if (err != GT_OK) return err;
    bool has_own = lstat(own, &st) == 0;
    int failed = has_own ? renameat2(AT_FDCWD, made, AT_FDCWD, own, RENAME_EXCHANGE) : rename(made, own);
    if (failed != 0) return file_fail(info, "cannot put the new store into", own);
    if (has_own && keeps) {
        folder_remove(kept);
        if (rename(made, kept) != 0) return file_fail(info, "cannot keep the old store as", kept);
    }
    return file_sync_folder_of(own, info);
}

static enum gt_err draft_commit(struct store_draft *draft, bool keeps, struct gt_errinfo *info)
{
    enum gt_err err = stage_verify(&draft->stage, "the new store", info);
    if (err == GT_OK) err = draft_place(draft, keeps, info);
    store_draft_abort(draft);
    return err;
}

enum gt_err store_draft_commit(struct store_draft *draft, struct gt_errinfo *info)
{
    return draft_commit(draft, true, info);
}

/* Written anew in the stage, with a map as large as that of the store itself. */
static enum gt_err draft_pack(const struct store_draft *draft, struct gt_errinfo *info)
{
    struct store *own = NULL, *made = NULL;
    struct db_sizes sizes = {0};
    enum gt_err err = store_open(draft->folder, STORE_READ, &own, info);
    if (err == GT_OK) err = db_measure(own->db, &sizes, info);
    struct db_options options = {.is_write = true, .map_bytes = sizes.map_bytes};
    if (err == GT_OK) err = store_open_with(draft->stage.folder, &options, &made, info);
    if (err == GT_OK) err = db_pack(own->db, made->db, info);
    store_close(made);
    store_close(own);
    return err;
}

enum gt_err store_compact(const char *folder, bool packs, struct gt_errinfo *info)
{
    struct store_draft *draft = NULL;
    enum gt_err err = draft_new(folder, &draft, info);
    if (err == GT_OK) err = packs ? draft_pack(draft, info) : draft_copy(draft, &(struct db_options){.is_write = false}, info);
    if (err == GT_OK) return draft_commit(draft, false, info);
    store_draft_abort(draft);
    return err;
}

/* The backup is copied, brought to this program's format and checked beside; the store that is there goes aside at the very end. */
enum gt_err store_restore(const char *folder, const char *path, bool replaces, struct gt_errinfo *info)
{
    struct store_draft *draft = NULL;
    struct stat st;
    char data[PATH_MAX];
    enum gt_err err = path_join(data, folder, "/data.mdb", info);
    if (err == GT_OK && !replaces && lstat(data, &st) == 0)
        err = gt_fail(info, GT_EEXIST, "there is a store in %s: --replace keeps it as %s.old", folder, folder);
    if (err == GT_OK) err = draft_new(folder, &draft, info);
    if (err == GT_OK) err = stage_fill(&draft->stage, fill_from_file, path, info);
    if (err == GT_OK) err = stage_upgrade(&draft->stage, info);
    if (err == GT_OK) return draft_commit(draft, true, info);
    store_draft_abort(draft);
    return err;
}

/* Into a copy: a migration that is stopped leaves the store as it was. */
enum gt_err store_migrate(const char *folder, int *ret_from, struct gt_errinfo *info)
{
    struct store_draft *draft = NULL;
    struct store *store = NULL;
    const struct db_options options = {.is_older_fine = true};
    enum gt_err err = store_open_with(folder, &options, &store, info);
    if (err != GT_OK) return err;
    *ret_from = db_format(store->db);
    store_close(store);
    if (*ret_from == STORE_FORMAT_VERSION) return GT_OK;
    if (*ret_from > STORE_FORMAT_VERSION)
        return gt_fail(info, GT_ENEWER, "the store in %s has format %d, this program writes %d", folder, *ret_from, STORE_FORMAT_VERSION);
    err = draft_new(folder, &draft, info);
    if (err == GT_OK) err = draft_copy(draft, &options, info);
    if (err == GT_OK) err = stage_upgrade(&draft->stage, info);
    if (err == GT_OK) return draft_commit(draft, true, info);
    store_draft_abort(draft);
    return err;
}
