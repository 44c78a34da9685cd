#include "pricing/site_extras.h"

enum { DAY_HOURS = 24 };

/* ---- reading ---- */

static const char *const fact_prefix = "fact.";

/* "CUR/GB", "CUR/GB/month", "CUR/GB/day". */
static bool unit_read(struct gt_str text, bool is_stored, struct site_fee *fee)
{
    struct gt_str currency, unit, period;
    if (!gt_str_split(&text, '/', &currency) || !gt_str_split(&text, '/', &unit) || !gt_str_is(unit, "GB")) return false;
    if (currency.len < 3 || currency.len >= CURRENCY_MAX) return false;
    fee->currency = currency_from(currency);
    bool has_period = gt_str_split(&text, '/', &period);
    if (has_period != is_stored || text.len > 0) return false;
    fee->period = PERIOD_NONE;
    if (!has_period) return true;
    fee->period = gt_str_is(period, "day") ? PERIOD_DAY : PERIOD_MONTH;
    return fee->period == PERIOD_DAY || gt_str_is(period, "month");
}

/* "included" is known and nothing; a section without the key is not known, and adds nothing but says so. */
bool site_fee_read(struct gt_str text, bool is_stored, struct site_fee *ret_fee)
{
    struct site_fee fee = {.is_known = true, .period = is_stored ? PERIOD_MONTH : PERIOD_NONE};
    text = gt_str_trim(text);
    if (gt_str_is(text, "included")) {
        *ret_fee = fee;
        return true;
    }
    fee.is_approx = gt_str_starts(text, GT_STR("~"));
    if (fee.is_approx) text = gt_str_trim(gt_str_slice(text, 1, SIZE_MAX));
    size_t blank = gt_str_find(text, GT_STR(" "), 0);
    if (blank == SIZE_MAX || text.len > SITE_FEE_TEXT_MAX) return false;
    if (money_parse(gt_str_slice(text, 0, blank), &fee.amount_nano) != GT_OK || fee.amount_nano <= 0) return false;
    if (!unit_read(gt_str_trim(gt_str_slice(text, blank, SIZE_MAX)), is_stored, &fee)) return false;
    *ret_fee = fee;
    return true;
}

static enum gt_err fee_from(const struct conf_section *section, const char *key, bool is_stored, struct site_fee *ret_fee,
                            struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, key);
    if (value == NULL || site_fee_read(value->text, is_stored, ret_fee)) return GT_OK;
    return conf_fail(value, info, is_stored ? "takes `0.05 USD/GB/month`, `0.01 CNY/GB/day` or `included`" : "takes `0.8 CNY/GB` or `included`");
}

/* A plain number from `low_nano` to `high_nano`. */
static enum gt_err number_from(const struct conf_section *section, const char *key, int64_t low_nano, int64_t high_nano,
                               int64_t *ret_nano, struct gt_errinfo *info)
{
    const struct conf_value *value = conf_get(section, key);
    int64_t nano;
    if (value == NULL) return GT_OK;
    if (money_parse(gt_str_trim(value->text), &nano) != GT_OK || nano < low_nano || nano > high_nano)
        return conf_fail(value, info, "is no number within its range");
    *ret_nano = nano;
    return GT_OK;
}

/* Limits of slips, not of markets: a hundred copies of a disk, a thousand percent for management. */
static enum gt_err fees_from(const struct conf_section *section, struct site_fees *ret_fees, struct gt_errinfo *info)
{
    struct site_fees fees = {.replicas_nano = NANO};
    enum gt_err err = fee_from(section, "fee.storage", true, &fees.storage, info);
    if (err == GT_OK) err = fee_from(section, "fee.stopped_disk", true, &fees.stopped_disk, info);
    if (err == GT_OK) err = fee_from(section, "fee.traffic", false, &fees.traffic, info);
    if (err == GT_OK) err = number_from(section, "fee.replicas", NANO, 100 * NANO, &fees.replicas_nano, info);
    if (err == GT_OK) err = number_from(section, "fee.management", 0, 1000 * NANO, &fees.management_nano, info);
    fees.is_management_known = conf_get(section, "fee.management") != NULL;
    if (err == GT_OK) *ret_fees = fees;
    return err;
}

/* "YYYY-MM-DD". */
static bool is_date(struct gt_str text)
{
    static const char shape[] = "dddd-dd-dd";
    if (text.len != sizeof shape - 1) return false;
    for (size_t i = 0; i < text.len; i++)
        if (shape[i] == 'd' ? text.ptr[i] < '0' || text.ptr[i] > '9' : text.ptr[i] != shape[i]) return false;
    return true;
}

/* "VALUE | SOURCE | DATE": without source and day it is a rumour, and refused. */
static bool fact_read(struct gt_str line, struct site_fact *fact)
{
    struct gt_str rest = line;
    return gt_str_split(&rest, '|', &fact->value) && gt_str_split(&rest, '|', &fact->source) && gt_str_split(&rest, '|', &fact->date) &&
           rest.len == 0 && fact->value.len > 0 && fact->source.len > 0 && is_date(fact->date);
}

/* Value, source and day, or it is refused: what a platform is said to do must be possible to look up. */
static enum gt_err facts_from(const struct conf_section *section, struct site_fact *facts, size_t *ret_count, struct gt_errinfo *info)
{
    const struct conf_value *value;
    size_t count = 0;
    for (size_t i = 0; (value = conf_at(section, i)) != NULL; i++) {
        if (!gt_str_starts(value->name, gt_str_from(fact_prefix))) continue;
        struct gt_str rest = value->text, line;
        while (gt_str_split(&rest, '\n', &line)) {
            if (line.len == 0) continue;
            if (count == SITE_FACTS_MAX) return gt_fail(info, GT_ELIMIT, "%s:%d: more than %d facts", value->file, value->line, SITE_FACTS_MAX);
            struct site_fact fact = {.name = gt_str_slice(value->name, strlen(fact_prefix), SIZE_MAX)};
            if (!fact_read(line, &fact)) return conf_fail(value, info, "takes `VALUE | SOURCE | YYYY-MM-DD`, one a line");
            facts[count++] = fact;
        }
    }
    *ret_count = count;
    return GT_OK;
}

enum gt_err site_extras_from_conf(const struct conf_section *section, struct arena *arena, struct site_extras *ret_extras,
                                  struct gt_errinfo *info)
{
    struct site_extras extras = {.site = conf_section_name(section), .title = conf_text(section, "title")};
    struct site_fact *facts = arena_array(arena, SITE_FACTS_MAX, sizeof *facts);
    if (facts == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = fees_from(section, &extras.fees, info);
    if (err == GT_OK) err = facts_from(section, facts, &extras.fact_count, info);
    if (err != GT_OK) return err;
    extras.facts = facts;
    *ret_extras = extras;
    return GT_OK;
}

/* ---- reckoning ---- */

/* A GB's fee over `hours` of being kept. */
static enum gt_err kept_fee(const struct site_fee *fee, int64_t hours, int32_t hours_per_month, int64_t *ret_nano)
{
    return money_scale(fee->amount_nano, hours, fee->period == PERIOD_DAY ? DAY_HOURS : hours_per_month, ROUND_HALF_UP, ret_nano);
}

/* A stopped machine's disk costs on, at some sites at another rate. */
enum gt_err site_fees_storage(const struct site_fees *fees, int64_t gb, int64_t months, int64_t stopped_hours,
                              int32_t hours_per_month, int64_t *ret_nano)
{
    const struct site_fee *stopped = fees->stopped_disk.is_known ? &fees->stopped_disk : &fees->storage;
    int64_t hours, running, resting, sum;
    if (!fees->storage.is_known) {
        *ret_nano = 0;
        return GT_OK;
    }
    if (hours_per_month <= 0 || stopped_hours < 0 || __builtin_mul_overflow(months, hours_per_month, &hours)) return GT_EOVERFLOW;
    if (stopped_hours > hours) return GT_EOVERFLOW;
    enum gt_err err = kept_fee(&fees->storage, hours - stopped_hours, hours_per_month, &running);
    if (err == GT_OK) err = kept_fee(stopped, stopped_hours, hours_per_month, &resting);
    if (err != GT_OK) return err;
    if (__builtin_add_overflow(running, resting, &sum)) return GT_EOVERFLOW;
    err = money_scale(sum, gb, 1, ROUND_HALF_UP, &sum);
    return err == GT_OK ? money_scale(sum, fees->replicas_nano, NANO, ROUND_HALF_UP, ret_nano) : err;
}

const struct site_extras *site_extras_find(const struct site_extras *extras, size_t count, struct gt_str site)
{
    for (size_t i = 0; i < count; i++)
        if (gt_str_eq(extras[i].site, site)) return &extras[i];
    return NULL;
}
