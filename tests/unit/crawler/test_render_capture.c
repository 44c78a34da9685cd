/* capture: which addresses match, what is kept, in which order and with which digits. */
#include "tests/unit/table.h"

#include "crawler/render_capture.h"

static const struct match_row {
    const char *name, *patterns, *url;
    bool matches;
} matches[] = {
    {"the whole address", "https://a.example/api", "https://a.example/api", true},
    {"a star in front", "*/api", "https://a.example/api", true},
    {"stars on both sides", "*/api*", "https://a.example/api?page=1", true},
    {"a star for nothing", "https://a.example/*", "https://a.example/", true},
    {"question marks and brackets stand for themselves", "*/a?b=[1]", "https://a.example/a?b=[1]", true},
    {"the second line", "*/one\n  */two", "https://a.example/two", true},
    {"going back behind a star", "*ab*abc", "https://ababab/abc", true},
    {"a beginning is not the whole", "https://a.example/api", "https://a.example/api/2", false},
    {"a question mark is no wild card", "*/a?b", "https://a.example/axb", false},
    {"case counts", "*/API", "https://a.example/api", false},
    {"no pattern", "", "https://a.example/", false},
    {"empty lines match nothing", "\n\n", "", false},
    {"many stars, no match", "*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
};

static void check_match(void **state)
{
    const struct match_row *row = *state;
    assert_int_equal(capture_matches(gt_str_from(row->patterns), gt_str_from(row->url)), row->matches);
}

enum { BYTES_MAX = 64 };

static const struct join_row {
    const char *name;
    const char *bodies[4]; /* in the order in which they came */
    int64_t orders[4];
    const char *joined; /* NULL: a fault */
} joins[] = {
    {"one answer", {"{\"a\":1}"}, {0}, "[{\"a\":1}]"},
    {"digits as written", {"[0.10, 1e2, 12345678901234567890]"}, {0}, "[[0.10, 1e2, 12345678901234567890]]"},
    {"the order asked for, not the order that came", {"[2]", "{}"}, {7, 3}, "[{},\n[2]]"},
    {"a byte-order mark", {"\xEF\xBB\xBF{}"}, {0}, "[{}]"},
    {"none", {NULL}, {0}, "[]"},
    {"a script is no JSON", {"var a = 1"}, {0}, "[]"},
    {"a bare number is no listing", {"1"}, {0}, "[]"},
    {"a cut answer is none", {"{\"a\":"}, {0}, "[]"},
    {"bytes that are no UTF-8", {"[\"\xFF\"]"}, {0}, "[]"},
    {"larger than allowed", {"[1000000000, 1000000000, 1000000000, 1000000000, 1000000000, 1000000000]"}, {0}, NULL},
    {"larger than allowed together",
     {"[1000000000, 1000000000, 1000000000]", "[1000000000, 1000000000, 1000000000]"}, {0, 1}, NULL},
};

static void check_join(void **state)
{
    const struct join_row *row = *state;
    struct arena *arena = arena_new(1024 * 1024);
    struct capture capture = {.count = 0};
    for (size_t i = 0; i < 4 && row->bodies[i] != NULL; i++)
        capture_add(&capture, row->orders[i], gt_str_from(row->bodies[i]), BYTES_MAX, arena);
    size_t len = 0;
    char *joined = capture_join(&capture, &len);
    assert_non_null(joined);
    assert_int_equal(capture.fault.len > 0, row->joined == NULL);
    if (row->joined != NULL) assert_str(((struct gt_str){joined, len}), row->joined);
    free(joined);
    arena_free(arena);
}

/* A listing of which one answer too many came is not whole. */
static void check_count(void **state)
{
    struct arena *arena = arena_new(1024 * 1024);
    struct capture capture = {.count = 0};
    (void)state;
    for (int i = 0; i < CAPTURE_ANSWERS_MAX; i++) capture_add(&capture, i, GT_STR("[]"), 1024, arena);
    assert_int_equal(capture.fault.len, 0);
    capture_add(&capture, CAPTURE_ANSWERS_MAX, GT_STR("[]"), 1024, arena);
    assert_true(capture.fault.len > 0);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest counts[] = {{"as many answers as may be, and one more", check_count, NULL, NULL, NULL}};
    int failures = TABLE_RUN(matches, check_match);
    failures += TABLE_RUN(joins, check_join);
    return failures + cmocka_run_group_tests(counts, NULL, NULL);
}
