#include "parsers/csv_table.h"

#include <csv.h>

enum { FIELD_BEGUN = 2 }; /* libcsv's pstate: inside a field */

struct csv_reading {
    struct arena *arena;
    csv_row_fn *fn;
    void *ctx;
    size_t line, row_line; /* being read; where the row began */
    struct gt_str cells[CSV_CELLS_MAX];
    size_t count;
    enum gt_err err;
};

/* One cell, copied: libcsv reuses its buffer. */
static void on_cell(void *bytes, size_t len, void *ctx)
{
    struct csv_reading *reading = ctx;
    struct gt_str text = gt_str_slice((struct gt_str){bytes, len}, 0, CSV_CELL_BYTES_MAX + 1);
    if (reading->err != GT_OK) return;
    if (reading->count < CSV_CELLS_MAX) {
        reading->cells[reading->count] = arena_dup(reading->arena, text);
        if (reading->cells[reading->count].ptr == NULL) reading->err = GT_ENOMEM;
    }
    reading->count++;
}

static void on_row(int terminator, void *ctx)
{
    struct csv_reading *reading = ctx;
    (void)terminator;
    if (reading->err == GT_OK) reading->err = reading->fn(reading->ctx, reading->row_line, reading->cells, reading->count);
    reading->count = 0;
}

/* The sign between cells, by the first line. */
static unsigned char delimiter_of(struct gt_str text)
{
    static const char signs[] = {',', ';', '\t'};
    size_t most = 0;
    char best = ',';
    for (size_t s = 0; s < sizeof signs; s++) {
        size_t count = 0;
        for (size_t i = 0; i < text.len && text.ptr[i] != '\n'; i++) count += text.ptr[i] == signs[s];
        if (count > most) best = signs[s];
        if (count > most) most = count;
    }
    return (unsigned char)best;
}

/* Where the line ends that begins at `at`. A lone carriage return ends one, too: libcsv ends a row there, and no two rows may claim one line. */
static size_t line_end(struct gt_str text, size_t at)
{
    while (at < text.len && text.ptr[at] != '\n' && (text.ptr[at] != '\r' || (at + 1 < text.len && text.ptr[at + 1] == '\n'))) at++;
    return at < text.len ? at + 1 : at;
}

/* Line by line, so that it is known where a row begins. */
static void lines_read(struct csv_reading *reading, struct csv_parser *parser, struct gt_str text)
{
    for (size_t at = 0; at < text.len && reading->err == GT_OK;) {
        size_t end = line_end(text, at);
        reading->line++;
        bool is_inside = parser->quoted && parser->pstate == FIELD_BEGUN;
        if (!is_inside && reading->count == 0) reading->row_line = reading->line;
        if (csv_parse(parser, text.ptr + at, end - at, on_cell, on_row, reading) != end - at) reading->err = GT_ENOMEM;
        at = end;
    }
}

/* A quote that is never closed swallows the rest of the file: that is an error, not one long cell. */
enum gt_err csv_table_read(struct gt_str text, struct arena *arena, csv_row_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct csv_parser parser;
    struct csv_reading reading = {.arena = arena, .fn = fn, .ctx = ctx};
    if (csv_init(&parser, CSV_APPEND_NULL) != 0) return gt_fail(info, GT_ENOMEM, "out of memory");
    csv_set_delim(&parser, delimiter_of(text));
    lines_read(&reading, &parser, text);
    bool is_open = parser.quoted && parser.pstate == FIELD_BEGUN;
    if (reading.err == GT_OK && is_open)
        reading.err = gt_fail(info, GT_EFORMAT, "line %zu: a quote is never closed", reading.row_line);
    else if (reading.err == GT_OK && csv_fini(&parser, on_cell, on_row, &reading) != 0) reading.err = GT_ENOMEM;
    if (reading.err == GT_ENOMEM) gt_fail(info, GT_ENOMEM, "out of memory");
    csv_free(&parser);
    return reading.err;
}
