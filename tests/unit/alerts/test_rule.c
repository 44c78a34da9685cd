/* Rules as written: what is understood, what is refused and how. */
#include "alerts/rule.h"
#include "alerts/alerts.h"
#include "common/civil.h"
#include "tests/unit/table.h"

struct good_when {
    const char *name; /* the condition */
    enum when_kind kind;
    bool is_class;
    enum metric metric;
    enum direction direction;
    int64_t percent_nano; /* or the amount of a threshold */
    enum reference reference;
    int32_t days;
};

static const struct good_when good_whens[] = {
    {"month_net moves 5% against previous", WHEN_MOVE, false, METRIC_MONTH_NET, DIRECTION_MOVES, 5 * NANO, REFERENCE_PREVIOUS, 0},
    {"hour_net drops 2.5% against last-alerted", WHEN_MOVE, false, METRIC_HOUR_NET, DIRECTION_DROPS, 25 * NANO / 10,
     REFERENCE_LAST_ALERTED, 0},
    {"month_list rises 10% against median 7d", WHEN_MOVE, false, METRIC_MONTH_LIST, DIRECTION_RISES, 10 * NANO, REFERENCE_MEDIAN,
     7},
    {"hour_list   moves\t100%  against median 366d", WHEN_MOVE, false, METRIC_HOUR_LIST, DIRECTION_MOVES, 100 * NANO,
     REFERENCE_MEDIAN, 366},
    {"month_net below 1000 CNY", WHEN_THRESHOLD, false, METRIC_MONTH_NET, DIRECTION_BELOW, 1000 * NANO, REFERENCE_PREVIOUS, 0},
    {"hour_net above 1.57 usd", WHEN_THRESHOLD, false, METRIC_HOUR_NET, DIRECTION_ABOVE, 157 * NANO / 100, REFERENCE_PREVIOUS, 0},
    {"class low moves 5% against last-alerted", WHEN_MOVE, true, METRIC_COUNT, DIRECTION_MOVES, 5 * NANO, REFERENCE_LAST_ALERTED,
     0},
    {"class low hour_net below 1.5 CNY", WHEN_THRESHOLD, true, METRIC_HOUR_NET, DIRECTION_BELOW, 15 * NANO / 10,
     REFERENCE_PREVIOUS, 0},
    {"moves 5% against median 7d", WHEN_MOVE, false, METRIC_COUNT, DIRECTION_MOVES, 5 * NANO, REFERENCE_MEDIAN, 7},
    {"below 1000 CNY", WHEN_THRESHOLD, false, METRIC_COUNT, DIRECTION_BELOW, 1000 * NANO, REFERENCE_PREVIOUS, 0},
    {"new high 90d", WHEN_LOW, false, METRIC_COUNT, DIRECTION_RISES, 0, REFERENCE_PREVIOUS, 90},
    {"class low month_list new low 30d", WHEN_LOW, true, METRIC_MONTH_LIST, DIRECTION_DROPS, 0, REFERENCE_PREVIOUS, 30},
    {"class index drops 3% a week", WHEN_INDEX, false, METRIC_MONTH_NET, DIRECTION_DROPS, 3 * NANO, REFERENCE_PREVIOUS, 0},
    {"promotion ended", WHEN_CHANGE, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"sold out", WHEN_CHANGE, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {" back  in\nstock ", WHEN_CHANGE, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"promotion begins", WHEN_CHANGE, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"offers drops 30% against median 7d", WHEN_MOVE, true, METRIC_OFFERS, DIRECTION_DROPS, 30 * NANO, REFERENCE_MEDIAN, 7},
    {"finding", WHEN_FINDING, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"finding month-hour-mismatch", WHEN_FINDING, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"source failed", WHEN_FAILED, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
    {"source recovered", WHEN_RECOVERED, false, METRIC_MONTH_NET, DIRECTION_MOVES, 0, REFERENCE_PREVIOUS, 0},
};

static void check_good(void **state)
{
    const struct good_when *row = *state;
    struct when when;
    struct gt_errinfo info = {0};
    enum gt_err err = when_read(gt_str_from(row->name), &when, &info);
    if (err != GT_OK) print_error("%s\n", info.text);
    assert_int_equal(err, GT_OK);
    assert_int_equal(when.kind, row->kind);
    assert_int_equal(when.is_class, row->is_class);
    assert_int_equal(when.metric, row->metric);
    assert_int_equal(when.direction, row->direction);
    assert_int_equal(when.kind == WHEN_THRESHOLD ? when.amount_nano : when.percent_nano, row->percent_nano);
    assert_int_equal(when.reference, row->reference);
    assert_int_equal(when.days, row->days);
}

struct bad_when {
    const char *name; /* the condition */
    const char *said;
};

static const struct bad_when bad_whens[] = {
    {"", "empty"},
    {"   ", "empty"},
    {"month_nett moves 5% against previous", "did you mean \"month_net\"?"},
    {"price moves 5% against previous", "is no condition"},
    {"offers below 5 CNY", "of offers only a move is told"},
    {"class low offers moves 5% against previous", "counted a site, not a class"},
    {"finding month-hour", "is no code of the audit"},
    {"month_net", "ends where comparison should stand"},
    {"month_net jumps 5% against previous", "\"jumps\" is no comparison"},
    {"month_net move 5% against previous", "did you mean \"moves\"?"},
    {"month_net moves", "is no percentage"},
    {"month_net moves 5 against previous", "\"5\" is no percentage"},
    {"month_net moves -5% against previous", "is no percentage"},
    {"month_net moves 0% against previous", "is no percentage"},
    {"month_net moves five% against previous", "is no percentage"},
    {"month_net moves 5%", "lacks \"against previous\""},
    {"month_net moves 5% from previous", "lacks \"against previous\""},
    {"month_net moves 5% against", "ends where reference should stand"},
    {"month_net moves 5% against previos", "did you mean \"previous\"?"},
    {"month_net moves 5% against median", "is no number of days"},
    {"month_net moves 5% against median 7", "is no number of days"},
    {"month_net moves 5% against median 0d", "is no number of days"},
    {"month_net moves 5% against median 367d", "at most 366d"},
    {"month_net moves 5% against previous now", "\"now\" stands after the end"},
    {"month_net below 1000", "is no amount with a currency"},
    {"month_net below CNY", "is no amount with a currency"},
    {"month_net below -5 CNY", "is no amount with a currency"},
    {"month_net below 1000 ¥", "is no amount with a currency"},
    {"month_net below 1000 元", "is no amount with a currency"},
    {"month_net below 1000 YUAN", "is no amount with a currency"},
    {"month_net below 1000 CNY today", "\"today\" stands after the end"},
    {"class moves 5% against previous", "after \"class\" stands \"low\""},
    {"class index moves 5% against previous", "after the percentage stands \"a week\""},
    {"new top 90d", "stands \"low\" or \"high\""},
    {"moves against previous", "is no percentage"},
    {"sold outt", "did you mean \"sold out\"?"},
    {"back in stok", "did you mean \"back in stock\"?"},
    {"source fails", "did you mean \"source failed\"?"},
    {"a b c d e f g h i j k l m n o p q", "longer than 16 words"},
};

static void check_bad(void **state)
{
    const struct bad_when *row = *state;
    struct when when;
    struct gt_errinfo info = {0};
    assert_int_equal(when_read(gt_str_from(row->name), &when, &info), GT_EUSAGE);
    if (strstr(info.text, row->said) == NULL) print_error("said: %s\n", info.text);
    assert_non_null(strstr(info.text, row->said));
}

/* Whole sections: errors say where they stand. */
struct section {
    const char *name;
    const char *text;
    const char *said; /* "" when it is well-formed */
};

static const struct section sections[] = {
    {"the shipped sort",
     "[alert a]\nmatch = 4090 delivery=container\nwhen = month_net moves 5% against previous\nmin = 50 CNY\nfor = 2\n", ""},
    {"a persona", "[alert a]\nwhen = hour_net moves 5% against previous\npersona = pay=hour\n", ""},
    {"channels divided by commas", "[channel x]\ntype = exec\ncommand = /bin/true\n[channel y]\ntype = exec\ncommand = /bin/true\n[alert a]\nwhen = sold out\nto = x, y,x\n", ""},
    {"a channel behind a comma that is none", "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nwhen = sold out\nto = x,z\n", "no [channel z]"},
    {"two channels", "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nwhen = sold out\nto = x x\n", ""},
    {"no condition", "[alert a]\nmatch = 4090\n", "test.conf:1: [alert a] has no `when`"},
    {"a bad condition", "[alert a]\n\nwhen = month_net moves\n", "test.conf:3: when:"},
    {"a bad query", "[alert a]\nwhen = sold out\nmatch = RTX 6000\n", "test.conf:3: match:"},
    {"a bad persona", "[alert a]\nwhen = sold out\npersona = pay=day\n", "test.conf:3: persona:"},
    {"a bad floor", "[alert a]\nwhen = month_net moves 5% against previous\nmin = 50\n", "test.conf:3: min:"},
    {"a floor without a move", "[alert a]\nwhen = sold out\nmin = 50 CNY\n", "goes with `moves`"},
    {"an unknown channel", "[alert a]\nwhen = sold out\nto = ops\n", "test.conf:3: to: no [channel ops] is defined"},
    {"a channel without a type", "[channel ops]\nurl = https://example.com/\n", "test.conf:1: [channel ops] has no `type`"},
    {"a webhook without an address", "[channel ops]\ntype = webhook\n", "has neither `url` nor `url_file`"},
    {"a webhook with two", "[channel ops]\ntype = webhook\nurl = https://example.com/\nurl_file = /x\n",
     "test.conf:4: url_file:"},
    {"a webhook that is no address", "[channel ops]\ntype = webhook\nurl = ftp://example.com/\n", "test.conf:3: url:"},
    {"exec without a command", "[channel ops]\ntype = exec\n", "has no `command`"},
    {"exec without a path", "[channel ops]\ntype = exec\ncommand = notify\n", "test.conf:3: command:"},
    {"all the keys", "[alert a]\nwhen = month_net below 900 CNY\nresolve = 950 CNY\nrearm = 3d\nquiet = 22:00-08:00 Asia/Shanghai\ndeliver = weekly\n", ""},
    {"a floor in percent", "[alert a]\nwhen = month_net moves 1% against previous\nmin = 50 CNY, 3%\n", ""},
    {"a slip in a new condition", "[alert a]\nwhen = index drop 3% a week\n", "did you mean \"drops\"?"},
    {"a slip before the figure", "[alert a]\nwhen = source stall 36h\n", "did you mean \"source stale 36h\"?"},
    {"platforms without a number", "[alert a]\nwhen = sold out on two platforms\n", "is no number of platforms"},
    {"no platforms", "[alert a]\nwhen = sold out on 0 platforms\n", "is no number of platforms"},
    {"a span that is none", "[alert a]\nwhen = promotion ends within soon\n", "\"soon\" is no span such as 3d"},
    {"an index without its span", "[alert a]\nwhen = index drops 3%\n", "stands \"a week\""},
    {"a market over nothing", "[alert a]\nwhen = market 8% under\n", "stands \"under holding\""},
    {"new without low", "[alert a]\nwhen = new top 90d\n", "stands \"low\""},
    {"resolve where the condition holds", "[alert a]\nwhen = month_net below 900 CNY\nresolve = 800 CNY\n", "test.conf:3: resolve: \"800 CNY\" lies where"},
    {"resolve in another currency", "[alert a]\nwhen = month_net below 900 CNY\nresolve = 130 USD\n", "must be in CNY"},
    {"resolve of a moment", "[alert a]\nwhen = sold out\nresolve = 3%\n", "test.conf:3: resolve: goes with"},
    {"a slip in rearm", "[alert a]\nwhen = sold out\nrearm = onec\n", "test.conf:3: rearm: \"onec\" is none, did you mean \"once\"?"},
    {"rearm of nothing", "[alert a]\nwhen = sold out\nrearm = 0\n", "takes always, once"},
    {"an extreme of no price", "[alert a]\nwhen = sold out\nrearm = extreme 5%\n", "goes with conditions on a price"},
    {"quiet without a zone", "[alert a]\nwhen = sold out\nquiet = 22:00-08:00\n", "test.conf:3: quiet:"},
    {"quiet in a zone with a slip", "[alert a]\nwhen = sold out\nquiet = 22:00-08:00 Asia/Shangai\n", "did you mean \"Asia/Shanghai\"?"},
    {"quiet in a zone with summer time", "[alert a]\nwhen = sold out\nquiet = 22:00-08:00 Europe/Berlin\n", "without summer time"},
    {"quiet at an hour that is none", "[alert a]\nwhen = sold out\nquiet = 22:00-24:00 UTC\n", "takes hours and a zone"},
    {"quiet for no time", "[alert a]\nwhen = sold out\nquiet = 08:00-08:00 UTC\n", "takes hours and a zone"},
    {"one event a site for a price", "[alert a]\nwhen = new low 90d\neach = site\n", "test.conf:3: each:"},
    {"a holding", "[holding h]\nmatch = 4090\nmonth = 1020 CNY\nuntil = 2027-03-31\n", ""},
    {"a holding without its price", "[holding h]\nmatch = 4090\n", "test.conf:1: [holding h] has no `month`"},
    {"a holding for nothing", "[holding h]\nmonth = 0 CNY\n", "test.conf:2: month: what one card"},
    {"a holding of no card", "[holding h]\nmatch = 4099x\nmonth = 1 CNY\n", "test.conf:2: match:"},
    {"a report to nobody that is known", "[report weekly]\nto = boss\n", "test.conf:2: to: no [channel boss] is defined"},
    {"for of nothing", "[alert a]\nwhen = sold out\nfor = 0\n", "test.conf:3"},
    {"an unknown severity", "[alert a]\nwhen = sold out\nseverity = loud\n", "test.conf:3"},
};

static void check_section(void **state)
{
    const struct section *row = *state;
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct gt_clock clock = {.is_fixed = true};
    struct alerts *alerts = NULL;
    enum gt_err err = conf_read_text(conf, "test.conf", gt_str_from(row->text), &info);
    if (err == GT_OK) err = alerts_new(conf, NULL, &clock, &alerts, &info);
    alerts_free(alerts);
    conf_free(conf);
    if (strstr(info.text, row->said) == NULL) print_error("said: %s\n", info.text);
    if (row->said[0] == '\0') assert_int_equal(err, GT_OK);
    else assert_int_equal(err, GT_ECONF);
    assert_non_null(strstr(info.text, row->said));
}

/* Rules told in plain words. */
struct told {
    const char *name;
    const char *text;
    const char *reads, *warns;
};

static const struct told tolds[] = {
    {"everything", "[alert a]\nwhen = sold out\n", "everything: sold out; warning, recorded only", "no `to`"},
    {"all that can be said",
     "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nmatch = 4090\nwhen = month_net drops 5% against previous\nmin = "
     "50 CNY, 7 USD\nfor = 2\n"
     "severity = critical\nto = x\npersona = cards=8\n",
     "4090: month_net drops 5% against previous, at least 50 CNY or 7 USD, 2 runs in a row, for cards=8; critical to x", ""},
    {"a source has no card",
     "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nmatch = 4090\nwhen = source failed\nto = x\n",
     "4090: source failed", "a source has no card"},
    {"a site may fail",
     "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nmatch = site=jygpu\nwhen = source failed\nto = x\n", "site=jygpu",
     ""},
    {"first sight of a move",
     "[channel x]\ntype = exec\ncommand = /bin/true\n[alert a]\nwhen = month_net moves 5% against previous\ninitial = fire\nto = "
     "x\n",
     "everything", "for `below` and `above` only"},
    {"not enabled", "[alert a]\nwhen = sold out\nenabled = no\n", "everything", "not enabled"},
};

static enum gt_err hear_rule(void *ctx, const struct alerts_rule *rule)
{
    const struct told *row = ctx;
    char text[1024];
    snprintf(text, sizeof text, "%.*s", GT_STR_ARG(rule->reads));
    if (strstr(text, row->reads) == NULL) fail_msg("reads: %s", text);
    snprintf(text, sizeof text, "%.*s", GT_STR_ARG(rule->warning));
    if (strstr(text, row->warns) == NULL || (row->warns[0] == '\0' && text[0] != '\0')) fail_msg("warns: %s", text);
    return GT_OK;
}

static void check_told(void **state)
{
    struct told *row = *state;
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct gt_clock clock = {.is_fixed = true};
    struct alerts *alerts = NULL;
    assert_int_equal(conf_read_text(conf, "test.conf", gt_str_from(row->text), &info), GT_OK);
    assert_int_equal(alerts_new(conf, NULL, &clock, &alerts, &info), GT_OK);
    assert_int_equal(alerts_rules(alerts, hear_rule, row, &info), GT_OK);
    alerts_free(alerts);
    conf_free(conf);
}

/* When an event may be sent. */
struct hold {
    const char *name;
    const char *keys, *fired, *sent; /* "" : at once */
};

static const struct hold holds[] = {
    {"at once", "", "2026-09-20T15:00:00Z", ""},
    {"in the night of Shanghai", "quiet = 22:00-08:00 Asia/Shanghai\n", "2026-09-20T15:00:30Z", "2026-09-21T00:00:00Z"},
    {"behind midnight", "quiet = 22:00-08:00 Asia/Shanghai\n", "2026-09-20T17:00:00Z", "2026-09-21T00:00:00Z"},
    {"as it begins", "quiet = 22:00-08:00 Asia/Shanghai\n", "2026-09-20T14:00:00Z", "2026-09-21T00:00:00Z"},
    {"a second before", "quiet = 22:00-08:00 Asia/Shanghai\n", "2026-09-20T13:59:59Z", ""},
    {"as it ends", "quiet = 22:00-08:00 Asia/Shanghai\n", "2026-09-21T00:00:00Z", ""},
    {"at noon", "quiet = 12:00-13:30 UTC\n", "2026-09-20T12:10:00Z", "2026-09-20T13:30:00Z"},
    {"after noon", "quiet = 12:00-13:30 UTC\n", "2026-09-20T13:30:00Z", ""},
    {"weekly, on a Sunday", "deliver = weekly\n", "2026-09-20T15:00:00Z", "2026-09-21T01:00:00Z"},
    {"weekly, on Monday before nine", "deliver = weekly\n", "2026-09-21T00:59:59Z", "2026-09-21T01:00:00Z"},
    {"weekly, on Monday at nine", "deliver = weekly\n", "2026-09-21T01:00:00Z", "2026-09-28T01:00:00Z"},
    {"weekly, and quiet until ten", "deliver = weekly\nquiet = 20:00-10:00 Asia/Shanghai\n", "2026-09-20T15:00:00Z", "2026-09-21T02:00:00Z"},
};

struct morning {
    const char *name, *at, *next;
};

static const struct morning mornings[] = {
    {"before nine in Shanghai", "2026-09-21T00:59:59Z", "2026-09-21T01:00:00Z"},
    {"at nine", "2026-09-21T01:00:00Z", "2026-09-22T01:00:00Z"},
    {"in the evening", "2026-09-21T15:00:00Z", "2026-09-22T01:00:00Z"},
    {"behind midnight there", "2026-09-21T20:00:00Z", "2026-09-22T01:00:00Z"},
};

static void check_morning(void **state)
{
    const struct morning *row = *state;
    int64_t at = 0, next = 0;
    assert_true(civil_parse(gt_str_from(row->at), &at) && civil_parse(gt_str_from(row->next), &next));
    assert_int_equal(rule_next_morning(at), next);
}

static void check_hold(void **state)
{
    const struct hold *row = *state;
    struct conf *conf = conf_new();
    struct arena *arena = arena_new(1 << 20);
    struct gt_errinfo info = {0};
    struct rule rule;
    char text[512];
    int64_t fired = 0, sent = 0;
    snprintf(text, sizeof text, "[alert a]\nwhen = sold out\n%s", row->keys);
    assert_int_equal(conf_read_text(conf, "test.conf", gt_str_from(text), &info), GT_OK);
    assert_int_equal(rule_read(conf_find(conf, "alert", GT_STR("a")), arena, &rule, &info), GT_OK);
    assert_true(civil_parse(gt_str_from(row->fired), &fired) && (row->sent[0] == '\0' || civil_parse(gt_str_from(row->sent), &sent)));
    assert_int_equal(rule_hold_until(&rule, fired), sent);
    arena_free(arena);
    conf_free(conf);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(good_whens, check_good) + TABLE_RUN(bad_whens, check_bad) + TABLE_RUN(sections, check_section) +
           TABLE_RUN(tolds, check_told) + TABLE_RUN(holds, check_hold) + TABLE_RUN(mornings, check_morning);
}
