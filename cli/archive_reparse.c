/* archive reparse: what today's rules make of the pages that were archived. It is made in a copy of the store; the difference is shown, and
 * with --apply the copy takes the store's place. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/archive.h"
#include "cli/history.h"
#include "cli/json_offer.h"
#include "common/civil.h"
#include "common/utf8.h"
#include "crawler/lock.h"
#include "reports/published.h"
#include "store/cut.h"

/* One stretch of history, as a line. */
struct span_line {
    struct gt_str text;
};

struct span_list {
    struct cli *cli;
    struct gt_str site;
    struct span_line *items;
    size_t count, cap;
};

/* What is done, and how it went. */
struct reparse {
    struct cli *cli;
    struct store *made;
    struct gt_str site;
    const struct crawled_site *present;
    int64_t since_unix_s;
    uint64_t cut_runs;
    size_t rows; /* parts and actions that were written anew */
    struct replay_counts counts;
    struct span_list before, after;
    size_t corrections;
};

/* ---- the difference ---- */

/* A span as a person would tell it: whose, what card, what price, from when to when. */
static struct gt_str span_text(struct cli *cli, const struct history_row *row)
{
    char hour[MONEY_TEXT_MAX] = "-", month[MONEY_TEXT_MAX] = "-", first[CIVIL_TEXT_MAX], last[CIVIL_TEXT_MAX];
    const struct offer *offer = &row->offer->offer;
    const struct offer_record *record = &offer->record;
    const char *sku =
        offer->attributes.sku[0] != '\0' ? offer->attributes.sku : word_text(VOCABULARY_SKU, (int)offer->attributes.sku_status);
    if (record->hour_list_nano != 0) money_format(record->hour_list_nano, hour);
    if (record->month_list_nano != 0) money_format(record->month_list_nano, month);
    return arena_printf(
        cli->arena, "\"%.*s\"%s%.*s%s%.*s: %s, hour %s, month %s %s, %s, %s to %s%s%s", GT_STR_ARG(offer->identity.label),
        offer->identity.plan.len > 0 ? " " : "", GT_STR_ARG(offer->identity.plan), offer->identity.region.len > 0 ? " " : "",
        GT_STR_ARG(offer->identity.region), sku, hour, month, record->currency.code,
        word_text(VOCABULARY_AVAIL, (int)record->availability), civil_rfc3339(row->first_unix_s, first),
        civil_rfc3339(row->last_unix_s, last), row->is_doubted ? ", doubted" : "", row->is_voided ? ", voided" : "");
}

/* As text: what changed is what a reader of the history would see changed. */
static enum gt_err span_add(void *ctx, const struct history_row *row)
{
    struct span_list *list = ctx;
    void *items = list->items;
    if (!gt_str_eq(row->offer->site, list->site)) return GT_OK;
    struct gt_str text = span_text(list->cli, row);
    if (text.ptr == NULL || !arena_grow(list->cli->arena, &items, list->count, &list->cap, sizeof *list->items)) return GT_ENOMEM;
    list->items = items;
    list->items[list->count++].text = text;
    return GT_OK;
}

static int line_cmp(const void *left, const void *right)
{
    const struct span_line *a = left, *b = right;
    return gt_str_cmp(a->text, b->text);
}

/* All spans of the site that touch the time from `since` on, sorted. */
static enum gt_err spans_load(struct reparse *job, struct store *store, struct span_list *list)
{
    *list = (struct span_list){.cli = job->cli, .site = job->site};
    enum gt_err err = store_history(store, job->since_unix_s, INT64_MAX, job->cli->arena, span_add, list, &job->cli->info);
    if (err == GT_OK && list->count > 0) qsort(list->items, list->count, sizeof *list->items, line_cmp);
    return err;
}

/* One correction: what goes ("-") or what comes ("+"). */
static void correction_tell(struct reparse *job, json_t *list, const char *sign, struct gt_str text)
{
    job->corrections++;
    if (list != NULL)
        json_array_append_new(
            list, json_pack("{s:s, s:o}", "change", strcmp(sign, "-") == 0 ? "removed" : "added", "span", json_of_text(text)));
    else fprintf(job->cli->out, "%s %.*s\n", sign, GT_STR_ARG(utf8_printable(text, job->cli->arena)));
}

/* Both lists are sorted: what is in one of them only is told. */
static void difference_tell(struct reparse *job, json_t *list)
{
    size_t a = 0, b = 0;
    while (a < job->before.count || b < job->after.count) {
        int order = a == job->before.count  ? 1
                    : b == job->after.count ? -1
                                            : gt_str_cmp(job->before.items[a].text, job->after.items[b].text);
        if (order < 0) correction_tell(job, list, "-", job->before.items[a].text);
        if (order > 0) correction_tell(job, list, "+", job->after.items[b].text);
        a += order <= 0;
        b += order >= 0;
    }
}

/* ---- the new history ---- */

static enum gt_err on_commit(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                             struct gt_errinfo *info)
{
    struct reparse *job = ctx;
    (void)run;
    (void)summary;
    return history_keep(job->made, txn, job->present, info);
}

static enum gt_err on_run(void *ctx, const struct replayed_run *replayed, struct arena *arena, struct gt_errinfo *info)
{
    struct reparse *job = ctx;
    struct run_input *run = history_run_of(&replayed->site, replayed->provenance, replayed->writer, arena);
    if (run == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    job->rows += run->part_count;
    job->present = &replayed->site;
    return store_run_commit(job->made, run, on_commit, job, arena, NULL, info);
}

static enum gt_err on_action(void *ctx, const struct archive_action *action, struct gt_errinfo *info)
{
    struct reparse *job = ctx;
    char day[CIVIL_TEXT_MAX];
    /* read anew from what is left, the runs of then would count as failed */
    if (action->kind == ACTION_DROP && job->since_unix_s < action->until_unix_s)
        return gt_fail(info, GT_EREFUSED,
                       "pages of before %s were dropped by retention; their records stay as they were read: --since wants that day or a later one",
                       civil_date(action->until_unix_s, 0, day));
    bool is_its = gt_str_eq(action->site, job->site) && (action->kind == ACTION_VOID || action->kind == ACTION_RELEASE);
    job->rows += is_its;
    return is_its ? history_action_do(job->cli, job->made, action, info) : GT_OK;
}

/* Cuts the copy and replays into it. */
static enum gt_err replay_site(struct reparse *job)
{
    struct cut_scope scope = {job->site, PROVENANCE_LIVE, GT_STR("local"), job->since_unix_s};
    struct replay_options options = {.folder = history_archive_folder(job->cli),
                                     .conf = job->cli->conf,
                                     .with_today = true,
                                     .streams = REPLAY_LIVE,
                                     .site = job->site,
                                     .since_unix_s = job->since_unix_s};
    struct replay_fns fns = {.ctx = job, .run = on_run, .action = on_action};
    enum gt_err err = store_cut(job->made, &scope, &job->cut_runs, &job->cli->info);
    if (err == GT_OK) err = replay_run(&options, &fns, &job->counts, &job->cli->info);
    /* what the archive does not hold would be lost */
    if (err == GT_OK && job->rows < job->cut_runs)
        err = gt_fail(&job->cli->info, GT_EREFUSED,
                      "the store has %" PRIu64 " runs of %.*s since then, the archive %zu: it is not whole", job->cut_runs,
                      GT_STR_ARG(job->site), job->rows);
    return err;
}

/* What changed, and whether it was done. */
static enum gt_err tell(struct reparse *job, bool is_json, bool is_applied)
{
    json_t *list = is_json ? json_array() : NULL;
    difference_tell(job, list);
    if (is_json)
        return cli_json_write(job->cli, json_pack("{s:o, s:I, s:I, s:b, s:o}", "site", json_of_text(job->site), "runs",
                                                  (json_int_t)job->counts.runs, "unread", (json_int_t)job->counts.unread,
                                                  "applied", (int)is_applied, "corrections", list));
    fprintf(job->cli->out, "%.*s: %zu runs read anew, %zu corrections%s\n", GT_STR_ARG(job->site), job->counts.runs,
            job->corrections,
            is_applied             ? "; the store before is kept as store.old"
            : job->corrections > 0 ? "; nothing was changed, --apply does it"
                                   : "");
    return GT_OK;
}

/* Everything under the lock. */
static enum gt_err reparse(struct reparse *job, const struct arguments *args)
{
    struct cli *cli = job->cli;
    struct store *store = NULL;
    struct store_draft *draft = NULL;
    bool is_applied = argument_has(args, "--apply");
    enum gt_err err = history_settle(cli);
    if (err != GT_OK) return err;
    err = cli_store_draft(cli, true, &draft, &job->made);
    if (err == GT_OK) err = replay_site(job);
    if (err == GT_OK) err = spans_load(job, job->made, &job->after);
    if (err == GT_OK) err = published_reread_put(job->made, clock_unix_s(&cli->clock), &cli->info);
    store_close(job->made);
    if (err == GT_OK) err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = spans_load(job, store, &job->before);
    store_close(store);
    if (err == GT_OK && is_applied) err = store_draft_commit(draft, &cli->info);
    else store_draft_abort(draft);
    return err == GT_OK ? tell(job, argument_has(args, "--json"), is_applied) : err;
}

/* The store is opened only to see that it is there and sound, before the lock is taken for a long time. */
int archive_reparse_run(struct cli *cli, const struct arguments *args)
{
    struct reparse job = {.cli = cli};
    struct run_lock *lock = NULL;
    struct store *store = NULL;
    if (args->word_count != 2 || argument_get(args, "--since") == NULL)
        return cli_usage(cli, "usage: gputape archive reparse SITE --since T [--apply]");
    if (!argument_time(cli, args, "--since", INT64_MIN, &job.since_unix_s)) return EXIT_USAGE;
    job.site = gt_str_from(args->words[1]);
    if (conf_find(cli->conf, "site", job.site) == NULL)
        return cli_usage(cli, "no [site %s] in the configuration; `gputape sites list` names them", args->words[1]);
    enum gt_err err = cli_store_open(cli, STORE_READ, &store);
    store_close(store);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = reparse(&job, args);
    run_lock_free(lock);
    return exit_from_err(err);
}
