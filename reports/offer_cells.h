/* The cells of one offer that several reports print for programs, in the names of DESIGN's `offers` shape. */
#ifndef GT_REPORTS_OFFER_CELLS_H
#define GT_REPORTS_OFFER_CELLS_H

#include "reports/board.h"

/* A value of a vocabulary as its word on the wire; CELL_NONE for the value 0 of vocabularies that begin with "unknown". */
struct cell cell_word(enum vocabulary vocabulary, int value);

/* As cell_word, in the report's language. */
struct cell cell_word_shown(enum gt_lang lang, enum vocabulary vocabulary, int value);

/* Where the page lies in the archive: "FILE:OFFSET". CELL_NONE when it is not kept. In the arena. */
struct cell cell_page(const struct board_row *row, struct arena *arena);

/* A name that links to the offer's page. */
struct cell cell_linked(struct gt_str text, const struct board_row *row);

#endif
