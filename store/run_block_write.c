/* Rows into blocks, and out of them. */
#include <stdlib.h>

#include "store/run_block_impl.h"

/* The head's times from those of the rows; `before` is the latest of the blocks before, INT64_MIN without any. */
static void times_settle(struct run_block *block, int64_t before)
{
    block->earliest_unix_s = block->latest_unix_s = block->rows[0].t_unix_s;
    for (size_t i = 1; i < block->count; i++) {
        if (block->rows[i].t_unix_s < block->earliest_unix_s) block->earliest_unix_s = block->rows[i].t_unix_s;
        if (block->rows[i].t_unix_s > block->latest_unix_s) block->latest_unix_s = block->rows[i].t_unix_s;
    }
    block->so_far_unix_s = block->latest_unix_s > before ? block->latest_unix_s : before;
}

/* db_put, or db_append for what comes in order. */
typedef void put_fn(struct db_txn *txn, enum db_table table, struct gt_str key, struct gt_str value);

/* Puts a block in its place. Its rows may still be the database's: they are copied before anything is written. */
static void block_put(struct db_txn *txn, enum db_table table, uint32_t stream, const struct run_block *block, put_fn *put)
{
    struct strbuf bytes;
    struct key key = key_of_run(stream, block->rows[0].seq);
    strbuf_init(&bytes, DB_VALUE_MAX);
    enc_block(&bytes, block);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "runs of stream %u cannot be kept: %s", (unsigned)stream, gt_err_text(bytes.err));
    put(txn, table, key_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

/* True when a row still has a place behind a block of `block_bytes`. */
static bool has_room(const struct run_block *block, size_t block_bytes, size_t row_bytes)
{
    enum { PLACE_BYTES = 6 + 10 + 4, TIMES_GROWTH = 3 * 10 }; /* at most */
    return !block->is_packed && block_bytes + row_bytes + PLACE_BYTES + TIMES_GROWTH <= RUN_BLOCK_BYTES && block->count < RUN_BLOCK_ROWS_MAX;
}

/* A block takes rows until it is full; the next row then begins another, and a packed block is never added to. */
static void append_bytes(struct db_txn *txn, enum db_table table, uint32_t stream, const struct run_place *row)
{
    struct run_cursor cursor;
    run_cursor_init_table(&cursor, txn, table, stream);
    bool has_before = run_cursor_last(&cursor);
    struct run_block block = cursor.block;
    int64_t before = has_before ? block.so_far_unix_s : INT64_MIN;
    if (has_before && block.rows[block.count - 1].seq >= row->seq) db_fail(txn, GT_EINTERNAL, "a run's number does not grow");
    if (!has_before || !has_room(&block, cursor.blocks.value.len, row->bytes.len)) {
        block.count = 0;
        block.is_packed = false;
    }
    if (run_block_room(&block, block.count + 1)) {
        block.rows[block.count++] = *row;
        times_settle(&block, before);
        db_cursor_done(&cursor.blocks);
        block_put(txn, table, stream, &block, db_put);
    } else db_fail(txn, GT_ENOMEM, "out of memory");
    cursor.block = block;
    run_cursor_done(&cursor);
}

/* What an encoder filled, as the stream's last row. */
static void append_buf(struct db_txn *txn, enum db_table table, uint32_t stream, const struct run_row_stored *row, struct strbuf *bytes)
{
    if (bytes->err != GT_OK) db_fail(txn, bytes->err, "run %llu cannot be kept: %s", (unsigned long long)row->seq, gt_err_text(bytes->err));
    else if (db_err(txn) == GT_OK) append_bytes(txn, table, stream, &(struct run_place){row->seq, row->t_unix_s, strbuf_str(bytes)});
    strbuf_done(bytes);
}

void run_row_append(struct db_txn *txn, uint32_t stream, const struct run_row_stored *row)
{
    struct strbuf bytes;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_run(&bytes, row);
    append_buf(txn, DB_RUNS, stream, row, &bytes);
}

void run_page_append(struct db_txn *txn, uint32_t stream, const struct run_row_stored *row, const struct run_page *page)
{
    static const uint8_t zero[sizeof page->sha256] = {0};
    struct strbuf bytes;
    if (memcmp(page->sha256, zero, sizeof zero) == 0 && page->warc_file == 0 && page->record_id.len == 0) return;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_page(&bytes, page);
    append_buf(txn, DB_RUN_PAGES, stream, row, &bytes);
}

/* The block that holds a row at or after `seq`, as a copy of the cursor's: the cursor is closed, and the caller ends it. */
static bool block_take(struct db_txn *txn, enum db_table table, uint32_t stream, uint64_t seq, struct run_block *ret_block)
{
    struct run_cursor cursor;
    run_cursor_init_table(&cursor, txn, table, stream);
    bool has = run_cursor_seek(&cursor, seq);
    *ret_block = cursor.block;
    if (has) cursor.block = (struct run_block){.rows = NULL};
    run_cursor_done(&cursor);
    return has;
}

/* The latest run of the stream before `seq`. */
static int64_t latest_before(struct db_txn *txn, enum db_table table, uint32_t stream, uint64_t seq)
{
    struct db_cursor blocks;
    struct run_block block = {.count = 0};
    struct key key = key_of_run(stream, seq);
    size_t count;
    db_cursor_init(&blocks, txn, table);
    bool has = db_cursor_seek_before(&blocks, key_str(&key)) && key_id_at(blocks.key, 0) == stream;
    struct dec dec = dec_begin(has ? blocks.value : GT_STR(""), NULL);
    if (has) dec_block_times(&dec, &block, &count);
    db_cursor_done(&blocks);
    return has ? block.so_far_unix_s : INT64_MIN;
}

/* From the end, block by block: the one in which the cut lies keeps its first rows. */
static void table_cut(struct db_txn *txn, enum db_table table, uint32_t stream, uint64_t seq)
{
    struct run_block block;
    while (block_take(txn, table, stream, seq, &block)) {
        struct key key = key_of_run(stream, block.rows[0].seq);
        while (block.count > 0 && block.rows[block.count - 1].seq >= seq) block.count--;
        if (block.count == 0) db_del(txn, table, key_str(&key));
        else {
            times_settle(&block, latest_before(txn, table, stream, block.rows[0].seq));
            block_put(txn, table, stream, &block, db_put);
        }
        run_block_done(&block);
    }
}

void run_rows_cut(struct db_txn *txn, uint32_t stream, uint64_t seq)
{
    table_cut(txn, DB_RUNS, stream, seq);
    table_cut(txn, DB_RUN_PAGES, stream, seq);
}

/* Rows come sorted: each block is taken and put once, however many of its rows are replaced. */
void run_rows_replace(struct db_txn *txn, uint32_t stream, const struct run_place *rows, size_t count)
{
    struct run_block block;
    size_t at = 0;
    while (at < count && block_take(txn, DB_RUNS, stream, rows[at].seq, &block)) {
        for (size_t i = 0; i < block.count && at < count; i++)
            if (block.rows[i].seq == rows[at].seq) block.rows[i].bytes = rows[at++].bytes;
        block_put(txn, DB_RUNS, stream, &block, db_put);
        run_block_done(&block);
    }
    if (at < count) db_fail(txn, GT_EINTERNAL, "a row that is to be replaced is not there");
}

/* ---- packing ---- */

/* Rows of a stream on their way into blocks, as copies. */
struct gathered {
    struct db_txn *txn;
    uint32_t stream;
    struct run_block block; /* the places; where the bytes lie is known when they grow no more */
    struct strbuf bytes;
    int64_t so_far_unix_s;
};

/* The first of the rows that stay plain; 0 when there are no others. */
static uint64_t plain_from(struct db_txn *txn, uint32_t stream)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    bool has = run_cursor_last(&cursor);
    for (int i = 1; i < RUN_PLAIN_ROWS && has; i++) has = run_cursor_prev(&cursor);
    uint64_t seq = has ? cursor.row->seq : 0;
    run_cursor_done(&cursor);
    return seq;
}

static void gathered_put(struct gathered *gathered)
{
    struct run_block *block = &gathered->block;
    if (block->count == 0) return;
    if (gathered->bytes.err != GT_OK) db_fail(gathered->txn, gathered->bytes.err, "packing: %s", gt_err_text(gathered->bytes.err));
    times_settle(block, gathered->so_far_unix_s);
    run_block_point(block, strbuf_str(&gathered->bytes));
    block_put(gathered->txn, DB_RUNS, gathered->stream, block, db_append);
    gathered->so_far_unix_s = block->so_far_unix_s;
    block->count = 0;
    strbuf_clear(&gathered->bytes);
}

/* A plain block of half a page lies in the tree itself. */
static void gathered_add(struct gathered *gathered, const struct run_place *row, bool is_packed)
{
    struct run_block *block = &gathered->block;
    size_t bytes_max = is_packed ? RUN_PACK_BYTES : RUN_BLOCK_BYTES / 2;
    if (is_packed != block->is_packed || gathered->bytes.len + row->bytes.len > bytes_max || block->count == RUN_BLOCK_ROWS_MAX)
        gathered_put(gathered);
    block->is_packed = is_packed;
    strbuf_add(&gathered->bytes, row->bytes);
    if (run_block_room(block, block->count + 1)) block->rows[block->count++] = *row;
    else db_fail(gathered->txn, GT_ENOMEM, "out of memory");
}

/* The newest rows stay plain: they are read and rewritten by every crawl. */
void run_rows_pack(struct db_txn *from, struct db_txn *to, uint32_t stream)
{
    struct run_cursor cursor;
    struct gathered gathered = {.txn = to, .stream = stream, .so_far_unix_s = INT64_MIN};
    uint64_t plain_seq = plain_from(from, stream);
    strbuf_init(&gathered.bytes, RUN_BYTES_MAX);
    run_cursor_init(&cursor, from, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has && db_err(to) == GT_OK; has = run_cursor_next(&cursor))
        gathered_add(&gathered, cursor.row, cursor.row->seq < plain_seq);
    gathered_put(&gathered);
    run_cursor_done(&cursor);
    run_block_done(&gathered.block);
    strbuf_done(&gathered.bytes);
}
