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

/* Streams one after another; each is replayed once and gives all its spans. */
static void load_history(struct history *history)
{
    struct reader *reader = &history->reader;
    for (uint32_t id = part_stream_next(reader->txn, 0); id != 0; id = part_stream_next(reader->txn, id)) {
        struct view view;
        if (!view_load_all(&view, reader, id)) continue;
        for (size_t i = 0; i < view.state.spans_seen.count; i++)
            if (!add_span(history, &view, &view.state.spans_seen.items[i])) return;
    }
}

/* The board's order of offers; then stream, then sequence. */
static int item_cmp(const void *left, const void *right)
{
    const struct history_item *a = left, *b = right;
    struct board_row x = a->offer, y = b->offer;
    x.is_doubted = y.is_doubted = false;
    int order = board_row_cmp(&x, &y);
    if (order != 0) return order;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return (a->row.first_seq > b->row.first_seq) - (a->row.first_seq < b->row.first_seq);
}

enum gt_err store_history(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, history_fn *fn,
                          void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct history history = {.since_unix_s = since_unix_s, .until_unix_s = until_unix_s};
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) return err;
    reader_init(&history.reader, txn, arena);
    load_history(&history);
    err = db_read_end(txn);
    if (err != GT_OK) return err;
    if (history.count > 0) qsort(history.items, history.count, sizeof *history.items, item_cmp);
    for (size_t i = 0; i < history.count && err == GT_OK; i++) {
        struct history_item *item = &history.items[i];
        item->row.offer = &item->offer;
        err = fn(ctx, &item->row);
    }
    return err;
}
