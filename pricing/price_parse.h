/* What the stages of price_text_read hand to each other: units, finds, and the state of one
 * reading. Internal to pricing/price_*.c.
 *
 * The stages, each in files of its own and each linear in the text:
 *
 *   price_fold, price_token       characters to tokens (price_number, price_date, price_word help)
 *   price_find                    tokens to finds: amounts (price_amount, price_unit), discounts (price_cut), refused numbers
 *   price_region, price_bare      whose words are whose; which bare numbers are prices
 *   price_modify                  the words before (price_before) and behind (price_behind) an amount
 *   price_settle, price_relate    what amounts take from each other, from the heading (price_heading), from the site; each or all (price_piece)
 *   price_reject                  plans, purchases, news and others' prices (price_seller) among what reads as prices
 *   price_emit                    the result, with conditions (price_condition) */
#ifndef GT_PRICING_PRICE_PARSE_H
#define GT_PRICING_PRICE_PARSE_H

#include "pricing/price_text.h"
#include "pricing/price_token.h"
#include "pricing/refusal.h"

enum {
    PRICE_FINDS_INLINE = 6,
    PRICE_FINDS_MAX = 64,   /* amounts and discounts looked at in one text; further ones are not read */
    PRICE_REFUSED_MAX = 32, /* refusals kept of one text */
};

/* What an amount is for, as far as words beside it say. */
struct price_unit {
    enum period period;
    int32_t period_count; /* 1 unless counted: "/30天" */
    enum basis basis;
    int32_t cards;
    enum refusal_reason reason; /* a unit that is no rental: /GB, /核时, /百万 tokens; NONE when it is one */
    bool is_letter_m;           /* "/m" */
    bool is_conflict;           /* two periods */
    bool is_unknown;            /* "/" and a word that no unit is */
};

/* What a heading or a unit-only phrase says: "按需价格（元/小时）". */
struct price_heading {
    struct price_unit unit;
    enum price_currency currency;
    int scale_power; /* 万元: 4 */
    int cents_power; /* cents: 2 */
    enum role role, role2; /* role2: behind a slash, of the second price in a cell */
    enum bound bound;
    bool has_role, has_role2, has_bound;
    bool has_unit;   /* names a currency or a period: a bare number under it is a price */
    bool is_measure; /* names a size and no price: no bare number under it is one */
    int32_t months;
};

enum price_find_type { PRICE_FIND_AMOUNT, PRICE_FIND_DISCOUNT };

/* How a percentage or 折 is meant. */
enum price_cut {
    PRICE_CUT_FACTOR,   /* 8 折, "40% 价格": what is paid */
    PRICE_CUT_OFF,      /* 30% off */
    PRICE_CUT_TWO_WAYS, /* 30% 折扣 */
    PRICE_CUT_RANGE,    /* 20–30% off: no single figure */
    PRICE_CUT_AMOUNT,   /* 立减 200 元 */
    PRICE_CUT_RULE,     /* only how discounts go together */
};

/* One amount or discount, in text order. Token indexes are inclusive. */
struct price_find {
    enum price_find_type type;
    size_t first, last;
    size_t pre_from;           /* the words [pre_from, first) may speak of it */
    size_t post_near, post_to; /* so may [last + 1, post_near), and further to post_to where nothing else stands */

    int64_t low_nano, high_nano;
    enum price_currency currency; /* printed; NONE when not */
    struct price_unit unit;       /* its own: behind it, or a rate word before it */
    int decimals;                 /* printed digits behind the decimal sign */
    bool is_bare;                 /* neither currency nor unit: a price only where the heading says so */
    bool is_scaled;               /* 万 or k */
    bool is_cents;
    bool is_suffix_period, is_suffix_basis; /* told by the words right behind the amount */
    bool is_prefix_count;                   /* basis from "8x H100" before it */
    bool is_basis_behind;                   /* basis from words behind it, which speak of it alone */
    bool is_range, is_mean, is_estimate, is_claim, is_derived, is_equal, is_after_cut, is_threshold, is_lowest, is_inherited,
        is_by_custom, is_computed, is_named, is_rate_named, is_role_named, is_minus, is_mean_rate, is_header_unit, is_site_unit;
    size_t follows_cut; /* 1 + index of the discount that this amount is the result of; 0 none */
    int cents_before;   /* "price_cents" before a bare number: power of ten */
    bool has_role;
    enum role role;
    enum bound bound;
    enum tax tax;
    int32_t months;
    bool is_upfront;
    int32_t multiplied_cards; /* "8 卡 ×" before it */
    int64_t duration_hours;   /* "20 小时" before a total */
    enum refusal_reason reason;

    enum price_cut cut;
    int64_t percent_nano; /* the figure of the discount: 0.30 for 30 %, 0.80 for 8 折; of a range the larger cut */
    bool is_upto, is_cut_after, is_inferred;
    int64_t factor_nano, factor_alt_nano; /* settled: what is paid; 0 and the other reading when open */
    enum stacks stacks;
    bool is_enjoyed; /* 享 before a percentage */
};

/* A number that is none of the above. */
struct price_refused {
    size_t first, last;
    enum refusal_reason reason;
};

struct price_parse {
    struct price_lexed lexed;
    const struct price_token *tokens; /* lexed.tokens */
    const struct price_context *context;
    struct arena *arena;
    enum decimal_sign decimal;   /* what is known: the context's, or the text's own numbers' */
    struct price_heading header; /* the column's */
    struct price_heading phrase; /* a unit-only phrase inside the text: "(定价 CNY/卡/小时)" */
    struct price_unit beside;    /* basis and cards from the row around */
    enum price_currency loose;   /* a currency that no number claims; has_loose_two: another one as well */
    bool has_loose_two;
    bool has_bare;               /* some find is a bare number */
    bool beside_machine;         /* heading or row name a card, a node or hardware */
    struct price_find *finds;
    size_t find_count, find_cap;
    struct price_find inline_finds[PRICE_FINDS_INLINE];
    struct price_refused refused[PRICE_REFUSED_MAX];
    size_t refused_count;
    enum gt_err err; /* sticky: GT_ENOMEM */
};

/* A new find of the type over [first, last]; NULL when PRICE_FINDS_MAX is reached or memory is out
 * (err is set then). */
struct price_find *price_find_add(struct price_parse *parse, enum price_find_type type, size_t first, size_t last);

/* Notes why the number of tokens [first, last] is no price. Past PRICE_REFUSED_MAX nothing is
 * noted. */
void price_refuse(struct price_parse *parse, size_t first, size_t last, enum refusal_reason reason);

/* ---- price_unit.c, price_basis.c ---- */

/* What an amount is the price of where a word of kind STORAGE is its subject. */
static inline enum refusal_reason price_subject_reason(const struct price_token *token)
{
    return token->arg == 1 ? REFUSAL_COMPONENT : REFUSAL_STORAGE;
}

/* Reads the unit that stands behind an amount from token `at` on: "/月/卡", "per GPU-hour", "每卡每小时",
 * "GPU/hr". Fills *unit and returns the token behind it; `at` when there is none. `has_currency`
 * tells that a currency sign was printed, so that a plain "hourly" counts. */
size_t price_unit_read(const struct price_lexed *lexed, size_t at, bool has_currency, struct price_unit *unit);

/* Reads a heading's words: currency, period, basis, role, scale. */
void price_heading_read(const struct price_lexed *lexed, size_t from, size_t to, struct price_heading *ret);

/* Months in `count` periods of month, quarter or year; 0 for shorter ones. */
static inline int32_t price_period_months(int period, int32_t count)
{
    switch (period) {
    case PERIOD_MONTH: return count;
    case PERIOD_QUARTER: return 3 * count;
    case PERIOD_YEAR: return 12 * count;
    default: return 0;
    }
}

/* Basis and cards that the words [from, to) name: 单卡, 8卡整机, 8×H100. Counts of stock and minima are
 * left out. *ret_count tells that a count, not a word, decided. */
struct price_unit price_basis_read(const struct price_lexed *lexed, size_t from, size_t to, bool *ret_count);

/* True when the words [from, to) count more than one node and none of them says that the price is of each: "4台 … 30万/月". Minima and stock
 * are left out. */
bool price_counts_nodes(const struct price_lexed *lexed, size_t from, size_t to);

/* True when number token `at` counts cards ("8卡", "8x H100", "x8"); *ret_cards the count, *ret_last
 * the last token of it. */
bool price_is_card_count(const struct price_lexed *lexed, size_t at, int32_t *ret_cards, size_t *ret_last);

/* True when the count at number token `at` (ending at `last`) is a minimum: 起租 8 卡, 8 卡以上. */
bool price_is_minimum(const struct price_lexed *lexed, size_t at, size_t last);

/* ---- price_find.c, price_amount.c ---- */

/* Finds amounts, discounts and refused numbers in the text's order. */
void price_find_all(struct price_parse *parse);

/* Reads the amount at number token `at`, whose currency before it is token `first` (price_currency_before): currency, scale, range, unit.
 * False when it is no money. *ret_next is the token behind. */
bool price_amount_read(struct price_parse *parse, size_t first, size_t at, size_t *ret_next);

/* True when the amount's digits, from its first token and its number token, may go on before it or behind: "1 649 元", "1/2元". price_digits.c. */
bool price_is_digits_unclear(const struct price_parse *parse, size_t first, size_t number);

/* "$5 × 8/hr", "1.98*0.8/时": the number at token `at` says how often the amount before it is paid, or how much of it. price_digits.c. */
bool price_is_factor(const struct price_parse *parse, size_t at);

/* "1.15万一个月", "5块一小时": the 一 at token `t` begins the unit and is no tenth. price_digits.c. */
bool price_is_one_period(const struct price_parse *parse, const struct price_token *t);

/* 6块5一小时, 6块5毛: the token behind the tenths at token `at`, which stands behind a spoken yuan; `at` where it may be something else ("3块4卡",
 * "2块5/时"). price_digits.c. */
size_t price_spoken_tenths_end(const struct price_parse *parse, size_t at);

/* The currency token that belongs to number token `at` from before it, or `at` when there is none. */
size_t price_currency_before(const struct price_parse *parse, size_t at);

/* The currency printed, else the site's: for what depends on its size or the home of its custom. */
struct currency price_known_currency(const struct price_parse *parse, enum price_currency printed);

/* True when a bare number token is a card's number: 4090, 910. */
bool price_is_model(const struct price_lexed *lexed, size_t at);

/* ---- price_cut.c: discounts as found ---- */

/* Reads N折, N% and their ranges at number token `at`. False when none stands there. */
bool price_cut_read(struct price_parse *parse, size_t at, size_t *ret_next);

/* ---- price_region.c, price_before.c, price_behind.c ---- */

/* Divides the words between finds among them. */
void price_regions_set(struct price_parse *parse);

/* What the words before an amount say that its find does not hold yet. */
struct price_before {
    enum period rate; /* 月租, per hour */
    enum price_style style;
    bool is_rate_near;      /* in the amount's own clause */
    bool is_rate_touching;  /* right before the amount */
    bool has_rates;         /* two different ones, so that a far one is not believed */
    bool is_rate_list;      /* 时租/月租: joined to another right before the amount */
    int32_t term_months;    /* "3 个月", "1-year reserved" */
    bool is_term_committed; /* a word beside it calls it a commitment */
    bool is_term_adjacent;  /* right before the amount */
    int64_t duration_hours; /* "20 小时" */
    bool has_each_card;     /* 单卡 */
    bool is_minus;          /* 立减 */
    bool is_price_word;     /* 价格, hourly_cost: right before the amount */
    bool is_role_touching;  /* 原价, 会员: right before the amount */
    int cents_power;        /* "price_cents": power of ten below one unit */
    enum refusal_reason reason;
    bool is_reason_firm;
};

/* Reads the words before amount `index` into its find and *ret. */
void price_before_read(struct price_parse *parse, size_t index, struct price_before *ret);

/* True when the term at number token `at` is the first one that somebody pays for: "前 3 个月", "first 3 months". */
bool price_is_intro(const struct price_lexed *lexed, size_t at);

/* True when token `at` names a card: a model, 单卡, RTX, 显存. */
bool price_is_machine(const struct price_lexed *lexed, size_t at);

/* Reads the words behind amount `index`: role, basis, tax, and those that make it no price. */
void price_behind_read(struct price_parse *parse, size_t index, struct price_before *before);

/* Reads the words around each amount and decides on its period, role and reason. */
void price_modify_all(struct price_parse *parse);

/* ---- price_settle.c, price_bare.c, price_relate.c ---- */

/* Settles what stands open: shared units, headings, site facts, and reasons that depend on them. */
void price_settle_all(struct price_parse *parse);

/* Decides which bare numbers are prices, and drops the others with a reason. True when some were dropped, so that the words between finds
 * must be divided anew. */
bool price_bare_settle(struct price_parse *parse);

/* What amounts and discounts of one text say of each other: equations, cards that a quotient fixes,
 * percentages that can be read two ways, the factor between a list price and the one after a
 * discount. */
void price_relate_all(struct price_parse *parse);

/* "8 GPUs @ $1.99/hr": decides whether amount `find`, a node's by the count of cards before it, is for each of them or for all where "@" or "at"
 * stands between, or refuses it as ambiguous. price_piece.c. */
void price_piece_settle(const struct price_parse *parse, struct price_find *find);

/* ---- price_seller.c ---- */

/* A seller's name, or a word for others. */
static inline bool price_is_seller(const struct price_token *t)
{
    return t->kind == PK_SELLER || (t->kind == PK_REFUSE && t->value == REFUSAL_OTHER_SELLER);
}

/* True when amount `index` is what another seller asks, told for comparison: "vs. $4.10 on AWS". */
bool price_is_other_seller(const struct price_parse *parse, size_t index);

/* ---- price_reject.c ---- */

/* Refuses what reads as a price and is the price of something else: plans, things that are sold, news of prices. */
void price_reject_all(struct price_parse *parse);

/* True when the words [from, to) name a card, a node or hardware. */
bool price_names_machine(const struct price_lexed *lexed, size_t from, size_t to);

/* True when amounts a and b are of one size, so that a unit printed for one may hold for the other. */
bool price_is_same_size(int64_t a_nano, int64_t b_nano);

/* ---- price_condition.c, price_emit.c ---- */

/* The conditions that the words around find `index` name, in the arena. False when memory is out. */
bool price_conditions_read(struct price_parse *parse, size_t index, const struct condition **ret_conditions, size_t *ret_count);

/* Fills the result from the settled finds. GT_OK; GT_ENOMEM. */
enum gt_err price_emit(struct price_parse *parse, struct price_reading *ret);

#endif
