#include "reports/price_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASE_VALUE = 100, HUNDREDTHS = 100 };

#define NANO_PER_HUNDREDTH INT64_C(10000000)

/* A quote on its way into one series of one level. */
struct entry {
    const struct index_quote *quote;
    struct gt_str key;
    double log_ratio; /* against the week before */
    bool is_matched;
};

/* ---- numbers ---- */

/* Two decimals: what libm makes of the last bits differs between machines, and must not show. */
static int64_t to_nano(double value)
{
    return (int64_t)llround(value * HUNDREDTHS) * NANO_PER_HUNDREDTH;
}

static double percent_of(double log_ratio)
{
    return expm1(log_ratio) * BASE_VALUE;
}

/* ---- order ---- */

static int by_offer(const void *left, const void *right)
{
    const struct index_quote *a = left, *b = right;
    return (a->offer_id > b->offer_id) - (a->offer_id < b->offer_id);
}

/* By series, then platform, then offer: sums run in one order whatever the store's. */
static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = gt_str_cmp(a->key, b->key);
    if (order == 0) order = gt_str_cmp(a->quote->site, b->quote->site);
    return order != 0 ? order : by_offer(a->quote, b->quote);
}

static int by_series(const void *left, const void *right)
{
    const struct index_series *a = left, *b = right;
    if (a->is_card != b->is_card) return a->is_card ? -1 : 1;
    return gt_str_cmp(a->key, b->key);
}

/* ---- matching ---- */

/* The same offer at the end of the week before; NULL when it was not usable then, or was another thing: its class or currency changed. */
static const struct index_quote *match_of(const struct price_index *index, const struct index_quote *quote)
{
    if (index->before_count == 0) return NULL;
    const struct index_quote *found = bsearch(quote, index->before, index->before_count, sizeof *quote, by_offer);
    bool is_same = found != NULL && gt_str_eq(found->class, quote->class) && currency_eq(found->currency, quote->currency);
    return is_same ? found : NULL;
}

/* ---- series ---- */

static struct index_series *series_find(const struct price_index *index, struct gt_str key, bool is_card)
{
    struct index_series wanted = {.key = key, .is_card = is_card};
    if (index->series_count == 0) return NULL;
    return bsearch(&wanted, index->series, index->series_count, sizeof wanted, by_series);
}

/* Appends a series without disturbing the sorted ones in front; the caller sorts when the week is through. */
static struct index_series *series_append(struct price_index *index, size_t *count, struct gt_str key, bool is_card, const struct index_quote *quote)
{
    void *series = index->series;
    if (*count >= INDEX_SERIES_MAX || !arena_grow(index->arena, &series, *count, &index->series_cap, sizeof *index->series)) return NULL;
    index->series = series;
    struct index_point *points = arena_array(index->arena, index->week_count, sizeof *points);
    if (points == NULL) return NULL;
    memset(points, 0, index->week_count * sizeof *points);
    index->series[*count] = (struct index_series){.key = key, .is_card = is_card, .sku = quote->sku, .vram_gb = quote->vram_gb, .points = points};
    return &index->series[(*count)++];
}

/* ---- one week of one series ---- */

static bool share_add(struct price_index *index, struct index_share share)
{
    void *shares = index->shares;
    if (index->share_count >= INDEX_SHARES_MAX ||
        !arena_grow(index->arena, &shares, index->share_count, &index->share_cap, sizeof share))
        return false;
    index->shares = shares;
    index->shares[index->share_count++] = share;
    return true;
}

/* The offers of one platform: their mean, and the platform's share, whose percent is set once the link is known. */
static bool add_platform(struct price_index *index, const struct index_series *series, struct index_point *point,
                         const struct entry *entries, size_t count)
{
    double sum = 0;
    int32_t matched = 0;
    for (size_t i = 0; i < count; i++) {
        sum += entries[i].is_matched ? entries[i].log_ratio : 0;
        matched += entries[i].is_matched;
    }
    point->offers += (int32_t)count;
    point->sellers++;
    point->matched += matched;
    if (matched == 0) return true;
    point->matched_sellers++;
    double mean = sum / matched;
    point->log_link += mean;
    return share_add(index, (struct index_share){.key = series->key,
                                                 .is_card = series->is_card,
                                                 .week = index->weeks_done,
                                                 .site = entries[0].quote->site,
                                                 .matched = matched,
                                                 .percent_nano = to_nano(percent_of(mean)),
                                                 .log_mean = mean});
}

/* A platform's part of the link is its part of the logarithm, stretched by the link's own ratio of percent to logarithm (its logarithmic
 * mean), so that the parts add up, also where platforms move against each other. */
static void shares_settle(struct index_share *shares, size_t count, const struct index_point *point)
{
    double stretch = fabs(point->log_link) > 0 ? percent_of(point->log_link) / point->log_link : BASE_VALUE;
    for (size_t i = 0; i < count; i++) shares[i].share_nano = to_nano(stretch * shares[i].log_mean / point->matched_sellers);
}

/* The cheapest, where all are in one currency; of equals the first by platform and offer. */
static const struct entry *low_of(const struct entry *entries, size_t count)
{
    const struct entry *low = &entries[0];
    for (size_t i = 1; i < count; i++) {
        if (!currency_eq(entries[i].quote->currency, entries[0].quote->currency)) return NULL;
        if (entries[i].quote->price_nano < low->quote->price_nano) low = &entries[i];
    }
    return low;
}

static bool is_still_there(const struct entry *entries, size_t count, uint64_t offer_id)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].quote->offer_id == offer_id) return entries[i].is_matched;
    return false;
}

static enum index_low low_reason(const struct entry *entries, size_t count, const struct entry *low, const struct index_point *before)
{
    if (before == NULL || before->low_nano == 0) return INDEX_LOW_FIRST;
    if (!is_still_there(entries, count, before->low_offer_id) && low->quote->price_nano >= before->low_nano) return INDEX_LOW_LEFT;
    if (!low->is_matched) return INDEX_LOW_JOINED;
    if (low->quote->offer_id == before->low_offer_id && low->quote->price_nano == before->low_nano) return INDEX_LOW_SAME;
    return INDEX_LOW_MOVED;
}

static void set_low(struct index_point *point, const struct entry *entries, size_t count, const struct index_point *before)
{
    const struct entry *low = low_of(entries, count);
    if (low == NULL) return;
    point->low_nano = low->quote->price_nano;
    point->low_currency = low->quote->currency;
    point->low_site = low->quote->site;
    point->low_offer_id = low->quote->offer_id;
    point->low_reason = low_reason(entries, count, low, before);
}

/* A link goes on from the week before; without one a new stretch begins. */
static void set_chain(struct index_point *point, const struct index_point *before, int32_t segment_last)
{
    if (before == NULL || point->matched_sellers == 0) {
        point->log_link = 0;
        point->segment = segment_last + 1;
        return;
    }
    point->log_link /= point->matched_sellers;
    point->has_link = true;
    point->link_percent_nano = to_nano(percent_of(point->log_link));
    point->log_chain = before->log_chain + point->log_link;
    point->segment = before->segment;
}

static int32_t last_segment(const struct index_series *series, size_t week)
{
    int32_t last = 0;
    for (size_t w = 0; w < week; w++)
        if (series->points[w].segment > last) last = series->points[w].segment;
    return last;
}

static enum gt_err add_series(struct price_index *index, struct index_series *series, const struct entry *entries, size_t count)
{
    size_t week = index->weeks_done, first_share = index->share_count;
    struct index_point *point = &series->points[week];
    const struct index_point *before = week > 0 ? &series->points[week - 1] : NULL;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && gt_str_eq(entries[end].quote->site, entries[i].quote->site);) end++;
        if (!add_platform(index, series, point, entries + i, end - i)) return GT_ENOMEM;
    }
    set_chain(point, before, last_segment(series, week));
    if (index->share_count > first_share) shares_settle(index->shares + first_share, index->share_count - first_share, point);
    if (!series->is_card) set_low(point, entries, count, before);
    return GT_OK;
}

/* ---- one week ---- */

/* "NVIDIA-RTX-4090/24G": the first two pieces of a class. */
static struct gt_str card_key(struct gt_str class)
{
    size_t slash = gt_str_find(class, GT_STR("/"), 0);
    size_t second = slash == SIZE_MAX ? SIZE_MAX : gt_str_find(class, GT_STR("/"), slash + 1);
    return gt_str_slice(class, 0, second);
}

/* One level: all cards, or all classes. */
static enum gt_err add_level(struct price_index *index, struct entry *entries, size_t count, bool is_card)
{
    size_t known = index->series_count, total = known;
    for (size_t i = 0; i < count; i++) entries[i].key = is_card ? card_key(entries[i].quote->class) : entries[i].quote->class;
    if (count > 0) qsort(entries, count, sizeof *entries, by_key);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && gt_str_eq(entries[end].key, entries[i].key);) end++;
        struct index_series *series = series_find(index, entries[i].key, is_card);
        if (series == NULL) series = series_append(index, &total, entries[i].key, is_card, entries[i].quote);
        if (series == NULL) return total >= INDEX_SERIES_MAX ? GT_ELIMIT : GT_ENOMEM;
        enum gt_err err = add_series(index, series, entries + i, end - i);
        if (err != GT_OK) return err;
    }
    index->series_count = total;
    if (total > known) qsort(index->series, total, sizeof *index->series, by_series);
    return GT_OK;
}

enum gt_err price_index_init(struct price_index *index, struct arena *arena, size_t week_count)
{
    *index = (struct price_index){.arena = arena, .week_count = week_count};
    return week_count <= INDEX_WEEKS_MAX ? GT_OK : GT_ELIMIT;
}

enum gt_err price_index_add(struct price_index *index, const struct index_quote *quotes, size_t count)
{
    if (index->weeks_done >= index->week_count) return GT_ELIMIT;
    struct index_quote *sorted = malloc((count + 1) * sizeof *sorted);
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    enum gt_err err = sorted != NULL && entries != NULL ? GT_OK : GT_ENOMEM;
    if (err != GT_OK) goto out;
    if (count > 0) {
        memcpy(sorted, quotes, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_offer);
    }
    for (size_t i = 0; i < count; i++) {
        const struct index_quote *before = match_of(index, &sorted[i]);
        entries[i] = (struct entry){.quote = &sorted[i], .is_matched = before != NULL};
        if (before != NULL) entries[i].log_ratio = log((double)sorted[i].price_nano) - log((double)before->price_nano);
    }
    err = add_level(index, entries, count, true);
    if (err == GT_OK) err = add_level(index, entries, count, false);
    free(index->before);
    index->before = sorted;
    index->before_count = count;
    index->weeks_done++;
    sorted = NULL;
out:
    free(sorted);
    free(entries);
    return err;
}

void price_index_done(struct price_index *index)
{
    free(index->before);
    index->before = NULL;
    index->before_count = 0;
}

/* The first week of the newest unbroken stretch; SIZE_MAX when there is no offer in any week. */
static size_t newest_base(const struct index_series *series, size_t week_count)
{
    int32_t last = last_segment(series, week_count);
    for (size_t w = 0; w < week_count; w++)
        if (last > 0 && series->points[w].segment == last) return w;
    return SIZE_MAX;
}

void price_index_finish(struct price_index *index, size_t base)
{
    for (size_t i = 0; i < index->series_count; i++) {
        struct index_series *series = &index->series[i];
        size_t at = base == SIZE_MAX ? newest_base(series, index->weeks_done) : base;
        if (at >= index->weeks_done || series->points[at].segment == 0) continue;
        const struct index_point *from = &series->points[at];
        for (size_t w = 0; w < index->weeks_done; w++) {
            struct index_point *point = &series->points[w];
            point->has_value = point->segment == from->segment;
            if (point->has_value) point->value_nano = to_nano(exp(point->log_chain - from->log_chain) * BASE_VALUE);
        }
    }
}
