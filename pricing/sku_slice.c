#include "pricing/sku_slice.h"

#include "pricing/sku_words.h"

enum {
    SLICE_DEN_MAX = 64,
    MIG_PARTS = 7, /* NVIDIA MIG user guide: an A100, H100 or H200 has seven compute slices, an A30 four */
    MIG_PARTS_A30 = 4,
};

static bool has_any(const struct sku_text *text, size_t at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sku_text_has(text, at, words[i])) return true;
    return false;
}

/* What a fraction may be of. */
static bool is_card_word(const struct sku_text *text, size_t at)
{
    static const char *const words[] = {"卡", "张", "块", "显卡", "gpu", "card", "of a"};
    return has_any(text, sku_text_skip(text, at, "*x"), words, sizeof words / sizeof words[0]);
}

static bool ends_with(const struct sku_text *text, size_t end, const char *word)
{
    return end >= strlen(word) && sku_text_has(text, end - strlen(word), word);
}

/* "空闲/总量 1/8" counts cards that are free. */
static bool is_stock(const struct sku_text *text, size_t start)
{
    static const char *const words[] = {"空闲", "剩余", "可用", "库存", "总量", "可租", "available", "free", "idle", "stock"};
    size_t end = sku_text_skip_back(text, start, ":(");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ends_with(text, end, words[i])) return true;
    return false;
}

/* In a label about slices a bare fraction is one. */
static bool speaks_of_slices(const struct sku_text *text)
{
    static const char *const words[] = {"vgpu", "切片", "分片", "切分", "slice", "虚拟化", "共享", "fraction"};
    for (size_t at = 0; at < text->len; at++)
        if (has_any(text, at, words, sizeof words / sizeof words[0])) return true;
    return false;
}

/* True when what ends at `end` belongs to the name: it stands right before it, or the label says that it is a part of a card, or the
 * memory beside it is no more than a part's. */
static bool is_of_card(const struct sku_text *text, size_t start, size_t end, const struct sku_mention *mention, bool is_part)
{
    if (is_stock(text, start)) return false;
    if (is_part || is_card_word(text, end)) return true;
    size_t next = sku_text_skip(text, end, "*x");
    const struct sku_word *maker = sku_word_at(text, next, SKU_WORD_MAKER);
    if (maker != NULL) next = sku_text_skip(text, next + maker->len, "");
    return next == mention->start || speaks_of_slices(text);
}

/* "1/4" at `at`. */
static size_t fraction_at(const struct sku_text *text, size_t at, struct sku_slice *slice)
{
    size_t end = sku_text_number(text, at, 2, &slice->num);
    if (end == 0) return 0;
    end = sku_text_skip(text, end, "");
    if (end >= text->len || text->s[end] != '/') return 0;
    end = sku_text_number(text, sku_text_skip(text, end + 1, ""), 2, &slice->den);
    if (end == 0 || slice->num >= slice->den || slice->den > SLICE_DEN_MAX) return 0;
    bool goes_on = end < text->len && (text->s[end] == '/' || text->s[end] == '.');
    return goes_on ? 0 : end;
}

static int32_t common_divisor(int32_t a, int32_t b)
{
    while (b != 0) {
        int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* "0.25" at `at`, at most three decimals. */
static size_t decimal_at(const struct sku_text *text, size_t at, const struct sku_mention *mention, struct sku_slice *slice)
{
    if (!sku_text_has(text, at, "0.")) return 0;
    int32_t num = 0, den = 1;
    size_t end = at + 2;
    for (; sku_text_char(text, end) == SKU_CHAR_DIGIT && den < 1000; end++, den *= 10) num = num * 10 + (text->s[end] - '0');
    if (num == 0 || sku_text_char(text, end) == SKU_CHAR_DIGIT) return 0;
    bool is_before_name = sku_text_skip(text, end, "*x") == mention->start && sku_text_skip(text, end, "") != mention->start;
    if (!is_card_word(text, end) && !is_before_name) return 0;
    int32_t divisor = common_divisor(num, den);
    *slice = (struct sku_slice){.num = num / divisor, .den = den / divisor};
    return end;
}

static int32_t mig_parts(const struct sku_mention *mention)
{
    return strcmp(mention->row->nodes, "NVIDIA-A30") == 0 ? MIG_PARTS_A30 : MIG_PARTS;
}

/* "1g.10gb" at `at`: NVIDIA's name of a MIG profile. */
static size_t mig_at(const struct sku_text *text, size_t at, const struct sku_mention *mention, struct sku_slice *slice)
{
    int32_t memory;
    size_t end = sku_text_number(text, at, 1, &slice->num);
    if (end == 0 || !sku_text_has(text, end, "g.")) return 0;
    end = sku_text_number(text, end + 2, 3, &memory);
    if (end == 0 || !sku_text_has(text, end, "gb") || !sku_text_ends_word(text, end + 2)) return 0;
    slice->den = mig_parts(mention);
    slice->is_mig = true;
    return slice->num <= slice->den ? end + 2 : 0;
}

static bool is_half(const struct sku_text *text, size_t at)
{
    return sku_text_has(text, at, "半卡") || sku_text_has(text, at, "半张卡") || sku_text_has(text, at, "half gpu");
}

struct sku_slice sku_slice_read(const struct sku_text *text, const struct sku_mention *mention, bool is_part)
{
    for (size_t at = 0; at < text->len; at++) {
        struct sku_slice slice = {0};
        if (is_half(text, at)) return (struct sku_slice){.num = 1, .den = 2};
        bool begins = sku_text_char(text, at) == SKU_CHAR_DIGIT && sku_text_begins_word(text, at) &&
                      (at == 0 || strchr("./,", text->s[at - 1]) == NULL);
        if (!begins) continue;
        if (mig_at(text, at, mention, &slice) != 0) return slice;
        if (decimal_at(text, at, mention, &slice) != 0) return slice;
        size_t end = fraction_at(text, at, &slice);
        if (end == 0 || !is_of_card(text, at, end, mention, is_part)) continue;
        slice.is_mig = is_part && slice.den == mig_parts(mention);
        return slice;
    }
    return (struct sku_slice){0};
}
