/* What a store has and ClickHouse has not. The store is dumped once; each stream is held against the last run of it that is there, by a digest
 * over all runs up to that one. Where they agree, what comes after is sent. Where not, the stream was written anew here, and is sent whole in a
 * second dump, or it was crawled by somebody else too, and is left alone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "clickhouse/body.h"
#include "clickhouse/clickhouse.h"
#include "clickhouse/rows.h"
#include "common/digest.h"

enum {
    PUSH_ARENA_MAX = 1 << 30, /* marks of all streams */
    STREAM_ARENA_MAX = 1 << 30, /* spans of one */
    QUERY_MAX = 512,
    SEND_BYTES = CLICKHOUSE_BLOCK_BYTES / 4
};

/* What ClickHouse has of a stream. */
struct mark {
    uint64_t entity;
    uint32_t epoch, runs;
    char digest[CLICKHOUSE_DIGEST_MAX]; /* up to the last run */
};

/* A run of the stream in hand. */
struct push_run {
    uint64_t seq, key;
    int64_t t_unix_s;
};

/* How the stream in hand stands. */
enum push_state {
    PUSH_PASSED_OVER, /* in the second dump: one that need not be sent anew */
    PUSH_COMPARES,    /* what is there already */
    PUSH_SENDS,       /* what is not */
    PUSH_DIFFERS,
};

struct push {
    struct clickhouse_rows rows;
    struct clickhouse_pushed done;
    struct gt_errinfo *info;
    struct gt_errinfo refusal; /* of the first stream that was left alone */
    struct arena *arena;       /* marks, facts, offers: for the whole push */
    struct mark *marks;        /* by entity */
    size_t mark_count, mark_cap;
    uint64_t *anew; /* entities to be sent whole */
    size_t anew_count, anew_cap;
    bool is_second;
    json_t **facts; /* by id */
    size_t facts_count, facts_cap;
    struct clickhouse_offer *offers; /* by id */
    size_t offer_count, offer_cap;
    /* the stream in hand */
    struct arena *stream_arena;
    uint32_t stream_id;
    struct stream stream;
    struct mark mark;
    enum push_state state;
    struct push_run *runs;
    size_t run_count, run_cap;
    bool *touched; /* offers of which something was sent */
    char digest[CLICKHOUSE_DIGEST_MAX];
    /* the run in hand: borrowed things are gone by the time it ends, so its row alone is kept */
    bool has_run;
    struct dump_run run;
    json_t *run_body;
    uint32_t change_count;
    struct strbuf text; /* what its digest is taken of: the digest before, its changes, itself */
};

static enum gt_err no_memory(struct push *push)
{
    return gt_fail(push->info, GT_ENOMEM, "out of memory");
}

/* Structs that begin with such a key can be looked for by it. */
static int key_cmp(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* ---- what ClickHouse has ---- */

/* One epoch of one stream as it lies there. Its last digest is worth something only when no run before it is missing. */
static enum gt_err mark_take(void *ctx, const json_t *row)
{
    struct push *push = ctx;
    void *marks = push->marks;
    struct mark mark = {.entity = clickhouse_number(row, "entity"), .epoch = (uint32_t)clickhouse_number(row, "epoch")};
    uint64_t runs = clickhouse_number(row, "runs"), last = clickhouse_number(row, "last");
    snprintf(mark.digest, sizeof mark.digest, "%s", clickhouse_text(row, "digest"));
    /* a block that came in part: what is missing is sent again with all the rest */
    mark.runs = runs == last ? (uint32_t)runs : 0;
    if (!arena_grow(push->arena, &marks, push->mark_count, &push->mark_cap, sizeof mark)) return no_memory(push);
    push->marks = marks;
    push->marks[push->mark_count++] = mark;
    return GT_OK;
}

/* By entity; the highest epoch first. */
static int mark_cmp(const void *left, const void *right)
{
    const struct mark *a = left, *b = right;
    if (a->entity != b->entity) return a->entity < b->entity ? -1 : 1;
    return (a->epoch < b->epoch) - (a->epoch > b->epoch);
}

/* A stream that was written anew has several epochs; the highest is the one that counts for every reader, so the others are no marks. */
static enum gt_err marks_read(struct push *push)
{
    static const char query[] =
        "SELECT entity, epoch, count() AS runs, max(n) AS last, argMax(digest, n) AS digest FROM runs FINAL"
        " GROUP BY entity, epoch";
    size_t kept = 0;
    enum gt_err err = clickhouse_select(push->rows.server, query, mark_take, push, push->info);
    if (err != GT_OK || push->mark_count == 0) return err;
    qsort(push->marks, push->mark_count, sizeof *push->marks, mark_cmp);
    for (size_t i = 0; i < push->mark_count; i++)
        if (kept == 0 || push->marks[kept - 1].entity != push->marks[i].entity) push->marks[kept++] = push->marks[i];
    push->mark_count = kept;
    return GT_OK;
}

/* The newest mark of a stream; none: epoch 1, nothing there. */
static struct mark mark_of(const struct push *push, uint64_t entity)
{
    const struct mark *found =
        push->mark_count > 0 ? bsearch(&entity, push->marks, push->mark_count, sizeof *found, key_cmp) : NULL;
    return found != NULL ? *found : (struct mark){.entity = entity, .epoch = 1};
}

/* ---- a stream that is not what ClickHouse has ---- */

/* Runs of the stream in hand by what they are known by, and whether each that is there is one of them. */
struct ours {
    uint64_t *keys;
    size_t count;
    bool are_all;
};

/* What a run is known by wherever it is read again: the record of its page in the archive, else when it began. */
static uint64_t run_key(struct gt_str record_id, int64_t t_unix_s)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, t_unix_s);
    return digest_check64(record_id.len > 0 ? record_id : gt_str_from(text));
}

static enum gt_err key_take(void *ctx, const json_t *row)
{
    struct ours *ours = ctx;
    uint64_t key = run_key(gt_str_from(clickhouse_text(row, "id")), strtoll(clickhouse_text(row, "t"), NULL, 10));
    ours->are_all = ours->are_all && bsearch(&key, ours->keys, ours->count, sizeof key, key_cmp) != NULL;
    return GT_OK;
}

/* Whether each run that is there is one of those here: the stream was written anew, and loses nothing when it is sent so. */
static enum gt_err runs_are_ours(struct push *push, bool *ret_are_ours)
{
    char query[QUERY_MAX];
    struct ours ours = {arena_array(push->stream_arena, push->run_count, sizeof *ours.keys), push->run_count, true};
    if (ours.keys == NULL) return no_memory(push);
    for (size_t i = 0; i < push->run_count; i++) ours.keys[i] = push->runs[i].key;
    qsort(ours.keys, ours.count, sizeof *ours.keys, key_cmp);
    snprintf(
        query, sizeof query,
        "SELECT toString(t_unix_s) AS t, visitParamExtractString(body, 'record_id') AS id FROM runs FINAL WHERE entity = %" PRIu64
        " AND epoch = %" PRIu32,
        push->mark.entity, push->mark.epoch);
    enum gt_err err = clickhouse_select(push->rows.server, query, key_take, &ours, push->info);
    *ret_are_ours = ours.are_all;
    return err;
}

static enum gt_err digest_take(void *ctx, const json_t *row)
{
    snprintf(ctx, CLICKHOUSE_DIGEST_MAX, "%s", clickhouse_text(row, "digest"));
    return GT_OK;
}

/* Fewer runs here than there: the same stream, before another crawler took it over? */
static enum gt_err compare_shorter(struct push *push)
{
    char query[QUERY_MAX], digest[CLICKHOUSE_DIGEST_MAX] = "";
    snprintf(query, sizeof query, "SELECT digest FROM runs FINAL WHERE entity = %" PRIu64 " AND epoch = %" PRIu32 " AND n = %zu",
             push->mark.entity, push->mark.epoch, push->run_count);
    enum gt_err err = clickhouse_select(push->rows.server, query, digest_take, digest, push->info);
    if (err == GT_OK && strcmp(digest, push->digest) != 0) push->state = PUSH_DIFFERS;
    return err;
}

/* To be sent whole, or left alone. */
static enum gt_err differing_end(struct push *push)
{
    bool are_ours = false;
    enum gt_err err = runs_are_ours(push, &are_ours);
    void *anew = push->anew;
    if (err != GT_OK) return err;
    if (!are_ours) {
        if (push->done.streams_refused++ == 0)
            gt_fail(&push->refusal, GT_EREFUSED,
                    "%.*s was crawled from another data folder, too: ClickHouse has runs of it that this one has not",
                    GT_STR_ARG(push->stream.site));
        return GT_OK;
    }
    if (!arena_grow(push->arena, &anew, push->anew_count, &push->anew_cap, sizeof *push->anew)) return no_memory(push);
    push->anew = anew;
    push->anew[push->anew_count++] = push->mark.entity;
    push->done.streams_rewritten++;
    return GT_OK;
}

/* ---- runs ---- */

/* The place of a run in the stream in hand. */
static uint32_t place_of(const void *ctx, uint64_t seq)
{
    const struct push *push = ctx;
    const struct push_run *run = push->run_count > 0 ? bsearch(&seq, push->runs, push->run_count, sizeof *run, key_cmp) : NULL;
    return run != NULL ? (uint32_t)(run - push->runs) + 1 : 0;
}

static struct clickhouse_entity entity_of(const struct push *push)
{
    return (struct clickhouse_entity){push->mark.entity, push->mark.epoch, &push->stream};
}

/* The first time that something is sent of an offer in this stream, its words go along. */
static enum gt_err offer_touch(struct push *push, uint32_t offer, const struct offer_identity *identity)
{
    struct clickhouse_entity of = entity_of(push);
    if (offer == 0 || push->touched[offer]) return GT_OK;
    push->touched[offer] = true;
    return clickhouse_offer_add(&push->rows, &of, &push->offers[offer], identity);
}

/* Sends the tables that runs refer to once there is much. */
static enum gt_err send_when_full(struct push *push)
{
    for (int table = 0; table < TABLE_RUNS; table++)
        if (push->rows.blocks[table].len > CLICKHOUSE_BLOCK_BYTES)
            return clickhouse_rows_send(&push->rows, TABLE_RUNS, push->info);
    return GT_OK;
}

/* Every change goes into the digest, sent or not: that is what the two sides are compared by. */
static enum gt_err on_change(struct push *push, const struct dump_change *item)
{
    uint32_t offer = item->step.offer;
    struct clickhouse_entity of = entity_of(push);
    if (push->state == PUSH_PASSED_OVER) return GT_OK;
    if (offer >= push->offer_count) return gt_fail(push->info, GT_ECORRUPT, "a change of an offer that is none");
    json_t *facts = item->step.code == STEP_FACTS && item->step.after < push->facts_count ? push->facts[item->step.after] : NULL;
    json_t *value = clickhouse_change_body(item, facts, place_of, push);
    char *body = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    enum gt_err err = body != NULL ? GT_OK : GT_ENOMEM;
    if (err == GT_OK) strbuf_adds(&push->text, body);
    if (err == GT_OK && push->state == PUSH_SENDS) err = offer_touch(push, offer, &item->identity);
    const char *called = offer != 0 ? push->offers[offer].digest : NULL;
    if (err == GT_OK && push->state == PUSH_SENDS)
        err = clickhouse_change_add(&push->rows, &of, item, (uint32_t)push->run_count, push->change_count, called, body);
    push->change_count++;
    free(body);
    json_decref(value);
    return err == GT_OK ? send_when_full(push) : gt_fail(push->info, err, "a change cannot be sent: %s", gt_err_text(err));
}

/* Stock counts are part of the run that saw them. */
static enum gt_err on_stock(struct push *push, const struct dump_stock *item)
{
    if (push->state == PUSH_PASSED_OVER) return GT_OK;
    if (item->offer >= push->offer_count) return gt_fail(push->info, GT_ECORRUPT, "a stock count of an offer that is none");
    json_t *stocks = json_object_get(push->run_body, "stocks");
    if (stocks == NULL && json_object_set_new(push->run_body, "stocks", json_array()) == 0)
        stocks = json_object_get(push->run_body, "stocks");
    json_t *stock = clickhouse_stock_body(item, item->offer != 0 ? push->offers[item->offer].digest : NULL);
    return json_array_append_new(stocks, stock) == 0 ? GT_OK : no_memory(push);
}

/* The run in hand is whole: it is compared or sent. */
static enum gt_err run_end(struct push *push)
{
    if (!push->has_run) return GT_OK;
    char *body = json_dumps(push->run_body, JSON_COMPACT);
    if (body != NULL) strbuf_adds(&push->text, body);
    struct clickhouse_entity of = entity_of(push);
    const struct clickhouse_run run = {(uint32_t)push->run_count, push->change_count, push->text.len, push->digest, body};
    enum gt_err err = body != NULL ? push->text.err : GT_ENOMEM;
    if (err == GT_OK) err = clickhouse_digest(strbuf_str(&push->text), push->digest);
    if (err == GT_OK && push->state == PUSH_SENDS) {
        err = clickhouse_run_add(&push->rows, &of, &push->run, &run);
        push->done.runs++;
        push->done.changes += push->change_count;
        /* the first time, a long stream may arrive in pieces; sent anew, it takes the old one's place at once */
        if (err == GT_OK && !push->is_second && push->rows.blocks[TABLE_RUNS].len > CLICKHOUSE_BLOCK_BYTES)
            err = clickhouse_rows_send(&push->rows, CLICKHOUSE_TABLES, push->info);
    }
    if (push->state == PUSH_COMPARES && push->run_count == push->mark.runs)
        push->state = strcmp(push->digest, push->mark.digest) == 0 ? PUSH_SENDS : PUSH_DIFFERS;
    free(body);
    json_decref(push->run_body);
    push->run_body = NULL;
    push->has_run = false;
    return err == GT_OK ? GT_OK : gt_fail(push->info, err, "a run cannot be sent: %s", gt_err_text(err));
}

/* The digest of a run begins with that of the run before, so that one comparison says that all before it agree. */
static enum gt_err run_begin(struct push *push, const struct dump_run *item)
{
    void *runs = push->runs;
    if (!arena_grow(push->stream_arena, &runs, push->run_count, &push->run_cap, sizeof *push->runs)) return no_memory(push);
    push->runs = runs;
    push->runs[push->run_count++] =
        (struct push_run){item->row.seq, run_key(item->record_id, item->row.t_unix_s), item->row.t_unix_s};
    if (push->state == PUSH_PASSED_OVER) return GT_OK;
    push->run = *item;
    push->change_count = 0;
    strbuf_clear(&push->text);
    strbuf_adds(&push->text, push->digest);
    push->run_body = clickhouse_run_body(item);
    push->has_run = true;
    return push->run_body != NULL ? GT_OK : no_memory(push);
}

/* Those of which something was sent have a new end, or a new beginning. */
static enum gt_err on_span(struct push *push, const struct dump_span *item)
{
    if (push->state != PUSH_SENDS || item->offer >= push->offer_count || !push->touched[item->offer]) return GT_OK;
    uint32_t first = place_of(push, item->first_seq), last = place_of(push, item->last_seq);
    struct clickhouse_entity of = entity_of(push);
    if (first == 0 || last == 0) return gt_fail(push->info, GT_ECORRUPT, "a span of runs that are none");
    const struct push_run *runs = push->runs;
    const struct clickhouse_span span = {
        push->offers[item->offer].digest, first, last, runs[first - 1].t_unix_s, runs[last - 1].t_unix_s,
        (uint32_t)push->run_count};
    enum gt_err err = clickhouse_span_add(&push->rows, &of, item, &span);
    return err == GT_OK ? send_when_full(push) : gt_fail(push->info, err, "a span cannot be sent: %s", gt_err_text(err));
}

/* ---- streams ---- */

static enum gt_err stream_end(struct push *push)
{
    enum gt_err err = run_end(push);
    if (push->stream_id == 0 || push->state == PUSH_PASSED_OVER) return err;
    if (err == GT_OK && push->state == PUSH_COMPARES) err = compare_shorter(push);
    if (err == GT_OK && push->state == PUSH_DIFFERS) err = differing_end(push);
    push->stream_id = 0;
    /* runs last, and those of a stream together: one that is sent anew takes the place of the old one with this block */
    size_t runs = push->rows.blocks[TABLE_RUNS].len, spans = push->rows.blocks[TABLE_SPANS].len;
    bool is_enough = runs + spans > SEND_BYTES;
    return err == GT_OK && is_enough ? clickhouse_rows_send(&push->rows, CLICKHOUSE_TABLES, push->info) : err;
}

/* Where the stream in hand goes on. */
static void mark_set(struct push *push, uint64_t entity)
{
    bool is_anew = push->anew_count > 0 && bsearch(&entity, push->anew, push->anew_count, sizeof entity, key_cmp) != NULL;
    push->mark = mark_of(push, entity);
    if (push->is_second && is_anew) push->mark = (struct mark){.entity = entity, .epoch = push->mark.epoch + 1};
    push->state = push->mark.runs > 0 ? PUSH_COMPARES : PUSH_SENDS;
    if (push->is_second && !is_anew) push->state = PUSH_PASSED_OVER;
}

/* What the dump lends ends with the item; of the stream, its words are needed until its last span. */
static enum gt_err stream_begin(struct push *push, const struct dump_run *item)
{
    arena_clear(push->stream_arena);
    push->runs = NULL;
    push->run_count = push->run_cap = 0;
    push->digest[0] = '\0';
    push->stream_id = item->stream_id;
    push->stream = item->stream;
    push->stream.site = arena_dup(push->stream_arena, item->stream.site);
    push->stream.part = arena_dup(push->stream_arena, item->stream.part);
    push->stream.writer = arena_dup(push->stream_arena, item->stream.writer);
    push->touched = arena_array(push->stream_arena, push->offer_count, sizeof *push->touched);
    json_t *words = clickhouse_stream_body(&item->stream);
    char *text = words != NULL ? json_dumps(words, JSON_COMPACT) : NULL;
    if (text != NULL) mark_set(push, digest_check64(gt_str_from(text)));
    enum gt_err err = text != NULL && push->touched != NULL && push->stream.writer.ptr != NULL ? GT_OK : no_memory(push);
    free(text);
    json_decref(words);
    return err;
}

static enum gt_err on_run(struct push *push, const struct dump_run *item)
{
    enum gt_err err = run_end(push);
    if (err == GT_OK && item->stream_id != push->stream_id) err = stream_end(push);
    if (err == GT_OK && item->stream_id != push->stream_id) err = stream_begin(push, item);
    return err == GT_OK ? run_begin(push, item) : err;
}

/* ---- the dump ---- */

/* Facts, and what offers are called by, for what refers to them later. */
static enum gt_err on_facts(struct push *push, const struct dump_facts *item)
{
    void *facts = push->facts;
    for (; push->facts_count <= item->id; push->facts_count++) {
        if (!arena_grow(push->arena, &facts, push->facts_count, &push->facts_cap, sizeof(json_t *))) return no_memory(push);
        push->facts = facts;
        push->facts[push->facts_count] = NULL;
    }
    json_decref(push->facts[item->id]);
    push->facts[item->id] = clickhouse_facts_body(item);
    return push->facts[item->id] != NULL ? GT_OK : no_memory(push);
}

/* Offers come before all runs: by the time that a run names one, what it is called by is known. */
static enum gt_err on_offer(struct push *push, const struct dump_offer *item)
{
    void *offers = push->offers;
    for (; push->offer_count <= item->id; push->offer_count++) {
        if (!arena_grow(push->arena, &offers, push->offer_count, &push->offer_cap, sizeof *push->offers)) return no_memory(push);
        push->offers = offers;
        push->offers[push->offer_count] = (struct clickhouse_offer){.body = ""};
    }
    json_t *words = clickhouse_offer_body(item->words.site, &item->words.identity);
    char *text = words != NULL ? json_dumps(words, JSON_COMPACT) : NULL;
    struct clickhouse_offer *offer = &push->offers[item->id];
    offer->body = text != NULL ? arena_dup(push->arena, gt_str_from(text)).ptr : NULL;
    enum gt_err err = offer->body != NULL ? clickhouse_digest(gt_str_from(offer->body), offer->digest) : no_memory(push);
    free(text);
    json_decref(words);
    return err;
}

static enum gt_err on_item(void *ctx, enum dump_kind kind, const void *item)
{
    struct push *push = ctx;
    switch (kind) {
    case DUMP_OFFER: return on_offer(push, item);
    case DUMP_FACTS: return on_facts(push, item);
    case DUMP_RUN: return on_run(push, item);
    case DUMP_CHANGE: return on_change(push, item);
    case DUMP_STOCK: return on_stock(push, item);
    case DUMP_SPAN: {
        enum gt_err err = run_end(push);
        return err == GT_OK ? on_span(push, item) : err;
    }
    case DUMP_END: return stream_end(push);
    default: return GT_OK;
    }
}

/* Only after a stream's last run is it known that it differs, and then its first runs are gone: those streams get a second dump, which is
 * rare. */
static enum gt_err push_all(struct push *push, struct store *store)
{
    static const struct dump_options options = {.has_spans = true};
    enum gt_err err = marks_read(push);
    if (err == GT_OK) err = store_dump(store, &options, on_item, push, push->info);
    if (err == GT_OK && push->anew_count > 0) {
        push->is_second = true;
        qsort(push->anew, push->anew_count, sizeof *push->anew, key_cmp);
        err = store_dump(store, &options, on_item, push, push->info);
    }
    return err == GT_OK ? clickhouse_rows_send(&push->rows, CLICKHOUSE_TABLES, push->info) : err;
}

/* A refused stream is no failure of the push: the others have arrived, and the caller tells by the count. */
enum gt_err clickhouse_push(struct clickhouse *server, struct store *store, struct clickhouse_pushed *ret_pushed,
                            struct gt_errinfo *info)
{
    struct push push = {.info = info, .arena = arena_new(PUSH_ARENA_MAX), .stream_arena = arena_new(STREAM_ARENA_MAX)};
    clickhouse_rows_init(&push.rows, server);
    strbuf_init(&push.text, CLICKHOUSE_BLOCK_BYTES);
    enum gt_err err = push.arena != NULL && push.stream_arena != NULL ? push_all(&push, store) : no_memory(&push);
    if (err == GT_OK && push.done.streams_refused > 0) *info = push.refusal;
    *ret_pushed = push.done;
    json_decref(push.run_body);
    for (size_t i = 0; i < push.facts_count; i++) json_decref(push.facts[i]);
    strbuf_done(&push.text);
    clickhouse_rows_done(&push.rows);
    arena_free(push.stream_arena);
    arena_free(push.arena);
    return err;
}
