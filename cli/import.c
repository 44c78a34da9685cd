/* import: an exported history back in; leads that were got by hand. */
#include "cli/import.h"

static int import_run(struct cli *cli, const struct arguments *args)
{
    const char *history = argument_get(args, "--history");
    if (history != NULL && args->word_count == 0) return import_history_run(cli, history);
    return cli_usage(cli, "usage: gputape import --history FILE.jsonl");
}

static const struct option_spec options[] = {
    {"--history", "FILE", "a complete export in JSON Lines, into an empty data folder"},
    {NULL, NULL, NULL},
};

const struct command command_import = {
    .name = "import",
    .usage = "--history FILE.jsonl",
    .summary = "an exported history into an empty data folder",
    .options = options,
    .run = import_run,
};
