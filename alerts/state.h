/* What a rule remembers of one offer (or class, or source). Internal to alerts/.
 *
 * Kept in STORE_ALERT_STATE as one line of text, written in the transaction of the run. Most rules remember nothing of most
 * offers: the run's own change has both prices. */
#ifndef GT_ALERTS_STATE_H
#define GT_ALERTS_STATE_H

#include "alerts/rule.h"

enum {
    STATE_STEPS_MAX = 512, /* price changes within a median's window; the oldest go first */
    STATE_KEY_MAX = 512,
};

/* A price from a moment on; 0 where the offer was not to be had (or had no exact price). */
struct state_step {
    int64_t t_unix_s;
    int64_t nano;
};

struct rule_state {
    struct currency currency; /* of `alerted` and the steps */
    int64_t alerted_nano;     /* what was last told, or the first price seen; 0: nothing yet */
    bool is_beyond;           /* the condition held when last looked at: it fires when it begins to hold, not while it does */
    int32_t count;            /* runs in a row, for sources and classes */
    int64_t since_unix_s;     /* of the first of them */
    uint32_t fired;           /* how often */
    struct state_step *steps; /* by time, in the arena */
    size_t step_count;
};

/* Reads a state; a fresh one from an empty text. GT_ECORRUPT; GT_ENOMEM. */
enum gt_err state_parse(struct gt_str text, struct arena *arena, struct rule_state *ret_state);

/* Writes a state. An empty text with NULL ptr when memory is out. */
struct gt_str state_print(const struct rule_state *state, struct arena *arena);

/* Notes the price at a moment, drops what ended before `since_unix_s`. GT_ENOMEM. */
enum gt_err state_step_add(struct rule_state *state, int64_t t_unix_s, int64_t nano, int64_t since_unix_s, struct arena *arena);

/* The lowest (is_high: the highest) price in [since, until). 0 when prices are known for less than half of the window: too little history has
 * none. */
int64_t state_low(const struct rule_state *state, bool is_high, int64_t since_unix_s, int64_t until_unix_s);

/* The price that stood for half of the time in [since, until), weighted by how long each stood; moments without a price do not
 * count. 0 when prices are known for less than half of the window: too little history has no median. GT_ENOMEM. */
enum gt_err state_median(const struct rule_state *state, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena,
                         int64_t *ret_nano);

#endif
