/* Offers made by hand, for tests that need no reader of texts. */
#ifndef GT_TESTS_UNIT_PRICING_BUILD_H
#define GT_TESTS_UNIT_PRICING_BUILD_H

#include "pricing/net_price.h"
#include "tests/unit/table.h"

enum { BUILD_ARENA_BYTES = 16 * 1024 * 1024, BUILD_QUOTES = 8, BUILD_DISCOUNTS = 6 };

/* An offer with room of its own. Copying it would leave the pointers behind: use it in place. */
struct built {
    struct offer offer;
    struct quote quotes[BUILD_QUOTES];
    struct discount discounts[BUILD_DISCOUNTS];
    struct condition conditions[BUILD_QUOTES + BUILD_DISCOUNTS][CONDITIONS_MAX];
    size_t condition_lists;
};

/* "1.57" in nano-units; a test that misspells a number fails at once. */
static inline int64_t nano(const char *decimal)
{
    int64_t value = -1;
    if (money_parse(gt_str_from(decimal), &value) != GT_OK) abort();
    return value;
}

/* An empty offer of one card of a kind, container, domestic, CNY. */
static inline void build_offer(struct built *built, const char *label, const char *sku, int32_t cards)
{
    memset(built, 0, sizeof *built);
    built->offer.identity.label = gt_str_from(label);
    built->offer.stock = -1;
    built->offer.attributes.cards = cards;
    built->offer.attributes.sku_status = sku[0] != '\0' ? SKU_EXACT : SKU_UNMAPPED;
    built->offer.attributes.delivery = DELIVERY_CONTAINER;
    built->offer.record.currency = currency_from(GT_STR("CNY"));
    built->offer.record.quotes = built->quotes;
    built->offer.record.discounts = built->discounts;
    snprintf(built->offer.attributes.sku, SKU_NAME_MAX, "%s", sku);
}

/* Adds a price per card (or per node when the offer has several cards and `basis` says so). */
static inline struct quote *build_quote(struct built *built, const char *amount, enum period period, enum role role,
                                        enum basis basis)
{
    struct quote *quote = &built->quotes[built->offer.record.quote_count++];
    *quote = (struct quote){.amount_nano = nano(amount),
                            .currency = built->offer.record.currency,
                            .period = period,
                            .period_count = 1,
                            .basis = basis,
                            .role = role,
                            .raw = gt_str_from(amount)};
    return quote;
}

static inline struct quote *build_hour(struct built *built, const char *amount, enum role role)
{
    struct quote *quote = build_quote(built, amount, PERIOD_HOUR, role, BASIS_CARD);
    if (role == ROLE_LIST && built->offer.record.hour_list_nano == 0) built->offer.record.hour_list_nano = quote->amount_nano;
    return quote;
}

static inline struct quote *build_month(struct built *built, const char *amount, enum role role)
{
    return build_quote(built, amount, PERIOD_MONTH, role, built->offer.attributes.cards > 1 ? BASIS_NODE : BASIS_CARD);
}

/* Adds a condition to a quote or discount. */
#define BUILD_CONDITION(built, thing, of_kind, of_n)                                                                             \
    do {                                                                                                                         \
        __typeof__(thing) thing_ = (thing);                                                                                      \
        if (thing_->conditions == NULL) thing_->conditions = (built)->conditions[(built)->condition_lists++];                    \
        struct condition *list_ = (struct condition *)(uintptr_t)thing_->conditions;                                             \
        list_[thing_->condition_count++] = (struct condition){.kind = (of_kind), .n = (of_n)};                                   \
    } while (0)

/* Adds a factor ("0.95") with at most one condition (COND_WORDS: none). */
static inline struct discount *build_factor(struct built *built, const char *factor, enum cond_kind kind, int64_t n)
{
    struct discount *discount = &built->discounts[built->offer.record.discount_count++];
    *discount = (struct discount){.factor_nano = nano(factor)};
    if (kind != COND_WORDS) BUILD_CONDITION(built, discount, kind, n);
    return discount;
}

/* 720 hours, cents after the site's factor, nothing after labels, whole units for months. */
static inline struct net_rules build_rules(void)
{
    return (struct net_rules){720, NANO / 100, 0, NANO};
}

/* Compares money as people write it. */
#define assert_money(got_nano, expected)                                                                                         \
    do {                                                                                                                         \
        char text_[MONEY_TEXT_MAX];                                                                                              \
        assert_string_equal(money_format((got_nano), text_), (expected));                                                        \
    } while (0)

#endif
