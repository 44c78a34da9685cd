/* Headings: "按需价格（元/小时）", "PRICE/GPU/HR*", "Preemptible, GPU-hour". Words for a whole column, in
 * any order, without amounts. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

/* What a pass over the words has seen. */
struct seen {
    enum period rate, noun;
    bool has_rates; /* two different rates: neither is believed */
    int32_t term_months;
};

/* "按秒计费" tells how bills are made; a column of prices per second says so with a slash or "per". */
static bool is_billing_step(const struct price_token *rate)
{
    bool is_short = rate->value == PERIOD_SECOND || rate->value == PERIOD_MINUTE;
    return is_short && (rate[1].kind == PK_BILLING || rate[-1].kind == PK_BILLING || rate->arg == PRICE_STYLE_BY);
}

/* Two different rates in a heading ("时租/月租") leave the period open. */
static void see_rate(struct seen *seen, const struct price_token *t)
{
    if (t->value == PERIOD_NONE || is_billing_step(t)) return;
    if (seen->rate != PERIOD_NONE && seen->rate != t->value) seen->has_rates = true;
    seen->rate = (enum period)t->value;
}

/* "3 年期", "1-year reserved": a term. */
static bool see_term(const struct price_lexed *lexed, size_t at, struct seen *seen)
{
    const struct price_token *t = &lexed->tokens[at];
    size_t next = t[1].kind == PK_RANGE ? at + 2 : at + 1;
    if (lexed->tokens[next].kind != PK_PERIOD) return false;
    struct price_value value = price_number_value(lexed, at, DECIMAL_POINT, false);
    if (value.status == GT_OK && value.nano <= 120 * NANO)
        seen->term_months = price_period_months(lexed->tokens[next].value, (int32_t)(value.nano / NANO));
    return true;
}

/* 厘 and 角 are characters of other words as well: they count as units of money in brackets and
 * beside a slash. */
static bool is_unit_place(const struct price_token *t)
{
    return price_is_punct(t - 1, '(') || price_is_punct(t - 1, ':') || price_is_punct(t + 1, '/') || price_is_punct(t + 1, ')');
}

/* Currency, cents and 万元. */
static void see_money(const struct price_lexed *lexed, size_t at, struct price_heading *ret)
{
    const struct price_token *t = &lexed->tokens[at];
    if (t->kind == PK_CURRENCY) {
        ret->currency = t->value;
    } else if (t->kind == PK_CENTS && (t->arg == 2 || is_unit_place(t))) {
        ret->cents_power = t->arg;
        if (t->value != PRICE_CUR_NONE) ret->currency = t->value;
    } else if (t->kind == PK_SCALE && t->value == 0 && t[-1].kind != PK_NUMBER && t[1].kind == PK_CURRENCY) {
        ret->scale_power = t->arg;
    }
}

/* Roles and bounds hold for the whole column. */
static void see_words(const struct price_token *t, struct price_heading *ret)
{
    if (t->kind == PK_ROLE && !ret->has_role) {
        ret->role = t->value;
        ret->has_role = true;
    } else if (t->kind == PK_ROLE && price_is_punct(t - 1, '/') && !ret->has_role2) {
        ret->role2 = t->value; /* "On-demand / Spot" over "1.99 / 1.49" */
        ret->has_role2 = true;
    } else if (t->kind == PK_COND && t->value == COND_MEMBER && !ret->has_role) {
        ret->role = ROLE_MEMBER;
        ret->has_role = true;
    } else if (t->kind == PK_ZHE && t->arg == 1) {
        ret->role = ROLE_SALE;
        ret->has_role = true;
    } else if (t->kind == PK_BOUND) {
        ret->bound = t->value;
        ret->has_bound = true;
    }
}

/* A unit that begins at token `at`: "/小时", "per GPU", "GPU-hour". Returns the token behind, or
 * `at`. */
static size_t see_unit(const struct price_lexed *lexed, size_t at, struct price_heading *ret)
{
    const struct price_token *t = &lexed->tokens[at];
    bool begins = price_is_punct(t, '/') || t->kind == PK_PER || t->kind == PK_CARD_TIME || t->kind == PK_NODE_TIME ||
                  t->kind == PK_CORE_TIME || t->kind == PK_CARD;
    if (!begins) return at;
    struct price_unit unit;
    size_t next = price_unit_read(lexed, at, true, &unit);
    if (next == at) return at;
    if (unit.period != PERIOD_NONE) {
        ret->unit.period = unit.period;
        ret->unit.period_count = unit.period_count;
        ret->unit.is_letter_m |= unit.is_letter_m;
    }
    if (unit.basis != BASIS_UNKNOWN) {
        ret->unit.basis = unit.basis;
        ret->unit.cards = unit.cards;
    }
    if (unit.reason != REFUSAL_NONE) ret->unit.reason = unit.reason;
    return next;
}

/* 显存(GB), vCPU, GPUs: the column holds sizes or counts, unless its heading says price as well ("GPU memory price"). */
static bool has_measure(const struct price_lexed *lexed, size_t from, size_t to)
{
    bool has_size = false;
    for (size_t i = from; i < to; i++) {
        const struct price_token *t = &lexed->tokens[i];
        if (t->kind == PK_PRICE || t->kind == PK_ROLE) return false;
        has_size |= t->kind == PK_BYTES || t->kind == PK_CORE || t->kind == PK_VRAM || t->kind == PK_STOCK ||
                    t->kind == PK_ZHEKOU;
        has_size |= t->kind == PK_CARD && t[-1].kind != PK_PER && !price_is_punct(t - 1, '/'); /* GPUs: how many */
    }
    return has_size;
}

void price_heading_read(const struct price_lexed *lexed, size_t from, size_t to, struct price_heading *ret)
{
    struct seen seen = {.rate = PERIOD_NONE};
    *ret = (struct price_heading){.unit = {.period_count = 1, .reason = REFUSAL_NONE}};
    for (size_t i = from; i < to;) {
        const struct price_token *t = &lexed->tokens[i];
        size_t next = see_unit(lexed, i, ret);
        if (next > i) {
            i = next;
            continue;
        }
        see_money(lexed, i, ret);
        see_words(t, ret);
        if (t->kind == PK_RATE) see_rate(&seen, t);
        if (t->kind == PK_PERIOD && t->arg == 0) seen.noun = (enum period)t->value;
        i += t->kind == PK_NUMBER && see_term(lexed, i, &seen) ? 2 : 1;
    }
    if (ret->unit.period == PERIOD_NONE && !seen.has_rates) ret->unit.period = seen.rate;
    if (ret->unit.period == PERIOD_NONE && seen.rate == PERIOD_NONE && seen.term_months == 0) ret->unit.period = seen.noun;
    /* 包年（元/月）: paid for a year, printed by the month. */
    int32_t months = seen.has_rates ? 0 : price_period_months(seen.rate, 1);
    if (months > price_period_months(ret->unit.period, 1)) ret->months = months;
    if (seen.term_months > 0) ret->months = seen.term_months;
    if (ret->unit.basis == BASIS_UNKNOWN) {
        bool is_count;
        struct price_unit basis = price_basis_read(lexed, from, to, &is_count);
        ret->unit.basis = basis.basis;
        ret->unit.cards = basis.cards;
    }
    ret->is_measure = has_measure(lexed, from, to) && ret->currency == PRICE_CUR_NONE && ret->unit.period == PERIOD_NONE;
    ret->has_unit = ret->currency != PRICE_CUR_NONE || ret->unit.period != PERIOD_NONE;
}
