/* flock on a file that is made once. A pid file would have to be judged (is that process alive, and is it one of ours?); the
 * kernel knows, and forgets the lock with its holder. */
#include "crawler/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/file.h"

enum { PID_TEXT_MAX = 32 };

struct run_lock {
    int fd;
};

/* Who holds it, for the message; the file may be empty for a moment after the holder took it. */
static enum gt_err held_by_other(int fd, const char *path, struct gt_errinfo *info)
{
    char text[PID_TEXT_MAX] = {0};
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    long pid = n > 0 ? strtol(text, NULL, 10) : 0;
    if (pid <= 0) return gt_fail(info, GT_ELOCKED, "another run holds %s", path);
    return gt_fail(info, GT_ELOCKED, "another run (pid %ld) holds %s", pid, path);
}

/* Writes whose lock it is. The file is never replaced: a second file of that name would be a second lock. */
static enum gt_err pid_write(int fd, const char *path, struct gt_errinfo *info)
{
    char text[PID_TEXT_MAX];
    int len = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)len, 0) != len) return file_fail(info, "cannot write", path);
    return GT_OK;
}

enum gt_err run_lock_take(const char *data_folder, struct run_lock **ret_lock, struct gt_errinfo *info)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/lock", data_folder) >= (int)sizeof path)
        return gt_fail(info, GT_ELIMIT, "path too long: %s", data_folder);
    struct run_lock *lock = malloc(sizeof *lock);
    if (lock == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = GT_OK;
    /* no O_TRUNC: until the lock is ours, the pid in it is another's */
    lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (lock->fd < 0) err = file_fail(info, "cannot open", path);
    else if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0)
        err = errno == EWOULDBLOCK ? held_by_other(lock->fd, path, info) : file_fail(info, "cannot lock", path);
    else err = pid_write(lock->fd, path, info);
    if (err != GT_OK) {
        if (lock->fd >= 0) close(lock->fd);
        free(lock);
        return err;
    }
    *ret_lock = lock;
    return GT_OK;
}

void run_lock_free(struct run_lock *lock)
{
    if (lock == NULL) return;
    close(lock->fd);
    free(lock);
}
