/* Pauses between the requests to one host, as they arrive there. */
#include "tests/unit/crawler/crawl_bench.h"

#define SECTION(name, path, keys) "[site " name "]\nurl = http://a.test/" path "\n" keys RULES
#define OWN "allow_private = yes\n"

enum { PAUSE_MS = 150, ADAPTIVE_MS = 5 * PAUSE_MS };

/* Three sites of one host in the order of their names: the first is slow, the second as `second` says, the third is good. */
static const struct gap_row {
    const char *name;
    const char *conf;
    const struct answer *second;
    int64_t delay_ms; /* the command line's */
    int64_t least_ms, most_ms;
} gaps[] = {
    {"a slow page: five times what it took", SECTION("a", "first", "delay = 1ms\n") SECTION("b", "more", "delay = 1ms\n"), &good_a, -1,
     ADAPTIVE_MS, 10 * ADAPTIVE_MS},
    {"an error that comes fast shortens nothing",
     SECTION("a", "first", "delay = 1ms\n") SECTION("b", "more", "delay = 1ms\n") SECTION("c", "prices", "delay = 1ms\n"), &gone, -1, ADAPTIVE_MS,
     10 * ADAPTIVE_MS},
    {"the section's delay when that is longer", SECTION("a", "first", "delay = 1s\n") SECTION("b", "more", "delay = 1s\n"), &good_a, -1, 1000, 10000},
    {"no delay on a machine of one's own", SECTION("a", "first", "delay = 0\n" OWN) SECTION("b", "more", "delay = 0\n" OWN), &good_a, -1, 0,
     ADAPTIVE_MS - 1},
    {"no delay elsewhere: five times all the same", SECTION("a", "first", "delay = 0\n") SECTION("b", "more", "delay = 0\n"), &good_a, -1, ADAPTIVE_MS,
     10 * ADAPTIVE_MS},
    {"the command line's delay is exact", SECTION("a", "first", "delay = 5s\n") SECTION("b", "more", "delay = 5s\n"), &good_a, 0, 0, ADAPTIVE_MS - 1},
};

static void check_gap(void **state)
{
    const struct gap_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = row->delay_ms};
    bench_begin(&bench, row->conf);
    bench.market.first = bench.market.prices = &good_a;
    bench.market.more = row->second;
    bench.market.first_pause_ms = PAUSE_MS;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_true(atomic_load(&bench.market.page_requests) >= 2);
    assert_in_range(atomic_load(&bench.market.least_gap_mono_ms), row->least_ms, row->most_ms);
    bench_end(&bench);
}

/* One site, crawled again and again: when robots.txt is asked for. */
static const struct day_row {
    const char *name;
    int64_t at_s[3];
    int asked[3];
} days[] = {
    {"within a day the kept copy does", {0, 7 * HOUR, 23 * HOUR}, {1, 1, 1}},
    {"after a day it is asked for again", {0, 25 * HOUR, 26 * HOUR}, {1, 2, 2}},
    {"a copy from the future is none", {0, -2 * DAY, -2 * DAY + HOUR}, {1, 2, 2}},
};

static void check_day(void **state)
{
    const struct day_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    bench_begin(&bench, SITE);
    bench.market.prices = &good_a;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(bench_crawl(&bench, row->at_s[i], true, extra, &seen, &result), GT_OK);
        assert_int_equal(atomic_load(&bench.market.robots_requests), row->asked[i]);
    }
    bench_end(&bench);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(gaps, check_gap) + TABLE_RUN(days, check_day);
}
