/* `market P% under holding`: the lowest price of what a holding is, against what is paid for it. */
#include "alerts/engine.h"

/* The lowest offer so far that could stand in a holding's place. */
struct market_low {
    const struct rule *rule;
    const struct holding *holding;
    struct metric_value value;
    struct board_row row;
};

/* One place for each pair, in the order of sites.conf, so that events come in the same order everywhere. */
enum gt_err market_begin(struct board_walk *walk)
{
    const struct alerts *alerts = walk->ev->alerts;
    walk->lows = arena_array(walk->ev->arena, alerts->rule_count * alerts->holding_count + 1, sizeof *walk->lows);
    if (walk->lows == NULL) return gt_fail(walk->ev->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < alerts->rule_count; i++)
        for (size_t k = 0; k < alerts->holding_count; k++) {
            bool is_asked = alerts->rules[i].is_enabled && alerts->rules[i].when.kind == WHEN_MARKET;
            if (is_asked) walk->lows[walk->low_count++] = (struct market_low){.rule = &alerts->rules[i], .holding = &alerts->holdings[k]};
        }
    return GT_OK;
}

/* Reckoned once a row, and only for rows that some holding is about: a net price is the dearest step of the walk. */
enum gt_err market_row_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row)
{
    struct evaluation *ev = walk->ev;
    const struct metric_subject priced = {&row->offer.identity, &row->offer.attributes, &row->offer.record, &row->net_rules};
    struct metric_value value = {.is_known = false};
    if (!walk_row_may_stand(row) || !walk_row_matches(ev, rule->query, row)) return GT_OK;
    for (size_t i = 0; i < walk->low_count; i++) {
        struct market_low *low = &walk->lows[i];
        if (low->rule != rule || !walk_row_matches(ev, low->holding->query, row)) continue;
        enum gt_err err = value.is_known ? GT_OK : metric_compute(rule, &priced, ev->t_unix_s, ev->arena, &value);
        if (err != GT_OK || !value.is_known) return err;
        if (!currency_eq(value.currency, low->holding->currency) || (low->value.is_known && low->value.nano <= value.nano)) continue;
        low->value = value;
        low->row = *row;
    }
    return GT_OK;
}

/* `before` is what is paid, so that message and percentage read like any move of a price. */
static enum gt_err tell(struct evaluation *ev, const struct market_low *low, const struct metric_value *paid, struct rule_state *state)
{
    struct event event = {.what = "market-under-holding",
                          .offer_id = low->row.offer_id,
                          .identity = &low->row.offer.identity,
                          .attributes = &low->row.offer.attributes,
                          .site = low->row.site,
                          .site_title = low->row.site_title,
                          .url = low->row.url,
                          .detail = low->holding->name,
                          .before = *paid,
                          .now = low->value,
                          .reference = arena_printf(ev->arena, "holding %.*s", GT_STR_ARG(low->holding->name)),
                          .is_sample = low->row.is_sample,
                          .since_unix_s = state->since_unix_s,
                          .runs = state->count,
                          .seq = ++state->fired};
    enum gt_err err = fire(ev, low->rule, &event, NULL);
    return err == GT_OK ? rearm_note(ev, low->rule, low->holding->name, &low->value, false) : err;
}

/* Told once it has held for the rule's span and runs; again only after it ended. A holding whose contract is over asks for nothing. */
static enum gt_err market_judge(struct evaluation *ev, const struct market_low *low)
{
    const struct rule *rule = low->rule;
    struct rule_state state;
    bool is_known, is_open;
    const struct metric_value paid = {.is_known = true, .nano = low->holding->month_nano, .currency = low->holding->currency};
    struct gt_str key = memory_key(ev, rule, arena_printf(ev->arena, "holding %.*s", GT_STR_ARG(low->holding->name)));
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err == GT_OK) err = rearm_is_open(ev, rule, low->holding->name, &low->value, false, &is_open);
    if (err != GT_OK) return err;
    bool is_over = low->holding->until_unix_s != 0 && low->holding->until_unix_s < ev->t_unix_s;
    bool holds = !is_over && metric_has_moved(rule, &paid, &low->value);
    bool stays = holds || (rule->has_resolve && state.is_beyond && low->value.is_known && !metric_is_resolved(rule, &paid, &low->value));
    if (!stays) { /* how often it was told stays: the next time is another event */
        state.is_beyond = false;
        state.count = 0;
        return is_known ? memory_save(ev, key, &state) : GT_OK;
    }
    if (state.is_beyond || !holds) return GT_OK;
    if (state.count++ == 0) state.since_unix_s = ev->t_unix_s;
    bool is_due = is_open && state.count >= rule->good_runs && ev->t_unix_s - state.since_unix_s >= rule->when.span_s;
    if (is_due) err = tell(ev, low, &paid, &state);
    state.is_beyond = is_due;
    return err == GT_OK ? memory_save(ev, key, &state) : err;
}

enum gt_err market_end(struct board_walk *walk)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < walk->low_count; i++) err = market_judge(walk->ev, &walk->lows[i]);
    return err;
}
