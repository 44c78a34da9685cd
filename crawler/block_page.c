/* A list of words and a count of visible characters. No scoring: each verdict names the words that led to it, and a wrong
 * one is put right by a line in block_markers.def. */
#include "crawler/block_page.h"

#include <stdint.h>

enum { STRONG, WEAK, SHOWN_BYTES = 120 };

static const struct marker {
    const char *words;
    const char *what;
    int strength;
} markers[] = {
#define BLOCK_MARKER(words, what, strength) {words, what, strength},
#include "crawler/block_markers.def"
#undef BLOCK_MARKER
};

/* ASCII letters in lower case; other bytes as they are. */
static struct gt_str lower(struct gt_str text, struct arena *arena)
{
    char *copy = arena_alloc(arena, text.len);
    if (copy == NULL) return (struct gt_str){NULL, 0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        copy[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (struct gt_str){copy, text.len};
}

/* Behind the end tag of an element whose content is not shown. */
static size_t skip_element(struct gt_str html, size_t at, const char *end_tag)
{
    size_t end = gt_str_find(html, gt_str_from(end_tag), at);
    return end == SIZE_MAX ? html.len : end;
}

/* Counts the characters of lower-cased HTML that a reader sees: outside tags, scripts, styles; runs of blanks are none. */
static size_t visible_chars(struct gt_str html, size_t enough)
{
    size_t count = 0;
    for (size_t at = 0; at < html.len && count < enough;) {
        struct gt_str rest = gt_str_slice(html, at, SIZE_MAX);
        if (gt_str_starts(rest, GT_STR("<script"))) {
            at = skip_element(html, at, "</script");
        } else if (gt_str_starts(rest, GT_STR("<style"))) {
            at = skip_element(html, at, "</style");
        } else if (gt_str_starts(rest, GT_STR("<!--"))) {
            at = skip_element(html, at, "-->");
        }
        if (at >= html.len) break;
        unsigned char c = (unsigned char)html.ptr[at];
        if (c == '<') {
            size_t end = gt_str_find(html, GT_STR(">"), at);
            if (end == SIZE_MAX) break;
            at = end + 1;
            continue;
        }
        count += c > ' ' && (c & 0xC0) != 0x80;
        at++;
    }
    return count;
}

/* The beginning of a key's value in JSON's front, written `"key":value` with or without blanks; "[]" for an empty list or object;
 * empty when the key is not there. */
static struct gt_str json_value(struct gt_str text, const char *key)
{
    size_t at = gt_str_find(text, gt_str_from(key), 0);
    if (at == SIZE_MAX) return (struct gt_str){NULL, 0};
    struct gt_str rest = gt_str_trim(gt_str_slice(text, at + strlen(key), SIZE_MAX));
    if (rest.len == 0 || rest.ptr[0] != ':') return (struct gt_str){NULL, 0};
    rest = gt_str_trim(gt_str_slice(rest, 1, SIZE_MAX));
    size_t len = rest.len > 0 && (rest.ptr[0] == '[' || rest.ptr[0] == '{');
    struct gt_str inside = gt_str_trim(gt_str_slice(rest, len, SIZE_MAX));
    bool is_closed = len == 1 && inside.len > 0 && (inside.ptr[0] == ']' || inside.ptr[0] == '}');
    /* "errors": [] is the good news */
    if (is_closed) return GT_STR("[]");
    while (len < rest.len && !gt_char_is_in(rest.ptr[len], ",}] \r\n\t")) len++;
    return gt_str_slice(rest, 0, len);
}

/* True when the value is one of the NULL-closed words, in any case of letters. */
static bool is_one_of(struct gt_str value, const char *const *words)
{
    for (; *words != NULL; words++)
        if (gt_str_eq_nocase(value, gt_str_from(*words))) return true;
    return false;
}

/* Many APIs answer 200 with an error inside; codes that mean success at some site are never held against it. */
bool block_is_json_error(struct gt_str text)
{
    static const char *const no_errors[] = {"null", "false", "[]", "\"\"", "{}", "0", NULL};
    static const char *const good_codes[] = {"0",         "200", "\"0\"", "\"200\"", "\"ok\"", "\"success\"",
                                             "\"00000\"", "1",   "10000", "20000",   NULL};
    static const char *const bad_flags[] = {"false", "\"false\"", "\"error\"", "\"fail\"", "\"failed\"", NULL};
    struct gt_str front = gt_str_slice(gt_str_trim(text), 0, 4096);
    if (front.len == 0 || front.ptr[0] != '{') return false;
    static const char *const error_keys[] = {"\"error\"", "\"errors\"", "\"Error\"", NULL};
    for (size_t i = 0; error_keys[i] != NULL; i++) {
        struct gt_str value = json_value(front, error_keys[i]);
        if (value.len > 0 && !is_one_of(value, no_errors)) return true;
    }
    struct gt_str code = json_value(front, "\"code\"");
    if (code.len > 0 && !is_one_of(code, good_codes)) return true;
    static const char *const code_keys[] = {"\"errcode\"", "\"errCode\"", "\"ret\"", "\"retcode\"", "\"Code\"", NULL};
    for (size_t i = 0; code_keys[i] != NULL; i++) {
        struct gt_str value = json_value(front, code_keys[i]);
        if (value.len > 0 && !is_one_of(value, good_codes)) return true;
    }
    struct gt_str success = json_value(front, "\"success\""), status = json_value(front, "\"status\"");
    return is_one_of(success, bad_flags) || is_one_of(status, bad_flags);
}

enum block_kind block_page_find(struct gt_str text, bool is_json, struct arena *arena, struct gt_str *ret_reason)
{
    struct gt_str trimmed = gt_str_trim(text);
    if (trimmed.len == 0) {
        *ret_reason = GT_STR("empty page");
        return BLOCK_PAGE;
    }
    struct gt_str page = lower(gt_str_slice(trimmed, 0, BLOCK_TEXT_BYTES_MAX), arena);
    size_t chars = is_json ? page.len : visible_chars(page, BLOCK_SPARSE_CHARS);
    for (size_t i = 0; i < sizeof markers / sizeof markers[0]; i++) {
        /* a real page has words enough; a gate has a sentence or two */
        if (markers[i].strength == WEAK && chars >= BLOCK_SPARSE_CHARS) continue;
        if (gt_str_find(page, gt_str_from(markers[i].words), 0) == SIZE_MAX) continue;
        *ret_reason = arena_printf(arena, "%s (\"%s\")", markers[i].what, markers[i].words);
        return BLOCK_PAGE;
    }
    if (is_json && block_is_json_error(trimmed)) {
        struct gt_str shown = gt_str_cut(trimmed, SHOWN_BYTES);
        *ret_reason = arena_printf(arena, "the answer reports an error: %.*s", GT_STR_ARG(shown));
        return BLOCK_SOFT_ERROR;
    }
    if (!is_json && chars < BLOCK_EMPTY_CHARS) {
        *ret_reason = arena_printf(arena, "empty shell (%zu characters of text)", chars);
        return BLOCK_PAGE;
    }
    return BLOCK_NONE;
}
