#include "pricing/offer.h"

int offer_identity_cmp(const struct offer_identity *a, const struct offer_identity *b)
{
    int order = gt_str_cmp(a->label, b->label);
    if (order == 0) order = gt_str_cmp(a->plan, b->plan);
    if (order == 0) order = gt_str_cmp(a->region, b->region);
    if (order == 0) order = gt_str_cmp(a->variant, b->variant);
    if (order == 0) order = gt_str_cmp(a->key, b->key);
    return order != 0 ? order : gt_str_cmp(a->part, b->part);
}
