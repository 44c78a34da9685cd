/* Records are packed whole: libdeflate is faster and packs closer than zlib, and a record is in memory anyway. The extra
 * field costs 14 bytes a record and saves unpacking a gigabyte at each start. */
#include "crawler/warc_gzip.h"

#include <libdeflate.h>
#include <stdlib.h>

enum { LEVEL = 6, FLAG_EXTRA = 4, OS_UNIX = 3, EXTRA_BYTES = 12, FIELD_BYTES = 8 };

/* Little-endian, as gzip has it. */
static void put32(char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) out[i] = (char)(value >> 8 * i);
}

/* The reverse of put32. */
static uint32_t get32(const char *in)
{
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--) value = value << 8 | (unsigned char)in[i];
    return value;
}

/* No time and no name: the same record gives the same bytes. */
static void head_put(char *out, uint32_t member_len, uint32_t plain_len)
{
    static const char fixed[16] = {0x1F, (char)0x8B, 8,           FLAG_EXTRA, 0,   0,   0,           0,
                                   0,    OS_UNIX,    EXTRA_BYTES, 0,          'G', 'T', FIELD_BYTES, 0};
    memcpy(out, fixed, sizeof fixed);
    put32(out + 16, member_len);
    put32(out + 20, plain_len);
}

bool gzip_head_read(const char head[GZIP_HEAD_BYTES], uint32_t *ret_member_len, uint32_t *ret_plain_len)
{
    char expected[GZIP_HEAD_BYTES];
    head_put(expected, get32(head + 16), get32(head + 20));
    if (memcmp(head, expected, GZIP_HEAD_BYTES) != 0) return false;
    *ret_member_len = get32(head + 16);
    *ret_plain_len = get32(head + 20);
    return *ret_member_len > GZIP_HEAD_BYTES + GZIP_TAIL_BYTES;
}

struct libdeflate_compressor *gzip_packer_new(void)
{
    return libdeflate_alloc_compressor(LEVEL);
}

void gzip_packer_free(struct libdeflate_compressor *packer)
{
    if (packer != NULL) libdeflate_free_compressor(packer);
}

/* A member a record: each can be read without those before it, and a damaged one costs one record. */
enum gt_err gzip_member_make(struct libdeflate_compressor *packer, struct gt_str plain, char **ret_member, size_t *ret_len)
{
    size_t bound = libdeflate_deflate_compress_bound(packer, plain.len);
    char *member = plain.len <= UINT32_MAX / 2 ? malloc(GZIP_HEAD_BYTES + bound + GZIP_TAIL_BYTES) : NULL;
    if (member == NULL) return plain.len <= UINT32_MAX / 2 ? GT_ENOMEM : GT_ELIMIT;
    size_t len = libdeflate_deflate_compress(packer, plain.ptr, plain.len, member + GZIP_HEAD_BYTES, bound);
    uint32_t total = (uint32_t)(GZIP_HEAD_BYTES + len + GZIP_TAIL_BYTES);
    head_put(member, total, (uint32_t)plain.len);
    put32(member + GZIP_HEAD_BYTES + len, libdeflate_crc32(0, plain.ptr, plain.len));
    put32(member + GZIP_HEAD_BYTES + len + 4, (uint32_t)plain.len);
    *ret_member = member;
    *ret_len = total;
    return GT_OK;
}

/* Exactly these bytes make exactly that many, or the member is damaged. */
char *gzip_member_unpack(struct gt_str member, uint32_t plain_len)
{
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    char *plain = malloc(plain_len > 0 ? plain_len : 1);
    size_t taken = 0, made = 0;
    bool is_whole =
        unpacker != NULL && plain != NULL &&
        libdeflate_gzip_decompress_ex(unpacker, member.ptr, member.len, plain, plain_len, &taken, &made) == LIBDEFLATE_SUCCESS &&
        taken == member.len && made == plain_len;
    libdeflate_free_decompressor(unpacker);
    if (is_whole) return plain;
    free(plain);
    return NULL;
}
