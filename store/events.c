#include "store/events.h"

#include <stdio.h>
#include <stdlib.h>

#define EVENT_PREFIX "e\x1F"

enum { TIME_DIGITS = 20 };

const char *event_key_print(int64_t t_unix_s, const char *id, char ret_key[EVENT_KEY_MAX])
{
    /* Times before 1970 do not occur: a clock that far off is told as 1970. */
    snprintf(ret_key, EVENT_KEY_MAX, EVENT_PREFIX "%020lld\x1F%s", (long long)(t_unix_s > 0 ? t_unix_s : 0), id);
    return ret_key;
}

/* The digits that all times of the range begin with, so that a list of a week does not read ten years. */
struct gt_str event_range_prefix(const struct event_range *range, struct arena *arena)
{
    char digits[TIME_DIGITS + 1], last[TIME_DIGITS + 1];
    int common = 0;
    snprintf(digits, sizeof digits, "%020lld", (long long)(range->since_unix_s > 0 ? range->since_unix_s : 0));
    snprintf(last, sizeof last, "%020lld", (long long)(range->until_unix_s > 0 ? range->until_unix_s : 0));
    while (common < TIME_DIGITS && digits[common] == last[common]) common++;
    return arena_printf(arena, EVENT_PREFIX "%.*s", common, digits);
}

/* The time stands in the key in digits of fixed width, so that order of keys is order of time; the value need not be read for that. */
enum gt_err event_range_take(void *ctx, struct gt_str key, struct gt_str value)
{
    const struct event_range *range = ctx;
    char digits[TIME_DIGITS + 1] = "";
    struct gt_str time = gt_str_slice(key, sizeof EVENT_PREFIX - 1, TIME_DIGITS);
    memcpy(digits, time.ptr, time.len);
    int64_t t_unix_s = strtoll(digits, NULL, 10);
    if (t_unix_s < range->since_unix_s || t_unix_s >= range->until_unix_s) return GT_OK;
    return range->fn(range->ctx, t_unix_s, value);
}
