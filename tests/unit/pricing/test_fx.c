/* Exchange rates worked by hand: which way is taken, what it comes to, what [fx] refuses. */
#include "pricing/fx.h"
#include "tests/unit/table.h"

struct row {
    const char *name;
    const char *rates; /* lines of [fx] */
    const char *from, *to;
    const char *amount;
    const char *expected; /* NULL: no way */
    size_t steps;
};

#define USD_INR "rate.USD = 7.10 2026-09-18\nrate.INR = 0.08 2026-09-18\n"
static const struct row rows[] = {
    {"one rate: 100 x 7.1", USD_INR, "USD", "CNY", "100", "710", 1},
    {"backwards: 710 / 7.1", USD_INR, "CNY", "USD", "710", "100", 1},
    {"backwards, rounded to a ten-thousandth: 100 / 7.1 = 14.08450…", USD_INR, "CNY", "USD", "100", "14.0845", 1},
    {"through yuan: 100 x 7.1 / 0.08", USD_INR, "USD", "INR", "100", "8875", 2},
    {"and back: 8875 x 0.08 / 7.1", USD_INR, "INR", "USD", "8875", "100", 2},
    {"its own currency needs no rate and is exact", USD_INR, "CNY", "CNY", "0.000164", "0.000164", 0},
    {"a small amount: 0.34 x 7.1", USD_INR, "USD", "CNY", "0.34", "2.414", 1},
    {"so small that nothing is left", USD_INR, "INR", "CNY", "0.0001", "0", 1},
    {"another base", "base = EUR\nrate.USD = 0.9 2026-09-18\n", "USD", "EUR", "10", "9", 1},
    {"no rate", USD_INR, "EUR", "CNY", "1", NULL, 0},
    {"no rate to it", USD_INR, "USD", "EUR", "1", NULL, 0},
    {"no rates at all", "", "USD", "CNY", "1", NULL, 0},
};

static struct fx_table table_of(struct conf *conf, const char *lines, struct arena *arena, enum gt_err *ret_err, struct gt_errinfo *info)
{
    struct fx_table table = {0};
    char text[512];
    snprintf(text, sizeof text, "[fx]\n%s", lines);
    *ret_err = conf_read_text(conf, "test", gt_str_from(text), info);
    if (*ret_err == GT_OK) *ret_err = fx_table_read(conf_find(conf, "fx", GT_STR("")), arena, &table, info);
    return table;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct fx_path path = {0};
    enum gt_err err;
    int64_t amount = 0, converted = 0;
    char text[MONEY_TEXT_MAX];
    struct fx_table table = table_of(conf, row->rates, arena, &err, &info);
    assert_int_equal(err, GT_OK);
    bool is_found = fx_path_find(&table, currency_from(gt_str_from(row->from)), currency_from(gt_str_from(row->to)), &path);
    assert_int_equal(is_found, row->expected != NULL);
    if (is_found) {
        assert_int_equal(path.count, row->steps);
        assert_int_equal(money_parse(gt_str_from(row->amount), &amount), GT_OK);
        assert_int_equal(fx_path_convert(&path, amount, &converted), GT_OK);
        assert_string_equal(money_format(converted, text), row->expected);
    }
    conf_free(conf);
    arena_free(arena);
}

struct conf_row {
    const char *name, *line;
    bool is_good;
};

static const struct conf_row conf_rows[] = {
    {"a rate and its day", "rate.USD = 7.10 2026-09-18", true},
    {"more blanks", "rate.USD = 7.10   2026-09-18", true},
    {"a rate without its day", "rate.USD = 7.10", false},
    {"a day without its rate", "rate.USD = 2026-09-18", false},
    {"a rate of nothing", "rate.USD = 0 2026-09-18", false},
    {"below nothing", "rate.USD = -7 2026-09-18", false},
    {"a comma", "rate.USD = 7,10 2026-09-18", false},
    {"a day in another form", "rate.USD = 7.10 18.09.2026", false},
    {"a code in small letters", "rate.usd = 7.10 2026-09-18", false},
    {"a name for a code", "rate.DOLLAR = 7.10 2026-09-18", false},
    {"a base that is none", "base = yuan\nrate.USD = 7.10 2026-09-18", false},
};

static void check_conf(void **state)
{
    const struct conf_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    enum gt_err err;
    struct fx_table table = table_of(conf, row->line, arena, &err, &info);
    assert_int_equal(err, row->is_good ? GT_OK : GT_ECONF);
    assert_int_equal(table.count, row->is_good ? 1 : 0);
    if (!row->is_good) assert_non_null(strstr(info.text, "test:2:"));
    conf_free(conf);
    arena_free(arena);
}

/* Rates of two sources are never combined, and what stands first goes before what stands behind it. */
struct order_row {
    const char *name;
    struct fx_rate rates[3];
    size_t count;
    const char *expected; /* of 100 USD in CNY; NULL: no way */
};

#define RATE(a, b, nano, from) {.one = {a}, .many = {b}, .rate_nano = (nano), .day = {"2026-09-18", 10}, .source = {from, sizeof(from) - 1}}
static const struct order_row order_rows[] = {
    {"the first of two", {RATE("USD", "CNY", 7 * NANO, "ecb"), RATE("USD", "CNY", 8 * NANO, "sites.conf")}, 2, "700"},
    {"through euro: 100 / 1.25 x 8", {RATE("EUR", "USD", 1250000000, "ecb"), RATE("EUR", "CNY", 8 * NANO, "ecb")}, 2, "640"},
    {"the preferred source goes first, through euro, too",
     {RATE("EUR", "USD", 1250000000, "ecb"), RATE("EUR", "CNY", 8 * NANO, "ecb"), RATE("USD", "CNY", 7 * NANO, "sites.conf")}, 3, "640"},
    {"half of the way from each source is none", {RATE("EUR", "USD", 1250000000, "ecb"), RATE("EUR", "CNY", 8 * NANO, "sites.conf")}, 2, NULL},
    {"a rate of nothing is passed over", {RATE("USD", "CNY", 0, "ecb"), RATE("USD", "CNY", 7 * NANO, "sites.conf")}, 2, "700"},
    {"a rate below nothing, too", {RATE("USD", "CNY", -1, "ecb")}, 1, NULL},
};

static void check_order(void **state)
{
    const struct order_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct fx_table table = {0};
    struct fx_path path = {0};
    int64_t converted = 0;
    char text[MONEY_TEXT_MAX];
    for (size_t i = 0; i < row->count; i++) assert_int_equal(fx_table_add(&table, &row->rates[i], arena), GT_OK);
    bool is_found = fx_path_find(&table, currency_from(GT_STR("USD")), currency_from(GT_STR("CNY")), &path);
    assert_int_equal(is_found, row->expected != NULL);
    if (is_found) {
        assert_int_equal(fx_path_convert(&path, 100 * NANO, &converted), GT_OK);
        assert_string_equal(money_format(converted, text), row->expected);
    }
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_row) + TABLE_RUN(conf_rows, check_conf) + TABLE_RUN(order_rows, check_order);
}
