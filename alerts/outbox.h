/* Events as recorded and each channel's line of events to send, in STORE_OUTBOX. Internal to alerts/.
 *
 *   e US time US id   the event's JSON (store/events.h)
 *   q US channel      the channel's line: keys of events waiting and parked, failures in a row, when to try next
 *
 * A line is one value, so that a digest of many events is acknowledged in one durable write. */
#ifndef GT_ALERTS_OUTBOX_H
#define GT_ALERTS_OUTBOX_H

#include "alerts/event.h"
#include "alerts/overlay.h"
#include "store/events.h"

enum {
    OUTBOX_QUEUE_KEY_MAX = 1024,
    OUTBOX_ERROR_MAX = 512, /* bytes kept of why a delivery failed */
};

/* Where to read and write: within a transaction, or (txn NULL) each call in one of its own. Borrowed. */
struct outbox {
    struct store *store;
    struct store_txn *txn;
    struct arena *arena;
    struct gt_errinfo *info;
    struct overlay *overlay; /* NULL; a replay's memory, which is then read and written in place of the store */
};

/* An event that waits for its channel, or was parked because the channel can never take it. */
struct queue_entry {
    struct gt_str key;         /* of the event */
    struct gt_str parked;      /* why; empty while it waits */
    int64_t hold_until_unix_s; /* not sent before: quiet hours, a weekly digest, a picture's next try; 0: at once */
    int32_t picture_try;       /* 0: the message itself; else that was taken, and this try of its picture comes next */
};

struct queue {
    struct gt_str channel;
    int32_t attempts;
    int64_t next_try_unix_s;
    struct gt_str error;
    bool was_unsure;             /* the last delivery's answer left open whether it was taken */
    int64_t allowance_milli;     /* messages that may be sent now, in thousandths; of channels with a limit a minute */
    int64_t allowance_unix_s;    /* when that was; 0: never sent, the whole allowance stands */
    struct queue_entry *entries;
    size_t count, cap;
};

/* store_get where nothing under a key is no failure worth a message: GT_ENOENT leaves `info` as it was. */
enum gt_err outbox_value_get(const struct outbox *outbox, enum store_table table, struct gt_str key, struct gt_str *ret_value);

/* store_put and store_each, or the replay's. */
enum gt_err outbox_value_put(const struct outbox *outbox, enum store_table table, struct gt_str key, struct gt_str value);
enum gt_err outbox_value_each(const struct outbox *outbox, enum store_table table, struct gt_str prefix, store_each_fn *fn,
                              void *ctx);

/* Records an event. *ret_is_new is false when one of that key is recorded already: it was told before. */
enum gt_err outbox_event_put(const struct outbox *outbox, struct gt_str key, struct gt_str json, bool *ret_is_new);

/* The event's JSON. GT_ENOENT. */
enum gt_err outbox_event_get(const struct outbox *outbox, struct gt_str key, struct gt_str *ret_json);

/* Rewrites an event's JSON. */
enum gt_err outbox_event_replace(const struct outbox *outbox, struct gt_str key, struct gt_str json);

/* Every recorded event in [since, until) by time, then id; `fn` as in alerts_list. */
enum gt_err outbox_events(const struct outbox *outbox, int64_t since_unix_s, int64_t until_unix_s, event_fn *fn, void *ctx);

/* Reads a channel's line; an empty one when there is none. GT_ECORRUPT. */
enum gt_err queue_load(const struct outbox *outbox, struct gt_str channel, struct queue *ret_queue);

/* Adds an event at the end, to be sent no earlier than `hold_until_unix_s`; the caller knows that it does not stand in the line already.
 * GT_ENOMEM. */
enum gt_err queue_add(struct queue *queue, struct gt_str key, int64_t hold_until_unix_s, struct arena *arena);

/* Takes an event out. */
void queue_remove(struct queue *queue, struct gt_str key);

/* Writes the line; one with nothing in it, no failures and no allowance is deleted. */
enum gt_err queue_save(const struct outbox *outbox, const struct queue *queue);

/* Channels that have a line, by name. The names live in the outbox's arena. */
enum gt_err queue_names(const struct outbox *outbox, struct gt_str **ret_names, size_t *ret_count);

#endif
