#include "reports/history.h"

#include <stdlib.h>

#include "pricing/compare_class.h"
#include "reports/figure.h"

/* ---- reading ---- */

struct reading_spans {
    struct arena *arena;
    struct arena *scratch;
    const struct board_view *view;
    struct history_spans spans;
};

enum gt_err history_spans_add(struct history_spans *spans, const struct history_row *row, struct arena *arena)
{
    void *rows = spans->rows;
    if (spans->count >= HISTORY_SPANS_MAX) return GT_ELIMIT;
    if (!arena_grow(arena, &rows, spans->count, &spans->cap, sizeof *spans->rows)) return GT_ENOMEM;
    spans->rows = rows;
    spans->rows[spans->count++] = (struct history_span){.row = *row->offer,
                                                        .first_unix_s = row->first_unix_s,
                                                        .last_unix_s = row->last_unix_s,
                                                        .first_seq = row->first_seq,
                                                        .last_seq = row->last_seq,
                                                        .observations = row->observations,
                                                        .is_doubted = row->is_doubted,
                                                        .is_open = row->is_open,
                                                        .is_voided = row->is_voided};
    return GT_OK;
}

/* Spans are filtered as they come: a query for one card must not load all others. */
static enum gt_err keep_span(void *ctx, const struct history_row *row)
{
    struct reading_spans *reading = ctx;
    arena_clear(reading->scratch);
    if (!board_row_matches(row->offer, reading->view, reading->scratch)) return GT_OK;
    if (reading->view->currency.code[0] != '\0' && !currency_eq(reading->view->currency, row->offer->offer.record.currency))
        return GT_OK;
    return history_spans_add(&reading->spans, row, reading->arena);
}

/* The same words observed live and found in an archive are two series: they are never mixed silently. */
static bool is_same_offer(const struct history_span *a, const struct history_span *b)
{
    return a->row.offer_id == b->row.offer_id && a->row.provenance == b->row.provenance && gt_str_eq(a->row.site, b->row.site);
}

/* When a span's own dates change what is paid while it lasts, for the first time; 0 when they do not. */
static int64_t span_turn(const struct history_span *span)
{
    int64_t turn = offer_turn_next(&span->row.offer.record, span->first_unix_s, NULL);
    return turn <= span->last_unix_s ? turn : 0;
}

/* From each span to the next of its offer, and within those that turn. NULL when memory is out. */
static struct run_gap *gaps_between(const struct history_spans *spans, struct arena *arena, size_t *ret_count)
{
    struct run_gap *gaps = arena_array(arena, 2 * spans->count, sizeof *gaps);
    size_t count = 0;
    for (size_t i = 0; gaps != NULL && i < spans->count; i++) {
        const struct history_span *before = i > 0 ? &spans->rows[i - 1] : NULL, *span = &spans->rows[i];
        struct gt_str part = span->row.offer.identity.part;
        if (before != NULL && is_same_offer(before, span))
            gaps[count++] = (struct run_gap){span->row.site, part, before->last_seq, span->first_seq};
        if (span_turn(span) != 0) gaps[count++] = (struct run_gap){span->row.site, part, span->first_seq, span->last_seq};
    }
    *ret_count = count;
    return gaps;
}

enum gt_err history_read_of(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s,
                            int64_t until_unix_s, const struct board_view *view, struct arena *arena, struct history *ret_history,
                            struct gt_errinfo *info)
{
    struct reading_spans reading = {.arena = arena, .view = view, .scratch = arena_new(REPORT_BYTES_MAX)};
    struct run_index runs;
    struct run_gap *gaps = NULL;
    size_t gap_count = 0;
    if (reading.scratch == NULL) return gt_fail(info, GT_ENOMEM, "reading the history: out of memory");
    enum gt_err err =
        store_history_of(store, offers, offer_count, since_unix_s, until_unix_s, arena, keep_span, &reading, info);
    arena_clear(reading.scratch);
    if (err == GT_OK) gaps = gaps_between(&reading.spans, reading.scratch, &gap_count);
    if (err == GT_OK && gaps == NULL) err = GT_ENOMEM;
    if (err == GT_ELIMIT || err == GT_ENOMEM) gt_fail(info, err, "reading the history: %s", gt_err_text(err));
    /* The runs are of no use once it is known which spans follow on each other. */
    if (err == GT_OK) err = run_index_read(store, since_unix_s, until_unix_s, gaps, gap_count, reading.scratch, &runs, info);
    if (err == GT_OK) {
        err = history_compute(reading.spans.rows, reading.spans.count, &runs, view, arena, ret_history);
        if (err != GT_OK) gt_fail(info, err, "reckoning the history: %s", gt_err_text(err));
    }
    arena_free(reading.scratch);
    return err;
}

enum gt_err history_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                         struct arena *arena, struct history *ret_history, struct gt_errinfo *info)
{
    return history_read_of(store, NULL, 0, since_unix_s, until_unix_s, view, arena, ret_history, info);
}

/* ---- reckoning ---- */

bool history_span_counts(const struct history_span *span)
{
    return !span->is_doubted && !span->is_voided && span->price_nano != 0;
}

/* True when no good run of the listing lies between two spans of one offer: else it was gone in between. */
static bool follows(const struct history_span *before, const struct history_span *after, const struct run_index *runs)
{
    return !run_index_has_between(runs, before->row.site, before->row.offer.identity.part, before->last_seq, after->first_seq);
}

/* Cuts a span where its price turns: *span keeps what was seen before `turn_unix_s`, the rest is returned. Runs that are not known (they lie
 * outside of what was read) count for the rest. */
static struct history_span span_cut(struct history_span *span, int64_t turn_unix_s, const struct run_index *runs)
{
    struct history_span rest = *span;
    struct gt_str site = span->row.site, part = span->row.offer.identity.part;
    span->observations = 1;
    span->last_unix_s = span->first_unix_s;
    span->last_seq = span->first_seq;
    span->is_open = false;
    rest.first_unix_s = rest.last_unix_s;
    rest.first_seq = rest.last_seq;
    for (size_t i = run_index_place(runs, site, part, span->first_seq + 1); i < runs->count; i++) {
        const struct run_entry *run = &runs->runs[i];
        if (run->seq >= rest.last_seq || !gt_str_eq(run->site, site) || !gt_str_eq(run->part, part)) break;
        if (!run->is_good) continue;
        if (run->start_unix_s >= turn_unix_s) {
            rest.first_unix_s = run->start_unix_s;
            rest.first_seq = run->seq;
            break;
        }
        span->observations++;
        span->last_unix_s = run->start_unix_s;
        span->last_seq = run->seq;
    }
    rest.observations = rest.observations > span->observations ? rest.observations - span->observations : 1;
    return rest;
}

/* Spans in which a discount ended or began by its own date become several: the page said the same all the time, its price did not. Most
 * histories have none, and stay where they are. GT_ENOMEM; GT_ELIMIT. */
static enum gt_err spans_turn(struct history_spans *spans, const struct run_index *runs, struct arena *arena)
{
    size_t turns = 0;
    for (size_t i = 0; i < spans->count; i++) turns += span_turn(&spans->rows[i]) != 0;
    if (turns == 0) return GT_OK;
    struct history_spans cut = {NULL, 0, 0};
    for (size_t i = 0; i < spans->count; i++) {
        struct history_span span = spans->rows[i];
        for (bool has_more = true; has_more;) {
            int64_t turn = span_turn(&span);
            struct history_span rest = turn != 0 ? span_cut(&span, turn, runs) : span;
            void *rows = cut.rows;
            if (cut.count >= HISTORY_SPANS_MAX) return GT_ELIMIT;
            if (!arena_grow(arena, &rows, cut.count, &cut.cap, sizeof *cut.rows)) return GT_ENOMEM;
            cut.rows = rows;
            cut.rows[cut.count++] = span;
            has_more = turn != 0;
            span = rest;
        }
    }
    *spans = cut;
    return GT_OK;
}

/* Priced as of its last day, when what was printed then was in force. */
static enum gt_err span_price(struct history_span *span, const struct board_view *view, struct arena *arena)
{
    enum gt_err err =
        net_price_compute(&span->row.offer, &span->row.net_rules, &view->persona, span->last_unix_s, arena, &span->net);
    if (err == GT_ENOMEM || err == GT_ELIMIT) return GT_ENOMEM;
    if (err != GT_OK) span->net = (struct net_price){.currency = span->row.offer.record.currency};
    span->price_nano = board_price(&span->net, &view->persona);
    return GT_OK;
}

/* Low, high, first and latest of the spans that count; moves between them. */
static void offer_sum(struct history_offer *offer, struct history_span *spans)
{
    const struct history_span *before = NULL;
    for (size_t i = 0; i < offer->count; i++) {
        struct history_span *span = &spans[i];
        if (before != NULL && currency_eq(before->net.currency, span->net.currency) && span->price_nano != 0)
            span->has_change = figure_percent(before->price_nano, span->price_nano, &span->change_percent_nano);
        if (!history_span_counts(span)) continue;
        if (before == NULL) offer->latest_before_nano = offer->low_nano = offer->high_nano = span->price_nano;
        if (span->price_nano < offer->low_nano) offer->low_nano = span->price_nano;
        if (span->price_nano > offer->high_nano) offer->high_nano = span->price_nano;
        offer->latest_nano = span->price_nano;
        before = span;
    }
}

/* Classes together, the cheapest now first; offers without a price last. */
static int offer_order(const void *left, const void *right)
{
    const struct history_offer *a = left, *b = right;
    int order = board_class_order(a->class, b->class);
    if (order == 0) order = strcmp(a->currency.code, b->currency.code);
    if (order == 0) order = (a->latest_nano == 0) - (b->latest_nano == 0);
    if (order == 0) order = (a->latest_nano > b->latest_nano) - (a->latest_nano < b->latest_nano);
    /* The store's order last: spans lie in one array. */
    return order != 0 ? order : (a->spans > b->spans) - (a->spans < b->spans);
}

enum gt_err history_compute(struct history_span *spans, size_t count, const struct run_index *runs, const struct board_view *view,
                            struct arena *arena, struct history *ret_history)
{
    struct history_spans all = {spans, count, count};
    enum gt_err err = spans_turn(&all, runs, arena);
    if (err != GT_OK) return err;
    spans = all.rows;
    count = all.count;
    struct history history = {.spans = spans, .span_count = count, .hours_per_month = 720};
    if (count > 0) history.hours_per_month = spans[0].row.net_rules.hours_per_month;
    history.offers = arena_array(arena, count, sizeof *history.offers);
    if (history.offers == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        history.is_sample |= spans[i].row.is_sample;
        if (spans[i].row.net_rules.hours_per_month != history.hours_per_month) history.hours_per_month = 0;
        if (span_price(&spans[i], view, arena) != GT_OK) return GT_ENOMEM;
        if (i > 0 && is_same_offer(&spans[i - 1], &spans[i])) spans[i - 1].is_joined = follows(&spans[i - 1], &spans[i], runs);
        else history.offers[history.offer_count++] = (struct history_offer){.spans = &spans[i]};
        history.offers[history.offer_count - 1].count++;
    }
    for (size_t i = 0, at = 0; i < history.offer_count; at += history.offers[i++].count) {
        struct history_offer *offer = &history.offers[i];
        const struct history_span *latest = &offer->spans[offer->count - 1];
        offer_sum(offer, spans + at);
        offer->class = compare_class(&latest->row.offer, &view->persona, arena);
        offer->currency = latest->net.currency;
        if (offer->class.ptr == NULL) return GT_ENOMEM;
    }
    if (history.offer_count > 0) qsort(history.offers, history.offer_count, sizeof *history.offers, offer_order);
    *ret_history = history;
    return GT_OK;
}

size_t history_class_count(const struct history *history, size_t from)
{
    const struct history_offer *offers = history->offers;
    size_t count = 1;
    while (from + count < history->offer_count && gt_str_eq(offers[from].class, offers[from + count].class) &&
           strcmp(offers[from].currency.code, offers[from + count].currency.code) == 0)
        count++;
    return count;
}

void history_spark(const struct history_offer *offer, int64_t since_unix_s, int64_t until_unix_s,
                   int64_t ret_values[HISTORY_SPARK_POINTS])
{
    const struct history_span *held = NULL;
    size_t at = 0;
    for (int i = 0; i < HISTORY_SPARK_POINTS; i++) {
        int64_t t = since_unix_s + (until_unix_s - 1 - since_unix_s) / HISTORY_SPARK_POINTS * (i + 1);
        for (; at < offer->count && offer->spans[at].first_unix_s <= t; at++)
            if (history_span_counts(&offer->spans[at])) held = &offer->spans[at];
        /* Between two observations the price held; after the last one it does so while it is not stale. */
        ret_values[i] = held != NULL && t <= held->last_unix_s + BOARD_STALE_S ? held->price_nano : 0;
    }
}
