/* The checks behind audit_offer, and how they note what they find. */
#ifndef GT_PRICING_AUDIT_CHECK_H
#define GT_PRICING_AUDIT_CHECK_H

#include <stdbool.h>

#include "pricing/audit.h"
#include "pricing/net_price_chain.h"

enum audit_code {
#define GT_AUDIT(name, code, meaning) AUDIT_##name,
#include "pricing/audit.def"
#undef GT_AUDIT
    AUDIT_CODES
};

/* One audit under way. After the first failure `err` stays set and nothing more is noted. */
struct audit {
    const struct offer *offer;
    const struct net_rules *rules;
    struct arena *arena;
    struct audit_result *result;
    enum gt_err err;
};

/* Notes a finding: a sentence with both numbers. Past AUDIT_FINDINGS_MAX nothing more is kept. */
void audit_add(struct audit *audit, enum audit_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* An amount for a sentence: `AUDIT_TEXT(nano)`; lives to the end of the enclosing block. */
struct audit_text {
    char text[MONEY_TEXT_MAX];
};
#define AUDIT_TEXT(nano) price_chain_operand((nano), (struct audit_text){{0}}.text)

/* The first quote of a role and period that is exact, bound to no term, for everybody and no promotion; NULL when there is
 * none. */
const struct quote *audit_quote(const struct offer *offer, enum role role, enum period period);

/* The checks, in the order in which their findings are listed: discounts against prices … */
void audit_check_inferred(struct audit *audit);
void audit_check_discounts(struct audit *audit);
void audit_check_percent(struct audit *audit);
void audit_check_month_hour(struct audit *audit);
/* … prices against prices … */
void audit_check_order(struct audit *audit);
void audit_check_lists(struct audit *audit);
void audit_check_pieces(struct audit *audit);
void audit_check_node(struct audit *audit);
/* … and the rest. */
void audit_check_interconnect(struct audit *audit);
void audit_check_readings(struct audit *audit);

#endif
