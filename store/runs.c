/* store_runs: what every attempt at every part came to. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

enum { RUNS_BYTES_MAX = 2047 << 20 };

struct run_list {
    struct reader reader;
    struct arena *arena; /* holds the items, and the states that say which facts are today's */
    int64_t since_unix_s, until_unix_s;
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

/* Only streams with facts: others have no runs. */
static void load_runs(struct run_list *list)
{
    struct reader *reader = &list->reader;
    for (uint32_t id = part_stream_next(reader->txn, 0); id != 0; id = part_stream_next(reader->txn, id)) {
        struct part_state state;
        const struct stream *stream = reader_stream(reader, id);
        if (stream == NULL || !part_load_latest(reader->txn, id, &state, list->arena)) return;
        if (stream->provenance == PROVENANCE_MANUAL) continue; /* got by hand: no attempt at the site */
        const struct facts *facts = reader_facts(reader, state.facts);
        if (facts != NULL && !load_stream(list, id, stream, facts)) return;
    }
}

/* By site, sequence, part. */
static int run_cmp(const void *left, const void *right)
{
    const struct run_row *a = left, *b = right;
    int order = gt_str_cmp(a->site, b->site);
    if (order != 0) return order;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    return gt_str_cmp(a->part, b->part);
}

enum gt_err store_runs(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, run_fn *fn,
                       void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct run_list list = {
        .since_unix_s = since_unix_s, .until_unix_s = until_unix_s, .arena = arena_new(RUNS_BYTES_MAX)};
    if (list.arena == NULL) return gt_fail(info, GT_ENOMEM, "reading the runs: out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) goto out;
    reader_init(&list.reader, txn, arena);
    load_runs(&list);
    err = db_read_end(txn);
    if (err != GT_OK) goto out;
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, run_cmp);
    for (size_t i = 0; i < list.count && err == GT_OK; i++) err = fn(ctx, &list.items[i]);
out:
    arena_free(list.arena);
    return err;
}
