/* The keys of a rule beside its condition: floors, hysteresis, silence after a message, hours and days of sending. */
#include "alerts/rule.h"
#include "common/civil.h"
#include "common/nearest.h"

enum { MS_PER_S = 1000, CLOCK_TEXT = 5 /* "22:00" */, DAY_MIN = 24 * 60 };

/* Every message of a rule begins with where it stands. */
enum gt_err rule_fail(const struct conf_section *section, const char *key, enum gt_err err, const struct gt_errinfo *why,
                      struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, key);
    if (err == GT_ENOMEM || value == NULL) return gt_fail(info, err, "%s", why->text);
    return conf_fail(value, info, why->text);
}

/* ---- min ---- */

static enum gt_err mins_add(struct rule *rule, struct gt_str piece, struct gt_errinfo *why)
{
    struct rule_min *min = &rule->mins[rule->min_count];
    if (piece.len > 0 && piece.ptr[piece.len - 1] == '%') return percent_read(piece, &rule->min_percent_nano, why);
    if (rule->min_count == RULE_MINS_MAX) return gt_fail(why, GT_EUSAGE, "more currencies than can be kept");
    enum gt_err err = amount_read(piece, &min->amount_nano, &min->currency, why);
    if (err == GT_OK) rule->min_count++;
    return err;
}

/* "50 CNY, 7 USD, 3%": one floor a currency, one percentage; the floor of the currency and the percentage must both be reached. */
static enum gt_err read_mins(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_str rest = conf_text(section, "min"), piece;
    struct gt_errinfo why = {0};
    bool is_move = rule->when.kind == WHEN_MOVE || rule->when.kind == WHEN_LOW || rule->when.kind == WHEN_MARKET;
    if (rest.len > 0 && !is_move)
        return conf_fail(conf_get(section, "min"), info, "a least move goes with `moves`, `drops`, `rises`, `new low` and `market` only");
    while (rest.len > 0 && gt_str_split(&rest, ',', &piece)) {
        enum gt_err err = mins_add(rule, gt_str_trim(piece), &why);
        if (err != GT_OK) return rule_fail(section, "min", err, &why, info);
    }
    bool is_amount_of_count = rule->when.metric == METRIC_OFFERS && rule->min_count > 0;
    return is_amount_of_count ? conf_fail(conf_get(section, "min"), info, "a number of offers is no amount: `min` is a percentage here") : GT_OK;
}

/* ---- resolve ---- */

/* On the side where the condition does not hold: else it would end before it began. */
static bool is_behind(const struct rule *rule, int64_t nano)
{
    if (rule->when.kind != WHEN_THRESHOLD) return nano < rule->when.percent_nano;
    return rule->when.direction == DIRECTION_BELOW ? nano > rule->when.amount_nano : nano < rule->when.amount_nano;
}

static enum gt_err read_resolve(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_str text = conf_text(section, "resolve");
    struct gt_errinfo why = {0};
    struct currency currency = rule->when.currency;
    bool is_threshold = rule->when.kind == WHEN_THRESHOLD;
    bool is_distance = rule->when.kind == WHEN_MARKET || (rule->when.kind == WHEN_MOVE && rule->when.reference == REFERENCE_MEDIAN);
    if (text.len == 0) return GT_OK;
    if (!is_threshold && !is_distance)
        return conf_fail(conf_get(section, "resolve"), info,
                         "goes with `below`, `above`, `against median` and `market` only: others hold for a moment");
    enum gt_err err = is_threshold ? amount_read(text, &rule->resolve_nano, &currency, &why) : percent_read(text, &rule->resolve_nano, &why);
    if (err == GT_OK && is_threshold && !currency_eq(currency, rule->when.currency))
        err = gt_fail(&why, GT_EUSAGE, "it must be in %s, as the condition is", rule->when.currency.code);
    if (err == GT_OK && !is_behind(rule, rule->resolve_nano))
        err = gt_fail(&why, GT_EUSAGE, "\"%.*s\" lies where the condition holds: it would end before it began", GT_STR_ARG(text));
    if (err != GT_OK) return rule_fail(section, "resolve", err, &why, info);
    rule->has_resolve = true;
    return GT_OK;
}

/* ---- rearm ---- */

static enum gt_err rearm_fail(const struct conf_section *section, struct gt_str text, struct gt_errinfo *info)
{
    static const char *const words[] = {"always", "once", "extreme"};
    struct gt_errinfo why = {0};
    struct gt_str first = text, rest = text;
    if (!gt_str_split(&rest, ' ', &first)) first = text;
    const char *nearest = nearest_word(first, words, sizeof words / sizeof words[0]);
    if (nearest != NULL && !gt_str_is(first, nearest)) gt_fail(&why, GT_EUSAGE, "\"%.*s\" is none, did you mean \"%s\"?", GT_STR_ARG(text), nearest);
    else gt_fail(&why, GT_EUSAGE, "takes always, once, a span such as 3d, or `extreme 5%%`, not \"%.*s\"", GT_STR_ARG(text));
    return rule_fail(section, "rearm", GT_EUSAGE, &why, info);
}

static enum gt_err read_rearm(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_str text = conf_text(section, "rearm");
    struct gt_errinfo why = {0};
    int64_t ms = 0;
    if (text.len == 0 || gt_str_is(text, "always")) return GT_OK;
    if (gt_str_is(text, "once")) {
        rule->rearm = REARM_ONCE;
        return GT_OK;
    }
    if (gt_str_starts(text, GT_STR("extreme "))) {
        enum gt_err err = percent_read(gt_str_trim(gt_str_slice(text, sizeof "extreme", text.len)), &rule->rearm_percent_nano, &why);
        if (err != GT_OK) return rule_fail(section, "rearm", err, &why, info);
        if (!when_is_price(&rule->when)) return conf_fail(conf_get(section, "rearm"), info, "`extreme` goes with conditions on a price only");
        rule->rearm = REARM_EXTREME;
        return GT_OK;
    }
    if (!conf_parse_duration(text, &ms) || ms < MS_PER_S) return rearm_fail(section, text, info);
    rule->rearm = REARM_AFTER;
    rule->rearm_s = ms / MS_PER_S;
    return GT_OK;
}

/* ---- quiet ---- */

/* Zones without summer time: what the calendar here knows (tz database; since 1991 or earlier for each). */
static const struct zone {
    const char *name;
    int32_t offset_s;
} zones[] = {
    {"Asia/Shanghai", 8 * CIVIL_HOUR_S}, {"Asia/Hong_Kong", 8 * CIVIL_HOUR_S}, {"Asia/Taipei", 8 * CIVIL_HOUR_S},
    {"Asia/Singapore", 8 * CIVIL_HOUR_S}, {"Asia/Tokyo", 9 * CIVIL_HOUR_S},    {"Asia/Seoul", 9 * CIVIL_HOUR_S},
    {"Asia/Kolkata", 19800},             {"Asia/Dubai", 4 * CIVIL_HOUR_S},     {"UTC", 0},
};

enum { ZONES = sizeof zones / sizeof zones[0] };

static bool read_clock(struct gt_str text, int32_t *ret_min)
{
    if (text.len != CLOCK_TEXT || text.ptr[2] != ':') return false;
    for (size_t i = 0; i < CLOCK_TEXT; i++)
        if (i != 2 && (text.ptr[i] < '0' || text.ptr[i] > '9')) return false;
    int32_t hour = (text.ptr[0] - '0') * 10 + (text.ptr[1] - '0'), minute = (text.ptr[3] - '0') * 10 + (text.ptr[4] - '0');
    *ret_min = hour * 60 + minute;
    return hour < 24 && minute < 60;
}

static enum gt_err read_zone(struct gt_str name, int32_t *ret_offset_s, struct gt_errinfo *why)
{
    const char *names[ZONES];
    for (size_t i = 0; i < ZONES; i++) {
        names[i] = zones[i].name;
        *ret_offset_s = zones[i].offset_s;
        if (gt_str_is(name, zones[i].name)) return GT_OK;
    }
    const char *nearest = nearest_word(name, names, ZONES);
    if (nearest != NULL) return gt_fail(why, GT_EUSAGE, "no zone \"%.*s\" is known, did you mean \"%s\"?", GT_STR_ARG(name), nearest);
    return gt_fail(why, GT_EUSAGE, "\"%.*s\" is no zone without summer time that is known here, such as Asia/Shanghai or UTC", GT_STR_ARG(name));
}

/* "22:00-08:00 Asia/Shanghai". */
static enum gt_err read_quiet(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    struct gt_str text = conf_text(section, "quiet"), rest = text, hours, from;
    struct gt_errinfo why = {0};
    struct rule_quiet quiet = {.is_set = true};
    enum gt_err err = GT_OK;
    if (text.len == 0) return GT_OK;
    bool is_good = gt_str_split(&rest, ' ', &hours) && gt_str_split(&hours, '-', &from) && read_clock(from, &quiet.from_min) &&
                   read_clock(hours, &quiet.until_min) && quiet.from_min != quiet.until_min;
    if (!is_good) err = gt_fail(&why, GT_EUSAGE, "takes hours and a zone such as 22:00-08:00 Asia/Shanghai, not \"%.*s\"", GT_STR_ARG(text));
    else err = read_zone(gt_str_trim(rest), &quiet.zone_offset_s, &why);
    if (err != GT_OK) return rule_fail(section, "quiet", err, &why, info);
    rule->quiet = quiet;
    return GT_OK;
}

/* The end of the quiet hours that hold `t_unix_s`; `t_unix_s` outside of them. */
static int64_t quiet_end(const struct rule_quiet *quiet, int64_t t_unix_s)
{
    if (!quiet->is_set) return t_unix_s;
    struct civil now = civil_from_unix(t_unix_s, quiet->zone_offset_s);
    int32_t minute = now.hour * 60 + now.minute;
    bool passes_midnight = quiet->from_min > quiet->until_min;
    bool is_quiet = passes_midnight ? minute >= quiet->from_min || minute < quiet->until_min
                                    : minute >= quiet->from_min && minute < quiet->until_min;
    if (!is_quiet) return t_unix_s;
    int32_t left = quiet->until_min - minute;
    if (left <= 0) left += DAY_MIN;
    return t_unix_s + (int64_t)left * CIVIL_MINUTE_S - now.second;
}

int64_t rule_next_morning(int64_t t_unix_s)
{
    int64_t since_one = (t_unix_s + CIVIL_SHANGHAI_S - RULE_WEEKLY_HOUR * CIVIL_HOUR_S) % CIVIL_DAY_S;
    return t_unix_s - since_one + CIVIL_DAY_S;
}

/* The next Monday 09:00 after `t_unix_s`. */
static int64_t next_monday(int64_t t_unix_s)
{
    int64_t monday = civil_monday_unix(t_unix_s, CIVIL_SHANGHAI_S) + RULE_WEEKLY_HOUR * CIVIL_HOUR_S;
    return monday > t_unix_s ? monday : monday + CIVIL_WEEK_S;
}

int64_t rule_hold_until(const struct rule *rule, int64_t t_unix_s)
{
    int64_t from = rule->is_weekly ? next_monday(t_unix_s) : t_unix_s;
    int64_t until = quiet_end(&rule->quiet, from);
    return until > t_unix_s ? until : 0;
}

/* ---- all ---- */

enum gt_err rule_keys_read(const struct conf_section *section, struct rule *rule, struct gt_errinfo *info)
{
    rule->is_weekly = gt_str_is(conf_text(section, "deliver"), "weekly");
    rule->day_max = (int32_t)conf_int(section, "a_day", 0);
    rule->is_per_site = gt_str_is(conf_text(section, "each"), "site");
    if (rule->is_per_site && (rule->when.kind != WHEN_CHANGE || rule->good_runs > 1))
        return conf_fail(conf_get(section, "each"), info, "`site` goes with kinds of change, and without `for`");
    if (rule->when.kind == WHEN_FINDING && rule->good_runs > 1)
        return conf_fail(conf_get(section, "for"), info, "an audit is of one record: further runs confirm nothing");
    enum gt_err err = read_mins(section, rule, info);
    if (err == GT_OK) err = read_resolve(section, rule, info);
    if (err == GT_OK) err = read_rearm(section, rule, info);
    return err == GT_OK ? read_quiet(section, rule, info) : err;
}
