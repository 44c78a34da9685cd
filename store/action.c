/* store_release and store_void: what a person decides about doubted or wrong observations. An action is a row of its own in
 * the run log, with a sequence number, so that the past shows what was known before it. */
#include "store/commit.h"
#include "store/diff.h"
#include "store/part_load.h"

#define ACTION_ARENA_MAX ((size_t)1 << 30)

struct action {
    uint32_t offer;
    uint64_t first_seq; /* void: which span */
    bool is_void;
    int64_t now_unix_s;
    struct gt_str reason;
    struct arena *arena;
    bool is_done;
};

/* An empty row of the log that carries the stream's state on. */
static void row_begin(struct part_job *job, const struct action *action, uint64_t seq)
{
    const struct part_state *state = &job->state;
    job->row = (struct run_row_stored){.seq = seq,
                                       .t_unix_s = action->now_unix_s,
                                       .status = STATUS_OK,
                                       .is_action = true,
                                       .is_failing = state->is_failing,
                                       .is_part_doubted = state->is_part_doubted,
                                       .is_part_releasable = state->is_part_releasable,
                                       .good_before = state->last_good,
                                       .content_before = state->last_content};
}

/* What a release is told as: the release itself, and the move from the record that stood until now, as if a good run had
 * shown the released one. Whoever waits for price changes need not know how a price came to be believed. */
static uint32_t kinds_of_release(struct part_job *job, const struct slot *slot)
{
    if (slot->good.record == 0) return KIND_BIT(CHANGE_RELEASED) | KIND_BIT(CHANGE_APPEARED);
    uint32_t kinds = KIND_BIT(CHANGE_RELEASED) | (slot->good.end == GOOD_ABSENT ? KIND_BIT(CHANGE_RELISTED) : 0);
    const struct offer_record *before = reader_record(&job->reader, slot->good.record);
    const struct offer_record *after = reader_record(&job->reader, slot->doubt.record);
    const struct offer_attributes *from = reader_attributes(&job->reader, slot->attr), *to = reader_attributes(&job->reader, slot->doubt.attr);
    return before != NULL && after != NULL ? kinds | diff_kinds(before, after, from, to) : kinds;
}

/* Releases the open doubt. Where the whole part was doubted, its present row count counts from here on: else the next run
 * would doubt it again. */
static void release_in(struct part_job *job, struct action *action)
{
    const struct slot *slot = part_slot_find(&job->state, action->offer);
    if (slot == NULL || slot->doubt.record == 0) return;
    row_begin(job, action, store_seq_take(job->txn));
    if (slot->doubt.is_part)
        job_step_add(job, (struct step){.code = STEP_BASELINE, .rows = job->state.offers_seen, .reason = slot->doubt.reason});
    job_step_add(job, (struct step){.code = STEP_RELEASE,
                                    .offer = action->offer,
                                    .kinds = kinds_of_release(job, slot),
                                    .attr = slot->doubt.attr,
                                    .before = slot->good.record,
                                    .after = slot->doubt.record,
                                    .detail = job_text(job, action->reason)});
    job_write(job);
    action->is_done = true;
}

/* The last good span before `first` that still counts; NULL when there is none. */
static const struct span *span_before(const struct part_state *replay, uint32_t offer, uint64_t first)
{
    const struct span *found = NULL;
    for (size_t i = 0; i < replay->spans_seen.count; i++) {
        const struct span *span = &replay->spans_seen.items[i];
        if (span->offer != offer || span->first >= first || span->is_voided || span->is_doubted) continue;
        if (found == NULL || span->first > found->first) found = span;
    }
    return found;
}

/* The span that a person points at. One that is void already cannot be voided again. */
static const struct span *span_at(const struct part_state *replay, uint32_t offer, uint64_t first)
{
    for (size_t i = 0; i < replay->spans_seen.count; i++) {
        const struct span *span = &replay->spans_seen.items[i];
        if (span->offer == offer && span->first == first && !span->is_voided) return span;
    }
    return NULL;
}

/* Voids a span. Where it is the one that stands, the last one that still counts stands again, with its own age. */
static void void_in(struct part_job *job, struct action *action)
{
    struct part_state replay;
    if (!part_replay(job->txn, job->stream, KEY_SEQ_LAST, &replay, job->arena)) return;
    const struct span *span = span_at(&replay, action->offer, action->first_seq);
    if (span == NULL) return;
    const struct slot *slot = part_slot_find(&job->state, action->offer);
    if (slot == NULL) {
        slot = part_load_gone_one(job->txn, job->stream, action->offer, &job->state);
        job->gone = &action->offer;
        job->gone_count = slot != NULL ? 1 : 0;
    }
    bool stands = slot != NULL && slot->good.record != 0 && slot->good.first == span->first;
    const struct span *fallback = stands ? span_before(&replay, action->offer, span->first) : NULL;
    row_begin(job, action, store_seq_take(job->txn));
    job_step_add(job, (struct step){.code = STEP_VOID,
                                    .offer = action->offer,
                                    .kinds = KIND_BIT(CHANGE_VOIDED),
                                    .attr = fallback != NULL ? fallback->attr : span->attr,
                                    .before = span->record,
                                    .after = fallback != NULL ? fallback->record : 0,
                                    .detail = job_text(job, action->reason),
                                    .first = span->first,
                                    .fallback_first = fallback != NULL ? fallback->first : 0,
                                    .fallback_shown = fallback != NULL ? fallback->last : 0});
    job_write(job);
    action->is_done = true;
}

/* Puts the action through the same path as a run, so that one piece of code changes a state and writes it down. The run
 * is an empty one that only names the site. */
static void act_on_stream(struct db_txn *txn, uint32_t stream_id, const struct stream *stream, struct action *action)
{
    struct run_input run = {.site = stream->site, .start_unix_s = action->now_unix_s};
    struct run_part part = {.name = stream->part};
    struct part_job job = {.txn = txn, .arena = action->arena, .run = &run, .part = &part, .stream = stream_id};
    reader_init(&job.reader, txn, action->arena);
    if (!part_load_latest(txn, stream_id, &job.state, action->arena) || job.state.last_seq == 0) return;
    if (action->is_void) void_in(&job, action);
    else release_in(&job, action);
}

/* An offer's id says site and part, but not stream: a doubt may be open in the crawler's stream and in an import of the
 * same page. A release means the offer, hence every stream; a void means a run, which is in one. */
static enum gt_err action_fill(void *ctx, struct db_txn *txn)
{
    struct action *action = ctx;
    struct reader reader;
    arena_clear(action->arena);
    action->is_done = false;
    reader_init(&reader, txn, action->arena);
    struct gt_str bytes;
    struct key key = key_of_id(action->offer);
    bool is_known = db_get(txn, DB_OFFERS, key_str(&key), &bytes);
    const struct named_offer *offer = is_known ? reader_offer(&reader, action->offer) : NULL;
    for (uint32_t id = offer != NULL ? part_stream_next(txn, 0) : 0; id != 0; id = part_stream_next(txn, id)) {
        const struct stream *stream = reader_stream(&reader, id);
        bool is_its = stream != NULL && gt_str_eq(stream->site, offer->site) && gt_str_eq(stream->part, offer->identity.part);
        if (is_its) act_on_stream(txn, id, stream, action);
    }
    if (db_err(txn) == GT_OK && !action->is_done)
        db_fail(txn, GT_ENOENT, action->is_void ? "offer %u has no such span" : "offer %u has no open doubt",
                (unsigned)action->offer);
    return db_err(txn);
}

/* Ids come from people and scripts: what cannot be one is answered here, before a transaction is begun. */
static enum gt_err action_run(struct store *store, struct action *action, uint64_t offer_id, struct gt_errinfo *info)
{
    if (offer_id == 0 || offer_id > UINT32_MAX) return gt_fail(info, GT_ENOENT, "no offer %llu", (unsigned long long)offer_id);
    action->offer = (uint32_t)offer_id;
    action->arena = arena_new(ACTION_ARENA_MAX);
    if (action->arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_write(store->db, action_fill, action, info);
    arena_free(action->arena);
    return err;
}

enum gt_err store_release(struct store *store, uint64_t offer_id, int64_t now_unix_s, struct gt_str reason,
                          struct gt_errinfo *info)
{
    struct action action = {.now_unix_s = now_unix_s, .reason = reason};
    return action_run(store, &action, offer_id, info);
}

enum gt_err store_void(struct store *store, uint64_t offer_id, uint64_t first_seq, int64_t now_unix_s, struct gt_str reason,
                       struct gt_errinfo *info)
{
    struct action action = {.is_void = true, .first_seq = first_seq, .now_unix_s = now_unix_s, .reason = reason};
    return action_run(store, &action, offer_id, info);
}
