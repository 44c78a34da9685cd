/* The alert engine: rules of sites.conf over what runs changed, events and outbox in the run's own transaction, delivery
 * afterwards.
 *
 * Observation -> rule -> state -> event -> outbox -> channel -> acknowledged, all in the store. Nothing here prints. */
#ifndef GT_ALERTS_ALERTS_H
#define GT_ALERTS_ALERTS_H

#include <limits.h>

#include "common/clock.h"
#include "common/conf.h"
#include "common/log.h"
#include "store/store.h"

enum {
    ALERT_RULES_MAX = 256,
    ALERT_CHANNELS_MAX = 64,
    ALERT_REVIEW_DAYS = 56,        /* how far `alerts lint` looks back */
    ALERT_DIGEST_EVENTS_MAX = 100, /* in one message; more go into further ones */
};

struct alerts;

/* Reads every [alert NAME] and [channel NAME] section.
 *
 * conf, store, clock  borrowed for the engine's life; store may be NULL for a mere check of the rules.
 *
 * GT_OK; GT_ECONF with "file:line: key: message" for the first rule or channel that cannot be: an unknown metric or reference
 * (with the nearest one), a bad query, persona or amount, a channel that no section defines; GT_ELIMIT; GT_ENOMEM. */
enum gt_err alerts_new(struct conf *conf, struct store *store, const struct gt_clock *clock, struct alerts **ret_alerts,
                       struct gt_errinfo *info);

/* Releases the engine. NULL is accepted. */
void alerts_free(struct alerts *alerts);

/* For the hook of store_run_commit (and, with `run` NULL, of store_crawl_commit): evaluates the rules against the run's
 * changes and puts state, events and outbox rows into the same transaction. Doubted observations, prices that are not exact,
 * and failed sources fire no price rule; a first sight only seeds. Provenances other than live fire nothing. Errors of the
 * store and GT_ENOMEM: the caller aborts the run. */
enum gt_err alerts_on_run(struct alerts *alerts, struct store_txn *txn, const struct run_input *run,
                          const struct run_summary *summary, struct gt_errinfo *info);

/* Sends what stands in the outbox: one digest a channel, acknowledged in one durable write once the channel took it. What
 * fails for a while is kept and tried again on a later call, after 1 minute, 2, 4, … at most 6 hours; what can never succeed
 * is parked and stays visible. A channel that fails takes nothing from the others and is no error of this function; each
 * outcome is logged (addresses and secrets never). Errors of the store, GT_ENOMEM. */
enum gt_err alerts_deliver(struct alerts *alerts, const struct log *log, struct gt_errinfo *info);

/* Posts to the address of [report alive], where there is one: called after a crawl that got something. What fails is logged, no more: that the
 * post is missed is what the other end is for. */
void alerts_alive(const struct alerts *alerts, const struct log *log);

/* The program that draws charts: [report weekly] picture_program, by default reports/picture.h's. False when a message wants no picture. */
bool alerts_picture_program(const struct conf *conf, char ret_path[PATH_MAX]);

/* Puts parked events of a channel back in line for the next alerts_deliver. GT_ENOENT when no such channel has any. */
enum gt_err alerts_unpark(struct alerts *alerts, struct gt_str channel, struct gt_errinfo *info);

/* Puts one event that says it is a test into the channel's outbox. GT_ENOENT when no such channel is defined. */
enum gt_err alerts_test(struct alerts *alerts, struct gt_str channel, struct gt_errinfo *info);

/* Takes an event off every channel's line: somebody has seen to it. It stays recorded, with "acked" saying when. `id` is an event's id or the
 * beginning of one, eight characters at least. GT_ENOENT when there is none; GT_EUSAGE when there are several. */
enum gt_err alerts_ack(struct alerts *alerts, struct gt_str id, struct gt_errinfo *info);

/* What is silenced now. Texts live for the call. */
typedef enum gt_err alerts_silence_fn(void *ctx, struct gt_str what, bool is_query, int64_t until_unix_s);
enum gt_err alerts_silences(struct alerts *alerts, alerts_silence_fn *fn, void *ctx, struct gt_errinfo *info);

/* Nothing is sent before `until_unix_s` (0 ends it) of what the rule of that name fires, or, when there is none, of what any rule fires about
 * offers or sources that pass `what` as a query; it is recorded all the same, marked as silenced. GT_ENOENT when it is neither; GT_ELIMIT for a
 * query that is too long. */
enum gt_err alerts_silence(struct alerts *alerts, struct gt_str what, int64_t until_unix_s, struct gt_errinfo *info);

/* One event as it was recorded: `json` is the payload of one element of a digest's "events" (alerts/README.md lists its
 * fields). */
typedef enum gt_err alerts_event_fn(void *ctx, int64_t t_unix_s, struct gt_str json);

/* Evaluates the rules as they are now over all the history that is stored, from its beginning, and gives each event that would have fired in
 * [since, until), by time, then id. Sends nothing, writes nothing; silences count for nothing. An event has the id that it would have had. */
enum gt_err alerts_replay(struct alerts *alerts, int64_t since_unix_s, int64_t until_unix_s, alerts_event_fn *fn, void *ctx,
                          struct gt_errinfo *info);

/* What a rule comes to over the history that is stored, for `alerts lint`. */
struct alerts_review {
    struct gt_str name;
    bool is_about_offers;          /* it asks for offers or classes: `offers_matched` means something */
    size_t offers_matched;         /* listed offers on the board */
    size_t offers_in_floor;        /* of them, in a currency that `min`, the threshold or a holding names; all when none is named */
    size_t fired;                  /* events in the last `days` days */
    size_t interrupting;           /* of them, sent at once */
    int32_t days;                  /* of history looked at, ALERT_REVIEW_DAYS at most; 0: there is none */
};
typedef enum gt_err alerts_review_fn(void *ctx, const struct alerts_review *review);

/* Every rule that is enabled, by name. Texts live for the call. */
enum gt_err alerts_review(struct alerts *alerts, alerts_review_fn *fn, void *ctx, struct gt_errinfo *info);

/* Every recorded event in [since, until), by time, then id. Texts live for the call. */
enum gt_err alerts_list(struct alerts *alerts, int64_t since_unix_s, int64_t until_unix_s, alerts_event_fn *fn, void *ctx,
                        struct gt_errinfo *info);

/* Where a channel's outbox stands. */
struct alerts_queue {
    struct gt_str channel;
    size_t waiting, parked;
    int32_t attempts;         /* failures in a row; 0 when the last delivery went well */
    int64_t next_try_unix_s;  /* no earlier; 0: at the next delivery */
    struct gt_str last_error; /* one sentence; empty when there was none */
    bool is_defined;          /* false: no section of that name exists any more */
};
typedef enum gt_err alerts_queue_fn(void *ctx, const struct alerts_queue *queue);

/* Every channel that has an outbox or a section, by name. Texts live for the call. */
enum gt_err alerts_queues(struct alerts *alerts, alerts_queue_fn *fn, void *ctx, struct gt_errinfo *info);

/* One rule as it was understood, for `alerts lint`. */
struct alerts_rule {
    struct gt_str name;
    struct gt_str reads; /* the rule in one plain English sentence */
    const char *file;
    int line;
    bool is_enabled;
    struct gt_str warning; /* what a careful reader would ask about; empty when nothing */
};
typedef enum gt_err alerts_rule_fn(void *ctx, const struct alerts_rule *rule);

/* Every rule, by name. Texts live for the call. */
enum gt_err alerts_rules(const struct alerts *alerts, alerts_rule_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
