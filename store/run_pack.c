#include "store/run_pack.h"

#include <stdlib.h>

#include "store/columns.h"
#include "store/run_block_impl.h"
#include "store/run_row.h"

/* A column a field of a row, but for those that few rows have, which share. The numbers are stored: append only. */
enum {
    COLUMN_SEQ,
    COLUMN_TIME,
    COLUMN_FLAGS,
    COLUMN_STATUS,
    COLUMN_GOOD,
    COLUMN_CONTENT,
    COLUMN_HTTP,
    COLUMN_LATENCY,
    COLUMN_BODY,
    COLUMN_REASON,
    COLUMN_FOUND,
    COLUMN_REFUSED,
    COLUMN_SEEN,
    COLUMN_STEPS,
    COLUMN_OFFER,
    COLUMN_CODE,
    COLUMN_KINDS,
    COLUMN_ATTR,
    COLUMN_BEFORE,
    COLUMN_AFTER,
    COLUMN_DETAIL,
    COLUMN_DOUBT,
    COLUMN_VOID,
    COLUMN_ROWS,
};

/* What is expected of an offer; offers that share a place only pack worse. */
enum { GUESSES = 4096 };

struct guess {
    uint64_t attr, record;
};

/* One way through a block's rows. The same code goes it in both directions: from rows into columns, and back. */
struct pass {
    struct columns *columns; /* packing; the row's numbers come out of `row` */
    struct dec row;
    struct column_reader *reader; /* unpacking; they go into `plain` */
    struct strbuf *plain;
    struct guess guesses[GUESSES];
    uint64_t seq, time, good, attr, seen; /* of the rows before */
};

/* A number of the row; in its column is the distance to what was expected. */
static uint64_t pass_uint(struct pass *pass, unsigned column, uint64_t expected)
{
    uint64_t number;
    if (pass->reader != NULL) {
        number = expected + (uint64_t)zigzag_back(column_get(pass->reader, column));
        enc_uint(pass->plain, number);
    } else {
        number = dec_uint(&pass->row);
        column_put(pass->columns, column, zigzag((int64_t)(number - expected)));
    }
    return number;
}

/* Packing and unpacking are one pass in two directions: a column that one forgets the other forgets, too, and the comparison finds it. */
static uint8_t pass_byte(struct pass *pass, unsigned column)
{
    uint8_t byte;
    if (pass->reader != NULL) {
        byte = (uint8_t)column_get(pass->reader, column);
        enc_byte(pass->plain, byte);
    } else {
        byte = dec_byte(&pass->row);
        column_put(pass->columns, column, byte);
    }
    return byte;
}

/* True while there is something to go on with: counts are not believed. */
static bool is_fine(const struct pass *pass)
{
    return pass->reader != NULL ? !pass->reader->has_failed && pass->plain->err == GT_OK : pass->row.err == GT_OK;
}

/* What a step says of its offer is mostly what the step before it said: `before` always, but for the first one in a block. */
static void pass_step(struct pass *pass, uint64_t *offer)
{
    *offer += pass_uint(pass, COLUMN_OFFER, 0);
    uint64_t code = pass_uint(pass, COLUMN_CODE, 0);
    struct guess *guess = &pass->guesses[*offer % GUESSES];
    int has = run_step_fields(code);
    if (has & HAS_KINDS) pass_uint(pass, COLUMN_KINDS, 0);
    if (has & HAS_ATTR) pass->attr = guess->attr = pass_uint(pass, COLUMN_ATTR, guess->attr != 0 ? guess->attr : pass->attr);
    if (has & HAS_BEFORE) guess->record = pass_uint(pass, COLUMN_BEFORE, guess->record);
    uint64_t after = has & HAS_AFTER ? pass_uint(pass, COLUMN_AFTER, 0) : guess->record;
    if (code != STEP_DOUBT) guess->record = after;
    if (has & HAS_DETAIL) pass_uint(pass, COLUMN_DETAIL, 0);
    for (int i = 0; i < 2 && (has & HAS_REASON); i++) pass_uint(pass, COLUMN_DOUBT, 0);
    for (int i = 0; i < 3 && (has & HAS_FIRST); i++) pass_uint(pass, COLUMN_VOID, 0);
    if (has & HAS_ROWS) pass_uint(pass, COLUMN_ROWS, 0);
}

static void pass_run(struct pass *pass)
{
    unsigned flags = pass_byte(pass, COLUMN_FLAGS);
    uint64_t offer = 0;
    pass_uint(pass, COLUMN_STATUS, 0);
    pass_uint(pass, COLUMN_GOOD, pass->good != 0 ? pass->seq - pass->good : 0);
    pass_uint(pass, COLUMN_CONTENT, 0);
    if ((flags & RUN_HTTP_OK) == 0) pass_uint(pass, COLUMN_HTTP, 0);
    pass_uint(pass, COLUMN_LATENCY, 0);
    pass_uint(pass, COLUMN_BODY, 0);
    for (unsigned i = COLUMN_REASON; i <= COLUMN_REFUSED && (flags & RUN_PLAIN) == 0; i++) pass_uint(pass, i, 0);
    pass->seen = pass_uint(pass, COLUMN_SEEN, pass->seen);
    for (uint64_t left = pass_uint(pass, COLUMN_STEPS, 0); left > 0 && is_fine(pass); left--) pass_step(pass, &offer);
    if ((flags & RUN_GOOD) != 0) pass->good = pass->seq;
}

static void pack_rows(struct pass *pass, const struct run_block *block, struct strbuf *buf)
{
    pass->seq = block->rows[0].seq;
    pass->time = (uint64_t)block->earliest_unix_s;
    for (size_t i = 0; i < block->count && buf->err == GT_OK; i++) {
        const struct run_place *place = &block->rows[i];
        column_put(pass->columns, COLUMN_SEQ, place->seq - pass->seq);
        column_put(pass->columns, COLUMN_TIME, zigzag((int64_t)((uint64_t)place->t_unix_s - pass->time)));
        pass->seq = place->seq;
        pass->time = (uint64_t)place->t_unix_s;
        pass->row = dec_begin(place->bytes, NULL);
        pass_run(pass);
        buf->err = dec_end(&pass->row);
    }
    enc_columns(buf, pass->columns);
}

void enc_packed_rows(struct strbuf *buf, const struct run_block *block)
{
    struct columns columns;
    struct pass *pass = calloc(1, sizeof *pass);
    columns_init(&columns);
    if (pass != NULL) {
        pass->columns = &columns;
        pack_rows(pass, block, buf);
    } else if (buf->err == GT_OK) buf->err = GT_ENOMEM;
    columns_done(&columns);
    free(pass);
}

/* Rows into block->plain; where they lie in it is known when it grows no more. */
static void unpack_rows(struct pass *pass, size_t count, struct run_block *block)
{
    for (size_t i = 0; i < count && is_fine(pass); i++) {
        size_t begin = pass->plain->len;
        pass->seq += column_get(pass->reader, COLUMN_SEQ);
        pass->time += (uint64_t)zigzag_back(column_get(pass->reader, COLUMN_TIME));
        pass_run(pass);
        block->rows[i] = (struct run_place){pass->seq, (int64_t)pass->time, {NULL, pass->plain->len - begin}};
    }
}

/* Unpacked into the bytes of a plain block, so that nobody above needs to know. */
void dec_packed_rows(struct dec *dec, uint64_t first_seq, size_t count, struct run_block *block)
{
    struct column_reader reader;
    dec_columns(dec, &reader);
    if (dec->err == GT_OK && reader.left[COLUMN_SEQ] != count) dec_damaged(dec);
    struct pass *pass = dec->err == GT_OK ? calloc(1, sizeof *pass) : NULL;
    if (pass != NULL && run_block_room(block, count)) {
        strbuf_clear(&block->plain);
        block->plain.len_max = RUN_PACK_BYTES;
        pass->reader = &reader;
        pass->plain = &block->plain;
        pass->seq = first_seq;
        pass->time = (uint64_t)block->earliest_unix_s;
        unpack_rows(pass, count, block);
        if (block->plain.err != GT_OK) dec->err = block->plain.err == GT_ENOMEM ? GT_ENOMEM : GT_ECORRUPT;
        else if (!column_reader_is_done(&reader)) dec_damaged(dec);
    } else if (dec->err == GT_OK) dec->err = GT_ENOMEM;
    column_reader_done(&reader);
    free(pass);
}
