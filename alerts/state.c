#include "alerts/state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/strbuf.h"

enum { STATE_VERSION = 1, STATE_TEXT_MAX = 64 * 1024, INT64_DIGITS_MAX = 20 };

/* Reads one number off the text. False when none stands there. */
static bool take_int(struct gt_str *rest, int64_t *ret_number)
{
    struct gt_str word;
    char digits[INT64_DIGITS_MAX + 2], *end;
    if (!gt_str_split(rest, ' ', &word) || word.len == 0 || word.len > INT64_DIGITS_MAX) return false;
    memcpy(digits, word.ptr, word.len);
    digits[word.len] = '\0';
    *ret_number = strtoll(digits, &end, 10);
    return *end == '\0';
}

/* False unless just so many steps stand there, nothing after them. */
static bool take_steps(struct gt_str *rest, int64_t count, struct rule_state *state)
{
    for (int64_t i = 0; i < count; i++) {
        struct state_step *step = &state->steps[state->step_count++];
        if (!take_int(rest, &step->t_unix_s) || !take_int(rest, &step->nano)) return false;
    }
    return rest->len == 0;
}

enum gt_err state_parse(struct gt_str text, struct arena *arena, struct rule_state *ret_state)
{
    struct rule_state state = {.alerted_nano = 0};
    struct gt_str code;
    int64_t version, beyond, count, fired, steps;
    if (text.len == 0) {
        *ret_state = state;
        return GT_OK;
    }
    if (!take_int(&text, &version) || version != STATE_VERSION || !gt_str_split(&text, ' ', &code)) return GT_ECORRUPT;
    if (!take_int(&text, &state.alerted_nano) || !take_int(&text, &beyond) || !take_int(&text, &count) ||
        !take_int(&text, &state.since_unix_s) || !take_int(&text, &fired) || !take_int(&text, &steps) || steps < 0 ||
        steps > STATE_STEPS_MAX)
        return GT_ECORRUPT;
    if (!gt_str_is(code, "-")) state.currency = currency_from(code);
    state.is_beyond = beyond != 0;
    state.count = (int32_t)count;
    state.fired = (uint32_t)fired;
    state.steps = arena_array(arena, STATE_STEPS_MAX + 1, sizeof *state.steps);
    if (state.steps == NULL) return GT_ENOMEM;
    if (!take_steps(&text, steps, &state)) return GT_ECORRUPT;
    *ret_state = state;
    return GT_OK;
}

struct gt_str state_print(const struct rule_state *state, struct arena *arena)
{
    struct strbuf text;
    const char *code = state->currency.code[0] != '\0' ? state->currency.code : "-";
    strbuf_init(&text, STATE_TEXT_MAX);
    strbuf_addf(&text, "%d %s %" PRId64 " %d %" PRId32 " %" PRId64 " %" PRIu32 " %zu", STATE_VERSION, code, state->alerted_nano,
                state->is_beyond, state->count, state->since_unix_s, state->fired, state->step_count);
    for (size_t i = 0; i < state->step_count; i++)
        strbuf_addf(&text, " %" PRId64 " %" PRId64, state->steps[i].t_unix_s, state->steps[i].nano);
    struct gt_str printed = text.err == GT_OK ? arena_dup(arena, strbuf_str(&text)) : (struct gt_str){NULL, 0};
    strbuf_done(&text);
    return printed;
}

/* Drops steps that another one followed before the window began. */
static void drop_old(struct rule_state *state, int64_t since_unix_s)
{
    size_t first = 0;
    while (first + 1 < state->step_count && state->steps[first + 1].t_unix_s <= since_unix_s) first++;
    if (state->step_count - first > STATE_STEPS_MAX) first = state->step_count - STATE_STEPS_MAX;
    memmove(state->steps, state->steps + first, (state->step_count - first) * sizeof *state->steps);
    state->step_count -= first;
}

enum gt_err state_step_add(struct rule_state *state, int64_t t_unix_s, int64_t nano, int64_t since_unix_s, struct arena *arena)
{
    if (state->steps == NULL) state->steps = arena_array(arena, STATE_STEPS_MAX + 1, sizeof *state->steps);
    if (state->steps == NULL) return GT_ENOMEM;
    bool is_same = state->step_count > 0 && state->steps[state->step_count - 1].nano == nano;
    if (!is_same) state->steps[state->step_count++] = (struct state_step){t_unix_s, nano};
    drop_old(state, since_unix_s);
    return GT_OK;
}

/* A price and how long it stood. */
struct weighted {
    int64_t nano, seconds;
};

static int weighted_cmp(const void *left, const void *right)
{
    const struct weighted *a = left, *b = right;
    return (a->nano > b->nano) - (a->nano < b->nano);
}

/* The parts of the steps that lie in the window; their seconds together in *ret_total. */
static size_t weigh(const struct rule_state *state, int64_t since_unix_s, int64_t until_unix_s, struct weighted *items,
                    int64_t *ret_total)
{
    size_t count = 0;
    *ret_total = 0;
    for (size_t i = 0; i < state->step_count; i++) {
        int64_t from = state->steps[i].t_unix_s;
        int64_t to = i + 1 < state->step_count ? state->steps[i + 1].t_unix_s : until_unix_s;
        if (from < since_unix_s) from = since_unix_s;
        if (to > until_unix_s) to = until_unix_s;
        if (to <= from || state->steps[i].nano == 0) continue;
        items[count++] = (struct weighted){state->steps[i].nano, to - from};
        *ret_total += to - from;
    }
    return count;
}

enum gt_err state_median(const struct rule_state *state, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena,
                         int64_t *ret_nano)
{
    int64_t total, below = 0;
    *ret_nano = 0;
    if (state->step_count == 0) return GT_OK;
    struct weighted *items = arena_array(arena, state->step_count, sizeof *items);
    if (items == NULL) return GT_ENOMEM;
    size_t count = weigh(state, since_unix_s, until_unix_s, items, &total);
    if (total * 2 < until_unix_s - since_unix_s) return GT_OK;
    qsort(items, count, sizeof *items, weighted_cmp);
    for (size_t i = 0; i < count; i++) {
        below += items[i].seconds;
        if (below * 2 >= total) {
            *ret_nano = items[i].nano;
            return GT_OK;
        }
    }
    return GT_OK;
}

int64_t state_low(const struct rule_state *state, bool is_high, int64_t since_unix_s, int64_t until_unix_s)
{
    int64_t known_s = 0, low = 0;
    for (size_t i = 0; i < state->step_count; i++) {
        const struct state_step *step = &state->steps[i];
        int64_t from = step->t_unix_s > since_unix_s ? step->t_unix_s : since_unix_s;
        int64_t to = i + 1 < state->step_count ? state->steps[i + 1].t_unix_s : until_unix_s;
        if (to > until_unix_s) to = until_unix_s;
        if (to <= from || step->nano == 0) continue;
        known_s += to - from;
        if (low == 0 || (is_high ? step->nano > low : step->nano < low)) low = step->nano;
    }
    return known_s * 2 >= until_unix_s - since_unix_s ? low : 0;
}
