/* What the questions of the store bench have for answers, from the history itself. usage: tool_store_expected SITES HOURS */
#include <stdio.h>
#include <stdlib.h>

#include "bench/history.h"

struct expected {
    const struct history *history;
    struct answer latest, range;
    struct medians *medians;
    int64_t *low, *high;
};

/* One observation. */
static void take(struct expected *expected, size_t series, int64_t time_unix_s, int64_t since_unix_s)
{
    int64_t price = expected->history->now[series];
    if (price == 0) return;
    if (series == history_asked(expected->history->series)) {
        expected->range.count++;
        expected->range.sum += (uint64_t)price;
    }
    medians_add(expected->medians, (time_unix_s - HISTORY_BEGIN_UNIX_S) / HISTORY_WEEK_S, history_sku(series), price, 1);
    if (time_unix_s < since_unix_s) return;
    if (expected->high[series] == 0 || price < expected->low[series]) expected->low[series] = price;
    if (price > expected->high[series]) expected->high[series] = price;
}

static void print(int number, struct answer answer)
{
    printf("answer%d %llu %llu\n", number, (unsigned long long)answer.count, (unsigned long long)answer.sum);
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: tool_store_expected SITES HOURS\n"), 2;
    struct history *history = history_new(strtoul(argv[1], NULL, 10));
    int64_t hours = strtol(argv[2], NULL, 10);
    struct expected expected = {.history = history, .medians = medians_new()};
    struct swings swings = {.count = 0};
    expected.low = must(calloc(history->series, sizeof *expected.low));
    expected.high = must(calloc(history->series, sizeof *expected.high));
    for (int64_t hour = 0; hour < hours; hour++) {
        history_step(history, hour);
        for (size_t i = 0; i < history->series; i++)
            take(&expected, i, history_time(i / HISTORY_PER_SITE, hour), HISTORY_BEGIN_UNIX_S + (hours - HISTORY_WEEK_HOURS) * 3600);
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
    free(expected.low);
    free(expected.high);
    history_free(history);
    return 0;
}
