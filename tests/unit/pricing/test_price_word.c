/* The vocabulary's order, the search in it, folding, and the reason codes. */
#include "common/utf8.h"
#include "pricing/price_fold.h"
#include "pricing/price_number.h"
#include "pricing/price_word.h"
#include "pricing/refusal.h"
#include "tests/unit/table.h"

/* ---- order ---- */

struct order {
    const char *name;
    int (*is_wrong)(const struct price_word *before, const struct price_word *word);
};

static int is_unsorted(const struct price_word *before, const struct price_word *word)
{
    return strcmp(before->text, word->text) >= 0;
}

static int is_not_lower(const struct price_word *before, const struct price_word *word)
{
    (void)before;
    for (const char *c = word->text; *c != '\0'; c++)
        if ((*c >= 'A' && *c <= 'Z') || *c == '_') return 1;
    return word->len == 0 || word->kind >= PK_COUNT;
}

/* Looks a text up at its beginning, with room behind it as the reader has. */
static const struct price_word *find(const char *text)
{
    char bytes[2 * PRICE_WORD_MAX + PRICE_TEXT_AHEAD] = "";
    snprintf(bytes, sizeof bytes - PRICE_TEXT_AHEAD, "%s", text);
    return price_word_find(gt_str_from(bytes), 0);
}

/* Every word finds itself and nothing else: the index of groups is whole. */
static int is_not_found(const struct price_word *before, const struct price_word *word)
{
    (void)before;
    return find(word->text) != word;
}

/* Nor does a word go missing where the text goes on behind it, with a hyphen for its blanks. */
static int is_lost_in_text(const struct price_word *before, const struct price_word *word)
{
    char text[2 * PRICE_WORD_MAX];
    (void)before;
    snprintf(text, sizeof text, "%s | 12", word->text);
    for (size_t i = 1; i < word->len; i++)
        if (text[i] == ' ') text[i] = '-';
    return find(text) != word;
}

/* The reader of tokens looks for a numeral only where no word stands; 百万 scales what is before it. */
static int is_numeral(const struct price_word *before, const struct price_word *word)
{
    (void)before;
    return word->len == 3 && price_numeral_scan(gt_str_from(word->text), 0) > 0;
}

static const struct order orders[] = {
    {"price_word.def is sorted by bytes, without doubles", is_unsorted},
    {"words are in lower case and have a kind", is_not_lower},
    {"no word of one character is a numeral", is_numeral},
    {"each word finds itself", is_not_found},
    {"each word is found in a text that goes on", is_lost_in_text},
};

static void check_order(void **state)
{
    const struct order *row = *state;
    size_t count;
    const struct price_word *words = price_words(&count);
    for (size_t i = 1; i < count; i++) {
        if (row->is_wrong(&words[i - 1], &words[i])) print_error("\"%s\" after \"%s\"\n", words[i].text, words[i - 1].text);
        assert_false(row->is_wrong(&words[i - 1], &words[i]));
    }
}

/* ---- search ---- */

struct search {
    const char *name;
    const char *text;
    const char *word; /* NULL: none at the text's beginning */
};

static const struct search searches[] = {
    {"a word", "hour", "hour"},
    {"the longest of several", "on demand price", "on demand"},
    {"a hyphen for a blank", "on-demand", "on demand"},
    {"a word that goes on", "hourglass", NULL},
    {"a letter before a digit", "h100", NULL},
    {"a letter alone", "h", "h"},
    {"a Chinese word inside a longer text", "折后 ¥1.57", "折后"},
    {"the shorter one where the longer stops", "折 ¥1.57", "折"},
    {"a platform is no machine", "平台价", "平台"},
    {"a sign", "¥1", "¥"},
    {"a sign behind letters", "us$12", "us$"},
    {"nothing known", "qwerty", NULL},
    {"half a character", "\xE6\x9C", NULL},
    {"bytes that share a group's number", "\xF6\x9C\x88", NULL},
    {"a letter before a byte that is none", "h\xEF", "h"},
    {"a long word cut short by the text's end", "available immediatel", "available"},
};

static void check_search(void **state)
{
    const struct search *row = *state;
    const struct price_word *word = find(row->text);
    if (row->word == NULL) {
        assert_null(word);
        return;
    }
    assert_non_null(word);
    assert_string_equal(word->text, row->word);
}

/* ---- folding ---- */

struct folded {
    const char *name;
    const char *text;
};

static const struct folded foldings[] = {
    {"ASCII", "RTX 4090 $0.34/hr\tspot"},
    {"ideographs", "昇腾 910B 八卡服务器单台月租报价 4.8 万元"},
    {"full-width forms", "（１２，８００）：￥１．５／时～％！？ＡＺａｚ"},
    {"signs", "¥1.96 × 8 ≈ €15–16 — 卡·时、月。【】"},
    {"blanks", "1\xC2\xA0"
               "649\xE3\x80\x80"
               "元\xE2\x80\xAF"
               "起"},
    {"the last ideographs", "一龥"},
};

/* The short way and the general one must agree, byte for byte and origin for origin (case apart). */
static void check_folding(void **state)
{
    const struct folded *row = *state;
    static struct price_lexed lexed;
    struct utf8_folded folded;
    struct arena *arena = arena_new(1 << 20);
    assert_int_equal(price_fold(gt_str_from(row->text), arena, &lexed), GT_OK);
    assert_ptr_equal(lexed.text.ptr, lexed.inline_text);
    assert_int_equal(utf8_fold(gt_str_from(row->text), arena, &folded), GT_OK);
    assert_true(gt_str_eq_nocase(lexed.text, folded.text));
    assert_memory_equal(lexed.origin, folded.origin, (folded.text.len + 1) * sizeof *folded.origin);
    arena_free(arena);
}

/* ---- reasons ---- */

struct reason {
    const char *name;
    enum refusal_reason reason;
    const char *code, *sentence;
};

static const struct reason reasons[] = {
    {"a reason's code and sentence", REFUSAL_PURCHASE, "purchase", "the price of buying hardware"},
    {"the last reason", REFUSAL_NO_LABEL, "no-label", "the row has no label"},
    {"a number outside is none", REFUSAL_REASONS, "none", "no number at all"},
};

static void check_reason(void **state)
{
    const struct reason *row = *state;
    assert_str(refusal_code(row->reason), row->code);
    assert_str(refusal_sentence(gt_str_from(row->code)), row->sentence);
    assert_str(refusal_sentence(GT_STR("quaint")), "quaint");
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(orders, check_order) + TABLE_RUN(searches, check_search) + TABLE_RUN(foldings, check_folding) +
           TABLE_RUN(reasons, check_reason);
}
