/* Sources that fail and recover, each told once; and all of them failing together, told once for all. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/engine.h"

enum { SOURCES_DOWN_MIN = 3 /* so many sites failing, and none not, is this machine's network */ };

/* Blocked, drifted and incomplete are failures as well: the page that was wanted is not there. */
static bool is_failing(enum part_status status)
{
    return status != STATUS_OK && status != STATUS_UNCHANGED;
}

/* What a rule counts as a failure. A drifted page is the `drift` rule's, where one asks for the source: it is told once. */
static bool is_counted(const struct rule *rule, enum part_status status, bool has_drift_rule)
{
    if (rule->when.kind == WHEN_DRIFTED) return status == STATUS_DRIFTED;
    return is_failing(status) && !(rule->when.kind == WHEN_FAILED && has_drift_rule && status == STATUS_DRIFTED);
}

/* How many parts failed, and the sentence that says so. */
static size_t failing_parts(const struct evaluation *ev, const struct rule *rule, bool has_drift_rule, struct gt_str *ret_detail)
{
    const struct run_input *run = ev->run;
    const struct run_part *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < run->part_count; i++) {
        if (!is_counted(rule, run->parts[i].status, has_drift_rule)) continue;
        if (first == NULL || gt_str_cmp(run->parts[i].name, first->name) < 0) first = &run->parts[i];
        count++;
    }
    *ret_detail = (struct gt_str){"", 0};
    if (first == NULL) return 0;
    struct gt_str why = first->reason.len > 0 ? first->reason : gt_str_from(word_text(VOCABULARY_STATUS, (int)first->status));
    *ret_detail = run->part_count > 1 ? arena_printf(ev->arena, "%zu/%zu: %.*s", count, run->part_count, GT_STR_ARG(why)) : why;
    return count;
}

/* Rules about sources match by what a site is; a query that asks for cards passes no source. */
static bool matches_source(const struct evaluation *ev, const struct rule *rule)
{
    const struct offer_identity identity = {.label = GT_STR("")};
    const struct offer_attributes attributes = {.kind = ev->run->kind, .market = ev->run->market};
    const struct query_subject subject = {ev->run->site, &identity, &attributes, GT_STR("")};
    return query_matches(rule->query, &subject);
}

/* Kept until the crawl closes, when it shows whether the sites failed or the network. */
static enum gt_err note_failed(struct evaluation *ev, const struct rule *rule, struct gt_str key)
{
    struct alerts *alerts = ev->alerts;
    if (alerts->failed_count == ENGINE_FAILED_MAX || key.len >= EVENT_KEY_MAX) return GT_OK; /* told site by site then */
    struct failed_source *failed = &alerts->failed[alerts->failed_count++];
    *failed = (struct failed_source){.rule = rule};
    memcpy(failed->key, key.ptr, key.len);
    return GT_OK;
}

/* What was told and is over now; empty for a rule that tells of recoveries alone. */
static struct gt_str recovered_from(const struct rule *rule)
{
    if (rule->when.kind == WHEN_RECOVERED) return GT_STR("");
    return gt_str_from(rule->when.kind == WHEN_DRIFTED ? "drift" : event_what(CHANGE_SOURCE_FAILED));
}

/* The key of a failure is noted: should all sites turn out to fail together, it is taken back out of the lines. */
static enum gt_err tell(struct evaluation *ev, const struct rule *rule, const struct rule_state *state, enum change_kind kind,
                        struct gt_str detail)
{
    struct gt_str key;
    bool is_drift = rule->when.kind == WHEN_DRIFTED && kind == CHANGE_SOURCE_FAILED;
    struct event event = {.what = is_drift ? "drift" : event_what(kind), .detail = detail, .since_unix_s = state->since_unix_s, .runs = state->count};
    if (kind == CHANGE_SOURCE_RECOVERED) event.reference = recovered_from(rule);
    enum gt_err err = fire(ev, rule, &event, &key);
    return err == GT_OK && kind == CHANGE_SOURCE_FAILED && !is_drift ? note_failed(ev, rule, key) : err;
}

/* A failed run: counted, and told once it is the `for`th in a row. */
static enum gt_err source_failed(struct evaluation *ev, const struct rule *rule, struct gt_str key, struct rule_state *state,
                                 struct gt_str detail)
{
    enum gt_err err = GT_OK;
    if (state->count == 0) state->since_unix_s = ev->t_unix_s;
    if (state->count < INT32_MAX) state->count++;
    bool is_due = state->count >= rule->good_runs && !state->is_beyond;
    if (is_due) state->is_beyond = true;
    else if (state->count > rule->good_runs) return GT_OK; /* nothing new to remember either */
    if (is_due && rule->when.kind != WHEN_RECOVERED) err = tell(ev, rule, state, CHANGE_SOURCE_FAILED, detail);
    return err == GT_OK ? memory_save(ev, key, state) : err;
}

/* One rule's count of a site's failed runs, from the first failure to the recovery. */
static enum gt_err evaluate_source(struct evaluation *ev, const struct rule *rule, size_t failing, struct gt_str detail)
{
    struct rule_state state;
    bool is_known;
    struct gt_str key = memory_key(ev, rule, GT_STR("source"));
    enum gt_err err = memory_load(ev, key, &state, &is_known);
    if (err != GT_OK) return err;
    if (failing > 0) return source_failed(ev, rule, key, &state, detail);
    if (!is_known) return GT_OK;
    /* The all-clear belongs to whoever was told of the failure, and to rules that ask for it. */
    if (state.is_beyond) err = tell(ev, rule, &state, CHANGE_SOURCE_RECOVERED, GT_STR(""));
    return err == GT_OK ? memory_drop(ev, key) : err;
}

/* Whether some enabled rule about drift asks for the run's site. */
static bool drift_is_asked(const struct evaluation *ev)
{
    const struct alerts *alerts = ev->alerts;
    for (size_t i = 0; i < alerts->rule_count; i++) {
        const struct rule *rule = &alerts->rules[i];
        if (rule->is_enabled && rule->when.kind == WHEN_DRIFTED && matches_source(ev, rule)) return true;
    }
    return false;
}

/* One pass over the rules that are about sources; whether drift has a rule of its own was asked before, since it changes what the others
 * count. */
static enum gt_err evaluate_rules(struct evaluation *ev, bool has_drift_rule, bool is_good)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < ev->alerts->rule_count; i++) {
        struct gt_str detail;
        const struct rule *rule = &ev->alerts->rules[i];
        enum when_kind kind = rule->when.kind;
        bool is_about = kind == WHEN_FAILED || kind == WHEN_RECOVERED || kind == WHEN_DRIFTED || kind == WHEN_STALE;
        if (!rule->is_enabled || !is_about || !matches_source(ev, rule)) continue;
        size_t failing = failing_parts(ev, rule, has_drift_rule, &detail);
        err = kind == WHEN_STALE ? stale_note(ev, rule, is_good) : evaluate_source(ev, rule, failing, detail);
    }
    return err;
}

/* A run without parts has looked at nothing: it says nothing about the source. */
enum gt_err evaluate_sources(struct evaluation *ev)
{
    size_t failing = 0;
    if (ev->run->part_count == 0) return GT_OK;
    for (size_t i = 0; i < ev->run->part_count; i++) failing += is_failing(ev->run->parts[i].status);
    if (failing > 0) ev->alerts->sites_failed++;
    else ev->alerts->sites_ok++;
    ev->alerts->is_sample = ev->alerts->is_sample || ev->run->is_sample;
    return evaluate_rules(ev, drift_is_asked(ev), failing == 0);
}

/* ---- all of them at once ---- */

/* The event stays recorded, marked; it leaves the lines of its channels. */
static enum gt_err inhibit(struct evaluation *ev, const struct failed_source *failed)
{
    struct gt_str key = gt_str_from(failed->key), json;
    enum gt_err err = outbox_event_get(&ev->outbox, key, &json);
    if (err != GT_OK) return err == GT_ENOENT ? GT_OK : err;
    json_t *object = json_loadb(json.ptr, json.len, 0, NULL);
    if (json_is_object(object)) json_object_set_new(object, "inhibited", json_true());
    char *bytes = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    if (bytes == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    err = outbox_event_replace(&ev->outbox, key, gt_str_from(bytes));
    free(bytes);
    for (size_t i = 0; err == GT_OK && i < failed->rule->channel_count; i++) {
        struct queue queue;
        err = queue_load(&ev->outbox, failed->rule->channels[i], &queue);
        if (err != GT_OK) break;
        queue_remove(&queue, key);
        err = queue_save(&ev->outbox, &queue);
    }
    return err;
}

/* Its id hangs on the moment: the next outage is another event. */
static enum gt_err tell_network(struct evaluation *ev, const struct rule *rule, size_t sites)
{
    struct event event = {.what = "network-down",
                          .detail = arena_printf(ev->arena, "%zu sites", sites),
                          .detail_zh = arena_printf(ev->arena, "%zu 个来源", sites),
                          .class_key = arena_printf(ev->arena, "%lld", (long long)ev->t_unix_s),
                          .is_sample = ev->alerts->is_sample};
    return fire(ev, rule, &event, NULL);
}

/* Each rule's channels get one event about the network in the place of one about each site. */
enum gt_err evaluate_network(struct evaluation *ev)
{
    struct alerts *alerts = ev->alerts;
    enum gt_err err = GT_OK;
    bool is_down = alerts->sites_ok == 0 && alerts->sites_failed >= SOURCES_DOWN_MIN && alerts->failed_count > 0;
    for (size_t i = 0; err == GT_OK && is_down && i < alerts->failed_count; i++) {
        const struct rule *rule = alerts->failed[i].rule;
        bool is_told = false;
        for (size_t k = 0; k < i; k++) is_told = is_told || alerts->failed[k].rule == rule;
        err = inhibit(ev, &alerts->failed[i]);
        if (err == GT_OK && !is_told) err = tell_network(ev, rule, alerts->sites_failed);
    }
    return err;
}
