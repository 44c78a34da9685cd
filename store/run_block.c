#include "store/run_block.h"

#include <stdlib.h>

enum { SHAPE_VERSION = 2, PLACE_BYTES_MIN = 3 };

/* ---- bytes ---- */

/* What stands before the rows' own bytes. */
static void enc_head(struct strbuf *buf, const struct run_block *block)
{
    const struct run_place *rows = block->rows;
    enc_byte(buf, SHAPE_VERSION);
    enc_uint(buf, block->count);
    enc_int(buf, block->earliest_unix_s);
    enc_uint(buf, (uint64_t)block->latest_unix_s - (uint64_t)block->earliest_unix_s);
    enc_uint(buf, (uint64_t)block->so_far_unix_s - (uint64_t)block->latest_unix_s);
    for (size_t i = 0; i < block->count; i++) {
        enc_uint(buf, i > 0 ? rows[i].seq - rows[i - 1].seq : 0);
        enc_int(buf, (int64_t)((uint64_t)rows[i].t_unix_s - (uint64_t)(i > 0 ? rows[i - 1].t_unix_s : block->earliest_unix_s)));
        enc_uint(buf, rows[i].bytes.len);
    }
}

static void enc_block(struct strbuf *buf, const struct run_block *block)
{
    enc_head(buf, block);
    for (size_t i = 0; i < block->count; i++) enc_bytes(buf, block->rows[i].bytes.ptr, block->rows[i].bytes.len);
}

/* The times of a block, as far as its head tells them; *ret_count is how many rows follow. */
static void dec_times(struct dec *dec, struct run_block *block, size_t *ret_count)
{
    if (dec_byte(dec) != SHAPE_VERSION) dec_damaged(dec);
    *ret_count = (size_t)dec_uint_max(dec, RUN_BLOCK_ROWS_MAX);
    block->earliest_unix_s = dec_int(dec);
    block->latest_unix_s = (int64_t)((uint64_t)block->earliest_unix_s + dec_uint(dec));
    block->so_far_unix_s = (int64_t)((uint64_t)block->latest_unix_s + dec_uint(dec));
    if (*ret_count == 0 || *ret_count > (size_t)(dec->end - dec->at) / PLACE_BYTES_MIN) dec_damaged(dec);
    if (block->latest_unix_s < block->earliest_unix_s || block->so_far_unix_s < block->latest_unix_s) dec_damaged(dec);
}

/* One row's place; `bytes.ptr` is not known yet. */
static struct run_place dec_place(struct dec *dec, const struct run_place *before)
{
    struct run_place place = {.seq = before->seq + dec_uint_max(dec, KEY_SEQ_LAST)};
    place.t_unix_s = (int64_t)((uint64_t)before->t_unix_s + (uint64_t)dec_int(dec));
    place.bytes.len = (size_t)dec_uint_max(dec, RUN_BYTES_MAX);
    return place;
}

/* Room for so many rows. */
static bool block_room(struct run_block *block, size_t count)
{
    if (count <= block->cap) return true;
    struct run_place *rows = realloc(block->rows, count * sizeof *rows);
    if (rows == NULL) return false;
    block->rows = rows;
    block->cap = count;
    return true;
}

/* What the head says of the times must be what the rows say, and sequence numbers grow: who skips a block relies on it. */
static bool is_sound(const struct run_block *block)
{
    int64_t earliest = block->rows[0].t_unix_s, latest = earliest;
    for (size_t i = 1; i < block->count; i++) {
        if (block->rows[i].t_unix_s < earliest) earliest = block->rows[i].t_unix_s;
        if (block->rows[i].t_unix_s > latest) latest = block->rows[i].t_unix_s;
        if (block->rows[i].seq <= block->rows[i - 1].seq) return false;
    }
    return earliest == block->earliest_unix_s && latest == block->latest_unix_s &&
           block->rows[block->count - 1].seq <= KEY_SEQ_LAST;
}

/* Any bytes into a block, whose memory is used again. GT_OK; GT_ECORRUPT; GT_ENOMEM. */
static enum gt_err dec_block(struct gt_str bytes, uint64_t first_seq, struct run_block *block)
{
    struct dec dec = dec_begin(bytes, NULL);
    size_t count;
    block->count = 0;
    dec_times(&dec, block, &count);
    if (dec.err != GT_OK) return dec.err;
    if (!block_room(block, count)) return GT_ENOMEM;
    struct run_place place = {.seq = first_seq, .t_unix_s = block->earliest_unix_s};
    for (size_t i = 0; i < count; i++) block->rows[i] = place = dec_place(&dec, &place);
    if (dec.err != GT_OK) return dec.err;
    const char *at = (const char *)dec.at, *end = (const char *)dec.end;
    for (size_t i = 0; i < count; i++) {
        if (block->rows[i].bytes.len > (size_t)(end - at)) return GT_ECORRUPT;
        block->rows[i].bytes.ptr = at;
        at += block->rows[i].bytes.len;
    }
    block->count = count;
    return at == end && is_sound(block) && block->rows[0].seq == first_seq ? GT_OK : GT_ECORRUPT;
}

/* ---- reading ---- */

void run_cursor_init(struct run_cursor *cursor, struct db_txn *txn, uint32_t stream)
{
    *cursor = (struct run_cursor){.txn = txn, .stream = stream, .since_unix_s = INT64_MIN, .until_unix_s = INT64_MAX};
    db_cursor_init(&cursor->blocks, txn, DB_RUNS);
}

void run_cursor_done(struct run_cursor *cursor)
{
    db_cursor_done(&cursor->blocks);
    free(cursor->block.rows);
    cursor->block = (struct run_block){.rows = NULL};
    cursor->row = NULL;
}

static bool stand_at(struct run_cursor *cursor, size_t at)
{
    cursor->at = at;
    cursor->row = &cursor->block.rows[at];
    return true;
}

static bool damaged(struct run_cursor *cursor, enum gt_err err)
{
    db_fail(cursor->txn, err, "the run log of stream %u: %s", (unsigned)cursor->stream, gt_err_text(err));
    cursor->block.count = 0;
    return false;
}

/* The block that the inner cursor stands at, when it is the stream's. */
static bool block_load(struct run_cursor *cursor, bool has)
{
    cursor->block.count = 0;
    if (!has || key_id_at(cursor->blocks.key, 0) != cursor->stream) return false;
    enum gt_err err = dec_block(cursor->blocks.value, key_seq_at(cursor->blocks.key, KEY_ID_BYTES), &cursor->block);
    return err == GT_OK || damaged(cursor, err);
}

/* Whether a block may hold what is looked for, by its head. */
static bool block_is_wanted(const struct run_cursor *cursor)
{
    bool is_before = cursor->until_unix_s == INT64_MAX || cursor->block.earliest_unix_s < cursor->until_unix_s;
    return is_before && cursor->block.latest_unix_s >= cursor->since_unix_s;
}

/* On to the next block that is wanted, from the one that the inner cursor has moved to. */
static bool blocks_forth(struct run_cursor *cursor, bool has)
{
    for (; block_load(cursor, has); has = db_cursor_next(&cursor->blocks))
        if (block_is_wanted(cursor)) return stand_at(cursor, 0);
    return false;
}

/* Back to the one before; what lies before a block that ends the search is older, all of it. */
static bool blocks_back(struct run_cursor *cursor, bool has)
{
    for (; block_load(cursor, has) && cursor->block.so_far_unix_s >= cursor->since_unix_s; has = db_cursor_prev(&cursor->blocks))
        if (block_is_wanted(cursor)) return stand_at(cursor, cursor->block.count - 1);
    return false;
}

/* The first row of the block in hand that lies at or after `seq`; its count when there is none. */
static size_t place_find(const struct run_block *block, uint64_t seq)
{
    size_t low = 0, high = block->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (block->rows[middle].seq < seq) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool run_cursor_seek(struct run_cursor *cursor, uint64_t seq)
{
    struct key key = key_of_run(cursor->stream, seq < KEY_SEQ_LAST ? seq + 1 : seq);
    size_t at = place_find(&cursor->block, seq);
    if (at > 0 && at < cursor->block.count) return stand_at(cursor, at);
    /* the row is in the block that begins at or before it, or the first of the one behind that */
    if (block_load(cursor, db_cursor_seek_before(&cursor->blocks, key_str(&key)))) at = place_find(&cursor->block, seq);
    if (at < cursor->block.count) return stand_at(cursor, at);
    return blocks_forth(cursor, db_cursor_seek(&cursor->blocks, key_str(&key)));
}

bool run_cursor_last(struct run_cursor *cursor)
{
    struct key end = key_of_run(cursor->stream, KEY_SEQ_LAST);
    return blocks_back(cursor, db_cursor_seek_before(&cursor->blocks, key_str(&end)));
}

bool run_cursor_next(struct run_cursor *cursor)
{
    if (cursor->at + 1 < cursor->block.count) return stand_at(cursor, cursor->at + 1);
    return blocks_forth(cursor, db_cursor_next(&cursor->blocks));
}

bool run_cursor_prev(struct run_cursor *cursor)
{
    if (cursor->at > 0) return stand_at(cursor, cursor->at - 1);
    return blocks_back(cursor, db_cursor_prev(&cursor->blocks));
}

enum gt_err run_cursor_row(const struct run_cursor *cursor, struct arena *arena, struct run_row_stored *ret_row)
{
    enum gt_err err = dec_run(cursor->row, arena, ret_row);
    if (err == GT_OK) return err;
    return db_fail(cursor->txn, err, "run %llu of stream %u: %s", (unsigned long long)cursor->row->seq, (unsigned)cursor->stream,
                   gt_err_text(err));
}

bool run_row_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct run_row_stored *ret_row)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    bool has = run_cursor_seek(&cursor, seq) && cursor.row->seq == seq && run_cursor_row(&cursor, NULL, ret_row) == GT_OK;
    run_cursor_done(&cursor);
    return has;
}

bool run_times_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct arena *arena, struct run_times *ret_times)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    bool has = run_cursor_seek(&cursor, seq) && cursor.row->seq == seq;
    struct run_time *items = has ? arena_array(arena, cursor.block.count, sizeof *items) : NULL;
    if (has && items == NULL) db_fail(txn, GT_ENOMEM, "out of memory");
    for (size_t i = 0; items != NULL && i < cursor.block.count; i++)
        items[i] = (struct run_time){cursor.block.rows[i].seq, cursor.block.rows[i].t_unix_s};
    *ret_times = (struct run_times){items, items != NULL ? cursor.block.count : 0};
    run_cursor_done(&cursor);
    return items != NULL;
}

bool run_time_find(const struct run_times *times, uint64_t seq, int64_t *ret_t_unix_s)
{
    size_t low = 0, high = times->count;
    if (high == 0 || seq < times->items[0].seq || seq > times->items[high - 1].seq) return false;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (times->items[middle].seq <= seq) low = middle;
        else high = middle;
    }
    *ret_t_unix_s = times->items[low].t_unix_s;
    return times->items[low].seq == seq;
}

/* ---- writing ---- */

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

/* Puts a block in its place. Its rows may still be the database's: they are copied before anything is written. */
static void block_put(struct db_txn *txn, uint32_t stream, const struct run_block *block)
{
    struct strbuf bytes;
    struct key key = key_of_run(stream, block->rows[0].seq);
    strbuf_init(&bytes, DB_VALUE_MAX);
    enc_block(&bytes, block);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "runs of stream %u cannot be kept: %s", (unsigned)stream, gt_err_text(bytes.err));
    db_put(txn, DB_RUNS, key_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

/* True when a row still has a place behind a block of `block_bytes`. */
static bool has_room(const struct run_block *block, size_t block_bytes, size_t row_bytes)
{
    enum { PLACE_BYTES = 6 + 10 + 4, TIMES_GROWTH = 3 * 10 }; /* at most */
    return block_bytes + row_bytes + PLACE_BYTES + TIMES_GROWTH <= RUN_BLOCK_BYTES && block->count < RUN_BLOCK_ROWS_MAX;
}

static void append_bytes(struct db_txn *txn, uint32_t stream, const struct run_place *row)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    bool has_before = run_cursor_last(&cursor);
    struct run_block block = cursor.block;
    int64_t before = has_before ? block.so_far_unix_s : INT64_MIN;
    if (has_before && block.rows[block.count - 1].seq >= row->seq) db_fail(txn, GT_EINTERNAL, "a run's number does not grow");
    if (!has_before || !has_room(&block, cursor.blocks.value.len, row->bytes.len)) block.count = 0;
    if (block_room(&block, block.count + 1)) {
        block.rows[block.count++] = *row;
        times_settle(&block, before);
        db_cursor_done(&cursor.blocks);
        block_put(txn, stream, &block);
    } else db_fail(txn, GT_ENOMEM, "out of memory");
    cursor.block = block;
    run_cursor_done(&cursor);
}

void run_row_append(struct db_txn *txn, uint32_t stream, const struct run_row_stored *row)
{
    struct strbuf bytes;
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_run(&bytes, row);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "run %llu cannot be kept: %s", (unsigned long long)row->seq, gt_err_text(bytes.err));
    else if (db_err(txn) == GT_OK) append_bytes(txn, stream, &(struct run_place){row->seq, row->t_unix_s, strbuf_str(&bytes)});
    strbuf_done(&bytes);
}

/* The block that holds a row at or after `seq`, as a copy of the cursor's: the cursor is closed, and the caller frees the rows. */
static bool block_take(struct db_txn *txn, uint32_t stream, uint64_t seq, struct run_block *ret_block)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, txn, stream);
    bool has = run_cursor_seek(&cursor, seq);
    *ret_block = cursor.block;
    cursor.block.rows = has ? NULL : cursor.block.rows;
    run_cursor_done(&cursor);
    return has;
}

/* The latest run of the stream before `seq`. */
static int64_t latest_before(struct db_txn *txn, uint32_t stream, uint64_t seq)
{
    struct db_cursor blocks;
    struct run_block block = {.count = 0};
    struct key key = key_of_run(stream, seq);
    size_t count;
    db_cursor_init(&blocks, txn, DB_RUNS);
    bool has = db_cursor_seek_before(&blocks, key_str(&key)) && key_id_at(blocks.key, 0) == stream;
    struct dec dec = dec_begin(has ? blocks.value : GT_STR(""), NULL);
    if (has) dec_times(&dec, &block, &count);
    db_cursor_done(&blocks);
    return has ? block.so_far_unix_s : INT64_MIN;
}

void run_rows_cut(struct db_txn *txn, uint32_t stream, uint64_t seq)
{
    struct run_block block;
    while (block_take(txn, stream, seq, &block)) {
        struct key key = key_of_run(stream, block.rows[0].seq);
        while (block.count > 0 && block.rows[block.count - 1].seq >= seq) block.count--;
        if (block.count == 0) db_del(txn, DB_RUNS, key_str(&key));
        else {
            times_settle(&block, latest_before(txn, stream, block.rows[0].seq));
            block_put(txn, stream, &block);
        }
        free(block.rows);
    }
}

void run_rows_replace(struct db_txn *txn, uint32_t stream, const struct run_place *rows, size_t count)
{
    struct run_block block;
    size_t at = 0;
    while (at < count && block_take(txn, stream, rows[at].seq, &block)) {
        for (size_t i = 0; i < block.count && at < count; i++)
            if (block.rows[i].seq == rows[at].seq) block.rows[i].bytes = rows[at++].bytes;
        block_put(txn, stream, &block);
        free(block.rows);
    }
    if (at < count) db_fail(txn, GT_EINTERNAL, "a row that is to be replaced is not there");
}
