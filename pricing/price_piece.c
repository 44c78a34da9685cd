/* "8 GPUs @ $1.99/hr" and "8x H100 @ $15.92/hr": "@" behind a count says "each", and pages write it before the price of all as well. Words
 * decide, then what a card of that name has ever cost in public; what neither decides is refused. */
#include "pricing/guard_band.h"
#include "pricing/price_parse.h"
#include "pricing/sku.h"

enum {
    NAME_TOKENS_MAX = 8,   /* between the count and the mark */
    SEEN_LOW_FACTOR = 3,   /* a band begins at a third of the cheapest price seen in public, */
    SEEN_HIGH_DIVISOR = 2, /* and ends at twice the dearest (guard_band.c) */
    NAMELESS_DIVISOR = 10, /* 40 yuan an hour: cards that nobody names are no dearer one by one */
};

enum piece { PIECE_ALL, PIECE_EACH, PIECE_OPEN };

/* "@", or "at" where nothing stands before it that makes it "starting at". */
static bool is_mark(const struct price_lexed *lexed, size_t at)
{
    return price_is_punct(&lexed->tokens[at], '@') || gt_str_is(price_token_text(lexed, at), "at");
}

/* What a card's name and size are made of. */
static bool is_name(int kind)
{
    return kind == PK_IDENT || kind == PK_BRAND || kind == PK_CARD || kind == PK_MUL || kind == PK_NUMBER || kind == PK_BYTES ||
           kind == PK_VRAM || kind == PK_OTHER;
}

/* The first token of a count and its cards that end right before token `mark`: "8x H100 SXM", "H100 x8", "8卡". `mark` when there is none. */
static size_t count_begin(const struct price_lexed *lexed, size_t from, size_t mark)
{
    int32_t cards;
    size_t last, begin = mark, name = mark;
    for (size_t n = 0; name > from && n < NAME_TOKENS_MAX && is_name(lexed->tokens[name - 1].kind); n++) {
        name--;
        if (price_is_card_count(lexed, name, &cards, &last)) begin = name;
    }
    return begin < mark ? name : mark;
}

/* The words right behind the amount: "each", "total". */
static bool is_behind(const struct price_parse *parse, const struct price_find *find, const char *word)
{
    for (size_t i = find->last + 1; i < find->post_near; i++)
        if (gt_str_is(price_token_text(&parse->lexed, i), word)) return true;
    return false;
}

/* The amount for an hour, rounded down; 0 where no period is known or it does not fit. */
static int64_t hour_nano(const struct price_find *find)
{
    static const int32_t seconds[PERIOD_COUNT] = {
        [PERIOD_SECOND] = 1,    [PERIOD_MINUTE] = 60,        [PERIOD_HOUR] = 3600,           [PERIOD_DAY] = 86400,
        [PERIOD_WEEK] = 604800, [PERIOD_MONTH] = 720 * 3600, [PERIOD_QUARTER] = 2160 * 3600, [PERIOD_YEAR] = 8640 * 3600,
    };
    int64_t nano, span = (int64_t)seconds[find->unit.period] * find->unit.period_count;
    return span > 0 && !__builtin_mul_overflow(find->low_nano, 3600, &nano) ? nano / span : 0;
}

/* What the price can be by its size: dearer than any card of that name was ever seen, or cheaper if divided. Both or neither leave it open. */
static enum piece piece_by_size(const struct guard_band *band, int64_t hour, int32_t cards)
{
    bool may_be_each = hour <= band->high_hour_nano / SEEN_HIGH_DIVISOR;
    bool may_be_all = hour / cards >= band->low_hour_nano * SEEN_LOW_FACTOR;
    if (may_be_each == may_be_all) return PIECE_OPEN;
    return may_be_each ? PIECE_EACH : PIECE_ALL;
}

/* "8 GPUs @", "8卡@": no name stands between count and mark. "at" is too weak a mark for that. */
static bool is_nameless(const struct price_lexed *lexed, size_t begin, size_t mark)
{
    for (size_t i = begin; i < mark; i++)
        if (lexed->tokens[i].kind != PK_NUMBER && lexed->tokens[i].kind != PK_CARD) return false;
    return price_is_punct(&lexed->tokens[mark], '@');
}

/* Words, then the size beside the name's band. */
static enum piece piece_of(const struct price_parse *parse, const struct price_find *find, size_t begin, size_t mark)
{
    struct guard_band band;
    if (is_behind(parse, find, "each")) return PIECE_EACH;
    if (is_behind(parse, find, "total")) return PIECE_ALL;
    struct sku_match match = sku_resolve(price_lexed_raw(&parse->lexed, begin, mark - 1), 0, NULL, 0);
    struct gt_str sku = match.node != NULL ? gt_str_from(match.node->name) : GT_STR("any card");
    int64_t hour = hour_nano(find);
    if (hour == 0 || !guard_band_find(sku, price_known_currency(parse, find->currency), &band)) return PIECE_OPEN;
    if (match.node != NULL) return piece_by_size(&band, hour, find->unit.cards);
    bool is_each = is_nameless(&parse->lexed, begin, mark) && hour <= band.high_hour_nano / NAMELESS_DIVISOR;
    return is_each ? PIECE_EACH : PIECE_OPEN;
}

/* "8 卡 ¥20": for all eight or for each is decided by what each would cost, or not at all. */
void price_piece_settle(const struct price_parse *parse, struct price_find *find)
{
    if (find->first == find->pre_from || !is_mark(&parse->lexed, find->first - 1)) return;
    size_t mark = find->first - 1, begin = count_begin(&parse->lexed, find->pre_from, mark);
    if (begin == mark) return;
    switch (piece_of(parse, find, begin, mark)) {
    case PIECE_ALL: return;
    case PIECE_EACH:
        find->unit.basis = BASIS_CARD;
        find->unit.cards = 1;
        find->is_prefix_count = false;
        return;
    default: find->reason = REFUSAL_AMBIGUOUS;
    }
}
