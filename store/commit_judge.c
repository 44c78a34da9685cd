/* What a page means for each offer: which span goes on, begins or ends, and what is told as a change. */
#include "store/commit.h"
#include "store/diff.h"

/* A doubt of the whole part stands for a verdict on each of its offers. */
static bool part_is_doubted(const struct part_job *job)
{
    return job->part_verdict.reason != GUARD_NONE;
}

/* True when the record may stand without being asked about: it stands already, or stood last. */
static bool is_standing(const struct slot *slot, const struct sighting *sighting)
{
    return slot != NULL && slot->good.record != 0 && slot->good.record == sighting->record;
}

/* In order: what is wrong with the page, with the row, with the price. A record that stands already has passed, and
 * asking again could only take back what a person released. */
static struct guard_verdict judge_record(struct part_job *job, const struct slot *slot, const struct sighting *sighting)
{
    if (part_is_doubted(job)) return job->part_verdict;
    if (sighting->duplicate.len > 0) return (struct guard_verdict){.reason = GUARD_DUPLICATE, .detail = sighting->duplicate};
    if (is_standing(slot, sighting)) return (struct guard_verdict){.reason = GUARD_NONE};
    const struct offer_record *before = slot != NULL ? reader_record(&job->reader, slot->good.record) : NULL;
    return job_guard_beside(job, slot, sighting, guard_offer(sighting->seen, before, job->arena));
}

/* The kinds of a move from the standing record to this one. */
static uint32_t kinds_of_move(struct part_job *job, const struct slot *slot, const struct sighting *sighting)
{
    if (slot == NULL || slot->good.record == 0) return KIND_BIT(CHANGE_APPEARED);
    uint32_t kinds = slot->good.end == GOOD_ABSENT ? KIND_BIT(CHANGE_RELISTED) : 0;
    const struct offer_record *before = reader_record(&job->reader, slot->good.record);
    const struct offer_attributes *attributes = reader_attributes(&job->reader, slot->attr);
    if (before == NULL || attributes == NULL) return kinds;
    return kinds | diff_kinds(before, &sighting->seen->record, attributes, &sighting->seen->attributes);
}

/* A step with the ids that are the same for all codes: who, from what, to what. */
static struct step step_to(const struct slot *slot, const struct sighting *sighting, enum step_code code, uint32_t kinds)
{
    return (struct step){.code = code,
                         .offer = sighting->offer,
                         .kinds = kinds,
                         .attr = sighting->attr,
                         .before = slot != NULL ? slot->good.record : 0,
                         .after = sighting->record};
}

/* The standing record, as it stood: only what is derived from it may differ. */
static void keep(struct part_job *job, const struct slot *slot, const struct sighting *sighting)
{
    if (slot->attr == sighting->attr) return;
    uint32_t kinds = diff_attributes(reader_attributes(&job->reader, slot->attr), &sighting->seen->attributes);
    job_step_add(job, step_to(slot, sighting, STEP_ATTRIBUTES, kinds));
}

/* The standing record goes on as it was before the doubt. */
static void go_back(struct part_job *job, const struct slot *slot, const struct sighting *sighting)
{
    struct step step = step_to(slot, sighting, STEP_BACK, 0);
    step.attr = slot->attr;
    job_step_add(job, step);
}

/* A record that the guards let pass. One that stands beside a doubt goes on as if the doubt had not been, also where the doubt
 * was of the same record, as in a page that was doubted as a whole. */
static void take_good(struct part_job *job, const struct slot *slot, const struct sighting *sighting)
{
    bool stands = is_standing(slot, sighting);
    if (stands && slot->good.end == GOOD_SUSPENDED) go_back(job, slot, sighting);
    if (stands && slot->good.end <= GOOD_SUSPENDED) keep(job, slot, sighting);
    else if (slot != NULL && slot->doubt.record == sighting->record)
        job_step_add(job, step_to(slot, sighting, STEP_RELEASE, KIND_BIT(CHANGE_RELEASED) | kinds_of_move(job, slot, sighting)));
    else job_step_add(job, step_to(slot, sighting, STEP_GOOD, kinds_of_move(job, slot, sighting)));
}

/* A record that the guards doubt. A second full fetch that shows the same one releases it, where the doubt is of that sort. */
static void take_doubted(struct part_job *job, const struct slot *slot, const struct sighting *sighting,
                         const struct guard_verdict *verdict)
{
    bool is_same = slot != NULL && slot->doubt.record != 0 && slot->doubt.record == sighting->record;
    bool is_part = part_is_doubted(job);
    bool is_second = is_same && !is_part && verdict->is_releasable && slot->doubt.is_releasable;
    if (is_second && job_is_second_look(job, slot)) {
        job_step_add(job, step_to(slot, sighting, STEP_RELEASE, KIND_BIT(CHANGE_RELEASED) | kinds_of_move(job, slot, sighting)));
        return;
    }
    job->doubted++;
    if (is_same) {
        /* Told when it is believed, against what stood before the doubt. */
        if (slot->doubt.attr != sighting->attr) job_step_add(job, step_to(slot, sighting, STEP_ATTRIBUTES, 0));
        return;
    }
    /* A part that is doubted as a whole is told once, not once an offer. */
    struct step step = step_to(slot, sighting, STEP_DOUBT, is_part ? 0 : KIND_BIT(CHANGE_DOUBTED));
    step.reason = verdict->reason;
    step.is_releasable = verdict->is_releasable;
    step.is_part = is_part;
    step.detail = job_text(job, verdict->detail);
    job_step_add(job, step);
}

/* A listed offer that the page does not show. Only a good run can say that it is gone. */
static void take_absent(struct part_job *job, const struct slot *slot)
{
    bool was_listed = slot->good.record != 0 && slot->good.end != GOOD_ABSENT;
    struct step step = {.offer = slot->offer, .attr = slot->attr, .before = slot->good.record};
    if (job->row.is_good) {
        step.code = STEP_ABSENT;
        step.kinds = was_listed ? KIND_BIT(CHANGE_DELISTED) : 0;
        job_step_add(job, step);
    } else if (slot->doubt.record != 0) {
        step.code = STEP_DOUBT_END;
        job_step_add(job, step);
    }
}

/* Promotions whose end or beginning has passed since the last look, on offers whose record stays. Nothing on the page changed, but what is
 * paid did. */
static void note_until(struct part_job *job, const struct slot *slot)
{
    const struct offer_record *record = reader_record(&job->reader, slot->good.record);
    enum cond_kind kind = COND_UNTIL;
    int64_t turn = record != NULL ? offer_turn_next(record, job->state.until_next_unix_s - 1, &kind) : 0;
    if (turn == 0 || turn > job->row.t_unix_s) return;
    job_step_add(job, (struct step){.code = STEP_NOTE,
                                    .offer = slot->offer,
                                    .kinds = KIND_BIT(kind == COND_FROM ? CHANGE_PROMOTION_BEGAN : CHANGE_PROMOTION_ENDED),
                                    .attr = slot->attr,
                                    .after = slot->good.record});
}

/* Costs nothing in most runs: the latest block knows when the next promotion turns, and nobody is asked before. */
static void note_untils(struct part_job *job)
{
    const struct part_state *state = &job->state;
    if (!job->row.is_good || state->until_next_unix_s == 0 || job->row.t_unix_s < state->until_next_unix_s) return;
    for (size_t i = 0; i < state->count; i++)
        if (state->slots[i].is_listed && state->slots[i].good.end == GOOD_OPEN && state->slots[i].good.record != 0)
            note_until(job, &state->slots[i]);
}

/* The page and the slots side by side, both by offer. */
static void judge_offers(struct part_job *job)
{
    const struct part_state *state = &job->state;
    size_t at = 0;
    for (size_t i = 0; i < job->sighting_count && db_err(job->txn) == GT_OK; i++) {
        const struct sighting *sighting = &job->sightings[i];
        for (; at < state->count && state->slots[at].offer < sighting->offer; at++)
            if (state->slots[at].is_listed) take_absent(job, &state->slots[at]);
        const struct slot *slot = at < state->count && state->slots[at].offer == sighting->offer ? &state->slots[at++] : NULL;
        struct guard_verdict verdict = judge_record(job, slot, sighting);
        if (verdict.reason == GUARD_NONE) take_good(job, slot, sighting);
        else take_doubted(job, slot, sighting, &verdict);
    }
    for (; at < state->count; at++)
        if (state->slots[at].is_listed) take_absent(job, &state->slots[at]);
}

void job_judge(struct part_job *job)
{
    bool has_page = job->row.is_content && job->part->status != STATUS_UNCHANGED;
    if (has_page) judge_offers(job);
    note_untils(job);
}
