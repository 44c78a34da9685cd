#include "reports/text_layout.h"

#include "common/utf8.h"

/* Marks that close: they stay with what stands before them. */
static bool is_closing(int32_t c)
{
    return c == ',' || c == '.' || c == ';' || c == ':' || c == ')' || c == ']' || c == '%' || c == '|' || c == '/' ||
           c == 0x3001 || c == 0x3002 || c == 0xFF0C || c == 0xFF1B || c == 0xFF1A || c == 0xFF09 || c == 0x300D || c == 0xB7;
}

/* True when a line may end between two neighbours, the first of which is `before`. */
static bool may_break(int32_t before, size_t before_width, int32_t after, size_t after_width)
{
    if (before == ' ') return true;
    if (is_closing(after)) return false;
    return before_width == 2 || after_width == 2;
}

struct gt_str text_line_take(struct gt_str *rest, size_t width)
{
    size_t used = 0, at = 0, break_at = 0, before_width = 0;
    int32_t before = 0;
    while (at < rest->len) {
        size_t step;
        int32_t c = utf8_decode(*rest, at, &step);
        size_t c_width = utf8_width(gt_str_slice(*rest, at, step));
        if (at > 0 && may_break(before, before_width, c, c_width)) break_at = at;
        /* A blank at the very edge hangs over; it is trimmed below. */
        if (at > 0 && used + c_width > width && c != ' ') break;
        used += c_width;
        at += step;
        before = c;
        before_width = c_width;
    }
    if (at < rest->len && break_at > 0) at = break_at;
    struct gt_str line = gt_str_slice(*rest, 0, at);
    *rest = gt_str_slice(*rest, at, rest->len - at);
    while (rest->len > 0 && rest->ptr[0] == ' ') *rest = gt_str_slice(*rest, 1, rest->len - 1);
    while (line.len > 0 && line.ptr[line.len - 1] == ' ') line.len--;
    return line;
}

static size_t total_width(const struct text_width *columns, size_t count)
{
    size_t total = 0, shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (columns[i].is_left_out) continue;
        total += columns[i].width;
        shown++;
    }
    return shown > 0 ? total + (shown - 1) * TEXT_GAP : 0;
}

/* The widest column that may still be narrowed, or NULL. */
static struct text_width *widest_wrapped(struct text_width *columns, size_t count)
{
    struct text_width *widest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!columns[i].is_wrapped || columns[i].is_left_out || columns[i].width <= TEXT_WRAP_MIN) continue;
        if (widest == NULL || columns[i].width > widest->width) widest = &columns[i];
    }
    return widest;
}

/* What the columns need so that each can be read well. */
static size_t good_width(const struct text_width *columns, size_t count)
{
    size_t total = total_width(columns, count);
    for (size_t i = 0; i < count; i++)
        if (columns[i].is_wrapped && !columns[i].is_left_out && columns[i].width > TEXT_WRAP_GOOD)
            total -= columns[i].width - TEXT_WRAP_GOOD;
    return total;
}

size_t text_columns_fit(struct text_width *columns, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++) {
        columns[i].width = columns[i].natural;
        columns[i].is_left_out = false;
    }
    if (limit == 0) return total_width(columns, count);
    for (size_t i = count; i-- > 0 && good_width(columns, count) > limit;) columns[i].is_left_out = columns[i].is_extra;
    for (struct text_width *widest; total_width(columns, count) > limit;) {
        widest = widest_wrapped(columns, count);
        if (widest == NULL) break;
        widest->width--;
    }
    return total_width(columns, count);
}
