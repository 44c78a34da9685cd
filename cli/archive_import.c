/* archive import: foreign WARC files as history of provenance warc. What is of use in them (answers of addresses that sites.conf knows) is
 * copied into the archive, with an outcome for each, so that a rebuild finds it; then the streams they belong to are written anew, in
 * order of time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/archive.h"
#include "cli/history.h"
#include "cli/json_offer.h"
#include "common/digest.h"
#include "common/file.h"
#include "crawler/lock.h"
#include "crawler/site_plan.h"
#include "crawler/warc_fields.h"
#include "crawler/warc_payload.h"
#include "net/header.h"
#include "store/cut.h"
#include "store/pages.h"

enum { IMPORT_FILES_MAX = 1000, IMPORT_FAULTS_SHOWN = 20 };

/* The writer of imported streams: one for all files, so that what overlaps is one history. */
static const char import_writer[] = "import";

/* A site, and where its pages are. */
struct import_site {
    struct gt_str name;
    struct site_plan plan;
    struct gt_str section_id; /* of this import; empty before its first page */
    bool is_touched;
};

struct import {
    struct cli *cli;
    struct arena *arena; /* of one record */
    struct warc_writer *writer;
    struct store *known_in; /* as it was before: records that it knows are not taken twice */
    struct import_site *sites;
    size_t site_count;
    size_t records, taken, known, unwanted, damaged;
    struct store *made;
    const struct crawled_site *present;
    struct replay_counts counts;
};

/* ---- what is wanted ---- */

/* The plans of the sites that may have pages in the file. A section that cannot be read has none. */
static enum gt_err sites_load(struct import *job, const char *wanted)
{
    const struct conf_section *const *sections = conf_sections(job->cli->conf, "site");
    size_t count = 0;
    while (sections[count] != NULL) count++;
    job->sites = arena_array(job->cli->arena, count + 1, sizeof *job->sites);
    if (job->sites == NULL) return gt_fail(&job->cli->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct gt_errinfo fault = {0};
        struct import_site *site = &job->sites[job->site_count];
        site->name = conf_section_name(sections[i]);
        if (wanted != NULL && !gt_str_is(site->name, wanted)) continue;
        if (site_plan_read(job->cli->conf, sections[i], job->cli->arena, &site->plan, &fault) == GT_OK) job->site_count++;
    }
    if (wanted != NULL && job->site_count == 0)
        return gt_fail(&job->cli->info, GT_EUSAGE, "no [site %s] that can be read", wanted);
    return GT_OK;
}

/* The site and part that an address belongs to, by its normal form. A part of several pages is not to be had from one. */
static struct import_site *site_find(struct import *job, struct gt_str uri, const struct plan_part **ret_part)
{
    struct url url;
    struct gt_errinfo info = {0};
    if (url_parse(uri, job->arena, &url, &info) != GT_OK) return NULL;
    for (size_t i = 0; i < job->site_count; i++) {
        struct site_plan *plan = &job->sites[i].plan;
        for (size_t p = 0; p < plan->part_count && !plan->has_follow && !plan->is_post; p++) {
            if (!gt_str_eq(plan->parts[p].url.href, url.href)) continue;
            *ret_part = &plan->parts[p];
            return &job->sites[i];
        }
    }
    return NULL;
}

/* ---- copying ---- */

/* The outcome of a copied page: a run of its own. What the page says is read when the stream is written. */
static enum gt_err outcome_write(struct import *job, struct import_site *site, const struct plan_part *part,
                                 const struct warc_place *place, int64_t t_unix_s, const struct warc_answer *answer)
{
    struct strbuf fields;
    struct warc_place own;
    uint8_t sha256[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    strbuf_init(&fields, WARC_FIELDS_BYTES_MAX);
    const struct conf_section *section = conf_find(job->cli->conf, "site", site->name);
    if (site->section_id.len == 0) {
        enum gt_err failed = archive_section_write(job->writer, job->cli->conf, section, clock_unix_s(&job->cli->clock),
                                                   job->arena, &own, &job->cli->info);
        if (failed != GT_OK) return failed;
        site->section_id = arena_dup(job->cli->arena, gt_str_from(own.record_id));
    }
    digest_sha256(answer->body, sha256);
    digest_hex(sha256, sizeof sha256, hex);
    fields_add(&fields, "gputape-outcome", GT_STR("run"));
    fields_add(&fields, "gputape-provenance", gt_str_from(word_text(VOCABULARY_PROVENANCE, (int)PROVENANCE_WARC)));
    fields_add(&fields, "gputape-writer", gt_str_from(import_writer));
    fields_add(&fields, "gputape-site", site->name);
    fields_add_time(&fields, "gputape-run-start", t_unix_s);
    fields_add(&fields, "gputape-rule-version", gt_str_from(site->plan.rule_version));
    fields_add(&fields, "gputape-section", site->section_id);
    fields_add_number(&fields, "gputape-parts", 1);
    fields_add(&fields, "gputape-part", part->name);
    fields_add(&fields, "gputape-status", GT_STR("ok"));
    fields_add_number(&fields, "gputape-http-code", answer->status);
    fields_add_number(&fields, "gputape-body-bytes", (int64_t)answer->body.len);
    fields_add(&fields, "gputape-body-sha256", gt_str_from(hex));
    fields_add(&fields, "gputape-full-fetch", GT_STR("yes"));
    strbuf_addf(&fields, "gputape-page: %s %.*s\r\n", place->record_id, GT_STR_ARG(part->url.href));
    struct warc_record record = {.type = WARC_METADATA,
                                 .target_uri = part->url.href,
                                 .t_unix_s = t_unix_s,
                                 .refers_to = gt_str_from(place->record_id),
                                 .content_type = GT_STR("application/warc-fields"),
                                 .body = strbuf_str(&fields)};
    enum gt_err err = fields.err == GT_OK ? warc_write(job->writer, &record, &own, &job->cli->info)
                                          : gt_fail(&job->cli->info, GT_ENOMEM, "out of memory");
    strbuf_done(&fields);
    return err;
}

/* The id that a copy gets: the record's own when it can be ours, else one that follows from it, so that a second import knows it. */
static struct gt_str id_of(struct import *job, const struct warc_entry *entry)
{
    uint8_t b[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    if (gt_str_starts(entry->record_id, GT_STR("urn:uuid:")) && entry->record_id.len == 45)
        return arena_dup(job->arena, entry->record_id);
    struct gt_str all = arena_printf(job->arena, "%.*s %.*s %.*s", GT_STR_ARG(entry->record_id), GT_STR_ARG(entry->target_uri),
                                     GT_STR_ARG(header_find(entry->head, "WARC-Date", 0)));
    digest_sha256(all, b);
    digest_hex(b, 16, hex);
    return arena_printf(job->arena, "urn:uuid:%.8s-%.4s-5%.3s-8%.3s-%.12s", hex, hex + 8, hex + 13, hex + 17, hex + 20);
}

/* Copies a page and writes its outcome. The block is kept as it was, codings and all. */
static enum gt_err page_take(struct import *job, const struct warc_entry *entry, struct import_site *site,
                             const struct plan_part *part)
{
    struct warc_answer answer;
    struct page_place known;
    struct warc_place place;
    struct gt_errinfo fault = {0};
    int64_t t_unix_s = fields_time(entry->head, "WARC-Date", 0);
    bool is_page = warc_answer_read(entry, job->arena, &answer, &fault) == GT_OK && answer.status == 200 &&
                   !answer.is_truncated && t_unix_s != 0;
    if (!is_page || !warc_entry_check(entry)) {
        job->damaged++;
        return GT_OK;
    }
    struct gt_str id = id_of(job, entry), head, body;
    if (id.ptr == NULL) return gt_fail(&job->cli->info, GT_ENOMEM, "out of memory");
    site->is_touched = true;
    if (store_page_get(job->known_in, id, job->arena, &known, &fault) == GT_OK) {
        job->known++;
        return GT_OK;
    }
    warc_entry_split(entry, &head, &body);
    struct warc_record record = {.type = WARC_RESPONSE,
                                 .target_uri = entry->target_uri,
                                 .t_unix_s = t_unix_s,
                                 .record_id = id,
                                 .content_type = GT_STR("application/http;msgtype=response"),
                                 .head = head,
                                 .body = body};
    enum gt_err err = warc_write(job->writer, &record, &place, &job->cli->info);
    if (err == GT_OK) err = outcome_write(job, site, part, &place, t_unix_s, &answer);
    job->taken++;
    return err;
}

/* One record of a foreign file. */
static enum gt_err record_take(struct import *job, const struct warc_entry *entry)
{
    const struct plan_part *part = NULL;
    job->records++;
    if (!gt_str_is(entry->type, "response")) return GT_OK;
    struct import_site *site = site_find(job, entry->target_uri, &part);
    if (site != NULL) return page_take(job, entry, site, part);
    job->unwanted++;
    return GT_OK;
}

/* All of one file. Damage is told and stepped over. */
static enum gt_err file_take(struct import *job, const char *path)
{
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    size_t faults = 0;
    enum gt_err err = warc_reader_open(path, &reader, &job->cli->info);
    if (err != GT_OK) return err;
    while (err == GT_OK) {
        struct gt_errinfo fault = {0};
        arena_clear(job->arena);
        err = warc_reader_next(reader, &entry, &fault);
        if (err == GT_OK) {
            err = record_take(job, &entry);
        } else if (archive_is_damage(err)) {
            job->damaged++;
            if (faults++ < IMPORT_FAULTS_SHOWN) fprintf(job->cli->err, "gputape: %s\n", fault.text);
            err = GT_OK;
        } else if (err != GT_ENOENT) {
            gt_fail(&job->cli->info, err, "%s", fault.text);
        }
    }
    warc_reader_close(reader);
    return err == GT_ENOENT ? GT_OK : err;
}

/* The action itself: which file was read. */
static enum gt_err action_write(struct import *job, const char *path, const char *site)
{
    struct warc_place place;
    const char *slash = strrchr(path, '/');
    struct archive_action action = {.kind = ACTION_IMPORT,
                                    .t_unix_s = clock_unix_s(&job->cli->clock),
                                    .site = gt_str_from(site),
                                    .file = gt_str_from(slash != NULL ? slash + 1 : path)};
    return archive_action_write(job->writer, &action, &place, &job->cli->info);
}

/* Everything into the archive, synced. */
static enum gt_err files_take(struct import *job, const struct arguments *args)
{
    struct warc_settings settings = {
        .folder = history_archive_folder(job->cli), .clock = &job->cli->clock, .software = "gputape/" GPUTAPE_VERSION};
    enum gt_err err = cli_store_open(job->cli, STORE_READ, &job->known_in);
    if (err == GT_OK) err = warc_writer_open(&settings, &job->writer, NULL, &job->cli->info);
    for (size_t i = 1; i < args->word_count && err == GT_OK; i++) {
        err = action_write(job, args->words[i], argument_get(args, "--site"));
        if (err == GT_OK) err = file_take(job, args->words[i]);
    }
    if (err == GT_OK) err = warc_writer_sync(job->writer, &job->cli->info);
    warc_writer_close(job->writer);
    store_close(job->known_in);
    return err;
}

/* ---- the streams ---- */

static enum gt_err on_commit(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                             struct gt_errinfo *info)
{
    struct import *job = ctx;
    struct crawled_site places_only = {.places = job->present->places, .place_count = job->present->place_count};
    (void)run;
    (void)summary;
    /* no validators: what was read last is the live stream's to say */
    return history_keep(job->made, txn, &places_only, info);
}

static enum gt_err on_run(void *ctx, const struct replayed_run *replayed, struct arena *arena, struct gt_errinfo *info)
{
    struct import *job = ctx;
    struct run_input *run = history_run_of(&replayed->site, replayed->provenance, replayed->writer, arena);
    if (run == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    job->present = &replayed->site;
    return store_run_commit(job->made, run, on_commit, job, arena, NULL, info);
}

/* Writes the imported streams of one site anew: all that the archive has of them, this import's and earlier ones'. */
static enum gt_err site_write(struct import *job, const struct import_site *site)
{
    struct cut_scope scope = {site->name, PROVENANCE_WARC, gt_str_from(import_writer), INT64_MIN};
    struct replay_options options = {.folder = history_archive_folder(job->cli),
                                     .conf = job->cli->conf,
                                     .streams = REPLAY_OTHERS,
                                     .site = site->name,
                                     .since_unix_s = INT64_MIN};
    struct replay_fns fns = {.ctx = job, .run = on_run};
    struct replay_counts counts = {0};
    uint64_t cut;
    enum gt_err err = store_cut(job->made, &scope, &cut, &job->cli->info);
    if (err == GT_OK) err = replay_run(&options, &fns, &counts, &job->cli->info);
    job->counts.runs += counts.runs;
    job->counts.unread += counts.unread;
    return err;
}

/* In a copy of the store, which then takes its place. */
static enum gt_err streams_write(struct import *job)
{
    struct cli *cli = job->cli;
    struct store_draft *draft = NULL;
    enum gt_err err = cli_store_draft(cli, true, &draft, &job->made);
    for (size_t i = 0; i < job->site_count && err == GT_OK; i++)
        if (job->sites[i].is_touched) err = site_write(job, &job->sites[i]);
    if (err == GT_OK) err = history_adopt_none(cli, job->made);
    store_close(job->made);
    if (err == GT_OK) return store_draft_commit(draft, &cli->info);
    store_draft_abort(draft);
    return err;
}

/* What was found and what was made of it. */
static enum gt_err tell(struct import *job, bool is_json)
{
    if (is_json)
        return cli_json_write(job->cli, json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "records", (json_int_t)job->records,
                                                  "taken", (json_int_t)job->taken, "known", (json_int_t)job->known, "unwanted",
                                                  (json_int_t)job->unwanted, "damaged", (json_int_t)job->damaged, "runs",
                                                  (json_int_t)job->counts.runs, "unread", (json_int_t)job->counts.unread));
    fprintf(job->cli->out,
            "%zu records: %zu pages taken, %zu known already, %zu of addresses in no section, %zu damaged or not whole\n",
            job->records, job->taken, job->known, job->unwanted, job->damaged);
    if (job->counts.runs > 0) fprintf(job->cli->out, "%zu runs of provenance warc in the history\n", job->counts.runs);
    return GT_OK;
}

/* All files are read before a stream is written: foreign pages are put in order of their time, whatever file they lie in. */
int archive_import_run(struct cli *cli, const struct arguments *args)
{
    struct import job = {.cli = cli};
    struct run_lock *lock = NULL;
    if (args->word_count < 2 || args->word_count > IMPORT_FILES_MAX)
        return cli_usage(cli, "usage: gputape archive import FILE.warc.gz… [--site S]");
    job.arena = arena_new(CLI_ARENA_MAX);
    enum gt_err err =
        job.arena != NULL ? sites_load(&job, argument_get(args, "--site")) : gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = file_make_folder(cli->data_folder, &cli->info);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = history_settle(cli);
    if (err == GT_OK) err = files_take(&job, args);
    if (err == GT_OK) err = streams_write(&job);
    if (err == GT_OK) err = tell(&job, argument_has(args, "--json"));
    run_lock_free(lock);
    arena_free(job.arena);
    return exit_from_err(err);
}
