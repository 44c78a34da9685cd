/* Comma- and tab-separated tables. */
#include "common/strbuf.h"
#include "parsers/auto.h"

enum { CSV_ROWS_MAX = 20000, CSV_COLUMNS_MIN = 3, CSV_FIELD_MAX = 4096 };

/* A text being cut into fields (RFC 4180). */
struct csv {
    struct gt_str text;
    size_t at;
    char separator;
    struct arena *arena;
};

/* The field behind an opening quote; two quotes are one. */
static struct gt_str read_quoted(struct csv *csv)
{
    struct strbuf field;
    strbuf_init(&field, CSV_FIELD_MAX);
    for (csv->at++; csv->at < csv->text.len; csv->at++) {
        bool is_quote = csv->text.ptr[csv->at] == '"';
        if (is_quote && !(csv->at + 1 < csv->text.len && csv->text.ptr[csv->at + 1] == '"')) break;
        strbuf_addc(&field, csv->text.ptr[csv->at]);
        csv->at += is_quote;
    }
    csv->at++;
    struct gt_str copy = arena_dup(csv->arena, strbuf_str(&field));
    strbuf_done(&field);
    return copy.ptr != NULL ? copy : GT_STR("");
}

/* Reads a field; *ret_ends says whether it was the line's last. */
static struct gt_str read_field(struct csv *csv, bool *ret_ends)
{
    struct gt_str field = GT_STR("");
    bool is_quoted = csv->at < csv->text.len && csv->text.ptr[csv->at] == '"';
    if (is_quoted) field = read_quoted(csv);
    size_t from = csv->at;
    while (csv->at < csv->text.len && csv->text.ptr[csv->at] != csv->separator && csv->text.ptr[csv->at] != '\n') csv->at++;
    if (!is_quoted) field = gt_str_trim(gt_str_slice(csv->text, from, csv->at - from));
    *ret_ends = csv->at >= csv->text.len || csv->text.ptr[csv->at] == '\n';
    csv->at++;
    return field;
}

static size_t read_line(struct csv *csv, struct gt_str *fields)
{
    size_t count = 0;
    for (bool ends = false; !ends && csv->at <= csv->text.len;) {
        struct gt_str field = read_field(csv, &ends);
        if (count < AUTO_COLUMNS_MAX) fields[count] = field;
        count++;
    }
    return count;
}

/* The sign that parts the first line into most fields. */
static char find_separator(struct gt_str text)
{
    static const char SIGNS[] = ",\t;";
    size_t best = 0, end = gt_str_find(text, GT_STR("\n"), 0);
    struct gt_str line = gt_str_slice(text, 0, end == SIZE_MAX ? text.len : end);
    char separator = 0;
    for (const char *sign = SIGNS; *sign != 0; sign++) {
        size_t count = 0;
        for (size_t i = 0; i < line.len; i++) count += line.ptr[i] == *sign;
        if (count <= best) continue;
        best = count;
        separator = *sign;
    }
    return best + 1 >= CSV_COLUMNS_MIN ? separator : 0;
}

size_t auto_csv_read(struct auto_page *page, struct gt_str text)
{
    struct gt_str fields[AUTO_COLUMNS_MAX], *cells = NULL;
    struct csv csv = {.text = text, .separator = find_separator(text), .arena = page->arena};
    size_t columns = 0, rows = 0, cap = 0;
    void *items = NULL;
    if (csv.separator == 0) return 0;
    while (csv.at < text.len && rows < CSV_ROWS_MAX) {
        size_t count = read_line(&csv, fields);
        if (count == 1 && fields[0].len == 0) continue;
        if (rows == 0) columns = count;
        /* A text of another shape is none: prose has commas too. */
        if (count != columns || count > AUTO_COLUMNS_MAX) return 0;
        for (size_t i = 0; i < columns; i++) {
            if (!arena_grow(page->arena, &items, rows * columns + i, &cap, sizeof *cells)) return 0;
            cells = items;
            bool is_key = rows == 0 && gt_str_find(fields[i], GT_STR(" "), 0) == SIZE_MAX;
            cells[rows * columns + i] = is_key ? auto_key_words(page, GT_STR(""), fields[i]) : fields[i];
        }
        rows++;
    }
    if (rows < 2) return 0;
    struct grid *grid = grid_from_texts(cells, rows, columns, page->arena);
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    return grid != NULL ? auto_grid_read(page, grid, &nothing, "csv") : 0;
}
