/* Reads price phrases: the words of a page in, amounts with their unit, basis, role, bound and
 * discounts out. */
#ifndef GT_PRICING_PRICE_TEXT_H
#define GT_PRICING_PRICE_TEXT_H

#include "common/arena.h"
#include "pricing/offer.h"
#include "pricing/site_facts.h"

enum {
    PRICE_TEXT_MAX = 64 * 1024, /* bytes of one phrase; longer is GT_ELIMIT */
    PRICE_QUOTES_MAX = OFFER_QUOTES_MAX,
    PRICE_FLAGS_MAX = 8,
};

/* What a heading says of the phrases under it, or a row's words of those in it: read once, for many phrases. */
struct price_around;

/* Reads a column's heading, or the words of a row (borrowed, and only while this runs). *ret_around lies in the arena. GT_OK; GT_ELIMIT (longer
 * than PRICE_TEXT_MAX); GT_ENOMEM. */
enum gt_err price_around_read(struct gt_str words, struct arena *arena, const struct price_around **ret_around);

/* What a row's own words say of its terms where no amount stands beside them: whom it is for, at what time of the day, how it is paid, for how
 * many months ("1yr reserved", 学生专享, 夜间, 包年). A plan names a term by its length alone. Texts of conditions lie in the arena. GT_OK; GT_ELIMIT;
 * GT_ENOMEM. */
enum gt_err price_terms_read(struct gt_str words, bool is_plan, struct arena *arena, struct condition ret_conditions[CONDITIONS_MAX],
                             size_t *ret_count);

/* Amounts of money whose one sign parts one or two digits off, by that sign: what the texts of a page say about its custom. */
struct price_decimals {
    size_t points, commas;
};

/* Adds those of a text. */
void price_decimals_count(struct gt_str text, struct price_decimals *decimals);

/* DECIMAL_COMMA where all of them have commas, so that "1.199 €" beside "489,00 €" is thousands; else DECIMAL_UNKNOWN: points prove less,
 * since "1.199 €" beside "489.00 €" would be a slip either way. */
enum decimal_sign price_decimals_sign(const struct price_decimals *decimals);

/* What the reader may know beside the words. All optional; zero-initialise for nothing. */
struct price_context {
    struct currency currency; /* what `¥` or a bare number is in */
    enum decimal_sign decimal;
    enum period period; /* when neither words nor header name one */
    enum basis basis;
    struct gt_str header;         /* the column's heading: "按需价格（元/小时）" gives currency and period */
    struct gt_str context;        /* the row around the phrase: gives basis and cards ("8卡裸金属"), never an amount */
    const struct price_around *header_read, *context_read; /* the two, where they were read already: the texts are then not looked at */
    int64_t scale_num, scale_den; /* 0/0 is 1/1 */
    uint8_t bare_number;          /* a number without any currency or unit is a price (a price column); else it is refused */
};

/* One reading with its doubts. */
struct price_item {
    struct quote quote;
    struct gt_str flags[PRICE_FLAGS_MAX]; /* codes such as "ambiguous-separator", "unit-inherited" */
    size_t flag_count;
    size_t offset, len; /* of quote.raw in the text given */
};

struct price_reading {
    struct price_item *items; /* in the order printed */
    size_t item_count;
    struct discount *discounts; /* in the order printed */
    size_t discount_count;
    enum availability availability;
    uint8_t is_quote_only; /* 面议, "Contact sales" */
    uint8_t is_free;
    struct refusal *refused; /* numbers that are no rental price, with the reason */
    size_t refused_count;
    struct gt_str refused_all; /* why there is no price at all: the first refusal's reason; empty when items exist */
};

/* Reads every price in `text`.
 *
 *  text         borrowed; UTF-8, any width forms, at most PRICE_TEXT_MAX bytes.
 *  context      borrowed; may be NULL.
 *  arena        owns what *ret_reading points to.
 *
 * GT_OK when at least one price or discount was read; GT_ENOPRICE when the text holds none (ret_reading is set: refused_all says
 * why, availability may be known); GT_ELIMIT (text, header or context too long); GT_ENOMEM; ret_reading is untouched by both. Never
 * guesses: what is not printed stays unknown, an amount whose separator may be read two ways is refused as "ambiguous". Refusal
 * reasons are the words of refusal.def.
 * Source of the 折 and unit rules: docs/reading-prices.md. */
enum gt_err price_text_read(struct gt_str text, const struct price_context *context, struct arena *arena,
                            struct price_reading *ret_reading);

#endif
