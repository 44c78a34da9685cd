/* From characters to tokens: the first stage of price_text_read. Internal to pricing/price_*.c. */
#ifndef GT_PRICING_PRICE_TOKEN_H
#define GT_PRICING_PRICE_TOKEN_H

#include "common/arena.h"
#include "pricing/price_word.h"

enum {
    PRICE_TEXT_INLINE = 320,   /* bytes of folded text held without the arena: most cells are shorter */
    PRICE_TOKENS_INLINE = 256, /* tokens held without the arena; a longer text takes an array from it */
    PRICE_TOKENS_AROUND = 4,   /* how far from a token its neighbours may be looked at unasked */
    PRICE_PUNCT_DOT = 1,       /* `value` of a raised dot, the joint of 卡·时 */
    PRICE_PUNCT_ODD = 2,       /* `value` where a raised or circled digit stood: a foot note, never part of an amount */
};

enum price_token_flag {
    PRICE_TOKEN_SPACED = 1,  /* a blank (or the text's beginning) stands before it */
    PRICE_TOKEN_NUMERAL = 2, /* a number written in Chinese numerals */
    PRICE_TOKEN_GROUPED = 4, /* its groups are parted by plain blanks: "1 649" */
    PRICE_TOKEN_MINUS = 8,   /* a minus sign stands before it, not a dash */
};

/* One token: where it lies in the folded text, and what it is. For numbers `value` is an enum
 * price_form and `arg` the count of digits before any decimal sign, at most 255. */
struct price_token {
    uint32_t at, len;
    uint8_t kind, value, arg, flags;
    int32_t whole; /* worth of a number of up to nine plain digits; -1 of others, whose signs must be read first; 0 of words */
};

/* The tokens of one text. PRICE_TOKENS_AROUND of PK_END stand before tokens[0] and from tokens[count] on, so that
 * neighbours can be looked at without a test. */
struct price_lexed {
    struct gt_str original;
    struct gt_str text;     /* folded, ASCII letters in lower case; PRICE_TEXT_AHEAD of NUL stand behind it */
    const uint32_t *origin; /* of each byte in the original text, and of its end */
    struct price_token *tokens;
    size_t count;
    bool has_no_names; /* the text is a cell of a price column and holds nothing but its figure: 4090 is an amount */
    bool has_han; /* holds a character outside ASCII that is a word */
    uint64_t kinds[2]; /* which kinds of tokens were made, a bit each: most texts hold few, and are not walked for the others */
    unsigned forms;    /* likewise which forms its numbers have, enum price_form */
    struct price_token inline_tokens[PRICE_TOKENS_INLINE];
    uint32_t inline_origin[PRICE_TEXT_INLINE + 1];
    char inline_text[PRICE_TEXT_INLINE + PRICE_TEXT_AHEAD];
};

/* Reads `text` (borrowed, at most PRICE_TEXT_MAX bytes) into *ret. What does not fit inline lives
 * in the arena. GT_OK; GT_ENOMEM. */
enum gt_err price_lex(struct gt_str text, struct arena *arena, struct price_lexed *ret);

/* Where the token begins in the original text, in bytes. */
static inline size_t price_lexed_offset(const struct price_lexed *lexed, size_t at)
{
    return lexed->origin[lexed->tokens[at].at];
}

/* The words of the original text from the first token to the last, both included. */
static inline struct gt_str price_lexed_raw(const struct price_lexed *lexed, size_t first, size_t last)
{
    size_t from = price_lexed_offset(lexed, first), to = lexed->origin[lexed->tokens[last].at + lexed->tokens[last].len];
    return (struct gt_str){lexed->original.ptr + from, to - from};
}

/* The byte at `at`, NUL from the end to PRICE_TEXT_AHEAD behind it. */
static inline char price_lexed_byte(const struct price_lexed *lexed, size_t at)
{
    return lexed->text.ptr[at];
}

/* The folded text of one token. */
static inline struct gt_str price_token_text(const struct price_lexed *lexed, size_t at)
{
    return (struct gt_str){lexed->text.ptr + lexed->tokens[at].at, lexed->tokens[at].len};
}

/* False when no token of the text is of this kind; true also where one was that a later word changed. */
static inline bool price_lexed_has(const struct price_lexed *lexed, enum price_kind kind)
{
    return lexed->kinds[kind / 64] >> kind % 64 & 1;
}

/* A word that says nothing of an amount: the vocabulary lacks it, or it is a seller's name, or what a place in a rack is let for. */
static inline bool price_is_foreign(const struct price_token *token)
{
    return token->kind == PK_OTHER || token->kind == PK_SELLER || (token->kind == PK_STORAGE && token->arg == 1);
}

/* True when a blank stands before the token. */
static inline bool price_is_spaced(const struct price_token *token)
{
    return token->flags & PRICE_TOKEN_SPACED;
}

/* The hyphen of GPU-hour: no blank on either side. */
static inline bool price_is_joint_dash(const struct price_token *token)
{
    return token->kind == PK_RANGE && token->arg == PRICE_RANGE_DASH && !price_is_spaced(token) && !price_is_spaced(token + 1);
}

/* "500 GPU-hours", "500 GPU hours": the card at this token is a measure of time. */
static inline bool price_is_card_time(const struct price_token *card)
{
    const struct price_token *period = card + 1 + price_is_joint_dash(card + 1);
    return card->kind == PK_CARD && period->kind == PK_PERIOD;
}

/* True when the token is this ASCII character of punctuation. */
static inline bool price_is_punct(const struct price_token *token, int c)
{
    return token->kind == PK_PUNCT && token->value == c;
}

#endif
