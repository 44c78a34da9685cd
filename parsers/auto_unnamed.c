/* The price list of a computing centre, which names no card: what an hour of a core costs, what an hour of a GPU. */
#include "parsers/auto_line.h"

enum {
    UNIT_BYTES_MAX = 48,  /* of a line that is the unit of the amount below it */
    UNIT_REACH_MAX = 3,   /* lines from such a unit to its amount */
    BESIDE_BYTES_MAX = 24, /* of a line beside the price in it */
};

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

static bool has_digit(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') return true;
    }
    return false;
}

/* Reads a line as what an hour of one card costs, and nothing else. An hour of a core, a terabyte or a person is of no card; "from" leads
 * to a page of prices and is none. */
static bool read_rate(struct auto_page *page, struct gt_str text, struct gt_str unit, struct auto_price *ret_price)
{
    bool is_bare = unit.len > 0;
    enum auto_role role = auto_role_of(page, is_bare ? unit : text);
    if (role == AUTO_FOREIGN || role == AUTO_TOTAL || role == AUTO_EXCLUDED || role == AUTO_DISCOUNT) return false;
    if (!auto_price_read(page, text, unit, GT_STR(""), &NOTHING, is_bare, ret_price)) return false;
    const struct price_item *item = &ret_price->first;
    bool is_alone = ret_price->items == 1 && text.len <= item->len + (is_bare ? 0 : BESIDE_BYTES_MAX);
    return is_alone && !ret_price->is_zero && ret_price->has_currency && item->quote.period == PERIOD_HOUR &&
           item->quote.basis == BASIS_CARD && item->quote.bound == BOUND_EXACT;
}

/* Reads the rate in a line that holds a price: "0.5 EUR per GPU hour"; or with its unit before it: "GPU hour: 0.5 EUR". */
static bool read_line(struct auto_page *page, const struct auto_line *line, struct auto_price *ret_price)
{
    struct gt_str unit = auto_line_strip(gt_str_slice(line->text, 0, line->price_offset));
    struct gt_str amount = auto_line_strip(gt_str_slice(line->text, line->price_offset, SIZE_MAX));
    struct gt_str words = auto_line_label(page, line);
    /* "Average", "We paid", a seller's name beside it: not what is asked here. */
    bool is_of_card = words.len <= 1 || auto_has_role(page, words, AUTO_LABEL);
    if (is_of_card && read_rate(page, line->text, GT_STR(""), ret_price)) return true;
    return unit.len > 0 && unit.len <= UNIT_BYTES_MAX && read_rate(page, amount, unit, ret_price) && !ret_price->is_period_printed;
}

/* Finds the rate that begins at line `at`: in it, or, where the line is a unit ("EUR/GPU hour"), in the first figure below. */
static bool find_rate(struct auto_page *page, const struct auto_line *lines, size_t count, size_t at, struct auto_price *ret_price)
{
    const struct auto_line *line = &lines[at];
    if (line->has_price) return read_line(page, line, ret_price);
    if (line->text.len > UNIT_BYTES_MAX || has_digit(line->text)) return false;
    for (size_t i = at + 1; i < count && i <= at + UNIT_REACH_MAX; i++) {
        bool is_told = lines[i].is_struck || (lines[i].has_price && lines[i].price.has_period); /* has a unit of its own */
        if (has_digit(lines[i].text)) return !is_told && read_rate(page, lines[i].text, line->text, ret_price);
    }
    return false;
}

size_t auto_unnamed_read(struct auto_page *page, const struct auto_line *lines, size_t count)
{
    size_t offers = 0;
    struct gt_str heading = GT_STR("");
    for (size_t i = 0; i < count && page->evidence.rates_cores && page->err == GT_OK; i++) {
        const struct auto_line *line = &lines[i];
        struct auto_offer offer = {.price_count = 1, .is_generic = true, .alike = 1, .shape = "cards", .variant = heading};
        if (line->is_heading) heading = line->text;
        if (line->has_sku || line->is_struck || !find_rate(page, lines, count, i, &offer.prices[0])) continue;
        offer.label = auto_line_label(page, line);
        if (offer.label.len <= 1) offer.label = GT_STR("GPU");
        auto_offer_add(page, &offer);
        offers++;
        arena_clear(page->scratch);
    }
    return offers;
}
