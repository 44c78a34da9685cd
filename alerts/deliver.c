/* From the outbox to the channels: one digest each, acknowledged in one write. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "alerts/engine.h"
#include "common/strbuf.h"

enum {
    DIGEST_BYTES_MAX = 16 * 1024 * 1024,
    BACKOFF_FIRST_S = 60,
    BACKOFF_MAX_S = 6 * 3600,
    BACKOFF_DOUBLINGS_MAX = 16,
};

/* One channel's delivery. */
struct dispatch {
    struct alerts *alerts;
    const struct channel *channel;
    const struct log *log;
    int64_t now_unix_s;
    struct outbox outbox;
    struct queue queue;
    size_t batch[ALERT_DIGEST_EVENTS_MAX]; /* entries of the queue that the digest holds */
    size_t batch_count;
    json_t *events;
};

/* Doubles with each failure. A cron of hours hits the next run anyway; one of minutes must not hammer a service that is
 * down. */
static int64_t backoff_s(int32_t attempts)
{
    int32_t doublings = attempts > 1 ? attempts - 1 : 0;
    if (doublings > BACKOFF_DOUBLINGS_MAX) doublings = BACKOFF_DOUBLINGS_MAX;
    int64_t wait = (int64_t)BACKOFF_FIRST_S << doublings;
    return wait < BACKOFF_MAX_S ? wait : BACKOFF_MAX_S;
}

/* An event that is not there, or no JSON, can never be sent: it is parked, not lost sight of. */
static void park_broken(struct queue_entry *entry)
{
    entry->parked = GT_STR("the event's record cannot be read");
}

/* The first events that wait, as a JSON array. */
static enum gt_err batch_make(struct dispatch *delivery)
{
    struct queue *queue = &delivery->queue;
    delivery->batch_count = 0;
    for (size_t i = 0; i < queue->count && delivery->batch_count < ALERT_DIGEST_EVENTS_MAX; i++) {
        struct gt_str json;
        if (queue->entries[i].parked.len > 0) continue;
        enum gt_err err = outbox_event_get(&delivery->outbox, queue->entries[i].key, &json);
        if (err != GT_OK && err != GT_ENOENT) return err;
        json_t *event = err == GT_OK ? json_loadb(json.ptr, json.len, 0, NULL) : NULL;
        if (event == NULL) {
            park_broken(&queue->entries[i]);
            continue;
        }
        json_array_append_new(delivery->events, event);
        delivery->batch[delivery->batch_count++] = i;
    }
    return GT_OK;
}

/* The language of the digest's text; the events carry both. */
static bool is_chinese(const struct alerts *alerts)
{
    const struct conf_section *defaults = conf_find(alerts->conf, "defaults", GT_STR(""));
    return defaults == NULL || !gt_str_is(conf_text(defaults, "lang"), "en");
}

/* The digest as text: every message begins with the program's name, for robots that want a keyword. */
static void text_make(const struct dispatch *delivery, struct strbuf *text)
{
    const json_t *event;
    size_t i;
    bool zh = is_chinese(delivery->alerts);
    strbuf_addf(text, zh ? "gputape：%zu 条提醒" : "gputape: %zu alerts", delivery->batch_count);
    json_array_foreach(delivery->events, i, event)
    {
        const char *line = json_string_value(json_object_get(json_object_get(event, "text"), zh ? "zh" : "en"));
        strbuf_addf(text, "\n- %s", line != NULL ? line : "?");
    }
}

/* {"events":[…],"text":"…"} with the channel's name. Malloc'ed; NULL when memory is out. */
static char *digest_make(struct dispatch *delivery)
{
    struct strbuf text;
    strbuf_init(&text, DIGEST_BYTES_MAX);
    text_make(delivery, &text);
    json_t *digest = NULL;
    if (text.err == GT_OK)
        digest = json_pack("{s:s%, s:O, s:s%}", "channel", delivery->channel->name.ptr, delivery->channel->name.len, "events",
                           delivery->events, "text", text.ptr, text.len);
    char *bytes = digest != NULL ? json_dumps(digest, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(digest);
    strbuf_done(&text);
    return bytes;
}

/* One line an attempt. `why` comes from the channel, which keeps addresses and secrets out of it. */
static void log_outcome(const struct dispatch *delivery, enum delivery_result result, const char *why)
{
    static const char *const names[] = {"alerts-delivered", "alerts-delayed", "alerts-parked"};
    char name[256], count[32];
    snprintf(name, sizeof name, "%.*s", GT_STR_ARG(delivery->channel->name));
    snprintf(count, sizeof count, "%zu", delivery->batch_count);
    if (result == DELIVERY_DONE) log_event(delivery->log, LOG_INFO, names[result], "channel", name, "events", count, NULL);
    else log_event(delivery->log, LOG_WARN, names[result], "channel", name, "events", count, "why", why, NULL);
}

/* Takes the batch out of the line: its entries' places, ascending. */
static void batch_remove(struct dispatch *delivery)
{
    struct queue *queue = &delivery->queue;
    size_t kept = 0, next = 0;
    for (size_t i = 0; i < queue->count; i++) {
        if (next < delivery->batch_count && delivery->batch[next] == i) next++;
        else queue->entries[kept++] = queue->entries[i];
    }
    queue->count = kept;
}

/* What the outcome means for the line; written before anything else is sent. */
static enum gt_err settle(struct dispatch *delivery, enum delivery_result result, const char *why)
{
    struct queue *queue = &delivery->queue;
    struct gt_str reason = arena_dup(delivery->outbox.arena, gt_str_cut(gt_str_from(why), OUTBOX_ERROR_MAX));
    if (reason.ptr == NULL) return gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
    if (reason.len == 0) reason = GT_STR("it failed");
    queue->error = result == DELIVERY_DONE ? GT_STR("") : reason;
    if (result == DELIVERY_LATER) {
        if (queue->attempts < INT32_MAX) queue->attempts++;
        queue->next_try_unix_s = delivery->now_unix_s + backoff_s(queue->attempts);
    } else {
        queue->attempts = 0;
        queue->next_try_unix_s = 0;
    }
    if (result == DELIVERY_DONE) batch_remove(delivery);
    for (size_t i = 0; result == DELIVERY_NEVER && i < delivery->batch_count; i++)
        queue->entries[delivery->batch[i]].parked = reason;
    return queue_save(&delivery->outbox, queue);
}

/* Sends one digest. *ret_goes_on is true when more may be sent to this channel now. */
static enum gt_err send_one(struct dispatch *delivery, bool *ret_goes_on)
{
    struct gt_errinfo why = {0};
    delivery->events = json_array();
    *ret_goes_on = false;
    enum gt_err err = delivery->events != NULL ? batch_make(delivery) : GT_ENOMEM;
    if (err == GT_OK && delivery->batch_count > 0) {
        char *digest = digest_make(delivery);
        if (digest == NULL) {
            err = gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
        } else {
            enum delivery_result result = delivery->channel->type->send(delivery->channel, gt_str_from(digest), &why);
            err = settle(delivery, result, why.text);
            log_outcome(delivery, result, why.text);
            *ret_goes_on = result == DELIVERY_DONE;
        }
        free(digest);
    }
    json_decref(delivery->events);
    delivery->events = NULL;
    return err;
}

/* A channel that failed a while ago is left alone until its time has come, new events included: they go with the next
 * digest. */
static enum gt_err deliver_channel(struct dispatch *delivery)
{
    bool goes_on = true;
    enum gt_err err = queue_load(&delivery->outbox, delivery->channel->name, &delivery->queue);
    if (err != GT_OK || delivery->queue.next_try_unix_s > delivery->now_unix_s) return err;
    while (err == GT_OK && goes_on) err = send_one(delivery, &goes_on);
    return err;
}

enum gt_err alerts_deliver(struct alerts *alerts, const struct log *log, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < alerts->channel_count; i++) {
        struct arena *arena = arena_new(ENGINE_SCRATCH_MAX);
        if (arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
        struct dispatch delivery = {.alerts = alerts,
                                    .channel = &alerts->channels[i],
                                    .log = log,
                                    .now_unix_s = clock_unix_s(alerts->clock),
                                    .outbox = {alerts->store, NULL, arena, info}};
        err = deliver_channel(&delivery);
        arena_free(arena);
    }
    return err;
}
