/* store_history: all spans of all offers, from the run logs. */
#include <stdlib.h>

#include "store/offer_sites.h"
#include "store/store_impl.h"
#include "store/view.h"

/* What a span has of its own: an offer has many, and a row of a board takes five times as much. */
struct history_item {
    struct history_row row;
    const struct offer_attributes *attributes;
    const struct offer_record *record;
    struct gt_str doubt, warc_file;
    int64_t warc_offset;
};

/* An offer of one stream, and which items are its spans, in order. */
struct history_offer {
    struct board_row row;
    uint32_t stream;
    size_t begin, count;
};

struct history {
    struct reader reader;
    struct arena *work;             /* holds one stream's state at a time */
    const struct offer_set *wanted; /* NULL: all */
    struct offer_sites sites;
    int64_t since_unix_s, until_unix_s;
    struct history_offer **offers;
    size_t offer_count, offer_cap;
    struct history_item *items;
    size_t count, cap;
};

static bool out_of_memory(struct history *history)
{
    db_fail(history->reader.txn, GT_ENOMEM, "out of memory");
    return false;
}

/* Clocks may have jumped within a span: it touches what lies between its ends, in either order. */
static bool touches(const struct history *history, int64_t first_unix_s, int64_t last_unix_s)
{
    int64_t low = first_unix_s < last_unix_s ? first_unix_s : last_unix_s;
    int64_t high = first_unix_s < last_unix_s ? last_unix_s : first_unix_s;
    return low < history->until_unix_s && high >= history->since_unix_s;
}

/* The offer whose spans come next. Its names are those of the stream today, so that a history reads as one. */
static struct history_offer *add_offer(struct history *history, struct view *view, const struct span *span)
{
    void *offers = history->offers;
    struct arena *arena = history->reader.arena;
    struct history_offer *offer = arena_alloc(arena, sizeof *offer);
    if (offer == NULL || !arena_grow(arena, &offers, history->offer_count, &history->offer_cap, sizeof(struct history_offer *))) return NULL;
    history->offers = offers;
    history->offers[history->offer_count++] = offer;
    offer->stream = view->stream_id;
    offer->begin = history->count;
    view_row(view, span->offer, span->attr, span->record, &offer->row);
    offer->row.site_good_unix_s = view->state.last_good_unix_s;
    return offer;
}

/* Spans of an offer come one after another. */
static bool add_span(struct history *history, struct view *view, const struct span *span)
{
    struct history_offer *offer = history->offer_count > 0 ? history->offers[history->offer_count - 1] : NULL;
    if (offer == NULL || offer->stream != view->stream_id || offer->row.offer_id != span->offer) offer = add_offer(history, view, span);
    void *items = history->items;
    if (offer == NULL || !arena_grow(history->reader.arena, &items, history->count, &history->cap, sizeof *history->items))
        return out_of_memory(history);
    history->items = items;
    struct history_item *item = &history->items[history->count++];
    offer->count++;
    *item = (struct history_item){.attributes = reader_attributes(view->reader, span->attr),
                                  .record = reader_record(view->reader, span->record),
                                  .doubt = reader_text(view->reader, span->detail)};
    view_page_of(view, span->last, &item->warc_file, &item->warc_offset);
    item->row = (struct history_row){.first_unix_s = span->from_unix_s,
                                     .last_unix_s = span->last_unix_s,
                                     .first_seq = span->first,
                                     .last_seq = span->last,
                                     .observations = span->observations,
                                     .is_doubted = span->is_doubted,
                                     .is_open = span->is_open,
                                     .is_voided = span->is_voided};
    return true;
}

/* The spans that touch the time asked for, by offer and then as they began: places in the log behind the numbers of offers, which sort
 * faster than spans do. NULL when memory is out. */
static uint64_t *order_spans(const struct history *history, const struct view *view, size_t *ret_count)
{
    const struct span_log *log = &view->state.spans_seen;
    uint64_t *order = arena_array(history->work, log->count, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; order != NULL && i < log->count; i++)
        if (touches(history, log->items[i].from_unix_s, log->items[i].last_unix_s)) order[count++] = (uint64_t)log->items[i].offer << 32 | i;
    if (count > 0) qsort(order, count, sizeof *order, view_number_cmp);
    *ret_count = count;
    return order;
}

/* Replays a stream once, for all its spans, and reads the pages that those were last seen on. */
static bool load_stream(struct history *history, uint32_t id)
{
    struct view view;
    size_t count;
    arena_clear(history->work);
    if (!view_load_all(&view, &history->reader, id, history->wanted, history->work)) return db_err(history->reader.txn) == GT_OK;
    const struct span *spans = view.state.spans_seen.items;
    uint64_t *order = order_spans(history, &view, &count), *seqs = arena_array(history->work, count, sizeof *seqs);
    if (order == NULL || seqs == NULL) return out_of_memory(history);
    for (size_t i = 0; i < count; i++) seqs[i] = spans[order[i] & UINT32_MAX].last;
    if (!view_pages_load(&view, seqs, count)) return false;
    for (size_t i = 0; i < count; i++)
        if (!add_span(history, &view, &spans[order[i] & UINT32_MAX])) return false;
    return true;
}

/* Streams one after another. */
static void load_history(struct history *history)
{
    struct db_cursor streams;
    if (!offer_sites_load(&history->sites, &history->reader, history->wanted)) return;
    db_cursor_init(&streams, history->reader.txn, DB_STREAMS);
    for (bool has = db_cursor_seek(&streams, GT_STR("")); has; has = db_cursor_next(&streams))
        if (offer_sites_have(&history->sites, streams.value) && !load_stream(history, key_id_at(streams.key, 0))) break;
    db_cursor_done(&streams);
}

/* The board's order of offers; then stream. */
static int offer_cmp(const void *left, const void *right)
{
    const struct history_offer *a = *(const struct history_offer *const *)left, *b = *(const struct history_offer *const *)right;
    int order = board_offer_cmp(&a->row, &b->row);
    return order != 0 ? order : (a->stream > b->stream) - (a->stream < b->stream);
}

/* The spans of one offer, its row turned into each span's in turn. */
static enum gt_err give_spans(struct history *history, struct history_offer *offer, history_fn *fn, void *ctx)
{
    enum gt_err err = GT_OK;
    struct board_row *row = &offer->row;
    for (size_t i = 0; i < offer->count && err == GT_OK; i++) {
        struct history_item *item = &history->items[offer->begin + i];
        if (item->attributes != NULL) row->offer.attributes = *item->attributes;
        if (item->record != NULL) row->offer.record = *item->record;
        row->since_unix_s = item->row.first_unix_s;
        row->seen_unix_s = item->row.last_unix_s;
        row->is_doubted = item->row.is_doubted;
        row->is_listed = item->row.is_open;
        row->doubt = item->doubt;
        row->warc_file = item->warc_file;
        row->warc_offset = item->warc_offset;
        item->row.offer = row;
        item->row.is_open = item->row.is_open && !item->row.is_voided;
        err = fn(ctx, &item->row);
    }
    return err;
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
    if (err == GT_OK && history.offer_count > 0) qsort(history.offers, history.offer_count, sizeof(struct history_offer *), offer_cmp);
    for (size_t i = 0; i < history.offer_count && err == GT_OK; i++) err = give_spans(&history, history.offers[i], fn, ctx);
    return err;
}

enum gt_err store_history(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, history_fn *fn,
                          void *ctx, struct gt_errinfo *info)
{
    return store_history_of(store, NULL, 0, since_unix_s, until_unix_s, arena, fn, ctx, info);
}
