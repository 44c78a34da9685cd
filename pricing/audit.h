/* Printed figures held against each other. A finding corrects nothing. */
#ifndef GT_PRICING_AUDIT_H
#define GT_PRICING_AUDIT_H

#include "common/arena.h"
#include "pricing/net_price.h"
#include "pricing/offer.h"

enum { AUDIT_FINDINGS_MAX = 32 };

/* One sentence with both numbers, and a code that scripts can rely on (audit.def). */
struct audit_finding {
    const char *code;
    struct gt_str detail;
};

struct audit_result {
    struct audit_finding findings[AUDIT_FINDINGS_MAX];
    size_t count;
};

/* Checks one offer: list × discount = shown? hour × hours × discount = month? node / cards = card? second × 3600 = hour? the
 * inferred factor named; interconnect possible for the card? month above hour × hours? spot above on-demand? Texts live in the
 * arena. GT_OK; GT_ENOMEM. */
enum gt_err audit_offer(const struct offer *offer, const struct net_rules *rules, struct arena *arena,
                        struct audit_result *ret_result);

/* What a code says in general, one clause in English; NULL for a code that audit.def does not have. Static storage. */
const char *audit_code_meaning(struct gt_str code);

#endif
