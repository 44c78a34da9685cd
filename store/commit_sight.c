/* Who is on the page: offers of a part found among those known. */
#include <stdlib.h>

#include "store/commit.h"
#include "store/intern.h"
#include "store/part_load.h"

/* Buffers and the guess, for one pass over a page. */
struct sight {
    struct part_job *job;
    struct strbuf bytes;
    size_t guess;               /* the slot that the next offer of the page likely is: pages keep their order */
    const struct offer *before; /* on the page; what it has neighbours mostly have, too */
    uint32_t attr_before;
};

/* True when an id stands for exactly these bytes: one read and one comparison, no digest. */
static bool is_entry(struct db_txn *txn, enum db_table table, uint32_t id, struct gt_str bytes)
{
    struct gt_str known;
    return id != 0 && intern_get(txn, table, id, &known) && gt_str_eq(known, bytes);
}

/* The offer's id. Comparing with the guessed slot's identity saves the digest and the look-up for nearly every offer of a
 * known page. */
static uint32_t sight_offer(struct sight *sight, const struct offer *offer)
{
    struct part_job *job = sight->job;
    const struct part_state *state = &job->state;
    strbuf_clear(&sight->bytes);
    enc_identity(&sight->bytes, job->run->site, &offer->identity);
    if (sight->bytes.err == GT_OK && sight->guess < state->count) {
        uint32_t id = state->slots[sight->guess].offer;
        if (is_entry(job->txn, DB_OFFERS, id, strbuf_str(&sight->bytes))) {
            sight->guess++;
            return id;
        }
    }
    uint32_t id = intern_put_buf(job->txn, DB_OFFERS, &sight->bytes);
    const struct slot *slot = part_slot_find(state, id);
    if (slot != NULL) sight->guess = (size_t)(slot - state->slots) + 1;
    return id;
}

/* What is derived rarely changes and is shared by many: the neighbour's is tried first, then the offer's own. Structures of the same bytes
 * mean the same; others may, too. */
static uint32_t sight_attributes(struct sight *sight, const struct offer *offer, const struct slot *slot)
{
    const struct offer *before = sight->before;
    const void *theirs = before != NULL ? &before->attributes : NULL, *own = &offer->attributes;
    if (theirs != NULL && memcmp(theirs, own, sizeof offer->attributes) == 0) return sight->attr_before;
    strbuf_clear(&sight->bytes);
    enc_attributes(&sight->bytes, &offer->attributes);
    bool is_known = slot != NULL && sight->bytes.err == GT_OK && is_entry(sight->job->txn, DB_ATTRIBUTES, slot->attr, strbuf_str(&sight->bytes));
    return is_known ? slot->attr : intern_put_buf(sight->job->txn, DB_ATTRIBUTES, &sight->bytes);
}

/* Most offers show what they showed before, standing or doubted; only others are worth a digest. */
static uint32_t sight_record(struct sight *sight, const struct offer *offer, const struct slot *slot)
{
    struct part_job *job = sight->job;
    strbuf_clear(&sight->bytes);
    enc_record(&sight->bytes, &offer->record);
    if (slot != NULL && sight->bytes.err == GT_OK) {
        if (is_entry(job->txn, DB_RECORDS, slot->good.record, strbuf_str(&sight->bytes))) return slot->good.record;
        if (is_entry(job->txn, DB_RECORDS, slot->doubt.record, strbuf_str(&sight->bytes))) return slot->doubt.record;
    }
    return intern_put_buf(job->txn, DB_RECORDS, &sight->bytes);
}

/* Remembers whose row among the delisted has to go once the run is written. */
static void note_gone(struct part_job *job, uint32_t offer)
{
    void *gone = job->gone;
    if (!arena_grow(job->arena, &gone, job->gone_count, &job->gone_cap, sizeof *job->gone)) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    job->gone = gone;
    job->gone[job->gone_count++] = offer;
}

/* The slot of an offer: where the guess was right, the one before the next guess. */
static const struct slot *slot_of(const struct sight *sight, uint32_t offer)
{
    const struct part_state *state = &sight->job->state;
    if (sight->guess > 0 && sight->guess <= state->count && state->slots[sight->guess - 1].offer == offer)
        return &state->slots[sight->guess - 1];
    return part_slot_find(state, offer);
}

/* Finds one offer. A delisted one becomes a slot again, so that those who judge see its last record. */
static struct sighting sight_one(struct sight *sight, const struct offer *offer)
{
    struct part_job *job = sight->job;
    struct sighting sighting = {.offer = sight_offer(sight, offer), .seen = offer};
    const struct slot *slot = slot_of(sight, sighting.offer);
    if (slot == NULL && db_err(job->txn) == GT_OK) {
        slot = part_load_gone_one(job->txn, job->stream, sighting.offer, &job->state);
        if (slot != NULL) note_gone(job, sighting.offer);
    }
    sighting.attr = sight_attributes(sight, offer, slot);
    sighting.record = sight_record(sight, offer, slot);
    sight->before = offer;
    sight->attr_before = sighting.attr;
    return sighting;
}

/* Orders by offer; the page's own order decides between two of one offer. */
static int sighting_cmp(const void *left, const void *right)
{
    const struct sighting *a = left, *b = right;
    if (a->offer != b->offer) return a->offer < b->offer ? -1 : 1;
    return (a->seen > b->seen) - (a->seen < b->seen);
}

/* Pages keep their order, and numbers were given out in it. */
static bool is_sorted(const struct part_job *job)
{
    for (size_t i = 1; i < job->sighting_count; i++)
        if (sighting_cmp(&job->sightings[i - 1], &job->sightings[i]) > 0) return false;
    return true;
}

/* Orders two records of one identity, so that which of them stands does not depend on the page's order: by price, then by
 * bytes. */
static int record_cmp(struct part_job *job, const struct sighting *a, const struct sighting *b)
{
    struct gt_str a_bytes, b_bytes;
    const struct offer_record *x = &a->seen->record, *y = &b->seen->record;
    if (x->hour_list_nano != y->hour_list_nano) return x->hour_list_nano < y->hour_list_nano ? -1 : 1;
    if (x->month_list_nano != y->month_list_nano) return x->month_list_nano < y->month_list_nano ? -1 : 1;
    if (!intern_get(job->txn, DB_RECORDS, a->record, &a_bytes) || !intern_get(job->txn, DB_RECORDS, b->record, &b_bytes))
        return 0;
    return gt_str_cmp(a_bytes, b_bytes);
}

/* One identity with two records on one page: one of them is kept, under doubt. */
static void fold_duplicate(struct part_job *job, struct sighting *kept, const struct sighting *other)
{
    char texts[2][MONEY_TEXT_MAX];
    if (kept->record == other->record) return;
    struct sighting first = *kept, second = *other;
    if (record_cmp(job, &second, &first) < 0) {
        first = *other;
        second = *kept;
    }
    const struct offer_record *x = &first.seen->record, *y = &second.seen->record;
    bool by_hour = x->hour_list_nano != y->hour_list_nano;
    first.duplicate = arena_printf(job->arena, "one identity twice on the page, with different records: %s and %s",
                                   money_format(by_hour ? x->hour_list_nano : x->month_list_nano, texts[0]),
                                   money_format(by_hour ? y->hour_list_nano : y->month_list_nano, texts[1]));
    *kept = first;
}

/* Keeps one sighting an offer; the list is by offer, so doubles stand together. */
static void fold_duplicates(struct part_job *job)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->sighting_count && db_err(job->txn) == GT_OK; i++) {
        if (kept > 0 && job->sightings[kept - 1].offer == job->sightings[i].offer) {
            fold_duplicate(job, &job->sightings[kept - 1], &job->sightings[i]);
            continue;
        }
        job->sightings[kept++] = job->sightings[i];
    }
    job->sighting_count = kept;
}

/* Sorted by number: the latest block is, too, so that one pass lays the two beside each other. */
void job_sight(struct part_job *job)
{
    struct sight sight = {.job = job};
    size_t count = job->part->offer_count;
    job->sightings = arena_array(job->arena, count, sizeof *job->sightings);
    if (job->sightings == NULL) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    strbuf_init(&sight.bytes, CODEC_VALUE_MAX);
    for (size_t i = 0; i < count && db_err(job->txn) == GT_OK; i++)
        job->sightings[job->sighting_count++] = sight_one(&sight, &job->part->offers[i]);
    strbuf_done(&sight.bytes);
    if (!is_sorted(job)) qsort(job->sightings, job->sighting_count, sizeof *job->sightings, sighting_cmp);
    fold_duplicates(job);
}
