/* Decides what the words around an amount make of it: period, basis, role, bound, and whether it is
 * a rental price at all. */
#include "pricing/price_parse.h"

enum { LETTER_M_LEAST = 10 /* units of money: "/m" on less is no month, and may be a slip for an hour */ };

/* A period that is printed over the text or in it, for amounts that have none. */
static bool has_heading_period(const struct price_parse *parse)
{
    return parse->header.unit.period != PERIOD_NONE || parse->phrase.unit.period != PERIOD_NONE;
}

/* ---- period ---- */

/* The words before name a longer way of paying than the printed unit: 月付 … /时 is committed for a
 * month. */
static void commit(struct price_find *find, const struct price_before *before)
{
    bool is_way_to_pay = before->style == PRICE_STYLE_PACK || before->style == PRICE_STYLE_PAY ||
                         before->style == PRICE_STYLE_BY || before->style == PRICE_STYLE_RENT;
    int32_t own = price_period_months(find->unit.period, find->unit.period_count);
    int32_t rate =
        before->rate != PERIOD_NONE && is_way_to_pay && before->is_rate_near ? price_period_months(before->rate, 1) : 0;
    if (rate > own) find->months = rate;
    if (before->term_months > own && before->term_months > find->months) find->months = before->term_months;
}

/* A rate word gives the period of an amount that prints none. */
static void take_rate(struct price_find *find, const struct price_before *before)
{
    if (before->is_rate_list) {
        find->reason = REFUSAL_AMBIGUOUS;
        return;
    }
    /* 包月折 ¥1.60: what a month works out at, in the unit of the price before it. */
    if (find->is_derived && before->style == PRICE_STYLE_PACK) {
        find->months = price_period_months(before->rate, 1);
        return;
    }
    find->unit.period = before->rate;
    find->unit.period_count = 1;
    find->is_mean_rate = before->style == PRICE_STYLE_MEAN;
    find->is_mean |= find->is_mean_rate;
    commit(find, before);
}

/* "月均费用 1260 元（小时租 1800 元）": the bracket compares with what the month costs at another rate; its
 * own word names the rate. */
static void take_mean(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    const struct price_find *before = find - 1;
    if (index == 0 || find->is_suffix_period || find->is_bare || !before->is_mean_rate) return;
    if (!price_is_punct(&parse->tokens[before->last + 1], '(') || !price_is_same_size(before->low_nano, find->low_nano)) return;
    find->unit.period = before->unit.period;
    find->is_inherited = true;
}

/* "3 mo $302,400": the total of a term; "1 year $2.10": a total or a price per hour under a year's
 * term. */
static void take_term(struct price_parse *parse, struct price_find *find, const struct price_before *before)
{
    find->months = before->term_months;
    bool is_open = !has_heading_period(parse) && !before->is_term_committed;
    bool is_total = !has_heading_period(parse) && before->term_months > 1 && before->is_term_adjacent;
    if (before->is_term_adjacent && (is_open || is_total))
        find->reason = before->term_months > 1 ? REFUSAL_TERM_TOTAL : REFUSAL_AMBIGUOUS;
}

/* "20 小时 126 元" is a total; "1 小时 1.5 元" a price per hour. */
static void take_duration(struct price_parse *parse, struct price_find *find, const struct price_before *before)
{
    find->duration_hours = before->duration_hours;
    if (has_heading_period(parse)) return;
    bool is_told = before->reason == REFUSAL_TASK || before->reason == REFUSAL_CREDIT; /* 0.01 元体验 1 小时 */
    if (is_told) find->reason = before->reason; /* "Total: $57.60 for 24 hours" is no price by the day */
    else if (before->duration_hours == 1) find->unit.period = PERIOD_HOUR;
    else if (before->duration_hours == 24) find->unit.period = PERIOD_DAY;
    else find->reason = REFUSAL_TASK;
}

/* Own unit, rate word, term, duration: the first that is there. */
static void decide_period(struct price_parse *parse, struct price_find *find, const struct price_before *before)
{
    bool is_rate = before->rate != PERIOD_NONE && (before->is_rate_near || !before->has_rates);
    if (find->reason != REFUSAL_NONE) {
        if (before->duration_hours > 1) find->duration_hours = before->duration_hours;
        return;
    }
    if (find->is_suffix_period) {
        bool is_small = find->unit.is_letter_m && find->low_nano < LETTER_M_LEAST * NANO;
        if (is_small) find->reason = REFUSAL_AMBIGUOUS;
        commit(find, before);
    } else if (is_rate) {
        take_rate(find, before);
    } else if (before->term_months > 0) {
        take_term(parse, find, before);
    } else if (before->duration_hours > 0) {
        take_duration(parse, find, before);
    }
}

/* ---- basis ---- */

/* "$1,799 / month per server (2x RTX 4090)", "Total: $18.40/hr for 8 GPUs": a node's cards right behind its price. */
static void take_node_cards(const struct price_parse *parse, const struct price_find *find, struct price_unit *node)
{
    bool is_count;
    if (node->basis != BASIS_NODE || node->cards > 0) return;
    struct price_unit behind = price_basis_read(&parse->lexed, find->last + 1, find->post_near, &is_count);
    if (behind.basis == BASIS_NODE) node->cards = behind.cards;
}

/* Own unit, then words before, then words behind. */
static void decide_basis(struct price_parse *parse, struct price_find *find, bool is_last)
{
    bool is_count = false;
    if (find->is_suffix_basis && find->unit.basis != BASIS_NODE) return;
    struct price_unit told = price_basis_read(&parse->lexed, find->pre_from, find->first, &is_count);
    if (find->is_suffix_basis) {
        /* 八卡服务器 … 元/台/月: the node's cards stand before it. */
        if (find->unit.cards == 0 && told.basis == BASIS_NODE) find->unit.cards = told.cards;
        take_node_cards(parse, find, &find->unit);
        return;
    }
    take_node_cards(parse, find, &told);
    if (find->multiplied_cards > 0) told.basis = BASIS_UNKNOWN; /* "8 卡 × 2500 元": of one card or of all, the unit would say */
    if (told.basis == BASIS_UNKNOWN) {
        told = price_basis_read(&parse->lexed, find->last + 1, is_last ? find->post_to : find->post_near, &is_count);
        find->is_basis_behind = told.basis != BASIS_UNKNOWN;
        is_count = false;
        /* "$2.49/hr × 8 GPUs": what is multiplied is the price of one; "¥15.84/时 x8卡" may as well say what it is the price of. */
        const struct price_token *times = &parse->tokens[find->last] + 1;
        if (told.cards > 1 && times->kind == PK_MUL) {
            told = (struct price_unit){.basis = BASIS_CARD, .cards = 1};
            if (!price_is_spaced(times + 1) && price_is_spaced(times)) find->reason = REFUSAL_AMBIGUOUS;
        }
    }
    find->unit.basis = told.basis;
    find->unit.cards = told.cards;
    find->is_prefix_count = is_count;
    /* "8台H100 60万/月": of each or of all, and the cards of both differ. */
    bool may_count = find->reason == REFUSAL_NONE && price_lexed_has(&parse->lexed, PK_NODE);
    if (may_count && price_counts_nodes(&parse->lexed, find->pre_from, find->post_near)) find->reason = REFUSAL_AMBIGUOUS;
}

/* ---- role and bound ---- */

/* The price right behind a discount is what it leaves: "会员最低享9.5折 ¥1.88/时". */
static void follow_cut(struct price_parse *parse, size_t index)
{
    struct price_find *find = &parse->finds[index];
    if (index == 0 || find->has_role || parse->finds[index - 1].type != PRICE_FIND_DISCOUNT) return;
    const struct price_find *cut = &parse->finds[index - 1];
    if (find->first > cut->last + 4) return;
    /* "50% off $2.49": off that price, not leaving it. */
    if (parse->tokens[cut->last].kind == PK_OFF && find->first == cut->last + 1) return;
    for (size_t i = cut->last + 1; i < find->first; i++)
        if (parse->tokens[i].kind == PK_BREAK || price_is_punct(&parse->tokens[i], '(')) return;
    find->follows_cut = index;
    find->role = ROLE_SALE;
    find->has_role = true;
    for (size_t i = cut->pre_from; i < cut->first; i++) {
        const struct price_token *t = &parse->tokens[i];
        if (t->kind == PK_COND && t->value == COND_MEMBER) find->role = ROLE_MEMBER;
        if (t->kind == PK_ROLE && t->value == ROLE_SPOT) find->role = ROLE_SPOT;
        /* 月付 95 折后 ¥1.57/时 is committed for a month. */
        bool is_way = t->kind == PK_RATE && (t->arg == PRICE_STYLE_PAY || t->arg == PRICE_STYLE_PACK || t->arg == PRICE_STYLE_BY);
        if (is_way) find->months = price_period_months(t->value, 1);
    }
    if (find->months <= price_period_months(find->unit.period, find->unit.period_count)) find->months = 0;
}

/* What words left open; a tier (抢占, 会员) is never overruled by "works out at". */
static void decide_role(struct price_find *find, const struct price_before *before)
{
    bool is_tier = find->has_role && (find->role == ROLE_SPOT || find->role == ROLE_MEMBER);
    bool is_per_card = find->unit.basis == BASIS_CARD && find->bound == BOUND_APPROX;
    /* 单卡约 ¥990/月 is worked out from a node's price; 单卡月租约 1.6 万元 says what is asked. */
    if (is_per_card && before->has_each_card && before->rate == PERIOD_NONE) find->is_derived = true;
    if (find->is_derived && !is_tier) {
        find->role = ROLE_DERIVED;
        find->has_role = true;
    }
    if (find->bound == BOUND_EXACT && (find->is_mean || find->is_estimate)) find->bound = BOUND_APPROX;
    if (find->is_range) find->bound = BOUND_RANGE;
}

/* ---- reason ---- */

/* Words that make it no rental price; soft ones give way to a printed period. */
static void decide_reason(struct price_parse *parse, struct price_find *find, const struct price_before *before)
{
    bool has_period = find->unit.period != PERIOD_NONE || has_heading_period(parse) || find->months > 0;
    if (find->reason != REFUSAL_NONE) return;
    if (before->reason != REFUSAL_NONE && (before->is_reason_firm || !has_period)) find->reason = before->reason;
    else if (find->is_threshold) find->reason = REFUSAL_MIN_SPEND;
}

/* 立减 200 元 and "$50 off" are discounts; with a period they are what is saved each time, which
 * nothing can be done with. "满1000减100" needs no 元. */
static void decide_minus(struct price_parse *parse, size_t index, const struct price_before *before)
{
    struct price_find *find = &parse->finds[index];
    bool is_coupon = before->reason == REFUSAL_CREDIT && before->is_reason_firm;
    if (!before->is_minus || find->reason != REFUSAL_NONE || find->is_range || is_coupon) return;
    if (!find->is_suffix_period && !find->is_suffix_basis && before->rate == PERIOD_NONE) {
        find->type = PRICE_FIND_DISCOUNT;
        find->cut = PRICE_CUT_AMOUNT;
    }
    find->reason = REFUSAL_ONCE;
}

/* Before, then behind: the nearer word counts, and Chinese puts role and period in front where English puts them after. */
void price_modify_all(struct price_parse *parse)
{
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        struct price_before before;
        if (find->type != PRICE_FIND_AMOUNT) continue;
        price_before_read(parse, i, &before);
        price_behind_read(parse, i, &before);
        follow_cut(parse, i);
        decide_minus(parse, i, &before);
        if (find->type != PRICE_FIND_AMOUNT) continue;
        decide_period(parse, find, &before);
        take_mean(parse, i);
        decide_basis(parse, find, i + 1 == parse->find_count);
        decide_role(find, &before);
        decide_reason(parse, find, &before);
    }
}
