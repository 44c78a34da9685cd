/* Pipe tables of markdown (GitHub's kind) as grids of plain text. Inside parsers/ only. */
#ifndef GT_PARSERS_MARKDOWN_TABLE_H
#define GT_PARSERS_MARKDOWN_TABLE_H

#include "parsers/html_grid.h"

enum {
    MARKDOWN_COLUMNS_MAX = 200,
    MARKDOWN_ROWS_MAX = 20000,
    MARKDOWN_HEADING_MAX = 200, /* bytes of a heading above a table that are kept */
};

struct markdown_table {
    struct grid *grid;     /* row 0 is the header; the line of dashes is left out */
    struct gt_str heading; /* the nearest `# heading` above, "" when none */
    size_t begin, end;     /* its bytes in the text */
};

/* Finds the next table at or after *at and moves *at behind it. Tables in fenced code are text. A line of dashes with more or
 * fewer columns than the header still makes a table, as pages have them; short rows end in empty cells. GT_OK with *ret_found;
 * GT_ELIMIT for a table past the limits or a full arena. */
enum gt_err markdown_next_table(struct gt_str text, size_t *at, struct arena *arena, bool *ret_found,
                                struct markdown_table *ret_table, struct gt_errinfo *info);

/* A cell or line without its marks: emphasis, code, links (their words stay), HTML tags, backslashes, entities. In the arena. */
struct gt_str markdown_plain(struct gt_str text, struct arena *arena);

#endif
