#include "pricing/price_token.h"

#include "pricing/price_date.h"
#include "pricing/price_fold.h"
#include "pricing/price_number.h"
#include "pricing/words.h"

/* ASCII only, after folding. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Small letters only: folding lowered the others. */
static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* What a name is made of. */
static bool is_alnum(char c)
{
    return is_digit(c) || is_letter(c);
}

/* The token made last; tokens[-1] when there is none. */
static struct price_token *last_token(struct price_lexed *lexed)
{
    return &lexed->tokens[lexed->count] - 1;
}

/* The text holds a token of this kind. */
static void note_kind(struct price_lexed *lexed, int kind)
{
    lexed->kinds[kind / 64] |= UINT64_C(1) << kind % 64;
}

/* Adds a token. There is room for one a byte. */
static inline struct price_token *push(struct price_lexed *lexed, size_t at, size_t len, int kind, int value)
{
    struct price_token *token = &lexed->tokens[lexed->count++];
    bool is_spaced = at == 0 || lexed->text.ptr[at - 1] == ' ';
    *token = (struct price_token){.at = (uint32_t)at,
                                  .len = (uint32_t)len,
                                  .kind = (uint8_t)kind,
                                  .value = (uint8_t)value,
                                  .flags = is_spaced ? PRICE_TOKEN_SPACED : 0};
    note_kind(lexed, kind);
    return token;
}

/* Adds a word of the vocabulary; returns the byte behind it. */
static inline size_t push_word(struct price_lexed *lexed, size_t at, const struct price_word *word)
{
    push(lexed, at, word->len, word->kind, word->value)->arg = word->arg;
    return at + word->len;
}

/* ---- names: letters and digits in one ---- */

/* Digits at `at` that money words follow are an amount behind a dash, not the rest of a name:
 * 910B-15000/月, H100-2.5元. */
static bool is_amount_behind_dash(const struct price_lexed *lexed, size_t at)
{
    size_t end = at;
    while (is_digit(price_lexed_byte(lexed, end)) || price_lexed_byte(lexed, end) == '.' || price_lexed_byte(lexed, end) == ',')
        end++;
    char next = price_lexed_byte(lexed, end);
    return end > at && (next == '/' || (unsigned char)next >= 0x80);
}

/* Where the name that covers `at` ends: further runs joined by - and . belong to it
 * (jiajia-mxc500-0003), unless the next run is a unit of its own (H100-hour) or an amount. */
static size_t ident_end(const struct price_lexed *lexed, size_t at)
{
    while (is_alnum(price_lexed_byte(lexed, at))) at++;
    for (;;) {
        char joint = price_lexed_byte(lexed, at);
        if ((joint != '-' && joint != '.') || !is_alnum(price_lexed_byte(lexed, at + 1))) return at;
        if (joint == '-' && is_amount_behind_dash(lexed, at + 1)) return at;
        const struct price_word *word = price_word_find(lexed->text, at + 1);
        if (word != NULL && (word->kind == PK_PERIOD || word->kind == PK_CARD || word->kind == PK_NODE)) return at;
        at++;
        while (is_alnum(price_lexed_byte(lexed, at))) at++;
    }
}

/* Adds the name that begins at `from` and is known to reach `at`; returns the byte behind it. */
static size_t push_ident(struct price_lexed *lexed, size_t from, size_t at)
{
    size_t end = ident_end(lexed, at);
    push(lexed, from, end - from, PK_IDENT, 0);
    return end;
}

/* A digit behind a hyphen that is glued to letters or digits of a name goes on with the name:
 * RTX-4090, mxc500-0003. */
static bool goes_on(struct price_lexed *lexed, size_t at)
{
    if (at < 2) return false;
    char joint = lexed->text.ptr[at - 1], before = lexed->text.ptr[at - 2];
    if (joint == '.') return is_alnum(before) && last_token(lexed)->kind == PK_IDENT;
    if (joint != '-') return false;
    const struct price_token *name = last_token(lexed)->kind == PK_RANGE ? last_token(lexed) - 1 : last_token(lexed);
    if (name->kind == PK_SCALE && (name - 1)->kind == PK_NUMBER) return false; /* 1.3w-1.6w */
    if (name->kind == PK_IDENT) return !is_amount_behind_dash(lexed, at);
    return is_letter(before) && name->kind != PK_ROLE && name->kind != PK_RATE && name->kind != PK_BOUND;
}

/* ---- numbers ---- */

/* 22:00 is a time of day, 1:1 a ratio: the bytes of what the colon at `at` joins, 0 when it joins nothing. */
static size_t minutes_len(const struct price_lexed *lexed, size_t at)
{
    size_t len = 1;
    while (is_digit(price_lexed_byte(lexed, at + len))) len++;
    return len == 2 || len == 3 ? len : 0;
}

/* What stands behind the number's first digits lets a date begin with them: 年 or 月, perhaps behind a blank; a sign between two numbers and once
 * more behind the second; an English month. Mostly it does not, and the date is not looked for. */
static bool may_be_date(const struct price_lexed *lexed, size_t end)
{
    char behind = price_lexed_byte(lexed, end);
    size_t next = end;
    while (price_lexed_byte(lexed, next) == ' ') next++;
    const char *word = lexed->text.ptr + next;
    if (memcmp(word, "年", 3) == 0 || memcmp(word, "月", 3) == 0) return true;
    if (behind == ' ') return is_letter(*word);
    if (behind != '-' && behind != '/' && behind != '.') return false;
    next = end + 1;
    while (is_digit(price_lexed_byte(lexed, next))) next++;
    return next > end + 1 && price_lexed_byte(lexed, next) == behind;
}

/* Adds a date or a time of day that begins with the digits at `at`, and returns the byte behind it; `at` when there is none. */
static size_t lex_moment(struct price_lexed *lexed, size_t at)
{
    struct price_date date = {.len = 0};
    size_t end = at, minutes;
    while (is_digit(price_lexed_byte(lexed, end))) end++;
    size_t digits = end - at;
    char behind = price_lexed_byte(lexed, end);
    if (digits == 0 || digits > 4) return at;
    size_t always = last_token(lexed)->kind != PK_CURRENCY ? price_always_scan(lexed->text, at) : 0;
    if (always > 0) {
        push(lexed, at, always, PK_OTHER, 0);
        return at + always;
    }
    if (behind == ':' && digits <= 2 && (minutes = minutes_len(lexed, end)) > 0) {
        push(lexed, at, digits + minutes, PK_OTHER, 0);
        return end + minutes;
    }
    if (!may_be_date(lexed, end)) return at;
    bool is_read = price_date_scan(lexed->text, at, &date) || (behind == ' ' && price_date_scan_english(lexed->text, at, &date));
    if (is_read) push(lexed, at, date.len, PK_DATE, 0);
    return at + date.len;
}

/* A minus sign: glued to the number (or its currency sign), with a blank or the text's beginning
 * before it. */
static void mark_minus(struct price_lexed *lexed, struct price_token *number)
{
    const struct price_token *dash = number - 1;
    if (dash->kind == PK_CURRENCY && !price_is_spaced(number)) dash--;
    const struct price_token *glued = dash + 1;
    bool is_dash = dash->kind == PK_RANGE && dash->arg == PRICE_RANGE_DASH && !price_is_spaced(glued);
    if (is_dash && (price_is_spaced(dash) || (dash - 1)->kind == PK_CURRENCY || price_is_punct(dash - 1, '(') ||
                    price_is_punct(dash - 1, ':')))
        number->flags |= PRICE_TOKEN_MINUS;
    (void)lexed;
}

/* Digits are, in this order: the rest of a name, a date, a time, a number, the beginning of a name. */
static size_t lex_digits(struct price_lexed *lexed, size_t at)
{
    if (goes_on(lexed, at)) return push_ident(lexed, at, at);
    size_t moment = lex_moment(lexed, at);
    if (moment > at) return moment;
    bool has_currency = last_token(lexed)->kind == PK_CURRENCY;
    struct price_token *number = push(lexed, at, 0, PK_NUMBER, 0);
    bool is_number = price_number_scan(lexed, at, has_currency, number);
    bool is_glued = is_number && is_letter(price_lexed_byte(lexed, at + number->len));
    if (!is_number || (is_glued && !price_stands_alone(lexed, number, at + number->len))) {
        lexed->count--;
        return push_ident(lexed, at, at);
    }
    mark_minus(lexed, number);
    lexed->forms |= 1U << number->value;
    size_t end = at + number->len;
    if (!is_glued || !price_is_times(lexed, number, end)) return end;
    push(lexed, end, 1, PK_MUL, 0);
    return end + 1;
}

/* ---- words ---- */

/* VIP3: a member of the third level. */
static size_t push_level(struct price_lexed *lexed, size_t at, size_t digits)
{
    while (is_digit(price_lexed_byte(lexed, digits))) digits++;
    push(lexed, at, digits - at, PK_COND, COND_MEMBER)->arg = PRICE_ALSO_LEVEL;
    return digits;
}

/* 12月付 is December's or a term of twelve, "20 小时成本" the cost of twenty hours, "3 年价格" that of three years: a short number
 * before a period keeps it from becoming a rate. "4090 月租" has a name before it. */
static bool is_counted(const struct price_token *period, const struct price_token *tail)
{
    const struct price_token *number = period - 1;
    bool is_cost = tail->arg == PRICE_STYLE_MEAN && tail->value == PK_PRICE;
    bool is_price = tail->arg == PRICE_STYLE_RENT && (tail->value == PK_PRICE || tail->value == PK_OTHER);
    return number->kind == PK_NUMBER && (is_cost || (number->arg <= 2 && (is_price || !price_is_spaced(period))));
}

/* "8卡月租": the count and its cards, then a rate, where 卡月 alone would be card-months. */
static bool split_card_time(struct price_lexed *lexed)
{
    struct price_token *token = last_token(lexed), *before = token - 1;
    if (token->kind != PK_TAIL || before->kind != PK_CARD_TIME || before[-1].kind != PK_NUMBER || before->len != 6) return false;
    token->len += 3;
    token->at -= 3;
    token->kind = PK_RATE;
    token->value = before->value;
    before->kind = PK_CARD;
    before->value = 0;
    before->len = 3;
    note_kind(lexed, PK_RATE);
    note_kind(lexed, PK_CARD);
    return true;
}

/* The token made last is a period or a TAIL: a period with 每 or 按 before it, or 租 or 付 behind, becomes one token: 每月, 月租, 按月租赁, 平均每月. */
static void merge_rate(struct price_lexed *lexed)
{
    struct price_token *token = last_token(lexed), *before = token - 1;
    if (price_is_spaced(token) || is_letter(lexed->text.ptr[token->at]) || split_card_time(lexed)) return;
    if (token->kind == PK_PERIOD && before->kind == PK_HEAD) {
        before->kind = PK_RATE;
        before->value = token->value;
    } else if (token->kind == PK_TAIL && before->kind == PK_PERIOD && before->arg == 0 && !is_counted(before, token)) {
        before->kind = PK_RATE;
        before->arg = token->arg;
    } else if (token->kind == PK_TAIL && before->kind == PK_RATE && token->value != PK_BILLING) {
        if (token->value == PK_MEAN) before->arg = token->arg; /* 月租均价, not 月租成本 */
    } else {
        return;
    }
    note_kind(lexed, PK_RATE);
    before->len = token->at + token->len - before->at;
    lexed->count--;
}

/* A HEAD or TAIL that found no period is an ordinary word. */
static void settle_words(struct price_lexed *lexed)
{
    if (!price_lexed_has(lexed, PK_HEAD) && !price_lexed_has(lexed, PK_TAIL)) return;
    for (size_t i = 0; i < lexed->count; i++) {
        struct price_token *token = &lexed->tokens[i];
        if (token->kind != PK_HEAD && token->kind != PK_TAIL) continue;
        token->kind = token->value;
        token->value = 0;
        token->arg = 0;
        note_kind(lexed, token->kind);
    }
}

/* Adds a word of the vocabulary, or joins it to the one before; returns the byte behind it. */
static inline size_t push_known(struct price_lexed *lexed, size_t at, const struct price_word *word)
{
    push_word(lexed, at, word);
    if (word->kind == PK_PERIOD || word->kind == PK_TAIL) merge_rate(lexed);
    return at + word->len;
}

/* Case is lost in the folded text; the original has it. */
static bool is_capital(const struct price_lexed *lexed, size_t at)
{
    char c = lexed->original.ptr[lexed->origin[at]];
    return c >= 'A' && c <= 'Z';
}

/* Programs write keys as pricePerHour: between quotes each capital behind a small letter begins a
 * word. Returns the first part's end. */
static size_t part_end(const struct price_lexed *lexed, size_t at, size_t end)
{
    size_t from = at;
    while (from > 0 && is_letter(lexed->text.ptr[from - 1])) from--;
    if (from == 0 || lexed->text.ptr[from - 1] != '"') return end;
    for (size_t i = at + 1; i < end; i++)
        if (is_capital(lexed, i) && !is_capital(lexed, i - 1)) return i;
    return end;
}

/* Letters are a name when digits follow, else a word of the vocabulary, a date or an unknown word. */
static size_t lex_letters(struct price_lexed *lexed, size_t at)
{
    struct price_date date;
    size_t end = at;
    while (is_letter(price_lexed_byte(lexed, end))) end++;
    if (is_digit(price_lexed_byte(lexed, end))) {
        /* RMB500 is a currency and a number, x8 a multiplier; H100 is a name. */
        if (lexed->text.ptr[at] == 'x' && end == at + 1 && last_token(lexed)->kind != PK_BRAND) {
            push(lexed, at, 1, PK_MUL, 0);
            return end;
        }
        struct gt_str code = gt_str_slice(lexed->text, at, end - at);
        const struct price_word *whole = price_word_find(lexed->text, at);
        if (whole != NULL && whole->len > code.len && is_digit(whole->text[code.len]))
            return push_word(lexed, at, whole); /* ipv4 */
        const struct price_word *word = price_word_find(code, 0);
        if (word == NULL || word->len != code.len) return push_ident(lexed, at, end);
        if (word->kind == PK_COND && word->value == COND_MEMBER) return push_level(lexed, at, end);
        if (word->kind != PK_CURRENCY) return push_ident(lexed, at, end);
        return push_word(lexed, at, word);
    }
    size_t part = part_end(lexed, at, end);
    const struct price_word *word = price_word_find((struct gt_str){lexed->text.ptr, part < end ? part : lexed->text.len}, at);
    if (word != NULL) return push_known(lexed, at, word);
    if (price_date_scan_english(lexed->text, at, &date)) {
        push(lexed, at, date.len, PK_DATE, 0);
        return at + date.len;
    }
    end = part;
    push(lexed, at, end - at, PK_OTHER, 0);
    return end;
}

/* ---- Chinese and everything else outside ASCII ---- */

/* What may stand behind a Chinese numeral, so that it is one: 八卡, 五年, 八折, 三万元. */
static bool takes_numeral(const struct price_word *word)
{
    switch (word->kind) {
    case PK_PERIOD:
    case PK_CARD:
    case PK_NODE:
    case PK_ZHE:
    case PK_CARD_TIME:
    case PK_TASK:
    case PK_CENTS: return true;
    case PK_CURRENCY: return word->arg == PRICE_SIDE_AFTER;
    default: return false;
    }
}

/* 一块九一小时: the numeral at `at` stands behind a spoken yuan and before a unit, and is its tenths. */
static bool is_spoken_tenths(struct price_lexed *lexed, size_t at)
{
    const struct price_token *yuan = last_token(lexed);
    bool is_yuan = yuan->kind == PK_CARD && yuan[-1].kind == PK_NUMBER && yuan->at + yuan->len == at &&
                   memcmp(lexed->text.ptr + yuan->at, "块", 3) == 0;
    const char *behind = lexed->text.ptr + at + 3;
    return is_yuan && (memcmp(behind, "每", 3) == 0 || memcmp(behind, "一", 3) == 0);
}

/* A Chinese numeral is one only before something that can be counted. */
static size_t lex_numeral(struct price_lexed *lexed, size_t at)
{
    size_t len = price_numeral_scan(lexed->text, at);
    if (len == 0) return 0;
    bool is_tenths = is_spoken_tenths(lexed, at);
    if (is_tenths) len = 3;
    const struct price_word *word = price_word_find(lexed->text, at + len);
    bool is_scaled = len > 3 && memcmp(lexed->text.ptr + at + len - 3, "万", 3) == 0 && price_lexed_byte(lexed, at + len) == '/';
    if (!is_scaled && !is_tenths && (word == NULL || !takes_numeral(word))) return 0;
    struct price_token *number = push(lexed, at, len, PK_NUMBER, PRICE_FORM_INTEGER);
    number->flags |= PRICE_TOKEN_NUMERAL;
    number->whole = -1;
    number->arg = (uint8_t)(len / 3);
    return at + len;
}

/* Signs of punctuation outside ASCII that the grammar knows, after folding. */
static const struct {
    const char *bytes;
    uint8_t kind, value;
} han_signs[] = {
    {"。", PK_BREAK, 0},
    {"、", PK_BREAK, 0},
    {"•", PK_BREAK, 0},
    {"·", PK_PUNCT, PRICE_PUNCT_DOT},
    {"・", PK_PUNCT, PRICE_PUNCT_DOT},
    {"⋅", PK_PUNCT, PRICE_PUNCT_DOT},
    {"‧", PK_PUNCT, PRICE_PUNCT_DOT},
    {"【", PK_PUNCT, '('},
    {"】", PK_PUNCT, ')'},
    {"「", PK_PUNCT, '('},
    {"」", PK_PUNCT, ')'},
    {"〔", PK_PUNCT, '('},
    {"〕", PK_PUNCT, ')'},
    {"“", PK_PUNCT, '"'},
    {"”", PK_PUNCT, '"'},
    {"｜", PK_BREAK, 0},
    {"│", PK_BREAK, 0},
};

/* One of han_signs at `at`; the byte behind it, or 0. */
static size_t lex_sign(struct price_lexed *lexed, size_t at)
{
    unsigned char first = (unsigned char)lexed->text.ptr[at];
    if (first >= 0xE4 && first < 0xEF) return 0; /* ideographs */
    for (size_t i = 0; i < sizeof han_signs / sizeof han_signs[0]; i++) {
        size_t len = strlen(han_signs[i].bytes);
        if (at + len > lexed->text.len || memcmp(lexed->text.ptr + at, han_signs[i].bytes, len) != 0) continue;
        push(lexed, at, len, han_signs[i].kind, han_signs[i].value);
        return at + len;
    }
    return 0;
}

/* Bytes of the character at `at`, also of a broken one. */
static size_t char_len(const struct price_lexed *lexed, size_t at)
{
    size_t len = 1;
    while (((unsigned char)price_lexed_byte(lexed, at + len) & 0xC0) == 0x80) len++;
    return len;
}

/* Characters outside ASCII. Unknown ones beside each other become one token. */
static size_t lex_wide(struct price_lexed *lexed, size_t at)
{
    const struct price_word *word = price_word_find(lexed->text, at);
    if (word != NULL) return push_known(lexed, at, word);
    /* No numeral is a word alone; a longer word may hold one: 一次性, 双11. */
    size_t next = lex_numeral(lexed, at);
    if (next == 0) next = lex_sign(lexed, at);
    if (next > 0) return next;
    size_t len = char_len(lexed, at);
    struct price_token *before = last_token(lexed);
    bool goes_with =
        before->kind == PK_OTHER && before->at + before->len == at && (unsigned char)lexed->text.ptr[before->at] >= 0x80;
    if (goes_with) before->len += (uint32_t)len;
    else push(lexed, at, len, PK_OTHER, 0);
    return at + len;
}

/* ---- ASCII punctuation ---- */

/* A comma ends a clause, a full stop does before a blank ("$2.50/hr. Sign up"). */
static size_t lex_punct(struct price_lexed *lexed, size_t at)
{
    const struct price_word *word = price_word_find(lexed->text, at);
    if (word != NULL) return push_known(lexed, at, word);
    char c = lexed->text.ptr[at];
    bool is_stop = c == '.' && (at + 1 == lexed->text.len || price_lexed_byte(lexed, at + 1) == ' ');
    bool is_break = c == ',' || c == ';' || c == '|' || c == '!' || c == '?' || is_stop;
    if (c == PRICE_ODD_DIGIT) push(lexed, at, 1, PK_PUNCT, PRICE_PUNCT_ODD);
    else
        push(lexed, at, 1, is_break ? PK_BREAK : PK_PUNCT,
             is_break               ? 0
             : c == '[' || c == '{' ? '('
             : c == ']' || c == '}' ? ')'
                                    : c);
    return at + 1;
}

/* ---- the whole text ---- */

/* One token, or more, from byte `at`; returns the byte behind. */
static size_t lex_one(struct price_lexed *lexed, size_t at)
{
    char c = lexed->text.ptr[at];
    if (is_digit(c)) return lex_digits(lexed, at);
    if (is_letter(c)) return lex_letters(lexed, at);
    if ((unsigned char)c >= 0x80) return lex_wide(lexed, at);
    bool is_point_number =
        c == '.' && is_digit(price_lexed_byte(lexed, at + 1)) && (at == 0 || !is_alnum(lexed->text.ptr[at - 1]));
    return is_point_number ? lex_digits(lexed, at) : lex_punct(lexed, at);
}

enum gt_err price_lex(struct gt_str text, struct arena *arena, struct price_lexed *ret)
{
    ret->count = 0;
    ret->has_no_names = false;
    ret->kinds[0] = ret->kinds[1] = ret->forms = 0;
    enum gt_err err = price_fold(text, arena, ret);
    if (err != GT_OK) return err;
    struct price_token *tokens = ret->inline_tokens;
    /* A token for each byte at worst. */
    size_t need = ret->text.len + 2 * PRICE_TOKENS_AROUND;
    if (need > PRICE_TOKENS_INLINE) tokens = arena_array(arena, need, sizeof *tokens);
    if (tokens == NULL) return GT_ENOMEM;
    memset(tokens, '\0', PRICE_TOKENS_AROUND * sizeof *tokens); /* PK_END */
    ret->tokens = tokens + PRICE_TOKENS_AROUND;
    for (size_t at = 0; at < ret->text.len;) {
        if (ret->text.ptr[at] == ' ') at++;
        else at = lex_one(ret, at);
    }
    settle_words(ret);
    for (size_t i = 0; i < PRICE_TOKENS_AROUND; i++)
        ret->tokens[ret->count + i] = (struct price_token){.kind = PK_END, .at = (uint32_t)ret->text.len, .flags = PRICE_TOKEN_SPACED};
    return GT_OK;
}
