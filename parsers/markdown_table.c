#include "parsers/markdown_table.h"

/* Lines of the text, one after the other. */
struct lines {
    struct gt_str text;
    size_t at;
};

static bool next_line(struct lines *lines, struct gt_str *ret_line)
{
    if (lines->at >= lines->text.len) return false;
    const char *from = lines->text.ptr + lines->at;
    const char *end = memchr(from, '\n', lines->text.len - lines->at);
    size_t len = end != NULL ? (size_t)(end - from) : lines->text.len - lines->at;
    *ret_line = (struct gt_str){from, len};
    lines->at += len + (end != NULL);
    return true;
}

/* Splits a line at unescaped pipes; the empty pieces outside leading and trailing pipes do not count. Returns how many cells. */
static size_t split_cells(struct gt_str line, struct gt_str *cells)
{
    size_t count = 0, from = 0;
    line = gt_str_trim(line);
    if (gt_str_starts(line, GT_STR("|"))) line = gt_str_slice(line, 1, SIZE_MAX);
    for (size_t i = 0; i <= line.len && count < MARKDOWN_COLUMNS_MAX; i++) {
        bool is_end = i == line.len;
        if (!is_end && line.ptr[i] == '\\') {
            i++;
            continue;
        }
        if (!is_end && line.ptr[i] != '|') continue;
        struct gt_str cell = gt_str_trim(gt_str_slice(line, from, i - from));
        if (!is_end || cell.len > 0) cells[count++] = cell;
        from = i + 1;
    }
    return count;
}

/* A line such as |:---|---:|. A wiki's "|-" begins a row. */
static bool is_delimiter(struct gt_str line)
{
    size_t dashes = 0;
    line = gt_str_trim(line);
    if (line.len == 0 || gt_str_is(line, "|-") || memchr(line.ptr, '|', line.len) == NULL) return false;
    for (size_t i = 0; i < line.len; i++) {
        if (strchr("|-: \t", line.ptr[i]) == NULL) return false;
        dashes += line.ptr[i] == '-';
    }
    return dashes > 0;
}

static bool has_pipe(struct gt_str line)
{
    return line.len > 0 && memchr(line.ptr, '|', line.len) != NULL;
}

/* What stands between two tildes and two more; "" when nothing does. */
static struct gt_str struck_in(struct gt_str cell)
{
    size_t from = gt_str_find(cell, GT_STR("~~"), 0);
    size_t to = from != SIZE_MAX ? gt_str_find(cell, GT_STR("~~"), from + 2) : SIZE_MAX;
    return to != SIZE_MAX ? gt_str_slice(cell, from + 2, to - from - 2) : GT_STR("");
}

/* Cells of the table's lines from `begin` up to `end`, without the delimiter, in a matrix as wide as the widest line. */
static enum gt_err make_grid(struct gt_str text, size_t rows, struct arena *arena, struct grid **ret_grid,
                             struct gt_errinfo *info)
{
    struct gt_str cells[MARKDOWN_COLUMNS_MAX], line;
    size_t columns = 1, row = 0;
    struct lines lines = {text, 0};
    while (next_line(&lines, &line)) {
        size_t count = split_cells(line, cells);
        if (!is_delimiter(line) && count > columns) columns = count;
    }
    struct gt_str *matrix = rows * columns <= GRID_CELLS_MAX ? arena_array(arena, rows * columns, sizeof *matrix) : NULL;
    struct gt_str *struck = matrix != NULL ? arena_array(arena, rows * columns, sizeof *struck) : NULL;
    if (struck == NULL) return gt_fail(info, GT_ELIMIT, "a table has more than GRID_CELLS_MAX cells");
    bool is_before_delimiter = true;
    for (lines.at = 0; next_line(&lines, &line);) {
        if (is_before_delimiter && is_delimiter(line)) {
            is_before_delimiter = false;
            continue;
        }
        size_t count = split_cells(line, cells);
        for (size_t column = 0; column < columns; column++) {
            struct gt_str cell = column < count ? cells[column] : GT_STR("");
            matrix[row * columns + column] = markdown_plain(cell, arena);
            struck[row * columns + column] = markdown_plain(struck_in(cell), arena);
        }
        row++;
    }
    *ret_grid = grid_from_texts(matrix, rows, columns, arena);
    for (size_t i = 0; *ret_grid != NULL && i < rows * columns; i++) (*ret_grid)->cells[i]->struck = struck[i];
    return *ret_grid != NULL ? GT_OK : gt_fail(info, GT_ELIMIT, "the page's arena is full");
}

/* Reads on to the end of the table whose header and delimiter were passed; returns its rows, header included. */
static size_t pass_rows(struct lines *lines)
{
    size_t rows = 1;
    struct gt_str line;
    for (size_t before = lines->at; next_line(lines, &line); before = lines->at) {
        if (!has_pipe(line) || rows == MARKDOWN_ROWS_MAX) {
            lines->at = before;
            break;
        }
        rows++;
    }
    return rows;
}

static void keep_heading(struct gt_str line, struct arena *arena, struct gt_str *heading)
{
    if (!gt_str_starts(line, GT_STR("#"))) return;
    while (gt_str_starts(line, GT_STR("#"))) line = gt_str_slice(line, 1, SIZE_MAX);
    *heading = markdown_plain(gt_str_cut(gt_str_trim(line), MARKDOWN_HEADING_MAX), arena);
}

/* Fenced code is skipped: tables in it are examples of tables. */
enum gt_err markdown_next_table(struct gt_str text, size_t *at, struct arena *arena, bool *ret_found,
                                struct markdown_table *ret_table, struct gt_errinfo *info)
{
    struct lines lines = {text, *at};
    struct gt_str line, before = GT_STR(""), heading = GT_STR("");
    size_t line_begin = *at, before_begin = *at;
    bool is_fenced = false;
    *ret_found = false;
    for (; next_line(&lines, &line); before = line, before_begin = line_begin, line_begin = lines.at) {
        struct gt_str trimmed = gt_str_trim(line);
        if (gt_str_starts(trimmed, GT_STR("```")) || gt_str_starts(trimmed, GT_STR("~~~"))) is_fenced = !is_fenced;
        if (is_fenced) continue;
        keep_heading(trimmed, arena, &heading);
        if (!is_delimiter(line) || !has_pipe(before)) continue;
        size_t rows = pass_rows(&lines);
        *ret_table = (struct markdown_table){.heading = heading, .begin = before_begin, .end = lines.at};
        *at = lines.at;
        *ret_found = true;
        return make_grid(gt_str_slice(text, before_begin, lines.at - before_begin), rows, arena, &ret_table->grid, info);
    }
    *at = text.len;
    return GT_OK;
}
