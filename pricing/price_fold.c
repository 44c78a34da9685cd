#include "pricing/price_fold.h"

#include "common/utf8.h"
#include "pricing/price_markup.h"

/* Plain digits. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- the common characters, folded in place ---- */

/* Characters outside ASCII that price texts hold beside ideographs and full-width forms, and what
 * NFKC makes of them. A test compares all of this with utf8_fold. */
static const struct {
    char from[4], to[4];
} common[] = {
    {"¥", "¥"},
    {"￥", "¥"},
    {"、", "、"},
    {"。", "。"},
    {"×", "×"},
    {"·", "·"},
    {"–", "–"},
    {"—", "—"},
    {"≈", "≈"},
    {"€", "€"},
    {"【", "【"},
    {"】", "】"},
    {"\xC2\xA0", " "},
    {"\xE3\x80\x80", " "},
    {"\xE2\x80\xAF", " "},
};

/* U+FF01 to U+FF5E are the ASCII characters in full width. Returns 0 for others. */
static char narrow_of(const unsigned char *bytes)
{
    if (bytes[0] != 0xEF || bytes[1] < 0xBC || bytes[1] > 0xBD) return 0;
    int code = 0x20 + (bytes[1] - 0xBC) * 0x40 + (bytes[2] - 0x80);
    return code > 0x20 && code < 0x7F ? (char)code : 0;
}

/* U+4E00 to U+9FBF stay as they are. */
static bool is_ideograph(const unsigned char *bytes)
{
    bool is_range =
        (bytes[0] == 0xE4 && bytes[1] >= 0xB8) || (bytes[0] > 0xE4 && bytes[0] < 0xE9) || (bytes[0] == 0xE9 && bytes[1] < 0xBF);
    return is_range && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80;
}

/* Folds the character at `from`, of which `left` bytes remain, to `to`. Returns the bytes read and
 * sets *ret_written; 0 when the character is not among the common ones. */
static size_t fold_common(const char *from, size_t left, char *to, size_t *ret_written)
{
    const unsigned char *bytes = (const unsigned char *)from;
    *ret_written = 1;
    if (bytes[0] < 0x80) {
        *to = bytes[0] >= '\t' && bytes[0] <= '\r' ? ' ' : *from;
        return bytes[0] >= ' ' && bytes[0] != 0x7F ? 1 : *to == ' ';
    }
    if (left < 2) return 0;
    if (left >= 3 && is_ideograph(bytes)) {
        memcpy(to, from, 3);
        *ret_written = 3;
        return 3;
    }
    if (left >= 3 && (bytes[2] & 0xC0) == 0x80 && narrow_of(bytes) != 0) {
        *to = narrow_of(bytes);
        return 3;
    }
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        size_t len = strlen(common[i].from);
        if (len > left || memcmp(from, common[i].from, len) != 0) continue;
        *ret_written = strlen(common[i].to);
        memcpy(to, common[i].to, *ret_written);
        return len;
    }
    return 0;
}

/* No character grows, so a text that fits goes on fitting. False when a character is not common. */
static bool fold_inline(struct gt_str text, struct price_lexed *ret)
{
    size_t out = 0;
    for (size_t at = 0, read; at < text.len; at += read) {
        size_t written;
        unsigned char first = (unsigned char)text.ptr[at];
        read = 1;
        if (first >= ' ' && first < 0x7F) { /* most bytes of most texts */
            ret->inline_text[out] = (char)first;
            ret->inline_origin[out++] = (uint32_t)at;
            continue;
        }
        read = fold_common(text.ptr + at, text.len - at, ret->inline_text + out, &written);
        if (read == 0) return false;
        for (size_t i = 0; i < written; i++) ret->inline_origin[out + i] = (uint32_t)at;
        out += written;
    }
    ret->inline_origin[out] = (uint32_t)text.len;
    ret->text = (struct gt_str){ret->inline_text, out};
    ret->origin = ret->inline_origin;
    return true;
}

/* ---- case, digits, blanks ---- */

/* Lowers ASCII letters, blanks out leftovers of markup and marks digits that were no plain digits before folding. `bytes` is the
 * folded text. */
static void normalise(struct price_lexed *lexed, char *bytes)
{
    bool has_markup = false;
    for (size_t i = 0; i < lexed->text.len; i++) {
        char c = bytes[i];
        if (c >= 'A' && c <= 'Z') bytes[i] = (char)(c - 'A' + 'a');
        if (c == '_') bytes[i] = ' '; /* keys of programs: price_per_hour */
        lexed->has_han |= (unsigned char)c >= 0xE3;
        has_markup |= c == '<' || c == '&' || c == '*' || ((c == ',' || c == '.') && i > 0 && is_digit(bytes[i - 1]));
        if (!is_digit(c)) continue;
        unsigned char from = (unsigned char)lexed->original.ptr[lexed->origin[i]];
        if (!is_digit((char)from) && from != 0xEF) bytes[i] = PRICE_ODD_DIGIT;
    }
    if (has_markup) price_markup_blank(bytes, lexed->text.len);
}

enum gt_err price_fold(struct gt_str text, struct arena *arena, struct price_lexed *ret)
{
    ret->original = text;
    ret->has_han = false;
    char *bytes = ret->inline_text;
    if (text.len > PRICE_TEXT_INLINE || !fold_inline(text, ret)) {
        struct utf8_folded folded;
        enum gt_err err = utf8_fold(text, arena, &folded);
        if (err != GT_OK) return err;
        bytes = arena_alloc(arena, folded.text.len + 1);
        if (bytes == NULL) return GT_ENOMEM;
        if (folded.text.len > 0) memcpy(bytes, folded.text.ptr, folded.text.len);
        ret->text = (struct gt_str){bytes, folded.text.len};
        ret->origin = folded.origin;
    }
    normalise(ret, bytes);
    return GT_OK;
}
