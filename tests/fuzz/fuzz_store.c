/* Stored values. Input: a byte for the shape, then the bytes. They are what an encoder writes, to the byte, or they are damage. */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/store/again.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024, RUN_SEQ = 1000, GONE_OFFER = 7 };

static enum gt_err run_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct run_row_stored row, bare;
    const struct run_place place = {.seq = RUN_SEQ, .bytes = bytes};
    enum gt_err err = dec_run(&place, arena, &row);
    if (err == GT_OK) {
        enc_run(buf, &row);
        FUZZ_CHECK("a whole row is a row without its steps",
                   dec_run(&place, NULL, &bare) == GT_OK && bare.step_count == 0);
        (void)run_change_count(&row);
        FUZZ_CHECK("runs before it are before it", run_good_after(&row) <= RUN_SEQ && run_content_after(&row) <= RUN_SEQ);
    }
    return err;
}

static enum gt_err stream_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct stream stream;
    enum gt_err err = dec_stream(bytes, arena, &stream);
    if (err == GT_OK) enc_stream(buf, &stream);
    return err;
}

static enum gt_err gone_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct slot slot;
    (void)arena;
    enum gt_err err = dec_gone(bytes, GONE_OFFER, &slot);
    if (err == GT_OK) enc_gone(buf, &slot);
    return err;
}

/* The steps of any row that decodes can be applied: to a fresh state, replaying or not. */
static void check_replay(struct gt_str bytes, struct arena *arena)
{
    struct run_row_stored row;
    const struct run_place place = {.seq = RUN_SEQ, .bytes = bytes};
    if (dec_run(&place, arena, &row) != GT_OK) return;
    for (int is_replay = 0; is_replay < 2; is_replay++) {
        struct part_state state;
        part_state_init(&state, arena, is_replay);
        for (size_t i = 0; i < row.step_count && state.err == GT_OK; i++) part_step_apply(&state, &row, &row.steps[i]);
        if (state.err == GT_OK) part_run_apply(&state, &row);
        if (state.err == GT_OK && is_replay) part_spans_finish(&state);
        FUZZ_CHECK("applied, or damage", state.err == GT_OK || state.err == GT_ECORRUPT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static again_fn *const shapes[] = {identity_again, attributes_again, record_again, run_again,  stream_again,
                                       facts_again,    page_again,       latest_again, gone_again, stock_again,
                                       price_row_again};
    if (size == 0) return 0;
    size_t shape = data[0] % (sizeof shapes / sizeof shapes[0]);
    struct gt_str bytes = fuzz_copy(fuzz_input(data + 1, size - 1));
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct strbuf buf;
    if (arena == NULL) return 0;
    strbuf_init(&buf, RUN_BYTES_MAX);
    enum gt_err err = shapes[shape](bytes, arena, &buf);
    FUZZ_CHECK("decoded, or damage", err == GT_OK || err == GT_ECORRUPT);
    if (err == GT_OK) {
        FUZZ_CHECK("what was decoded can be encoded", buf.err == GT_OK);
        FUZZ_CHECK("to the same bytes", gt_str_eq(strbuf_str(&buf), bytes));
    }
    if (shapes[shape] == run_again) check_replay(bytes, arena);
    strbuf_done(&buf);
    arena_free(arena);
    fuzz_free(bytes);
    return 0;
}
