/* Guards: what makes an observation doubted before it may stand as a price. */
#ifndef GT_PRICING_GUARD_H
#define GT_PRICING_GUARD_H

#include <stdbool.h>

#include "common/arena.h"
#include "pricing/offer.h"

/* Why an observation is doubted; GUARD_NONE when it is not. */
enum guard_reason {
    GUARD_NONE,
    GUARD_UNIT_SLIP,      /* the ratio is a unit's: 8, 24, 720 …; never releases itself */
    GUARD_ROWS_COLLAPSED, /* never releases itself */
    GUARD_ROWS_PINNED,    /* never releases itself */
    GUARD_SAME_PRICE,     /* one price under many SKUs */
    GUARD_BAND,           /* outside what the card can cost */
    GUARD_LARGE_MOVE,     /* released by a second full fetch */
    GUARD_SPOT_ABOVE,
    GUARD_MONTH_ABOVE,
    GUARD_DUPLICATE,      /* one identity, different prices on one page */
    GUARD_DRIFTED,        /* the rules found nothing, auto did */
    GUARD_RESERVED_ABOVE, /* who binds himself pays more */
    GUARD_REASONS
};

struct guard_verdict {
    enum guard_reason reason;
    bool is_releasable;   /* a second full fetch releases it */
    struct gt_str detail; /* one sentence with both numbers: "÷8: per-node became per-card"; in the arena */
};

/* Judges one offer against the last good record of the same identity (NULL for a newcomer). */
struct guard_verdict guard_offer(const struct offer *now, const struct offer_record *before, struct arena *arena);

/* A doubt that is open beside the last good record. */
struct guard_doubt {
    const struct offer_record *record;
    enum guard_reason reason;
    bool is_releasable;
    struct gt_str detail;
};

/* What an open unit slip (or a price that no card can have) makes of the verdict on a further record: one that goes on from the
 * doubted record rather than from the last good one (`before`) is under the same doubt, however plain its own move looks. Else a
 * market that moves a little every day would carry a slip past its guard. A newcomer (no
 * `before`) is under a slip's doubt until it moves by the smallest slip. Other doubts leave the verdict as it is. */
struct guard_verdict guard_beside(struct guard_verdict verdict, const struct offer *now, const struct offer_record *before,
                                  const struct guard_doubt *doubt, struct arena *arena);

/* A click that did not register: the offer's price moved by more than a fifth, to exactly that of its neighbour on the page,
 * which is another card. `before` is the last good record, `neighbour` the offer right before or behind; either may be NULL. */
struct guard_verdict guard_neighbour(const struct offer *now, const struct offer_record *before, const struct offer *neighbour,
                                     struct arena *arena);

/* Spot and on demand as rows of their own, told apart by the plan alone: `now` is a spot offer and costs more than `other`, the same
 * thing on demand. Other pairs are none. */
struct guard_verdict guard_spot_row(const struct offer *now, const struct offer *other, struct arena *arena);

/* One offer of a part whose record is another than the last good one of the same identity. */
struct guard_pair {
    const struct offer *now;
    const struct offer_record *before;
};

/* Judges a part by how its prices moved together. Most of them by one and the same factor is somebody's decision (a whole
 * percent, which passes), or a unit's or an exchange rate's: then it doubts the part, as GUARD_UNIT_SLIP. Sees what a single
 * offer does not show: dollars of another country under the same sign, a factor that rounding hides in small prices, rows that
 * are new beside such rows. `unmoved` is how many other offers with a price have the record that stood before. */
struct guard_verdict guard_moves(const struct guard_pair *pairs, size_t count, size_t unmoved, struct arena *arena);

/* Judges a whole part: `rows_before` are the counts of recent good runs, newest first. A verdict doubts every offer of the
 * part. Offers that share their identity are found by whoever finds offers by their identity: GUARD_DUPLICATE concerns only them. */
struct guard_verdict guard_part(const struct offer *offers, size_t count, const int32_t *rows_before, size_t before_count,
                                struct arena *arena);

/* The code of a reason: "unit-slip", "rows-collapsed", … */
const char *guard_reason_code(enum guard_reason reason);

#endif
