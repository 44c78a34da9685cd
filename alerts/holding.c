/* [holding NAME]: what is rented today, for rules that say when the market is cheaper. */
#include "alerts/engine.h"
#include "common/civil.h"

enum { HOLDINGS_MAX = 256 };

static enum gt_err holding_read(struct alerts *alerts, const struct conf_section *section, struct holding *holding, struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    const struct conf_value *until = conf_get(section, "until");
    *holding = (struct holding){.name = conf_section_name(section), .cards = (int32_t)conf_int(section, "cards", 1)};
    enum gt_err err = query_read(conf_text(section, "match"), alerts->arena, &holding->query, &why);
    if (err != GT_OK) return rule_fail(section, "match", err, &why, info);
    if (conf_get(section, "month") == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: [holding %.*s] has no `month`", conf_section_file(section), conf_section_line(section),
                       GT_STR_ARG(holding->name));
    err = amount_read(conf_text(section, "month"), &holding->month_nano, &holding->currency, &why);
    if (err == GT_OK && holding->month_nano <= 0) err = gt_fail(&why, GT_EUSAGE, "what one card costs a month is above 0");
    if (err != GT_OK) return rule_fail(section, "month", err, &why, info);
    /* The reader of sites.conf has seen that it is a date. */
    if (until != NULL && !civil_parse(conf_text(section, "until"), &holding->until_unix_s)) return conf_fail(until, info, "is no date");
    return GT_OK;
}

enum gt_err holdings_read(struct alerts *alerts, struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(alerts->conf, "holding");
    size_t count = engine_sections_count(sections);
    if (count > HOLDINGS_MAX) return gt_fail(info, GT_ELIMIT, "more than %d holdings", HOLDINGS_MAX);
    alerts->holdings = arena_array(alerts->arena, count + 1, sizeof *alerts->holdings);
    if (alerts->holdings == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = GT_OK;
    for (size_t i = 0; err == GT_OK && i < count; i++) {
        err = holding_read(alerts, sections[i], &alerts->holdings[i], info);
        if (err == GT_OK) alerts->holding_count++;
    }
    return err;
}
