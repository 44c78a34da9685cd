#include "crawler/due.h"

#include "tests/unit/table.h"

enum { NOW = 1789905600, MIN = 60, HOUR = 3600, DAY = 86400 };

static const struct site_row {
    const char *name;
    int64_t ago_s; /* of the last attempt */
    int32_t failures;
    int64_t every_s;
    bool is_due;
} sites[] = {
    {"exactly then", 6 * HOUR, 0, 6 * HOUR, true},
    {"later", 7 * HOUR, 0, 6 * HOUR, true},
    {"cron came five seconds early", 6 * HOUR - 5, 0, 6 * HOUR, true},
    {"five minutes early is the most", 6 * HOUR - 300, 0, 6 * HOUR, true},
    {"hourly: three minutes early", HOUR - 180, 0, HOUR, true},
    {"failed, a quarter has passed", 90 * MIN, 1, 6 * HOUR, true},
    {"attempt in the future by a wrong clock", -DAY, 0, 6 * HOUR, true},
    {"every minute", MIN, 0, MIN, true},
    {"the same minute", 20, 0, 6 * HOUR, false},
    {"six minutes early", 6 * HOUR - 360, 0, 6 * HOUR, false},
    {"hourly: four minutes early", HOUR - 240, 0, HOUR, false},
    {"failed just now", 10 * MIN, 1, 6 * HOUR, false},
    {"failed many times: still a quarter", 80 * MIN, 9, 6 * HOUR, false},
    {"every minute, half of it gone", 30, 0, MIN, false},
    {"clock set back by a second", -1, 0, 6 * HOUR, false},
};

static void check_site(void **state)
{
    const struct site_row *row = *state;
    struct attempt last = {NOW - row->ago_s, row->failures};
    int64_t due_unix_s = 0;
    assert_int_equal(due_site(&last, row->every_s * 1000, NOW, &due_unix_s), row->is_due);
    assert_int_equal(due_unix_s, last.last_unix_s + (row->failures > 0 ? row->every_s / 4 : row->every_s));
}

/* A host that fails: `asked_s` is its Retry-After, -1 for none. */
static const struct host_row {
    const char *name;
    int32_t failures_before;
    bool is_overloaded;
    int64_t asked_s;
    int64_t wait_s; /* 0: it may be asked at once */
} hosts[] = {
    {"first failure", 0, false, -1, 0},
    {"second failure", 1, false, -1, 0},
    {"third failure opens the breaker", 2, false, -1, 15 * MIN},
    {"fourth: twice as long", 3, false, -1, 30 * MIN},
    {"hundredth: six hours", 99, false, -1, 6 * HOUR},
    {"beyond counting", INT32_MAX, false, -1, 6 * HOUR},
    {"overloaded opens it at once", 0, true, -1, 15 * MIN},
    {"overloaded again", 1, true, -1, 30 * MIN},
    {"asked for two minutes, the breaker waits longer", 0, true, 120, 15 * MIN},
    {"asked for two hours", 0, true, 2 * HOUR, 2 * HOUR},
    {"asked for a week: a day at most", 0, true, 7 * DAY, DAY},
    {"asked for nothing", 0, true, 0, 15 * MIN},
};

static void check_host(void **state)
{
    const struct host_row *row = *state;
    struct host_memory memory = {.failures = row->failures_before};
    due_host_failed(&memory, row->is_overloaded, row->asked_s, NOW);
    assert_int_equal(memory.not_before_unix_s, row->wait_s > 0 ? NOW + row->wait_s : 0);
    assert_true(memory.failures >= row->failures_before);
    assert_int_equal(due_host_waits(&memory, NOW), row->wait_s > 0);
    assert_false(due_host_waits(&memory, NOW + row->wait_s));
    /* set back by years: a moment far ahead is no reason to wait */
    assert_false(due_host_waits(&memory, NOW - 400 * DAY));
}

static const struct text_row {
    const char *name;
    const char *text;
    bool is_attempt, is_host;
} texts[] = {
    {"an attempt", "1 1789905600 2", true, false},
    {"a host", "1 1789905600 0 3", false, true},
    {"another version", "2 1789905600 2", false, false},
    {"a number is missing", "1 1789905600", false, false},
    {"below zero", "1 -5 2", false, false},
    {"too many digits", "1 9999999999999999999 2", false, false},
    {"a word", "1 now 2", false, false},
    {"one number more", "1 1 2 3 4", false, false},
    {"empty", "", false, false},
};

static void check_text(void **state)
{
    const struct text_row *row = *state;
    struct arena *arena = arena_new(1 << 16);
    struct attempt attempt;
    struct host_memory memory;
    assert_int_equal(attempt_parse(gt_str_from(row->text), &attempt), row->is_attempt);
    assert_int_equal(host_memory_parse(gt_str_from(row->text), &memory), row->is_host);
    if (row->is_attempt) assert_str(attempt_print(&attempt, arena), row->text);
    if (row->is_host) assert_str(host_memory_print(&memory, arena), row->text);
    arena_free(arena);
}

static const struct backoff_row {
    const char *name;
    int attempt;
    int64_t low_ms, high_ms;
} backoffs[] = {
    {"after the first", 1, 750, 1250},
    {"after the second", 2, 1500, 2500},
    {"after the third", 3, 3000, 5000},
    {"after a thousand: no overflow", 1000, 1000, (int64_t)1000 << 17},
};

static void check_backoff(void **state)
{
    const struct backoff_row *row = *state;
    int64_t first = due_backoff_ms(1000, row->attempt, 0);
    bool differs = false;
    for (uint64_t seed = 0; seed < 5000; seed += 37) {
        int64_t wait_ms = due_backoff_ms(1000, row->attempt, seed);
        assert_in_range(wait_ms, row->low_ms, row->high_ms);
        differs = differs || wait_ms != first;
    }
    assert_true(differs);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(sites, check_site) + TABLE_RUN(hosts, check_host) + TABLE_RUN(texts, check_text) +
           TABLE_RUN(backoffs, check_backoff);
}
