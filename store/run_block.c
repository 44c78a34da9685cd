#include "store/run_block_impl.h"

void run_cursor_init_table(struct run_cursor *cursor, struct db_txn *txn, enum db_table table, uint32_t stream)
{
    *cursor = (struct run_cursor){.txn = txn, .stream = stream, .since_unix_s = INT64_MIN, .until_unix_s = INT64_MAX};
    db_cursor_init(&cursor->blocks, txn, table);
}

void run_cursor_init(struct run_cursor *cursor, struct db_txn *txn, uint32_t stream)
{
    run_cursor_init_table(cursor, txn, DB_RUNS, stream);
}

void run_cursor_init_pages(struct run_cursor *cursor, struct db_txn *txn, uint32_t stream)
{
    run_cursor_init_table(cursor, txn, DB_RUN_PAGES, stream);
}

void run_cursor_done(struct run_cursor *cursor)
{
    db_cursor_done(&cursor->blocks);
    run_block_done(&cursor->block);
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

/* The head of the block that the inner cursor stands at, when it is the stream's: who does not want it does not unpack it. */
static bool head_load(struct run_cursor *cursor, bool has)
{
    size_t count;
    cursor->block.count = 0;
    if (!has || key_id_at(cursor->blocks.key, 0) != cursor->stream) return false;
    struct dec dec = dec_begin(cursor->blocks.value, NULL);
    dec_block_times(&dec, &cursor->block, &count);
    return dec.err == GT_OK || damaged(cursor, dec.err);
}

/* Its rows. */
static bool rows_load(struct run_cursor *cursor)
{
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
    for (; head_load(cursor, has); has = db_cursor_next(&cursor->blocks))
        if (block_is_wanted(cursor)) return rows_load(cursor) && stand_at(cursor, 0);
    return false;
}

/* Back to the one before; what lies before a block that ends the search is older, all of it. */
static bool blocks_back(struct run_cursor *cursor, bool has)
{
    for (; head_load(cursor, has) && cursor->block.so_far_unix_s >= cursor->since_unix_s; has = db_cursor_prev(&cursor->blocks))
        if (block_is_wanted(cursor)) return rows_load(cursor) && stand_at(cursor, cursor->block.count - 1);
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
    if (head_load(cursor, db_cursor_seek_before(&cursor->blocks, key_str(&key))) && rows_load(cursor)) at = place_find(&cursor->block, seq);
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

bool run_page_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct arena *arena, struct run_page *ret_page)
{
    struct run_cursor cursor;
    run_cursor_init_pages(&cursor, txn, stream);
    bool has = run_cursor_seek(&cursor, seq) && cursor.row->seq == seq;
    enum gt_err err = has ? dec_page(cursor.row->bytes, arena, ret_page) : GT_OK;
    run_cursor_done(&cursor);
    if (err != GT_OK) db_fail(txn, err, "the page of run %llu of stream %u: %s", (unsigned long long)seq, (unsigned)stream, gt_err_text(err));
    return has && err == GT_OK;
}

/* A block's times at once: whoever asks for one run's asks for its neighbours' next. */
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

/* By halves: a block has some dozens of rows, a packed one some hundred. */
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
