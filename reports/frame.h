/* What the reports' run functions share: an arena, the board, the sink's head and the values that every JSON begins with. */
#ifndef GT_REPORTS_FRAME_H
#define GT_REPORTS_FRAME_H

#include "reports/board.h"
#include "reports/fx_shown.h"
#include "reports/period.h"

/* One report in the making. Zero-initialise; end with frame_done on every path. */
struct frame {
    const struct report_input *input;
    struct arena *arena;
    struct sink_writer *writer;
    struct board_rows rows; /* of the store at the moment asked for */
    struct board board;
    struct fx_shown fx;     /* rates for the currency that the input asks to be shown */
    bool is_sample;
};

/* Makes the arena and asks the store whether it holds sample data. */
enum gt_err frame_init(struct frame *frame, const struct report_input *input, struct gt_errinfo *info);

/* Reads the rows known at `at_unix_s` and reckons the board as of then. */
enum gt_err frame_board(struct frame *frame, int64_t at_unix_s, struct gt_errinfo *info);

/* Opens the sink with a title, the terms and a subtitle. */
enum gt_err frame_open(struct frame *frame, const struct sink *sink, FILE *file, struct gt_str title, struct gt_str terms,
                       struct gt_str subtitle, struct gt_errinfo *info);

/* The head of every JSON: `now`, `persona`, `hours_per_month`, `query`. */
void frame_values(struct frame *frame);

/* The line under the title of a board: persona, hours a month, tax, zone. In the arena. */
struct gt_str frame_terms_text(struct frame *frame);

/* Closes the sink and frees everything. `err` is what the report came to; the first failure is returned. */
enum gt_err frame_done(struct frame *frame, enum gt_err err, struct gt_errinfo *info);

/* The period asked for: since and until of the input, or `fallback` where both are 0. GT_EUSAGE when it ends before it begins. */
enum gt_err frame_period(const struct report_input *input, struct report_period fallback, struct report_period *ret_period,
                         struct gt_errinfo *info);

/* The currency of an amount, where the board holds more than one; else blank. */
struct cell frame_currency_cell(const struct frame *frame, const struct currency *currency);

/* What the offers print about tax, in one word: 含税, 未税, 未标明, 各家不一. */
struct gt_str frame_tax_text(const struct board *board, enum gt_lang lang);

/* The same for programs: "included", "excluded", "mixed", CELL_NONE where none states it. */
struct cell frame_tax_cell(const struct board *board);

/* "720", or the hours that differ joined by '/': "720/730". In the arena. */
struct gt_str frame_hours_text(const struct board *board, struct arena *arena);

/* The title of a site as its rows carry it; empty when it has none on the board read. */
struct gt_str frame_title_of(const struct frame *frame, struct gt_str site);

/* The rules of a site as its rows carry them; those of a plain site (720 hours) when it has none. */
struct net_rules frame_rules_of(const struct board_rows *rows, struct gt_str site);

#endif
