/* explain robots: whether a robots.txt lets an agent fetch an address, and by which line. Exit 0 allowed, 1 not. */
#include <stdlib.h>

#include <jansson.h>

#include "cli/explain.h"
#include "cli/json_offer.h"
#include "common/file.h"
#include "crawler/robots.h"

static int run(struct cli *cli, const struct arguments *args)
{
    const char *file = argument_get(args, "--file"), *agent = argument_get(args, "--agent");
    char *bytes = NULL;
    size_t len = 0;
    if (file == NULL || args->word_count != 2) return cli_usage(cli, "usage: gputape explain robots [--agent A] --file robots.txt URL");
    enum gt_err err = file_read(file, FILE_ARG_BYTES_MAX, &bytes, &len, &cli->info);
    if (err != GT_OK) return exit_from_err(err);
    struct robots_verdict verdict =
        robots_match((struct gt_str){bytes, len}, gt_str_from(agent != NULL ? agent : "gputape"), gt_str_from(args->words[1]));
    json_t *rule = json_of_text(gt_str_trim(verdict.rule));
    free(bytes);
    err = cli_json_write(cli, json_pack("{s:b, s:o, s:o}", "allowed", verdict.is_allowed, "rule", rule, "crawl_delay_ms",
                                        verdict.crawl_delay_ms >= 0 ? json_integer(verdict.crawl_delay_ms) : json_null()));
    if (err != GT_OK) return exit_from_err(err);
    return verdict.is_allowed ? EXIT_DONE : EXIT_FAILED;
}

const struct explainer explainer_robots = {"robots", "URL", run};
