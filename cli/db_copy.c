/* db backup, restore, compact. */
#include <inttypes.h>

#include "cli/db.h"
#include "common/file.h"
#include "crawler/lock.h"

static enum gt_err path_wanted(struct cli *cli, const struct arguments *args, const char **ret_path)
{
    if (args->word_count != 2) return gt_fail(&cli->info, GT_EUSAGE, "db %s wants one file", args->words[0]);
    *ret_path = args->words[1];
    return GT_OK;
}

int db_backup_run(struct cli *cli, const struct arguments *args)
{
    const char *path = NULL;
    struct store *store = NULL;
    enum gt_err err = path_wanted(cli, args, &path);
    if (err == GT_OK) err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = store_backup(store, path, &cli->info);
    store_close(store);
    if (err == GT_OK) fprintf(cli->out, "%s: written and clean\n", path);
    return exit_from_err(err);
}

int db_restore_run(struct cli *cli, const struct arguments *args)
{
    const char *path = NULL, *folder = cli_data_path(cli, "store");
    struct run_lock *lock = NULL;
    enum gt_err err = path_wanted(cli, args, &path);
    if (err == GT_OK && folder == NULL) err = gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = file_make_folder(cli->data_folder, &cli->info);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = store_restore(folder, path, argument_has(args, "--replace"), &cli->info);
    run_lock_free(lock);
    if (err == GT_OK) fprintf(cli->out, "%s: restored and clean\n", folder);
    return exit_from_err(err);
}

static enum gt_err measure(struct cli *cli, uint64_t *ret_bytes)
{
    struct store *store = NULL;
    struct store_stat stat = {0};
    enum gt_err err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = store_stat(store, &stat, &cli->info);
    store_close(store);
    *ret_bytes = stat.file_bytes;
    return err;
}

int db_compact_run(struct cli *cli, const struct arguments *args)
{
    struct run_lock *lock = NULL;
    uint64_t before = 0, after = 0;
    const char *folder = cli_data_path(cli, "store");
    if (folder == NULL) return exit_from_err(gt_fail(&cli->info, GT_ENOMEM, "out of memory"));
    enum gt_err err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = measure(cli, &before);
    if (err == GT_OK) err = store_compact(folder, argument_has(args, "--pack"), &cli->info);
    if (err == GT_OK) err = measure(cli, &after);
    run_lock_free(lock);
    if (err == GT_OK) fprintf(cli->out, "%" PRIu64 " bytes, %" PRIu64 " before\n", after, before);
    return exit_from_err(err);
}
