/* Tables of plain text: columns parted by two blanks or more, by tabs or by bars, as in reStructuredText and in what people type;
 * and lists of lists ("* - A100" with "- $1.20" below), reStructuredText's other tables. */
#include <stdlib.h>

#include "parsers/auto.h"

enum {
    TEXT_ROWS_MAX = 20000,
    TEXT_ROWS_MIN = 2,
    TEXT_FIELDS_MAX = 24,
    TEXT_FIELDS_MIN = 2,
    LEADER_DOTS_MIN = 3, /* "H100 ..... 2.60" */
    TEXT_LINE_MAX = 400, /* bytes of a line that may be a row */
};

/* The table that is open. */
struct text_table {
    struct auto_page *page;
    struct gt_str *cells; /* TEXT_FIELDS_MAX a row */
    size_t rows, columns;
    bool is_list;  /* rows are lists */
    bool has_bars; /* its last row's fields are parted by bars */
    struct auto_around around;
    size_t offers;
};

/* The length of a line of a drawn box (U+2500 to U+257F) at `at`; 0 when there is none. */
static size_t drawn_len(struct gt_str line, size_t at)
{
    bool is_drawn = at + 2 < line.len && line.ptr[at] == '\xE2' && (line.ptr[at + 1] == '\x94' || line.ptr[at + 1] == '\x95');
    return is_drawn ? 3 : 0;
}

/* "=====  =====", "+-----+-----+", "├─────┼─────┤": no row, but no end of the table either. */
static bool is_ruler(struct gt_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        size_t drawn = drawn_len(line, i);
        if (drawn > 0) i += drawn - 1;
        else if (strchr("=-+|:~ \t", line.ptr[i]) == NULL) return false;
    }
    return line.len > 1;
}

/* What parts the fields of a line: a bar, a drawn one, a wiki's two; "" where blanks do. */
static struct gt_str sign_of(struct gt_str line)
{
    static const struct gt_str DRAWN[] = {{"│", 3}, {"║", 3}, {"┃", 3}};
    for (size_t i = 0; i < sizeof DRAWN / sizeof DRAWN[0]; i++) {
        if (gt_str_find(line, DRAWN[i], 0) != SIZE_MAX) return DRAWN[i];
    }
    char first = line.len > 0 ? line.ptr[0] : '\0';
    if (first == '!' && gt_str_find(line, GT_STR("!!"), 1) != SIZE_MAX) return GT_STR("!!");
    if (first == '|' && gt_str_find(line, GT_STR(" || "), 1) != SIZE_MAX) return GT_STR("||");
    bool has_bars = gt_str_find(line, first == '|' ? GT_STR("|") : GT_STR(" | "), 1) != SIZE_MAX;
    return has_bars ? GT_STR("|") : GT_STR("");
}

/* The length of the gap between two columns that begins at `at`: tabs, two blanks or more, a leader of dots; 0 when there is none. */
static size_t gap_len(struct gt_str line, size_t at)
{
    size_t end = at, dots = 0;
    for (; end < line.len && strchr(" \t.", line.ptr[end]) != NULL; end++) dots += line.ptr[end] == '.';
    if (dots >= LEADER_DOTS_MIN) return end - at;
    for (end = at; end < line.len && strchr(" \t", line.ptr[end]) != NULL; end++) {
    }
    return end - at > 1 || line.ptr[at] == '\t' ? end - at : 0;
}

/* Where the field that begins at `at` ends: at the sign, or at a tab or two blanks. */
static size_t field_end(struct gt_str line, size_t at, struct gt_str sign)
{
    if (sign.len > 0) {
        at = gt_str_find(line, sign, at);
        return at == SIZE_MAX ? line.len : at;
    }
    while (at < line.len && gap_len(line, at) == 0) at++;
    return at;
}

/* Cuts a line into fields; 0 when it is no row. */
static size_t cut(struct gt_str line, struct gt_str *fields)
{
    struct gt_str sign = sign_of(line);
    size_t count = 0, at = 0;
    if (sign.len > 0 && drawn_len(sign, 0) > 0 && gt_str_starts(line, sign)) line = gt_str_slice(line, sign.len, SIZE_MAX);
    while (drawn_len(sign, 0) == 0 && sign.len > 0 && line.len > 0 && line.ptr[0] == sign.ptr[0]) line = gt_str_slice(line, 1, SIZE_MAX);
    while (at < line.len && count < TEXT_FIELDS_MAX) {
        size_t end = field_end(line, at, sign);
        struct gt_str field = gt_str_trim(gt_str_slice(line, at, end - at));
        if (field.len > 0 || (sign.len > 0 && end < line.len)) fields[count++] = field;
        at = end + (sign.len > 0 || end == line.len ? sign.len : gap_len(line, end));
    }
    return count >= TEXT_FIELDS_MIN ? count : 0;
}

/* Reads the open table and closes it. */
static void finish(struct text_table *table)
{
    struct auto_page *page = table->page;
    size_t columns = table->columns, rows = table->rows;
    table->rows = table->columns = 0;
    table->is_list = false;
    if (rows < TEXT_ROWS_MIN || columns < TEXT_FIELDS_MIN || page->err != GT_OK) return;
    struct gt_str *texts = arena_array(page->arena, rows * columns, sizeof *texts);
    if (texts == NULL) return;
    for (size_t i = 0; i < rows * columns; i++) texts[i] = table->cells[i / columns * TEXT_FIELDS_MAX + i % columns];
    struct grid *grid = grid_from_texts(texts, rows, columns, page->arena);
    if (grid == NULL) return;
    grid->kinds[0] = GRID_DATA; /* whether it is a header is seen by its words */
    table->offers += auto_grid_read(page, grid, &table->around, "text table");
}

/* True, and an error of the page, when the table has as many rows as it may. */
static bool is_full(struct text_table *table)
{
    struct auto_page *page = table->page;
    if (table->rows < TEXT_ROWS_MAX) return false;
    if (page->err == GT_OK)
        page->err = gt_fail(page->info, GT_ELIMIT, "a table has more rows than TEXT_ROWS_MAX (%d)", TEXT_ROWS_MAX);
    return true;
}

/* Adds a row that has as many fields as the open table, or opens another. */
static void add_row(struct text_table *table, const struct gt_str *fields, size_t count)
{
    if (table->rows > 0 && (count != table->columns || table->is_list)) finish(table);
    if (is_full(table)) return;
    table->columns = count;
    memcpy(table->cells + table->rows++ * TEXT_FIELDS_MAX, fields, count * sizeof *fields);
}

/* A cell of a list of lists: "* - x" begins a row, "- x" goes on with it. False when the line is neither. */
static bool add_list_cell(struct text_table *table, struct gt_str line)
{
    bool begins = gt_str_starts(line, GT_STR("* - "));
    if (!begins && !(table->is_list && gt_str_starts(line, GT_STR("- ")))) return false;
    if (begins && !table->is_list) finish(table);
    if (begins && is_full(table)) return true;
    size_t row = table->rows - (begins ? 0 : 1);
    struct gt_str *cells = table->cells + row * TEXT_FIELDS_MAX;
    if (begins) {
        table->is_list = true;
        table->rows++;
        for (size_t i = 0; i < TEXT_FIELDS_MAX; i++) cells[i] = GT_STR("");
    }
    size_t column = 0;
    while (column < TEXT_FIELDS_MAX && cells[column].len > 0) column++;
    if (column == TEXT_FIELDS_MAX) return true;
    cells[column] = gt_str_trim(gt_str_slice(line, begins ? 4 : 2, SIZE_MAX));
    while (cells[column].len > 1 && cells[column].ptr[0] == '`') cells[column] = gt_str_slice(cells[column], 1, SIZE_MAX);
    while (gt_str_ends(cells[column], GT_STR("`"))) cells[column].len--;
    if (column + 1 > table->columns) table->columns = column + 1;
    return true;
}

static void read_line(struct text_table *table, struct gt_str line)
{
    struct gt_str fields[TEXT_FIELDS_MAX];
    line = gt_str_trim(line);
    if (line.len > 0 && add_list_cell(table, line)) return;
    if (is_ruler(line)) return;
    size_t count = line.len > 0 && line.len <= TEXT_LINE_MAX ? cut(line, fields) : 0;
    if (count > 0) {
        add_row(table, fields, count);
        table->has_bars = line.ptr[0] == '|';
        return;
    }
    /* AsciiDoc's header stands apart from its rows. */
    if (line.len == 0 && table->rows == 1 && table->has_bars) return;
    finish(table);
    if (line.len == 0 || line.len > AUTO_CELL_MAX) return;
    bool is_title = line.ptr[0] == '#';
    while (line.len > 0 && line.ptr[0] == '#') line = gt_str_slice(line, 1, SIZE_MAX);
    line = gt_str_trim(line);
    if (is_title) table->around.heading = line;
    table->around.before = is_title ? GT_STR("") : auto_unit_choose(table->page, line, GT_STR(""), GT_STR(""));
}

size_t auto_text_tables_read(struct auto_page *page, struct gt_str text)
{
    struct text_table table = {.page = page, .around = {GT_STR(""), GT_STR(""), GT_STR("")}};
    struct gt_str rest = text, line;
    table.cells = calloc((size_t)TEXT_ROWS_MAX * TEXT_FIELDS_MAX, sizeof *table.cells);
    if (table.cells == NULL) {
        page->err = gt_fail(page->info, GT_ENOMEM, "no memory for a page");
        return 0;
    }
    while (page->err == GT_OK && gt_str_split(&rest, '\n', &line)) read_line(&table, line);
    if (page->err == GT_OK) finish(&table);
    free(table.cells);
    return table.offers;
}
