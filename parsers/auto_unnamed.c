/* The price list of a computing centre, which names no card or has only sentences: what an hour of a core costs, what an hour of a GPU. */
#include "parsers/auto_line.h"

enum {
    UNIT_BYTES_MAX = 48,  /* of a line that is the unit of the amount below it */
    UNIT_REACH_MAX = 3,   /* lines from such a unit to its amount */
    BESIDE_BYTES_MAX = 24, /* of a line beside the price in it */
    SENTENCE_MAX = 200,
};

/* Words of a sentence that asks money for what it speaks of, and words that make a guess, a reckoning or somebody else's price of it. */
static const char CHARGES[] = "charged at|billed at|rate is|rate of|rates are|costs|cost is|price is|priced at|收费|计费|berechnet";
static const char DOUBTS[] = "example|e.g|would|could|if|about|approximately|average|compared|comparable|than|estimated|assuming|typical|total|"
                             "saving|was|were|we|our|elsewhere|commercial|market|aws|azure|google|amazon|例如|比如|假设|约|如果|相比";

static const struct auto_around NOTHING = {{"", 0}, {"", 0}, {"", 0}};

static bool has_digit(struct gt_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') return true;
    }
    return false;
}

/* One amount that an hour of one card costs. */
static bool is_rate(const struct auto_price *price)
{
    const struct quote *quote = &price->first.quote;
    return price->items == 1 && !price->is_zero && price->has_currency && quote->period == PERIOD_HOUR && quote->basis == BASIS_CARD &&
           quote->bound == BOUND_EXACT;
}

/* Reads a line as what an hour of one card costs, and nothing else. An hour of a core, a terabyte or a person is of no card; "from" leads
 * to a page of prices and is none. */
static bool read_rate(struct auto_page *page, struct gt_str text, struct gt_str unit, struct auto_price *ret_price)
{
    bool is_bare = unit.len > 0;
    enum auto_role role = auto_role_of(page, is_bare ? unit : text);
    if (role == AUTO_FOREIGN || role == AUTO_TOTAL || role == AUTO_EXCLUDED || role == AUTO_DISCOUNT) return false;
    if (!auto_price_read(page, text, unit, GT_STR(""), &NOTHING, is_bare, ret_price)) return false;
    return text.len <= ret_price->first.len + (is_bare ? 0 : BESIDE_BYTES_MAX) && is_rate(ret_price);
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

/* Reads the sentences of a line that say what an hour of a card is charged at here: "GPU time is charged at 0.35 EUR per GPU hour." One
 * that guesses, reckons or looks elsewhere is none. Returns how many offers they gave. */
static size_t read_sentences(struct auto_page *page, struct gt_str text)
{
    size_t offers = 0;
    while (text.len > 0 && text.len <= AUTO_PARAGRAPH_MAX) {
        struct gt_str sentence = auto_sentence_cut(&text);
        struct auto_offer offer = {.price_count = 1, .alike = 1, .shape = "cards"};
        if (sentence.len > SENTENCE_MAX || !auto_has_words(page, sentence, CHARGES) || auto_has_words(page, sentence, DOUBTS) ||
            !auto_price_read(page, sentence, GT_STR(""), GT_STR(""), &NOTHING, false, &offer.prices[0]) || !is_rate(&offer.prices[0]))
            continue;
        struct sku_match match = sku_resolve(sentence, 0, NULL, 0);
        offer.is_generic = match.status == SKU_UNMAPPED;
        offer.label = offer.is_generic ? GT_STR("GPU") : gt_str_slice(sentence, match.offset, match.len);
        auto_offer_add(page, &offer);
        offers++;
    }
    return offers;
}

size_t auto_unnamed_read(struct auto_page *page, const struct auto_line *lines, size_t count)
{
    size_t offers = 0;
    struct gt_str heading = GT_STR("");
    for (size_t i = 0; i < count && page->evidence.rates_cores && page->err == GT_OK; i++) {
        const struct auto_line *line = &lines[i];
        struct auto_offer offer = {.price_count = 1, .is_generic = true, .alike = 1, .shape = "cards", .variant = heading};
        if (line->is_heading) heading = line->text;
        if (line->is_prose || line->has_sku) offers += read_sentences(page, line->text);
        if (line->has_sku || line->is_struck || !find_rate(page, lines, count, i, &offer.prices[0])) continue;
        offer.label = auto_line_label(page, line);
        if (offer.label.len <= 1) offer.label = GT_STR("GPU");
        auto_offer_add(page, &offer);
        offers++;
        arena_clear(page->scratch);
    }
    return offers;
}
