/* What a price buys, from the words before it: cards by name and by count, nodes, slices. */
#include "pricing/price_number.h"
#include "pricing/price_parse.h"

enum { VRAM_GB_MAX = 320 };

/* The numbers that cards are called by where no brand stands before them. */
static bool is_model_number(int32_t number)
{
    switch (number) {
    case 310:
    case 910:
    case 1070:
    case 1080:
    case 1660:
    case 2060:
    case 2070:
    case 2080:
    case 3050:
    case 3060:
    case 3070:
    case 3080:
    case 3090:
    case 4060:
    case 4070:
    case 4080:
    case 4090:
    case 4500:
    case 5060:
    case 5070:
    case 5080:
    case 5090:
    case 5880:
    case 7800:
    case 7900: return true;
    default: return false;
    }
}

bool price_is_model(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at];
    if (lexed->has_no_names) return false;
    if (t->kind != PK_NUMBER || t->value != PRICE_FORM_INTEGER || (t->flags & PRICE_TOKEN_NUMERAL) || t->arg > 4) return false;
    const struct price_token *before = t - 1;
    /* "HGX 8卡" counts, "昇腾 910 卡" names. */
    bool is_count = t->arg <= 2 && (t[1].kind == PK_CARD || t[1].kind == PK_MUL);
    if (before->kind == PK_BRAND && !is_count) return true;
    if (price_is_joint_dash(before) && (before - 1)->kind == PK_BRAND) return true;
    if (t->arg < 3) return false;
    /* "payg_price": 5880 */
    if (price_is_punct(before, ':') && price_is_punct(before - 1, '"') && before[-2].kind == PK_PRICE) return false;
    int32_t number = price_number_whole(lexed, at, 9999);
    /* Nobody rents an RX 7800 or 7900: "7800/月" is an amount. */
    bool is_timed = (t[1].kind == PK_PER || price_is_punct(t + 1, '/')) && t[2].kind == PK_PERIOD;
    return is_model_number(number) && !(is_timed && (number == 7800 || number == 7900));
}

/* "8×24GB": cards of so much memory; not "2×16GB 内存" nor a disk. */
static bool is_vram_behind(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at];
    if (t->kind != PK_NUMBER || t[1].kind != PK_BYTES || t[1].arg != 1 || lexed->text.ptr[t[1].at] != 'g') return false;
    return t[2].kind != PK_STORAGE && price_number_whole(lexed, at, VRAM_GB_MAX) > 0;
}

/* "E5-2680v4", "8358P", "Intel Xeon", "AMD EPYC": processors are counted too. */
static bool is_processor(const struct price_lexed *lexed, size_t at)
{
    static const char *const words[] = {"xeon", "epyc", "ryzen", "threadripper", "kunpeng", "cpu"};
    const struct price_token *t = &lexed->tokens[at];
    struct gt_str text = price_token_text(lexed, at);
    if (t->kind == PK_BRAND && gt_str_is(text, "intel")) return !gt_str_starts(price_token_text(lexed, at + 1), GT_STR("gaudi"));
    if (t->kind == PK_BRAND && gt_str_is(text, "amd")) return is_processor(lexed, at + 1);
    for (size_t i = 0; t->kind != PK_IDENT && i < sizeof words / sizeof words[0]; i++)
        if (gt_str_is(text, words[i])) return true;
    if (t->kind != PK_IDENT) return false;
    if (gt_str_starts(text, GT_STR("e5-")) || gt_str_starts(text, GT_STR("e7-"))) return true;
    /* Four digits and a letter: 8358P, 6248R; cards of that form end in D or S. */
    if (text.len != 5 || strchr("ds", text.ptr[4]) != NULL || text.ptr[4] < 'a' || text.ptr[4] > 'z') return false;
    for (size_t i = 0; i < 4; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
    return true;
}

/* True when the thing multiplied at token `at` is a card. */
static bool is_card_name(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at];
    if (is_processor(lexed, at)) return false;
    return t->kind == PK_IDENT || t->kind == PK_BRAND || t->kind == PK_CARD || t->kind == PK_EACH_CARD ||
           price_is_model(lexed, at) || is_vram_behind(lexed, at);
}

/* "H100 ×8", "A100 40G*8": the count behind its card; not "× 8 元". */
static bool is_counted_behind(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at], *name = t - 2, *next = t + 1;
    bool is_memory = name->kind == PK_BYTES && name->arg == 1 && lexed->text.ptr[name->at] == 'g';
    if (at < 2 || (name->kind != PK_IDENT && name->kind != PK_CARD && !is_memory && !price_is_model(lexed, at - 2))) return false;
    if (is_processor(lexed, at - 2)) return false;
    /* "RTX 4090 x8 元/时": a label and its unit; "8卡 x2500 元/月" multiplies. */
    bool is_glued = !price_is_spaced(t) && price_is_spaced(next) && price_is_spaced(t - 1) && name->kind != PK_CARD;
    bool is_priced = next->kind == PK_CURRENCY && next->arg == PRICE_SIDE_AFTER && !is_glued;
    return next->kind != PK_PERIOD && !is_priced && next->kind != PK_BYTES && next->kind != PK_SCALE && next->kind != PK_CENTS;
}

/* "for 8 H100s", "for 2 RTX 4090", "8 H100 GPUs", "/ node-hour: 4 V100": the count right before its card. */
static bool is_counted_before(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at], *name = t + 1;
    bool is_name = (name->kind == PK_IDENT || name->kind == PK_BRAND) && t->value == PRICE_FORM_INTEGER && !is_processor(lexed, at + 1);
    if (!is_name) return false;
    const struct price_token *unit = t - 2 - 2 * price_is_joint_dash(t - 3); /* "node-hour" */
    if (price_is_punct(t - 1, ':') && unit->kind == PK_NODE) return true;
    bool is_plural = name->kind == PK_IDENT && (name[1].kind == PK_CARD || lexed->text.ptr[name->at + name->len - 1] == 's');
    return is_plural || (at > 0 && gt_str_is(price_token_text(lexed, at - 1), "for"));
}

/* "1-8 卡", "1、2、4、8卡", "4/8卡": the choice of counts that can be had, not the one that is priced. */
static bool is_listed(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at], *joint = t - 1;
    bool is_joint = joint->kind == PK_RANGE || joint->kind == PK_BREAK || price_is_punct(joint, '/');
    if (!is_joint || joint[-1].kind != PK_NUMBER || joint[-1].value != PRICE_FORM_INTEGER) return false;
    bool is_price = joint->kind == PK_BREAK && joint[-1].arg > 2; /* "月租850，8卡整机" */
    if (is_price || (joint->kind != PK_BREAK && price_is_spaced(joint))) return false;
    return !price_is_model(lexed, at - 2);
}

bool price_is_card_count(const struct price_lexed *lexed, size_t at, int32_t *ret_cards, size_t *ret_last)
{
    const struct price_token *t = &lexed->tokens[at];
    size_t last = at;
    bool is_money = t[-1].kind == PK_CURRENCY && t[-1].arg != PRICE_SIDE_AFTER; /* "1卡1.98元 2卡3.96元" */
    if (t->kind != PK_NUMBER || is_money || price_is_card_time(t + 1)) return false;
    if (t[1].kind == PK_CARD) last = at + 1;
    else if (price_is_joint_dash(t + 1) && t[2].kind == PK_CARD) last = at + 2;
    else if (t[1].kind == PK_MUL &&
             (is_card_name(lexed, at + 2) || t[2].kind == PK_END || t[2].kind == PK_BREAK || price_is_punct(t + 2, ')')))
        last = at + 1;
    else if (!(t[-1].kind == PK_MUL && is_counted_behind(lexed, at)) && !is_counted_before(lexed, at)) return false;
    int32_t count = price_number_whole(lexed, at, CARDS_MAX);
    if (count == 0 || price_is_model(lexed, at) || is_listed(lexed, at)) return false;
    *ret_cards = count;
    *ret_last = last;
    return true;
}

/* The word before a count, past colons and fillers. */
static const struct price_token *word_before(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at] - 1;
    for (int i = 0; i < 3 && (t->kind == PK_FILL || price_is_punct(t, ':')); i++) t--;
    return t;
}

/* 起租, 至少, 满, from, "min" (which is a minute elsewhere). */
static bool is_min_word(const struct price_lexed *lexed, const struct price_token *t)
{
    if (t->kind == PK_MIN_COUNT || t->kind == PK_FULL) return true;
    if (t->kind == PK_BOUND) return t->value == BOUND_FROM && t->arg == 0;
    return t->kind == PK_PERIOD && t->len == 3 && memcmp(lexed->text.ptr + t->at, "min", 3) == 0;
}

bool price_is_minimum(const struct price_lexed *lexed, size_t at, size_t last)
{
    const struct price_token *behind = &lexed->tokens[last] + 1;
    if (is_min_word(lexed, word_before(lexed, at))) return true;
    if (behind->kind == PK_ABOVE || behind->kind == PK_MIN_COUNT) return true;
    return behind->kind == PK_BOUND && behind->value == BOUND_FROM && behind->arg == 1;
}

/* A count of free cards, or the most that can be had: says nothing of the price. */
static bool is_stock_count(const struct price_lexed *lexed, size_t at, size_t last)
{
    const struct price_token *before = word_before(lexed, at), *behind = &lexed->tokens[last] + 1;
    return before->kind == PK_STOCK || before->kind == PK_AVAIL || behind->kind == PK_STOCK || behind->kind == PK_AVAIL ||
           before->kind == PK_OFFERS || (before->kind == PK_BOUND && before->value == BOUND_UPTO);
}

/* 单卡24GB names a card's memory, not what the price buys. */
static bool is_spec_of_card(const struct price_token *each)
{
    return each[1].kind == PK_VRAM || (each[1].kind == PK_NUMBER && each[2].kind == PK_BYTES) || each[1].kind == PK_BYTES;
}

bool price_counts_nodes(const struct price_lexed *lexed, size_t from, size_t to)
{
    bool has_several = false;
    for (size_t i = from; i < to; i++) {
        const struct price_token *t = &lexed->tokens[i];
        if (t->kind == PK_NODE && (t->arg == 1 || t[-1].kind == PK_PER)) return false; /* 单台, 每台, "per node" */
        bool is_count = t->kind == PK_NUMBER && t[1].kind == PK_NODE && t[1].arg == 0 && t[-1].kind != PK_RANGE;
        if (!is_count || price_number_whole(lexed, i, CARDS_MAX) < 2) continue;
        has_several |= !price_is_minimum(lexed, i, i + 1) && !is_stock_count(lexed, i, i + 1);
    }
    return has_several;
}

/* The kinds of tokens that can tell a basis: most others are passed by. */
static bool is_basis_kind(int kind)
{
    return kind == PK_NUMBER || kind == PK_CARD || kind == PK_EACH_CARD || kind == PK_NODE || kind == PK_CARD_TIME ||
           kind == PK_DERIVED || kind == PK_REFUSE;
}

/* "GPU-hour $1.98", "GPU-hour: $2.10"; a bare number behind is how many hours. */
static bool is_priced_card_time(const struct price_token *card)
{
    const struct price_token *next = card + 2 + price_is_joint_dash(card + 1);
    return price_is_card_time(card) && (next + price_is_punct(next, ':'))->kind != PK_NUMBER;
}

/* One basis word at token `at` seen from behind: fills *found. False when it is none. */
static bool basis_at(const struct price_lexed *lexed, size_t at, struct price_unit *found, bool *ret_count)
{
    const struct price_token *t = &lexed->tokens[at];
    int32_t cards;
    size_t last;
    *ret_count = false;
    if (!is_basis_kind(t->kind)) return false;
    bool is_card_time = t->kind == PK_CARD_TIME && t[-1].kind != PK_NUMBER; /* 每卡时 6 元 */
    if ((t->kind == PK_EACH_CARD && !is_spec_of_card(t)) || is_card_time) {
        *found = (struct price_unit){.basis = BASIS_CARD, .cards = 1};
        return true;
    }
    if (t->kind == PK_DERIVED && t->arg == 1) { /* 折单卡 */
        *found = (struct price_unit){.basis = BASIS_CARD, .cards = 1};
        return true;
    }
    bool is_per = t[-1].kind == PK_PER, is_sum = t->kind == PK_REFUSE && t->arg == 2; /* "Total: $16/hr" */
    if (is_sum || (t->kind == PK_NODE && t->arg < 2 && (t->arg == 1 || is_per))) {
        *found = (struct price_unit){.basis = BASIS_NODE};
        return true;
    }
    /* "(gpu/hour): € 0.30" */
    bool is_card_hour = (price_is_punct(t + 1, '/') && t[2].kind == PK_PERIOD) || is_priced_card_time(t);
    if (t->kind == PK_CARD && (is_per || (is_card_hour && t[-1].kind != PK_NUMBER))) {
        *found = (struct price_unit){.basis = BASIS_CARD, .cards = 1};
        return true;
    }
    if (t->kind != PK_NUMBER) return false;
    /* "1/4卡" is a part of a card; "1/2/4/8卡" and "4/8卡" are choices. */
    bool is_part = at >= 2 && price_is_punct(&t[-1], '/') && !price_is_spaced(t) && price_number_whole(lexed, at - 2, 1) == 1 &&
                   !price_is_punct(&t[-3], '/');
    /* 半卡, "0.5 GPU" */
    bool is_half = t[1].kind == PK_CARD && t->whole < 0 && price_number_value(lexed, at, DECIMAL_POINT, false).nano < NANO;
    if ((is_part || is_half) && t[1].kind == PK_CARD) {
        *found = (struct price_unit){.basis = BASIS_SLICE};
        return true;
    }
    if (!price_is_card_count(lexed, at, &cards, &last) || price_is_minimum(lexed, at, last) || is_stock_count(lexed, at, last))
        return false;
    *found = (struct price_unit){.basis = cards == 1 ? BASIS_CARD : BASIS_NODE, .cards = cards};
    *ret_count = true;
    return true;
}

/* A word of the kinds that basis_at looks for; a count needs one of them beside it. */
static bool may_tell_basis(const struct price_lexed *lexed)
{
    return price_lexed_has(lexed, PK_CARD) || price_lexed_has(lexed, PK_EACH_CARD) || price_lexed_has(lexed, PK_NODE) ||
           price_lexed_has(lexed, PK_MUL) || price_lexed_has(lexed, PK_CARD_TIME) || price_lexed_has(lexed, PK_DERIVED) ||
           price_lexed_has(lexed, PK_IDENT) || price_lexed_has(lexed, PK_BRAND) || price_lexed_has(lexed, PK_REFUSE);
}

struct price_unit price_basis_read(const struct price_lexed *lexed, size_t from, size_t to, bool *ret_count)
{
    *ret_count = false;
    if (from >= to || !may_tell_basis(lexed)) return (struct price_unit){.basis = BASIS_UNKNOWN};
    struct price_unit best = {.basis = BASIS_UNKNOWN}, inner = best;
    bool best_count = false, inner_count = false;
    int depth = 0;
    /* The nearest word wins; one in brackets that are closed before the amount only where there is no other. */
    for (size_t i = to; i-- > from;) {
        const struct price_token *t = &lexed->tokens[i];
        if (price_is_punct(t, ')')) depth++;
        if (price_is_punct(t, '(') && depth > 0) depth--;
        struct price_unit found;
        bool is_count;
        if (!basis_at(lexed, i, &found, &is_count)) continue;
        struct price_unit *into = depth > 0 ? &inner : &best;
        if (into->basis == BASIS_UNKNOWN) {
            *into = found;
            *(depth > 0 ? &inner_count : &best_count) = is_count;
        } else if (into->basis == BASIS_NODE && into->cards == 0 && found.basis == BASIS_NODE) {
            into->cards = found.cards; /* 八卡服务器单台: the node's word is nearest, its count further off */
        }
    }
    if (best.basis == BASIS_NODE && best.cards == 0 && inner.basis == BASIS_NODE) best.cards = inner.cards;
    *ret_count = best.basis != BASIS_UNKNOWN ? best_count : inner_count;
    return best.basis != BASIS_UNKNOWN ? best : inner;
}
