/* One row on its way from printed texts to an offer. Internal to pricing/listing*.c. */
#ifndef GT_PRICING_LISTING_ROW_H
#define GT_PRICING_LISTING_ROW_H

#include <stdbool.h>

#include "pricing/listing.h"
#include "pricing/price_text.h"
#include "pricing/refusal.h"
#include "pricing/site_alias.h"

enum {
    LISTING_REFUSED_MAX = 4096, /* refusals kept of one page */
    LISTING_CONTEXT_MAX = 1024, /* bytes of the row that a price text is read in */
    LISTING_HEADINGS_MAX = 16,  /* headings of a page kept as read; further ones are read for each row */
};

/* What words ask for, of each kind once. */
struct listing_terms {
    struct condition items[CONDITIONS_MAX];
    size_t count;
};

/* A column's heading, and what it says of the prices under it. */
struct listing_heading {
    struct gt_str words;
    const struct price_around *read;
    struct listing_terms terms;
};

/* What all rows of a page share. */
struct listing_page {
    const struct site_facts *facts;
    enum decimal_sign decimal; /* the site's, or what the prices of all rows tell */
    struct gt_str part;
    struct arena *arena;
    struct site_aliases aliases;
    struct refusal *refused;
    size_t refused_count, refused_cap;
    struct listing_heading headings[LISTING_HEADINGS_MAX];
    size_t heading_count;
};

/* What a field's name says beside the text: "price.month.sale", "price.12m", "discount.student". */
struct listing_tags {
    enum period period;
    int32_t period_count;
    enum basis basis;
    enum role role;
    bool has_role;
    enum bound bound;
    bool has_bound;
    int32_t months;
    bool is_upfront;
    struct condition conditions[CONDITIONS_MAX];
    size_t condition_count;
};

/* The open row. */
struct listing_row {
    struct listing_page *page;
    const struct listing *listing;
    struct offer *offer;
    struct gt_str words;   /* label, plan and variant: what says how the card is sold */
    struct gt_str context; /* the same, cut to what a price text is read in */
    const struct price_around *context_read; /* NULL before the first price */
    struct listing_terms terms;              /* of label, plan and variant */
    struct currency currency;
    struct quote quotes[OFFER_QUOTES_MAX];
    size_t quote_count;
    struct discount discounts[OFFER_DISCOUNTS_MAX];
    size_t discount_count;
    enum availability availability;
    bool is_quote_only;
    bool has_dash;    /* a price cell prints a dash: listed, not for sale now */
    bool was_refused; /* some number of the row was refused */
    enum gt_err err;  /* sticky: GT_ENOMEM */
};

/* Notes a text that was not taken. Past LISTING_REFUSED_MAX nothing more is kept. GT_OK; GT_ENOMEM. */
enum gt_err listing_refuse(struct listing_page *page, struct gt_str raw, struct gt_str reason);

/* The parts of a field's name behind the first dot. Words that mean nothing are passed over. */
struct listing_tags listing_tags_read(struct gt_str name);

/* Fills the offer's identity from the printed words; false when the row has no label (it is refused then). */
bool listing_identity(struct listing_row *row);

/* Fills what follows from the printed words: card, counts, memory, delivery, tier, terms. Prices are not needed. */
void listing_attributes(struct listing_row *row);

/* Reads price, discount and promotion fields into the row's quotes and discounts. */
void listing_prices(struct listing_row *row);

/* What only the prices say: tier of a monthly lease, one card, least cards, tax. */
void listing_terms_from_prices(struct listing_row *row);

/* Ties discounts to the prices that they were printed for, and takes each only once. */
void listing_discounts_settle(struct listing_row *row);

/* The normal form: list price per card by the hour and by the month, in one currency. */
void listing_normalise(struct offer *offer, const struct site_facts *facts);

/* Drops offers that repeat another one of the page in identity and in everything printed; the first stays, the order too.
 * GT_OK; GT_ENOMEM. */
enum gt_err listing_drop_repeats(struct offer *offers, size_t *count, struct arena *arena);

#endif
