/* The last look at amounts that read as prices: what they are the price of. Needs all of the text, so it comes after settling. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum { THING_PRICE_MIN = 5000 /* units of money: no card costs that for a time which nobody cares to name */ };

/* An amount that nothing speaks against so far. */
static bool is_open_amount(const struct price_find *find)
{
    return find->type == PRICE_FIND_AMOUNT && find->reason == REFUSAL_NONE;
}

bool price_names_machine(const struct price_lexed *lexed, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (price_is_machine(lexed, i) || lexed->tokens[i].kind == PK_NODE || lexed->tokens[i].kind == PK_HARDWARE) return true;
    return false;
}

/* ---- fees of plans and memberships ---- */

/* A word that can be the name of a plan: 会员, "Pro", and "Enterprise", which in Chinese texts is a kind of customer. */
static bool is_plan_word(const struct price_parse *parse, const struct price_token *t)
{
    if (t->kind == PK_PLAN) return true;
    if (t->kind != PK_COND) return false;
    struct gt_str word = gt_str_slice(parse->lexed.text, t->at, t->len);
    bool is_edition = (unsigned char)word.ptr[0] < 0x80 || gt_str_is(word, "企业版");
    return t->value == COND_MEMBER || (t->value == COND_ENTERPRISE && is_edition);
}

/* The plan's name in the words of this amount. 会员价 is one word of its own and names a price, not a plan. */
static bool has_plan_word(const struct price_parse *parse, const struct price_find *find)
{
    for (size_t i = find->pre_from; i < find->post_to; i++)
        if ((i < find->first || i > find->last) && is_plan_word(parse, &parse->tokens[i])) return true;
    return false;
}

/* "Basic $5": the plan's name right before the amount. */
static bool follows_plan(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_token *before = &parse->tokens[find->first] - 1;
    return before->kind == PK_PLAN || (price_is_punct(before, ':') && before[-1].kind == PK_PLAN);
}

/* "会员首月 9.9 元": newcomers' price of a membership; "会员 ¥1.88" alone may be a card's. */
static bool is_teaser(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_token *before = &parse->tokens[find->first] - 1;
    return before->kind == PK_COND && before->value == COND_NEW_CUSTOMER && before[-1].kind == PK_COND &&
           before[-1].value == COND_MEMBER;
}

/* A membership beside the price of a card: "4090 ¥1.98/时，会员 ¥199/年". 会员包月 says that the card is what is paid by the month. */
static bool is_side_fee(const struct price_parse *parse, const struct price_find *find)
{
    bool has_rate = false, has_hour = false;
    for (size_t i = find->pre_from; i < find->first; i++) has_rate |= parse->tokens[i].kind == PK_RATE;
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *other = &parse->finds[i];
        has_hour |= other != find && is_open_amount(other) && price_period_months(other->unit.period, 1) == 0;
    }
    return has_hour && !has_rate && find->unit.period != PERIOD_NONE;
}

/* Another price by the same period that no plan is named for: then 会员 tells two prices of one thing apart. */
static bool has_plain_price(const struct price_parse *parse, const struct price_find *find)
{
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *other = &parse->finds[i];
        bool is_price = other != find && is_open_amount(other) && other->unit.period == find->unit.period;
        if (is_price && !has_plan_word(parse, other)) return true;
    }
    return false;
}

/* "会员 ¥29/月" and "Pro $49/mo" are what the platform itself costs. Nobody bills a plan by the hour, and where a card is named, in
 * the text or in its row, the card is what is paid for. */
static bool is_plan_fee(const struct price_parse *parse, const struct price_find *find)
{
    bool is_long = price_period_months(find->unit.period, 1) > 0 && !find->is_header_unit;
    bool is_untold =
        find->unit.period == PERIOD_NONE && !parse->context->bare_number && (follows_plan(parse, find) || is_teaser(parse, find));
    if (!(is_long || is_untold) || find->unit.basis != BASIS_UNKNOWN || parse->beside_machine) return false;
    if (price_names_machine(&parse->lexed, 0, parse->lexed.count) && !is_side_fee(parse, find)) return false;
    return has_plan_word(parse, find) && !has_plain_price(parse, find);
}

/* "Individual $10/month or $100/year": the same plan by a longer period. */
static bool is_other_term(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_find *before = find - 1;
    bool is_long = price_period_months(find->unit.period, 1) > price_period_months(before->unit.period, 1);
    return is_long && find->first <= before->last + 3 && !price_names_machine(&parse->lexed, before->last + 1, find->first);
}

/* ---- hosts ---- */

/* "4核8G 云服务器 99元/年": cores are counted, no card is named in text, heading or row, and the thing is called a server or let by the
 * month. By the hour ("16核 64G ¥1.98/时") it may be a card's machine whose name stands elsewhere. */
static bool is_host(const struct price_parse *parse, const struct price_find *find)
{
    bool has_cores = false, is_server = price_period_months(find->unit.period, 1) > 0;
    if (find->unit.basis == BASIS_CARD || find->unit.basis == BASIS_SLICE || find->unit.cards > 0 || parse->beside_machine)
        return false;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        if (price_is_machine(&parse->lexed, i)) return false;
        is_server |= parse->tokens[i].kind == PK_NODE || parse->tokens[i].kind == PK_HARDWARE ||
                     (i == 0 && parse->tokens[i].kind == PK_CORE); /* "CPU 32 核": what is priced comes first */
        has_cores |= i < find->first && i > 0 && parse->tokens[i].kind == PK_CORE && parse->tokens[i - 1].kind == PK_NUMBER;
    }
    return has_cores && is_server;
}

/* ---- things that are sold ---- */

/* Currencies whose unit is worth so much that THING_PRICE_MIN of it is no hour's price. */
static bool is_large_unit(const struct price_parse *parse, enum price_currency currency)
{
    switch (currency) {
    case PRICE_CUR_CNY:
    case PRICE_CUR_USD:
    case PRICE_CUR_EUR:
    case PRICE_CUR_GBP:
    case PRICE_CUR_DOLLAR_SIGN: return true;
    case PRICE_CUR_NONE:
    case PRICE_CUR_YEN_SIGN: return strncmp(parse->context->currency.code, "CNY", CURRENCY_MAX) == 0;
    default: return false;
    }
}

/* "costs" and "price" say that the figure is what the thing named costs. */
static bool is_called_cost(const struct price_parse *parse, const struct price_find *find)
{
    for (size_t i = find->pre_from; i < find->first; i++)
        if (parse->tokens[i].kind == PK_PRICE) return true;
    return false;
}

/* "H100 costs $30,000": a large amount said of a card, with no period in words, heading, row or site, buys it. Of a node only with
 * such a word: of "8卡裸金属 ¥7920" the column may yet say which month is meant. */
static bool is_thing(const struct price_parse *parse, const struct price_find *find)
{
    bool is_untold = find->unit.period == PERIOD_NONE && parse->context->period == PERIOD_NONE && !parse->context->bare_number;
    if (!is_untold || find->low_nano < THING_PRICE_MIN * NANO || !is_large_unit(parse, find->currency)) return false;
    bool is_one = find->unit.basis != BASIS_NODE && find->unit.cards <= 1;
    return (is_one || is_called_cost(parse, find)) && price_names_machine(&parse->lexed, 0, parse->lexed.count);
}

/* ---- amounts of nothing in particular ---- */

/* A word beside the amount that the vocabulary lacks: what it says of the amount is not known. */
static bool has_unknown_word(const struct price_parse *parse, const struct price_find *find)
{
    for (size_t i = find->pre_from; i < find->post_to; i++)
        if ((i < find->first || i > find->last) && price_is_foreign(&parse->tokens[i])) return true;
    return false;
}

/* "Refund of $20", "课程 299 元": without a period an amount is a price for a reason only (the column, a role, what is in stock), or where
 * every word beside it is understood. */
static bool is_untold(const struct price_parse *parse, const struct price_find *find)
{
    bool has_period = find->unit.period != PERIOD_NONE && !find->is_site_unit;
    bool is_column = parse->context->bare_number || parse->header.has_unit || parse->header.has_role;
    bool is_rentable = price_lexed_has(&parse->lexed, PK_AVAIL) || price_lexed_has(&parse->lexed, PK_STOCK);
    if (has_period || is_column || is_rentable || find->has_role || find->is_bare || find->follows_cut > 0) return false;
    return has_unknown_word(parse, find);
}

/* ---- news ---- */

/* The last word of news in front of the amount that has a figure before it; 0 when there is none. "现下调至 ¥1.58/时" may be the
 * platform's own word. */
static size_t move_before(const struct price_parse *parse, size_t from, size_t to)
{
    bool has_number = false;
    for (size_t i = from; i < to; i++) {
        has_number |= parse->tokens[i].kind == PK_NUMBER && !price_is_model(&parse->lexed, i);
        if (parse->tokens[i].kind == PK_MOVE && has_number) return i;
    }
    return 0;
}

/* "由 7.5 万元/月下调至 7.0 万元/月": a report of what others charge, in which the first figure is past and the second nobody's offer. */
static void reject_moves(struct price_parse *parse)
{
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *was = i > 0 ? &parse->finds[i - 1] : NULL, *is = &parse->finds[i];
        if (is->type != PRICE_FIND_AMOUNT) continue;
        size_t move = move_before(parse, was != NULL ? was->first : is->pre_from, is->first);
        /* "fell from $8/hr to $2.50/hr": the word refused the first one. */
        bool is_told = was != NULL && was->reason == REFUSAL_CLAIM && is->first == was->last + 2 &&
                       parse->tokens[was->last + 1].kind == PK_RANGE;
        if ((move > 0 || is_told) && is->reason == REFUSAL_NONE) is->reason = REFUSAL_CLAIM;
        if (move > 0 && was != NULL && was->type == PRICE_FIND_AMOUNT && was->reason == REFUSAL_NONE) was->reason = REFUSAL_CLAIM;
    }
}

/* What others ask, be it called a claim already. */
static void reject_others(struct price_parse *parse)
{
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        bool is_candidate = is_open_amount(find) || (find->type == PRICE_FIND_AMOUNT && find->reason == REFUSAL_CLAIM);
        if (is_candidate && price_is_other_seller(parse, i)) find->reason = REFUSAL_OTHER_SELLER;
    }
}

/* "输入 2.4 元 / 输出 9.6 元（每百万 tokens）": the unit is printed once, for amounts that have none. */
static bool is_token_price(const struct price_parse *parse, const struct price_find *find)
{
    if (find->unit.period != PERIOD_NONE) return false;
    for (size_t i = 0; i < parse->find_count; i++)
        if (parse->finds[i].reason == REFUSAL_TOKEN) return true;
    return false;
}

/* "1 元 = 100 算力点": a rate of exchange with something that is no money. */
static bool is_exchange(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_token *t = &parse->tokens[find->last] + 1;
    bool is_plain = !find->is_suffix_period && !find->is_suffix_basis && find->unit.period == PERIOD_NONE;
    return is_plain && t->kind == PK_EQUAL && t[1].kind == PK_NUMBER && t[2].kind != PK_CURRENCY;
}

/* "184.5 DLP/$/hr": so much of something for the money. */
static bool is_per_money(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_token *t = &parse->tokens[find->last] + 1;
    bool is_behind_word = price_is_foreign(t) && price_is_punct(&t[1], '/') && t[2].kind == PK_CURRENCY;
    return is_behind_word && t[3].kind != PK_NUMBER;
}

/* Some word of the text can be the name of a plan. */
static bool has_plan(const struct price_parse *parse)
{
    if (price_lexed_has(&parse->lexed, PK_PLAN)) return true;
    for (size_t i = 0; i < parse->lexed.count && price_lexed_has(&parse->lexed, PK_COND); i++)
        if (is_plan_word(parse, &parse->tokens[i])) return true;
    return false;
}

/* Two passes: whether a price is a plan's depends on those beside it, which must all stand still. */
static void reject_plans(struct price_parse *parse)
{
    bool is_fee[PRICE_FINDS_MAX] = {false};
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *find = &parse->finds[i];
        is_fee[i] = is_open_amount(find) && (is_plan_fee(parse, find) || (i > 0 && is_fee[i - 1] && is_other_term(parse, find)));
    }
    for (size_t i = 0; i < parse->find_count; i++)
        if (is_fee[i]) parse->finds[i].reason = REFUSAL_MIN_SPEND;
}

/* Last, since most reasons need to know what the amount is by then. The cheap question whether the phrase has such words at all goes before
 * each. */
void price_reject_all(struct price_parse *parse)
{
    const struct price_lexed *lexed = &parse->lexed;
    bool has_foreign = price_lexed_has(lexed, PK_OTHER) || price_lexed_has(lexed, PK_SELLER) || price_lexed_has(lexed, PK_STORAGE);
    if (price_lexed_has(lexed, PK_MOVE) || price_lexed_has(lexed, PK_REFUSE)) reject_moves(parse);
    if (price_lexed_has(lexed, PK_SELLER) || price_lexed_has(lexed, PK_REFUSE)) reject_others(parse);
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        if (!is_open_amount(find)) continue;
        if (is_thing(parse, find)) find->reason = REFUSAL_PURCHASE;
        else if (price_lexed_has(lexed, PK_CORE) && is_host(parse, find)) find->reason = REFUSAL_CPU;
        else if (is_exchange(parse, find) || is_per_money(parse, find)) find->reason = REFUSAL_COUNT;
        else if (is_token_price(parse, find)) find->reason = REFUSAL_TOKEN;
        else if (has_foreign && is_untold(parse, find)) find->reason = REFUSAL_NO_UNIT;
    }
    if (has_plan(parse)) reject_plans(parse);
}
