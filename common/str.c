#include "common/str.h"

#include <stdint.h>

struct gt_str gt_str_from(const char *text)
{
    return (struct gt_str){text, text != NULL ? strlen(text) : 0};
}

bool gt_str_eq(struct gt_str a, struct gt_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool gt_str_is(struct gt_str a, const char *text)
{
    return gt_str_eq(a, gt_str_from(text));
}

static char lower_ascii(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool gt_str_eq_nocase(struct gt_str a, struct gt_str b)
{
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower_ascii(a.ptr[i]) != lower_ascii(b.ptr[i])) return false;
    return true;
}

int gt_str_cmp(struct gt_str a, struct gt_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common > 0 ? memcmp(a.ptr, b.ptr, common) : 0;
    if (order != 0) return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool gt_str_starts(struct gt_str s, struct gt_str part)
{
    return s.len >= part.len && gt_str_eq(gt_str_slice(s, 0, part.len), part);
}

bool gt_str_ends(struct gt_str s, struct gt_str part)
{
    return s.len >= part.len && gt_str_eq(gt_str_slice(s, s.len - part.len, part.len), part);
}

size_t gt_str_find(struct gt_str s, struct gt_str part, size_t from)
{
    if (from > s.len) return SIZE_MAX;
    if (part.len == 0) return from;
    if (s.len - from < part.len) return SIZE_MAX;
    const char *hit = memmem(s.ptr + from, s.len - from, part.ptr, part.len);
    return hit != NULL ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

bool gt_char_is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

struct gt_str gt_str_slice(struct gt_str s, size_t from, size_t len)
{
    if (from >= s.len) return (struct gt_str){NULL, 0};
    size_t left = s.len - from;
    return (struct gt_str){s.ptr + from, len < left ? len : left};
}

struct gt_str gt_str_cut(struct gt_str s, size_t len_max)
{
    enum { CONTINUES_MASK = 0xC0, CONTINUES = 0x80 };
    if (s.len <= len_max) return s;
    while (len_max > 0 && ((unsigned char)s.ptr[len_max] & CONTINUES_MASK) == CONTINUES) len_max--;
    return gt_str_slice(s, 0, len_max);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct gt_str gt_str_trim(struct gt_str s)
{
    while (s.len > 0 && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.ptr[s.len - 1])) s.len--;
    return s;
}

/* The last piece ends with the text, so that "a,b" and "a,b," give the same two. */
bool gt_str_split(struct gt_str *rest, char separator, struct gt_str *ret_piece)
{
    if (rest->len == 0) return false;
    const char *hit = memchr(rest->ptr, separator, rest->len);
    size_t len = hit != NULL ? (size_t)(hit - rest->ptr) : rest->len;
    *ret_piece = gt_str_trim(gt_str_slice(*rest, 0, len));
    size_t taken = hit != NULL ? len + 1 : len;
    rest->ptr += taken;
    rest->len -= taken;
    return true;
}
