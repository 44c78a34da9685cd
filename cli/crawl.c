/* crawl: fetch what is due, archive, parse, store, evaluate alerts, deliver. The wiring between crawler, store and alerts. */
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/history.h"
#include "cli/report.h"
#include "common/file.h"
#include "crawler/crawl.h"
#include "crawler/lock.h"
#include "net/connect_to.h"

enum {
    LARGE_BLOCK_BYTES = 128 * 1024,
    LEFT_BYTES_MAX = 16 * 1024 * 1024, /* left by the crawl, until a commit takes it along */
    LEFT_VALUE_MAX = 4 * 1024,         /* a larger value, a long robots.txt, is kept at once, not in memory */
};

/* Set by the signal handler, which is given no context: the one writable global of the program. */
static volatile int stop_requested;

static void on_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1;
}

static void catch_stop(void)
{
    struct sigaction action = {.sa_handler = on_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* A value that the crawl left, not in the store yet. */
struct left_value {
    struct left_value *next;
    enum store_table table;
    struct gt_str key, value;
};

/* What the callbacks of one crawl share. */
struct crawl_job {
    struct cli *cli;
    struct store *store;
    struct alerts *alerts;
    const struct crawled_site *site; /* the one being committed */
    struct archive_mark closed;      /* where the archive ended with this crawl */
    struct arena *left_arena;
    struct left_value *left, **left_end; /* in the order in which they came */
};

static enum store_table table_of(const char *name)
{
    if (strcmp(name, "validators") == 0) return STORE_VALIDATORS;
    if (strcmp(name, "robots") == 0) return STORE_ROBOTS;
    return strcmp(name, "hosts") == 0 ? STORE_HOSTS : STORE_PAGES;
}

static enum gt_err memory_get(void *ctx, const char *table, struct gt_str key, struct arena *arena, struct gt_str *ret_value)
{
    struct crawl_job *job = ctx;
    struct gt_errinfo info = {0};
    enum gt_err err = store_get(job->store, NULL, table_of(table), key, arena, ret_value, &info);
    /* "Nothing known" is an answer, not something to tell. */
    if (err != GT_OK && err != GT_ENOENT) job->cli->info = info;
    return err;
}

/* Small values wait for the run's own transaction: an entry of its own for each would be an fsync each. Large ones (a robots.txt) are rare
 * and go at once. */
static enum gt_err memory_put(void *ctx, const char *table, struct gt_str key, struct gt_str value)
{
    struct crawl_job *job = ctx;
    if (value.len > LEFT_VALUE_MAX) return store_put(job->store, NULL, table_of(table), key, value, &job->cli->info);
    struct left_value *left = arena_alloc(job->left_arena, sizeof *left);
    struct gt_str key_copy = arena_dup(job->left_arena, key), value_copy = arena_dup(job->left_arena, value);
    if (left == NULL || key_copy.ptr == NULL || value_copy.ptr == NULL) return gt_fail(&job->cli->info, GT_ENOMEM, "out of memory");
    *left = (struct left_value){NULL, table_of(table), key_copy, value_copy};
    *job->left_end = left;
    job->left_end = &left->next;
    return GT_OK;
}

/* Writes what was left, in a transaction that may yet fail. */
static enum gt_err left_keep(const struct crawl_job *job, struct store_txn *txn, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (const struct left_value *left = job->left; left != NULL && err == GT_OK; left = left->next)
        err = store_put(job->store, txn, left->table, left->key, left->value, info);
    return err;
}

/* Forgets what was left: it is in the store. */
static void left_clear(struct crawl_job *job)
{
    arena_clear(job->left_arena);
    job->left = NULL;
    job->left_end = &job->left;
}

/* Runs in the transaction that holds the run: validators are kept with the body they belong to or not at all, and alert events with
 * the observation that fired them. */
static enum gt_err on_commit(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                             struct gt_errinfo *info)
{
    struct crawl_job *job = ctx;
    enum gt_err err = left_keep(job, txn, info);
    if (err == GT_OK && job->site != NULL) err = history_keep(job->store, txn, job->site, info);
    /* with the run, how far the archive is in the store: what lies behind it is adopted by the next crawl */
    if (err == GT_OK && job->site != NULL) err = history_mark_put(job->store, txn, &job->site->crawl_begin, &job->site->archive_end, info);
    if (err == GT_OK && job->site == NULL) err = history_mark_put(job->store, txn, &job->closed, &job->closed, info);
    return err != GT_OK ? err : alerts_on_run(job->alerts, txn, run, summary, info);
}

/* The crawler is told of a failure and stops: what it fetched stays in the archive, and the next start takes it over. */
static enum gt_err on_site(void *ctx, const struct crawled_site *site, struct arena *arena, struct gt_str *ret_note,
                           struct gt_errinfo *info)
{
    struct crawl_job *job = ctx;
    struct run_summary summary = {0};
    struct run_input *run = history_run_of(site, PROVENANCE_LIVE, GT_STR("local"), arena);
    if (run == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    job->site = site;
    enum gt_err err = store_run_commit(job->store, run, on_commit, job, arena, &summary, info);
    job->site = NULL;
    if (err != GT_OK) return err;
    left_clear(job);
    if (summary.offers_doubted > 0)
        *ret_note = arena_printf(arena, "%zu offers, %zu changes, %zu doubted", summary.offers_seen, summary.changes, summary.offers_doubted);
    else *ret_note = arena_printf(arena, "%zu offers, %zu changes", summary.offers_seen, summary.changes);
    return GT_OK;
}

/* Everything that can be wrong about the words is told before anybody is asked for a page. */
static int options_of(struct cli *cli, const struct arguments *args, struct crawl_options *options)
{
    const char *delay = argument_get(args, "--delay");
    *options = (struct crawl_options){.data_folder = cli->data_folder,
                                      .clock = &cli->clock,
                                      .log = &cli->log,
                                      .conf = cli->conf,
                                      .sites = args->word_count > 0 ? args->words : NULL,
                                      .connect_to = argument_all(args, "--connect-to"),
                                      .ca_file = argument_get(args, "--cacert"),
                                      .delay_ms = -1,
                                      .is_forced = argument_has(args, "--force"),
                                      .is_dry_run = argument_has(args, "--dry-run"),
                                      .shows_progress = isatty(fileno(cli->err)) != 0 && !argument_has(args, "--quiet"),
                                      .summary = argument_has(args, "--quiet") ? NULL : cli->out,
                                      .stop = &stop_requested};
    for (size_t i = 0; i < args->word_count; i++)
        if (conf_find(cli->conf, "site", gt_str_from(args->words[i])) == NULL)
            return cli_usage(cli, "no [site %s] in the configuration; `gputape sites list` names them", args->words[i]);
    const char *shard = argument_get(args, "--shard");
    if (shard != NULL && !shard_read(gt_str_from(shard), &options->shard))
        return cli_usage(cli, "--shard takes I/N, this crawler's number and how many there are (2/3, at most %d), not \"%s\"", SHARDS_MAX, shard);
    struct connect_rule rule;
    for (const char *const *to = options->connect_to; to != NULL && *to != NULL; to++)
        if (connect_rule_parse(gt_str_from(*to), &rule, &cli->info) != GT_OK) return EXIT_USAGE;
    if (delay != NULL && options->connect_to == NULL)
        return cli_usage(cli, "--delay goes with --connect-to: real hosts are never hurried");
    if (delay != NULL && !conf_parse_duration(gt_str_from(delay), &options->delay_ms))
        return cli_usage(cli, "--delay takes a duration such as 500ms or 0, not \"%s\"", delay);
    const char *deadline = argument_get(args, "--deadline");
    if (deadline != NULL && (!conf_parse_duration(gt_str_from(deadline), &options->deadline_ms) || options->deadline_ms <= 0))
        return cli_usage(cli, "--deadline takes a duration such as 10m, not \"%s\"", deadline);
    return EXIT_DONE;
}

/* A crash left runs in the archive alone; they are in the store now. */
static void adopted_tell(struct cli *cli, size_t adopted)
{
    char count[24];
    snprintf(count, sizeof count, "%zu", adopted);
    log_event(&cli->log, LOG_WARN, "archive_adopted", "runs", count, (char *)NULL);
}

/* Everything between taking the lock and letting it go. */
static enum gt_err crawl(struct crawl_job *job, const struct crawl_options *options, struct crawl_result *ret_result)
{
    struct cli *cli = job->cli;
    struct crawl_memory memory = {job, memory_get, memory_put};
    int64_t start = clock_unix_s(&cli->clock);
    enum gt_err err = alerts_new(cli->conf, job->store, &cli->clock, &job->alerts, &cli->info);
    if (err != GT_OK) return err;
    size_t adopted = 0;
    if (!options->is_dry_run) err = history_adopt(cli, job->store, job->alerts, &adopted);
    if (err != GT_OK) return err;
    if (adopted > 0) adopted_tell(cli, adopted);
    err = crawl_run(options, &memory, on_site, job, ret_result, &cli->info);
    if (options->is_dry_run || (err != GT_OK && err != GT_EINTERRUPTED)) return err;
    struct crawl_input closing = {.start_unix_s = start,
                                  .end_unix_s = clock_unix_s(&cli->clock),
                                  .sites_ok = ret_result->sites_ok,
                                  .sites_failed = ret_result->sites_failed,
                                  .sites_skipped = ret_result->sites_skipped};
    job->closed = ret_result->archive_end;
    struct gt_errinfo closing_info = {0};
    enum gt_err closed = store_crawl_commit(job->store, &closing, on_commit, job, &closing_info);
    if (closed == GT_OK) closed = alerts_deliver(job->alerts, &cli->log, &closing_info);
    if (closed == GT_OK && ret_result->sites_ok > 0) alerts_alive(job->alerts, &cli->log);
    if (err == GT_OK && closed != GT_OK) cli->info = closing_info;
    /* [report weekly] may have published one */
    if (err == GT_OK && closed == GT_OK) closed = cli_published_archive(cli, job->store);
    return err != GT_OK ? err : closed;
}

static int run(struct cli *cli, const struct arguments *args)
{
    struct crawl_options options;
    struct crawl_job job = {.cli = cli};
    struct crawl_result result = {0};
    struct run_lock *lock = NULL;
    int code = options_of(cli, args, &options);
    if (code != EXIT_DONE) return code;
    catch_stop();
    /* bodies go back to the system when they are freed; by itself glibc would keep ever larger ones in the heap, between what lives longer */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    job.left_end = &job.left;
    job.left_arena = arena_new(LEFT_BYTES_MAX);
    enum gt_err err = job.left_arena != NULL ? file_make_folder(cli->data_folder, &cli->info) : gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = cli_store_open(cli, STORE_WRITE, &job.store);
    if (err == GT_OK) err = crawl(&job, &options, &result);
    alerts_free(job.alerts);
    store_close(job.store);
    run_lock_free(lock);
    arena_free(job.left_arena);
    if (err != GT_OK) return exit_from_err(err);
    return result.sites_failed > 0 ? EXIT_PARTLY : EXIT_DONE;
}

static const struct option_spec options[] = {
    {"--force", NULL, "also what is not due, in full"},
    {"--dry-run", NULL, "say what would be fetched and why not the rest"},
    {"--shard", "I/N", "one crawler of N, the I-th: only sites whose host falls to it, by a hash that all crawlers share"},
    {"--connect-to", "H:P:A:P", "connect to address A, port P instead of host H, port P (repeatable): data is marked SAMPLE"},
    {"--cacert", "FILE", "certificates trusted beside the system's"},
    {"--delay", "D", "with --connect-to: time between two requests to one host"},
    {"--deadline", "D", "end the crawl after so long (30m): what was not begun stays due"},
    {"--quiet", NULL, "no summary lines"},
    {NULL, NULL, NULL},
};

const struct command command_crawl = {
    .name = "crawl",
    .usage = "[SITE…] [--force] [--dry-run]",
    .summary = "fetch due sites, archive, parse, store, evaluate alerts, deliver",
    .help = "Exit: 0 all good, 3 some sites failed, 75 another crawl holds the lock (its pid is told). A crawl that is stopped keeps what it "
            "has committed; the next one goes on from there.",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
