/* gzip and deflate. libdeflate does the work on the finished body, three times as fast as zlib; zlib only fills in the first
 * bytes of what is too large, which libdeflate cannot give. */
#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>

#define ZLIB_CONST /* input is read only */
#include <zlib.h>

#include "net/decode_stream.h"

enum { GZIP_TRAILER_BYTES = 8, RATIO_MAX = 1032 /* deflate cannot expand further */ };

typedef enum libdeflate_result LIBDEFLATEAPI inflate_fn(struct libdeflate_decompressor *, const void *, size_t, void *, size_t,
                                                        size_t *, size_t *);

/* One stream at the front of *wire; takes it off. The whole stream is tried again with more room when it did not fit. */
static enum gt_err inflate_one(struct libdeflate_decompressor *inflater, inflate_fn *fn, struct gt_str *wire, struct decoded *out)
{
    for (;;) {
        size_t taken = 0, made = 0;
        enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
        if (out->cap > out->len)
            result = fn(inflater, wire->ptr, wire->len, out->bytes + out->len, out->cap - out->len, &taken, &made);
        if (result == LIBDEFLATE_SUCCESS) {
            *wire = gt_str_slice(*wire, taken, SIZE_MAX);
            out->len += made;
            return GT_OK;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) return GT_EINCOMPLETE;
        enum gt_err err = decoded_grow(out);
        if (err != GT_OK) return err;
    }
}

/* Fills `out` up to its ceiling with the first bytes of a stream that is known to be larger. */
static enum gt_err inflate_front(struct gt_str wire, int window_bits, struct decoded *out)
{
    z_stream stream = {.next_in = (const Bytef *)wire.ptr, .avail_in = (uInt)wire.len};
    if (wire.len > UINT32_MAX || inflateInit2(&stream, window_bits) != Z_OK) return GT_ENOMEM;
    int result = Z_OK;
    out->len = 0;
    while (result == Z_OK && out->len < out->cap) {
        size_t room = out->cap - out->len;
        stream.next_out = (Bytef *)out->bytes + out->len;
        stream.avail_out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
        uInt before = stream.avail_out;
        result = inflate(&stream, Z_NO_FLUSH);
        out->len += before - stream.avail_out;
        /* a further gzip member */
        if (result == Z_STREAM_END && stream.avail_in > 0 && window_bits > MAX_WBITS) result = inflateReset(&stream);
    }
    inflateEnd(&stream);
    return GT_ELIMIT;
}

/* The trailer of a gzip file states its length: right for honest ones, and only a first guess. */
static void reserve_by_trailer(struct gt_str wire, struct decoded *out)
{
    size_t guess = wire.len < out->bytes_max / 4 ? wire.len * 4 : out->bytes_max;
    if (wire.len > GZIP_TRAILER_BYTES) {
        const uint8_t *end = (const uint8_t *)wire.ptr + wire.len - 4;
        size_t stated = (size_t)end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16 | (size_t)end[3] << 24;
        if (stated > 0 && stated <= out->bytes_max && stated / RATIO_MAX <= wire.len) guess = stated;
    }
    out->bytes = malloc(guess > 0 ? guess : 1);
    if (out->bytes != NULL) out->cap = guess;
}

enum gt_err decode_gzip(struct decoder *decoder, struct gt_str wire, struct decoded *out)
{
    reserve_by_trailer(wire, out);
    struct gt_str rest = wire;
    enum gt_err err = GT_OK;
    while (rest.len > 0 && err == GT_OK) err = inflate_one(decoder->inflater, libdeflate_gzip_decompress_ex, &rest, out);
    return err == GT_ELIMIT ? inflate_front(wire, 16 + MAX_WBITS, out) : err;
}

/* RFC 1950, 2.2: method 8, and the first two bytes are a multiple of 31. */
static bool looks_like_zlib(struct gt_str wire)
{
    if (wire.len < 2) return false;
    unsigned a = (unsigned char)wire.ptr[0], b = (unsigned char)wire.ptr[1];
    return (a & 15) == 8 && (a * 256 + b) % 31 == 0;
}

enum gt_err decode_deflate(struct decoder *decoder, struct gt_str wire, struct decoded *out)
{
    struct gt_str rest = wire;
    int window_bits = MAX_WBITS;
    enum gt_err err = GT_EINCOMPLETE;
    /* a raw stream can look like a wrapped one by chance; its checksum will then not hold, and the other reading is tried */
    if (looks_like_zlib(wire)) err = inflate_one(decoder->inflater, libdeflate_zlib_decompress_ex, &rest, out);
    if (err == GT_EINCOMPLETE) {
        window_bits = -MAX_WBITS;
        rest = wire;
        out->len = 0;
        err = inflate_one(decoder->inflater, libdeflate_deflate_decompress_ex, &rest, out);
    }
    if (err == GT_ELIMIT) return inflate_front(wire, window_bits, out);
    return err == GT_OK && rest.len > 0 ? GT_EINCOMPLETE : err;
}
