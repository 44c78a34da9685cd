/* Leftovers of markup in the words of a page. Internal to pricing/price_*.c. */
#ifndef GT_PRICING_PRICE_MARKUP_H
#define GT_PRICING_PRICE_MARKUP_H

#include <stddef.h>

/* Overwrites leftovers of markup in `bytes` (folded text in small letters, `len` bytes) with blanks: tags (<del>), named blanks
 * (&nbsp;), emphasis (**), dashes for no cents (449,-) and foot note marks glued to an amount ($3.49* / hr). Named signs of money
 * (&yen;) become the sign and blanks. The length stays, so that each byte keeps its origin. Linear in the text. */
void price_markup_blank(char *bytes, size_t len);

#endif
