/* version: the program's, its card catalogue's, its libraries'. */
#include "cli/command.h"
#include "pricing/sku.h"

static int run(struct cli *cli, const struct arguments *args)
{
    if (argument_words_check(cli, args, "version", 0) != EXIT_DONE) return EXIT_USAGE;
    fprintf(cli->out, "gputape %s\ncatalogue %s\nstore format %d\n", GPUTAPE_VERSION, sku_catalogue_version(), STORE_FORMAT_VERSION);
    return EXIT_DONE;
}

const struct command command_version = {
    .name = "version", .usage = "", .summary = "print the versions of program, card catalogue and store format", .run = run};
