/* How a run is judged when every earlier observation is looked at anew: the rules of the store, told once more in the plainest
 * way. */
#ifndef GT_TESTS_UNIT_STORE_NAIVE_JUDGE_H
#define GT_TESTS_UNIT_STORE_NAIVE_JUDGE_H

#include "naive.h"

/* Row counts of good runs, newest first, since a person accepted one. */
static inline size_t naive_counts(const struct naive_stream *stream, int cut, int32_t *counts)
{
    size_t count = 0;
    for (int at = cut; at > stream->baseline_run && count < NAIVE_COUNTS; at--)
        if (stream->runs[at].is_good) counts[count++] = stream->runs[at].rows;
    if (stream->baseline_run > 0 && count < NAIVE_COUNTS) counts[count++] = stream->baseline_rows;
    return count;
}

static inline bool find_twins(const struct run_part *part, int k, const struct offer **ret_offer)
{
    const struct offer *first = NULL;
    bool differ = false;
    for (size_t i = 0; i < part->offer_count; i++) {
        const struct offer *offer = &part->offers[i];
        if (k_of(&offer->identity) != k) continue;
        if (first != NULL && !same_record(shape_of(first), shape_of(offer))) differ = true;
        if (first == NULL || offer->record.hour_list_nano < first->record.hour_list_nano) first = offer;
    }
    *ret_offer = first;
    return differ;
}

/* How the prices of the page moved together, against those that stand. */
static inline struct guard_verdict naive_moves(struct arena *arena, struct naive_view *view, struct naive_stream *stream,
                                               const struct run_part *part)
{
    struct guard_pair *pairs = arena_array(arena, NAIVE_OFFERS, sizeof *pairs);
    struct offer *before = arena_array(arena, NAIVE_OFFERS, sizeof *before);
    size_t count = 0, unmoved = 0;
    if (naive_last(stream, stream->count, true) == 0) return (struct guard_verdict){.reason = GUARD_NONE};
    for (int k = 0; k < NAIVE_OFFERS; k++) {
        const struct offer *offer;
        find_twins(part, k, &offer);
        naive_look(stream, k, stream->count, view);
        int standing = naive_standing(view);
        if (offer == NULL || standing < 0) continue;
        before[k] = offer_of(arena, gt_str_from(stream->part), k, view->spans[standing].shape);
        if (same_record(view->spans[standing].shape, shape_of(offer))) unmoved++;
        else pairs[count++] = (struct guard_pair){offer, &before[k].record};
    }
    return guard_moves(pairs, count, unmoved, arena);
}

static inline struct guard_verdict naive_part_verdict(struct arena *arena, struct naive_view *view, struct naive_stream *stream,
                                                      const struct run_part *part)
{
    int32_t counts[NAIVE_COUNTS];
    const struct naive_run *before = &stream->runs[stream->count];
    if (part->status == STATUS_DRIFTED) return (struct guard_verdict){.reason = GUARD_DRIFTED};
    struct guard_verdict verdict =
        guard_part(part->offers, part->offer_count, counts, naive_counts(stream, stream->count, counts), arena);
    for (int pass = 0; pass < 2; pass++) {
        bool accepted = stream->baseline_run > 0 && verdict.reason == stream->baseline_reason &&
                        (int)part->offer_count == stream->baseline_rows;
        bool second = before->is_part_doubted && before->is_part_releasable && part->is_full_fetch && verdict.is_releasable;
        if (accepted || second) verdict.reason = GUARD_NONE;
        if (pass == 0 && verdict.reason == GUARD_NONE) verdict = naive_moves(arena, view, stream, part);
    }
    return verdict;
}

/* What a move from one shape to another is called. */
static inline unsigned naive_kinds(struct shape before, struct shape after)
{
    unsigned kinds = 0;
    bool was_out = before.availability == AVAIL_SOLD_OUT, is_out = after.availability == AVAIL_SOLD_OUT;
    if (before.price_cents != after.price_cents) kinds |= KIND_BIT(CHANGE_PRICE);
    if (before.discount != after.discount || before.promo != after.promo) kinds |= KIND_BIT(CHANGE_TERMS);
    if (before.promo != after.promo) kinds |= after.promo ? KIND_BIT(CHANGE_PROMOTION_BEGAN) : KIND_BIT(CHANGE_PROMOTION_ENDED);
    if (was_out != is_out) kinds |= is_out ? KIND_BIT(CHANGE_SOLD_OUT) : KIND_BIT(CHANGE_BACK_IN_STOCK);
    if (before.cards != after.cards) kinds |= KIND_BIT(CHANGE_UNIT);
    return kinds;
}

/* What is told of an offer that was judged so: of a doubt that it began; else the way from what stood, whatever was doubted between. */
static inline unsigned naive_told(const struct naive_stream *stream, const struct naive_view *view, int k, int standing,
                                  const struct seen *seen)
{
    if (seen->sight == SIGHT_DOUBT) return seen->starts && !seen->is_part ? KIND_BIT(CHANGE_DOUBTED) : 0;
    unsigned kinds = seen->releases ? KIND_BIT(CHANGE_RELEASED) : 0;
    if (standing < 0) return kinds | KIND_BIT(CHANGE_APPEARED);
    if (naive_was_absent(stream, k, stream->count)) kinds |= KIND_BIT(CHANGE_RELISTED);
    return kinds | naive_kinds(view->spans[standing].shape, seen->shape);
}

/* What this page makes of offer k, looking at every earlier observation. */
static inline struct seen naive_judge(struct arena *arena, struct naive_view *view, struct naive_stream *stream,
                                      const struct run_part *part, int k, const struct guard_verdict *part_verdict)
{
    const struct offer *offer;
    bool twins = find_twins(part, k, &offer);
    naive_look(stream, k, stream->count, view);
    int standing = naive_standing(view);
    if (offer == NULL) {
        bool leaves = part_verdict->reason == GUARD_NONE && standing >= 0 && !naive_was_absent(stream, k, stream->count);
        return (struct seen){.sight = SIGHT_NONE, .stock = -1, .kinds = leaves ? KIND_BIT(CHANGE_DELISTED) : 0};
    }
    struct seen seen = {.shape = shape_of(offer), .stock = offer->stock};
    bool stands = standing >= 0 && same_record(view->spans[standing].shape, seen.shape);
    bool doubted_before = view->doubt >= 0 && same_record(view->spans[view->doubt].shape, seen.shape);
    struct guard_verdict verdict = {.reason = GUARD_NONE};
    struct offer before = {.stock = 0};
    if (standing >= 0) before = offer_of(arena, gt_str_from(stream->part), k, view->spans[standing].shape);
    if (part_verdict->reason != GUARD_NONE) verdict = *part_verdict;
    else if (twins) verdict.reason = GUARD_DUPLICATE;
    else if (!stands) verdict = guard_offer(offer, standing >= 0 ? &before.record : NULL, arena);
    if (view->doubt >= 0 && !stands && !twins && part_verdict->reason == GUARD_NONE) {
        const struct seen *first = &stream->runs[view->spans[view->doubt].first].seen[k];
        struct offer doubted = offer_of(arena, gt_str_from(stream->part), k, view->spans[view->doubt].shape);
        struct guard_doubt doubt = {&doubted.record, first->reason, first->is_releasable, GT_STR("")};
        verdict = guard_beside(verdict, offer, standing >= 0 ? &before.record : NULL, &doubt, arena);
    }
    bool released = doubted_before && part_verdict->reason == GUARD_NONE &&
                    (verdict.reason == GUARD_NONE ? !(stands && view->good == standing)
                                                  : verdict.is_releasable && part->is_full_fetch &&
                                                        stream->runs[view->spans[view->doubt].first].seen[k].is_releasable);
    if (released) {
        seen.sight = SIGHT_GOOD;
        seen.releases = true;
    } else if (verdict.reason == GUARD_NONE) {
        seen.sight = SIGHT_GOOD;
        seen.starts = !(stands && view->good == standing);
    } else {
        seen.sight = SIGHT_DOUBT;
        seen.starts = !doubted_before;
        seen.is_releasable = verdict.is_releasable;
        seen.is_part = part_verdict->reason != GUARD_NONE;
        seen.reason = verdict.reason;
    }
    seen.kinds = naive_told(stream, view, k, standing, &seen);
    return seen;
}

/* A 304 shows what the page read last showed, as far as that still counts: not what was voided since, and nothing in its
 * place. */
static inline struct seen naive_repeat(struct naive_view *view, struct naive_stream *stream, int k, bool is_good)
{
    int content = naive_last(stream, stream->count, false);
    const struct seen *last = &stream->runs[content].seen[k];
    bool released = false;
    for (int at = content + 1; at <= stream->count; at++) released = released || stream->runs[at].seen[k].releases;
    if (last->sight == SIGHT_NONE) return (struct seen){.sight = SIGHT_NONE, .stock = -1};
    naive_look(stream, k, stream->count, view);
    struct seen seen = {.sight = SIGHT_BARE, .shape = last->shape, .stock = -1};
    bool goes_on = view->good >= 0 && is_good && (last->sight == SIGHT_GOOD || (last->sight == SIGHT_DOUBT && released));
    if (view->doubt >= 0) seen.sight = SIGHT_DOUBT;
    else if (goes_on) seen.sight = SIGHT_GOOD;
    int span = view->doubt >= 0 ? view->doubt : view->good;
    if (seen.sight != SIGHT_BARE) seen.shape = view->spans[span].shape;
    return seen;
}

static inline struct naive_run *naive_commit(struct arena *arena, struct naive_view *view, struct naive_stream *stream,
                                             const struct run_part *part, int64_t t, int title)
{
    struct naive_run run = {.t = t, .status = part->status, .title = title};
    const struct naive_run *before = &stream->runs[stream->count];
    int content = naive_last(stream, stream->count, false), good = naive_last(stream, stream->count, true);
    bool has_page = part->status == STATUS_OK || part->status == STATUS_DRIFTED;
    bool repeats = part->status == STATUS_UNCHANGED && content > 0;
    struct guard_verdict verdict = {.reason = GUARD_NONE};
    if (has_page) verdict = naive_part_verdict(arena, view, stream, part);
    run.is_content = has_page || repeats;
    run.is_good = has_page ? verdict.reason == GUARD_NONE : repeats && content == good;
    run.is_part_doubted = has_page ? verdict.reason != GUARD_NONE && part->status == STATUS_OK : before->is_part_doubted;
    run.is_part_releasable = has_page ? run.is_part_doubted && verdict.is_releasable : before->is_part_releasable;
    run.is_failing = !(part->status == STATUS_OK || (repeats && (run.is_good || before->is_part_doubted)));
    run.rows = has_page ? (int)part->offer_count : repeats ? stream->runs[content].rows : 0;
    for (int k = 0; k < NAIVE_OFFERS && run.is_content; k++)
        run.seen[k] = repeats ? naive_repeat(view, stream, k, run.is_good) : naive_judge(arena, view, stream, part, k, &verdict);
    if (run.is_failing != before->is_failing)
        run.kinds = KIND_BIT(run.is_failing ? CHANGE_SOURCE_FAILED : CHANGE_SOURCE_RECOVERED);
    if (run.is_part_doubted && !before->is_part_doubted) run.kinds |= KIND_BIT(CHANGE_DOUBTED);
    assert_true(stream->count + 1 < NAIVE_RUNS);
    stream->runs[++stream->count] = run;
    return &stream->runs[stream->count];
}

#endif
