/* Blocks as bytes. */
#include <stdlib.h>

#include "store/run_block_impl.h"
#include "store/run_pack.h"

enum { SHAPE_PLAIN = 2, SHAPE_PACKED = 3, PLACE_BYTES_MIN = 3 };

/* What stands before the rows, wherever they stand. */
static void enc_times(struct strbuf *buf, uint8_t shape, const struct run_block *block)
{
    enc_byte(buf, shape);
    enc_uint(buf, block->count);
    enc_int(buf, block->earliest_unix_s);
    enc_uint(buf, (uint64_t)block->latest_unix_s - (uint64_t)block->earliest_unix_s);
    enc_uint(buf, (uint64_t)block->so_far_unix_s - (uint64_t)block->latest_unix_s);
}

/* Numbers and lengths first, rows behind them: looking for one run reads no other's bytes. */
static void enc_plain(struct strbuf *buf, const struct run_block *block)
{
    const struct run_place *rows = block->rows;
    enc_times(buf, SHAPE_PLAIN, block);
    for (size_t i = 0; i < block->count; i++) {
        enc_uint(buf, i > 0 ? rows[i].seq - rows[i - 1].seq : 0);
        enc_int(buf, (int64_t)((uint64_t)rows[i].t_unix_s - (uint64_t)(i > 0 ? rows[i - 1].t_unix_s : block->earliest_unix_s)));
        enc_uint(buf, rows[i].bytes.len);
    }
    for (size_t i = 0; i < block->count; i++) enc_bytes(buf, rows[i].bytes.ptr, rows[i].bytes.len);
}

void enc_block(struct strbuf *buf, const struct run_block *block)
{
    size_t bytes = 0;
    for (size_t i = 0; i < block->count; i++) bytes += block->rows[i].bytes.len;
    if (block->is_packed && bytes <= RUN_PACK_BYTES) {
        enc_times(buf, SHAPE_PACKED, block);
        enc_packed_rows(buf, block);
    } else enc_plain(buf, block);
}

/* `so far` is the latest time up to this block's end in the whole stream: where clocks went back, searching by time needs it. */
void dec_block_times(struct dec *dec, struct run_block *block, size_t *ret_count)
{
    uint8_t shape = dec_byte(dec);
    if (shape != SHAPE_PLAIN && shape != SHAPE_PACKED) dec_damaged(dec);
    block->is_packed = shape == SHAPE_PACKED;
    *ret_count = (size_t)dec_uint_max(dec, RUN_BLOCK_ROWS_MAX);
    block->earliest_unix_s = dec_int(dec);
    block->latest_unix_s = (int64_t)((uint64_t)block->earliest_unix_s + dec_uint(dec));
    block->so_far_unix_s = (int64_t)((uint64_t)block->latest_unix_s + dec_uint(dec));
    if (*ret_count == 0) dec_damaged(dec);
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

bool run_block_room(struct run_block *block, size_t count)
{
    if (count <= block->cap) return true;
    struct run_place *rows = realloc(block->rows, count * sizeof *rows);
    if (rows == NULL) return false;
    block->rows = rows;
    block->cap = count;
    return true;
}

void run_block_done(struct run_block *block)
{
    free(block->rows);
    strbuf_done(&block->plain);
    *block = (struct run_block){.rows = NULL};
}

/* The places of a plain block's rows. No place is shorter than its bytes: a count that they cannot hold asks for no memory. */
static void dec_places(struct dec *dec, uint64_t first_seq, size_t count, struct run_block *block)
{
    struct run_place place = {.seq = first_seq, .t_unix_s = block->earliest_unix_s};
    if (count > (size_t)(dec->end - dec->at) / PLACE_BYTES_MIN) dec_damaged(dec);
    else if (!run_block_room(block, count)) dec->err = GT_ENOMEM;
    for (size_t i = 0; i < count && dec->err == GT_OK; i++) block->rows[i] = place = dec_place(dec, &place);
}

/* All in one pass: a reader takes most blocks apart for a few bytes a row. */
bool run_block_point(struct run_block *block, struct gt_str bytes)
{
    size_t at = 0;
    int64_t earliest = INT64_MAX, latest = INT64_MIN;
    uint64_t seq_before = 0;
    for (size_t i = 0; i < block->count; i++) {
        struct run_place *row = &block->rows[i];
        if (row->bytes.len > bytes.len - at || (i > 0 && row->seq <= seq_before)) return false;
        row->bytes.ptr = bytes.ptr + at;
        at += row->bytes.len;
        seq_before = row->seq;
        if (row->t_unix_s < earliest) earliest = row->t_unix_s;
        if (row->t_unix_s > latest) latest = row->t_unix_s;
    }
    return at == bytes.len && earliest == block->earliest_unix_s && latest == block->latest_unix_s && seq_before <= KEY_SEQ_LAST;
}
enum gt_err dec_block(struct gt_str bytes, uint64_t first_seq, struct run_block *block)
{
    struct dec dec = dec_begin(bytes, NULL);
    size_t count;
    block->count = 0;
    dec_block_times(&dec, block, &count);
    if (dec.err != GT_OK) return dec.err;
    if (block->is_packed) dec_packed_rows(&dec, first_seq, count, block);
    else dec_places(&dec, first_seq, count, block);
    if (dec.err != GT_OK) return dec.err;
    block->count = count;
    struct gt_str rows = {(const char *)dec.at, (size_t)(dec.end - dec.at)};
    bool is_whole = run_block_point(block, block->is_packed ? strbuf_str(&block->plain) : rows);
    return is_whole && block->rows[0].seq == first_seq ? GT_OK : GT_ECORRUPT;
}
