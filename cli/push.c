/* push: the history to where many crawlers' histories come together. */
#include <string.h>

#include "cli/command.h"
#include "clickhouse/clickhouse.h"

/* The address first: a mistyped one is told whatever the data folder holds. */
static int push_run(struct cli *cli, const struct arguments *args)
{
    struct clickhouse *server = NULL;
    struct store *store = NULL;
    struct clickhouse_pushed pushed = {0};
    if (args->word_count != 2 || strcmp(args->words[0], "clickhouse") != 0)
        return cli_usage(cli, "usage: gputape push clickhouse URL");
    enum gt_err err = clickhouse_open(args->words[1], &server, &cli->info);
    if (err == GT_OK) err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = clickhouse_push(server, store, &pushed, &cli->info);
    clickhouse_close(server);
    store_close(store);
    if (err != GT_OK) return exit_from_err(err);
    fprintf(cli->out, "%zu runs and %zu changes pushed", pushed.runs, pushed.changes);
    if (pushed.streams_rewritten > 0) fprintf(cli->out, ", %zu listings anew", pushed.streams_rewritten);
    fputc('\n', cli->out);
    return pushed.streams_refused > 0 ? EXIT_PARTLY : EXIT_DONE;
}

const struct command command_push = {
    .name = "push",
    .usage = "clickhouse URL",
    .summary = "what ClickHouse has not got of the history yet: runs, changes, spans, offers",
    .help = "Tables: clickhouse/clickhouse.sql, installed as share/gputape/clickhouse.sql. What is there already is held against the store and "
            "not sent again; after any failure the next push goes on. User and password: $GPUTAPE_CLICKHOUSE_USER, "
            "$GPUTAPE_CLICKHOUSE_PASSWORD. Exit 3: listings that another data folder has pushed, too, were left alone.",
    .run = push_run,
};
