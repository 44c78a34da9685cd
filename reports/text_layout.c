#include "reports/text_layout.h"

#include <stdint.h>

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
    if (before == '/' || before == 0xB7) return true;
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

size_t text_word_width(struct gt_str text)
{
    size_t widest = 0, word = 0, before_width = 0;
    int32_t before = ' ';
    for (size_t at = 0, step; at < text.len; at += step) {
        int32_t c = utf8_decode(text, at, &step);
        size_t c_width = utf8_width(gt_str_slice(text, at, step));
        word = may_break(before, before_width, c, c_width) ? c_width : word + c_width;
        /* The blank at a line's end hangs over. */
        if (c != ' ' && word > widest) widest = word;
        before = c;
        before_width = c_width;
    }
    return widest;
}

/* Of the columns that stay, with the gaps between them. */
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

/* What the columns need so that each can be read well. */
static size_t good_width(const struct text_width *columns, size_t count)
{
    size_t total = total_width(columns, count);
    for (size_t i = 0; i < count; i++)
        if (columns[i].is_wrapped && !columns[i].is_left_out && columns[i].width > TEXT_WRAP_GOOD)
            total -= columns[i].width - TEXT_WRAP_GOOD;
    return total;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How narrow a column may get in each round. */
static size_t least_width(const struct text_width *column, int round)
{
    size_t whole = larger(column->cells, column->title_word), words = larger(column->word, column->title_word);
    switch (round) {
    case 0: return column->is_wrapped ? TEXT_WRAP_MIN : SIZE_MAX;
    case 1: return column->is_wrapped ? TEXT_WRAP_MIN : whole;
    case 2: return column->is_wrapped ? TEXT_WRAP_MIN : column->is_right ? whole : larger(words, TEXT_CELL_MIN);
    case 3: return column->is_wrapped ? TEXT_CELL_MIN : column->is_right ? whole : larger(words, TEXT_CELL_MIN);
    default: return column->is_right ? larger(column->cells, TEXT_CELL_MIN) : TEXT_CELL_MIN;
    }
}

/* The widest column that may still be narrowed in a round, or NULL. */
static struct text_width *widest_narrowable(struct text_width *columns, size_t count, int round)
{
    struct text_width *widest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (columns[i].is_left_out || columns[i].width <= least_width(&columns[i], round)) continue;
        if (widest == NULL || columns[i].width > widest->width) widest = &columns[i];
    }
    return widest;
}

size_t text_columns_fit(struct text_width *columns, size_t count, size_t limit)
{
    enum { ROUNDS = 5 };
    for (size_t i = 0; i < count; i++) {
        columns[i].width = larger(columns[i].cells, columns[i].title);
        columns[i].is_left_out = false;
    }
    if (limit == 0) return total_width(columns, count);
    for (size_t i = count; i-- > 0 && good_width(columns, count) > limit;) columns[i].is_left_out = columns[i].is_extra;
    for (int round = 0; round < ROUNDS; round++) {
        struct text_width *widest;
        while (total_width(columns, count) > limit && (widest = widest_narrowable(columns, count, round)) != NULL)
            widest->width--;
    }
    return total_width(columns, count);
}
