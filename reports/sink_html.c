/* One self-contained page: inline style and SVG, no script, nothing loaded (the policy in its head says so too). */
#include "reports/html_text.h"

enum { HEADING_BYTES_MAX = 200 };

struct html_state {
    int charts;
    int tables; /* under the last heading */
    size_t heading_len;
    char heading[HEADING_BYTES_MAX]; /* cut */
};

void html_escape(struct out *out, struct gt_str printable)
{
    size_t from = 0;
    for (size_t i = 0; i < printable.len; i++) {
        const char *entity;
        switch (printable.ptr[i]) {
        case '&': entity = "&amp;"; break;
        case '<': entity = "&lt;"; break;
        case '>': entity = "&gt;"; break;
        case '"': entity = "&quot;"; break;
        case '\'': entity = "&#39;"; break;
        default: continue;
        }
        out_str(out, gt_str_slice(printable, from, i - from));
        out_text(out, entity);
        from = i + 1;
    }
    out_str(out, gt_str_slice(printable, from, printable.len - from));
}

void html_text(struct sink_writer *writer, struct gt_str text)
{
    html_escape(&writer->out, sink_printable(writer, text));
}

void html_element(struct sink_writer *writer, const char *open, struct gt_str text, const char *close)
{
    if (text.len == 0) return;
    out_text(&writer->out, open);
    html_text(writer, text);
    out_text(&writer->out, close);
}

/* In red, also on paper: nobody should take sample data for the market. */
void html_notice(struct sink_writer *writer)
{
    if (writer->head.is_sample) out_text(&writer->out, "<p class=\"notice\">" STORE_SAMPLE_NOTICE "</p>\n");
}

void html_head_begin(struct sink_writer *writer)
{
    out_printf(&writer->out,
               "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"generator\" content=\"gputape " GPUTAPE_VERSION "\">\n",
               writer->head.lang == LANG_ZH ? "zh-CN" : "en");
}

void html_titles(struct sink_writer *writer, const char *open, const char *close)
{
    html_element(writer, open, writer->head.title, close);
    html_element(writer, "<p class=\"sub\">", writer->head.terms, "</p>\n");
    html_element(writer, "<p class=\"sub\">", writer->head.subtitle, "</p>\n");
}

/* The policy forbids everything but the style below: were a text ever to become markup, it could neither run nor load. */
static void html_begin(struct sink_writer *writer)
{
    html_head_begin(writer);
    out_text(&writer->out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    html_element(writer, "<title>", writer->head.title, "</title>\n");
    out_text(&writer->out, "<style>\n");
    out_text(&writer->out, html_style());
    out_text(&writer->out, "</style>\n</head>\n<body>\n<main>\n");
    html_notice(writer);
    html_titles(writer, "<h1>", "</h1>\n");
}

void html_heading_keep(struct sink_writer *writer, struct gt_str text)
{
    struct html_state *state = writer->state;
    struct gt_str cut = gt_str_cut(text, sizeof state->heading);
    if (cut.len > 0) memcpy(state->heading, cut.ptr, cut.len);
    state->heading_len = cut.len;
    state->tables = 0;
}

static void html_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    html_heading_keep(writer, text);
    if (level <= 1) html_element(writer, "<h2>", text, "</h2>\n");
    else html_element(writer, "<h3>", text, "</h3>\n");
}

static void html_paragraph(struct sink_writer *writer, struct gt_str text)
{
    html_element(writer, "<p>", text, "</p>\n");
}

/* Who hears a page goes from table to table by these names: the caption, else the heading above, with a number where it has several. */
static void put_table_name(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    struct html_state *state = writer->state;
    struct gt_str heading = {state->heading, state->heading_len};
    state->tables++;
    html_text(writer, caption.len > 0 ? caption : heading.len > 0 ? heading : gt_str_from(key));
    if (caption.len == 0 && state->tables > 1) out_printf(&writer->out, " %d", state->tables);
}

static void html_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    /* Reachable by keyboard, because it may scroll sideways. */
    out_text(&writer->out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    put_table_name(writer, key, caption);
    out_text(&writer->out, "\">\n<table>\n");
    html_element(writer, "<caption>", caption, "</caption>\n");
    out_text(&writer->out, "<thead><tr>");
    for (size_t i = 0; i < writer->column_count; i++) {
        out_text(&writer->out, writer->columns[i].is_right ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
        html_text(writer, writer->columns[i].title);
        out_text(&writer->out, "</th>");
    }
    out_text(&writer->out, "</tr></thead>\n<tbody>\n");
}

/* The classes of a cell: figures to the right, words that may wrap, times that may not, and what is marked. */
static const char *cell_open(const struct column *column, const struct cell *cell)
{
    if (column->is_wrapped) return cell->is_marked ? "<td class=\"w m\">" : "<td class=\"w\">";
    if (column->is_right) return cell->is_marked ? "<td class=\"n m\">" : "<td class=\"n\">";
    if (cell->kind >= CELL_TIME) return cell->is_marked ? "<td class=\"t m\">" : "<td class=\"t\">";
    return cell->is_marked ? "<td class=\"m\">" : "<td>";
}

/* Only the figure is the link; its note is read, not clicked. */
void html_cell(struct sink_writer *writer, const struct column *column, const struct cell *cell, bool is_link)
{
    struct cell_shown shown = cell_show(writer, column, cell);
    out_text(&writer->out, cell_open(column, cell));
    if (is_link) html_element(writer, "<a rel=\"noopener noreferrer\" href=\"", cell->link, "\">");
    html_text(writer, shown.main);
    if (is_link) out_text(&writer->out, "</a>");
    html_element(writer, "<span class=\"note\">", shown.note, "</span>");
    out_text(&writer->out, "</td>");
}

static void html_row(struct sink_writer *writer, const struct cell *cells)
{
    out_text(&writer->out, "<tr>");
    for (size_t i = 0; i < writer->column_count; i++) html_cell(writer, &writer->columns[i], &cells[i], sink_is_link(cells[i].link));
    out_text(&writer->out, "</tr>\n");
    arena_clear(writer->scratch);
}

static void html_table_end(struct sink_writer *writer)
{
    out_text(&writer->out, "</tbody>\n</table>\n</div>\n");
}

static void html_chart_next(struct sink_writer *writer, const struct chart *chart)
{
    struct html_state *state = writer->state;
    html_chart(writer, chart, ++state->charts);
}

static void html_end(struct sink_writer *writer)
{
    html_notice(writer);
    out_text(&writer->out, "</main>\n</body>\n</html>\n");
}

const struct sink sink_html = {
    .name = "html",
    .extension = ".html",
    .media_type = "text/html; charset=utf-8",
    .state_bytes = sizeof(struct html_state),
    .begin = html_begin,
    .heading = html_heading,
    .paragraph = html_paragraph,
    .table_begin = html_table_begin,
    .row = html_row,
    .table_end = html_table_end,
    .chart = html_chart_next,
    .end = html_end,
};
