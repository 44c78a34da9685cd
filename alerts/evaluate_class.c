/* Rules about the low of a comparison class over all sites, and about how many offers a site has: decided when a crawl closes. */
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"
#include "pricing/compare_class.h"
#include "pricing/spread.h"

enum { MARKET_QUANTILE = 4 /* of a marketplace the lower quartile by cards stands (pricing/spread.h): its cheapest offer is one seller's mood */ };

/* One offer's figure in its class; or (METRIC_OFFERS) one offer of a site, the site's name being the key. */
struct standing {
    const struct rule *rule;
    struct gt_str class_key;
    struct metric_value value;
    const struct board_row *row;
};

static bool is_count(const struct rule *rule)
{
    return rule->when.metric == METRIC_OFFERS;
}

/* One offer. Counted, its figure is in a unit of our own, which no price is in. */
static enum gt_err standing_of(struct evaluation *ev, const struct rule *rule, const struct board_row *row, struct standing *ret_standing)
{
    const struct metric_subject priced = {&row->offer.identity, &row->offer.attributes, &row->offer.record, &row->net_rules};
    *ret_standing = (struct standing){rule, row->site, {.is_known = true, .nano = NANO, .currency = currency_from(GT_STR("X-COUNT"))}, row};
    if (is_count(rule)) return GT_OK;
    enum gt_err err = metric_compute(rule, &priced, ev->t_unix_s, ev->arena, &ret_standing->value);
    if (err != GT_OK || !ret_standing->value.is_known) return err;
    ret_standing->class_key = compare_class(&row->offer, &rule->persona, ev->arena);
    return ret_standing->class_key.ptr != NULL ? GT_OK : GT_ENOMEM;
}

/* Puts an offer into its class for one rule, if the rule asks for it and the offer has an exact price. */
enum gt_err class_row_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row)
{
    struct evaluation *ev = walk->ev;
    struct standing standing;
    if (!(is_count(rule) || walk_row_may_stand(row)) || !walk_row_matches(ev, rule->query, row)) return GT_OK;
    enum gt_err err = standing_of(ev, rule, row, &standing);
    if (err != GT_OK || !standing.value.is_known) return err;
    void *items = walk->standings;
    if (!arena_grow(ev->arena, &items, walk->standing_count, &walk->standing_cap, sizeof *walk->standings)) return GT_ENOMEM;
    walk->standings = items;
    walk->standings[walk->standing_count++] = standing;
    return GT_OK;
}

/* By rule, class, currency, price; of equal prices the board's order decides, which is the same everywhere. */
static int standing_cmp(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    if (a->rule != b->rule) return a->rule < b->rule ? -1 : 1;
    int order = gt_str_cmp(a->class_key, b->class_key);
    if (order == 0) order = strncmp(a->value.currency.code, b->value.currency.code, CURRENCY_MAX);
    if (order != 0) return order;
    if (a->value.nano != b->value.nano) return a->value.nano < b->value.nano ? -1 : 1;
    order = gt_str_cmp(a->row->site, b->row->site);
    return order != 0 ? order : (a->row->offer_id > b->row->offer_id) - (a->row->offer_id < b->row->offer_id);
}

/* Lows of different currencies are different lows: nothing is ever converted. */
static bool is_one_class(const struct standing *a, const struct standing *b)
{
    return a->rule == b->rule && gt_str_eq(a->class_key, b->class_key) && currency_eq(a->value.currency, b->value.currency);
}

/* "5 → 3": offers of the site. */
static enum gt_err tell_count(struct evaluation *ev, const struct standing *site, struct gt_str subject, const struct metric_value *reference,
                              struct rule_state *state)
{
    struct event event = {.what = "offers-moved",
                          .site = site->row->site,
                          .site_title = site->row->site_title,
                          .url = site->row->url,
                          .reference = reference_text(&site->rule->when, ev->arena),
                          .detail = arena_printf(ev->arena, "%lld → %lld", (long long)(reference->nano / NANO), (long long)(site->value.nano / NANO)),
                          .is_sample = site->row->is_sample,
                          .since_unix_s = state->since_unix_s,
                          .runs = state->count,
                          .seq = ++state->fired};
    enum gt_err err = fire(ev, site->rule, &event, NULL);
    return err == GT_OK ? rearm_note(ev, site->rule, subject, &site->value, site->value.nano > reference->nano) : err;
}

/* The event names who sets the low now; its identity is the class and how often the rule has told of it. */
static enum gt_err tell(struct evaluation *ev, const struct standing *low, struct gt_str subject, const struct metric_value *reference,
                        struct rule_state *state)
{
    if (is_count(low->rule)) return tell_count(ev, low, subject, reference, state);
    struct event event = {
        .what = low->rule->when.kind == WHEN_MOVE  ? "class-low-moved"
                : low->rule->when.kind == WHEN_LOW ? (low->rule->when.direction == DIRECTION_RISES ? "class-new-high" : "class-new-low")
                                                   : event_what_beyond(low->rule->when.direction),
        .offer_id = low->row->offer_id,
        .identity = &low->row->offer.identity,
        .attributes = &low->row->offer.attributes,
        .site = low->row->site,
        .site_title = low->row->site_title,
        .url = low->row->url,
        .class_key = low->class_key,
        .before = *reference,
        .now = low->value,
        .is_sample = low->row->is_sample,
        .since_unix_s = state->since_unix_s,
        .runs = state->count,
        .seq = ++state->fired};
    if (low->rule->when.kind != WHEN_THRESHOLD) event.reference = reference_text(&low->rule->when, ev->arena);
    enum gt_err err = fire(ev, low->rule, &event, NULL);
    return err == GT_OK ? rearm_note(ev, low->rule, subject, &low->value, low->value.nano > reference->nano) : err;
}

/* What the low is compared with. */
static enum gt_err reference_for(struct evaluation *ev, const struct standing *low, struct rule_state *state,
                                 struct metric_value *ret_reference)
{
    const struct when *when = &low->rule->when;
    int64_t nano = state->alerted_nano, since = ev->t_unix_s - (int64_t)when->days * CIVIL_DAY_S;
    enum gt_err err = GT_OK;
    bool is_low = when->kind == WHEN_LOW, is_median = when->kind == WHEN_MOVE && when->reference == REFERENCE_MEDIAN;
    if (is_low) nano = state_low(state, when->direction == DIRECTION_RISES, since, ev->t_unix_s);
    if (is_median) err = state_median(state, since, ev->t_unix_s, ev->arena, &nano);
    if (err == GT_OK && (is_low || is_median)) err = state_step_add(state, ev->t_unix_s, low->value.nano, since, ev->arena);
    *ret_reference = (struct metric_value){.is_known = nano > 0, .nano = nano, .currency = state->currency};
    return err;
}

/* A move fires each time it is made; what holds on (a threshold, a distance from the median) fires when it begins to. */
static bool is_due(const struct rule *rule, struct rule_state *state, bool holds, bool is_resolved)
{
    bool is_edge = rule->when.kind == WHEN_THRESHOLD || rule->when.reference == REFERENCE_MEDIAN;
    if (!holds) {
        state->count = 0;
        if (!rule->has_resolve || is_resolved) state->is_beyond = false;
        return false;
    }
    if (is_edge && state->is_beyond) return false;
    state->count++;
    if (state->count < rule->good_runs) return false;
    state->is_beyond = is_edge;
    return true;
}

/* A new low is lower (a new high higher) than the low of the crawl before as well: what stands is not told again. */
static bool class_holds(const struct rule *rule, const struct rule_state *state, const struct metric_value *reference,
                        const struct metric_value *low)
{
    if (rule->when.kind == WHEN_THRESHOLD) return metric_is_beyond(rule, low);
    if (rule->when.kind == WHEN_MOVE) return metric_has_moved(rule, reference, low);
    bool is_known = state->alerted_nano > 0 && currency_eq(state->currency, low->currency);
    bool is_new = rule->when.direction == DIRECTION_RISES ? low->nano > state->alerted_nano : low->nano < state->alerted_nano;
    return is_known && is_new && metric_is_low(rule, reference, low);
}

/* One class's low against what the rule remembers of it. */
static enum gt_err evaluate_class(struct evaluation *ev, const struct standing *low)
{
    const struct rule *rule = low->rule;
    struct rule_state state;
    struct metric_value reference;
    bool is_known;
    struct gt_str what = arena_printf(ev->arena, "class %s %.*s", low->value.currency.code, GT_STR_ARG(low->class_key));
    struct gt_str key = memory_key(ev, rule, what);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err == GT_OK) err = reference_for(ev, low, &state, &reference);
    if (err != GT_OK) return err;
    bool is_open, holds = class_holds(rule, &state, &reference, &low->value);
    err = rearm_is_open(ev, rule, what, &low->value, low->value.nano > reference.nano, &is_open);
    if (err != GT_OK) return err;
    holds = holds && is_open;
    bool is_first = !is_known && !rule->fires_at_first_sight;
    if (state.count == 0) state.since_unix_s = ev->t_unix_s;
    bool is_resolved = rule->has_resolve && metric_is_resolved(rule, &reference, &low->value);
    bool is_told = is_first ? false : is_due(rule, &state, holds, is_resolved);
    if (is_first) state.is_beyond = holds;
    if (is_told) err = tell(ev, low, what, &reference, &state);
    if (is_told) state.count = 0;
    /* What waits for confirmation keeps its reference; `previous` moves on, `last-alerted` only when told. */
    bool is_latest = rule->when.reference == REFERENCE_PREVIOUS || rule->when.kind == WHEN_LOW;
    bool moves_on = is_told || !is_known || (is_latest && state.count == 0);
    if (moves_on) state.alerted_nano = low->value.nano;
    state.currency = low->value.currency;
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

/* How many cards the first `count` offers of a class have, of those of a site. */
static int64_t cards_of(const struct standing *group, size_t count, struct gt_str site)
{
    int64_t of_site = 0;
    for (size_t i = 0; i < count; i++)
        if (gt_str_eq(group[i].row->site, site)) of_site += spread_weight(group[i].row->offer.attributes.cards);
    return of_site;
}

/* The offer that sets the low of a class, of its offers in order of price. */
static const struct standing *low_of(const struct standing *group, size_t count)
{
    struct gt_str site = {"", 0};
    int64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const struct board_row *row = group[i].row;
        if (row->kind != KIND_MARKET) return &group[i];
        if (!gt_str_eq(row->site, site)) total = cards_of(group, count, row->site);
        site = row->site;
        if (cards_of(group, i + 1, site) * MARKET_QUANTILE >= total) return &group[i];
    }
    return group;
}

enum gt_err class_rows_end(struct board_walk *walk)
{
    enum gt_err err = GT_OK;
    struct standing *standings = walk->standings;
    if (walk->standing_count > 0) qsort(standings, walk->standing_count, sizeof *standings, standing_cmp);
    for (size_t i = 0, end; err == GT_OK && i < walk->standing_count; i = end) {
        for (end = i + 1; end < walk->standing_count && is_one_class(&standings[i], &standings[end]);) end++;
        struct standing low = is_count(standings[i].rule) ? standings[i] : *low_of(&standings[i], end - i);
        if (is_count(low.rule)) low.value.nano = (int64_t)(end - i) * NANO;
        err = evaluate_class(walk->ev, &low);
    }
    return err;
}
