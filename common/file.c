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

enum gt_err file_sync_folder_of(const char *path, struct gt_errinfo *info)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) snprintf(folder, sizeof folder, ".");
    else slash[slash == folder] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open folder", folder);
    enum gt_err err = fsync(fd) == 0 ? GT_OK : file_fail(info, "cannot sync folder", folder);
    close(fd);
    return err;
}

/* A new file beside `path`: never one that is there, which may be somebody's. Its name goes to `name`; -1 with errno. */
static int create_beside(const char *path, mode_t mode, char *name, size_t size)
{
    int fd = -1;
    errno = EEXIST;
    for (unsigned n = 0; n < TEMPORARIES_MAX && fd < 0 && errno == EEXIST; n++) {
        if (snprintf(name, size, "%s.%ld-%u.tmp", path, (long)getpid(), n) >= (int)size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    }
    return fd;
}

/* Beside the file and then renamed over it. */
static enum gt_err replace(const char *path, struct gt_str bytes, mode_t mode, struct gt_errinfo *info)
{
    char temporary[PATH_MAX];
    int fd = create_beside(path, mode, temporary, sizeof temporary);
    if (fd < 0) return file_fail(info, "cannot create", temporary);
    enum gt_err err = file_write_all(fd, bytes, NULL);
    if (err != GT_OK || fsync(fd) != 0) err = file_fail(info, "cannot write", temporary);
    if (close(fd) != 0 && err == GT_OK) err = file_fail(info, "cannot close", temporary);
    if (err == GT_OK && rename(temporary, path) != 0) err = file_fail(info, "cannot rename to", path);
    if (err == GT_OK) err = file_sync_folder_of(path, info);
    else unlink(temporary);
    return err;
}

/* A device or pipe is written to: a rename would put a file in the place of /dev/null. */
static enum gt_err write_through(const char *path, struct gt_str bytes, struct gt_errinfo *info)
{
    int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open", path);
    enum gt_err err = file_write_all(fd, bytes, NULL);
    if (err != GT_OK) err = file_fail(info, "cannot write", path);
    if (close(fd) != 0 && err == GT_OK) err = file_fail(info, "cannot close", path);
    return err;
}

enum gt_err file_write_atomic(const char *path, struct gt_str bytes, mode_t mode, struct gt_errinfo *info)
{
    struct stat st;
    if (stat(path, &st) != 0) return replace(path, bytes, mode, info);
    if (S_ISDIR(st.st_mode)) return gt_fail(info, GT_EEXIST, "%s is a folder", path);
    if (!S_ISREG(st.st_mode)) return write_through(path, bytes, info);
    /* What a link leads to is replaced, not the link: /dev/stdout is one. */
    char *target = realpath(path, NULL);
    if (target == NULL) return file_fail(info, "cannot resolve", path);
    enum gt_err err = replace(target, bytes, mode, info);
    free(target);
    return err;
}

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
