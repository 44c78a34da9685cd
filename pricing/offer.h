/* What a platform rents out, as printed, and its normal form. Shapes only: readers fill them (listing_read), stores keep them,
 * reports and alerts read them. All texts and arrays are borrowed from the arena that the filling function was given. */
#ifndef GT_PRICING_OFFER_H
#define GT_PRICING_OFFER_H

#include <stddef.h>
#include <stdint.h>

#include "common/str.h"
#include "pricing/money.h"
#include "pricing/words.h"

enum {
    OFFER_QUOTES_MAX = 32,
    OFFER_DISCOUNTS_MAX = 16,
    CONDITIONS_MAX = 8,
    CARDS_MAX = 4096,      /* more cards in one unit sold is a misreading */
    SKU_NAME_MAX = 48,
    OFFER_TEXT_MAX = 2048, /* bytes kept of one printed text */
};

/* One thing that must hold for a price or discount. */
struct condition {
    enum cond_kind kind;
    int64_t n;          /* months, cards; nano-units for min-spend; UTC seconds: until 24:00, from 0:00 of the printed day, or the printed time */
    struct gt_str text; /* the member level, or the words that were not understood (unknown); else empty */
};

/* One printed price. Amounts as printed (万 multiplied out, the site's `scale` applied): never recomputed. */
struct quote {
    int64_t amount_nano;
    int64_t amount_high_nano; /* the upper end of a range, else 0 */
    struct currency currency; /* "" when not known */
    enum period period;
    int32_t period_count;     /* "per 3 months" is MONTH and 3; else 1 */
    enum basis basis;
    int32_t cards;            /* cards that the price itself names ("8卡整机"); 0 when it names none */
    enum role role;
    enum bound bound;
    int32_t months;           /* commitment; 0 when none is named */
    uint8_t is_upfront;       /* the whole term is paid at once */
    enum tax tax;
    const struct condition *conditions;
    size_t condition_count;
    struct gt_str raw;        /* the words it was read from */
    struct gt_str where;      /* which rule or column gave it: "price.hour", "按需价格（元/小时）" */
};

/* One discount: a factor to pay or an amount off. 8 折 and "20% off" are both factor 0.80. */
struct discount {
    int64_t factor_nano;     /* what is left to pay, 0.80 = 800000000; 0 when there is none or it is ambiguous */
    int64_t factor_alt_nano; /* the other reading of an ambiguous one ("享 25% 折扣": 0.75 or 0.25); else 0 */
    int64_t amount_off_nano; /* 0 when none */
    struct currency currency;
    const struct condition *conditions;
    size_t condition_count;
    enum stacks stacks;
    uint8_t is_inferred;     /* not printed: found by the page's own arithmetic */
    uint8_t is_upto;         /* "up to 35% less": a bound, never multiplied */
    struct gt_str raw;
};

/* What tells offers apart: printed words only. Two offers are the same when all six are byte-equal. */
struct offer_identity {
    struct gt_str part;    /* the listing that is complete in itself */
    struct gt_str label;   /* white space normalised */
    struct gt_str plan;    /* column or plan words that set tier or term apart */
    struct gt_str region;
    struct gt_str variant; /* further printed cells that tell rows apart, joined by " | " */
    struct gt_str key;     /* the site's own key where it prints one (instance type, machine id) */
};

/* Orders identities as boards list them, the part last; 0 when all six are byte-equal. */
int offer_identity_cmp(const struct offer_identity *a, const struct offer_identity *b);

/* Derived from the printed words by today's rules; re-derivable, never part of the identity. Zero or *_UNKNOWN is unknown. */
struct offer_attributes {
    char sku[SKU_NAME_MAX];  /* "" when unmapped or ambiguous */
    enum sku_status sku_status;
    struct gt_str candidates; /* for ambiguous: names joined by ' ' */
    int32_t vram_gb;          /* of one card */
    int32_t vram_printed_gb;  /* what the row prints for it beside the card's name; 0 when nothing */
    int32_t cards;            /* in the unit sold; 0 unknown */
    int32_t slice_num, slice_den; /* 1/4 card: 1 and 4; 0 and 0 when whole */
    enum delivery delivery;
    enum tier tier;
    enum tax tax;
    enum includes includes;
    enum market market;
    enum site_kind kind;
    int32_t min_months;
    int32_t min_cards;
    int32_t billing_step_s;
    int32_t fabric_gbps;
    int32_t vcpu, ram_gb, disk_gb; /* of the unit sold */
    struct gt_str interconnect;    /* printed words, e.g. "NVLink + IB" */
};

/* What a span holds: printed facts and their normal form. */
struct offer_record {
    const struct quote *quotes;
    size_t quote_count;
    const struct discount *discounts;
    size_t discount_count;
    enum availability availability;
    /* List price per card, nano-units of `currency`; 0 when the offer has no such price. Exact bound only. */
    struct currency currency;
    int64_t hour_list_nano;
    int64_t month_list_nano;
};

/* The first moment after `t_unix_s` at which what the record prints begins or ends by its own dates, so that what is paid may change while the
 * page does not; 0 when there is none. `ret_kind` (may be NULL): COND_UNTIL or COND_FROM. */
int64_t offer_turn_next(const struct offer_record *record, int64_t t_unix_s, enum cond_kind *ret_kind);

/* The latest such moment that is not after `t_unix_s`; 0 when there is none. */
int64_t offer_turn_last(const struct offer_record *record, int64_t t_unix_s);

/* One offer as one fetch shows it. */
struct offer {
    struct offer_identity identity;
    struct offer_attributes attributes;
    struct offer_record record;
    int64_t stock;         /* volatile: units free; -1 unknown. Kept beside spans, starts none */
    int32_t confidence_permille; /* 1000 for rules; what `auto` believes else */
    struct gt_str reasons; /* why, for `auto` */
};

/* A text that looked like a price and was not taken, and why: a code of refusal.def. */
struct refusal {
    struct gt_str raw;
    struct gt_str reason;
};

#endif
