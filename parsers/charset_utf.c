/* UTF-8 and UTF-16 as the WHATWG Encoding Standard decodes them: one U+FFFD for each broken piece, never more bytes than belong
 * to it. */
#include "common/utf8.h"
#include "parsers/charset_codec.h"

enum { NO_CHARACTER = -1, REPLACEMENT = 0xFFFD };

void charset_emit(struct strbuf *out, int32_t code_point, size_t *replaced)
{
    if (code_point <= 0) {
        code_point = REPLACEMENT;
        (*replaced)++;
    }
    char bytes[4];
    size_t len = utf8_encode(code_point, bytes);
    strbuf_add(out, (struct gt_str){bytes, len});
}

/* What may follow a lead byte: how many bytes in all, and the range of the second (the standard's "UTF-8 decoder"). */
static size_t lead_shape(unsigned lead, unsigned *ret_low, unsigned *ret_high)
{
    *ret_low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *ret_high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/* The length of the character at `at` when it is whole; else 0, and *ret_bad says how many bytes make up the broken piece. */
static size_t sequence_len(const unsigned char *at, size_t left, size_t *ret_bad)
{
    *ret_bad = 1;
    if (at[0] < 0x80) return at[0] != 0 ? 1 : 0;
    unsigned low, high;
    size_t len = lead_shape(at[0], &low, &high);
    if (len == 0) return 0;
    for (size_t i = 1; i < len; i++) {
        *ret_bad = i;
        if (i >= left || at[i] < low || at[i] > high) return 0;
        low = 0x80;
        high = 0xBF;
    }
    return len;
}

/* How many bytes of a word stand before the first that is marked by its high bit. */
static size_t ascii_before(uint64_t marked)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (size_t)__builtin_ctzll(marked) / 8 : 0;
}

/* The length of a run of three-byte characters whose lead allows any second byte: Chinese, Japanese, most signs. */
static size_t common_run(const unsigned char *at, size_t left, size_t *wide)
{
    size_t i = 0;
    for (uint32_t word; left - i >= sizeof word; i += 3) {
        memcpy(&word, at + i, sizeof word);
        if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) word = __builtin_bswap32(word);
        unsigned lead = word & 0xFF;
        if ((word & 0xC0C0F0) != 0x8080E0 || lead == 0xE0 || lead == 0xED) break;
    }
    *wide += i / 3;
    return i;
}

/* Runs over what is in order; returns where the first byte that is not stands, or the length. Eight ASCII bytes at a time. */
static size_t clean_len(struct gt_str bytes, size_t from, size_t *wide)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t i = from, bad;
    while (i < bytes.len) {
        uint64_t word;
        if (bytes.len - i >= sizeof word) {
            memcpy(&word, at + i, sizeof word);
            const uint64_t high = 0x8080808080808080, ones = 0x0101010101010101;
            /* No high bit and no zero byte: the usual test for a NUL in a word. */
            uint64_t marked = (word | (word - ones)) & high;
            if (marked == 0) {
                i += sizeof word;
                continue;
            }
            i += ascii_before(marked);
            i += common_run(at + i, bytes.len - i, wide);
            if (i == bytes.len) break;
        }
        size_t len = sequence_len(at + i, bytes.len - i, &bad);
        if (len == 0) return i;
        *wide += len > 1;
        i += len;
    }
    return i;
}

bool charset_utf8_is_clean(struct gt_str bytes, size_t *ret_wide)
{
    *ret_wide = 0;
    return clean_len(bytes, 0, ret_wide) == bytes.len;
}

/* WHATWG's replacement: one for each longest piece that could have begun a character, so that counts agree with browsers. */
void charset_utf8_decode(struct gt_str bytes, struct strbuf *out, size_t *replaced)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t i = 0, wide = 0;
    while (i < bytes.len && out->err == GT_OK) {
        size_t end = clean_len(bytes, i, &wide);
        strbuf_add(out, gt_str_slice(bytes, i, end - i));
        if (end == bytes.len) break;
        size_t bad = 1;
        sequence_len(at + end, bytes.len - end, &bad);
        charset_emit(out, NO_CHARACTER, replaced);
        i = end + bad;
    }
}

void charset_utf16_decode(struct gt_str bytes, bool is_big_endian, struct strbuf *out, size_t *replaced)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    int32_t high_half = 0; /* a surrogate that waits for its second half */
    for (size_t i = 0; i + 1 < bytes.len && out->err == GT_OK; i += 2) {
        int32_t unit = is_big_endian ? at[i] << 8 | at[i + 1] : at[i + 1] << 8 | at[i];
        if (high_half != 0 && unit >= 0xDC00 && unit <= 0xDFFF) {
            charset_emit(out, 0x10000 + ((high_half - 0xD800) << 10) + (unit - 0xDC00), replaced);
            high_half = 0;
            continue;
        }
        if (high_half != 0) charset_emit(out, NO_CHARACTER, replaced);
        high_half = unit >= 0xD800 && unit <= 0xDBFF ? unit : 0;
        if (high_half == 0) charset_emit(out, unit >= 0xDC00 && unit <= 0xDFFF ? NO_CHARACTER : unit, replaced);
    }
    if (high_half != 0 || bytes.len % 2 != 0) charset_emit(out, NO_CHARACTER, replaced);
}
