/* How the prices of a part moved together. Each move of a printed price is an interval of factors, as wide as the rounding of
 * both prices; the factor that lies in most of the intervals is the common one. People raise and cut by whole percents; units
 * and exchange rates do not. */
#include <stdlib.h>

#include "pricing/guard.h"
#include "pricing/guard_slip.h"

enum {
    MOVED_MIN = 3,             /* prices that moved by the one factor, at least … */
    MOVED_PERCENT = 60,        /* … and of all that stood before */
    PERCENT = 100,
    PARTS = 1000000,           /* factors are in millionths */
    WHOLE = PARTS / PERCENT,   /* a whole percent */
    DECISION_MAX = 3 * PARTS,  /* a rise above is nobody's whole percent */
    CENT = NANO / 100,
    DRIFT_PERCENT = 4,         /* what single prices may have moved by beside the factor */
};

/* One price that moved: its factor in millionths, from `low` to `high`. */
struct moved {
    int64_t before_nano, now_nano, low, high;
};

/* What an end of an interval does to the number of intervals that are open. */
struct edge {
    int64_t at;
    int step;
};

/* Units of exchange that page texts mix up, and how many of the second buy one of the first, in millionths, as far as rates go in
 * some years. The yuan and the dollar are looked for at every offer (guard_slip.c). */
static const struct rate {
    char one[4], other[4];
    int64_t low, high;
} rates[] = {
    {"EUR", "USD", 1020000, 1250000},     {"GBP", "USD", 1200000, 1420000},      {"GBP", "EUR", 1100000, 1220000},
    {"EUR", "CNY", 7300000, 8700000},     {"GBP", "CNY", 8500000, 10000000},     {"USD", "HKD", 7740000, 7860000},
    {"CNY", "HKD", 1040000, 1180000},     {"USD", "JPY", 110000000, 170000000},  {"CNY", "JPY", 16000000, 24500000},
    {"USD", "INR", 78000000, 100000000},  {"CNY", "INR", 11000000, 14000000},    {"USD", "TWD", 28000000, 34000000},
    {"CNY", "TWD", 4050000, 4800000},     {"USD", "KRW", 1200000000, 1550000000}, {"USD", "SGD", 1250000, 1420000},
    {"USD", "CAD", 1250000, 1470000},     {"USD", "AUD", 1380000, 1700000},
};

/* Half of what the last digit of a figure is worth: cents at most, since 2 may be printed as 2.00. */
static int64_t half_step(int64_t nano)
{
    int64_t step = 1;
    while (step < CENT && nano % (step * 10) == 0) step *= 10;
    return step / 2;
}

/* a × PARTS ÷ b; 0 when it does not fit. */
static int64_t ratio_of(int64_t a, int64_t b, enum rounding rounding)
{
    int64_t ratio;
    return b > 0 && money_scale(a, PARTS, b, rounding, &ratio) == GT_OK ? ratio : 0;
}

/* The prices that are held against each other: one term, one currency. False when the pair has none. */
static bool prices_of(const struct guard_pair *pair, int64_t *ret_before, int64_t *ret_now)
{
    const struct offer_record *now = &pair->now->record, *before = pair->before;
    bool is_hour = before->hour_list_nano > 0 && now->hour_list_nano > 0;
    if (!currency_eq(before->currency, now->currency)) return false;
    *ret_before = is_hour ? before->hour_list_nano : before->month_list_nano;
    *ret_now = is_hour ? now->hour_list_nano : now->month_list_nano;
    return *ret_before > 0 && *ret_now > 0;
}

/* From the least that the two printed prices allow to the most. */
static struct moved moved_of(int64_t before_nano, int64_t now_nano)
{
    struct moved moved = {.before_nano = before_nano, .now_nano = now_nano};
    int64_t before_half = half_step(before_nano), now_half = half_step(now_nano);
    moved.low = ratio_of(now_nano - now_half, before_nano + before_half, ROUND_DOWN);
    moved.high = ratio_of(now_nano + now_half, before_nano - before_half, ROUND_UP);
    return moved;
}

/* By place; where intervals touch, the one that begins counts. */
static int edge_cmp(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return b->step - a->step;
}

/* The stretch of factors that lies in most of the intervals; how many that are. */
static size_t common_factor(const struct moved *moved, size_t count, struct edge *edges, int64_t *ret_low, int64_t *ret_high)
{
    size_t open = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        edges[2 * i] = (struct edge){moved[i].low, 1};
        edges[2 * i + 1] = (struct edge){moved[i].high, -1};
    }
    qsort(edges, 2 * count, sizeof *edges, edge_cmp);
    for (size_t i = 0; i < 2 * count; i++) {
        if (edges[i].step < 0) {
            open--;
            continue;
        }
        if (++open <= most) continue;
        most = open;
        *ret_low = edges[i].at;
        /* What was opened last closes the stretch, or whatever ends before it. */
        *ret_high = edges[i + 1].at;
    }
    return most;
}

/* The tightest of the moves in which the common factor lies: its prices are the example. */
static const struct moved *example_of(const struct moved *moved, size_t count, int64_t low, int64_t high)
{
    const struct moved *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (moved[i].low > low || moved[i].high < high) continue;
        if (best == NULL || moved[i].high - moved[i].low < best->high - best->low) best = &moved[i];
    }
    return best;
}

/* A factor that people choose: some whole percent lies in the stretch. */
static bool is_decision(int64_t low, int64_t high)
{
    return high <= DECISION_MAX && high / WHOLE * WHOLE >= low;
}

/* The rates that the factor may be, up or down, for a price that is called `code` now: "EUR/USD, USD/CAD". Empty when none. */
static struct gt_str rates_of(int64_t low, int64_t high, const char *code, struct arena *arena)
{
    int64_t down_low = ratio_of(PARTS, high, ROUND_DOWN), down_high = ratio_of(PARTS, low, ROUND_UP);
    struct gt_str found = {"", 0};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const struct rate *rate = &rates[i];
        if (strcmp(rate->one, code) != 0 && strcmp(rate->other, code) != 0) continue;
        bool is_up = low >= rate->low && high <= rate->high, is_down = down_low >= rate->low && down_high <= rate->high;
        if (is_up || is_down)
            found = arena_printf(arena, "%.*s%s%s/%s", GT_STR_ARG(found), found.len > 0 ? ", " : "", rate->one, rate->other);
    }
    return found;
}

/* "17 of 18 prices ×1.0834: …", the sentence of a common factor. */
static struct gt_str sentence(const struct moved *example, size_t moved, size_t comparable, const char *what, struct arena *arena)
{
    char was[MONEY_TEXT_MAX], is[MONEY_TEXT_MAX];
    return arena_printf(arena, "%zu of %zu prices moved by one factor: %s (%s → %s)", moved, comparable, what,
                        money_format(example->before_nano, was), money_format(example->now_nano, is));
}

/* How many prices moved by about this factor: a market that moves a little each day goes on moving under a slip. */
static size_t near_count(const struct moved *moved, size_t count, int64_t factor)
{
    size_t near = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t own = ratio_of(moved[i].now_nano, moved[i].before_nano, ROUND_HALF_UP);
        int64_t apart = own > factor ? own - factor : factor - own;
        near += apart <= factor / PERCENT * DRIFT_PERCENT;
    }
    return near;
}

/* A unit's factor that most prices moved by, each a little off: "÷8 …"; NULL ptr when there is none. The rest of the part is then under the
 * same doubt, whatever its own factor looks like. */
static struct gt_str judge_about(const struct moved *moved, size_t count, size_t comparable, struct arena *arena)
{
    struct slip slip, seen = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_slip = slip_find(moved[i].before_nano, moved[i].now_nano, 0, &slip);
        if (!is_slip || (slip.factor == seen.factor && slip.is_down == seen.is_down)) continue;
        seen = slip;
        size_t near = near_count(moved, count, ratio_of(moved[i].now_nano, moved[i].before_nano, ROUND_HALF_UP));
        if (near < MOVED_MIN || near * PERCENT < comparable * MOVED_PERCENT) continue;
        const char *what = arena_printf(arena, "%s%lld, %s", slip.is_down ? "÷" : "×", (long long)slip.factor, slip.words).ptr;
        return sentence(&moved[i], near, comparable, what != NULL ? what : slip.words, arena);
    }
    return (struct gt_str){NULL, 0};
}

/* Names the common factor; NULL ptr when it may be a market's. */
static struct gt_str judge(const struct moved *moved, size_t count, struct edge *edges, size_t comparable, const char *code,
                           struct arena *arena)
{
    int64_t low = 0, high = 0;
    struct slip slip;
    size_t most = common_factor(moved, count, edges, &low, &high);
    const struct moved *example = example_of(moved, count, low, high);
    if (most < MOVED_MIN || most * PERCENT < comparable * MOVED_PERCENT || example == NULL) return judge_about(moved, count, comparable, arena);
    if (slip_find(example->before_nano, example->now_nano, 0, &slip)) {
        const char *what = arena_printf(arena, "%s%lld, %s", slip.is_down ? "÷" : "×", (long long)slip.factor, slip.words).ptr;
        return sentence(example, most, comparable, what != NULL ? what : slip.words, arena);
    }
    struct gt_str found = is_decision(low, high) ? GT_STR("") : rates_of(low, high, code, arena);
    if (found.len == 0) return (struct gt_str){NULL, 0};
    const char *what = arena_printf(arena, "a rate of exchange, %.*s", GT_STR_ARG(found)).ptr;
    return sentence(example, most, comparable, what != NULL ? what : "a rate of exchange", arena);
}

/* Three prices that moved by one odd factor are a pattern, two are chance. It never releases itself: the next run shows the same page. */
struct guard_verdict guard_moves(const struct guard_pair *pairs, size_t count, size_t unmoved, struct arena *arena)
{
    const struct guard_verdict none = {GUARD_NONE, false, {NULL, 0}};
    size_t moves = 0, comparable = unmoved;
    const char *code = "";
    if (count < MOVED_MIN) return none;
    struct moved *moved = arena_array(arena, count, sizeof *moved);
    struct edge *edges = arena_array(arena, count * 2, sizeof *edges);
    if (moved == NULL || edges == NULL) return none;
    for (size_t i = 0; i < count; i++) {
        int64_t before_nano, now_nano;
        if (!prices_of(&pairs[i], &before_nano, &now_nano)) continue;
        comparable++;
        if (before_nano == now_nano) continue;
        moved[moves++] = moved_of(before_nano, now_nano);
        code = pairs[i].now->record.currency.code;
    }
    if (moves < MOVED_MIN) return none;
    struct gt_str detail = judge(moved, moves, edges, comparable, code, arena);
    return detail.ptr != NULL ? (struct guard_verdict){GUARD_UNIT_SLIP, false, detail} : none;
}
