/* What rules remember, in STORE_ALERT_STATE, within the run's transaction. */
#include "alerts/engine.h"

/* The rule's id is a digest of what it asks: a rule that was rewritten begins with an empty memory under its old name. */
struct gt_str memory_key(struct evaluation *ev, const struct rule *rule, struct gt_str what)
{
    struct gt_str site = ev->run != NULL ? ev->run->site : GT_STR("");
    return arena_printf(ev->arena, "s\x1F%.*s\x1F%s\x1F%.*s\x1F%.*s", GT_STR_ARG(rule->name), rule->id, GT_STR_ARG(site),
                        GT_STR_ARG(what));
}

/* What was never saved parses as zeroes: the state of a rule that has seen nothing. */
enum gt_err memory_load(struct evaluation *ev, struct gt_str key, struct rule_state *ret_state, bool *ret_is_known)
{
    struct gt_str value = {NULL, 0};
    if (key.ptr == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_get(&ev->outbox, STORE_ALERT_STATE, key, &value);
    if (err != GT_OK && err != GT_ENOENT) return err;
    *ret_is_known = err == GT_OK;
    err = state_parse(value, ev->arena, ret_state);
    return err == GT_OK ? GT_OK : gt_fail(ev->info, err, "the state of an alert rule: %s", gt_err_text(err));
}

enum gt_err memory_save(struct evaluation *ev, struct gt_str key, const struct rule_state *state)
{
    struct gt_str text = state_print(state, ev->arena);
    if (text.ptr == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    return outbox_value_put(&ev->outbox, STORE_ALERT_STATE, key, text);
}

enum gt_err memory_drop(struct evaluation *ev, struct gt_str key)
{
    return outbox_value_put(&ev->outbox, STORE_ALERT_STATE, key, (struct gt_str){NULL, 0});
}
