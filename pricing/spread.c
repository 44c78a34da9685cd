#include "pricing/spread.h"

#include <stdlib.h>

int64_t spread_weight(int32_t cards)
{
    return cards > 0 ? cards : 1;
}

static int item_order(const void *left, const void *right)
{
    const struct spread_item *a = left, *b = right;
    return (a->nano > b->nano) - (a->nano < b->nano);
}

/* Cards are 31 bits and offers fit in memory: a hundred times their sum is far under 63 bits. */
bool spread_compute(struct spread_item *items, size_t count, struct spread *ret_spread)
{
    struct spread spread = {.offers = count};
    const struct {
        int percent;
        int64_t *place;
    } asked[] = {{10, &spread.p10_nano}, {25, &spread.p25_nano}, {50, &spread.median_nano}, {75, &spread.p75_nano}};
    size_t next = 0;
    int64_t below = 0;
    if (count == 0) return false;
    qsort(items, count, sizeof *items, item_order);
    for (size_t i = 0; i < count; i++) spread.cards += spread_weight(items[i].cards);
    spread.min_nano = items[0].nano;
    for (size_t i = 0; i < count; i++) {
        below += spread_weight(items[i].cards);
        for (; next < sizeof asked / sizeof asked[0] && below * 100 >= spread.cards * asked[next].percent; next++) *asked[next].place = items[i].nano;
    }
    *ret_spread = spread;
    return true;
}
