/* Quoted strings of JSON and JavaScript. */
#include "common/utf8.h"
#include "parsers/jnode.h"

enum { REPLACEMENT = 0xFFFD };

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `digits` hexadecimal digits at `at`; -1 when they are not all there. */
static int32_t read_hex(struct gt_str text, size_t at, size_t digits)
{
    int32_t value = 0;
    if (at > text.len || text.len - at < digits) return -1;
    for (size_t i = 0; i < digits; i++) {
        int digit = hex_value(text.ptr[at + i]);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* \uXXXX behind the backslash, with its second half when it is a surrogate. A lone half and U+0000 become U+FFFD (utf8_encode
 * does the first). Returns how many bytes of `text` were taken. */
static size_t read_unicode(struct gt_str text, size_t at, int32_t *ret_code)
{
    int32_t code = read_hex(text, at + 1, 4);
    *ret_code = code <= 0 ? REPLACEMENT : code;
    if (code < 0) return 1;
    if (code < 0xD800 || code > 0xDBFF || !gt_str_starts(gt_str_slice(text, at + 5, SIZE_MAX), GT_STR("\\u"))) return 5;
    int32_t low = read_hex(text, at + 7, 4);
    if (low < 0xDC00 || low > 0xDFFF) return 5;
    *ret_code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    return 11;
}

/* The escape whose letter stands at `at`: what it means goes to `out`; returns the bytes taken. */
static size_t read_escape(struct gt_str text, size_t at, char *out, size_t *out_len)
{
    static const char LETTERS[] = "nrtbfv", VALUES[] = "\n\r\t\b\f\v";
    char c = text.ptr[at];
    int32_t code = (unsigned char)c;
    size_t taken = 1;
    const char *known = strchr(LETTERS, c);
    if (c == 'u') taken = read_unicode(text, at, &code);
    else if (c == 'x' && read_hex(text, at + 1, 2) > 0) code = read_hex(text, at + 1, 2), taken = 3;
    else if (c == '0') code = REPLACEMENT;
    else if (c == '\n') return 1; /* a line that goes on */
    else if (c != 0 && known != NULL) code = (unsigned char)VALUES[known - LETTERS];
    if ((unsigned char)c & 0x80) {
        out[(*out_len)++] = c; /* an escaped character beyond ASCII: its first byte; the others follow by themselves */
        return 1;
    }
    *out_len += utf8_encode(code, out + *out_len);
    return taken;
}

/* Where the closing quote stands; SIZE_MAX when there is none. *ret_escapes says whether anything is escaped. */
static size_t find_close(struct gt_str text, size_t from, char quote, bool *ret_escapes)
{
    *ret_escapes = false;
    for (size_t i = from; i < text.len; i++) {
        if (text.ptr[i] == quote) return i;
        if (text.ptr[i] != '\\') continue;
        *ret_escapes = true;
        i++;
    }
    return SIZE_MAX;
}

bool jnode_read_string(struct gt_str text, size_t *at, struct arena *arena, struct gt_str *ret_string)
{
    bool has_escapes;
    size_t from = *at + 1, close = find_close(text, from, text.ptr[*at], &has_escapes);
    if (close == SIZE_MAX) return false;
    *at = close + 1;
    struct gt_str inner = gt_str_slice(text, from, close - from);
    if (!has_escapes) {
        *ret_string = inner;
        return true;
    }
    /* An escape is never shorter than what it means, except two bytes that become a three-byte U+FFFD. */
    char *out = arena_alloc(arena, inner.len + inner.len / 2 + 4);
    if (out == NULL) return false;
    size_t len = 0;
    for (size_t i = 0; i < inner.len;) {
        if (inner.ptr[i] == '\\' && i + 1 < inner.len) i += 1 + read_escape(inner, i + 1, out, &len);
        else out[len++] = inner.ptr[i++];
    }
    *ret_string = (struct gt_str){out, len};
    return true;
}
