#include "tests/unit/crawler/crawl_bench.h"

/* One crawl after the other at one site; `prices` NULL: as before. status NONE: not crawled. */
static const struct story_row {
    const char *name;
    const char *conf;
    struct step {
        int64_t at_s;
        const struct answer *prices, *robots;
        bool is_forced;
        int status;
        const char *reason; /* a part of it */
        int requests;       /* for pages */
        int offers;
        bool is_full;
    } steps[STEPS_MAX];
} stories[] = {
    {"good, then unchanged by 304, then changed",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false},
      {2 * DAY, &good_b, NULL, false, STATUS_OK, "", 1, 3, true}}},
    {"unchanged by digest where there is no validator",
     SITE,
     {{0, &plain_a, NULL, false, STATUS_OK, "", 1, 2, true}, {DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"not due, then due",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {60, NULL, NULL, false, NONE, "", 0, 0, false},
      {5 * HOUR, NULL, NULL, false, NONE, "", 0, 0, false},
      {6 * HOUR - 200, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"forced: in full though not due",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}, {60, NULL, NULL, true, STATUS_OK, "", 1, 2, false}}},
    {"fetched in full when validators are old",
     SITE "fresh = 1d\n",
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {6 * HOUR, &wrong_304, NULL, false, STATUS_FAILED, "304", 2, 0, false},
      {DAY, &bare_304, NULL, false, STATUS_FAILED, "304", 1, 0, false}}},
    {"304 for another body: asked again in full",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, &wrong_304, NULL, false, STATUS_FAILED, "HTTP 304", 2, 0, false}}},
    {"304 without having asked", SITE, {{0, &bare_304, NULL, false, STATUS_FAILED, "HTTP 304", 1, 0, false}}},
    {"cut body leaves no validator",
     SITE,
     {{0, &cut_b, NULL, false, STATUS_INCOMPLETE, "", 3, 0, false}, {DAY, &good_b, NULL, false, STATUS_OK, "", 1, 3, true}}},
    {"cut body keeps the older validator",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, &cut_b, NULL, false, STATUS_INCOMPLETE, "", 3, 0, false},
      {2 * DAY, &good_a, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"login page", SITE, {{0, &login, NULL, false, STATUS_BLOCKED, "login", 1, 0, false}}},
    {"challenge with 200", SITE, {{0, &challenge, NULL, false, STATUS_BLOCKED, "challenge", 1, 0, false}}},
    {"challenge with 403", SITE, {{0, &challenge_403, NULL, false, STATUS_BLOCKED, "HTTP 403", 1, 0, false}}},
    {"empty shell of scripts", SITE, {{0, &shell, NULL, false, STATUS_BLOCKED, "shell", 1, 0, false}}},
    {"empty body", SITE, {{0, &empty, NULL, false, STATUS_BLOCKED, "empty", 1, 0, false}}},
    {"no content", SITE, {{0, &no_content, NULL, false, STATUS_FAILED, "HTTP 204", 1, 0, false}}},
    {"another layout", SITE, {{0, &other, NULL, false, STATUS_DRIFTED, "", 1, 0, true}}},
    {"JSON that reports an error", SITE, {{0, &json_error, NULL, false, STATUS_FAILED, "reports an error", 1, 0, false}}},
    {"not found", SITE, {{0, &gone, NULL, false, STATUS_FAILED, "HTTP 404", 1, 0, false}}},
    {"broken: three attempts, then sooner again",
     SITE,
     {{0, &broken, NULL, false, STATUS_FAILED, "HTTP 500", 3, 0, false},
      {60, NULL, NULL, false, NONE, "", 0, 0, false},
      {2 * HOUR, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"Retry-After is kept across runs",
     SITE_EVERY("1h"),
     {{0, &overloaded, NULL, false, STATUS_FAILED, "HTTP 503", 1, 0, false},
      {HOUR, &good_a, NULL, false, NONE, "", 0, 0, false},
      {HOUR, NULL, NULL, true, NONE, "", 0, 0, false},
      {7201, NULL, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"429 without Retry-After opens the breaker",
     SITE_EVERY("1m"),
     {{0, &too_many, NULL, false, STATUS_FAILED, "HTTP 429", 3, 0, false},
      {600, &good_a, NULL, false, NONE, "", 0, 0, false},
      {901, NULL, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"closed without an answer", SITE, {{0, &silent, NULL, false, STATUS_FAILED, "without an answer", 3, 0, false}}},
    {"redirect to another page", SITE, {{0, &moved, NULL, false, STATUS_FAILED, "HTTP 404", 2, 0, false}}},
    {"redirect to itself", SITE, {{0, &to_itself, NULL, false, STATUS_FAILED, "in a circle", 1, 0, false}}},
    {"POST is never repeated",
     SITE "method = POST\nbody = {}\n",
     {{0, &broken, NULL, false, STATUS_FAILED, "HTTP 500", 1, 0, false},
      {DAY, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {2 * DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"body_max that is not reached", SITE "body_max = 1k\n", {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"robots.txt forbids", SITE, {{0, &good_a, &forbid, false, STATUS_FAILED, "Disallow: /prices", 0, 0, false}}},
    {"robots.txt forbids, on a host of one's own",
     SITE "robots = ignore\n",
     {{0, &good_a, &forbid, false, STATUS_OK, "", 1, 2, true}}},
    {"robots.txt wants a day between requests",
     SITE,
     {{0, &good_a, &slow_crawl, false, STATUS_FAILED, "pause of 86400", 0, 0, false}}},
    {"robots.txt out of order",
     SITE,
     {{0, &good_a, &broken, false, STATUS_FAILED, "robots.txt unreachable: HTTP 500", 0, 0, false}}},
    {"robots.txt out of order, the last copy stands in",
     SITE,
     {{0, &good_a, &allow_all, false, STATUS_OK, "", 1, 2, true},
      {2 * DAY, NULL, &broken, false, STATUS_UNCHANGED, "", 1, 0, false},
      {32 * DAY, NULL, &broken, false, STATUS_FAILED, "robots.txt unreachable", 0, 0, false}}},
};

static void check_story(void **state)
{
    const struct story_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    bench_begin(&bench, row->conf);
    for (int i = 0; i < STEPS_MAX && (i == 0 || row->steps[i].at_s > 0); i++) {
        const struct step *step = &row->steps[i];
        if (step->prices != NULL) bench.market.prices = step->prices;
        if (step->robots != NULL) bench.market.robots = step->robots;
        atomic_store(&bench.market.page_requests, 0);
        struct crawl_options extra = {.delay_ms = 0};
        assert_int_equal(bench_crawl(&bench, step->at_s, step->is_forced, extra, &seen, &result), GT_OK);
        if (seen.count > 0 && (int)seen.parts[0].status != step->status)
            print_error("# step %d: %s (%s)\n", i, word_text(VOCABULARY_STATUS, (int)seen.parts[0].status), seen.parts[0].reason);
        assert_int_equal(seen.count, step->status == NONE ? 0 : 1);
        assert_int_equal(atomic_load(&bench.market.page_requests), step->requests);
        if (step->status == NONE) {
            assert_int_equal(result.sites_skipped, 1);
            continue;
        }
        const struct seen_part *part = &seen.parts[0];
        assert_int_equal(part->status, step->status);
        assert_non_null(strstr(part->reason, step->reason));
        bool is_good = part->status == STATUS_OK || part->status == STATUS_UNCHANGED;
        assert_int_equal(part->reason[0] == '\0', is_good);
        assert_int_equal(part->offers, step->offers);
        assert_int_equal(part->is_full_fetch, step->is_full);
        assert_int_equal(result.sites_ok, is_good);
        assert_int_equal(result.sites_failed, !is_good);
        assert_true(part->is_sample);
        assert_string_equal(part->part, "main");
    }
    bench_end(&bench);
}

#define LEAD "[site s]\nurl = http://a.test/first\nevery = 6h\nfollow = //a[@class='p']/@href\n" RULES

/* Pages behind a page. */
static const struct follow_row {
    const char *name;
    const struct answer *prices[3], *more[3]; /* on three days */
    int status[3], requests[3], offers[3];
} follows[] = {
    {"two good pages, unchanged, one changed",
     {&good_a, &good_a, &good_b},
     {&good_b, &good_b, &good_b},
     {STATUS_OK, STATUS_UNCHANGED, STATUS_OK},
     {3, 3, 6},
     {4, 0, 3}},
    {"one of them is missing: the listing is not whole",
     {&good_a, &good_a, &good_a},
     {&gone, &gone, &good_b},
     {STATUS_FAILED, STATUS_FAILED, STATUS_OK},
     {3, 3, 3},
     {0, 0, 4}},
    {"one has no rows of its own",
     {&good_a, &good_a, &good_a},
     {&other, &other, &other},
     {STATUS_OK, STATUS_UNCHANGED, STATUS_UNCHANGED},
     {3, 3, 3},
     {2, 0, 0}},
    {"one is a challenge",
     {&good_a, &good_a, &good_a},
     {&challenge, &good_b, &good_b},
     {STATUS_BLOCKED, STATUS_OK, STATUS_UNCHANGED},
     {3, 3, 3},
     {0, 4, 0}},
    {"none has rows",
     {&other, &good_a, &good_a},
     {&other, &other, &other},
     {STATUS_DRIFTED, STATUS_OK, STATUS_UNCHANGED},
     {3, 3, 3},
     {0, 2, 0}},
};

static void check_follow(void **state)
{
    const struct follow_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    bench_begin(&bench, LEAD);
    bench.market.first = &lead;
    for (int day = 0; day < 3; day++) {
        bench.market.prices = row->prices[day];
        bench.market.more = row->more[day];
        atomic_store(&bench.market.page_requests, 0);
        struct crawl_options extra = {.delay_ms = 0};
        assert_int_equal(bench_crawl(&bench, day * DAY, false, extra, &seen, &result), GT_OK);
        assert_int_equal(seen.count, 1);
        if ((int)seen.parts[0].status != row->status[day]) print_error("# day %d: %s\n", day, seen.parts[0].reason);
        assert_int_equal(seen.parts[0].status, row->status[day]);
        assert_int_equal(seen.parts[0].offers, row->offers[day]);
        assert_int_equal(atomic_load(&bench.market.page_requests), row->requests[day]);
    }
    bench_end(&bench);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(stories, check_story) + TABLE_RUN(follows, check_follow);
}
