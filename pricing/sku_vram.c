/* Memory sizes in labels. */
#include "pricing/sku_beside.h"

enum {
    VRAM_DIGITS_MAX = 6,      /* "81920 MiB" has five */
    VRAM_MIB_MIN = 1024,      /* fewer MB than this is no card's memory */
    VRAM_TENTHS_MAX = 100000, /* 10,000 GB: a node of any size */
};

struct unit {
    const char *text;
    bool is_mib;
};

/* The unit's word ends at `end`, or the count of cards is glued to it: "80gbx4". */
static bool ends_unit(const struct sku_text *text, size_t end)
{
    int32_t count;
    return sku_text_ends_word(text, end) ||
           (text->s[end] == 'x' && sku_text_number(text, end + 1, 3, &count) == sku_text_run_end(text, end));
}

/* The unit at `at`, its end or 0. Longest first. */
static size_t unit_end(const struct sku_text *text, size_t at, bool *ret_is_mib)
{
    static const struct unit units[] = {{"gib", false}, {"gbs", false}, {"gb", false}, {"g", false}, {"mib", true}, {"mb", true}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t end = at + strlen(units[i].text);
        if (!sku_text_has(text, at, units[i].text) || !ends_unit(text, end)) continue;
        *ret_is_mib = units[i].is_mib;
        return end;
    }
    return 0;
}

/* "1g.10gb" is a slice's name, "24g/s" a bandwidth, "60gb 内存" a host's memory. */
static bool is_other_memory(const struct sku_text *text, size_t end)
{
    bool is_mig = text->s[end - 1] == 'g' && end < text->len && text->s[end] == '.';
    if (is_mig && sku_text_char(text, end + 1) == SKU_CHAR_DIGIT) return true;
    return sku_word_at(text, sku_text_skip(text, end, ""), SKU_WORD_MEMORY) != NULL;
}

/* One decimal is kept; further ones are skipped. */
static size_t read_decimals(const struct sku_text *text, size_t at, int32_t *tenths, bool *is_whole)
{
    if (at >= text->len || text->s[at] != '.' || sku_text_char(text, at + 1) != SKU_CHAR_DIGIT) return at;
    *is_whole = false;
    *tenths += text->s[at + 1] - '0';
    for (at++; sku_text_char(text, at) == SKU_CHAR_DIGIT;) at++;
    return at;
}

size_t sku_vram_at(const struct sku_text *text, size_t at, struct sku_vram *ret_vram)
{
    int32_t number;
    size_t end = sku_text_number(text, at, VRAM_DIGITS_MAX, &number);
    if (end == 0) return 0;
    struct sku_vram vram = {.tenths = number * 10, .is_whole = true};
    end = read_decimals(text, end, &vram.tenths, &vram.is_whole);
    bool is_mib;
    end = unit_end(text, sku_text_skip(text, end, ""), &is_mib);
    if (end == 0 || is_other_memory(text, end) || (is_mib && number < VRAM_MIB_MIN)) return 0;
    if (is_mib) vram = (struct sku_vram){.tenths = (number * 10 + 512) / 1024};
    if (vram.tenths > VRAM_TENTHS_MAX) return 0;
    *ret_vram = vram;
    return end;
}

/* Words that make a size a card's memory, after it … */
static bool is_tag_at(const struct sku_text *text, size_t at)
{
    return sku_text_has(text, at, "显存") || sku_text_has(text, at, "vram") || sku_text_has(text, at, "gpu memory") ||
           sku_text_has(text, at, "gpu mem") || sku_text_has(text, at, "video memory");
}

/* … and before it. */
static bool is_tag_before(const struct sku_text *text, size_t end)
{
    static const char *const tags[] = {"显存", "显存容量", "显存大小", "vram", "gpu memory"};
    end = sku_text_skip_back(text, end, ":=(");
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (end >= strlen(tags[i]) && sku_text_has(text, end - strlen(tags[i]), tags[i])) return true;
    return false;
}

struct sku_vram sku_vram_tagged(const struct sku_text *text)
{
    for (size_t at = 0; at < text->len; at++) {
        struct sku_vram vram;
        if (sku_text_char(text, at) != SKU_CHAR_DIGIT || !sku_text_begins_word(text, at)) continue;
        size_t end = sku_vram_at(text, at, &vram);
        if (end != 0 && (is_tag_at(text, sku_text_skip(text, end, "")) || is_tag_before(text, at))) return vram;
    }
    return (struct sku_vram){0};
}
