/* The engine's life, and one run from changes to outbox. */
#include "alerts/engine.h"

#include <stdlib.h>

#include "alerts/silence.h"

const struct channel *engine_channel(const struct alerts *alerts, struct gt_str name)
{
    for (size_t i = 0; i < alerts->channel_count; i++)
        if (gt_str_eq(alerts->channels[i].name, name)) return &alerts->channels[i];
    return NULL;
}

enum gt_err engine_channel_check(const struct alerts *alerts, const struct conf_section *section, struct gt_str name, struct gt_errinfo *info)
{
    if (engine_channel(alerts, name) != NULL) return GT_OK;
    struct gt_str why = arena_printf(alerts->arena, "no [channel %.*s] is defined", GT_STR_ARG(name));
    return conf_fail(conf_get(section, "to"), info, why.ptr != NULL ? why.ptr : "no such channel");
}

/* Rules are few: a list is searched. */
const struct rule *engine_rule(const struct alerts *alerts, struct gt_str name)
{
    for (size_t i = 0; i < alerts->rule_count; i++)
        if (gt_str_eq(alerts->rules[i].name, name)) return &alerts->rules[i];
    return NULL;
}

size_t engine_sections_count(const struct conf_section *const *sections)
{
    size_t count = 0;
    while (sections != NULL && sections[count] != NULL) count++;
    return count;
}

/* Channels first: rules refer to them. */
static enum gt_err read_channels(struct alerts *alerts, struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(alerts->conf, "channel");
    size_t count = engine_sections_count(sections);
    if (count > ALERT_CHANNELS_MAX) return gt_fail(info, GT_ELIMIT, "more than %d channels", ALERT_CHANNELS_MAX);
    alerts->channels = arena_array(alerts->arena, count, sizeof *alerts->channels);
    if (alerts->channels == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        enum gt_err err = channel_read(sections[i], &alerts->channels[i], info);
        if (err != GT_OK) return err;
        alerts->channel_count++;
    }
    return GT_OK;
}

/* A rule that names a channel nobody defined would be silent for ever: it is refused when read, not when it fires. */
static enum gt_err check_channels(const struct alerts *alerts, const struct rule *rule, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < rule->channel_count; i++) err = engine_channel_check(alerts, rule->section, rule->channels[i], info);
    return err;
}

/* A rule that cannot be read stops the program: an alert that is missing in silence is the worst that this folder could do. */
static enum gt_err read_rules(struct alerts *alerts, struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(alerts->conf, "alert");
    size_t count = engine_sections_count(sections);
    if (count > ALERT_RULES_MAX) return gt_fail(info, GT_ELIMIT, "more than %d alert rules", ALERT_RULES_MAX);
    alerts->rules = arena_array(alerts->arena, count, sizeof *alerts->rules);
    if (alerts->rules == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        enum gt_err err = rule_read(sections[i], alerts->arena, &alerts->rules[i], info);
        if (err == GT_OK) err = check_channels(alerts, &alerts->rules[i], info);
        if (err != GT_OK) return err;
        alerts->rule_count++;
    }
    return GT_OK;
}

enum gt_err alerts_new(struct conf *conf, struct store *store, const struct gt_clock *clock, struct alerts **ret_alerts,
                       struct gt_errinfo *info)
{
    struct alerts *alerts = calloc(1, sizeof *alerts);
    if (alerts == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    *alerts = (struct alerts){.conf = conf, .store = store, .clock = clock, .arena = arena_new(ENGINE_RULES_BYTES_MAX)};
    alerts->failed = calloc(ENGINE_FAILED_MAX, sizeof *alerts->failed);
    bool has_memory = alerts->arena != NULL && alerts->failed != NULL;
    enum gt_err err = has_memory ? read_channels(alerts, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = read_rules(alerts, info);
    if (err == GT_OK) err = holdings_read(conf, alerts->arena, &alerts->holdings, &alerts->holding_count, info);
    if (err == GT_OK) err = weekly_check(alerts, info);
    if (err == GT_OK) err = alive_check(alerts, info);
    if (err == GT_OK) *ret_alerts = alerts;
    else alerts_free(alerts);
    return err;
}

void alerts_free(struct alerts *alerts)
{
    if (alerts == NULL) return;
    arena_free(alerts->arena);
    free(alerts->failed);
    free(alerts);
}

/* ---- one run ---- */

void engine_crawl_forget(struct alerts *alerts)
{
    alerts->failed_count = alerts->sites_ok = alerts->sites_failed = 0;
    alerts->is_sample = false;
}

/* A run's changes, one observation an offer. The store gives the changes of one offer together. */
struct observations {
    struct observation *items;
    size_t count;
};

/* A doubted change says only that there is a doubt; its figures are not the offer's. */
static void observation_take(struct observation *observation, const struct change *change)
{
    bool is_doubt = change->is_doubted || change->kind == CHANGE_DOUBTED;
    observation->is_doubted = observation->is_doubted || is_doubt;
    if (change->detail.len > 0) observation->detail = change->detail;
    if (is_doubt) return;
    observation->kinds |= 1U << change->kind;
    observation->before = change->before;
    observation->after = change->after;
}

/* Several changes of one offer in one run are one observation: it moved once, and is told once. */
static bool observations_make(struct evaluation *ev, struct observations *ret)
{
    const struct change *changes = ev->summary->change_list;
    *ret = (struct observations){.items = arena_array(ev->arena, ev->summary->changes, sizeof *ret->items)};
    if (ret->items == NULL) return false;
    for (size_t i = 0; i < ev->summary->changes; i++) {
        if (changes[i].offer_id == 0) continue; /* of the source: evaluate_sources sees the run itself */
        bool is_same = ret->count > 0 && ret->items[ret->count - 1].offer_id == changes[i].offer_id;
        if (!is_same)
            ret->items[ret->count++] = (struct observation){
                .offer_id = changes[i].offer_id, .identity = changes[i].identity, .attributes = changes[i].attributes};
        observation_take(&ret->items[ret->count - 1], &changes[i]);
    }
    return true;
}

/* Few conditions wait at a time, so a list is searched. */
static bool is_taken(const struct pending_taken *taken, const struct rule *rule, uint64_t offer_id)
{
    for (size_t i = 0; i < taken->count; i++)
        if (taken->rules[i] == rule && taken->offer_ids[i] == offer_id) return true;
    return false;
}

/* Conditions that wait come first: what they use up must not begin a second one. */
static enum gt_err evaluate_offers(struct evaluation *ev)
{
    struct observations observations;
    struct pending_taken taken = {.count = 0};
    const struct alerts *alerts = ev->alerts;
    if (!observations_make(ev, &observations)) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = pending_step(ev, observations.items, observations.count, &taken);
    for (size_t r = 0; err == GT_OK && r < alerts->rule_count; r++)
        for (size_t i = 0; err == GT_OK && i < observations.count; i++) {
            const struct observation *observation = &observations.items[i];
            err = evaluate_offer(ev, &alerts->rules[r], observation, is_taken(&taken, &alerts->rules[r], observation->offer_id));
        }
    for (size_t r = 0; err == GT_OK && r < alerts->rule_count; r++)
        err = evaluate_site_changes(ev, &alerts->rules[r], observations.items, observations.count);
    return err;
}

static enum gt_err evaluate_run(struct evaluation *ev)
{
    if (ev->run->provenance != PROVENANCE_LIVE) return GT_OK; /* history that is filled in alerts nobody */
    enum gt_err err = evaluate_offers(ev);
    return err == GT_OK ? evaluate_sources(ev) : err;
}

/* What needs several sites. The network is judged before the lows: a crawl that saw nothing moves none. */
static enum gt_err evaluate_crawl(struct evaluation *ev)
{
    enum gt_err err = evaluate_network(ev);
    if (err == GT_OK) err = evaluate_board(ev);
    if (err == GT_OK) err = evaluate_stale(ev);
    if (err == GT_OK) err = evaluate_index(ev);
    if (err == GT_OK) err = evaluate_weekly(ev);
    if (err == GT_OK) engine_crawl_forget(ev->alerts);
    return err;
}

/* What fires is gathered first and written at the end, in the caller's transaction: a run that is not committed has told nobody. */
enum gt_err engine_evaluate(struct alerts *alerts, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                            int64_t t_unix_s, struct gt_errinfo *info)
{
    struct evaluation ev = {
        .alerts = alerts, .run = run, .summary = summary, .arena = arena_new(ENGINE_SCRATCH_MAX), .info = info};
    if (ev.arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    ev.outbox = (struct outbox){alerts->store, txn, ev.arena, info, alerts->overlay};
    ev.t_unix_s = t_unix_s;
    ev.board_unix_s = alerts->overlay != NULL ? ev.t_unix_s : INT64_MAX;
    enum gt_err err = run != NULL ? evaluate_run(&ev) : evaluate_crawl(&ev);
    if (err == GT_OK) err = fire_flush(&ev);
    arena_free(ev.arena);
    return err;
}

enum gt_err alerts_on_run(struct alerts *alerts, struct store_txn *txn, const struct run_input *run,
                          const struct run_summary *summary, struct gt_errinfo *info)
{
    int64_t t_unix_s = run != NULL ? run->start_unix_s : clock_unix_s(alerts->clock);
    return engine_evaluate(alerts, txn, run, summary, t_unix_s, info);
}
