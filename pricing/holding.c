#include "pricing/holding.h"

#include "common/civil.h"

/* Every message begins with where it stands. */
static enum gt_err fail_at(const struct conf_section *section, const char *key, enum gt_err err, const struct gt_errinfo *why,
                           struct gt_errinfo *info)
{
    return err == GT_ENOMEM ? gt_fail(info, err, "%s", why->text) : conf_fail(conf_get(section, key), info, why->text);
}

static enum gt_err holding_read(const struct conf_section *section, struct arena *arena, struct holding *holding,
                                struct gt_errinfo *info)
{
    struct gt_errinfo why = {0};
    const struct conf_value *until = conf_get(section, "until");
    *holding = (struct holding){.name = conf_section_name(section), .cards = (int32_t)conf_int(section, "cards", 1)};
    enum gt_err err = query_read(conf_text(section, "match"), arena, &holding->query, &why);
    if (err != GT_OK) return fail_at(section, "match", err, &why, info);
    if (conf_get(section, "month") == NULL)
        return gt_fail(info, GT_ECONF, "%s:%d: [holding %.*s] has no `month`", conf_section_file(section),
                       conf_section_line(section), GT_STR_ARG(holding->name));
    err = amount_read(conf_text(section, "month"), &holding->month_nano, &holding->currency, &why);
    if (err == GT_OK && holding->month_nano <= 0) err = gt_fail(&why, GT_EUSAGE, "what one card costs a month is above 0");
    if (err != GT_OK) return fail_at(section, "month", err, &why, info);
    /* The reader of sites.conf has seen that it is a date. */
    if (until != NULL && !civil_parse(conf_text(section, "until"), &holding->until_unix_s))
        return conf_fail(until, info, "is no date");
    return GT_OK;
}

/* All or none: a holding that was left out in silence would never be undercut. */
enum gt_err holdings_read(struct conf *conf, struct arena *arena, struct holding **ret_holdings, size_t *ret_count,
                          struct gt_errinfo *info)
{
    const struct conf_section *const *sections = conf_sections(conf, "holding");
    size_t count = 0;
    while (sections != NULL && sections[count] != NULL) count++;
    if (count > HOLDINGS_MAX) return gt_fail(info, GT_ELIMIT, "more than %d holdings", HOLDINGS_MAX);
    struct holding *holdings = arena_array(arena, count, sizeof *holdings);
    if (holdings == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        enum gt_err err = holding_read(sections[i], arena, &holdings[i], info);
        if (err != GT_OK) return err;
    }
    *ret_holdings = holdings;
    *ret_count = count;
    return GT_OK;
}
