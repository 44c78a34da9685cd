/* A printed price as a person reads it. */
#ifndef GT_CLI_QUOTE_TEXT_H
#define GT_CLI_QUOTE_TEXT_H

#include <stdio.h>

#include "pricing/offer.h"

/* "1.96 CNY per hour", "1.5 to 2.5 USD per hour", "99 (currency not known) per 3 months": the sum for all the periods it is printed for. */
void quote_print(FILE *out, const struct quote *quote);

#endif
