/* store_run_commit: one transaction a run of one site. */
#include "store/commit.h"

#include "store/diff.h"
#include "store/intern.h"
#include "store/part_load.h"

#define RUN_SCRATCH_MAX ((size_t)1 << 30)

struct run_job {
    struct store *store;
    const struct run_input *run;
    store_hook *hook;
    void *hook_ctx;
    struct arena *arena; /* the caller's: outlives the commit */
    struct run_summary summary;
    struct change *changes;
    size_t change_count, change_cap;
    bool *part_good;
};

/* The part's stream as bytes. */
static void enc_stream_of(struct strbuf *buf, const struct run_input *run, const struct run_part *part)
{
    struct stream stream = {.site = run->site, .part = part->name, .provenance = run->provenance, .writer = run->writer};
    enc_stream(buf, &stream);
}

/* The stream's id, given out now when this is its first run. */
static uint32_t stream_put(struct db_txn *txn, const struct run_input *run, const struct run_part *part)
{
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_stream_of(&bytes, run, part);
    uint32_t id = intern_put_buf(txn, DB_STREAMS, &bytes);
    strbuf_done(&bytes);
    return id;
}

/* The stream's id; 0 when it has had no run. */
static uint32_t stream_find(struct db_txn *txn, const struct run_input *run, const struct run_part *part)
{
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_stream_of(&bytes, run, part);
    uint32_t id = bytes.err == GT_OK ? intern_find(txn, DB_STREAMS, strbuf_str(&bytes)) : 0;
    strbuf_done(&bytes);
    return id;
}

/* True when a stored run of the stream got the very page: digest and record id. */
static bool page_is(struct db_txn *txn, uint32_t stream, uint64_t seq, const struct run_part *part, struct arena *arena)
{
    struct run_page stored = {.warc_file = 0}, given = {.record_id = part->record_id};
    struct strbuf bytes;
    memcpy(given.sha256, part->body_sha256, sizeof given.sha256);
    /* through the codec, which gives an id the form that it is kept in */
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_page(&bytes, &given);
    enum gt_err err = bytes.err == GT_OK ? dec_page(strbuf_str(&bytes), arena, &given) : bytes.err;
    strbuf_done(&bytes);
    if (err != GT_OK) db_fail(txn, err, "a page of stream %u: %s", (unsigned)stream, gt_err_text(err));
    run_page_get(txn, stream, seq, arena, &stored);
    return db_err(txn) == GT_OK && memcmp(stored.sha256, given.sha256, sizeof stored.sha256) == 0 && gt_str_eq(stored.record_id, given.record_id);
}

/* True when run `seq` has this part: begun at the same time, with the same page. */
static bool part_is(struct db_txn *txn, const struct run_input *run, uint64_t seq, const struct run_part *part, struct arena *arena)
{
    struct run_row_stored row;
    uint32_t stream = stream_find(txn, run, part);
    return stream != 0 && run_row_get(txn, stream, seq, &row) && !row.is_action && row.t_unix_s == run->start_unix_s &&
           page_is(txn, stream, seq, part, arena);
}

/* The run that is this run: its streams, when it began, what it got. 0 when there is none. Looks through the runs that began when this one
 * did, which are none but after a crash or a clock that was set back. */
static uint64_t run_known(struct db_txn *txn, const struct run_input *run)
{
    struct run_cursor cursor;
    uint64_t known = 0;
    uint32_t stream = run->part_count > 0 ? stream_find(txn, run, &run->parts[0]) : 0;
    struct arena *arena = stream != 0 ? arena_new(RUN_SCRATCH_MAX) : NULL;
    if (stream == 0) return 0;
    if (arena == NULL) db_fail(txn, GT_ENOMEM, "out of memory");
    run_cursor_init(&cursor, txn, stream);
    cursor.since_unix_s = run->start_unix_s;
    cursor.until_unix_s = run->start_unix_s < INT64_MAX ? run->start_unix_s + 1 : INT64_MAX;
    for (bool has = run_cursor_last(&cursor); has && known == 0; has = run_cursor_prev(&cursor)) {
        if (cursor.row->t_unix_s != run->start_unix_s) continue;
        known = cursor.row->seq;
        for (size_t i = 0; i < run->part_count; i++)
            if (!part_is(txn, run, known, &run->parts[i], arena)) known = 0;
    }
    run_cursor_done(&cursor);
    arena_free(arena);
    return known;
}

/* Where the page's bytes lie. */
static void page_write(struct part_job *job)
{
    const struct run_part *part = job->part;
    struct run_page page = {
        .warc_file = job_text(job, part->warc_file), .warc_offset = part->warc_offset, .record_id = part->record_id};
    memcpy(page.sha256, part->body_sha256, sizeof page.sha256);
    run_page_append(job->txn, job->stream, &job->row, &page);
}

/* Counts come as signed numbers; less than none is none. */
static uint32_t count_of(int32_t number)
{
    return number > 0 ? (uint32_t)number : 0;
}

/* What the run itself says. What follows from it is filled in by those who judge. */
static void row_begin(struct part_job *job, uint64_t seq)
{
    const struct run_part *part = job->part;
    job->row = (struct run_row_stored){.seq = seq,
                                       .t_unix_s = job->run->start_unix_s,
                                       .status = part->status,
                                       .http_code = part->http_code,
                                       .latency_ms = job->run->latency_ms,
                                       .body_bytes = part->body_bytes,
                                       .reason = job_text(job, part->reason),
                                       .rows_found = count_of(part->rows_found),
                                       .rows_refused = count_of(part->rows_refused)};
}

/* One part, from input to rows. The changes go to the run's list. */
static void part_commit(struct run_job *run_job, struct part_job *job, uint64_t seq)
{
    job->stream = stream_put(job->txn, job->run, job->part);
    if (!part_load_latest(job->txn, job->stream, &job->state, job->arena)) return;
    uint64_t spans_before = job->state.spans;
    reader_init(&job->reader, job->txn, job->arena);
    row_begin(job, seq);
    job_classify(job);
    job_guard_part(job);
    if (job->row.is_content && job->part->status != STATUS_UNCHANGED) job_sight(job);
    if (db_err(job->txn) != GT_OK) return;
    job_guard_moves(job);
    job_judge_source(job);
    job_judge(job);
    job_stock_write(job);
    job_write(job);
    page_write(job);
    run_job->summary.offers_seen += job->row.is_content ? job->row.offers_seen : 0;
    run_job->summary.offers_doubted += job->doubted;
    run_job->summary.spans_opened += (size_t)(job->state.spans - spans_before);
    struct reader reader;
    reader_init(&reader, job->txn, run_job->arena);
    row_changes(&reader, job->stream, &job->row, reader.arena, &run_job->changes, &run_job->change_count, &run_job->change_cap);
}

/* Parts are independent of each other. Each has its own memory, so that a site of many large parts needs room for one. */
static enum gt_err parts_commit(struct run_job *run_job, struct db_txn *txn, uint64_t seq)
{
    run_job->part_good = arena_array(run_job->arena, run_job->run->part_count, sizeof *run_job->part_good);
    if (run_job->part_good == NULL) return db_fail(txn, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < run_job->run->part_count && db_err(txn) == GT_OK; i++) {
        struct part_job job = {.txn = txn, .run = run_job->run, .part = &run_job->run->parts[i]};
        job.arena = arena_new(RUN_SCRATCH_MAX);
        if (job.arena == NULL) return db_fail(txn, GT_ENOMEM, "out of memory");
        part_commit(run_job, &job, seq);
        run_job->part_good[i] = job.row.is_good;
        arena_free(job.arena);
    }
    return db_err(txn);
}

/* All of a run in one transaction, to the hook's own writes. May be called again
 * after the map has grown: everything it fills begins afresh. */
static enum gt_err run_fill(void *ctx, struct db_txn *txn)
{
    struct run_job *job = ctx;
    job->change_count = 0;
    /* Committed before, as after a crash between the commit and its acknowledgement: what followed from it is in the store, too. */
    job->summary = (struct run_summary){.seq = run_known(txn, job->run)};
    if (job->summary.seq != 0 || db_err(txn) != GT_OK) return db_err(txn);
    uint64_t seq = store_seq_take(txn);
    job->summary.seq = seq;
    enum gt_err err = parts_commit(job, txn, seq);
    if (err != GT_OK) return err;
    job->summary.changes = job->change_count;
    job->summary.change_list = job->changes;
    job->summary.part_good = job->part_good;
    struct store_txn hook_txn = {.store = job->store, .txn = txn};
    if (job->hook != NULL) err = job->hook(job->hook_ctx, &hook_txn, job->run, &job->summary, db_info(txn));
    return err;
}

/* What would make two parts one, or cannot be written down. */
static enum gt_err check_input(const struct run_input *run, struct gt_errinfo *info)
{
    if (run->part_count > STORE_PARTS_MAX)
        return gt_fail(info, GT_ELIMIT, "%.*s has %zu parts, at most %d fit a run", GT_STR_ARG(run->site), run->part_count,
                       STORE_PARTS_MAX);
    for (size_t i = 0; i < run->part_count; i++) {
        if ((unsigned)run->parts[i].status >= STATUS_WORDS) return gt_fail(info, GT_EUSAGE, "part %zu has no valid status", i);
        for (size_t j = 0; j < i; j++)
            if (gt_str_eq(run->parts[i].name, run->parts[j].name))
                return gt_fail(info, GT_EUSAGE, "%.*s has two parts called \"%.*s\"", GT_STR_ARG(run->site),
                               GT_STR_ARG(run->parts[i].name));
    }
    return GT_OK;
}

enum gt_err store_run_commit(struct store *store, const struct run_input *run, store_hook *hook, void *hook_ctx,
                             struct arena *arena, struct run_summary *ret_summary, struct gt_errinfo *info)
{
    struct run_job job = {.store = store, .run = run, .hook = hook, .hook_ctx = hook_ctx, .arena = arena};
    enum gt_err err = check_input(run, info);
    if (err == GT_OK) err = db_write(store->db, run_fill, &job, info);
    if (err == GT_OK && ret_summary != NULL) *ret_summary = job.summary;
    return err;
}
