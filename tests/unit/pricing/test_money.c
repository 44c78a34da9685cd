/* Money as integers: exact or refused. */
#include "pricing/money.h"

#include "tests/unit/table.h"

struct parse_case {
    const char *name, *text;
    enum gt_err err;
    const char *printed; /* NULL: as the text */
};

static const struct parse_case parses[] = {
    {"a whole number", "1074", GT_OK, NULL},
    {"two decimals", "1.57", GT_OK, NULL},
    {"trailing zeros go", "6.20", GT_OK, "6.2"},
    {"leading zeros go", "007.5", GT_OK, "7.5"},
    {"no digit before the point", ".63", GT_OK, "0.63"},
    {"no digit behind it", "5.", GT_OK, "5"},
    {"nine decimals", "0.000000001", GT_OK, NULL},
    {"a price per second", "0.00000222", GT_OK, NULL},
    {"negative", "-12800", GT_OK, NULL},
    {"a small negative", "-0.5", GT_OK, NULL},
    {"a plus", "+3", GT_OK, "3"},
    {"nothing", "0.000", GT_OK, "0"},
    {"zeros beyond the ninth decimal", "1.1000000000000000", GT_OK, "1.1"},
    {"the largest", "9223372036.854775807", GT_OK, NULL},
    {"the smallest", "-9223372036.854775807", GT_OK, NULL},
    {"a tenth decimal that counts", "1.0000000001", GT_EPRECISION, NULL},
    {"a double's tail", "1.11000000000000009770", GT_EPRECISION, NULL},
    {"one more than the largest", "9223372036.854775808", GT_EOVERFLOW, NULL},
    {"far too large", "99999999999999999999999", GT_EOVERFLOW, NULL},
    {"empty", "", GT_EFORMAT, NULL},
    {"a sign alone", "-", GT_EFORMAT, NULL},
    {"a point alone", ".", GT_EFORMAT, NULL},
    {"two points", "1.2.3", GT_EFORMAT, NULL},
    {"a comma", "1,234", GT_EFORMAT, NULL},
    {"a blank", " 1", GT_EFORMAT, NULL},
    {"an exponent", "1e3", GT_EFORMAT, NULL},
    {"full width digits", "１２", GT_EFORMAT, NULL},
};

static void check_parse(void **state)
{
    const struct parse_case *row = *state;
    char text[MONEY_TEXT_MAX];
    int64_t nano = -77;
    assert_int_equal(money_parse(gt_str_from(row->text), &nano), row->err);
    if (row->err != GT_OK) assert_int_equal(nano, -77);
    else assert_string_equal(money_format(nano, text), row->printed != NULL ? row->printed : row->text);
}

struct scale_case {
    const char *name;
    int64_t value, num, den;
    enum rounding rounding;
    enum gt_err err;
    int64_t want;
};

static const struct scale_case scales[] = {
    {"half goes up", 5, 1, 2, ROUND_HALF_UP, GT_OK, 3},
    {"less than half goes down", 7, 1, 3, ROUND_HALF_UP, GT_OK, 2},
    {"down", 5, 1, 2, ROUND_DOWN, GT_OK, 2},
    {"up", 4, 1, 3, ROUND_UP, GT_OK, 2},
    {"exact stays", 6, 1, 3, ROUND_UP, GT_OK, 2},
    {"negative half goes away from zero", -5, 1, 2, ROUND_HALF_UP, GT_OK, -3},
    {"negative down goes to zero", -5, 1, 2, ROUND_DOWN, GT_OK, -2},
    {"negative up goes away from zero", -4, 1, 3, ROUND_UP, GT_OK, -2},
    {"a negative divisor", 6, 1, -3, ROUND_DOWN, GT_OK, -2},
    {"128 bits in between", INT64_MAX, INT64_MAX, INT64_MAX, ROUND_DOWN, GT_OK, INT64_MAX},
    {"too large in the end", INT64_MAX, 2, 1, ROUND_DOWN, GT_EOVERFLOW, 0},
    {"too small in the end", INT64_MIN, 2, 1, ROUND_DOWN, GT_EOVERFLOW, 0},
    {"by nothing", 1, 1, 0, ROUND_DOWN, GT_EUSAGE, 0},
};

static void check_scale(void **state)
{
    const struct scale_case *row = *state;
    int64_t got = -77;
    assert_int_equal(money_scale(row->value, row->num, row->den, row->rounding, &got), row->err);
    assert_int_equal(got, row->err == GT_OK ? row->want : -77);
}

struct round_case {
    const char *name;
    int64_t value, step;
    enum rounding rounding;
    enum gt_err err;
    int64_t want;
};

static const struct round_case rounds[] = {
    {"to cents", 1568 * (NANO / 1000), NANO / 100, ROUND_HALF_UP, GT_OK, 157 * (NANO / 100)},
    {"to units", 107388 * (NANO / 100), NANO, ROUND_HALF_UP, GT_OK, 1074 * NANO},
    {"down to units", 107388 * (NANO / 100), NANO, ROUND_DOWN, GT_OK, 1073 * NANO},
    {"up to units", 107300 * (NANO / 100) + 1, NANO, ROUND_UP, GT_OK, 1074 * NANO},
    {"no step", 5, 0, ROUND_DOWN, GT_EUSAGE, 0},
    {"a negative step", 5, -1, ROUND_DOWN, GT_EUSAGE, 0},
    {"beyond the largest", INT64_MAX, NANO, ROUND_UP, GT_EOVERFLOW, 0},
};

static void check_round(void **state)
{
    const struct round_case *row = *state;
    int64_t got = -77;
    assert_int_equal(money_round(row->value, row->step, row->rounding, &got), row->err);
    assert_int_equal(got, row->err == GT_OK ? row->want : -77);
}

struct moved_case {
    const char *name;
    int64_t before, now, percent_nano;
    int want;
};

static const struct moved_case moved[] = {
    {"five percent exactly", 100 * NANO, 105 * NANO, 5 * NANO, 1},
    {"a nano less", 100 * NANO, 105 * NANO - 1, 5 * NANO, 0},
    {"downwards", 100 * NANO, 95 * NANO, 5 * NANO, 1},
    {"no move, no percent", 100, 100, 0, 1},
    {"no move", 100, 100, 1, 0},
    {"from nothing", 0, 100, 5 * NANO, 0},
    {"largest to smallest", INT64_MAX, INT64_MIN, 100 * NANO, 1},
    {"half a percent", 200 * NANO, 201 * NANO, NANO / 2, 1},
};

static void check_moved(void **state)
{
    const struct moved_case *row = *state;
    assert_int_equal(money_moved(row->before, row->now, row->percent_nano), row->want);
}

struct currency_case {
    const char *name, *code, *other;
    int is_same;
};

static const struct currency_case currencies[] = {
    {"in any case", "cny", "CNY", 1},         {"another", "CNY", "USD", 0},  {"credits", "x-sdd", "X-SDD", 1},
    {"two unknown ones", "", "", 0},          {"one unknown", "CNY", "", 0}, {"too long to be one", "CURRENCY", "CURRENCY", 0},
    {"the longest", "X-ABCDE", "x-abcde", 1},
};

static void check_currency(void **state)
{
    const struct currency_case *row = *state;
    struct currency a = currency_from(gt_str_from(row->code)), b = currency_from(gt_str_from(row->other));
    assert_int_equal(currency_eq(a, b), row->is_same);
    assert_int_equal(currency_eq(b, a), row->is_same);
}

struct code_case {
    const char *name, *text;
    bool want;
};

static const struct code_case codes[] = {
    {"three letters", "CNY", true},      {"in any case", "usd", true},   {"credits", "X-SDD", true},   {"credits in small letters", "x-sdd", true},
    {"nothing", "", false},              {"two letters", "CN", false},   {"four letters", "CNYY", false}, {"a digit", "CN1", false},
    {"a sign that | 0x20 makes one", "C@Y", false}, {"no letters behind X-", "X-", false}, {"too long", "X-ABCDEF", false}, {"a blank", "X- A", false},
};

static void check_code(void **state)
{
    const struct code_case *row = *state;
    assert_int_equal(currency_is_code(gt_str_from(row->text)), row->want);
}

/* Whatever is formatted reads back as itself. */
struct back_case {
    const char *name;
    int64_t from, step;
    int count;
};

static const struct back_case backs[] = {
    {"near nothing", -500, 1, 1000},
    {"cents", 0, NANO / 100, 1000},
    {"large", INT64_MAX - 999, 1, 1000},
    {"odd", -7777777777LL, 987654321, 1000},
};

static void check_back(void **state)
{
    const struct back_case *row = *state;
    for (int i = 0; i < row->count; i++) {
        char text[MONEY_TEXT_MAX];
        int64_t value = row->from + i * row->step, again = 0;
        assert_int_equal(money_parse(gt_str_from(money_format(value, text)), &again), GT_OK);
        assert_true(again == value);
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(parses, check_parse) + TABLE_RUN(scales, check_scale) + TABLE_RUN(rounds, check_round) +
           TABLE_RUN(moved, check_moved) + TABLE_RUN(currencies, check_currency) + TABLE_RUN(codes, check_code) + TABLE_RUN(backs, check_back);
}
