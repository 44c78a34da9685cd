#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum { PERIOD_COUNT_MAX = 1000 };

/* A second, different period is a contradiction, kept for the caller to refuse. */
static void set_period(struct price_unit *unit, int period, int32_t count)
{
    if (unit->period != PERIOD_NONE && (unit->period != (enum period)period || unit->period_count != count))
        unit->is_conflict = true;
    unit->period = (enum period)period;
    unit->period_count = count;
}

/* Likewise for what is bought. */
static void set_basis(struct price_unit *unit, enum basis basis, int32_t cards)
{
    if (unit->basis != BASIS_UNKNOWN && unit->basis != basis) unit->is_conflict = true;
    unit->basis = basis;
    if (cards > 0) unit->cards = cards;
}

/* What a measured thing makes of a price: no rental. */
static enum refusal_reason reason_of(const struct price_token *token)
{
    switch (token->kind) {
    case PK_BYTES: return token->arg <= 2 ? REFUSAL_STORAGE : token->arg == 3 ? REFUSAL_COMPONENT : REFUSAL_SPEC;
    case PK_CORE:
    case PK_CORE_TIME: return REFUSAL_CPU;
    case PK_TOKENS: return REFUSAL_TOKEN;
    case PK_TASK: return token->arg == 1 ? REFUSAL_MIN_SPEND : REFUSAL_TASK;
    case PK_STORAGE: return price_subject_reason(token); /* "per static IP" */
    case PK_PIECE: return REFUSAL_PURCHASE;
    default: return REFUSAL_NONE;
    }
}

/* "/半小时", "/0.5h", "/半年": half a period, where a smaller one counts it. False for others, such as half a month. */
static bool set_half(struct price_unit *unit, int period)
{
    if (period == PERIOD_HOUR) set_period(unit, PERIOD_MINUTE, 30);
    else if (period == PERIOD_DAY) set_period(unit, PERIOD_HOUR, 12);
    else if (period == PERIOD_YEAR) set_period(unit, PERIOD_MONTH, 6);
    else return false;
    return true;
}

/* "8卡整机", "8-GPU node", "30天", "100GB", "1k tokens" as a unit. Returns the token behind, or `at`. */
static size_t counted_piece(const struct price_lexed *lexed, size_t at, struct price_unit *unit)
{
    const struct price_token *t = lexed->tokens;
    size_t next = at + 1;
    if (price_is_joint_dash(&t[next])) next++;
    int32_t count = price_number_whole(lexed, at, CARDS_MAX);
    if (t[next].kind == PK_PERIOD && count > 0 && count <= PERIOD_COUNT_MAX) {
        set_period(unit, t[next].value, count);
        return next + 1;
    }
    bool is_half = t[next].kind == PK_PERIOD && price_number_value(lexed, at, DECIMAL_POINT, false).nano == NANO / 2;
    if (is_half && set_half(unit, t[next].value)) return next + 1;
    if (price_is_model(lexed, at)) {
        set_basis(unit, BASIS_CARD, 1);
        return t[next].kind == PK_CARD ? next + 1 : at + 1;
    }
    if (price_is_card_time(&t[next]) && count > 1) {
        unit->reason = REFUSAL_TASK;
        return next + 2 + price_is_joint_dash(&t[next + 1]);
    }
    if (t[next].kind == PK_CARD && count > 0) {
        set_basis(unit, count == 1 ? BASIS_CARD : BASIS_NODE, count);
        next++;
        return t[next].kind == PK_NODE || t[next].kind == PK_HARDWARE ? next + 1 : next;
    }
    if (t[next].kind == PK_MUL && t[next + 1].kind == PK_IDENT && count > 1) { /* "/8xH100/hr" */
        set_basis(unit, BASIS_NODE, count);
        return next + 2;
    }
    if (t[next].kind == PK_SCALE && reason_of(&t[next + 1]) != REFUSAL_NONE) next++;
    if (reason_of(&t[next]) == REFUSAL_NONE) return at;
    unit->reason = reason_of(&t[next]);
    return next + 1;
}

/* 台(8卡): the count in brackets behind a node. */
static size_t node_count(const struct price_lexed *lexed, size_t at, struct price_unit *unit)
{
    const struct price_token *t = lexed->tokens;
    int32_t count = price_is_punct(&t[at], '(') ? price_number_whole(lexed, at + 1, CARDS_MAX) : 0;
    if (count < 1 || t[at + 2].kind != PK_CARD || !price_is_punct(&t[at + 3], ')')) return at;
    unit->cards = count;
    return at + 4;
}

/* True when what follows begins an amount, so that the words before it speak of that one. */
static bool is_amount_ahead(const struct price_token *token)
{
    return token->kind == PK_CURRENCY || token->kind == PK_NUMBER || token->kind == PK_BOUND || token->kind == PK_PRICE ||
           price_is_punct(token, ':');
}

/* A name as a unit: "/H100/hr", "per H100-hour", "/V100·时", "/ A100 GPU hour"; not the next label of a list ("¥1.98/A100 ¥5.88"). */
static bool is_name_unit(const struct price_token *name)
{
    const struct price_token *next = name[1].kind == PK_CARD ? name + 2 : name + 1;
    return next->kind == PK_PERIOD || next->kind == PK_PER || next->kind == PK_END || price_is_punct(next, '/') ||
           price_is_punct(next, ')') || (price_is_punct(next, PRICE_PUNCT_DOT) && next[1].kind == PK_PERIOD) || price_is_joint_dash(next);
}

/* "百万 tokens", "万次": a scaled measure. */
static size_t scaled_piece(const struct price_lexed *lexed, size_t at, struct price_unit *unit)
{
    enum refusal_reason reason = reason_of(&lexed->tokens[at + 1]);
    if (reason == REFUSAL_NONE) return at;
    unit->reason = reason;
    return at + 2;
}

/* "/1M", "/ 1k input": amounts by the thousand or million are those of tokens, of which models are fed; nothing else is priced so
 * beside cards. */
static bool is_million(const struct price_lexed *lexed, const struct price_token *name)
{
    const char *text = lexed->text.ptr + name->at;
    char last = text[name->len - 1];
    if (name->len < 2 || (last != 'm' && last != 'k' && last != 'b')) return false;
    for (size_t i = 0; i + 1 < name->len; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return true;
}

/* "€/mtl. 0,29 €/h": the word belongs to the amount before it. Not "$2/hr / monthly $900", nor 包月, which lead to the next one. */
static bool is_glued_behind_slash(const struct price_lexed *lexed, const struct price_token *t)
{
    bool is_glued = price_is_punct(t - 1, '/') && !price_is_spaced(t - 1) && !price_is_spaced(t);
    return is_glued && t[-2].kind != PK_PERIOD && (unsigned char)lexed->text.ptr[t->at] < 0x80;
}

/* "To" behind a mark is a French terabyte: 5 €/To/mois. */
static bool is_french_tera(const struct price_lexed *lexed, const struct price_token *t)
{
    return t->kind == PK_RANGE && t->len == 2 && memcmp(lexed->text.ptr + t->at, "to", 2) == 0 &&
           (price_is_punct(t - 1, '/') || t[-1].kind == PK_OTHER);
}

/* One piece of a unit at token `at`. Returns the token behind it, or `at`. */
static size_t piece_read(const struct price_lexed *lexed, size_t at, struct price_unit *unit)
{
    const struct price_token *t = &lexed->tokens[at];
    switch (t->kind) {
    case PK_PERIOD:
        if (t[1].kind == PK_TOKENS) return scaled_piece(lexed, at, unit); /* "/M tokens" */
        set_period(unit, t->value, 1);
        unit->is_letter_m |= t->len == 1 && lexed->text.ptr[t->at] == 'm';
        return at + 1;
    case PK_RATE:
        if (t->value == PERIOD_NONE || (is_amount_ahead(t + 1) && !is_glued_behind_slash(lexed, t))) return at;
        set_period(unit, t->value, 1);
        return at + 1;
    case PK_NUMBER: return counted_piece(lexed, at, unit);
    case PK_EACH_CARD:
        if (is_amount_ahead(t + 1)) return at;
        set_basis(unit, BASIS_CARD, 1);
        return at + 1;
    case PK_CARD: set_basis(unit, BASIS_CARD, 1); return at + 1;
    case PK_NODE: set_basis(unit, t->arg == 2 ? BASIS_SLICE : BASIS_NODE, 0); return node_count(lexed, at + 1, unit);
    case PK_CARD_TIME:
    case PK_NODE_TIME:
        set_basis(unit, t->kind == PK_CARD_TIME ? BASIS_CARD : BASIS_NODE, t->kind == PK_CARD_TIME);
        set_period(unit, t->value, 1);
        return at + 1;
    case PK_IDENT:
        if (t[1].kind == PK_TOKENS) return scaled_piece(lexed, at, unit);
        if (is_million(lexed, t)) {
            unit->reason = REFUSAL_TOKEN;
            return at + 1;
        }
        if (!is_name_unit(t)) return at;
        set_basis(unit, BASIS_CARD, 1);
        return at + 1;
    case PK_SCALE: return scaled_piece(lexed, at, unit);
    case PK_RANGE:
        if (!is_french_tera(lexed, t)) return at;
        unit->reason = REFUSAL_STORAGE;
        return at + 1;
    case PK_OTHER: /* 30円/分: a minute; no word of the vocabulary, since other words begin with it */
        if (t->len != 3 || memcmp(lexed->text.ptr + t->at, "分", 3) != 0) return at;
        set_period(unit, PERIOD_MINUTE, 1);
        return at + 1;
    default:
        if (reason_of(t) == REFUSAL_NONE) return at;
        unit->reason = reason_of(t);
        if (t->kind == PK_CORE_TIME) set_period(unit, PERIOD_HOUR, 1);
        return at + 1;
    }
}

/* Behind an amount without any "per": 元每月, "$500 monthly", 元一小时, "GPU/hr", "$2 hour". */
static bool is_direct_piece(const struct price_lexed *lexed, size_t at, bool has_currency)
{
    const struct price_token *t = &lexed->tokens[at];
    bool is_ascii = (unsigned char)lexed->text.ptr[t->at] < 0x80;
    switch (t->kind) {
    case PK_RATE: return t->arg == PRICE_STYLE_EACH || (t->arg == PRICE_STYLE_RENT && is_ascii);
    case PK_EACH_CARD: return !price_is_spaced(t) && memcmp(lexed->text.ptr + t->at, "每", 3) == 0;
    case PK_CARD_TIME: return has_currency; /* "100 卡时" is a quantity */
    case PK_NUMBER:
        return (t->flags & PRICE_TOKEN_NUMERAL) && t->arg == 1 && t[1].kind == PK_PERIOD && price_number_whole(lexed, at, 1) == 1;
    case PK_CARD:
        return (price_is_punct(t + 1, '/') && t[2].kind == PK_PERIOD) || (price_is_joint_dash(t + 1) && t[2].kind == PK_PERIOD) ||
               (is_ascii && t[1].kind == PK_PERIOD);
    case PK_PERIOD: return has_currency && is_ascii && t->len > 1 && !is_amount_ahead(t + 1);
    default: return false;
    }
}

/* "Per" in German, French and Spanish. No words of the vocabulary, since they mean other things elsewhere. */
static bool is_preposition(struct gt_str word)
{
    return gt_str_is(word, "pro") || gt_str_is(word, "je") || gt_str_is(word, "par") || gt_str_is(word, "por");
}

/* The mark that joins a further piece of a unit: its tokens, 0 when there is none. */
static inline size_t joint_read(const struct price_lexed *lexed, size_t at, size_t pieces)
{
    const struct price_token *t = &lexed->tokens[at];
    if (price_is_punct(t, '/')) return price_is_punct(t + 1, '(') ? 2 : 1;
    if (t->kind == PK_PER && t->arg == 1)
        return t[1].kind == PK_PERIOD || t[1].kind == PK_CARD || t[1].kind == PK_CARD_TIME ? 1 : 0;
    if (t->kind == PK_PER) return 1;
    bool is_word = t->kind == PK_PLAN || t->kind == PK_OTHER || t->kind == PK_RANGE;
    bool is_thing = is_word && (t[1].kind == PK_PERIOD || t[1].kind == PK_CARD || t[1].kind == PK_NODE);
    bool is_size = is_word && (t[1].kind == PK_BYTES || is_french_tera(lexed, t + 1));
    /* pro GPU, par serveur: "pro" alone is what plans are called. */
    if (t->kind != PK_RANGE && (is_thing || is_size) && is_preposition(price_token_text(lexed, at))) return 1;
    if (pieces == 0) return 0;
    if (t->kind == PK_RANGE && t->arg == PRICE_RANGE_WORD && is_thing && pieces == 1) return 1; /* "per GPU and hour" */
    bool is_joint = price_is_joint_dash(t) || price_is_punct(t, PRICE_PUNCT_DOT) || t->kind == PK_MUL;
    return is_joint && t[1].kind != PK_NUMBER;
}

/* "/" glued to a word that is no unit ("$5/foo"): what the price is for is not known. */
static bool is_unknown_unit(const struct price_lexed *lexed, size_t slash)
{
    const struct price_token *t = &lexed->tokens[slash];
    return price_is_punct(t, '/') && price_is_foreign(&t[1]) && !price_is_spaced(t) && !price_is_spaced(t + 1) &&
           (unsigned char)lexed->text.ptr[t[1].at] < 0x80;
}

/* "per each additional TB": how many words stand between the mark and what is measured; 0 before all else. */
static size_t additional_len(const struct price_token *t)
{
    size_t len = 0;
    while ((t[len].kind == PK_PER && t[len].arg == 0) || (t[len].kind == PK_STACK && t[len].value == STACKS_YES)) len++;
    size_t number = t[len].kind == PK_NUMBER;
    return reason_of(&t[len + number]) != REFUSAL_NONE ? len : 0;
}

size_t price_unit_read(const struct price_lexed *lexed, size_t at, bool has_currency, struct price_unit *unit)
{
    const struct price_token *t = lexed->tokens;
    size_t end = at, next = at, pieces = 0;
    bool is_open = false;
    *unit = (struct price_unit){.period_count = 1, .reason = REFUSAL_NONE};
    /* "$2.50 (per GPU-hour)", "15.72（/小时）" and "$2.11 average gpu/hr" */
    if (price_is_punct(&t[at], '(') && (joint_read(lexed, at + 1, 0) > 0)) {
        is_open = true;
        next++;
    } else if (t[at].kind == PK_MEAN && t[at + 1].kind == PK_CARD) {
        next++;
    }
    for (;;) {
        size_t joint = joint_read(lexed, next, pieces), piece = next + joint;
        if (joint > 0) piece += additional_len(&t[piece]);
        bool is_direct = joint == 0 && (is_direct_piece(lexed, piece, has_currency) ||
                                        (pieces > 0 && t[piece].kind == PK_PERIOD && unit->period == PERIOD_NONE));
        if (joint == 0 && !is_direct) break;
        size_t behind = piece_read(lexed, piece, unit);
        if (behind == piece) {
            unit->is_unknown = joint > 0 && is_unknown_unit(lexed, next);
            break;
        }
        is_open |= joint == 2;
        next = end = behind;
        pieces++;
    }
    if (end > at && is_open && price_is_punct(&t[end], ')')) end++;
    return end;
}
