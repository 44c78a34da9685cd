/* Guards that look at more than one offer and its last good record: an open doubt, the neighbour on the page. */
#include "pricing/guard.h"

enum { SLIGHT_PERCENT = 20, PERCENT = 100, PARTS = 1000000, PLAN_SHOWN_MAX = 60 };

/* The same term's list price of two records: the hour where both have it, else the month. False when there is none. */
static bool both_of(const struct offer_record *a, const struct offer_record *b, int64_t *ret_a, int64_t *ret_b)
{
    bool is_hour = a->hour_list_nano > 0 && b->hour_list_nano > 0;
    *ret_a = is_hour ? a->hour_list_nano : a->month_list_nano;
    *ret_b = is_hour ? b->hour_list_nano : b->month_list_nano;
    return *ret_a > 0 && *ret_b > 0;
}

/* How many times the larger is the smaller, in millionths; INT64_MAX where the records have no term in common. */
static int64_t distance(const struct offer_record *a, const struct offer_record *b)
{
    int64_t x, y, ratio;
    if (!both_of(a, b, &x, &y)) return INT64_MAX;
    return money_scale(x > y ? x : y, PARTS, x > y ? y : x, ROUND_HALF_UP, &ratio) == GT_OK ? ratio : INT64_MAX;
}

/* A newcomer that was doubted for a slip has no price to go back to: it is under its doubt until it leaves what was doubted by more
 * than prices move. */
static bool is_newcomers_slip(const struct offer *now, const struct guard_doubt *doubt)
{
    enum { FAR = 2 }; /* times; the smallest slip */
    return doubt->reason == GUARD_UNIT_SLIP && distance(&now->record, doubt->record) < FAR * (int64_t)PARTS * 99 / 100;
}

/* By ratio, as prices move: nearer to the doubted one means that the page still says the same. Without a price in common nothing
 * can be said, and the verdict stays. */
struct guard_verdict guard_beside(struct guard_verdict verdict, const struct offer *now, const struct offer_record *before,
                                  const struct guard_doubt *doubt, struct arena *arena)
{
    char was[MONEY_TEXT_MAX], is[MONEY_TEXT_MAX];
    int64_t was_nano, is_nano;
    bool is_plain = verdict.reason == GUARD_NONE || verdict.is_releasable;
    bool is_of_price = doubt->reason == GUARD_UNIT_SLIP || doubt->reason == GUARD_BAND;
    if (!is_plain || !is_of_price || doubt->is_releasable) return verdict;
    if (before == NULL && !is_newcomers_slip(now, doubt)) return verdict;
    if (before != NULL && distance(&now->record, doubt->record) >= distance(&now->record, before)) return verdict;
    if (!both_of(doubt->record, &now->record, &was_nano, &is_nano)) return verdict;
    return (struct guard_verdict){doubt->reason, false,
                                  arena_printf(arena, "%s goes on from the doubted %s: %.*s", money_format(is_nano, is),
                                               money_format(was_nano, was), GT_STR_ARG(doubt->detail))};
}

/* Seen in a public history: in a quarter of its rows two cards that stand next to each other had one price, in no clean
 * row. */
struct guard_verdict guard_neighbour(const struct offer *now, const struct offer_record *before, const struct offer *neighbour,
                                     struct arena *arena)
{
    const struct guard_verdict none = {GUARD_NONE, false, {NULL, 0}};
    char was[MONEY_TEXT_MAX], is[MONEY_TEXT_MAX];
    int64_t was_nano, is_nano, his_nano, same_nano;
    if (before == NULL || neighbour == NULL) return none;
    /* Two rows of one card may well cost the same, and what is no card says nothing. */
    bool are_cards = now->attributes.sku[0] != '\0' && neighbour->attributes.sku[0] != '\0';
    if (!are_cards || strcmp(now->attributes.sku, neighbour->attributes.sku) == 0) return none;
    if (!currency_eq(now->record.currency, neighbour->record.currency)) return none;
    if (!both_of(before, &now->record, &was_nano, &is_nano) || !both_of(&neighbour->record, &now->record, &his_nano, &same_nano))
        return none;
    int64_t apart = was_nano > is_nano ? was_nano - is_nano : is_nano - was_nano;
    if (is_nano != same_nano || his_nano != is_nano || apart <= was_nano / PERCENT * SLIGHT_PERCENT) return none;
    return (struct guard_verdict){GUARD_SAME_PRICE, false,
                                  arena_printf(arena, "%s became %s, just what its neighbour %s costs", money_format(was_nano, was),
                                               money_format(is_nano, is), neighbour->attributes.sku)};
}

/* The same thing under two plans. */
static bool is_same_thing(const struct offer *a, const struct offer *b)
{
    const struct offer_identity *x = &a->identity, *y = &b->identity;
    return gt_str_eq(x->label, y->label) && gt_str_eq(x->region, y->region) && gt_str_eq(x->variant, y->variant) &&
           gt_str_eq(x->part, y->part) && !gt_str_eq(x->plan, y->plan) && a->attributes.cards == b->attributes.cards &&
           strcmp(a->attributes.sku, b->attributes.sku) == 0 && currency_eq(a->record.currency, b->record.currency);
}

/* Which of the two rows is wrong is not known; the spot row is the one whose price would be believed too easily. */
struct guard_verdict guard_spot_row(const struct offer *now, const struct offer *other, struct arena *arena)
{
    enum { SLACK_PERCENT = 102 };
    const struct guard_verdict none = {GUARD_NONE, false, {NULL, 0}};
    char spot[MONEY_TEXT_MAX], demand[MONEY_TEXT_MAX];
    int64_t limit, other_nano = other->record.hour_list_nano;
    if (now->attributes.tier != TIER_SPOT || other->attributes.tier != TIER_ON_DEMAND) return none;
    if (now->record.hour_list_nano <= 0 || other_nano <= 0 || !is_same_thing(now, other)) return none;
    if (money_scale(other_nano, SLACK_PERCENT, PERCENT, ROUND_HALF_UP, &limit) != GT_OK || now->record.hour_list_nano <= limit)
        return none;
    return (struct guard_verdict){GUARD_SPOT_ABOVE, false,
                                  arena_printf(arena, "spot is %s an hour, on demand in the row \"%.*s\" %s",
                                               money_format(now->record.hour_list_nano, spot),
                                               GT_STR_ARG(gt_str_cut(other->identity.plan, PLAN_SHOWN_MAX)),
                                               money_format(other_nano, demand))};
}
