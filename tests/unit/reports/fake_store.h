/* A store of hand-built rows: answers the store's readers, so that reports run without a data directory. One test program
 * includes it once; the readers defined here stand in for those of the store's library. */
#ifndef GT_TESTS_FAKE_STORE_H
#define GT_TESTS_FAKE_STORE_H

#include "reports/report.h"
#include "store/events.h"
#include "store/prices.h"
#include "tests/unit/table.h"

/* A board row known from one moment on until another. */
struct fake_row {
    struct board_row row;
    int64_t from_unix_s, to_unix_s; /* to is not included; 0: for ever */
};

/* An event that alerts have recorded. */
struct fake_event {
    int64_t t_unix_s;
    const char *json;
};

/* What stands under a key of STORE_REPORTS. */
struct fake_value {
    const char *key, *value;
};

struct store {
    const struct fake_row *rows;
    size_t row_count;
    const struct history_row *spans;
    size_t span_count;
    const struct change *changes;
    size_t change_count;
    const struct run_row *runs;
    size_t run_count;
    const struct fake_event *events; /* by time */
    size_t event_count;
    const struct fake_value *values;
    size_t value_count;
    bool is_sample;
    enum gt_err err;                /* what every reader answers, when not GT_OK */
};

enum gt_err store_is_sample(struct store *store, bool *ret_is_sample, struct gt_errinfo *info)
{
    if (store->err != GT_OK) return gt_fail(info, store->err, "the store is damaged");
    *ret_is_sample = store->is_sample;
    return GT_OK;
}

static size_t fake_board(const struct store *store, int64_t at_unix_s, struct board_row *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < store->row_count; i++) {
        const struct fake_row *fake = &store->rows[i];
        if (fake->from_unix_s > at_unix_s || (fake->to_unix_s != 0 && fake->to_unix_s <= at_unix_s)) continue;
        struct board_row *row = &rows[count++];
        *row = fake->row;
        if (row->seen_unix_s > at_unix_s) row->seen_unix_s = at_unix_s;
        if (row->site_good_unix_s > at_unix_s) row->site_good_unix_s = at_unix_s;
    }
    return count;
}

enum gt_err store_board_rows(struct store *store, int64_t before_unix_s, board_rows_fn *fn, void *ctx, int64_t at_unix_s, struct arena *arena,
                             struct board_row **ret_rows, size_t *ret_count, struct gt_errinfo *info)
{
    struct board_row *rows = arena_array(arena, store->row_count, sizeof *rows);
    if (store->err != GT_OK) return gt_fail(info, store->err, "the store is damaged");
    if (rows == NULL) return GT_ENOMEM;
    enum gt_err err = fn != NULL ? fn(ctx, rows, fake_board(store, before_unix_s, rows)) : GT_OK;
    if (err != GT_OK) return err;
    *ret_count = fake_board(store, at_unix_s, rows);
    *ret_rows = rows;
    return GT_OK;
}

enum gt_err store_get(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct arena *arena,
                      struct gt_str *ret_value, struct gt_errinfo *info)
{
    (void)txn, (void)info;
    for (size_t i = 0; i < store->value_count && table == STORE_REPORTS; i++) {
        if (!gt_str_is(key, store->values[i].key)) continue;
        *ret_value = arena_dup(arena, gt_str_from(store->values[i].value));
        return GT_OK;
    }
    return GT_ENOENT;
}

enum gt_err store_put(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct gt_str value,
                      struct gt_errinfo *info)
{
    (void)store, (void)txn, (void)table, (void)key, (void)value;
    return gt_fail(info, GT_EACCES, "the store is only read");
}

static bool fake_is_wanted(const uint64_t *offers, size_t count, uint64_t offer)
{
    bool is_wanted = offers == NULL;
    for (size_t i = 0; i < count && !is_wanted; i++) is_wanted = offers[i] == offer;
    return is_wanted;
}

enum gt_err store_history_of(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s, int64_t until_unix_s,
                             struct arena *arena, history_fn *fn, void *ctx, struct gt_errinfo *info)
{
    (void)arena, (void)info;
    for (size_t i = 0; i < store->span_count; i++) {
        const struct history_row *span = &store->spans[i];
        if (span->last_unix_s < since_unix_s || span->first_unix_s >= until_unix_s) continue;
        if (!fake_is_wanted(offers, offer_count, span->offer->offer_id)) continue;
        enum gt_err err = fn(ctx, span);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}

struct fake_prices {
    price_span_fn *fn;
    void *ctx;
};

/* A span's price, in the first window. */
static enum gt_err fake_price(void *ctx, const struct history_row *row)
{
    const struct fake_prices *prices = ctx;
    const struct offer_record *record = &row->offer->offer.record;
    const struct price_span span = {.offer_id = row->offer->offer_id, .price = {record->hour_list_nano, false, record->availability},
                                    .site = row->offer->site, .part = row->offer->offer.identity.part, .provenance = row->offer->provenance,
                                    .first_seq = row->first_seq, .last_seq = row->last_seq, .observations = row->observations,
                                    .is_doubted = row->is_doubted};
    return row->is_voided ? GT_OK : prices->fn(prices->ctx, &span);
}

enum gt_err store_price_spans(struct store *store, const uint64_t *offers, size_t offer_count, struct price_windows windows, price_span_fn *fn,
                              void *ctx, struct gt_errinfo *info)
{
    struct fake_prices prices = {fn, ctx};
    return store_history_of(store, offers, offer_count, windows.bounds[0], windows.bounds[1], NULL, fake_price, &prices, info);
}

enum gt_err store_changes(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, change_fn *fn, void *ctx,
                          struct gt_errinfo *info)
{
    (void)arena, (void)info;
    for (size_t i = 0; i < store->change_count; i++) {
        if (store->changes[i].t_unix_s < since_unix_s || store->changes[i].t_unix_s >= until_unix_s) continue;
        enum gt_err err = fn(ctx, &store->changes[i]);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}

enum gt_err store_runs(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, run_fn *fn, void *ctx,
                       struct gt_errinfo *info)
{
    (void)arena, (void)info;
    for (size_t i = 0; i < store->run_count; i++) {
        if (store->runs[i].start_unix_s < since_unix_s || store->runs[i].start_unix_s >= until_unix_s) continue;
        enum gt_err err = fn(ctx, &store->runs[i]);
        if (err != GT_OK) return err;
    }
    return GT_OK;
}

/* The published weeks, and the outbox, whose keys begin with their time; no other table holds anything. */
enum gt_err store_each(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str prefix, struct arena *arena,
                       store_each_fn *fn, void *ctx, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    (void)txn, (void)arena, (void)info;
    for (size_t i = 0; table == STORE_REPORTS && i < store->value_count && err == GT_OK; i++) {
        struct gt_str key = gt_str_from(store->values[i].key);
        if (gt_str_starts(key, prefix)) err = fn(ctx, key, gt_str_from(store->values[i].value));
    }
    for (size_t i = 0; table == STORE_OUTBOX && i < store->event_count && err == GT_OK; i++) {
        char key[EVENT_KEY_MAX], id[32];
        snprintf(id, sizeof id, "%zu", i);
        struct gt_str own = gt_str_from(event_key_print(store->events[i].t_unix_s, id, key));
        if (gt_str_starts(own, prefix)) err = fn(ctx, own, gt_str_from(store->events[i].json));
    }
    return err;
}

#endif
