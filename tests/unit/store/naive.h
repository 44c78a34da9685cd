/* The plainest history there is: every observation of every run, kept one by one. What the store must answer follows by
 * looking at all of them. */
#ifndef GT_TESTS_UNIT_STORE_NAIVE_H
#define GT_TESTS_UNIT_STORE_NAIVE_H

#include "fixture.h"
#include "store/diff.h"

enum { NAIVE_OFFERS = 12, NAIVE_RUNS = 1500, NAIVE_STREAMS = 6, NAIVE_SPANS = 4000, NAIVE_COUNTS = 12, NAIVE_WINDOWS = 3 };

/* What one run showed of one offer. */
enum sight { SIGHT_NONE, SIGHT_GOOD, SIGHT_DOUBT, SIGHT_BARE /* on the page, but nothing stands */ };

struct seen {
    enum sight sight;
    struct shape shape;
    bool starts;   /* a span begins here */
    bool releases; /* the doubted span open before this run becomes good */
    bool is_releasable, is_part;
    enum guard_reason reason;
    int voided_at;  /* run whose action voided this; 0 none */
    int64_t stock;  /* -1 */
    unsigned kinds; /* bits of what is told */
};

struct naive_run {
    uint64_t seq;
    int64_t t;
    enum part_status status;
    bool is_action, is_content, is_good, is_failing, is_part_doubted, is_part_releasable;
    int rows; /* offers on the page, or on the one that a 304 speaks of */
    int title;
    unsigned kinds; /* of the source */
    struct seen seen[NAIVE_OFFERS];
};

/* Runs count from 1. */
struct naive_stream {
    const char *site, *part, *writer;
    enum provenance provenance;
    struct naive_run *runs;
    int count;
    int baseline_run, baseline_rows;
    enum guard_reason baseline_reason;
};

struct naive_span {
    int k, first, last;
    struct shape shape; /* `cards` as last observed in it */
    int observations, observed[NAIVE_WINDOWS + 1]; /* by window (below); behind them those of none */
    bool is_doubted, is_voided, is_open;
};

/* All spans of an offer as known after run `cut`, and which of them is open. */
struct naive_view {
    struct naive_span *spans;
    int count;
    int good, doubt; /* open spans; -1 none */
    int64_t bounds[NAIVE_WINDOWS + 1]; /* times, cut into windows */
};

static inline int view_window(const struct naive_view *view, int64_t t)
{
    int window = 0;
    while (window < NAIVE_WINDOWS && !(view->bounds[window] <= t && t < view->bounds[window + 1])) window++;
    return window;
}

static inline bool same_record(struct shape a, struct shape b)
{
    return a.price_cents == b.price_cents && a.availability == b.availability && a.discount == b.discount && a.promo == b.promo &&
           a.raw == b.raw;
}

static inline int view_begin_span(struct naive_view *view, int k, int run, int64_t t, const struct seen *seen)
{
    assert_true(view->count < NAIVE_SPANS);
    view->spans[view->count] = (struct naive_span){.k = k,
                                                   .first = run,
                                                   .last = run,
                                                   .shape = seen->shape,
                                                   .observations = 1,
                                                   .is_doubted = seen->sight == SIGHT_DOUBT,
                                                   .is_voided = seen->voided_at != 0};
    view->spans[view->count].observed[view_window(view, t)]++;
    return view->count++;
}

static inline void view_extend(struct naive_view *view, int span, int run, int64_t t, const struct seen *seen)
{
    view->spans[span].last = run;
    view->spans[span].observations++;
    view->spans[span].observed[view_window(view, t)]++;
    view->spans[span].shape.cards = seen->shape.cards;
}

/* One run's effect on one offer's spans, from what the run showed alone. */
static inline void view_run(struct naive_view *view, int k, int at, const struct naive_run *run, const struct seen *seen)
{
    if (seen->releases) {
        view->spans[view->doubt].is_doubted = false;
        view->good = view->doubt;
        view->doubt = -1;
    }
    if (!run->is_content) return;
    if (seen->sight == SIGHT_GOOD) {
        if (seen->starts) view->good = view_begin_span(view, k, at, run->t, seen);
        else view_extend(view, view->good, at, run->t, seen);
    }
    if (seen->sight == SIGHT_DOUBT) {
        if (seen->starts) view->doubt = view_begin_span(view, k, at, run->t, seen);
        else view_extend(view, view->doubt, at, run->t, seen);
    } else {
        view->doubt = -1;
    }
    if (run->is_good && seen->sight == SIGHT_NONE) view->good = -1;
}

/* Spans whose first observation was voided by `at` stop counting then. */
static inline void view_void(struct naive_view *view, const struct naive_stream *stream, int at)
{
    for (int i = 0; i < view->count; i++) {
        struct naive_span *span = &view->spans[i];
        if (stream->runs[span->first].seen[span->k].voided_at != at) continue;
        span->is_voided = true;
        if (view->good == i) view->good = -1;
        if (view->doubt == i) view->doubt = -1;
    }
}

static inline void naive_look(const struct naive_stream *stream, int k, int cut, struct naive_view *view)
{
    view->count = 0;
    view->good = view->doubt = -1;
    for (int at = 1; at <= cut; at++) {
        if (stream->runs[at].is_action) view_void(view, stream, at);
        view_run(view, k, at, &stream->runs[at], &stream->runs[at].seen[k]);
    }
    for (int i = 0; i < view->count; i++) {
        int voided_at = stream->runs[view->spans[i].first].seen[k].voided_at;
        view->spans[i].is_voided = voided_at != 0 && voided_at <= cut;
        view->spans[i].is_open = i == view->good || i == view->doubt;
    }
}

/* The good span that stands: the last that counts. */
static inline int naive_standing(const struct naive_view *view)
{
    int found = -1;
    for (int i = 0; i < view->count; i++)
        if (!view->spans[i].is_doubted && !view->spans[i].is_voided)
            found = found < 0 || view->spans[i].first > view->spans[found].first ? i : found;
    return found;
}

static inline int naive_last(const struct naive_stream *stream, int cut, bool good)
{
    while (cut > 0 && !(good ? stream->runs[cut].is_good : stream->runs[cut].is_content)) cut--;
    return cut;
}

/* On the page that the last good run saw, or a span is open. */
static inline bool naive_is_listed(const struct naive_stream *stream, int k, int cut, const struct naive_view *view)
{
    int good = naive_last(stream, cut, true);
    return view->doubt >= 0 || view->good >= 0 || (good > 0 && stream->runs[good].seen[k].sight != SIGHT_NONE);
}

/* Some good run since the last one with a good sight of the offer did not show it; or that sight was voided, and then or later there was nothing
 * left by which the offer is listed. */
static inline bool naive_was_absent(const struct naive_stream *stream, int k, int cut)
{
    struct naive_span spans[NAIVE_SPANS];
    struct naive_view view = {.spans = spans};
    bool absent = false, is_voided = false, voids[NAIVE_RUNS] = {false};
    for (int at = 1; at <= cut; at++) {
        const struct seen *seen = &stream->runs[at].seen[k];
        voids[seen->voided_at] = true;
        if (seen->sight == SIGHT_GOOD || seen->releases) absent = is_voided = false;
        else if (stream->runs[at].is_good && seen->sight == SIGHT_NONE) absent = true;
        is_voided |= voids[at];
        if (!is_voided || absent) continue;
        naive_look(stream, k, at, &view);
        if (!naive_is_listed(stream, k, at, &view)) absent = true;
    }
    return absent;
}

/* The last run at or before a moment: what came before it in the order of runs was known then. */
static inline int naive_cut(const struct naive_stream *stream, int64_t at_unix_s)
{
    int cut = stream->count;
    while (cut > 0 && stream->runs[cut].t > at_unix_s) cut--;
    return cut;
}

/* The stock and title as last told by `cut`. */
static inline int64_t naive_stock(const struct naive_stream *stream, int k, int cut)
{
    for (int at = cut; at > 0; at--) {
        const struct naive_run *run = &stream->runs[at];
        bool has_page = run->is_content && run->status != STATUS_UNCHANGED;
        if (has_page && run->seen[k].sight != SIGHT_NONE) return run->seen[k].stock;
    }
    return -1;
}

static inline int naive_title(const struct naive_stream *stream, int cut)
{
    for (int at = cut; at > 0; at--)
        if (stream->runs[at].is_content || at == 1) return stream->runs[at].title;
    return 0;
}

#endif
