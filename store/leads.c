#include "store/leads.h"

#include <stdlib.h>

#include "store/cut.h"
#include "store/dump.h"

#define LEADS_ARENA_MAX ((size_t)4 << 30)

enum { RUN_LEADS_MAX = 64 };

/* The writer of all leads: what is imported here and there is one history. */
static const char leads_writer[] = "leads";

/* A quote that the store has. */
struct known {
    uint8_t sha256[32];
    uint32_t stream;
    uint64_t seq;
    struct lead_row *row; /* where it is asked for */
    bool has_offer;
};

struct leads {
    struct arena *arena;
    struct known *items; /* by digest, once all are read */
    size_t count, cap;
    bool wants_offers;
    struct gt_errinfo *info;
};

static int known_cmp(const void *left, const void *right)
{
    const struct known *a = left, *b = right;
    return memcmp(a->sha256, b->sha256, sizeof a->sha256);
}

static int known_run_cmp(const void *left, const void *right)
{
    const struct known *a = left, *b = right;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return (a->seq > b->seq) - (a->seq < b->seq);
}

/* An offer into an arena of one's own, by the bytes that would be stored. */
static enum gt_err offer_copy(const struct dump_observation *seen, struct arena *arena, struct offer *ret_offer)
{
    struct strbuf bytes;
    struct gt_str site;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_identity(&bytes, seen->stream.site, &seen->identity);
    enum gt_err err = bytes.err == GT_OK ? dec_identity(strbuf_str(&bytes), arena, &site, &ret_offer->identity) : bytes.err;
    strbuf_clear(&bytes);
    enc_attributes(&bytes, &seen->attributes);
    if (err == GT_OK) err = bytes.err == GT_OK ? dec_attributes(strbuf_str(&bytes), arena, &ret_offer->attributes) : bytes.err;
    strbuf_clear(&bytes);
    enc_record(&bytes, &seen->record);
    if (err == GT_OK) err = bytes.err == GT_OK ? dec_record(strbuf_str(&bytes), arena, &ret_offer->record) : bytes.err;
    strbuf_done(&bytes);
    ret_offer->stock = -1;
    ret_offer->confidence_permille = 1000;
    return err;
}

/* A run: a quote's digest, date and place. */
static enum gt_err known_add(struct leads *leads, const struct dump_run *run)
{
    void *items = leads->items;
    if (run->row.is_action || !gt_str_is(run->stream.writer, leads_writer)) return GT_OK;
    if (leads->count == LEADS_MAX || !arena_grow(leads->arena, &items, leads->count, &leads->cap, sizeof *leads->items))
        return gt_fail(leads->info, GT_ELIMIT, "more leads than memory or %d", LEADS_MAX);
    leads->items = items;
    struct known *known = &leads->items[leads->count++];
    *known = (struct known){.stream = run->stream_id, .seq = run->row.seq};
    memcpy(known->sha256, run->sha256, sizeof known->sha256);
    if (!leads->wants_offers) return GT_OK;
    known->row = arena_alloc(leads->arena, sizeof *known->row);
    if (known->row == NULL) return gt_fail(leads->info, GT_ENOMEM, "out of memory");
    known->row->t_unix_s = run->row.t_unix_s;
    known->row->warc_offset = run->warc_offset;
    known->row->site = arena_dup(leads->arena, run->stream.site);
    known->row->warc_file = arena_dup(leads->arena, run->warc_file);
    return known->row->site.ptr != NULL && known->row->warc_file.ptr != NULL ? GT_OK : gt_fail(leads->info, GT_ENOMEM, "out of memory");
}

/* Its offer: observations come after the runs of their stream, which stand in order. */
static enum gt_err known_fill(struct leads *leads, const struct dump_observation *seen)
{
    struct known wanted = {.stream = seen->stream_id, .seq = seen->seq};
    struct known *known = leads->count > 0 ? bsearch(&wanted, leads->items, leads->count, sizeof wanted, known_run_cmp) : NULL;
    if (known == NULL) return GT_OK;
    enum gt_err err = offer_copy(seen, leads->arena, &known->row->offer);
    known->has_offer = err == GT_OK;
    return err == GT_OK ? GT_OK : gt_fail(leads->info, err, "a lead cannot be read: %s", gt_err_text(err));
}

static enum gt_err on_thing(void *ctx, enum dump_kind kind, const void *item)
{
    struct leads *leads = ctx;
    if (kind == DUMP_RUN) return known_add(leads, item);
    return leads->wants_offers && kind == DUMP_OBSERVATION ? known_fill(leads, item) : GT_OK;
}

/* All quotes of the store, by digest. */
static enum gt_err leads_load(struct store *store, bool wants_offers, struct leads *leads, struct gt_errinfo *info)
{
    struct dump_options options = {.is_manual_only = true, .kinds = 1U << DUMP_RUN | 1U << DUMP_OBSERVATION};
    leads->wants_offers = wants_offers;
    leads->info = info;
    enum gt_err err = store_dump(store, &options, on_thing, leads, info);
    if (err == GT_OK && leads->count > 0) qsort(leads->items, leads->count, sizeof *leads->items, known_cmp);
    return err;
}

static bool leads_have(const struct leads *leads, const uint8_t sha256[32])
{
    struct known wanted;
    memset(&wanted, 0, sizeof wanted);
    memcpy(wanted.sha256, sha256, sizeof wanted.sha256);
    return leads->count > 0 && bsearch(&wanted, leads->items, leads->count, sizeof wanted, known_cmp) != NULL;
}

/* Before the table is archived: one that brings nothing leaves nothing. */
enum gt_err store_leads_count_new(struct store *store, const struct lead_row *rows, size_t count, size_t *ret_new,
                                  struct gt_errinfo *info)
{
    struct leads leads = {.arena = arena_new(LEADS_ARENA_MAX)};
    enum gt_err err = leads.arena != NULL ? leads_load(store, false, &leads, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    size_t fresh = 0;
    for (size_t i = 0; i < count && err == GT_OK; i++) fresh += !leads_have(&leads, rows[i].sha256);
    arena_free(leads.arena);
    if (err == GT_OK) *ret_new = fresh;
    return err;
}

/* ---- writing ---- */

/* By site, date, lead; the digest makes any order of a table's rows the same. */
static int row_cmp(const void *left, const void *right)
{
    const struct lead_row *a = *(const struct lead_row *const *)left, *b = *(const struct lead_row *const *)right;
    int by_site = gt_str_cmp(a->site, b->site);
    if (by_site != 0) return by_site;
    if (a->t_unix_s != b->t_unix_s) return a->t_unix_s < b->t_unix_s ? -1 : 1;
    int by_part = gt_str_cmp(a->offer.identity.part, b->offer.identity.part);
    return by_part != 0 ? by_part : memcmp(a->sha256, b->sha256, sizeof a->sha256);
}

/* What is to be written: rows by pointer. */
struct queue {
    const struct lead_row **rows;
    size_t count;
};

/* Rows of one site and moment, each another part, as one run. */
static enum gt_err run_put(struct store *store, const struct queue *queue, size_t at, size_t count, struct arena *scratch,
                           struct gt_errinfo *info)
{
    struct run_part parts[RUN_LEADS_MAX];
    const struct lead_row *first = queue->rows[at];
    memset(parts, 0, sizeof parts);
    for (size_t i = 0; i < count; i++) {
        const struct lead_row *row = queue->rows[at + i];
        parts[i] = (struct run_part){.name = row->offer.identity.part,
                                     .status = STATUS_OK,
                                     .warc_file = row->warc_file,
                                     .warc_offset = row->warc_offset,
                                     .is_full_fetch = true,
                                     .offers = &row->offer,
                                     .offer_count = 1,
                                     .rows_found = 1};
        memcpy(parts[i].body_sha256, row->sha256, sizeof parts[i].body_sha256);
    }
    struct run_input run = {.site = first->site,
                            .title = first->title,
                            .kind = first->kind,
                            .market = first->market,
                            .net_rules = first->net_rules,
                            .provenance = PROVENANCE_MANUAL,
                            .writer = gt_str_from(leads_writer),
                            .start_unix_s = first->t_unix_s,
                            .rule_version = first->rule_version,
                            .parts = parts,
                            .part_count = count};
    arena_clear(scratch);
    return store_run_commit(store, &run, NULL, NULL, scratch, NULL, info);
}

/* How many of the rows from `at` on go into one run. */
static size_t run_length(const struct queue *queue, size_t at)
{
    size_t count = 1;
    const struct lead_row *first = queue->rows[at];
    while (at + count < queue->count && count < RUN_LEADS_MAX) {
        const struct lead_row *row = queue->rows[at + count], *before = queue->rows[at + count - 1];
        if (row->t_unix_s != first->t_unix_s || !gt_str_eq(row->site, first->site)) break;
        if (gt_str_eq(row->offer.identity.part, before->offer.identity.part)) break;
        count++;
    }
    return count;
}

/* True when the store has a quote of the site that is younger. */
static bool has_younger(const struct leads *leads, const struct lead_row *row)
{
    for (size_t i = 0; i < leads->count; i++)
        if (leads->items[i].row->t_unix_s > row->t_unix_s && gt_str_eq(leads->items[i].row->site, row->site)) return true;
    return false;
}

/* Takes what the store has of a site from a date on out of it and into the queue, with what its source says today. */
static enum gt_err site_reopen(struct store *store, struct leads *leads, const struct lead_row *like, struct queue *queue,
                               struct gt_errinfo *info)
{
    struct cut_scope scope = {like->site, PROVENANCE_MANUAL, gt_str_from(leads_writer), like->t_unix_s};
    uint64_t cut;
    if (!has_younger(leads, like)) return GT_OK;
    for (size_t i = 0; i < leads->count; i++) {
        struct known *known = &leads->items[i];
        if (known->row->t_unix_s < like->t_unix_s || !gt_str_eq(known->row->site, like->site)) continue;
        if (!known->has_offer) return gt_fail(info, GT_ECORRUPT, "a lead of %.*s shows no offer", GT_STR_ARG(like->site));
        known->row->title = like->title;
        known->row->kind = like->kind;
        known->row->market = like->market;
        known->row->net_rules = like->net_rules;
        known->row->rule_version = like->rule_version;
        memcpy(known->row->sha256, known->sha256, sizeof known->sha256);
        queue->rows[queue->count++] = known->row;
    }
    return store_cut(store, &scope, &cut, info);
}

/* Sorted rows without those that the store has or that came twice. */
static void queue_fill(struct queue *queue, const struct leads *leads, const struct lead_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!leads_have(leads, rows[i].sha256)) queue->rows[queue->count++] = &rows[i];
    if (queue->count > 0) qsort(queue->rows, queue->count, sizeof(const struct lead_row *), row_cmp);
    for (size_t i = 0; i < queue->count; i++)
        if (kept == 0 || memcmp(queue->rows[kept - 1]->sha256, queue->rows[i]->sha256, sizeof rows->sha256) != 0)
            queue->rows[kept++] = queue->rows[i];
    queue->count = kept;
}

/* Each site from its earliest new row on. */
static enum gt_err sites_reopen(struct store *store, struct leads *leads, struct queue *queue, struct gt_errinfo *info)
{
    size_t fresh = queue->count;
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < fresh && err == GT_OK; i++)
        if (i == 0 || !gt_str_eq(queue->rows[i - 1]->site, queue->rows[i]->site)) err = site_reopen(store, leads, queue->rows[i], queue, info);
    if (queue->count > fresh) qsort(queue->rows, queue->count, sizeof(const struct lead_row *), row_cmp);
    return err;
}

/* An older lead that comes later takes the newer ones of its site off and puts all in again by date: history then is as if they had come in
 * time. */
enum gt_err store_leads_put(struct store *store, const struct lead_row *rows, size_t count, size_t *ret_written, struct gt_errinfo *info)
{
    struct leads leads = {.arena = arena_new(LEADS_ARENA_MAX)};
    struct arena *scratch = arena_new(LEADS_ARENA_MAX);
    struct queue queue = {0};
    enum gt_err err =
        leads.arena != NULL && scratch != NULL ? leads_load(store, true, &leads, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) queue.rows = arena_array(leads.arena, count + leads.count, sizeof(const struct lead_row *));
    if (err == GT_OK && queue.rows == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    else if (err == GT_OK) queue_fill(&queue, &leads, rows, count);
    size_t fresh = queue.count;
    if (err == GT_OK) err = sites_reopen(store, &leads, &queue, info);
    for (size_t at = 0; at < queue.count && err == GT_OK;) {
        size_t length = run_length(&queue, at);
        err = run_put(store, &queue, at, length, scratch, info);
        at += length;
    }
    if (err == GT_OK) *ret_written = fresh;
    arena_free(scratch);
    arena_free(leads.arena);
    return err;
}
