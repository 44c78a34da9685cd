#include "reports/market_history.h"

#include <stdlib.h>

/* ---- runs ---- */

static bool is_live_market(const void *ctx, const struct run_row *run)
{
    (void)ctx;
    return run->kind == KIND_MARKET && run->provenance == PROVENANCE_LIVE;
}

enum gt_err market_runs_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, struct run_index *ret_runs,
                             struct gt_errinfo *info)
{
    enum gt_err err = run_list_read(store, since_unix_s, until_unix_s, is_live_market, NULL, arena, ret_runs, info);
    if (err != GT_OK) return err;
    size_t count = 0;
    /* The store gives the parts of a run one after the other. */
    for (size_t i = 0; i < ret_runs->count; i++) {
        struct run_entry *last = count > 0 ? &ret_runs->runs[count - 1] : NULL;
        if (last != NULL && last->seq == ret_runs->runs[i].seq) last->is_good = last->is_good && ret_runs->runs[i].is_good;
        else ret_runs->runs[count++] = ret_runs->runs[i];
    }
    ret_runs->count = count;
    return GT_OK;
}

/* ---- spreads ---- */

/* One class of one marketplace. */
struct market_class {
    const struct history_span **spans; /* by first run */
    size_t count;
    struct spread_item *items; /* room for all of them */
    struct market_row row;     /* what all its rows have in common */
};

static bool may_stand(const struct history_span *span, const struct history_offer *offer)
{
    return history_span_counts(span) && span->row.kind == KIND_MARKET && span->row.provenance == PROVENANCE_LIVE &&
           span->row.offer.record.availability != AVAIL_SOLD_OUT && currency_eq(span->net.currency, offer->currency);
}

static int span_order(const void *left, const void *right)
{
    const struct history_span *const *a = left, *const *b = right;
    int order = gt_str_cmp((*a)->row.site, (*b)->row.site);
    if (order == 0) order = ((*a)->first_seq > (*b)->first_seq) - ((*a)->first_seq < (*b)->first_seq);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

/* The spans that cover a run are moved to the front of those that have begun: [0, *standing). True when they are others than before. */
static bool stand(struct market_class *class, uint64_t seq, size_t *standing, size_t *begun)
{
    size_t kept = 0;
    bool has_changed = false;
    for (size_t i = 0; i < *standing; i++)
        if (class->spans[i]->last_seq >= seq) class->spans[kept++] = class->spans[i];
    has_changed = kept != *standing;
    for (; *begun < class->count && class->spans[*begun]->first_seq <= seq; ++*begun) {
        if (class->spans[*begun]->last_seq < seq) continue;
        class->spans[kept++] = class->spans[*begun];
        has_changed = true;
    }
    *standing = kept;
    return has_changed;
}

struct market_making {
    struct arena *arena;
    const struct run_index *runs;
    struct market_history market;
    size_t cap;
};

static enum gt_err row_add(struct market_making *making, const struct market_class *class, const struct run_entry *run, const struct spread *spread,
                           bool goes_on)
{
    void *rows = making->market.rows;
    struct market_row *last = goes_on ? &making->market.rows[making->market.count - 1] : NULL;
    if (last != NULL && memcmp(&last->spread, spread, sizeof *spread) == 0) {
        last->last_unix_s = run->start_unix_s;
        last->runs++;
        return GT_OK;
    }
    if (making->market.count >= MARKET_SPREADS_MAX) return GT_ELIMIT;
    if (!arena_grow(making->arena, &rows, making->market.count, &making->cap, sizeof *making->market.rows)) return GT_ENOMEM;
    making->market.rows = rows;
    struct market_row *row = &making->market.rows[making->market.count++];
    *row = class->row;
    row->first_unix_s = row->last_unix_s = run->start_unix_s;
    row->runs = 1;
    row->spread = *spread;
    return GT_OK;
}

/* A run without any offer ends the row before it; one that was not good says nothing. */
static enum gt_err class_runs(struct market_making *making, struct market_class *class)
{
    size_t standing = 0, begun = 0;
    bool goes_on = false;
    struct spread spread = {0};
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < making->runs->count && err == GT_OK; i++) {
        const struct run_entry *run = &making->runs->runs[i];
        if (!run->is_good || !gt_str_eq(run->site, class->row.site)) continue;
        if (stand(class, run->seq, &standing, &begun)) {
            for (size_t k = 0; k < standing; k++)
                class->items[k] = (struct spread_item){class->spans[k]->price_nano, class->spans[k]->row.offer.attributes.cards};
            if (!spread_compute(class->items, standing, &spread)) spread = (struct spread){0};
        }
        if (spread.offers > 0) err = row_add(making, class, run, &spread, goes_on);
        goes_on = spread.offers > 0;
    }
    return err;
}

/* Offers of one class and currency, marketplace by marketplace. */
static enum gt_err class_add(struct market_making *making, const struct history_offer *offers, size_t offer_count)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < offer_count; i++) most += offers[i].count;
    const struct history_span **spans = arena_array(making->arena, most + 1, sizeof(struct history_span *));
    struct spread_item *items = arena_array(making->arena, most + 1, sizeof *items);
    enum gt_err err = spans != NULL && items != NULL ? GT_OK : GT_ENOMEM;
    for (size_t i = 0; i < offer_count && err == GT_OK; i++)
        for (size_t k = 0; k < offers[i].count; k++)
            if (may_stand(&offers[i].spans[k], &offers[i])) spans[count++] = &offers[i].spans[k];
    if (count > 0) qsort(spans, count, sizeof(struct history_span *), span_order);
    for (size_t i = 0, end; i < count && err == GT_OK; i = end) {
        for (end = i + 1; end < count && gt_str_eq(spans[i]->row.site, spans[end]->row.site);) end++;
        const struct board_row *any = &spans[i]->row;
        struct market_class class = {spans + i, end - i, items, {.site = any->site, .site_title = any->site_title}};
        class.row.class = offers[0].class;
        class.row.currency = offers[0].currency;
        err = class_runs(making, &class);
    }
    return err;
}

enum gt_err market_history_compute(const struct history *history, const struct run_index *runs, struct arena *arena,
                                   struct market_history *ret_market)
{
    struct market_making making = {.arena = arena, .runs = runs};
    enum gt_err err = GT_OK;
    for (size_t i = 0, count; i < history->offer_count && runs->count > 0 && err == GT_OK; i += count) {
        count = history_class_count(history, i);
        err = class_add(&making, &history->offers[i], count);
    }
    if (err == GT_OK) *ret_market = making.market;
    return err;
}
