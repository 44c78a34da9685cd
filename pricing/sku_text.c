#include "pricing/sku_text.h"

#include "common/utf8.h"

/* Signs that stand for a plain one in real labels: the times between a count and a card, Chinese brackets around a size. Their bytes, 0 when
 * none stands at `at`. */
static size_t plain_sign(struct gt_str s, size_t at, char *ret_plain)
{
    static const struct {
        char bytes[4], plain;
    } signs[] = {{"×", '*'}, {"✕", '*'}, {"✖", '*'}, {"⨉", '*'}, {"╳", '*'}, {"【", '('}, {"】", ')'}, {"「", '('}, {"」", ')'}};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t len = strlen(signs[i].bytes);
        if (s.len - at < len || memcmp(s.ptr + at, signs[i].bytes, len) != 0) continue;
        *ret_plain = signs[i].plain;
        return len;
    }
    return 0;
}

/* A sign of a trade mark at a byte of the label, which folding makes letters of ("RTX™ 4000" would be "rtxtm 4000"): the length of what
 * it is folded to; 0 when there is none. */
static size_t trade_sign(struct gt_str label, size_t at)
{
    struct gt_str rest = gt_str_slice(label, at, SIZE_MAX);
    if (rest.len == 0 || ((unsigned char)rest.ptr[0] & 0x80) == 0) return 0; /* nearly all */
    return gt_str_starts(rest, GT_STR("™")) || gt_str_starts(rest, GT_STR("®")) ? 2 : 0;
}

bool sku_text_read(struct gt_str label, struct arena *arena, struct sku_text *ret_text)
{
    struct utf8_folded folded;
    if (utf8_fold(label, arena, &folded) != GT_OK) return false;
    char *s = arena_alloc(arena, folded.text.len + 1);
    uint32_t *origin = arena_array(arena, folded.text.len + 1, sizeof *origin);
    if (s == NULL || origin == NULL) return false;
    size_t out = 0;
    for (size_t at = 0; at < folded.text.len; out++) {
        unsigned char c = (unsigned char)folded.text.ptr[at];
        char plain = ' ';
        size_t sign = c >= 0x80 ? plain_sign(folded.text, at, &plain) : 0, trade = trade_sign(label, folded.origin[at]);
        origin[out] = folded.origin[at];
        s[out] = sign > 0 ? plain : trade > 0 ? ' ' : (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        at += sign > 0 ? sign : trade > 0 ? trade : 1;
    }
    origin[out] = folded.origin[folded.text.len];
    *ret_text = (struct sku_text){s, out, origin};
    return true;
}

enum sku_char sku_text_char(const struct sku_text *text, size_t at)
{
    if (at >= text->len) return SKU_CHAR_MARK;
    unsigned char c = (unsigned char)text->s[at];
    if (c >= 0x80) return SKU_CHAR_WIDE;
    if (c >= 'a' && c <= 'z') return SKU_CHAR_LETTER;
    return c >= '0' && c <= '9' ? SKU_CHAR_DIGIT : SKU_CHAR_MARK;
}

bool sku_text_is_alnum(const struct sku_text *text, size_t at)
{
    enum sku_char c = sku_text_char(text, at);
    return c == SKU_CHAR_LETTER || c == SKU_CHAR_DIGIT;
}

size_t sku_text_run_end(const struct sku_text *text, size_t at)
{
    while (sku_text_is_alnum(text, at)) at++;
    return at;
}

static bool is_skipped(char c, const char *marks)
{
    return c == ' ' || (c != '\0' && strchr(marks, c) != NULL);
}

size_t sku_text_skip(const struct sku_text *text, size_t at, const char *marks)
{
    while (at < text->len && is_skipped(text->s[at], marks)) at++;
    return at;
}

size_t sku_text_skip_back(const struct sku_text *text, size_t end, const char *marks)
{
    while (end > 0 && is_skipped(text->s[end - 1], marks)) end--;
    return end;
}

size_t sku_text_number(const struct sku_text *text, size_t at, int digits_max, int32_t *ret_number)
{
    int32_t number = 0;
    int digits = 0;
    if (at >= text->len || text->s[at] == '0') return 0;
    for (; sku_text_char(text, at) == SKU_CHAR_DIGIT; at++, digits++) {
        if (digits == digits_max) return 0;
        number = number * 10 + (text->s[at] - '0');
    }
    if (digits == 0) return 0;
    *ret_number = number;
    return at;
}

bool sku_text_begins_word(const struct sku_text *text, size_t start)
{
    return start == 0 || !sku_text_is_alnum(text, start) || !sku_text_is_alnum(text, start - 1);
}

bool sku_text_ends_word(const struct sku_text *text, size_t end)
{
    return end == 0 || !sku_text_is_alnum(text, end - 1) || !sku_text_is_alnum(text, end);
}

bool sku_text_has(const struct sku_text *text, size_t at, const char *word)
{
    size_t len = strlen(word);
    return at <= text->len && text->len - at >= len && memcmp(text->s + at, word, len) == 0;
}
