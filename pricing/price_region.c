/* Whose words are whose: the text between two finds is divided among them. */
#include "pricing/price_parse.h"

/* The token behind the bracket that closes the one at `from`, before `to`; `from` when it does not
 * close there. */
static size_t bracket_end(const struct price_token *t, size_t from, size_t to)
{
    int depth = 0;
    for (size_t i = from; i < to; i++) {
        if (price_is_punct(&t[i], '(')) depth++;
        if (price_is_punct(&t[i], ')') && --depth == 0) return i + 1;
    }
    return from;
}

/* Ends a clause for the purpose of dividing words: a break, an opening bracket, a slash that is no
 * unit, a plus between amounts. */
static bool divides(const struct price_token *t)
{
    if (t->kind == PK_BOUND && t->arg == 1 && t->len == 1 && price_is_spaced(t)) return true;
    return t->kind == PK_BREAK || price_is_punct(t, '(') || price_is_punct(t, '/') || price_is_punct(t, ')');
}

/* Words up to the first divider belong to the find before them ("$0.34 社区 / $0.74 安全"), with
 * brackets right behind it ("¥1.98/时（按量），"); the others to the one behind. Without a divider all
 * belong to the one behind ("¥3.03/时 会员 ¥2.39/时"). */
static size_t split_at(const struct price_lexed *lexed, size_t from, size_t to, bool is_tail)
{
    const struct price_token *t = lexed->tokens;
    size_t start = from;
    /* "$100/mo billed annually or $120/mo": English says behind the amount how it is paid, Chinese before it. */
    if (t[from].kind == PK_RATE && t[from].arg == PRICE_STYLE_PAY && (unsigned char)lexed->text.ptr[t[from].at] < 0x80) start++;
    if (from < to && price_is_punct(&t[from], '(')) {
        start = bracket_end(t, from, to);
        if (start == from) return from;
    }
    for (size_t i = start; i < to; i++)
        if (divides(&t[i])) return i;
    return is_tail ? to : start;
}

/* Every word belongs to one amount: regions touch and do not overlap, so that "¥1/时, 月付 ¥600" gives neither the other's period. */
void price_regions_set(struct price_parse *parse)
{
    size_t from = 0;
    for (size_t i = 0; i < parse->find_count; i++) {
        struct price_find *find = &parse->finds[i];
        bool is_tail = i + 1 == parse->find_count;
        size_t behind = find->last + 1, to = is_tail ? parse->lexed.count : parse->finds[i + 1].first;
        if (to < behind) to = behind;
        find->pre_from = from;
        find->post_near = split_at(&parse->lexed, behind, to, is_tail);
        find->post_to = is_tail ? to : find->post_near;
        from = find->post_near;
    }
}
