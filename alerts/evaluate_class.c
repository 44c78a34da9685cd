/* Rules about the low of a comparison class, over all sites: decided when a crawl closes. */
#include <stdlib.h>

#include "alerts/engine.h"
#include "pricing/compare_class.h"

/* One offer's figure in its class. */
struct standing {
    const struct rule *rule;
    struct gt_str class_key;
    struct metric_value value;
    const struct board_row *row;
};

struct standings {
    struct evaluation *ev;
    struct standing *items;
    size_t count, cap;
};

static bool is_class_rule(const struct rule *rule)
{
    return rule->is_enabled && rule->when.is_class;
}

/* What may set a low: listed, believed, of one card whose memory is known, seen by ourselves. */
static bool may_stand(const struct board_row *row)
{
    return row->is_listed && !row->is_doubted && row->provenance == PROVENANCE_LIVE &&
           row->offer.attributes.sku_status == SKU_EXACT && row->offer.record.availability != AVAIL_SOLD_OUT;
}

/* Puts an offer into its class for one rule, if the rule asks for it and the offer has an exact price. */
static enum gt_err standing_add(struct standings *list, const struct rule *rule, const struct board_row *row)
{
    struct evaluation *ev = list->ev;
    struct standing standing = {.rule = rule};
    const struct query_subject subject = {row->site, &row->offer.identity, &row->offer.attributes,
                                          evaluate_terms(&row->offer.record, ev->arena)};
    const struct metric_subject priced = {&row->offer.identity, &row->offer.attributes, &row->offer.record, &row->net_rules};
    if (!query_matches(rule->query, &subject)) return GT_OK;
    enum gt_err err = metric_compute(rule, &priced, ev->t_unix_s, ev->arena, &standing.value);
    if (err != GT_OK || !standing.value.is_known) return err;
    struct board_row *copy = arena_alloc(ev->arena, sizeof *copy);
    standing.class_key = compare_class(&row->offer, &rule->persona, ev->arena);
    void *items = list->items;
    if (copy == NULL || standing.class_key.ptr == NULL ||
        !arena_grow(ev->arena, &items, list->count, &list->cap, sizeof *list->items))
        return GT_ENOMEM;
    *copy = *row;
    standing.row = copy;
    list->items = items;
    list->items[list->count++] = standing;
    return GT_OK;
}

/* Called for every offer of the board, in the board's order. */
static enum gt_err on_row(void *ctx, const struct board_row *row)
{
    struct standings *list = ctx;
    const struct alerts *alerts = list->ev->alerts;
    enum gt_err err = GT_OK;
    if (!may_stand(row)) return GT_OK;
    for (size_t i = 0; err == GT_OK && i < alerts->rule_count; i++)
        if (is_class_rule(&alerts->rules[i])) err = standing_add(list, &alerts->rules[i], row);
    return err;
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

/* The event names who sets the low now; its identity is the class and how often the rule has told of it. */
static enum gt_err tell(struct evaluation *ev, const struct standing *low, const struct metric_value *reference,
                        struct rule_state *state)
{
    struct event event = {
        .what = low->rule->when.kind == WHEN_MOVE ? "class-low-moved" : event_what_beyond(low->rule->when.direction),
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
    if (low->rule->when.kind == WHEN_MOVE) event.reference = reference_text(&low->rule->when, ev->arena);
    return fire(ev, low->rule, &event, NULL);
}

/* What the low is compared with. */
static enum gt_err reference_for(struct evaluation *ev, const struct standing *low, struct rule_state *state,
                                 struct metric_value *ret_reference)
{
    const struct when *when = &low->rule->when;
    int64_t nano = state->alerted_nano, since = ev->t_unix_s - (int64_t)when->days * 86400;
    enum gt_err err = GT_OK;
    if (when->kind == WHEN_MOVE && when->reference == REFERENCE_MEDIAN) {
        err = state_median(state, since, ev->t_unix_s, ev->arena, &nano);
        if (err == GT_OK) err = state_step_add(state, ev->t_unix_s, low->value.nano, since, ev->arena);
    }
    *ret_reference = (struct metric_value){.is_known = nano > 0, .nano = nano, .currency = state->currency};
    return err;
}

/* A move fires each time it is made; what holds on (a threshold, a distance from the median) fires when it begins to. */
static bool is_due(const struct rule *rule, struct rule_state *state, bool holds)
{
    bool is_edge = rule->when.kind == WHEN_THRESHOLD || rule->when.reference == REFERENCE_MEDIAN;
    if (!holds) {
        state->count = 0;
        state->is_beyond = false;
        return false;
    }
    if (is_edge && state->is_beyond) return false;
    state->count++;
    if (state->count < rule->good_runs) return false;
    state->is_beyond = is_edge;
    return true;
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
    bool holds =
        rule->when.kind == WHEN_MOVE ? metric_has_moved(rule, &reference, &low->value) : metric_is_beyond(rule, &low->value);
    bool is_first = !is_known && !rule->fires_at_first_sight;
    if (state.count == 0) state.since_unix_s = ev->t_unix_s;
    bool is_told = is_first ? false : is_due(rule, &state, holds);
    if (is_first) state.is_beyond = holds;
    if (is_told) err = tell(ev, low, &reference, &state);
    if (is_told) state.count = 0;
    /* What waits for confirmation keeps its reference; `previous` moves on, `last-alerted` only when told. */
    bool moves_on = is_told || !is_known || (rule->when.reference == REFERENCE_PREVIOUS && state.count == 0);
    if (moves_on) state.alerted_nano = low->value.nano;
    state.currency = low->value.currency;
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

enum gt_err evaluate_classes(struct evaluation *ev)
{
    struct standings list = {.ev = ev};
    bool has_rules = false;
    for (size_t i = 0; i < ev->alerts->rule_count; i++) has_rules = has_rules || is_class_rule(&ev->alerts->rules[i]);
    if (!has_rules || ev->alerts->sites_ok == 0) return GT_OK; /* nothing was seen: nothing can have moved */
    enum gt_err err = store_board(ev->alerts->store, INT64_MAX, ev->arena, on_row, &list, ev->info);
    if (err != GT_OK) return err;
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, standing_cmp);
    for (size_t i = 0; err == GT_OK && i < list.count; i++)
        if (i == 0 || !is_one_class(&list.items[i - 1], &list.items[i])) err = evaluate_class(ev, &list.items[i]);
    return err;
}
