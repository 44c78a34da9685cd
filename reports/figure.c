#include "reports/figure.h"

#include <stdio.h>

#include "common/civil.h"
#include "common/utf8.h"

bool figure_percent(int64_t before_nano, int64_t now_nano, int64_t *ret_percent_nano)
{
    int64_t move;
    if (before_nano <= 0 || __builtin_sub_overflow(now_nano, before_nano, &move)) return false;
    return money_scale(move, 100 * NANO, before_nano, ROUND_HALF_UP, ret_percent_nano) == GT_OK;
}

struct gt_str figure_percent_text(int64_t percent_nano, struct arena *arena)
{
    int64_t tenths;
    if (money_scale(percent_nano, 10, NANO, ROUND_HALF_UP, &tenths) != GT_OK) return GT_STR("?");
    if (tenths < 0) tenths = -tenths;
    return arena_printf(arena, "%lld.%lld%%", (long long)(tenths / 10), (long long)(tenths % 10));
}

struct gt_str figure_money_text(int64_t nano, struct arena *arena)
{
    char text[MONEY_TEXT_MAX];
    return arena_dup(arena, gt_str_from(money_format(nano, text)));
}

struct gt_str figure_count_text(int64_t count, struct arena *arena)
{
    return arena_printf(arena, "%lld", (long long)count);
}

struct gt_str figure_day_text(int64_t t_unix_s, int32_t zone_offset_s, struct arena *arena)
{
    struct civil c = civil_from_unix(t_unix_s, zone_offset_s);
    return arena_printf(arena, "%02d-%02d", c.month, c.day);
}

struct gt_str figure_minute_text(int64_t t_unix_s, int32_t zone_offset_s, struct arena *arena)
{
    char date[CIVIL_TEXT_MAX];
    struct civil c = civil_from_unix(t_unix_s, zone_offset_s);
    return arena_printf(arena, "%s %02d:%02d", civil_date(t_unix_s, zone_offset_s, date), c.hour, c.minute);
}

struct gt_str figure_bound_text(int64_t nano, enum bound bound, enum gt_lang lang, struct arena *arena)
{
    static const enum label labels[BOUND_WORDS] = {
        [BOUND_FROM] = LABEL_PRICE_FROM,
        [BOUND_UPTO] = LABEL_PRICE_UPTO,
        [BOUND_APPROX] = LABEL_PRICE_APPROX,
        [BOUND_RANGE] = LABEL_PRICE_FROM,
    };
    struct gt_str amount = figure_money_text(nano, arena);
    return bound == BOUND_EXACT ? amount : phrase(arena, lang, labels[bound], &amount, 1);
}

struct gt_str figure_promotion_text(const struct net_price *net, enum gt_lang lang, int32_t zone_offset_s, struct arena *arena)
{
    if (net->promo_month_nano == 0) return GT_STR("");
    struct gt_str args[2] = {figure_bound_text(net->promo_month_nano, net->promo_bound, lang, arena)};
    if (net->promo_until_unix_s == 0) return phrase(arena, lang, LABEL_PROMO_OPEN, args, 1);
    /* An `until` is 24:00 of its day: the day itself is the second before. */
    args[1] = figure_day_text(net->promo_until_unix_s - 1, zone_offset_s, arena);
    return phrase(arena, lang, LABEL_PROMO_UNTIL, args, 2);
}

struct gt_str figure_alt_text(const struct net_price *net, enum gt_lang lang, struct arena *arena)
{
    if (net->month_alt_nano == 0) return GT_STR("");
    struct gt_str amount = figure_money_text(net->month_alt_nano, arena);
    return phrase(arena, lang, LABEL_ALT_NOTE, &amount, 1);
}

struct gt_str figure_evidence_text(const struct board_entry *entry, enum gt_lang lang, struct arena *arena)
{
    if (entry->net.evidence == EVIDENCE_NONE) return GT_STR("");
    struct gt_str word = label_word(lang, VOCABULARY_EVIDENCE, (int)entry->net.evidence);
    int32_t cards = entry->row->offer.attributes.cards;
    return cards > 1 ? arena_printf(arena, "%.*s÷%d", GT_STR_ARG(word), (int)cards) : word;
}

/* The word of one mark. */
static struct gt_str mark_word(const struct board_entry *entry, enum board_mark mark, enum gt_lang lang)
{
    const struct offer_attributes *attributes = &entry->row->offer.attributes;
    switch (mark) {
    case BOARD_BOUND: return label_word(lang, VOCABULARY_BOUND, (int)entry->net.bound);
    case BOARD_DOUBTED: return label(lang, LABEL_DOUBTED);
    case BOARD_STALE: return label(lang, LABEL_STALE);
    case BOARD_SOLD_OUT: return label_word(lang, VOCABULARY_AVAIL, AVAIL_SOLD_OUT);
    case BOARD_LEAD:
        return entry->row->provenance == PROVENANCE_MANUAL ? label(lang, LABEL_LEAD)
                                                           : label_word(lang, VOCABULARY_SKU, (int)attributes->sku_status);
    default: return label(lang, LABEL_NO_TERM);
    }
}

struct gt_str figure_marks_text(const struct board_entry *entry, enum gt_lang lang, struct arena *arena)
{
    struct gt_str text = GT_STR("");
    for (unsigned mark = BOARD_BOUND; mark <= BOARD_NO_PRICE; mark <<= 1) {
        if ((entry->marks & mark) == 0) continue;
        struct gt_str word = mark_word(entry, (enum board_mark)mark, lang);
        text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), text.len > 0 ? "·" : "", GT_STR_ARG(word));
    }
    return text;
}

struct gt_str figure_candidates_text(struct gt_str candidates, struct arena *arena)
{
    enum { SHOWN_MAX = 4 };
    struct gt_str text = GT_STR(""), name;
    for (int i = 0; gt_str_split(&candidates, ' ', &name); i++) {
        size_t dash = gt_str_find(name, GT_STR("-"), 0);
        if (dash < name.len) name = gt_str_slice(name, dash + 1, name.len);
        if (i == SHOWN_MAX) return arena_printf(arena, "%.*s …", GT_STR_ARG(text));
        text = arena_printf(arena, "%.*s%s%.*s", GT_STR_ARG(text), i > 0 ? ", " : "", GT_STR_ARG(name));
    }
    return text;
}

struct gt_str figure_sparkline(const int64_t *values, size_t count, struct arena *arena)
{
    enum { LEVELS = 8, LOWEST = 0x2581 };
    int64_t low = INT64_MAX, high = INT64_MIN;
    char *bytes = arena_array(arena, count + 1, 4);
    size_t len = 0;
    if (bytes == NULL) return GT_STR("");
    for (size_t i = 0; i < count; i++) {
        if (values[i] == 0) continue;
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    for (size_t i = 0; i < count; i++) {
        int64_t level = LEVELS / 2;
        if (high > low && money_scale(values[i] - low, LEVELS - 1, high - low, ROUND_HALF_UP, &level) != GT_OK) level = 0;
        len += values[i] == 0 ? utf8_encode(' ', bytes + len) : utf8_encode((int32_t)(LOWEST + level), bytes + len);
    }
    return (struct gt_str){bytes, len};
}
