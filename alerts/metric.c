#include "alerts/metric.h"

/* 0 where the offer has no such term. */
static int64_t nano_of(const struct net_price *price, enum metric metric)
{
    switch (metric) {
    case METRIC_MONTH_NET: return price->month_net_nano;
    case METRIC_HOUR_NET: return price->hour_net_nano;
    case METRIC_MONTH_LIST: return price->month_list_nano;
    default: return price->hour_list_nano;
    }
}

static bool is_list(enum metric metric)
{
    return metric == METRIC_MONTH_LIST || metric == METRIC_HOUR_LIST;
}

enum gt_err metric_compute(const struct rule *rule, const struct metric_subject *subject, int64_t t_unix_s, struct arena *arena,
                           struct metric_value *ret_value)
{
    struct net_price price;
    *ret_value = (struct metric_value){.is_known = false};
    if (subject->record == NULL || subject->attributes == NULL) return GT_OK;
    struct offer offer = {.attributes = *subject->attributes, .record = *subject->record, .stock = -1};
    if (subject->identity != NULL) offer.identity = *subject->identity;
    enum gt_err err = net_price_compute(&offer, subject->rules, &rule->persona, t_unix_s, arena, &price);
    if (err == GT_EOVERFLOW) return GT_OK;
    if (err != GT_OK) return err;
    int64_t nano = nano_of(&price, rule->when.metric);
    bool is_exact = is_list(rule->when.metric) || price.bound == BOUND_EXACT;
    *ret_value = (struct metric_value){.is_known = nano > 0 && is_exact && price.currency.code[0] != '\0',
                                       .nano = nano,
                                       .currency = price.currency,
                                       .evidence = is_list(rule->when.metric) ? EVIDENCE_PRINTED : price.evidence};
    if (!is_list(rule->when.metric)) ret_value->formula = price.formula;
    return GT_OK;
}

bool metric_comparable(const struct metric_value *a, const struct metric_value *b)
{
    return a->is_known && b->is_known && currency_eq(a->currency, b->currency);
}

/* True when the move reaches the floor of its currency, or the rule has no floors. */
static bool reaches_floor(const struct rule *rule, const struct metric_value *before, const struct metric_value *now)
{
    int64_t move = now->nano > before->nano ? now->nano - before->nano : before->nano - now->nano; /* both are > 0 */
    if (rule->min_percent_nano > 0 && money_moved(before->nano, now->nano, rule->min_percent_nano) == 0) return false;
    for (size_t i = 0; i < rule->min_count; i++)
        if (currency_eq(rule->mins[i].currency, now->currency)) return move >= rule->mins[i].amount_nano;
    return rule->min_count == 0;
}

bool metric_has_moved(const struct rule *rule, const struct metric_value *before, const struct metric_value *now)
{
    if (!metric_comparable(before, now) || before->nano == now->nano) return false;
    if (rule->when.direction == DIRECTION_DROPS && now->nano > before->nano) return false;
    if (rule->when.direction == DIRECTION_RISES && now->nano < before->nano) return false;
    return money_moved(before->nano, now->nano, rule->when.percent_nano) != 0 && reaches_floor(rule, before, now);
}

bool metric_is_low(const struct rule *rule, const struct metric_value *low, const struct metric_value *now)
{
    bool is_beyond = rule->when.direction == DIRECTION_RISES ? now->nano >= low->nano : now->nano <= low->nano;
    return metric_comparable(low, now) && is_beyond && reaches_floor(rule, low, now);
}

bool metric_is_resolved(const struct rule *rule, const struct metric_value *reference, const struct metric_value *now)
{
    if (rule->when.kind != WHEN_THRESHOLD)
        return metric_comparable(reference, now) && money_moved(reference->nano, now->nano, rule->resolve_nano) == 0;
    if (!now->is_known || !currency_eq(now->currency, rule->when.currency)) return false;
    return rule->when.direction == DIRECTION_BELOW ? now->nano >= rule->resolve_nano : now->nano <= rule->resolve_nano;
}

bool metric_is_beyond(const struct rule *rule, const struct metric_value *value)
{
    if (!value->is_known || !currency_eq(value->currency, rule->when.currency)) return false;
    return rule->when.direction == DIRECTION_BELOW ? value->nano <= rule->when.amount_nano
                                                   : value->nano >= rule->when.amount_nano;
}

struct gt_str metric_percent(int64_t before_nano, int64_t now_nano, struct arena *arena)
{
    int64_t move, tenths;
    if (before_nano == 0 || __builtin_sub_overflow(now_nano, before_nano, &move)) return GT_STR("");
    if (money_scale(move, 1000, before_nano, ROUND_HALF_UP, &tenths) != GT_OK || tenths == INT64_MIN) return GT_STR("");
    int64_t size = tenths < 0 ? -tenths : tenths;
    return arena_printf(arena, "%s%lld.%lld", tenths < 0 ? "-" : "", (long long)(size / 10), (long long)(size % 10));
}
