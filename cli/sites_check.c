/* sites check: whether the rules compile, whether a saved page still fits them, what the store has of the site. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/json_offer.h"
#include "cli/page.h"
#include "cli/sites.h"
#include "common/file.h"
#include "common/utf8.h"
#include "crawler/jail.h"
#include "crawler/site_plan.h"

/* ---- a saved page ---- */

/* What a page came to, judged as a crawl would judge it. */
struct page_check {
    struct cli_page page;
    struct page_verdict verdict;
    size_t offers, refused;
};

/* The page in the shape of an answer: whole, with status 200. */
static struct http_response response_of(struct cli *cli, const struct arguments *args, struct gt_str body)
{
    const char *type = argument_get(args, "--content-type");
    struct gt_str content = type != NULL ? gt_str_from(type) : cli_content_type(argument_get(args, "--file"));
    struct http_response response = {.status = 200, .body = body, .is_length_known = true};
    response.url = gt_str_from(argument_get(args, "--url"));
    response.head = arena_printf(cli->arena, "HTTP/1.1 200 OK\r\n%s%.*s\r\n\r\n", content.len > 0 ? "Content-Type: " : "",
                                 GT_STR_ARG(content));
    return response;
}

/* Extracts and reads the page. A page that holds rows but no offer is adrift, too: some rule reads the wrong cell. */
static enum gt_err page_run(struct cli *cli, const struct conf_section *section, const struct http_response *response,
                            bool is_followed, struct page_check *check)
{
    struct page_case in = {.response = response,
                           .rules = check->page.rules,
                           .charset = conf_text(section, "charset"),
                           .is_followed = is_followed};
    const struct extraction *found = &check->verdict.extraction;
    struct jail *jail = NULL;
    const struct site_rules *const rules[] = {check->page.rules};
    enum gt_err err = jail_new(rules, 1, &jail, &cli->info);
    if (err != GT_OK) return err;
    jail_page_judge(jail, &in, cli->arena, &check->verdict);
    jail_free(jail);
    if (!check->verdict.has_extraction) return GT_OK;
    err = listing_read(found->listings, found->count, &check->page.facts, GT_STR("page"), cli->arena, &check->page.reading);
    if (err != GT_OK) return gt_fail(&cli->info, err, "the rows cannot be read: %s", gt_err_text(err));
    check->offers = check->page.reading.offer_count;
    check->refused = check->page.reading.refused_count + found->refused_count;
    if (check->verdict.status == STATUS_OK && check->offers == 0 && found->follow_count == 0) {
        check->verdict.status = STATUS_DRIFTED;
        check->verdict.reason = arena_printf(cli->arena, "%zu rows, none of which is an offer", found->rows_found);
    }
    return GT_OK;
}

/* Both kinds of refusal in one list: rows that the extractor dropped, and what the reader did not take. */
static json_t *json_of_check(const struct page_check *check, struct gt_str site)
{
    const struct extraction *found = &check->verdict.extraction;
    json_t *refused = json_of_refusals(check->page.reading.refused, check->page.reading.refused_count);
    json_t *skipped = json_of_refusals(found->refused, found->refused_count);
    json_array_extend(refused, skipped);
    json_decref(skipped);
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "site", json_of_text(site), "status",
                     json_of_word(VOCABULARY_STATUS, (int)check->verdict.status), "reason", json_of_text(check->verdict.reason),
                     "extractor", json_of_text(found->extractor), "rows", (json_int_t)found->rows_found, "offers",
                     (json_int_t)check->offers, "follow", (json_int_t)found->follow_count, "refused", refused);
}

/* What a page printed is shown escaped. */
static void print_refusals(struct cli *cli, const struct refusal *refused, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(cli->out, "  refused (%.*s): %.*s\n", GT_STR_ARG(refused[i].reason),
                GT_STR_ARG(utf8_printable(refused[i].raw, cli->arena)));
}

/* The verdict in one line that can be grepped, then why. */
static void print_check(struct cli *cli, const struct page_check *check, struct gt_str site)
{
    const struct extraction *found = &check->verdict.extraction;
    fprintf(cli->out, "%.*s: %s, %zu rows, %zu offers, %zu refused", GT_STR_ARG(site),
            word_text(VOCABULARY_STATUS, (int)check->verdict.status), found->rows_found, check->offers, check->refused);
    if (found->extractor.len > 0) fprintf(cli->out, ", read by %.*s", GT_STR_ARG(found->extractor));
    if (found->follow_count > 0) fprintf(cli->out, ", leads to %zu pages (check those with --followed)", found->follow_count);
    fputc('\n', cli->out);
    if (check->verdict.reason.len > 0)
        fprintf(cli->out, "  %.*s\n", GT_STR_ARG(utf8_printable(check->verdict.reason, cli->arena)));
    print_refusals(cli, check->page.reading.refused, check->page.reading.refused_count);
    print_refusals(cli, found->refused, found->refused_count);
}

/* Exit 1 unless a crawl would take the page for good. */
static int check_page(struct cli *cli, const struct arguments *args, const struct conf_section *section)
{
    struct page_check check = {.offers = 0};
    char *bytes = NULL;
    size_t len = 0;
    enum gt_err err = site_facts_from_conf(section, &check.page.facts, &cli->info);
    if (err == GT_OK) err = site_rules_new(section, &check.page.rules, &cli->info);
    if (err == GT_OK) err = file_read(argument_get(args, "--file"), FILE_ARG_BYTES_MAX, &bytes, &len, &cli->info);
    if (err == GT_OK) {
        struct http_response response = response_of(cli, args, (struct gt_str){bytes, len});
        err = page_run(cli, section, &response, argument_has(args, "--followed"), &check);
    }
    if (err == GT_OK && argument_has(args, "--json")) err = cli_json_write(cli, json_of_check(&check, conf_section_name(section)));
    else if (err == GT_OK) print_check(cli, &check, conf_section_name(section));
    site_rules_free(check.page.rules);
    free(bytes);
    if (err != GT_OK) return exit_from_err(err);
    return check.verdict.status == STATUS_OK ? EXIT_DONE : EXIT_FAILED;
}

/* ---- rules ---- */

/* Compiles one site's rules, with what its section says beside them and of fetching. A site that is not crawled by itself
 * may lack its address or the file with its token. */
static enum gt_err compile(struct cli *cli, const struct conf_section *site)
{
    struct site_facts facts;
    struct site_plan plan;
    struct site_rules *rules = NULL;
    bool is_fetched = conf_bool(site, "enabled", true);
    enum gt_err err = site_facts_from_conf(site, &facts, &cli->info);
    if (err == GT_OK) err = site_rules_new(site, &rules, &cli->info);
    if (err == GT_OK) err = site_rules_check(rules, &cli->info);
    if (err == GT_OK && is_fetched) err = site_plan_read(cli->conf, site, cli->arena, &plan, &cli->info);
    if (err == GT_OK && is_fetched) err = site_plan_check(&plan, &cli->info);
    site_rules_free(rules);
    return err;
}

/* The sites asked for, a line (or object) each; the worst of their errors. */
static enum gt_err check_rules(struct cli *cli, const char *name, json_t *list)
{
    const struct conf_section *const *sites = conf_sections(cli->conf, "site");
    enum gt_err worst = GT_OK;
    for (size_t i = 0; sites != NULL && sites[i] != NULL; i++) {
        struct gt_str site = conf_section_name(sites[i]);
        if (name != NULL && !gt_str_is(site, name)) continue;
        enum gt_err err = compile(cli, sites[i]);
        if (err != GT_OK) worst = err;
        if (list == NULL)
            fprintf(cli->out, "%-16.*s %s\n", GT_STR_ARG(site), err == GT_OK ? "rules compile" : cli->info.text);
        else
            json_array_append_new(list, json_pack("{s:o, s:b, s:o}", "site", json_of_text(site), "compiles", err == GT_OK, "error",
                                                  json_of_text(gt_str_from(err == GT_OK ? NULL : cli->info.text))));
    }
    return worst;
}

int sites_check_run(struct cli *cli, const struct arguments *args)
{
    const char *name = args->word_count > 1 ? args->words[1] : NULL;
    const struct conf_section *section = name != NULL ? conf_find(cli->conf, "site", gt_str_from(name)) : NULL;
    if (args->word_count > 2) return cli_usage(cli, "sites check takes one site or none");
    if (name != NULL && section == NULL) return cli_usage(cli, "no [site %s]; `gputape sites list` names them", name);
    if (argument_has(args, "--file") && section == NULL) return cli_usage(cli, "--file goes with a site: sites check SITE --file PAGE");
    if (argument_has(args, "--file")) return check_page(cli, args, section);
    json_t *list = argument_has(args, "--json") ? json_array() : NULL;
    enum gt_err worst = check_rules(cli, name, list), err = GT_OK;
    struct gt_errinfo rules_info = cli->info;
    cli->info.text[0] = '\0';
    if (list == NULL) {
        err = sites_coverage_print(cli, name);
    } else {
        json_t *object = json_pack("{s:o}", "sites", list);
        err = sites_coverage_json(cli, name, object);
        if (err == GT_OK) err = cli_json_write(cli, object);
        else json_decref(object);
    }
    if (err == GT_OK && worst != GT_OK) cli->info = rules_info;
    return exit_from_err(err != GT_OK ? err : worst);
}
