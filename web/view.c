/* From an address's parameters to what a report is asked; the same rules and words as the command line's. */
#include "common/civil.h"
#include "reports/period.h"
#include "web/limits.h"
#include "web/route.h"

static enum gt_err time_read(const struct web_view *view, enum web_param param, int64_t *ret_unix_s, struct gt_errinfo *info)
{
    struct gt_str text = view->request->params[param];
    if (text.len == 0 || civil_parse(text, ret_unix_s)) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "%s takes a time such as 2026-09-20 or 2026-09-20T12:00:00Z, not \"%.*s\"", web_param_name(param),
                   GT_STR_ARG(text));
}

static enum gt_err week_read(const struct web_view *view, enum web_param param, struct report_period *ret_period, struct gt_errinfo *info)
{
    struct gt_str text = view->request->params[param];
    if (period_week_read(text, view->input.zone_offset_s, ret_period)) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "%s takes a week such as 2026-W38, not \"%.*s\"", web_param_name(param), GT_STR_ARG(text));
}

/* week, month, or since and until. */
static enum gt_err period_read(struct web_view *view, struct gt_errinfo *info)
{
    const struct gt_str *params = view->request->params;
    struct report_input *input = &view->input;
    struct report_period period = {0};
    bool has_week = params[WEB_WEEK].len > 0, has_month = params[WEB_MONTH].len > 0;
    bool has_span = params[WEB_SINCE].len > 0 || params[WEB_UNTIL].len > 0;
    enum gt_err err = GT_OK;
    if (has_week + has_month + has_span > 1) return gt_fail(info, GT_EUSAGE, "one of week, month, since and until");
    if (has_week) err = week_read(view, WEB_WEEK, &period, info);
    if (has_month && !period_month_read(params[WEB_MONTH], input->zone_offset_s, &period))
        err = gt_fail(info, GT_EUSAGE, "month takes a month such as 2026-11, not \"%.*s\"", GT_STR_ARG(params[WEB_MONTH]));
    if (err == GT_OK && period.since_unix_s > input->now_unix_s) err = gt_fail(info, GT_EUSAGE, "that period has not begun yet");
    input->since_unix_s = period.since_unix_s;
    input->until_unix_s = period.until_unix_s;
    if (err == GT_OK) err = time_read(view, WEB_SINCE, &input->since_unix_s, info);
    if (err == GT_OK) err = time_read(view, WEB_UNTIL, &input->until_unix_s, info);
    if (params[WEB_SINCE].len > 0 && params[WEB_UNTIL].len == 0) input->until_unix_s = input->now_unix_s + 1;
    return err;
}

static enum gt_err currency_read(struct web_view *view, struct gt_errinfo *info)
{
    struct gt_str text = view->request->params[WEB_CURRENCY];
    if (text.len > 0 && !currency_is_code(text))
        return gt_fail(info, GT_EUSAGE, "currency takes an ISO code such as CNY, not \"%.*s\"", GT_STR_ARG(text));
    view->input.currency = currency_from(text);
    return GT_OK;
}

static enum gt_err lang_read(struct web_view *view, struct gt_errinfo *info)
{
    struct gt_str text = view->request->params[WEB_LANG];
    view->input.lang = view->settings->lang;
    if (text.len == 0 || lang_find(text, &view->input.lang)) return GT_OK;
    return gt_fail(info, GT_EUSAGE, "lang takes zh or en");
}

static enum gt_err base_read(struct web_view *view, struct gt_errinfo *info)
{
    struct report_period period = {0};
    if (view->request->params[WEB_BASE].len == 0) return GT_OK;
    enum gt_err err = week_read(view, WEB_BASE, &period, info);
    view->input.base_unix_s = period.since_unix_s;
    return err;
}

_Static_assert((int)WEB_PARAMS > ADVICE_WORDS && (int)WEB_KV_WIDTH == ADVICE_KV_WIDTH && (int)WEB_CARDS == ADVICE_CARDS, "one order");

/* Nothing is asked by an address without any of its parameters. */
static enum gt_err advice_read(struct web_view *view, struct gt_errinfo *info)
{
    bool is_asked = false;
    for (int i = 0; i < ADVICE_WORDS; i++) is_asked = is_asked || view->request->params[i].len > 0;
    if (!is_asked) return GT_OK;
    enum gt_err err = advice_words_read(view->request->params, "", &view->advice, info);
    if (err == GT_OK) view->input.advice = &view->advice;
    return err == GT_EOVERFLOW ? gt_fail(info, GT_EUSAGE, "a model of that size is more than can be reckoned") : err;
}

/* What a route does not take would be passed over in silence: a reader who filters by it would see everything. */
static enum gt_err params_check(const struct web_view *view, struct gt_errinfo *info)
{
    for (unsigned i = 0; i < WEB_PARAMS; i++)
        if (view->request->params[i].len > 0 && ((view->route->params | WEB_BIT(LANG)) & 1U << i) == 0)
            return gt_fail(info, GT_EUSAGE, "%s takes no %s", view->route->path, web_param_name((enum web_param)i));
    return GT_OK;
}

/* Language first: the error about any later parameter is told in it. */
enum gt_err web_view_read(struct web_view *view, struct gt_errinfo *info)
{
    struct report_input *input = &view->input;
    input->zone_offset_s = CIVIL_SHANGHAI_S;
    input->query_text = view->request->params[WEB_Q];
    input->persona = persona_default();
    enum gt_err err = lang_read(view, info);
    if (err == GT_OK) err = params_check(view, info);
    if (err == GT_OK) err = period_read(view, info);
    if (err == GT_OK) err = base_read(view, info);
    if (err == GT_OK) err = advice_read(view, info);
    if (err == GT_OK) err = currency_read(view, info);
    if (err == GT_OK) err = persona_read(view->request->params[WEB_PERSONA], &input->persona, info);
    if (err == GT_OK) err = query_read(input->query_text, view->arena, &input->query, info);
    return err;
}
