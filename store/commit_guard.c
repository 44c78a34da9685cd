/* Guards that need more than an offer and its last good record: the other prices of the page, the rows beside it, the page on
 * which a doubt began. What they mean is pricing's (pricing/guard.h); here is where their arguments come from. */
#include <stdlib.h>

#include "store/commit.h"
#include "store/part_load.h"

/* ---- all prices of a part ---- */

/* The only card of a name among offers that left or came: what links rows whose labels were reworded. */
struct lone {
    const char *sku;
    struct gt_str region, plan;
    const struct offer *now;           /* a newcomer … */
    const struct offer_record *before; /* … or one that left */
};

/* By card and region: what is left of an identity when label and plan have changed. */
static int lone_cmp_card(const void *left, const void *right)
{
    const struct lone *a = left, *b = right;
    int order = strcmp(a->sku, b->sku);
    return order != 0 ? order : gt_str_cmp(a->region, b->region);
}

/* By card, region, plan: the label alone has changed. */
static int lone_cmp(const void *left, const void *right)
{
    const struct lone *a = left, *b = right;
    int order = lone_cmp_card(left, right);
    return order != 0 ? order : gt_str_cmp(a->plan, b->plan);
}

/* The slot of an offer, for a walk along both lists, which are by offer: *at begins at 0. NULL when it has none. */
static const struct slot *slot_beside(const struct part_state *state, size_t *at, uint32_t offer)
{
    while (*at < state->count && state->slots[*at].offer < offer) (*at)++;
    return *at < state->count && state->slots[*at].offer == offer ? &state->slots[*at] : NULL;
}

/* Newcomers and those that left, with a card each. */
static size_t lones_of(struct part_job *job, struct lone *lones)
{
    size_t count = 0, at = 0;
    const struct part_state *state = &job->state;
    for (size_t i = 0; i < job->sighting_count; i++) {
        const struct offer *seen = job->sightings[i].seen;
        const struct slot *slot = slot_beside(state, &at, job->sightings[i].offer);
        if ((slot == NULL || slot->good.record == 0) && seen->attributes.sku[0] != '\0')
            lones[count++] = (struct lone){seen->attributes.sku, seen->identity.region, seen->identity.plan, seen, NULL};
    }
    at = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct slot *slot = &state->slots[i];
        while (at < job->sighting_count && job->sightings[at].offer < slot->offer) at++;
        bool is_here = at < job->sighting_count && job->sightings[at].offer == slot->offer;
        if (is_here || !slot->is_listed || slot->good.record == 0) continue;
        const struct named_offer *offer = reader_offer(&job->reader, slot->offer);
        const struct offer_attributes *attributes = reader_attributes(&job->reader, slot->attr);
        const struct offer_record *before = reader_record(&job->reader, slot->good.record);
        if (offer == NULL || attributes == NULL || before == NULL || attributes->sku[0] == '\0') continue;
        lones[count++] = (struct lone){attributes->sku, offer->identity.region, offer->identity.plan, NULL, before};
    }
    return count;
}

/* The pairs among lones that `cmp` holds for equal, each offer in one pair. */
static size_t pairs_equal(struct lone *lones, size_t total, int (*cmp)(const void *, const void *), struct guard_pair *pairs,
                          size_t room)
{
    size_t count = 0;
    if (total > 1) qsort(lones, total, sizeof *lones, cmp);
    for (size_t i = 0, end; i < total && count < room; i = end) {
        for (end = i + 1; end < total && cmp(&lones[i], &lones[end]) == 0;) end++;
        const struct lone *a = &lones[i], *b = &lones[end - 1];
        if (end - i != 2 || (a->now == NULL) == (b->now == NULL)) continue;
        pairs[count++] = (struct guard_pair){a->now != NULL ? a->now : b->now, a->before != NULL ? a->before : b->before};
    }
    return count;
}

/* One that left and one that came, of the same card and nothing else of it: most likely the same offer under other words. Enough
 * for a guard that asks for many such prices, or for a ratio that is a unit's; not enough to say that they are one. */
static size_t pairs_reworded(struct part_job *job, struct guard_pair *pairs, size_t room)
{
    struct lone *lones = arena_array(job->arena, job->sighting_count + job->state.count, sizeof *lones);
    size_t total = lones != NULL ? lones_of(job, lones) : 0;
    size_t count = pairs_equal(lones, total, lone_cmp, pairs, room);
    if (count > 0) return count;
    return pairs_equal(lones, total, lone_cmp_card, pairs, room);
}

/* What a run that must have moved something looks like, before anything is decoded: most runs move next to nothing. */
struct tally {
    size_t moved, unmoved, came;
};

/* By record numbers alone. */
static struct tally tally_of(const struct part_job *job)
{
    struct tally tally = {0, 0, 0};
    size_t at = 0;
    for (size_t i = 0; i < job->sighting_count; i++) {
        const struct sighting *sighting = &job->sightings[i];
        const struct slot *slot = slot_beside(&job->state, &at, sighting->offer);
        const struct offer_record *now = &sighting->seen->record;
        if (slot == NULL || slot->good.record == 0) tally.came++;
        else if (slot->good.record != sighting->record) tally.moved++;
        else tally.unmoved += now->hour_list_nano > 0 || now->month_list_nano > 0;
    }
    return tally;
}

/* Offers with another record than the one that stood. */
static size_t pairs_moved(struct part_job *job, struct guard_pair *pairs)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < job->sighting_count; i++) {
        const struct sighting *sighting = &job->sightings[i];
        const struct slot *slot = slot_beside(&job->state, &at, sighting->offer);
        if (slot == NULL || slot->good.record == 0 || slot->good.record == sighting->record) continue;
        const struct offer_record *before = reader_record(&job->reader, slot->good.record);
        if (before != NULL) pairs[count++] = (struct guard_pair){sighting->seen, before};
    }
    return count;
}

/* The part must have passed the other guards: of a page that collapsed no more can be said. */
void job_guard_moves(struct part_job *job)
{
    bool is_judged = job->row.is_good && job->part->status == STATUS_OK && job->state.last_good != 0;
    struct tally tally = is_judged ? tally_of(job) : (struct tally){0, 0, 0};
    if (tally.moved + tally.came == 0) return;
    struct guard_pair *pairs = arena_array(job->arena, job->sighting_count, sizeof *pairs);
    if (pairs == NULL) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    size_t count = pairs_moved(job, pairs);
    job->reworded = pairs + count;
    if (tally.came > 0) job->reworded_count = pairs_reworded(job, job->reworded, job->sighting_count - count);
    count += job->reworded_count;
    struct guard_verdict verdict = guard_moves(pairs, count, tally.unmoved, job->arena);
    if (verdict.reason != GUARD_NONE) job_part_verdict(job, verdict);
}

/* ---- one offer ---- */

/* The offer `step` places from this one in the page's order; NULL past an end. */
static const struct offer *beside_of(const struct part_job *job, const struct sighting *sighting, int step)
{
    int64_t at = (int64_t)(sighting->seen - job->part->offers) + step;
    return at >= 0 && at < (int64_t)job->part->offer_count ? &job->part->offers[at] : NULL;
}

/* Rows of one thing stand together: the on-demand row is looked for near the spot row. */
static struct guard_verdict guard_spot_rows(struct part_job *job, const struct sighting *sighting)
{
    enum { ROWS_LOOKED_AT = 64 };
    struct guard_verdict verdict = {.reason = GUARD_NONE};
    if (sighting->seen->attributes.tier != TIER_SPOT) return verdict;
    for (int step = -ROWS_LOOKED_AT; step <= ROWS_LOOKED_AT && verdict.reason == GUARD_NONE; step++) {
        const struct offer *other = beside_of(job, sighting, step);
        if (other != NULL && step != 0) verdict = guard_spot_row(sighting->seen, other, job->arena);
    }
    return verdict;
}

/* A newcomer under other words than an offer that left, and a unit away from what that cost: a layout that changes words changes
 * units too. */
static struct guard_verdict guard_reworded(struct part_job *job, const struct sighting *sighting, struct guard_verdict verdict)
{
    for (size_t i = 0; i < job->reworded_count; i++) {
        if (job->reworded[i].now != sighting->seen) continue;
        struct guard_verdict slip = guard_offer(sighting->seen, job->reworded[i].before, job->arena);
        return slip.reason == GUARD_UNIT_SLIP ? slip : verdict;
    }
    return verdict;
}

/* What an offer alone does not show: its neighbours on the page, and the doubt that stands already. */
struct guard_verdict job_guard_beside(struct part_job *job, const struct slot *slot, const struct sighting *sighting,
                                      struct guard_verdict verdict)
{
    if (verdict.reason == GUARD_NONE) verdict = guard_spot_rows(job, sighting);
    bool is_newcomer = slot == NULL || slot->good.record == 0;
    if (verdict.reason == GUARD_NONE && is_newcomer) verdict = guard_reworded(job, sighting, verdict);
    if (slot == NULL) return verdict;
    const struct offer_record *before = reader_record(&job->reader, slot->good.record);
    const struct offer_record *doubted = reader_record(&job->reader, slot->doubt.record);
    for (int step = -1; step <= 1 && verdict.reason == GUARD_NONE; step += 2)
        verdict = guard_neighbour(sighting->seen, before, beside_of(job, sighting, step), job->arena);
    if (doubted == NULL) return verdict;
    struct guard_doubt doubt = {.record = doubted,
                                .reason = slot->doubt.reason,
                                .is_releasable = slot->doubt.is_releasable,
                                .detail = reader_text(&job->reader, slot->doubt.detail)};
    return guard_beside(verdict, sighting->seen, before, &doubt, job->arena);
}

bool job_is_second_look(struct part_job *job, const struct slot *slot)
{
    static const uint8_t zero[32] = {0};
    struct run_page page;
    if (!job->part->is_full_fetch) return false;
    if (memcmp(job->part->body_sha256, zero, sizeof zero) == 0) return true;
    if (!run_page_get(job->txn, job->stream, slot->doubt.first, job->arena, &page)) return true;
    return memcmp(page.sha256, job->part->body_sha256, sizeof page.sha256) != 0;
}
