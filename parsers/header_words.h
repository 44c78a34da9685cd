/* Header words of a rule against the headings of a table. Inside parsers/ only. */
#ifndef GT_PARSERS_HEADER_WORDS_H
#define GT_PARSERS_HEADER_WORDS_H

#include "parsers/html_grid.h"

/* How well a heading fits a rule's words. */
enum header_fit {
    HEADER_NONE,
    HEADER_PART, /* the heading contains the words */
    HEADER_SAME, /* it is the words */
};

/* Words as they are compared: NFKC, lower case, without blanks. In the arena; empty when that is full. */
struct gt_str header_fold(struct gt_str words, struct arena *arena);

/* Compares a heading (as printed) with words that were folded. */
enum header_fit header_fits(struct gt_str heading, struct gt_str folded_words, struct arena *arena);

/* The column whose heading above `row` fits best (the first of equals), or SIZE_MAX. */
size_t header_find_column(struct grid *grid, size_t row, struct gt_str folded_words);

#endif
