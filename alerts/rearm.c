/* `rearm`: whether a rule speaks again of what it has told of. */
#include "alerts/engine.h"

/* A memory of its own, beside the condition's: what was told outlives that the condition ended. */
static struct gt_str rearm_key(struct evaluation *ev, const struct rule *rule, struct gt_str subject)
{
    return memory_key(ev, rule, arena_printf(ev->arena, "told %.*s", GT_STR_ARG(subject)));
}

/* A turn of direction is news; in the same direction the price must go further. */
static bool is_beyond_told(const struct rule *rule, const struct rule_state *told, const struct metric_value *now, bool is_up)
{
    bool was_up = told->count > 0;
    if (was_up != is_up || !now->is_known || !currency_eq(told->currency, now->currency)) return true;
    if ((now->nano > told->alerted_nano) != is_up) return false;
    return money_moved(told->alerted_nano, now->nano, rule->rearm_percent_nano) != 0;
}

/* REARM_ONCE is what is left: told once, it stays closed. */
enum gt_err rearm_is_open(struct evaluation *ev, const struct rule *rule, struct gt_str subject, const struct metric_value *now,
                          bool is_up, bool *ret_is_open)
{
    struct rule_state told;
    bool is_known;
    *ret_is_open = true;
    if (rule->rearm == REARM_ALWAYS) return GT_OK;
    enum gt_err err = memory_load(ev, rearm_key(ev, rule, subject), &told, &is_known);
    if (err != GT_OK || !is_known) return err;
    if (rule->rearm == REARM_AFTER) *ret_is_open = ev->t_unix_s - told.since_unix_s >= rule->rearm_s;
    else *ret_is_open = rule->rearm == REARM_EXTREME && is_beyond_told(rule, &told, now, is_up);
    return GT_OK;
}

/* The sign of `count` holds the direction; a rule state has no field for it, and 0 means that nothing was told. */
enum gt_err rearm_note(struct evaluation *ev, const struct rule *rule, struct gt_str subject, const struct metric_value *told, bool is_up)
{
    struct rule_state state = {.since_unix_s = ev->t_unix_s, .count = is_up ? 1 : -1};
    if (rule->rearm == REARM_ALWAYS) return GT_OK;
    if (told->is_known) {
        state.alerted_nano = told->nano;
        state.currency = told->currency;
    }
    return memory_save(ev, rearm_key(ev, rule, subject), &state);
}
