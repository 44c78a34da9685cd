/* The page-wide solver: what is hidden is found, what is not there is not. */
#include "tests/unit/pricing/build.h"
#include "pricing/discount_solve.h"

enum { ROWS_MAX = 24 };

struct price_row {
    const char *list, *shown, *label; /* label: a printed factor, or NULL */
};

struct solve_case {
    const char *name;
    struct price_row rows[ROWS_MAX];
    const char *factor; /* "0": none */
};

static const struct solve_case pages[] = {
    {"six rows of the golden page",
     {{"1.96", "1.57", "0.95"},
      {"4.47", "2.97", "0.83"},
      {"7.75", "6.20", "0.80"},
      {"9900", "7920", NULL},
      {"19888", "15910", NULL},
      {"26500", "21200", NULL}},
     "0.8"},
    {"the three labelled rows alone", {{"1.96", "1.57", "0.95"}, {"4.47", "2.97", "0.83"}, {"7.75", "6.20", "0.80"}}, "0.8"},
    {"three nodes without any label", {{"9900", "7920", NULL}, {"19888", "15910", NULL}, {"26500", "21200", NULL}}, "0.8"},
    {"a factor in tenths of a percent", {{"10000", "8750", NULL}, {"20000", "17500", NULL}, {"33000", "28875", NULL}}, "0.875"},
    {"one label and rows without",
     {{"10", "7.60", "0.95"}, {"20", "15.20", "0.95"}, {"9900", "7920", NULL}, {"30", "24", NULL}},
     "0.8"},
    {"two rows are too few", {{"9900", "7920", NULL}, {"19888", "15910", NULL}}, "0"},
    {"the same row three times is one row", {{"9900", "7920", NULL}, {"9900", "7920", NULL}, {"9900", "7920", NULL}}, "0"},
    {"labels alone explain all rows", {{"10", "9.50", "0.95"}, {"20", "16.60", "0.83"}, {"30", "24", "0.80"}}, "0"},
    {"one printed label on all rows cannot be told from a factor",
     {{"10", "8", "0.95"}, {"20", "16", "0.95"}, {"30", "24", "0.95"}, {"41", "32.80", "0.95"}},
     "0"},
    {"a factor that some rows print is theirs, not the site's",
     {{"10", "8", "0.80"}, {"20", "16", "0.80"}, {"9900", "7920", NULL}, {"19888", "15910", NULL}},
     "0"},
    {"one row without the factor spoils it",
     {{"10", "8", NULL}, {"20", "16", NULL}, {"30", "24", NULL}, {"40", "38", NULL}},
     "0"},
    {"nothing is reduced", {{"10", "10", NULL}, {"20", "20", NULL}, {"30", "30", NULL}}, "0"},
    {"a surcharge is no discount", {{"10", "12", NULL}, {"20", "24", NULL}, {"30", "36", NULL}}, "0"},
    {"prices too small to tell", {{"0.03", "0.02", NULL}, {"0.05", "0.04", NULL}, {"0.04", "0.03", NULL}}, "0"},
    {"unrelated reductions", {{"10", "9.10", NULL}, {"20", "14.40", NULL}, {"30", "25.50", NULL}, {"40", "31", NULL}}, "0"},
};

static size_t fill(struct built *built, const struct price_row *rows)
{
    size_t count = 0;
    for (; count < ROWS_MAX && rows[count].list != NULL; count++) {
        build_offer(&built[count], "row", "NVIDIA-RTX-4090", 1);
        build_hour(&built[count], rows[count].list, ROLE_LIST);
        build_hour(&built[count], rows[count].shown, ROLE_SALE);
        if (rows[count].label != NULL) build_factor(&built[count], rows[count].label, COND_PREPAY_MONTH, 0);
    }
    return count;
}

static void check_page(void **state)
{
    const struct solve_case *page = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built *built = calloc(ROWS_MAX, sizeof *built);
    struct offer offers[ROWS_MAX];
    struct solved_factor solved;
    assert_non_null(built);
    size_t count = fill(built, page->rows);
    for (size_t i = 0; i < count; i++) offers[i] = built[i].offer;
    assert_int_equal(discount_solve(offers, count, arena, &solved), GT_OK);
    assert_money(solved.factor_nano, page->factor);
    assert_int_equal(solved.rows_total, count);
    for (size_t i = 0; i < count; i++) {
        size_t printed = page->rows[i].label != NULL;
        bool is_found = solved.factor_nano != 0;
        assert_int_equal(offers[i].record.discount_count, printed + is_found);
        if (!is_found) continue;
        assert_true(offers[i].record.discounts[0].is_inferred);
        assert_int_equal(offers[i].record.discounts[0].conditions[0].kind, COND_UNKNOWN);
        assert_int_equal(solved.rows_with, count);
    }
    free(built);
    arena_free(arena);
}

/* A generator of its own, so that the pages are the same everywhere. */
struct dice {
    uint64_t state;
};

static uint32_t roll(struct dice *dice, uint32_t below)
{
    dice->state = dice->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(dice->state >> 33) % below;
}

/* Rounds to cents (or to whole units from 1000 on), half up or down, as sites do. */
static int64_t as_shown(int64_t value_nano, bool down)
{
    int64_t step = value_nano >= 1000 * NANO ? NANO : NANO / 100, rounded = 0;
    if (money_round(value_nano, step, down ? ROUND_DOWN : ROUND_HALF_UP, &rounded) != GT_OK) abort();
    return rounded;
}

struct property_case {
    const char *name;
    bool is_hidden; /* a common factor lies on the rows */
    bool has_labels;
    uint32_t seed;
    uint32_t rows_min, rows_more; /* rows_min to rows_min + rows_more - 1 rows a page */
};

static const struct property_case properties[] = {
    {"a hidden factor is found, no labels", true, false, 1, 5, 19},
    {"a hidden factor is found under labels", true, true, 2, 5, 19},
    {"no factor is found where there is none", false, false, 3, 5, 19},
    {"no factor is found under labels where there is none", false, true, 4, 5, 19},
    {"few rows: a hidden factor is found", true, false, 5, 3, 3},
    {"few rows: a hidden factor is found under labels", true, true, 6, 3, 3},
    {"few rows: none is found", false, false, 7, 3, 3},
    {"few rows: none is found under labels", false, true, 8, 3, 3},
};

/* One random page; returns the factor that was hidden in it (0: none). */
static int64_t random_page(struct dice *dice, const struct property_case *property, struct built *built, size_t count)
{
    static const char *const labels[] = {"0.95", "0.83", "0.9", "0.88", "0.78"};
    int64_t factor = property->is_hidden ? (60 + (int64_t)roll(dice, 35)) * (NANO / 100) : 0;
    for (size_t i = 0; i < count; i++) {
        bool is_node = roll(dice, 3) == 0;
        int64_t list = is_node ? (5000 + (int64_t)roll(dice, 30000)) * NANO : (180 + (int64_t)roll(dice, 1500)) * (NANO / 100);
        int64_t own = (500 + (int64_t)roll(dice, 480)) * (NANO / 1000), shown = 0, label = NANO;
        char text[MONEY_TEXT_MAX];
        build_offer(&built[i], "row", "NVIDIA-RTX-4090", 1);
        build_hour(&built[i], money_format(list, text), ROLE_LIST);
        bool is_labelled = property->has_labels && !is_node;
        if (is_labelled) {
            struct discount *discount = build_factor(&built[i], labels[(i + roll(dice, 2)) % 5], COND_PREPAY_MONTH, 0);
            if (roll(dice, 2) == 0) label = discount->factor_nano;
        }
        if (money_scale(list, property->is_hidden ? factor : own, NANO, ROUND_HALF_UP, &shown) != GT_OK) abort();
        if (property->is_hidden && money_scale(shown, label, NANO, ROUND_HALF_UP, &shown) != GT_OK) abort();
        struct quote *sale = build_hour(&built[i], "1", ROLE_SALE);
        sale->amount_nano = as_shown(shown, false);
        sale->raw = (struct gt_str){NULL, 0};
        built[i].quotes[0].raw = (struct gt_str){NULL, 0};
    }
    return factor;
}

/* Pages where the hidden factor could also be another one (few rows, small prices) may stay unsolved, but never be solved
 * wrongly. */
static void check_property(void **state)
{
    enum { PAGES = 400 };
    const struct property_case *property = *state;
    struct dice dice = {property->seed};
    struct built *built = calloc(ROWS_MAX, sizeof *built);
    size_t solved_pages = 0;
    assert_non_null(built);
    for (int page = 0; page < PAGES; page++) {
        struct arena *arena = arena_new(BUILD_ARENA_BYTES);
        struct offer offers[ROWS_MAX];
        struct solved_factor solved;
        size_t count = property->rows_min + roll(&dice, property->rows_more);
        int64_t factor = random_page(&dice, property, built, count);
        for (size_t i = 0; i < count; i++) offers[i] = built[i].offer;
        assert_int_equal(discount_solve(offers, count, arena, &solved), GT_OK);
        if (solved.factor_nano != 0) assert_int_equal(solved.factor_nano, factor);
        solved_pages += solved.factor_nano != 0;
        arena_free(arena);
    }
    if (property->is_hidden) assert_true(solved_pages >= PAGES * 95 / 100);
    else assert_int_equal(solved_pages, 0);
    free(built);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(pages, check_page) + TABLE_RUN(properties, check_property);
}
