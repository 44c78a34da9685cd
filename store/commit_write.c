/* A judged run into the tables. An unchanged one has no steps: its row is all that is written. */
#include <stdlib.h>

#include "store/commit.h"
#include "store/diff.h"
#include "store/intern.h"
#include "store/price_row.h"
#include "store/run_block.h"

void job_step_add(struct part_job *job, struct step step)
{
    void *steps = job->steps;
    if (!arena_grow(job->arena, &steps, job->step_count, &job->step_cap, sizeof *job->steps)) {
        db_fail(job->txn, GT_ENOMEM, "out of memory");
        return;
    }
    job->steps = steps;
    job->steps[job->step_count++] = step;
}

uint32_t job_text(struct part_job *job, struct gt_str text)
{
    if (text.len == 0) return 0;
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_text(&bytes, text, OFFER_TEXT_MAX);
    /* enc_text cuts at the limit; what it wrote behind the length is the text that is kept. */
    struct dec dec = dec_begin(strbuf_str(&bytes), NULL);
    struct gt_str kept = dec_text(&dec, OFFER_TEXT_MAX);
    uint32_t id = bytes.err == GT_OK ? intern_put(job->txn, DB_TEXTS, kept) : intern_put_buf(job->txn, DB_TEXTS, &bytes);
    strbuf_done(&bytes);
    return id;
}

/* By offer; a note on a record comes after the step that has to do with it, as codes are ordered. */
static int step_cmp(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    if (a->offer != b->offer) return a->offer < b->offer ? -1 : 1;
    return (int)a->code - (int)b->code;
}

/* Writes what an encoder filled, or says that the run cannot be kept: too many steps for one row, a list beyond its
 * limit. */
static void put_buf(struct part_job *job, enum db_table table, const struct key *key, const struct strbuf *bytes)
{
    if (bytes->err != GT_OK)
        db_fail(job->txn, bytes->err, "a run of %.*s cannot be kept: %s", GT_STR_ARG(job->run->site), gt_err_text(bytes->err));
    db_put(job->txn, table, key_str(key), strbuf_str(bytes));
}

/* The next end of a promotion among standing records: kept up to date by what came in, found anew once one has passed. */
static void update_until(struct part_job *job, bool is_passed)
{
    struct part_state *state = &job->state;
    int64_t next = is_passed ? 0 : state->until_next_unix_s;
    for (size_t i = 0; i < (is_passed ? state->count : job->step_count); i++) {
        enum step_code code = is_passed ? STEP_GOOD : job->steps[i].code;
        uint32_t record = is_passed ? state->slots[i].good.record : job->steps[i].after;
        if (code != STEP_GOOD && code != STEP_RELEASE) continue;
        if (is_passed && !state->slots[i].is_listed) continue;
        const struct offer_record *standing = reader_record(&job->reader, record);
        int64_t until = standing != NULL ? offer_turn_next(standing, job->row.t_unix_s, NULL) : 0;
        if (until != 0 && (next == 0 || until < next)) next = until;
    }
    state->until_next_unix_s = next;
}

/* Listed offers that left go to a row of their own, those that came back leave theirs: the latest block is as large as the
 * page. */
static void write_gone(struct part_job *job)
{
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    for (size_t i = 0; i < job->gone_count; i++) {
        const struct slot *slot = part_slot_find(&job->state, job->gone[i]);
        struct key key = key_of_gone(job->stream, job->gone[i]);
        if (slot == NULL || slot->is_listed) db_del(job->txn, DB_GONE, key_str(&key));
    }
    for (size_t i = 0; i < job->state.count; i++) {
        const struct slot *slot = &job->state.slots[i];
        if (slot->is_listed) continue;
        struct key key = key_of_gone(job->stream, slot->offer);
        strbuf_clear(&bytes);
        enc_gone(&bytes, slot);
        put_buf(job, DB_GONE, &key, &bytes);
    }
    strbuf_done(&bytes);
}

/* The only values that are ever written over. They are as large as the page, not as the history. */
static void write_latest(struct part_job *job)
{
    struct strbuf bytes;
    struct key key = key_of_id(job->stream);
    strbuf_init(&bytes, RUN_BYTES_MAX);
    enc_latest(&bytes, &job->state);
    put_buf(job, DB_HEADS, &key, &bytes);
    strbuf_done(&bytes);
    price_row_put(&job->reader, job->stream, &job->state, job->steps, job->step_count);
}

/* Applied by the code that replays them: what the latest block says can then not differ from what the log says. */
void job_write(struct part_job *job)
{
    bool is_dirty = false, is_passed = false;
    if (job->step_count > 0) qsort(job->steps, job->step_count, sizeof *job->steps, step_cmp);
    job->row.steps = job->steps;
    job->row.step_count = job->step_count;
    for (size_t i = 0; i < job->step_count; i++) {
        part_step_apply(&job->state, &job->row, &job->steps[i]);
        is_dirty = is_dirty || job->steps[i].code != STEP_SOURCE;
        is_passed = is_passed || job->steps[i].code == STEP_NOTE;
    }
    part_run_apply(&job->state, &job->row);
    if (job->state.err != GT_OK) db_fail(job->txn, job->state.err, "a run does not fit what the store has of its stream");
    bool is_until_over = job->state.until_next_unix_s != 0 && job->row.t_unix_s >= job->state.until_next_unix_s;
    run_row_append(job->txn, job->stream, &job->row);
    if (!is_dirty) return;
    update_until(job, is_passed || is_until_over);
    write_latest(job);
    write_gone(job);
}
