#include "pricing/sku_beside.h"

#include "pricing/offer.h"

/* Marks that may stand between a name and what belongs to it. */
#define TAIL_MARKS "-_/(),:;+|[]"
#define HEAD_MARKS "-_(:|["

enum { COUNT_DIGITS_MAX = 4, BARE_VRAM_DIGITS_MAX = 3, BARE_VRAM_MIN = 16 };

/* The text has '*' for every sign of multiplication; people also write an x. */
static bool is_times(const struct sku_text *text, size_t at)
{
    return at < text->len && (text->s[at] == '*' || text->s[at] == 'x');
}

/* Chinese numbers before 卡. */
static size_t chinese_number(const struct sku_text *text, size_t at, int32_t *ret_number)
{
    static const struct {
        const char *text;
        int32_t number;
    } numbers[] = {{"十六", 16}, {"单", 1}, {"双", 2}, {"两", 2}, {"四", 4}, {"六", 6}, {"八", 8}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sku_text_has(text, at, numbers[i].text)) {
            *ret_number = numbers[i].number;
            return at + strlen(numbers[i].text);
        }
    return 0;
}

/* The end of a word that counts cards, or 0: 8卡, 8张, 8 GPUs, "8X" at a word's end. 卡时 is a card-hour, 卡起 a minimum. */
static size_t count_word_end(const struct sku_text *text, size_t at)
{
    static const char *const words[] = {"卡", "张", "gpus", "gpu", "cards", "card", "x"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t end = at + strlen(words[i]);
        if (!sku_text_has(text, at, words[i]) || !sku_text_ends_word(text, end)) continue;
        size_t next = sku_text_skip(text, end, "");
        bool is_other = sku_text_has(text, next, "时") || sku_text_has(text, next, "起") || sku_text_has(text, next, "以上");
        return is_other ? 0 : end;
    }
    return 0;
}

/* "8卡", "八卡", "8 GPUs", "8X". */
static size_t item_count(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t number;
    bool is_part = at > 0 && (text->s[at - 1] == '/' || text->s[at - 1] == '.'); /* "1/4 卡" counts no four */
    size_t end = is_part ? 0 : sku_text_number(text, at, COUNT_DIGITS_MAX, &number);
    if (end == 0) end = chinese_number(text, at, &number);
    if (end == 0) return 0;
    end = count_word_end(text, sku_text_skip(text, end, "-"));
    if (end != 0 && beside->cards == 0 && number <= CARDS_MAX) beside->cards = number;
    return end;
}

/* "x8", "* 8", "× 80G". */
static size_t item_times(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t number;
    struct sku_vram vram;
    if (!is_times(text, at)) return 0;
    size_t value = sku_text_skip(text, at + 1, "");
    size_t end = sku_vram_at(text, value, &vram);
    if (end != 0) {
        if (beside->vram.tenths == 0) beside->vram = vram;
        return end;
    }
    end = sku_text_number(text, value, COUNT_DIGITS_MAX, &number);
    if (end == 0 || !sku_text_ends_word(text, end) || number > CARDS_MAX) return 0;
    if (beside->cards == 0) beside->cards = number;
    size_t counted = count_word_end(text, sku_text_skip(text, end, ""));
    return counted != 0 ? counted : end;
}

/* "8×24GB": each of eight has 24. */
static size_t item_count_of_vram(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t number;
    struct sku_vram vram;
    size_t end = sku_text_number(text, at, COUNT_DIGITS_MAX, &number);
    if (end == 0) return 0;
    size_t times = sku_text_skip(text, end, "");
    bool is_product = is_times(text, times);
    /* "H100-2-80G": a count between hyphens, as instance types have it. */
    bool is_typed = at > 0 && text->s[at - 1] == '-' && end < text->len && text->s[end] == '-' && number <= 16;
    if (!is_product && !is_typed) return 0;
    end = sku_vram_at(text, sku_text_skip(text, (is_product ? times : end) + 1, ""), &vram);
    if (end == 0 || number > CARDS_MAX) return 0;
    if (beside->cards == 0) beside->cards = number;
    if (beside->vram.tenths == 0) beside->vram = vram;
    return end;
}

/* "/", 或, "or" right before the position. */
static bool is_alternative(const struct sku_text *text, size_t at)
{
    static const char *const words[] = {"/", "或", " or", "、"};
    size_t end = sku_text_skip_back(text, at, "");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i]);
        if (end >= len && sku_text_has(text, end - len, words[i])) return true;
    }
    return false;
}

/* The first size counts: "A100 80G 1TB SSD" and the like go on. */
static size_t item_vram(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    struct sku_vram vram;
    size_t end = sku_vram_at(text, at, &vram);
    vram.is_behind_count = beside->cards > 1;
    if (end != 0 && beside->vram.tenths == 0) beside->vram = vram;
    else if (end != 0 && is_alternative(text, at)) beside->vram_other = vram;
    return end;
}

/* "h100.80gb", "h100-80gb.8x": glued on by a dot, as instance types have it. */
static size_t item_dotted(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t number;
    if (at == 0 || at >= text->len || text->s[at] != '.' || !sku_text_is_alnum(text, at - 1)) return 0;
    size_t end = item_vram(text, at + 1, beside);
    if (end != 0) return end;
    end = sku_text_number(text, at + 1, 2, &number);
    if (end == 0 || end >= text->len || text->s[end] != 'x' || !sku_text_ends_word(text, end + 1)) return 0;
    if (beside->cards == 0) beside->cards = number;
    return end + 1;
}

/* "A100-80": a bare number after a hyphen, which counts only where a variant has just that. */
static size_t item_bare_vram(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t number;
    size_t end = sku_text_number(text, at, BARE_VRAM_DIGITS_MAX, &number);
    if (end == 0 || at == 0 || text->s[at - 1] != '-' || !sku_text_ends_word(text, end) || number < BARE_VRAM_MIN) return 0;
    if (end < text->len && (text->s[end] == '.' || sku_text_char(text, end) == SKU_CHAR_WIDE)) return 0;
    if (beside->vram.tenths == 0) beside->vram = (struct sku_vram){.tenths = number * 10, .is_whole = true, .is_doubtful = true};
    return end;
}

/* "1/3" of a card: sku_slice reads it, here it only must not hide what follows. */
static size_t item_fraction(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    int32_t num, den;
    (void)beside;
    size_t end = sku_text_number(text, at, 2, &num);
    if (end == 0 || end >= text->len || text->s[end] != '/') return 0;
    end = sku_text_number(text, end + 1, 2, &den);
    return end != 0 && num < den && sku_text_ends_word(text, end) ? end : 0;
}

/* The first form stands; "NVLink" gives way to any: it is no form, and rules out less. */
static void set_form(struct sku_beside *beside, const struct sku_word *word)
{
    if (word->kind != SKU_WORD_FORM) return;
    if (beside->form == NULL || strcmp(beside->form->text, "nvlink") == 0) beside->form = word;
}

/* May be glued to what stands before it ("h100nvl"), so it is looked for in the text from there on. */
static size_t item_word(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    const struct sku_text tail = {text->s + at, text->len - at, NULL};
    const struct sku_word *word = sku_word_at(&tail, 0, SKU_WORD_FORM | SKU_WORD_NEUTRAL | SKU_WORD_MAKER | SKU_WORD_CARD);
    if (word == NULL) return 0;
    set_form(beside, word);
    return at + word->len;
}

typedef size_t item_fn(const struct sku_text *text, size_t at, struct sku_beside *beside);

/* Item after item, until one is not understood: what stands behind it may belong to something else. */
static void read_tail(const struct sku_text *text, size_t at, struct sku_beside *beside)
{
    static item_fn *const items[] = {item_times,     item_count_of_vram, item_vram, item_count,
                                     item_bare_vram, item_fraction,      item_dotted, item_word};
    beside->tail_end = at;
    for (;;) {
        size_t end = 0;
        at = sku_text_skip(text, at, TAIL_MARKS);
        for (size_t i = 0; end == 0 && i < sizeof items / sizeof items[0]; i++) end = items[i](text, at, beside);
        if (end == 0) return;
        at = beside->tail_end = end;
    }
}

/* The start of the number that ends at `end`, or `end`. */
static size_t digits_start(const struct sku_text *text, size_t end)
{
    while (end > 0 && sku_text_char(text, end - 1) == SKU_CHAR_DIGIT) end--;
    return end;
}

/* The sign of a range that ends at `end`. */
static size_t range_len(const struct sku_text *text, size_t end)
{
    static const char *const signs[] = {"-", "~", "–", "—"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t len = strlen(signs[i]);
        if (end >= len && sku_text_has(text, end - len, signs[i])) return len;
    }
    return 0;
}

/* "8 × ", "8x_", "8*" before a name; its start, or SIZE_MAX. */
static size_t head_times(const struct sku_text *text, size_t end, struct sku_beside *beside)
{
    int32_t number, least = 0;
    if (end == 0 || !is_times(text, end - 1)) return SIZE_MAX;
    size_t value_end = sku_text_skip_back(text, end - 1, "");
    size_t start = digits_start(text, value_end);
    if (start == value_end || !sku_text_begins_word(text, start) || (start > 0 && text->s[start - 1] == '.') ||
        sku_text_number(text, start, COUNT_DIGITS_MAX, &number) == 0 || number > CARDS_MAX)
        return SIZE_MAX;
    size_t dash = start - range_len(text, start), lower = digits_start(text, dash);
    bool is_range = dash < start && lower < dash && sku_text_begins_word(text, lower) && sku_text_number(text, lower, COUNT_DIGITS_MAX, &least) != 0;
    if (is_range && least < number) {
        beside->cards = least; /* "1–6× RTX A4000": what is printed is what the least of them costs */
        return lower;
    }
    beside->cards = number;
    return start;
}

/* A run that ends at `end` and is read forwards by `item`: tried from the nearest place at which it may begin. */
static size_t head_item(const struct sku_text *text, size_t end, item_fn *item, struct sku_beside *beside)
{
    enum { ITEM_BYTES_MAX = 16 };
    for (size_t back = 1; back <= ITEM_BYTES_MAX && back <= end; back++) {
        struct sku_beside read = *beside;
        size_t at = end - back;
        if (sku_text_begins_word(text, at) && item(text, at, &read) == end) {
            *beside = read;
            return at;
        }
    }
    return SIZE_MAX;
}

/* A size before the name is doubtful: "8核 32G T4" speaks of the host. */
static size_t head_vram(const struct sku_text *text, size_t end, struct sku_beside *beside)
{
    bool had = beside->vram.tenths != 0;
    size_t start = head_item(text, end, item_vram, beside);
    if (start != SIZE_MAX && !had) beside->vram.is_doubtful = true;
    return start;
}

/* "Dual A40", "Quad RTX 3090". */
static size_t head_number_word(const struct sku_text *text, size_t end, struct sku_beside *beside)
{
    static const struct {
        const char *word;
        int32_t number;
    } words[] = {{"single", 1}, {"dual", 2}, {"twin", 2}, {"quad", 4}, {"octa", 8}, {"octo", 8}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i].word);
        if (len > end || !sku_text_has(text, end - len, words[i].word) || !sku_text_begins_word(text, end - len)) continue;
        beside->cards = words[i].number;
        return end - len;
    }
    return SIZE_MAX;
}

/* A number alone that ends at `end`, and nothing before it ("PCIe 4 A100" has none); its start, or SIZE_MAX. */
static size_t head_bare_number(const struct sku_text *text, size_t end, int32_t *number)
{
    size_t start = digits_start(text, end);
    if (start == end || !sku_text_begins_word(text, start) || end == sku_text_skip(text, end, "")) return SIZE_MAX;
    size_t before = sku_text_skip_back(text, start, "");
    if (before > 0 && strchr(",;:(|+", text->s[before - 1]) == NULL) return SIZE_MAX;
    return sku_text_number(text, start, 2, number) == end ? start : SIZE_MAX;
}

/* "8 NVIDIA H100": a count alone, where a maker's name stands between. */
static size_t head_plain_count(const struct sku_text *text, size_t end, size_t name_start, struct sku_beside *beside)
{
    int32_t number;
    if (end >= name_start || sku_word_at(text, sku_text_skip(text, end, ""), SKU_WORD_MAKER) == NULL) return SIZE_MAX;
    size_t start = head_bare_number(text, end, &number);
    if (start == SIZE_MAX) return SIZE_MAX;
    beside->cards = number;
    return start;
}

static size_t head_word(const struct sku_text *text, size_t end, struct sku_beside *beside)
{
    const struct sku_word *word = sku_word_before(text, end, SKU_WORD_FORM | SKU_WORD_NEUTRAL | SKU_WORD_MAKER | SKU_WORD_CARD);
    if (word == NULL) return SIZE_MAX;
    set_form(beside, word);
    return end - word->len;
}

/* Digits glued to the name itself: "1h100". */
static size_t head_glued_count(const struct sku_text *text, size_t start, struct sku_beside *beside)
{
    int32_t number;
    size_t from = digits_start(text, start);
    if (from == start || sku_text_char(text, start) != SKU_CHAR_LETTER) return start;
    if (sku_text_number(text, from, COUNT_DIGITS_MAX, &number) == start && beside->cards == 0) beside->cards = number;
    return from;
}

/* The same backwards. A count right before the name comes first: "8卡" would be the CARD word 卡 otherwise. */
static void read_head(const struct sku_text *text, size_t start, struct sku_beside *beside)
{
    beside->head_start = head_glued_count(text, start, beside);
    for (size_t end = beside->head_start;;) {
        end = sku_text_skip_back(text, end, HEAD_MARKS);
        size_t from = beside->cards == 0 ? head_times(text, end, beside) : SIZE_MAX;
        if (from == SIZE_MAX && beside->cards == 0) from = head_number_word(text, end, beside);
        if (from == SIZE_MAX && beside->cards == 0) from = head_plain_count(text, end, start, beside);
        if (from == SIZE_MAX) from = head_item(text, end, item_count, beside);
        if (from == SIZE_MAX) from = head_word(text, end, beside);
        if (from == SIZE_MAX) from = head_vram(text, end, beside);
        if (from == SIZE_MAX) return;
        end = beside->head_start = from;
    }
}

struct sku_beside sku_beside_read(const struct sku_text *text, const struct sku_mention *mention)
{
    struct sku_beside tail = {0}, head = {0};
    read_tail(text, mention->end, &tail);
    read_head(text, mention->start, &head);
    if (head.cards == 0) (void)head_bare_number(text, sku_text_skip_back(text, mention->start, ""), &tail.bare_count);
    if (tail.vram.tenths == 0) tail.vram = head.vram;
    if (head.cards != 0) tail.cards = head.cards;
    if (head.form != NULL && (tail.form == NULL || strcmp(tail.form->text, "nvlink") == 0)) tail.form = head.form;
    tail.head_start = head.head_start;
    return tail;
}
