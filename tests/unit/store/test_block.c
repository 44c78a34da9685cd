/* Runs of one stream over several blocks, plain ones and then packed ones, clocks that are set back among them: a run that is committed again is known, runs and changes are
 * found by their time, an end that is cut off leaves the rest. */
#include "../table.h"

#include "fixture.h"
#include "store/cut.h"

enum { RUNS = 400, HOUR_S = 3600 };

struct block_row {
    const char *name;
    int back_from, back_hours; /* from this run on the clock is so much behind */
    int again;                 /* this run is committed once more */
    bool is_other_page, is_other_time;
    uint64_t seq; /* what it is taken for: RUNS + 1 a new one */
};

static const struct block_row rows[] = {
    {"the last run, again", RUNS, 0, 399, false, false, 400},
    {"the first run, again", RUNS, 0, 0, false, false, 1},
    {"one in the middle, again", RUNS, 0, 200, false, false, 201},
    {"one in the middle, its page another", RUNS, 0, 200, true, false, RUNS + 1},
    {"one in the middle, a second later", RUNS, 0, 200, false, true, RUNS + 1},
    {"one from before the clock was set back, again", 300, 250, 299, false, false, 300},
    {"one from after the clock was set back, again", 300, 250, 399, false, false, 400},
    {"one that shares its second with an older one, again", 300, 200, 320, false, false, 321},
    {"one that shares its second with a newer one, again", 300, 200, 120, false, false, 121},
    {"one that shares its second, its page another", 300, 200, 320, true, false, RUNS + 1},
    {"the clock is set back every time", 1, 0, 77, false, false, 78},
};

/* The clock of a run; every other row of the table has it going on. */
static int64_t time_of(const struct block_row *row, int i)
{
    if (row->back_from == 1) return (int64_t)(RUNS - i) * HOUR_S;
    return (int64_t)(i - (i >= row->back_from ? row->back_hours : 0)) * HOUR_S;
}

static void reopen_packed(const char *folder, struct store **store)
{
    store_close(*store);
    fixture_pack(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, store, NULL), GT_OK);
}

/* Commits run i; its number. The price moves every run. */
static uint64_t commit(struct store *store, int64_t t_unix_s, int i, uint64_t page)
{
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct offer offer = offer_of(arena, GT_STR("page"), 0, (struct shape){.price_cents = 1000 + i % 7});
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_OK, .offers = &offer, .offer_count = 1, .is_full_fetch = true};
    struct run_input run = run_of(&part, 1, t_unix_s);
    struct run_summary summary;
    part.record_id = arena_printf(arena, "urn:uuid:00000000-0000-4000-8000-%012llX", (unsigned long long)page);
    digest_of(page, part.body_sha256);
    assert_int_equal(store_run_commit(store, &run, NULL, NULL, arena, &summary, NULL), GT_OK);
    arena_free(arena);
    return summary.seq;
}

static enum gt_err count_run(void *ctx, const struct run_row *run)
{
    (void)run;
    (*(size_t *)ctx)++;
    return GT_OK;
}

static enum gt_err count_change(void *ctx, const struct change *change)
{
    (void)change;
    (*(size_t *)ctx)++;
    return GT_OK;
}

/* Each hour has the runs that began in it and what they told, by looking at all. */
static void expect_hours(struct store *store, const struct block_row *row, int runs)
{
    for (int hour = 0; hour < RUNS; hour += 13) {
        size_t want = 0, have = 0, changes = 0;
        struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
        for (int i = 0; i < runs; i++) want += time_of(row, i) == (int64_t)hour * HOUR_S;
        assert_int_equal(store_runs(store, (int64_t)hour * HOUR_S, (int64_t)hour * HOUR_S + 1, arena, count_run, &have, NULL), GT_OK);
        assert_int_equal(store_changes(store, (int64_t)hour * HOUR_S, (int64_t)hour * HOUR_S + 1, arena, count_change, &changes, NULL), GT_OK);
        assert_int_equal(have, want);
        assert_int_equal(changes, want);
        arena_free(arena);
    }
}

static void expect_clean(const char *folder)
{
    size_t findings = 1;
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), GT_OK);
    assert_int_equal(findings, 0);
}

/* As it was written, then packed: what is known stays known, and what was new is known then. */
static void check_again(void **state)
{
    const struct block_row *row = *state;
    char folder[64];
    struct store *store;
    struct store_stat stat;
    uint64_t page = (uint64_t)row->again + (row->is_other_page ? 1000 : 0);
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int i = 0; i < RUNS; i++) assert_int_equal(commit(store, time_of(row, i), i, (uint64_t)i), i + 1);
    expect_hours(store, row, RUNS);
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1) reopen_packed(folder, &store);
        assert_int_equal(commit(store, time_of(row, row->again) + row->is_other_time, row->again, page), row->seq);
        assert_int_equal(store_stat(store, &stat, NULL), GT_OK);
        assert_int_equal(stat.runs, row->seq > RUNS ? RUNS + 1 : RUNS);
    }
    if (row->seq <= RUNS) expect_hours(store, row, RUNS);
    store_close(store);
    expect_clean(folder);
    fixture_remove(folder);
}

struct cut_row {
    const char *name;
    int since; /* the run whose time it is */
    int runs;  /* that are left */
};

static const struct cut_row cuts[] = {
    {"nothing is cut", RUNS, RUNS}, {"the last run", RUNS - 1, RUNS - 1}, {"from within a block", 150, 150},
    {"all but the first", 1, 1},    {"all of it", 0, 0},
};

/* What was cut may come again, under new numbers; then the same once more, out of packed blocks. */
static void check_cut(void **state)
{
    const struct cut_row *row = *state;
    const struct block_row plain = {.back_from = RUNS};
    char folder[64];
    struct store *store;
    uint64_t gone = 0, seq = RUNS;
    struct cut_scope scope = {.site = GT_STR("jygpu"), .writer = GT_STR("test"), .since_unix_s = (int64_t)row->since * HOUR_S};
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int i = 0; i < RUNS; i++) commit(store, time_of(&plain, i), i, (uint64_t)i);
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1) reopen_packed(folder, &store);
        assert_int_equal(store_cut(store, &scope, &gone, NULL), GT_OK);
        assert_int_equal(gone, RUNS - row->runs);
        expect_hours(store, &plain, row->runs);
        for (int i = row->runs; i < RUNS; i++) assert_int_equal(commit(store, time_of(&plain, i), i, (uint64_t)i), ++seq);
        expect_hours(store, &plain, RUNS);
    }
    store_close(store);
    expect_clean(folder);
    fixture_remove(folder);
}

enum { MANY_OFFERS = 12000, MANY_RUNS = 40 };

/* A page of many offers; one price moves every run. */
static void commit_many(struct store *store, int i)
{
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct offer *offers = arena_array(arena, MANY_OFFERS, sizeof *offers);
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_OK, .offers = offers, .offer_count = MANY_OFFERS, .is_full_fetch = true};
    for (int k = 0; k < MANY_OFFERS; k++) offers[k] = offer_of(arena, part.name, k, (struct shape){.price_cents = 1000 + k % 9 + (k == i ? 5 : 0)});
    struct run_input run = run_of(&part, 1, (int64_t)i * HOUR_S);
    digest_of((uint64_t)i, part.body_sha256);
    assert_int_equal(store_run_commit(store, &run, NULL, NULL, arena, NULL, NULL), GT_OK);
    arena_free(arena);
}

/* The first run of a large part has a row that is larger than a packed block may be: it stays as it is, the others are packed. */
static void check_large(void **state)
{
    char folder[64];
    struct store *store;
    struct store_stat before, after;
    (void)state;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int i = 0; i < MANY_RUNS; i++) commit_many(store, i);
    assert_int_equal(store_stat(store, &before, NULL), GT_OK);
    reopen_packed(folder, &store);
    assert_int_equal(store_stat(store, &after, NULL), GT_OK);
    assert_true(after.file_bytes < before.file_bytes);
    assert_int_equal(after.runs, before.runs);
    assert_int_equal(after.spans, before.spans);
    assert_int_equal(after.changes, before.changes);
    store_close(store);
    expect_clean(folder);
    fixture_remove(folder);
}

static const struct {
    const char *name;
} larges[] = {{"a row too large for a packed block"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_again) + TABLE_RUN(cuts, check_cut) + TABLE_RUN(larges, check_large);
}
