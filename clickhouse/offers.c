/* Offers in the order in which one crawler would have met them. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "clickhouse/plan.h"
#include "common/strbuf.h"

enum { STREAMS_ASKED_MAX = 250, QUERY_BYTES_MAX = 64 * 1024, PLACE_BITS = 32 };

/* One offer of one stream: a row of `offers`, or where changes first name it. */
struct sight {
    struct clickhouse_offer offer;
    uint64_t seq; /* of the first run that shows it; 0 in rows of `offers` */
    uint32_t own_stream, i;
};

struct sights {
    const struct clickhouse_plan *plan;
    struct arena *arena;
    struct sight *items;
    size_t count, cap;
    struct gt_errinfo *info;
};

/* Words and first sights lie in one list: sorted together, an offer's words come to stand right before its sights. */
static enum gt_err sight_add(struct sights *sights, struct sight sight, const json_t *row)
{
    void *items = sights->items;
    snprintf(sight.offer.digest, sizeof sight.offer.digest, "%s", clickhouse_text(row, "offer"));
    if (!arena_grow(sights->arena, &items, sights->count, &sights->cap, sizeof *sights->items) || sight.offer.body == NULL)
        return gt_fail(sights->info, GT_ENOMEM, "out of memory");
    sights->items = items;
    sights->items[sights->count++] = sight;
    return GT_OK;
}

static enum gt_err words_take(void *ctx, const json_t *row)
{
    struct sights *sights = ctx;
    const struct sight sight = {.offer.body = arena_dup(sights->arena, gt_str_from(clickhouse_text(row, "body"))).ptr};
    return sight_add(sights, sight, row);
}

static enum gt_err first_take(void *ctx, const json_t *row)
{
    struct sights *sights = ctx;
    const struct clickhouse_plan *plan = sights->plan;
    size_t place = clickhouse_plan_find(plan, clickhouse_number(row, "entity"));
    uint64_t first = clickhouse_number(row, "first"), n = first >> PLACE_BITS;
    if (place == SIZE_MAX || n == 0 || n > plan->streams[place].run_count) return GT_OK; /* of a push that did not end */
    const struct plan_run *run = &plan->runs[plan->streams[place].first_run + n - 1];
    return sight_add(sights,
                     (struct sight){.offer.body = "", .seq = run->seq, .own_stream = run->own_stream, .i = (uint32_t)first}, row);
}

/* By first sight; words, which have none, before all. */
static int sight_cmp(const void *left, const void *right)
{
    const struct sight *a = left, *b = right;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    if (a->own_stream != b->own_stream) return a->own_stream < b->own_stream ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

/* Each offer's rows together, in that order. */
static int digest_cmp(const void *left, const void *right)
{
    const struct sight *a = left, *b = right;
    int cmp = strcmp(a->offer.digest, b->offer.digest);
    return cmp != 0 ? cmp : sight_cmp(left, right);
}

/* Two queries a batch. Place and number of a change are folded into one integer, since `min` takes one: the place in the upper half. */
static enum gt_err ask(struct clickhouse *server, struct sights *sights, const uint32_t *places, size_t count)
{
    struct strbuf query;
    strbuf_init(&query, QUERY_BYTES_MAX);
    strbuf_adds(&query, "SELECT offer, body FROM offers FINAL WHERE entity IN (");
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&query, "%s%llu", i > 0 ? ", " : "", (unsigned long long)sights->plan->streams[places[i]].entity);
    strbuf_adds(&query, ")");
    enum gt_err err = query.err == GT_OK ? clickhouse_select(server, query.ptr, words_take, sights, sights->info) : query.err;
    strbuf_clear(&query);
    strbuf_adds(&query,
                "SELECT entity, offer, min(toUInt64(n) * 4294967296 + i) AS first FROM changes FINAL WHERE offer != '' AND ");
    clickhouse_plan_where(sights->plan, places, count, &query);
    strbuf_adds(&query, " GROUP BY entity, offer");
    if (err == GT_OK)
        err = query.err == GT_OK ? clickhouse_select(server, query.ptr, first_take, sights, sights->info) : query.err;
    strbuf_done(&query);
    return err;
}

/* Each offer once: its earliest sight gets the words. What no change names is left out. */
static enum gt_err sights_settle(struct sights *sights)
{
    size_t kept = 0;
    struct sight words = {.offer.body = NULL};
    if (sights->count > 0) qsort(sights->items, sights->count, sizeof *sights->items, digest_cmp);
    for (size_t i = 0; i < sights->count; i++) {
        struct sight sight = sights->items[i];
        if (sight.seq == 0) {
            words = sight;
            continue;
        }
        if (kept > 0 && strcmp(sights->items[kept - 1].offer.digest, sight.offer.digest) == 0) continue;
        if (strcmp(words.offer.digest, sight.offer.digest) != 0)
            return gt_fail(sights->info, GT_EINCOMPLETE,
                           "ClickHouse lacks an offer that changes name: a replica has not caught up");
        sight.offer.body = words.offer.body;
        sights->items[kept++] = sight;
    }
    sights->count = kept;
    if (kept > 0) qsort(sights->items, kept, sizeof *sights->items, sight_cmp);
    return GT_OK;
}

enum gt_err clickhouse_plan_offers(struct clickhouse *server, const struct clickhouse_plan *plan, struct arena *arena,
                                   struct clickhouse_offer **ret_offers, size_t *ret_count, struct gt_errinfo *info)
{
    struct sights sights = {.plan = plan, .arena = arena, .info = info};
    enum gt_err err = GT_OK;
    for (size_t from = 0; from < plan->stream_count && err == GT_OK; from += STREAMS_ASKED_MAX) {
        size_t left = plan->stream_count - from;
        err = ask(server, &sights, &plan->by_id[from], left < STREAMS_ASKED_MAX ? left : STREAMS_ASKED_MAX);
    }
    if (err == GT_OK) err = sights_settle(&sights);
    struct clickhouse_offer *offers = arena_array(arena, sights.count, sizeof *offers);
    if (err != GT_OK) return err;
    if (offers == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < sights.count; i++) offers[i] = sights.items[i].offer;
    *ret_offers = offers;
    *ret_count = sights.count;
    return GT_OK;
}
