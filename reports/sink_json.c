/* JSON: values are members of the root object, a table is an array of objects, one object a line. jansson writes each object;
 * only brackets, commas and line ends are ours, so that a board of 100,000 offers needs the memory of one. Amounts are
 * decimal strings, times RFC 3339 UTC, what is not known is null. */
#include <jansson.h>
#include <stdlib.h>

#include "common/utf8.h"
#include "reports/sink_writer.h"

struct json_state {
    bool has_member;
    bool has_row;
};

/* Invalid bytes become U+FFFD: JSON is UTF-8 (RFC 8259, 8.1), jansson refuses anything else. */
static json_t *text_value(struct sink_writer *writer, struct gt_str text)
{
    if (utf8_is_valid(text)) return json_stringn(text.ptr != NULL ? text.ptr : "", text.len);
    char *bytes = arena_array(writer->scratch, text.len, 3);
    size_t out = 0;
    if (bytes == NULL) return NULL;
    for (size_t at = 0, step; at < text.len; at += step) out += utf8_encode(utf8_decode(text, at, &step), bytes + out);
    return json_stringn(bytes, out);
}

/* An array of the names in a list. */
static json_t *list_value(struct sink_writer *writer, struct gt_str names)
{
    json_t *list = json_array();
    struct gt_str name;
    while (gt_str_split(&names, ' ', &name))
        if (name.len > 0 && json_array_append_new(list, text_value(writer, name)) != 0) writer->is_out_of_memory = true;
    return list;
}

/* Amounts and percents are strings: a reader with binary floating point would change them. */
static json_t *cell_value(struct sink_writer *writer, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_NONE: return json_null();
    case CELL_LIST: return list_value(writer, cell->text);
    case CELL_BOOL: return json_boolean(cell->number != 0);
    case CELL_COUNT:
    case CELL_AGE: return json_integer(cell->number);
    default: return text_value(writer, cell_plain(writer, cell));
    }
}

/* Characters that steer a terminal and that JSON allows raw: DEL, C1 controls, bidi marks, line separators. */
static bool steers_terminal(int32_t c)
{
    return (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Writes a dump; those characters become \uXXXX: they can stand only inside strings, so the value is the same. */
static void put_dump(struct sink_writer *writer, const char *dump)
{
    struct gt_str text = gt_str_from(dump);
    size_t from = 0;
    for (size_t at = 0, step; at < text.len; at += step) {
        int32_t c = utf8_decode(text, at, &step);
        if (!steers_terminal(c)) continue;
        out_str(&writer->out, gt_str_slice(text, from, at - from));
        out_printf(&writer->out, "\\u%04x", (unsigned)c);
        from = at + step;
    }
    out_str(&writer->out, gt_str_slice(text, from, text.len - from));
}

/* Writes a value and drops it; NULL is memory that ran out. */
static void put_value(struct sink_writer *writer, json_t *value)
{
    char *dump = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    if (dump == NULL) writer->is_out_of_memory = true;
    else put_dump(writer, dump);
    free(dump);
    json_decref(value);
}

/* Begins a member of the root: the comma of the one before, and its name. */
static void put_key(struct sink_writer *writer, const char *key)
{
    struct json_state *state = writer->state;
    out_text(&writer->out, state->has_member ? ",\n" : "");
    out_printf(&writer->out, "\"%s\":", key);
    state->has_member = true;
}

static void put_notice(struct sink_writer *writer, const char *key)
{
    if (!writer->head.is_sample) return;
    put_key(writer, key);
    put_value(writer, json_string(STORE_SAMPLE_NOTICE));
}

/* The object is opened here and closed in json_end: a report that broke off is not valid JSON, and no reader takes it for
 * whole. */
static void json_begin(struct sink_writer *writer)
{
    out_text(&writer->out, "{");
    put_notice(writer, "sample");
}

static void json_value(struct sink_writer *writer, const char *key, const struct cell *cell)
{
    put_key(writer, key);
    put_value(writer, cell_value(writer, cell));
}

static void json_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    (void)caption;
    ((struct json_state *)writer->state)->has_row = false;
    put_key(writer, key);
    out_text(&writer->out, "[");
}

/* One object a line: a diff of two boards shows offers, not brackets. */
static void json_row(struct sink_writer *writer, const struct cell *cells)
{
    struct json_state *state = writer->state;
    out_text(&writer->out, state->has_row ? ",\n" : "\n");
    state->has_row = true;
    json_t *row = json_object();
    for (size_t i = 0; i < writer->column_count && row != NULL; i++)
        if (json_object_set_new(row, writer->columns[i].key, cell_value(writer, &cells[i])) != 0) {
            json_decref(row);
            row = NULL;
        }
    put_value(writer, row);
    arena_clear(writer->scratch);
}

static void json_table_end(struct sink_writer *writer)
{
    out_text(&writer->out, ((struct json_state *)writer->state)->has_row ? "\n]" : "]");
}

static void json_end(struct sink_writer *writer)
{
    put_notice(writer, "sample_end");
    out_text(&writer->out, "}\n");
}

const struct sink sink_json = {
    .name = "json",
    .extension = ".json",
    .media_type = "application/json",
    .is_data = true,
    .state_bytes = sizeof(struct json_state),
    .begin = json_begin,
    .value = json_value,
    .table_begin = json_table_begin,
    .row = json_row,
    .table_end = json_table_end,
    .end = json_end,
};
