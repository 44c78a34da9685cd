/* Leads (线索报价): quotes that were got by hand, a row of a table each. Read by the same readers as rows of pages. */
#ifndef GT_PRICING_LEAD_H
#define GT_PRICING_LEAD_H

#include "pricing/listing.h"

enum lead_column {
    LEAD_CARD,
    LEAD_PRICE,
    LEAD_SOURCE,
    LEAD_DATE, /* those up to here must be there */
    LEAD_CURRENCY,
    LEAD_PERIOD,
    LEAD_CARDS,
    LEAD_DELIVERY,
    LEAD_REGION,
    LEAD_SITE,
    LEAD_NOTE,
    LEAD_COLUMNS
};

enum { LEAD_PART_MAX = 40 };

/* Where each column stands. */
struct lead_header {
    size_t at[LEAD_COLUMNS]; /* SIZE_MAX: there is none */
    struct gt_str price;     /* the heading over the prices: gives units */
};

/* One lead. */
struct lead {
    struct gt_str site;   /* of its column; empty without */
    struct gt_str source;
    int64_t t_unix_s;     /* its date: 00:00 UTC, or the moment that is printed */
    struct offer offer;   /* its identity's part tells it from every other lead, its variant begins with the source */
};

/* Reads headings (English or Chinese: card/型号, price/价格, source/来源, date/日期, currency/币种, period/周期, cards/卡数, delivery/交付,
 * region/地区, site/平台, note/备注; a unit in brackets behind them is the price's). The texts are borrowed. GT_EFORMAT with a sentence when
 * one that must be there is missing, or a name stands twice. */
enum gt_err lead_header_read(const struct gt_str *cells, size_t count, struct lead_header *ret_header, struct gt_errinfo *info);

/* Reads one row. `facts` is what the section of its site says, or a page's without one; `now_unix_s` bounds its date. Everything goes to
 * `arena`. GT_EFORMAT with a sentence when it is no lead: no card, no price that can be read with currency and period, no source, no date or a
 * date to come, a cell that is too long. GT_ENOMEM. */
enum gt_err lead_read(const struct lead_header *header, const struct gt_str *cells, size_t count, const struct site_facts *facts,
                      int64_t now_unix_s, struct arena *arena, struct lead *ret_lead, struct gt_errinfo *info);

/* The site that a row names; empty when its table has no such column. */
struct gt_str lead_site(const struct lead_header *header, const struct gt_str *cells, size_t count);

#endif
