/* CSV (RFC 4180, LF line ends): one table after another with a blank line between, the first column names the table. Cells
 * that a spreadsheet would take for a formula get an apostrophe before them (OWASP, "CSV Injection"). */
#include "common/utf8.h"
#include "reports/sink_writer.h"

struct csv_state {
    bool has_table; /* a blank line goes before the next table */
    bool is_in_values;
    const char *key;
};

/* What begins a formula in a spreadsheet: also the full-width forms, which Excel folds. */
static bool is_formula(struct gt_str text)
{
    size_t step;
    if (text.len == 0) return false;
    int32_t c = utf8_decode(text, 0, &step);
    return c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r' || c == '\n' || c == '|' || c == 0xFF1D ||
           c == 0xFF0B || c == 0xFF0D || c == 0xFF20;
}

/* A quoted field when it needs quotes. Texts are made printable first, so no field holds a raw line end or escape sequence. */
static void put_field(struct sink_writer *writer, struct gt_str text, bool is_words)
{
    bool guard = is_words && is_formula(text);
    struct gt_str field = sink_printable(writer, text);
    bool quote = guard;
    for (size_t i = 0; i < field.len && !quote; i++) quote = strchr("\",;\n\r\t", field.ptr[i]) != NULL;
    if (quote) out_text(&writer->out, "\"");
    if (guard) out_text(&writer->out, "'");
    for (size_t i = 0, from = 0; i <= field.len; i++) {
        if (i < field.len && field.ptr[i] != '"') continue;
        out_str(&writer->out, gt_str_slice(field, from, i - from));
        if (i < field.len) out_text(&writer->out, "\"\"");
        from = i + 1;
    }
    if (quote) out_text(&writer->out, "\"");
}

static void put_notice(struct sink_writer *writer)
{
    if (writer->head.is_sample) out_text(&writer->out, STORE_SAMPLE_NOTICE "\n");
}

/* Excel reads UTF-8 only after a byte order mark; other programs may trip over it, so it must be asked for. */
static void csv_begin(struct sink_writer *writer)
{
    if (writer->head.has_bom) out_text(&writer->out, "\xEF\xBB\xBF");
    put_notice(writer);
}

/* The values of the report make a table of their own, named `head`. */
static void csv_value(struct sink_writer *writer, const char *key, const struct cell *cell)
{
    struct csv_state *state = writer->state;
    if (!state->is_in_values) out_text(&writer->out, "table,key,value\n");
    state->is_in_values = state->has_table = true;
    out_text(&writer->out, "head,");
    put_field(writer, gt_str_from(key), true);
    out_text(&writer->out, ",");
    put_field(writer, cell_plain(writer, cell), cell->kind == CELL_TEXT);
    out_text(&writer->out, "\n");
}

static void csv_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    (void)caption;
    struct csv_state *state = writer->state;
    if (state->has_table) out_text(&writer->out, "\n");
    state->has_table = true;
    state->is_in_values = false;
    state->key = key;
    out_text(&writer->out, "table");
    for (size_t i = 0; i < writer->column_count; i++) out_printf(&writer->out, ",%s", writer->columns[i].key);
    out_text(&writer->out, "\n");
}

/* Scratch is cleared row by row: a long table needs the memory of one line. */
static void csv_row(struct sink_writer *writer, const struct cell *cells)
{
    const struct csv_state *state = writer->state;
    out_text(&writer->out, state->key);
    for (size_t i = 0; i < writer->column_count; i++) {
        out_text(&writer->out, ",");
        put_field(writer, cell_plain(writer, &cells[i]), cells[i].kind == CELL_TEXT || cells[i].kind == CELL_LIST);
    }
    out_text(&writer->out, "\n");
    arena_clear(writer->scratch);
}

static void csv_end(struct sink_writer *writer)
{
    const struct csv_state *state = writer->state;
    if (writer->head.is_sample && state->has_table) out_text(&writer->out, "\n");
    put_notice(writer);
}

const struct sink sink_csv = {
    .name = "csv",
    .extension = ".csv",
    .media_type = "text/csv; charset=utf-8",
    .is_data = true,
    .state_bytes = sizeof(struct csv_state),
    .begin = csv_begin,
    .value = csv_value,
    .table_begin = csv_table_begin,
    .row = csv_row,
    .end = csv_end,
};
