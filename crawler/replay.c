/* The archive from its beginning (or from where a crawl began) to its end. Outcomes of one run stand one behind the other, a record a part;
 * when the last of them has come, the run is put together and handed over. */
#include "crawler/replay_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/digest.h"
#include "crawler/warc_fields.h"
#include "net/header.h"

enum { OUTCOME_BYTES_MAX = WARC_FIELDS_BYTES_MAX + WARC_HEAD_BYTES_MAX };

static enum gt_err out_of_memory(struct gt_errinfo *info)
{
    return gt_fail(info, GT_ENOMEM, "out of memory");
}

/* ---- places ---- */

/* Keeps the place of a record that can be asked for by id, until somebody takes it. */
static enum gt_err place_keep(struct replay *replay, const struct archive_record *record, struct gt_errinfo *info)
{
    struct warc_place place = {.offset = record->offset, .bytes = record->entry.member_bytes};
    struct gt_str id = record->entry.record_id, digest = header_find(record->entry.head, "WARC-Block-Digest", 0);
    if (replay->place_count == replay->place_cap) {
        size_t cap = replay->place_cap == 0 ? 64 : replay->place_cap * 2;
        struct warc_place *grown = cap <= REPLAY_RECORDS_MAX ? realloc(replay->places, cap * sizeof *grown) : NULL;
        if (grown == NULL) return out_of_memory(info);
        replay->places = grown;
        replay->place_cap = cap;
    }
    if (id.len >= sizeof place.record_id || record->file.len >= sizeof place.file) return GT_OK;
    memcpy(place.record_id, id.ptr, id.len);
    memcpy(place.file, record->file.ptr, record->file.len);
    if (gt_str_starts(digest, GT_STR("sha1:"))) digest_base32_read(gt_str_slice(digest, 5, SIZE_MAX), place.block_sha1);
    replay->places[replay->place_count++] = place;
    return GT_OK;
}

/* Records that no run took with it. */
static enum gt_err places_flush(struct replay *replay, struct gt_errinfo *info)
{
    size_t count = replay->place_count;
    replay->place_count = 0;
    if (count == 0 || replay->fns->places == NULL) return GT_OK;
    return replay->fns->places(replay->fns->ctx, replay->places, count, info);
}

/* ---- runs ---- */

/* Forgets the outcome that is being put together. */
static void outcome_drop(struct replay *replay)
{
    for (size_t i = 0; i < replay->outcome_count; i++) strbuf_done(&replay->outcomes[i]);
    free(replay->outcomes);
    replay->outcomes = NULL;
    replay->outcome_count = replay->outcome_wanted = 0;
}

/* What the replayed site is, by the first of its outcomes. */
static void site_begin(const struct replay *replay, struct gt_str fields, struct replay_section *section, struct crawl *crawl,
                       struct site_job *site)
{
    site->crawl = crawl;
    site->name = section->facts.site;
    site->section = section->section;
    site->plan = section->plan;
    site->facts = section->facts;
    site->rules = section->rules;
    site->start_unix_s = fields_time(fields, "gputape-run-start", 0);
    site->latency_ms = fields_number(fields, "fetchTimeMs", 0);
    site->is_sample = gt_str_is(header_find(fields, "gputape-sample", 0), "yes");
    crawl->start_unix_s = site->start_unix_s;
    /* the rules then are known by their version then; today's by today's */
    struct gt_str version = header_find(fields, "gputape-rule-version", 0);
    if (!replay->options->with_today && version.len > 0 && version.len < sizeof site->plan.rule_version)
        snprintf(site->plan.rule_version, sizeof site->plan.rule_version, "%.*s", GT_STR_ARG(version));
}

/* Reads all parts of the run. */
static enum gt_err parts_read(struct replay *replay, struct replay_section *section, struct site_job *site,
                              struct crawled_part *results, size_t *ret_unread, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < replay->outcome_count && err == GT_OK; i++) {
        struct gt_str fields = strbuf_str(&replay->outcomes[i]);
        struct plan_part *plan = arena_alloc(site->arena, sizeof *plan);
        struct part_job *part = arena_alloc(site->arena, sizeof *part);
        bool is_unread = false;
        if (plan == NULL || part == NULL) return out_of_memory(info);
        *part = (struct part_job){.site = site, .plan = plan};
        plan->name = header_find(fields, "gputape-part", 0);
        plan->url.href = header_find(fields, "WARC-Target-URI", 0);
        err = replay_part_read(replay, section, fields, part, &is_unread, info);
        results[i] = part->result;
        *ret_unread += is_unread;
    }
    return err;
}

/* Puts the run together and hands it over. */
static enum gt_err run_hand_over(struct replay *replay, struct gt_errinfo *info)
{
    struct gt_str fields = strbuf_str(&replay->outcomes[0]), provenance = header_find(fields, "gputape-provenance", 0);
    struct gt_str site_name = header_find(fields, "gputape-site", 0), writer = header_find(fields, "gputape-writer", 0);
    struct crawl_options options = {.conf = replay->options->conf};
    struct crawl crawl = {.options = &options, .info = info};
    struct site_job site = {.state = SITE_FINISHED};
    struct replay_section *section = NULL;
    int word = (int)PROVENANCE_LIVE;
    if (provenance.len > 0) word_find(VOCABULARY_PROVENANCE, provenance, &word);
    enum gt_err err = replay_section_get(replay, site_name, header_find(fields, "gputape-section", 0), &section, info);
    site.arena = err == GT_OK ? arena_new(CRAWL_SITE_ARENA_MAX) : NULL;
    if (err == GT_OK && site.arena == NULL) err = out_of_memory(info);
    struct crawled_part *parts = err == GT_OK ? arena_array(site.arena, replay->outcome_count, sizeof *parts) : NULL;
    if (err == GT_OK && parts == NULL) err = out_of_memory(info);
    struct replayed_run run = {.provenance = (enum provenance)word, .writer = writer.len > 0 ? writer : GT_STR("local")};
    if (err == GT_OK && parts != NULL) {
        site_begin(replay, fields, section, &crawl, &site);
        err = parts_read(replay, section, &site, parts, &run.unread, info);
    }
    if (err == GT_OK) {
        run.site = (struct crawled_site){.section = site.section,
                                         .facts = &site.facts,
                                         .start_unix_s = site.start_unix_s,
                                         .latency_ms = site.latency_ms,
                                         .rule_version = gt_str_from(site.plan.rule_version),
                                         .is_sample = site.is_sample,
                                         .parts = parts,
                                         .part_count = replay->outcome_count,
                                         .places = replay->places,
                                         .place_count = replay->place_count};
        replay->counts.runs++;
        replay->counts.unread += run.unread;
        err = replay->fns->run(replay->fns->ctx, &run, site.arena, info);
        replay->place_count = 0;
    }
    arena_free(site.arena);
    return err;
}

/* True when the fields belong to the run that is being put together. */
static bool is_same_run(struct replay *replay, struct gt_str fields)
{
    static const char *const names[] = {"gputape-site", "gputape-run-start", "gputape-provenance", "gputape-writer",
                                        "gputape-parts"};
    struct gt_str first = strbuf_str(&replay->outcomes[0]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!gt_str_eq(header_find(first, names[i], 0), header_find(fields, names[i], 0))) return false;
    return true;
}

/* Keeps an outcome for the end. */
static enum gt_err outcome_defer(struct replay *replay, struct gt_str fields, struct gt_errinfo *info)
{
    if (replay->deferred_count == replay->deferred_cap) {
        size_t cap = replay->deferred_cap == 0 ? 64 : replay->deferred_cap * 2;
        struct replay_deferred *grown = cap <= REPLAY_DEFERRED_MAX ? realloc(replay->deferred, cap * sizeof *grown) : NULL;
        if (grown == NULL) return out_of_memory(info);
        replay->deferred = grown;
        replay->deferred_cap = cap;
    }
    char *copy = malloc(fields.len + 1);
    if (copy == NULL) return out_of_memory(info);
    memcpy(copy, fields.ptr, fields.len);
    size_t at = replay->deferred_count++;
    replay->deferred[at].fields = copy;
    replay->deferred[at].len = fields.len;
    replay->deferred[at].order = at;
    replay->deferred[at].t_unix_s = fields_time(fields, "gputape-run-start", 0);
    return GT_OK;
}

/* By time; by their order in the archive where that is the same. Streams are independent of each other, so all may be in one order. */
static int deferred_cmp(const void *left, const void *right)
{
    const struct replay_deferred *a = left, *b = right;
    if (a->t_unix_s != b->t_unix_s) return a->t_unix_s < b->t_unix_s ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Takes the outcome of one part. */
static enum gt_err outcome_take(struct replay *replay, struct gt_str fields, struct gt_errinfo *info)
{
    int64_t wanted = fields_number(fields, "gputape-parts", 0);
    const struct replay_options *options = replay->options;
    if (options->site.len > 0 && !gt_str_eq(options->site, header_find(fields, "gputape-site", 0))) return GT_OK;
    if (fields_time(fields, "gputape-run-start", INT64_MIN) < options->since_unix_s || wanted < 1 || wanted > CRAWL_PARTS_MAX)
        return GT_OK;
    if (replay->outcome_count > 0 && !is_same_run(replay, fields)) outcome_drop(replay);
    if (replay->outcomes == NULL) replay->outcomes = calloc((size_t)wanted, sizeof *replay->outcomes);
    if (replay->outcomes == NULL) return out_of_memory(info);
    replay->outcome_wanted = (size_t)wanted;
    struct strbuf *kept = &replay->outcomes[replay->outcome_count++];
    strbuf_init(kept, OUTCOME_BYTES_MAX);
    strbuf_add(kept, fields);
    if (kept->err != GT_OK) return out_of_memory(info);
    if (replay->outcome_count < replay->outcome_wanted) return GT_OK;
    enum gt_err err = run_hand_over(replay, info);
    outcome_drop(replay);
    return err;
}

/* ---- records ---- */

/* The end of a crawl. */
static enum gt_err crawl_take(struct replay *replay, struct gt_str fields, struct gt_errinfo *info)
{
    struct crawl_result result = {.sites_ok = (int32_t)fields_number(fields, "gputape-sites-ok", 0),
                                  .sites_failed = (int32_t)fields_number(fields, "gputape-sites-failed", 0),
                                  .sites_skipped = (int32_t)fields_number(fields, "gputape-sites-skipped", 0)};
    replay->counts.crawls++;
    if (replay->fns->crawl == NULL) return GT_OK;
    return replay->fns->crawl(replay->fns->ctx, fields_time(fields, "gputape-crawl-start", 0),
                              fields_time(fields, "gputape-crawl-end", 0), &result, info);
}

/* An outcome in its turn, or at the end. */
static enum gt_err outcome_sort(struct replay *replay, struct gt_str fields, struct gt_errinfo *info)
{
    struct gt_str provenance = header_find(fields, "gputape-provenance", 0);
    bool is_live = provenance.len == 0 || gt_str_is(provenance, word_text(VOCABULARY_PROVENANCE, (int)PROVENANCE_LIVE));
    if (is_live) return replay->options->streams != REPLAY_OTHERS ? outcome_take(replay, fields, info) : GT_OK;
    return replay->options->streams != REPLAY_LIVE ? outcome_defer(replay, fields, info) : GT_OK;
}

/* The outcomes that waited. */
static enum gt_err deferred_take(struct replay *replay, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    outcome_drop(replay);
    if (replay->deferred_count > 0) qsort(replay->deferred, replay->deferred_count, sizeof *replay->deferred, deferred_cmp);
    for (size_t i = 0; i < replay->deferred_count && err == GT_OK; i++)
        err = outcome_take(replay, (struct gt_str){replay->deferred[i].fields, replay->deferred[i].len}, info);
    return err;
}

/* What the operator did. */
static enum gt_err action_take(struct replay *replay, struct gt_str fields, bool is_past_mark, struct gt_errinfo *info)
{
    struct archive_action action;
    if (!archive_action_read(fields, &action) || action.t_unix_s < replay->options->since_unix_s) return GT_OK;
    if (!is_past_mark && (replay->options->early_actions >> action.kind & 1) == 0) return GT_OK;
    replay->counts.actions++;
    return replay->fns->action != NULL ? replay->fns->action(replay->fns->ctx, &action, info) : GT_OK;
}

/* One outcome: what kind it is. Head and block are read as one list of fields, for the head says what the block is about. */
static enum gt_err metadata_take(struct replay *replay, const struct archive_record *record, bool is_past_mark, struct gt_errinfo *info)
{
    struct strbuf fields;
    struct gt_str outcome = header_find(record->entry.block, "gputape-outcome", 0);
    enum gt_err err = GT_OK;
    if (outcome.len == 0 || record->entry.block.len > WARC_FIELDS_BYTES_MAX) return GT_OK;
    strbuf_init(&fields, OUTCOME_BYTES_MAX);
    strbuf_add(&fields, record->entry.head);
    strbuf_add(&fields, record->entry.block);
    struct gt_str text = strbuf_str(&fields);
    if (fields.err != GT_OK) err = out_of_memory(info);
    else if (gt_str_is(outcome, "action")) err = action_take(replay, text, is_past_mark, info);
    else if (is_past_mark && gt_str_is(outcome, "run")) err = outcome_sort(replay, text, info);
    else if (is_past_mark && gt_str_is(outcome, "crawl")) err = crawl_take(replay, text, info);
    strbuf_done(&fields);
    return err;
}

/* True once the place behind which outcomes count is reached: files are in order, and so are offsets. */
static bool is_past(struct replay *replay, const struct archive_record *record)
{
    const struct archive_mark *mark = &replay->options->committed;
    if (replay->is_past_committed || mark->file[0] == '\0') replay->is_past_committed = true;
    else if (gt_str_is(record->file, mark->file)) replay->is_past_committed = record->offset >= mark->offset;
    else if (replay->index.file_count > 0 || record->offset == 0) {
        /* a file behind the mark's, when the mark's has ended without a further record */
        size_t count, at = SIZE_MAX, own = SIZE_MAX;
        const struct archive_file *files = archive_files(replay->archive, &count);
        for (size_t i = 0; i < count; i++) {
            if (gt_str_is(files[i].name, mark->file)) at = i;
            if (gt_str_eq(files[i].name, record->file)) own = i;
        }
        replay->is_past_committed = at != SIZE_MAX && own > at;
    }
    return replay->is_past_committed;
}

/* One record in its turn. */
static enum gt_err record_take(struct replay *replay, const struct archive_record *record, struct gt_errinfo *info)
{
    const struct gt_str type = record->entry.type;
    bool is_metadata = gt_str_is(type, "metadata"), is_past_mark = is_past(replay, record);
    bool is_page = gt_str_is(type, "response") || gt_str_is(type, "revisit") || gt_str_is(type, "resource");
    if (!is_page && !is_metadata) return GT_OK;
    if (is_page && !replay_index_add(&replay->index, record)) return out_of_memory(info);
    enum gt_err err = place_keep(replay, record, info);
    if (err == GT_OK && !is_past_mark && replay->place_count >= REPLAY_PLACES_BATCH) err = places_flush(replay, info);
    bool is_read = is_metadata && (is_past_mark || replay->options->early_actions != 0);
    return err == GT_OK && is_read ? metadata_take(replay, record, is_past_mark, info) : err;
}

/* Everything from `begin` on. */
static enum gt_err records_take(struct replay *replay, struct gt_errinfo *info)
{
    struct archive_record record;
    const struct archive_mark *begin = &replay->options->begin;
    enum gt_err err = archive_seek(replay->archive, gt_str_from(begin->file), begin->offset, info);
    while (err == GT_OK) {
        struct gt_errinfo fault = {0};
        err = archive_next(replay->archive, &record, &fault);
        if (err == GT_ENOENT) return GT_OK;
        if (archive_is_damage(err)) {
            replay->counts.damaged++;
            if (replay->fns->damage != NULL) replay->fns->damage(replay->fns->ctx, gt_str_from(fault.text));
            err = GT_OK;
            continue;
        }
        if (err != GT_OK) return gt_fail(info, err, "%s", fault.text);
        err = record_take(replay, &record, info);
    }
    return err;
}

/* Two handles on one archive: one walks in order while the other looks up what a record refers to. */
enum gt_err replay_run(const struct replay_options *options, const struct replay_fns *fns, struct replay_counts *ret_counts,
                       struct gt_errinfo *info)
{
    struct replay replay = {.options = options, .fns = fns, .arena = arena_new(REPLAY_ARENA_MAX)};
    replay.index.arena = replay.arena;
    enum gt_err err = replay.arena != NULL ? archive_open(options->folder, &replay.archive, info) : out_of_memory(info);
    if (err == GT_OK) err = archive_open(options->folder, &replay.lookup, info);
    if (err == GT_OK) err = records_take(&replay, info);
    if (err == GT_OK) err = deferred_take(&replay, info);
    if (err == GT_OK) err = places_flush(&replay, info);
    for (size_t i = 0; i < replay.deferred_count; i++) free(replay.deferred[i].fields);
    free(replay.deferred);
    outcome_drop(&replay);
    replay_sections_free(&replay);
    replay_index_done(&replay.index);
    archive_close(replay.archive);
    archive_close(replay.lookup);
    free(replay.places);
    arena_free(replay.arena);
    *ret_counts = replay.counts;
    return err;
}
