/* parse: one page through a site's extractor, explained. Stores nothing. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/command.h"
#include "cli/json_offer.h"
#include "cli/page.h"
#include "cli/quote_text.h"
#include "common/file.h"
#include "common/utf8.h"
#include "pricing/audit.h"

/* What a page without a section is read with: nothing is known. */
static enum gt_err facts_of_nothing(struct cli *cli, const char *currency, struct site_facts *ret_facts)
{
    struct conf *conf = conf_new();
    if (conf == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    struct gt_str text = arena_printf(cli->arena, "[site auto]\nextract = auto\n%s%s\n", currency != NULL ? "currency = " : "",
                                      currency != NULL ? currency : "");
    enum gt_err err = conf_read_text(conf, "--currency", text, &cli->info);
    if (err == GT_OK) err = site_facts_from_conf(conf_find(conf, "site", GT_STR("auto")), ret_facts, &cli->info);
    conf_free(cli->conf);
    cli->conf = conf; /* the facts borrow from it */
    return err;
}

static enum gt_err job_open(struct cli *cli, const struct arguments *args, struct cli_page *job)
{
    struct gt_str name = gt_str_from(args->words[0]);
    if (gt_str_is(name, "auto")) {
        enum gt_err err = facts_of_nothing(cli, argument_get(args, "--currency"), &job->facts);
        return err != GT_OK ? err : site_rules_auto(&job->rules, &cli->info);
    }
    enum gt_err err = cli_conf_open(cli);
    if (err != GT_OK) return err;
    const struct conf_section *section = conf_find(cli->conf, "site", name);
    if (section == NULL) return gt_fail(&cli->info, GT_EUSAGE, "no [site %s] in the configuration; `gputape sites list` names them", name.ptr);
    err = site_facts_from_conf(section, &job->facts, &cli->info);
    return err != GT_OK ? err : site_rules_new(section, &job->rules, &cli->info);
}

static enum gt_err judge(struct cli *cli, const struct cli_page *job, const struct offer *offer, struct net_price *ret_price,
                         struct audit_result *ret_audit)
{
    struct persona persona = persona_default();
    struct net_rules rules = net_rules_from_facts(&job->facts);
    enum gt_err err = net_price_compute(offer, &rules, &persona, clock_unix_s(&cli->clock), cli->arena, ret_price);
    return err != GT_OK ? err : audit_offer(offer, &rules, cli->arena, ret_audit);
}

static enum gt_err print_json(struct cli *cli, const struct cli_page *job)
{
    json_t *offers = json_array();
    for (size_t i = 0; i < job->reading.offer_count; i++) {
        struct net_price price = {0};
        struct audit_result audit = {0};
        enum gt_err err = judge(cli, job, &job->reading.offers[i], &price, &audit);
        if (err != GT_OK) {
            json_decref(offers);
            return gt_fail(&cli->info, err, "offer %zu: %s", i + 1, gt_err_text(err));
        }
        json_t *offer = json_of_offer(&job->reading.offers[i]);
        json_object_set_new(offer, "confidence", json_integer(job->reading.offers[i].confidence_permille));
        json_object_set_new(offer, "per_card", json_of_net_price(&price));
        json_object_set_new(offer, "audit", json_of_audit(&audit));
        json_array_append_new(offers, offer);
    }
    json_t *refused = json_of_refusals(job->reading.refused, job->reading.refused_count);
    json_t *skipped = json_of_refusals(job->extraction.refused, job->extraction.refused_count);
    json_array_extend(refused, skipped);
    json_decref(skipped);
    json_t *follow = json_array();
    for (size_t i = 0; i < job->extraction.follow_count; i++) json_array_append_new(follow, json_of_text(job->extraction.follow[i]));
    return cli_json_write(
        cli, json_pack("{s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o}", "site", json_of_text(job->facts.site), "extractor",
                       json_of_text(job->extraction.extractor), "rule_version", GPUTAPE_VERSION, "status", json_of_text(job->status),
                       "rows", (json_int_t)job->extraction.rows_found, "charset", json_of_text(job->extraction.charset), "offers",
                       offers, "refused", refused, "follow", follow));
}

static void print_quote(struct cli *cli, const struct quote *q)
{
    fprintf(cli->out, "    %-8s ", word_text(VOCABULARY_ROLE, (int)q->role));
    quote_print(cli->out, q);
    fprintf(cli->out, ", basis %s%s%s   from \"%.*s\" (%.*s)\n", word_text(VOCABULARY_BASIS, (int)q->basis),
            q->bound != BOUND_EXACT ? ", " : "", q->bound != BOUND_EXACT ? word_text(VOCABULARY_BOUND, (int)q->bound) : "",
            GT_STR_ARG(utf8_printable(q->raw, cli->arena)), GT_STR_ARG(utf8_printable(q->where, cli->arena)));
}

static void print_fields(struct cli *cli, const struct listing *listing)
{
    for (size_t f = 0; f < listing->field_count; f++) {
        const struct listing_field *field = &listing->fields[f];
        fprintf(cli->out, "    %.*s = \"%.*s\"   by %.*s\n", GT_STR_ARG(field->name), GT_STR_ARG(utf8_printable(field->text, cli->arena)),
                GT_STR_ARG(utf8_printable(field->rule, cli->arena)));
    }
}

static enum gt_err print_offer(struct cli *cli, const struct cli_page *job, const struct offer *offer)
{
    struct net_price price = {0};
    struct audit_result audit = {0};
    char month[MONEY_TEXT_MAX];
    enum gt_err err = judge(cli, job, offer, &price, &audit);
    if (err != GT_OK) return gt_fail(&cli->info, err, "cannot work out a price: %s", gt_err_text(err));
    fprintf(cli->out, "%.*s\n    card %s (%s), %d in the unit sold, %s\n", GT_STR_ARG(utf8_printable(offer->identity.label, cli->arena)),
            offer->attributes.sku[0] != '\0' ? offer->attributes.sku : "—", word_text(VOCABULARY_SKU, (int)offer->attributes.sku_status),
            offer->attributes.cards, word_text(VOCABULARY_DELIVERY, (int)offer->attributes.delivery));
    for (size_t i = 0; i < offer->record.quote_count; i++) print_quote(cli, &offer->record.quotes[i]);
    if (price.month_net_nano != 0)
        fprintf(cli->out, "    per card and month %s %s (%s): %.*s\n", money_format(price.month_net_nano, month), price.currency.code,
                word_text(VOCABULARY_EVIDENCE, (int)price.evidence), GT_STR_ARG(price.formula));
    for (size_t i = 0; i < audit.count; i++)
        fprintf(cli->out, "    audit %s: %.*s\n", audit.findings[i].code, GT_STR_ARG(audit.findings[i].detail));
    return GT_OK;
}

static void print_refused(struct cli *cli, const struct refusal *refused, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(cli->out, "refused (%.*s): %.*s\n", GT_STR_ARG(refused[i].reason), GT_STR_ARG(utf8_printable(refused[i].raw, cli->arena)));
}

static enum gt_err print_text(struct cli *cli, const struct cli_page *job, bool shows_fields)
{
    fprintf(cli->out, "site %.*s, extractor %.*s, charset %.*s: %.*s, %zu rows, %zu offers\n", GT_STR_ARG(job->facts.site),
            GT_STR_ARG(job->extraction.extractor), GT_STR_ARG(job->extraction.charset), GT_STR_ARG(job->status),
            job->extraction.rows_found, job->reading.offer_count);
    for (size_t i = 0; shows_fields && i < job->extraction.count; i++) {
        fprintf(cli->out, "  row %zu\n", i + 1);
        print_fields(cli, &job->extraction.listings[i]);
    }
    for (size_t i = 0; i < job->reading.offer_count; i++) {
        enum gt_err err = print_offer(cli, job, &job->reading.offers[i]);
        if (err != GT_OK) return err;
    }
    print_refused(cli, job->reading.refused, job->reading.refused_count);
    print_refused(cli, job->extraction.refused, job->extraction.refused_count);
    for (size_t i = 0; i < job->extraction.follow_count; i++)
        fprintf(cli->out, "leads to %.*s\n", GT_STR_ARG(utf8_printable(job->extraction.follow[i], cli->arena)));
    return GT_OK;
}

static int run(struct cli *cli, const struct arguments *args)
{
    struct cli_page job = {0};
    char *bytes = NULL;
    size_t len = 0;
    if (args->word_count < 1 || args->word_count > 2) return cli_usage(cli, "parse wants a site (or auto) and a file or -");
    enum gt_err err = file_read(args->word_count > 1 ? args->words[1] : "-", FILE_ARG_BYTES_MAX, &bytes, &len, &cli->info);
    if (err == GT_OK) err = job_open(cli, args, &job);
    if (err == GT_OK) err = cli_page_read(cli, args, args->word_count > 1 ? args->words[1] : "-", (struct gt_str){bytes, len}, &job);
    if (err == GT_OK) err = argument_has(args, "--json") ? print_json(cli, &job) : print_text(cli, &job, argument_has(args, "--fields"));
    site_rules_free(job.rules);
    free(bytes);
    return exit_from_err(err);
}

static const struct option_spec options[] = {
    {"--json", NULL, "the whole reading as JSON"},
    {"--fields", NULL, "also what each rule matched"},
    {"--url", "U", "the page's address: base of relative links"},
    {"--content-type", "T", "as the server would say it"},
    {"--currency", "C", "for auto: what a bare ¥ or number is in"},
    {"--followed", NULL, "the file is the page that the site's `follow` leads to"},
    {NULL, NULL, NULL},
};

const struct command command_parse = {
    .name = "parse",
    .usage = "SITE|auto [FILE|-] [--json]",
    .summary = "read one page as a site's rules (or auto) do and explain it; stores nothing",
    .options = options,
    .run = run};
