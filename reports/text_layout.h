/* Lines for a terminal: wrapping by display width, columns that fit. utf8_width counts a Chinese character as two columns.
 * libsmartcols is not used: it asks the process's locale how wide a character is, and in the C locale prints "\xe5…" for it. */
#ifndef GT_REPORTS_TEXT_LAYOUT_H
#define GT_REPORTS_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/str.h"

enum {
    TEXT_GAP = 2,
    TEXT_WRAP_MIN = 10,  /* no wrapped column gets narrower */
    TEXT_WRAP_GOOD = 28, /* a wrapped column that has this much does not cost others their place */
};

/* Takes the first line of at most `width` columns off *rest: broken after a blank or between wide characters when there is
 * such a place, else anywhere; closing marks do not begin a line. A character wider than `width` is taken alone. `rest`
 * empty: an empty line. */
struct gt_str text_line_take(struct gt_str *rest, size_t width);

/* One column as the layout sees it. */
struct text_width {
    size_t natural;  /* what its widest cell or title needs */
    size_t width;    /* what it got */
    bool is_extra;   /* may be left out */
    bool is_wrapped; /* may be narrowed to TEXT_WRAP_MIN */
    bool is_left_out;
};

/* Fits the columns into `limit` (0: no limit): extra columns are left out from the right until the others have their place,
 * wrapped ones TEXT_WRAP_GOOD of it; then wrapped ones are narrowed, the widest first. What still does not fit stays too
 * wide: nothing is cut. Returns the width of the whole. */
size_t text_columns_fit(struct text_width *columns, size_t count, size_t limit);

#endif
