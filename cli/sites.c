/* sites: the site definitions. */
#include <string.h>

#include <jansson.h>

#include "cli/json_offer.h"
#include "cli/sites.h"

/* Text and JSON are made from the same values. */
static int run_list(struct cli *cli, const struct arguments *args)
{
    if (argument_words_check(cli, args, "sites list", 1) != EXIT_DONE) return EXIT_USAGE;
    const struct conf_section *const *sites = conf_sections(cli->conf, "site");
    json_t *array = json_array();
    for (size_t i = 0; sites != NULL && sites[i] != NULL; i++) {
        const struct conf_section *site = sites[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "site", json_of_text(conf_section_name(site)),
                                               "title", json_of_text(conf_text(site, "title")), "enabled",
                                               conf_bool(site, "enabled", true), "extractor", json_of_text(conf_text(site, "extract")),
                                               "proof", json_of_text(conf_text(site, "proof")), "status",
                                               json_of_text(conf_text(site, "status")), "url", json_of_text(conf_text(site, "url"))));
    }
    if (argument_has(args, "--json")) return exit_from_err(cli_json_write(cli, array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *site = json_array_get(array, i);
        const char *status = json_string_value(json_object_get(site, "status"));
        const char *proof = json_string_value(json_object_get(site, "proof")), *title = json_string_value(json_object_get(site, "title"));
        fprintf(cli->out, "%-16s %-3s %-9s %-18s %s%s%s%s\n", json_string_value(json_object_get(site, "site")),
                json_is_true(json_object_get(site, "enabled")) ? "on" : "off", json_string_value(json_object_get(site, "extractor")),
                proof != NULL ? proof : "-", title != NULL ? title : "", status != NULL ? " (" : "", status != NULL ? status : "",
                status != NULL ? ")" : "");
    }
    json_decref(array);
    return EXIT_DONE;
}

/* With where it stands: the user's file overrides the shipped one key by key, and this is the sum. */
static int run_show(struct cli *cli, const struct arguments *args)
{
    if (args->word_count != 2) return cli_usage(cli, "sites show wants a site");
    const struct conf_section *site = conf_find(cli->conf, "site", gt_str_from(args->words[1]));
    if (site == NULL) return cli_usage(cli, "no [site %s]; `gputape sites list` names them", args->words[1]);
    fprintf(cli->out, "# %s:%d\n%.*s", conf_section_file(site), conf_section_line(site), GT_STR_ARG(conf_section_print(site, cli->arena)));
    return EXIT_DONE;
}

static int run(struct cli *cli, const struct arguments *args)
{
    static const struct {
        const char *name;
        int (*run)(struct cli *, const struct arguments *);
    } actions[] = {{"list", run_list}, {"check", sites_check_run}, {"new", sites_new_run}, {"show", run_show}};
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) return actions[i].run(cli, args);
    return cli_usage(cli, "sites does list, check, new or show");
}

static const struct option_spec options[] = {
    {"--json", NULL, "list and check as JSON"},
    {"--file", "PAGE", "check: read this saved page by the site's rules; exit 1 when they do not fit it any more"},
    {"--followed", NULL, "check: the file is a page that the site's `follow` leads to"},
    {"--url", "U", "of a file, its address"},
    {"--currency", "C", "new: what a bare ¥ or number is in"},
    {"--connect-to", "H:P:A:P", "new: connect to address A, port P instead of host H, port P (repeatable)"},
    {"--cacert", "FILE", "new: certificates trusted beside the system's"},
    {"--content-type", "T", "of the file, as the server would say it"},
    {NULL, NULL, NULL},
};

const struct command command_sites = {
    .name = "sites",
    .usage = "list|check [SITE]|new URL|FILE|show SITE",
    .summary = "the site definitions: list them, check them, propose one, show one",
    .help = "  sites list                        every site: extractor, proof, title\n"
            "  sites check [SITE]                whether the rules compile; from the store: which card is offered where today, and the "
            "labels that name no card for certain, with the cards that they may mean\n"
            "  sites check SITE --file PAGE      what the rules make of a saved page: status, rows, offers, refusals\n"
            "  sites new URL|FILE                a section for a page that has none: fetches it once (robots.txt is obeyed) or reads it from "
            "a file, and prints rules that read the very offers that `auto` finds\n"
            "  sites show SITE                   the section as it is in force",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
