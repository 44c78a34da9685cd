/* The folder of a store: what kind of file system, whose, and opened only once in a process. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/file.h"
#include "store/db_impl.h"

/* File systems whose maps are not coherent between machines, or whose locks do not hold: statfs(2) magic numbers. */
static const struct {
    uint32_t magic;
    const char *name;
} refused[] = {
    {0x00006969, "NFS"},  {0x0000517B, "SMB"},  {0xFF534D42, "CIFS"},   {0xFE534D42, "SMB2"}, {0x01021997, "9P"},
    {0x5346414F, "AFS"},  {0x00C36400, "Ceph"}, {0x0BD00BD0, "Lustre"}, {0x65735546, "FUSE"}, {0x7461636F, "OCFS2"},
    {0x01161970, "GFS2"}, {0x73757245, "Coda"}, {0x0000564C, "NCP"},    {0x47504653, "GPFS"},
};

const char *db_network_name(uint32_t magic)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (magic == refused[i].magic) return refused[i].name;
    return NULL;
}

/* Over a network, two machines would map one file and see different pages, and the locks of one would mean nothing to
 * the other. */
static enum gt_err refuse_network(const char *folder, struct gt_errinfo *info)
{
    struct statfs fs;
    if (statfs(folder, &fs) != 0) return file_fail(info, "cannot ask the file system of", folder);
    const char *name = db_network_name((uint32_t)fs.f_type);
    return name == NULL ? GT_OK : gt_fail(info, GT_EREFUSED, "%s lies on %s: a store needs a local file system", folder, name);
}

enum gt_err db_folder_check(const char *folder, struct gt_errinfo *info)
{
    struct stat st;
    if (stat(folder, &st) != 0) return file_fail(info, "no store in", folder);
    if (!S_ISDIR(st.st_mode)) return gt_fail(info, GT_ENOENT, "%s is not a folder", folder);
    if ((st.st_mode & S_IWOTH) != 0) return gt_fail(info, GT_EACCES, "anyone may write to %s: chmod o-w it first", folder);
    return refuse_network(folder, info);
}

/* One byte of the lock file for each process, far apart: its number within its PID namespace, and which namespace that is,
 * so that two containers that share the folder do not stand in each other's way. */
static off_t own_byte(void)
{
    struct stat ns;
    uint64_t space = stat("/proc/self/ns/pid", &ns) == 0 ? (uint64_t)ns.st_ino : 0;
    uint64_t mixed = (space * 0x9E3779B97F4A7C15ULL) << 23;
    return (off_t)((mixed ^ (uint64_t)getpid()) & INT64_MAX >> 1);
}

/* POSIX record locks would not do: they belong to the process, so a second open would get them too. Open file description locks
 * belong to the open, and need no list of open stores in memory. */
enum gt_err db_once_take(const char *folder, int *ret_fd, struct gt_errinfo *info)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/open", folder) >= (int)sizeof path)
        return gt_fail(info, GT_ELIMIT, "path too long: %s", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd < 0 && (errno == EACCES || errno == EROFS)) {
        *ret_fd = -1;
        return GT_OK;
    }
    if (fd < 0) return file_fail(info, "cannot open", path);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = own_byte(), .l_len = 1};
    if (fcntl(fd, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
        close(fd);
        return gt_fail(info, GT_EUSAGE, "the store in %s is open in this process already", folder);
    }
    *ret_fd = fd;
    return GT_OK;
}
