#include "cli/store_swap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"

/* Removes a store's folder: its files, then it. One that is not there is fine. */
static void folder_remove(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL) closedir(dir);
    rmdir(path);
}

enum gt_err store_swap_begin(struct cli *cli, struct store **ret_store)
{
    const char *path = cli_data_path(cli, "store.new");
    if (path == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    folder_remove(path);
    return store_open(path, STORE_WRITE, ret_store, &cli->info);
}

/* Copies a file's bytes and syncs them. */
static enum gt_err file_copy(struct cli *cli, const char *from, const char *to)
{
    char piece[1 << 16];
    ssize_t n;
    int in = open(from, O_RDONLY | O_CLOEXEC), out;
    if (in < 0) return file_fail(&cli->info, "cannot open", from);
    out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    enum gt_err err = out >= 0 ? GT_OK : file_fail(&cli->info, "cannot make", to);
    while (err == GT_OK && (n = read(in, piece, sizeof piece)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        err = n > 0 ? file_write_all(out, (struct gt_str){piece, (size_t)n}, &cli->info)
                    : file_fail(&cli->info, "cannot read", from);
    }
    if (err == GT_OK && fsync(out) != 0) err = file_fail(&cli->info, "cannot sync", to);
    if (out >= 0) close(out);
    close(in);
    return err;
}

enum gt_err store_swap_copy(struct cli *cli, struct store **ret_store)
{
    const char *folder = cli_data_path(cli, "store.new"), *from = cli_data_path(cli, "store/data.mdb"),
               *to = cli_data_path(cli, "store.new/data.mdb");
    if (folder == NULL || from == NULL || to == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    folder_remove(folder);
    enum gt_err err = file_make_folder(folder, &cli->info);
    if (err == GT_OK) err = file_copy(cli, from, to);
    return err == GT_OK ? store_open(folder, STORE_WRITE, ret_store, &cli->info) : err;
}

void store_swap_abort(struct cli *cli)
{
    const char *path = cli_data_path(cli, "store.new");
    if (path != NULL) folder_remove(path);
}

enum gt_err store_swap_commit(struct cli *cli)
{
    const char *made = cli_data_path(cli, "store.new"), *own = cli_data_path(cli, "store"),
               *old = cli_data_path(cli, "store.old");
    if (made == NULL || own == NULL || old == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    struct stat st;
    bool has_own = stat(own, &st) == 0;
    /* one step: at no moment is there no store */
    int failed = has_own ? renameat2(AT_FDCWD, made, AT_FDCWD, own, RENAME_EXCHANGE) : rename(made, own);
    if (failed != 0) return file_fail(&cli->info, "cannot exchange the store with", made);
    if (has_own) {
        folder_remove(old);
        if (rename(made, old) != 0) return file_fail(&cli->info, "cannot name the old store", old);
    }
    int fd = open(cli->data_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum gt_err err = fd >= 0 && fsync(fd) == 0 ? GT_OK : file_fail(&cli->info, "cannot sync the folder", cli->data_folder);
    if (fd >= 0) close(fd);
    return err;
}
