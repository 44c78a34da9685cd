/* What others ask: "AWS charges $98/hr", "vs. $4.10 on AWS", "（阿里云 34.7 元/时）" behind a price. A seller's name as a label ("AWS p5.48xlarge
 * $98.32/hr") is none of that: pages of comparisons are made of such rows. */
#include "pricing/price_parse.h"

enum { CLAUSE_TOKENS_MAX = 40 /* how far from its amount a seller is looked for */ };

/* "AWS charges", "AWS p5 is about", "阿里云同款": what is said of the seller at token `at`, right behind its name and its machine's. */
static bool is_said_of(const struct price_lexed *lexed, size_t at)
{
    static const char *const says[] = {"charges", "charge", "costs", "asks", "bills", "sells",  "is about", "is around",
                                       "收费",    "要价",   "要",    "卖",   "同款",  "同配置", "同规格"};
    const struct price_token *behind = &lexed->tokens[at] + 1;
    while (behind->kind == PK_IDENT || behind->kind == PK_BRAND) behind++;
    struct gt_str rest = gt_str_slice(lexed->text, behind->at, lexed->text.len);
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        struct gt_str word = gt_str_from(says[i]);
        if (!gt_str_starts(rest, word)) continue;
        if ((unsigned char)says[i][0] >= 0x80 || rest.len == word.len || rest.ptr[word.len] == ' ') return true;
    }
    return false;
}

/* The token before `at`, past fillers. */
static const struct price_token *word_before(const struct price_lexed *lexed, size_t at)
{
    const struct price_token *t = &lexed->tokens[at] - 1;
    while (t->kind == PK_FILL) t--;
    return t;
}

/* "than" and 比 may end what they say with the seller ("cheaper than AWS at $1.99"). */
static bool is_than(const struct price_lexed *lexed, const struct price_token *compare)
{
    struct gt_str word = gt_str_slice(lexed->text, compare->at, compare->len);
    return gt_str_is(word, "than") || gt_str_is(word, "比");
}

/* "vs AWS p5 at $98/hr", "than AWS ($6.88/hr)": only names, fillers and an opening bracket stand from the seller at token `at` to the amount at
 * `first`; behind "than" only the bracket. */
static bool leads_to(const struct price_lexed *lexed, size_t at, size_t first)
{
    const struct price_token *t = &lexed->tokens[at + 1], *amount = &lexed->tokens[first];
    if (is_than(lexed, word_before(lexed, at))) return price_is_punct(t, '(') && t + 1 == amount;
    while (t->kind == PK_FILL || t->kind == PK_IDENT || t->kind == PK_BRAND || price_is_punct(t, '(') || price_is_punct(t, ':'))
        t++;
    return t >= amount;
}

/* "¥5.4/时（腾讯云 ¥15.2/时）": the seller at token `at` opens a bracket that holds the amount, beside another price or a comparison. */
static bool is_bracketed(const struct price_parse *parse, size_t at, size_t index)
{
    const struct price_token *open = word_before(&parse->lexed, at);
    if (!price_is_punct(open, '(')) return false;
    for (size_t i = at; i < parse->finds[index].first; i++)
        if (price_is_punct(&parse->tokens[i], ')')) return false;
    return price_lexed_has(&parse->lexed, PK_COMPARE) || (index > 0 && parse->finds[index - 1].type == PRICE_FIND_AMOUNT);
}

/* "vs. $4.10 on AWS": compared with, and the seller right behind. */
static bool is_compared_behind(const struct price_parse *parse, const struct price_find *find)
{
    const struct price_token *t = &parse->tokens[find->last] + 1;
    if (word_before(&parse->lexed, find->first)->kind != PK_COMPARE) return false;
    while (t->kind == PK_FILL) t++;
    return price_is_seller(t);
}

/* "$2.49/hr (was $2.99/hr on AWS)": the seller ends the bracket behind a price. */
static bool is_bracketed_behind(const struct price_parse *parse, size_t index)
{
    const struct price_token *t = &parse->tokens[parse->finds[index].last] + 1;
    if (index == 0 || parse->finds[index - 1].type != PRICE_FIND_AMOUNT || t->kind != PK_FILL) return false;
    while (t->kind == PK_FILL) t++;
    return price_is_seller(t) && price_is_punct(t + 1, ')');
}

bool price_is_other_seller(const struct price_parse *parse, size_t index)
{
    const struct price_find *find = &parse->finds[index];
    if (is_compared_behind(parse, find) || is_bracketed_behind(parse, index)) return true;
    /* Discounts in between ("40% cheaper than AWS ($6.88/hr)") part nothing. */
    for (size_t i = find->first, n = 0; i-- > 0 && n < CLAUSE_TOKENS_MAX; n++) {
        if (parse->tokens[i].kind == PK_BREAK || parse->tokens[i].kind == PK_CURRENCY) return false;
        if (!price_is_seller(&parse->tokens[i])) continue;
        bool is_compared = word_before(&parse->lexed, i)->kind == PK_COMPARE && leads_to(&parse->lexed, i, find->first);
        if (is_compared || is_said_of(&parse->lexed, i) || is_bracketed(parse, i, index)) return true;
    }
    return false;
}
