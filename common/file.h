/* Files: bounded reading, atomic writing, folders. */
#ifndef GT_COMMON_FILE_H
#define GT_COMMON_FILE_H

#include <sys/types.h>

#include "common/err.h"
#include "common/str.h"

/* Reads a whole file ("-" is standard input) of at most `bytes_max` bytes. On success *ret_bytes is malloc'ed, closed by
 * a NUL that *ret_len does not count; the caller frees it. GT_ENOENT, GT_EACCES, GT_EIO, GT_ELIMIT (larger), each
 * with a message that names the file. */
enum gt_err file_read(const char *path, size_t bytes_max, char **ret_bytes, size_t *ret_len, struct gt_errinfo *info);

/* Writes a file so that a reader sees the old or the whole new one: a temporary beside it, fsync, rename, fsync of the folder.
 * A device or pipe is written to as it is, never replaced; of a link, what it leads to is replaced; a folder is GT_EEXIST.
 * GT_ENOSPC, GT_EACCES, GT_EIO with a message; the old file is untouched then. */
enum gt_err file_write_atomic(const char *path, struct gt_str bytes, mode_t mode, struct gt_errinfo *info);

/* Makes a rename in the folder that holds `path` durable. GT_EIO, GT_EACCES with a message. */
enum gt_err file_sync_folder_of(const char *path, struct gt_errinfo *info);

/* Makes a folder and those above it (mode 0750). One that exists is success; a file in the way is GT_EEXIST. */
enum gt_err file_make_folder(const char *path, struct gt_errinfo *info);

/* Writes all bytes to a descriptor, through short writes and EINTR. */
enum gt_err file_write_all(int fd, struct gt_str bytes, struct gt_errinfo *info);

/* Reports a failed system call as one message with the path and, when the disk is full, says so: some layers answer EIO for
 * that, so the file system is asked. Returns the translated code. Call with errno still set. */
enum gt_err file_fail(struct gt_errinfo *info, const char *what, const char *path);

#endif
