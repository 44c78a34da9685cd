/* The words behind an amount: "(抢占)", "off", "minimum monthly spend", "(GB200 NVL72, 4 GPUs)". */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

/* A role behind the amount yields to one before it. */
static void see_role(struct price_find *find, enum role role)
{
    if (find->has_role) return;
    find->role = role;
    find->has_role = true;
}

/* Behind the amount a firm reason (代金券) outweighs a soft one from before (训练). */
static void see_reason(struct price_before *before, const struct price_token *t)
{
    if (before->reason != REFUSAL_NONE && before->is_reason_firm) return;
    before->reason = (enum refusal_reason)t->value;
    before->is_reason_firm = t->arg == 1;
}

/* A rate word or "per month" further behind: "¥1052（包月）", "$2.50 USD per hour". */
static void see_rate(struct price_before *before, const struct price_token *t)
{
    bool is_billed = t[1].kind == PK_BILLING || t[-1].kind == PK_BILLING || (t - 1)->kind == PK_FREE;
    if (before->rate != PERIOD_NONE || is_billed || t->value == PERIOD_NONE) return;
    before->rate = (enum period)t->value;
    before->style = t->kind == PK_RATE ? (enum price_style)t->arg : PRICE_STYLE_EACH;
    before->is_rate_near = true;
}

/* "(3-year reserved)", "for 3 months": what the amount is committed to, or the total of. */
static void see_term(struct price_parse *parse, size_t at, struct price_before *before)
{
    const struct price_token *t = &parse->tokens[at], *period = t[1].kind == PK_RANGE ? t + 2 : t + 1;
    if (period->kind != PK_PERIOD || before->term_months > 0) return;
    struct price_value value = price_number_value(&parse->lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK || value.nano > 1000 * NANO) return;
    int32_t months = price_period_months(period->value, (int32_t)(value.nano / NANO));
    if (months == 0 && before->duration_hours == 0 && period->value == PERIOD_HOUR) before->duration_hours = value.nano / NANO;
    bool is_calendar = period->value == PERIOD_MONTH && period->len == 3;
    if (is_calendar || months == 0) return;
    before->term_months = months;
    before->is_term_adjacent = true;
    before->is_term_committed = period[1].kind == PK_TERM || t[-1].kind == PK_TERM || period[1].kind == PK_ABOVE;
}

/* 起 in brackets, 左右: bounds that stand behind. */
static void see_bound(struct price_find *find, const struct price_token *t)
{
    bool is_plus = t->len == 1 && (price_is_spaced(t) || t[1].kind == PK_NUMBER); /* " + storage", "(+5%)" */
    if (is_plus) return;
    bool is_counted = (t - 1)->kind == PK_PERIOD || (t - 1)->kind == PK_CARD || (t - 1)->kind == PK_NODE;
    if (is_counted && !price_is_punct(t - 1, '(')) return; /* "（3 个月起）" bounds the term */
    bool is_alone = price_is_punct(t - 1, '(') && price_is_punct(t + 1, ')');
    if (find->bound == BOUND_EXACT && (t->arg == 1 || is_alone)) find->bound = t->value;
}

/* "$900 for 500 GPU hours", "8000 元 1万卡时": how much is bought at once. */
static bool is_pack(const struct price_token *number)
{
    const struct price_token *time = number + 1 + (number[1].kind == PK_SCALE);
    return time->kind == PK_CARD_TIME || time->kind == PK_CORE_TIME || price_is_card_time(time);
}

/* One word behind the amount. */
static void see_word(struct price_parse *parse, size_t at, struct price_find *find, struct price_before *before)
{
    const struct price_token *t = &parse->tokens[at];
    switch (t->kind) {
    case PK_ROLE: see_role(find, t->value); break;
    case PK_COND:
        if (t->value == COND_MEMBER) see_role(find, ROLE_MEMBER);
        else if (t->value != COND_ENTERPRISE && t->value != COND_UNKNOWN) see_role(find, ROLE_SALE);
        break;
    case PK_REFUSE: see_reason(before, t); break;
    case PK_RATE: see_rate(before, t); break;
    case PK_PERIOD:
        if (t[-1].kind == PK_PER || price_is_punct(t - 1, '/')) see_rate(before, t);
        break;
    case PK_NUMBER:
        if (is_pack(t)) before->reason = REFUSAL_TASK;
        else see_term(parse, at, before);
        break;
    case PK_FREE: /* "$10 free": given, not asked */
        if (at == find->last + 1 && (t[1].kind == PK_END || t[1].kind == PK_BREAK) && before->reason == REFUSAL_NONE) before->reason = REFUSAL_CREDIT;
        break;
    case PK_BOUND: see_bound(find, t); break;
    case PK_MEAN: find->is_mean = true; break;
    case PK_OFF: before->is_minus |= at == find->last + 1 && t->arg != 1; break;
    case PK_TERM: find->is_upfront |= t->arg == 1; break;
    default: break;
    }
}

/* A plus sign with blanks: "$250 + compute / month" is a plan's fee, "¥1.98/时 + ¥0.1/时" a part of
 * the price. */
static void see_plus(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    const struct price_token *t = &parse->tokens[find->last] + 1;
    if (t->kind != PK_BOUND || parse->lexed.text.ptr[t->at] != '+' || find->reason != REFUSAL_NONE) return;
    bool is_amount = index + 1 < parse->find_count && parse->finds[index + 1].first == find->last + 2 &&
                     parse->finds[index + 1].reason == REFUSAL_NONE;
    struct gt_str extra = price_token_text(&parse->lexed, find->last + 1 + (t[1].kind != PK_END));
    bool is_usage = gt_str_starts(extra, GT_STR("usage")) || gt_str_starts(extra, GT_STR("compute"));
    if (!is_amount && find->is_suffix_period && !is_usage) return; /* "$2.50/hr + storage" is whole as far as it goes */
    find->reason = is_amount ? REFUSAL_COMPONENT : REFUSAL_MIN_SPEND;
    if (is_amount) parse->finds[index + 1].reason = REFUSAL_COMPONENT;
}

/* "$0.15 / 1M input tokens": the tokens may stand behind a slash and words of their own. */
static void see_tokens(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    size_t end = index + 1 < parse->find_count ? parse->finds[index + 1].first : parse->lexed.count;
    if (find->is_suffix_period || find->reason != REFUSAL_NONE || !price_lexed_has(&parse->lexed, PK_TOKENS)) return;
    for (size_t i = find->last + 1; i < end && parse->tokens[i].kind != PK_BREAK; i++)
        if (parse->tokens[i].kind == PK_TOKENS) find->reason = REFUSAL_TOKEN;
}

/* "plus $0.10/hr for storage": what is priced stands right behind, and no card before it. */
static void see_storage(const struct price_parse *parse, struct price_find *find)
{
    const struct price_token *t = &parse->tokens[find->last] + 1;
    if (t->kind == PK_FILL) t++;
    bool is_last = t[1].kind == PK_END || t[1].kind == PK_BREAK || price_is_punct(t + 1, ')');
    if (t->kind != PK_STORAGE || !is_last || find->reason != REFUSAL_NONE) return;
    if (!price_names_machine(&parse->lexed, find->pre_from, find->first)) find->reason = price_subject_reason(t);
}

/* "¥1.79，每小时": a rate between the comma behind the amount and the end of what is said. */
static void see_rate_apart(const struct price_parse *parse, const struct price_find *find, struct price_before *before)
{
    const struct price_token *comma = &parse->tokens[find->last] + 1, *rate = comma + 1;
    if (comma->kind != PK_BREAK || rate->kind != PK_RATE || rate->arg != PRICE_STYLE_EACH) return;
    if (rate[1].kind == PK_END || rate[1].kind == PK_BREAK) see_rate(before, rate);
}

/* Words behind an amount reach to where the next amount's own words begin; only tax is looked for further, since it is said once at the end.
 */
void price_behind_read(struct price_parse *parse, size_t index, struct price_before *before)
{
    struct price_find *find = &parse->finds[index];
    see_tokens(parse, index);
    for (size_t i = find->last + 1; i < find->post_near; i++) see_word(parse, i, find, before);
    for (size_t i = find->last + 1; i < find->post_to && price_lexed_has(&parse->lexed, PK_TAX); i++)
        if (parse->tokens[i].kind == PK_TAX && find->tax == TAX_UNKNOWN) find->tax = parse->tokens[i].value;
    see_rate_apart(parse, find, before);
    see_storage(parse, find);
    see_plus(parse, index);
}
