/* The names that cards go by (sku_aliases.def), found in a label. Internal to the resolver. */
#ifndef GT_PRICING_SKU_ALIAS_H
#define GT_PRICING_SKU_ALIAS_H

#include "pricing/sku_text.h"

/* How much else a name may mean; see sku_aliases.def. */
enum sku_strength { SKU_STRENGTH_STRONG, SKU_STRENGTH_PLAIN, SKU_STRENGTH_SHY };

struct sku_alias_row {
    const char *words; /* lower case; a blank is an optional break */
    const char *nodes; /* one canonical name, or several joined by ' ' */
    enum sku_strength strength;
    bool is_type;   /* a cloud's name of a machine */
    uint8_t cards;  /* in such a machine; 0 not fixed by the name */
    uint8_t part;   /* n: it has an n-th of a card; 0 whole cards */
};

/* A name found at [start, end) of the text. */
struct sku_mention {
    const struct sku_alias_row *row;
    size_t start, end;
};

/* All rows, in the order of their words without blanks. */
const struct sku_alias_row *sku_alias_rows(size_t *ret_count);

/* Orders two rows' words as the table is ordered: <0, 0, >0. */
int sku_alias_cmp(const char *a, const char *b);

/* The longest name that begins at `start` and stands there as a word of its own. Only what may follow a name glued is accepted
 * glued: a count ("h100x8"), a memory size ("a10080g"), a form ("h100sxm5"). The table is searched by narrowing a sorted range
 * byte by byte, so a position that begins no name costs one binary search. False when there is none. */
bool sku_alias_longest(const struct sku_text *text, size_t start, struct sku_mention *ret_mention);

#endif
