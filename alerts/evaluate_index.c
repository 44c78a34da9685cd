/* `index drops 3% a week`: the price index of a card (reports/price_index.h), by full weeks; `class index …`: of a comparison class. */
#include "alerts/engine.h"
#include "common/civil.h"
#include "reports/index_read.h"

enum { INDEX_SELLERS_MIN = 3 /* platforms whose offers are matched: fewer are no market */, INDEX_BYTES_MAX = 256 << 20 };

static bool is_asked(const struct rule *rule)
{
    return rule->is_enabled && rule->when.kind == WHEN_INDEX;
}

/* Without a direction either one counts. */
static bool has_moved(const struct rule *rule, int64_t percent_nano)
{
    if (rule->when.direction == DIRECTION_DROPS) return percent_nano <= -rule->when.percent_nano;
    if (rule->when.direction == DIRECTION_RISES) return percent_nano >= rule->when.percent_nano;
    return percent_nano <= -rule->when.percent_nano || percent_nano >= rule->when.percent_nano;
}

/* Hundredths of a percent, with a sign. */
static struct gt_str percent_text(int64_t percent_nano, struct arena *arena)
{
    int64_t hundredths = percent_nano / (NANO / 100), size = hundredths < 0 ? -hundredths : hundredths;
    return arena_printf(arena, "%s%lld.%02lld", hundredths < 0 ? "-" : "+", (long long)(size / 100), (long long)(size % 100));
}

/* The week stands in the id: the same week is never told twice, whatever crawls again. */
static enum gt_err tell(struct evaluation *ev, const struct rule *rule, const struct index_series *series, const struct report_period *week,
                        bool is_sample)
{
    const struct index_point *point = &series->points[1];
    int64_t year;
    int number;
    civil_week(week->since_unix_s, CIVIL_SHANGHAI_S, &year, &number);
    struct gt_str percent = percent_text(point->link_percent_nano, ev->arena);
    struct event event = {.what = "index-moved",
                          .class_key = series->key,
                          .detail = arena_printf(ev->arena, "%.*s %.*s %% (%lld-W%02d, %d platforms)", GT_STR_ARG(series->key),
                                                 GT_STR_ARG(percent), (long long)year, number, point->matched_sellers),
                          .detail_zh = arena_printf(ev->arena, "%.*s %.*s%%（%lld-W%02d，%d 家平台）", GT_STR_ARG(series->key),
                                                    GT_STR_ARG(percent), (long long)year, number, point->matched_sellers),
                          .since_unix_s = week->since_unix_s,
                          .seq = (uint64_t)week->since_unix_s,
                          .is_sample = is_sample};
    return fire(ev, rule, &event, NULL);
}

/* The last full week against the one before. */
static enum gt_err evaluate_week(struct evaluation *ev, const struct rule *rule, const struct report_period *week)
{
    struct price_index index;
    bool is_sample = false;
    struct index_weeks weeks = {.count = 2, .base = SIZE_MAX};
    struct report_input input = {.store = ev->alerts->store,
                                 .now_unix_s = ev->t_unix_s,
                                 .persona = rule->persona,
                                 .query = rule->query,
                                 .zone_offset_s = CIVIL_SHANGHAI_S};
    struct arena *arena = arena_new(INDEX_BYTES_MAX);
    if (arena == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    weeks.weeks[0] = (struct report_period){REPORT_WEEK, week->since_unix_s - CIVIL_WEEK_S, week->since_unix_s};
    weeks.weeks[1] = *week;
    enum gt_err err = index_read(&input, &weeks, arena, &index, &is_sample, ev->info);
    for (size_t i = 0; err == GT_OK && i < index.series_count; i++) {
        const struct index_series *series = &index.series[i];
        const struct index_point *point = &series->points[1];
        bool is_market = series->is_card != rule->when.of_classes && point->has_link && point->matched_sellers >= INDEX_SELLERS_MIN;
        if (is_market && has_moved(rule, point->link_percent_nano)) err = tell(ev, rule, series, week, is_sample);
    }
    if (err == GT_OK) price_index_done(&index);
    arena_free(arena);
    return err;
}

/* Once a week, at the first crawl that closes after its end. A rule that is new begins with the week that runs. */
static enum gt_err evaluate_rule(struct evaluation *ev, const struct rule *rule, const struct report_period *week)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = memory_key(ev, rule, GT_STR("index"));
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK || (is_known && state.since_unix_s >= week->since_unix_s)) return err;
    state.since_unix_s = week->since_unix_s;
    if (is_known) err = evaluate_week(ev, rule, week);
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

enum gt_err evaluate_index(struct evaluation *ev)
{
    int64_t monday = civil_monday_unix(ev->t_unix_s, CIVIL_SHANGHAI_S);
    const struct report_period week = {REPORT_WEEK, monday - CIVIL_WEEK_S, monday};
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < ev->alerts->rule_count; i++)
        if (is_asked(&ev->alerts->rules[i])) err = evaluate_rule(ev, &ev->alerts->rules[i], &week);
    return err;
}
