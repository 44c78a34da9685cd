/* Prices alone: what a page's amounts become, whose are given, in which window. That they are those of a history, whatever happens to it, is
 * test_model's to show. */
#include "../table.h"

#include "fixture.h"
#include "store/prices.h"

enum { HOUR_S = 3600, RUNS = 4, TEXT_MAX = 512, SHAPES = 2 };

/* What the only offer, or the first of two, shows in each run, by its cents; 0: it is not there. */
struct price_row {
    const char *name;
    int32_t cents[RUNS];
    bool is_month;     /* by the month, no hour printed */
    bool is_of_second; /* only the second offer is asked for, which always costs 5.00 */
    int64_t bounds[3]; /* in hours: run N begins at hour N */
    bool stops;        /* whoever asks has had enough at the first price */
    const char *want;  /* window:cents[first-last]xN of each */
};

static const struct price_row price_rows[] = {
    {"one price", {100, 100, 100, 100}, false, false, {0, 9, 99}, false, "0:100[1-4]x4 "},
    {"it moves", {100, 110, 110, 120}, false, false, {0, 9, 99}, false, "0:100[1-1]x1 0:110[2-3]x2 0:120[4-4]x1 "},
    {"a window ends within it", {100, 100, 100, 100}, false, false, {0, 3, 99}, false, "0:100[1-2]x2 1:100[3-4]x2 "},
    {"a window begins within it", {100, 100, 100, 100}, false, false, {2, 4, 4}, false, "0:100[2-3]x2 "},
    {"it changes where a window does", {100, 100, 110, 110}, false, false, {0, 3, 99}, false, "0:100[1-2]x2 1:110[3-4]x2 "},
    {"it was gone before the window", {100, 0, 0, 0}, false, false, {2, 9, 99}, false, ""},
    {"it was gone within the window", {100, 0, 100, 100}, false, false, {0, 9, 99}, false, "0:100[1-1]x1 0:100[3-4]x2 "},
    {"a window before all runs, one behind them", {100, 100, 100, 100}, false, false, {0, 1, 1}, false, ""},
    {"a month's price, where there is no other", {100, 100, 100, 100}, true, false, {0, 9, 99}, false, "0:100[1-4]x4 by the month "},
    {"those who were not asked for", {100, 110, 120, 130}, false, true, {0, 9, 99}, false, "0:500[1-4]x4 "},
    {"who has had enough gets no more", {100, 110, 120, 130}, false, false, {0, 9, 99}, true, "0:100[1-1]x1 "},
};

struct taking {
    const struct price_row *row;
    char text[TEXT_MAX];
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

static void commit(struct store *store, struct arena *arena, const struct price_row *row, int run)
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

static void check_prices(void **state)
{
    const struct price_row *row = *state;
    struct taking taking = {.row = row};
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct store *store = NULL;
    char folder[64];
    int64_t bounds[3];
    for (int i = 0; i < 3; i++) bounds[i] = row->bounds[i] * HOUR_S;
    fixture_folder(folder);
    assert_int_equal(store_open(folder, STORE_WRITE, &store, NULL), GT_OK);
    for (int run = 0; run < RUNS; run++) commit(store, arena, row, run);
    const uint64_t asked = row->is_of_second ? 2 : 1;
    enum gt_err err = store_price_spans(store, &asked, 1, (struct price_windows){bounds, 3}, take, &taking, NULL);
    assert_int_equal(err, row->stops ? GT_EREFUSED : GT_OK);
    assert_string_equal(taking.text, row->want);
    store_close(store);
    fixture_remove(folder);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(price_rows, check_prices);
}
