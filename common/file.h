/* Files: bounded reading, atomic writing, folders. */
#ifndef GT_COMMON_FILE_H
#define GT_COMMON_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"
#include "common/str.h"

/* Reads a whole file ("-" is standard input) of at most `bytes_max` bytes. On success *ret_bytes is malloc'ed, closed by
 * a NUL that *ret_len does not count; the caller frees it. GT_ENOENT, GT_EACCES, GT_EIO, GT_ELIMIT (larger), each
 * with a message that names the file. */
enum gt_err file_read(const char *path, size_t bytes_max, char **ret_bytes, size_t *ret_len, struct gt_errinfo *info);

/* A file being written so that a reader sees the old or the whole new one. */
struct file_draft {
    FILE *file; /* write here */
    bool is_direct;
    char path[PATH_MAX], temporary[PATH_MAX]; /* the temporary's name; "" while it has none */
};

/* Begins a file: a temporary in its folder, which goes with the process where the file system can do that. A device or pipe is written to as it
 * is, never replaced; of a link, what it leads to is replaced; a folder is GT_EEXIST. GT_ENOSPC, GT_EACCES, GT_EIO with a message. */
enum gt_err file_draft_begin(const char *path, mode_t mode, struct file_draft *ret_draft, struct gt_errinfo *info);

/* Ends it: fsync, rename, fsync of the folder; on any failure, `err` that the caller met before included, the old file is untouched. Returns
 * the first one. */
enum gt_err file_draft_end(struct file_draft *draft, enum gt_err err, struct gt_errinfo *info);

/* Makes a rename in the folder that holds `path` durable. GT_EIO, GT_EACCES with a message. */
enum gt_err file_sync_folder_of(const char *path, struct gt_errinfo *info);

/* Makes a folder and those above it (mode 0750). One that exists is success; a file in the way is GT_EEXIST. */
enum gt_err file_make_folder(const char *path, struct gt_errinfo *info);

/* Writes all bytes to a descriptor, through short writes and EINTR. */
enum gt_err file_write_all(int fd, struct gt_str bytes, struct gt_errinfo *info);

/* Reads exactly `len` bytes at an offset, through short reads and EINTR. GT_OK; GT_EINCOMPLETE when the file ends before; else the code of
 * errno, which is still set. */
enum gt_err file_read_at(int fd, int64_t offset, char *bytes, size_t len);

/* Reports a failed system call as one message with the path and, when the disk is full, says so: some layers answer EIO for
 * that, so the file system is asked. Returns the translated code. Call with errno still set. */
enum gt_err file_fail(struct gt_errinfo *info, const char *what, const char *path);

#endif
