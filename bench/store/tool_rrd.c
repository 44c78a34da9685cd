/* The bench's price history in RRDtool, a file a series, an update an observation, none flushed to the disk; then the questions, for which
 * whole files are fetched. RRDtool keeps a value a step and averages what lies within one: observations are given the hour that they belong
 * to, so their times are lost. What a page does not show is 0. usage: tool_rrd FOLDER SHAPE */
#include <errno.h>
#include <rrd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/history.h"

enum { HOUR_S = 3600, PATH_MAX_BYTES = 512 };

struct bench {
    const char *folder;
    struct history *history;
    struct answer answer;
    struct medians *medians;
    struct swings swings;
    struct swing swing;
    char path[PATH_MAX_BYTES];
};

static void check(bool is_good)
{
    if (is_good) return;
    fprintf(stderr, "tool_rrd: %s\n", rrd_test_error() ? rrd_get_error() : strerror(errno));
    exit(1);
}

static const char *path_of(struct bench *bench, size_t series)
{
    snprintf(bench->path, sizeof bench->path, "%s/%zu.rrd", bench->folder, series);
    return bench->path;
}

/* ---- in ---- */

static void files_make(struct bench *bench)
{
    char archive[64];
    const char *definition[] = {"DS:price:GAUGE:7200:0:U", archive};
    snprintf(archive, sizeof archive, "RRA:LAST:0.5:1:%lld", (long long)bench->history->hours);
    check(mkdir(bench->folder, 0755) == 0);
    for (size_t i = 0; i < bench->history->series; i++)
        check(rrd_create_r(path_of(bench, i), HOUR_S, HISTORY_BEGIN_UNIX_S - HOUR_S, 2, definition) == 0);
}

static void page_commit(struct bench *bench, size_t site, int64_t hour)
{
    char update[64];
    const char *updates[] = {update};
    for (size_t i = site * HISTORY_PER_SITE; i < (site + 1) * HISTORY_PER_SITE; i++) {
        snprintf(update, sizeof update, "%lld:%lld", (long long)(HISTORY_BEGIN_UNIX_S + hour * HOUR_S),
                 (long long)bench->history->now[i]);
        check(rrd_update_r(path_of(bench, i), NULL, 1, updates) == 0);
    }
}

static void history_take(struct bench *bench)
{
    struct meter meter = meter_init(bench->history->sites * (uint64_t)bench->history->hours);
    for (int64_t hour = 0; hour < bench->history->hours; hour++) {
        history_step(bench->history, hour);
        for (size_t site = 0; site < bench->history->sites; site++) {
            meter_begin(&meter);
            page_commit(bench, site, hour);
            meter_end(&meter);
        }
    }
    meter_print(&meter);
}

/* ---- out ---- */

static void names_free(char **names, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) free(names[i]);
    free(names);
}

static struct answer ask_latest(void *ctx)
{
    struct bench *bench = ctx;
    struct answer answer = {0, 0};
    for (size_t i = 0; i < bench->history->series; i++) {
        time_t time;
        unsigned long count;
        char **names, **values;
        check(rrd_lastupdate_r(path_of(bench, i), &time, &count, &names, &values) == 0);
        uint64_t price = strtoul(values[0], NULL, 10);
        answer.count += price != 0;
        answer.sum += price;
        names_free(names, count);
        names_free(values, count);
    }
    return answer;
}

/* Every price that was shown from a time on. */
typedef void price_fn(struct bench *bench, size_t series, int64_t time_unix_s, int64_t price);

static void series_read(struct bench *bench, size_t series, int64_t since_unix_s, price_fn *take)
{
    /* a row stands at the end of its step, and the first fetched is the one after `begin` */
    time_t begin = since_unix_s - HOUR_S, end = HISTORY_BEGIN_UNIX_S + (bench->history->hours - 1) * HOUR_S;
    unsigned long step = HOUR_S, count;
    char **names;
    rrd_value_t *values;
    check(rrd_fetch_r(path_of(bench, series), "LAST", &begin, &end, &step, &count, &names, &values) == 0);
    for (time_t i = 0, time = begin + HOUR_S; time <= end; i++, time += HOUR_S)
        if (values[i] > 0) take(bench, series, time, (int64_t)values[i]);
    names_free(names, count);
    free(values);
}

static void note_range(struct bench *bench, size_t series, int64_t time_unix_s, int64_t price)
{
    (void)series, (void)time_unix_s;
    bench->answer.count++;
    bench->answer.sum += (uint64_t)price;
}

static struct answer ask_range(void *ctx)
{
    struct bench *bench = ctx;
    bench->answer = (struct answer){0, 0};
    series_read(bench, history_asked(bench->history->series), HISTORY_BEGIN_UNIX_S, note_range);
    return bench->answer;
}

static void note_median(struct bench *bench, size_t series, int64_t time_unix_s, int64_t price)
{
    medians_add(bench->medians, (time_unix_s - HISTORY_BEGIN_UNIX_S) / HISTORY_WEEK_S, history_sku(series), price, 1);
}

static struct answer ask_medians(void *ctx)
{
    struct bench *bench = ctx;
    bench->medians = medians_new();
    for (size_t i = 0; i < bench->history->series; i++) series_read(bench, i, HISTORY_BEGIN_UNIX_S, note_median);
    return medians_end(bench->medians);
}

static void note_swing(struct bench *bench, size_t series, int64_t time_unix_s, int64_t price)
{
    (void)series, (void)time_unix_s;
    if (bench->swing.high == 0 || price < bench->swing.low) bench->swing.low = price;
    if (price > bench->swing.high) bench->swing.high = price;
}

static struct answer ask_swings(void *ctx)
{
    struct bench *bench = ctx;
    bench->swings.count = 0;
    for (size_t i = 0; i < bench->history->series; i++) {
        bench->swing = (struct swing){0, 0, i};
        series_read(bench, i, history_last_week(bench->history), note_swing);
        if (bench->swing.high != 0) swings_add(&bench->swings, i, bench->swing.low, bench->swing.high);
    }
    return swings_end(&bench->swings);
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: tool_rrd FOLDER SHAPE\n"), 2;
    static ask_fn *const asks[] = {ask_latest, ask_range, ask_medians, ask_swings};
    struct bench bench = {.folder = argv[1], .history = history_new(argv[2])};
    files_make(&bench);
    history_take(&bench);
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) question_ask((int)i + 1, asks[i], &bench);
    history_free(bench.history);
    return 0;
}
