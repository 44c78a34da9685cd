/* Conditions that must hold for several good runs before they are told. */
#include <jansson.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/civil.h"

/* A condition that waits, as STORE_ALERT_STATE keeps it (JSON). Its key: "p" US site US rule US rule's id US offer. */
struct pending {
    struct gt_str key;
    const struct rule *rule; /* NULL: the rule is gone, or is another one by now */
    uint64_t offer_id;
    json_t *object; /* {"count","ref","currency","up","part","seq","since","id","event":{…}} */
};

/* By site first: a run looks for what waits at its own site only. */
static struct gt_str pending_key(struct evaluation *ev, const struct rule *rule, uint64_t offer_id)
{
    return arena_printf(ev->arena, "p\x1F%.*s\x1F%.*s\x1F%s\x1F%llu", GT_STR_ARG(ev->run->site), GT_STR_ARG(rule->name), rule->id,
                        (unsigned long long)offer_id);
}

static enum gt_err object_save(struct evaluation *ev, struct gt_str key, json_t *object)
{
    char *bytes = object != NULL && key.ptr != NULL ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    if (bytes == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_put(&ev->outbox, STORE_ALERT_STATE, key, gt_str_from(bytes));
    free(bytes);
    return err;
}

/* The event as JSON text, with what only the last run knows put in. */
static char *event_dump(struct evaluation *ev, json_t *event, int64_t count)
{
    char time[CIVIL_TEXT_MAX];
    json_object_set_new(event, "time", json_string(civil_rfc3339(ev->t_unix_s, time)));
    json_object_set_new(event, "runs", json_integer(count));
    return json_dumps(event, JSON_COMPACT | JSON_PRESERVE_ORDER);
}

static const char *id_of(const json_t *object)
{
    const char *id = json_string_value(json_object_get(object, "id"));
    return id != NULL && strlen(id) < EVENT_ID_MAX ? id : "";
}

/* The price that an event tells of. */
static struct metric_value told_by(const json_t *event)
{
    struct metric_value told = {.is_known = true};
    const char *nano = json_string_value(json_object_get(event, "new")),
               *code = json_string_value(json_object_get(event, "currency"));
    told.is_known = nano != NULL && code != NULL && money_parse(gt_str_from(nano), &told.nano) == GT_OK;
    if (told.is_known) told.currency = currency_from(gt_str_from(code));
    return told;
}

/* Fires what has waited long enough and forgets it. */
static enum gt_err pending_fire(struct evaluation *ev, const struct pending *pending, int64_t count)
{
    json_t *event = json_object_get(pending->object, "event");
    char *bytes = json_is_object(event) ? event_dump(ev, event, count) : NULL;
    if (bytes == NULL) return gt_fail(ev->info, GT_ECORRUPT, "a waiting alert condition cannot be read");
    struct gt_str json = arena_dup(ev->arena, gt_str_from(bytes));
    free(bytes);
    bool was_silenced = json_is_true(json_object_get(event, "silenced"));
    enum gt_err err = json.ptr != NULL ? fire_json(ev, pending->rule, id_of(pending->object), json, was_silenced) : GT_ENOMEM;
    struct metric_value told = told_by(event);
    bool is_remembered = pending->rule->when.kind == WHEN_MOVE && pending->rule->when.reference == REFERENCE_LAST_ALERTED;
    if (err == GT_OK && is_remembered && told.is_known) err = evaluate_told(ev, pending->rule, pending->offer_id, &told);
    bool is_up = json_is_true(json_object_get(pending->object, "up"));
    if (err == GT_OK) err = rearm_note(ev, pending->rule, evaluate_subject(ev, pending->offer_id), &told, is_up);
    return err == GT_OK ? memory_drop(ev, pending->key) : err;
}

/* Everything that is needed to tell the event later, when the run that confirms it may hold no change at all. */
static json_t *pending_object(struct evaluation *ev, const struct observation *observation, const struct event *event,
                              const char *id, struct gt_str json)
{
    json_t *parsed = json_loadb(json.ptr, json.len, 0, NULL);
    if (parsed == NULL) return NULL;
    return json_pack("{s:i, s:I, s:s, s:b, s:s%, s:I, s:I, s:s, s:o}", "count", 1, "ref",
                     (json_int_t)(event->before.is_known ? event->before.nano : 0), "currency", event->before.currency.code, "up",
                     event->now.nano > event->before.nano, "part", observation->identity->part.ptr,
                     observation->identity->part.len, "seq", (json_int_t)event->seq, "since", (json_int_t)ev->t_unix_s, "id", id,
                     "event", parsed);
}

enum gt_err pending_begin(struct evaluation *ev, const struct rule *rule, const struct observation *observation,
                          struct event *event)
{
    char id[EVENT_ID_MAX];
    struct gt_str json;
    if (rule->good_runs <= 1) return fire(ev, rule, event, NULL);
    event->seq = ev->summary->seq;
    enum gt_err err = fire_prepare(ev, rule, event, id, &json);
    if (err != GT_OK) return err;
    json_t *object = pending_object(ev, observation, event, id, json);
    err = object_save(ev, pending_key(ev, rule, observation->offer_id), object);
    json_decref(object);
    return err;
}

/* What ends a condition about a kind of change. */
static unsigned ending_kinds(enum change_kind change)
{
    switch (change) {
    case CHANGE_SOLD_OUT: return 1U << CHANGE_BACK_IN_STOCK | 1U << CHANGE_DELISTED;
    case CHANGE_BACK_IN_STOCK: return 1U << CHANGE_SOLD_OUT | 1U << CHANGE_DELISTED;
    case CHANGE_DELISTED: return 1U << CHANGE_RELISTED | 1U << CHANGE_APPEARED;
    case CHANGE_APPEARED:
    case CHANGE_RELISTED: return 1U << CHANGE_DELISTED;
    case CHANGE_PROMOTION_BEGAN: return 1U << CHANGE_PROMOTION_ENDED | 1U << CHANGE_DELISTED;
    case CHANGE_PROMOTION_ENDED: return 1U << CHANGE_PROMOTION_BEGAN | 1U << CHANGE_DELISTED;
    case CHANGE_DOUBTED: return 1U << CHANGE_RELEASED | 1U << CHANGE_VOIDED | 1U << CHANGE_DELISTED;
    default: return 1U << CHANGE_DELISTED | 1U << change;
    }
}

/* Whether the run saw the offer's part and believed it. Where the store does not say, the part must be whole and nothing
 * in the run doubted. */
static bool is_good_part(const struct evaluation *ev, struct gt_str part)
{
    for (size_t i = 0; i < ev->run->part_count; i++) {
        if (!gt_str_eq(ev->run->parts[i].name, part)) continue;
        if (ev->summary->part_good != NULL) return ev->summary->part_good[i];
        enum part_status status = ev->run->parts[i].status;
        return (status == STATUS_OK || status == STATUS_UNCHANGED) && ev->summary->offers_doubted == 0;
    }
    return false;
}

enum verdict { KEEP, AGREE, DROP };

/* The price that the waiting move began from. */
static struct metric_value reference_of(const json_t *object)
{
    int64_t nano = (int64_t)json_integer_value(json_object_get(object, "ref"));
    const char *code = json_string_value(json_object_get(object, "currency"));
    return (struct metric_value){.is_known = nano > 0, .nano = nano, .currency = currency_from(gt_str_from(code))};
}

/* Writes the event anew for a price that changed again but still holds, against the reference of the first time. */
static enum gt_err event_renew(struct evaluation *ev, struct pending *pending, const struct observation *observation,
                               const struct metric_value *before, const struct metric_value *now)
{
    const char *what = json_string_value(json_object_get(json_object_get(pending->object, "event"), "what"));
    struct event event = {.what = what != NULL ? what : "price-moved",
                          .offer_id = observation->offer_id,
                          .identity = observation->identity,
                          .attributes = observation->attributes,
                          .detail = observation->detail,
                          .before = *before,
                          .now = *now,
                          .seq = (uint64_t)json_integer_value(json_object_get(pending->object, "seq")),
                          .since_unix_s = (int64_t)json_integer_value(json_object_get(pending->object, "since"))};
    char id[EVENT_ID_MAX];
    struct gt_str json;
    if (pending->rule->when.kind != WHEN_THRESHOLD) event.reference = reference_text(&pending->rule->when, ev->arena);
    enum gt_err err = fire_prepare(ev, pending->rule, &event, id, &json);
    if (err != GT_OK) return err;
    json_object_set_new(pending->object, "event", json_loadb(json.ptr, json.len, 0, NULL));
    return GT_OK;
}

/* Under the old low, or no higher than when it began: a price that is back at the old low has come up to it. A high likewise. */
static bool is_still_low(const struct pending *pending, const struct metric_value *reference, const struct metric_value *now)
{
    struct metric_value begun = told_by(json_object_get(pending->object, "event"));
    if (pending->rule->when.direction == DIRECTION_RISES) return now->nano > reference->nano || (begun.is_known && now->nano >= begun.nano);
    return now->nano < reference->nano || (begun.is_known && now->nano <= begun.nano);
}

/* A price that changed while its condition waits: does the condition still hold against the same reference, in the same
 * direction? */
static enum gt_err judge_price(struct evaluation *ev, struct pending *pending, const struct observation *observation,
                               enum verdict *ret_verdict)
{
    struct metric_value ignored, now, reference = reference_of(pending->object);
    *ret_verdict = DROP;
    if (observation->after == NULL || (observation->kinds & 1U << CHANGE_UNIT) != 0) return GT_OK;
    enum gt_err err = evaluate_metrics(ev, pending->rule, observation, &ignored, &now);
    if (err != GT_OK || !now.is_known) return err;
    bool is_move = pending->rule->when.kind == WHEN_MOVE, is_low = pending->rule->when.kind == WHEN_LOW;
    bool was_up = json_is_true(json_object_get(pending->object, "up"));
    bool holds = is_move  ? metric_has_moved(pending->rule, &reference, &now) && (now.nano > reference.nano) == was_up
                 : is_low ? metric_is_low(pending->rule, &reference, &now) && is_still_low(pending, &reference, &now)
                          : metric_is_beyond(pending->rule, &now);
    if (!holds) return GT_OK;
    *ret_verdict = AGREE;
    return event_renew(ev, pending, observation, &reference, &now);
}

/* What a run says to a waiting condition: nothing about the offer in a good part agrees, for a change would have been
 * told. */
static enum gt_err judge(struct evaluation *ev, struct pending *pending, const struct observation *observation,
                         enum verdict *ret_verdict)
{
    const char *part = json_string_value(json_object_get(pending->object, "part"));
    bool is_price = pending->rule->when.kind != WHEN_CHANGE;
    *ret_verdict = is_good_part(ev, gt_str_from(part)) ? AGREE : KEEP;
    if (observation == NULL) return GT_OK;
    if (observation->kinds == 0) { /* nothing but a doubt */
        *ret_verdict = KEEP;
        return GT_OK;
    }
    if (is_price) return judge_price(ev, pending, observation, ret_verdict);
    if ((observation->kinds & ending_kinds(pending->rule->when.change)) != 0) *ret_verdict = DROP;
    return GT_OK;
}

/* Two arrays beside each other grow together, so both are asked for with the same room. */
static enum gt_err note_taken(struct evaluation *ev, struct pending_taken *taken, const struct pending *pending)
{
    void *rules = taken->rules, *ids = taken->offer_ids;
    size_t cap = taken->cap;
    if (!arena_grow(ev->arena, &rules, taken->count, &cap, sizeof(struct rule *))) return GT_ENOMEM;
    cap = taken->cap;
    if (!arena_grow(ev->arena, &ids, taken->count, &cap, sizeof *taken->offer_ids)) return GT_ENOMEM;
    taken->cap = cap;
    taken->rules = rules;
    taken->offer_ids = ids;
    taken->rules[taken->count] = pending->rule;
    taken->offer_ids[taken->count++] = pending->offer_id;
    return GT_OK;
}

/* A dropped price move goes back to the price it began from: what the run shows now is compared with that one, not with the
 * price that was never believed for long enough. */
static enum gt_err restart(struct evaluation *ev, struct pending *pending, const struct observation *observation)
{
    struct metric_value ignored, now, reference = reference_of(pending->object);
    bool is_move = pending->rule->when.kind == WHEN_MOVE && pending->rule->when.reference != REFERENCE_MEDIAN;
    if (!is_move || observation == NULL || observation->after == NULL) return GT_OK;
    enum gt_err err = evaluate_metrics(ev, pending->rule, observation, &ignored, &now);
    if (err != GT_OK || !metric_has_moved(pending->rule, &reference, &now)) return err;
    struct event event = {.what = "price-moved",
                          .offer_id = observation->offer_id,
                          .identity = observation->identity,
                          .attributes = observation->attributes,
                          .before = reference,
                          .now = now,
                          .reference = reference_text(&pending->rule->when, ev->arena)};
    return pending_begin(ev, pending->rule, observation, &event);
}

/* Carries the verdict out. */
static enum gt_err pending_judge(struct evaluation *ev, struct pending *pending, const struct observation *observation,
                                 struct pending_taken *taken)
{
    enum verdict verdict;
    enum gt_err err = judge(ev, pending, observation, &verdict);
    if (err == GT_OK && observation != NULL && observation->kinds != 0) err = note_taken(ev, taken, pending);
    if (err != GT_OK || verdict == KEEP) return err;
    if (verdict == DROP) {
        err = memory_drop(ev, pending->key);
        if (err == GT_OK && pending->rule->has_resolve) err = evaluate_untold(ev, pending->rule, pending->offer_id);
        return err == GT_OK ? restart(ev, pending, observation) : err;
    }
    int64_t count = (int64_t)json_integer_value(json_object_get(pending->object, "count")) + 1;
    if (count >= pending->rule->good_runs) return pending_fire(ev, pending, count);
    json_object_set_new(pending->object, "count", json_integer(count));
    return object_save(ev, pending->key, pending->object);
}

/* NULL: the run says nothing new about the offer, which is as good as the same again when the part was read. */
static const struct observation *observation_of(const struct observation *observations, size_t count, uint64_t offer_id)
{
    for (size_t i = 0; i < count; i++)
        if (observations[i].offer_id == offer_id) return &observations[i];
    return NULL;
}

/* The rule and offer that a key names. False when it is none, or the rule is not what it was. */
static bool key_read(const struct alerts *alerts, struct gt_str key, struct pending *pending)
{
    struct gt_str rest = key, mark, site, name, id, offer;
    char digits[24] = "";
    bool is_whole = gt_str_split(&rest, '\x1F', &mark) && gt_str_split(&rest, '\x1F', &site) &&
                    gt_str_split(&rest, '\x1F', &name) && gt_str_split(&rest, '\x1F', &id) &&
                    gt_str_split(&rest, '\x1F', &offer) && offer.len < sizeof digits;
    if (!is_whole) return false;
    memcpy(digits, offer.ptr, offer.len);
    pending->offer_id = strtoull(digits, NULL, 10);
    pending->rule = engine_rule(alerts, name);
    return pending->rule != NULL && pending->rule->is_enabled && gt_str_is(id, pending->rule->id);
}

/* What store_each hands on, kept until the walk is over: the table is written to afterwards. */
struct pending_list {
    struct evaluation *ev;
    struct gt_str *pairs; /* key, value, key, value … */
    size_t count, cap;
};

/* Called while the table is walked. */
static enum gt_err collect(void *ctx, struct gt_str key, struct gt_str value)
{
    struct pending_list *list = ctx;
    const struct gt_str texts[] = {key, value};
    for (size_t i = 0; i < 2; i++) {
        void *pairs = list->pairs;
        struct gt_str copy = arena_dup(list->ev->arena, texts[i]);
        if (copy.ptr == NULL || !arena_grow(list->ev->arena, &pairs, list->count, &list->cap, sizeof *list->pairs))
            return GT_ENOMEM;
        list->pairs = pairs;
        list->pairs[list->count++] = copy;
    }
    return GT_OK;
}

/* What waits is keyed by site, so that a run walks over its own alone. What no rule stands behind any more is dropped. */
enum gt_err pending_step(struct evaluation *ev, const struct observation *observations, size_t count,
                         struct pending_taken *ret_taken)
{
    struct pending_list list = {.ev = ev};
    struct gt_str prefix = arena_printf(ev->arena, "p\x1F%.*s\x1F", GT_STR_ARG(ev->run->site));
    if (prefix.ptr == NULL) return gt_fail(ev->info, GT_ENOMEM, "out of memory");
    enum gt_err err = outbox_value_each(&ev->outbox, STORE_ALERT_STATE, prefix, collect, &list);
    for (size_t i = 0; err == GT_OK && i + 1 < list.count; i += 2) {
        struct pending pending = {.key = list.pairs[i],
                                  .object = json_loadb(list.pairs[i + 1].ptr, list.pairs[i + 1].len, 0, NULL)};
        if (!json_is_object(pending.object) || !key_read(ev->alerts, pending.key, &pending)) err = memory_drop(ev, pending.key);
        else err = pending_judge(ev, &pending, observation_of(observations, count, pending.offer_id), ret_taken);
        json_decref(pending.object);
    }
    return err;
}
