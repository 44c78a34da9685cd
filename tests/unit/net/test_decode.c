#include "net/decode.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "common/file.h"
#include "tests/unit/table.h"

enum { PLAIN_BYTES = 200 * 1000, CODED_MAX = 400 * 1000, FILE_MAX = 64 << 20 };

struct bytes {
    char *ptr;
    size_t len;
};

/* Text that compresses, but not to nothing. */
static struct bytes plain_make(void)
{
    struct bytes plain = {malloc(PLAIN_BYTES), PLAIN_BYTES};
    uint32_t seed = 7;
    for (size_t i = 0; i < plain.len; i++) {
        seed = seed * 1664525 + 1013904223;
        plain.ptr[i] = "价格4090 <td></td>\n0123456789"[(seed >> 16) % 30];
    }
    return plain;
}

static struct bytes deflate_code(struct bytes in, int window_bits)
{
    struct bytes out = {malloc(CODED_MAX), 0};
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)in.ptr;
    stream.avail_in = (uInt)in.len;
    stream.next_out = (Bytef *)out.ptr;
    stream.avail_out = CODED_MAX;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.len = CODED_MAX - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

static struct bytes gzip_code(struct bytes in)
{
    return deflate_code(in, 31);
}

static struct bytes zlib_code(struct bytes in)
{
    return deflate_code(in, 15);
}

static struct bytes raw_code(struct bytes in)
{
    return deflate_code(in, -15);
}

/* One stored meta-block and the empty last one (RFC 7932, 9.2): a stream that needs no encoder. */
static struct bytes brotli_code(struct bytes in)
{
    struct bytes out = {malloc(in.len + 5), in.len + 5};
    /* from the lowest bit: WBITS 0 (16), ISLAST 0, MNIBBLES 1 (five), MLEN - 1, ISUNCOMPRESSED 1 */
    uint32_t head = 1u << 2 | (uint32_t)(in.len - 1) << 4 | 1u << 24;
    for (int i = 0; i < 4; i++) out.ptr[i] = (char)(head >> 8 * i);
    memcpy(out.ptr + 4, in.ptr, in.len);
    out.ptr[in.len + 4] = 3;
    return out;
}

static struct bytes zstd_code(struct bytes in)
{
    struct bytes out = {malloc(CODED_MAX), 0};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    out.len = ZSTD_compress2(context, out.ptr, CODED_MAX, in.ptr, in.len);
    ZSTD_freeCCtx(context);
    return out;
}

typedef struct bytes coder(struct bytes in);

static const struct whole_row {
    const char *name;
    const char *codings;
    coder *layers[6];
} wholes[] = {
    {"gzip", "gzip", {gzip_code}},
    {"x-gzip, upper case", "X-GZIP", {gzip_code}},
    {"zlib deflate", "deflate", {zlib_code}},
    {"raw deflate", "deflate", {raw_code}},
    {"brotli", "br", {brotli_code}},
    {"zstd", "zstd", {zstd_code}},
    {"identity", "identity", {NULL}},
    {"nothing named", "", {NULL}},
    {"gzip in gzip", "gzip, gzip", {gzip_code, gzip_code}},
    {"gzip in brotli, identity between", "gzip, identity, br", {gzip_code, brotli_code}},
    {"five layers", "zstd, deflate, br, gzip, deflate", {zstd_code, zlib_code, brotli_code, gzip_code, raw_code}},
};

static struct bytes code_all(const struct whole_row *row, struct bytes plain)
{
    struct bytes now = {malloc(plain.len), plain.len};
    memcpy(now.ptr, plain.ptr, plain.len);
    for (size_t i = 0; row->layers[i] != NULL; i++) {
        struct bytes next = row->layers[i](now);
        free(now.ptr);
        now = next;
    }
    return now;
}

static enum gt_err decode(const char *codings, struct bytes wire, size_t limit, struct bytes *ret)
{
    struct gt_errinfo info = {0};
    *ret = (struct bytes){NULL, 0};
    return decode_body(NULL, gt_str_from(codings), (struct gt_str){wire.ptr, wire.len}, limit, &ret->ptr, &ret->len, &info);
}

/* Whole comes out whole, also when the limit is met exactly; one byte less is over it; cut anywhere or with a byte behind it, it is refused. */
static void check_whole(void **state)
{
    const struct whole_row *row = *state;
    struct bytes plain = plain_make(), wire = code_all(row, plain), out;
    bool is_coded = row->layers[0] != NULL;
    size_t limits[] = {PLAIN_BYTES, PLAIN_BYTES + 1, FILE_MAX};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(decode(row->codings, wire, limits[i], &out), GT_OK);
        assert_int_equal(out.len, plain.len);
        assert_memory_equal(out.ptr, plain.ptr, plain.len);
        free(out.ptr);
    }
    assert_int_equal(decode(row->codings, wire, plain.len - 1, &out), GT_ELIMIT);
    if (row->layers[1] == NULL) {
        assert_int_equal(out.len, plain.len - 1);
        assert_memory_equal(out.ptr, plain.ptr, out.len);
    }
    free(out.ptr);
    for (size_t cut = 1; is_coded && cut < wire.len; cut += 1 + cut / 2) {
        struct bytes less = {wire.ptr, wire.len - cut};
        assert_int_equal(decode(row->codings, less, FILE_MAX, &out), GT_EINCOMPLETE);
        assert_null(out.ptr);
    }
    if (is_coded) {
        wire.ptr = realloc(wire.ptr, wire.len + 1);
        wire.ptr[wire.len++] = 'x';
        assert_int_equal(decode(row->codings, wire, FILE_MAX, &out), GT_EINCOMPLETE);
    }
    free(wire.ptr);
    free(plain.ptr);
}

static const struct flip_row {
    const char *name;
    const char *codings;
    coder *code;
} flips[] = {{"gzip CRC", "gzip", gzip_code}, {"zlib Adler-32", "deflate", zlib_code}, {"zstd checksum", "zstd", zstd_code}};

static void check_flip(void **state)
{
    const struct flip_row *row = *state;
    struct bytes plain = plain_make(), wire = row->code(plain), out;
    for (size_t back = 1; back <= 4; back++) {
        wire.ptr[wire.len - back] ^= 1;
        assert_int_equal(decode(row->codings, wire, FILE_MAX, &out), GT_EINCOMPLETE);
        wire.ptr[wire.len - back] ^= 1;
    }
    free(wire.ptr);
    free(plain.ptr);
}

/* Any one bit wrong, anywhere: never a body that is other than the true one. */
static void check_bits(void **state)
{
    const struct flip_row *row = *state;
    struct bytes plain = plain_make(), wire = row->code(plain), out;
    uint32_t seed = 1;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1664525 + 1013904223;
        size_t at = (seed >> 3) % wire.len;
        wire.ptr[at] ^= (char)(1 << (seed & 7));
        enum gt_err err = decode(row->codings, wire, FILE_MAX, &out);
        if (err == GT_OK) {
            assert_int_equal(out.len, plain.len);
            assert_memory_equal(out.ptr, plain.ptr, plain.len);
        }
        free(out.ptr);
        wire.ptr[at] ^= (char)(1 << (seed & 7));
    }
    free(wire.ptr);
    free(plain.ptr);
}

static const struct odd_row {
    const char *name;
    const char *codings;
    const char *wire;
    enum gt_err err;
    const char *body; /* on GT_OK */
} odds[] = {
    {"empty under gzip", "gzip", "", GT_OK, ""},
    {"empty under five", "gzip,br,zstd,gzip,deflate", "", GT_OK, ""},
    {"identity twice", "identity, identity", "abc", GT_OK, "abc"},
    {"empty elements", " , ,", "abc", GT_OK, "abc"},
    {"six layers", "gzip,gzip,gzip,gzip,gzip,gzip", "", GT_EFORMAT, NULL},
    {"unknown coding", "compress", "abc", GT_EFORMAT, NULL},
    {"known and unknown", "gzip, aes128gcm", "abc", GT_EFORMAT, NULL},
    {"plain text called gzip", "gzip", "<html>hello</html>", GT_EINCOMPLETE, NULL},
    {"plain text called br", "br", "<html>hello</html>", GT_EINCOMPLETE, NULL},
    {"plain text called zstd", "zstd", "<html>hello</html>", GT_EINCOMPLETE, NULL},
    {"plain text called deflate", "deflate", "<html>hello</html>", GT_EINCOMPLETE, NULL},
    {"one byte of gzip", "gzip", "\x1f", GT_EINCOMPLETE, NULL},
};

static void check_odd(void **state)
{
    const struct odd_row *row = *state;
    struct bytes wire = {(char *)(uintptr_t)row->wire, strlen(row->wire)}, out;
    assert_int_equal(decode(row->codings, wire, 1000, &out), row->err);
    if (row->err == GT_OK) {
        assert_int_equal(out.len, strlen(row->body));
        assert_memory_equal(out.ptr, row->body, out.len);
    }
    free(out.ptr);
}

/* Streams of another crawler's tests. */
static const struct file_row {
    const char *name;
    const char *file;
    const char *codings;
    enum gt_err err;
} files[] = {
    {"html-gzip", "html-gzip.bin", "gzip", GT_OK},
    {"html-br", "html-br.bin", "br", GT_OK},
    {"html-zlibdeflate", "html-zlibdeflate.bin", "deflate", GT_OK},
    {"html-rawdeflate", "html-rawdeflate.bin", "deflate", GT_OK},
    {"html-zstd with size", "html-zstd-static-content-size.bin", "zstd", GT_OK},
    {"html-zstd without size", "html-zstd-static-no-content-size.bin", "zstd", GT_OK},
    {"html-zstd streamed", "html-zstd-streaming-no-content-size.bin", "zstd", GT_OK},
    {"gzip, deflate", "html-gzip-deflate.bin", "gzip, deflate", GT_OK},
    {"gzip, deflate, gzip", "html-gzip-deflate-gzip.bin", "gzip, deflate, gzip", GT_OK},
    {"bomb in gzip", "bomb-gzip.bin", "gzip", GT_ELIMIT},
    {"bomb in deflate", "bomb-deflate.bin", "deflate", GT_ELIMIT},
    {"bomb in brotli", "bomb-br.bin", "br", GT_ELIMIT},
    {"bomb in zstd", "bomb-zstd.bin", "zstd", GT_ELIMIT},
    {"CRC cut", "truncated-crc-error.gz", "gzip", GT_EINCOMPLETE},
    {"CRC cut short", "truncated-crc-error-short.gz", "gzip", GT_EINCOMPLETE},
    {"unexpected end", "unexpected-eof.gz", "gzip", GT_EINCOMPLETE},
};

static void check_file(void **state)
{
    const struct file_row *row = *state;
    char path[256];
    struct bytes wire, out;
    snprintf(path, sizeof path, "../shared/data/compressed/%s", row->file);
    if (file_read(path, FILE_MAX, &wire.ptr, &wire.len, NULL) != GT_OK) {
        print_message("# skipped: no suite data (%s)\n", row->file);
        skip();
    }
    assert_int_equal(decode(row->codings, wire, 1 << 20, &out), row->err);
    if (row->err == GT_OK) assert_non_null(memmem(out.ptr, out.len, "<html", 5));
    if (row->err == GT_ELIMIT) assert_int_equal(out.len, 1 << 20);
    free(out.ptr);
    free(wire.ptr);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(wholes, check_whole) + TABLE_RUN(flips, check_flip) + TABLE_RUN(flips, check_bits) +
           TABLE_RUN(odds, check_odd) + TABLE_RUN(files, check_file);
}
