/* Amounts in the currency that a reader asked for, beside the printed ones: which rates were used, and the lines that name them. */
#ifndef GT_REPORTS_FX_SHOWN_H
#define GT_REPORTS_FX_SHOWN_H

#include "pricing/fx.h"
#include "reports/report.h"
#include "store/store.h"

enum { FX_SHOWN_MAX = 64 };

/* One currency that was met, and the way from it. */
struct fx_met {
    struct currency from;
    struct fx_path path;
    bool is_found;
};

struct fx_shown {
    struct currency to; /* "": nobody asked */
    struct fx_table table;
    struct fx_met met[FX_SHOWN_MAX]; /* in the order met; the path of those that need none is empty */
    size_t count;
};

/* Gathers the rates for a report at `at_unix_s`: those of the store's rows of kind fx that were fetched at most five days ago,
 * then those of the input. Does nothing when the input asks for no currency. GT_OK; GT_ENOMEM; GT_ELIMIT. */
enum gt_err fx_shown_init(struct fx_shown *shown, const struct report_input *input, const struct board_row *rows, size_t row_count, int64_t at_unix_s,
                          struct arena *arena);

/* The amount in the asked currency; CELL_NONE when nobody asked, it is in that currency already, or no rate leads there. Notes
 * the currency for fx_shown_write. */
struct cell fx_shown_cell(struct fx_shown *shown, int64_t amount_nano, struct currency from);

/* Names what was used: a paragraph a rate for people, the table `rates` for programs. Nothing when nobody asked. */
void fx_shown_write(const struct fx_shown *shown, struct sink_writer *writer, enum gt_lang lang, struct arena *arena);

#endif
