/* The engine's own shape, and the steps of evaluating one run. Internal to alerts/. */
#ifndef GT_ALERTS_ENGINE_H
#define GT_ALERTS_ENGINE_H

#include <limits.h>

#include "alerts/alerts.h"
#include "alerts/channel.h"
#include "alerts/outbox.h"
#include "alerts/state.h"

/* Bytes one run's evaluation may take. */
#define ENGINE_SCRATCH_MAX ((size_t)256 << 20)

enum { ENGINE_RULES_BYTES_MAX = 8 * 1024 * 1024, ENGINE_FAILED_MAX = 4096 };

/* A `source failed` event of the crawl under way, that "network down" may stand for. */
struct failed_source {
    const struct rule *rule;
    char key[EVENT_KEY_MAX];
};

struct alerts {
    struct conf *conf;
    struct store *store;
    const struct gt_clock *clock;
    struct arena *arena; /* of the rules */
    struct overlay *overlay; /* NULL; of a replay */
    struct holding *holdings;
    size_t holding_count;
    struct rule *rules;
    size_t rule_count;
    struct channel *channels;
    size_t channel_count;
    /* Of the crawl under way, for what needs several sites. */
    size_t sites_ok, sites_failed;
    struct failed_source *failed;
    size_t failed_count;
    bool is_sample;
    bool is_picture_missed; /* the weekly report's picture could not be drawn, and that was said */
};

/* An event recorded in this transaction that waits to be put into its channels' lines. */
struct fired {
    const struct rule *rule;
    struct gt_str key;
    int64_t hold_until_unix_s; /* 0: may be sent at once */
};

/* One evaluation: everything within one transaction of the store. */
struct evaluation {
    struct alerts *alerts;
    const struct run_input *run; /* NULL for what closes a crawl */
    const struct run_summary *summary;
    int64_t t_unix_s;
    int64_t board_unix_s; /* the moment whose board a crawl's close looks at; INT64_MAX: what stands */
    struct arena *arena;
    struct outbox outbox;
    struct gt_errinfo *info;
    struct fired *fired;
    size_t fired_count, fired_cap;
    struct gt_str row_terms; /* of the board's row that is looked at: made once, asked by every rule */
};

/* What one run says of one offer: all its changes together. */
struct observation {
    uint64_t offer_id;
    unsigned kinds;  /* bits of enum change_kind, of believed changes */
    bool is_doubted; /* the run showed something that the guards doubt */
    const struct offer_identity *identity;
    const struct offer_attributes *attributes;
    const struct offer_record *before, *after;
    struct gt_str detail;
};

/* ---- engine.c ---- */

/* The channel of that name, or NULL. */
const struct channel *engine_channel(const struct alerts *alerts, struct gt_str name);

/* GT_ECONF at the section's `to` when no channel has that name. */
enum gt_err engine_channel_check(const struct alerts *alerts, const struct conf_section *section, struct gt_str name, struct gt_errinfo *info);

/* How many sections a list of conf_sections holds; it may be NULL. */
size_t engine_sections_count(const struct conf_section *const *sections);

/* What a crawl keeps for its close begins from nothing. */
void engine_crawl_forget(struct alerts *alerts);

/* The rule of that name, or NULL. */
const struct rule *engine_rule(const struct alerts *alerts, struct gt_str name);

/* One run, or (run NULL) the close of a crawl at that moment. */
enum gt_err engine_evaluate(struct alerts *alerts, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                            int64_t t_unix_s, struct gt_errinfo *info);

/* ---- fire.c ---- */

/* Fills in what every event of the run has in common (rule, severity, condition, site, address, times) and writes it down. */
enum gt_err fire_prepare(struct evaluation *ev, const struct rule *rule, struct event *event, char ret_id[EVENT_ID_MAX],
                         struct gt_str *ret_json);

/* Records an event of a rule in this transaction and puts it in line for the rule's channels (unless silenced, or recorded
 * before). The rule's name, severity and condition, and the run's site, are filled in. *ret_key (may be NULL) is the event's
 * key. */
enum gt_err fire(struct evaluation *ev, const struct rule *rule, struct event *event, struct gt_str *ret_key);

/* As fire, for an event that was written down earlier: `json` with its id, and the time at which it is told. */
enum gt_err fire_json(struct evaluation *ev, const struct rule *rule, const char *id, struct gt_str json, bool was_silenced);

/* Writes every channel's line once. Last step of an evaluation. */
enum gt_err fire_flush(struct evaluation *ev);

/* ---- memory.c: states and pending conditions in STORE_ALERT_STATE ---- */

/* The key of what a rule remembers of `what` (an offer's id, a class, "source") at the run's site. In the arena. */
struct gt_str memory_key(struct evaluation *ev, const struct rule *rule, struct gt_str what);

/* Reads a state; *ret_is_known is false, and the state fresh, when there is none. */
enum gt_err memory_load(struct evaluation *ev, struct gt_str key, struct rule_state *ret_state, bool *ret_is_known);

/* Writes a state. */
enum gt_err memory_save(struct evaluation *ev, struct gt_str key, const struct rule_state *state);

/* Forgets a state. */
enum gt_err memory_drop(struct evaluation *ev, struct gt_str key);

/* ---- rearm.c ---- */

/* Whether `rearm` lets the rule speak of a subject (an offer's id, a class …) at the run's site. */
enum gt_err rearm_is_open(struct evaluation *ev, const struct rule *rule, struct gt_str subject, const struct metric_value *now,
                          bool is_up, bool *ret_is_open);

/* Notes that it has spoken. Writes nothing for rules without `rearm`. */
enum gt_err rearm_note(struct evaluation *ev, const struct rule *rule, struct gt_str subject, const struct metric_value *told, bool is_up);

/* ---- alive.c ---- */

/* GT_ECONF with file:line when [report alive] has no address. */
enum gt_err alive_check(const struct alerts *alerts, struct gt_errinfo *info);

/* ---- weekly.c ---- */

/* GT_ECONF with file:line when [report weekly] names a channel that no section defines, or a `picture_program` without its whole path. */
enum gt_err weekly_check(const struct alerts *alerts, struct gt_errinfo *info);

/* Puts last week's report into its channels' lines when a crawl closes and it is due. */
enum gt_err evaluate_weekly(struct evaluation *ev);

/* ---- evaluate_offer.c, evaluate_pending.c, evaluate_source.c, evaluate_class.c ---- */

/* Everything a rule has to say about one offer's changes. With `is_taken` (a waiting condition has used the observation up)
 * only what rules remember is brought up to date. */
enum gt_err evaluate_offer(struct evaluation *ev, const struct rule *rule, const struct observation *observation, bool is_taken);

/* Notes what a rule against `last-alerted` has told of an offer. */
enum gt_err evaluate_told(struct evaluation *ev, const struct rule *rule, uint64_t offer_id, const struct metric_value *told);

/* A condition with `resolve` whose confirmation failed has not been told: it may begin again. */
enum gt_err evaluate_untold(struct evaluation *ev, const struct rule *rule, uint64_t offer_id);

/* How rules remember an offer. In the arena. */
struct gt_str evaluate_subject(struct evaluation *ev, uint64_t offer_id);

/* The condition holds for the offer: begins, or stays silent because the rule has spoken of the offer already (`rearm`). */
enum gt_err evaluate_begin(struct evaluation *ev, const struct rule *rule, const struct observation *observation, struct event *event);

/* evaluate_finding.c: what the audit newly finds in the offer. */
enum gt_err evaluate_finding(struct evaluation *ev, const struct rule *rule, const struct observation *observation);

/* Rules with `each = site`: one event for all that a run says of their kind. */
enum gt_err evaluate_site_changes(struct evaluation *ev, const struct rule *rule, const struct observation *observations, size_t count);

/* A rule's figure before and after an observation. `before` of a promotion whose time ran out is the price while it lasted. */
enum gt_err evaluate_metrics(struct evaluation *ev, const struct rule *rule, const struct observation *observation,
                             struct metric_value *ret_before, struct metric_value *ret_now);

/* The terms that an offer prints a price for, as QUERY's `term=` knows them: "hour month". In the arena. */
struct gt_str evaluate_terms(const struct offer_record *record, struct arena *arena);

/* True when the rule's query passes the offer. */
bool evaluate_matches(const struct evaluation *ev, const struct rule *rule, const struct observation *observation);

/* A condition holds: fires at once, or (for = N) begins to wait for N - 1 further good runs that agree. */
enum gt_err pending_begin(struct evaluation *ev, const struct rule *rule, const struct observation *observation,
                          struct event *event);

/* Rules and offers whose observation of this run was used up by a waiting condition. */
struct pending_taken {
    const struct rule **rules;
    uint64_t *offer_ids;
    size_t count, cap;
};

/* Conditions of this site that wait: confirms, keeps or drops each by what this run says of its offer. */
enum gt_err pending_step(struct evaluation *ev, const struct observation *observations, size_t count,
                         struct pending_taken *ret_taken);

/* `source failed` and `source recovered`. */
enum gt_err evaluate_sources(struct evaluation *ev);

/* When a crawl closes: what rules ask of the board as a whole, in one walk over it (class lows, cards sold out on several platforms,
 * promotions about to end, holdings); sources without a good run; the price index; and one "network down" for sources that failed all together. */
enum gt_err evaluate_board(struct evaluation *ev);
enum gt_err evaluate_stale(struct evaluation *ev);

/* Notes for a rule about staleness when the run's site was last good; tells the recovery to whom the staleness was told. */
enum gt_err stale_note(struct evaluation *ev, const struct rule *rule, bool is_good);
enum gt_err evaluate_index(struct evaluation *ev);
enum gt_err evaluate_network(struct evaluation *ev);

/* The steps of evaluate_board: `_add` is handed each row for each rule that asks for its kind, `_end` comes once. */
struct board_walk {
    struct evaluation *ev;
    const struct rule **rules; /* those that ask for the board */
    size_t rule_count;
    struct standing *standings; /* evaluate_class.c */
    size_t standing_count, standing_cap;
    struct tally *tallies; /* evaluate_board.c: cards sold out, promotions about to end */
    size_t tally_count, tally_cap;
    struct market_low *lows; /* evaluate_market.c: one a rule and holding */
    size_t low_count;
};

/* evaluate_class.c: an offer into its class, or its site; each class's low, or each site's count, against what the rule remembers. */
enum gt_err class_row_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row);

/* Judges the lows. */
enum gt_err class_rows_end(struct board_walk *walk);

/* evaluate_market.c: a place for each rule and holding. */
enum gt_err market_begin(struct board_walk *walk);

/* The offer becomes the low of the holdings that it could replace, if it is lower. */
enum gt_err market_row_add(struct board_walk *walk, const struct rule *rule, const struct board_row *row);

/* Judges the lows. */
enum gt_err market_end(struct board_walk *walk);

/* What may set a low, of the rows that are walked (listed, not doubted, seen by ourselves): one card whose memory is known, to be had. */
bool walk_row_may_stand(const struct board_row *row);

/* True when the query passes the row, whose terms stand in ev->row_terms. */
bool walk_row_matches(struct evaluation *ev, const struct query *query, const struct board_row *row);

#endif
