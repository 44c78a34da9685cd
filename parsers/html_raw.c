#include "parsers/html_raw.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What stands for piece i. The address is one that no page can know, so that none can hold a token of its own. */
static size_t print_token(const struct html_raw *raw, size_t i, char ret_token[HTML_RAW_TOKEN_MAX])
{
    return (size_t)snprintf(ret_token, HTML_RAW_TOKEN_MAX, "gputape-raw-content-%zu-%zx;", i, (size_t)(uintptr_t)raw->pieces);
}

/* True when a byte of the eight is below a blank: it borrows from its high bit. */
static bool has_control(uint64_t eight)
{
    const uint64_t blanks = 0x2020202020202020, high = 0x8080808080808080;
    return ((eight - blanks) & ~eight & high) != 0;
}

/* Control characters but for line ends and tabs: libxml2 leaves them out, or makes other ones of them. */
static bool is_taken_over(struct gt_str content)
{
    for (size_t at = 0; at < content.len;) {
        uint64_t eight;
        unsigned char c = (unsigned char)content.ptr[at];
        if (content.len - at >= sizeof eight) {
            memcpy(&eight, content.ptr + at, sizeof eight);
            if (!has_control(eight)) {
                at += sizeof eight;
                continue;
            }
        }
        if (c < 0x20 && c != '\n' && c != '\t') return false;
        at++;
    }
    return true;
}

/* Long scripts are cut out before libxml2 sees the page; short ones are not worth the place they would be kept in. */
bool html_raw_add(struct html_raw *raw, struct arena *arena, struct gt_str content)
{
    void *items = raw->pieces;
    if (content.len < HTML_RAW_BYTES_MIN || raw->count == HTML_RAW_PIECES_MAX || !is_taken_over(content)) return true;
    if (!arena_grow(arena, &items, raw->count, &raw->cap, sizeof *raw->pieces)) return false;
    raw->pieces = items;
    raw->pieces[raw->count++] = content;
    raw->bytes += content.len;
    return true;
}

struct gt_str html_raw_cut(const struct html_raw *raw, struct gt_str page, struct arena *arena)
{
    /* a token is shorter than what it stands for */
    char *cut = arena_alloc(arena, page.len - raw->bytes + raw->count * HTML_RAW_TOKEN_MAX + 1);
    if (cut == NULL) return (struct gt_str){NULL, 0};
    size_t len = 0;
    const char *from = page.ptr;
    for (size_t i = 0; i < raw->count; i++) {
        size_t before = (size_t)(raw->pieces[i].ptr - from);
        memcpy(cut + len, from, before);
        len += before;
        len += print_token(raw, i, cut + len);
        from = raw->pieces[i].ptr + raw->pieces[i].len;
    }
    size_t rest = (size_t)(page.ptr + page.len - from);
    memcpy(cut + len, from, rest);
    return (struct gt_str){cut, len + rest};
}

struct gt_str html_raw_resolve(struct html_raw *raw, struct gt_str text)
{
    char token[HTML_RAW_TOKEN_MAX];
    if (raw->returned >= raw->count || text.len >= sizeof token) return text;
    size_t len = print_token(raw, raw->returned, token);
    return gt_str_eq(text, (struct gt_str){token, len}) ? raw->pieces[raw->returned++] : text;
}

bool html_raw_is_whole(const struct html_raw *raw)
{
    return raw->returned == raw->count;
}
