/* Which sign parts decimals on a page, by the page's own amounts. */
#include "pricing/price_text.h"

enum {
    DECIMALS_MAX = 2, /* digits: three behind a sign may be thousands */
    BESIDE_BYTES = 8, /* that a currency stands in */
    POINT_SIGNS = 3,  /* the first signs of the list are of countries whose decimals have points */
};

static bool is_digit(struct gt_str text, size_t at)
{
    return at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9';
}

/* How many decimals tell the custom of the currency whose sign or code stands right before `from` or right behind `to`; 0 where none does:
 * versions and sizes have points in every country. Three behind a dollar's point are as likely decimals. */
static size_t decimals_max(struct gt_str text, size_t from, size_t to)
{
    static const struct gt_str SIGNS[] = {{"$", 1},  {"£", 2},   {"¥", 2},   {"€", 3},  {"₽", 3},  {"₺", 3},
                                          {"zł", 3}, {"EUR", 3}, {"eur", 3}, {"Kč", 3}, {"kr", 2}, {"CHF", 3}};
    size_t reach = from < BESIDE_BYTES ? from : BESIDE_BYTES;
    struct gt_str before = gt_str_trim(gt_str_slice(text, from - reach, reach)), behind = gt_str_trim(gt_str_slice(text, to, BESIDE_BYTES));
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        if (gt_str_ends(before, SIGNS[i]) || gt_str_starts(behind, SIGNS[i])) return i < POINT_SIGNS ? DECIMALS_MAX + 1 : DECIMALS_MAX;
    }
    return 0;
}

void price_decimals_count(struct gt_str text, struct price_decimals *decimals)
{
    for (size_t from = 0; from < text.len; from++) {
        size_t sign = from, to;
        if (!is_digit(text, from)) continue;
        while (is_digit(text, sign)) sign++;
        for (to = sign + 1; is_digit(text, to);) to++;
        bool has_decimals = to > sign + 1 && (text.ptr[sign] == '.' || text.ptr[sign] == ',');
        size_t max = has_decimals ? decimals_max(text, from, to) : 0;
        if (has_decimals && text.ptr[sign] == '.') decimals->points += to - sign - 1 <= max;
        if (has_decimals && text.ptr[sign] == ',') decimals->commas += max > 0 && to - sign - 1 <= DECIMALS_MAX;
        from = sign;
    }
}

enum decimal_sign price_decimals_sign(const struct price_decimals *decimals)
{
    return decimals->commas > 0 && decimals->points == 0 ? DECIMAL_COMMA : DECIMAL_UNKNOWN;
}
