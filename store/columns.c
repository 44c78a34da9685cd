#include "store/columns.h"

#include <stdlib.h>
#include <zstd.h>

/* Columns of a block are short: higher levels take longer and give nothing. */
enum { LEVEL = 12, STEP_BYTES = 4096 };

void columns_init(struct columns *columns)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        strbuf_init(&columns->numbers[i], COLUMNS_BYTES_MAX);
        columns->counts[i] = 0;
    }
}

void columns_done(struct columns *columns)
{
    for (size_t i = 0; i < COLUMNS; i++) strbuf_done(&columns->numbers[i]);
}

void column_put(struct columns *columns, unsigned column, uint64_t number)
{
    enc_uint(&columns->numbers[column], number);
    columns->counts[column]++;
}

/* The bytes at place `nth` of all the numbers that are so long. */
static void plane_add(struct strbuf *plane, struct gt_str numbers, size_t nth)
{
    size_t at = 0;
    for (size_t i = 0; i < numbers.len; i++) {
        if (at == nth) strbuf_addc(plane, numbers.ptr[i]);
        at = ((uint8_t)numbers.ptr[i] & COLUMN_MORE) != 0 ? at + 1 : 0;
    }
}

/* Hands bytes to the packer and ends what it calls a block: the next plane has other frequencies. */
static void packer_add(ZSTD_CCtx *packer, struct gt_str bytes, ZSTD_EndDirective end, struct strbuf *buf)
{
    ZSTD_inBuffer in = {bytes.ptr, bytes.len, 0};
    char packed[STEP_BYTES] = "";
    for (size_t left = 1; left > 0 && buf->err == GT_OK;) {
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(packer, &out, &in, end);
        if (ZSTD_isError(left)) buf->err = GT_ENOMEM;
        strbuf_add(buf, (struct gt_str){packed, out.pos});
    }
}

/* Bytes of equal weight stand together: small numbers are nearly all in the first plane, and the higher ones are runs of nothing. */
static void pack(ZSTD_CCtx *packer, const struct columns *columns, struct strbuf *buf)
{
    struct strbuf plane;
    strbuf_init(&plane, COLUMNS_BYTES_MAX);
    for (size_t i = 0; i < COLUMNS; i++) {
        for (size_t nth = 0; nth < COLUMN_PLANES; nth++) {
            strbuf_clear(&plane);
            plane_add(&plane, strbuf_str(&columns->numbers[i]), nth);
            if (plane.len == 0) break;
            packer_add(packer, strbuf_str(&plane), ZSTD_e_flush, buf);
        }
        if (plane.err != GT_OK && buf->err == GT_OK) buf->err = plane.err;
    }
    packer_add(packer, GT_STR(""), ZSTD_e_end, buf);
    strbuf_done(&plane);
}

void enc_columns(struct strbuf *buf, const struct columns *columns)
{
    size_t bytes = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        bytes += columns->numbers[i].len;
        enc_uint(buf, columns->counts[i]);
        if (columns->numbers[i].err != GT_OK && buf->err == GT_OK) buf->err = columns->numbers[i].err;
    }
    enc_uint(buf, bytes);
    if (bytes > COLUMNS_BYTES_MAX && buf->err == GT_OK) buf->err = GT_ELIMIT;
    ZSTD_CCtx *packer = buf->err == GT_OK ? ZSTD_createCCtx() : NULL;
    if (packer != NULL) {
        ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setPledgedSrcSize(packer, bytes); /* it takes memory for so much, not for the largest there is */
        pack(packer, columns, buf);
    } else if (buf->err == GT_OK) buf->err = GT_ENOMEM;
    ZSTD_freeCCtx(packer);
}

/* Finds where the planes of a column begin: each has a byte for every number that the one before goes on with. */
static const uint8_t *planes_find(struct column_reader *reader, size_t column, const uint8_t *at, const uint8_t *end)
{
    uint64_t count = reader->left[column];
    for (size_t nth = 0; nth < COLUMN_PLANES && count > 0; nth++) {
        if (count > (size_t)(end - at)) return NULL;
        uint64_t more = 0;
        reader->at[column][nth] = at;
        for (const uint8_t *last = at + count; at < last; at++) more += *at >> 7;
        count = more;
    }
    return count == 0 ? at : NULL;
}

void dec_columns(struct dec *dec, struct column_reader *ret_reader)
{
    *ret_reader = (struct column_reader){.bytes = NULL};
    for (size_t i = 0; i < COLUMNS; i++) ret_reader->left[i] = dec_uint_max(dec, COLUMNS_BYTES_MAX);
    size_t bytes = (size_t)dec_uint_max(dec, COLUMNS_BYTES_MAX);
    if (dec->err != GT_OK) return;
    ret_reader->bytes = malloc(bytes + 1);
    if (ret_reader->bytes == NULL) {
        dec->err = GT_ENOMEM;
        return;
    }
    /* Nothing in it is as large as its context: a failure is damage, or no memory for that. */
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    size_t len = unpacker != NULL ? ZSTD_decompressDCtx(unpacker, ret_reader->bytes, bytes, dec->at, (size_t)(dec->end - dec->at)) : 0;
    ZSTD_freeDCtx(unpacker);
    if (unpacker == NULL) dec->err = GT_ENOMEM;
    else if (ZSTD_isError(len) || len != bytes) dec_damaged(dec);
    const uint8_t *at = ret_reader->bytes, *end = at + bytes;
    for (size_t i = 0; i < COLUMNS && at != NULL && dec->err == GT_OK; i++) at = planes_find(ret_reader, i, at, end);
    if (at != end && dec->err == GT_OK) dec_damaged(dec);
    dec->at = dec->end;
}

void column_reader_done(struct column_reader *reader)
{
    free(reader->bytes);
    reader->bytes = NULL;
}

uint64_t column_get_long(struct column_reader *reader, unsigned column)
{
    if (reader->left[column] == 0) {
        reader->has_failed = true;
        return 0;
    }
    reader->left[column]--;
    uint64_t number = 0;
    uint8_t byte = COLUMN_MORE;
    for (unsigned nth = 0; (byte & COLUMN_MORE) != 0; nth++) {
        byte = *reader->at[column][nth]++;
        number |= (uint64_t)(byte & (COLUMN_MORE - 1)) << 7 * nth;
    }
    return number;
}

bool column_reader_is_done(const struct column_reader *reader)
{
    uint64_t left = 0;
    for (size_t i = 0; i < COLUMNS; i++) left += reader->left[i];
    return left == 0 && !reader->has_failed;
}
