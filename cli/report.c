/* The commands that print a report: offers, history, changes, index, report, breakeven, audit, transparency, health. All run through the same sinks;
 * `advise` has options of its own and stands in advise.c. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report.h"
#include "cli/report_sites.h"
#include "clickhouse/clickhouse.h"
#include "common/civil.h"
#include "common/file.h"
#include "common/nearest.h"
#include "pricing/fx.h"
#include "pricing/holding.h"
#include "reports/period.h"
#include "reports/report.h"

enum { WIDTH_MIN = 40, WIDTH_MAX = 1000, SITES_SUGGESTED_MAX = 512 };

/* Columns of the output: --width, the terminal's, or no limit. */
static int width_of(struct cli *cli, const struct arguments *args, int *ret_width)
{
    int64_t width, usual = argument_get(args, "-o") == NULL ? cli_width(cli) : 0;
    if (!argument_number(cli, args, "--width", WIDTH_MIN, WIDTH_MAX, usual, &width)) return EXIT_USAGE;
    *ret_width = (int)width;
    return EXIT_DONE;
}

int cli_language_read(struct cli *cli, const struct arguments *args, enum gt_lang *ret_lang)
{
    const char *text = argument_get(args, "--lang");
    const struct conf_section *defaults = conf_find(cli->conf, "defaults", (struct gt_str){NULL, 0});
    struct gt_str word = text != NULL ? gt_str_from(text) : defaults != NULL ? conf_text(defaults, "lang") : GT_STR("zh");
    return lang_find(word, ret_lang) ? EXIT_DONE : cli_usage(cli, "--lang takes zh or en");
}

/* --week, --month, or --since and --until. */
static int period_of(struct cli *cli, const struct arguments *args, struct report_input *input)
{
    const char *week = argument_get(args, "--week"), *month = argument_get(args, "--month");
    bool has_span = argument_has(args, "--since") || argument_has(args, "--until");
    if ((week != NULL) + (month != NULL) + has_span > 1) return cli_usage(cli, "one of --week, --month, --since/--until");
    struct report_period period = {0};
    if (week != NULL && !period_week_read(gt_str_from(week), input->zone_offset_s, &period))
        return cli_usage(cli, "--week takes a week such as 2026-W38, not \"%s\"", week);
    if (month != NULL && !period_month_read(gt_str_from(month), input->zone_offset_s, &period))
        return cli_usage(cli, "--month takes a month such as 2026-11, not \"%s\"", month);
    if ((week != NULL || month != NULL) && period.since_unix_s > input->now_unix_s)
        return cli_usage(cli, "%s has not begun yet", week != NULL ? week : month);
    input->since_unix_s = period.since_unix_s;
    input->until_unix_s = period.until_unix_s;
    if (!argument_time(cli, args, "--since", input->since_unix_s, &input->since_unix_s) ||
        !argument_time(cli, args, "--until", input->until_unix_s, &input->until_unix_s))
        return EXIT_USAGE;
    if (argument_has(args, "--since") && !argument_has(args, "--until")) input->until_unix_s = input->now_unix_s + 1;
    return EXIT_DONE;
}

/* A misspelt source gives an empty board: it is said, and no error, because the store may know sources that left the configuration. */
static void tell_unknown_sites(struct cli *cli, const struct report_input *input)
{
    const char *names[SITES_SUGGESTED_MAX];
    size_t count = input->site_count < SITES_SUGGESTED_MAX ? input->site_count : SITES_SUGGESTED_MAX;
    for (size_t i = 0; i < count; i++) names[i] = arena_dup(cli->arena, input->sites[i].name).ptr;
    struct gt_str site;
    for (size_t i = 0; (site = query_site(input->query, i)).len > 0; i++) {
        if (conf_find(cli->conf, "site", site) != NULL) continue;
        const char *nearest = nearest_word(site, names, count);
        fprintf(cli->err, "gputape: the configuration has no site \"%.*s\"%s%s%s\n", GT_STR_ARG(site),
                nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
    }
}

/* The week that is 100. */
static int base_of(struct cli *cli, const struct arguments *args, struct report_input *input)
{
    const char *base = argument_get(args, "--base");
    struct report_period period = {0};
    if (base == NULL) return EXIT_DONE;
    if (!period_week_read(gt_str_from(base), input->zone_offset_s, &period))
        return cli_usage(cli, "--base takes a week such as 2026-W38, not \"%s\"", base);
    input->base_unix_s = period.since_unix_s;
    return EXIT_DONE;
}

/* Each option is read before the store is opened: opening may take a while, a wrong word is told at once. */
static int input_of(struct cli *cli, const struct arguments *args, struct report_input *input)
{
    const char *persona = argument_get(args, "--persona"), *currency = argument_get(args, "--currency");
    *input = (struct report_input){.now_unix_s = clock_unix_s(&cli->clock),
                                   .query_text = argument_words(cli, args, 0),
                                   .has_bom = argument_has(args, "--bom"),
                                   .currency = currency_from(gt_str_from(currency)),
                                   .zone_offset_s = CIVIL_SHANGHAI_S};
    int code = width_of(cli, args, &input->width);
    if (code == EXIT_DONE) code = cli_language_read(cli, args, &input->lang);
    if (code == EXIT_DONE) code = period_of(cli, args, input);
    if (code == EXIT_DONE) code = base_of(cli, args, input);
    if (code == EXIT_DONE && currency != NULL && !currency_is_code(gt_str_from(currency)))
        code = cli_usage(cli, "--currency takes an ISO code such as CNY, not \"%s\"", currency);
    if (code != EXIT_DONE) return code;
    enum gt_err err = persona_read(gt_str_from(persona), &input->persona, &cli->info);
    if (err == GT_OK) err = query_read(input->query_text, cli->arena, &input->query, &cli->info);
    if (err == GT_OK) err = report_sites_read(cli->conf, input, cli->arena, &cli->info);
    if (err == GT_OK) tell_unknown_sites(cli, input);
    return exit_from_err(err);
}

/* `--json` is what scripts write; beside another format it would be ignored in silence, so it is refused. */
static int sink_of(struct cli *cli, const struct arguments *args, const struct sink **ret_sink)
{
    const char *format = argument_get(args, "--format");
    bool is_json = argument_has(args, "--json");
    if (argument_get(args, "--chart") != NULL) return cli_chart_sink(cli, args, ret_sink);
    if (is_json && format != NULL && strcmp(format, "json") != 0) return cli_usage(cli, "one of --json, --format");
    if (is_json) format = "json";
    *ret_sink = sink_find(gt_str_from(format != NULL ? format : "text"));
    return *ret_sink != NULL ? EXIT_DONE : cli_usage(cli, "--format takes text, md, html, csv, json or xlsx, not \"%s\"", format);
}

/* Into a file as a whole or not at all: a reader never sees half a report. */
static enum gt_err run_to_file(struct cli *cli, const struct report *report, const struct report_input *input,
                               const struct sink *sink, const char *path)
{
    struct file_draft draft;
    enum gt_err err = file_draft_begin(path, 0644, &draft, &cli->info);
    if (err != GT_OK) return err;
    err = report->run(input, sink, draft.file, &cli->info);
    return file_draft_end(&draft, err, &cli->info);
}

/* --in, and the rates of [fx] that go with it. */
static int rates_of(struct cli *cli, const struct arguments *args, struct report_input *input)
{
    const char *code = argument_get(args, "--in");
    struct fx_table *rates = arena_alloc(cli->arena, sizeof *rates);
    if (code == NULL) return EXIT_DONE;
    if (!currency_is_code(gt_str_from(code))) return cli_usage(cli, "--in takes an ISO code such as CNY, not \"%s\"", code);
    if (rates == NULL) return exit_from_err(gt_fail(&cli->info, GT_ENOMEM, "out of memory"));
    input->shown_in = currency_from(gt_str_from(code));
    input->rates = rates;
    return exit_from_err(fx_table_read(conf_find(cli->conf, "fx", (struct gt_str){NULL, 0}), cli->arena, rates, &cli->info));
}

/* What is rented today: told by the report alone, which its reader runs; `serve` has other readers. */
static int holdings_of(struct cli *cli, struct report_input *input)
{
    struct holding *holdings;
    enum gt_err err = holdings_read(cli->conf, cli->arena, &holdings, &input->holding_count, &cli->info);
    if (err == GT_OK) input->holdings = holdings;
    return exit_from_err(err);
}

/* --store's history where it is given, else the data folder's. */
static enum gt_err history_open(struct cli *cli, const char *place, struct store **ret_store)
{
    if (place == NULL) return cli_store_open(cli, STORE_READ, ret_store);
    if (!gt_str_starts(gt_str_from(place), GT_STR(CLICKHOUSE_SCHEME)))
        return gt_fail(&cli->info, GT_EUSAGE, "--store takes " CLICKHOUSE_SCHEME "URL");
    return clickhouse_store_open(place + strlen(CLICKHOUSE_SCHEME), ret_store, &cli->info);
}

/* A week is published only after its report was written: what nobody could read was not published. */
int cli_report_print(struct cli *cli, const struct arguments *args, const struct report *report, const struct advice_need *advice)
{
    struct report_input input;
    struct cli_publication publication;
    const char *path = argument_get(args, "-o"), *chart = argument_get(args, "--chart");
    const struct sink *sink = NULL;
    int code = input_of(cli, args, &input);
    if (code != EXIT_DONE) return code;
    input.advice = advice;
    code = rates_of(cli, args, &input);
    if (code == EXIT_DONE && report == &report_weekly) code = holdings_of(cli, &input);
    if (code == EXIT_DONE) code = sink_of(cli, args, &sink);
    if (code != EXIT_DONE || sink == NULL) return code;
    bool is_text = sink->media_type == NULL || gt_str_starts(gt_str_from(sink->media_type), GT_STR("text/")) || strcmp(sink->name, "json") == 0;
    if (!is_text && path == NULL && isatty(fileno(cli->out)))
        return cli_usage(cli, "%s is nothing for a terminal: name a file with -o", sink->name);
    code = cli_publish_begin(cli, args, &input, &publication);
    if (code != EXIT_DONE) return code;
    enum gt_err err = history_open(cli, argument_get(args, "--store"), &input.store);
    if (err == GT_OK) err = report_sites_due(&input, cli->arena, &cli->info);
    if (err == GT_OK && chart != NULL) err = cli_chart_write(cli, report, &input, sink, chart);
    else if (err == GT_OK && path != NULL) err = run_to_file(cli, report, &input, sink, path);
    else if (err == GT_OK) err = report->run(&input, sink, cli->out, &cli->info);
    store_close(input.store);
    return exit_from_err(cli_publish_end(cli, &input, &publication, err));
}

static const struct option_spec board_options[] = {PERSONA_OPTIONS, SINK_OPTIONS, {NULL, NULL, NULL}};
static const struct option_spec offers_options[] = {PERSONA_OPTIONS, IN_OPTION, STORE_OPTION, SINK_OPTIONS, {NULL, NULL, NULL}};
static const struct option_spec health_options[] = {TIME_OPTIONS, PERSONA_OPTIONS, SINK_OPTIONS, {NULL, NULL, NULL}};
static const struct option_spec changes_options[] = {TIME_OPTIONS, PERSONA_OPTIONS, STORE_OPTION, SINK_OPTIONS, {NULL, NULL, NULL}};
static const struct option_spec history_options[] = {TIME_OPTIONS, CHART_OPTION, PERSONA_OPTIONS, STORE_OPTION, SINK_OPTIONS, {NULL, NULL, NULL}};
static const struct option_spec week_options[] = {{"--week", "2026-W48", "an ISO week; by default the one that holds yesterday"},
                                                  {"--month", "2026-11", "a month"},
                                                  {"--publish", NULL, "keep the week's figures as published: what differs later is a correction"},
                                                  {"--published", NULL, "what was published; with --week its figures"},
                                                  TIME_OPTIONS, PERSONA_OPTIONS, IN_OPTION, STORE_OPTION, SINK_OPTIONS, {NULL, NULL, NULL}};

static const struct option_spec index_options[] = {{"--base", "2026-W36", "the week that is 100; by default each series' first unbroken one"},
                                                   TIME_OPTIONS, CHART_OPTION, PERSONA_OPTIONS, STORE_OPTION, SINK_OPTIONS, {NULL, NULL, NULL}};

static int run_report(struct cli *cli, const struct arguments *args)
{
    return cli_report_print(cli, args, argument_has(args, "--published") ? &report_published : &report_weekly, NULL);
}

const struct command command_report = {.name = "report",
                                       .usage = "[--week 2026-W48 | --month 2026-11 | --since T --until T] [-o FILE] [--publish | --published]",
                                       .summary = "the weekly report",
                                       .options = week_options,
                                       .needs = NEEDS_CONF,
                                       .run = run_report};

#define REPORT_COMMAND(id, source, words, text, option_table)                                                  \
    static int run_##id(struct cli *cli, const struct arguments *args)                                         \
    {                                                                                                          \
        return cli_report_print(cli, args, &report_##source, NULL);                                              \
    }                                                                                                          \
    const struct command command_##id = {.name = #id, .usage = words, .summary = text, .options = option_table, \
                                         .needs = NEEDS_CONF, .run = run_##id}

REPORT_COMMAND(offers, offers, "[QUERY] [--persona P]", "today's board by comparison class, per-card hour and month, cheapest first",
               offers_options);
REPORT_COMMAND(history, history, "QUERY [--since T] [--until T] [--chart FILE]", "how the prices of some offers moved", history_options);
REPORT_COMMAND(changes, changes, "[QUERY] [--since T] [--until T]", "what changed: prices, terms, promotions, stock, listings; what alerts told",
               changes_options);
REPORT_COMMAND(index, index, "[QUERY] [--base WEEK] [--since T] [--until T] [--chart FILE]",
               "how prices moved, apart from who offers what, week by week", index_options);
REPORT_COMMAND(breakeven, breakeven, "[QUERY] [--persona P]", "from how many hours a month the monthly price beats the hourly one",
               board_options);
REPORT_COMMAND(audit, audit, "[QUERY]", "printed figures held against each other", board_options);
REPORT_COMMAND(transparency, transparency, "[QUERY]", "what each platform discloses of what a buyer checks, and what it does not", board_options);
REPORT_COMMAND(health, health, "[--since T]", "the sources: last good time, status, streak, latency, bytes, rows, next run", health_options);
