/* What prices without a unit are for, as sentences around them say it: "All prices are per GPU-hour.", "价格单位：元/小时". */
#include "parsers/auto.h"

enum {
    UNIT_SENTENCE_MAX = 200,  /* bytes: a longer sentence says more than a unit */
    UNIT_PARAGRAPH_MAX = 2000,
};

static const char PRICE_WORDS[] = "price|prices|pricing|rate|rates|cost|costs|charge|charges|charged|fee|fees|tariff|tariffs|单位|价格|单价|计价|报价|收费|"
                                  "计费|preis|preise|prix|tarif|tarifs|tarife|precio|precios|preço|preços|prezzi|prijzen|цены|料金|価格";

/* Words that tie a time to what is paid. */
static const char RATE_WORDS[] = "per|/|each|pro|par|por|gpu-hour|gpu-month|gpu hour|gpu month|gpu hours|card-hour|are hourly|is hourly|are monthly|"
                                 "is monthly|hourly rate|hourly price|monthly rate|monthly price|每|单位|卡时";

/* "Usage is billed monthly" tells when a bill comes, "updated daily" when a page changes. */
static const char BILLS[] = "billed|billing|invoiced|abgerechnet|facturé|账单|出账", UPDATES[] = "updated|update|refreshed|更新";

struct gt_str auto_cut_at(struct gt_str *rest, const struct gt_str *signs, size_t count)
{
    size_t end = rest->len, len = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = gt_str_find(gt_str_slice(*rest, 0, end), signs[i], 0);
        if (at != SIZE_MAX) end = at, len = signs[i].len;
    }
    struct gt_str piece = gt_str_slice(*rest, 0, end);
    *rest = gt_str_slice(*rest, end + len, SIZE_MAX);
    return piece;
}

struct gt_str auto_sentence_cut(struct gt_str *rest)
{
    static const struct gt_str STOPS[] = {{". ", 2}, {".\n", 2}, {";", 1}, {"。", 3}, {"；", 3}};
    return auto_cut_at(rest, STOPS, sizeof STOPS / sizeof STOPS[0]);
}

bool auto_unit_has_time(struct auto_page *page, struct gt_str heading)
{
    const struct auto_around nothing = {GT_STR(""), GT_STR(""), GT_STR("")};
    struct auto_price price;
    return auto_price_read(page, GT_STR("1"), heading, GT_STR(""), &nothing, true, &price) && price.has_period;
}

static bool has_amount(struct gt_str text)
{
    static const struct gt_str SIGNS[] = {{"$", 1}, {"€", 3}, {"£", 2}, {"¥", 2}, {"￥", 3}, {"₹", 3}};
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        for (size_t at = gt_str_find(text, SIGNS[i], 0); at != SIZE_MAX; at = gt_str_find(text, SIGNS[i], at + 1)) {
            struct gt_str behind = gt_str_trim(gt_str_slice(text, at + SIGNS[i].len, SIZE_MAX));
            if (behind.len > 0 && behind.ptr[0] >= '0' && behind.ptr[0] <= '9') return true;
        }
    }
    return false;
}

/* True for a sentence that says what prices are for, and has none itself. */
static bool says_unit(struct auto_page *page, struct gt_str sentence)
{
    return sentence.len > 0 && sentence.len <= UNIT_SENTENCE_MAX && auto_has_words(page, sentence, PRICE_WORDS) &&
           auto_has_words(page, sentence, RATE_WORDS) && !auto_has_words(page, sentence, BILLS) && !auto_has_words(page, sentence, UPDATES) &&
           auto_unit_has_time(page, sentence) && !has_amount(sentence) && !auto_is_amount(page, sentence);
}

struct gt_str auto_unit_sentence(struct auto_page *page, struct gt_str paragraph)
{
    struct gt_str found = GT_STR("");
    if (paragraph.len > UNIT_PARAGRAPH_MAX) return found;
    while (paragraph.len > 0) {
        struct gt_str sentence = gt_str_trim(auto_sentence_cut(&paragraph));
        /* "… per core-month for CPU nodes. For GPU nodes, the price is per GPU-month." */
        if (says_unit(page, sentence) && (found.len == 0 || auto_has_role(page, sentence, AUTO_LABEL))) found = sentence;
    }
    return found;
}

/* A sentence about something else than prices names no unit of theirs: "Delivery takes two days.", "The table is updated daily." */
static bool is_of_else(struct auto_page *page, struct gt_str line)
{
    bool is_sentence = gt_str_ends(line, GT_STR(".")) || gt_str_ends(line, GT_STR("。"));
    bool is_of_prices = auto_has_words(page, line, PRICE_WORDS) && auto_has_words(page, line, RATE_WORDS);
    return ((is_sentence && !is_of_prices) || auto_has_words(page, line, UPDATES)) && auto_unit_has_time(page, line);
}

struct gt_str auto_unit_choose(struct auto_page *page, struct gt_str before, struct gt_str behind, struct gt_str said)
{
    bool is_else = is_of_else(page, before);
    if (!is_else && auto_unit_has_time(page, before)) return before;
    struct gt_str sentence = auto_unit_sentence(page, behind);
    if (sentence.len == 0) sentence = said;
    if (sentence.len == 0 && !is_else) return before;
    size_t below = gt_str_find(sentence, GT_STR(" below "), 0); /* "All prices below are …" bounds no price */
    return below == SIZE_MAX ? sentence : gt_str_slice(sentence, below + GT_STR(" below ").len, SIZE_MAX);
}

bool auto_unit_is_for_all(struct auto_page *page, struct gt_str sentence)
{
    return auto_has_words(page, sentence, "all|below|following|listed|shown|每页|所有|全部|以下|本页|下列|alle|toutes|todos");
}
