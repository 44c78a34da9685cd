/* Blocks as bytes. */
#include <stdlib.h>

#include "store/run_block_impl.h"

enum { SHAPE_VERSION = 2, PLACE_BYTES_MIN = 3 };

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

void enc_block(struct strbuf *buf, const struct run_block *block)
{
    enc_head(buf, block);
    for (size_t i = 0; i < block->count; i++) enc_bytes(buf, block->rows[i].bytes.ptr, block->rows[i].bytes.len);
}

void dec_block_times(struct dec *dec, struct run_block *block, size_t *ret_count)
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

bool run_block_room(struct run_block *block, size_t count)
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

enum gt_err dec_block(struct gt_str bytes, uint64_t first_seq, struct run_block *block)
{
    struct dec dec = dec_begin(bytes, NULL);
    size_t count;
    block->count = 0;
    dec_block_times(&dec, block, &count);
    if (dec.err != GT_OK) return dec.err;
    if (!run_block_room(block, count)) return GT_ENOMEM;
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
