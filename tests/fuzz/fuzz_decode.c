/* Content codings. Input: the Content-Encoding field, then the body. Whole bodies must be what the libraries' streams give in small
 * pieces, and a ceiling must give their beginning. */
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include "net/decode.h"
#include "tests/fuzz/fuzz.h"

enum { PLAIN_BYTES_MAX = 1 << 20, PIECE = 7, SMALL_MAX = 1000 };

/* A stream decoded in pieces by the library alone. */
struct streamed {
    char *bytes; /* PLAIN_BYTES_MAX of them */
    size_t len;
    bool is_whole; /* ended where the bytes end */
    bool is_full;  /* more than there is room for */
};

static void stream_zlib(struct gt_str wire, struct streamed *ret)
{
    z_stream stream = {.next_in = Z_NULL};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) exit(1);
    size_t at = 0;
    int result = Z_OK;
    while (result == Z_OK || result == Z_BUF_ERROR) {
        if (stream.avail_in == 0 && at == wire.len) break;
        if (stream.avail_in == 0) {
            size_t piece = wire.len - at < PIECE ? wire.len - at : PIECE;
            stream.next_in = (Bytef *)(uintptr_t)wire.ptr + at;
            stream.avail_in = (uInt)piece;
            at += piece;
        }
        stream.next_out = (Bytef *)ret->bytes + ret->len;
        stream.avail_out = (uInt)(PLAIN_BYTES_MAX - ret->len);
        if (stream.avail_out == 0) {
            ret->is_full = true;
            break;
        }
        uInt before = stream.avail_out;
        result = inflate(&stream, Z_NO_FLUSH);
        ret->len += before - stream.avail_out;
        ret->is_whole = result == Z_STREAM_END && stream.avail_in == 0 && at == wire.len;
        if (result == Z_STREAM_END && !ret->is_whole) result = inflateReset(&stream);
    }
    inflateEnd(&stream);
}

static void stream_brotli(struct gt_str wire, struct streamed *ret)
{
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (state == NULL) exit(1);
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    size_t at = 0;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && at < wire.len) {
        size_t piece = wire.len - at < PIECE ? wire.len - at : PIECE, left = piece, room = PLAIN_BYTES_MAX - ret->len;
        const uint8_t *in = (const uint8_t *)wire.ptr + at;
        uint8_t *out = (uint8_t *)ret->bytes + ret->len;
        result = BrotliDecoderDecompressStream(state, &left, &in, &room, &out, NULL);
        at += piece - left;
        ret->len = PLAIN_BYTES_MAX - room;
    }
    ret->is_full = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    ret->is_whole = result == BROTLI_DECODER_RESULT_SUCCESS && at == wire.len;
    BrotliDecoderDestroyInstance(state);
}

static void stream_zstd(struct gt_str wire, struct streamed *ret)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (context == NULL) exit(1);
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23);
    ZSTD_outBuffer out = {ret->bytes, PLAIN_BYTES_MAX, 0};
    size_t at = 0, result = 1, stuck = 0;
    while (!ZSTD_isError(result) && (at < wire.len || (result != 0 && stuck == 0)) && out.pos < out.size) {
        size_t piece = wire.len - at < PIECE ? wire.len - at : PIECE, before = out.pos;
        ZSTD_inBuffer in = {wire.ptr + at, piece, 0};
        result = ZSTD_decompressStream(context, &out, &in);
        at += in.pos;
        stuck = in.pos == 0 && out.pos == before;
        if (stuck && at < wire.len) break;
    }
    ret->len = out.pos;
    ret->is_full = out.pos == out.size;
    ret->is_whole = result == 0 && at == wire.len;
    ZSTD_freeDCtx(context);
}

/* Compares the body decoded whole with the stream. */
static void check_streamed(struct gt_str codings, struct gt_str wire, enum gt_err err, struct gt_str plain)
{
    static const struct {
        const char *coding;
        void (*stream)(struct gt_str wire, struct streamed *ret);
    } streams[] = {{"gzip", stream_zlib}, {"br", stream_brotli}, {"zstd", stream_zstd}};
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        if (!gt_str_is(codings, streams[i].coding) || wire.len == 0) continue;
        struct streamed streamed = {.bytes = malloc(PLAIN_BYTES_MAX)};
        if (streamed.bytes == NULL) exit(1);
        streams[i].stream(wire, &streamed);
        if (streamed.is_whole && !streamed.is_full) FUZZ_CHECK("what a stream takes whole is taken", err == GT_OK);
        if (streamed.is_whole && err == GT_OK) {
            FUZZ_CHECK("as many bytes as the stream", plain.len == streamed.len);
            FUZZ_CHECK("the same bytes as the stream", plain.len == 0 || memcmp(plain.ptr, streamed.bytes, plain.len) == 0);
        }
        free(streamed.bytes);
    }
}

/* A lower ceiling: the first bytes of the same, or the same. */
static void check_ceiling(struct gt_str codings, struct gt_str wire, struct gt_str plain)
{
    size_t ceilings[] = {0, 1, SMALL_MAX, plain.len > 0 ? plain.len - 1 : 0, plain.len};
    for (size_t i = 0; i < sizeof ceilings / sizeof ceilings[0]; i++) {
        char *bytes = NULL;
        size_t len = 0;
        enum gt_err err = decode_body(NULL, codings, wire, ceilings[i], &bytes, &len, NULL);
        FUZZ_CHECK("never more than the ceiling", len <= ceilings[i]);
        FUZZ_CHECK("the beginning of the whole", len == 0 || (len <= plain.len && memcmp(bytes, plain.ptr, len) == 0));
        if (err == GT_OK) FUZZ_CHECK("whole means whole", len == plain.len);
        else FUZZ_CHECK("too large is the only failure, layers below the last included", err == GT_ELIMIT);
        free(bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gt_str rest = fuzz_input(data, size);
    struct gt_str codings = gt_str_trim(fuzz_line(&rest)), wire = fuzz_copy(rest);
    struct decoder *made = size % 2 == 0 ? decoder_new() : NULL;
    char *bytes = NULL;
    size_t len = 0;
    struct gt_errinfo info = {0};
    enum gt_err err = decode_body(made, codings, wire, PLAIN_BYTES_MAX, &bytes, &len, &info);
    struct gt_str plain = {bytes, len};
    FUZZ_CHECK("within the ceiling", len <= PLAIN_BYTES_MAX);
    FUZZ_CHECK("a failure has a sentence", err == GT_OK || info.text[0] != '\0');
    FUZZ_CHECK("a known failure", err == GT_OK || err == GT_EINCOMPLETE || err == GT_ELIMIT || err == GT_EFORMAT);
    if (err == GT_OK && decode_is_identity(codings)) FUZZ_CHECK("identity changes nothing", gt_str_eq(plain, wire));
    check_streamed(codings, wire, err, plain);
    if (err == GT_OK) check_ceiling(codings, wire, plain);
    decoder_free(made);
    free(bytes);
    fuzz_free(wire);
    return 0;
}
