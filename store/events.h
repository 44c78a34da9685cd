/* Where the events that alerts record lie in STORE_OUTBOX, so that reports read what alerts/ writes:
 *
 *   e US time US id   the event's JSON (alerts/README.md lists its fields); time is twenty digits of UTC seconds, US the byte 1F
 */
#ifndef GT_STORE_EVENTS_H
#define GT_STORE_EVENTS_H

#include "store/store.h"

enum { EVENT_KEY_MAX = 96 };

/* The key of an event. Returns `ret_key`. */
const char *event_key_print(int64_t t_unix_s, const char *id, char ret_key[EVENT_KEY_MAX]);

/* Events of [since, until), given to `fn` by time, then id; texts live for the call. Anything but GT_OK ends it. */
typedef enum gt_err event_fn(void *ctx, int64_t t_unix_s, struct gt_str json);
struct event_range {
    int64_t since_unix_s, until_unix_s;
    event_fn *fn;
    void *ctx;
};

/* What all keys of the range begin with, in the arena: for store_each and event_range_take together. NULL ptr when memory is out. */
struct gt_str event_range_prefix(const struct event_range *range, struct arena *arena);

/* Hands an entry of the table on when it is in the range (`ctx`): a prefix may take in more. */
enum gt_err event_range_take(void *ctx, struct gt_str key, struct gt_str value);

#endif
