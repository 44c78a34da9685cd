/* What the questions of the store bench have for answers, from the history itself, and how many changes it has (a first price is one).
 * usage: tool_expected SHAPE */
#include <stdio.h>
#include <stdlib.h>

#include "bench/history.h"

struct expected {
    const struct history *history;
    struct answer latest, range;
    struct medians *medians;
    int64_t *low, *high, *last; /* last: what the hour before showed */
    uint64_t changes;
};

/* One observation. */
static void take(struct expected *expected, size_t series, int64_t time_unix_s)
{
    int64_t price = expected->history->now[series];
    expected->changes += price != expected->last[series];
    expected->last[series] = price;
    if (price == 0) return;
    if (series == history_asked(expected->history->series)) {
        expected->range.count++;
        expected->range.sum += (uint64_t)price;
    }
    medians_add(expected->medians, (time_unix_s - HISTORY_BEGIN_UNIX_S) / HISTORY_WEEK_S, history_sku(series), price, 1);
    if (time_unix_s < history_last_week(expected->history)) return;
    if (expected->high[series] == 0 || price < expected->low[series]) expected->low[series] = price;
    if (price > expected->high[series]) expected->high[series] = price;
}

static void print(int number, struct answer answer)
{
    printf("answer%d %llu %llu\n", number, (unsigned long long)answer.count, (unsigned long long)answer.sum);
}

int main(int argc, char **argv)
{
    if (argc != 2) return fprintf(stderr, "usage: tool_expected SHAPE\n"), 2;
    struct history *history = history_new(argv[1]);
    struct expected expected = {.history = history, .medians = medians_new()};
    struct swings swings = {.count = 0};
    expected.low = must(calloc(history->series, sizeof *expected.low));
    expected.high = must(calloc(history->series, sizeof *expected.high));
    expected.last = must(calloc(history->series, sizeof *expected.last));
    for (int64_t hour = 0; hour < history->hours; hour++) {
        history_step(history, hour);
        for (size_t i = 0; i < history->series; i++) take(&expected, i, history_time(i / HISTORY_PER_SITE, hour));
    }
    for (size_t i = 0; i < history->series; i++) {
        expected.latest.count += history->now[i] != 0;
        expected.latest.sum += (uint64_t)history->now[i];
        if (expected.high[i] != 0) swings_add(&swings, i, expected.low[i], expected.high[i]);
    }
    print(1, expected.latest);
    print(2, expected.range);
    print(3, medians_end(expected.medians));
    print(4, swings_end(&swings));
    printf("changes %llu\n", (unsigned long long)expected.changes);
    free(expected.low);
    free(expected.high);
    free(expected.last);
    history_free(history);
    return 0;
}
