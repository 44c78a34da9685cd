#include "bench/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CHANGE_P = 21474836, /* 0.005 × 2^32 */
    LEAVE_P = 4294967,   /* 0.001 × 2^32 */
    CENT = 100,
    PER_MILLE = 1000,
    PERCENT = 100,
    SITE_STEP_S = 12,
    SITE_SPREAD_S = 3500,
    JITTER_S = 31,
    ASKS_MAX = 5,
    TENTH = 10,
};

#define SEED 0x67707570726963ULL
#define SLOW_NS ((int64_t)2000000000)

void *must(void *memory)
{
    if (memory != NULL) return memory;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

/* splitmix64's finaliser. */
uint64_t history_mix(uint64_t number)
{
    number += 0x9e3779b97f4a7c15ULL;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ULL;
    number = (number ^ number >> 27) * 0x94d049bb133111ebULL;
    return number ^ number >> 31;
}

int history_sku(size_t series)
{
    return (int)((series / HISTORY_PER_SITE * 7 + series % HISTORY_PER_SITE / HISTORY_PLANS) % HISTORY_SKUS);
}

size_t history_asked(size_t series)
{
    return series / 2 + 17;
}

int64_t history_last_week(const struct history *history)
{
    return HISTORY_BEGIN_UNIX_S + (history->hours - HISTORY_WEEK_HOURS) * 3600;
}

int64_t history_time(size_t site, int64_t hour)
{
    uint64_t jitter = history_mix(SEED + ((uint64_t)site << 32) + (uint64_t)hour) % JITTER_S;
    return HISTORY_BEGIN_UNIX_S + hour * 3600 + (int64_t)(site * SITE_STEP_S % SITE_SPREAD_S) + (int64_t)jitter;
}

/* 0.20 to 12 dollars by card, less for those that bind themselves. */
static int64_t base_of(size_t series)
{
    int64_t sku = history_sku(series), plan = (int64_t)(series % HISTORY_PER_SITE % HISTORY_PLANS);
    int64_t base = 2000 * ((int64_t)1 << sku % 6) * (10 + sku % 10) / 10;
    base = base * (750 + (int64_t)(history_mix(SEED ^ series * 977) % 501)) / PER_MILLE;
    base = base * (PERCENT - 12 * (plan / 3)) / PERCENT * (PERCENT - 10 * (plan % 3)) / PERCENT;
    return (base / CENT + 1) * CENT;
}

struct history *history_new(const char *shape)
{
    struct history *history = must(calloc(1, sizeof *history));
    unsigned int sites, hours, calm = 1;
    if (sscanf(shape, "%ux%u/%u", &sites, &hours, &calm) < 2 || sites == 0 || hours == 0 || calm == 0) {
        fprintf(stderr, "%s: not SITESxHOURS[/CALM]\n", shape);
        exit(2);
    }
    size_t series = (size_t)sites * HISTORY_PER_SITE;
    *history = (struct history){
        .sites = sites, .series = series, .hours = hours, .change_p = CHANGE_P / calm, .leave_p = LEAVE_P / calm};
    history->base = must(calloc(series, sizeof *history->base));
    history->price = must(calloc(series, sizeof *history->price));
    history->now = must(calloc(series, sizeof *history->now));
    history->is_shown = must(calloc(series, sizeof *history->is_shown));
    for (size_t i = 0; i < series; i++) {
        history->base[i] = history->price[i] = history->now[i] = base_of(i);
        history->is_shown[i] = true;
    }
    return history;
}

void history_free(struct history *history)
{
    if (history == NULL) return;
    free(history->base);
    free(history->price);
    free(history->now);
    free(history->is_shown);
    free(history);
}

void history_step(struct history *history, int64_t hour)
{
    for (size_t i = 0; i < history->series && hour > 0; i++) {
        uint64_t drawn = history_mix(SEED * 3 + ((uint64_t)i << 24) + (uint64_t)hour);
        if ((uint32_t)drawn < history->change_p) {
            int64_t factor = 800 + (int64_t)(history_mix(drawn) % 401);
            history->price[i] = (history->base[i] * factor / PER_MILLE / CENT + 1) * CENT;
        }
        if (drawn >> 32 < history->leave_p) history->is_shown[i] = !history->is_shown[i];
        history->now[i] = history->is_shown[i] ? history->price[i] : 0;
    }
}

/* ---- medians ---- */

struct count {
    uint64_t key, weight; /* key: week, card, price; a weight of 0 is a free place */
};

struct medians {
    struct count *counts;
    size_t cap, used;
};

struct medians *medians_new(void)
{
    struct medians *medians = must(calloc(1, sizeof *medians));
    medians->cap = 1 << 16;
    medians->counts = must(calloc(medians->cap, sizeof *medians->counts));
    return medians;
}

static struct count *count_find(const struct medians *medians, uint64_t key)
{
    size_t at = history_mix(key) & (medians->cap - 1);
    while (medians->counts[at].weight != 0 && medians->counts[at].key != key) at = (at + 1) & (medians->cap - 1);
    return &medians->counts[at];
}

static void medians_grow(struct medians *medians)
{
    struct medians old = *medians;
    medians->cap *= 2;
    medians->counts = must(calloc(medians->cap, sizeof *medians->counts));
    for (size_t i = 0; i < old.cap; i++)
        if (old.counts[i].weight != 0) *count_find(medians, old.counts[i].key) = old.counts[i];
    free(old.counts);
}

void medians_add(struct medians *medians, int64_t week, int sku, int64_t price, uint64_t weight)
{
    if (weight == 0) return;
    if (medians->used * 2 >= medians->cap) medians_grow(medians);
    uint64_t key = (uint64_t)week << 48 | (uint64_t)sku << 40 | (uint64_t)price;
    struct count *count = count_find(medians, key);
    if (count->weight == 0) medians->used++;
    count->key = key;
    count->weight += weight;
}

static int count_cmp(const void *left, const void *right)
{
    const struct count *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

/* The median of the counts [begin, end), which are of one week and card. */
static uint64_t median_of(const struct count *counts, size_t begin, size_t end)
{
    uint64_t total = 0, below = 0;
    for (size_t i = begin; i < end; i++) total += counts[i].weight;
    while (2 * (below += counts[begin].weight) < total) begin++;
    return counts[begin].key & 0xffffffffffULL;
}

struct answer medians_end(struct medians *medians)
{
    struct answer answer = {0, 0};
    struct count *counts = medians->counts;
    size_t count = 0;
    for (size_t i = 0; i < medians->cap; i++)
        if (counts[i].weight != 0) counts[count++] = counts[i];
    qsort(counts, count, sizeof *counts, count_cmp);
    for (size_t i = 0, end; i < count; i = end, answer.count++) {
        uint64_t group = counts[i].key >> 40;
        for (end = i; end < count && counts[end].key >> 40 == group;) end++;
        answer.sum += median_of(counts, i, end) * ((group >> 8) * 64 + (group & 255) + 1);
    }
    free(counts);
    free(medians);
    return answer;
}

/* ---- swings ---- */

/* Compares (high - low) / low without dividing: prices are small. */
static bool is_larger(const struct swing *a, const struct swing *b)
{
    return (a->high - a->low) * b->low > (b->high - b->low) * a->low;
}

void swings_add(struct swings *swings, size_t series, int64_t low, int64_t high)
{
    struct swing swing = {low, high, series};
    size_t at = swings->count;
    if (at == HISTORY_TOP && !is_larger(&swing, &swings->top[at - 1])) return;
    if (at < HISTORY_TOP) swings->count++;
    else at--;
    for (; at > 0 && is_larger(&swing, &swings->top[at - 1]); at--) swings->top[at] = swings->top[at - 1];
    swings->top[at] = swing;
}

struct answer swings_end(const struct swings *swings)
{
    struct answer answer = {swings->count, 0};
    for (size_t i = 0; i < swings->count; i++) answer.sum += (i + 1) * swings->top[i].series;
    return answer;
}

/* ---- times ---- */

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct meter meter_init(uint64_t commits_all)
{
    return (struct meter){.commits_all = commits_all};
}

void meter_begin(struct meter *meter)
{
    meter->wall_begin_ns = clock_ns(CLOCK_MONOTONIC);
    meter->begin_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void meter_end(struct meter *meter)
{
    int64_t took = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - meter->begin_ns;
    meter->wall_ns += clock_ns(CLOCK_MONOTONIC) - meter->wall_begin_ns;
    uint64_t place = meter->commits++ * TENTH / meter->commits_all;
    meter->total_ns += took;
    if (place == 0) meter->first_ns += took;
    if (place == TENTH - 1) meter->last_ns += took;
}

void meter_print(const struct meter *meter)
{
    printf("ingest_wall_ns %lld\ningest_ns %lld\nfirst_tenth_ns %lld\nlast_tenth_ns %lld\n", (long long)meter->wall_ns,
           (long long)meter->total_ns, (long long)meter->first_ns, (long long)meter->last_ns);
    fflush(stdout);
}

static int ns_cmp(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void question_ask(int number, ask_fn *ask, void *ctx)
{
    int64_t took[ASKS_MAX], wall[ASKS_MAX], total = 0;
    struct answer answer = {0, 0};
    size_t asks = 0;
    for (; asks < ASKS_MAX && (asks < 1 || total < SLOW_NS); asks++) {
        int64_t wall_begin = clock_ns(CLOCK_MONOTONIC), begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        answer = ask(ctx);
        took[asks] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
        wall[asks] = clock_ns(CLOCK_MONOTONIC) - wall_begin;
        total += took[asks];
    }
    qsort(took, asks, sizeof *took, ns_cmp);
    qsort(wall, asks, sizeof *wall, ns_cmp);
    printf("q%d_ns %lld\nq%d_wall_ns %lld\nanswer%d %llu %llu\n", number, (long long)took[asks / 2], number,
           (long long)wall[asks / 2], number, (unsigned long long)answer.count, (unsigned long long)answer.sum);
    fflush(stdout);
}
