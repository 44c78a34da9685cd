/* One [alert NAME] section as understood. Internal to alerts/. */
#ifndef GT_ALERTS_RULE_H
#define GT_ALERTS_RULE_H

#include "common/conf.h"
#include "pricing/holding.h"
#include "pricing/persona.h"

enum {
    RULE_CHANNELS_MAX = 16,
    RULE_MINS_MAX = 8,
    RULE_WHEN_BYTES_MAX = 512,
    RULE_DAYS_MAX = 366, /* of a median */
    RULE_ID_HEX = 8,     /* of a rule's definition: an edited rule starts anew */
    RULE_WEEKLY_HOUR = 9, /* on Mondays in Shanghai */
};

/* What kind of condition a rule has. */
enum when_kind {
    WHEN_MOVE,      /* METRIC moves|drops|rises P% against REFERENCE */
    WHEN_THRESHOLD, /* METRIC below|above AMOUNT CUR */
    WHEN_CHANGE,    /* sold out, delisted, … : one kind of change */
    WHEN_FAILED,    /* source failed */
    WHEN_RECOVERED, /* source recovered */
    WHEN_DRIFTED,   /* drift: the page is there and the rules do not fit it */
    WHEN_STALE,     /* source stale 36h: so long without a good run */
    WHEN_LOW,       /* [class low] [METRIC] new low 90d; new high 90d, whose direction is up */
    WHEN_SOLD_OUT,  /* sold out on N platforms: one card, over all sites */
    WHEN_ENDING,    /* promotion ends within 3d: what is printed as its last day */
    WHEN_INDEX,     /* index moves|drops|rises P% a week: one card's price index, full weeks */
    WHEN_MARKET,    /* market P% under holding [for 3d] */
    WHEN_FINDING,   /* finding [CODE]: the audit finds in an offer what it did not find before */
    WHEN_KINDS
};

enum metric { METRIC_MONTH_NET, METRIC_HOUR_NET, METRIC_MONTH_LIST, METRIC_HOUR_LIST, METRIC_OFFERS, METRIC_COUNT };

enum direction { DIRECTION_MOVES, DIRECTION_DROPS, DIRECTION_RISES, DIRECTION_BELOW, DIRECTION_ABOVE, DIRECTION_NEW };

enum reference { REFERENCE_PREVIOUS, REFERENCE_MEDIAN, REFERENCE_LAST_ALERTED };

/* A condition, read from one line. */
struct when {
    enum when_kind kind;
    bool of_classes; /* of WHEN_INDEX: comparison classes, not cards */
    bool is_class; /* about the low of a comparison class, or (METRIC_OFFERS) how many a site has, not about each offer */
    enum metric metric;
    enum direction direction;
    int64_t percent_nano; /* 5 % = 5 * NANO */
    enum reference reference;
    int32_t days;        /* of the median, of the low */
    int64_t amount_nano; /* of a threshold */
    struct currency currency;
    enum change_kind change;
    int32_t platforms; /* of WHEN_SOLD_OUT */
    struct gt_str finding; /* of WHEN_FINDING: a code of the audit, borrowed; empty: any */
    int64_t span_s;    /* of WHEN_STALE, WHEN_ENDING, WHEN_MARKET */
};

/* Whether a rule speaks again of the same offer, class or source. */
enum rearm {
    REARM_ALWAYS,  /* each time the condition begins to hold */
    REARM_ONCE,    /* never again */
    REARM_AFTER,   /* not before `rearm_s` have passed */
    REARM_EXTREME, /* only for a price that goes `rearm_percent_nano` beyond the one last told, in the same direction */
};

/* Minutes of the day during which events wait; from > until passes midnight. */
struct rule_quiet {
    bool is_set;
    int32_t from_min, until_min, zone_offset_s;
};

/* An amount in a currency. */
struct rule_min {
    int64_t amount_nano;
    struct currency currency;
};

struct rule {
    struct gt_str name;
    const struct conf_section *section; /* borrowed */
    const struct query *query;
    struct when when;
    struct gt_str when_text;
    struct rule_min mins[RULE_MINS_MAX];
    size_t min_count;
    int64_t min_percent_nano; /* `min = 3%`; 0: none */
    bool has_resolve;
    int64_t resolve_nano; /* an amount for `below` and `above`, else a percentage */
    enum rearm rearm;
    int64_t rearm_s, rearm_percent_nano;
    struct rule_quiet quiet;
    bool is_weekly;   /* `deliver = weekly`: told with the week's first message */
    bool is_per_site; /* `each = site`: one event for all offers of a run */
    int32_t good_runs; /* `for` */
    int32_t day_max;   /* `a_day`; 0: any number */
    struct persona persona;
    struct gt_str severity;
    bool fires_at_first_sight; /* `initial = fire` */
    bool is_enabled;
    struct gt_str channels[RULE_CHANNELS_MAX];
    size_t channel_count;
    char id[RULE_ID_HEX + 1]; /* of what decides its state: condition, persona */
};

/* Reads a section. Everything lives in the arena or the conf. GT_ECONF with file:line; GT_ENOMEM. Whether the channels of `to`
 * exist is the engine's to check. */
enum gt_err rule_read(const struct conf_section *section, struct arena *arena, struct rule *ret_rule, struct gt_errinfo *info);

/* Reads a condition. GT_EUSAGE with a message that names the bad word and the nearest right one. */
enum gt_err when_read(struct gt_str text, struct when *ret_when, struct gt_errinfo *info);

/* Reads "5%"; above zero. GT_EUSAGE with a message. */
enum gt_err percent_read(struct gt_str word, int64_t *ret_percent_nano, struct gt_errinfo *info);

/* Reads `min`, `resolve`, `rearm`, `quiet`, `deliver`, `each` of a section into a rule whose condition is read. GT_ECONF with file:line. */
enum gt_err rule_keys_read(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info);

/* "file:line: key: why", or `why` as it is when memory is out. */
enum gt_err rule_fail(const struct conf_section *section, const char *key, enum gt_err err, const struct gt_errinfo *why,
                      struct gt_errinfo *info);

/* The moment at which an event of the rule, fired at `t_unix_s`, may be sent: later in its quiet hours, on Monday 09:00 (Asia/Shanghai) for
 * `deliver = weekly`; 0: at once. */
int64_t rule_hold_until(const struct rule *rule, int64_t t_unix_s);

/* The next 09:00 (Asia/Shanghai) after `t_unix_s`: what is over `a_day` waits for it. */
int64_t rule_next_morning(int64_t t_unix_s);

/* True for conditions on an offer's (or a class's) price: METRIC moves, below, above, new low. */
bool when_is_price(const struct when *when);

/* The words of a metric, direction, reference as they stand in sites.conf. Static storage. */
const char *metric_text(enum metric metric);
const char *direction_text(enum direction direction);

/* "previous", "median 7d", "last-alerted": in the arena. */
struct gt_str reference_text(const struct when *when, struct arena *arena);

/* True for the metrics of an hour. */
bool metric_is_hourly(enum metric metric);

/* Takes the next channel's name off the text of `to`, whose names are divided by blanks or commas. False when there is none. */
bool rule_channel_next(struct gt_str *rest, struct gt_str *ret_name);

#endif
