/* store_history: all spans of all offers, from the run logs. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

/* One span with what sorts it. */
struct history_item {
    struct board_row offer;
    struct history_row row;
    uint32_t stream;
};

struct history {
    struct reader reader;
    struct arena *work;             /* holds one stream's state at a time */
    const struct offer_set *wanted; /* NULL: all */
    struct gt_str *sites;           /* of those offers, in order, some more than once */
    int64_t since_unix_s, until_unix_s;
    struct history_item *items;
    size_t count, cap;
};

/* Clocks may have jumped within a span: it touches what lies between its ends, in either order. */
static bool touches(const struct history *history, int64_t first_unix_s, int64_t last_unix_s)
{
    int64_t low = first_unix_s < last_unix_s ? first_unix_s : last_unix_s;
    int64_t high = first_unix_s < last_unix_s ? last_unix_s : first_unix_s;
    return low < history->until_unix_s && high >= history->since_unix_s;
}

static int site_cmp(const void *left, const void *right)
{
    return gt_str_cmp(*(const struct gt_str *)left, *(const struct gt_str *)right);
}

/* The sites of the wanted offers, so that other sites' streams need not be replayed. */
static bool load_sites(struct history *history)
{
    struct reader *reader = &history->reader;
    if (history->wanted == NULL) return true;
    history->sites = arena_array(reader->arena, history->wanted->count, sizeof *history->sites);
    if (history->sites == NULL) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return false;
    }
    for (size_t i = 0; i < history->wanted->count && db_err(reader->txn) == GT_OK; i++) {
        const struct named_offer *offer = reader_offer(reader, (uint32_t)history->wanted->ids[i]);
        if (offer != NULL) history->sites[i] = offer->site;
    }
    if (db_err(reader->txn) != GT_OK) return false;
    if (history->wanted->count > 0) qsort(history->sites, history->wanted->count, sizeof *history->sites, site_cmp);
    return true;
}

/* By the stream's bytes: those that nobody asked for need not be kept. */
static bool is_site_wanted(const struct history *history, struct gt_str bytes)
{
    struct stream stream;
    if (history->wanted == NULL || dec_stream(bytes, NULL, &stream) != GT_OK) return true;
    return bsearch(&stream.site, history->sites, history->wanted->count, sizeof *history->sites, site_cmp) != NULL;
}

/* A span as a row. The offer's names are those of the stream today, so that a history reads as one. */
static bool add_span(struct history *history, struct view *view, const struct span *span)
{
    int64_t first = view_time(view, span->first), last = view_time(view, span->last);
    if (!touches(history, first, last)) return true;
    void *items = history->items;
    if (!arena_grow(history->reader.arena, &items, history->count, &history->cap, sizeof *history->items)) {
        db_fail(history->reader.txn, GT_ENOMEM, "out of memory");
        return false;
    }
    history->items = items;
    struct history_item *item = &history->items[history->count++];
    item->stream = view->stream_id;
    item->offer = view_row(view, span->offer, span->attr, span->record);
    item->offer.since_unix_s = first;
    item->offer.seen_unix_s = last;
    item->offer.site_good_unix_s = view_time(view, view->state.last_good);
    item->offer.is_doubted = span->is_doubted;
    item->offer.is_listed = span->is_open;
    item->offer.doubt = reader_text(view->reader, span->detail);
    view_row_page(view, span->last, &item->offer);
    item->row = (struct history_row){.first_unix_s = first,
                                     .last_unix_s = last,
                                     .first_seq = span->first,
                                     .last_seq = span->last,
                                     .observations = span->observations,
                                     .is_doubted = span->is_doubted,
                                     .is_open = span->is_open && !span->is_voided,
                                     .is_voided = span->is_voided};
    return true;
}

/* The pages that the spans were last seen on. */
static bool load_pages(struct history *history, struct view *view)
{
    const struct span_log *log = &view->state.spans_seen;
    uint64_t *seqs = arena_array(history->work, log->count, sizeof *seqs);
    for (size_t i = 0; seqs != NULL && i < log->count; i++) seqs[i] = log->items[i].last;
    if (seqs == NULL) db_fail(history->reader.txn, GT_ENOMEM, "out of memory");
    return seqs != NULL && view_pages_load(view, seqs, log->count);
}

/* Replays a stream once, for all its spans. */
static bool load_stream(struct history *history, uint32_t id)
{
    struct view view;
    arena_clear(history->work);
    if (!view_load_all(&view, &history->reader, id, history->wanted, history->work)) return db_err(history->reader.txn) == GT_OK;
    if (!load_pages(history, &view)) return false;
    for (size_t i = 0; i < view.state.spans_seen.count; i++)
        if (!add_span(history, &view, &view.state.spans_seen.items[i])) return false;
    return true;
}

/* Streams one after another. */
static void load_history(struct history *history)
{
    struct db_cursor streams;
    if (!load_sites(history)) return;
    db_cursor_init(&streams, history->reader.txn, DB_STREAMS);
    for (bool has = db_cursor_seek(&streams, GT_STR("")); has; has = db_cursor_next(&streams))
        if (is_site_wanted(history, streams.value) && !load_stream(history, key_id_at(streams.key, 0))) break;
    db_cursor_done(&streams);
}

/* The board's order of offers; then stream, then sequence. */
static int item_cmp(const void *left, const void *right)
{
    const struct history_item *a = left, *b = right;
    int order = board_offer_cmp(&a->offer, &b->offer);
    if (order != 0) return order;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return (a->row.first_seq > b->row.first_seq) - (a->row.first_seq < b->row.first_seq);
}

/* Read in the order in which streams lie, given in the order of offers and time: the log is read once, not once an offer. */
enum gt_err store_history_of(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s,
                             int64_t until_unix_s, struct arena *arena, history_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct offer_set wanted = {offers, offer_count};
    struct history history = {.since_unix_s = since_unix_s,
                              .until_unix_s = until_unix_s,
                              .wanted = offers != NULL ? &wanted : NULL,
                              .work = arena_new(VIEW_BYTES_MAX)};
    if (history.work == NULL) return gt_fail(info, GT_ENOMEM, "reading the history: out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err == GT_OK) {
        reader_init(&history.reader, txn, arena);
        load_history(&history);
        err = db_read_end(txn);
    }
    arena_free(history.work);
    if (err == GT_OK && history.count > 0) qsort(history.items, history.count, sizeof *history.items, item_cmp);
    for (size_t i = 0; i < history.count && err == GT_OK; i++) {
        struct history_item *item = &history.items[i];
        item->row.offer = &item->offer;
        err = fn(ctx, &item->row);
    }
    return err;
}

enum gt_err store_history(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, history_fn *fn,
                          void *ctx, struct gt_errinfo *info)
{
    return store_history_of(store, NULL, 0, since_unix_s, until_unix_s, arena, fn, ctx, info);
}
