/* CSV as spreadsheets write it: cells, and the line on which each row begins. */
#include "parsers/csv_table.h"

#include "common/strbuf.h"
#include "tests/unit/table.h"

enum { ARENA_BYTES = 32 << 20, LONG_CELL_BYTES = 1 << 20 };

struct csv_case {
    const char *name, *text;
    const char *rows; /* "LINE:cell|cell;" a row */
    enum gt_err err;
};

static const struct csv_case tables[] = {
    {"plain cells", "a,b\n1,2\n", "1:a|b;2:1|2;", GT_OK},
    {"no line end at the end", "a,b\n1,2", "1:a|b;2:1|2;", GT_OK},
    {"CR LF", "a,b\r\n1,2\r\n", "1:a|b;2:1|2;", GT_OK},
    {"a comma in quotes", "\"a,b\",c\n", "1:a,b|c;", GT_OK},
    {"a doubled quote", "\"say \"\"hi\"\"\",c\n", "1:say \"hi\"|c;", GT_OK},
    {"a line end in quotes, the next row's line", "\"a\nb\",c\nd,e\n", "1:a\nb|c;3:d|e;", GT_OK},
    {"a lone return ends a row, and a line", "a\rb,c\r\nd", "1:a;2:b|c;3:d;", GT_OK},
    {"empty lines are no rows", "a\n\n\nb\n", "1:a;4:b;", GT_OK},
    {"empty cells are cells", ",,\n", "1:||;", GT_OK},
    {"blanks around are taken off", " a , b\n", "1:a|b;", GT_OK},
    {"semicolons", "a;b\n1,5;2\n", "1:a|b;2:1,5|2;", GT_OK},
    {"tabs", "a\tb\n", "1:a|b;", GT_OK},
    {"a formula is a text", "=1+1,@x\n", "1:=1+1|@x;", GT_OK},
    {"nothing", "", "", GT_OK},
    {"a quote that is never closed", "a,b\n\"c,d\ne,f\n", "1:a|b;", GT_EFORMAT},
    {"a quote alone", "\"", "", GT_EFORMAT},
};

static enum gt_err print_row(void *ctx, size_t line, const struct gt_str *cells, size_t count)
{
    struct strbuf *out = ctx;
    strbuf_addf(out, "%zu:", line);
    for (size_t i = 0; i < count; i++) strbuf_addf(out, "%s%.*s", i > 0 ? "|" : "", GT_STR_ARG(cells[i]));
    strbuf_addc(out, ';');
    return GT_OK;
}

static void check_table(void **state)
{
    const struct csv_case *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct gt_errinfo info = {0};
    struct strbuf out;
    strbuf_init(&out, ARENA_BYTES);
    assert_int_equal(csv_table_read(gt_str_from(row->text), arena, print_row, &out, &info), row->err);
    assert_str(strbuf_str(&out), row->rows);
    assert_int_equal(info.text[0] != '\0', row->err != GT_OK);
    strbuf_done(&out);
    arena_free(arena);
}

/* ---- what is larger than it may be ---- */

struct large_case {
    const char *name;
    size_t cells, bytes; /* of each */
    size_t want_bytes;   /* of the first cell, as it is given */
};

static const struct large_case larges[] = {
    {"a cell that just fits", 1, CSV_CELL_BYTES_MAX, CSV_CELL_BYTES_MAX},
    {"a cell of a megabyte shows that it is too long", 1, LONG_CELL_BYTES, CSV_CELL_BYTES_MAX + 1},
    {"as many cells as may be", CSV_CELLS_MAX, 1, 1},
    {"more cells are counted", 5000, 1, 1},
};

struct large_seen {
    size_t rows, count, bytes;
};

static enum gt_err see_row(void *ctx, size_t line, const struct gt_str *cells, size_t count)
{
    struct large_seen *seen = ctx;
    (void)line;
    seen->rows++;
    seen->count = count;
    seen->bytes = cells[0].len;
    return GT_OK;
}

static void check_large(void **state)
{
    const struct large_case *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct gt_errinfo info = {0};
    struct large_seen seen = {0};
    struct strbuf text;
    strbuf_init(&text, ARENA_BYTES);
    for (size_t i = 0; i < row->cells; i++) {
        if (i > 0) strbuf_addc(&text, ',');
        for (size_t k = 0; k < row->bytes; k++) strbuf_addc(&text, 'x');
    }
    assert_int_equal(csv_table_read(strbuf_str(&text), arena, see_row, &seen, &info), GT_OK);
    assert_int_equal(seen.rows, 1);
    assert_int_equal(seen.count, row->cells);
    assert_int_equal(seen.bytes, row->want_bytes);
    strbuf_done(&text);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(tables, check_table) + TABLE_RUN(larges, check_large);
}
