/* The words before an amount, read from the amount outwards: the nearest word of each sort counts. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

/* Where the walk stands. */
struct walk {
    struct price_parse *parse;
    struct price_find *find;
    struct price_before *seen;
    size_t index;
    bool is_touching; /* only marks and fillers between here and the amount */
    bool is_near;     /* no number and no break in between */
    bool is_clause;   /* no break in between */
    bool has_card;    /* a card's name stands in the amount's clause */
    bool has_task, has_time; /* "1,000 images", "3.3 h" in cells before the amount's own */
    bool has_machine; /* a card, cores or main memory stand anywhere before the amount */
    int depth;        /* inside brackets that close before the amount */
};

/* Kinds that may stand between a mark ("约", "=") and its amount. */
static bool is_transparent(const struct price_token *t)
{
    switch (t->kind) {
    case PK_FILL:
    case PK_PRICE:
    case PK_RATE:
    case PK_PERIOD:
    case PK_EACH_CARD:
    case PK_NODE:
    case PK_CARD:
    case PK_COND:
    case PK_ROLE:
    case PK_BOUND:
    case PK_DERIVED:
    case PK_EQUAL:
    case PK_MEAN:
    case PK_ESTIMATE:
    case PK_PER:
    case PK_CURRENCY:
    case PK_ZHE:
    case PK_ENJOY:
    case PK_TERM:
    case PK_BILLING:
    case PK_CLAIM:
    case PK_MINUS:
    case PK_CENTS: return true;
    case PK_PUNCT: return t->value == ':' || t->value == '"' || t->value == '(' || t->value == '_';
    default: return false;
    }
}

/* Why the amount is no rental price; the nearest word of its clause counts. */
static void see_reason(struct walk *w, enum refusal_reason reason, bool is_firm)
{
    if (!w->is_clause || w->depth > 0 || w->seen->reason != REFUSAL_NONE) return;
    w->seen->reason = reason;
    w->seen->is_reason_firm = is_firm;
}

/* ---- period and term ---- */

/* "按秒计费" says how bills are made, never what the price beside it is for. */
static bool is_billing_step(const struct price_token *rate)
{
    bool is_short = rate->value == PERIOD_SECOND || rate->value == PERIOD_MINUTE;
    return is_short && (rate[1].kind == PK_BILLING || rate[-1].kind == PK_BILLING || rate->arg == PRICE_STYLE_BY);
}

/* Takes the nearest rate word; another period further off only raises a doubt. */
static void see_rate(struct walk *w, const struct price_token *t, int period, int style)
{
    struct price_before *seen = w->seen;
    if (period == PERIOD_NONE || w->depth > 0) return;
    if (seen->rate == PERIOD_NONE) {
        seen->rate = (enum period)period;
        seen->style = (enum price_style)style;
        seen->is_rate_near = w->is_clause;
        seen->is_rate_touching = w->is_touching;
        /* "时租/月租：1.5/800": which of them this amount is for, only the order tells. */
        bool is_joined = price_is_punct(t - 1, '/') && ((t - 2)->kind == PK_RATE || (t - 2)->kind == PK_PERIOD);
        seen->is_rate_list = is_joined;
    } else if (seen->rate != (enum period)period) {
        seen->has_rates = true;
    }
}

/* A period's noun before the amount counts as "per" it only behind "per" or a slash, or in
 * GPU-hour, or before the word for a price. */
static void see_period(struct walk *w, size_t at)
{
    const struct price_token *t = &w->parse->tokens[at], *before = t - 1;
    bool is_per = before->kind == PK_PER || price_is_punct(before, '/');
    bool is_card_hour = before->kind == PK_CARD || (before->kind == PK_RANGE && (before - 1)->kind == PK_CARD);
    if (before->kind == PK_NUMBER || (before->kind == PK_RANGE && (before - 1)->kind == PK_NUMBER)) return;
    bool is_billed = before->kind == PK_PER && (before - 1)->kind == PK_BILLING;
    const struct price_token *card = before->kind == PK_RANGE ? before - 1 : before;
    const struct price_token *count = price_is_punct(t + 1, ':') ? t + 2 : t + 1; /* "GPU-hours: 500, price $995" */
    bool is_key = t[1].kind == PK_PRICE && t->len > 1; /* "hour_price": 15.84 */
    bool is_quantity = is_card_hour && count->kind == PK_NUMBER && count != &w->parse->tokens[w->find->first];
    if (is_quantity || (is_card_hour && (card - 1)->kind == PK_NUMBER)) see_reason(w, REFUSAL_TASK, is_quantity); /* "100 GPU hours $250" */
    else if ((is_per || is_card_hour || is_key) && !is_billed) see_rate(w, t, t->value, PRICE_STYLE_EACH);
    if (is_card_hour && w->is_touching) w->seen->is_rate_touching = false; /* "GPU hours: 100" is a quantity */
}

/* Durations that a total may be spread over; months and years are terms, not durations. */
static int64_t hours_of(int period, int64_t count)
{
    return period == PERIOD_HOUR ? count : period == PERIOD_DAY ? 24 * count : period == PERIOD_WEEK ? 168 * count : 0;
}

/* A word that makes "3 个月" a commitment: 租期, 预留, 满, 以上, reserved. */
static bool is_commitment_beside(const struct price_token *number, const struct price_token *period)
{
    return number[-1].kind == PK_TERM || period[1].kind == PK_TERM || number[-1].kind == PK_FULL || period[1].kind == PK_ABOVE ||
           (number[-1].kind == PK_FILL && number[-2].kind == PK_TERM) || period[1].kind == PK_PRICE;
}

bool price_is_intro(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *before = &lexed->tokens[at] - 1;
    struct gt_str word = gt_str_slice(lexed->text, before->at, before->len);
    if (before->kind != PK_UNTIL && before->kind != PK_OTHER) return false;
    return gt_str_is(word, "前") || gt_str_is(word, "首") || gt_str_is(word, "first");
}

/* "3 个月", "20 小时", "1-year": `at` is the number. A bare 月 behind a number is a month of the
 * calendar. */
static void see_term(struct walk *w, size_t at)
{
    const struct price_token *t = &w->parse->tokens[at], *period = t + 1;
    if (period->kind == PK_RANGE) period++;
    if (period->kind == PK_BOUND) period++;
    if (period->kind != PK_PERIOD) return;
    struct price_value value = price_number_value(&w->parse->lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK || value.nano > 100000 * NANO) return;
    bool is_calendar = period->value == PERIOD_MONTH && period->len == 3 && !is_commitment_beside(t, period);
    bool is_year = period->value == PERIOD_YEAR && value.nano >= 1900 * NANO;
    if (is_calendar || is_year) return;
    /* 一个月 990 元 is said of each month; "1 个月" in digits may be a column of terms. */
    if ((t->flags & PRICE_TOKEN_NUMERAL) && value.nano == NANO && w->is_touching) {
        see_rate(w, period, period->value, PRICE_STYLE_EACH);
        return;
    }
    w->has_time |= !w->is_clause && price_period_months(period->value, 1) == 0;
    int64_t hours = hours_of(period->value, value.nano / NANO);
    int64_t months = price_period_months(period->value, 1) * value.nano / NANO;
    if (hours > 0 && w->seen->duration_hours == 0 && w->is_clause) w->seen->duration_hours = hours;
    if (months > 0 && w->seen->term_months == 0) {
        w->seen->term_months = (int32_t)months;
        w->seen->is_term_committed = is_commitment_beside(t, period);
        w->seen->is_term_adjacent = w->is_touching;
    }
}

/* ---- multiplication ---- */

/* "ou 4 × 599 € par mois", "4 × 599 € sans frais": so many payments for one thing. */
static bool is_instalment(const struct walk *w, const struct price_token *factor)
{
    static const char *const choices[] = {"or", "ou", "oder", "或", "或者"};
    const struct price_find *find = w->find;
    bool is_long = find->unit.period == PERIOD_NONE || price_period_months(find->unit.period, 1) > 0;
    if (factor->kind != PK_NUMBER || find->is_suffix_basis || !is_long) return false;
    const struct price_token *behind = &w->parse->tokens[find->last] + 1;
    if (behind->kind == PK_REFUSE && behind->value == REFUSAL_PURCHASE) return true;
    struct gt_str word = gt_str_slice(w->parse->lexed.text, factor[-1].at, factor[-1].len);
    for (size_t i = 0; factor[-1].kind != PK_END && i < sizeof choices / sizeof choices[0]; i++)
        if (gt_str_is(word, choices[i])) return true;
    return false;
}

/* "8 卡 × 2500": a count of cards; "24 hrs * $3": a worked example. */
static void see_multiplier(struct walk *w)
{
    const struct price_token *t = &w->parse->tokens[w->find->first] - 1;
    size_t last;
    int32_t cards;
    if (t->kind != PK_MUL) return;
    const struct price_token *factor = t - 1;
    if (factor->kind == PK_PERIOD && factor[-1].kind == PK_NUMBER) {
        w->find->reason = REFUSAL_TASK;
    } else if (is_instalment(w, factor)) {
        w->find->reason = REFUSAL_PURCHASE;
    } else if (factor->kind == PK_CARD && factor[-1].kind == PK_NUMBER) {
        size_t number = (size_t)(factor - w->parse->tokens) - 1;
        if (price_is_card_count(&w->parse->lexed, number, &cards, &last)) w->find->multiplied_cards = cards;
    }
}

/* ---- role, bound and reason ---- */

/* "[Spot] A100 $0.79/hr": a bracket that opens the text and holds one word is a label of all that follows. */
static bool is_label(const struct price_parse *parse, size_t at)
{
    return at == 1 && price_is_punct(&parse->tokens[0], '(') && price_is_punct(&parse->tokens[2], ')');
}

/* The nearest role of the clause counts. Other brackets that are closed speak of something else. */
static void see_role(struct walk *w, enum role role, size_t at)
{
    w->seen->is_role_touching |= w->is_touching;
    if (w->find->has_role || !w->is_clause || (w->depth > 0 && !is_label(w->parse, at))) return;
    w->find->role = role;
    w->find->has_role = true;
}

/* A price for members is one of its own; for students, newcomers or the night it is a sale with a
 * condition. */
static void see_condition(struct walk *w, const struct price_token *t)
{
    size_t at = (size_t)(t - w->parse->tokens);
    if (t->value == COND_MEMBER) see_role(w, ROLE_MEMBER, at);
    else if (t->value != COND_ENTERPRISE && t->value != COND_UNKNOWN) see_role(w, ROLE_SALE, at);
    struct gt_str word = gt_str_slice(w->parse->lexed.text, t->at, t->len);
    bool is_reward = gt_str_is(word, "邀请") || gt_str_is(word, "推荐") || gt_str_starts(word, GT_STR("referral"));
    if (is_reward) see_reason(w, REFUSAL_CREDIT, false); /* 邀请一人得 50 元 */
}

/* "最低 ¥0.01" and "不足 0.01 元按 …" without a period are the least that is charged, not a price that begins there. */
static bool is_lowest_word(const struct walk *w, const struct price_token *t)
{
    struct gt_str word = gt_str_slice(w->parse->lexed.text, t->at, t->len);
    return gt_str_is(word, "不足") || gt_str_is(word, "最低") || gt_str_is(word, "minimum") || gt_str_is(word, "最低仅");
}

/* 约, 低至 and the like hold for the amount when no other number stands between. */
static void see_bound(struct walk *w, const struct price_token *t)
{
    struct price_find *find = w->find;
    if (t->arg == 1 || !w->is_near || w->depth > 0) return;
    bool is_equal_sign = t->value == BOUND_APPROX && w->is_touching && w->index > 0 && w->parse->lexed.text.ptr[t->at] == '\xE2';
    if (find->bound == BOUND_EXACT) find->bound = t->value;
    find->is_derived |= is_equal_sign; /* "¥1052/月 ≈ ¥1.44/h" */
    find->is_lowest |= t->value != BOUND_APPROX && is_lowest_word(w, t);
}

/* Memory and disks named with a figure describe the machine ("60GB内存"); without one they are what
 * the price is for. */
static bool is_described(const struct price_token *t)
{
    const struct price_token *before = t - 1, *behind = t + 1;
    if (before->kind == PK_FILL) before--;
    if (behind->kind == PK_FILL || price_is_punct(behind, ':')) behind++;
    bool is_behind = behind->kind == PK_NUMBER && (behind[1].kind == PK_BYTES || behind[1].kind == PK_CORE ||
                                                   behind[1].kind == PK_PERIOD || behind[1].kind == PK_MUL);
    return before->kind == PK_BYTES || before->kind == PK_CORE || before->kind == PK_NUMBER || before->kind == PK_IDENT ||
           is_behind || behind->kind == PK_IDENT;
}

/* "1000P 算力", "每 P": computing power by the petaflop, of no card in particular. */
static bool is_petaflop(const struct walk *w, const struct price_token *t)
{
    const char *name = w->parse->lexed.text.ptr + t->at;
    if (name[t->len - 1] != 'p') return false;
    if (t->kind == PK_OTHER) return t->len == 1 && t[-1].kind == PK_PER;
    for (size_t i = 0; i + 1 < t->len; i++)
        if (name[i] < '0' || name[i] > '9') return false;
    return t->len > 1;
}

/* Racks are let without anything in them. */
static bool is_rack(const struct walk *w, const struct price_token *t)
{
    return t->kind == PK_NODE && t->len == 6 && memcmp(w->parse->lexed.text.ptr + t->at, "机柜", 6) == 0;
}

/* Storage, cores and racks as what is priced, not as what comes with a card. Where neither card nor
 * core is named, a figure beside the disk is its size. */
static void see_subject(struct walk *w, const struct price_token *t)
{
    if (w->has_card) return;
    bool is_thing = t->kind == PK_STORAGE && (t->arg == 1 ? !w->parse->beside_machine : !is_described(t) || !w->has_machine);
    if (is_thing) see_reason(w, price_subject_reason(t), true);
    if (is_rack(w, t)) see_reason(w, REFUSAL_COMPONENT, true);
    bool is_multiplied = w->parse->tokens[w->find->first - (w->find->first > 0)].kind == PK_MUL;
    if (t->kind == PK_CORE && (!is_described(t) || is_multiplied)) see_reason(w, REFUSAL_CPU, true);
}

/* "月租 980 × 3 = 2940 元": what plain factors come to is nobody's unit, unless it prints one. */
static bool is_product(const struct price_token *last)
{
    if (last->kind == PK_PERIOD || last->kind == PK_CARD || last->kind == PK_NODE) last--;
    return last->kind == PK_NUMBER && last[-1].kind == PK_MUL && last[-2].kind == PK_NUMBER;
}

/* Signs and words that only mean something right before the amount. */
static void see_mark(struct walk *w, const struct price_token *t)
{
    struct price_find *find = w->find;
    switch (t->kind) {
    case PK_EQUAL:
        if (!w->is_touching) return;
        if (is_product(t - 1) && !find->is_suffix_period) see_reason(w, REFUSAL_TASK, true);
        find->is_equal = find->is_derived = w->index > 0;
        return;
    case PK_DERIVED: find->is_derived |= w->is_near; return;
    case PK_ZHE:
        if (!w->is_near) return;
        if (t->arg == 1) {
            find->is_after_cut = true;
            see_role(w, ROLE_SALE, (size_t)(t - w->parse->tokens));
        } else {
            find->is_derived = true; /* 包月折 ¥1.60: works out at */
        }
        return;
    case PK_RANGE: /* ~2.5: about */
        if (t->arg == PRICE_RANGE_TILDE && w->is_touching && find->bound == BOUND_EXACT) find->bound = BOUND_APPROX;
        return;
    case PK_MINUS: w->seen->is_minus |= w->is_touching; return;
    case PK_OFF:
        /* "DiscountPrice": a price, not what is taken off. */
        w->seen->is_minus |= w->is_touching && (t->arg == 1 || (t->arg == 2 && w->parse->lexed.text.ptr[t->at] != 'd'));
        return;
    case PK_FULL: find->is_threshold |= w->is_touching; return;
    case PK_COMPARE: /* "less than $1/hr" */
        if (w->is_touching && t[-1].kind == PK_OFF && t[-1].len == 4 && t[-2].kind != PK_PUNCT && find->bound == BOUND_EXACT) {
            find->bound = BOUND_UPTO;
            return;
        }
        /* "compared to $98.32/hr on AWS"; not "$1.60 vs. $2.10", nor "less than $2" */
        if (w->is_near && w->index == 0 && w->parse->lexed.text.ptr[t->at] != 't') see_reason(w, REFUSAL_CLAIM, true);
        return;
    default: return;
    }
}

/* One word of the walk. */
static void see_word(struct walk *w, size_t at)
{
    const struct price_token *t = &w->parse->tokens[at];
    switch (t->kind) {
    case PK_RATE:
        if (!is_billing_step(t)) see_rate(w, t, t->value, t->arg);
        break;
    case PK_CARD_TIME: /* "100 卡时 198 元", "1万卡时 8000 元" */
        if (t[-1].kind == PK_NUMBER || t[-1].kind == PK_SCALE) see_reason(w, REFUSAL_TASK, !w->find->is_suffix_period);
        else see_rate(w, t, t->value, PRICE_STYLE_EACH);
        break;
    case PK_CORE_TIME: see_reason(w, REFUSAL_CPU, !w->find->is_suffix_period); break; /* "10000 核时包 350 元" */
    case PK_PERIOD: see_period(w, at); break;
    case PK_NUMBER: /* "前 3 个月 ¥800/月": how long newcomers pay it, not what they commit to */
        if (price_is_intro(&w->parse->lexed, at)) see_role(w, ROLE_SALE, at);
        else see_term(w, at);
        break;
    case PK_ROLE: see_role(w, t->value, at); break;
    case PK_COND: see_condition(w, t); break;
    case PK_BOUND: see_bound(w, t); break;
    case PK_MEAN: w->find->is_mean |= w->is_near; break;
    case PK_ESTIMATE: w->find->is_estimate |= w->is_clause; break;
    case PK_CLAIM: w->find->is_claim |= w->is_clause; break;
    case PK_TAX:
        if (w->find->tax == TAX_UNKNOWN) w->find->tax = t->value;
        break;
    case PK_TERM: w->find->is_upfront |= t->arg == 1 && w->is_clause; break;
    case PK_REFUSE:
        if (t->arg != 3 || w->is_touching) see_reason(w, t->value, t->arg == 1 || t->arg == 3);
        break;
    case PK_TASK:
        w->has_task |= !w->is_clause && t[-1].kind == PK_NUMBER && t->arg == 0;
        if (t[-1].kind == PK_NUMBER && t->arg == 0) see_reason(w, REFUSAL_TASK, false); /* "100 张图 3 元" */
        if (t[-1].kind != PK_NUMBER && t->arg == 1) see_reason(w, REFUSAL_MIN_SPEND, false); /* "Seats from $15" */
        break;
    case PK_TOKENS: see_reason(w, REFUSAL_TOKEN, false); break; /* 每百万 tokens 0.8 元 */
    case PK_EACH_CARD: w->seen->has_each_card |= w->is_near; break;
    case PK_STORAGE:
    case PK_NODE:
    case PK_CORE: see_subject(w, t); break;
    case PK_IDENT:
    case PK_OTHER:
        if (is_petaflop(w, t)) see_reason(w, REFUSAL_SPEC, true);
        break;
    case PK_PRICE: w->seen->is_price_word |= w->is_touching; break;
    case PK_CENTS:
        if (w->is_touching) w->seen->cents_power = t->arg; /* price_cents_per_hour */
        break;
    default: see_mark(w, t);
    }
}

/* 100M: a bandwidth's figure, no card's name. */
static bool is_bandwidth(const struct price_lexed *lexed, const struct price_token *t)
{
    const char *text = lexed->text.ptr + t->at;
    return text[0] >= '0' && text[0] <= '9' && text[t->len - 1] == 'm';
}

static bool is_main_memory(const struct price_parse *parse, size_t at)
{
    struct gt_str word = price_token_text(&parse->lexed, at);
    if (word.ptr[0] != 'r' && word.ptr[0] != 'm' && word.ptr[0] != '\xE5') return false; /* nearly always */
    return gt_str_is(word, "ram") || gt_str_is(word, "memory") || gt_str_is(word, "内存");
}

bool price_is_machine(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at];
    if (t->kind == PK_IDENT) return !is_bandwidth(lexed, t);
    return t->kind == PK_BRAND || t->kind == PK_CARD || t->kind == PK_EACH_CARD || t->kind == PK_VRAM ||
           (t->kind == PK_NUMBER && price_is_model(lexed, at));
}

/* A card named in the clause makes memory and cores part of its description; a card, cores or main
 * memory anywhere before the amount do so for a disk or line of a given size. */
static void see_machine(struct walk *w, size_t from, size_t to)
{
    bool is_clause = true;
    for (size_t i = to; i-- > from;) {
        const struct price_token *t = &w->parse->tokens[i];
        if (t->kind == PK_BREAK) is_clause = false;
        bool is_machine = price_is_machine(&w->parse->lexed, i);
        w->has_card |= is_machine && is_clause;
        w->has_machine |= is_machine || t->kind == PK_CORE || is_main_memory(w->parse, i);
    }
}

void price_before_read(struct price_parse *parse, size_t index, struct price_before *ret)
{
    struct price_find *find = &parse->finds[index];
    struct walk w = {
        .parse = parse, .find = find, .seen = ret, .index = index, .is_touching = true, .is_near = true, .is_clause = true};
    *ret = (struct price_before){.reason = REFUSAL_NONE};
    const struct price_lexed *lexed = &parse->lexed;
    bool has_subject = price_lexed_has(lexed, PK_STORAGE) || price_lexed_has(lexed, PK_NODE) || price_lexed_has(lexed, PK_CORE);
    if (has_subject) see_machine(&w, find->pre_from, find->first);
    see_multiplier(&w);
    for (size_t i = find->first; i-- > find->pre_from;) {
        const struct price_token *t = &parse->tokens[i];
        if (price_is_punct(t, ')')) w.depth++;
        if (price_is_punct(t, '(') && w.depth > 0) w.depth--;
        if (t->kind == PK_BREAK) w.is_clause = w.is_near = false;
        if (t->kind == PK_NUMBER || t->kind == PK_DATE) w.is_near = false;
        see_word(&w, i);
        if (!is_transparent(t)) w.is_touching = false;
    }
    /* "1,000 images | 3.3 h | $5.78": what was done, how long it took, and what it came to. */
    if (w.has_task && w.has_time && ret->reason == REFUSAL_NONE) ret->reason = REFUSAL_TASK;
}
