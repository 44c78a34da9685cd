/* Why a number is no rental price: the codes of refusal.def. */
#ifndef GT_PRICING_REFUSAL_H
#define GT_PRICING_REFUSAL_H

#include "common/str.h"

enum refusal_reason {
#define GT_REFUSAL(name, code, sentence) REFUSAL_##name,
#include "pricing/refusal.def"
#undef GT_REFUSAL
    REFUSAL_REASONS
};

/* The code that stands in struct refusal and in JSON, such as "purchase". Static storage. */
struct gt_str refusal_code(enum refusal_reason reason);

/* What the code means, in one sentence; the code itself for one that refusal.def lacks. Static storage, or `code`'s. */
struct gt_str refusal_sentence(struct gt_str code);

#endif
