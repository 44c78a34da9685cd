/* Lines for a terminal: wrapping by display width, columns that fit. utf8_width counts a Chinese character as two columns.
 * libsmartcols is not used: it asks the process's locale how wide a character is, and in the C locale prints "\xe5…" for it. */
#ifndef GT_REPORTS_TEXT_LAYOUT_H
#define GT_REPORTS_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/str.h"

enum {
    TEXT_GAP = 2,
    TEXT_WRAP_MIN = 10,  /* no wrapped column gets narrower, unless the window leaves no choice */
    TEXT_WRAP_GOOD = 28, /* a wrapped column that has this much does not cost others their place */
    TEXT_CELL_MIN = 6,   /* no text is broken into narrower pieces */
};

/* Takes the first line of at most `width` columns off *rest: broken after a blank or between wide characters when there is
 * such a place, else anywhere; closing marks do not begin a line. A character wider than `width` is taken alone. `rest`
 * empty: an empty line. */
struct gt_str text_line_take(struct gt_str *rest, size_t width);

/* The width of the widest piece that text_line_take would rather not break: a Latin word, one Chinese character. */
size_t text_word_width(struct gt_str text);

/* One column as the layout sees it. */
struct text_width {
    size_t cells;      /* what its widest cell needs */
    size_t word;       /* what the widest word of its cells needs; of figures all of a cell */
    size_t title;      /* what its title needs in one line */
    size_t title_word; /* and its widest word */
    size_t width;      /* what it got */
    bool is_right;     /* figures: its cells are never broken */
    bool is_extra;     /* may be left out */
    bool is_wrapped;   /* may be narrowed to TEXT_WRAP_MIN without regret */
    bool is_left_out;
};

/* Fits the columns into `limit` (0: no limit). In this order, as far as needed: extra columns are left out from the right
 * until the others have their place, wrapped ones TEXT_WRAP_GOOD of it; wrapped ones are narrowed, the widest first; titles
 * wider than their cells are broken between words; so are all texts; wrapped ones, then
 * all are broken anywhere, down to TEXT_CELL_MIN. What
 * still does not fit stays too wide: nothing is cut. Returns the width of the whole. */
size_t text_columns_fit(struct text_width *columns, size_t count, size_t limit);

#endif
