#include "reports/name.h"

#include <stdlib.h>

#include "common/utf8.h"
#include "reports/board.h"

bool name_class_split(struct gt_str class, struct class_pieces *ret_pieces)
{
    struct class_pieces pieces = {0};
    struct gt_str *const places[] = {&pieces.sku,       &pieces.vram,   &pieces.delivery, &pieces.tier,  &pieces.term,
                                     &pieces.min_cards, &pieces.market, &pieces.includes, &pieces.fabric};
    enum { PLACES = sizeof places / sizeof places[0] };
    size_t count = 0;
    while (count < PLACES && gt_str_split(&class, '/', places[count])) count++;
    if (count < PLACES - 1 || gt_str_starts(pieces.sku, GT_STR("?"))) return false;
    *ret_pieces = pieces;
    return true;
}

/* One piece of a class in words, with a dot before it. */
static struct gt_str add_piece(struct arena *arena, struct gt_str text, enum gt_lang lang, enum vocabulary vocabulary,
                               struct gt_str word)
{
    int value;
    if (word.len == 0) return text;
    if (word_find(vocabulary, word, &value)) word = label_word(lang, vocabulary, value);
    return arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(text), GT_STR_ARG(word));
}

struct gt_str name_class(struct gt_str class, enum gt_lang lang, struct arena *arena)
{
    struct class_pieces pieces;
    if (!name_class_split(class, &pieces)) {
        /* "?a100/80G/…": the label is all that can be said. */
        struct gt_str label_end = gt_str_slice(class, 1, class.len), first = GT_STR("");
        if (!board_class_is_unsure(class)) return class;
        (void)gt_str_split(&label_end, '/', &first);
        return phrase(arena, lang, LABEL_UNSURE_CLASS, &first, 1);
    }
    struct gt_str card = name_card(pieces.sku);
    struct gt_str text = arena_printf(arena, "%.*s %.*s", GT_STR_ARG(card), GT_STR_ARG(pieces.vram));
    text = add_piece(arena, text, lang, VOCABULARY_DELIVERY, pieces.delivery);
    text = add_piece(arena, text, lang, VOCABULARY_TIER, pieces.tier);
    text = add_piece(arena, text, lang, VOCABULARY_PERIOD, pieces.term);
    struct gt_str cards = label(lang, gt_str_is(pieces.min_cards, "one") ? LABEL_ONE_CARD : LABEL_NODE);
    text = arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(text), GT_STR_ARG(cards));
    text = add_piece(arena, text, lang, VOCABULARY_MARKET, pieces.market);
    if (!gt_str_is(pieces.includes, "whole")) text = add_piece(arena, text, lang, VOCABULARY_INCLUDES, pieces.includes);
    return pieces.fabric.len > 0 ? arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(text), GT_STR_ARG(pieces.fabric)) : text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Without "-96G" at the end: the memory has a column of its own. */
static struct gt_str without_vram(struct gt_str name)
{
    size_t at = name.len;
    if (at == 0 || name.ptr[at - 1] != 'G') return name;
    at--;
    while (at > 0 && is_digit(name.ptr[at - 1])) at--;
    return at > 1 && at < name.len - 1 && name.ptr[at - 1] == '-' ? gt_str_slice(name, 0, at - 1) : name;
}

struct gt_str name_card(struct gt_str sku)
{
    size_t dash = gt_str_find(sku, GT_STR("-"), 0);
    struct gt_str name = dash < sku.len ? gt_str_slice(sku, dash + 1, sku.len) : sku;
    /* GeForce numbers such as 4090 are known alone; "RTX-6000" and "RTX-PRO-6000" are other cards. */
    struct gt_str rtx = GT_STR("RTX-");
    if (gt_str_starts(name, rtx) && name.len >= rtx.len + 4 && is_digit(name.ptr[rtx.len]) && name.ptr[rtx.len + 1] == '0' &&
        is_digit(name.ptr[rtx.len + 2]) && name.ptr[rtx.len + 2] != '0')
        name = gt_str_slice(name, rtx.len, name.len);
    return without_vram(name);
}

struct gt_str name_offer_card(const struct offer *offer)
{
    return offer->attributes.sku[0] != '\0' ? name_card(gt_str_from(offer->attributes.sku)) : offer->identity.label;
}

static bool is_ascii(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] >= 0x80) return false;
    return true;
}

struct gt_str name_site_title(struct gt_str title, struct gt_str site, enum gt_lang lang)
{
    if (title.len == 0) return site;
    size_t blank = gt_str_find(title, GT_STR(" "), 0);
    if (blank >= title.len) return title;
    struct gt_str first = gt_str_slice(title, 0, blank), rest = gt_str_trim(gt_str_slice(title, blank, title.len));
    /* Two scripts, one blank between: each language takes its own. */
    if (is_ascii(first) == is_ascii(rest) || gt_str_find(rest, GT_STR(" "), 0) < rest.len) return title;
    return (lang == LANG_EN) == is_ascii(first) ? first : rest;
}

struct gt_str name_site(const struct board_row *row, enum gt_lang lang)
{
    return name_site_title(row->site_title, row->site, lang);
}

struct gt_str name_offer(const struct offer_identity *identity, struct arena *arena)
{
    struct gt_str text = identity->label;
    const struct gt_str more[] = {identity->plan, identity->region, identity->variant};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (more[i].len > 0) text = arena_printf(arena, "%.*s · %.*s", GT_STR_ARG(text), GT_STR_ARG(more[i]));
    return text;
}

/* Adds a word with a dot before it. */
static struct gt_str add_word(struct arena *arena, struct gt_str text, struct gt_str word)
{
    return arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? "·" : "", GT_STR_ARG(word));
}

/* Adds a number with its word, such as "8卡". */
static struct gt_str add_number(struct arena *arena, struct gt_str text, enum gt_lang lang, enum label id, int32_t number)
{
    struct gt_str args[] = {arena_printf(arena, "%d", (int)number)};
    return add_word(arena, text, phrase(arena, lang, id, args, 1));
}

struct gt_str name_persona(const struct persona *persona, enum gt_lang lang, struct arena *arena)
{
    enum label pay = persona->pay == PERIOD_HOUR   ? LABEL_PAY_HOUR
                     : persona->pay == PERIOD_YEAR ? LABEL_PAY_YEAR
                                                   : LABEL_PAY_MONTH;
    struct gt_str text = label(lang, pay);
    if (persona->months > 1) text = add_number(arena, text, lang, LABEL_N_MONTHS, persona->months);
    if (persona->hours_per_month > 0) text = add_number(arena, text, lang, LABEL_N_HOURS, persona->hours_per_month);
    if (persona->cards > 1) text = add_number(arena, text, lang, LABEL_N_CARDS, persona->cards);
    if (persona->is_student) text = add_word(arena, text, label(lang, LABEL_STUDENT));
    if (persona->is_enterprise) text = add_word(arena, text, label(lang, LABEL_ENTERPRISE));
    if (persona->is_new_customer) text = add_word(arena, text, label(lang, LABEL_NEW_CUSTOMER));
    if (persona->member.len > 0) text = add_word(arena, text, phrase(arena, lang, LABEL_MEMBER_OF, &persona->member, 1));
    if (!persona->is_student && !persona->is_enterprise && !persona->is_new_customer && persona->member.len == 0)
        text = add_word(arena, text, label(lang, LABEL_NOBODY_SPECIAL));
    if (persona->market >= 0) text = add_word(arena, text, label_word(lang, VOCABULARY_MARKET, persona->market));
    return add_word(arena, text, label(lang, persona->takes_spot ? LABEL_WITH_SPOT : LABEL_WITHOUT_SPOT));
}

struct gt_str name_zone(int32_t zone_offset_s, enum gt_lang lang, struct arena *arena)
{
    if (zone_offset_s == 8 * 3600) return label(lang, LABEL_BEIJING_TIME);
    int minutes = abs((int)zone_offset_s) / 60;
    if (minutes == 0) return GT_STR("UTC");
    return arena_printf(arena, "UTC%c%02d:%02d", zone_offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

struct gt_str name_currency(const struct currency *currency, enum gt_lang lang)
{
    if (strcmp(currency->code, "CNY") == 0) return label(lang, LABEL_CNY);
    if (strcmp(currency->code, "USD") == 0) return label(lang, LABEL_USD);
    return currency->code[0] != '\0' ? gt_str_from(currency->code) : label(lang, LABEL_CURRENCY_UNKNOWN);
}
