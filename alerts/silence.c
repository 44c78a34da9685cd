#include "alerts/silence.h"

#include "common/civil.h"

static struct gt_str silence_key(const struct outbox *outbox, struct gt_str rule)
{
    return arena_printf(outbox->arena, "z\x1F%.*s", GT_STR_ARG(rule));
}

enum gt_err silence_is_on(const struct outbox *outbox, struct gt_str rule, int64_t t_unix_s, bool *ret_is_on)
{
    struct gt_str key = silence_key(outbox, rule), value;
    int64_t until = 0;
    *ret_is_on = false;
    if (key.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_get(outbox, STORE_ALERT_STATE, key, &value);
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_OK) *ret_is_on = civil_parse(value, &until) && t_unix_s < until;
    return err;
}

enum gt_err silence_set(const struct outbox *outbox, struct gt_str rule, int64_t until_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    struct gt_str key = silence_key(outbox, rule), value = {NULL, 0};
    if (key.ptr == NULL) return gt_fail(outbox->info, GT_ENOMEM, "out of memory");
    if (until_unix_s > 0) value = gt_str_from(civil_rfc3339(until_unix_s, text));
    return outbox_value_put(outbox, STORE_ALERT_STATE, key, value);
}
