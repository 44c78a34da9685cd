/* One amount: its currency, scale, range and the unit behind it. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum {
    RANGE_RATIO_MAX = 50,   /* ends further apart are two numbers, not a range */
    MARKET_SCALE_POWER = 8, /* 亿: no rental costs that */
};

/* The parts of an amount while it is read. */
struct amount {
    size_t number, number2; /* tokens; number2 is 0 when there is no range */
    size_t first, next;
    enum price_currency before, behind;
    int scale, scale2; /* powers of ten; -1 when not printed */
    int cents;         /* power of ten below one unit; 0 none */
    size_t tenths;     /* the digit behind a spoken yuan: 6块5; 0 none */
    bool is_odd;       /* digits go on in a way that can be read twice */
    enum bound bound;  /* of a word right behind it */
    enum tax tax;      /* of a word between it and its unit */
    struct price_unit unit;
};

/* ---- currency ---- */

/* A sign such as $ or ¥ that is no word: only signs can be glued to one number and apart from the
 * other. */
static bool is_sign(const struct price_lexed *lexed, const struct price_token *t)
{
    char last = lexed->text.ptr[t->at + t->len - 1];
    return t->kind == PK_CURRENCY && t->arg == PRICE_SIDE_BOTH && !(last >= 'a' && last <= 'z');
}

/* The token before a currency is a number, perhaps with 万 behind it. */
static bool ends_number(const struct price_token *t)
{
    return t->kind == PK_NUMBER || (t->kind == PK_SCALE && t[-1].kind == PK_NUMBER);
}

/* Codes between two numbers ("100 USD 200 USD"): the text's last code tells on which side they
 * stand. */
static bool codes_stand_before(const struct price_lexed *lexed, size_t at)
{
    for (size_t i = at; i < lexed->count; i++)
        if (lexed->tokens[i].kind == PK_CURRENCY && lexed->tokens[i + 1].kind != PK_NUMBER) return false;
    return true;
}

/* "R850/month": the letter is rand only there; "R9" and "R750" are names. */
static bool is_paid_by_time(const struct price_token *number)
{
    return (number[1].kind == PK_PER || price_is_punct(number + 1, '/')) && number[2].kind == PK_PERIOD;
}

/* In "5 ¥3" the sign belongs to what follows it, in "5¥ 3" to what it follows: only blanks, or how the text does it elsewhere, tell. */
size_t price_currency_before(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at], *sign = t - 1;
    if (sign->kind == PK_RANGE && !price_is_spaced(t) && !price_is_spaced(sign) && sign[-1].kind == PK_CURRENCY) sign--;
    if (sign->kind != PK_CURRENCY || sign->arg == PRICE_SIDE_AFTER) return at;
    if (sign->value == PRICE_CUR_ZAR && sign->len == 1 && (price_is_spaced(t) || !is_paid_by_time(t))) return at;
    size_t index = (size_t)(sign - parse->tokens);
    if (!ends_number(sign - 1) || sign->arg == PRICE_SIDE_BEFORE) return index;
    if (is_sign(&parse->lexed, sign)) return !price_is_spaced(sign) && price_is_spaced(sign + 1) ? at : index;
    return codes_stand_before(&parse->lexed, index) ? index : at;
}

/* The currency token at `at` belongs to the number before it. */
static inline bool is_currency_behind(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    if (t->kind != PK_CURRENCY || t->arg == PRICE_SIDE_BEFORE) return false;
    return t->arg == PRICE_SIDE_AFTER || t[1].kind != PK_NUMBER || price_currency_before(parse, at + 1) != at;
}

/* 2块/小时, 2块一小时, 2块5: spoken yuan; everywhere else 块 counts cards ("4块3090"). */
static bool is_spoken_yuan(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    if (t->kind != PK_CARD || memcmp(parse->lexed.text.ptr + t->at, "块", 3) != 0 || t->len != 3) return false;
    bool is_tenths = t[1].kind == PK_NUMBER && t[1].arg == 1 && t[1].value == PRICE_FORM_INTEGER && !price_is_spaced(t + 1);
    return is_tenths || (price_is_punct(t + 1, '/') && t[2].kind == PK_PERIOD) || (t[1].flags & PRICE_TOKEN_NUMERAL) ||
           (t[1].kind == PK_RATE && t[1].arg == PRICE_STYLE_EACH);
}

/* Two printed currencies that agree, "$" and "HKD" among them; NONE and false when they do not. */
static inline bool merge_currency(enum price_currency a, enum price_currency b, enum price_currency *ret)
{
    if (a == PRICE_CUR_NONE || b == PRICE_CUR_NONE || a == b) {
        *ret = a != PRICE_CUR_NONE ? a : b;
        return true;
    }
    bool is_yen = a == PRICE_CUR_YEN_SIGN && (b == PRICE_CUR_CNY || b == PRICE_CUR_JPY);
    bool is_dollar =
        a == PRICE_CUR_DOLLAR_SIGN && (b == PRICE_CUR_USD || (b >= PRICE_CUR_HKD && b <= PRICE_CUR_NZD && b != PRICE_CUR_KRW));
    *ret = b;
    return is_yen || is_dollar;
}

/* ---- what stands between number and unit ---- */

/* Powers of ten behind a number; 万 and 亿 may follow each other. -1 when there is none. "百万 tokens"
 * is left alone: there it scales the tokens. */
static int scale_read(const struct price_parse *parse, size_t *at)
{
    int power = -1;
    for (const struct price_token *t = &parse->tokens[*at]; t->kind == PK_SCALE; t = &parse->tokens[*at]) {
        bool is_letter = t->value == 1;
        if (is_letter && price_is_spaced(t)) break;
        if (!is_letter && t[1].kind == PK_TOKENS) break;
        power = (power < 0 ? 0 : power) + t->arg;
        ++*at;
    }
    return power;
}

/* "港币 18.5 元": 元 is the unit of several currencies and adds nothing where another one is named before the number. */
static bool is_shared_yuan(const struct price_parse *parse, const struct amount *a, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    bool is_named = a->before >= PRICE_CUR_JPY && a->before <= PRICE_CUR_TWD;
    bool is_word = a->before == PRICE_CUR_USD && (unsigned char)parse->lexed.text.ptr[parse->tokens[a->first].at] >= 0x80;
    return (is_named || is_word) && t->len == 3 && memcmp(parse->lexed.text.ptr + t->at, "元", 3) == 0;
}

/* Scale, cents and currency behind a number. */
static void tail_read(const struct price_parse *parse, struct amount *a, size_t *at, int *scale)
{
    *scale = scale_read(parse, at);
    const struct price_token *t = &parse->tokens[*at];
    if (t->kind != PK_CENTS && t->kind != PK_CARD && t->kind != PK_CURRENCY) return;
    if (t->kind == PK_CENTS) {
        a->cents = t->arg;
        if (t->value != PRICE_CUR_NONE) a->behind = t->value;
        ++*at;
    } else if (is_spoken_yuan(parse, *at)) {
        a->behind = PRICE_CUR_CNY;
        ++*at;
    }
    for (; is_currency_behind(parse, *at); ++*at)
        if (!is_shared_yuan(parse, a, *at) && !merge_currency(a->behind, parse->tokens[*at].value, &a->behind)) a->is_odd = true;
}

/* A number that what follows makes a count or a measure, not an amount. */
static bool is_measured(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at + 1];
    switch (t->kind) {
    case PK_BYTES:
    case PK_VRAM:
    case PK_CORE:
    case PK_ZHE:
    case PK_MUL:
    case PK_TASK:
    case PK_TOKENS: return true;
    case PK_CARD: return !is_spoken_yuan(parse, at + 1);
    case PK_NODE: return t->arg == 0;
    case PK_PERIOD: return t->len > 1 || (unsigned char)parse->lexed.text.ptr[t->at] >= 0x80;
    default: return price_is_punct(t, '%');
    }
}

/* "5090 - 6000元" may be a range; "4090 - 15000元" is a label and its price. */
static bool is_near_model(const struct price_parse *parse, size_t model, size_t number)
{
    struct price_value low = price_number_value(&parse->lexed, model, DECIMAL_POINT, false);
    struct price_value high = price_number_value(&parse->lexed, number, DECIMAL_POINT, false);
    int before = (&parse->tokens[model])[-1].kind; /* "RTX 5090", "8*5090": a card for certain */
    return before != PK_BRAND && before != PK_MUL && high.status == GT_OK && high.nano > low.nano && high.nano / 3 <= low.nano &&
           parse->tokens[number + 1].kind != PK_SCALE;
}

/* The mark at `at` (of kind RANGE) joins two ends of a range, and a number (perhaps with a currency before it)
 * follows. Returns that number's token; 0 when it does not. */
static size_t range_end(const struct price_parse *parse, const struct amount *a, size_t at)
{
    const struct price_token *mark = &parse->tokens[at], *t = mark + 1;
    bool is_even = price_is_spaced(mark) == price_is_spaced(mark + 1);
    if (mark->arg != PRICE_RANGE_WORD && !is_even) return 0;
    if (t->kind == PK_CURRENCY && t->arg != PRICE_SIDE_AFTER) t++;
    size_t number = (size_t)(t - parse->tokens);
    if (t->kind != PK_NUMBER || is_measured(parse, number)) return 0;
    return price_is_model(&parse->lexed, a->number) && price_is_spaced(mark) && !is_near_model(parse, a->number, number) ? 0
                                                                                                                         : number;
}

/* Digits that go on behind the amount: "$3 99", "5元3角", "1万5": 3.99, 5.3 and 15000, or two numbers. */
static void see_rest(const struct price_parse *parse, struct amount *a)
{
    const struct price_token *t = &parse->tokens[a->next];
    char sign = t->kind != PK_END ? parse->lexed.text.ptr[t->at] : '\0';
    bool is_comma = sign == ',' && price_is_spaced(t) && !price_is_spaced(t + 1) && t[1].arg == 3; /* "1 ,299" */
    bool is_stop = sign == '.' && (price_is_spaced(t) || (t[1].arg == 2 && price_is_punct(t + 2, '/'))); /* "¥ 1 . 98", "$2. 49/hr" */
    bool is_point = t->len == 1 && t[1].kind == PK_NUMBER && (is_stop || is_comma);
    bool is_decimal = t->kind == PK_NUMBER && sign == '.';                                         /* "¥1 .98" */
    if (is_point || is_decimal) {
        a->is_odd = true;
        a->next += is_decimal ? 1 : 2;
        return;
    }
    if (price_is_punct(t, PRICE_PUNCT_ODD)) {
        a->is_odd = t[1].kind == PK_NUMBER && !price_is_spaced(t + 1);
        a->next += a->is_odd ? 2 : 1;
        return;
    }
    if (t->kind != PK_NUMBER || price_currency_before(parse, a->next) != a->next || price_is_one_period(parse, t)) return;
    bool is_spoken = t[-1].kind == PK_CARD; /* 2块5 */
    size_t behind = is_spoken && a->next == a->number + 2 ? price_spoken_tenths_end(parse, a->next) : a->next;
    if (behind > a->next && parse->tokens[a->number].value == PRICE_FORM_INTEGER) {
        a->tenths = a->next;
        a->next = behind;
        return;
    }
    /* "8 万 8": glued, or with nothing behind that it counts. */
    bool is_last = t->arg == 1 && t->value == PRICE_FORM_INTEGER && (t[1].kind == PK_END || t[1].kind == PK_BREAK || price_is_punct(t + 1, '/'));
    /* "44만 5,000원", "1万 2000元" */
    bool is_added = a->scale > 0 && a->before == PRICE_CUR_NONE && a->behind == PRICE_CUR_NONE && t[1].kind == PK_CURRENCY;
    bool is_tenths = t[1].kind == PK_CENTS || ((a->scale > 0 || is_spoken) && (!price_is_spaced(t) || is_last)) || is_added;
    bool is_short = t->value == PRICE_FORM_INTEGER && t->arg >= 2 && t->arg <= 3 && !(t->flags & PRICE_TOKEN_NUMERAL);
    bool is_unit_behind = price_is_punct(t + 1, '/') && (t[2].kind == PK_PERIOD || t[2].kind == PK_CARD);
    bool is_cut = parse->tokens[a->number].value == PRICE_FORM_INTEGER || a->behind != PRICE_CUR_NONE || is_unit_behind;
    is_short |= is_unit_behind && t->value == PRICE_FORM_INTEGER && t->arg <= 3; /* "¥1.9 8/时" */
    if (is_tenths || (is_short && is_cut && !is_measured(parse, a->next) && t[1].kind != PK_CURRENCY &&
                      !price_is_model(&parse->lexed, a->next))) {
        a->is_odd = true;
        a->next += t[1].kind == PK_CENTS || t[1].kind == PK_SCALE ? 2 : 1;
        if (a->scale <= 0) return;
        for (t = &parse->tokens[a->next]; (t->kind == PK_NUMBER || t->kind == PK_SCALE) && !price_is_spaced(t); t++) a->next++; /* 3千5百元 */
    }
}

/* "1.3-1.6x": the upper end is no number that is understood, so that the lower one alone would say too little. */
static bool is_range_open(const struct price_parse *parse, size_t at)
{
    const struct price_token *mark = &parse->tokens[at], *end = mark + 1;
    if (mark->kind != PK_RANGE || mark->arg == PRICE_RANGE_WORD || price_is_spaced(mark) || price_is_spaced(end)) return false;
    if (end->kind == PK_CURRENCY) end++;
    return end->kind == PK_IDENT && parse->lexed.text.ptr[end->at] >= '0' && parse->lexed.text.ptr[end->at] <= '9';
}

/* 起, +, 以上 and 左右 right behind the number, before or after the unit; so does an open "298,000～". */
static inline void bound_read(const struct price_parse *parse, struct amount *a)
{
    const struct price_token *t = &parse->tokens[a->next];
    if (t->kind != PK_RANGE && t->kind != PK_BOUND && t->kind != PK_ABOVE) return;
    bool is_open = t->kind == PK_RANGE && t->arg == PRICE_RANGE_TILDE && !price_is_spaced(t);
    if (is_open && (t[1].kind == PK_END || price_is_punct(t + 1, ')') || price_is_punct(t + 1, '/'))) {
        a->bound = BOUND_FROM;
        a->next++;
        return;
    }
    bool is_behind = t->kind == PK_BOUND && t->arg == 1, adds = price_is_spaced(t) || t[1].kind == PK_NUMBER || t[1].kind == PK_CURRENCY;
    if (is_behind && adds && parse->lexed.text.ptr[t->at] == '+') return;
    if (!is_behind && t->kind != PK_ABOVE) return;
    a->bound = is_behind ? t->value : BOUND_FROM;
    a->next++;
}

/* "HKD $28", "RMB ￥1.98": a code in front of the sign says which dollar or yuan it is, unless it belongs to a number before it. */
static void see_code_before(const struct price_parse *parse, struct amount *a)
{
    if (a->first == a->number || a->first == 0) return;
    const struct price_token *code = &parse->tokens[a->first] - 1;
    if (code->kind != PK_CURRENCY || code->arg == PRICE_SIDE_AFTER || ends_number(code - 1)) return;
    if (merge_currency(a->before, code->value, &a->before)) a->first--;
    else a->is_odd = true;
}

/* A word before the amount that makes "and" join two ends. */
static bool is_between(const struct price_parse *parse, const struct amount *a)
{
    struct gt_str word = gt_str_slice(parse->lexed.text, (&parse->tokens[a->first] - 1)->at, (&parse->tokens[a->first] - 1)->len);
    return gt_str_is(word, "between") || gt_str_is(word, "zwischen") || gt_str_is(word, "entre");
}

/* "¥1.2/时-¥1.8/时", "between $1.10/hr and $1.90/hr": a range whose ends both print the same unit. Only upwards: "$2.49/hr - $1.99/hr"
 * are two prices, and "$8/hr to $2/hr" is a story. */
static void twin_read(const struct price_parse *parse, struct amount *a)
{
    const struct price_token *mark = &parse->tokens[a->next];
    if (a->unit.period == PERIOD_NONE || a->number2 > 0 || mark->kind != PK_RANGE) return;
    struct amount high = *a;
    bool is_and = mark->kind == PK_RANGE && mark->arg == PRICE_RANGE_WORD &&
                  (parse->lexed.text.ptr[mark->at] == 'a' || parse->lexed.text.ptr[mark->at] == 'u');
    if (is_and && !is_between(parse, a)) return;
    high.number2 = range_end(parse, a, a->next);
    if (high.number2 == 0) return;
    size_t sign = price_currency_before(parse, high.number2);
    if (sign != high.number2 && !merge_currency(a->before, parse->tokens[sign].value, &high.before)) return;
    high.next = high.number2 + 1;
    tail_read(parse, &high, &high.next, &high.scale2);
    if (high.scale2 != a->scale) return;
    high.next = price_unit_read(&parse->lexed, high.next, true, &high.unit);
    bool is_same =
        high.unit.period == a->unit.period && high.unit.period_count == a->unit.period_count && high.unit.basis == a->unit.basis;
    struct price_value from = price_number_value(&parse->lexed, a->number, parse->decimal, false);
    struct price_value to = price_number_value(&parse->lexed, high.number2, parse->decimal, false);
    if (is_same && from.status == GT_OK && to.status == GT_OK && from.nano < to.nano) *a = high;
}

/* "899 € HT/mois", "$99 (excl. VAT) per month": what is said of tax parts an amount from its unit only where a unit follows. */
static void tax_read(const struct price_parse *parse, struct amount *a)
{
    const struct price_token *t = &parse->tokens[a->next];
    bool is_open = price_is_punct(t, '(');
    const struct price_token *word = t + is_open, *unit = word + 1 + is_open;
    if (word->kind != PK_TAX || (is_open && !price_is_punct(word + 1, ')'))) return;
    bool is_each = unit->kind == PK_RATE && unit->arg == PRICE_STYLE_EACH;
    if (!price_is_punct(unit, '/') && unit->kind != PK_PER && !is_each) return;
    a->tax = (enum tax)word->value;
    a->next = (size_t)(unit - parse->tokens);
}

/* Everything that belongs to the amount, from its currency to its unit, in the order in which it is
 * printed. */
static void parts_read(const struct price_parse *parse, struct amount *a)
{
    if (a->first != a->number) a->before = parse->tokens[a->first].value;
    see_code_before(parse, a);
    a->next = a->number + 1;
    tail_read(parse, a, &a->next, &a->scale);
    a->scale2 = -1;
    a->number2 = parse->tokens[a->next].kind == PK_RANGE ? range_end(parse, a, a->next) : 0;
    if (a->number2 > 0) {
        size_t sign = price_currency_before(parse, a->number2);
        if (sign != a->number2 && !merge_currency(a->before, parse->tokens[sign].value, &a->before)) a->is_odd = true;
        a->next = a->number2 + 1;
        tail_read(parse, a, &a->next, &a->scale2);
    } else if (is_range_open(parse, a->next)) {
        a->is_odd = true;
        a->next += 2;
    }
    see_rest(parse, a);
    bound_read(parse, a);
    tax_read(parse, a);
    bool has_currency = a->before != PRICE_CUR_NONE || a->behind != PRICE_CUR_NONE || a->cents > 0;
    bool is_mean = parse->tokens[a->next].kind == PK_MEAN; /* "$2.11 average gpu/hr" */
    a->next = price_unit_read(&parse->lexed, a->next, has_currency, &a->unit);
    if (is_mean && a->unit.basis != BASIS_UNKNOWN && a->bound == BOUND_EXACT) a->bound = BOUND_APPROX;
    twin_read(parse, a);
    bound_read(parse, a);
}

/* ---- worth ---- */

/* What the reader of numbers could not do, in the words of refusals. */
static enum refusal_reason reason_of(enum gt_err status)
{
    switch (status) {
    case GT_OK: return REFUSAL_NONE;
    case GT_EPRECISION: return REFUSAL_PRECISION;
    case GT_EOVERFLOW: return REFUSAL_RANGE;
    default: return REFUSAL_AMBIGUOUS;
    }
}

/* A number times its power of ten, divided by that of its cents; exact or refused, never rounded. */
static inline enum refusal_reason scaled(struct price_value value, int power, int cents, int64_t *ret_nano)
{
    int64_t num = 1, den = 1;
    if (value.status != GT_OK) return reason_of(value.status);
    if (power <= 0 && cents == 0) {
        *ret_nano = value.nano;
        return REFUSAL_NONE;
    }
    if (power > 15) return REFUSAL_RANGE;
    for (; power > 0; power--) num *= 10;
    for (; cents > 0; cents--) den *= 10;
    if (money_scale(value.nano, num, den, ROUND_DOWN, ret_nano) != GT_OK) return REFUSAL_RANGE;
    int64_t back;
    if (money_scale(*ret_nano, den, num, ROUND_DOWN, &back) != GT_OK || back != value.nano) return REFUSAL_PRECISION;
    return REFUSAL_NONE;
}

struct currency price_known_currency(const struct price_parse *parse, enum price_currency printed)
{
    struct currency code = price_currency_code(printed);
    return code.code[0] != '\0' ? code : parse->context->currency;
}

/* Both ends of a range. 万 behind the second counts for both where that leaves them in order
 * ("1.2-1.5 万"), else for its own end alone ("8000-1.2万"). */
static enum refusal_reason range_value(const struct amount *a, struct price_value low, struct price_value high,
                                       struct price_find *find)
{
    enum refusal_reason reason;
    for (int shared = a->scale < 0 && a->scale2 > 0; shared >= 0; shared--) {
        reason = scaled(low, shared ? a->scale2 : a->scale, a->cents, &find->low_nano);
        if (reason == REFUSAL_NONE) reason = scaled(high, a->scale2, a->cents, &find->high_nano);
        if (reason != REFUSAL_NONE) return reason;
        if (find->low_nano < find->high_nano && find->low_nano > 0 && find->high_nano / RANGE_RATIO_MAX <= find->low_nano)
            return REFUSAL_NONE;
    }
    return REFUSAL_AMBIGUOUS;
}

/* A number whose reading may depend on the home of its currency. */
static bool is_open_form(const struct price_parse *parse, size_t number)
{
    int form = parse->tokens[number].value;
    return form == PRICE_FORM_COMMA || form == PRICE_FORM_POINT3 || form == PRICE_FORM_COMMA3;
}

/* The sign of decimals; of a currency whose unit is so small that nobody quotes a thousandth of it, "9.500" and "9,500" are thousands. */
static enum decimal_sign decimal_of(const struct price_parse *parse, const struct amount *a, const struct price_find *find)
{
    int form = parse->tokens[a->number].value;
    bool is_small = find->currency == PRICE_CUR_VND || find->currency == PRICE_CUR_IDR;
    if (is_small && form == PRICE_FORM_POINT3) return DECIMAL_COMMA;
    return is_small && form == PRICE_FORM_COMMA3 ? DECIMAL_POINT : parse->decimal;
}

/* Worth of the number or of both ends of the range. */
static enum refusal_reason value_read(const struct price_parse *parse, const struct amount *a, struct price_find *find)
{
    bool has_comma = (is_open_form(parse, a->number) || (a->number2 > 0 && is_open_form(parse, a->number2))) &&
                     price_currency_has_comma(price_known_currency(parse, find->currency));
    /* "1,60" below "€ per hour"; "1.299" there is left as it was. */
    has_comma |= parse->tokens[a->number].value == PRICE_FORM_COMMA &&
                 price_currency_has_comma(price_currency_code(parse->header.currency));
    struct price_value low = price_number_value(&parse->lexed, a->number, decimal_of(parse, a, find), has_comma);
    find->decimals = low.decimals;
    find->is_by_custom = low.is_by_custom;
    if (a->tenths > 0) {
        low.nano += price_number_value(&parse->lexed, a->tenths, DECIMAL_POINT, false).nano / 10;
        find->decimals = 1;
    }
    if (a->number2 == 0) return scaled(low, a->scale, a->cents, &find->low_nano);
    struct price_value high = price_number_value(&parse->lexed, a->number2, decimal_of(parse, a, find), has_comma);
    find->is_range = true;
    return range_value(a, low, high, find);
}

/* Reasons that the amount's own form gives, the gravest first. */
static enum refusal_reason own_reason(const struct price_parse *parse, const struct amount *a, struct price_find *find)
{
    const struct price_token *number = &parse->tokens[a->number];
    enum refusal_reason reason = value_read(parse, a, find);
    if (a->scale >= MARKET_SCALE_POWER || a->scale2 >= MARKET_SCALE_POWER) return REFUSAL_MARKET_SIZE;
    if (a->unit.reason != REFUSAL_NONE) return a->unit.reason;
    bool is_unclear = a->is_odd || a->unit.is_conflict || (number->flags & PRICE_TOKEN_MINUS) ||
                      price_is_digits_unclear(parse, a->first, a->number) ||
                      (a->number2 > 0 && price_is_digits_unclear(parse, a->number, a->number2));
    bool is_label = a->number2 > 0 && a->first == a->number && price_is_model(&parse->lexed, a->number);
    if (is_unclear || is_label) return REFUSAL_AMBIGUOUS;
    if (reason != REFUSAL_NONE) return reason;
    if (a->unit.is_unknown) return REFUSAL_NO_UNIT;
    return find->low_nano == 0 ? REFUSAL_ZERO : REFUSAL_NONE;
}

/* A measure, a count, or a name that no range follows, as one look at the word behind tells: "24GB", "8卡", "4090 ¥1.78". No currency stands
 * before it. */
static bool is_plainly_none(const struct price_parse *parse, size_t at)
{
    const struct price_token *behind = &parse->tokens[at] + 1;
    int32_t cards;
    size_t last;
    switch (behind->kind) {
    case PK_CURRENCY:
        if (behind[-2].kind == PK_MUL && price_is_card_count(&parse->lexed, at, &cards, &last)) return true; /* "H100 x8 元/时" */
        return price_is_model(&parse->lexed, at) && !is_currency_behind(parse, at + 1);
    case PK_END:
    case PK_IDENT:
    case PK_BRAND: return price_is_model(&parse->lexed, at);
    default: return is_measured(parse, at);
    }
}

bool price_amount_read(struct price_parse *parse, size_t first, size_t at, size_t *ret_next)
{
    if (first == at && is_plainly_none(parse, at)) return false;
    struct amount a = {.number = at, .first = first};
    parts_read(parse, &a);
    bool has_currency = a.before != PRICE_CUR_NONE || a.behind != PRICE_CUR_NONE || a.cents > 0;
    bool has_unit = a.unit.period != PERIOD_NONE || a.unit.reason != REFUSAL_NONE;
    if (!has_currency) {
        if (is_measured(parse, a.number2 > 0 ? a.number2 : at)) return false;
        if ((price_is_model(&parse->lexed, at) || price_is_factor(parse, at)) && a.number2 == 0) return false;
        /* A count per time ("8/天") has a unit too, but no page prints one beside prices; a whole range needs a unit. */
        if (!has_unit && a.number2 > 0 && a.bound == BOUND_EXACT && a.scale < 0 && a.scale2 < 0) a.next = a.number2 + 1;
    }
    struct price_find *find = price_find_add(parse, PRICE_FIND_AMOUNT, a.first, a.next - 1);
    if (find == NULL) {
        *ret_next = a.next;
        return true;
    }
    bool is_agreed = merge_currency(a.before, a.behind, &find->currency);
    find->is_bare = !has_currency && !has_unit;
    find->is_scaled = a.scale > 0 || a.scale2 > 0;
    find->is_cents = a.cents > 0;
    find->unit = a.unit;
    find->is_suffix_period = a.unit.period != PERIOD_NONE;
    find->is_suffix_basis = a.unit.basis != BASIS_UNKNOWN;
    find->bound = a.bound;
    find->tax = a.tax;
    find->reason = own_reason(parse, &a, find);
    if (!is_agreed) find->reason = REFUSAL_AMBIGUOUS;
    *ret_next = a.next;
    return true;
}
