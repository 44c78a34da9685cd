/* The run log says which attributes were in force from which run on, by number. Deriving anew puts other numbers there: each
 * row whose steps name attributes or records of an offer that reads differently today is written again, and the stream's latest
 * block and delisted offers are made anew by replaying the log, which is what they are. The log's shape (steps, kinds, times,
 * sequence) does not change, so changes and spans stay where they were. */
#include "store/rederive.h"

#include <stdlib.h>

#include "store/intern.h"
#include "store/part_rebuild.h"
#include "store/reader.h"
#include "store/store_impl.h"

enum { TABLE_FIRST = 1024 };

#define REDERIVE_ARENA_MAX ((size_t)2 << 30)

/* What an offer's attributes (and one of its records) became. */
struct memo {
    uint32_t offer, attr, record; /* record 0: the entry tells the attributes */
    uint32_t now;                 /* the new id of attributes or record */
    bool is_used;
};

struct rederive {
    struct db_txn *txn;
    store_derive_fn *derive;
    void *ctx;
    struct arena *results; /* the caller's */
    struct arena *work;    /* of one stream */
    struct reader reader;
    struct memo *memos; /* open addressing, a power of two */
    size_t memo_count, memo_cap;
    struct run_place *rewrites; /* rows that are to be written again */
    size_t rewrite_count, rewrite_cap;
    struct rederived *list;
    size_t list_count, list_cap;
    struct rederive_counts counts;
};

/* Sticky, as all failures of the transaction. */
static void out_of_memory(struct rederive *job)
{
    db_fail(job->txn, GT_ENOMEM, "out of memory");
}

/* ---- what is known already, within a stream ---- */

/* The entry of the three, or the free place where it would be. */
static struct memo *memo_place(const struct rederive *job, uint32_t offer, uint32_t attr, uint32_t record)
{
    uint64_t hash = ((uint64_t)offer * 0x9E3779B97F4A7C15ULL) ^ ((uint64_t)attr << 32 | record) * 0xC2B2AE3D27D4EB4FULL;
    size_t mask = job->memo_cap - 1, at = (size_t)(hash >> 20) & mask;
    for (; job->memos[at].is_used; at = (at + 1) & mask) {
        const struct memo *memo = &job->memos[at];
        if (memo->offer == offer && memo->attr == attr && memo->record == record) break;
    }
    return &job->memos[at];
}

/* Doubles the table when it is half full. */
static bool memo_room(struct rederive *job)
{
    if (job->memo_count * 2 < job->memo_cap) return true;
    struct memo *old = job->memos;
    size_t old_cap = job->memo_cap, cap = old_cap == 0 ? TABLE_FIRST : old_cap * 2;
    struct memo *memos = arena_array(job->work, cap, sizeof *memos);
    if (memos == NULL) return false;
    job->memos = memos;
    job->memo_cap = cap;
    for (size_t i = 0; i < old_cap; i++)
        if (old[i].is_used) *memo_place(job, old[i].offer, old[i].attr, old[i].record) = old[i];
    return true;
}

/* The same question is asked in every run that shows the offer: it is answered once. */
static void memo_add(struct rederive *job, uint32_t offer, uint32_t attr, uint32_t record, uint32_t now)
{
    struct memo *memo = memo_place(job, offer, attr, record);
    if (!memo->is_used) job->memo_count++;
    *memo = (struct memo){offer, attr, record, now, true};
}

/* ---- deriving ---- */

/* The id of what an encoder wrote. */
static uint32_t put(struct rederive *job, enum db_table table, struct strbuf *bytes)
{
    uint32_t id = intern_put_buf(job->txn, table, bytes);
    strbuf_done(bytes);
    return id;
}

/* Equal attributes get the number that they have already. */
static uint32_t put_attributes(struct rederive *job, const struct offer_attributes *attributes)
{
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_attributes(&bytes, attributes);
    return put(job, DB_ATTRIBUTES, &bytes);
}

/* The same for records. */
static uint32_t put_record(struct rederive *job, const struct offer_record *record)
{
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_record(&bytes, record);
    return put(job, DB_RECORDS, &bytes);
}

/* A copy that outlives the stream's arena and the database's memory. */
static struct gt_str copy(struct rederive *job, struct gt_str text)
{
    struct gt_str kept = arena_dup(job->results, text);
    if (kept.ptr == NULL) out_of_memory(job);
    return kept;
}

/* Tells what became of an offer's attributes. */
static void tell(struct rederive *job, uint32_t id, const struct named_offer *offer, const struct offer_attributes *before,
                 const struct offer_attributes *after)
{
    void *list = job->list;
    if (!arena_grow(job->results, &list, job->list_count, &job->list_cap, sizeof *job->list)) {
        out_of_memory(job);
        return;
    }
    job->list = list;
    struct rederived *told = &job->list[job->list_count++];
    *told = (struct rederived){.offer_id = id, .site = copy(job, offer->site), .before = *before, .after = *after};
    told->identity.part = copy(job, offer->identity.part);
    told->identity.label = copy(job, offer->identity.label);
    told->identity.plan = copy(job, offer->identity.plan);
    told->identity.region = copy(job, offer->identity.region);
    told->identity.variant = copy(job, offer->identity.variant);
    told->identity.key = copy(job, offer->identity.key);
    told->before.candidates = copy(job, before->candidates);
    told->before.interconnect = copy(job, before->interconnect);
    told->after.candidates = copy(job, after->candidates);
    told->after.interconnect = copy(job, after->interconnect);
}

/* The offer as it stood with these attributes and this record (0: none), derived anew into *ret. False when nothing changed or
 * the transaction has failed. */
static bool derive(struct rederive *job, uint32_t id, uint32_t attr, uint32_t record, struct offer *ret)
{
    const struct named_offer *offer = reader_offer(&job->reader, id);
    const struct offer_attributes *attributes = reader_attributes(&job->reader, attr);
    const struct offer_record *stored = record != 0 ? reader_record(&job->reader, record) : NULL;
    if (offer == NULL || attributes == NULL || (record != 0 && stored == NULL)) return false;
    *ret = (struct offer){.identity = offer->identity, .attributes = *attributes};
    if (stored != NULL) ret->record = *stored;
    return job->derive(job->ctx, offer->site, ret, job->work);
}

/* The attributes that stand for `attr` of an offer from now on; the first record that they are met with decides what only prices
 * can say. */
static uint32_t attributes_now(struct rederive *job, uint32_t id, uint32_t attr, uint32_t record)
{
    if (id == 0 || attr == 0) return attr;
    if (!memo_room(job)) {
        out_of_memory(job);
        return attr;
    }
    const struct memo *known = memo_place(job, id, attr, 0);
    if (known->is_used) return known->now;
    struct offer offer;
    uint32_t now = attr;
    if (derive(job, id, attr, record, &offer)) {
        now = put_attributes(job, &offer.attributes);
        if (now != attr && db_err(job->txn) == GT_OK)
            tell(job, id, reader_offer(&job->reader, id), reader_attributes(&job->reader, attr), &offer.attributes);
    }
    memo_add(job, id, attr, 0, now);
    return now;
}

/* The record that stands for `record`: the same printed facts, with the list price per card that follows from the attributes. */
static uint32_t record_now(struct rederive *job, uint32_t id, uint32_t attr, uint32_t record)
{
    if (record == 0) return 0;
    if (!memo_room(job)) {
        out_of_memory(job);
        return record;
    }
    const struct memo *known = memo_place(job, id, attr, record);
    if (known->is_used) return known->now;
    struct offer offer;
    uint32_t now = derive(job, id, attr, record, &offer) ? put_record(job, &offer.record) : record;
    memo_add(job, id, attr, record, now);
    return now;
}

/* Replaces what a step says of its offer's card. True when it said something else. */
static bool step_rederive(struct rederive *job, struct step *step)
{
    if (step->offer == 0) return false;
    uint32_t shown = step->after != 0 ? step->after : step->before;
    uint32_t attr = attributes_now(job, step->offer, step->attr, shown);
    if (attr == step->attr) return false;
    step->before = record_now(job, step->offer, step->attr, step->before);
    step->after = record_now(job, step->offer, step->attr, step->after);
    step->attr = attr;
    return true;
}

/* ---- one stream ---- */

/* Takes one row through; keeps its new bytes when they differ. */
static void row_rederive(struct rederive *job, const struct run_place *place)
{
    struct run_row_stored row;
    bool is_changed = false;
    enum gt_err err = dec_run(place, job->work, &row);
    if (err != GT_OK) {
        db_fail(job->txn, err, "run %llu: %s", (unsigned long long)place->seq, gt_err_text(err));
        return;
    }
    if (row.step_count == 0) return;
    struct step *steps = arena_array(job->work, row.step_count, sizeof *steps);
    void *items = job->rewrites;
    if (steps == NULL || !arena_grow(job->work, &items, job->rewrite_count, &job->rewrite_cap, sizeof *job->rewrites)) {
        out_of_memory(job);
        return;
    }
    job->rewrites = items;
    memcpy(steps, row.steps, row.step_count * sizeof *steps);
    for (size_t i = 0; i < row.step_count && db_err(job->txn) == GT_OK; i++) is_changed |= step_rederive(job, &steps[i]);
    if (!is_changed || db_err(job->txn) != GT_OK) return;
    struct strbuf bytes;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    row.steps = steps;
    enc_run(&bytes, &row);
    struct gt_str kept = bytes.err == GT_OK ? arena_dup(job->work, strbuf_str(&bytes)) : GT_STR("");
    if (bytes.err != GT_OK) db_fail(job->txn, bytes.err, "run %llu: %s", (unsigned long long)place->seq, gt_err_text(bytes.err));
    else if (kept.ptr == NULL) out_of_memory(job);
    strbuf_done(&bytes);
    job->rewrites[job->rewrite_count++] = (struct run_place){place->seq, place->t_unix_s, kept};
}

/* The rows of a stream. They are good until the next write, and deriving writes: all are copied first. */
static void rows_rederive(struct rederive *job, uint32_t stream)
{
    struct run_cursor cursor;
    struct run_place *places = NULL;
    size_t count = 0, cap = 0;
    run_cursor_init(&cursor, job->txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has; has = run_cursor_next(&cursor)) {
        void *items = places;
        struct gt_str bytes = arena_dup(job->work, cursor.row->bytes);
        if (bytes.ptr == NULL || !arena_grow(job->work, &items, count, &cap, sizeof *places)) {
            out_of_memory(job);
            break;
        }
        places = items;
        places[count++] = (struct run_place){cursor.row->seq, cursor.row->t_unix_s, bytes};
    }
    run_cursor_done(&cursor);
    for (size_t i = 0; i < count && db_err(job->txn) == GT_OK; i++) row_rederive(job, &places[i]);
}

/* Rows are written after all of them were read, and the latest block after the rows: it is their replay. */
static void stream_rederive(struct rederive *job, uint32_t stream)
{
    arena_clear(job->work);
    reader_init(&job->reader, job->txn, job->work);
    job->memos = NULL;
    job->rewrites = NULL;
    job->memo_count = job->memo_cap = job->rewrite_count = job->rewrite_cap = 0;
    rows_rederive(job, stream);
    run_rows_replace(job->txn, stream, job->rewrites, job->rewrite_count);
    job->counts.runs += job->rewrite_count;
    if (job->rewrite_count > 0 && db_err(job->txn) == GT_OK) part_latest_rebuild(job->txn, stream, job->work);
}

/* By offer; then by what is told of it, so that the order is the same everywhere. */
static int told_cmp(const void *left, const void *right)
{
    const struct rederived *a = left, *b = right;
    const struct offer_attributes *of_a[] = {&a->before, &a->after}, *of_b[] = {&b->before, &b->after};
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    for (size_t i = 0; i < 2; i++) {
        int order = strcmp(of_a[i]->sku, of_b[i]->sku);
        if (order == 0) order = (int)of_a[i]->sku_status - (int)of_b[i]->sku_status;
        if (order == 0) order = of_a[i]->vram_gb - of_b[i]->vram_gb;
        if (order == 0) order = of_a[i]->cards - of_b[i]->cards;
        if (order == 0) order = gt_str_cmp(of_a[i]->candidates, of_b[i]->candidates);
        if (order != 0) return order;
    }
    return 0;
}

/* Orders the list, tells each thing once (an offer may have been seen by several streams), and counts the offers. */
static void told_settle(struct rederive *job)
{
    size_t kept = 0;
    if (job->list_count > 0) qsort(job->list, job->list_count, sizeof *job->list, told_cmp);
    for (size_t i = 0; i < job->list_count; i++) {
        if (kept > 0 && told_cmp(&job->list[kept - 1], &job->list[i]) == 0) continue;
        job->counts.changed += kept == 0 || job->list[i].offer_id != job->list[kept - 1].offer_id;
        job->list[kept++] = job->list[i];
    }
    job->list_count = kept;
}

/* May be run again from the beginning: what was gathered before is forgotten. */
static enum gt_err rederive_fill(void *ctx, struct db_txn *txn)
{
    struct rederive *job = ctx;
    job->txn = txn;
    job->list = NULL;
    job->list_count = job->list_cap = 0;
    job->counts = (struct rederive_counts){.offers = db_count(txn, DB_OFFERS)};
    for (uint32_t id = part_stream_next(txn, 0); id != 0 && db_err(txn) == GT_OK; id = part_stream_next(txn, id))
        stream_rederive(job, id);
    return db_err(txn);
}

/* One transaction: cards derived by two catalogues in one history would be compared with each other. */
enum gt_err store_rederive(struct store *store, store_derive_fn *fn, void *ctx, struct arena *arena,
                           const struct rederived **ret_list, size_t *ret_count, struct rederive_counts *ret_counts,
                           struct gt_errinfo *info)
{
    struct rederive job = {.derive = fn, .ctx = ctx, .results = arena};
    job.work = arena_new(REDERIVE_ARENA_MAX);
    if (job.work == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_write(store->db, rederive_fill, &job, info);
    arena_free(job.work);
    if (err != GT_OK) return err;
    told_settle(&job);
    *ret_list = job.list;
    *ret_count = job.list_count;
    *ret_counts = job.counts;
    return GT_OK;
}
