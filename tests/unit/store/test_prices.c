/* Prices alone: what a page's amounts become, whose are given, in which window; what stands beside a latest block, and where nothing does. That
 * they are those of a history, whatever happens to it, is test_model's to show. */
#include "../table.h"

#include "fixture.h"
#include "store/part_load.h"
#include "store/price_row.h"

enum { HOUR_S = 3600, RUNS = 4, TEXT_MAX = 512, SHAPES = 2 };

/* What the only offer, or the first of two, shows in each run, by its cents; 0: it is not there. */
struct price_case {
    const char *name;
    int32_t cents[RUNS];
    bool is_month;     /* by the month, no hour printed */
    bool is_of_second; /* only the second offer is asked for, which always costs 5.00 */
    int64_t bounds[3]; /* in hours: run N begins at hour N */
    bool stops;        /* whoever asks has had enough at the first price */
    const char *want;  /* window:cents[first-last]xN of each */
    int older;         /* before this run, from 1, it becomes an older program's store, without prices beside the latest block; 0: never */
};

static const struct price_case price_cases[] = {
    {"one price", {100, 100, 100, 100}, false, false, {0, 9, 99}, false, "0:100[1-4]x4 ", 0},
    {"it moves", {100, 110, 110, 120}, false, false, {0, 9, 99}, false, "0:100[1-1]x1 0:110[2-3]x2 0:120[4-4]x1 ", 0},
    {"a window ends within it", {100, 100, 100, 100}, false, false, {0, 3, 99}, false, "0:100[1-2]x2 1:100[3-4]x2 ", 0},
    {"a window begins within it", {100, 100, 100, 100}, false, false, {2, 4, 4}, false, "0:100[2-3]x2 ", 0},
    {"it changes where a window does", {100, 100, 110, 110}, false, false, {0, 3, 99}, false, "0:100[1-2]x2 1:110[3-4]x2 ", 0},
    {"it was gone before the window", {100, 0, 0, 0}, false, false, {2, 9, 99}, false, "", 0},
    {"it moved before the window, and in it", {100, 110, 110, 120}, false, false, {3, 9, 99}, false, "0:110[3-3]x1 0:120[4-4]x1 ", 0},
    {"it came back with the window", {100, 0, 100, 100}, false, false, {3, 9, 99}, false, "0:100[3-4]x2 ", 0},
    {"it moves behind the windows", {100, 100, 110, 120}, false, false, {0, 2, 3}, false, "0:100[1-1]x1 1:100[2-2]x1 ", 0},
    {"it was gone within the window", {100, 0, 100, 100}, false, false, {0, 9, 99}, false, "0:100[1-1]x1 0:100[3-4]x2 ", 0},
    {"a window before all runs, one behind them", {100, 100, 100, 100}, false, false, {0, 1, 1}, false, "", 0},
    {"a month's price, where there is no other", {100, 100, 100, 100}, true, false, {0, 9, 99}, false, "0:100[1-4]x4 by the month ", 0},
    {"those who were not asked for", {100, 110, 120, 130}, false, true, {0, 9, 99}, false, "0:500[1-4]x4 ", 0},
    {"who has had enough gets no more", {100, 110, 120, 130}, false, false, {0, 9, 99}, true, "0:100[1-1]x1 ", 0},
    {"a store of an older program", {100, 110, 110, 120}, false, false, {2, 4, 9}, false, "0:110[2-3]x2 1:120[4-4]x1 ", RUNS + 1},
    {"one that was written to since", {100, 110, 110, 120}, false, false, {2, 4, 9}, false, "0:110[2-3]x2 1:120[4-4]x1 ", 3},
};

struct taking {
    const struct price_case *row;
    char text[TEXT_MAX];
    size_t listed;
};

static enum gt_err take(void *ctx, const struct price_span *span)
{
    struct taking *taking = ctx;
    size_t len = strlen(taking->text);
    snprintf(taking->text + len, TEXT_MAX - len, "%zu:%d[%d-%d]x%u %s", span->window, (int)(span->price.nano / (NANO / 100)), (int)span->first_seq,
             (int)span->last_seq, span->observations, span->price.is_month ? "by the month " : "");
    assert_str(span->site, "jygpu");
    assert_str(span->part, "page");
    assert_int_equal(span->price.availability, AVAIL_LIMITED);
    return taking->row->stops ? GT_EREFUSED : GT_OK;
}

static void commit(struct store *store, struct arena *arena, const struct price_case *row, int run)
{
    struct offer offers[SHAPES];
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_OK, .is_full_fetch = true, .offers = offers};
    const int32_t cents[SHAPES] = {row->cents[run], 500};
    for (int k = 0; k < SHAPES; k++) {
        struct shape shape = {.price_cents = cents[k], .availability = AVAIL_LIMITED, .cards = 1};
        if (cents[k] == 0) continue;
        offers[part.offer_count] = offer_of(arena, part.name, k, shape);
        struct offer_record *record = &offers[part.offer_count++].record;
        if (!row->is_month) continue;
        record->month_list_nano = record->hour_list_nano;
        record->hour_list_nano = 0;
    }
    digest_of((uint64_t)run, part.body_sha256);
    struct run_input input = run_of(&part, 1, (run + 1) * HOUR_S);
    assert_int_equal(store_run_commit(store, &input, NULL, NULL, arena, NULL, NULL), GT_OK);
}

static enum gt_err forget_prices(void *ctx, struct db_txn *txn)
{
    (void)ctx;
    price_row_del(txn, 1);
    db_put(txn, DB_META, GT_STR("features"), GT_STR("runblocks:r latest2:r"));
    return db_err(txn);
}

/* A program that does not keep them must not write any more once one has that does. */
static void expect_feature(struct store *store, bool has)
{
    struct db_txn *txn = NULL;
    struct gt_str features = {NULL, 0};
    assert_int_equal(db_read_begin(store->db, &txn, NULL), GT_OK);
    assert_true(db_get(txn, DB_META, GT_STR("features"), &features));
    assert_true(gt_str_eq(features, has ? GT_STR("runblocks:r latest2:r prices:w") : GT_STR("runblocks:r latest2:r")));
    assert_int_equal(db_read_end(txn), GT_OK);
}

/* What each run showed last, by offer, is what it costs now. */
static enum gt_err take_now(void *ctx, const struct offer_price *price)
{
    struct taking *taking = ctx;
    int32_t cents = price->offer_id == 1 ? taking->row->cents[RUNS - 1] : 500;
    taking->listed++;
    assert_false(price->is_doubted);
    assert_int_equal(price->price.nano, cents * (NANO / 100));
    assert_int_equal(price->price.availability, AVAIL_LIMITED);
    return GT_OK;
}

static void check_prices(void **state)
{
    const struct price_case *row = *state;
    struct taking taking = {.row = row};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct store *store = NULL;
    char folder[64];
    int64_t bounds[3];
    size_t findings = 0;
    for (int i = 0; i < 3; i++) bounds[i] = row->bounds[i] * HOUR_S;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int run = 0; run <= RUNS; run++) {
        if (run + 1 == row->older) assert_int_equal(db_write(store->db, forget_prices, NULL, NULL), GT_OK);
        if (run < RUNS) commit(store, arena, row, run);
    }
    const uint64_t asked = row->is_of_second ? 2 : 1;
    enum gt_err err = store_price_spans(store, &asked, 1, (struct price_windows){bounds, 3}, take, &taking, NULL);
    assert_int_equal(err, row->stops ? GT_EREFUSED : GT_OK);
    assert_string_equal(taking.text, row->want);
    assert_int_equal(store_prices(store, take_now, &taking, NULL), GT_OK);
    assert_int_equal(taking.listed, row->cents[RUNS - 1] != 0 ? SHAPES : SHAPES - 1);
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), GT_OK);
    expect_feature(store, row->older <= RUNS);
    store_close(store);
    fixture_remove(folder);
    arena_free(arena);
}

/* ---- prices that are not those of the latest block ---- */

struct spoilt_case {
    const char *name;
    void (*spoil)(struct part_state *state); /* of the two offers of the page */
    enum gt_err want;
};

static void spoil_nothing(struct part_state *state)
{
    (void)state;
}

static void spoil_price(struct part_state *state)
{
    state->slots[0].good.record = state->slots[1].good.record;
}

static void spoil_doubt(struct part_state *state)
{
    state->slots[1].doubt.record = state->slots[0].good.record;
}

static void spoil_count(struct part_state *state)
{
    state->count--;
}

static const struct spoilt_case spoilt_cases[] = {
    {"written again", spoil_nothing, GT_OK},
    {"the price of another offer", spoil_price, GT_ECORRUPT},
    {"a doubt that there is not", spoil_doubt, GT_ECORRUPT},
    {"an offer is missing", spoil_count, GT_ECORRUPT},
};

static enum gt_err spoil(void *ctx, struct db_txn *txn)
{
    const struct spoilt_case *row = ctx;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct reader reader;
    struct part_state state;
    reader_init(&reader, txn, arena);
    assert_true(part_load_latest(txn, 1, &state, arena));
    assert_int_equal(state.count, SHAPES);
    row->spoil(&state);
    price_row_put(&reader, 1, &state, NULL, 0);
    arena_free(arena);
    return db_err(txn);
}

static void check_spoilt(void **state)
{
    static const struct price_case page = {.cents = {100}};
    const struct spoilt_case *row = *state;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct store *store = NULL;
    char folder[64];
    size_t findings = 0;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    commit(store, arena, &page, 0);
    assert_int_equal(db_write(store->db, spoil, (void *)(uintptr_t)row, NULL), GT_OK);
    assert_int_equal(store_check(folder, NULL, NULL, &findings, NULL), row->want);
    assert_int_equal(findings, row->want == GT_OK ? 0 : 1);
    store_close(store);
    fixture_remove(folder);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(price_cases, check_prices) + TABLE_RUN(spoilt_cases, check_spoilt);
}
