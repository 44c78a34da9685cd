#include "store/part_state.h"

#define NO_SPAN SIZE_MAX

void part_state_init(struct part_state *state, struct arena *arena, bool is_replay)
{
    *state = (struct part_state){.arena = arena, .window = is_replay ? 0 : PART_NO_WINDOW};
}

/* The place of the first slot whose offer is not smaller. Numbers grow by one at least, so it is no further from the first than its number; in
 * streams that got their numbers from one page, and lost none, it is just there. */
static size_t slot_place(const struct part_state *state, uint32_t offer)
{
    if (state->count == 0 || offer <= state->slots[0].offer) return 0;
    size_t low = 0, high = state->count, far = offer - state->slots[0].offer;
    if (far < high) {
        if (state->slots[far].offer == offer) return far;
        high = far;
    } else if (state->slots[high - 1].offer < offer) return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (state->slots[middle].offer < offer) low = middle + 1;
        else high = middle;
    }
    return low;
}

struct slot *part_slot_find(const struct part_state *state, uint32_t offer)
{
    size_t place = slot_place(state, offer);
    return place < state->count && state->slots[place].offer == offer ? &state->slots[place] : NULL;
}

struct slot *part_slot_add(struct part_state *state, uint32_t offer)
{
    void *slots = state->slots;
    if (!arena_grow(state->arena, &slots, state->count, &state->cap, sizeof *state->slots)) {
        state->err = GT_ENOMEM;
        return NULL;
    }
    state->slots = slots;
    size_t place = slot_place(state, offer);
    memmove(&state->slots[place + 1], &state->slots[place], (state->count - place) * sizeof *state->slots);
    state->count++;
    state->slots[place] = (struct slot){.offer = offer, .good_span = NO_SPAN, .doubt_span = NO_SPAN};
    return &state->slots[place];
}

bool part_slots_merge(struct part_state *state, const struct slot *slots, size_t count)
{
    struct slot *merged = arena_array(state->arena, state->count + count, sizeof *merged);
    size_t at = 0, total = 0;
    if (merged == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        while (at < state->count && state->slots[at].offer < slots[i].offer) merged[total++] = state->slots[at++];
        merged[total++] = slots[i];
    }
    while (at < state->count) merged[total++] = state->slots[at++];
    state->slots = merged;
    state->count = state->cap = total;
    return true;
}

void part_slot_remove(struct part_state *state, uint32_t offer)
{
    size_t place = slot_place(state, offer);
    if (place == state->count || state->slots[place].offer != offer) return;
    memmove(&state->slots[place], &state->slots[place + 1], (state->count - place - 1) * sizeof *state->slots);
    state->count--;
}

uint64_t part_good_seen(const struct part_state *state, const struct slot *slot)
{
    bool goes_on = slot->good.end == GOOD_OPEN && state->last_good > slot->good.shown;
    return goes_on ? state->last_good : slot->good.shown;
}

/* ---- spans, for replay ---- */

/* Puts what is open of a slot into the log: its good record, or what is doubted, from run `from` on. Its place, or NO_SPAN where nothing is
 * logged, or memory is out. */
static size_t span_log(struct part_state *state, const struct slot *slot, bool is_doubted, const struct run_place *from)
{
    struct span_log *log = &state->spans_seen;
    void *items = log->items;
    if (state->window == PART_NO_WINDOW) return NO_SPAN;
    if (!arena_grow(state->arena, &items, log->count, &log->cap, sizeof *log->items)) {
        state->err = GT_ENOMEM;
        return NO_SPAN;
    }
    log->items = items;
    struct span *span = &log->items[log->count];
    *span = (struct span){.offer = slot->offer, .from = from->seq, .last = from->seq, .window = state->window, .from_unix_s = from->t_unix_s,
                          .last_unix_s = from->t_unix_s, .is_doubted = is_doubted};
    span->record = is_doubted ? slot->doubt.record : slot->good.record;
    span->attr = is_doubted ? slot->doubt.attr : slot->attr;
    span->first = is_doubted ? slot->doubt.first : slot->good.first;
    span->detail = is_doubted ? slot->doubt.detail : 0;
    return log->count++;
}

/* The same of a span that begins. */
static size_t span_begin(struct part_state *state, const struct slot *slot, bool is_doubted, const struct run_row_stored *row)
{
    state->spans++;
    return span_log(state, slot, is_doubted, &(struct run_place){.seq = row->seq, .t_unix_s = row->t_unix_s});
}

/* NULL where spans are not logged: the commit needs none. */
static struct span *span_at(const struct part_state *state, size_t place)
{
    return place < state->spans_seen.count ? &state->spans_seen.items[place] : NULL;
}

/* A logged piece of the offer's span that began in run `first`, from place *at on, which moves behind it; NULL when there is no other. */
static struct span *span_piece(const struct part_state *state, uint32_t offer, uint64_t first, size_t *at)
{
    while (*at < state->spans_seen.count) {
        struct span *span = &state->spans_seen.items[(*at)++];
        if (span->offer == offer && span->first == first) return span;
    }
    return NULL;
}

/* The run that showed a span last. */
static void span_show(struct span *span, uint64_t seq, int64_t t_unix_s)
{
    span->last = seq;
    span->last_unix_s = t_unix_s;
}

/* Brings an open good span's end and count up to the run before this one. One that was suspended ended where it did. */
static void good_fill(const struct part_state *state, const struct slot *slot, struct span *span)
{
    if (part_good_seen(state, slot) == state->last_good) span_show(span, state->last_good, state->last_good_unix_s);
    span->attr = slot->attr;
    span->observations += (uint32_t)(state->good_count - slot->good_base);
}

/* The same of a doubted one, which the run read last showed. */
static void doubt_fill(const struct part_state *state, const struct slot *slot, struct span *span)
{
    span_show(span, state->last_content, state->last_content_unix_s);
    span->attr = slot->doubt.attr;
    span->observations += (uint32_t)(state->content_count - slot->doubt_base);
}

/* What was open until now is so no longer, or begins to be counted anew. */
static void good_settle(struct part_state *state, struct slot *slot)
{
    if (slot->good.record == 0 || slot->good.end != GOOD_OPEN) return;
    struct span *span = span_at(state, slot->good_span);
    if (span != NULL) good_fill(state, slot, span);
    slot->good.shown = part_good_seen(state, slot);
}

/* Ends an open doubt at the last run that was read. */
static void doubt_settle(struct part_state *state, struct slot *slot)
{
    if (slot->doubt.record == 0) return;
    struct span *span = span_at(state, slot->doubt_span);
    if (span != NULL) doubt_fill(state, slot, span);
    memset(&slot->doubt, 0, sizeof slot->doubt);
    slot->doubt_span = NO_SPAN;
}

/* ---- steps ---- */

/* Remembers the run that put an offer on the list, and not later ones: every good run since has shown it. */
static void list_slot(struct slot *slot, const struct run_row_stored *row)
{
    if (!slot->is_listed) slot->listed_since = row->seq;
    slot->is_listed = true;
}

/* After a doubt or a price fell away: the offer stays on the list when an open span says so, or when the last good run showed
 * it. What has nothing left to say goes. */
static void unlist_if_unseen(struct part_state *state, struct slot *slot)
{
    bool is_open = slot->doubt.record != 0 || (slot->good.record != 0 && slot->good.end <= GOOD_SUSPENDED);
    if (slot->is_listed) slot->is_listed = is_open || state->last_good >= slot->listed_since;
    if (slot->is_listed) return;
    slot->good.end = GOOD_ABSENT;
    if (slot->good.record == 0) part_slot_remove(state, slot->offer);
}

/* A good record ends whatever was open, and stands from this run on. */
static void apply_good(struct part_state *state, struct slot *slot, const struct run_row_stored *row, const struct step *step)
{
    good_settle(state, slot);
    doubt_settle(state, slot);
    slot->attr = step->attr;
    list_slot(slot, row);
    slot->good.record = step->after;
    slot->good.first = slot->good.shown = row->seq;
    slot->good.end = GOOD_OPEN;
    slot->good_base = state->good_count;
    slot->good_span = span_begin(state, slot, false, row);
}

/* What the doubted pages say an offer is. It stands for the offer only where nothing better does. */
static void doubt_attributes(struct slot *slot, uint32_t attr)
{
    slot->doubt.attr = attr;
    if (slot->good.record == 0) slot->attr = attr;
}

/* A doubt opens beside the good record, which waits: it was last seen by the good run before this one. */
static void apply_doubt(struct part_state *state, struct slot *slot, const struct run_row_stored *row, const struct step *step)
{
    doubt_settle(state, slot);
    good_settle(state, slot);
    if (slot->good.record != 0 && slot->good.end == GOOD_OPEN) slot->good.end = GOOD_SUSPENDED;
    doubt_attributes(slot, step->attr);
    list_slot(slot, row);
    slot->doubt.record = step->after;
    slot->doubt.first = row->seq;
    slot->doubt.reason = step->reason;
    slot->doubt.is_releasable = step->is_releasable;
    slot->doubt.is_part = step->is_part;
    slot->doubt.detail = step->detail;
    slot->doubt_base = state->content_count;
    slot->doubt_span = span_begin(state, slot, true, row);
}

/* The page shows the good record again: its span goes on, and did not cover the runs that showed something else. */
static void apply_back(struct part_state *state, struct slot *slot, const struct step *step)
{
    doubt_settle(state, slot);
    slot->attr = step->attr;
    slot->good.end = GOOD_OPEN;
    slot->good_base = state->good_count;
}

/* The doubted span goes on as a good one: the same span, from the same first run. */
static void apply_release(struct part_state *state, struct slot *slot, const struct run_row_stored *row, const struct step *step)
{
    size_t place = slot->doubt_span;
    uint32_t record = slot->doubt.record;
    uint64_t first = slot->doubt.first;
    good_settle(state, slot);
    doubt_settle(state, slot);
    slot->attr = step->attr;
    slot->good.record = record;
    slot->good.first = first;
    slot->good.shown = row->is_content ? row->seq : state->last_content;
    slot->good.end = GOOD_OPEN;
    slot->good_base = state->good_count;
    slot->good_span = place;
    struct span *span = span_at(state, place), *piece;
    if (span != NULL) span_show(span, slot->good.shown, row->is_content ? row->t_unix_s : state->last_content_unix_s);
    for (size_t at = 0; (piece = span_piece(state, slot->offer, first, &at)) != NULL;) piece->is_doubted = false;
}

/* Gone from a good run's page. The good record keeps standing for those who ask what it last cost. */
static void apply_absent(struct part_state *state, struct slot *slot)
{
    good_settle(state, slot);
    doubt_settle(state, slot);
    slot->is_listed = false;
    unlist_if_unseen(state, slot);
}

/* The doubt's record is not on the page any more, and the page does not say what is: it was no good run. */
static void apply_doubt_end(struct part_state *state, struct slot *slot)
{
    doubt_settle(state, slot);
    /* A newcomer that was never believed leaves nothing behind. */
    if (slot->good.record == 0) slot->is_listed = false;
    unlist_if_unseen(state, slot);
}

/* Takes the voided record out of its place and puts the one before there, as old as it is. */
static void void_slot(struct part_state *state, struct slot *slot, const struct step *step)
{
    if (slot->good.record != 0 && slot->good.first == step->first) {
        good_settle(state, slot);
        slot->attr = step->attr;
        slot->good.record = step->after;
        slot->good.first = step->fallback_first;
        slot->good.shown = step->fallback_shown;
        slot->good.end = slot->good.end == GOOD_ABSENT ? GOOD_ABSENT : GOOD_VOIDED;
        slot->good_span = NO_SPAN;
    } else if (slot->doubt.record != 0 && slot->doubt.first == step->first) {
        doubt_settle(state, slot);
    } else {
        return;
    }
    unlist_if_unseen(state, slot);
}

/* The span is marked wherever it lies in the history; the slot changes only when the span stands today. */
static void apply_void(struct part_state *state, struct slot *slot, const struct step *step)
{
    struct span *piece;
    if (slot != NULL) void_slot(state, slot, step);
    for (size_t at = 0; (piece = span_piece(state, step->offer, step->first, &at)) != NULL;) piece->is_voided = true;
}

/* The page shows the record that it showed before, the doubted one where there is one. */
static void apply_attributes(struct slot *slot, const struct step *step)
{
    if (slot->doubt.record != 0) doubt_attributes(slot, step->attr);
    else slot->attr = step->attr;
}

/* Steps without an offer: facts in force, row counts that a person accepted. What the source did is told, not kept. */
static void apply_to_stream(struct part_state *state, const struct run_row_stored *row, const struct step *step)
{
    if (step->code == STEP_FACTS) state->facts = step->after;
    if (step->code == STEP_BASELINE) {
        state->baseline_seq = row->seq;
        state->baseline_rows = step->rows;
        state->baseline_reason = step->reason;
    }
}

/* Steps that need an offer's slot to be there, and what must stand in it. */
static bool step_fits(const struct step *step, const struct slot *slot)
{
    switch (step->code) {
    case STEP_GOOD:
    case STEP_DOUBT: return step->after != 0;
    case STEP_RELEASE:
    case STEP_DOUBT_END: return slot != NULL && slot->doubt.record != 0;
    case STEP_BACK: return slot != NULL && slot->good.record != 0 && slot->good.end == GOOD_SUSPENDED;
    case STEP_ABSENT:
    case STEP_ATTRIBUTES: return slot != NULL;
    default: return true;
    }
}

/* A step that does not fit the state is damage: both were written by this code, from the same beginning. */
void part_step_apply(struct part_state *state, const struct run_row_stored *row, const struct step *step)
{
    if (state->err != GT_OK) return;
    if (step->offer == 0) {
        apply_to_stream(state, row, step);
        return;
    }
    struct slot *slot = part_slot_find(state, step->offer);
    if (!step_fits(step, slot)) {
        state->err = GT_ECORRUPT;
        return;
    }
    if (slot == NULL && (step->code == STEP_GOOD || step->code == STEP_DOUBT)) slot = part_slot_add(state, step->offer);
    if (state->err != GT_OK) return;
    switch (step->code) {
    case STEP_GOOD: apply_good(state, slot, row, step); break;
    case STEP_BACK: apply_back(state, slot, step); break;
    case STEP_DOUBT: apply_doubt(state, slot, row, step); break;
    case STEP_DOUBT_END: apply_doubt_end(state, slot); break;
    case STEP_RELEASE: apply_release(state, slot, row, step); break;
    case STEP_ABSENT: apply_absent(state, slot); break;
    case STEP_ATTRIBUTES: apply_attributes(slot, step); break;
    case STEP_VOID: apply_void(state, slot, step); break;
    default: break;
    }
}

/* After the run's steps: they still see the state as the run before left it. */
void part_run_apply(struct part_state *state, const struct run_row_stored *row)
{
    state->last_seq = row->seq;
    state->last_t_unix_s = row->t_unix_s;
    state->last_good = run_good_after(row);
    state->last_content = run_content_after(row);
    state->is_failing = row->is_failing;
    state->is_part_doubted = row->is_part_doubted;
    state->is_part_releasable = row->is_part_releasable;
    if (row->is_content) state->offers_seen = row->offers_seen;
    state->good_count += row->is_good ? 1 : 0;
    state->content_count += row->is_content ? 1 : 0;
    if (row->is_good) state->last_good_unix_s = row->t_unix_s;
    if (row->is_content) state->last_content_unix_s = row->t_unix_s;
}

/* Whether the good record is open, or waits for the end of a doubt: then its span may go on. */
static bool good_goes_on(const struct slot *slot)
{
    return slot->good.record != 0 && slot->good.end <= GOOD_SUSPENDED;
}

/* Brings a slot's open spans up to the last run. A suspended good one was settled when its doubt began. */
static void spans_settle(struct part_state *state, const struct slot *slot, bool is_open)
{
    struct span *good = good_goes_on(slot) ? span_at(state, slot->good_span) : NULL;
    struct span *doubt = slot->doubt.record != 0 ? span_at(state, slot->doubt_span) : NULL;
    if (good != NULL && slot->good.end == GOOD_OPEN) good_fill(state, slot, good);
    if (doubt != NULL) doubt_fill(state, slot, doubt);
    if (good != NULL) good->is_open = is_open;
    if (doubt != NULL) doubt->is_open = is_open;
}

void part_spans_finish(struct part_state *state)
{
    for (size_t i = 0; i < state->count; i++) spans_settle(state, &state->slots[i], true);
}

/* Pieces are made from the slot, as those before may not have been logged. Voiding and releasing find them by the run in which the whole began. */
void part_spans_cut(struct part_state *state, const struct run_place *from, size_t window)
{
    state->window = window;
    for (size_t i = 0; i < state->count && state->err == GT_OK; i++) {
        struct slot *slot = &state->slots[i];
        spans_settle(state, slot, false);
        slot->good_base = state->good_count;
        slot->doubt_base = state->content_count;
        if (slot->doubt.record != 0) slot->doubt_span = span_log(state, slot, true, from);
        if (good_goes_on(slot)) slot->good_span = span_log(state, slot, false, from);
    }
}
