/* The gb18030 decoder of the WHATWG Encoding Standard, which also decodes gbk and gb2312. Own, because libxml2 and glibc lose
 * text here: glibc refuses 0x80 (the euro sign of code page 936) and 25 of the two-byte sequences, and a decoder that swallows
 * the byte after a broken lead byte eats the '<' of the next tag. */
#include "parsers/charset_codec.h"

enum {
    TWO_BYTE_COUNT = 23940,
    LEAD_MIN = 0x81,
    LEAD_MAX = 0xFE,
    TRAILS = 190,
    BMP_POINTER_MAX = 39419,
    ASTRAL_POINTER_MIN = 189000,
    ASTRAL_POINTER_MAX = 1237575,
    EURO_SIGN = 0x20AC,
    NO_CHARACTER = -1,
};

static const uint16_t TWO_BYTE[TWO_BYTE_COUNT] = {
#include "parsers/gb18030_index.inc"
};

static const struct {
    int32_t pointer;
    int32_t code_point;
} RANGES[] = {
#include "parsers/gb18030_ranges.inc"
};

static bool is_lead(unsigned byte)
{
    return byte >= LEAD_MIN && byte <= LEAD_MAX;
}

static bool is_digit(unsigned byte)
{
    return byte >= '0' && byte <= '9';
}

static int32_t two_byte_code(unsigned lead, unsigned trail)
{
    if (!((trail >= 0x40 && trail <= 0x7E) || (trail >= 0x80 && trail <= 0xFE))) return NO_CHARACTER;
    unsigned offset = trail < 0x7F ? 0x40 : 0x41;
    return TWO_BYTE[(lead - LEAD_MIN) * TRAILS + (trail - offset)];
}

/* The standard's "index gb18030 ranges code point": the last run that begins at or before the pointer. */
static int32_t four_byte_code(const unsigned char *at)
{
    int32_t pointer = ((at[0] - LEAD_MIN) * 10 + (at[1] - '0')) * 1260 + (at[2] - LEAD_MIN) * 10 + (at[3] - '0');
    if (pointer == 7457) return 0xE7C7;
    if (pointer > ASTRAL_POINTER_MAX || (pointer > BMP_POINTER_MAX && pointer < ASTRAL_POINTER_MIN)) return NO_CHARACTER;
    size_t low = 0, high = sizeof RANGES / sizeof RANGES[0];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (RANGES[middle].pointer <= pointer) low = middle;
        else high = middle;
    }
    return RANGES[low].code_point + (pointer - RANGES[low].pointer);
}

/* Decodes what begins at a byte beyond ASCII; returns how many bytes it took. A broken sequence takes its lead byte alone, so
 * that whatever follows is read again, unless the standard's decoder would have consumed more. */
static size_t decode_one(const unsigned char *at, size_t left, int32_t *ret_code)
{
    *ret_code = NO_CHARACTER;
    if (at[0] == 0x80) *ret_code = EURO_SIGN;
    if (!is_lead(at[0])) return 1;
    if (left < 2) return left;
    if (!is_digit(at[1])) {
        *ret_code = two_byte_code(at[0], at[1]);
        return *ret_code == NO_CHARACTER && at[1] < 0x80 ? 1 : 2;
    }
    if (left < 3) return left;
    if (!is_lead(at[2])) return 1;
    if (left < 4) return left;
    if (!is_digit(at[3])) return 1;
    *ret_code = four_byte_code(at);
    return 4;
}

/* ASCII goes in whole runs: in markup it is nearly everything. A NUL is no character of a page. */
void charset_gb18030_decode(struct gt_str bytes, struct strbuf *out, size_t *replaced)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t i = 0;
    while (i < bytes.len && out->err == GT_OK) {
        size_t from = i;
        while (i < bytes.len && at[i] < 0x80 && at[i] != 0) i++;
        if (i > from) strbuf_add(out, gt_str_slice(bytes, from, i - from));
        if (i == bytes.len) break;
        int32_t code = NO_CHARACTER;
        i += at[i] == 0 ? 1 : decode_one(at + i, bytes.len - i, &code);
        charset_emit(out, code, replaced);
    }
}
