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

/* ASCII as the vocabulary has it: small letters, blanks for underscores (keys of programs: price_per_hour). 0 for what needs a second look:
 * control characters and the marks that leftovers of markup begin with; and for all that is not ASCII. */
static const char plain[256] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                            " !\"#$%\0'()\0+,\0./0123456789:;\0=>?@abcdefghijklmnopqrstuvwxyz[\\]^ "
                            "`abcdefghijklmnopqrstuvwxyz{|}~";

/* U+FF01 to U+FF5E are the ASCII characters in full width. Returns 0 for others. */
static unsigned char narrow_of(const unsigned char *bytes)
{
    if (bytes[0] != 0xEF || bytes[1] < 0xBC || bytes[1] > 0xBD) return 0;
    int code = 0x20 + (bytes[1] - 0xBC) * 0x40 + (bytes[2] - 0x80);
    return code > 0x20 && code < 0x7F ? (unsigned char)code : 0;
}

/* U+4E00 to U+9FBF stay as they are. */
static bool is_ideograph(const unsigned char *bytes)
{
    unsigned lead = (unsigned)bytes[0] << 8 | bytes[1];
    return lead >= 0xE4B8 && lead < 0xE9BF && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80;
}

/* Where folding in place stands. */
struct folding {
    struct price_lexed *lexed;
    size_t at, out; /* of the character in the text, and of its folded form */
    bool has_markup;
};

/* Adds bytes that come from the character at hand. */
static void put(struct folding *fold, const char *bytes, size_t len)
{
    char *into = fold->lexed->inline_text + fold->out;
    uint32_t *origin = fold->lexed->inline_origin + fold->out;
    for (size_t i = 0; i < len; i++) {
        into[i] = bytes[i];
        origin[i] = (uint32_t)fold->at;
    }
    fold->out += len;
    fold->lexed->has_han |= (unsigned char)bytes[0] >= 0xE3;
}

/* A dash behind the sign of a number ("449,-") stands for no cents. */
static bool is_dash_for_cents(const struct folding *fold, unsigned char c)
{
    char before = fold->out > 0 ? fold->lexed->inline_text[fold->out - 1] : '\0';
    return (c == '-' || c == 0xE2) && (before == ',' || before == '.');
}

/* Adds an ASCII character. False for control characters that are no blanks. */
static bool put_ascii(struct folding *fold, unsigned char c)
{
    char byte = plain[c];
    if (byte == '\0') {
        if (c == 0x7F || (c < ' ' && (c < '\t' || c > '\r'))) return false;
        fold->has_markup |= c == '<' || c == '&' || c == '*' || is_dash_for_cents(fold, c);
        byte = c < ' ' ? ' ' : (char)c;
    }
    fold->lexed->inline_text[fold->out] = byte;
    fold->lexed->inline_origin[fold->out++] = (uint32_t)fold->at;
    return true;
}

/* Adds the folded form of a character outside ASCII, of which `left` bytes remain. Returns the bytes read; 0 when it is not among the common
 * ones. */
static size_t put_wide(struct folding *fold, const char *from, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)from;
    if (left < 2) return 0;
    if (left >= 3 && (bytes[2] & 0xC0) == 0x80 && narrow_of(bytes) != 0) return put_ascii(fold, narrow_of(bytes)) ? 3 : 0;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        const char *known = common[i].from;
        size_t len = known[2] != '\0' ? 3 : 2;
        if (known[1] != from[1] || known[0] != from[0] || len > left || (len == 3 && known[2] != from[2])) continue;
        fold->has_markup |= is_dash_for_cents(fold, bytes[0]);
        put(fold, common[i].to, strlen(common[i].to));
        return len;
    }
    return 0;
}

/* Adds the plain characters and ideographs up to the next one that needs a look: most of a text. */
static void put_plain(struct folding *fold, struct gt_str text)
{
    const char *from = text.ptr;
    char *into = fold->lexed->inline_text;
    uint32_t *origin = fold->lexed->inline_origin;
    size_t at = fold->at, out = fold->out;
    bool has_han = false;
    for (;;) {
        for (char byte; at < text.len && (byte = plain[(unsigned char)from[at]]) != '\0';) {
            into[out] = byte;
            origin[out++] = (uint32_t)at++;
        }
        if (text.len - at < 3 || !is_ideograph((const unsigned char *)from + at)) break;
        memcpy(into + out, from + at, 3);
        origin[out] = origin[out + 1] = origin[out + 2] = (uint32_t)at;
        has_han = true;
        out += 3;
        at += 3;
    }
    fold->at = at;
    fold->out = out;
    fold->lexed->has_han |= has_han;
}

/* No character grows, so a text that fits goes on fitting. False when a character is not common. */
static bool fold_inline(struct gt_str text, struct price_lexed *ret)
{
    struct folding fold = {.lexed = ret};
    for (put_plain(&fold, text); fold.at < text.len; put_plain(&fold, text)) {
        unsigned char c = (unsigned char)text.ptr[fold.at];
        size_t read = c >= 0x80 ? put_wide(&fold, text.ptr + fold.at, text.len - fold.at) : put_ascii(&fold, c);
        if (read == 0) return false;
        fold.at += read;
    }
    ret->inline_origin[fold.out] = (uint32_t)text.len;
    memset(ret->inline_text + fold.out, '\0', PRICE_TEXT_AHEAD);
    ret->text = (struct gt_str){ret->inline_text, fold.out};
    ret->origin = ret->inline_origin;
    if (fold.has_markup) price_markup_blank(ret->inline_text, fold.out);
    return true;
}

/* ---- any character ---- */

/* U+202E turns round what is shown behind it: of 89.1 behind it a reader sees 1.98. Folding drops the sign, so no digit of such a text is one. */
static bool is_turned(struct gt_str text)
{
    return gt_str_find(text, GT_STR("\xE2\x80\xAE"), 0) != SIZE_MAX;
}

/* Lowers ASCII letters, blanks out leftovers of markup and marks digits that were no plain digits before folding. `bytes` is the
 * folded text. */
static void normalise(struct price_lexed *lexed, char *bytes)
{
    bool has_markup = false, is_odd = is_turned(lexed->original);
    for (size_t i = 0; i < lexed->text.len; i++) {
        char c = bytes[i];
        if (c >= 'A' && c <= 'Z') bytes[i] = (char)(c - 'A' + 'a');
        if (c == '_') bytes[i] = ' '; /* keys of programs: price_per_hour */
        lexed->has_han |= (unsigned char)c >= 0xE3;
        has_markup |= c == '<' || c == '&' || c == '*' || ((c == ',' || c == '.') && i > 0 && is_digit(bytes[i - 1]));
        if (!is_digit(c)) continue;
        unsigned char from = (unsigned char)lexed->original.ptr[lexed->origin[i]];
        if (is_odd || (!is_digit((char)from) && from != 0xEF)) bytes[i] = PRICE_ODD_DIGIT;
    }
    if (has_markup) price_markup_blank(bytes, lexed->text.len);
}

/* The long way, by utf8_fold. */
static enum gt_err fold_all(struct gt_str text, struct arena *arena, struct price_lexed *ret)
{
    struct utf8_folded folded;
    enum gt_err err = utf8_fold(text, arena, &folded);
    if (err != GT_OK) return err;
    char *bytes = arena_alloc(arena, folded.text.len + PRICE_TEXT_AHEAD);
    if (bytes == NULL) return GT_ENOMEM;
    if (folded.text.len > 0) memcpy(bytes, folded.text.ptr, folded.text.len);
    ret->text = (struct gt_str){bytes, folded.text.len};
    ret->origin = folded.origin;
    normalise(ret, bytes);
    return GT_OK;
}

enum gt_err price_fold(struct gt_str text, struct arena *arena, struct price_lexed *ret)
{
    ret->original = text;
    ret->has_han = false;
    if (text.len <= PRICE_TEXT_INLINE && fold_inline(text, ret)) return GT_OK;
    ret->has_han = false;
    return fold_all(text, arena, ret);
}
