/* From a condition that holds to an event in the outbox. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "alerts/silence.h"

/* The part of the run that an event is about: the offer's, or for a source the first one that failed (else the first). */
static const struct run_part *part_of(const struct evaluation *ev, const struct event *event)
{
    const struct run_part *found = NULL;
    bool was_failing = false;
    for (size_t i = 0; ev->run != NULL && i < ev->run->part_count; i++) {
        const struct run_part *part = &ev->run->parts[i];
        bool is_failing = part->status != STATUS_OK && part->status != STATUS_UNCHANGED;
        if (event->identity != NULL && gt_str_eq(part->name, event->identity->part)) return part;
        if (event->identity != NULL) continue;
        /* by name, so that the order in which a page's parts came makes no difference */
        bool is_better = found == NULL || is_failing > was_failing || (is_failing == was_failing && gt_str_cmp(part->name, found->name) < 0);
        if (!is_better) continue;
        found = part;
        was_failing = is_failing;
    }
    return found;
}

/* The term that an event is about, for queries that silence one. */
static struct gt_str terms_of(const struct event *event)
{
    if (event->when == NULL) return GT_STR("");
    return metric_is_hourly(event->when->metric) ? GT_STR("hour") : GT_STR("month");
}

/* What every event of the run has in common. */
static enum gt_err fill(struct evaluation *ev, const struct rule *rule, struct event *event)
{
    event->rule = rule->name;
    event->severity = rule->severity;
    if (when_is_price(&rule->when) || rule->when.kind == WHEN_MARKET) event->when = &rule->when;
    event->t_unix_s = ev->t_unix_s;
    if (event->since_unix_s == 0) event->since_unix_s = ev->t_unix_s;
    if (event->runs == 0) event->runs = 1;
    event->is_sample = event->is_sample || (ev->run != NULL && ev->run->is_sample);
    if (ev->run != NULL) {
        event->site = ev->run->site;
        event->site_title = ev->run->title;
        if (event->seq == 0) event->seq = ev->summary->seq;
        const struct run_part *part = part_of(ev, event);
        if (part != NULL) event->url = part->url;
    }
    const struct offer_attributes of_site = {.kind = ev->run != NULL ? ev->run->kind : 0, .market = ev->run != NULL ? ev->run->market : 0};
    static const struct offer_identity none;
    const struct query_subject subject = {event->site, event->identity != NULL ? event->identity : &none,
                                          event->attributes != NULL ? event->attributes : &of_site, terms_of(event)};
    return silence_is_on(&ev->outbox, rule->name, &subject, ev->t_unix_s, &event->is_silenced);
}

/* When an event may be sent: by the rule's hours, and by how many of the day's have been sent before it. */
static enum gt_err hold_of(struct evaluation *ev, const struct rule *rule, int64_t *ret_hold_unix_s)
{
    struct rule_state day;
    bool is_known;
    int64_t morning = rule_next_morning(ev->t_unix_s);
    struct gt_str key = arena_printf(ev->arena, "d\x1F%.*s", GT_STR_ARG(rule->name));
    *ret_hold_unix_s = rule_hold_until(rule, ev->t_unix_s);
    if (rule->day_max == 0 || rule->is_weekly) return GT_OK;
    enum gt_err err = memory_load(ev, key, &day, &is_known);
    if (err != GT_OK) return err;
    if (day.since_unix_s != morning) day = (struct rule_state){.since_unix_s = morning};
    if (day.count >= rule->day_max) {
        *ret_hold_unix_s = rule_hold_until(rule, morning);
        if (*ret_hold_unix_s == 0) *ret_hold_unix_s = morning;
        return GT_OK;
    }
    day.count++;
    return memory_save(ev, key, &day);
}

/* The lines of the channels are written once a run, not once an event. */
static enum gt_err note_fired(struct evaluation *ev, const struct rule *rule, struct gt_str key)
{
    void *fired = ev->fired;
    int64_t hold_unix_s = 0;
    enum gt_err err = hold_of(ev, rule, &hold_unix_s);
    if (err != GT_OK) return err;
    if (!arena_grow(ev->arena, &fired, ev->fired_count, &ev->fired_cap, sizeof *ev->fired))
        return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    ev->fired = fired;
    ev->fired[ev->fired_count++] = (struct fired){rule, key, hold_unix_s};
    return GT_OK;
}

/* Records first, lines up second; what was recorded before (a run told twice) is not lined up again. */
static enum gt_err record(struct evaluation *ev, const struct rule *rule, const char *id, struct gt_str json, bool is_silenced,
                          struct gt_str *ret_key)
{
    char key_text[EVENT_KEY_MAX];
    bool is_new = false;
    struct gt_str key = arena_dup(ev->arena, gt_str_from(event_key_print(ev->t_unix_s, id, key_text)));
    if (key.ptr == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_event_put(&ev->outbox, key, json, &is_new);
    if (err == GT_OK && ret_key != NULL) *ret_key = key;
    return err == GT_OK && is_new && !is_silenced ? note_fired(ev, rule, key) : err;
}

enum gt_err fire_prepare(struct evaluation *ev, const struct rule *rule, struct event *event, char ret_id[EVENT_ID_MAX],
                         struct gt_str *ret_json)
{
    enum gt_err err = fill(ev, rule, event);
    if (err == GT_OK) err = event_id(event, ret_id);
    if (err == GT_OK) err = event_json(event, ret_id, ev->arena, ret_json);
    return err == GT_OK ? GT_OK : gt_fail(ev->info, err, "an alert event: %s", gt_err_text(err));
}

enum gt_err fire(struct evaluation *ev, const struct rule *rule, struct event *event, struct gt_str *ret_key)
{
    char id[EVENT_ID_MAX];
    struct gt_str json = {NULL, 0};
    enum gt_err err = fire_prepare(ev, rule, event, id, &json);
    if (err != GT_OK) return err;
    return record(ev, rule, id, json, event->is_silenced, ret_key);
}

enum gt_err fire_json(struct evaluation *ev, const struct rule *rule, const char *id, struct gt_str json, bool was_silenced)
{
    bool is_silenced = false;
    enum gt_err err = silence_is_on(&ev->outbox, rule->name, NULL, ev->t_unix_s, &is_silenced);
    is_silenced = is_silenced || was_silenced;
    return err == GT_OK ? record(ev, rule, id, json, is_silenced, NULL) : err;
}

static bool goes_to(const struct fired *fired, struct gt_str channel)
{
    for (size_t i = 0; i < fired->rule->channel_count; i++)
        if (gt_str_eq(fired->rule->channels[i], channel)) return true;
    return false;
}

/* Leaves channels alone that no rule has fired to. */
static enum gt_err flush_channel(struct evaluation *ev, struct gt_str channel)
{
    struct queue queue;
    bool is_touched = false;
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < ev->fired_count; i++) is_touched = is_touched || goes_to(&ev->fired[i], channel);
    if (!is_touched) return GT_OK;
    err = queue_load(&ev->outbox, channel, &queue);
    for (size_t i = 0; err == GT_OK && i < ev->fired_count; i++)
        if (goes_to(&ev->fired[i], channel)) err = queue_add(&queue, ev->fired[i].key, ev->fired[i].hold_until_unix_s, ev->arena);
    return err == GT_OK ? queue_save(&ev->outbox, &queue) : err;
}

enum gt_err fire_flush(struct evaluation *ev)
{
    enum gt_err err = GT_OK;
    if (ev->outbox.overlay != NULL) return GT_OK; /* a replay sends nothing */
    for (size_t i = 0; err == GT_OK && ev->fired_count > 0 && i < ev->alerts->channel_count; i++)
        err = flush_channel(ev, ev->alerts->channels[i].name);
    return err;
}
