/* import: an exported history back in; leads that were got by hand. */
#include "cli/import.h"

static int import_run(struct cli *cli, const struct arguments *args)
{
    const char *history = argument_get(args, "--history"), *site = argument_get(args, "--site");
    bool skips_bad = argument_has(args, "--skip-bad");
    if (history != NULL && args->word_count == 0 && site == NULL && !skips_bad) return import_history_run(cli, history);
    if (history == NULL && args->word_count == 1) return import_leads_run(cli, args->words[0], site, skips_bad);
    return cli_usage(cli, "usage: gputape import QUOTES.csv [--site NAME] [--skip-bad], or gputape import --history FILE.jsonl|clickhouse:URL");
}

static const struct option_spec options[] = {
    {"--site", "NAME", "whose quotes these are, where the table has no column that says it"},
    {"--skip-bad", NULL, "import the rows that can be read, though others cannot"},
    {"--history", "FILE", "a complete export in JSON Lines, or clickhouse:URL (what crawlers have pushed), into an empty data folder"},
    {NULL, NULL, NULL},
};

const struct command command_import = {
    .name = "import",
    .usage = "QUOTES.csv [--site NAME] [--skip-bad] | --history FILE.jsonl|clickhouse:URL",
    .summary = "leads: quotes got by phone, mail, contract; or an exported history into an empty data folder",
    .help = "The first line of QUOTES.csv names its columns: card, price, source, date (型号, 价格, 来源, 日期); currency, period, cards, delivery, "
            "region, site, note may be there. Currency and period may as well stand in the price, or in the heading over it: 价格（元/月）.",
    .options = options,
    .run = import_run,
};
