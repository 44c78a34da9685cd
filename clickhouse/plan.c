#include "clickhouse/plan.h"

#include <stdlib.h>
#include <string.h>

#include "common/strbuf.h"

/* RUNS_ASKED_MAX: of one query, so that its answer stays well below what the client takes. */
enum { RUNS_ASKED_MAX = 200000, STREAMS_ASKED_MAX = 500, QUERY_BYTES_MAX = 128 * 1024 };

#define PLAN_ARENA_MAX ((size_t)4 << 30)

/* What a query's rows are put into. */
struct reading {
    struct clickhouse_plan *plan;
    size_t stream_cap;
    struct gt_errinfo *info;
};

static struct gt_str text_of(struct clickhouse_plan *plan, const struct json_t *row, const char *column)
{
    return arena_dup(plan->arena, gt_str_from(clickhouse_text(row, column)));
}

/* ---- streams ---- */

/* One epoch; which of a stream's epochs counts is settled once all have come. */
static enum gt_err stream_take(void *ctx, const struct json_t *row)
{
    struct reading *reading = ctx;
    struct clickhouse_plan *plan = reading->plan;
    void *streams = plan->streams;
    if (!arena_grow(plan->arena, &streams, plan->stream_count, &reading->stream_cap, sizeof *plan->streams))
        return gt_fail(reading->info, GT_ENOMEM, "out of memory");
    plan->streams = streams;
    struct plan_stream *stream = &plan->streams[plan->stream_count++];
    *stream = (struct plan_stream){.entity = clickhouse_number(row, "entity"),
                                   .epoch = (uint32_t)clickhouse_number(row, "epoch"),
                                   .run_count = (uint32_t)clickhouse_number(row, "runs"),
                                   .site = text_of(plan, row, "site"),
                                   .part = text_of(plan, row, "part"),
                                   .provenance = text_of(plan, row, "provenance"),
                                   .writer = text_of(plan, row, "writer")};
    if (stream->writer.ptr == NULL) return gt_fail(reading->info, GT_ENOMEM, "out of memory");
    return GT_OK;
}

/* By name; of one stream the highest epoch first. */
static int stream_cmp(const void *left, const void *right)
{
    const struct plan_stream *a = left, *b = right;
    int cmp = gt_str_cmp(a->site, b->site);
    if (cmp == 0) cmp = gt_str_cmp(a->part, b->part);
    if (cmp == 0) cmp = gt_str_cmp(a->provenance, b->provenance);
    if (cmp == 0) cmp = gt_str_cmp(a->writer, b->writer);
    if (cmp == 0) cmp = (a->entity > b->entity) - (a->entity < b->entity);
    return cmp != 0 ? cmp : (a->epoch < b->epoch) - (a->epoch > b->epoch);
}

/* Leaves the streams' older epochs out, and notes whose names come first. */
static void streams_settle(struct clickhouse_plan *plan)
{
    size_t kept = 0;
    if (plan->stream_count > 0) qsort(plan->streams, plan->stream_count, sizeof *plan->streams, stream_cmp);
    for (size_t i = 0; i < plan->stream_count; i++) {
        struct plan_stream *last = kept > 0 ? &plan->streams[kept - 1] : NULL;
        if (last != NULL && last->entity == plan->streams[i].entity) continue;
        uint32_t rank = last == NULL ? 0 : last->site_rank + !gt_str_eq(last->site, plan->streams[i].site);
        plan->streams[kept] = plan->streams[i];
        plan->streams[kept].site_rank = rank;
        plan->streams[kept++].first_run = plan->run_count;
        plan->run_count += plan->streams[i].run_count;
    }
    plan->stream_count = kept;
}

static int entity_cmp(const void *left, const void *right)
{
    const struct plan_entity *a = left, *b = right;
    return (a->entity > b->entity) - (a->entity < b->entity);
}

size_t clickhouse_plan_find(const struct clickhouse_plan *plan, uint64_t entity)
{
    const struct plan_entity wanted = {.entity = entity}, *found = NULL;
    if (plan->stream_count > 0) found = bsearch(&wanted, plan->by_entity, plan->stream_count, sizeof wanted, entity_cmp);
    return found != NULL ? found->place : SIZE_MAX;
}

/* `any` is exact here: the entity is a hash of the four words, so that all rows of a group have the same. */
static enum gt_err streams_read(struct clickhouse *server, struct clickhouse_plan *plan, struct gt_errinfo *info)
{
    static const char query[] =
        "SELECT entity, epoch, count() AS runs, any(site) AS site, any(part) AS part, any(provenance) AS provenance,"
        " any(writer) AS writer FROM runs FINAL GROUP BY entity, epoch";
    struct reading reading = {.plan = plan, .info = info};
    enum gt_err err = clickhouse_select(server, query, stream_take, &reading, info);
    if (err != GT_OK) return err;
    streams_settle(plan);
    plan->runs = arena_array(plan->arena, plan->run_count, sizeof *plan->runs);
    plan->by_entity = arena_array(plan->arena, plan->stream_count, sizeof *plan->by_entity);
    plan->by_id = arena_array(plan->arena, plan->stream_count, sizeof *plan->by_id);
    if (plan->runs == NULL || plan->by_entity == NULL || plan->by_id == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < plan->stream_count; i++) {
        plan->by_entity[i] = (struct plan_entity){plan->streams[i].entity, (uint32_t)i};
        plan->by_id[i] = (uint32_t)i;
    }
    if (plan->stream_count > 0) qsort(plan->by_entity, plan->stream_count, sizeof *plan->by_entity, entity_cmp);
    return GT_OK;
}

/* ---- runs ---- */

void clickhouse_plan_where(const struct clickhouse_plan *plan, const uint32_t *places, size_t count, struct strbuf *query)
{
    strbuf_adds(query, "(entity, epoch) IN (");
    for (size_t i = 0; i < count; i++) {
        const struct plan_stream *stream = &plan->streams[places[i]];
        strbuf_addf(query, "%s(%llu, %u)", i > 0 ? ", " : "", (unsigned long long)stream->entity, (unsigned)stream->epoch);
    }
    strbuf_adds(query, ")");
}

static enum gt_err run_take(void *ctx, const struct json_t *row)
{
    struct reading *reading = ctx;
    struct clickhouse_plan *plan = reading->plan;
    size_t place = clickhouse_plan_find(plan, clickhouse_number(row, "entity"));
    uint64_t n = clickhouse_number(row, "n");
    /* a run that came since the streams were counted waits for the next reading */
    if (place == SIZE_MAX || n == 0 || n > plan->streams[place].run_count) return GT_OK;
    plan->runs[plan->streams[place].first_run + n - 1] =
        (struct plan_run){.t_unix_s = strtoll(clickhouse_text(row, "t"), NULL, 10),
                          .own_seq = clickhouse_number(row, "seq"),
                          .own_stream = (uint32_t)clickhouse_number(row, "own_stream"),
                          .bytes = clickhouse_number(row, "bytes"),
                          .stream = (uint32_t)place,
                          .n = (uint32_t)n};
    return GT_OK;
}

/* The runs of some streams. */
static enum gt_err runs_ask(struct clickhouse *server, struct reading *reading, const uint32_t *places, size_t count)
{
    struct strbuf query;
    strbuf_init(&query, QUERY_BYTES_MAX);
    strbuf_adds(&query, "SELECT entity, n, toString(t_unix_s) AS t, seq, own_stream, bytes FROM runs FINAL WHERE ");
    clickhouse_plan_where(reading->plan, places, count, &query);
    enum gt_err err = query.err == GT_OK ? clickhouse_select(server, query.ptr, run_take, reading, reading->info)
                                         : gt_fail(reading->info, query.err, "a query is too long");
    strbuf_done(&query);
    return err;
}

/* By batches of streams, so that an answer stays far below what the client takes; the count then shows whether each place of each stream was
 * filled. */
static enum gt_err runs_read(struct clickhouse *server, struct clickhouse_plan *plan, struct gt_errinfo *info)
{
    struct reading reading = {.plan = plan, .info = info};
    enum gt_err err = GT_OK;
    for (size_t from = 0, count; from < plan->stream_count && err == GT_OK; from += count) {
        size_t runs = 0;
        for (count = 0; from + count < plan->stream_count && count < STREAMS_ASKED_MAX; count++) {
            runs += plan->streams[plan->by_id[from + count]].run_count;
            if (count > 0 && runs > RUNS_ASKED_MAX) break;
        }
        err = runs_ask(server, &reading, &plan->by_id[from], count);
    }
    for (size_t i = 0; i < plan->run_count && err == GT_OK; i++)
        if (plan->runs[i].n == 0)
            err = gt_fail(info, GT_EINCOMPLETE, "ClickHouse lacks runs of a listing: a push or a replica has not finished");
    return err;
}

/* ---- one order ---- */

/* A clock that was set back moves no run before the one that it followed, nor do the numbers of another store. */
static void runs_straighten(struct clickhouse_plan *plan)
{
    for (size_t i = 1; i < plan->run_count; i++) {
        struct plan_run *run = &plan->runs[i];
        if (run->n == 1) continue;
        if (run->t_unix_s < run[-1].t_unix_s) run->t_unix_s = run[-1].t_unix_s;
        if (run->own_seq <= run[-1].own_seq) run->own_seq = run[-1].own_seq + 1;
    }
}

/* By time, site, attempt, stream, and place in it. */
static int run_cmp(const void *left, const void *right, void *ctx)
{
    const struct clickhouse_plan *plan = ctx;
    const struct plan_run *a = &plan->runs[*(const uint32_t *)left], *b = &plan->runs[*(const uint32_t *)right];
    uint32_t site_a = plan->streams[a->stream].site_rank, site_b = plan->streams[b->stream].site_rank;
    if (a->t_unix_s != b->t_unix_s) return a->t_unix_s < b->t_unix_s ? -1 : 1;
    if (site_a != site_b) return site_a < site_b ? -1 : 1;
    if (a->own_seq != b->own_seq) return a->own_seq < b->own_seq ? -1 : 1;
    if (a->own_stream != b->own_stream) return a->own_stream < b->own_stream ? -1 : 1;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

/* Parts of one attempt have one number. */
static bool is_same_attempt(const struct clickhouse_plan *plan, const struct plan_run *a, const struct plan_run *b)
{
    return a->t_unix_s == b->t_unix_s && a->own_seq == b->own_seq &&
           plan->streams[a->stream].site_rank == plan->streams[b->stream].site_rank;
}

/* Numbers the runs, and the streams in the order in which they began. */
static enum gt_err order_decide(struct clickhouse_plan *plan, struct gt_errinfo *info)
{
    uint32_t *order = arena_array(plan->arena, plan->run_count, sizeof *order), ids = 0;
    if (order == NULL || plan->run_count > UINT32_MAX) return gt_fail(info, GT_ENOMEM, "out of memory");
    runs_straighten(plan);
    for (size_t i = 0; i < plan->run_count; i++) order[i] = (uint32_t)i;
    qsort_r(order, plan->run_count, sizeof *order, run_cmp, plan);
    for (size_t i = 0; i < plan->run_count; i++) {
        struct plan_run *run = &plan->runs[order[i]];
        struct plan_stream *stream = &plan->streams[run->stream];
        if (i == 0 || !is_same_attempt(plan, run, &plan->runs[order[i - 1]])) plan->seq_last++;
        run->seq = plan->seq_last;
        if (run->n != 1) continue;
        plan->by_id[ids++] = run->stream;
        stream->id = ids;
    }
    return GT_OK;
}

/* Order is decided before anything is filled in: a store numbers runs as they come and takes none back. */
enum gt_err clickhouse_plan_make(struct clickhouse *server, struct clickhouse_plan *ret_plan, struct gt_errinfo *info)
{
    *ret_plan = (struct clickhouse_plan){.arena = arena_new(PLAN_ARENA_MAX)};
    if (ret_plan->arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = streams_read(server, ret_plan, info);
    if (err == GT_OK && ret_plan->stream_count == 0) err = gt_fail(info, GT_ENOENT, "nothing was pushed to ClickHouse yet");
    if (err == GT_OK) err = runs_read(server, ret_plan, info);
    return err == GT_OK ? order_decide(ret_plan, info) : err;
}

void clickhouse_plan_done(struct clickhouse_plan *plan)
{
    arena_free(plan->arena);
    *plan = (struct clickhouse_plan){.arena = NULL};
}
