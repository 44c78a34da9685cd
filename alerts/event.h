/* What is told: one event as facts, then as JSON and as a line of text. Internal to alerts/. */
#ifndef GT_ALERTS_EVENT_H
#define GT_ALERTS_EVENT_H

#include "alerts/metric.h"

enum { EVENT_ID_HEX = 32, EVENT_ID_MAX = EVENT_ID_HEX + 1 };

/* Borrowed; texts may be empty, amounts 0 where there are none. */
struct event {
    struct gt_str rule, severity;
    const char *what;     /* "price-moved", "sold-out", "source-failed", "class-low-moved", "network-down", "test" … */
    int64_t t_unix_s;     /* of the run that completed the condition */
    int64_t since_unix_s; /* of the run that first saw it: the same, unless the rule waits for several */
    uint64_t seq;         /* of that first run, or a count for what has no run */
    int32_t runs;         /* good runs that agreed */
    struct gt_str site, site_title, url;
    uint64_t offer_id;                         /* 0 for sources and classes; of a class low the offer that sets it */
    const struct offer_identity *identity;     /* NULL for sources and classes */
    const struct offer_attributes *attributes; /* NULL as well */
    struct gt_str class_key;                   /* for classes; also what the id of "network-down" hangs on */
    const struct when *when;                   /* NULL for what has no condition of its own */
    struct metric_value before, now;           /* unknown where the event is about no price */
    struct gt_str reference;                   /* "previous", "median 7d", "last-alerted" */
    struct gt_str detail;                      /* the guard's or the source's sentence */
    struct gt_str detail_zh;                   /* the same in Chinese, where it is our own words; empty: `detail` by label_sentence */
    bool is_sample, is_silenced;
};

/* The id: the first 32 hex digits of SHA-256 over rule, what, site, the offer's printed identity (or the class) and the run's
 * sequence number. The same event has the same id however often it is evaluated or sent. */
enum gt_err event_id(const struct event *event, char ret_id[EVENT_ID_MAX]);

/* The JSON of an event, compact, in the arena: fields in a fixed order, unknown ones null, amounts decimal strings. GT_ENOMEM. */
enum gt_err event_json(const struct event *event, const char *id, struct arena *arena, struct gt_str *ret_json);

/* One line in Chinese and in English, fit for a terminal and a chat: control characters escaped. In the arena; empty with NULL
 * ptr when memory is out. */
struct gt_str event_text_zh(const struct event *event, struct arena *arena);
struct gt_str event_text_en(const struct event *event, struct arena *arena);

/* "price-below" or "price-above", as `what` has them. Static storage. */
const char *event_what_beyond(enum direction direction);

/* The words of a kind of change as `what` has them. Static storage. */
const char *event_what(enum change_kind change);

#endif
