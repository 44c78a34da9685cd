#include "reports/table.h"

#include "reports/figure.h"

void table_init(struct table *table, struct arena *arena, enum gt_lang lang, const struct column_def *defs, size_t count)
{
    *table = (struct table){.arena = arena, .defs = defs, .lang = lang};
    table->column_count = count < SINK_COLUMNS_MAX ? count : SINK_COLUMNS_MAX;
}

bool table_has_room(struct table *table)
{
    bool has_room = table->row_max == 0 || table->row_count < table->row_max;
    table->rows_left += !has_room;
    return has_room;
}

struct cell *table_row(struct table *table)
{
    void *cells = table->cells;
    struct cell *row = table->spare;
    if (!arena_grow(table->arena, &cells, table->row_count, &table->row_cap, table->column_count * sizeof *table->cells)) {
        table->is_out_of_memory = true;
    } else {
        table->cells = cells;
        row = table->cells + table->row_count++ * table->column_count;
    }
    for (size_t i = 0; i < table->column_count; i++) row[i] = cell_none();
    return row;
}

static struct column column_from(const struct column_def *def, enum gt_lang lang)
{
    return (struct column){.key = def->key,
                           .title = label(lang, def->title),
                           .is_right = (def->flags & COLUMN_RIGHT) != 0,
                           .is_extra = (def->flags & COLUMN_EXTRA) != 0,
                           .is_wrapped = (def->flags & COLUMN_WRAP) != 0,
                           .decimals = def->decimals};
}

void table_columns(const struct column_def *defs, size_t count, enum gt_lang lang, struct column *ret_columns)
{
    for (size_t i = 0; i < count; i++) ret_columns[i] = column_from(&defs[i], lang);
}

/* A blank remark is nothing, a dash would be noise over a whole column. */
static bool has_any(const struct table *table, size_t column)
{
    if (table->defs[column].flags & COLUMN_KEEP) return true;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct cell *cell = &table->cells[i * table->column_count + column];
        if (cell->kind != CELL_NONE && (cell->kind != CELL_TEXT || cell->text.len > 0)) return true;
    }
    return false;
}

/* Writes the columns whose numbers are in `kept`. */
static enum gt_err write_columns(const struct table *table, struct sink_writer *writer, const char *key, struct gt_str caption,
                                 const size_t *kept, size_t count)
{
    struct column columns[SINK_COLUMNS_MAX];
    struct cell cells[SINK_COLUMNS_MAX];
    for (size_t i = 0; i < count; i++) columns[i] = column_from(&table->defs[kept[i]], table->lang);
    sink_table_begin(writer, key, caption, columns, count);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < count; i++) cells[i] = table->cells[row * table->column_count + kept[i]];
        sink_row(writer, cells);
    }
    sink_table_end(writer);
    return GT_OK;
}

enum gt_err table_write(const struct table *table, struct sink_writer *writer, const char *key, struct gt_str caption)
{
    size_t kept[SINK_COLUMNS_MAX], count = 0;
    if (table->is_out_of_memory) return GT_ENOMEM;
    if (table->row_count == 0) return GT_OK;
    for (size_t i = 0; i < table->column_count; i++)
        if (has_any(table, i)) kept[count++] = i;
    enum gt_err err = write_columns(table, writer, key, caption, kept, count);
    struct gt_str left = figure_count_text((int64_t)table->rows_left, table->arena);
    if (table->rows_left > 0) sink_paragraph(writer, phrase(table->arena, table->lang, LABEL_ROWS_LEFT, &left, 1));
    return err;
}

enum gt_err table_write_all(const struct table *table, struct sink_writer *writer, const char *key)
{
    size_t kept[SINK_COLUMNS_MAX];
    if (table->is_out_of_memory) return GT_ENOMEM;
    for (size_t i = 0; i < table->column_count; i++) kept[i] = i;
    return write_columns(table, writer, key, GT_STR(""), kept, table->column_count);
}
