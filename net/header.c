/* Header blocks stay as they were received. Finding a field again each time costs nothing beside a network, and what is
 * archived is then what was judged. */
#include "net/header.h"

#include <stdint.h>
#include <strings.h>

/* Cuts one line, without its line end. */
static bool next_line(struct gt_str *rest, struct gt_str *ret_line)
{
    if (rest->len == 0) return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end != NULL ? (size_t)(end - rest->ptr) : rest->len;
    *ret_line = gt_str_slice(*rest, 0, len);
    if (ret_line->len > 0 && ret_line->ptr[ret_line->len - 1] == '\r') ret_line->len--;
    *rest = gt_str_slice(*rest, end != NULL ? len + 1 : len, SIZE_MAX);
    return true;
}

/* True when the text goes on with a folded line (obsolete, and still seen). */
static bool begins_blank(struct gt_str text)
{
    return text.len > 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\t');
}

/* Folded lines are read as one (obsolete, and still sent); a status line in the middle belongs to an answer before. */
bool header_next(struct gt_str *rest, struct gt_str *ret_name, struct gt_str *ret_value)
{
    struct gt_str line;
    while (next_line(rest, &line)) {
        const char *colon = line.len > 0 && !begins_blank(line) ? memchr(line.ptr, ':', line.len) : NULL;
        bool is_status = gt_str_starts(line, GT_STR("HTTP/"));
        struct gt_str fold;
        const char *end = line.len > 0 ? line.ptr + line.len : NULL;
        while (begins_blank(*rest) && next_line(rest, &fold))
            if (fold.len > 0) end = fold.ptr + fold.len;
        if (colon == NULL || is_status) continue;
        *ret_name = gt_str_trim((struct gt_str){line.ptr, (size_t)(colon - line.ptr)});
        *ret_value = gt_str_trim((struct gt_str){colon + 1, (size_t)(end - colon - 1)});
        return true;
    }
    return false;
}

/* False when the first line cannot be a field of that name: most are passed over unread. */
static bool may_begin(struct gt_str block, struct gt_str name)
{
    if ((unsigned char)block.ptr[0] <= ' ') return true; /* whatever it is, header_next knows */
    return block.len >= name.len && strncasecmp(block.ptr, name.ptr, name.len) == 0;
}

/* Lines that cannot be it are passed over by their first letter: blocks are searched for a dozen names a page. */
struct gt_str header_find(struct gt_str block, const char *name, size_t index)
{
    struct gt_str wanted = gt_str_from(name), found_name, value;
    while (block.len > 0) {
        if (wanted.len > 0 && !may_begin(block, wanted)) {
            next_line(&block, &value);
            continue;
        }
        if (!header_next(&block, &found_name, &value)) break;
        if (gt_str_eq_nocase(found_name, wanted) && index-- == 0) return value.len > 0 ? value : GT_STR("");
    }
    return (struct gt_str){NULL, 0};
}

/* RFC 9110's token: nothing in it can end the line. */
bool header_name_is_valid(struct gt_str name)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    if (name.len == 0 || name.len > HEADER_NAME_BYTES_MAX) return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_alnum && memchr(marks, c, sizeof marks - 1) == NULL) return false;
    }
    return true;
}

bool header_value_is_valid(struct gt_str value)
{
    if (value.len > HEADER_VALUE_BYTES_MAX) return false;
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) return false;
    }
    return true;
}
