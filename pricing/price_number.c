#include "pricing/price_number.h"

enum { WHOLE_DIGITS_MAX = 9 /* of price_token.whole */ };

/* Plain digits only: others were marked by folding. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The groups of digits of one number and the signs between them. */
struct groups {
    size_t len[PRICE_NUMBER_GROUPS_MAX];
    char sign[PRICE_NUMBER_GROUPS_MAX]; /* sign[i] stands before group i; sign[0] is 0, or '.' for ".76" */
    size_t count;
    size_t end;          /* byte behind the number */
    bool is_odd;         /* too many groups */
    bool has_list_comma; /* a full-width comma between plain digits */
    bool has_plain_blank;
};

/* The byte of the original text that byte `at` came from. */
static unsigned char origin_byte(const struct price_lexed *lexed, size_t at)
{
    size_t from = lexed->origin[at];
    return from < lexed->original.len ? (unsigned char)lexed->original.ptr[from] : 0;
}

/* U+2019 as it stands in the text: many pages write 1’299. */
static size_t apostrophe_len(const char *text)
{
    if (*text == '\'') return 1;
    return memcmp(text, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

/* How many digits stand at the beginning of the text. */
static size_t digit_run(const char *text)
{
    size_t len = 0;
    while (is_digit(text[len])) len++;
    return len;
}

/* A group of thousands: three digits and neither a fourth nor a letter ("1 100gb"). */
static bool is_exactly_three(const char *text)
{
    return digit_run(text) == 3 && !(text[3] >= 'a' && text[3] <= 'z');
}

/* The comma at `at` is a full-width one: between plain digits that is as likely the comma of a list as one of thousands. */
static bool is_list_comma(const struct price_lexed *lexed, size_t at)
{
    return origin_byte(lexed, at) == 0xEF && origin_byte(lexed, at - 1) != 0xEF;
}

/* The sign that stands at `at` and joins a further group of digits to the number: its bytes, or 0
 * when the number ends here. A blank joins only groups of three: a no-break or thin one always, a
 * plain one where a currency sign stood before the number. */
static size_t joint_len(const struct price_lexed *lexed, size_t at, bool may_blank, char *ret_sign)
{
    const char *text = lexed->text.ptr + at;
    *ret_sign = *text;
    switch (*text) {
    case ',': /* "850，8卡": the comma of a list; "12，800" may be either. */
        if (is_list_comma(lexed, at) && !is_exactly_three(text + 1)) return 0;
        return is_digit(text[1]);
    case '.': return is_digit(text[1]);
    case '\'':
    case '\xE2': {
        size_t quote = apostrophe_len(text);
        *ret_sign = '\'';
        return quote > 0 && is_exactly_three(text + quote) ? quote : 0;
    }
    case ' ': {
        if (!is_exactly_three(text + 1)) return 0;
        unsigned char from = origin_byte(lexed, at);
        bool is_tied = from == 0xC2 || from == 0xE2;
        if (is_tied) *ret_sign = '\'';
        return is_tied || (may_blank && from == ' ');
    }
    default: return 0;
    }
}

/* All groups of the number at `at`, into *ret. */
static void groups_read(const struct price_lexed *lexed, size_t at, bool may_blank, struct groups *ret)
{
    bool is_point = lexed->text.ptr[at] == '.';
    at += is_point;
    ret->is_odd = ret->has_list_comma = ret->has_plain_blank = false;
    ret->sign[0] = is_point ? '.' : '\0';
    ret->len[0] = digit_run(lexed->text.ptr + at);
    ret->count = 1;
    at += ret->len[0];
    for (;;) {
        char sign;
        size_t joint = joint_len(lexed, at, may_blank && ret->len[0] <= 3, &sign);
        if (joint == 0) break;
        size_t digits = digit_run(lexed->text.ptr + at + joint);
        if (ret->count == PRICE_NUMBER_GROUPS_MAX) {
            ret->is_odd = true;
        } else {
            ret->sign[ret->count] = sign;
            ret->len[ret->count] = digits;
            ret->count++;
        }
        ret->has_list_comma |= sign == ',' && is_list_comma(lexed, at);
        ret->has_plain_blank |= sign == ' ';
        at += joint + digits;
    }
    ret->end = at;
}

/* True when groups 0 to `last` are thousands parted by one sign: 1 to 3 digits, then threes. Indian
 * grouping (1,80,000) has twos in between, which nothing else has. */
static bool is_grouped(const struct groups *g, size_t last)
{
    if (g->sign[0] != 0 || g->len[0] == 0 || g->len[0] > 3 || g->len[last] != 3) return false;
    bool is_threes = true, is_twos = g->len[0] <= 2 && last >= 2 && g->sign[1] == ',';
    for (size_t i = 1; i <= last; i++) {
        if (g->sign[i] != g->sign[1]) return false;
        if (i < last) {
            is_threes &= g->len[i] == 3;
            is_twos &= g->len[i] == 2;
        }
    }
    return is_threes || is_twos;
}

/* A sign that parts decimals for certain. */
static enum price_form decimal_form(char sign)
{
    return sign == '.' ? PRICE_FORM_POINT : sign == ',' ? PRICE_FORM_COMMA : PRICE_FORM_BAD;
}

/* One sign only: a decimal sign unless exactly three digits follow one to three others. */
static enum price_form form_of_pair(const struct groups *g, bool is_zero)
{
    char sign = g->sign[1];
    if (sign == '\'' || sign == ' ') return is_grouped(g, 1) && !is_zero ? PRICE_FORM_INTEGER : PRICE_FORM_BAD;
    if (g->len[1] != 3 || g->len[0] > 3 || is_zero) return decimal_form(sign);
    return sign == '.' ? PRICE_FORM_POINT3 : PRICE_FORM_COMMA3;
}

/* Every combination of groups and signs has one form; what fits none is BAD. */
static enum price_form form_of(const struct groups *g, bool is_zero)
{
    /* "12，800" may be a list; with decimals behind ("12，800.00") it is one number. */
    bool is_list = g->has_list_comma && (g->count < 3 || g->sign[g->count - 1] != '.');
    if (g->is_odd || is_list) return PRICE_FORM_BAD;
    if (g->sign[0] == '.') return g->count == 1 ? PRICE_FORM_POINT : PRICE_FORM_BAD;
    if (g->count == 1) return PRICE_FORM_INTEGER;
    if (g->count == 2) return form_of_pair(g, is_zero);
    size_t last = g->count - 1;
    if (is_zero) return PRICE_FORM_BAD;
    if (is_grouped(g, last))
        return g->sign[1] == ',' ? PRICE_FORM_GROUP_COMMA : g->sign[1] == '.' ? PRICE_FORM_GROUP_POINT : PRICE_FORM_INTEGER;
    if (is_grouped(g, last - 1) && g->sign[last] != g->sign[1]) return decimal_form(g->sign[last]);
    return PRICE_FORM_BAD;
}

/* A currency of a country that writes decimal commas stands at `at`, past a blank. */
static bool is_comma_currency(struct gt_str text, size_t at)
{
    if (text.ptr[at] == ' ') at++;
    const struct price_word *word = price_word_find(text, at);
    return word != NULL && word->kind == PK_CURRENCY && price_currency_has_comma(price_currency_code(word->value));
}

/* "ab 1 234,56 €": where decimals have commas, plain blanks part thousands. Only at the text's beginning or behind words that count
 * nothing: in "H100 2 500 €" the 2 may be a count. */
static bool has_blank_groups(const struct price_lexed *lexed, const struct groups *g, const struct price_token *before)
{
    if (!g->has_plain_blank || g->is_odd || !is_comma_currency(lexed->text, g->end)) return false;
    switch (before->kind) {
    case PK_END:
    case PK_BOUND:
    case PK_FILL:
    case PK_ROLE:
    case PK_PRICE:
    case PK_BREAK:
    case PK_RATE: return true;
    default: return price_is_punct(before, ':') || price_is_punct(before, '(');
    }
}

/* What the digits at the beginning of the text are worth; at most WHOLE_DIGITS_MAX of them. */
static int32_t digits_whole(const char *text)
{
    int32_t whole = 0;
    for (; is_digit(*text); text++) whole = whole * 10 + (*text - '0');
    return whole;
}

bool price_number_scan(const struct price_lexed *lexed, size_t at, bool has_currency, struct price_token *token)
{
    struct gt_str text = lexed->text;
    struct groups g;
    for (bool may_blank = true;; may_blank = false) {
        groups_read(lexed, at, may_blank, &g);
        if (!g.has_plain_blank || has_currency || has_blank_groups(lexed, &g, token - 1)) break;
    }
    bool is_zero = g.sign[0] == 0 && g.len[0] == 1 && text.ptr[at] == '0';
    if (g.len[0] > 1 && text.ptr[at] == '0') return false; /* 007, 0003: a name's digits */
    enum price_form form = form_of(&g, is_zero);
    /* 1.2.3 is a version, 1,2,3 a list. */
    token->len = (uint32_t)(g.end - at);
    token->value = (uint8_t)form;
    token->arg = (uint8_t)(g.len[0] < 255 ? g.len[0] : 255);
    if (g.has_plain_blank) token->flags |= PRICE_TOKEN_GROUPED;
    token->whole = form == PRICE_FORM_INTEGER && g.count == 1 && g.len[0] <= WHOLE_DIGITS_MAX ? digits_whole(text.ptr + at) : -1;
    return true;
}

/* Which sign means decimals: 0 for none. *ret_custom tells that custom, not the text, decided. */
static char decimal_sign_of(enum price_form form, enum decimal_sign decimal, bool has_comma, bool *ret_custom)
{
    switch (form) {
    case PRICE_FORM_POINT: return '.';
    case PRICE_FORM_COMMA: return ',';
    case PRICE_FORM_POINT3:
    case PRICE_FORM_COMMA3:
        if (decimal == DECIMAL_UNKNOWN && has_comma) return 'x';
        *ret_custom = decimal == DECIMAL_UNKNOWN;
        if (decimal == DECIMAL_COMMA) return form == PRICE_FORM_COMMA3 ? ',' : 0;
        return form == PRICE_FORM_POINT3 ? '.' : 0;
    case PRICE_FORM_BAD: return 'x';
    default: return 0;
    }
}

/* A form that the known convention forbids: "1,50" where decimals have points may be 1.50 or a
 * mistyped 1,500. */
static bool is_against(enum price_form form, enum decimal_sign decimal, bool has_comma, struct gt_str digits)
{
    if (form == PRICE_FORM_COMMA)
        return decimal == DECIMAL_POINT || (decimal == DECIMAL_UNKNOWN && !has_comma && digits.ptr[0] != '0');
    if (form == PRICE_FORM_GROUP_POINT) return decimal == DECIMAL_POINT;
    if (form == PRICE_FORM_GROUP_COMMA) return decimal == DECIMAL_COMMA;
    return form == PRICE_FORM_POINT && decimal == DECIMAL_COMMA && digits.ptr[0] != '0' && digits.ptr[0] != '.';
}

/* 10 to the exponent, 0 to 9. */
static int64_t power_of_ten(int exponent)
{
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    return powers[exponent >= 0 && exponent <= 9 ? exponent : 0];
}

/* Adds up the digits; `sign` is the decimal sign, everything else between digits is skipped. False when they are too many. */
static bool digits_value(struct gt_str digits, char sign, struct price_value *ret)
{
    int64_t value = 0;
    int decimals = -1, kept = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        if (!is_digit(c)) {
            if (c == sign) decimals = 0;
            continue;
        }
        if (decimals >= 0 && ++decimals > 9) {
            if (c != '0') ret->status = GT_EPRECISION;
            continue;
        }
        kept = decimals;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value)) return false;
    }
    if (__builtin_mul_overflow(value, power_of_ten(9 - (kept < 0 ? 0 : kept)), &value)) return false;
    ret->nano = value;
    ret->decimals = decimals < 0 ? 0 : decimals;
    return true;
}

/* What one Chinese numeral character is: a digit 0..9, a power of ten as -power, 100 for 半, 50 for
 * the decimal sign 点. -100 when it is none. */
static int numeral_of(struct gt_str text, size_t at)
{
    if (at + 3 > text.len || (unsigned char)text.ptr[at] < 0xE3) return -100;
    const unsigned char *bytes = (const unsigned char *)text.ptr + at;
    switch (bytes[0] << 16 | bytes[1] << 8 | bytes[2]) {
    case 0xE99BB6: /* 零 */
    case 0xE38087: return 0; /* 〇 */
    case 0xE4B880: return 1; /* 一 */
    case 0xE4BA8C: /* 二 */
    case 0xE4B8A4: /* 两 */
    case 0xE58F8C: return 2; /* 双 */
    case 0xE4B889: return 3; /* 三 */
    case 0xE59B9B: return 4; /* 四 */
    case 0xE4BA94: return 5; /* 五 */
    case 0xE585AD: return 6; /* 六 */
    case 0xE4B883: return 7; /* 七 */
    case 0xE585AB: return 8; /* 八 */
    case 0xE4B99D: return 9; /* 九 */
    case 0xE58D81: return -1; /* 十 */
    case 0xE799BE: return -2; /* 百 */
    case 0xE58D83: return -3; /* 千 */
    case 0xE4B887: return -4; /* 万 */
    case 0xE58D8A: return 100; /* 半 */
    case 0xE782B9: return 50; /* 点 */
    default: return -100;
    }
}

size_t price_numeral_scan(struct gt_str text, size_t at)
{
    int first = numeral_of(text, at);
    if (first == -100 || first < -2 || first == 50) return 0; /* 千 and 万 alone scale digits */
    if (first == 100) return 3;
    size_t end = at;
    while (end - at < PRICE_NUMERAL_BYTES_MAX) {
        int next = numeral_of(text, end);
        if (next == -100 || next == 100) break;
        end += 3;
    }
    return end - at;
}

/* 八点五 is 8.5: one digit on each side. */
static struct price_value numeral_decimal(struct gt_str text)
{
    int whole = numeral_of(text, 0), tenths = numeral_of(text, 6);
    if (text.len != 9 || whole < 0 || whole > 9 || tenths < 0 || tenths > 9) return (struct price_value){.status = GT_EAMBIGUOUS};
    return (struct price_value){.status = GT_OK, .nano = whole * NANO + tenths * (NANO / 10), .decimals = 1};
}

/* 三万二千 is 32000, 八五 (no power in it) the digits 85, 半 one half. At most twelve characters: cannot
 * overflow before 万 twice. */
static struct price_value numeral_value(struct gt_str text)
{
    struct price_value ret = {.status = GT_OK};
    int64_t total = 0, section = 0, digit = 0;
    bool has_power = false;
    for (size_t at = 0; at + 3 <= text.len; at += 3) {
        int numeral = numeral_of(text, at);
        if (numeral == 50) return numeral_decimal(text);
        if (numeral == 100) return (struct price_value){.status = GT_OK, .nano = NANO / 2, .decimals = 1};
        if (numeral >= 0) {
            digit = has_power ? numeral : digit * 10 + numeral;
            continue;
        }
        has_power = true;
        if (numeral == -4) {
            total += (section + digit) * 10000;
            section = 0;
        } else {
            section += (digit == 0 ? 1 : digit) * power_of_ten(-numeral);
        }
        digit = 0;
        if (total > 900000) return (struct price_value){.status = GT_EAMBIGUOUS};
    }
    int64_t value = total + section + digit;
    if (value > 99999999) return (struct price_value){.status = GT_EAMBIGUOUS};
    ret.nano = value * NANO;
    return ret;
}

/* Ambiguous is an answer: "1.299" is never guessed at where nothing of page, currency or section tells what the point means. */
struct price_value price_number_value(const struct price_lexed *lexed, size_t at, enum decimal_sign decimal, bool has_comma)
{
    const struct price_token *token = &lexed->tokens[at];
    if (token->whole >= 0) return (struct price_value){.status = GT_OK, .nano = token->whole * NANO};
    struct gt_str digits = price_token_text(lexed, at);
    if (token->flags & PRICE_TOKEN_NUMERAL) return numeral_value(digits);
    bool is_by_custom = false;
    char sign = decimal_sign_of(token->value, decimal, has_comma, &is_by_custom);
    if (sign == 'x' || is_against(token->value, decimal, has_comma, digits)) return (struct price_value){.status = GT_EAMBIGUOUS};
    struct price_value ret = {.status = GT_OK, .is_by_custom = is_by_custom};
    return digits_value(digits, sign, &ret) ? ret : (struct price_value){.status = GT_EOVERFLOW, .is_by_custom = is_by_custom};
}

int32_t price_number_whole(const struct price_lexed *lexed, size_t at, int32_t max)
{
    int32_t whole = lexed->tokens[at].whole;
    if (whole >= 0) return whole <= max ? whole : 0;
    struct price_value value = price_number_value(lexed, at, DECIMAL_POINT, false);
    if (value.status != GT_OK || value.nano % NANO != 0 || value.nano / NANO > max) return 0;
    return (int32_t)(value.nano / NANO);
}
