#include "store/stock.h"

#include "store/commit.h"

enum { SHAPE_VERSION = 1, STOCKS_MAX = 65536, CONFIDENCE_ALL = 1000 };

static const struct stock nothing = {.units = -1, .confidence_permille = CONFIDENCE_ALL};

/* What is kept of an offer beside its record. */
static bool stock_eq(const struct stock *a, const struct stock *b)
{
    return a->units == b->units && a->confidence_permille == b->confidence_permille && a->reasons == b->reasons;
}

void enc_stock(struct strbuf *buf, uint32_t since_key, const struct stock *items, size_t count)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_uint(buf, since_key);
    enc_uint(buf, count);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        enc_uint(buf, items[i].offer - before);
        enc_int(buf, items[i].units);
        enc_int(buf, CONFIDENCE_ALL - items[i].confidence_permille);
        enc_uint(buf, items[i].reasons);
        before = items[i].offer;
    }
}

/* Numbers grow and each entry has four bytes at least: a count that the bytes cannot hold is refused before memory is taken for it. */
enum gt_err dec_stock(struct gt_str bytes, struct arena *arena, uint32_t *ret_since_key, struct stock **ret_items,
                      size_t *ret_count)
{
    struct dec dec = dec_begin(bytes, arena);
    if (dec_byte(&dec) != SHAPE_VERSION) dec_damaged(&dec);
    uint32_t since_key = (uint32_t)dec_uint_max(&dec, STOCK_KEY_EVERY);
    size_t count = (size_t)dec_uint_max(&dec, STOCKS_MAX);
    if (count > (size_t)(dec.end - dec.at) / 4) dec_damaged(&dec);
    struct stock *items = dec_array(&dec, count, sizeof *items);
    uint32_t offer = 0;
    for (size_t i = 0; i < count && dec.err == GT_OK; i++) {
        uint32_t step = dec_id(&dec);
        if (step == 0 || step > UINT32_MAX - offer) dec_damaged(&dec);
        offer += step;
        items[i].offer = offer;
        items[i].units = dec_int(&dec);
        int32_t doubt = dec_int32(&dec);
        if (doubt < 0 || doubt > CONFIDENCE_ALL) dec_damaged(&dec);
        items[i].confidence_permille = CONFIDENCE_ALL - doubt;
        items[i].reasons = dec_id(&dec);
    }
    if (dec_end(&dec) != GT_OK) return dec_end(&dec);
    *ret_since_key = since_key;
    *ret_items = items;
    *ret_count = count;
    return GT_OK;
}

/* Newer entries over older ones, both by offer. */
static bool merge(struct arena *arena, const struct stock *newer, size_t newer_count, struct stock_list *list)
{
    struct stock *merged = arena_array(arena, newer_count + list->count, sizeof *merged);
    size_t a = 0, b = 0, count = 0;
    if (merged == NULL) return false;
    while (a < newer_count || b < list->count) {
        bool takes_newer = b == list->count || (a < newer_count && newer[a].offer <= list->items[b].offer);
        if (takes_newer && b < list->count && newer[a].offer == list->items[b].offer) b++;
        merged[count++] = takes_newer ? newer[a++] : list->items[b++];
    }
    list->items = merged;
    list->count = count;
    return true;
}

/* Rows are read backwards to the last whole one: what an older row says counts only where no newer one spoke. */
bool stock_load(struct db_txn *txn, uint32_t stream, uint64_t cut_seq, struct arena *arena, struct stock_list *ret_list)
{
    struct db_cursor cursor;
    struct key end = key_of_run(stream, cut_seq + 1);
    *ret_list = (struct stock_list){.count = 0};
    db_cursor_init(&cursor, txn, DB_STOCKS);
    bool has = db_cursor_seek_before(&cursor, key_str(&end));
    enum gt_err err = GT_OK;
    for (uint32_t since_key = 1; has && key_id_at(cursor.key, 0) == stream && since_key > 0; has = db_cursor_prev(&cursor)) {
        struct stock_list older = {.count = 0};
        err = dec_stock(cursor.value, arena, &since_key, &older.items, &older.count);
        if (err == GT_OK && !merge(arena, ret_list->items, ret_list->count, &older)) err = GT_ENOMEM;
        if (err != GT_OK) break;
        ret_list->items = older.items;
        ret_list->count = older.count;
        if (!ret_list->has_row) ret_list->since_key = since_key;
        ret_list->has_row = true;
    }
    db_cursor_done(&cursor);
    if (err != GT_OK) db_fail(txn, err, "a stock row of stream %u: %s", (unsigned)stream, gt_err_text(err));
    return db_err(txn) == GT_OK;
}

struct stock stock_of(const struct stock_list *list, uint32_t offer)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].offer < offer) low = middle + 1;
        else high = middle;
    }
    struct stock found = low < list->count && list->items[low].offer == offer ? list->items[low] : nothing;
    found.offer = offer;
    return found;
}

/* As the page shows it now. */
static struct stock stock_seen(struct part_job *job, const struct sighting *sighting)
{
    return (struct stock){.offer = sighting->offer,
                          .units = sighting->seen->stock,
                          .confidence_permille = sighting->seen->confidence_permille,
                          .reasons = job_text(job, sighting->seen->reasons)};
}

/* Whole rows keep what offers said that are not on the page now: "as last seen" holds for delisted ones, too. */
static void write_list(struct part_job *job, const struct stock_list *known, const struct stock *moved, size_t moved_count)
{
    struct stock_list whole = *known;
    uint32_t since_key = known->has_row ? known->since_key + 1 : 0;
    if (since_key >= STOCK_KEY_EVERY) since_key = 0;
    if (since_key == 0) {
        if (!merge(job->arena, moved, moved_count, &whole)) db_fail(job->txn, GT_ENOMEM, "out of memory");
        moved = whole.items;
        moved_count = whole.count;
    }
    struct strbuf bytes;
    struct key key = key_of_run(job->stream, job->row.seq);
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_stock(&bytes, since_key, moved, moved_count);
    if (bytes.err != GT_OK) db_fail(job->txn, bytes.err, "stock counts: %s", gt_err_text(bytes.err));
    db_put(job->txn, DB_STOCKS, key_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

/* Only what moved is written: a marketplace changes a few of its counts a run. */
void job_stock_write(struct part_job *job)
{
    struct stock_list known;
    size_t moved_count = 0;
    if (job->sighting_count == 0) return;
    if (!stock_load(job->txn, job->stream, job->row.seq, job->arena, &known)) return;
    struct stock *moved = arena_array(job->arena, job->sighting_count, sizeof *moved);
    if (moved == NULL) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; i < job->sighting_count; i++) {
        struct stock seen = stock_seen(job, &job->sightings[i]), before = stock_of(&known, seen.offer);
        if (!stock_eq(&seen, &before)) moved[moved_count++] = seen;
    }
    if (moved_count > 0) write_list(job, &known, moved, moved_count);
}
