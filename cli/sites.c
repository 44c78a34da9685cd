/* sites: the site definitions. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/json_offer.h"
#include "parsers/extract.h"

static int run_list(struct cli *cli, const struct arguments *args)
{
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
        fprintf(cli->out, "%-14s %-3s %-9s %-18s %s%s%s%s\n", json_string_value(json_object_get(site, "site")),
                json_is_true(json_object_get(site, "enabled")) ? "on" : "off", json_string_value(json_object_get(site, "extractor")),
                proof != NULL ? proof : "-", title != NULL ? title : "", status != NULL ? " (" : "", status != NULL ? status : "",
                status != NULL ? ")" : "");
    }
    json_decref(array);
    return EXIT_DONE;
}

/* Compiles one site; prints what is wrong or that nothing is. */
static enum gt_err check_one(struct cli *cli, const struct conf_section *site)
{
    struct site_facts facts;
    struct site_rules *rules = NULL;
    enum gt_err err = site_facts_from_conf(site, &facts, &cli->info);
    if (err == GT_OK) err = site_rules_new(site, &rules, &cli->info);
    site_rules_free(rules);
    if (err == GT_OK) fprintf(cli->out, "%-14.*s rules compile\n", GT_STR_ARG(conf_section_name(site)));
    else fprintf(cli->out, "%-14.*s %s\n", GT_STR_ARG(conf_section_name(site)), cli->info.text);
    return err;
}

static int run_check(struct cli *cli, const struct arguments *args)
{
    const struct conf_section *const *sites = conf_sections(cli->conf, "site");
    enum gt_err worst = GT_OK;
    size_t checked = 0;
    for (size_t i = 0; sites != NULL && sites[i] != NULL; i++) {
        if (args->word_count > 1 && !gt_str_is(conf_section_name(sites[i]), args->words[1])) continue;
        enum gt_err err = check_one(cli, sites[i]);
        if (err != GT_OK) worst = err;
        checked++;
    }
    if (checked == 0) return cli_usage(cli, "no such site; `gputape sites list` names them");
    return exit_from_err(worst);
}

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
    } actions[] = {{"list", run_list}, {"check", run_check}, {"show", run_show}};
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) return actions[i].run(cli, args);
    return cli_usage(cli, "sites does list, check or show");
}

static const struct option_spec options[] = {{"--json", NULL, "list as JSON"}, {NULL, NULL, NULL}};

const struct command command_sites = {
    .name = "sites",
    .usage = "list|check [SITE]|show SITE",
    .summary = "the site definitions: list them, check that their rules compile, show one",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
