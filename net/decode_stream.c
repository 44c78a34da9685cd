/* Brotli and zstd by their own streaming decoders, which say truthfully whether a stream has ended. Brotli has no checksum;
 * zstd's is checked by the library where the frame has one. */
#include "net/decode_stream.h"

#include <brotli/decode.h>
#include <stdint.h>
#include <zstd.h>

enum { ZSTD_WINDOW_LOG_MAX = 23 }; /* 8 MiB, what RFC 9659 lets a server ask of a client */

enum gt_err decode_brotli(struct decoder *decoder, struct gt_str wire, struct decoded *out)
{
    (void)decoder;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (state == NULL) return GT_ENOMEM;
    const uint8_t *next_in = (const uint8_t *)wire.ptr;
    size_t in_left = wire.len;
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    enum gt_err err = GT_OK;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && err == GT_OK) {
        if (out->len == out->cap) err = decoded_grow(out);
        if (err != GT_OK) break;
        uint8_t *next_out = (uint8_t *)out->bytes + out->len;
        size_t out_left = out->cap - out->len;
        result = BrotliDecoderDecompressStream(state, &in_left, &next_in, &out_left, &next_out, NULL);
        out->len = out->cap - out_left;
    }
    /* The ceiling may be reached exactly at the end: ask once more without room. */
    if (err == GT_ELIMIT) {
        size_t none = 0;
        uint8_t *nowhere = NULL;
        result = BrotliDecoderDecompressStream(state, &in_left, &next_in, &none, &nowhere, NULL);
        if (result == BROTLI_DECODER_RESULT_SUCCESS) err = GT_OK;
    }
    BrotliDecoderDestroyInstance(state);
    if (err == GT_OK && (result != BROTLI_DECODER_RESULT_SUCCESS || in_left > 0)) err = GT_EINCOMPLETE;
    return err;
}

/* One call of the decoder with the room there is. *ret_is_end: a frame is complete and everything of it was given out. */
static enum gt_err zstd_step(ZSTD_DCtx *context, ZSTD_inBuffer *in, struct decoded *out, bool *ret_is_end)
{
    char none;
    ZSTD_outBuffer to = {out->cap > out->len ? out->bytes + out->len : &none, out->cap - out->len, 0};
    size_t before = in->pos;
    size_t result = ZSTD_decompressStream(context, &to, in);
    out->len += to.pos;
    if (ZSTD_isError(result)) return GT_EINCOMPLETE;
    *ret_is_end = result == 0;
    if (result == 0) return GT_OK;
    if (out->len == out->cap && to.pos == 0 && in->pos == before) return decoded_grow(out);
    if (out->len < out->cap && in->pos == in->size) return GT_EINCOMPLETE;
    return GT_OK;
}

/* The window is limited, too: a frame may ask for gigabytes before it has given a byte. */
enum gt_err decode_zstd(struct decoder *decoder, struct gt_str wire, struct decoded *out)
{
    (void)decoder;
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (context == NULL) return GT_ENOMEM;
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
    ZSTD_inBuffer in = {wire.ptr, wire.len, 0};
    bool is_end = false;
    enum gt_err err = decoded_grow(out);
    while (err == GT_OK && !(is_end && in.pos == in.size)) err = zstd_step(context, &in, out, &is_end);
    ZSTD_freeDCtx(context);
    return err;
}
