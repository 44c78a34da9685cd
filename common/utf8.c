#include "common/utf8.h"

#include <stdio.h>
#include <utf8proc.h>

enum {
    REPLACEMENT = 0xFFFD,
    /* NFKC of one character is at most 18 code points (U+FDFA), 4 bytes each. */
    FOLD_CODE_POINTS_MAX = 32,
};

int32_t utf8_decode(struct gt_str text, size_t at, size_t *ret_len)
{
    utf8proc_int32_t code_point;
    if (at < text.len && (unsigned char)text.ptr[at] < 0x80) { /* most characters, without a call */
        *ret_len = 1;
        return text.ptr[at];
    }
    utf8proc_ssize_t len =
        utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at, (utf8proc_ssize_t)(text.len - at), &code_point);
    if (len <= 0) {
        *ret_len = 1;
        return REPLACEMENT;
    }
    *ret_len = (size_t)len;
    return code_point;
}

size_t utf8_encode(int32_t code_point, char ret_bytes[4])
{
    if (!utf8proc_codepoint_valid(code_point)) code_point = REPLACEMENT;
    utf8proc_ssize_t len = utf8proc_encode_char(code_point, (utf8proc_uint8_t *)ret_bytes);
    return len > 0 ? (size_t)len : 0;
}

static bool is_blank(int32_t c)
{
    return c == 0x20 || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

static bool is_ignorable(int32_t c)
{
    return c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFE00 && c <= 0xFE0F);
}

/* Writes the folded form of one character; returns its bytes. `ret` holds FOLD_CODE_POINTS_MAX * 4. */
static size_t fold_one(int32_t c, char *ret)
{
    if (c > 0x20 && c < 0x7F) {
        ret[0] = (char)c;
        return 1;
    }
    if (is_blank(c)) {
        ret[0] = ' ';
        return 1;
    }
    if (is_ignorable(c)) return 0;
    if (c >= 0x4E00 && c <= 0x9FBF) return utf8_encode(c, ret); /* ideographs are their own form */
    utf8proc_int32_t parts[FOLD_CODE_POINTS_MAX];
    int boundary = UTF8PROC_BOUNDCLASS_START;
    utf8proc_ssize_t n = utf8proc_decompose_char(c, parts, FOLD_CODE_POINTS_MAX,
                                                 UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE, &boundary);
    if (n <= 0 || n > FOLD_CODE_POINTS_MAX) return utf8_encode(c, ret);
    n = utf8proc_normalize_utf32(parts, n, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    size_t len = 0;
    for (utf8proc_ssize_t i = 0; i < n; i++)
        len += is_blank(parts[i]) ? utf8_encode(' ', ret + len) : utf8_encode(parts[i], ret + len);
    return len;
}

/* Bytes that folding may need for `len` bytes: U+FDFA (3 bytes) grows to 33. */
static size_t folded_max(size_t len)
{
    return len * 11 + 1;
}

/* Each byte of the result knows where it came from: a price that is found in folded text is shown as the page printed it. */
enum gt_err utf8_fold(struct gt_str text, struct arena *arena, struct utf8_folded *ret_folded)
{
    bool is_ascii = true;
    for (size_t i = 0; i < text.len && is_ascii; i++) is_ascii = (unsigned char)text.ptr[i] < 0x80;
    if (text.len >= UINT32_MAX / 11) return GT_ELIMIT;
    size_t cap = is_ascii ? text.len + 1 : folded_max(text.len);
    char *bytes = arena_alloc(arena, cap + FOLD_CODE_POINTS_MAX * 4);
    uint32_t *origin = arena_array(arena, cap + FOLD_CODE_POINTS_MAX * 4, sizeof *origin);
    if (bytes == NULL || origin == NULL) return GT_ENOMEM;
    size_t out = 0;
    for (size_t at = 0, step; at < text.len; at += step) {
        int32_t c = utf8_decode(text, at, &step);
        size_t n = fold_one(c, bytes + out);
        for (size_t i = 0; i < n; i++) origin[out + i] = (uint32_t)at;
        out += n;
    }
    origin[out] = (uint32_t)text.len;
    *ret_folded = (struct utf8_folded){.text = {bytes, out}, .origin = origin};
    return GT_OK;
}

size_t utf8_width(struct gt_str text)
{
    size_t width = 0;
    for (size_t at = 0, step; at < text.len; at += step) {
        int w = utf8proc_charwidth(utf8_decode(text, at, &step));
        width += w > 0 ? (size_t)w : 0;
    }
    return width;
}

/* The end of the ASCII that begins at `at`: eight bytes at a time, for most texts are nothing else. */
static size_t ascii_end(struct gt_str text, size_t at)
{
    for (uint64_t eight; text.len - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, text.ptr + at, sizeof eight);
        if ((eight & UINT64_C(0x8080808080808080)) != 0) break;
    }
    while (at < text.len && (unsigned char)text.ptr[at] < 0x80) at++;
    return at;
}

bool utf8_is_valid(struct gt_str text)
{
    for (size_t at = ascii_end(text, 0); at < text.len; at = ascii_end(text, at)) {
        utf8proc_int32_t code_point;
        utf8proc_ssize_t len =
            utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at, (utf8proc_ssize_t)(text.len - at), &code_point);
        if (len <= 0) return false;
        at += (size_t)len;
    }
    return true;
}

static bool needs_escape(int32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFFFE || c == 0xFFFF;
}

struct gt_str utf8_printable(struct gt_str text, struct arena *arena)
{
    /* The longest escape, \u{2069}, is 8 bytes for 1 to 3. */
    char *bytes = arena_array(arena, text.len + 1, 8);
    if (bytes == NULL) return (struct gt_str){NULL, 0};
    size_t out = 0;
    for (size_t at = 0, step; at < text.len; at += step) {
        int32_t c = utf8_decode(text, at, &step);
        if (needs_escape(c))
            out += (size_t)sprintf(bytes + out, "\\u{%X}", (unsigned)c);
        else
            out += utf8_encode(c, bytes + out);
    }
    return (struct gt_str){bytes, out};
}
