/* One rule, one offer, one run: whether a condition began to hold. */
#include "alerts/engine.h"
#include "common/civil.h"

enum { SITE_LABELS_MAX = 6 /* named in one event about many offers */ };

/* Kinds that may change what is paid. Stock alone does not. */
static const unsigned priced_kinds = 1U << CHANGE_APPEARED | 1U << CHANGE_PRICE | 1U << CHANGE_TERMS |
                                     1U << CHANGE_PROMOTION_BEGAN | 1U << CHANGE_PROMOTION_ENDED | 1U << CHANGE_RELISTED |
                                     1U << CHANGE_UNIT | 1U << CHANGE_RELEASED;

static bool has_kind(const struct observation *observation, enum change_kind kind)
{
    return (observation->kinds & 1U << kind) != 0;
}

/* What `term=` of a query asks: periods of printed prices, each once. */
struct gt_str evaluate_terms(const struct offer_record *record, struct arena *arena)
{
    struct gt_str terms = {"", 0};
    unsigned seen = 0;
    for (size_t i = 0; record != NULL && i < record->quote_count; i++) {
        enum period period = record->quotes[i].period;
        if (period == PERIOD_NONE || (seen & 1U << period) != 0) continue;
        seen |= 1U << period;
        terms = arena_printf(arena, "%.*s%s%s", GT_STR_ARG(terms), terms.len > 0 ? " " : "",
                             word_text(VOCABULARY_PERIOD, (int)period));
    }
    return terms;
}

bool evaluate_matches(const struct evaluation *ev, const struct rule *rule, const struct observation *observation)
{
    const struct offer_record *record = observation->after != NULL ? observation->after : observation->before;
    if (observation->identity == NULL || observation->attributes == NULL) return false;
    const struct query_subject subject = {ev->run->site, observation->identity, observation->attributes,
                                          evaluate_terms(record, ev->arena)};
    return query_matches(rule->query, &subject);
}

/* What every event about an offer begins with. */
static struct event event_about(const struct observation *observation, const char *what)
{
    return (struct event){.what = what,
                          .offer_id = observation->offer_id,
                          .identity = observation->identity,
                          .attributes = observation->attributes,
                          .detail = observation->detail};
}

struct gt_str evaluate_subject(struct evaluation *ev, uint64_t offer_id)
{
    return arena_printf(ev->arena, "%llu", (unsigned long long)offer_id);
}

/* A condition that must hold for several runs notes its telling when it is told, not when it begins to wait. */
enum gt_err evaluate_begin(struct evaluation *ev, const struct rule *rule, const struct observation *observation, struct event *event)
{
    struct gt_str subject = evaluate_subject(ev, observation->offer_id);
    bool is_open, is_up = event->now.nano > event->before.nano;
    enum gt_err err = rearm_is_open(ev, rule, subject, &event->now, is_up, &is_open);
    if (err != GT_OK || !is_open) return err;
    err = pending_begin(ev, rule, observation, event);
    return err == GT_OK && rule->good_runs <= 1 ? rearm_note(ev, rule, subject, &event->now, is_up) : err;
}

static bool is_change_of(const struct rule *rule, const struct observation *observation)
{
    return rule->when.change == CHANGE_DOUBTED ? observation->is_doubted : has_kind(observation, rule->when.change);
}

/* A change needs no price: what a query asks of the offer is enough. */
static enum gt_err evaluate_change(struct evaluation *ev, const struct rule *rule, const struct observation *observation)
{
    if (!is_change_of(rule, observation) || !evaluate_matches(ev, rule, observation)) return GT_OK;
    struct event event = event_about(observation, event_what(rule->when.change));
    return evaluate_begin(ev, rule, observation, &event);
}

enum gt_err evaluate_metrics(struct evaluation *ev, const struct rule *rule, const struct observation *observation,
                             struct metric_value *ret_before, struct metric_value *ret_now)
{
    struct metric_subject subject = {observation->identity, observation->attributes, observation->after, &ev->run->net_rules};
    enum gt_err err = metric_compute(rule, &subject, ev->t_unix_s, ev->arena, ret_now);
    if (err != GT_OK) return gt_fail(ev->info, err, "a net price: %s", gt_err_text(err));
    /* A promotion that ran out or began by its date changes no word on the page: the price before is the same record's, until then. */
    bool is_turn = has_kind(observation, CHANGE_PROMOTION_ENDED) || has_kind(observation, CHANGE_PROMOTION_BEGAN);
    bool is_note = observation->before == NULL && observation->after != NULL && is_turn;
    int64_t turn = is_note ? offer_turn_last(observation->after, ev->t_unix_s) : 0;
    subject.record = turn > 0 ? observation->after : observation->before;
    err = metric_compute(rule, &subject, turn > 0 ? turn - 1 : ev->t_unix_s, ev->arena, ret_before);
    /* Another unit, or other cards in it: two figures that may not mean the same. */
    if (has_kind(observation, CHANGE_UNIT)) ret_before->is_known = false;
    return err == GT_OK ? GT_OK : gt_fail(ev->info, err, "a net price: %s", gt_err_text(err));
}

/* One rule's question about one offer's price, and what the rule remembers of it. */
struct question {
    const struct rule *rule;
    const struct observation *observation;
    struct metric_value before, now;
    bool is_taken; /* the observation is spoken for: only what is remembered is brought up to now */
    struct gt_str key;
    struct rule_state state;
    bool is_known;
};

/* The condition holds: the event has both figures, `reference` and what they were compared by. */
static enum gt_err begin_price(struct evaluation *ev, const struct question *ask, const struct metric_value *reference)
{
    const struct when *when = &ask->rule->when;
    const bool is_threshold = when->kind == WHEN_THRESHOLD;
    const char *new_extreme = when->direction == DIRECTION_RISES ? "price-new-high" : "price-new-low";
    const char *what = is_threshold ? event_what_beyond(when->direction) : when->kind == WHEN_LOW ? new_extreme : "price-moved";
    struct event event = event_about(ask->observation, what);
    event.before = *reference;
    event.now = ask->now;
    if (!is_threshold) event.reference = reference_text(when, ev->arena);
    return evaluate_begin(ev, ask->rule, ask->observation, &event);
}

/* Offers are remembered by the store's id of their printed identity, which never changes. */
static struct gt_str offer_key(struct evaluation *ev, const struct rule *rule, uint64_t offer_id)
{
    return memory_key(ev, rule, evaluate_subject(ev, offer_id));
}

/* What was dropped while it waited was never told: the next time it begins to hold it is news. */
enum gt_err evaluate_untold(struct evaluation *ev, const struct rule *rule, uint64_t offer_id)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = offer_key(ev, rule, offer_id);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK || !state.is_beyond) return err;
    state.is_beyond = false;
    return memory_save(ev, key, &state);
}

/* With `resolve` a condition that has fired holds until the price is back behind that line: wobbling around the threshold says nothing. */
static enum gt_err evaluate_banded(struct evaluation *ev, struct question *ask)
{
    const struct rule *rule = ask->rule;
    if (!ask->now.is_known) return GT_OK;
    bool is_first = !ask->is_known && !rule->fires_at_first_sight &&
                    (!metric_comparable(&ask->before, &ask->now) || metric_is_beyond(rule, &ask->before));
    bool was_beyond = ask->state.is_beyond, holds = metric_is_beyond(rule, &ask->now);
    ask->state.is_beyond = was_beyond ? !metric_is_resolved(rule, &ask->before, &ask->now) : holds;
    ask->state.currency = ask->now.currency;
    enum gt_err err = ask->is_known && ask->state.is_beyond == was_beyond ? GT_OK : memory_save(ev, ask->key, &ask->state);
    return err == GT_OK && holds && !was_beyond && !is_first ? begin_price(ev, ask, &ask->before) : err;
}

/* Begins to hold: it did not at the observation before. What has no price before is seen for the first time. */
static enum gt_err evaluate_threshold(struct evaluation *ev, const struct question *ask)
{
    const struct rule *rule = ask->rule;
    bool held = metric_comparable(&ask->before, &ask->now) ? metric_is_beyond(rule, &ask->before) : !rule->fires_at_first_sight;
    return !held && metric_is_beyond(rule, &ask->now) ? begin_price(ev, ask, &ask->before) : GT_OK;
}

/* Called when a waiting condition is told: from then on moves count from the price that people were told of. */
enum gt_err evaluate_told(struct evaluation *ev, const struct rule *rule, uint64_t offer_id, const struct metric_value *told)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = offer_key(ev, rule, offer_id);
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK) return err;
    state.currency = told->currency;
    state.alerted_nano = told->nano;
    state.fired++;
    return memory_save(ev, key, &state);
}

/* Against what was last told; at first against the first price seen. */
static enum gt_err evaluate_last_alerted(struct evaluation *ev, struct question *ask)
{
    const struct metric_value *now = &ask->now;
    struct rule_state *state = &ask->state;
    bool is_open = true;
    if (!now->is_known) return GT_OK;
    struct metric_value reference = ask->before;
    if (ask->is_known && !has_kind(ask->observation, CHANGE_UNIT))
        reference =
            (struct metric_value){.is_known = state->alerted_nano > 0, .nano = state->alerted_nano, .currency = state->currency};
    /* What `rearm` keeps back is not told: the reference stays, and the move is told once it may be. */
    struct gt_str subject = evaluate_subject(ev, ask->observation->offer_id);
    enum gt_err err = rearm_is_open(ev, ask->rule, subject, now, now->nano > reference.nano, &is_open);
    if (err != GT_OK) return err;
    bool is_hit = metric_has_moved(ask->rule, &reference, now) && is_open;
    bool is_seeded = !metric_comparable(&reference, now);
    if (!is_hit && ask->is_known && !is_seeded) return GT_OK;
    /* A move that has yet to be confirmed is told of later: until then the reference stays. */
    bool is_told = is_hit && ask->rule->good_runs <= 1;
    state->currency = now->currency;
    state->alerted_nano = is_told || is_seeded ? now->nano : reference.nano;
    err = memory_save(ev, ask->key, state);
    return err == GT_OK && is_hit ? begin_price(ev, ask, &reference) : err;
}

/* The prices of the rule's window, brought up to now. *ret_reference: the median or the low of the time before. */
static enum gt_err window_step(struct evaluation *ev, struct question *ask, struct metric_value *ret_reference)
{
    const struct rule *rule = ask->rule;
    const struct metric_value *now = &ask->now;
    struct rule_state *state = &ask->state;
    int64_t nano = 0, since = ev->t_unix_s - (int64_t)rule->when.days * CIVIL_DAY_S;
    enum gt_err err = GT_OK;
    bool is_other = now->is_known && state->step_count > 0 && !currency_eq(state->currency, now->currency);
    if (has_kind(ask->observation, CHANGE_UNIT) || is_other) state->step_count = 0;
    if (now->is_known) state->currency = now->currency;
    if (rule->when.kind == WHEN_LOW) nano = state_low(state, rule->when.direction == DIRECTION_RISES, since, ev->t_unix_s);
    else err = state_median(state, since, ev->t_unix_s, ev->arena, &nano);
    if (err == GT_OK) err = state_step_add(state, ev->t_unix_s, now->is_known ? now->nano : 0, since, ev->arena);
    if (err != GT_OK) return gt_fail(ev->info, err, "the window of an alert rule: %s", gt_err_text(err));
    *ret_reference = (struct metric_value){.is_known = nano > 0, .nano = nano, .currency = state->currency};
    return GT_OK;
}

/* As low (as high) as ever in the window, and lower (higher) than just before. */
static bool low_begins(const struct question *ask, const struct metric_value *low)
{
    bool is_high = ask->rule->when.direction == DIRECTION_RISES;
    bool is_move = is_high ? ask->now.nano > ask->before.nano : ask->now.nano < ask->before.nano;
    return metric_comparable(&ask->before, &ask->now) && is_move && metric_is_low(ask->rule, low, &ask->now);
}

/* Against the time-weighted median: fires when the price leaves it, not again while it stays away. */
static bool median_begins(struct question *ask, const struct metric_value *median)
{
    const struct rule *rule = ask->rule;
    /* The median goes after the price, so whether the price before is away from it is asked of the median as it is now. */
    bool holds = metric_has_moved(rule, median, &ask->now), was_beyond = ask->state.is_beyond;
    if (!rule->has_resolve) return holds && !metric_has_moved(rule, median, &ask->before);
    ask->state.is_beyond = holds || (was_beyond && !metric_is_resolved(rule, median, &ask->now));
    return holds && !was_beyond;
}

/* Against the window's median or low. */
static enum gt_err evaluate_window(struct evaluation *ev, struct question *ask)
{
    struct metric_value reference;
    enum gt_err err = window_step(ev, ask, &reference);
    if (err != GT_OK) return err;
    bool begins = ask->rule->when.kind == WHEN_LOW ? low_begins(ask, &reference) : median_begins(ask, &reference);
    err = memory_save(ev, ask->key, &ask->state);
    return err == GT_OK && begins && !ask->is_taken ? begin_price(ev, ask, &reference) : err;
}

/* Sorts out what may not be compared at all, then asks the rule's reference. */
static enum gt_err evaluate_price(struct evaluation *ev, const struct rule *rule, const struct observation *observation,
                                  bool is_taken)
{
    struct question ask = {.rule = rule, .observation = observation, .is_taken = is_taken};
    const struct when *when = &rule->when;
    /* A label that may mean several cards is a lead, not an offer: it enters no alert on prices. */
    bool is_lead = observation->attributes == NULL || observation->attributes->sku_status == SKU_AMBIGUOUS;
    bool is_window = when->kind == WHEN_LOW || (when->kind == WHEN_MOVE && when->reference == REFERENCE_MEDIAN);
    bool is_asked = (observation->kinds & priced_kinds) != 0 || (observation->after == NULL && is_window);
    if (is_taken && !is_window) return GT_OK;
    if (is_lead || !is_asked || !evaluate_matches(ev, rule, observation)) return GT_OK;
    enum gt_err err = evaluate_metrics(ev, rule, observation, &ask.before, &ask.now);
    if (err != GT_OK) return err;
    if (when->kind == WHEN_THRESHOLD && !rule->has_resolve) return evaluate_threshold(ev, &ask);
    if (when->kind == WHEN_MOVE && when->reference == REFERENCE_PREVIOUS)
        return metric_has_moved(rule, &ask.before, &ask.now) ? begin_price(ev, &ask, &ask.before) : GT_OK;
    ask.key = offer_key(ev, rule, observation->offer_id);
    err = memory_load(ev, ask.key, &ask.state, &ask.is_known);
    if (err != GT_OK) return err;
    if (is_window) return evaluate_window(ev, &ask);
    return when->kind == WHEN_THRESHOLD ? evaluate_banded(ev, &ask) : evaluate_last_alerted(ev, &ask);
}

enum gt_err evaluate_offer(struct evaluation *ev, const struct rule *rule, const struct observation *observation, bool is_taken)
{
    if (!rule->is_enabled || rule->when.is_class) return GT_OK;
    switch (rule->when.kind) {
    case WHEN_CHANGE: return is_taken || rule->is_per_site ? GT_OK : evaluate_change(ev, rule, observation);
    case WHEN_FINDING: return is_taken ? GT_OK : evaluate_finding(ev, rule, observation);
    case WHEN_MOVE:
    case WHEN_LOW:
    case WHEN_THRESHOLD: return evaluate_price(ev, rule, observation, is_taken);
    default: return GT_OK;
    }
}

/* The labels of what a rule with `each = site` has found: a list that a message bears. */
static struct gt_str labels_of(struct evaluation *ev, const struct observation *const *found, size_t count)
{
    struct gt_str text = GT_STR("");
    for (size_t i = 0; i < count && i < SITE_LABELS_MAX; i++)
        text = arena_printf(ev->arena, "%.*s%s%.*s", GT_STR_ARG(text), i > 0 ? ", " : "", GT_STR_ARG(found[i]->identity->label));
    return count > SITE_LABELS_MAX ? arena_printf(ev->arena, "%.*s …", GT_STR_ARG(text)) : text;
}

enum gt_err evaluate_site_changes(struct evaluation *ev, const struct rule *rule, const struct observation *observations, size_t count)
{
    if (!rule->is_enabled || !rule->is_per_site) return GT_OK;
    const struct observation **found = arena_array(ev->arena, count + 1, sizeof(struct observation *));
    size_t total = 0;
    bool is_open;
    if (found == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (is_change_of(rule, &observations[i]) && evaluate_matches(ev, rule, &observations[i])) found[total++] = &observations[i];
    if (total == 1) return evaluate_change(ev, rule, found[0]);
    if (total == 0) return GT_OK;
    struct gt_str labels = labels_of(ev, found, total);
    struct event event = {.what = event_what(rule->when.change),
                          .detail = arena_printf(ev->arena, "%zu offers: %.*s", total, GT_STR_ARG(labels)),
                          .detail_zh = arena_printf(ev->arena, "%zu 条：%.*s", total, GT_STR_ARG(labels))};
    enum gt_err err = rearm_is_open(ev, rule, GT_STR("site"), &event.now, false, &is_open);
    if (err != GT_OK || !is_open) return err;
    err = fire(ev, rule, &event, NULL);
    return err == GT_OK ? rearm_note(ev, rule, GT_STR("site"), &event.now, false) : err;
}
