/* What the pages of one thing (a card, a platform, an offer) share: small tables with the pages' own words. */
#ifndef GT_WEB_THING_H
#define GT_WEB_THING_H

#include "web/page.h"

/* A column of such a table, as static data. */
struct web_column {
    const char *key;
    enum web_word title;
    bool is_right, is_wrapped;
};

/* Begins a table; rows go to page->writer by sink_row, then sink_table_end. GT_OK; GT_ENOMEM, with nothing begun. */
enum gt_err web_table_begin(const struct web_page *page, enum web_word caption, const struct web_column *columns, size_t count);

/* One fact of what the page is about; a value that is CELL_NONE or empty is left out. */
struct web_fact {
    enum web_word word;
    struct cell value;
};

/* A table of facts under a heading. GT_OK; GT_ENOMEM. */
enum gt_err web_facts_write(const struct web_page *page, enum web_word heading, const struct web_fact *facts, size_t count);

#endif
