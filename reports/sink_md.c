/* Markdown with pipe tables (GitHub's dialect). Printed words cannot become markup: every mark that could is escaped. */
#include "reports/sink_writer.h"

/* Writes text with all of markdown's marks and HTML's brackets escaped. */
static void put_escaped(struct sink_writer *writer, struct gt_str text)
{
    struct gt_str printable = sink_printable(writer, text);
    size_t from = 0;
    for (size_t i = 0; i < printable.len; i++) {
        char c = printable.ptr[i];
        const char *entity = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
        if (entity == NULL && strchr("\\`*_[]|~#!$", c) == NULL) continue;
        out_str(&writer->out, gt_str_slice(printable, from, i - from));
        if (entity != NULL) out_text(&writer->out, entity);
        else out_printf(&writer->out, "\\%c", c);
        from = i + 1;
    }
    out_str(&writer->out, gt_str_slice(printable, from, printable.len - from));
}

/* A paragraph whose first mark could begin a list, quote or rule is kept one by an escape. */
static void put_paragraph(struct sink_writer *writer, struct gt_str text)
{
    if (text.len > 0 && strchr("-+=", text.ptr[0]) != NULL) out_text(&writer->out, "\\");
    put_escaped(writer, text);
    out_text(&writer->out, "\n\n");
}

static void put_notice(struct sink_writer *writer)
{
    if (writer->head.is_sample) out_text(&writer->out, "**" STORE_SAMPLE_NOTICE "**\n\n");
}

static void md_begin(struct sink_writer *writer)
{
    put_notice(writer);
    if (writer->head.title.len > 0) {
        out_text(&writer->out, "# ");
        put_escaped(writer, writer->head.title);
        out_text(&writer->out, "\n\n");
    }
    if (writer->head.terms.len > 0) put_paragraph(writer, writer->head.terms);
    if (writer->head.subtitle.len > 0) put_paragraph(writer, writer->head.subtitle);
}

static void md_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    out_text(&writer->out, level <= 1 ? "## " : "### ");
    put_escaped(writer, text);
    out_text(&writer->out, "\n\n");
}

static void md_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    (void)key;
    if (caption.len > 0) {
        out_text(&writer->out, "**");
        put_escaped(writer, caption);
        out_text(&writer->out, "**\n\n");
    }
    out_text(&writer->out, "|");
    for (size_t i = 0; i < writer->column_count; i++) {
        out_text(&writer->out, " ");
        put_escaped(writer, writer->columns[i].title);
        out_text(&writer->out, " |");
    }
    out_text(&writer->out, "\n|");
    for (size_t i = 0; i < writer->column_count; i++) out_text(&writer->out, writer->columns[i].is_right ? " ---: |" : " --- |");
    out_text(&writer->out, "\n");
}

/* Bars and line ends cannot leave their cell: the ones are escaped, the others visible escapes. */
static void put_cell(struct sink_writer *writer, const struct column *column, const struct cell *cell)
{
    struct cell_shown shown = cell_show(writer, column, cell);
    bool is_link = sink_is_link(cell->link);
    out_text(&writer->out, is_link ? " [" : " ");
    put_escaped(writer, shown.main);
    put_escaped(writer, shown.note);
    if (is_link) {
        out_text(&writer->out, "](");
        out_str(&writer->out, cell->link);
        out_text(&writer->out, ")");
    }
    out_text(&writer->out, " |");
}

static void md_row(struct sink_writer *writer, const struct cell *cells)
{
    out_text(&writer->out, "|");
    for (size_t i = 0; i < writer->column_count; i++) put_cell(writer, &writer->columns[i], &cells[i]);
    out_text(&writer->out, "\n");
}

static void md_table_end(struct sink_writer *writer)
{
    out_text(&writer->out, "\n");
}

const struct sink sink_md = {
    .name = "md",
    .extension = ".md",
    .media_type = "text/markdown; charset=utf-8",
    .begin = md_begin,
    .heading = md_heading,
    .paragraph = put_paragraph,
    .table_begin = md_table_begin,
    .row = md_row,
    .table_end = md_table_end,
    .end = put_notice,
};
