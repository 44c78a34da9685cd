/* What rules remember: written, read back, damaged; medians by time; percentages. */
#include "alerts/metric.h"
#include "alerts/state.h"
#include "tests/unit/table.h"

enum { DAY = 86400, ARENA_BYTES = 1 << 20 };

struct round_trip {
    const char *name;
    struct rule_state state;
};

static const struct round_trip round_trips[] = {
    {"fresh", {.alerted_nano = 0}},
    {"an amount told", {.currency = {"CNY"}, .alerted_nano = 1074 * NANO, .fired = 3}},
    {"the largest numbers",
     {.currency = {"X-SDD"},
      .alerted_nano = INT64_MAX,
      .count = INT32_MAX,
      .fired = UINT32_MAX,
      .is_beyond = true,
      .since_unix_s = INT64_MAX}},
};

static void check_round_trip(void **state)
{
    const struct round_trip *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct rule_state read, with_steps = row->state;
    for (int i = 0; i < 5; i++) assert_int_equal(state_step_add(&with_steps, i * DAY, (100 + i) * NANO, 0, arena), GT_OK);
    struct gt_str text = state_print(&with_steps, arena);
    assert_int_equal(state_parse(text, arena, &read), GT_OK);
    assert_string_equal(read.currency.code, row->state.currency.code);
    assert_int_equal(read.alerted_nano, row->state.alerted_nano);
    assert_int_equal(read.is_beyond, row->state.is_beyond);
    assert_int_equal(read.count, row->state.count);
    assert_int_equal(read.since_unix_s, row->state.since_unix_s);
    assert_int_equal(read.fired, row->state.fired);
    assert_int_equal(read.step_count, 5);
    assert_int_equal(read.steps[4].nano, 104 * NANO);
    struct gt_str again = state_print(&read, arena);
    assert_true(gt_str_eq(text, again));
    arena_free(arena);
}

struct damaged {
    const char *name;
    const char *text;
};

static const struct damaged damageds[] = {
    {"another version", "2 CNY 1 0 0 0 0 0"},
    {"cut", "1 CNY 1 0"},
    {"no number", "1 CNY x 0 0 0 0 0"},
    {"more steps than stand there", "1 CNY 1 0 0 0 0 2 5 5"},
    {"fewer steps than stand there", "1 CNY 1 0 0 0 0 0 5 5"},
    {"half a step", "1 CNY 1 0 0 0 0 1 5"},
    {"too many steps", "1 CNY 1 0 0 0 0 100000"},
    {"less than none", "1 CNY 1 0 0 0 0 -1"},
    {"a number without end", "1 CNY 123456789012345678901234567890 0 0 0 0 0"},
    {"binary", "\x01\x02\x03"},
};

static void check_damaged(void **state)
{
    const struct damaged *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct rule_state read;
    enum gt_err err = state_parse(gt_str_from(row->text), arena, &read);
    arena_free(arena);
    assert_int_equal(err, GT_ECORRUPT);
}

/* Prices by day ("0" is a day without one), the window in days, the median wanted. */
struct median {
    const char *name;
    int64_t days[12];
    size_t count;
    int64_t window, expected;
};

static const struct median medians[] = {
    {"one price", {100}, 1, 1, 100},
    {"a day of each of three", {100, 300, 200}, 3, 3, 200},
    {"of an even number the lower middle", {100, 200}, 2, 2, 100},
    {"longer counts more", {100, 100, 100, 900, 900}, 5, 5, 100},
    {"one day more tips it", {100, 100, 900, 900, 900}, 5, 5, 900},
    {"what lies before the window does not count", {900, 900, 900, 100, 100, 100}, 6, 3, 100},
    {"a step before the window counts from its begin", {100, 100, 100, 100}, 4, 2, 100},
    {"days without a price do not count", {0, 0, 100, 200, 200}, 5, 5, 200},
    {"half of the window is enough", {0, 0, 100, 100}, 4, 4, 100},
    {"less than half is not", {0, 0, 0, 100, 100}, 5, 5, 0},
    {"shorter history than half of the window", {100}, 1, 4, 0},
    {"nothing known", {0}, 1, 4, 0},
};

static void check_median(void **state)
{
    const struct median *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct rule_state kept = {.alerted_nano = 0};
    int64_t nano, end = (int64_t)row->count * DAY;
    for (size_t i = 0; i < row->count; i++)
        assert_int_equal(state_step_add(&kept, (int64_t)i * DAY, row->days[i], end - row->window * DAY - 400 * DAY, arena),
                         GT_OK);
    assert_int_equal(state_median(&kept, end - row->window * DAY, end, arena, &nano), GT_OK);
    arena_free(arena);
    assert_int_equal(nano, row->expected);
}

/* However many steps there are, no more are kept than fit, and the newest stay. */
struct flood {
    const char *name;
    int steps;
    size_t kept;
};

static const struct flood floods[] = {
    {"as many as fit", STATE_STEPS_MAX, STATE_STEPS_MAX},
    {"one more", STATE_STEPS_MAX + 1, STATE_STEPS_MAX},
    {"ten times as many", STATE_STEPS_MAX * 10, STATE_STEPS_MAX},
};

static void check_flood(void **state)
{
    const struct flood *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct rule_state kept = {.alerted_nano = 0}, read;
    for (int i = 0; i < row->steps; i++) assert_int_equal(state_step_add(&kept, i, i + 1, 0, arena), GT_OK);
    assert_int_equal(kept.step_count, row->kept);
    assert_int_equal(kept.steps[kept.step_count - 1].nano, row->steps);
    assert_int_equal(state_parse(state_print(&kept, arena), arena, &read), GT_OK);
    assert_int_equal(read.step_count, row->kept);
    arena_free(arena);
}

struct percent {
    const char *name;
    int64_t before, now;
    const char *expected;
};

static const struct percent percents[] = {
    {"down a tenth", 1000 * NANO, 900 * NANO, "-10.0"},     {"up a third", 3 * NANO, 4 * NANO, "33.3"},
    {"down two thirds", 3 * NANO, 1 * NANO, "-66.7"},       {"half away from zero", 2000, 2001, "0.1"},
    {"too little to show", 1000000, 1000001, "0.0"},        {"nothing before", 0, 5, ""},
    {"from the smallest to the largest", 1, INT64_MAX, ""},
};

static void check_percent(void **state)
{
    const struct percent *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    char text[64];
    snprintf(text, sizeof text, "%.*s", GT_STR_ARG(metric_percent(row->before, row->now, arena)));
    arena_free(arena);
    assert_string_equal(text, row->expected);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(round_trips, check_round_trip) + TABLE_RUN(damageds, check_damaged) + TABLE_RUN(medians, check_median) +
           TABLE_RUN(floods, check_flood) + TABLE_RUN(percents, check_percent);
}
