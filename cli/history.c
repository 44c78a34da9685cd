#include "cli/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/import.h"
#include "crawler/archive_history.h"
#include "crawler/due.h"
#include "crawler/warc_files.h"
#include "export/export_reader.h"
#include "reports/published.h"
#include "store/cut.h"
#include "store/offer_name.h"
#include "store/pages.h"

enum { MARK_TEXT_MAX = 2 * WARC_NAME_MAX + 64 };

/* Under which key of the crawler's memory the committed place stands. */
static const char mark_key[] = "archive:committed";

const char *history_archive_folder(struct cli *cli)
{
    return cli_data_path(cli, "archive");
}

/* ---- a run ---- */

/* One part. */
static struct run_part part_of(const struct crawled_part *part)
{
    struct run_part ret = {.name = part->name,
                           .status = part->status,
                           .http_code = part->http_code,
                           .body_bytes = part->body_bytes,
                           .warc_file = part->warc_file,
                           .warc_offset = part->warc_offset,
                           .record_id = part->record_id,
                           .url = part->url,
                           .reason = part->reason,
                           .is_full_fetch = part->is_full_fetch,
                           .offers = part->reading.offers,
                           .offer_count = part->reading.offer_count,
                           .rows_found = part->rows_found,
                           .rows_refused = part->rows_refused};
    memcpy(ret.body_sha256, part->body_sha256, sizeof ret.body_sha256);
    return ret;
}

/* The crawler knows pages and the store knows runs; here alone one becomes the other, for crawls, rebuilds and imports alike. */
struct run_input *history_run_of(const struct crawled_site *site, enum provenance provenance, struct gt_str writer,
                                 struct arena *arena)
{
    struct run_part *parts = arena_array(arena, site->part_count, sizeof *parts);
    struct run_input *run = arena_alloc(arena, sizeof *run);
    if (parts == NULL || run == NULL) return NULL;
    for (size_t i = 0; i < site->part_count; i++) parts[i] = part_of(&site->parts[i]);
    *run = (struct run_input){.site = site->facts->site,
                              .title = site->facts->title,
                              .kind = site->facts->kind,
                              .market = site->facts->market,
                              .net_rules = net_rules_from_facts(site->facts),
                              .provenance = provenance,
                              .writer = writer,
                              .start_unix_s = site->start_unix_s,
                              .latency_ms = site->latency_ms,
                              .rule_version = site->rule_version,
                              .is_sample = site->is_sample,
                              .parts = parts,
                              .part_count = site->part_count};
    return run;
}

/* The table of pages has a row a record. */
static enum gt_err places_keep(struct store *store, struct store_txn *txn, const struct warc_place *places, size_t count,
                               struct gt_errinfo *info)
{
    struct page_place *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct page_place){.record_id = gt_str_from(places[i].record_id),
                                      .file = gt_str_from(places[i].file),
                                      .offset = places[i].offset,
                                      .bytes = places[i].bytes};
        memcpy(rows[i].sha1, places[i].block_sha1, sizeof rows[i].sha1);
    }
    enum gt_err err = store_pages_put(store, txn, rows, count, info);
    free(rows);
    return err;
}

/* In the run's transaction: validators without the run would let the next crawl skip a page that nobody has. */
enum gt_err history_keep(struct store *store, struct store_txn *txn, const struct crawled_site *site, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < site->part_count; i++) {
        const struct crawled_part *part = &site->parts[i];
        if (part->validator_key.len > 0)
            err = store_put(store, txn, STORE_VALIDATORS, part->validator_key, part->validator_value, info);
    }
    if (err == GT_OK && site->attempt_key.len > 0) err = store_put(store, txn, STORE_PAGES, site->attempt_key, site->attempt_value, info);
    if (err == GT_OK && site->section_key.len > 0) err = store_put(store, txn, STORE_PAGES, site->section_key, site->section_value, info);
    return err == GT_OK ? places_keep(store, txn, site->places, site->place_count, info) : err;
}

/* ---- the committed place ---- */

enum gt_err history_mark_put(struct store *store, struct store_txn *txn, const struct archive_mark *begin,
                             const struct archive_mark *end, struct gt_errinfo *info)
{
    char text[MARK_TEXT_MAX];
    if (end->file[0] == '\0') return GT_OK;
    snprintf(text, sizeof text, "%s %lld %s %lld", begin->file[0] != '\0' ? begin->file : "-", (long long)begin->offset,
             end->file, (long long)end->offset);
    return store_put(store, txn, STORE_PAGES, gt_str_from(mark_key), gt_str_from(text), info);
}

/* Reads it. GT_ENOENT when there is none. */
static enum gt_err mark_get(struct cli *cli, struct store *store, struct archive_mark *ret_begin, struct archive_mark *ret_end)
{
    struct gt_str text;
    struct gt_errinfo info = {0};
    long long begin, end;
    *ret_begin = *ret_end = (struct archive_mark){.offset = 0};
    enum gt_err err = store_get(store, NULL, STORE_PAGES, gt_str_from(mark_key), cli->arena, &text, &info);
    if (err == GT_ENOENT) return err;
    if (err != GT_OK) return gt_fail(&cli->info, err, "%s", info.text);
    if (sscanf(text.ptr, "%159s %lld %159s %lld", ret_begin->file, &begin, ret_end->file, &end) != 4)
        return gt_fail(&cli->info, GT_ECORRUPT, "the store's place in the archive cannot be read");
    ret_begin->offset = begin;
    ret_end->offset = end;
    if (strcmp(ret_begin->file, "-") == 0) ret_begin->file[0] = '\0';
    return GT_OK;
}

/* Where the archive ends now. Cheap: a crawl that has nothing to do looks here every minute. */
static enum gt_err archive_end(struct cli *cli, struct archive_mark *ret_end)
{
    char host[WARC_HOST_MAX], path[ARCHIVE_PATH_MAX];
    uint32_t serial;
    struct stat st;
    *ret_end = (struct archive_mark){.offset = 0};
    warc_host(host);
    enum gt_err err = warc_newest_find(history_archive_folder(cli), host, &serial, ret_end->file, &cli->info);
    if (err != GT_OK || ret_end->file[0] == '\0') return err;
    snprintf(path, sizeof path, "%s/%s", history_archive_folder(cli), ret_end->file);
    if (stat(path, &st) == 0) ret_end->offset = st.st_size;
    return GT_OK;
}

/* ---- replaying into a store ---- */

struct history_job {
    struct cli *cli;
    struct store *store;
    struct alerts *alerts; /* NULL: nobody is told */
    const struct crawled_site *site;
    struct arena *arena; /* of the present run */
    bool defers_imports; /* imported runs are only noted: which streams they belong to */
    struct cut_scope *imports;
    size_t import_count, import_cap;
};

/* When the site was last tried: without it, what was adopted would be fetched again at once. */
static enum gt_err attempt_keep(struct history_job *job, struct store_txn *txn, struct gt_errinfo *info)
{
    const struct crawled_site *site = job->site;
    struct gt_str key = arena_printf(job->arena, "site:%.*s", GT_STR_ARG(site->facts->site)), value;
    struct attempt last = {.failures = 0};
    bool is_good = true;
    for (size_t i = 0; i < site->part_count; i++)
        is_good = is_good && (site->parts[i].status == STATUS_OK || site->parts[i].status == STATUS_UNCHANGED);
    if (key.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = store_get(job->store, txn, STORE_PAGES, key, job->arena, &value, info);
    if (err != GT_OK && err != GT_ENOENT) return err;
    if (err == GT_OK) attempt_parse(value, &last);
    struct attempt now = {site->start_unix_s, is_good ? 0 : last.failures + 1};
    value = attempt_print(&now, job->arena);
    return value.ptr != NULL ? store_put(job->store, txn, STORE_PAGES, key, value, info) : gt_fail(info, GT_ENOMEM, "out of memory");
}

static enum gt_err on_commit(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                             struct gt_errinfo *info)
{
    struct history_job *job = ctx;
    enum gt_err err = job->site != NULL ? history_keep(job->store, txn, job->site, info) : GT_OK;
    if (err == GT_OK && job->site != NULL && run->provenance == PROVENANCE_LIVE) err = attempt_keep(job, txn, info);
    return err != GT_OK || job->alerts == NULL ? err : alerts_on_run(job->alerts, txn, run, summary, info);
}

/* Notes the stream of an imported run, once. */
static enum gt_err import_note(struct history_job *job, const struct replayed_run *run, struct gt_errinfo *info)
{
    void *imports = job->imports;
    struct gt_str site = arena_dup(job->cli->arena, run->site.facts->site), writer = arena_dup(job->cli->arena, run->writer);
    for (size_t i = 0; i < job->import_count; i++) {
        const struct cut_scope *known = &job->imports[i];
        if (gt_str_eq(known->site, site) && known->provenance == run->provenance && gt_str_eq(known->writer, writer)) return GT_OK;
    }
    if (site.ptr == NULL || writer.ptr == NULL || !arena_grow(job->cli->arena, &imports, job->import_count, &job->import_cap, sizeof *job->imports))
        return gt_fail(info, GT_ENOMEM, "out of memory");
    job->imports = imports;
    job->imports[job->import_count++] = (struct cut_scope){site, run->provenance, writer, INT64_MIN};
    return GT_OK;
}

/* Replayed like a crawl: guards judge again what they judged then. */
static enum gt_err on_run(void *ctx, const struct replayed_run *replayed, struct arena *arena, struct gt_errinfo *info)
{
    struct history_job *job = ctx;
    if (job->defers_imports && replayed->provenance != PROVENANCE_LIVE) return import_note(job, replayed, info);
    struct run_input *run = history_run_of(&replayed->site, replayed->provenance, replayed->writer, arena);
    if (run == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    job->site = &replayed->site;
    job->arena = arena;
    enum gt_err err = store_run_commit(job->store, run, on_commit, job, arena, NULL, info);
    job->site = NULL;
    return err;
}

/* A crawl's end closes what concerns several sites; alerts are evaluated there only when somebody is to be told. */
static enum gt_err on_crawl(void *ctx, int64_t start_unix_s, int64_t end_unix_s, const struct crawl_result *result,
                            struct gt_errinfo *info)
{
    struct history_job *job = ctx;
    struct crawl_input crawl = {.start_unix_s = start_unix_s,
                                .end_unix_s = end_unix_s,
                                .sites_ok = result->sites_ok,
                                .sites_failed = result->sites_failed,
                                .sites_skipped = result->sites_skipped};
    return store_crawl_commit(job->store, &crawl, job->alerts != NULL ? on_commit : NULL, job, info);
}

static enum gt_err on_action(void *ctx, const struct archive_action *action, struct gt_errinfo *info)
{
    struct history_job *job = ctx;
    return history_action_do(job->cli, job->store, action, info);
}

static enum gt_err on_places(void *ctx, const struct warc_place *places, size_t count, struct gt_errinfo *info)
{
    struct history_job *job = ctx;
    return places_keep(job->store, NULL, places, count, info);
}

static void on_damage(void *ctx, struct gt_str sentence)
{
    struct history_job *job = ctx;
    log_event(&job->cli->log, LOG_WARN, "archive_damaged", "what", arena_dup(job->cli->arena, sentence).ptr, (char *)NULL);
}

/* Where a record lies that is not in the part of the archive that is replayed. */
static enum gt_err place_get(void *ctx, struct gt_str record_id, struct arena *arena, struct gt_str *ret_file,
                             int64_t *ret_offset)
{
    struct history_job *job = ctx;
    struct page_place place;
    enum gt_err err = store_page_get(job->store, record_id, arena, &place, NULL);
    if (err != GT_OK) return err;
    *ret_file = place.file;
    *ret_offset = place.offset;
    return GT_OK;
}

static enum gt_err replay_into(struct history_job *job, const struct replay_fns *fns, struct replay_options *options,
                               struct replay_counts *ret_counts)
{
    options->folder = history_archive_folder(job->cli);
    options->conf = job->cli->conf;
    options->since_unix_s = INT64_MIN;
    options->place = place_get;
    options->place_ctx = job;
    return replay_run(options, fns, ret_counts, &job->cli->info);
}

/* A store that is gone is not made in passing: of pages that were dropped the runs would count as failed. */
static enum gt_err dropped_refuse(struct cli *cli)
{
    struct archive_action action;
    struct archive_mark mark;
    enum gt_err err = archive_history_find(history_archive_folder(cli), cli->arena, &action, &mark, &cli->info);
    if (err != GT_OK) return err == GT_ENOENT ? GT_OK : err;
    return gt_fail(&cli->info, GT_EREFUSED, "the store is empty, and pages of the archive were dropped: `gputape db rebuild` makes it anew");
}

enum gt_err history_adopt(struct cli *cli, struct store *store, struct alerts *alerts, size_t *ret_adopted)
{
    struct history_job job = {.cli = cli, .store = store, .alerts = alerts};
    /* other streams than the live ones are written whole, so a crash leaves nothing of them to be adopted */
    struct replay_options options = {.streams = REPLAY_LIVE};
    struct replay_fns fns = {&job, on_run, on_action, on_crawl, on_places, on_damage};
    struct archive_mark end;
    struct store_stat stat = {0};
    struct replay_counts counts = {0};
    enum gt_err known = mark_get(cli, store, &options.begin, &options.committed);
    *ret_adopted = 0;
    if (known != GT_OK && known != GT_ENOENT) return known;
    enum gt_err err = archive_end(cli, &end);
    if (err != GT_OK || end.file[0] == '\0') return err;
    if (known == GT_OK && strcmp(end.file, options.committed.file) == 0 && end.offset <= options.committed.offset) return GT_OK;
    if (known == GT_ENOENT) {
        err = store_stat(store, &stat, &cli->info);
        /* a store of an older version, which kept no place: what it has, it has */
        if (err == GT_OK && stat.runs > 0) return history_mark_put(store, NULL, &end, &end, &cli->info);
        job.alerts = NULL;
        if (err == GT_OK) err = dropped_refuse(cli);
    }
    if (err == GT_OK) err = replay_into(&job, &fns, &options, &counts);
    if (err == GT_ENOENT) {
        /* the file is gone: the archive was moved away by hand, and what is behind it cannot be known */
        log_event(&cli->log, LOG_WARN, "archive_place_lost", "file", options.committed.file, (char *)NULL);
        err = GT_OK;
    }
    *ret_adopted = counts.runs;
    return err == GT_OK ? history_mark_put(store, NULL, &end, &end, &cli->info) : err;
}

enum gt_err history_settle(struct cli *cli)
{
    struct store *store = NULL;
    size_t adopted;
    enum gt_err err = cli_store_open(cli, STORE_WRITE, &store);
    if (err == GT_OK) err = history_adopt(cli, store, NULL, &adopted);
    store_close(store);
    return err;
}

enum gt_err history_adopt_none(struct cli *cli, struct store *store)
{
    struct archive_mark end;
    enum gt_err err = archive_end(cli, &end);
    return err == GT_OK ? history_mark_put(store, NULL, &end, &end, &cli->info) : err;
}

enum gt_err history_prove(struct cli *cli, struct store *made, const struct archive_action *action, size_t *ret_runs)
{
    static const struct dump_options spans = {.has_spans = true};
    struct export_reader reader = {.path = "the history in the archive"};
    enum gt_err err = archive_history_open(history_archive_folder(cli), action, &reader.file, &cli->info);
    if (err == GT_OK) err = export_reader_fill(&reader, made, &cli->info);
    if (err == GT_OK) err = export_reader_prove(&reader, made, &spans, &cli->info);
    *ret_runs = reader.runs;
    export_reader_close(&reader);
    return err;
}

/* Of pages that were dropped there is the history that was archived before: it is the beginning, and what came behind it is replayed. Silences and
 * weeks that were published are no part of a history. */
static enum gt_err dropped_fill(struct history_job *job, struct replay_options *options, size_t *ret_runs)
{
    struct cli *cli = job->cli;
    struct archive_action action;
    enum gt_err err = archive_history_find(history_archive_folder(cli), cli->arena, &action, &options->committed, &cli->info);
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_OK) err = history_prove(cli, job->store, &action, ret_runs);
    options->early_actions = 1U << ACTION_SILENCE | 1U << ACTION_PUBLISH;
    job->defers_imports = true;
    return err;
}

/* Streams that something was imported into behind the history, as the import wrote them: whole, in order of time. Their pages were never dropped. */
static enum gt_err imports_fill(struct history_job *job, struct replay_counts *counts)
{
    enum gt_err err = GT_OK;
    job->defers_imports = false;
    for (size_t i = 0; i < job->import_count && err == GT_OK; i++) {
        struct replay_options options = {.streams = REPLAY_OTHERS, .site = job->imports[i].site};
        struct replay_fns fns = {.ctx = job, .run = on_run, .damage = on_damage};
        struct replay_counts own = {0};
        uint64_t cut;
        err = store_cut(job->store, &job->imports[i], &cut, &job->cli->info);
        if (err == GT_OK) err = replay_into(job, &fns, &options, &own);
        counts->unread += own.unread;
    }
    return err;
}

enum gt_err history_fill(struct cli *cli, struct store *store, struct replay_counts *ret_counts, size_t *ret_history_runs)
{
    struct history_job job = {.cli = cli, .store = store};
    struct replay_options options = {.streams = REPLAY_ALL};
    struct replay_fns fns = {&job, on_run, on_action, on_crawl, on_places, on_damage};
    struct archive_mark end;
    enum gt_err err = archive_end(cli, &end);
    *ret_history_runs = 0;
    if (err == GT_OK) err = dropped_fill(&job, &options, ret_history_runs);
    if (err == GT_OK) err = replay_into(&job, &fns, &options, ret_counts);
    if (err == GT_OK) err = imports_fill(&job, ret_counts);
    return err == GT_OK ? history_mark_put(store, NULL, &end, &end, &cli->info) : err;
}

/* ---- actions ---- */

enum gt_err history_action_put(struct cli *cli, const struct archive_action *action)
{
    return archive_action_put(history_archive_folder(cli), &cli->clock, action, &cli->info);
}

/* Void and release, by the words that name the offer. */
static enum gt_err judge_do(struct store *store, const struct archive_action *action, struct gt_errinfo *info)
{
    uint64_t offer = 0, seq = 0;
    enum gt_err err = store_offer_find(store, action->site, &action->identity, &offer, info);
    if (err == GT_OK && action->kind == ACTION_VOID) err = store_run_at(store, offer, action->run_start_unix_s, &seq, info);
    if (err != GT_OK) return err;
    return action->kind == ACTION_VOID ? store_void(store, offer, seq, action->t_unix_s, action->reason, info)
                                       : store_release(store, offer, action->t_unix_s, action->reason, info);
}

static enum gt_err publish_do(struct store *store, const struct archive_action *action, struct gt_errinfo *info)
{
    struct published_texts texts = {action->week, action->head, action->rows};
    return published_restore(store, &texts, info);
}

/* A silence is the alerts' own to keep. */
static enum gt_err silence_do(struct cli *cli, struct store *store, const struct archive_action *action, struct gt_errinfo *info)
{
    struct alerts *alerts = NULL;
    enum gt_err err = alerts_new(cli->conf, store, &cli->clock, &alerts, info);
    if (err == GT_OK) err = alerts_silence(alerts, action->rule, action->until_unix_s, info);
    alerts_free(alerts);
    /* of a rule that is no more */
    return err == GT_EUSAGE || err == GT_ECONF ? GT_ENOENT : err;
}

/* An action whose offer is no longer there (rules have changed) is passed over with a line: a rebuild must not stop at it. */
enum gt_err history_action_do(struct cli *cli, struct store *store, const struct archive_action *action, struct gt_errinfo *info)
{
    struct gt_errinfo fault = {0};
    if ((action->kind == ACTION_IMPORT && !import_leads_is(action)) || action->kind == ACTION_DROP) return GT_OK;
    enum gt_err err = action->kind == ACTION_IMPORT ? import_leads_again(cli, store, action, &fault)
                      : action->kind == ACTION_SILENCE ? silence_do(cli, store, action, &fault)
                      : action->kind == ACTION_PUBLISH ? publish_do(store, action, &fault) : judge_do(store, action, &fault);
    if (err != GT_ENOENT) return err == GT_OK ? GT_OK : gt_fail(info, err, "%s", fault.text);
    log_event(&cli->log, LOG_WARN, "action_passed_over", "action", archive_action_word(action->kind), "why", fault.text,
              (char *)NULL);
    return GT_OK;
}
