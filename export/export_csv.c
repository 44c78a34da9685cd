/* CSV (RFC 4180, LF line ends): one table with the columns of runs, changes and observations; a column that a line's kind does not have
 * is empty. For spreadsheets: what lies inside others (quotes, discounts) is in the JSON Lines. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/file.h"
#include "common/utf8.h"
#include "export/export.h"
#include "export/export_shape.h"

enum { CSV_COLUMNS_MAX = 96, CSV_ARENA_MAX = 16 << 20 };

static const enum dump_kind csv_kinds[] = {DUMP_OBSERVATION, DUMP_CHANGE, DUMP_RUN};

struct csv {
    FILE *file;
    struct gt_errinfo *info;
    struct arena *arena;
    const char *columns[CSV_COLUMNS_MAX];
    size_t count;
};

static const struct shape_field *field_find(const struct shape *shape, const char *name)
{
    for (const struct shape_field *field = shape->fields; field->name != NULL; field++)
        if (strcmp(field->name, name) == 0) return field;
    return NULL;
}

/* The columns in the order in which they first come up. */
static void columns_find(struct csv *csv)
{
    for (size_t k = 0; k < sizeof csv_kinds / sizeof csv_kinds[0]; k++)
        for (const struct shape_field *field = export_shapes[csv_kinds[k]].fields; field->name != NULL; field++) {
            size_t i = 0;
            while (i < csv->count && strcmp(csv->columns[i], field->name) != 0) i++;
            if (i == csv->count && csv->count < CSV_COLUMNS_MAX) csv->columns[csv->count++] = field->name;
        }
}

/* What a spreadsheet would run (OWASP, "CSV Injection"), also in the full-width forms that Excel folds. */
static bool is_formula(struct gt_str text)
{
    size_t step;
    int32_t c = text.len > 0 ? utf8_decode(text, 0, &step) : 0;
    return (c > 0 && c < 0x80 && gt_char_is_in((char)c, "=+-@|\t\r\n")) || c == 0xFF1D || c == 0xFF0B || c == 0xFF0D || c == 0xFF20;
}

/* Texts are made printable: no cell holds a line end or steers a terminal. */
static void put_text(struct csv *csv, struct gt_str text)
{
    struct gt_str shown = utf8_printable(text, csv->arena);
    bool guard = is_formula(text);
    bool quote = guard;
    for (size_t i = 0; i < shown.len && !quote; i++) quote = gt_char_is_in(shown.ptr[i], "\",;\t");
    if (quote) putc('"', csv->file);
    if (guard) putc('\'', csv->file);
    for (size_t i = 0; i < shown.len; i++) {
        if (shown.ptr[i] == '"') putc('"', csv->file);
        putc(shown.ptr[i], csv->file);
    }
    if (quote) putc('"', csv->file);
}

/* The words of a list with blanks between them. */
static void put_words(struct csv *csv, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        fprintf(csv->file, "%s%s", i > 0 ? " " : "", json_string_value(json_array_get(list, i)));
}

static void put_cell(struct csv *csv, const struct shape_field *field, const void *item)
{
    struct gt_str text;
    if (field->type == SHAPE_TEXT) {
        memcpy(&text, (const char *)item + field->offset, sizeof text);
        put_text(csv, text);
        return;
    }
    json_t *value = shape_field_write(field, item);
    if (json_is_integer(value)) fprintf(csv->file, "%lld", (long long)json_integer_value(value));
    if (json_is_boolean(value)) fputs(json_is_true(value) ? "true" : "false", csv->file);
    /* amounts may begin with a minus; they are numbers, and meant as such */
    if (json_is_string(value) && field->type == SHAPE_CODE) put_text(csv, gt_str_from(json_string_value(value)));
    else if (json_is_string(value)) fputs(json_string_value(value), csv->file);
    if (json_is_array(value)) put_words(csv, value);
    json_decref(value);
}

/* Each kind has its own fields; the table's columns that it lacks stay empty, so that one file can be filtered by `type`. */
static enum gt_err csv_line(void *ctx, enum dump_kind kind, const void *item)
{
    struct csv *csv = ctx;
    const struct shape *shape = &export_shapes[kind];
    arena_clear(csv->arena);
    fputs(shape->name, csv->file);
    for (size_t i = 0; i < csv->count; i++) {
        const struct shape_field *field = field_find(shape, csv->columns[i]);
        putc(',', csv->file);
        if (field != NULL) put_cell(csv, field, item);
    }
    putc('\n', csv->file);
    return ferror(csv->file) != 0 ? file_fail(csv->info, "cannot write", "the export") : GT_OK;
}

/* The notice stands first and last: whoever cuts either end off a sample still sees what it was. */
enum gt_err export_csv(struct store *store, const struct dump_options *options, FILE *file, struct gt_errinfo *info)
{
    struct csv csv = {.file = file, .info = info, .arena = arena_new(CSV_ARENA_MAX)};
    struct dump_options own = *options;
    bool is_sample = false;
    enum gt_err err = csv.arena != NULL ? store_is_sample(store, &is_sample, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        arena_free(csv.arena);
        return err;
    }
    for (size_t k = 0; k < sizeof csv_kinds / sizeof csv_kinds[0]; k++) own.kinds |= 1U << csv_kinds[k];
    columns_find(&csv);
    if (is_sample) fputs(STORE_SAMPLE_NOTICE "\n", file);
    fputs("type", file);
    for (size_t i = 0; i < csv.count; i++) fprintf(file, ",%s", csv.columns[i]);
    putc('\n', file);
    err = store_dump(store, &own, csv_line, &csv, info);
    if (is_sample && err == GT_OK) fputs(STORE_SAMPLE_NOTICE "\n", file);
    arena_free(csv.arena);
    return err;
}
