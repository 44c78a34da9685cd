/* What a row's `body` holds: the line of an export without the numbers that hold in one store only. What it refers to stands in it by value,
 * runs by their place in the stream. Functions that give JSON give a new reference, NULL when memory is out. */
#ifndef GT_CLICKHOUSE_BODY_H
#define GT_CLICKHOUSE_BODY_H

#include "export/export_shape.h"

struct json_t;

/* The place of run `seq` in its stream, from 1 on; 0 for 0 and for a run that is not in it. */
typedef uint32_t clickhouse_place_fn(const void *ctx, uint64_t seq);

/* The words that a stream and an offer are known by; as text, what their hash is taken of. */
struct json_t *clickhouse_stream_body(const struct stream *stream);
struct json_t *clickhouse_offer_body(struct gt_str site, const struct offer_identity *identity);

/* A run, a change (facts: those that its step refers to, borrowed, or NULL), a stock count (of an offer that is called `offer`; NULL: none),
 * facts. */
struct json_t *clickhouse_run_body(const struct dump_run *run);
struct json_t *clickhouse_change_body(const struct dump_change *change, struct json_t *facts, clickhouse_place_fn *place,
                                      const void *ctx);
struct json_t *clickhouse_stock_body(const struct dump_stock *stock, const char *offer);
struct json_t *clickhouse_facts_body(const struct dump_facts *facts);

#endif
