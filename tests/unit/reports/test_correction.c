/* Corrections of a published week: what differs, what was decided since, what is none of it. Two sellers of one class. */
#include "reports/correction.h"
#include "tests/unit/reports/capture.h"
#include "tests/unit/reports/market.h"

enum { WEEK_END = MARKET_WEEK + CIVIL_WEEK_S, SEEN = WEEK_END - CIVIL_HOUR_S, TOLD = WEEK_END + 9 * CIVIL_HOUR_S, NOW = WEEK_END + 3 * CIVIL_DAY_S };

#define CLASS "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole"
#define ROW(site, low) "[\"" CLASS "\",\"NVIDIA-RTX-4090\",\"CNY\",\"" site "\",\"" site "\",\"4090\"," low "000000000,0,0,2,\"printed\"]"

/* Seller a asks 1000, b 1100; a's price is doubted in the week, or voided or released after it. */
struct correction_row {
    const char *name, *rows; /* as published */
    bool is_doubted;         /* a's, at the end of the week */
    enum change_kind kind;   /* what was decided of a's; CHANGE_WORDS: nothing */
    int64_t decided_unix_s;
    bool is_voided;          /* a's span, as it is known now */
    const char *persona, *query;
    int64_t now_unix_s;
    const char *week;        /* published; the one looked at is 37 */
    size_t count;
    enum correction_cause cause;
    int64_t was_units, now_units; /* 0: no usable offer */
};

static const struct correction_row corrections[] = {
    {"nothing differs", "[" ROW("a", "1000") "]", false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 0, 0, 0, 0},
    {"another price", "[" ROW("a", "990") "]", false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 1, CORRECTION_CATALOGUE, 990, 1000},
    {"another platform", "[" ROW("b", "1000") "]", false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 1, CORRECTION_CATALOGUE, 1000, 1000},
    {"nothing was told of the class", "[]", false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 1, CORRECTION_CATALOGUE, 0, 1000},
    {"voided since", "[" ROW("a", "1000") "]", false, CHANGE_VOIDED, TOLD, true, "", "", NOW, "2026-W37", 1, CORRECTION_VOIDED, 1000, 1100},
    {"voided in the last second of the week: known then", "[" ROW("a", "1000") "]", false, CHANGE_VOIDED, WEEK_END - 1, true, "", "", NOW, "2026-W37", 0,
     0, 0, 0},
    {"voided later than the report's moment", "[" ROW("a", "1000") "]", false, CHANGE_VOIDED, NOW + 1, true, "", "", NOW, "2026-W37", 0, 0, 0, 0},
    {"released since", "[" ROW("b", "1100") "]", true, CHANGE_RELEASED, TOLD, false, "", "", NOW, "2026-W37", 1, CORRECTION_RELEASED, 1100, 1000},
    {"still doubted", "[" ROW("b", "1100") "]", true, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 0, 0, 0, 0},
    {"a price move is no decision", "[" ROW("a", "1000") "]", false, CHANGE_PRICE, TOLD, false, "", "", NOW, "2026-W37", 0, 0, 0, 0},
    {"never published", "[" ROW("a", "990") "]", false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W36", 0, 0, 0, 0},
    {"published later than the report's moment", "[" ROW("a", "990") "]", false, CHANGE_WORDS, 0, false, "", "", TOLD - 1, "2026-W37", 0, 0, 0, 0},
    {"another persona", "[" ROW("a", "990") "]", false, CHANGE_WORDS, 0, false, "pay=hour", "", NOW, "2026-W37", 0, 0, 0, 0},
    {"a query", "[" ROW("a", "990") "]", false, CHANGE_WORDS, 0, false, "", "4090", NOW, "2026-W37", 0, 0, 0, 0},
};

/* The store, the input and the week's rows of a row. */
static enum gt_err look(const struct correction_row *row, struct arena *arena, struct correction_list *ret_list, struct gt_errinfo *info)
{
    const struct market_offer a = {1, "a", "a", "4090", "NVIDIA-RTX-4090", 24, SKU_EXACT, DELIVERY_CONTAINER, MARKET_DOMESTIC, "CNY", 0, UNITS(1000),
                                   BOUND_EXACT, AVAIL_UNKNOWN, MARKET_WEEK, SEEN, row->is_doubted, true, "the operator's word"};
    const struct market_offer b = {2, "b", "b", "4090", "NVIDIA-RTX-4090", 24, SKU_EXACT, DELIVERY_CONTAINER, MARKET_DOMESTIC, "CNY", 0, UNITS(1100),
                                   BOUND_EXACT, AVAIL_UNKNOWN, MARKET_WEEK, SEEN, false, true, NULL};
    struct fake_market market = {.arena = arena};
    char key[2][32];
    snprintf(key[0], sizeof key[0], "week:%s", row->week);
    snprintf(key[1], sizeof key[1], "rows:%s", row->week);
    struct gt_str head = arena_printf(arena, "{\"published\":%d,\"since\":%d,\"until\":%d,\"how\":\"sent\",\"catalogue\":\"older\",\"rows\":1,\"left_out\":0}",
                                      TOLD, MARKET_WEEK, WEEK_END);
    const struct fake_value values[] = {{key[0], head.ptr}, {key[1], row->rows}};
    market_add(&market, &a, 0, 0);
    market_add(&market, &b, 0, 0);
    if (row->kind != CHANGE_WORDS) market_change(&market, row->kind, row->decided_unix_s, &a, &a);
    market_span(&market, &a, 1, 9);
    market.spans[0].is_voided = row->is_voided;
    market.spans[0].is_doubted = row->is_doubted && row->kind != CHANGE_RELEASED;
    market.store.rows = market.rows;
    market.store.spans = market.spans;
    market.store.changes = market.changes;
    market.store.values = values;
    market.store.value_count = COUNT(values);
    struct report_input input = {.store = &market.store, .now_unix_s = row->now_unix_s, .query_text = gt_str_from(row->query), .zone_offset_s = CIVIL_SHANGHAI_S};
    struct report_period week = {REPORT_WEEK, MARKET_WEEK, WEEK_END};
    struct board_rows rows;
    enum gt_err err = persona_read(gt_str_from(row->persona), &input.persona, info);
    if (err == GT_OK) err = board_read(&market.store, WEEK_END - 1, arena, &rows, info);
    return err == GT_OK ? corrections_add(&input, &week, &rows, arena, ret_list, info) : err;
}

static int64_t units_of(const struct published_row *row)
{
    return row != NULL ? row->low_nano / NANO : 0;
}

static void check_correction(void **state)
{
    const struct correction_row *row = *state;
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct correction_list list = {.count = 0};
    struct gt_errinfo info = {0};
    assert_non_null(arena);
    assert_int_equal(look(row, arena, &list, &info), GT_OK);
    assert_int_equal(list.count, row->count);
    if (row->count > 0) {
        assert_int_equal(list.items[0].cause, row->cause);
        assert_int_equal(units_of(list.items[0].was), row->was_units);
        assert_int_equal(units_of(list.items[0].now), row->now_units);
        assert_int_equal(list.items[0].decided_unix_s, row->cause >= CORRECTION_RELEASED ? row->decided_unix_s : 0);
        if (row->cause >= CORRECTION_RELEASED) assert_str(list.items[0].detail, "the operator's word");
    }
    arena_free(arena);
}

/* ---- what the store holds and cannot ---- */

struct damaged_row {
    const char *name, *rows;
};

static const struct damaged_row damaged[] = {
    {"no JSON", "["}, {"no list", "{}"}, {"a row too short", "[[\"" CLASS "\"]]"}, {"an amount in words", "[" ROW("a", "\"1\"") "]"},
    {"no such evidence", "[[\"c\",\"s\",\"CNY\",\"a\",\"a\",\"l\",1,0,0,1,\"guessed\"]]"}, {"nothing", ""},
};

static void check_damaged(void **state)
{
    const struct damaged_row *row = *state;
    const struct correction_row asked = {row->name, row->rows, false, CHANGE_WORDS, 0, false, "", "", NOW, "2026-W37", 0, 0, 0, 0};
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct correction_list list = {.count = 0};
    struct gt_errinfo info = {0};
    assert_non_null(arena);
    assert_int_equal(look(&asked, arena, &list, &info), GT_ECORRUPT);
    assert_non_null(strstr(info.text, "2026-W37"));
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(corrections, check_correction) + TABLE_RUN(damaged, check_damaged);
}
