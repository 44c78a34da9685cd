#include "store/codec.h"

#include <endian.h>

enum { VARINT_BYTES_MAX = 10, NANO_ZEROES_MAX = 18 };

/* Straight into the buffer where there is room for the longest number: this is the hottest write of a commit. */
void enc_uint_long(struct strbuf *buf, uint64_t number)
{
    char bytes[VARINT_BYTES_MAX];
    size_t len = 0;
    bool has_room = buf->err == GT_OK && buf->cap - buf->len > VARINT_BYTES_MAX && buf->len_max - buf->len > VARINT_BYTES_MAX;
    char *at = has_room ? buf->ptr + buf->len : bytes;
    while (number >= 0x80) {
        at[len++] = (char)(number | 0x80);
        number >>= 7;
    }
    at[len++] = (char)number;
    if (has_room) buf->len += len;
    else strbuf_add(buf, (struct gt_str){bytes, len});
}

void enc_nano(struct strbuf *buf, int64_t nano)
{
    uint8_t zeroes = 0;
    /* Prices are mostly in cents, which are seven zeroes: six of them at once. */
    if (nano != 0 && nano % 1000000 == 0) {
        nano /= 1000000;
        zeroes = 6;
    }
    while (nano != 0 && nano % 10 == 0) {
        nano /= 10;
        zeroes++;
    }
    enc_byte(buf, zeroes);
    enc_int(buf, nano);
}

/* The longest beginning of at most `len_max` bytes that does not end inside a character. */
static size_t cut_len(struct gt_str text, size_t len_max)
{
    if (text.len <= len_max) return text.len;
    size_t len = len_max;
    while (len > 0 && ((uint8_t)text.ptr[len] & 0xC0) == 0x80) len--;
    return len > 0 ? len : len_max;
}

/* Nearly every text has room: it goes in without a call to grow. The copy is the library's: where the compiler can tell that a text is
 * short it copies byte by byte (`rep movsb`), and a commit takes a fifth longer. */
void enc_text_some(struct strbuf *buf, struct gt_str text, size_t len_max)
{
    size_t len = cut_len(text, len_max);
    enc_uint(buf, len);
    if (buf->err == GT_OK && buf->cap - buf->len > len && buf->len_max - buf->len > len) {
        memcpy(buf->ptr + buf->len, text.ptr, len);
        buf->len += len;
    } else strbuf_add(buf, (struct gt_str){text.ptr, len});
}

void enc_bytes(struct strbuf *buf, const void *bytes, size_t len)
{
    strbuf_add(buf, (struct gt_str){bytes, len});
}

enum gt_err dec_end(const struct dec *dec)
{
    if (dec->err != GT_OK) return dec->err;
    return dec->at == dec->end ? GT_OK : GT_ECORRUPT;
}

/* Keeps the first reason, and moves to the end: every read from then on finds nothing, so that loops over counts end at
 * once. */
static void fail(struct dec *dec, enum gt_err err)
{
    if (dec->err == GT_OK) dec->err = err;
    dec->at = dec->end;
}

void dec_damaged(struct dec *dec)
{
    fail(dec, GT_ECORRUPT);
}

uint64_t dec_uint_long(struct dec *dec)
{
    enum { SHIFT_LAST = 7 * (VARINT_BYTES_MAX - 1) };
    const uint8_t *at = dec->at, *end = dec->end;
    uint64_t number = 0;
    for (unsigned shift = 0; shift <= SHIFT_LAST && at != end; shift += 7) {
        uint64_t byte = *at++;
        number |= (byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        /* Only one way to write a number: bits past the 64th, or a last byte that adds nothing, come from no encoder. */
        if ((shift == SHIFT_LAST && byte > 1) || (shift > 0 && byte == 0)) break;
        dec->at = at;
        return number;
    }
    fail(dec, GT_ECORRUPT);
    return 0;
}

/* The last byte of a number is the one without the highest bit: eight bytes are looked at at once. */
void dec_skip(struct dec *dec, unsigned count)
{
    static const uint64_t high = 0x8080808080808080ULL;
    while (count > 0 && (size_t)(dec->end - dec->at) >= sizeof high) {
        uint64_t bytes;
        memcpy(&bytes, dec->at, sizeof bytes);
        uint64_t last = ~le64toh(bytes) & high;
        for (; count > 1 && last != 0; count--) last &= last - 1;
        dec->at += last != 0 ? (unsigned)__builtin_ctzll(last) / 8 + 1 : sizeof high;
        if (last != 0) return;
    }
    while (count > 0 && dec->at != dec->end) count -= *dec->at++ < 0x80;
    if (count > 0) fail(dec, GT_ECORRUPT);
}

int64_t dec_nano(struct dec *dec)
{
    static const int64_t powers[NANO_ZEROES_MAX + 1] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
        100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000};
    uint8_t zeroes = dec_byte(dec);
    int64_t nano = dec_int(dec);
    if (zeroes > NANO_ZEROES_MAX || (nano % 10 == 0 && (nano != 0 || zeroes != 0))) fail(dec, GT_ECORRUPT);
    if (dec->err == GT_OK && __builtin_mul_overflow(nano, powers[zeroes], &nano)) fail(dec, GT_ECORRUPT);
    return dec->err == GT_OK ? nano : 0;
}

int32_t dec_int32(struct dec *dec)
{
    int64_t number = dec_int(dec);
    if (number >= INT32_MIN && number <= INT32_MAX) return (int32_t)number;
    fail(dec, GT_ECORRUPT);
    return 0;
}

/* Without an arena the text is borrowed from the value: comparing needs no copy. The length was held against what is left before anything is
 * read. */
struct gt_str dec_text(struct dec *dec, size_t len_max)
{
    size_t len = (size_t)dec_uint_max(dec, len_max);
    if (len > (size_t)(dec->end - dec->at)) fail(dec, GT_ECORRUPT);
    if (dec->err != GT_OK) return (struct gt_str){"", 0};
    struct gt_str text = {(const char *)dec->at, len};
    dec->at += len;
    if (len == 0) return (struct gt_str){"", 0};
    if (dec->arena == NULL) return text;
    text = arena_dup(dec->arena, text);
    if (text.ptr == NULL) fail(dec, GT_ENOMEM);
    return text;
}

void dec_code(struct dec *dec, char *ret, size_t len_max)
{
    struct gt_str text = dec_text(dec, len_max);
    if (text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL) fail(dec, GT_ECORRUPT);
    memset(ret, 0, len_max + 1);
    if (text.len > 0 && dec->err == GT_OK) memcpy(ret, text.ptr, text.len);
}

void dec_bytes(struct dec *dec, void *ret_bytes, size_t len)
{
    memset(ret_bytes, 0, len);
    if (len > (size_t)(dec->end - dec->at)) fail(dec, GT_ECORRUPT);
    if (dec->err != GT_OK) return;
    memcpy(ret_bytes, dec->at, len);
    dec->at += len;
}

/* The count was limited by the reader before. Without an arena there is no room for a list: shapes that are read so have none. */
void *dec_array(struct dec *dec, size_t count, size_t bytes)
{
    if (count == 0 || dec->err != GT_OK) return NULL;
    if (dec->arena == NULL) {
        fail(dec, GT_ECORRUPT);
        return NULL;
    }
    void *items = arena_array(dec->arena, count, bytes);
    if (items == NULL) fail(dec, GT_ENOMEM);
    return items;
}
