/* What a table row gives beside the phrase: "cur=CNY|period=hour|basis=card|decimal=,|bare|scale=1/1000|header=...".
 * Parts are separated by a bar. */
#ifndef GT_TESTS_PRICE_GIVEN_H
#define GT_TESTS_PRICE_GIVEN_H

#include <stdio.h>
#include <stdlib.h>

#include "pricing/price_text.h"

static inline int given_pair(struct price_context *context, struct gt_str key, struct gt_str value)
{
    int word;
    long long num, den;
    if (gt_str_is(key, "cur")) return (context->currency = currency_from(value)), 1;
    if (gt_str_is(key, "period")) return word_find(VOCABULARY_PERIOD, value, &word) && ((context->period = (enum period)word), 1);
    if (gt_str_is(key, "basis")) return word_find(VOCABULARY_BASIS, value, &word) && ((context->basis = (enum basis)word), 1);
    if (gt_str_is(key, "decimal")) return (context->decimal = value.ptr[0] == ',' ? DECIMAL_COMMA : DECIMAL_POINT), 1;
    if (gt_str_is(key, "bare")) return (context->bare_number = 1), 1;
    if (gt_str_is(key, "header")) return (context->header = value), 1;
    if (gt_str_is(key, "context")) return (context->context = value), 1;
    if (!gt_str_is(key, "scale") || sscanf(value.ptr, "%lld/%lld", &num, &den) != 2) return 0;
    context->scale_num = num;
    context->scale_den = den;
    return 1;
}

/* False when a key or word is not known. Parts are separated by '|'. */
static inline int given_read(struct gt_str text, struct price_context *ret)
{
    struct gt_str part;
    *ret = (struct price_context){.scale_num = 0};
    while (gt_str_split(&text, '|', &part)) {
        size_t equal = gt_str_find(part, GT_STR("="), 0);
        struct gt_str key = gt_str_slice(part, 0, equal),
                      value = equal == SIZE_MAX ? part : gt_str_slice(part, equal + 1, part.len);
        if (part.len > 0 && !given_pair(ret, key, value)) return 0;
    }
    return 1;
}

#endif
