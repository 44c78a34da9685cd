/* Which printed price a printed discount belongs to. */
#include "pricing/listing_row.h"
#include "pricing/net_price_contained.h"
#include "pricing/net_price_quote.h"

/* The same factor or amount off. */
static bool is_same_cut(const struct discount *a, const struct discount *b)
{
    return a->factor_nano == b->factor_nano && a->factor_alt_nano == b->factor_alt_nano &&
           a->amount_off_nano == b->amount_off_nano && a->is_upto == b->is_upto;
}

/* Every condition of `a` is one of `b`'s. */
static bool is_within(const struct discount *a, const struct discount *b)
{
    for (size_t i = 0; i < a->condition_count; i++) {
        bool is_there = false;
        for (size_t k = 0; k < b->condition_count; k++)
            is_there |= a->conditions[i].kind == b->conditions[k].kind && a->conditions[i].n == b->conditions[k].n;
        if (!is_there) return false;
    }
    return true;
}

/* A discount that a column and a phrase both print is one discount, under the fuller of its conditions. */
static void take_once(struct listing_row *row)
{
    size_t kept = 0;
    for (size_t i = 0; i < row->discount_count; i++) {
        bool is_repeat = false;
        for (size_t k = 0; k < kept && !is_repeat; k++) {
            if (!is_same_cut(&row->discounts[i], &row->discounts[k])) continue;
            if (is_within(&row->discounts[k], &row->discounts[i])) row->discounts[k] = row->discounts[i];
            else if (!is_within(&row->discounts[i], &row->discounts[k])) continue;
            is_repeat = true;
        }
        if (!is_repeat) row->discounts[kept++] = row->discounts[i];
    }
    row->discount_count = kept;
}

/* The words of the discount stand inside the same cell as the price. */
static bool shares_cell(const struct listing_row *row, const struct discount *discount, const struct quote *quote)
{
    for (size_t i = 0; i < row->listing->field_count; i++) {
        struct gt_str text = row->listing->fields[i].text;
        if (text.len == 0 || discount->raw.ptr == NULL || quote->raw.ptr == NULL) continue;
        if (gt_str_find(text, discount->raw, 0) != SIZE_MAX && gt_str_find(text, quote->raw, 0) != SIZE_MAX) return true;
    }
    return false;
}

/* "月付 95 折后 ¥1.57/时": the reduced price is had by who has the discount. */
static void tie_sale(struct listing_row *row, struct quote *quote)
{
    const struct discount *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < row->discount_count; i++)
        if (shares_cell(row, &row->discounts[i], quote)) {
            only = &row->discounts[i];
            count++;
        }
    /* With two discounts in the cell nothing says which of them the price was printed for. */
    if (count != 1 || only->condition_count == 0 || quote->condition_count != 0) return;
    quote->conditions = only->conditions;
    quote->condition_count = only->condition_count;
}

/* "按量 ¥1.98，抢占统一 6 折 ¥1.19": the factor leads to the spot price, so it is for who takes that. */
static void tie_discount(struct listing_row *row, struct discount *discount, const struct condition *spot,
                         const struct condition *member)
{
    struct offer_record record = {.quotes = row->quotes, .quote_count = row->quote_count};
    if (discount->condition_count != 0 || discount->factor_nano <= 0) return;
    for (size_t i = 0; i < row->quote_count; i++) {
        const struct quote *quote = &row->quotes[i];
        const struct quote *list = quote->role == ROLE_SPOT || quote->role == ROLE_MEMBER ? quote_list_of(&record, quote) : NULL;
        if (list == NULL || !quote_is_explained(list, discount->factor_nano, quote)) continue;
        discount->conditions = quote->role == ROLE_SPOT ? spot : member;
        discount->condition_count = 1;
        return;
    }
}

/* "月均费用 1260 元（小时租 1800 元）", "较小时租低 30%": 1800 × 0.70 = 1260, so 1800 is the month at hourly rates and not an hour's price.
 * Only a printed factor proves it; without one the figure stays as it was read, for the audit and the guards. */
static void tie_month_at_hourly_rates(struct listing_row *row, struct quote *hour)
{
    if (hour->period != PERIOD_HOUR || hour->role != ROLE_LIST) return;
    for (size_t i = 0; i < row->quote_count; i++) {
        const struct quote *month = &row->quotes[i];
        if (month->period != PERIOD_MONTH || month->role != ROLE_LIST || month->amount_nano >= hour->amount_nano) continue;
        for (size_t d = 0; d < row->discount_count; d++) {
            if (row->discounts[d].factor_nano <= 0 || !quote_is_explained(hour, row->discounts[d].factor_nano, month)) continue;
            hour->period = PERIOD_MONTH;
            hour->role = ROLE_DERIVED;
            return;
        }
    }
}

/* Only now, with the row whole, is it known which price a discount beside it can belong to. */
void listing_discounts_settle(struct listing_row *row)
{
    struct condition *own = arena_array(row->page->arena, 2, sizeof *own);
    if (own == NULL) {
        row->err = GT_ENOMEM;
        return;
    }
    own[0] = (struct condition){.kind = COND_UNKNOWN, .text = GT_STR("spot")};
    own[1] = (struct condition){.kind = COND_MEMBER};
    take_once(row);
    for (size_t i = 0; i < row->quote_count; i++) tie_month_at_hourly_rates(row, &row->quotes[i]);
    for (size_t i = 0; i < row->discount_count; i++) tie_discount(row, &row->discounts[i], &own[0], &own[1]);
    for (size_t i = 0; i < row->quote_count; i++)
        if (row->quotes[i].role == ROLE_SALE) tie_sale(row, &row->quotes[i]);
}
