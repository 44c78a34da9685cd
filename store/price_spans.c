/* store_price_spans: the runs of each stream replayed once, and of what they showed the prices alone. */
#include "store/prices.h"

#include "store/offer_sites.h"
#include "store/store_impl.h"

#define PRICES_BYTES_MAX ((size_t)1 << 30) /* of one stream's state */

struct price_walk {
    struct reader reader;
    struct part_state state; /* of one stream at a time, in the room of the one before */
    struct price_windows windows;
    const struct offer_set *wanted; /* NULL: all */
    price_span_fn *fn;
    void *ctx;
    enum gt_err fn_err;
};

/* The window of a moment. Most runs lie in the one of the run before. */
static size_t window_of(const struct price_windows *windows, int64_t t_unix_s, size_t guess)
{
    const int64_t *bounds = windows->bounds;
    if (guess != PART_NO_WINDOW && bounds[guess] <= t_unix_s && t_unix_s < bounds[guess + 1]) return guess;
    for (size_t i = 0; i + 1 < windows->count; i++)
        if (bounds[i] <= t_unix_s && t_unix_s < bounds[i + 1]) return i;
    return PART_NO_WINDOW;
}

/* Replays a stream, cutting its spans where the window changes. Before the first it only has to know what stands. */
static bool replay_cut(struct price_walk *walk, uint32_t stream)
{
    struct run_cursor cursor;
    struct part_state *state = &walk->state;
    enum gt_err err = GT_OK;
    part_replay_begin(state, false);
    run_cursor_init(&cursor, walk->reader.txn, stream);
    for (bool has = run_cursor_seek(&cursor, 0); has && err == GT_OK; has = run_cursor_next(&cursor)) {
        size_t window = window_of(&walk->windows, cursor.row->t_unix_s, state->window);
        if (window != state->window) part_spans_cut(state, cursor.row, window);
        err = part_replay_row(state, cursor.row, walk->wanted);
    }
    run_cursor_done(&cursor);
    if (err != GT_OK) db_fail(walk->reader.txn, err, "the run log of stream %u: %s", (unsigned)stream, gt_err_text(err));
    part_spans_finish(state);
    return db_err(walk->reader.txn) == GT_OK;
}

/* Only now, since a later run may have voided what an earlier one showed, or released it. */
static void give_spans(struct price_walk *walk, const struct stream *stream)
{
    const struct span_log *log = &walk->state.spans_seen;
    for (size_t i = 0; i < log->count && walk->fn_err == GT_OK; i++) {
        const struct span *span = &log->items[i];
        if (span->is_voided || span->observations == 0) continue;
        const struct offer_record *front = reader_record_front(&walk->reader, span->record);
        if (front == NULL) return;
        const struct price_span given = {.offer_id = span->offer,
                                         .price = price_of_record(front),
                                         .window = span->window,
                                         .site = stream->site,
                                         .part = stream->part,
                                         .provenance = stream->provenance,
                                         .first_seq = span->from,
                                         .last_seq = span->last,
                                         .observations = span->observations,
                                         .is_doubted = span->is_doubted};
        walk->fn_err = walk->fn(walk->ctx, &given);
    }
}

static void walk_streams(struct price_walk *walk)
{
    struct db_cursor streams;
    struct offer_sites sites;
    if (!offer_sites_load(&sites, &walk->reader, walk->wanted)) return;
    db_cursor_init(&streams, walk->reader.txn, DB_STREAMS);
    for (bool has = db_cursor_seek(&streams, GT_STR("")); has && walk->fn_err == GT_OK; has = db_cursor_next(&streams)) {
        uint32_t id = key_id_at(streams.key, 0);
        const struct stream *stream = offer_sites_have(&sites, streams.value) ? reader_stream(&walk->reader, id) : NULL;
        if (stream != NULL && replay_cut(walk, id)) give_spans(walk, stream);
    }
    db_cursor_done(&streams);
}

enum gt_err store_price_spans(struct store *store, const uint64_t *offers, size_t offer_count, struct price_windows windows,
                              price_span_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct offer_set wanted = {offers, offer_count};
    struct price_walk walk = {.windows = windows, .wanted = offers != NULL ? &wanted : NULL, .fn = fn, .ctx = ctx};
    struct arena *arena = arena_new(PRICES_BYTES_MAX);
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "reading prices: out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err == GT_OK) {
        reader_init(&walk.reader, txn, arena);
        part_state_init(&walk.state, arena, false);
        walk_streams(&walk);
        err = db_read_end(txn);
    }
    arena_free(arena);
    return err != GT_OK ? err : walk.fn_err;
}
