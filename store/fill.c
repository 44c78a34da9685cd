/* store_fill: the things of a dump into the tables, many a transaction; then the latest blocks by replaying what was written. */
#include "store/dump_impl.h"
#include "store/part_rebuild.h"
#include "store/stock.h"

#define FILL_BATCH_BYTES ((size_t)16 << 20) /* of one transaction: so much is held in memory */
#define FILL_ARENA_MAX ((size_t)1 << 30)    /* one run may be large */

enum { FILL_BATCH_ITEMS = 20000 };

/* One thing in hand. */
struct fill_item {
    enum dump_kind kind;
    const void *item;
};

struct fill {
    struct store *store;
    struct arena *arena;
    struct fill_item *items; /* of the batch, in order */
    size_t count, cap;
    /* what the next run of the stream must know; as of the batch's beginning, since a transaction may be run again */
    uint32_t stream;
    uint64_t last_seq, last_good, last_content;
    uint32_t heads_from; /* streams up to here have their latest block */
};

/* A batch on its way in. */
struct fill_job {
    struct fill *fill;
    struct db_txn *txn;
    struct fill after; /* how the fill stands when the batch is written */
    struct strbuf bytes;
};

static void refuse(struct fill_job *job, const char *what)
{
    db_fail(job->txn, GT_EFORMAT, "%s", what);
}

/* Puts what was encoded. */
static void put_bytes(struct fill_job *job, enum db_table table, const struct key *key)
{
    if (job->bytes.err != GT_OK) db_fail(job->txn, job->bytes.err, "a thing cannot be kept: %s", gt_err_text(job->bytes.err));
    db_put(job->txn, table, key_str(key), strbuf_str(&job->bytes));
    strbuf_clear(&job->bytes);
}

/* Interns what was encoded; it must get the number that it had. */
static void put_interned(struct fill_job *job, enum db_table table, uint32_t id)
{
    if (table == DB_RECORDS && job->bytes.err == GT_OK) { /* whose numbers may have gaps */
        intern_put_at(job->txn, table, id, strbuf_str(&job->bytes));
        strbuf_clear(&job->bytes);
        return;
    }
    uint32_t given = intern_put_buf(job->txn, table, &job->bytes);
    strbuf_clear(&job->bytes);
    if (db_err(job->txn) == GT_OK && given != id) refuse(job, "a number (\"id\") is not the one that comes next");
}

static uint32_t text_id(struct fill_job *job, struct gt_str text)
{
    if (text.len > OFFER_TEXT_MAX) refuse(job, "a text is longer than the store keeps");
    return intern_put(job->txn, DB_TEXTS, text);
}

/* Only a whole dump makes a store: of a part, offers and runs would be missing that others refer to. */
static void fill_head(struct fill_job *job, const struct dump_head *head)
{
    struct key seq = {.len = 0};
    if (head->version != DUMP_VERSION) refuse(job, "the file is of another version");
    else if (!head->is_complete) refuse(job, "the file holds a choice, not everything: it makes no history");
    else if (head->seq >= KEY_SEQ_LAST) refuse(job, "a run number is out of range");
    key_add_seq(&seq, head->seq);
    strbuf_add(&job->bytes, key_str(&seq));
    struct key key = {.len = 0};
    key_add_bytes(&key, GT_STR("seq"));
    put_bytes(job, DB_META, &key);
}

static void fill_interned(struct fill_job *job, const struct fill_item *item)
{
    const struct dump_stream *stream = item->item;
    const struct dump_offer *offer = item->item;
    const struct dump_attributes *attributes = item->item;
    const struct dump_record *record = item->item;
    const struct dump_facts *facts = item->item;
    if (item->kind == DUMP_STREAM) enc_stream(&job->bytes, &stream->stream);
    if (item->kind == DUMP_OFFER) enc_identity(&job->bytes, offer->words.site, &offer->words.identity);
    if (item->kind == DUMP_ATTRIBUTES) enc_attributes(&job->bytes, &attributes->attributes);
    if (item->kind == DUMP_RECORD) enc_record(&job->bytes, &record->record);
    if (item->kind == DUMP_FACTS) enc_facts(&job->bytes, &facts->facts);
    static const enum db_table tables[DUMP_KINDS] = {[DUMP_STREAM] = DB_STREAMS,
                                                     [DUMP_OFFER] = DB_OFFERS,
                                                     [DUMP_ATTRIBUTES] = DB_ATTRIBUTES,
                                                     [DUMP_RECORD] = DB_RECORDS,
                                                     [DUMP_FACTS] = DB_FACTS};
    put_interned(job, tables[item->kind], stream->id); /* the first member of each */
}

/* The page behind a run. */
static void put_page(struct fill_job *job, const struct dump_run *run)
{
    struct run_page page = {.warc_file = text_id(job, run->warc_file), .warc_offset = run->warc_offset, .record_id = run->record_id};
    memcpy(page.sha256, run->sha256, sizeof page.sha256);
    run_page_append(job->txn, run->stream_id, &run->row, &page);
}

/* The stock counts of a run, which follow its changes. */
static void put_stock(struct fill_job *job, const struct dump_run *run, const struct fill_item *items, size_t count)
{
    struct stock *stocks = arena_array(job->fill->arena, count, sizeof *stocks);
    const struct dump_stock *first = items[0].item;
    size_t used = 0;
    if (stocks == NULL) db_fail(job->txn, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count && stocks != NULL; i++) {
        const struct dump_stock *stock = items[i].item;
        if (stock->stream_id != run->stream_id || stock->seq != run->row.seq) refuse(job, "stock counts of another run");
        if (stock->offer == 0) continue;
        if (used > 0 && stocks[used - 1].offer >= stock->offer) refuse(job, "stock counts are not in the order of their offers");
        stocks[used++] = (struct stock){stock->offer, stock->units, stock->confidence_permille, text_id(job, stock->reasons)};
    }
    if (db_err(job->txn) != GT_OK) return;
    struct key key = key_of_run(run->stream_id, run->row.seq);
    enc_stock(&job->bytes, first->since_whole, stocks, used);
    put_bytes(job, DB_STOCKS, &key);
}

/* The steps of a run from its changes. */
static const struct step *steps_of(struct fill_job *job, const struct dump_run *run, const struct fill_item *items, size_t count)
{
    struct step *steps = arena_array(job->fill->arena, count, sizeof *steps);
    if (steps == NULL) db_fail(job->txn, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count && steps != NULL; i++) {
        const struct dump_change *change = items[i].item;
        if (change->stream_id != run->stream_id || change->seq != run->row.seq) refuse(job, "a change of another run");
        steps[i] = change->step;
        steps[i].detail = text_id(job, change->detail);
        if (i > 0 && steps[i].offer < steps[i - 1].offer) refuse(job, "changes are not in the order of their offers");
    }
    return steps;
}

/* The row. Distances to the runs before follow from the order. */
static void put_row(struct fill_job *job, struct run_row_stored *row, uint32_t stream)
{
    row->good_before = job->after.last_good;
    row->content_before = job->after.last_content;
    run_row_append(job->txn, stream, row);
    job->after.last_seq = row->seq;
    job->after.last_good = run_good_after(row);
    job->after.last_content = run_content_after(row);
}

/* How many of the items from `at` on are of a kind. */
static size_t count_of(const struct fill *fill, size_t at, enum dump_kind kind)
{
    size_t count = 0;
    while (at + count < fill->count && fill->items[at + count].kind == kind) count++;
    return count;
}

/* A run and all that belongs to it; how many items that were. */
static size_t fill_run(struct fill_job *job, size_t at)
{
    const struct fill *fill = job->fill;
    const struct dump_run *run = fill->items[at].item;
    size_t changes = count_of(fill, at + 1, DUMP_CHANGE), stocks = count_of(fill, at + 1 + changes, DUMP_STOCK);
    if (run->stream_id < job->after.stream || run->stream_id == 0) refuse(job, "runs are not in the order of their streams");
    if (run->stream_id != job->after.stream) job->after.last_seq = job->after.last_good = job->after.last_content = 0;
    job->after.stream = run->stream_id;
    if (run->row.seq <= job->after.last_seq || run->row.seq > KEY_SEQ_LAST) refuse(job, "run numbers do not grow");
    struct run_row_stored row = run->row;
    row.reason = text_id(job, run->reason);
    row.steps = steps_of(job, run, &fill->items[at + 1], changes);
    row.step_count = changes;
    if (db_err(job->txn) != GT_OK) return fill->count;
    put_row(job, &row, run->stream_id);
    put_page(job, run);
    if (stocks > 0) put_stock(job, run, &fill->items[at + 1 + changes], stocks);
    return 1 + changes + stocks;
}

static void fill_crawl(struct fill_job *job, const struct dump_crawl *crawl)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, job->txn, DB_CRAWLS);
    uint32_t last = db_cursor_seek_before(&cursor, (struct gt_str){NULL, 0}) ? key_id_at(cursor.key, 0) : 0;
    db_cursor_done(&cursor);
    struct key key = key_of_id(last + 1);
    enc_crawl(&job->bytes, &crawl->crawl);
    put_bytes(job, DB_CRAWLS, &key);
}

static void fill_note(struct fill_job *job, const struct dump_note *note)
{
    struct store_txn own = {.store = job->fill->store, .txn = job->txn};
    if (!gt_str_starts(note->key, GT_STR(DUMP_NOTES))) refuse(job, "a note is of no kind that is known");
    else store_put(job->fill->store, &own, STORE_META, note->key, note->value, NULL);
}

/* One item and what belongs to it. */
static size_t fill_one(struct fill_job *job, size_t at)
{
    const struct fill_item *item = &job->fill->items[at];
    switch (item->kind) {
    case DUMP_HEAD: fill_head(job, item->item); return 1;
    case DUMP_RUN: return fill_run(job, at);
    case DUMP_OBSERVATION:
    case DUMP_SPAN:
    case DUMP_END: return 1; /* follow from the rest */
    case DUMP_CRAWL: fill_crawl(job, item->item); return 1;
    case DUMP_NOTE: fill_note(job, item->item); return 1;
    case DUMP_CHANGE:
    case DUMP_STOCK: refuse(job, "a change or stock count without its run"); return 1;
    default: fill_interned(job, item); return 1;
    }
}

/* One transaction. May be run again from the beginning. */
static enum gt_err batch_fill(void *ctx, struct db_txn *txn)
{
    struct fill_job *job = ctx;
    job->txn = txn;
    job->after = *job->fill;
    strbuf_clear(&job->bytes);
    for (size_t at = 0; at < job->fill->count && db_err(txn) == GT_OK;) at += fill_one(job, at);
    return db_err(txn);
}

/* Writes the batch in hand and begins another. */
static enum gt_err batch_write(struct fill *fill, struct gt_errinfo *info)
{
    struct fill_job job = {.fill = fill};
    strbuf_init(&job.bytes, RUN_BYTES_MAX);
    enum gt_err err = db_write(fill->store->db, batch_fill, &job, info);
    strbuf_done(&job.bytes);
    if (err == GT_OK) {
        fill->stream = job.after.stream;
        fill->last_seq = job.after.last_seq;
        fill->last_good = job.after.last_good;
        fill->last_content = job.after.last_content;
    }
    fill->count = fill->cap = 0;
    fill->items = NULL;
    return err;
}

static bool batch_is_full(const struct fill *fill)
{
    return fill->count >= FILL_BATCH_ITEMS || arena_used(fill->arena) >= FILL_BATCH_BYTES;
}

/* Keeps an item for the batch. */
static enum gt_err item_keep(struct fill *fill, struct fill_item item, struct gt_errinfo *info)
{
    void *items = fill->items;
    if (!arena_grow(fill->arena, &items, fill->count, &fill->cap, sizeof *fill->items)) return gt_fail(info, GT_ENOMEM, "out of memory");
    fill->items = items;
    fill->items[fill->count++] = item;
    return GT_OK;
}

/* ---- latest blocks ---- */

/* The latest block and the delisted offers of one stream, from the log that was just written. */
static void head_write(struct fill_job *job, uint32_t stream, struct arena *arena)
{
    struct part_state state;
    struct reader reader;
    if (!part_replay(job->txn, stream, KEY_SEQ_LAST, &state, arena) || state.last_seq == 0) return;
    reader_init(&reader, job->txn, arena);
    state.until_next_unix_s = part_until_next(&reader, &state);
    part_state_put(&reader, stream, &state);
}

/* A stream a transaction: each is replayed whole. */
static enum gt_err head_fill(void *ctx, struct db_txn *txn)
{
    struct fill_job *job = ctx;
    job->txn = txn;
    strbuf_clear(&job->bytes);
    arena_clear(job->fill->arena);
    job->after.heads_from = part_stream_next(txn, job->fill->heads_from);
    if (job->after.heads_from != 0) head_write(job, job->after.heads_from, job->fill->arena);
    return db_err(txn);
}

/* In several transactions: replaying every stream at once would take the memory of all of them. */
static enum gt_err heads_write(struct fill *fill, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    do {
        struct fill_job job = {.fill = fill};
        strbuf_init(&job.bytes, RUN_BYTES_MAX);
        err = db_write(fill->store->db, head_fill, &job, info);
        strbuf_done(&job.bytes);
        fill->heads_from = job.after.heads_from;
    } while (err == GT_OK && fill->heads_from != 0);
    return err;
}

enum gt_err store_fill(struct store *store, fill_next_fn *next, void *ctx, struct gt_errinfo *info)
{
    struct fill fill = {.store = store, .arena = arena_new(FILL_ARENA_MAX)};
    struct arena *spare = arena_new(FILL_ARENA_MAX);
    enum gt_err err = fill.arena != NULL && spare != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    while (err == GT_OK) {
        struct fill_item item;
        bool is_full = batch_is_full(&fill);
        /* once the batch is full, what comes lies in the other arena: the first thing that need not go with it begins the next */
        err = next(ctx, is_full ? spare : fill.arena, &item.kind, &item.item, info);
        if (err == GT_OK && is_full && item.kind != DUMP_CHANGE && item.kind != DUMP_STOCK) {
            err = batch_write(&fill, info);
            struct arena *written = fill.arena;
            arena_clear(written);
            fill.arena = spare;
            spare = written;
        }
        if (err == GT_OK) err = item_keep(&fill, item, info);
    }
    if (err == GT_ENOENT) err = batch_write(&fill, info);
    if (err == GT_OK) err = heads_write(&fill, info);
    arena_free(spare);
    arena_free(fill.arena);
    return err;
}
