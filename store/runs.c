/* store_runs: what every attempt at every part came to. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

enum { RUNS_BYTES_MAX = 2047 << 20 };

struct run_list {
    struct reader reader;
    struct arena *arena; /* holds the items and states of one site at a time */
    int64_t since_unix_s, until_unix_s;
    struct site_stream {
        uint32_t id;
        const struct stream *stream;
    } * streams; /* by site */
    size_t stream_count, stream_cap;
    struct run_row *items;
    size_t count, cap;
};

/* Titles and addresses are today's: a list of runs is for finding out how a source fares. */
static bool add_run(struct run_list *list, const struct stream *stream, const struct facts *facts,
                    const struct run_row_stored *row)
{
    void *items = list->items;
    if (!arena_grow(list->arena, &items, list->count, &list->cap, sizeof *list->items)) {
        db_fail(list->reader.txn, GT_ENOMEM, "out of memory");
        return false;
    }
    list->items = items;
    list->items[list->count++] = (struct run_row){.site = stream->site,
                                                  .site_title = facts->title,
                                                  .part = stream->part,
                                                  .reason = reader_text(&list->reader, row->reason),
                                                  .url = facts->url,
                                                  .seq = row->seq,
                                                  .start_unix_s = row->t_unix_s,
                                                  .latency_ms = row->latency_ms,
                                                  .body_bytes = row->body_bytes,
                                                  .status = row->status,
                                                  .http_code = row->http_code,
                                                  .rows_found = (int32_t)(row->rows_found & INT32_MAX),
                                                  .rows_refused = (int32_t)(row->rows_refused & INT32_MAX),
                                                  .provenance = stream->provenance,
                                                  .kind = facts->kind,
                                                  .market = facts->market,
                                                  .net_rules = facts->net_rules,
                                                  .is_sample = facts->is_sample,
                                                  .is_good = row->is_good,
                                                  .offers_seen = (int32_t)(row->offers_seen & INT32_MAX)};
    return true;
}

/* All rows of blocks that touch the window are looked at, since clocks may have jumped: the wanted ones need not lie together. */
static bool load_stream(struct run_list *list, uint32_t id, const struct stream *stream, const struct facts *facts)
{
    struct run_cursor cursor;
    run_cursor_init(&cursor, list->reader.txn, id);
    cursor.since_unix_s = list->since_unix_s;
    cursor.until_unix_s = list->until_unix_s;
    for (bool has = run_cursor_seek(&cursor, 0); has; has = run_cursor_next(&cursor)) {
        struct run_row_stored row;
        if (cursor.row->t_unix_s < list->since_unix_s || cursor.row->t_unix_s >= list->until_unix_s) continue;
        if (run_cursor_row(&cursor, NULL, &row) != GT_OK) break;
        /* What the operator did stands in the same log, but was no attempt at the site. */
        if (!row.is_action && !add_run(list, stream, facts, &row)) break;
    }
    run_cursor_done(&cursor);
    return db_err(list->reader.txn) == GT_OK;
}

static int site_cmp(const void *left, const void *right)
{
    const struct site_stream *a = left, *b = right;
    int order = gt_str_cmp(a->stream->site, b->stream->site);
    return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

/* Those that were got by hand are no attempt at a site. */
static bool list_streams(struct run_list *list)
{
    struct reader *reader = &list->reader;
    for (uint32_t id = part_stream_next(reader->txn, 0); id != 0; id = part_stream_next(reader->txn, id)) {
        void *streams = list->streams;
        const struct stream *stream = reader_stream(reader, id);
        if (stream == NULL) return false;
        if (stream->provenance == PROVENANCE_MANUAL) continue;
        if (!arena_grow(reader->arena, &streams, list->stream_count, &list->stream_cap, sizeof *list->streams)) {
            db_fail(reader->txn, GT_ENOMEM, "out of memory");
            return false;
        }
        list->streams = streams;
        list->streams[list->stream_count++] = (struct site_stream){id, stream};
    }
    if (list->stream_count > 0) qsort(list->streams, list->stream_count, sizeof *list->streams, site_cmp);
    return db_err(reader->txn) == GT_OK;
}

/* The runs of the site whose streams begin at `at`, which moves behind them. Only streams with facts: others have no runs. */
static bool load_site(struct run_list *list, size_t *at)
{
    struct gt_str site = list->streams[*at].stream->site;
    arena_clear(list->arena);
    list->items = NULL;
    list->count = list->cap = 0;
    for (; *at < list->stream_count && gt_str_eq(list->streams[*at].stream->site, site); ++*at) {
        const struct site_stream *stream = &list->streams[*at];
        struct part_state state;
        if (!part_load_latest(list->reader.txn, stream->id, &state, list->arena)) return false;
        const struct facts *facts = reader_facts(&list->reader, state.facts);
        if (facts != NULL && !load_stream(list, stream->id, stream->stream, facts)) return false;
    }
    return db_err(list->reader.txn) == GT_OK;
}

/* A site's by sequence, then part. */
static int run_cmp(const void *left, const void *right)
{
    const struct run_row *a = left, *b = right;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    return gt_str_cmp(a->part, b->part);
}

/* A site at a time: its parts lie in several streams and are put in order together, and memory follows one site, not the store. */
enum gt_err store_runs(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, run_fn *fn,
                       void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct run_list list = {.since_unix_s = since_unix_s, .until_unix_s = until_unix_s, .arena = arena_new(RUNS_BYTES_MAX)};
    if (list.arena == NULL) return gt_fail(info, GT_ENOMEM, "reading the runs: out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info), fn_err = GT_OK;
    if (err == GT_OK) {
        reader_init(&list.reader, txn, arena);
        bool is_fine = list_streams(&list);
        for (size_t at = 0; is_fine && at < list.stream_count && fn_err == GT_OK;) {
            is_fine = load_site(&list, &at);
            if (is_fine && list.count > 0) qsort(list.items, list.count, sizeof *list.items, run_cmp);
            for (size_t i = 0; is_fine && i < list.count && fn_err == GT_OK; i++) fn_err = fn(ctx, &list.items[i]);
        }
        err = db_read_end(txn);
    }
    arena_free(list.arena);
    return err != GT_OK ? err : fn_err;
}
