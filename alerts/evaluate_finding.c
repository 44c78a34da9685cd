/* `finding [CODE]`: the audit finds in an offer's record what it did not find in the one before. */
#include "alerts/engine.h"
#include "pricing/audit.h"
#include "reports/labels.h"

static enum gt_err audit(struct evaluation *ev, const struct observation *observation, const struct offer_record *record,
                         struct audit_result *ret_result)
{
    const struct offer offer = {.identity = *observation->identity, .attributes = *observation->attributes, .record = *record, .stock = -1};
    enum gt_err err = audit_offer(&offer, &ev->run->net_rules, ev->arena, ret_result);
    return err == GT_OK ? GT_OK : gt_fail(ev->info, err, "an audit: %s", gt_err_text(err));
}

static bool has_code(const struct audit_result *result, const char *code)
{
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->findings[i].code, code) == 0) return true;
    return false;
}

enum gt_err evaluate_finding(struct evaluation *ev, const struct rule *rule, const struct observation *observation)
{
    struct audit_result before, after;
    struct gt_str detail = GT_STR(""), detail_zh = GT_STR("");
    /* What is seen for the first time only seeds. */
    if (observation->before == NULL || observation->after == NULL || !evaluate_matches(ev, rule, observation)) return GT_OK;
    enum gt_err err = audit(ev, observation, observation->before, &before);
    if (err == GT_OK) err = audit(ev, observation, observation->after, &after);
    for (size_t i = 0; err == GT_OK && i < after.count; i++) {
        const struct audit_finding *finding = &after.findings[i];
        bool is_asked = rule->when.finding.len == 0 || gt_str_is(rule->when.finding, finding->code);
        if (!is_asked || has_code(&before, finding->code)) continue;
        detail = arena_printf(ev->arena, "%.*s%s%s: %.*s", GT_STR_ARG(detail), detail.len > 0 ? "; " : "", finding->code,
                              GT_STR_ARG(finding->detail));
        detail_zh = arena_printf(ev->arena, "%.*s%s%.*s：%.*s", GT_STR_ARG(detail_zh), detail_zh.len > 0 ? "；" : "",
                                 GT_STR_ARG(label_code(LANG_ZH, finding->code)), GT_STR_ARG(label_sentence(ev->arena, LANG_ZH, finding->detail)));
    }
    if (err != GT_OK || detail.len == 0) return err;
    struct event event = {.what = "finding",
                          .offer_id = observation->offer_id,
                          .identity = observation->identity,
                          .attributes = observation->attributes,
                          .detail = detail,
                          .detail_zh = detail_zh};
    return evaluate_begin(ev, rule, observation, &event);
}
