#include "pricing/sku_context.h"

/* "4090": the names that need the most looking around. */
static bool is_bare_number(const struct sku_mention *mention)
{
    return mention->row->words[strspn(mention->row->words, "0123456789")] == '\0';
}

/* "3090 Super", "H800 D": the catalogue has no such card, and it is not the one without the word. */
static bool is_other_variant(const struct sku_text *text, size_t end)
{
    return sku_word_at(text, sku_text_skip(text, end, "-_("), SKU_WORD_VARIANT) != NULL;
}

/* "A10-7850K", "4090-5000": a number glued on by a hyphen, unless it was understood as memory or a count. */
static bool is_numbered_on(const struct sku_text *text, const struct sku_mention *mention, const struct sku_beside *beside)
{
    size_t end = mention->end;
    if (beside->tail_end != end || end >= text->len) return false;
    char joint = text->s[end];
    bool is_joint = joint == '-' || joint == '~' || (is_bare_number(mention) && (joint == '.' || joint == ','));
    return is_joint && sku_text_char(text, end + 1) == SKU_CHAR_DIGIT;
}

/* "12-4090", "1.4090": part of a longer number. */
static bool is_numbered_before(const struct sku_text *text, size_t start)
{
    return start > 1 && strchr("-~.,:", text->s[start - 1]) != NULL && sku_text_char(text, start - 2) == SKU_CHAR_DIGIT;
}

/* Also '#', which numbers things. */
static bool has_money_sign_before(const struct sku_text *text, size_t start)
{
    static const char *const signs[] = {"¥", "$", "€", "£", "₩", "₽", "₹", "#"};
    size_t end = sku_text_skip_back(text, start, "");
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (end >= strlen(signs[i]) && sku_text_has(text, end - strlen(signs[i]), signs[i])) return true;
    return false;
}

/* A number that says how much, how many or which one. */
static bool is_quantity(const struct sku_text *text, const struct sku_mention *mention)
{
    size_t before = sku_text_skip_back(text, mention->start, ":=");
    if (has_money_sign_before(text, mention->start) || is_numbered_before(text, mention->start)) return true;
    if (sku_word_before(text, before, SKU_WORD_LEAD) != NULL) return true;
    return sku_word_at(text, sku_text_skip(text, mention->end, ""), SKU_WORD_UNIT) != NULL;
}

/* Words that belong to other things of the same name. */
static bool is_something_else(const struct sku_text *text, const struct sku_mention *mention)
{
    size_t before = sku_text_skip_back(text, mention->start, "-_");
    size_t after = sku_text_skip(text, mention->end, "-_");
    return sku_word_before(text, before, SKU_WORD_BEFORE) != NULL || sku_word_at(text, after, SKU_WORD_AFTER) != NULL;
}

/* True when the label holds nothing but names and what was understood beside them. */
static bool stand_alone(const struct sku_text *text, const struct sku_beside *besides, size_t count)
{
    for (size_t at = 0; at < text->len; at++) {
        bool is_inside = false;
        for (size_t i = 0; i < count && !is_inside; i++) is_inside = at >= besides[i].head_start && at < besides[i].tail_end;
        if (!is_inside && sku_text_char(text, at) != SKU_CHAR_MARK) return false;
    }
    return true;
}

/* What a shy name needs: to stand alone (or among names), or in a label that speaks of cards. */
static bool is_among_cards(const struct sku_text *text, const struct sku_mention *mention, const struct sku_beside *beside,
                           const struct sku_beside *besides, size_t count)
{
    if (beside->is_among_certain) return true;
    return stand_alone(text, besides, count) || beside->vram.tenths != 0 || beside->cards != 0 ||
           sku_word_anywhere(text, SKU_WORD_MAKER | SKU_WORD_CARD, mention->start, mention->end);
}

bool sku_context_allows(const struct sku_text *text, const struct sku_mention *mention, const struct sku_beside *besides,
                        size_t count, size_t i)
{
    const struct sku_beside *beside = &besides[i];
    if (is_other_variant(text, mention->end)) return false;
    if (mention->row->strength == SKU_STRENGTH_STRONG) return true;
    if (is_something_else(text, mention) || is_numbered_on(text, mention, beside)) return false;
    if (is_bare_number(mention) && is_quantity(text, mention)) return false;
    return mention->row->strength != SKU_STRENGTH_SHY || is_among_cards(text, mention, beside, besides, count);
}
