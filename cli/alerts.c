/* alerts: the alert engine by hand. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "alerts/alerts.h"
#include "cli/command.h"
#include "cli/history.h"
#include "cli/json_offer.h"
#include "cli/report.h"
#include "common/civil.h"
#include "common/file.h"
#include "common/utf8.h"
#include "crawler/lock.h"

/* What one call of the command works with. */
struct alerts_job {
    struct cli *cli;
    const struct arguments *args;
    struct store *store;
    struct alerts *alerts;
    enum gt_lang lang;
    json_t *array; /* collects for --json */
    size_t count;
    size_t interrupting; /* of lint: events that are sent at once */
    int32_t days;        /* of lint: of history looked at */
    int64_t a_day_max;   /* of lint: a rule that fires more often is told of */
};

enum {
    RULE_A_DAY_MAX = 3, /* more, and people turn alerts off */
    RULE_A_DAY_ASKED_MAX = 999999,
    WORDS_MAX = 64,
};

static const char *text_of(json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text != NULL ? text : "";
}

/* One event as a line: time, severity, rule, the sentence in the language of the reports. */
static enum gt_err on_event(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct alerts_job *job = ctx;
    char time[CIVIL_TEXT_MAX];
    json_error_t error;
    json_t *event = json_loadb(json.ptr, json.len, 0, &error);
    if (event == NULL) return gt_fail(&job->cli->info, GT_ECORRUPT, "an event cannot be read: %s", error.text);
    job->count++;
    json_object_del(event, "body"); /* of a report, which `gputape report` prints */
    json_object_del(event, "html");
    json_object_del(event, "plot");
    if (job->array != NULL) return json_array_append_new(job->array, event) == 0 ? GT_OK : GT_ENOMEM;
    const char *text = text_of(json_object_get(event, "text"), lang_name(job->lang));
    fprintf(job->cli->out, "%s  %-8s %-18s %.*s\n", civil_rfc3339(t_unix_s, time), text_of(event, "severity"), text_of(event, "rule"),
            GT_STR_ARG(utf8_printable(gt_str_from(text), job->cli->arena)));
    json_decref(event);
    return GT_OK;
}

static enum gt_err run_list(struct alerts_job *job)
{
    int64_t since, until;
    bool is_sample = false;
    if (!argument_time(job->cli, job->args, "--since", INT64_MIN, &since) ||
        !argument_time(job->cli, job->args, "--until", clock_unix_s(&job->cli->clock) + 1, &until))
        return GT_EUSAGE;
    if (argument_has(job->args, "--json")) job->array = json_array();
    enum gt_err err = store_is_sample(job->store, &is_sample, &job->cli->info);
    if (err == GT_OK && is_sample && job->array == NULL) fputs(STORE_SAMPLE_NOTICE "\n", job->cli->out);
    if (err == GT_OK) err = alerts_list(job->alerts, since, until, on_event, job, &job->cli->info);
    if (err == GT_OK && job->array != NULL)
        return cli_json_write(job->cli, json_pack("{s:b, s:O}", "sample", is_sample, "events", job->array));
    if (err == GT_OK && job->count == 0) fputs("no alert has fired\n", job->cli->out);
    return err;
}

/* What would have fired, and how often that is. */
static enum gt_err run_replay(struct alerts_job *job)
{
    int64_t since, until;
    bool is_sample = false;
    char from[CIVIL_TEXT_MAX], to[CIVIL_TEXT_MAX];
    if (!argument_time(job->cli, job->args, "--since", 0, &since) ||
        !argument_time(job->cli, job->args, "--until", clock_unix_s(&job->cli->clock) + 1, &until))
        return GT_EUSAGE;
    if (!argument_has(job->args, "--since"))
        return gt_fail(&job->cli->info, GT_EUSAGE, "usage: gputape alerts replay --since T [--until T] [--json]");
    if (until <= since) return gt_fail(&job->cli->info, GT_EUSAGE, "--until lies before --since");
    if (argument_has(job->args, "--json")) job->array = json_array();
    enum gt_err err = store_is_sample(job->store, &is_sample, &job->cli->info);
    if (err == GT_OK && is_sample && job->array == NULL) fputs(STORE_SAMPLE_NOTICE "\n", job->cli->out);
    if (err == GT_OK) err = alerts_replay(job->alerts, since, until, on_event, job, &job->cli->info);
    if (err != GT_OK) return err;
    if (job->array != NULL)
        return cli_json_write(job->cli, json_pack("{s:b, s:s, s:s, s:O}", "sample", is_sample, "since", civil_rfc3339(since, from), "until",
                                                  civil_rfc3339(until, to), "events", job->array));
    fprintf(job->cli->out, "%zu would have fired; nothing was sent, nothing was written\n", job->count);
    return GT_OK;
}

static enum gt_err on_rule(void *ctx, const struct alerts_rule *rule)
{
    struct alerts_job *job = ctx;
    FILE *out = job->cli->out;
    fprintf(out, "%s:%d: %.*s%s\n    %.*s\n", rule->file, rule->line, GT_STR_ARG(rule->name), rule->is_enabled ? "" : " (not enabled)",
            GT_STR_ARG(rule->reads));
    if (rule->warning.len > 0) fprintf(out, "    careful: %.*s\n", GT_STR_ARG(rule->warning));
    return GT_OK;
}

/* What the stored history says of a rule: silent when there is nothing to say. */
static enum gt_err on_review(void *ctx, const struct alerts_review *review)
{
    struct alerts_job *job = ctx;
    FILE *out = job->cli->out;
    if (review->is_about_offers && review->offers_matched == 0)
        fprintf(out, "careful: %.*s matches no offer in the store\n", GT_STR_ARG(review->name));
    else if (review->is_about_offers && review->offers_in_floor == 0)
        fprintf(out, "careful: %.*s can never fire: none of the %zu offers that it matches is priced in a currency that it names\n",
                GT_STR_ARG(review->name), review->offers_matched);
    if ((int64_t)review->interrupting > job->a_day_max * review->days)
        fprintf(out, "careful: %.*s would have fired %zu times in %d days, more than %lld a day\n", GT_STR_ARG(review->name), review->interrupting,
                review->days, (long long)job->a_day_max);
    job->count += review->fired;
    job->interrupting += review->interrupting;
    job->days = review->days;
    return GT_OK;
}

/* Without a store the rules are read alone. */
static enum gt_err run_lint(struct alerts_job *job)
{
    if (!argument_number(job->cli, job->args, "--max", 0, RULE_A_DAY_ASKED_MAX, RULE_A_DAY_MAX, &job->a_day_max)) return GT_EUSAGE;
    enum gt_err err = alerts_rules(job->alerts, on_rule, job, &job->cli->info);
    if (err != GT_OK || job->store == NULL) return err;
    err = alerts_review(job->alerts, on_review, job, &job->cli->info);
    if (err == GT_OK && job->days > 0)
        fprintf(job->cli->out, "over the last %d days these rules would have fired %zu times, %zu of them sent at once\n", job->days, job->count,
                job->interrupting);
    return err;
}

static enum gt_err on_queue(void *ctx, const struct alerts_queue *queue)
{
    struct alerts_job *job = ctx;
    FILE *out = job->cli->out;
    char time[CIVIL_TEXT_MAX];
    fprintf(out, "%-14.*s %zu waiting, %zu parked", GT_STR_ARG(queue->channel), queue->waiting, queue->parked);
    if (!queue->is_defined) fputs(", no such section any more", out);
    if (queue->attempts > 0) fprintf(out, ", %d failures in a row: %.*s", queue->attempts, GT_STR_ARG(queue->last_error));
    if (queue->next_try_unix_s != 0) fprintf(out, ", next try %s", civil_rfc3339(queue->next_try_unix_s, time));
    fputc('\n', out);
    job->count++;
    return GT_OK;
}

static enum gt_err on_silence(void *ctx, struct gt_str what, bool is_query, int64_t until_unix_s)
{
    struct alerts_job *job = ctx;
    char time[CIVIL_TEXT_MAX];
    fprintf(job->cli->out, "silenced until %s: %s%.*s\n", civil_rfc3339(until_unix_s, time), is_query ? "" : "rule ", GT_STR_ARG(what));
    return GT_OK;
}

static enum gt_err run_queue(struct alerts_job *job)
{
    enum gt_err err = alerts_queues(job->alerts, on_queue, job, &job->cli->info);
    if (err == GT_OK && job->count == 0) fputs("no channel is defined\n", job->cli->out);
    return err == GT_OK ? alerts_silences(job->alerts, on_silence, job, &job->cli->info) : err;
}

static enum gt_err run_deliver(struct alerts_job *job)
{
    enum gt_err err = alerts_deliver(job->alerts, &job->cli->log, &job->cli->info);
    return err == GT_OK ? run_queue(job) : err;
}

static enum gt_err channel_wanted(struct alerts_job *job, const char *action)
{
    return gt_fail(&job->cli->info, GT_EUSAGE, "alerts %s wants the name of a channel", action);
}

static enum gt_err run_test(struct alerts_job *job)
{
    if (job->args->word_count != 2) return channel_wanted(job, "test");
    enum gt_err err = alerts_test(job->alerts, gt_str_from(job->args->words[1]), &job->cli->info);
    return err == GT_OK ? run_deliver(job) : err;
}

static enum gt_err run_retry(struct alerts_job *job)
{
    if (job->args->word_count != 2) return channel_wanted(job, "retry");
    enum gt_err err = alerts_unpark(job->alerts, gt_str_from(job->args->words[1]), &job->cli->info);
    return err == GT_OK ? run_deliver(job) : err;
}

static enum gt_err run_silence(struct alerts_job *job)
{
    const char *span = argument_get(job->args, "--for");
    int64_t ms = 0;
    if (job->args->word_count < 2 || span == NULL || !conf_parse_duration(gt_str_from(span), &ms))
        return gt_fail(&job->cli->info, GT_EUSAGE, "usage: gputape alerts silence RULE|QUERY --for 3d (0 ends it)");
    int64_t until = ms == 0 ? 0 : clock_unix_s(&job->cli->clock) + ms / 1000;
    struct archive_action action = {.kind = ACTION_SILENCE,
                                    .t_unix_s = clock_unix_s(&job->cli->clock),
                                    .rule = argument_words(job->cli, job->args, 1),
                                    .until_unix_s = until};
    size_t adopted;
    /* archived first, as every word of the operator */
    enum gt_err err = history_adopt(job->cli, job->store, NULL, &adopted);
    if (err == GT_OK) err = history_action_put(job->cli, &action);
    if (err == GT_OK) err = alerts_silence(job->alerts, action.rule, until, &job->cli->info);
    return err == GT_OK ? history_adopt_none(job->cli, job->store) : err;
}

static enum gt_err run_ack(struct alerts_job *job)
{
    if (job->args->word_count != 2) return gt_fail(&job->cli->info, GT_EUSAGE, "usage: gputape alerts ack EVENT");
    return alerts_ack(job->alerts, gt_str_from(job->args->words[1]), &job->cli->info);
}

static const struct action {
    const char *name;
    enum gt_err (*run)(struct alerts_job *job);
    bool needs_store, writes;
    size_t words_max;
} actions[] = {
    {"list", run_list, true, false, 1},       {"replay", run_replay, true, false, 1}, {"lint", run_lint, false, false, 1},
    {"queue", run_queue, true, false, 1},     {"deliver", run_deliver, true, true, 1}, {"test", run_test, true, true, 2},
    {"retry", run_retry, true, true, 2},      {"ack", run_ack, true, true, 2},
    {"silence", run_silence, true, true, WORDS_MAX},
};

static int run(struct cli *cli, const struct arguments *args)
{
    const struct action *action = NULL;
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) action = &actions[i];
    if (action == NULL) return cli_usage(cli, "alerts does list, replay, lint, queue, deliver, test, retry, ack or silence");
    if (argument_words_check(cli, args, action->name, action->words_max) != EXIT_DONE) return EXIT_USAGE;
    struct alerts_job job = {.cli = cli, .args = args};
    if (cli_language_read(cli, args, &job.lang) != EXIT_DONE) return EXIT_USAGE;
    struct run_lock *lock = NULL;
    /* A crawl delivers too: two senders at once would send everything twice. */
    /* A channel may be tried before the first crawl. */
    enum gt_err err = action->writes ? file_make_folder(cli->data_folder, &cli->info) : GT_OK;
    if (err == GT_OK && action->writes) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = cli_store_open(cli, action->writes ? STORE_WRITE : STORE_READ, &job.store);
    if (err == GT_ENOENT && !action->needs_store) { /* rules can be read before there is any history */
        err = GT_OK;
        cli->info = (struct gt_errinfo){0};
    }
    if (err == GT_OK) err = alerts_new(cli->conf, job.store, &cli->clock, &job.alerts, &cli->info);
    if (err == GT_OK) err = action->run(&job);
    json_decref(job.array);
    alerts_free(job.alerts);
    store_close(job.store);
    run_lock_free(lock);
    return exit_from_err(err);
}

static const struct option_spec options[] = {
    {"--since", "T", "list, replay: from this time on"},
    {"--until", "T", "list, replay: up to this time, not included"},
    {"--json", NULL, "list, replay: as JSON"},
    {"--lang", "zh|en", "list, replay: language of the sentences"},
    {"--max", "N", "lint: tell of rules that would have fired more often than so many times a day (3)"},
    {"--for", "D", "silence: for how long, such as 3d; 0 ends it"},
    {NULL, NULL, NULL},
};

const struct command command_alerts = {
    .name = "alerts",
    .usage = "list|replay|lint|queue|deliver|test|retry|ack|silence …",
    .summary = "the alert engine by hand: what fired, how rules read, what waits in the outbox",
    .help = "  alerts list [--since T]           every event that was recorded\n"
            "  alerts replay --since T           what today's rules would have fired over the stored history; sends and writes nothing\n"
            "  alerts lint                       each rule in a plain sentence, with what looks wrong and how often it would have fired\n"
            "  alerts queue                      what waits for each channel, what is parked and why\n"
            "  alerts deliver                    send what waits now\n"
            "  alerts test CHANNEL               send a test event\n"
            "  alerts retry CHANNEL              put parked events back in line and send\n"
            "  alerts ack EVENT                  take an event off every line: seen to\n"
            "  alerts silence RULE --for 3d      record, but do not send, what that rule fires\n"
            "  alerts silence QUERY --for 3d     or what any rule fires about such offers or sources",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
