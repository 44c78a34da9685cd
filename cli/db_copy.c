/* db backup, restore, migrate, compact. */
#include <inttypes.h>

#include "cli/db.h"
#include "common/civil.h"
#include "common/file.h"
#include "crawler/lock.h"
#include "reports/market_store.h"

static enum gt_err path_wanted(struct cli *cli, const struct arguments *args, const char **ret_path)
{
    if (args->word_count != 2) return gt_fail(&cli->info, GT_EUSAGE, "db %s wants one file", args->words[0]);
    *ret_path = args->words[1];
    return GT_OK;
}

/* No lock: LMDB gives a reader one moment of the store, and crawls go on. */
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

/* Under the run lock: a crawl would write on into the store that is replaced. */
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

int db_migrate_run(struct cli *cli, const struct arguments *args)
{
    struct run_lock *lock = NULL;
    const char *folder = cli_data_path(cli, "store");
    int from = 0;
    (void)args;
    enum gt_err err = folder == NULL ? gt_fail(&cli->info, GT_ENOMEM, "out of memory") : run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = store_migrate(folder, &from, &cli->info);
    run_lock_free(lock);
    if (err != GT_OK) return exit_from_err(err);
    if (from == STORE_FORMAT_VERSION) fprintf(cli->out, "%s: format %d, nothing to do\n", folder, from);
    else fprintf(cli->out, "%s: format %d, clean; that of format %d is kept as %s.old\n", folder, STORE_FORMAT_VERSION, from, folder);
    return EXIT_DONE;
}

/* Opened and closed apart: a process opens a store once, and the copy opens it itself. */
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

/* Offers of marketplaces with `keep` that ended so long ago. A site without runs has none. */
static enum gt_err site_keep(struct cli *cli, struct store *store, const struct conf_section *section)
{
    struct thin_counts counts;
    const struct conf_value *keep = conf_get(section, "keep");
    struct gt_str site = conf_section_name(section);
    char day[CIVIL_TEXT_MAX];
    if (keep == NULL) return GT_OK;
    if (!gt_str_is(conf_text(section, "kind"), "market"))
        return conf_fail(keep, &cli->info, "goes with `kind = market`: other sites' prices are kept for ever");
    int64_t before = clock_unix_s(&cli->clock) - conf_duration_ms(section, "keep", 0) / 1000;
    enum gt_err err = market_keep(store, site, before, &counts, &cli->info);
    if (err == GT_OK)
        fprintf(cli->out, "%.*s: %" PRIu64 " spans that ended before %s let go, %" PRIu64 " records with them\n", GT_STR_ARG(site), counts.spans,
                civil_date(before, 0, day), counts.records);
    return err;
}

static enum gt_err sites_keep(struct cli *cli)
{
    const struct conf_section *const *sections = conf_sections(cli->conf, "site");
    struct store *store = NULL;
    enum gt_err err = cli_store_open(cli, STORE_WRITE, &store);
    for (size_t i = 0; err == GT_OK && sections != NULL && sections[i] != NULL; i++) err = site_keep(cli, store, sections[i]);
    store_close(store);
    return err;
}

/* The first month whose pages all stay: months go whole, as packs are made. INT64_MIN: every page stays. */
static int keep_pages_read(struct cli *cli, const struct arguments *args, int64_t *ret_before_unix_s)
{
    const char *text = argument_get(args, "--keep-pages");
    int64_t now = clock_unix_s(&cli->clock), span_ms = 0;
    *ret_before_unix_s = INT64_MIN;
    if (text == NULL && argument_has(args, "--dry-run")) return cli_usage(cli, "--dry-run goes with --keep-pages");
    if (text == NULL) return EXIT_DONE;
    if (!conf_parse_duration(gt_str_from(text), &span_ms) || span_ms < 1000)
        return cli_usage(cli, "--keep-pages takes a span of time such as 180d, not \"%s\"", text);
    const struct civil c = civil_from_unix(span_ms / 1000 < now ? now - span_ms / 1000 : 0, 0);
    *ret_before_unix_s = civil_midnight_unix(c.year, c.month, 1, 0);
    return EXIT_DONE;
}

/* What `keep` lets go leaves first, so that the copy is without it, and so is the history that stands for pages. */
int db_compact_run(struct cli *cli, const struct arguments *args)
{
    struct run_lock *lock = NULL;
    uint64_t before = 0, after = 0;
    int64_t pages_before_unix_s;
    bool is_dry = argument_has(args, "--dry-run");
    const char *folder = cli_data_path(cli, "store");
    int code = keep_pages_read(cli, args, &pages_before_unix_s);
    if (code != EXIT_DONE) return code;
    if (folder == NULL) return exit_from_err(gt_fail(&cli->info, GT_ENOMEM, "out of memory"));
    enum gt_err err = cli_conf_open(cli);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = measure(cli, &before);
    if (err == GT_OK && !is_dry) err = sites_keep(cli);
    if (err == GT_OK && pages_before_unix_s != INT64_MIN) err = db_pages_drop(cli, pages_before_unix_s, is_dry);
    if (err == GT_OK && !is_dry) err = store_compact(folder, argument_has(args, "--pack"), &cli->info);
    if (err == GT_OK && !is_dry) err = measure(cli, &after);
    run_lock_free(lock);
    if (err == GT_OK && !is_dry) fprintf(cli->out, "%" PRIu64 " bytes, %" PRIu64 " before\n", after, before);
    return exit_from_err(err);
}
