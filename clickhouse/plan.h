/* What ClickHouse has, brought into one order: which streams, which runs, and the number that each run gets in the store made of them. */
#ifndef GT_CLICKHOUSE_PLAN_H
#define GT_CLICKHOUSE_PLAN_H

#include "clickhouse/clickhouse.h"

struct plan_run {
    int64_t t_unix_s; /* as the crawler's clock had it; made to go on while the order is sought */
    uint64_t own_seq; /* in the crawler's store: parts of one attempt share it */
    uint64_t seq;     /* in the one that is made */
    uint64_t bytes;   /* of its bodies */
    uint32_t stream, n;
    uint32_t own_stream; /* in the crawler's store: how parts of one attempt follow each other */
};

struct plan_stream {
    uint64_t entity;
    uint32_t epoch, run_count;
    size_t first_run; /* its runs lie together, from this one of the plan's on */
    struct gt_str site, part, provenance, writer;
    uint32_t site_rank; /* among the sites' names */
    uint32_t id;        /* in the store that is made */
};

/* Where a stream lies. */
struct plan_entity {
    uint64_t entity;
    uint32_t place;
};

struct clickhouse_plan {
    struct arena *arena;
    struct plan_stream *streams; /* by site, part, provenance, writer */
    size_t stream_count;
    struct plan_run *runs; /* by stream and n */
    size_t run_count;
    struct plan_entity *by_entity;
    uint32_t *by_id; /* streams; the first has id 1 */
    uint64_t seq_last;
};

/* Asks what there is and decides on the order: by time, then by site, as one crawler commits them; each stream's own order stays. Ends with
 * clickhouse_plan_done, also after a failure. GT_ENOENT when there is
 * nothing; GT_EINCOMPLETE when a stream has gaps; errors of clickhouse_select. */
enum gt_err clickhouse_plan_make(struct clickhouse *server, struct clickhouse_plan *ret_plan, struct gt_errinfo *info);
void clickhouse_plan_done(struct clickhouse_plan *plan);

/* The place of a stream in plan->streams, by entity; SIZE_MAX when there is none. */
size_t clickhouse_plan_find(const struct clickhouse_plan *plan, uint64_t entity);

/* The offers of all streams, in the arena, in the order in which the runs first show them: as a store numbers them. GT_EINCOMPLETE when
 * words are missing; errors of clickhouse_select. */
enum gt_err clickhouse_plan_offers(struct clickhouse *server, const struct clickhouse_plan *plan, struct arena *arena,
                                   struct clickhouse_offer **ret_offers, size_t *ret_count, struct gt_errinfo *info);

/* Adds "(entity, epoch) IN (…)" of `count` streams, which lie in plan->streams where `places` says. */
struct strbuf;
void clickhouse_plan_where(const struct clickhouse_plan *plan, const uint32_t *places, size_t count, struct strbuf *query);

#endif
