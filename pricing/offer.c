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

struct turn {
    int64_t t_unix_s; /* INT64_MAX: none */
    enum cond_kind kind;
};

/* The earliest of a list's dates that is later than `t_unix_s`, where it is earlier than `turn`. */
static struct turn turn_in(const struct condition *conditions, size_t count, int64_t t_unix_s, struct turn turn)
{
    for (size_t i = 0; i < count; i++) {
        bool is_dated = conditions[i].kind == COND_UNTIL || conditions[i].kind == COND_FROM;
        if (is_dated && conditions[i].n > t_unix_s && conditions[i].n < turn.t_unix_s)
            turn = (struct turn){conditions[i].n, conditions[i].kind};
    }
    return turn;
}

int64_t offer_turn_next(const struct offer_record *record, int64_t t_unix_s, enum cond_kind *ret_kind)
{
    struct turn turn = {INT64_MAX, COND_UNTIL};
    for (size_t i = 0; i < record->quote_count; i++)
        turn = turn_in(record->quotes[i].conditions, record->quotes[i].condition_count, t_unix_s, turn);
    for (size_t i = 0; i < record->discount_count; i++)
        turn = turn_in(record->discounts[i].conditions, record->discounts[i].condition_count, t_unix_s, turn);
    if (ret_kind != NULL) *ret_kind = turn.kind;
    return turn.t_unix_s == INT64_MAX ? 0 : turn.t_unix_s;
}

int64_t offer_turn_last(const struct offer_record *record, int64_t t_unix_s)
{
    int64_t last = 0;
    for (int64_t next = offer_turn_next(record, 0, NULL); next != 0 && next <= t_unix_s; next = offer_turn_next(record, next, NULL)) last = next;
    return last;
}
