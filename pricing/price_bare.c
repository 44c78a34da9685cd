/* Bare numbers: neither currency nor unit beside them. A price only where the column's heading, a
 * unit phrase in the text, a price word right before it, or the caller says so; and only when no
 * second number competes. */
#include "pricing/price_parse.h"

/* 1.92 起: hedged like a price, beside another amount. */
static bool is_hedged(const struct price_parse *parse, const struct price_find *find)
{
    bool has_amount = false;
    for (size_t i = 0; i < parse->find_count; i++)
        has_amount |=
            parse->finds[i].type == PRICE_FIND_AMOUNT && !parse->finds[i].is_bare && parse->finds[i].reason == REFUSAL_NONE;
    return has_amount && find->bound == BOUND_FROM && parse->tokens[find->last].kind == PK_BOUND;
}

/* A printed price of the same size, which lends its currency to a number beside it. */
static bool is_lender(const struct price_find *find, const struct price_find *beside)
{
    return beside->type == PRICE_FIND_AMOUNT && !beside->is_bare && beside->reason == REFUSAL_NONE &&
           price_is_same_size(find->low_nano, beside->low_nano);
}

/* "2.3元/卡时(原价3.5)": a number behind a price is one only with decimals and nothing of its own behind it; "会员 3 级" and "spot 2" count. */
static bool is_told_behind(const struct price_parse *parse, const struct price_find *find)
{
    int kind = parse->tokens[find->last + 1].kind;
    bool is_ended = kind == PK_END || kind == PK_PUNCT || kind == PK_BREAK || kind == PK_ROLE;
    return is_ended && find->decimals > 0 && is_lender(find, find - 1);
}

/* "1.96/1.57元" and "原价 3.0 现价 1.98 元": shares the currency of the amount behind it, or of the one before. */
static bool is_paired(const struct price_parse *parse, size_t index)
{
    const struct price_find *find = &parse->finds[index], *next = find + 1;
    bool has_next = index + 1 < parse->find_count;
    bool is_slash = has_next && next->first == find->last + 2 && price_is_punct(&parse->tokens[find->last + 1], '/') && find->decimals > 0;
    if (has_next && (is_slash || find->is_role_named) && is_lender(find, next)) return true;
    return index > 0 && find->is_role_named && is_told_behind(parse, find);
}

/* "年付 10 免 2", "买 10 送 2": so many periods for the price of fewer. */
static bool is_given_away(const struct price_parse *parse, const struct price_find *find)
{
    static const char *const words[] = {"免", "送", "赠", "得"};
    const struct price_token *t = &parse->tokens[find->last] + 1;
    if (t[1].kind != PK_NUMBER) return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (gt_str_is(price_token_text(&parse->lexed, find->last + 1), words[i])) return true;
    return false;
}

/* A price word before the number counts alone where the column is one of prices, else beside a
 * period (its own or the site's) or another named price. */
static bool is_named_price(const struct price_parse *parse, const struct price_find *find)
{
    if (is_given_away(parse, find)) return false;
    if (find->is_rate_named) return true;
    if (!find->is_named && !find->is_role_named) return false;
    if (find->is_named && parse->context->period != PERIOD_NONE) return true;
    for (const struct price_find *before = parse->finds; before < find; before++)
        if (before->type == PRICE_FIND_AMOUNT && before->is_rate_named && before->reason == REFUSAL_NONE) return true;
    return false;
}

/* 满1000减100: the threshold and what comes off. */
static bool is_threshold_pair(const struct price_parse *parse, size_t index)
{
    const struct price_find *find = &parse->finds[index];
    if (find->is_threshold) return index + 1 < parse->find_count && find[1].type == PRICE_FIND_AMOUNT && find[1].is_minus;
    return find->is_minus && index > 0 && find[-1].is_threshold;
}

/* Bare numbers that stand in a row with "/" between are prices together; any other company makes
 * all of them doubtful. */
static bool is_alone(const struct price_parse *parse, size_t index)
{
    const struct price_find *find = &parse->finds[index];
    for (size_t i = 0; i < parse->find_count; i++) {
        const struct price_find *other = &parse->finds[i];
        if (i == index || other->type != PRICE_FIND_AMOUNT || other->reason == REFUSAL_MODEL) continue;
        if (!other->is_bare) return false;
        size_t gap = i < index ? other->last + 1 : find->last + 1;
        bool is_next = (i + 1 == index || i == index + 1) && price_is_punct(&parse->tokens[gap], '/');
        /* "1.98 (会员1.88)": a role tells them apart. */
        bool is_told_apart = is_next || find->is_role_named || other->is_role_named;
        if (!is_told_apart || !price_is_same_size(find->low_nano, other->low_nano)) return false;
    }
    return true;
}

/* A column of prices, as its heading, a unit in the text or the caller says; the heading is nearest. */
static bool is_price_column(const struct price_parse *parse)
{
    if (parse->header.is_measure) return false;
    return parse->context->bare_number || parse->header.has_unit || parse->phrase.has_unit;
}

/* Any of the ways in which a bare number may be a price. */
static bool is_price(const struct price_parse *parse, size_t index)
{
    const struct price_find *find = &parse->finds[index];
    if (is_hedged(parse, find) || is_paired(parse, index) || is_named_price(parse, find) || is_threshold_pair(parse, index))
        return true;
    return is_price_column(parse) && is_alone(parse, index);
}

/* Why a bare number is not taken: in a column of prices it competes with others, elsewhere it lacks
 * a unit. */
static enum refusal_reason reason_of(const struct price_parse *parse, const struct price_find *find)
{
    if (find->reason != REFUSAL_NONE && find->reason != REFUSAL_ZERO) return find->reason;
    return is_price_column(parse) ? REFUSAL_AMBIGUOUS : REFUSAL_NO_UNIT;
}

/* "时租/月租：1.5/800元": where the first of two is not understood, the second is in doubt as well. */
static void doubt_pair(const struct price_parse *parse, struct price_find *find)
{
    struct price_find *next = find + 1, *end = &parse->finds[parse->find_count];
    for (; next < end && next->first == next[-1].last + 2 && price_is_punct(&parse->tokens[next->first - 1], '/'); next++)
        if (next->reason == REFUSAL_NONE) next->reason = REFUSAL_AMBIGUOUS;
}

/* What stands right before each bare number. */
static void names_read(struct price_parse *parse)
{
    bool has_bare = false;
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        struct price_before before;
        if (find->type != PRICE_FIND_AMOUNT || !(find->is_bare || has_bare)) continue;
        has_bare = true;
        price_before_read(parse, i, &before);
        find->is_minus = before.is_minus;
        if (!find->is_bare) continue;
        find->is_rate_named = before.is_rate_touching;
        find->is_named = before.is_price_word;
        find->is_role_named = before.is_role_touching;
        find->cents_before = before.cents_power;
    }
}

/* Only after all amounts with a currency are known: whether a bare number is a price hangs on the others of its phrase. */
bool price_bare_settle(struct price_parse *parse)
{
    bool is_taken[PRICE_FINDS_MAX];
    size_t kept = 0, count = parse->find_count;
    names_read(parse);
    for (size_t i = 0; i < count; i++)
        is_taken[i] = parse->finds[i].type != PRICE_FIND_AMOUNT || !parse->finds[i].is_bare || is_price(parse, i);
    for (size_t i = 0; i < count; i++) {
        struct price_find *find = &parse->finds[i];
        if (is_taken[i]) {
            parse->finds[kept++] = *find;
            continue;
        }
        price_refuse(parse, find->first, find->last, reason_of(parse, find));
        if (i + 1 < count) doubt_pair(parse, find);
    }
    parse->find_count = kept;
    return kept < count;
}
