/* Rules that are to be quiet for a while. Internal to alerts/. */
#ifndef GT_ALERTS_SILENCE_H
#define GT_ALERTS_SILENCE_H

#include "alerts/outbox.h"

/* True when the rule is silenced at `t_unix_s`. */
enum gt_err silence_is_on(const struct outbox *outbox, struct gt_str rule, int64_t t_unix_s, bool *ret_is_on);

/* Silences the rule until then; 0 ends it. */
enum gt_err silence_set(const struct outbox *outbox, struct gt_str rule, int64_t until_unix_s);

#endif
