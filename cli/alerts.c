/* alerts: the alert engine by hand. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "alerts/alerts.h"
#include "cli/command.h"
#include "cli/history.h"
#include "cli/json_offer.h"
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
    json_t *array; /* collects for --json */
    size_t count;
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
    if (job->array != NULL) return json_array_append_new(job->array, event) == 0 ? GT_OK : GT_ENOMEM;
    const char *lang = argument_get(job->args, "--lang");
    const char *text = text_of(json_object_get(event, "text"), lang != NULL && strcmp(lang, "en") == 0 ? "en" : "zh");
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
    if (err == GT_OK && is_sample && job->array == NULL) fputs("SAMPLE / 示例数据\n", job->cli->out);
    if (err == GT_OK) err = alerts_list(job->alerts, since, until, on_event, job, &job->cli->info);
    if (err == GT_OK && job->array != NULL)
        return cli_json_write(job->cli, json_pack("{s:b, s:O}", "sample", is_sample, "events", job->array));
    if (err == GT_OK && job->count == 0) fputs("no alert has fired\n", job->cli->out);
    return err;
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

static enum gt_err run_lint(struct alerts_job *job)
{
    return alerts_rules(job->alerts, on_rule, job, &job->cli->info);
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

static enum gt_err run_queue(struct alerts_job *job)
{
    enum gt_err err = alerts_queues(job->alerts, on_queue, job, &job->cli->info);
    if (err == GT_OK && job->count == 0) fputs("no channel is defined\n", job->cli->out);
    return err;
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
    if (job->args->word_count != 2 || span == NULL || !conf_parse_duration(gt_str_from(span), &ms))
        return gt_fail(&job->cli->info, GT_EUSAGE, "usage: gputape alerts silence RULE --for 3d (0 ends it)");
    int64_t until = ms == 0 ? 0 : clock_unix_s(&job->cli->clock) + ms / 1000;
    struct archive_action action = {.kind = ACTION_SILENCE,
                                    .t_unix_s = clock_unix_s(&job->cli->clock),
                                    .rule = gt_str_from(job->args->words[1]),
                                    .until_unix_s = until};
    size_t adopted;
    /* archived first, as every word of the operator */
    enum gt_err err = history_adopt(job->cli, job->store, NULL, &adopted);
    if (err == GT_OK) err = history_action_put(job->cli, &action);
    if (err == GT_OK) err = alerts_silence(job->alerts, action.rule, until, &job->cli->info);
    return err == GT_OK ? history_adopt_none(job->cli, job->store) : err;
}

static const struct action {
    const char *name;
    enum gt_err (*run)(struct alerts_job *job);
    bool needs_store, writes;
    size_t words_max;
} actions[] = {
    {"list", run_list, true, false, 1}, {"lint", run_lint, false, false, 1}, {"queue", run_queue, true, false, 1},
    {"deliver", run_deliver, true, true, 1},
    {"test", run_test, true, true, 2},  {"retry", run_retry, true, true, 2}, {"silence", run_silence, true, true, 2},
};

static int run(struct cli *cli, const struct arguments *args)
{
    const struct action *action = NULL;
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) action = &actions[i];
    if (action == NULL) return cli_usage(cli, "alerts does list, lint, queue, deliver, test, retry or silence");
    if (argument_words_check(cli, args, action->name, action->words_max) != EXIT_DONE) return EXIT_USAGE;
    struct alerts_job job = {.cli = cli, .args = args};
    struct run_lock *lock = NULL;
    /* A crawl delivers too: two senders at once would send everything twice. */
    /* A channel may be tried before the first crawl. */
    enum gt_err err = action->writes ? file_make_folder(cli->data_folder, &cli->info) : GT_OK;
    if (err == GT_OK && action->writes) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK && action->needs_store) err = cli_store_open(cli, action->writes ? STORE_WRITE : STORE_READ, &job.store);
    if (err == GT_OK) err = alerts_new(cli->conf, job.store, &cli->clock, &job.alerts, &cli->info);
    if (err == GT_OK) err = action->run(&job);
    json_decref(job.array);
    alerts_free(job.alerts);
    store_close(job.store);
    run_lock_free(lock);
    return exit_from_err(err);
}

static const struct option_spec options[] = {
    {"--since", "T", "list: from this time on"},
    {"--until", "T", "list: up to this time, not included"},
    {"--json", NULL, "list as JSON"},
    {"--lang", "zh|en", "list: language of the sentences"},
    {"--for", "D", "silence: for how long, such as 3d; 0 ends it"},
    {NULL, NULL, NULL},
};

const struct command command_alerts = {
    .name = "alerts",
    .usage = "list|lint|queue|deliver|test|retry|silence …",
    .summary = "the alert engine by hand: what fired, how rules read, what waits in the outbox",
    .help = "  alerts list [--since T]           every event that was recorded\n"
            "  alerts lint                       each rule in a plain sentence, with what looks wrong\n"
            "  alerts queue                      what waits for each channel, what is parked and why\n"
            "  alerts deliver                    send what waits now\n"
            "  alerts test CHANNEL               send a test event\n"
            "  alerts retry CHANNEL              put parked events back in line and send\n"
            "  alerts silence RULE --for 3d      record, but do not send, what that rule fires",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
