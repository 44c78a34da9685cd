/* What must hold for a discount or a price: the words around it. */
#include "common/civil.h"
#include "pricing/price_date.h"
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

struct list {
    struct price_parse *parse;
    struct condition items[CONDITIONS_MAX];
    size_t count;
    bool is_discount;
    int32_t own_months; /* of the amount's own period */
};

/* One condition of each kind; a second "unknown" only with other words. */
static void add(struct list *list, enum cond_kind kind, int64_t n, struct gt_str text)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind && (kind != COND_UNKNOWN || gt_str_eq(list->items[i].text, text))) return;
    if (list->count < CONDITIONS_MAX) list->items[list->count++] = (struct condition){.kind = kind, .n = n, .text = text};
}

/* Words of the original text, for texts that are kept. */
static struct gt_str raw(const struct list *list, size_t first, size_t last)
{
    return price_lexed_raw(&list->parse->lexed, first, last);
}

static const struct gt_str nothing = {NULL, 0};

/* 钻石会员 is level 钻石; "diamond member" level diamond; 会员 alone has none. */
static struct gt_str member_level(const struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    struct gt_str word = raw(list, at, at);
    if (t->arg != PRICE_ALSO_LEVEL) return nothing;
    size_t blank = gt_str_find(word, GT_STR(" "), 0), zh = gt_str_find(word, GT_STR("会员"), 0);
    return gt_str_slice(word, 0, blank != SIZE_MAX ? blank : zh); /* VIP3 has neither: the whole word */
}

/* Words that restrict in a way no condition has a name for ("仅限华北区", "满2台"): kept as they stand, so
 * that the discount holds for nobody until a person says what they mean. They run to the clause's
 * end or the figure. */
static void see_restriction(struct list *list, size_t at, size_t to)
{
    size_t last = at;
    while (last + 1 < to && list->parse->tokens[last + 1].kind != PK_BREAK &&
           !price_is_punct(&list->parse->tokens[last + 1], ')'))
        last++;
    add(list, COND_UNKNOWN, 0, raw(list, at, last));
}

/* A word that names its condition alone: 学生, 企业, 夜间. */
static void see_condition(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    add(list, (enum cond_kind)t->value, 0, t->value == COND_MEMBER ? member_level(list, at) : nothing);
}

/* 包周 95折: for who takes days or weeks, and no condition says that. */
static void see_short_rate(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    bool is_short = t->value == PERIOD_DAY || t->value == PERIOD_WEEK;
    bool is_way = t->arg == PRICE_STYLE_PAY || t->arg == PRICE_STYLE_PACK;
    if (list->is_discount && is_short && is_way) add(list, COND_UNKNOWN, 0, raw(list, at, at));
}

/* How one pays: 月付, 包年, 按月租赁. Of an amount only what differs from its own unit is a condition. */
static void see_rate(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    bool is_way =
        t->arg == PRICE_STYLE_PAY || t->arg == PRICE_STYLE_PACK || t->arg == PRICE_STYLE_BY || t->arg == PRICE_STYLE_RENT;
    int32_t months = t->value == PERIOD_NONE ? 1 : price_period_months(t->value, 1);
    if (!is_way || months <= list->own_months) return;
    if (!list->is_discount && t->arg == PRICE_STYLE_RENT) return;
    if (months == 1) add(list, COND_PREPAY_MONTH, 0, nothing);
    else if (months == 12) add(list, COND_PREPAY_YEAR, 0, nothing);
    else add(list, COND_MIN_MONTHS, months, nothing);
}

/* The period behind a number, past a range's other end, hyphens and signs: "1-3 年", "3-year", "6+
 * months". */
static const struct price_token *period_behind(const struct price_token *t)
{
    const struct price_token *next = t + 1;
    if (next->kind == PK_RANGE && next[1].kind == PK_NUMBER) next += 2;
    else if (next->kind == PK_RANGE || next->kind == PK_BOUND) next++;
    return next->kind == PK_PERIOD ? next : NULL;
}

/* 以上, 起, 满, "6+": the term is the least that is asked for. */
static bool is_floor(const struct price_token *number, const struct price_token *period)
{
    return period[1].kind == PK_ABOVE || period[1].kind == PK_MIN_COUNT ||
           (period[1].kind == PK_BOUND && period[1].value == BOUND_FROM) || number[-1].kind == PK_FULL ||
           number[-1].kind == PK_MIN_COUNT || (number[-1].kind == PK_BOUND && number[-1].value == BOUND_FROM) ||
           number[1].kind == PK_BOUND;
}

/* A term of months or years. */
static void see_term(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at], *period = period_behind(t);
    if (period == NULL) return;
    struct price_value value = price_number_value(&list->parse->lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK || value.nano > 1200 * NANO) return;
    if (list->is_discount && period->value < PERIOD_MONTH && is_floor(t, period))
        add(list, COND_UNKNOWN, 0, raw(list, at, at + 1));
    int64_t months = price_period_months(period->value, 1) * value.nano / NANO;
    bool is_calendar = period->value == PERIOD_MONTH && period->len == 3 && !is_floor(t, period) && t[-1].kind != PK_TERM &&
                       t[-1].kind != PK_NOTHING;
    bool is_ceiling = period[1].kind == PK_BOUND && period[1].value == BOUND_UPTO;
    if (months > 0 && price_is_intro(&list->parse->lexed, at)) add(list, COND_NEW_CUSTOMER, 0, nothing);
    /* "3月9折" is March's or a term of three; "12.12 年终" is no term at all. */
    if (list->is_discount && is_calendar) add(list, COND_UNKNOWN, 0, raw(list, at, at + 1));
    if (value.nano % (NANO / 2) != 0) return;
    if (months == 0 || is_calendar || is_ceiling || price_is_intro(&list->parse->lexed, at)) return;
    bool is_prepaid = list->is_discount && t[-1].kind == PK_TERM && months == 12 && !is_floor(t, period);
    /* 预付一年: not for who pays the year month by month. */
    if (is_prepaid) add(list, COND_PREPAY_YEAR, 0, nothing);
    else if (list->is_discount || is_floor(t, period)) add(list, COND_MIN_MONTHS, months, nothing);
}

/* 起租 8 卡, 8 卡以上, 16+ GPUs. */
static void see_cards(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    int32_t cards;
    size_t last;
    if (t[1].kind == PK_BOUND && t[1].value == BOUND_FROM && t[2].kind == PK_CARD) {
        struct price_value value = price_number_value(&list->parse->lexed, at, DECIMAL_POINT, false);
        if (value.status == GT_OK && value.nano / NANO <= CARDS_MAX) add(list, COND_MIN_CARDS, value.nano / NANO, nothing);
    } else if (price_is_card_count(&list->parse->lexed, at, &cards, &last) && price_is_minimum(&list->parse->lexed, at, last)) {
        add(list, COND_MIN_CARDS, cards, nothing);
    }
}

/* "22:00", and not the ratio "1:1". */
static bool is_time_of_day(const struct list *list, size_t at)
{
    enum { MINUTES_LEN = 3 };
    struct gt_str word = price_token_text(&list->parse->lexed, at);
    size_t colon = gt_str_find(word, GT_STR(":"), 0);
    return colon != SIZE_MAX && word.ptr[0] >= '0' && word.ptr[0] <= '9' && word.len >= colon + MINUTES_LEN;
}

/* 起, 生效, 开始 behind a date, "from" and 自 before it: what is said begins then. */
static bool is_beginning(const struct list *list, const struct price_token *date, const struct price_token *before,
                         const struct price_token *behind)
{
    static const char *const words[] = {"生效", "开始", "开启", "启用", "起始", "自", "从", "starting", "beginning", "since"};
    const struct price_token *const beside[] = {date - 1, behind};
    bool is_bound = behind->kind == PK_BOUND && behind->value == BOUND_FROM;
    if (is_bound || behind->kind == PK_RANGE) return true;
    if (before->kind == PK_DERIVED || (before->kind == PK_BOUND && before->value == BOUND_FROM)) return true;
    for (size_t i = 0; i < 2 * sizeof words / sizeof words[0]; i++) {
        const struct price_token *t = beside[i % 2];
        struct gt_str word = price_token_text(&list->parse->lexed, (size_t)(t - list->parse->tokens));
        if ((t->kind == PK_OTHER || t->kind == PK_FILL) && gt_str_starts(word, gt_str_from(words[i / 2]))) return true;
    }
    return false;
}

/* A date at which something begins or ends. Chinese texts mean the day in China. Of a discount every other date is kept as it stands: it
 * may have passed, or not have come. */
static void see_date(struct list *list, size_t at, size_t to)
{
    (void)to;
    const struct price_parse *parse = list->parse;
    const struct price_token *t = &parse->tokens[at];
    const struct price_token *before = t - 1;
    while (before->kind == PK_FILL || price_is_punct(before, ':')) before--;
    bool has_time = t[1].kind == PK_OTHER && is_time_of_day(list, at + 1);
    const struct price_token *behind = t + 1 + has_time;
    bool is_end = before->kind == PK_UNTIL || before->kind == PK_RANGE || behind->kind == PK_UNTIL;
    bool is_begin = !is_end && is_beginning(list, t, before, behind);
    struct price_date date;
    if (!is_end && !is_begin && !list->is_discount) return;
    bool is_read = price_date_scan(parse->lexed.text, t->at, &date) || price_date_scan_english(parse->lexed.text, t->at, &date);
    int64_t day = is_read ? price_date_unix_s(&date, parse->lexed.has_han ? CIVIL_SHANGHAI_S : 0) : 0;
    /* "until 12-01 00:00" ends before that day; any other time ends with it, which is told as the day. */
    struct gt_str time = price_token_text(&parse->lexed, at + 1);
    bool is_midnight = has_time && (gt_str_is(time, "00:00") || gt_str_is(time, "0:00") || gt_str_is(time, "00:00:00"));
    if (day != 0 && is_end) add(list, COND_UNTIL, is_midnight ? day : day + CIVIL_DAY_S, nothing);
    else if (day != 0 && is_begin) add(list, COND_FROM, day, nothing);
    else if (is_end || list->is_discount) add(list, COND_UNKNOWN, 0, raw(list, at, at));
}

/* "充值满2000享9折": a bare number that must be reached before a cut is money. */
static void see_bare_spend(struct list *list, size_t at)
{
    enum { SPEND_LEAST = 100 }; /* less may count anything */
    const struct price_token *t = &list->parse->tokens[at];
    size_t next = at + 1;
    bool is_above = t[1 + (t[1].kind == PK_SCALE)].kind == PK_ABOVE; /* "月消费 5 万以上 8 折" */
    if (t[-1].kind != PK_FULL && !is_above) return;
    struct price_value value = price_number_value(&list->parse->lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK) return;
    if (list->parse->tokens[next].kind == PK_SCALE) next++;
    int kind = list->parse->tokens[next].kind;
    if (kind == PK_PERIOD || kind == PK_CARD || kind == PK_NODE || kind == PK_CURRENCY || kind == PK_BOUND) return;
    int64_t nano = value.nano;
    for (int zeros = next > at + 1 ? t[1].arg : 0; zeros > 0; zeros--)
        if (__builtin_mul_overflow(nano, 10, &nano)) return;
    if (nano >= SPEND_LEAST * NANO) add(list, COND_MIN_SPEND, nano, nothing);
    else add(list, COND_UNKNOWN, 0, raw(list, at - 1, at));
}

/* "4卡95折": right before the figure a count is what is asked for. */
static void see_cards_of_cut(struct list *list, size_t at, size_t to)
{
    int32_t cards;
    size_t last;
    bool is_count = price_is_card_count(&list->parse->lexed, at, &cards, &last);
    if (is_count && last + 1 == to && cards > 1) add(list, COND_MIN_CARDS, cards, nothing);
}

/* 满2台, 3台起: thresholds that are neither months, cards nor money. */
static void see_threshold(struct list *list, size_t at)
{
    const struct price_token *t = &list->parse->tokens[at];
    if (t[1].kind != PK_NODE) return;
    bool is_floor_word = t[-1].kind == PK_FULL || t[-1].kind == PK_MIN_COUNT || t[2].kind == PK_ABOVE || t[2].kind == PK_BOUND;
    if (is_floor_word) add(list, COND_UNKNOWN, 0, raw(list, at, at + 1));
}

/* "code GPU20 for 20% off", "输入 SAVE20 立减": for who knows the word. */
static bool is_code(const struct list *list, size_t at)
{
    struct gt_str word = price_token_text(&list->parse->lexed, at);
    return (gt_str_is(word, "code") || gt_str_is(word, "输入")) && list->parse->tokens[at + 1].kind == PK_IDENT;
}

/* "22:00-8:00 5折", "0点至8点 5折": hours that no condition has a name for, unless the night was named before them. The time of a date only says
 * when the offer ends. */
static void see_clock(struct list *list, size_t at, size_t to)
{
    (void)to;
    const struct price_token *t = &list->parse->tokens[at];
    if (!list->is_discount) return;
    if (is_code(list, at)) add(list, COND_UNKNOWN, 0, raw(list, at, at + 1));
    bool is_hour = t[-1].kind == PK_NUMBER && gt_str_starts(price_token_text(&list->parse->lexed, at), GT_STR("点"));
    bool is_time = t[-1].kind != PK_DATE && is_time_of_day(list, at);
    if (!is_time && !is_hour) return;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == COND_NIGHT) return;
    add(list, COND_UNKNOWN, 0, raw(list, is_hour ? at - 1 : at, at));
}

/* Roles that imply a condition. */
static void see_role(struct list *list, size_t at, size_t to)
{
    (void)to;
    const struct price_token *t = &list->parse->tokens[at];
    /* No persona condition says "spot": a factor for spot must not reach the on-demand price. */
    if (list->is_discount && t->value == ROLE_SPOT) add(list, COND_UNKNOWN, 0, raw(list, at, at));
    if (t->value == ROLE_SALE && t->arg == 1) add(list, COND_PROMOTION, 0, nothing);
    if (t->value == ROLE_MEMBER) add(list, COND_MEMBER, 0, nothing);
}

static void see_cond_word(struct list *list, size_t at, size_t to)
{
    if (list->parse->tokens[at].value == COND_UNKNOWN) see_restriction(list, at, to);
    else see_condition(list, at);
}

static void see_rate_word(struct list *list, size_t at, size_t to)
{
    (void)to;
    see_rate(list, at);
    see_short_rate(list, at);
}

/* A day that is told without its month, or with it as figures alone: "1-5日", "截至11.30", "12.1起", "11.1-11.29". Which one is meant
 * is for a person to say. 天 counts days, 日 names one. */
static void see_day(struct list *list, size_t at)
{
    const struct price_lexed *lexed = &list->parse->lexed;
    const struct price_token *t = &list->parse->tokens[at], *period = period_behind(t);
    struct gt_str behind = period != NULL ? price_token_text(lexed, (size_t)(period - list->parse->tokens)) : nothing;
    bool is_named = gt_str_is(behind, "日") || gt_str_is(behind, "号");
    bool has_point = gt_str_find(price_token_text(lexed, at), GT_STR("."), 0) != SIZE_MAX;
    bool is_floor = t[1].kind == PK_BOUND && t[1].value == BOUND_FROM && t[1].arg == 1;
    bool is_range = t[1].kind == PK_RANGE && t[2].kind == PK_NUMBER;
    bool is_end = t[1].kind == PK_UNTIL || (period == NULL && t[-1].kind == PK_UNTIL) || (has_point && t[-1].kind == PK_RANGE);
    if (is_named || is_end || (has_point && (is_floor || is_range)))
        add(list, COND_UNKNOWN, 0, raw(list, at, is_range ? at + 2 : at + (t[1].kind == PK_PERIOD)));
}

static void see_number(struct list *list, size_t at, size_t to)
{
    see_term(list, at);
    see_cards(list, at);
    if (!list->is_discount) return;
    see_day(list, at);
    see_cards_of_cut(list, at, to);
    see_bare_spend(list, at);
    see_threshold(list, at);
}

/* "充值 8 折", "20% off with voucher". */
static void see_refusal(struct list *list, size_t at, size_t to)
{
    const struct price_token *t = &list->parse->tokens[at];
    (void)to;
    if (list->is_discount && (t->value == REFUSAL_CREDIT || t->value == REFUSAL_MIN_SPEND))
        add(list, COND_UNKNOWN, 0, raw(list, at, at));
}

/* "预付费 85 折": for who pays ahead, a month at least; 预付一年 and 预付年费 say for how long. */
static void see_prepaid(struct list *list, size_t at, size_t to)
{
    const struct price_token *t = &list->parse->tokens[at];
    bool is_timed = (t[1].kind == PK_NUMBER && at + 1 < to) || t[1].kind == PK_RATE || t[-1].kind == PK_RATE || t[-1].kind == PK_PERIOD;
    struct gt_str word = price_token_text(&list->parse->lexed, at);
    bool is_ahead = gt_str_starts(word, GT_STR("预付")) || gt_str_starts(word, GT_STR("prepa"));
    if (!list->is_discount || is_timed || !is_ahead) return;
    add(list, COND_PREPAY_MONTH, 0, nothing);
}

/* What is done with a word of a region that ends at `to`. Most words say nothing of conditions. */
static void (*const see_word[PK_COUNT])(struct list *list, size_t at, size_t to) = {
    [PK_COND] = see_cond_word, [PK_RATE] = see_rate_word, [PK_NUMBER] = see_number,  [PK_OTHER] = see_clock,
    [PK_DATE] = see_date,      [PK_ROLE] = see_role,      [PK_REFUSE] = see_refusal,
    [PK_TERM] = see_prepaid,
};

/* Words that may stand before any discount and say nothing of whom it is for. */
static bool is_plain_word(const struct list *list, size_t at)
{
    static const char *const words[] = {"机型", "算力", "云", "服务", "产品", "商品", "资源", "官网", "平台", "可", "均", "都", "就", "仅",
                                        "只", "现", "今", "本", "现在", "目前", "此", "该", "我们", "您", "你", "即", "了", "为", "统一",
                                        "全场", "全线", "全站", "全系", "折上", "再", "又", "更", "直接", "特", "低", "最低", "超值", "下单",
                                        "购买", "选择", "租", "型号", "配置", "套餐", "方案", "the", "our", "get", "enjoy", "now", "on",
                                        "is", "are", "you", "your", "and", "with", "by", "of", "in", "at"};
    struct gt_str word = price_token_text(&list->parse->lexed, at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (gt_str_is(word, words[i])) return true;
    return false;
}

/* "大客户 7 折", "研究生专享 7折", "实名认证用户9.8折": whom it is for, in words that nobody taught us. Unless that is understood the
 * discount is not everybody's. Only what stands right before the figure, or before 用户 and 专享, speaks so. */
static void see_audience(struct list *list, size_t from, size_t figure)
{
    const struct price_token *t = list->parse->tokens;
    size_t at = figure;
    while (at > from && (t[at - 1].kind == PK_ENJOY || t[at - 1].kind == PK_FILL || t[at - 1].kind == PK_BOUND ||
                         (t[at - 1].kind == PK_TASK && t[at - 1].arg == 1)))
        at--;
    if (at == from || !price_is_foreign(&t[at - 1]) || is_plain_word(list, at - 1)) return;
    if ((unsigned char)list->parse->lexed.text.ptr[t[at - 1].at] < 0x80) return; /* English says it with "for" */
    size_t first = at - 1;
    while (first > from && price_is_foreign(&t[first - 1])) first--;
    /* 教师认证, 仅限华北区: understood, or kept already; 季度付款, 三年期: the end of a word that is known. */
    bool is_known = first > from && t[first - 1].kind == PK_COND;
    bool is_tail = first > from && first + 1 == at && t[first].len <= 3 && !price_is_spaced(&t[first]) && t[first - 1].kind != PK_FILL;
    if (is_known || is_tail) return;
    add(list, COND_UNKNOWN, 0, raw(list, first, at - 1));
}

/* What a discount is compared with is no condition: "月租成本较小时租低 30%". */
static inline void see_words(struct list *list, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        int kind = list->parse->tokens[i].kind;
        if (kind == PK_COMPARE) return;
        if (see_word[kind] != NULL) see_word[kind](list, i, to);
    }
}

/* An amount takes the conditions of its own clause; a price word further off speaks of other
 * things. */
static size_t clause_begin(const struct price_parse *parse, const struct price_find *find)
{
    size_t from = find->first;
    while (from > find->pre_from && parse->tokens[from - 1].kind != PK_BREAK) from--;
    return from;
}

/* All words that may speak of the find: before it, behind it, and a threshold such as "满1000减". */
static void see_find(struct list *list, size_t index)
{
    const struct price_find *find = &list->parse->finds[index];
    bool is_discount = find->type == PRICE_FIND_DISCOUNT;
    size_t from = is_discount ? find->pre_from : clause_begin(list->parse, find);
    for (size_t i = find->pre_from; i < from; i++)
        if (list->parse->tokens[i].kind == PK_NUMBER) see_cards(list, i); /* "8卡起租，¥6.2/卡/时" */
    see_words(list, from, find->first);
    if (is_discount) see_audience(list, clause_begin(list->parse, find), find->first);
    /* "50% student discount", "20% 学生优惠": between the figure and the word that makes it a discount. */
    for (size_t i = find->first; is_discount && i <= find->last; i++)
        if (list->parse->tokens[i].kind == PK_COND) see_cond_word(list, i, find->last + 1);
    see_words(list, find->last + 1, find->post_to);
    if (is_discount && index > 0 && find[-1].is_threshold) add(list, COND_MIN_SPEND, find[-1].low_nano, nothing);
}

bool price_conditions_read(struct price_parse *parse, size_t index, const struct condition **ret_conditions, size_t *ret_count)
{
    const struct price_find *find = &parse->finds[index];
    struct list list; /* its array is filled as far as `count` says */
    list.parse = parse;
    list.count = 0;
    list.is_discount = find->type == PRICE_FIND_DISCOUNT;
    list.own_months = list.is_discount ? 0 : price_period_months(find->unit.period, find->unit.period_count);
    *ret_conditions = NULL;
    *ret_count = 0;
    if (find->is_inferred) add(&list, COND_UNKNOWN, 0, nothing);
    else see_find(&list, index);
    if (!list.is_discount && find->role == ROLE_MEMBER) add(&list, COND_MEMBER, 0, nothing); /* a heading may say so */
    if (find->follows_cut > 0) {
        list.is_discount = true;
        see_find(&list, find->follows_cut - 1);
    }
    if (list.count == 0) return true;
    struct condition *items = arena_array(parse->arena, list.count, sizeof *items);
    if (items == NULL) return false;
    memcpy(items, list.items, list.count * sizeof *items);
    *ret_conditions = items;
    *ret_count = list.count;
    return true;
}

/* 年付 beside 月付 lists what can be had: neither is the row's own. */
static bool has_two_rates(const struct price_lexed *lexed)
{
    int rate = -1;
    for (size_t i = 0; i < lexed->count; i++) {
        if (lexed->tokens[i].kind != PK_RATE) continue;
        if (rate >= 0 && rate != lexed->tokens[i].value) return true;
        rate = lexed->tokens[i].value;
    }
    return false;
}

/* A length of time is a commitment where a word of terms stands beside it: "1yr reserved", 一年期合约, and not 3年质保. */
static bool is_committed(const struct list *list, const struct price_token *t)
{
    const struct price_token *period = period_behind(t);
    if (period == NULL) return false;
    struct gt_str behind = price_token_text(&list->parse->lexed, (size_t)(period + 1 - list->parse->tokens));
    return t[-1].kind == PK_TERM || period[1].kind == PK_TERM || gt_str_starts(behind, GT_STR("期"));
}

/* For how long, whatever is paid at once of it. */
static void see_length(struct list *list, size_t at)
{
    const struct price_token *period = period_behind(&list->parse->tokens[at]);
    struct price_value value = price_number_value(&list->parse->lexed, at, DECIMAL_POINT, false);
    if (period == NULL || value.status != GT_OK || value.nano > 1200 * NANO || value.nano % (NANO / 2) != 0) return;
    int64_t months = price_period_months(period->value, 1) * value.nano / NANO;
    if (months > 0) add(list, COND_MIN_MONTHS, months, nothing);
}

enum gt_err price_terms_read(struct gt_str words, bool is_plan, struct arena *arena, struct condition ret_conditions[CONDITIONS_MAX],
                             size_t *ret_count)
{
    struct price_parse parse;
    struct list list;
    if (words.len > PRICE_TEXT_MAX) return GT_ELIMIT;
    parse.arena = arena;
    enum gt_err err = price_lex(words, arena, &parse.lexed);
    if (err != GT_OK) return err;
    parse.tokens = parse.lexed.tokens;
    list.parse = &parse;
    list.count = 0;
    list.is_discount = true;
    list.own_months = 0;
    bool has_rate = !has_two_rates(&parse.lexed);
    for (size_t i = 0; i < parse.lexed.count; i++) {
        const struct price_token *t = &parse.tokens[i];
        /* 企业版 and 仅限华北 are names and places as often as conditions. */
        if (t->kind == PK_COND && t->value != COND_ENTERPRISE && t->value != COND_UNKNOWN) see_condition(&list, i);
        if (t->kind == PK_ROLE && t->value != ROLE_SPOT) see_role(&list, i, i + 1); /* who may be interrupted is the tier's to say */
        if (t->kind == PK_RATE && has_rate) see_rate(&list, i);
        if (t->kind == PK_NUMBER && (is_plan || is_committed(&list, t))) see_length(&list, i);
    }
    memcpy(ret_conditions, list.items, list.count * sizeof *ret_conditions);
    *ret_count = list.count;
    return GT_OK;
}
