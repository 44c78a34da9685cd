#include "parsers/header_words.h"

#include "common/utf8.h"

/* Without blanks, width and case: "价格 (元/月)" and "价格（元/月）" are one heading. */
struct gt_str header_fold(struct gt_str words, struct arena *arena)
{
    struct utf8_folded folded;
    if (utf8_fold(words, arena, &folded) != GT_OK) return GT_STR("");
    char *text = arena_alloc(arena, folded.text.len + 1);
    size_t len = 0;
    if (text == NULL) return GT_STR("");
    for (size_t i = 0; i < folded.text.len; i++) {
        char c = folded.text.ptr[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
        text[len++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (struct gt_str){text, len};
}

enum header_fit header_fits(struct gt_str heading, struct gt_str folded_words, struct arena *arena)
{
    struct gt_str folded = header_fold(heading, arena);
    if (folded.len == 0 || folded_words.len == 0) return HEADER_NONE;
    if (gt_str_eq(folded, folded_words)) return HEADER_SAME;
    return gt_str_find(folded, folded_words, 0) != SIZE_MAX ? HEADER_PART : HEADER_NONE;
}

/* The best fit, of equals the first: "价格" is found in "价格" before it is found in "原价格". */
size_t header_find_column(struct grid *grid, size_t row, struct gt_str folded_words)
{
    enum header_fit best = HEADER_NONE;
    size_t found = SIZE_MAX;
    for (size_t column = 0; column < grid->columns && best != HEADER_SAME; column++) {
        enum header_fit fit = header_fits(grid_heading(grid, row, column), folded_words, grid->arena);
        if (fit <= best) continue;
        best = fit;
        found = column;
    }
    return found;
}
