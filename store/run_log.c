#include "store/key.h"
#include "store/run_row.h"

enum { HTTP_OK = 200 };

/* The fields of a step, and how many numbers those are: two of them have two. */
enum { HAS_TWICE = HAS_REASON | HAS_FALLBACK };
#define STEP_SHAPE(fields) {(fields), (unsigned)(__builtin_popcount(fields) + __builtin_popcount((fields) & HAS_TWICE))}

static const struct {
    int fields;
    unsigned numbers;
} step_shapes[STEP_CODES] = {
    [STEP_GOOD] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_BEFORE | HAS_AFTER),
    [STEP_BACK] = STEP_SHAPE(HAS_ATTR),
    [STEP_DOUBT] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_BEFORE | HAS_AFTER | HAS_DETAIL | HAS_REASON),
    [STEP_DOUBT_END] = STEP_SHAPE(0),
    [STEP_RELEASE] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_BEFORE | HAS_AFTER | HAS_DETAIL),
    [STEP_ABSENT] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_BEFORE),
    [STEP_ATTRIBUTES] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_AFTER),
    [STEP_NOTE] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_AFTER),
    [STEP_VOID] = STEP_SHAPE(HAS_KINDS | HAS_ATTR | HAS_BEFORE | HAS_AFTER | HAS_DETAIL | HAS_FIRST | HAS_FALLBACK),
    [STEP_FACTS] = STEP_SHAPE(HAS_AFTER),
    [STEP_SOURCE] = STEP_SHAPE(HAS_KINDS | HAS_DETAIL),
    [STEP_BASELINE] = STEP_SHAPE(HAS_ROWS | HAS_REASON),
};

int run_step_fields(uint64_t code)
{
    return code < STEP_CODES ? step_shapes[code].fields : 0;
}

enum { REASON_RELEASABLE = 1, REASON_PART = 2, REASON_FLAGS = 3 };

/* Which fields a step has follows from its code alone, so none of them needs a mark. */
static void enc_step(struct strbuf *buf, const struct step *step, uint32_t offer_before)
{
    int has = step_shapes[step->code].fields;
    enc_uint(buf, step->offer - offer_before);
    enc_byte(buf, (uint8_t)step->code);
    if (has & HAS_KINDS) enc_uint(buf, step->kinds);
    if (has & HAS_ATTR) enc_uint(buf, step->attr);
    if (has & HAS_BEFORE) enc_uint(buf, step->before);
    if (has & HAS_AFTER) enc_uint(buf, step->after);
    if (has & HAS_DETAIL) enc_uint(buf, step->detail);
    if (has & HAS_REASON) {
        enc_word(buf, (int)step->reason, GUARD_REASONS);
        enc_byte(buf, (uint8_t)((step->is_releasable ? REASON_RELEASABLE : 0) | (step->is_part ? REASON_PART : 0)));
    }
    if (has & HAS_FIRST) enc_uint(buf, step->first);
    if (has & HAS_FALLBACK) {
        enc_uint(buf, step->fallback_first);
        enc_uint(buf, step->fallback_shown);
    }
    if (has & HAS_ROWS) enc_uint(buf, step->rows);
}

/* The fields behind a step's code. */
static void dec_fields(struct dec *dec, uint32_t offer, enum step_code code, struct step *ret_step)
{
    int has = step_shapes[code].fields;
    *ret_step = (struct step){.offer = offer, .code = code};
    if (has & HAS_KINDS) ret_step->kinds = (uint32_t)dec_uint_max(dec, (1U << CHANGE_WORDS) - 1);
    if (has & HAS_ATTR) ret_step->attr = dec_id(dec);
    if (has & HAS_BEFORE) ret_step->before = dec_id(dec);
    if (has & HAS_AFTER) ret_step->after = dec_id(dec);
    if (has < HAS_DETAIL) return; /* as nearly all */
    if (has & HAS_DETAIL) ret_step->detail = dec_id(dec);
    if (has & HAS_REASON) {
        ret_step->reason = (enum guard_reason)dec_word(dec, GUARD_REASONS);
        unsigned flags = (unsigned)dec_uint_max(dec, REASON_FLAGS);
        ret_step->is_releasable = (flags & REASON_RELEASABLE) != 0;
        ret_step->is_part = (flags & REASON_PART) != 0;
    }
    if (has & HAS_FIRST) ret_step->first = dec_uint_max(dec, KEY_SEQ_LAST);
    if (has & HAS_FALLBACK) {
        ret_step->fallback_first = dec_uint_max(dec, KEY_SEQ_LAST);
        ret_step->fallback_shown = dec_uint_max(dec, KEY_SEQ_LAST);
    }
    if (has & HAS_ROWS) ret_step->rows = dec_id(dec);
}

/* A run before `seq` as the distance to it; 0 for none. */
static uint64_t distance_of(uint64_t seq, uint64_t before)
{
    return before == 0 ? 0 : seq - before;
}

static uint64_t dec_before(struct dec *dec, uint64_t seq)
{
    uint64_t distance = dec_uint(dec);
    if (distance >= seq && distance != 0) dec_damaged(dec);
    return distance == 0 || dec->err != GT_OK ? 0 : seq - distance;
}

/* The run read last is mostly the last good one, too. */
static void enc_befores(struct strbuf *buf, const struct run_row_stored *row)
{
    uint64_t good = distance_of(row->seq, row->good_before), content = distance_of(row->seq, row->content_before);
    enc_uint(buf, good);
    enc_uint(buf, content == good ? 0 : content);
}

/* Nearly all rows: every row that was found was an offer. */
static bool is_plain_row(const struct run_row_stored *row)
{
    return row->reason == 0 && row->rows_refused == 0 && row->rows_found == row->offers_seen;
}

/* What nearly all rows have in common takes no byte. */
void enc_run(struct strbuf *buf, const struct run_row_stored *row)
{
    bool is_plain = is_plain_row(row);
    int flags = (row->is_action ? RUN_ACTION : 0) | (row->is_good ? RUN_GOOD : 0) | (row->is_content ? RUN_CONTENT : 0) |
                (row->is_failing ? RUN_FAILING : 0) | (row->is_part_doubted ? RUN_PART_DOUBTED : 0) |
                (row->is_part_releasable ? RUN_PART_RELEASABLE : 0) | (row->http_code == HTTP_OK ? RUN_HTTP_OK : 0) |
                (is_plain ? RUN_PLAIN : 0);
    enc_byte(buf, (uint8_t)flags);
    enc_word(buf, (int)row->status, STATUS_WORDS);
    enc_befores(buf, row);
    if (row->http_code != HTTP_OK) enc_int(buf, row->http_code);
    enc_int(buf, row->latency_ms);
    enc_int(buf, row->body_bytes);
    if (!is_plain) {
        enc_uint(buf, row->reason);
        enc_uint(buf, row->rows_found);
        enc_uint(buf, row->rows_refused);
    }
    enc_uint(buf, row->offers_seen);
    if (row->step_count > RUN_STEPS_MAX && buf->err == GT_OK) buf->err = GT_ELIMIT;
    enc_uint(buf, row->step_count);
    for (size_t i = 0; i < row->step_count && buf->err == GT_OK; i++)
        enc_step(buf, &row->steps[i], i > 0 ? row->steps[i - 1].offer : 0);
}

static inline void row_flags_set(struct run_row_stored *row, unsigned flags)
{
    row->is_action = (flags & RUN_ACTION) != 0;
    row->is_good = (flags & RUN_GOOD) != 0;
    row->is_content = (flags & RUN_CONTENT) != 0;
    row->is_failing = (flags & RUN_FAILING) != 0;
    row->is_part_doubted = (flags & RUN_PART_DOUBTED) != 0;
    row->is_part_releasable = (flags & RUN_PART_RELEASABLE) != 0;
}

/* All but the steps and the place: enough for most who ask about a run. */
static void dec_head(struct dec *dec, struct run_row_stored *row)
{
    unsigned flags = dec_byte(dec);
    row_flags_set(row, flags);
    row->status = (enum part_status)dec_word(dec, STATUS_WORDS);
    row->good_before = dec_before(dec, row->seq);
    row->content_before = dec_before(dec, row->seq);
    if (row->content_before == 0) row->content_before = row->good_before;
    else if (row->content_before == row->good_before) dec_damaged(dec);
    row->http_code = (flags & RUN_HTTP_OK) != 0 ? HTTP_OK : dec_int32(dec);
    row->latency_ms = dec_int(dec);
    row->body_bytes = dec_int(dec);
    bool is_plain = (flags & RUN_PLAIN) != 0;
    row->reason = is_plain ? 0 : dec_id(dec);
    row->rows_found = is_plain ? 0 : dec_id(dec);
    row->rows_refused = is_plain ? 0 : dec_id(dec);
    row->offers_seen = dec_id(dec);
    if (is_plain) row->rows_found = row->offers_seen;
    /* A row has one form: what may be left out and is not was written by nobody. */
    if (!is_plain && is_plain_row(row)) dec_damaged(dec);
    if ((flags & RUN_HTTP_OK) == 0 && row->http_code == HTTP_OK) dec_damaged(dec);
}

/* What a replay needs of it. The distances lead to the runs that the replay met last. */
static inline void skim_head(struct dec *dec, struct run_row_stored *row)
{
    unsigned flags = dec_byte(dec);
    row_flags_set(row, flags);
    dec_skip(dec, 5U + ((flags & RUN_HTTP_OK) == 0 ? 1U : 0U) + ((flags & RUN_PLAIN) == 0 ? 3U : 0U));
    row->offers_seen = dec_id(dec);
}

/* Field by field and in its place: a replay reads thousands of rows, and most have few steps. */
static inline enum gt_err steps_begin(const struct run_place *place, bool is_skimmed, struct run_row_stored *ret_row, struct run_steps *ret_steps)
{
    struct dec dec = dec_begin(place->bytes, NULL);
    ret_row->seq = place->seq;
    ret_row->t_unix_s = place->t_unix_s;
    ret_row->steps = NULL;
    ret_row->step_count = 0;
    if (is_skimmed) skim_head(&dec, ret_row);
    else dec_head(&dec, ret_row);
    size_t count = (size_t)dec_uint_max(&dec, RUN_STEPS_MAX);
    /* No step is shorter than two bytes: a count that the bytes cannot hold asks for no memory. */
    if (count > (size_t)(dec.end - dec.at) / 2) dec_damaged(&dec);
    *ret_steps = (struct run_steps){.dec = dec, .left = count, .last = UINT32_MAX};
    return dec.err;
}

enum gt_err run_steps_begin(const struct run_place *place, struct run_row_stored *ret_row, struct run_steps *ret_steps)
{
    return steps_begin(place, false, ret_row, ret_steps);
}

enum gt_err run_steps_skim(const struct run_place *place, struct run_row_stored *ret_row, struct run_steps *ret_steps)
{
    return steps_begin(place, true, ret_row, ret_steps);
}

/* A code that is not known cannot be skipped, since its length is not: the row is damaged, or newer. */
bool run_steps_next(struct run_steps *steps, struct step *ret_step)
{
    struct dec *dec = &steps->dec;
    for (; steps->left > 0 && dec->err == GT_OK; steps->left--) {
        uint32_t distance = dec_id(dec);
        if (distance > UINT32_MAX - steps->offer) dec_damaged(dec);
        steps->offer += distance;
        if (steps->offer > steps->last) break;
        enum step_code code = (enum step_code)dec_word(dec, STEP_CODES);
        if (code == STEP_NONE) dec_damaged(dec);
        if (steps->offer != 0 && steps->offer < steps->first) {
            dec_skip(dec, step_shapes[code].numbers);
            continue;
        }
        dec_fields(dec, steps->offer, code, ret_step);
        steps->left--;
        return dec->err == GT_OK;
    }
    return false;
}

enum gt_err run_steps_end(const struct run_steps *steps)
{
    return steps->left > 0 ? steps->dec.err : dec_end(&steps->dec);
}

/* Without an arena the steps are left unread: most readers want the row alone. */
enum gt_err dec_run(const struct run_place *place, struct arena *arena, struct run_row_stored *ret_row)
{
    struct run_row_stored row;
    struct run_steps left;
    enum gt_err err = run_steps_begin(place, &row, &left);
    if (err == GT_OK && arena != NULL) {
        struct step *steps = arena_array(arena, left.left, sizeof *steps);
        if (steps == NULL) return GT_ENOMEM;
        while (run_steps_next(&left, &steps[row.step_count])) row.step_count++;
        row.steps = steps;
        err = run_steps_end(&left);
    }
    if (err == GT_OK) *ret_row = row;
    return err;
}

size_t run_change_count(const struct run_row_stored *row)
{
    size_t count = 0;
    for (size_t i = 0; i < row->step_count; i++) count += (size_t)__builtin_popcount(row->steps[i].kinds);
    return count;
}
