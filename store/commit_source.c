/* What a run means for the part as a whole: whether it was read, whether its row count can be believed, whether the source
 * failed. */
#include "store/commit.h"
#include "store/diff.h"
#include "store/intern.h"
#include "store/part_load.h"

enum { COUNTS_MAX = 12 /* recent good runs that the guard of row counts sees */ };

/* A page was read, by rules or by guessing. Incomplete parts are not: what they show may be any part of the whole. */
static bool is_read(enum part_status status)
{
    return status == STATUS_OK || status == STATUS_DRIFTED;
}

/* A 304 or an equal digest says: as the page read last. Where none was read it says nothing, and where that page was doubted
 * it is doubted still. */
void job_classify(struct part_job *job)
{
    const struct part_state *state = &job->state;
    enum part_status status = job->part->status;
    bool is_same_page = status == STATUS_UNCHANGED && state->last_content != 0;
    job->row.good_before = state->last_good;
    job->row.content_before = state->last_content;
    job->row.is_content = is_read(status) || is_same_page;
    job->row.is_good = status == STATUS_OK || (is_same_page && state->last_content == state->last_good);
    job->row.is_part_doubted = state->is_part_doubted;
    job->row.is_part_releasable = state->is_part_releasable;
    /* A source that failed in between and answers 304 now has recovered, unless the page read last was a drifted one. */
    job->row.is_failing = !(status == STATUS_OK || (is_same_page && (job->row.is_good || state->is_part_doubted)));
    job->row.offers_seen = is_same_page ? state->offers_seen : (uint32_t)job->part->offer_count;
}

/* Row counts of recent good runs, newest first, back to the last time that a person accepted a count. */
static size_t counts_before(struct part_job *job, int32_t counts[COUNTS_MAX])
{
    const struct part_state *state = &job->state;
    struct run_cursor cursor;
    size_t count = 0;
    uint64_t seq = state->last_good;
    run_cursor_init(&cursor, job->txn, job->stream);
    while (count < COUNTS_MAX && seq > state->baseline_seq && run_cursor_seek(&cursor, seq)) {
        struct run_row_stored row;
        if (run_cursor_row(&cursor, NULL, &row) != GT_OK) break;
        counts[count++] = (int32_t)(row.offers_seen & INT32_MAX);
        seq = row.good_before;
    }
    run_cursor_done(&cursor);
    if (count < COUNTS_MAX && state->baseline_seq != 0) counts[count++] = (int32_t)(state->baseline_rows & INT32_MAX);
    return count;
}

/* A person has said that this many rows are right, whatever the guard thinks of the number. */
static bool is_accepted(const struct part_job *job, enum guard_reason reason)
{
    const struct part_state *state = &job->state;
    return state->baseline_seq != 0 && reason == state->baseline_reason && job->part->offer_count == state->baseline_rows;
}

static struct guard_verdict verdict_of_part(struct part_job *job)
{
    int32_t counts[COUNTS_MAX];
    if (job->part->status == STATUS_DRIFTED) {
        struct gt_str why = job->part->reason.len > 0 ? job->part->reason : GT_STR("the rules found nothing, guessing did");
        return (struct guard_verdict){.reason = GUARD_DRIFTED, .detail = why};
    }
    return guard_part(job->part->offers, job->part->offer_count, counts, counts_before(job, counts), job->arena);
}

void job_part_verdict(struct part_job *job, struct guard_verdict verdict)
{
    const struct part_state *state = &job->state;
    /* What was guessed is not accepted for having as many rows as some page that was. */
    bool is_none = verdict.reason != GUARD_DRIFTED && is_accepted(job, verdict.reason);
    /* A second full fetch that looks the same way releases a doubt that allows it: the offers are then judged one by one. */
    bool is_second = state->is_part_doubted && state->is_part_releasable && job->part->is_full_fetch;
    if (is_none || (verdict.is_releasable && is_second)) verdict = (struct guard_verdict){.reason = GUARD_NONE};
    job->part_verdict = verdict;
    job->row.is_good = verdict.reason == GUARD_NONE;
    job->row.is_part_doubted = verdict.reason != GUARD_NONE && job->part->status == STATUS_OK;
    job->row.is_part_releasable = job->row.is_part_doubted && verdict.is_releasable;
}

void job_guard_part(struct part_job *job)
{
    if (is_read(job->part->status)) job_part_verdict(job, verdict_of_part(job));
}

/* A change of the part itself. The site may have several parts: the sentence names the one, and why. */
static void tell_source(struct part_job *job, enum change_kind kind, struct gt_str why)
{
    struct gt_str name = job->part->name;
    struct gt_str sentence =
        arena_printf(job->arena, "%.*s%s%.*s", GT_STR_ARG(name), name.len > 0 && why.len > 0 ? ": " : "", GT_STR_ARG(why));
    job_step_add(job, (struct step){.code = STEP_SOURCE, .kinds = KIND_BIT(kind), .detail = job_text(job, sentence)});
}

/* The facts of the run, where they are not those in force. */
static void judge_facts(struct part_job *job)
{
    const struct run_input *run = job->run;
    struct facts facts = {.title = run->title,
                          .url = job->part->url,
                          .rule_version = run->rule_version,
                          .kind = run->kind,
                          .market = run->market,
                          .net_rules = run->net_rules,
                          .is_sample = run->is_sample};
    struct strbuf bytes;
    struct gt_str known;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_facts(&bytes, &facts);
    uint32_t id = job->state.facts;
    bool is_same = id != 0 && intern_get(job->txn, DB_FACTS, id, &known) && gt_str_eq(known, strbuf_str(&bytes));
    if (!is_same) id = intern_put_buf(job->txn, DB_FACTS, &bytes);
    strbuf_done(&bytes);
    if (!is_same) job_step_add(job, (struct step){.code = STEP_FACTS, .after = id});
}

void job_judge_source(struct part_job *job)
{
    const struct part_state *state = &job->state;
    /* A failed run may not know its address or the site's present title: it says nothing about them. */
    if (job->row.is_content || state->facts == 0) judge_facts(job);
    if (job->row.is_failing && !state->is_failing) {
        struct gt_str why =
            job->part->reason.len > 0 ? job->part->reason : gt_str_from(word_text(VOCABULARY_STATUS, (int)job->part->status));
        tell_source(job, CHANGE_SOURCE_FAILED, why);
    }
    if (!job->row.is_failing && state->is_failing) tell_source(job, CHANGE_SOURCE_RECOVERED, (struct gt_str){NULL, 0});
    if (job->row.is_part_doubted && !state->is_part_doubted) tell_source(job, CHANGE_DOUBTED, job->part_verdict.detail);
}
