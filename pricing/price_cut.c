/* Discounts as printed: 8 折, 95折, 五折, "30% off", "40% 价格", "享 30% 折扣". */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum {
    LOOK_TOKENS_MAX = 4, /* fillers between a percentage and the word that says what it is */
    CLAUSE_TOKENS_MAX = 40,
};

/* ---- 折 ---- */

/* What is paid at N 折: one digit is tenths, two are hundredths, a decimal below ten is tenths. 0
 * for anything else: "10 折", "0.8折". */
static int64_t zhe_factor(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at];
    struct price_value value = price_number_value(lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK || value.nano < NANO) return 0;
    bool is_tenths = value.nano < 10 * NANO;
    if (!is_tenths && (value.nano <= 10 * NANO || value.nano >= 100 * NANO)) return 0;
    if (t->value != PRICE_FORM_INTEGER && t->value != PRICE_FORM_POINT) return 0;
    int64_t factor = value.nano / (is_tenths ? 10 : 100);
    return factor < NANO ? factor : 0;
}

/* N 折, also as a range ("7-9折", "7折-9折"). */
static bool zhe_read(struct price_parse *parse, size_t at, size_t *ret_next)
{
    const struct price_token *t = &parse->tokens[at];
    size_t last = at, zhe = at + 1;
    if (t[1].kind == PK_RANGE && t[2].kind == PK_NUMBER) last = at + 2, zhe = at + 3;
    if (t[1].kind == PK_ZHE && t[2].kind == PK_RANGE && t[3].kind == PK_NUMBER && t[4].kind == PK_ZHE)
        last = at + 3, zhe = at + 4;
    if (parse->tokens[zhe].kind != PK_ZHE) return false;
    *ret_next = zhe + 1;
    int64_t factor = zhe_factor(&parse->lexed, at), other = zhe_factor(&parse->lexed, last);
    if (factor == 0 || other == 0) {
        price_refuse(parse, at, zhe, REFUSAL_AMBIGUOUS);
        return true;
    }
    struct price_find *find = price_find_add(parse, PRICE_FIND_DISCOUNT, at, zhe);
    if (find == NULL) return true;
    find->cut = last == at ? PRICE_CUT_FACTOR : PRICE_CUT_RANGE;
    find->percent_nano = factor < other ? factor : other;
    find->is_cut_after = parse->tokens[zhe].arg == 1;
    find->is_upto = parse->tokens[zhe].arg == 2 || (parse->tokens[zhe + 1].kind == PK_BOUND && parse->tokens[zhe + 1].arg == 1);
    return true;
}

/* ---- percentages ---- */

/* The percentage's tokens. */
struct percent {
    size_t first, last; /* numbers: the same without a range */
    size_t next;        /* behind the last % */
    int64_t low_nano, high_nano;
};

/* "30%", "20-30%", "20%-30%". A figure that cannot be a cut (0, 100 and more) is kept as 0. */
static bool percent_parts(const struct price_parse *parse, size_t at, struct percent *ret)
{
    const struct price_token *t = &parse->tokens[at];
    ret->first = ret->last = at;
    if (price_is_punct(t + 1, '%')) {
        ret->next = at + 2;
        if (t[2].kind == PK_RANGE && t[3].kind == PK_NUMBER && price_is_punct(t + 4, '%')) ret->last = at + 3, ret->next = at + 5;
    } else if (t[1].kind == PK_RANGE && t[2].kind == PK_NUMBER && price_is_punct(t + 3, '%')) {
        ret->last = at + 2, ret->next = at + 4;
    } else {
        return false;
    }
    struct price_value low = price_number_value(&parse->lexed, ret->first, DECIMAL_POINT, false);
    struct price_value high = price_number_value(&parse->lexed, ret->last, DECIMAL_POINT, false);
    bool is_cut = low.status == GT_OK && high.status == GT_OK && low.nano > 0 && high.nano < 100 * NANO && low.nano <= high.nano;
    ret->low_nano = is_cut ? low.nano / 100 : 0;
    ret->high_nano = is_cut ? high.nano / 100 : 0;
    return true;
}

/* Words that may stand between the figure and the word that says what it is: "30% 的优惠", "up to 60%
 * extra discount". */
static bool is_filler(const struct price_token *t)
{
    return t->kind == PK_FILL || t->kind == PK_MEAN || t->kind == PK_STACK || t->kind == PK_ENJOY || price_is_punct(t, ':') ||
           (t->kind == PK_BOUND && t->arg == 0) || t->kind == PK_COND;
}

/* What the words behind the percentage make of it. False when they say nothing. */
static bool cut_behind(const struct price_parse *parse, size_t at, enum price_cut *ret, size_t *ret_last)
{
    const struct price_token *t = &parse->tokens[at];
    for (int i = 0; i < LOOK_TOKENS_MAX && is_filler(t); i++) t++;
    *ret_last = (size_t)(t - parse->tokens);
    if (t->kind == PK_OFF && t->arg != 1) return *ret = PRICE_CUT_OFF, true;
    if (t->kind == PK_ZHEKOU) return *ret = PRICE_CUT_TWO_WAYS, true;
    if (t->kind == PK_PAYS || t->kind == PK_PRICE) {
        bool is_zh_price = (unsigned char)parse->lexed.text.ptr[t->at] >= 0x80;
        if (is_zh_price) return *ret = PRICE_CUT_FACTOR, true;
        /* "60% of the on-demand price" is one; "60% of users" is not. */
        for (int i = 0; i < LOOK_TOKENS_MAX && t->kind != PK_END && t->kind != PK_BREAK; i++, t++)
            if (t->kind == PK_ROLE && t->value == ROLE_LIST) return *ret = PRICE_CUT_FACTOR, true;
    }
    return false;
}

/* What the words before the percentage make of it: 省, save, 折扣, "原价的". */
static bool cut_before(const struct price_parse *parse, size_t at, enum price_cut *ret)
{
    const struct price_token *t = &parse->tokens[at] - 1;
    for (int i = 0; i < LOOK_TOKENS_MAX && is_filler(t); i++) t--;
    if (t->kind == PK_OFF && t->arg != 0) return *ret = PRICE_CUT_OFF, true;
    if (t->kind == PK_MINUS) return *ret = PRICE_CUT_OFF, true;
    if (t->kind == PK_ZHEKOU) return *ret = PRICE_CUT_TWO_WAYS, true;
    if (t->kind == PK_ROLE && t->value == ROLE_LIST && (t + 1)->kind == PK_FILL) return *ret = PRICE_CUT_FACTOR, true;
    return false;
}

/* True when the words [from, to) name a price of the platform itself: 时租, 原价, on-demand. */
static bool is_own_price(const struct price_parse *parse, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        int kind = parse->tokens[i].kind;
        if (kind == PK_RATE || (kind == PK_ROLE && parse->tokens[i].value != ROLE_SPOT)) return true;
        if (kind == PK_PERIOD && parse->tokens[i - 1].kind != PK_NUMBER) return true;
    }
    return false;
}

/* "成本降低 50%", "30% cost savings": what somebody saves in all is no price's factor. */
static bool is_cost(const struct price_parse *parse, const struct price_token *t)
{
    struct gt_str word = price_lexed_raw(&parse->lexed, (size_t)(t - parse->tokens), (size_t)(t - parse->tokens));
    bool is_price_word = t->kind == PK_TAIL || t->kind == PK_PRICE || t->kind == PK_REFUSE;
    return is_price_word && (gt_str_find(word, GT_STR("成本"), 0) != SIZE_MAX || gt_str_eq_nocase(word, GT_STR("cost")) ||
                             gt_str_eq_nocase(word, GT_STR("costs")));
}

/* "20% cheaper" says of what elsewhere, if at all. */
static bool is_comparative(const struct price_parse *parse, size_t last)
{
    static const char *const words[] = {"cheaper", "lower", "less"};
    struct gt_str word = price_lexed_raw(&parse->lexed, last, last);
    bool is_one = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) is_one = is_one || gt_str_eq_nocase(word, gt_str_from(words[i]));
    return is_one;
}

/* The comparison at token `compare` is not one with the platform's own price; its words end at `to`. "than AWS ($6.88/hr)" names a period too. */
static bool is_with_others(const struct price_parse *parse, size_t compare, size_t to)
{
    return price_is_seller(&parse->tokens[compare + 1]) || !is_own_price(parse, compare + 1, to);
}

/* Words of others and their prices. */
static bool is_hearsay(const struct price_token *t)
{
    return t->kind == PK_REFUSE && (t->value == REFUSAL_CLAIM || t->value == REFUSAL_OTHER_SELLER);
}

/* A percentage measured against somebody else's prices, or a market's: no discount. */
static bool is_claim(const struct price_parse *parse, const struct percent *p, size_t last)
{
    const struct price_token *t = parse->tokens;
    for (size_t i = p->first, n = 0; i-- > 0 && n < CLAUSE_TOKENS_MAX && t[i].kind != PK_BREAK; n++) {
        if (t[i].kind == PK_COMPARE) return is_with_others(parse, i, p->first);
        if (is_cost(parse, &t[i]) || t[i].kind == PK_CLAIM || is_hearsay(&t[i])) return true;
    }
    size_t end = p->next;
    while (end < parse->lexed.count && end < p->next + CLAUSE_TOKENS_MAX && t[end].kind != PK_BREAK) end++;
    for (size_t i = p->next; i < end; i++)
        if (t[i].kind == PK_COMPARE) return is_with_others(parse, i, end);
    /* "30% cost savings", "节省 60% 训练成本". */
    size_t near = p->next + LOOK_TOKENS_MAX < end ? p->next + LOOK_TOKENS_MAX : end;
    for (size_t i = p->next; i <= last || i < near; i++)
        if (is_cost(parse, &t[i])) return true;
    return is_comparative(parse, last);
}

/* "up to", 最高, 最多, 达 before the figure; for what is paid also 低至 and 最低. */
static bool is_upto(const struct price_parse *parse, size_t first)
{
    const struct price_token *t = &parse->tokens[first] - 1;
    for (int i = 0; i < LOOK_TOKENS_MAX; i++, t--) {
        if (t->kind == PK_BOUND && t->arg == 0 && t->value != BOUND_APPROX) return true;
        if (!is_filler(t) && t->kind != PK_OFF && t->kind != PK_MINUS && t->kind != PK_ZHEKOU) return false;
    }
    return false;
}

/* 享 before the figure: what one enjoys is more likely the cut than the rest. */
static bool is_enjoyed(const struct price_parse *parse, size_t first)
{
    const struct price_token *t = &parse->tokens[first] - 1;
    for (int i = 0; i < LOOK_TOKENS_MAX; i++, t--) {
        if (t->kind == PK_ENJOY || t->kind == PK_STACK) return true;
        if (!is_filler(t)) return false;
    }
    return false;
}

/* Without a word that makes it a discount a percentage is a growth, a tax, a load: refused. */
static bool percent_read(struct price_parse *parse, size_t at, size_t *ret_next)
{
    struct percent p;
    if (!percent_parts(parse, at, &p)) return false;
    enum price_cut cut;
    size_t last = p.next - 1, behind;
    *ret_next = p.next;
    bool is_known = cut_behind(parse, p.next, &cut, &behind);
    if (is_known) last = behind;
    if (!is_known) is_known = cut_before(parse, at, &cut);
    if (!is_known || p.high_nano == 0) {
        price_refuse(parse, at, p.next - 1, REFUSAL_PERCENT);
        return true;
    }
    if (is_claim(parse, &p, last)) {
        price_refuse(parse, at, last, REFUSAL_CLAIM);
        *ret_next = last + 1;
        return true;
    }
    struct price_find *find = price_find_add(parse, PRICE_FIND_DISCOUNT, at, last);
    if (find == NULL) return true;
    *ret_next = last + 1;
    find->cut = p.first != p.last ? PRICE_CUT_RANGE : cut;
    find->percent_nano = p.high_nano;
    /* Ranges are kept as what is paid at best. */
    if (p.first != p.last && cut == PRICE_CUT_FACTOR) find->percent_nano = p.low_nano;
    if (p.first != p.last && cut != PRICE_CUT_FACTOR) find->percent_nano = NANO - p.high_nano;
    find->is_enjoyed = is_enjoyed(parse, at);
    return true;
}

/* "低至 8 折" is a bound: it is kept and shown, and multiplied with nothing. */
bool price_cut_read(struct price_parse *parse, size_t at, size_t *ret_next)
{
    size_t before = parse->find_count;
    if (!zhe_read(parse, at, ret_next) && !percent_read(parse, at, ret_next)) return false;
    if (parse->find_count > before) {
        struct price_find *find = &parse->finds[parse->find_count - 1];
        find->is_upto |= is_upto(parse, at) || find->cut == PRICE_CUT_RANGE;
    }
    return true;
}
