/* Two clocks: seconds since 1970 UTC that are stored, and monotonic milliseconds that are compared. Passed as a context,
 * so that tests and --now move time by hand. */
#ifndef GT_COMMON_CLOCK_H
#define GT_COMMON_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct gt_clock {
    bool is_fixed;        /* --now was given: unix_s stands still at fixed_unix_s */
    int64_t fixed_unix_s;
};

/* Now in UTC seconds, or the fixed time. */
int64_t clock_unix_s(const struct gt_clock *clock);

/* Milliseconds since 1970 UTC, real even when unix_s is fixed: for signatures that another machine holds against its own clock. */
int64_t clock_real_ms(void);

/* Milliseconds on a clock that never jumps; the origin means nothing. Real even when unix_s is fixed: waits and
 * time-outs are about the real world. */
int64_t clock_mono_ms(void);

#endif
