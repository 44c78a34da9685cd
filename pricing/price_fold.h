/* Folding for the price reader: one form for full-width and plain characters, lower case, and no
 * digit that was not one. Internal. */
#ifndef GT_PRICING_PRICE_FOLD_H
#define GT_PRICING_PRICE_FOLD_H

#include "pricing/price_token.h"

/* The byte that stands for a raised or circled digit after folding: NFKC makes ² a 2, and "$3.99²"
 * would become 3.992. */
enum { PRICE_ODD_DIGIT = 0x1A };

/* Sets original, text, origin and has_han of *ret from `text` (borrowed). The folded text lies in
 * *ret where it fits and holds only the characters that price texts are made of; else utf8_fold
 * does it, in the arena. GT_OK; GT_ENOMEM. */
enum gt_err price_fold(struct gt_str text, struct arena *arena, struct price_lexed *ret);

#endif
