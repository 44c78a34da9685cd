/* ClickHouse's rows as the things that a dump consists of. A few streams at a time are asked for; of each run, what it refers to is handed out
 * first, where it is new. The digest of each run is computed again: what is not as it was sent, or is not all there, makes no history. */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "clickhouse/body.h"
#include "clickhouse/plan.h"
#include "common/strbuf.h"

/* A batch's bodies are asked for at once; quoted, in rows, they grow by a third. */
enum { BATCH_BYTES = 16 * 1024 * 1024, BATCH_STREAMS = 300, BATCH_QUERY_MAX = 64 * 1024 };

#define PULL_ARENA_MAX ((size_t)1 << 30)

/* A body that came. */
struct pull_row {
    uint32_t stream, n, i; /* stream: its id */
    uint32_t changes;      /* of a run */
    struct gt_str body;
    char digest[CLICKHOUSE_DIGEST_MAX];
};

struct pull_rows {
    struct pull_row *items;
    size_t count, cap, next;
};

/* A thing with a number, by what it says. */
struct known {
    int kind;
    char digest[CLICKHOUSE_DIGEST_MAX];
    uint32_t id;
};

/* A thing that is to be handed out. */
struct pull_thing {
    enum dump_kind kind;
    uint64_t order; /* changes and stock counts stand by their offers' numbers, then as they came */
    json_t *object;
};

struct pull {
    struct clickhouse *server;
    struct clickhouse_plan plan;
    struct gt_errinfo *info;
    bool has_begun;
    struct clickhouse_offer *offers; /* all of them, by number */
    size_t offer_count, offer_next;
    /* what was handed out */
    struct arena *arena;
    void *known; /* a tree of struct known */
    uint32_t last_id[DUMP_KINDS];
    /* the batch in hand: streams by id, [first, first + count) of the plan's; of a single one runs (from, until] */
    struct arena *batch_arena;
    size_t batch_first, batch_count, batch_runs;
    uint32_t batch_from, batch_until;
    size_t next_place; /* where the next begins: a stream, and runs of it that were read */
    uint32_t next_n;
    struct pull_rows runs, changes;
    /* the run in hand */
    const struct plan_run *run;
    char digest[CLICKHOUSE_DIGEST_MAX];
    struct pull_thing *things;
    size_t thing_count, thing_cap, thing_next;
    struct arena *thing_arena;
};

static enum gt_err no_memory(struct pull *pull)
{
    return gt_fail(pull->info, GT_ENOMEM, "out of memory");
}

/* ---- a batch ---- */

/* Keeps a row of the batch. The plan was made before: what crawlers have pushed since then belongs to the next reading, so that the numbers
 * stay those that were decided. */
static enum gt_err row_take(struct pull *pull, struct pull_rows *rows, const json_t *object)
{
    void *items = rows->items;
    size_t place = clickhouse_plan_find(&pull->plan, clickhouse_number(object, "entity"));
    uint64_t n = clickhouse_number(object, "n");
    if (place == SIZE_MAX || n == 0 || n > pull->plan.streams[place].run_count) return GT_OK; /* came since */
    if (!arena_grow(pull->batch_arena, &items, rows->count, &rows->cap, sizeof *rows->items)) return no_memory(pull);
    rows->items = items;
    struct pull_row *row = &rows->items[rows->count++];
    *row = (struct pull_row){.stream = pull->plan.streams[place].id,
                             .n = (uint32_t)n,
                             .i = (uint32_t)clickhouse_number(object, "i"),
                             .changes = (uint32_t)clickhouse_number(object, "changes"),
                             .body = arena_dup(pull->batch_arena, gt_str_from(clickhouse_text(object, "body")))};
    snprintf(row->digest, sizeof row->digest, "%s", clickhouse_text(object, "digest"));
    return row->body.ptr != NULL ? GT_OK : no_memory(pull);
}

static enum gt_err run_take(void *ctx, const json_t *row)
{
    struct pull *pull = ctx;
    return row_take(pull, &pull->runs, row);
}

static enum gt_err change_take(void *ctx, const json_t *row)
{
    struct pull *pull = ctx;
    return row_take(pull, &pull->changes, row);
}

/* The order in which rows are consumed: a stream's runs by place, a run's changes as they were sent. A query promises none. */
static int row_cmp(const void *left, const void *right)
{
    const struct pull_row *a = left, *b = right;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

static const struct plan_stream *stream_of(const struct pull *pull, size_t place)
{
    return &pull->plan.streams[pull->plan.by_id[place]];
}

/* Chooses the next batch: as many whole streams as do not come to much, or of a long one as many runs. False at the end. */
static bool batch_choose(struct pull *pull)
{
    size_t bytes = 0, first = pull->next_place;
    pull->batch_first = first;
    pull->batch_from = pull->next_n;
    pull->batch_count = pull->batch_runs = 0;
    while (pull->next_place < pull->plan.stream_count && pull->batch_count < BATCH_STREAMS) {
        const struct plan_stream *stream = stream_of(pull, pull->next_place);
        const struct plan_run *runs = &pull->plan.runs[stream->first_run];
        uint32_t n = pull->next_n;
        while (n < stream->run_count && (bytes == 0 || bytes + runs[n].bytes <= BATCH_BYTES)) bytes += runs[n++].bytes;
        if (n < stream->run_count && pull->batch_count > 0) break;
        pull->batch_runs += n - pull->next_n;
        pull->batch_count++;
        pull->batch_until = n;
        pull->next_n = n < stream->run_count ? n : 0;
        pull->next_place += n == stream->run_count;
        /* a long stream's piece stands alone */
        if (pull->next_n > 0 || pull->batch_from > 0) break;
    }
    return pull->batch_count > 0;
}

/* Asks for one table's rows of the batch. */
static enum gt_err batch_ask(struct pull *pull, const char *columns, clickhouse_row_fn *fn)
{
    struct strbuf query;
    strbuf_init(&query, BATCH_QUERY_MAX);
    strbuf_addf(&query, "SELECT entity, n, %s FINAL WHERE ", columns);
    clickhouse_plan_where(&pull->plan, &pull->plan.by_id[pull->batch_first], pull->batch_count, &query);
    if (pull->batch_count == 1)
        strbuf_addf(&query, " AND n > %u AND n <= %u", (unsigned)pull->batch_from, (unsigned)pull->batch_until);
    enum gt_err err = query.err == GT_OK ? clickhouse_select(pull->server, query.ptr, fn, pull, pull->info) : no_memory(pull);
    strbuf_done(&query);
    return err;
}

/* The next batch, in order. GT_ENOENT at the end. */
static enum gt_err batch_read(struct pull *pull)
{
    if (!batch_choose(pull)) return GT_ENOENT;
    arena_clear(pull->batch_arena);
    pull->runs = pull->changes = (struct pull_rows){.items = NULL};
    enum gt_err err = batch_ask(pull, "changes, digest, body FROM runs", run_take);
    if (err == GT_OK && pull->runs.count != pull->batch_runs)
        err = gt_fail(pull->info, GT_EINCOMPLETE, "ClickHouse lacks runs that it had: a replica has not caught up");
    if (err == GT_OK) err = batch_ask(pull, "i, body FROM changes", change_take);
    if (err != GT_OK) return err;
    if (pull->runs.count > 0) qsort(pull->runs.items, pull->runs.count, sizeof *pull->runs.items, row_cmp);
    if (pull->changes.count > 0) qsort(pull->changes.items, pull->changes.count, sizeof *pull->changes.items, row_cmp);
    return GT_OK;
}

/* ---- things ---- */

/* Puts a thing in line; takes the object. */
static enum gt_err thing_add(struct pull *pull, enum dump_kind kind, json_t *object)
{
    void *things = pull->things;
    if (object == NULL || !arena_grow(pull->thing_arena, &things, pull->thing_count, &pull->thing_cap, sizeof *pull->things)) {
        json_decref(object);
        return no_memory(pull);
    }
    pull->things = things;
    pull->things[pull->thing_count++] = (struct pull_thing){.kind = kind, .object = object};
    return GT_OK;
}

static void things_clear(struct pull *pull)
{
    for (size_t i = pull->thing_next; i < pull->thing_count; i++) json_decref(pull->things[i].object);
    arena_clear(pull->thing_arena);
    pull->things = NULL;
    pull->thing_count = pull->thing_cap = pull->thing_next = 0;
}

/* By kind as well: facts and a record may have the same text. */
static int known_cmp(const void *left, const void *right)
{
    const struct known *a = left, *b = right;
    return a->kind != b->kind ? a->kind - b->kind : strcmp(a->digest, b->digest);
}

/* Gives a thing that is not known yet the next number of its kind. */
static enum gt_err known_add(struct pull *pull, struct known thing, uint32_t *ret_id)
{
    struct known *known = arena_alloc(pull->arena, sizeof *known);
    if (known == NULL) return no_memory(pull);
    thing.id = *ret_id = ++pull->last_id[thing.kind];
    *known = thing;
    return tsearch(known, &pull->known, known_cmp) != NULL ? GT_OK : no_memory(pull);
}

/* The number of a thing, 0 for null; one that is new gets the next and is handed out. The object is borrowed. */
static enum gt_err known_id(struct pull *pull, enum dump_kind kind, json_t *object, uint32_t *ret_id)
{
    struct known wanted = {.kind = (int)kind};
    *ret_id = 0;
    if (object == NULL || json_is_null(object)) return GT_OK;
    char *text = json_dumps(object, JSON_COMPACT);
    enum gt_err err = text != NULL ? clickhouse_digest(gt_str_from(text), wanted.digest) : no_memory(pull);
    free(text);
    if (err != GT_OK) return err;
    struct known *const *found = tfind(&wanted, &pull->known, known_cmp);
    if (found != NULL) {
        *ret_id = (*found)->id;
        return GT_OK;
    }
    if (kind == DUMP_OFFER) return gt_fail(pull->info, GT_ECORRUPT, "a change in ClickHouse is of an offer that is none");
    err = known_add(pull, wanted, ret_id);
    if (err == GT_OK && json_object_set_new(object, "id", json_integer(*ret_id)) != 0) err = no_memory(pull);
    return err == GT_OK ? thing_add(pull, kind, json_incref(object)) : err;
}

/* Numbers in the place of what stands in a change by value, and of places in the stream. */
static enum gt_err change_number(struct pull *pull, json_t *change, uint32_t *ret_offer)
{
    static const char *const places[] = {"first_seq", "stands_first_seq", "stands_last_seq"};
    const struct plan_stream *stream = &pull->plan.streams[pull->run->stream];
    json_t *offer = json_object_get(change, "offer");
    bool has_offer = json_is_object(offer);
    const struct {
        const char *name;
        enum dump_kind kind;
    } members[] = {{"offer", DUMP_OFFER},
                   {"attributes", DUMP_ATTRIBUTES},
                   {"before", DUMP_RECORD},
                   {"after", has_offer ? DUMP_RECORD : DUMP_FACTS}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        uint32_t id;
        enum gt_err err = known_id(pull, members[i].kind, json_object_get(change, members[i].name), &id);
        if (err != GT_OK) return err;
        if (i == 0) *ret_offer = id;
        json_object_set_new(change, members[i].name, id != 0 ? json_integer(id) : json_null());
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        json_int_t n = json_integer_value(json_object_get(change, places[i]));
        if (n < 0 || n > stream->run_count) return gt_fail(pull->info, GT_EFORMAT, "a change refers to a run that is none");
        if (n > 0)
            json_object_set_new(change, places[i],
                                json_integer((json_int_t)pull->plan.runs[stream->first_run + (size_t)n - 1].seq));
    }
    return GT_OK;
}

/* NUL may stand in what a page printed, and two members of one name would be two answers. */
static json_t *body_read(struct gt_str body)
{
    return json_loadb(body.ptr, body.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
}

/* ---- a run ---- */

/* The changes of a run, as many as it counts; more were left by a push that did not end, and are passed over. */
static enum gt_err changes_find(struct pull *pull, const struct pull_row *run, const struct pull_row **ret_changes)
{
    struct pull_rows *rows = &pull->changes;
    const struct pull_row wanted = {.stream = run->stream, .n = run->n};
    while (rows->next < rows->count && row_cmp(&rows->items[rows->next], &wanted) < 0) rows->next++;
    *ret_changes = rows->items != NULL ? &rows->items[rows->next] : NULL;
    for (size_t i = 0; i < run->changes; i++, rows->next++) {
        const struct pull_row *row = rows->next < rows->count ? &rows->items[rows->next] : NULL;
        if (row == NULL || row->stream != run->stream || row->n != run->n || row->i != i)
            return gt_fail(pull->info, GT_EINCOMPLETE, "ClickHouse lacks changes that a run counts: a replica has not caught up");
    }
    return GT_OK;
}

/* The digest up to this run must be what was sent with it. */
static enum gt_err digest_check(struct pull *pull, const struct pull_row *run, const struct pull_row *changes)
{
    struct strbuf text;
    strbuf_init(&text, PULL_ARENA_MAX);
    if (run->n > 1) strbuf_adds(&text, pull->digest);
    for (size_t i = 0; changes != NULL && i < run->changes; i++) strbuf_add(&text, changes[i].body);
    strbuf_add(&text, run->body);
    enum gt_err err = text.err == GT_OK ? clickhouse_digest(strbuf_str(&text), pull->digest) : no_memory(pull);
    strbuf_done(&text);
    if (err != GT_OK || strcmp(pull->digest, run->digest) == 0) return err;
    return gt_fail(pull->info, GT_ECORRUPT, "a run of %.*s in ClickHouse is not what was pushed",
                   GT_STR_ARG(pull->plan.streams[pull->run->stream].site));
}

static int thing_cmp(const void *left, const void *right)
{
    const struct pull_thing *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

/* Puts things of one kind in line, in their order. */
static enum gt_err things_add(struct pull *pull, enum dump_kind kind, struct pull_thing *things, size_t count)
{
    enum gt_err err = GT_OK;
    if (count > 0) qsort(things, count, sizeof *things, thing_cmp);
    for (size_t i = 0; i < count && err == GT_OK; i++) err = thing_add(pull, kind, json_incref(things[i].object));
    return err;
}

/* The numbers of the run in hand, and its time, in what belongs to it. */
static void run_numbers_set(const struct pull *pull, json_t *object, json_t *t)
{
    json_object_set(object, "t", t);
    json_object_set_new(object, "seq", json_integer((json_int_t)pull->run->seq));
    json_object_set_new(object, "stream", json_integer(pull->plan.streams[pull->run->stream].id));
}

/* The place of the i-th of a run's changes or counts. */
static uint64_t order_of(uint32_t offer, size_t i)
{
    return (uint64_t)offer << 32 | (uint32_t)i;
}

/* Changes, with what they refer to before them, and the run between the two. */
static enum gt_err changes_add(struct pull *pull, const struct pull_row *changes, size_t count, json_t *run)
{
    struct pull_thing *read = arena_array(pull->thing_arena, count, sizeof *read);
    enum gt_err err = read != NULL ? GT_OK : no_memory(pull);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        uint32_t offer = 0;
        read[i].object = body_read(changes[i].body);
        err = read[i].object != NULL ? change_number(pull, read[i].object, &offer)
                                     : gt_fail(pull->info, GT_EFORMAT, "a change is no JSON");
        read[i].order = order_of(offer, i);
        run_numbers_set(pull, read[i].object, json_object_get(run, "t"));
    }
    if (err == GT_OK) err = thing_add(pull, DUMP_RUN, json_incref(run));
    if (err == GT_OK) err = things_add(pull, DUMP_CHANGE, read, count);
    for (size_t i = 0; i < count && read != NULL; i++) json_decref(read[i].object);
    return err;
}

/* Stock counts name offers that changes of this stream have brought. */
static enum gt_err stocks_add(struct pull *pull, json_t *run)
{
    json_t *stocks = json_object_get(run, "stocks");
    size_t count = json_array_size(stocks);
    struct pull_thing *read = arena_array(pull->thing_arena, count, sizeof *read);
    enum gt_err err = read != NULL ? GT_OK : no_memory(pull);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        json_t *stock = json_array_get(stocks, i);
        struct known wanted = {.kind = DUMP_OFFER};
        snprintf(wanted.digest, sizeof wanted.digest, "%s", clickhouse_text(stock, "offer"));
        struct known *const *found = wanted.digest[0] != '\0' ? tfind(&wanted, &pull->known, known_cmp) : NULL;
        if (wanted.digest[0] != '\0' && found == NULL)
            err = gt_fail(pull->info, GT_EFORMAT, "a stock count of an offer that is none");
        uint32_t offer = found != NULL ? (*found)->id : 0;
        read[i] = (struct pull_thing){.order = order_of(offer, i), .object = json_incref(stock)};
        run_numbers_set(pull, stock, json_object_get(run, "t"));
        json_object_set_new(stock, "offer", found != NULL ? json_integer(offer) : json_null());
    }
    if (err == GT_OK) err = things_add(pull, DUMP_STOCK, read, count);
    for (size_t i = 0; i < count && read != NULL; i++) json_decref(read[i].object);
    return err;
}

/* The next run and all that belongs to it, in line. GT_ENOENT at the end. */
static enum gt_err run_read(struct pull *pull)
{
    const struct pull_row *changes;
    enum gt_err err = GT_OK;
    while (pull->runs.next == pull->runs.count && err == GT_OK) err = batch_read(pull);
    if (err != GT_OK) return err;
    const struct pull_row *row = &pull->runs.items[pull->runs.next++];
    const struct plan_stream *stream = stream_of(pull, row->stream - 1);
    pull->run = &pull->plan.runs[stream->first_run + row->n - 1];
    things_clear(pull);
    err = changes_find(pull, row, &changes);
    if (err == GT_OK) err = digest_check(pull, row, changes);
    json_t *body = err == GT_OK ? body_read(row->body) : NULL;
    if (err == GT_OK && body == NULL) err = gt_fail(pull->info, GT_EFORMAT, "a run is no JSON");
    if (err == GT_OK) run_numbers_set(pull, body, json_object_get(body, "t"));
    if (err == GT_OK && row->n == 1) json_object_set_new(body, "id", json_integer(row->stream));
    if (err == GT_OK && row->n == 1) err = thing_add(pull, DUMP_STREAM, json_incref(body));
    if (err == GT_OK) err = changes_add(pull, changes, row->changes, body);
    if (err == GT_OK) err = stocks_add(pull, body);
    json_decref(body);
    return err;
}

/* ---- handing out ---- */

/* The first thing. */
static const void *head_of(const struct pull *pull, struct arena *arena)
{
    struct dump_head *head = arena_alloc(arena, sizeof *head);
    if (head != NULL) *head = (struct dump_head){.version = DUMP_VERSION, .seq = pull->plan.seq_last, .is_complete = true};
    return head;
}

/* Then the offers, in their order. */
static enum gt_err offer_read(struct pull *pull, struct pull_thing *ret_thing)
{
    struct known known = {.kind = DUMP_OFFER};
    const struct clickhouse_offer *offer = &pull->offers[pull->offer_next++];
    uint32_t id = 0;
    enum gt_err err = clickhouse_digest(gt_str_from(offer->body), known.digest);
    if (err == GT_OK && strcmp(known.digest, offer->digest) != 0)
        err = gt_fail(pull->info, GT_ECORRUPT, "an offer in ClickHouse is not what was pushed");
    if (err == GT_OK) err = known_add(pull, known, &id);
    *ret_thing = (struct pull_thing){.kind = DUMP_OFFER, .object = err == GT_OK ? body_read(gt_str_from(offer->body)) : NULL};
    if (err == GT_OK && ret_thing->object == NULL) err = gt_fail(pull->info, GT_EFORMAT, "an offer is no JSON");
    if (err == GT_OK) json_object_set_new(ret_thing->object, "id", json_integer(id));
    return err;
}

/* The next thing; its object is the caller's. */
static enum gt_err thing_read(struct pull *pull, struct pull_thing *ret_thing)
{
    if (pull->offer_next < pull->offer_count) return offer_read(pull, ret_thing);
    enum gt_err err = pull->thing_next == pull->thing_count ? run_read(pull) : GT_OK;
    if (err == GT_OK) *ret_thing = pull->things[pull->thing_next++];
    return err;
}

/* The source that store_fill draws from: the head, all offers, then run after run. */
static enum gt_err next_item(void *ctx, struct arena *arena, enum dump_kind *ret_kind, const void **ret_item,
                             struct gt_errinfo *info)
{
    struct pull *pull = ctx;
    struct pull_thing thing = {.kind = DUMP_HEAD};
    void *item = NULL;
    if (!pull->has_begun) {
        pull->has_begun = true;
        *ret_kind = DUMP_HEAD;
        *ret_item = head_of(pull, arena);
        return *ret_item != NULL ? GT_OK : no_memory(pull);
    }
    enum gt_err err = thing_read(pull, &thing);
    if (err == GT_OK) err = shape_read(&export_shapes[thing.kind], thing.object, arena, &item, info);
    json_decref(thing.object);
    if (err != GT_OK) return err;
    *ret_kind = thing.kind;
    *ret_item = item;
    return GT_OK;
}

static void known_keep(void *node)
{
    (void)node; /* lies in the arena */
}

/* Three memories: what is known stays to the end, a batch until the next, a run's things until the next run; so that memory follows the
 * batch, not the history. */
enum gt_err clickhouse_pull(struct clickhouse *server, struct store *store, struct gt_errinfo *info)
{
    struct pull pull = {.server = server,
                        .info = info,
                        .arena = arena_new(PULL_ARENA_MAX),
                        .batch_arena = arena_new(PULL_ARENA_MAX),
                        .thing_arena = arena_new(PULL_ARENA_MAX)};
    enum gt_err err = pull.arena != NULL && pull.batch_arena != NULL && pull.thing_arena != NULL ? GT_OK : no_memory(&pull);
    if (err == GT_OK) err = clickhouse_plan_make(server, &pull.plan, info);
    if (err == GT_OK) err = clickhouse_plan_offers(server, &pull.plan, pull.arena, &pull.offers, &pull.offer_count, info);
    if (err == GT_OK) err = store_fill(store, next_item, &pull, info);
    if (pull.thing_arena != NULL) things_clear(&pull);
    tdestroy(pull.known, known_keep);
    clickhouse_plan_done(&pull.plan);
    arena_free(pull.thing_arena);
    arena_free(pull.batch_arena);
    arena_free(pull.arena);
    return err;
}
