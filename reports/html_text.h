/* Writing text into HTML: everything a page printed is data, never markup. */
#ifndef GT_REPORTS_HTML_TEXT_H
#define GT_REPORTS_HTML_TEXT_H

#include "reports/sink_writer.h"

/* Writes `text` for element content or a double-quoted attribute: & < > " ' become entities, control characters and bidi
 * marks visible escapes. */
void html_text(struct sink_writer *writer, struct gt_str text);

/* Writes one cell of a table's row; is_link: its address may become a link, as the caller has found. */
void html_cell(struct sink_writer *writer, const struct column *column, const struct cell *cell, bool is_link);

/* Writes one chart as a figure: inline SVG with step lines, axes, and a legend. `number` makes ids unique in the page. */
void html_chart(struct sink_writer *writer, const struct chart *chart, int number);

/* The style sheet, for light, dark and paper. Static storage. */
const char *html_style(void);

#endif
