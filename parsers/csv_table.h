/* CSV as spreadsheets write it (RFC 4180 and its relatives), by libcsv: rows of cells with the line that each begins on. */
#ifndef GT_PARSERS_CSV_TABLE_H
#define GT_PARSERS_CSV_TABLE_H

#include "common/arena.h"
#include "common/err.h"
#include "common/str.h"

enum {
    CSV_CELLS_MAX = 120,      /* of a row: further ones are counted, not kept */
    CSV_CELL_BYTES_MAX = 2048 /* of a cell: of a longer one this many and one more are given, so that its length shows */
};

/* One row. Cells are trimmed where they are not quoted; they live in `arena` of csv_table_read. `count` may exceed CSV_CELLS_MAX: then there
 * were more than are given. Other than GT_OK ends the reading. */
typedef enum gt_err csv_row_fn(void *ctx, size_t line, const struct gt_str *cells, size_t count);

/* Reads UTF-8 text; the delimiter is the comma, or what stands most often in the first line: semicolon, tab. Empty lines are no rows. A quote
 * that is never closed ends the table there: GT_EFORMAT with its line. GT_ENOMEM; what `fn` returned. */
enum gt_err csv_table_read(struct gt_str text, struct arena *arena, csv_row_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
