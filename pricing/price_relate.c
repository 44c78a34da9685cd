/* What the amounts and discounts of one text say of each other. Only exact arithmetic decides
 * anything, and what it decides is flagged. */
#include "pricing/price_parse.h"

enum {
    QUOTIENT_MAX = 64,       /* cards in one node */
    ABSURD_PERCENT = 10,     /* nobody is left to pay a tenth or less: "享 5% 折扣" is 5 % off */
    LIKELY_PERCENT_MAX = 50, /* "享 N% 折扣" alone is N % off up to here */
};

/* An amount that nothing speaks against so far. */
static bool is_open_amount(const struct price_find *find)
{
    return find->type == PRICE_FIND_AMOUNT && find->reason == REFUSAL_NONE;
}

/* True when value × factor is within half of the last digit that `result` prints. */
static bool explains(int64_t value_nano, int64_t factor_nano, const struct price_find *result)
{
    int64_t product, step = NANO;
    for (int i = 0; i < result->decimals && step > 1; i++) step /= 10;
    if (money_scale(value_nano, factor_nano, NANO, ROUND_HALF_UP, &product) != GT_OK) return false;
    int64_t off = product > result->low_nano ? product - result->low_nano : result->low_nano - product;
    return off <= step / 2;
}

/* "20 小时 × 9 元 = 180": the sum of a worked example. */
static bool is_worked(const struct price_parse *parse, const struct price_find *a, const struct price_find *b)
{
    for (size_t i = a->last + 1; i + 1 < b->first; i++)
        if (parse->tokens[i].kind == PK_NUMBER && parse->tokens[i + 1].kind == PK_PERIOD) return true;
    return false;
}

/* "$2.49/GPU/hr x 8 GPUs = …": the factor printed between the two amounts. */
static bool is_factor_between(const struct price_parse *parse, const struct price_find *a, const struct price_find *b,
                              int64_t quotient)
{
    for (size_t i = a->last + 1; i + 1 < b->first; i++) {
        int32_t cards;
        size_t last;
        if (parse->tokens[i].kind != PK_MUL || !price_is_card_count(&parse->lexed, i + 1, &cards, &last)) continue;
        return cards == quotient;
    }
    return false;
}

/* "980元 × 3 = 2940 元": so many of something that no word names. */
static bool is_times_between(const struct price_parse *parse, const struct price_find *a, const struct price_find *b)
{
    const struct price_token *times = &parse->tokens[a->last] + 1;
    return times->kind == PK_MUL && times[1].kind == PK_NUMBER && times + 3 == &parse->tokens[b->first] && times[2].kind == PK_EQUAL;
}

/* "每卡 $4.09/h，即整机 $16.36/h": a node's price that is a whole multiple of the card's before it has
 * that many cards. */
static void relate_equation(struct price_parse *parse, struct price_find *a, struct price_find *b)
{
    bool is_total = a->reason == REFUSAL_TASK || is_worked(parse, a, b) || (!b->is_suffix_period && is_times_between(parse, a, b));
    if (b->is_equal && is_total) b->reason = REFUSAL_TASK;
    if (!is_open_amount(a) || !is_open_amount(b) || !b->is_derived) return;
    if (a->unit.basis != BASIS_CARD || a->unit.period != b->unit.period || a->is_range || b->is_range) return;
    int64_t quotient = b->low_nano / a->low_nano;
    if (b->low_nano % a->low_nano != 0 || quotient < 2 || quotient > QUOTIENT_MAX) return;
    bool is_counted = a->multiplied_cards == quotient || is_factor_between(parse, a, b, quotient);
    bool is_node = b->unit.basis == BASIS_NODE && b->unit.cards == 0;
    if (!is_counted && !is_node) return;
    b->unit.basis = BASIS_NODE;
    b->unit.cards = (int32_t)quotient;
    b->is_prefix_count = false;
    b->is_computed = !is_counted;
}

/* "8x H100 @ $1.99/hr = $15.92/hr": what the count times the price before it comes to is the node's, and that price a card's. */
static void relate_product(const struct price_parse *parse, struct price_find *a, struct price_find *b)
{
    int64_t all;
    bool is_count, is_timed = a->unit.period == b->unit.period || a->unit.period == PERIOD_NONE;
    if (!b->is_equal || b->unit.basis != BASIS_UNKNOWN || !is_open_amount(a) || !is_open_amount(b)) return;
    if (!is_timed || a->currency != b->currency || a->is_range || b->is_range) return;
    struct price_unit sold = price_basis_read(&parse->lexed, a->pre_from, a->first, &is_count);
    if (!is_count || sold.basis != BASIS_NODE) return;
    if (__builtin_mul_overflow(a->low_nano, sold.cards, &all) || all != b->low_nano) return;
    b->unit.basis = BASIS_NODE;
    b->unit.cards = sold.cards;
    a->unit.basis = BASIS_CARD;
    a->unit.cards = 1;
    a->is_prefix_count = false;
}

/* "1-7 卡 1.98 元/时，8 卡 1.88 元/时": a node never costs less than what stands before it, so the count is one to be reached, and the price a card's
 * or the node's. */
static void relate_tiers(const struct price_find *a, struct price_find *b)
{
    bool is_node = b->is_prefix_count && b->unit.basis == BASIS_NODE && a->unit.basis != BASIS_NODE;
    if (!is_open_amount(a) || !is_open_amount(b) || !is_node || a->unit.period != b->unit.period || a->currency != b->currency) return;
    if (a->has_role || b->has_role || b->is_derived || b->low_nano > a->low_nano) return;
    b->unit.basis = BASIS_UNKNOWN;
    b->unit.cards = 0;
    b->is_prefix_count = false;
}

/* "1美元≈7.2元": a rate of exchange. Neither side is the price of anything. */
static void relate_exchange(struct price_find *a, struct price_find *b)
{
    bool is_plain = !a->is_suffix_period && !a->is_suffix_basis && !b->is_suffix_period && !b->is_suffix_basis;
    if (!is_open_amount(a) || !is_open_amount(b) || !b->is_derived || !is_plain) return;
    bool is_one = a->low_nano == NANO || a->low_nano == 100 * NANO || b->currency == PRICE_CUR_SDD; /* 10 元 = 1000 算力豆 */
    if (!is_one || a->currency == b->currency || a->currency == PRICE_CUR_NONE || b->currency == PRICE_CUR_NONE) return;
    a->reason = b->reason = REFUSAL_COUNT;
}

/* ---- discounts ---- */

/* A total in the text, such as "20 小时成本仅 126 元" beside "9 元/小时", tells which reading of "30% 折扣"
 * was meant. 0: it does not. */
static int64_t factor_by_total(const struct price_parse *parse, int64_t off_nano)
{
    int64_t found = 0;
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *total = &parse->finds[i];
        if (total->reason != REFUSAL_TASK || total->duration_hours < 2) continue;
        for (size_t k = 0; k < parse->find_count; k++) {
            const struct price_find *rate = &parse->finds[k];
            int64_t full;
            if (!is_open_amount(rate) || rate->unit.period != PERIOD_HOUR || rate->unit.period_count != 1) continue;
            if (__builtin_mul_overflow(rate->low_nano, total->duration_hours, &full)) continue;
            bool is_off = explains(full, NANO - off_nano, total), is_paid = explains(full, off_nano, total);
            if (is_off != is_paid) found = is_off ? NANO - off_nano : off_nano;
        }
    }
    return found;
}

/* Any amount, refused ones among them: a sum that proves nothing still casts a doubt. */
static bool has_amount(const struct price_parse *parse)
{
    for (size_t i = 0; i < parse->find_count; i++)
        if (parse->finds[i].type == PRICE_FIND_AMOUNT) return true;
    return false;
}

/* "N% 折扣" is N off in some texts and N to pay in others (docs/reading-prices.md). Beside a price
 * that it should explain, and no sum to prove it, it stays open. */
static void settle_two_ways(const struct price_parse *parse, struct price_find *find)
{
    int64_t percent = find->percent_nano, proven = factor_by_total(parse, percent);
    bool is_absurd = percent <= ABSURD_PERCENT * NANO / 100;
    bool is_plain = find->is_enjoyed && percent < LIKELY_PERCENT_MAX * NANO / 100 && !has_amount(parse);
    if (proven > 0) find->factor_nano = proven;
    else if (is_absurd) find->factor_nano = NANO - percent;
    else if (is_plain) find->factor_nano = NANO - percent, find->factor_alt_nano = percent; /* the likelier one, and still open */
    else find->factor_alt_nano = NANO - percent;
}

/* The figure as printed, turned into what is left to pay. */
static void settle_factor(const struct price_parse *parse, struct price_find *find)
{
    switch (find->cut) {
    case PRICE_CUT_FACTOR: find->factor_nano = find->percent_nano; break;
    case PRICE_CUT_OFF: find->factor_nano = NANO - find->percent_nano; break;
    case PRICE_CUT_TWO_WAYS: settle_two_ways(parse, find); break;
    case PRICE_CUT_RANGE: find->factor_alt_nano = find->percent_nano; break;
    default: break;
    }
}

/* The factor of whole hundredths that leads from list to sale; 0 when there is none. */
static int64_t hundredths_between(const struct price_find *list, const struct price_find *sale)
{
    int64_t factor;
    if (sale->low_nano >= list->low_nano) return 0;
    if (money_scale(sale->low_nano, NANO, list->low_nano, ROUND_HALF_UP, &factor) != GT_OK) return 0;
    if (money_round(factor, NANO / 100, ROUND_HALF_UP, &factor) != GT_OK) return 0;
    return factor > 0 && factor < NANO && explains(list->low_nano, factor, sale) ? factor : 0;
}

/* "¥9900/月,折后 ¥7920/月": the rate is not printed, the two prices give it. Marked as inferred. */
static void infer_factor(struct price_parse *parse, size_t index)
{
    struct price_find *list = &parse->finds[index - 1], *sale = &parse->finds[index];
    if (!sale->is_after_cut || !is_open_amount(list) || !is_open_amount(sale) || list->is_range || sale->is_range) return;
    if (list->unit.period != sale->unit.period || list->has_role || list->currency != sale->currency) return;
    int64_t factor = hundredths_between(list, sale);
    size_t first = sale->first, last = sale->last;
    if (factor == 0) return;
    struct price_find *cut = price_find_add(parse, PRICE_FIND_DISCOUNT, first, last);
    if (cut == NULL) return;
    cut->pre_from = cut->post_near = cut->post_to = first;
    cut->is_inferred = true;
    cut->factor_nano = factor;
    cut->cut = PRICE_CUT_RULE;
}

/* A discount whose words name the interruptible tier. */
static bool speaks_of_spot(const struct price_parse *parse, const struct price_find *cut)
{
    for (size_t i = cut->pre_from; i < cut->post_to; i++)
        if (parse->tokens[i].kind == PK_ROLE && parse->tokens[i].value == ROLE_SPOT) return true;
    return false;
}

/* "¥1.19/h（按量 ¥1.98，抢占统一 6 折）": the unnamed price that the spot factor explains is the spot price. */
static void mark_spot(struct price_parse *parse, const struct price_find *cut)
{
    if (cut->factor_nano == 0 || !speaks_of_spot(parse, cut)) return;
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *spot = &parse->finds[i];
        if (!is_open_amount(spot) || spot->has_role) continue;
        for (size_t k = 0; k < parse->find_count; k++) {
            const struct price_find *list = &parse->finds[k];
            if (k == i || !is_open_amount(list) || !explains(list->low_nano, cut->factor_nano, spot)) continue;
            spot->role = ROLE_SPOT;
            spot->has_role = true;
        }
    }
}

/* Neighbours only: "A = B", "A × n = B" and tiers are printed side by side. One amount alone has nothing to be related to. */
void price_relate_all(struct price_parse *parse)
{
    size_t count = parse->find_count;
    if (count == 1 && parse->finds[0].type == PRICE_FIND_AMOUNT) return;
    for (size_t i = 0; i < count; i++) {
        if (parse->finds[i].type == PRICE_FIND_DISCOUNT) settle_factor(parse, &parse->finds[i]);
        if (i == 0 || parse->finds[i].type != PRICE_FIND_AMOUNT) continue;
        relate_equation(parse, &parse->finds[i - 1], &parse->finds[i]);
        relate_product(parse, &parse->finds[i - 1], &parse->finds[i]);
        relate_tiers(&parse->finds[i - 1], &parse->finds[i]);
        relate_exchange(&parse->finds[i - 1], &parse->finds[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (parse->finds[i].type == PRICE_FIND_DISCOUNT) mark_spot(parse, &parse->finds[i]);
        if (i > 0) infer_factor(parse, i);
    }
}
