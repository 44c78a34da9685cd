/* From printed price to what a persona pays per card: the discount stack, evidence, formula, the other reading. */
#ifndef GT_PRICING_NET_PRICE_H
#define GT_PRICING_NET_PRICE_H

#include "common/arena.h"
#include "pricing/offer.h"
#include "pricing/persona.h"
#include "pricing/site_facts.h"

/* The numbers of a site that the stack needs; stored with the offers, so that reports need no sites.conf. */
struct net_rules {
    int32_t hours_per_month;
    int64_t round_site_nano, round_label_nano, round_month_nano;
};

/* Per card and in the record's currency. An amount of 0 means: no such term. */
struct net_price {
    struct currency currency;
    int64_t hour_list_nano, hour_net_nano;
    int64_t hour_alt_nano;      /* hour_net if the inferred factors held by the hour as well; 0 when there are none */
    int64_t month_list_nano, month_net_nano;
    int64_t month_alt_nano;     /* a reading of less evidence (or without the inferred factor); 0: none, or it agrees */
    int64_t node_month_net_nano; /* what the whole unit sold costs a month, when it is more than one card; else 0 */
    int64_t promo_month_nano;   /* a promotion's price per card, never the net: bound in promo_bound; 0 none */
    enum bound promo_bound;
    int64_t promo_until_unix_s; /* 0: not stated */
    enum evidence evidence;     /* of month_net (of hour_net when there is no month) */
    enum bound bound;           /* of the figure that decided: FROM, UPTO and APPROX are never "the cheapest" */
    struct gt_str formula;      /* "1.57 × 0.95 × 720 = 1073.88 → 1074"; in the arena */
    struct gt_str month_alt_formula;
};

/* Computes what `persona` pays for the offer at `now_unix_s` (discounts whose until has passed do not count). Readings rank by
 * evidence: (1) a printed price of that term; (2) list × stack; (3) shown hourly × hours × remaining discounts. The stack:
 * site-wide factor first, labelled ones in printed order, exclusive ones not stacked, amounts off last; rounding per step.
 * GT_OK (fields without a term stay 0); GT_EOVERFLOW; GT_ENOMEM. */
enum gt_err net_price_compute(const struct offer *offer, const struct net_rules *rules, const struct persona *persona,
                              int64_t now_unix_s, struct arena *arena, struct net_price *ret_price);

/* The rules of a site's facts. */
struct net_rules net_rules_from_facts(const struct site_facts *facts);

#endif
