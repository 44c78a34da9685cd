/* db rebuild: the store made anew from the archive. What is no history (the outbox, the alerts' state, what hosts asked for) is
 * taken over from the old store where there is one that can be read. */
#include <string.h>

#include <jansson.h>

#include "cli/db.h"
#include "cli/history.h"
#include "crawler/lock.h"
#include "reports/published.h"

/* What is copied, and into what. */
struct carry {
    struct store *to;
    enum store_table table;
    struct gt_errinfo *info;
};

/* The place in the archive is the new store's own. */
static enum gt_err carry_pair(void *ctx, struct gt_str key, struct gt_str value)
{
    const struct carry *carry = ctx;
    if (carry->table == STORE_PAGES && gt_str_starts(key, GT_STR("archive:"))) return GT_OK;
    return store_put(carry->to, NULL, carry->table, key, value, carry->info);
}

/* Everything that the archive does not tell. */
static enum gt_err carry_over(struct cli *cli, struct store *from, struct store *to)
{
    static const enum store_table tables[] = {STORE_HOSTS,  STORE_ROBOTS,  STORE_PAGES, STORE_ALERT_STATE,
                                              STORE_OUTBOX, STORE_REPORTS, STORE_META};
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && err == GT_OK; i++) {
        struct carry carry = {to, tables[i], &cli->info};
        err = store_each(from, NULL, tables[i], GT_STR(""), cli->arena, carry_pair, &carry, &cli->info);
    }
    return err;
}

/* Says what was made. */
static enum gt_err tell(struct cli *cli, const struct arguments *args, const struct replay_counts *counts, size_t history_runs)
{
    if (argument_has(args, "--json"))
        return cli_json_write(cli, json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "runs", (json_int_t)counts->runs, "actions",
                                             (json_int_t)counts->actions, "crawls", (json_int_t)counts->crawls, "unread",
                                             (json_int_t)counts->unread, "damaged", (json_int_t)counts->damaged, "history_runs",
                                             (json_int_t)history_runs));
    if (history_runs > 0)
        fprintf(cli->out, "%zu runs of a part from the history that was archived when pages were dropped; behind it:\n", history_runs);
    fprintf(cli->out, "%zu runs, %zu actions, %zu crawls read from the archive\n", counts->runs, counts->actions, counts->crawls);
    if (counts->unread > 0) fprintf(cli->out, "%zu parts could not be read: they count as failed\n", counts->unread);
    if (counts->damaged > 0)
        fprintf(cli->out, "%zu places in the archive are damaged; `gputape archive verify` names them\n", counts->damaged);
    fprintf(cli->out, "the store before is kept in %s/store.old\n", cli->data_folder);
    return GT_OK;
}

int db_refill_run(struct cli *cli, const struct arguments *args)
{
    struct run_lock *lock = NULL;
    struct store *old = NULL, *made = NULL;
    struct store_draft *draft = NULL;
    struct replay_counts counts = {0};
    size_t history_runs = 0;
    struct gt_errinfo unreadable = {0};
    int from = 0;
    const char *folder = cli_data_path(cli, "store");
    if (args->word_count != 1 || folder == NULL) return cli_usage(cli, "usage: gputape db rebuild [--skus]");
    enum gt_err err = cli_conf_open(cli);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    /* so that what the archive does not tell can be read from one of an older format, too; a damaged one stays as it is */
    if (err == GT_OK) store_migrate(folder, &from, &unreadable);
    if (err == GT_OK) err = cli_store_draft(cli, false, &draft, &made);
    if (err == GT_OK) err = history_fill(cli, made, &counts, &history_runs);
    /* an empty history in the place of a store would be a loss, and is no rebuild */
    if (err == GT_OK && counts.runs + counts.actions + history_runs == 0)
        err = gt_fail(&cli->info, GT_ENOENT, "the archive in %s/archive holds no runs", cli->data_folder);
    if (err == GT_OK && store_open(folder, STORE_READ, &old, &unreadable) == GT_OK) err = carry_over(cli, old, made);
    if (err == GT_OK) err = published_reread_put(made, clock_unix_s(&cli->clock), &cli->info);
    store_close(old);
    store_close(made);
    if (err == GT_OK) err = store_draft_commit(draft, &cli->info);
    else store_draft_abort(draft);
    run_lock_free(lock);
    if (err == GT_OK) err = tell(cli, args, &counts, history_runs);
    return exit_from_err(err);
}
