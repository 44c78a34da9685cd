/* What rules come to over the history that is stored: what they match, how often they would have spoken. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"

struct review {
    struct alerts *alerts;
    struct evaluation ev; /* for the walk over the board only */
    struct alerts_review *items; /* one a rule, as the rules stand */
};

static bool is_about_offers(const struct rule *rule)
{
    enum when_kind kind = rule->when.kind;
    return kind != WHEN_FAILED && kind != WHEN_RECOVERED && kind != WHEN_DRIFTED && kind != WHEN_STALE;
}

/* Whether a currency is one that the rule can say anything about. */
static bool is_in_floor(const struct alerts *alerts, const struct rule *rule, struct currency currency)
{
    bool is_in = rule->min_count == 0;
    for (size_t i = 0; i < rule->min_count; i++) is_in = is_in || currency_eq(rule->mins[i].currency, currency);
    if (rule->when.kind == WHEN_THRESHOLD) return currency_eq(rule->when.currency, currency);
    if (rule->when.kind != WHEN_MARKET) return is_in;
    for (size_t i = 0; i < alerts->holding_count; i++)
        if (is_in && currency_eq(alerts->holdings[i].currency, currency)) return true;
    return false;
}

static enum gt_err on_row(void *ctx, const struct board_row *row)
{
    struct review *review = ctx;
    if (!row->is_listed) return GT_OK;
    review->ev.row_terms = evaluate_terms(&row->offer.record, review->ev.arena);
    for (size_t i = 0; i < review->alerts->rule_count; i++) {
        const struct rule *rule = &review->alerts->rules[i];
        if (!rule->is_enabled || !is_about_offers(rule) || !walk_row_matches(&review->ev, rule->query, row)) continue;
        review->items[i].offers_matched++;
        review->items[i].offers_in_floor += is_in_floor(review->alerts, rule, row->offer.record.currency);
    }
    return GT_OK;
}

static enum gt_err on_event(void *ctx, int64_t t_unix_s, struct gt_str json)
{
    struct review *review = ctx;
    (void)t_unix_s;
    json_t *event = json_loadb(json.ptr, json.len, 0, NULL);
    const char *name = json_string_value(json_object_get(event, "rule"));
    for (size_t i = 0; name != NULL && i < review->alerts->rule_count; i++) {
        if (!gt_str_is(review->alerts->rules[i].name, name)) continue;
        review->items[i].fired++;
        if (!review->alerts->rules[i].is_weekly) review->items[i].interrupting++;
    }
    json_decref(event);
    return GT_OK;
}

/* The days of history that are looked at, the last one counted. */
static enum gt_err review_days(struct review *review, int32_t *ret_days, int64_t *ret_since, struct gt_errinfo *info)
{
    struct store_stat stat;
    enum gt_err err = store_stat(review->alerts->store, &stat, info);
    if (err != GT_OK) return err;
    *ret_days = 0;
    *ret_since = 0;
    if (stat.last_run_unix_s == 0) return GT_OK;
    int64_t days = (stat.last_run_unix_s - stat.first_run_unix_s) / CIVIL_DAY_S + 1;
    *ret_days = days > ALERT_REVIEW_DAYS ? ALERT_REVIEW_DAYS : (int32_t)days;
    *ret_since = stat.last_run_unix_s - (int64_t)*ret_days * CIVIL_DAY_S + 1;
    return GT_OK;
}

enum gt_err alerts_review(struct alerts *alerts, alerts_review_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct review review = {.alerts = alerts, .items = calloc(alerts->rule_count + 1, sizeof *review.items)};
    struct arena *arena = arena_new(ENGINE_SCRATCH_MAX);
    int32_t days = 0;
    int64_t since = 0;
    if (arena == NULL || review.items == NULL) {
        free(review.items);
        arena_free(arena);
        return gt_fail(info, GT_ENOMEM, "out of memory");
    }
    review.ev = (struct evaluation){.alerts = alerts, .arena = arena, .info = info};
    enum gt_err err = review_days(&review, &days, &since, info);
    if (err == GT_OK && days > 0) err = store_board(alerts->store, INT64_MAX, arena, on_row, &review, info);
    if (err == GT_OK && days > 0) err = alerts_replay(alerts, since, INT64_MAX, on_event, &review, info);
    for (size_t i = 0; err == GT_OK && i < alerts->rule_count; i++) {
        if (!alerts->rules[i].is_enabled) continue;
        review.items[i].name = alerts->rules[i].name;
        review.items[i].is_about_offers = is_about_offers(&alerts->rules[i]);
        review.items[i].days = days;
        err = fn(ctx, &review.items[i]);
    }
    free(review.items);
    arena_free(arena);
    return err;
}
