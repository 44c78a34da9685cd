/* Servers pack with few libraries and fewer settings. What comes out differs in its first kilobytes when a setting differs, so a wrong guess
 * is given up early. */
#include "crawler/deflate_twin.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>

enum { PIECE_BYTES = 16 * 1024, GZIP_FIXED_BYTES = 10, WINDOW_BITS_MIN = 9 };

enum { FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAGS_UNKNOWN = 0xE0 };

/* The level that archives are written with (warc_gzip) comes first, then nginx, Apache and Python, then the rest. */
static const struct deflate_recipe usual[] = {
    {DEFLATE_BY_LIBDEFLATE, 6, 0, 0},  {DEFLATE_BY_ZLIB, 6, 8, 15},      {DEFLATE_BY_ZLIB, 9, 8, 15},
    {DEFLATE_BY_ZLIB, 6, 9, 15},       {DEFLATE_BY_ZLIB, 1, 8, 15},      {DEFLATE_BY_ZLIB, 5, 8, 15},
    {DEFLATE_BY_ZLIB, 4, 8, 15},       {DEFLATE_BY_ZLIB, 3, 8, 15},      {DEFLATE_BY_ZLIB, 2, 8, 15},
    {DEFLATE_BY_ZLIB, 7, 8, 15},       {DEFLATE_BY_ZLIB, 8, 8, 15},      {DEFLATE_BY_ZLIB, 9, 9, 15},
    {DEFLATE_BY_ZLIB, 1, 9, 15},       {DEFLATE_BY_ZLIB, 5, 9, 15},      {DEFLATE_BY_ZLIB, 4, 9, 15},
    {DEFLATE_BY_ZLIB, 6, 8, 14},       {DEFLATE_BY_ZLIB, 6, 7, 14},      {DEFLATE_BY_ZLIB, 6, 7, 13},
    {DEFLATE_BY_ZLIB, 6, 6, 12},       {DEFLATE_BY_LIBDEFLATE, 9, 0, 0}, {DEFLATE_BY_LIBDEFLATE, 1, 0, 0},
    {DEFLATE_BY_LIBDEFLATE, 12, 0, 0},
};

/* Takes the stream piece by piece; false ends it. */
typedef bool piece_fn(void *ctx, struct gt_str piece);

/* By zlib, as a stream: what differs shows in the first piece. */
static enum gt_err by_zlib(const struct deflate_recipe *recipe, struct gt_str plain, piece_fn *fn, void *ctx)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)plain.ptr, .avail_in = (uInt)plain.len};
    Bytef piece[PIECE_BYTES];
    if (plain.len > UINT32_MAX / 2) return GT_ELIMIT;
    if (deflateInit2(&stream, recipe->level, Z_DEFLATED, -recipe->window_bits, recipe->mem_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return GT_ENOMEM;
    int result = Z_OK;
    bool goes_on = true;
    while (result == Z_OK && goes_on) {
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        result = deflate(&stream, Z_FINISH);
        goes_on = fn(ctx, (struct gt_str){(char *)piece, sizeof piece - stream.avail_out});
    }
    deflateEnd(&stream);
    return result == Z_STREAM_END || !goes_on ? GT_OK : GT_EINTERNAL;
}

/* By libdeflate, which works on the whole. */
static enum gt_err by_libdeflate(const struct deflate_recipe *recipe, struct gt_str plain, piece_fn *fn, void *ctx)
{
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(recipe->level);
    if (packer == NULL) return GT_ENOMEM;
    size_t bound = libdeflate_deflate_compress_bound(packer, plain.len);
    char *packed = malloc(bound);
    size_t len = packed != NULL ? libdeflate_deflate_compress(packer, plain.ptr, plain.len, packed, bound) : 0;
    if (len > 0) fn(ctx, (struct gt_str){packed, len});
    free(packed);
    libdeflate_free_compressor(packer);
    return len > 0 ? GT_OK : GT_ENOMEM;
}

/* The stream of a recipe, in pieces. */
static enum gt_err pieces_make(const struct deflate_recipe *recipe, struct gt_str plain, piece_fn *fn, void *ctx)
{
    switch (recipe->maker) {
    case DEFLATE_BY_ZLIB: return by_zlib(recipe, plain, fn, ctx);
    case DEFLATE_BY_LIBDEFLATE: return by_libdeflate(recipe, plain, fn, ctx);
    default: return GT_ECORRUPT;
    }
}

/* What is left to be met, and whether all before it was. */
struct comparison {
    struct gt_str rest;
    bool is_same;
};

static bool piece_compare(void *ctx, struct gt_str piece)
{
    struct comparison *comparison = ctx;
    comparison->is_same = comparison->is_same && gt_str_starts(comparison->rest, piece);
    comparison->rest = gt_str_slice(comparison->rest, piece.len, SIZE_MAX);
    return comparison->is_same;
}

/* True when the recipe gives the stream, to its last byte. */
static bool is_recipe(const struct deflate_recipe *recipe, struct gt_str packed, struct gt_str plain)
{
    struct comparison comparison = {packed, true};
    return pieces_make(recipe, plain, piece_compare, &comparison) == GT_OK && comparison.is_same && comparison.rest.len == 0;
}

/* The recipe that fitted last is tried first: a file was written by one program. */
bool deflate_recipe_find(struct gt_str packed, struct gt_str plain, struct deflate_recipe *recipe)
{
    if (recipe->maker != DEFLATE_BY_NOBODY && is_recipe(recipe, packed, plain)) return true;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (!is_recipe(&usual[i], packed, plain)) continue;
        *recipe = usual[i];
        return true;
    }
    return false;
}

static bool piece_add(void *ctx, struct gt_str piece)
{
    struct strbuf *out = ctx;
    strbuf_add(out, piece);
    return out->err == GT_OK;
}

enum gt_err deflate_remake(const struct deflate_recipe *recipe, struct gt_str plain, struct strbuf *out)
{
    enum gt_err err = pieces_make(recipe, plain, piece_add, out);
    return err != GT_OK ? err : out->err;
}

void deflate_recipe_put(const struct deflate_recipe *recipe, uint8_t ret_bytes[DEFLATE_RECIPE_BYTES])
{
    ret_bytes[0] = (uint8_t)recipe->maker;
    ret_bytes[1] = recipe->level;
    ret_bytes[2] = recipe->mem_level;
    ret_bytes[3] = recipe->window_bits;
}

bool deflate_recipe_get(const uint8_t bytes[DEFLATE_RECIPE_BYTES], struct deflate_recipe *ret_recipe)
{
    bool is_zlib = bytes[0] == DEFLATE_BY_ZLIB;
    bool is_valid = is_zlib ? bytes[1] <= 9 && bytes[2] >= 1 && bytes[2] <= 9 && bytes[3] >= WINDOW_BITS_MIN && bytes[3] <= 15
                            : bytes[0] == DEFLATE_BY_LIBDEFLATE && bytes[1] <= 12;
    if (is_valid) *ret_recipe = (struct deflate_recipe){(enum deflate_maker)bytes[0], bytes[1], bytes[2], bytes[3]};
    return is_valid;
}

/* Behind the NUL that closes a text at `at`; SIZE_MAX when none does. */
static size_t text_end(struct gt_str member, size_t at)
{
    const char *end = at < member.len ? memchr(member.ptr + at, '\0', member.len - at) : NULL;
    return end != NULL ? (size_t)(end - member.ptr) + 1 : SIZE_MAX;
}

size_t gzip_header_len(struct gt_str member)
{
    if (member.len < GZIP_FIXED_BYTES || memcmp(member.ptr, "\x1F\x8B\x08", 3) != 0) return 0;
    unsigned flags = (unsigned char)member.ptr[3];
    size_t at = GZIP_FIXED_BYTES;
    if ((flags & FLAGS_UNKNOWN) != 0) return 0;
    if ((flags & FLAG_EXTRA) != 0) {
        if (member.len < at + 2) return 0;
        at += 2 + (size_t)(unsigned char)member.ptr[at] + ((size_t)(unsigned char)member.ptr[at + 1] << 8);
    }
    if ((flags & FLAG_NAME) != 0) at = text_end(member, at);
    if ((flags & FLAG_COMMENT) != 0 && at != SIZE_MAX) at = text_end(member, at);
    if (at == SIZE_MAX) return 0;
    if ((flags & FLAG_CRC) != 0) at += 2;
    return at < member.len ? at : 0;
}

/* Raw, without gzip's frame: what stands around it is kept apart and byte for byte. */
enum gt_err deflate_unpack(struct gt_str packed, struct strbuf *out, size_t *ret_taken)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.ptr};
    Bytef piece[PIECE_BYTES];
    if (packed.len > UINT32_MAX) return GT_ELIMIT;
    stream.avail_in = (uInt)packed.len;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return GT_ENOMEM;
    int result = Z_OK;
    while (result == Z_OK && out->err == GT_OK) {
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        result = inflate(&stream, Z_NO_FLUSH);
        strbuf_add(out, (struct gt_str){(char *)piece, sizeof piece - stream.avail_out});
    }
    *ret_taken = packed.len - stream.avail_in;
    inflateEnd(&stream);
    if (out->err != GT_OK) return out->err;
    return result == Z_STREAM_END ? GT_OK : result == Z_BUF_ERROR ? GT_EINCOMPLETE : GT_ECORRUPT;
}
