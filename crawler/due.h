/* When a site is due, and when a host may be asked again after trouble. Pure, with the texts that the memory keeps. */
#ifndef GT_CRAWLER_DUE_H
#define GT_CRAWLER_DUE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/str.h"

enum {
    DUE_SLACK_MAX_S = 300,     /* cron does not start to the second: a twentieth of `every`, at most this, counts as due */
    BREAKER_FAILURES = 3,      /* failures of a host in a row before it is left alone … */
    BREAKER_FIRST_S = 15 * 60, /* … for so long, twice as long with each further one … */
    BREAKER_MAX_S = 6 * 3600,  /* … up to this */
};

/* The last attempt at a site: table "pages", key "site:NAME". */
struct attempt {
    int64_t last_unix_s;
    int32_t failures; /* in a row, this one counted */
};

/* True when the site is due at `now`. After a failure it is due again after a quarter of `every`. An attempt that lies in the
 * future (a clock that was wrong) does not count. ret_due_unix_s: when it will be. */
bool due_site(const struct attempt *last, int64_t every_ms, int64_t now_unix_s, int64_t *ret_due_unix_s);

/* The text of an attempt, in the arena; empty with NULL ptr when that is full. */
struct gt_str attempt_print(const struct attempt *attempt, struct arena *arena);

/* Reads it back. False for what is none. */
bool attempt_parse(struct gt_str text, struct attempt *ret_attempt);

/* What is known of a host: table "hosts", key its name. */
struct host_memory {
    int64_t last_unix_s;       /* of the last request */
    int64_t not_before_unix_s; /* Retry-After or the breaker; 0: none */
    int32_t failures;          /* in a row */
};

/* The text of it, in the arena; empty with NULL ptr when that is full. */
struct gt_str host_memory_print(const struct host_memory *memory, struct arena *arena);

/* Reads it back. False for what is none. */
bool host_memory_parse(struct gt_str text, struct host_memory *ret_memory);

/* True when the host must be left alone at `now`. A moment more than a day ahead is a wrong clock's and does not count. */
bool due_host_waits(const struct host_memory *memory, int64_t now_unix_s);

/* Notes a failure. retry_after_s is what the host asked for (-1: nothing); is_overloaded: it answered 429 or 503, so the
 * breaker opens at once. */
void due_host_failed(struct host_memory *memory, bool is_overloaded, int64_t retry_after_s, int64_t now_unix_s);

/* The wait before attempt number `attempt` + 1 (attempt: 1, 2, …): base, doubled each time, up to a quarter more or less by
 * `seed`. */
int64_t due_backoff_ms(int64_t base_ms, int attempt, uint64_t seed);

#endif
