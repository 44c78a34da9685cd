#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { READ_STEP = 64 * 1024, FULL_BYTES = 64 * 1024, TEMPORARIES_MAX = 100 };

/* EIO from a full disk is told apart by asking how much room is left for an unprivileged writer. */
static bool disk_is_full(const char *path)
{
    struct statvfs fs;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    if (statvfs(folder, &fs) != 0) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL) snprintf(folder, sizeof folder, ".");
        else *slash = '\0';
        if (statvfs(folder, &fs) != 0) return false;
    }
    return (uint64_t)fs.f_bavail * fs.f_frsize < FULL_BYTES;
}

enum gt_err file_fail(struct gt_errinfo *info, const char *what, const char *path)
{
    int saved = errno;
    enum gt_err code = gt_err_from_errno(saved);
    if (code == GT_EIO && disk_is_full(path)) code = GT_ENOSPC;
    if (code == GT_ENOSPC) return gt_fail(info, code, "%s %s: the disk is full", what, path);
    return gt_fail(info, code, "%s %s: %s", what, path, strerror(saved));
}

/* A file that ends early is GT_EINCOMPLETE, not an error of the disk: another process may be writing it still. */
enum gt_err file_read_at(int fd, int64_t offset, char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = pread(fd, bytes, len, offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return gt_err_from_errno(errno);
        if (n == 0) return GT_EINCOMPLETE;
        bytes += n;
        offset += n;
        len -= (size_t)n;
    }
    return GT_OK;
}

/* Reads until the end or until one byte more than bytes_max is seen. */
static enum gt_err read_all(int fd, const char *path, size_t bytes_max, char **ret_bytes, size_t *ret_len,
                            struct gt_errinfo *info)
{
    char *bytes = NULL;
    size_t len = 0, cap = 0;
    enum gt_err err = GT_OK;
    for (;;) {
        if (cap - len < READ_STEP + 1) {
            cap = cap == 0 ? 2 * READ_STEP : cap * 2;
            char *grown = realloc(bytes, cap);
            if (grown == NULL) {
                err = gt_fail(info, GT_ENOMEM, "reading %s: out of memory", path);
                goto out;
            }
            bytes = grown;
        }
        ssize_t n = read(fd, bytes + len, READ_STEP);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            err = file_fail(info, "cannot read", path);
            goto out;
        }
        if (n == 0) break;
        len += (size_t)n;
        if (len > bytes_max) {
            err = gt_fail(info, GT_ELIMIT, "%s is larger than %zu bytes", path, bytes_max);
            goto out;
        }
    }
    bytes[len] = '\0';
    *ret_bytes = bytes;
    *ret_len = len;
    bytes = NULL;
out:
    free(bytes);
    return err;
}

enum gt_err file_read(const char *path, size_t bytes_max, char **ret_bytes, size_t *ret_len, struct gt_errinfo *info)
{
    if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, "standard input", bytes_max, ret_bytes, ret_len, info);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open", path);
    enum gt_err err = read_all(fd, path, bytes_max, ret_bytes, ret_len, info);
    close(fd);
    return err;
}

/* A signal ends a write in the middle; what was written counts, and the rest follows. */
enum gt_err file_write_all(int fd, struct gt_str bytes, struct gt_errinfo *info)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            enum gt_err code = gt_err_from_errno(errno);
            return gt_fail(info, code, "cannot write: %s", strerror(errno));
        }
        bytes = gt_str_slice(bytes, (size_t)n, SIZE_MAX);
    }
    return GT_OK;
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
    snprintf(folder, PATH_MAX, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) snprintf(folder, PATH_MAX, ".");
    else slash[slash == folder] = '\0';
}

enum gt_err file_sync_folder_of(const char *path, struct gt_errinfo *info)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open folder", folder);
    enum gt_err err = fsync(fd) == 0 ? GT_OK : file_fail(info, "cannot sync folder", folder);
    close(fd);
    return err;
}

/* A file in the folder of `path` that has no name yet: whoever is stopped before it gets one leaves nothing behind. -1 where the file system
 * cannot do that (NFS), or there is no /proc to name it by. */
static int create_nameless(const char *path, mode_t mode)
{
    char folder[PATH_MAX];
    folder_of(path, folder);
    return access("/proc/self/fd", X_OK) == 0 ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode) : -1;
}

/* Names the nameless file beside `path`, or makes one there when that is -1: never under a name that is there, which may be somebody's. Gives
 * the file and its name; -1 with errno and no name, since whoever fails unlinks what has one. */
static int name_beside(const char *path, int nameless, mode_t mode, char *name, size_t size)
{
    int fd = -1;
    char own[sizeof "/proc/self/fd/" + 11];
    snprintf(own, sizeof own, "/proc/self/fd/%d", nameless);
    errno = EEXIST;
    for (unsigned n = 0; n < TEMPORARIES_MAX && fd < 0 && errno == EEXIST; n++) {
        if (snprintf(name, size, "%s.%ld-%u.tmp", path, (long)getpid(), n) >= (int)size) errno = ENAMETOOLONG;
        else if (nameless < 0) fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        else if (linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) fd = nameless;
    }
    if (fd < 0) name[0] = '\0';
    return fd;
}

/* A device or pipe is written to: a rename would put a file in the place of /dev/null. Of a link, what it leads to is replaced, not the link:
 * /dev/stdout is one. */
static enum gt_err draft_open(const char *path, mode_t mode, struct file_draft *draft, int *ret_fd, struct gt_errinfo *info)
{
    struct stat st;
    bool is_there = stat(path, &st) == 0;
    if (is_there && S_ISDIR(st.st_mode)) return gt_fail(info, GT_EEXIST, "%s is a folder", path);
    draft->is_direct = is_there && !S_ISREG(st.st_mode);
    char *target = is_there && !draft->is_direct ? realpath(path, NULL) : NULL;
    if (is_there && !draft->is_direct && target == NULL) return file_fail(info, "cannot resolve", path);
    int len = snprintf(draft->path, sizeof draft->path, "%s", target != NULL ? target : path);
    free(target);
    if (len < 0 || len >= (int)sizeof draft->path) return gt_fail(info, GT_ELIMIT, "path too long: %s", path);
    *ret_fd = draft->is_direct ? open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) : create_nameless(draft->path, mode);
    if (*ret_fd < 0 && !draft->is_direct) *ret_fd = name_beside(draft->path, -1, mode, draft->temporary, sizeof draft->temporary);
    return *ret_fd >= 0 ? GT_OK : file_fail(info, "cannot create", draft->path);
}

enum gt_err file_draft_begin(const char *path, mode_t mode, struct file_draft *ret_draft, struct gt_errinfo *info)
{
    int fd = -1;
    *ret_draft = (struct file_draft){.file = NULL};
    enum gt_err err = draft_open(path, mode, ret_draft, &fd, info);
    if (err != GT_OK) return err;
    ret_draft->file = fdopen(fd, "w");
    if (ret_draft->file != NULL) return GT_OK;
    close(fd);
    if (ret_draft->temporary[0] != '\0') unlink(ret_draft->temporary);
    return gt_fail(info, GT_ENOMEM, "out of memory");
}

/* The data are on the disk before the name is. A nameless file gets one of its own first: a link cannot replace what is there, a rename can. */
static enum gt_err draft_place(struct file_draft *draft, struct gt_errinfo *info)
{
    if (fsync(fileno(draft->file)) != 0) return file_fail(info, "cannot write", draft->path);
    bool has_name = draft->temporary[0] != '\0';
    if (!has_name && name_beside(draft->path, fileno(draft->file), 0, draft->temporary, sizeof draft->temporary) < 0)
        return file_fail(info, "cannot create a file beside", draft->path);
    if (rename(draft->temporary, draft->path) != 0) return file_fail(info, "cannot rename to", draft->path);
    return file_sync_folder_of(draft->path, info);
}

enum gt_err file_draft_end(struct file_draft *draft, enum gt_err err, struct gt_errinfo *info)
{
    if (err == GT_OK && (fflush(draft->file) != 0 || ferror(draft->file))) err = file_fail(info, "cannot write", draft->path);
    if (err == GT_OK && !draft->is_direct) err = draft_place(draft, info);
    /* what is in its place was synced: closing it can lose nothing any more */
    if (fclose(draft->file) != 0 && err == GT_OK && draft->is_direct) err = file_fail(info, "cannot close", draft->path);
    draft->file = NULL;
    if (err != GT_OK && draft->temporary[0] != '\0') unlink(draft->temporary);
    return err;
}

/* stat before the error is believed: two processes may make the same folder at once. */
enum gt_err file_make_folder(const char *path, struct gt_errinfo *info)
{
    char partial[PATH_MAX];
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof partial) return gt_fail(info, GT_EUSAGE, "not a usable folder name: \"%s\"", path);
    memcpy(partial, path, len + 1);
    for (size_t i = 1; i <= len; i++) {
        if (partial[i] != '/' && partial[i] != '\0') continue;
        char cut = partial[i];
        partial[i] = '\0';
        struct stat st;
        if (mkdir(partial, 0750) != 0) {
            int saved = errno;
            if (stat(partial, &st) != 0) {
                errno = saved;
                return file_fail(info, "cannot make folder", partial);
            }
            if (!S_ISDIR(st.st_mode)) return gt_fail(info, GT_EEXIST, "%s is not a folder", partial);
        }
        partial[i] = cut;
    }
    return GT_OK;
}
