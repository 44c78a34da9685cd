/* Moves that are no market's: the ratio of two prices is that of two units. */
#ifndef GT_PRICING_GUARD_SLIP_H
#define GT_PRICING_GUARD_SLIP_H

#include <stdbool.h>
#include <stdint.h>

/* The unit that slipped: now = before ÷ factor (is_down) or before × factor. */
struct slip {
    int64_t factor;
    bool is_down;
    const char *words; /* "per-node became per-card"; static */
};

/* True when the ratio is, within one percent and the rounding of the smaller price, that of two units. `cards` are those of
 * the unit sold (0: not known); the smallest factor that fits is named. Both amounts are above 0. */
bool slip_find(int64_t before_nano, int64_t now_nano, int32_t cards, struct slip *ret_slip);

#endif
