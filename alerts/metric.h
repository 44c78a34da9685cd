/* The figure that a rule looks at. Internal to alerts/. */
#ifndef GT_ALERTS_METRIC_H
#define GT_ALERTS_METRIC_H

#include "alerts/rule.h"
#include "pricing/net_price.h"

/* A price per card. Unknown where the offer has no such term, or its price is a bound ("from", "about") and not exact. */
struct metric_value {
    bool is_known;
    int64_t nano;
    struct currency currency;
    enum evidence evidence;
    struct gt_str formula; /* in the arena; empty for list prices */
};

/* What is asked about. Borrowed; `record` NULL gives an unknown value. */
struct metric_subject {
    const struct offer_identity *identity;
    const struct offer_attributes *attributes;
    const struct offer_record *record;
    const struct net_rules *rules;
};

/* Computes the rule's metric for its persona at `t_unix_s` (discounts whose `until` has passed do not count). GT_ENOMEM; an
 * overflow makes the value unknown. */
enum gt_err metric_compute(const struct rule *rule, const struct metric_subject *subject, int64_t t_unix_s, struct arena *arena,
                           struct metric_value *ret_value);

/* True when both are known and in one currency: nothing else is ever compared. */
bool metric_comparable(const struct metric_value *a, const struct metric_value *b);

/* True when the move from `before` to `now` is what a WHEN_MOVE rule asks for: direction, percentage (reached counts), and the
 * floor of that currency where the rule has any. A rule with floors in other currencies only never holds. */
bool metric_has_moved(const struct rule *rule, const struct metric_value *before, const struct metric_value *now);

/* True when the price is at or below the low, by the rule's floors where it has any. */
bool metric_is_low(const struct rule *rule, const struct metric_value *low, const struct metric_value *now);

/* True when a condition of a rule with `resolve` has ended: the price is back at the resolve amount, or nearer to the reference than the
 * resolve percentage. */
bool metric_is_resolved(const struct rule *rule, const struct metric_value *reference, const struct metric_value *now);

/* True when the value is at or below (at or above) the amount of a WHEN_THRESHOLD rule, in its currency. */
bool metric_is_beyond(const struct rule *rule, const struct metric_value *value);

/* The change in percent with one decimal, "-19.9", rounded half away from zero; "" when `before` is 0. In the arena. */
struct gt_str metric_percent(int64_t before_nano, int64_t now_nano, struct arena *arena);

#endif
