#include "reports/sink.h"

#include <stdlib.h>

#include "reports/sink_writer.h"

static const struct sink *const sinks[] = {
#define SINK(id) &sink_##id,
#include "reports/sinks.def"
#undef SINK
    NULL,
};

const struct sink *const *sink_list(void)
{
    return sinks;
}

const struct sink *sink_find(struct gt_str name)
{
    for (const struct sink *const *sink = sinks; *sink != NULL; sink++)
        if (gt_str_is(name, (*sink)->name)) return *sink;
    return NULL;
}

enum gt_err sink_open(const struct sink *sink, FILE *file, const struct report_head *head, struct sink_writer **ret_writer,
                      struct gt_errinfo *info)
{
    struct sink_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) goto out;
    *writer = (struct sink_writer){.sink = sink, .head = *head, .out = {.file = file}};
    writer->scratch = arena_new(SINK_TABLE_BYTES_MAX);
    writer->state = calloc(1, sink->state_bytes > 0 ? sink->state_bytes : 1);
    if (writer->scratch == NULL || writer->state == NULL) goto out;
    sink->begin(writer);
    arena_clear(writer->scratch);
    *ret_writer = writer;
    return GT_OK;
out:
    if (writer != NULL) {
        arena_free(writer->scratch);
        free(writer->state);
        free(writer);
    }
    return gt_fail(info, GT_ENOMEM, "writing a report: out of memory");
}

void sink_value(struct sink_writer *writer, const char *key, struct cell cell)
{
    if (writer->sink->value != NULL) writer->sink->value(writer, key, &cell);
    arena_clear(writer->scratch);
}

void sink_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    if (writer->sink->heading != NULL) writer->sink->heading(writer, level, text);
    arena_clear(writer->scratch);
}

void sink_paragraph(struct sink_writer *writer, struct gt_str text)
{
    if (writer->sink->paragraph != NULL) writer->sink->paragraph(writer, text);
    arena_clear(writer->scratch);
}

void sink_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption, const struct column *columns,
                      size_t count)
{
    writer->columns = columns;
    writer->column_count = count < SINK_COLUMNS_MAX ? count : SINK_COLUMNS_MAX;
    if (writer->sink->table_begin != NULL) writer->sink->table_begin(writer, key, caption);
}

void sink_row(struct sink_writer *writer, const struct cell *cells)
{
    if (writer->sink->row != NULL) writer->sink->row(writer, cells);
    else arena_clear(writer->scratch);
}

void sink_table_end(struct sink_writer *writer)
{
    if (writer->sink->table_end != NULL) writer->sink->table_end(writer);
    arena_clear(writer->scratch);
    writer->columns = NULL;
    writer->column_count = 0;
}

void sink_chart(struct sink_writer *writer, const struct chart *chart)
{
    if (writer->sink->chart != NULL) writer->sink->chart(writer, chart);
    arena_clear(writer->scratch);
}

bool sink_is_data(const struct sink_writer *writer)
{
    return writer->sink->is_data;
}

bool sink_has_headings(const struct sink_writer *writer)
{
    return writer->sink->heading != NULL;
}

bool sink_has_charts(const struct sink_writer *writer)
{
    return writer->sink->chart != NULL;
}

enum gt_err sink_close(struct sink_writer *writer, struct gt_errinfo *info)
{
    if (writer == NULL) return GT_OK;
    writer->sink->end(writer);
    enum gt_err err = out_done(&writer->out, info);
    if (err == GT_OK && writer->is_out_of_memory) err = gt_fail(info, GT_ENOMEM, "writing a report: out of memory");
    arena_free(writer->scratch);
    free(writer->state);
    free(writer);
    return err;
}
