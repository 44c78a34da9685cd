/* Rules and offers that are to be quiet for a while. Internal to alerts/. */
#ifndef GT_ALERTS_SILENCE_H
#define GT_ALERTS_SILENCE_H

#include "alerts/outbox.h"
#include "pricing/query.h"

/* True when the rule, or a query that the subject passes, is silenced at `t_unix_s`. */
enum gt_err silence_is_on(const struct outbox *outbox, struct gt_str rule, const struct query_subject *subject, int64_t t_unix_s,
                          bool *ret_is_on);

/* Silences the rule until then; 0 ends it. */
enum gt_err silence_set(const struct outbox *outbox, struct gt_str rule, int64_t until_unix_s);

/* Silences what passes the query (known to be one) until then; 0 ends it. GT_ELIMIT for more than SILENCE_QUERY_BYTES_MAX bytes. */
enum { SILENCE_QUERY_BYTES_MAX = 400 };
enum gt_err silence_query_set(const struct outbox *outbox, struct gt_str query, int64_t until_unix_s);

/* Every silence that ends after `t_unix_s`: rules, then queries. `fn` as in alerts_silences. */
enum gt_err silence_each(const struct outbox *outbox, int64_t t_unix_s,
                         enum gt_err (*fn)(void *ctx, struct gt_str what, bool is_query, int64_t until_unix_s), void *ctx);

#endif
