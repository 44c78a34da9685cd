/* Rows of the log keep their places and lose steps: of each offer that stands after the run all from where its standing span (or its doubt)
 * began are kept, of any other none. So what stands is what stood, with its own beginning, and nothing behind the run needs another word. */
#include "store/thin.h"

#include <stdlib.h>

#include "store/intern.h"
#include "store/part_rebuild.h"
#include "store/reader.h"
#include "store/store_impl.h"

#define THIN_ARENA_MAX ((size_t)2 << 30)

enum { BITS = 8 };

struct thin {
    struct store *store;
    struct gt_str site, note, value;
    uint64_t seq;
    struct db_txn *txn;
    struct arena *work; /* of one stream */
    struct thin_counts counts;
    bool is_found; /* the run is a good one of some stream */
};

/* One stream: its log as it was, and as it becomes. */
struct stream_thin {
    struct thin *job;
    struct part_state before, after;
    struct part_state stood; /* after the run: the slots whose steps are kept */
    struct run_place *rewrites;
    size_t count, cap;
};

/* The first run whose steps of an offer are kept; KEY_SEQ_LAST: none are. */
static uint64_t kept_from(const struct stream_thin *thin, uint32_t offer)
{
    const struct slot *slot = part_slot_find(&thin->stood, offer);
    uint64_t from = KEY_SEQ_LAST;
    if (slot == NULL || !slot->is_listed) return from;
    if (slot->good.record != 0) from = slot->good.first;
    return slot->doubt.record != 0 && slot->doubt.first < from ? slot->doubt.first : from;
}

/* Leaves the steps out that go; what the row says of the source stays in any case. True when some went. */
static bool steps_thin(const struct stream_thin *thin, struct run_row_stored *row, struct step *steps)
{
    size_t kept = 0;
    for (size_t i = 0; i < row->step_count; i++)
        if (row->steps[i].offer == 0 || row->seq >= kept_from(thin, row->steps[i].offer)) steps[kept++] = row->steps[i];
    bool is_thinner = kept < row->step_count;
    row->steps = steps;
    row->step_count = kept;
    return is_thinner;
}

/* Notes the row's new bytes. */
static void rewrite(struct stream_thin *thin, const struct run_place *place, const struct run_row_stored *row)
{
    struct strbuf bytes;
    void *items = thin->rewrites;
    struct thin *job = thin->job;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_run(&bytes, row);
    struct gt_str kept = bytes.err == GT_OK ? arena_dup(job->work, strbuf_str(&bytes)) : GT_STR("");
    enum gt_err err = bytes.err;
    if (err == GT_OK && (kept.ptr == NULL || !arena_grow(job->work, &items, thin->count, &thin->cap, sizeof *thin->rewrites))) err = GT_ENOMEM;
    strbuf_done(&bytes);
    if (err != GT_OK) {
        db_fail(job->txn, err, "run %llu: %s", (unsigned long long)place->seq, gt_err_text(err));
        return;
    }
    thin->rewrites = items;
    thin->rewrites[thin->count++] = (struct run_place){place->seq, place->t_unix_s, kept};
}

static void apply(struct part_state *state, const struct run_row_stored *row)
{
    for (size_t i = 0; i < row->step_count; i++) part_step_apply(state, row, &row->steps[i]);
    part_run_apply(state, row);
}

/* Rows behind the run stay as they are, and are replayed only to see that they fit. */
static void row_thin(struct stream_thin *thin, const struct run_place *place)
{
    struct run_row_stored row;
    struct thin *job = thin->job;
    enum gt_err err = dec_run(place, job->work, &row);
    struct step *steps = err == GT_OK ? arena_array(job->work, row.step_count + 1, sizeof *steps) : NULL;
    if (err == GT_OK && steps == NULL) err = GT_ENOMEM;
    if (err != GT_OK) {
        db_fail(job->txn, err, "run %llu: %s", (unsigned long long)place->seq, gt_err_text(err));
        return;
    }
    apply(&thin->before, &row);
    if (place->seq <= job->seq && steps_thin(thin, &row, steps)) rewrite(thin, place, &row);
    apply(&thin->after, &row);
}

/* The rows of a stream as copies; *ret_has is true when the run is a good one of it. */
static struct run_place *rows_copy(struct thin *job, uint32_t stream, size_t *ret_count, bool *ret_has)
{
    struct run_cursor cursor;
    struct run_place *places = NULL;
    size_t count = 0, cap = 0;
    *ret_has = false;
    run_cursor_init(&cursor, job->txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has; has = run_cursor_next(&cursor)) {
        struct run_row_stored row;
        void *items = places;
        struct gt_str bytes = arena_dup(job->work, cursor.row->bytes);
        if (bytes.ptr == NULL || !arena_grow(job->work, &items, count, &cap, sizeof *places)) {
            db_fail(job->txn, GT_ENOMEM, "out of memory");
            break;
        }
        places = items;
        places[count++] = (struct run_place){cursor.row->seq, cursor.row->t_unix_s, bytes};
        if (cursor.row->seq == job->seq && run_cursor_row(&cursor, NULL, &row) == GT_OK) *ret_has = row.is_good;
    }
    run_cursor_done(&cursor);
    *ret_count = count;
    return places;
}

/* A step that does not fit any more would be damage: nothing is written then. */
static void stream_thin(struct thin *job, uint32_t stream)
{
    struct stream_thin thin = {.job = job};
    size_t count = 0;
    bool has = false;
    struct run_place *places = rows_copy(job, stream, &count, &has);
    if (db_err(job->txn) != GT_OK || !has) return;
    job->is_found = true;
    if (!part_replay(job->txn, stream, job->seq, &thin.stood, job->work)) return;
    part_state_init(&thin.before, job->work, true);
    part_state_init(&thin.after, job->work, true);
    for (size_t i = 0; i < count && db_err(job->txn) == GT_OK; i++) row_thin(&thin, &places[i]);
    if (thin.before.err != GT_OK || thin.after.err != GT_OK)
        db_fail(job->txn, GT_EINTERNAL, "stream %u cannot be cut at run %llu", (unsigned)stream, (unsigned long long)job->seq);
    if (db_err(job->txn) != GT_OK || thin.count == 0) return;
    run_rows_replace(job->txn, stream, thin.rewrites, thin.count);
    part_latest_rebuild(job->txn, stream, job->work);
    job->counts.runs += thin.count;
    job->counts.spans += thin.before.spans - thin.after.spans;
}

/* ---- records that nothing refers to ---- */

struct referred {
    uint8_t *bits;
    uint32_t last;
};

static void refer(struct referred *referred, uint32_t record)
{
    if (record != 0 && record <= referred->last) referred->bits[record / BITS] |= (uint8_t)(1U << record % BITS);
}

/* Steps alone name records: latest blocks and delisted offers follow from them. */
static void refer_stream(struct thin *job, struct referred *referred, uint32_t stream)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, job->txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has; has = run_cursor_next(&cursor)) {
        struct run_row_stored row;
        struct run_steps steps;
        struct step step;
        enum gt_err err = run_steps_begin(cursor.row, &row, &steps);
        while (err == GT_OK && run_steps_next(&steps, &step)) {
            if (step.offer == 0) continue;
            refer(referred, step.before);
            refer(referred, step.after);
        }
        if (err == GT_OK) err = run_steps_end(&steps);
        if (err != GT_OK) db_fail(job->txn, err, "run %llu: %s", (unsigned long long)cursor.row->seq, gt_err_text(err));
    }
    run_cursor_done(&cursor);
}

static void records_drop(struct thin *job, const struct referred *referred)
{
    for (uint32_t id = 1; id < referred->last && db_err(job->txn) == GT_OK; id++) {
        struct gt_str bytes;
        struct key key = key_of_id(id);
        if ((referred->bits[id / BITS] >> id % BITS & 1) != 0 || !db_get(job->txn, DB_RECORDS, key_str(&key), &bytes)) continue;
        job->counts.records += intern_drop(job->txn, DB_RECORDS, id);
    }
}

/* Marked from all streams, then swept: a record may be shared by offers of several sites. */
static void records_sweep(struct thin *job)
{
    struct db_cursor cursor;
    struct referred referred = {NULL, 0};
    db_cursor_init(&cursor, job->txn, DB_RECORDS);
    if (db_cursor_seek_before(&cursor, (struct gt_str){NULL, 0})) referred.last = key_id_at(cursor.key, 0);
    db_cursor_done(&cursor);
    referred.bits = calloc((size_t)referred.last / BITS + 1, 1);
    if (referred.bits == NULL) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    for (uint32_t id = part_stream_next(job->txn, 0); id != 0 && db_err(job->txn) == GT_OK; id = part_stream_next(job->txn, id))
        refer_stream(job, &referred, id);
    records_drop(job, &referred);
    free(referred.bits);
}

/* May be run again from the beginning. */
static enum gt_err thin_fill(void *ctx, struct db_txn *txn)
{
    struct thin *job = ctx;
    struct reader reader;
    job->txn = txn;
    job->counts = (struct thin_counts){0};
    job->is_found = false;
    for (uint32_t id = part_stream_next(txn, 0); id != 0 && db_err(txn) == GT_OK; id = part_stream_next(txn, id)) {
        arena_clear(job->work);
        reader_init(&reader, txn, job->work);
        const struct stream *stream = reader_stream(&reader, id);
        if (stream != NULL && stream->provenance == PROVENANCE_LIVE && gt_str_eq(stream->site, job->site)) stream_thin(job, id);
    }
    if (db_err(txn) == GT_OK && !job->is_found) return db_fail(txn, GT_ENOENT, "run %llu is no good run of the site", (unsigned long long)job->seq);
    if (db_err(txn) == GT_OK && job->counts.runs > 0) records_sweep(job);
    struct store_txn own = {.store = job->store, .txn = txn};
    return db_err(txn) == GT_OK ? store_put(job->store, &own, STORE_META, job->note, job->value, NULL) : db_err(txn);
}

enum gt_err store_thin(struct store *store, struct gt_str site, uint64_t seq, struct gt_str note, struct gt_str value, struct thin_counts *ret_counts,
                       struct gt_errinfo *info)
{
    struct thin job = {.store = store, .site = site, .seq = seq, .note = note, .value = value, .work = arena_new(THIN_ARENA_MAX)};
    if (job.work == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_write(store->db, thin_fill, &job, info);
    arena_free(job.work);
    if (err == GT_OK) *ret_counts = job.counts;
    return err;
}
