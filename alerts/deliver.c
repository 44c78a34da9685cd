/* From the outbox to the channels: messages as large as each bears, each acknowledged in one write before the next is sent. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "alerts/engine.h"
#include "alerts/message.h"
#include "common/digest.h"
#include "reports/picture.h"

enum {
    BACKOFF_FIRST_S = 60,
    BACKOFF_MAX_S = 6 * 3600,
    BACKOFF_DOUBLINGS_MAX = 16,
    EVENTS_A_DELIVERY_MAX = 2000, /* of one channel at a time; what waits behind them goes with the next */
    PARTS_PRINTED_MAX = 99,       /* "(99/99)" is as long as the count in a title gets */
    MILLI = 1000,
    MINUTE_S = 60,
    HALF_HOUR_S = 1800,
    BUSY_MOMENT_S = 45, /* how long after :00 and :30 a vendor is busy */
};

/* One channel's delivery. */
struct dispatch {
    struct alerts *alerts;
    const struct channel *channel;
    const struct log *log;
    int64_t now_unix_s;
    struct outbox outbox;
    struct queue queue;
    bool is_zh;
    json_t *events;                        /* all that wait */
    size_t entries[EVENTS_A_DELIVERY_MAX]; /* the place in the queue of each */
    size_t count;
    bool is_picture;                       /* pictures are sent, of messages that were taken; else messages */
    bool has_broken; /* some event could not be read: parked, which wants to be written */
};

/* Events of one message: [from, from + count) of those that wait. */
struct batch {
    size_t from, count;
    struct message_part part;
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

/* ---- what waits ---- */

/* An event that is not there, or no JSON, can never be sent: it is parked, not lost sight of. */
static void park_broken(struct queue_entry *entry)
{
    entry->parked = GT_STR("the event's record cannot be read");
}

/* The events that wait, in order, and where each stands in the line. */
static enum gt_err waiting_read(struct dispatch *delivery)
{
    struct queue *queue = &delivery->queue;
    json_decref(delivery->events);
    delivery->count = 0;
    delivery->events = json_array();
    if (delivery->events == NULL) return gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < queue->count && delivery->count < EVENTS_A_DELIVERY_MAX; i++) {
        struct gt_str json;
        if (queue->entries[i].parked.len > 0 || queue->entries[i].hold_until_unix_s > delivery->now_unix_s) continue;
        if ((queue->entries[i].picture_try > 0) != delivery->is_picture) continue;
        enum gt_err err = outbox_event_get(&delivery->outbox, queue->entries[i].key, &json);
        if (err != GT_OK && err != GT_ENOENT) return err;
        json_t *event = err == GT_OK ? json_loadb(json.ptr, json.len, 0, NULL) : NULL;
        if (event == NULL) {
            park_broken(&queue->entries[i]);
            delivery->has_broken = true;
            continue;
        }
        json_array_append_new(delivery->events, event);
        delivery->entries[delivery->count++] = i;
    }
    return GT_OK;
}

/* ---- messages ---- */

/* The language of the text; the events carry both. */
static bool is_chinese(const struct alerts *alerts)
{
    const struct conf_section *defaults = conf_find(alerts->conf, "defaults", GT_STR(""));
    return defaults == NULL || !gt_str_is(conf_text(defaults, "lang"), "en");
}

/* The message of a batch. *ret_events is the reference that the message borrows; NULL when memory is out. */
static json_t *batch_message(const struct dispatch *delivery, const struct batch *batch, struct arena *arena, struct message *ret_message)
{
    json_t *events = json_array();
    for (size_t i = 0; i < batch->count; i++) json_array_append(events, json_array_get(delivery->events, batch->from + i));
    if (events != NULL && message_make(delivery->channel->name, events, batch->part, delivery->is_zh, arena, ret_message)) return events;
    json_decref(events);
    return NULL;
}

/* What the channel counts of a batch; SIZE_MAX when it cannot be made. */
static size_t batch_measure(const struct dispatch *delivery, struct batch batch)
{
    struct message message;
    struct arena *arena = arena_new(MESSAGE_BYTES_MAX);
    batch.part.number = batch.part.total = PARTS_PRINTED_MAX;
    json_t *events = arena != NULL ? batch_message(delivery, &batch, arena, &message) : NULL;
    size_t size = events != NULL ? delivery->channel->type->measure(&message) : SIZE_MAX;
    json_decref(events);
    arena_free(arena);
    return size;
}

/* Its body is pages long, where an event is a line. */
static bool is_report(const struct dispatch *delivery, size_t index)
{
    const char *what = json_string_value(json_object_get(json_array_get(delivery->events, index), "what"));
    return what != NULL && strcmp(what, "report") == 0;
}

/* How much of a report's text fits; 0: all of it. What does not is in the HTML of a mail and in `gputape report`. */
static size_t body_max(const struct dispatch *delivery, size_t index)
{
    enum { LEAST = 256 };
    const struct channel_type *type = delivery->channel->type;
    size_t max = json_string_length(json_object_get(json_array_get(delivery->events, index), "body"));
    struct batch batch = {.from = index, .count = 1};
    if (type->size_max == 0 || batch_measure(delivery, batch) <= type->size_max) return 0;
    while (max > LEAST) {
        max = max * 3 / 4;
        batch.part.body_bytes_max = max;
        if (batch_measure(delivery, batch) <= type->size_max) break;
    }
    return max;
}

/* As many events from `from` on as fit into one message; one at least, which the channel may refuse. */
static size_t batch_count(const struct dispatch *delivery, size_t from)
{
    const struct channel_type *type = delivery->channel->type;
    size_t left = delivery->count - from, count = 1;
    if (left > ALERT_DIGEST_EVENTS_MAX) left = ALERT_DIGEST_EVENTS_MAX;
    /* a report is a message of its own */
    if (is_report(delivery, from)) return 1;
    for (size_t i = 1; i < left; i++)
        if (is_report(delivery, from + i)) left = i;
    if (type->size_max == 0) return left;
    while (count < left && batch_measure(delivery, (struct batch){from, count + 1, {0, 0, 0}}) <= type->size_max) count++;
    return count;
}

/* Cuts all that waits into messages, so that each can say which of how many it is. Returns how many. */
static size_t batches_make(const struct dispatch *delivery, struct batch *batches)
{
    size_t total = 0;
    for (size_t from = 0; from < delivery->count; from += batches[total++].count)
        batches[total] = (struct batch){.from = from, .count = batch_count(delivery, from)};
    for (size_t i = 0; i < total; i++)
        batches[i].part = (struct message_part){i + 1, total, is_report(delivery, batches[i].from) ? body_max(delivery, batches[i].from) : 0};
    return total;
}

/* One line an attempt. `why` comes from the channel, which keeps addresses and secrets out of it. */
static void log_outcome(const struct dispatch *delivery, const struct batch *batch, enum delivery_result result, const char *why)
{
    static const char *const names[] = {"alerts-delivered", "alerts-delayed", "alerts-parked", "alerts-unsure"};
    char name[256], count[32];
    snprintf(name, sizeof name, "%.*s", GT_STR_ARG(delivery->channel->name));
    snprintf(count, sizeof count, "%zu", batch->count);
    const char *what = delivery->is_picture ? "pictures" : "events";
    if (result == DELIVERY_DONE) log_event(delivery->log, LOG_INFO, names[result], "channel", name, what, count, NULL);
    else log_event(delivery->log, LOG_WARN, names[result], "channel", name, what, count, "why", why, NULL);
}

/* ---- the line afterwards ---- */

/* Takes the batch out of the line. The other entries keep their order; the places of later batches move up. */
static void batch_remove(struct dispatch *delivery, const struct batch *batch)
{
    struct queue *queue = &delivery->queue;
    size_t kept = 0, next = batch->from, end = batch->from + batch->count;
    for (size_t i = 0; i < queue->count; i++) {
        if (next < end && delivery->entries[next] == i) next++;
        else queue->entries[kept++] = queue->entries[i];
    }
    queue->count = kept;
    for (size_t i = end; i < delivery->count; i++) delivery->entries[i] -= batch->count;
}

/* An answer that said nothing is asked for once more; twice is for a person, who can look whether it arrived. */
static enum delivery_result settle_unsure(struct queue *queue, enum delivery_result result)
{
    if (result != DELIVERY_UNSURE) {
        queue->was_unsure = false;
        return result;
    }
    bool is_second = queue->was_unsure;
    queue->was_unsure = !is_second;
    return is_second ? DELIVERY_NEVER : DELIVERY_LATER;
}

/* A report whose picture the channel takes as a message of its own goes on waiting for that. */
static bool wants_picture(const struct dispatch *delivery, size_t index)
{
    char program[PATH_MAX];
    const json_t *plot = json_object_get(json_array_get(delivery->events, index), "plot");
    return delivery->channel->type->send_picture != NULL && json_string_length(plot) > 0 && alerts_picture_program(delivery->alerts->conf, program);
}

/* A picture has its own time: the channel's texts do not wait for it. */
static enum delivery_result settle_picture(struct dispatch *delivery, const struct batch *batch, enum delivery_result result, int64_t hold_s)
{
    struct queue_entry *entry = &delivery->queue.entries[delivery->entries[batch->from]];
    if (result == DELIVERY_UNSURE) result = entry->picture_try > 1 ? DELIVERY_NEVER : DELIVERY_LATER;
    if (result != DELIVERY_LATER) return result;
    int64_t wait_s = backoff_s(entry->picture_try);
    entry->hold_until_unix_s = delivery->now_unix_s + (hold_s > wait_s ? hold_s : wait_s);
    if (entry->picture_try < INT32_MAX) entry->picture_try++;
    return result;
}

/* What the outcome means for the line; written before anything else is sent. */
static enum gt_err settle(struct dispatch *delivery, const struct batch *batch, enum delivery_result result, int64_t hold_s, const char *why)
{
    struct queue *queue = &delivery->queue;
    struct gt_str reason = arena_dup(delivery->outbox.arena, gt_str_cut(gt_str_from(why), OUTBOX_ERROR_MAX));
    if (reason.ptr == NULL) return gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
    if (reason.len == 0) reason = GT_STR("it failed");
    queue->error = result == DELIVERY_DONE ? GT_STR("") : reason;
    if (result == DELIVERY_LATER && !delivery->is_picture) {
        if (queue->attempts < INT32_MAX) queue->attempts++;
        int64_t wait_s = backoff_s(queue->attempts);
        queue->next_try_unix_s = delivery->now_unix_s + (hold_s > wait_s ? hold_s : wait_s);
    } else if (!delivery->is_picture) {
        queue->attempts = 0;
        queue->next_try_unix_s = 0;
    }
    for (size_t i = 0; result == DELIVERY_NEVER && i < batch->count; i++) queue->entries[delivery->entries[batch->from + i]].parked = reason;
    bool has_picture = result == DELIVERY_DONE && !delivery->is_picture && wants_picture(delivery, batch->from);
    if (has_picture) queue->entries[delivery->entries[batch->from]].picture_try = 1;
    else if (result == DELIVERY_DONE) batch_remove(delivery, batch);
    return queue_save(&delivery->outbox, queue);
}

/* ---- how fast ---- */

/* Takes one message off the channel's allowance, which grows with time up to a minute's worth. False when there is none: the line then waits until
 * there is. */
static bool allowance_take(struct dispatch *delivery)
{
    struct queue *queue = &delivery->queue;
    int64_t full = (int64_t)delivery->channel->type->per_minute * MILLI;
    if (full == 0) return true;
    int64_t elapsed = delivery->now_unix_s - queue->allowance_unix_s;
    bool is_full = queue->allowance_unix_s == 0 || elapsed < 0 || elapsed >= MINUTE_S;
    int64_t have = is_full ? full : queue->allowance_milli + elapsed * full / MINUTE_S;
    if (have > full) have = full;
    if (have < MILLI) {
        queue->next_try_unix_s = delivery->now_unix_s + (MILLI - have) * MINUTE_S / full + 1;
        return false;
    }
    queue->allowance_milli = have - MILLI;
    queue->allowance_unix_s = delivery->now_unix_s;
    return true;
}

/* At :00 and :30 a vendor's robots all speak at once: this one waits a moment, another on each machine. Not on a clock that stands still. */
static void half_hour_pass(const struct dispatch *delivery)
{
    int64_t into = delivery->now_unix_s % HALF_HOUR_S;
    if (!delivery->channel->type->avoids_half_hours || delivery->alerts->clock->is_fixed || into >= BUSY_MOMENT_S) return;
    uint64_t own = digest_check64(delivery->channel->name) ^ (uint64_t)delivery->now_unix_s / HALF_HOUR_S;
    struct timespec pause = {.tv_sec = BUSY_MOMENT_S - into + (time_t)(own % BUSY_MOMENT_S)};
    while (nanosleep(&pause, &pause) != 0) continue;
}

/* ---- sending ---- */

/* The message's picture, for a channel that takes one; freed by the caller. What keeps it from being drawn is said once, and the message
 * goes without. */
static struct gt_str picture_of(const struct dispatch *delivery, const struct message *message)
{
    char program[PATH_MAX];
    struct gt_errinfo why = {0};
    struct gt_str png = {NULL, 0};
    struct alerts *alerts = delivery->alerts;
    bool is_taken = delivery->channel->type->takes_pictures || delivery->is_picture;
    if (!is_taken || message->plot.len == 0 || alerts->is_picture_missed) return png;
    if (!alerts_picture_program(alerts->conf, program) || picture_draw(program, &picture_sink, message->plot, &png, &why) == GT_OK) return png;
    alerts->is_picture_missed = true;
    log_event(delivery->log, LOG_WARN, "alerts-no-picture", "why", why.text, NULL);
    return png;
}

/* To the channel; a picture that could not be drawn is done with, and that was said. */
static enum delivery_result hand_over(const struct dispatch *delivery, const struct message *message, int64_t *ret_hold_s, struct gt_errinfo *why)
{
    const struct channel_type *type = delivery->channel->type;
    if (!delivery->is_picture) return type->send(delivery->channel, message, ret_hold_s, why);
    return message->png.len > 0 ? type->send_picture(delivery->channel, message->png, ret_hold_s, why) : DELIVERY_DONE;
}

/* Sends one message. *ret_goes_on is true when the next may follow at once. */
static enum gt_err send_one(struct dispatch *delivery, const struct batch *batch, bool *ret_goes_on)
{
    struct gt_errinfo why = {0};
    struct message message;
    int64_t hold_s = 0;
    *ret_goes_on = false;
    if (!allowance_take(delivery)) return queue_save(&delivery->outbox, &delivery->queue);
    struct arena *arena = arena_new(MESSAGE_BYTES_MAX);
    json_t *events = arena != NULL ? batch_message(delivery, batch, arena, &message) : NULL;
    enum gt_err err = GT_OK;
    if (events == NULL) {
        err = gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
    } else {
        message.png = picture_of(delivery, &message);
        enum delivery_result result = hand_over(delivery, &message, &hold_s, &why);
        free((char *)(uintptr_t)message.png.ptr);
        result = delivery->is_picture ? settle_picture(delivery, batch, result, hold_s) : settle_unsure(&delivery->queue, result);
        err = settle(delivery, batch, result, hold_s, why.text);
        if (!delivery->is_picture || message.png.len > 0) log_outcome(delivery, batch, result, why.text);
        *ret_goes_on = result == DELIVERY_DONE || (result == DELIVERY_NEVER && batch->part.total > 1);
    }
    json_decref(events);
    arena_free(arena);
    return err;
}

/* All messages that wait, or all pictures. *ret_goes_on is true when something else may follow at once. */
static enum gt_err deliver_waiting(struct dispatch *delivery, bool is_picture, bool *ret_goes_on)
{
    struct batch *batches = NULL;
    delivery->is_picture = is_picture;
    enum gt_err err = waiting_read(delivery);
    if (err == GT_OK && delivery->has_broken) err = queue_save(&delivery->outbox, &delivery->queue);
    if (err != GT_OK || delivery->count == 0) return err;
    batches = calloc(delivery->count, sizeof *batches);
    if (batches == NULL) return gt_fail(delivery->outbox.info, GT_ENOMEM, "out of memory");
    half_hour_pass(delivery);
    size_t total = batches_make(delivery, batches);
    for (size_t i = 0; i < total && err == GT_OK && *ret_goes_on; i++) err = send_one(delivery, &batches[i], ret_goes_on);
    free(batches);
    return err;
}

/* A channel that failed a while ago is left alone until its time has come, new events included: they go with the next
 * digest. Pictures come last. */
static enum gt_err deliver_channel(struct dispatch *delivery)
{
    bool goes_on = true;
    enum gt_err err = queue_load(&delivery->outbox, delivery->channel->name, &delivery->queue);
    if (err != GT_OK || delivery->queue.next_try_unix_s > delivery->now_unix_s) return err;
    err = deliver_waiting(delivery, false, &goes_on);
    if (err == GT_OK && goes_on && delivery->channel->type->send_picture != NULL) err = deliver_waiting(delivery, true, &goes_on);
    json_decref(delivery->events);
    return err;
}

enum gt_err alerts_deliver(struct alerts *alerts, const struct log *log, struct gt_errinfo *info)
{
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < alerts->channel_count; i++) {
        struct arena *arena = arena_new(ENGINE_SCRATCH_MAX);
        struct dispatch *delivery = calloc(1, sizeof *delivery);
        if (arena != NULL && delivery != NULL) {
            *delivery = (struct dispatch){.alerts = alerts,
                                          .channel = &alerts->channels[i],
                                          .log = log,
                                          .now_unix_s = clock_unix_s(alerts->clock),
                                          .is_zh = is_chinese(alerts),
                                          .outbox = {alerts->store, NULL, arena, info, NULL}};
            err = deliver_channel(delivery);
        } else {
            err = gt_fail(info, GT_ENOMEM, "out of memory");
        }
        free(delivery);
        arena_free(arena);
    }
    return err;
}
