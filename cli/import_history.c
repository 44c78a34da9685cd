/* import --history: a complete export as a store again. It is made beside, checked as `db check` does, exported again and compared with the
 * file byte by byte, and only then put in place: what was imported is what the file says, or nothing is. */
#include <inttypes.h>
#include <string.h>

#include "cli/import.h"
#include "clickhouse/clickhouse.h"
#include "common/file.h"
#include "crawler/lock.h"
#include "export/export_reader.h"

/* Where the history comes from: a file, or a server when there is one. */
struct source {
    struct export_reader file;
    struct clickhouse *server;
};

/* The address is judged before anything is looked at here: a mistyped one is told as that. */
static enum gt_err source_open(const char *place, struct source *source, struct gt_errinfo *info)
{
    if (!gt_str_starts(gt_str_from(place), GT_STR(CLICKHOUSE_SCHEME))) return export_reader_open(place, &source->file, info);
    return clickhouse_open(place + strlen(CLICKHOUSE_SCHEME), &source->server, info);
}

/* A history is not mixed with another: the data folder must have none. */
static enum gt_err is_empty(struct cli *cli)
{
    struct store *store = NULL;
    struct store_stat stat = {0};
    struct gt_errinfo info = {0};
    enum gt_err err = store_open(cli_data_path(cli, "store"), STORE_READ, &store, &info);
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_OK) err = store_stat(store, &stat, &info);
    store_close(store);
    if (err != GT_OK) return gt_fail(&cli->info, err, "%s", info.text);
    if (stat.runs == 0) return GT_OK;
    return gt_fail(&cli->info, GT_EEXIST, "%s has a history already (%" PRIu64 " runs): import --history needs an empty data folder",
                   cli->data_folder, stat.runs);
}

/* The new store says what the file says, byte for byte. */
static enum gt_err prove(const char *folder, struct export_reader *file, struct gt_errinfo *info)
{
    static const struct dump_options all = {0};
    struct store *made = NULL;
    enum gt_err err = store_open(folder, STORE_READ, &made, info);
    if (err == GT_OK) err = export_reader_prove(file, made, &all, info);
    store_close(made);
    return err;
}

/* A file must say it all again; each run from a server is held against the digest that was sent with it. */
static enum gt_err fill(struct cli *cli, struct source *source)
{
    struct store *made = NULL;
    struct store_draft *draft = NULL;
    bool is_file = source->server == NULL;
    enum gt_err err = cli_store_draft(cli, false, &draft, &made);
    if (err == GT_OK)
        err = is_file ? export_reader_fill(&source->file, made, &cli->info) : clickhouse_pull(source->server, made, &cli->info);
    store_close(made);
    if (err == GT_OK && is_file) err = prove(store_draft_folder(draft), &source->file, &cli->info);
    if (err == GT_OK) err = store_draft_commit(draft, &cli->info);
    else store_draft_abort(draft);
    return err;
}

/* Order of refusals: the source, the folder, another run, a history that is there already. Nothing was changed at any of them. */
int import_history_run(struct cli *cli, const char *path)
{
    struct source source = {0};
    struct run_lock *lock = NULL;
    enum gt_err err = source_open(path, &source, &cli->info);
    if (err == GT_OK) err = file_make_folder(cli->data_folder, &cli->info);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = is_empty(cli);
    if (err == GT_OK) err = fill(cli, &source);
    run_lock_free(lock);
    bool is_file = source.server == NULL;
    if (err == GT_OK && !is_file) fputs("the history that was pushed to ClickHouse is imported\n", cli->out);
    if (err == GT_OK && is_file)
        fprintf(cli->out, "%zu runs and %zu observations imported: an export gives the same file again\n", source.file.runs,
                source.file.observations);
    export_reader_close(&source.file);
    clickhouse_close(source.server);
    return exit_from_err(err);
}
