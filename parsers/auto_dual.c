/* Cells with several prices whose units stand side by side in the heading: "$252 / $0.53" below "Price (monthly / hourly)". */
#include "parsers/auto_grid.h"

enum { DUAL_MAX = 3 /* prices of one cell */ };

size_t auto_pieces_cut(struct gt_str text, struct gt_str sign, size_t max, struct gt_str *pieces)
{
    size_t count = 0, from = 0;
    for (;;) {
        size_t at = gt_str_find(text, sign, from);
        if (count == max) return 0;
        pieces[count++] = gt_str_trim(gt_str_slice(text, from, at == SIZE_MAX ? SIZE_MAX : at - from));
        if (at == SIZE_MAX) return count > 1 ? count : 0;
        from = at + sign.len;
    }
}

/* The part of a heading that names the units: what its brackets hold, or all of it. */
static struct gt_str units_of(struct gt_str heading)
{
    static const struct gt_str BRACKETS[][2] = {{{"(", 1}, {")", 1}}, {{"（", 3}, {"）", 3}}, {{"[", 1}, {"]", 1}}};
    for (size_t i = 0; i < sizeof BRACKETS / sizeof BRACKETS[0]; i++) {
        size_t open = gt_str_find(heading, BRACKETS[i][0], 0);
        size_t close = open == SIZE_MAX ? SIZE_MAX : gt_str_find(heading, BRACKETS[i][1], open);
        if (close == SIZE_MAX) continue;
        size_t from = open + BRACKETS[i][0].len;
        return gt_str_slice(heading, from, close - from);
    }
    return heading;
}

/* True when each piece names a unit of time, no two the same. */
static bool are_units(struct auto_page *page, const struct gt_str *units, size_t count)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price[DUAL_MAX];
    for (size_t i = 0; i < count; i++) {
        if (!auto_price_read(page, GT_STR("1"), units[i], GT_STR(""), &nothing, true, &price[i]) || !price[i].has_period)
            return false;
        for (size_t j = 0; j < i; j++) {
            bool is_same = price[j].first.quote.period == price[i].first.quote.period && gt_str_eq(price[j].name, price[i].name);
            if (is_same) return false;
        }
    }
    return true;
}

size_t auto_dual_read(struct auto_page *page, struct gt_str text, struct gt_str heading, struct gt_str row, bool takes_bare,
                      struct auto_price *prices)
{
    static const struct gt_str SIGNS[] = {{" / ", 3}, {"/", 1}, {" | ", 3}, {" or ", 4}, {"或", 3}, {"、", 3}};
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct gt_str units[DUAL_MAX], texts[DUAL_MAX];
    size_t count = 0, found = 0;
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0] && count == 0; i++) {
        count = auto_pieces_cut(units_of(heading), SIGNS[i], DUAL_MAX, units);
        if (count > 0 && !are_units(page, units, count)) count = 0;
    }
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0] && count > 0 && found != count; i++)
        found = auto_pieces_cut(text, SIGNS[i], DUAL_MAX, texts);
    if (count == 0 || found != count) return 0;
    size_t read = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_read = auto_price_read(page, texts[i], units[i], row, &nothing, takes_bare, &prices[read]);
        if (is_read && !prices[read].is_zero) read++;
    }
    return read;
}
