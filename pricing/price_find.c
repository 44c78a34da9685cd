/* Walks the tokens once and finds amounts and discounts; every other number gets a reason. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum { PENCE_DIGITS_MAX = 4 };

/* The limit is of one phrase; a page in one cell is no phrase, and what it holds beyond is not read. */
struct price_find *price_find_add(struct price_parse *parse, enum price_find_type type, size_t first, size_t last)
{
    if (parse->find_count == PRICE_FINDS_MAX || parse->err != GT_OK) return NULL;
    void *items = parse->finds;
    if (parse->find_count == parse->find_cap &&
        !arena_grow(parse->arena, &items, parse->find_count, &parse->find_cap, sizeof *parse->finds)) {
        parse->err = GT_ENOMEM;
        return NULL;
    }
    parse->finds = items;
    struct price_find *find = &parse->finds[parse->find_count++];
    *find = (struct price_find){.type = type, .first = first, .last = last, .unit = {.period_count = 1}};
    return find;
}

void price_refuse(struct price_parse *parse, size_t first, size_t last, enum refusal_reason reason)
{
    if (parse->refused_count == PRICE_REFUSED_MAX) return;
    parse->refused[parse->refused_count++] = (struct price_refused){.first = first, .last = last, .reason = reason};
}

/* "1-3 年", "3 个月": the token behind a term that begins with number token `at`; `at` when there is
 * none. */
static size_t term_end(const struct price_token *t, size_t at)
{
    size_t next = at + 1;
    if (t[next].kind == PK_RANGE && t[next + 1].kind == PK_NUMBER) next += 2;
    else if (t[next].kind == PK_RANGE && !price_is_spaced(&t[next])) next++;
    return t[next].kind == PK_PERIOD || (t[next].kind == PK_BOUND && t[next + 1].kind == PK_PERIOD) ? next + 1 : at;
}

/* "1351/2288", "1 / 8": shares and stock. */
static size_t share_end(const struct price_token *t, size_t at)
{
    size_t next = at;
    while (t[next].value == PRICE_FORM_INTEGER && price_is_punct(&t[next + 1], '/') && t[next + 2].kind == PK_NUMBER &&
           t[next + 2].value == PRICE_FORM_INTEGER && t[next + 3].kind != PK_CURRENCY)
        next += 2;
    return next == at ? at : next + 1;
}

/* A unit that makes a number a specification. */
static bool is_measure(const struct price_token *t)
{
    return t->kind == PK_BYTES || t->kind == PK_CORE || t->kind == PK_VRAM;
}

/* A number that is no amount: notes why and returns the token behind it; `at` when nothing tells. */
static size_t refuse_number(struct price_parse *parse, size_t at)
{
    const struct price_token *t = parse->tokens, *before = &t[at] - 1;
    int32_t cards;
    size_t last = at, next;
    enum refusal_reason reason = REFUSAL_COUNT;
    if (price_is_card_count(&parse->lexed, at, &cards, &last)) {
        price_refuse(parse, at, last, REFUSAL_COUNT);
        return last + 1;
    }
    if (price_is_model(&parse->lexed, at)) {
        reason = REFUSAL_MODEL;
    } else if (is_measure(&t[at + 1])) {
        reason = REFUSAL_SPEC;
        last = at + 1;
    } else if (t[at + 1].kind == PK_BOUND && t[at + 1].value == BOUND_FROM && t[at + 2].kind == PK_CARD) {
        last = at + 2; /* 16+ GPUs */
    } else if ((next = term_end(t, at)) > at || (next = share_end(t, at)) > at) {
        last = next - 1;
    } else if (t[at + 1].kind == PK_CARD || t[at + 1].kind == PK_NODE || t[at + 1].kind == PK_TASK ||
               t[at + 1].kind == PK_TOKENS || t[at + 1].kind == PK_PIECE) {
        last = at + 1;
    } else if (t[at].value == PRICE_FORM_INTEGER && t[at].arg <= 4 &&
               (t[at + 1].kind == PK_IDENT || t[at + 1].kind == PK_BRAND)) {
        last = at; /* "for 64 H100s" */
    } else if (t[at + 1].kind != PK_MUL && before->kind != PK_MUL && !price_is_punct(before, '#') && before->kind != PK_STOCK) {
        return at;
    }
    price_refuse(parse, at, last, reason);
    return last + 1;
}

/* What can stand behind the number of a discount: 折, %, or another number's dash. */
static bool may_be_cut(int kind)
{
    return kind == PK_ZHE || kind == PK_PUNCT || kind == PK_RANGE;
}

/* Decides on the number at `at`. Returns the token behind what was read. The order matters: "95 折"
 * is no 95, "8 卡" no 8, and "¥8 折" none of both. */
static size_t find_number(struct price_parse *parse, size_t at)
{
    size_t next, first = price_currency_before(parse, at);
    if (first == at && may_be_cut(parse->tokens[at + 1].kind) && price_cut_read(parse, at, &next)) return next;
    size_t count = parse->find_count;
    if (price_amount_read(parse, first, at, &next)) {
        bool is_bare = parse->find_count > count && parse->finds[count].is_bare;
        if (!is_bare) return next;
        /* A bare number may be anything: it stays a find only when nothing else explains it. */
        size_t other = refuse_number(parse, at);
        if (other == at) {
            parse->has_bare = true;
            return next;
        }
        parse->find_count = count;
        return other;
    }
    next = refuse_number(parse, at);
    if (next > at) return next;
    price_refuse(parse, at, at, REFUSAL_NO_UNIT);
    return at + 1;
}

/* "$5XX", "$1.9x": a currency sign before something that is no number. */
static enum refusal_reason ident_reason(const struct price_token *t)
{
    bool is_priced = t[-1].kind == PK_CURRENCY && t[-1].arg != PRICE_SIDE_AFTER && !price_is_spaced(t);
    return is_priced ? REFUSAL_AMBIGUOUS : REFUSAL_MODEL;
}

/* A currency that no number claims, with a unit behind it, speaks for the bare numbers of the text:
 * "(定价 CNY/卡/小时)". */
static size_t find_phrase(struct price_parse *parse, size_t at)
{
    struct price_unit unit;
    const struct price_token *t = &parse->tokens[at];
    if (t[-1].kind == PK_NUMBER || t[1].kind == PK_NUMBER) return at + 1;
    size_t next = price_unit_read(&parse->lexed, at + 1, true, &unit);
    if (next == at + 1) {
        /* "prices in EUR", "currency": "EUR": two different ones say nothing. */
        parse->has_loose_two |= parse->loose != PRICE_CUR_NONE && parse->loose != (enum price_currency)t->value;
        parse->loose = t->value;
        return next;
    }
    size_t from = at > 0 && t[-1].kind == PK_SCALE ? at - 1 : at;
    price_heading_read(&parse->lexed, from, next, &parse->phrase);
    return next;
}

/* "$3.99 (PRICE/GPU/HR)": a heading that was copied beside its cell. */
static size_t find_heading(struct price_parse *parse, size_t at)
{
    struct price_unit unit;
    if (!price_is_punct(&parse->tokens[at + 1], '/')) return at + 1;
    size_t next = price_unit_read(&parse->lexed, at + 1, true, &unit);
    if (unit.period == PERIOD_NONE || unit.basis == BASIS_UNKNOWN) return at + 1;
    price_heading_read(&parse->lexed, at, next, &parse->phrase);
    return next;
}

/* 半价 and 对折 have no figure. */
static size_t find_half(struct price_parse *parse, size_t at)
{
    struct price_find *find = price_find_add(parse, PRICE_FIND_DISCOUNT, at, at);
    if (find == NULL) return at + 1;
    find->cut = PRICE_CUT_FACTOR;
    find->percent_nano = NANO / 2;
    return at + 1;
}

/* "Free + compute / month": the fee of a plan, not a free card. */
static void find_free(struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    if (t[1].kind == PK_BOUND && parse->lexed.text.ptr[t[1].at] == '+') price_refuse(parse, at, at, REFUSAL_MIN_SPEND);
}

/* "1.299,00" proves the comma, and so does any decimal comma of a currency that has them; "1,50元"
 * alone may be a mistyped 1,500. */
static bool is_comma_proof(const struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at], *sign = t[1].kind == PK_CURRENCY ? t + 1 : t - 1;
    struct gt_str digits = price_token_text(&parse->lexed, at);
    return memchr(digits.ptr, '.', digits.len) != NULL || price_currency_has_comma(price_currency_code(sign->value));
}

/* What the text's surest numbers say about its decimal sign; contradiction is no knowledge. Only
 * numbers with a currency count. */
static void learn_decimal(struct price_parse *parse)
{
    const unsigned sure = 1U << PRICE_FORM_INTEGER | 1U << PRICE_FORM_POINT; /* which a comma elsewhere would put in doubt */
    bool has_point = false, has_comma = false;
    parse->decimal = parse->context->decimal;
    if (parse->decimal != DECIMAL_UNKNOWN || (parse->lexed.forms & ~sure) == 0) return;
    for (size_t i = 0; i < parse->lexed.count; i++) {
        const struct price_token *t = &parse->tokens[i];
        if (t->kind != PK_NUMBER || (t[1].kind != PK_CURRENCY && t[-1].kind != PK_CURRENCY)) continue;
        has_point |= t->value == PRICE_FORM_POINT || t->value == PRICE_FORM_GROUP_COMMA;
        has_comma |= t->value == PRICE_FORM_GROUP_POINT || (t->value == PRICE_FORM_COMMA && is_comma_proof(parse, i));
    }
    if (has_point != has_comma) parse->decimal = has_point ? DECIMAL_POINT : DECIMAL_COMMA;
}

/* "50p/minute": pence or paise, where the page's currency says which; elsewhere a name (1000P is computing power). */
static size_t find_pence(struct price_parse *parse, size_t at)
{
    const struct price_token *t = &parse->tokens[at];
    const char *code = parse->context->currency.code, *text = parse->lexed.text.ptr + t->at;
    bool is_pound = strcmp(code, "GBP") == 0;
    struct price_unit unit;
    if (!is_pound && strcmp(code, "INR") != 0) return at;
    int64_t pence = 0;
    size_t digits = 0;
    while (digits < PENCE_DIGITS_MAX && text[digits] >= '0' && text[digits] <= '9') pence = pence * 10 + (text[digits++] - '0');
    if (digits == 0 || pence == 0 || digits + 1 != t->len || text[digits] != 'p') return at;
    size_t next = price_unit_read(&parse->lexed, at + 1, true, &unit);
    if (unit.period == PERIOD_NONE || unit.reason != REFUSAL_NONE || unit.is_conflict) return at;
    struct price_find *find = price_find_add(parse, PRICE_FIND_AMOUNT, at, next - 1);
    if (find == NULL) return at;
    find->low_nano = pence * (NANO / 100);
    find->decimals = 2;
    find->currency = is_pound ? PRICE_CUR_GBP : PRICE_CUR_INR;
    find->unit = unit;
    find->is_cents = find->is_suffix_period = true;
    find->is_suffix_basis = unit.basis != BASIS_UNKNOWN;
    return next;
}

/* The kinds of tokens that something begins with: most others are passed by. */
static bool may_begin(int kind)
{
    return kind == PK_NUMBER || kind == PK_IDENT || kind == PK_CURRENCY || kind == PK_PRICE || kind == PK_HALF || kind == PK_FREE;
}

/* One pass from the left: what an amount has taken (its currency, unit, range) begins no second one. */
void price_find_all(struct price_parse *parse)
{
    learn_decimal(parse);
    for (size_t i = 0; i < parse->lexed.count;) {
        const struct price_token *t = &parse->tokens[i];
        if (!may_begin(t->kind)) {
            i++;
            continue;
        }
        if (parse->err != GT_OK || parse->find_count == PRICE_FINDS_MAX) return;
        switch (t->kind) {
        case PK_NUMBER: i = find_number(parse, i); continue;
        case PK_IDENT:
            if ((i = find_pence(parse, i)) != (size_t)(t - parse->tokens)) continue;
            price_refuse(parse, i, i, ident_reason(t)); break;
        case PK_CURRENCY: i = find_phrase(parse, i); continue;
        case PK_PRICE: i = find_heading(parse, i); continue;
        case PK_HALF: i = find_half(parse, i); continue;
        default: find_free(parse, i); break;
        }
        i++;
    }
}
