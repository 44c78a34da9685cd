/* Writing text into HTML: everything a page printed is data, never markup. */
#ifndef GT_REPORTS_HTML_TEXT_H
#define GT_REPORTS_HTML_TEXT_H

#include "reports/sink_writer.h"

/* Writes `text` for element content or a double-quoted attribute: & < > " ' become entities, control characters and bidi
 * marks visible escapes. */
void html_text(struct sink_writer *writer, struct gt_str text);

/* The same of text that is printable, onto anything: XML takes these entities, too. */
void html_escape(struct out *out, struct gt_str printable);

/* An element with text inside, or nothing where there is no text; `open` is the whole opening tag. */
void html_element(struct sink_writer *writer, const char *open, struct gt_str text, const char *close);

/* Names the tables without a caption that follow: the words of the heading above them. html's own headings do so themselves. */
void html_heading_keep(struct sink_writer *writer, struct gt_str text);

/* What every page begins with, up to where its own head lines go. */
void html_head_begin(struct sink_writer *writer);

/* The writer's title between the tags given, and the lines under it. */
void html_titles(struct sink_writer *writer, const char *open, const char *close);

/* The line that says of sample data that it is some; nothing for other data. */
void html_notice(struct sink_writer *writer);

/* Writes one cell of a table's row; is_link: its address may become a link, as the caller has found. */
void html_cell(struct sink_writer *writer, const struct column *column, const struct cell *cell, bool is_link);

/* Writes one chart as a figure: inline SVG with step lines, axes, and a legend. `number` makes ids unique in the page. */
void html_chart(struct sink_writer *writer, const struct chart *chart, int number);

/* The style sheet, for light, dark and paper. Static storage. */
const char *html_style(void);

#endif
