/* Inline markdown to plain text. */
#include "common/utf8.h"
#include "parsers/markdown_table.h"

static bool is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* The few entities that tables use. Returns the bytes taken, 0 when it is none. */
static size_t read_entity(struct gt_str rest, char *out, size_t *len)
{
    static const struct {
        struct gt_str name;
        char byte;
    } ENTITIES[] = {{{"&nbsp;", 6}, ' '}, {{"&amp;", 5}, '&'},  {{"&lt;", 4}, '<'},
                    {{"&gt;", 4}, '>'},   {{"&quot;", 6}, '"'}, {{"&#124;", 6}, '|'}};
    for (size_t i = 0; i < sizeof ENTITIES / sizeof ENTITIES[0]; i++) {
        if (!gt_str_starts(rest, ENTITIES[i].name)) continue;
        out[(*len)++] = ENTITIES[i].byte;
        return ENTITIES[i].name.len;
    }
    if (!gt_str_starts(rest, GT_STR("&yen;"))) return 0;
    *len += utf8_encode(0xA5, out + *len);
    return 5;
}

/* An HTML tag: its length, and a blank for it, as most that stand in tables are <br>. */
static size_t read_tag(struct gt_str rest, char *out, size_t *len)
{
    if (rest.len < 3 || (rest.ptr[1] != '/' && !((rest.ptr[1] | 0x20) >= 'a' && (rest.ptr[1] | 0x20) <= 'z'))) return 0;
    const char *close = memchr(rest.ptr, '>', rest.len);
    if (close == NULL) return 0;
    bool is_break = gt_str_eq_nocase(gt_str_slice(rest, 1, 2), GT_STR("br"));
    if (is_break) out[(*len)++] = ' ';
    return (size_t)(close - rest.ptr) + 1;
}

/* "](address)" behind a link's words: its length. */
static size_t link_tail(struct gt_str rest)
{
    if (!gt_str_starts(rest, GT_STR("]("))) return 0;
    const char *close = memchr(rest.ptr, ')', rest.len);
    return close != NULL ? (size_t)(close - rest.ptr) + 1 : 0;
}

/* Marks that say nothing: how many bytes to leave out here. A single '*' stays ("8*910B"). */
static size_t mark_len(struct gt_str rest)
{
    static const struct gt_str MARKS[] = {{"**", 2}, {"__", 2}, {"~~", 2}, {"`", 1}, {"![", 2}};
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++) {
        if (gt_str_starts(rest, MARKS[i])) return MARKS[i].len;
    }
    /* The bracket that opens a link. */
    if (rest.ptr[0] == '[' && gt_str_find(rest, GT_STR("]("), 0) != SIZE_MAX) return 1;
    return link_tail(rest);
}

/* What a reader of the rendered page sees; a backslash makes the next mark a character. */
struct gt_str markdown_plain(struct gt_str text, struct arena *arena)
{
    char *out = arena_alloc(arena, text.len + 4);
    size_t len = 0, i = 0;
    if (out == NULL) return GT_STR("");
    while (i < text.len) {
        struct gt_str rest = gt_str_slice(text, i, SIZE_MAX);
        size_t step = 0;
        if (rest.ptr[0] == '\\' && rest.len > 1 && is_punctuation(rest.ptr[1])) {
            out[len++] = rest.ptr[1];
            step = 2;
        }
        if (step == 0 && rest.ptr[0] == '&') step = read_entity(rest, out, &len);
        if (step == 0 && rest.ptr[0] == '<') step = read_tag(rest, out, &len);
        if (step == 0) step = mark_len(rest);
        if (step == 0) {
            out[len++] = rest.ptr[0];
            step = 1;
        }
        i += step;
    }
    return gt_str_trim((struct gt_str){out, len});
}
