/* store_prices: what the listed offers cost now, from the prices beside each latest block. */
#include "store/prices.h"

#include <stdlib.h>

#include "store/price_row.h"
#include "store/store_impl.h"
#include "store/view.h"

struct price_list {
    struct reader reader;
    struct arena *work; /* one stream's state */
    struct price_stream {
        uint32_t id;
        const struct stream *stream;
    } * streams; /* by site and part */
    size_t count, cap;
    offer_price_fn *fn;
    void *ctx;
    enum gt_err fn_err;
};

struct record_price price_of_record(const struct offer_record *front)
{
    bool is_month = front->hour_list_nano == 0 && front->month_list_nano != 0;
    return (struct record_price){is_month ? front->month_list_nano : front->hour_list_nano, is_month, front->availability};
}

static bool out_of_memory(struct price_list *list)
{
    db_fail(list->reader.txn, GT_ENOMEM, "out of memory");
    return false;
}

static int stream_cmp(const void *left, const void *right)
{
    return stream_part_cmp(((const struct price_stream *)left)->stream, ((const struct price_stream *)right)->stream);
}

static bool list_streams(struct price_list *list)
{
    struct db_cursor cursor;
    struct reader *reader = &list->reader;
    db_cursor_init(&cursor, reader->txn, DB_STREAMS);
    for (bool has = db_cursor_seek(&cursor, GT_STR("")); has; has = db_cursor_next(&cursor)) {
        void *streams = list->streams;
        uint32_t id = key_id_at(cursor.key, 0);
        const struct stream *stream = reader_stream(reader, id);
        if (stream == NULL) break;
        if (!arena_grow(reader->arena, &streams, list->count, &list->cap, sizeof *list->streams)) {
            out_of_memory(list);
            break;
        }
        list->streams = streams;
        list->streams[list->count++] = (struct price_stream){id, stream};
    }
    db_cursor_done(&cursor);
    if (list->count > 0) qsort(list->streams, list->count, sizeof *list->streams, stream_cmp);
    return db_err(reader->txn) == GT_OK;
}

/* Of several streams of one part the one that speaks, as a board finds it; 0 when none does. */
static uint32_t speaker(struct price_list *list, const struct price_stream *streams, size_t count)
{
    struct reader *reader = &list->reader;
    struct view *views = arena_array(reader->arena, count, sizeof *views);
    size_t known = 0;
    if (views == NULL) return out_of_memory(list);
    for (size_t i = 0; i < count; i++)
        if (view_open(&views[known], reader, streams[i].id, reader->arena) && view_move(&views[known], INT64_MAX, reader->arena)) known++;
    if (known == 0 || db_err(reader->txn) != GT_OK) return 0;
    qsort(views, known, sizeof *views, view_order);
    return views[0].stream_id;
}

static void give(struct price_list *list, const struct offer_price *price)
{
    if (list->fn_err == GT_OK) list->fn_err = list->fn(list->ctx, price);
}

/* Of a stream that an older program wrote last, from the latest block, which has the listed offers alone. */
static void give_slots(struct price_list *list, uint32_t stream)
{
    struct part_state state;
    struct offer_price prices[SLOT_PRICES_MAX];
    arena_clear(list->work);
    if (!part_load_latest(list->reader.txn, stream, &state, list->work)) return;
    for (size_t i = 0; i < state.count && list->fn_err == GT_OK; i++) {
        size_t count = price_of_slot(&list->reader, &state.slots[i], prices);
        for (size_t j = 0; j < count; j++) give(list, &prices[j]);
    }
}

static void give_stream(struct price_list *list, uint32_t stream)
{
    struct price_row row;
    if (!price_row_get(list->reader.txn, stream, &row)) {
        give_slots(list, stream);
        return;
    }
    while (list->fn_err == GT_OK && price_row_next(&row)) give(list, &row.price);
    if (row.dec.err != GT_OK) db_fail(list->reader.txn, row.dec.err, "the prices of stream %u are damaged", (unsigned)stream);
}

static void give_all(struct price_list *list)
{
    if (!list_streams(list)) return;
    for (size_t i = 0, end; i < list->count && list->fn_err == GT_OK && db_err(list->reader.txn) == GT_OK; i = end) {
        for (end = i + 1; end < list->count && stream_cmp(&list->streams[i], &list->streams[end]) == 0;) end++;
        uint32_t stream = end - i == 1 ? list->streams[i].id : speaker(list, &list->streams[i], end - i);
        if (stream != 0) give_stream(list, stream);
    }
}

enum gt_err store_prices(struct store *store, offer_price_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct price_list list = {.fn = fn, .ctx = ctx, .work = arena_new(VIEW_BYTES_MAX)};
    struct arena *arena = arena_new(VIEW_BYTES_MAX);
    if (arena == NULL || list.work == NULL) {
        arena_free(arena);
        arena_free(list.work);
        return gt_fail(info, GT_ENOMEM, "reading prices: out of memory");
    }
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err == GT_OK) {
        reader_init(&list.reader, txn, arena);
        give_all(&list);
        err = db_read_end(txn);
    }
    arena_free(list.work);
    arena_free(arena);
    return err != GT_OK ? err : list.fn_err;
}
