/* A row as a parser found it: named printed texts, not yet read. The seam between parsers/ and pricing/. */
#ifndef GT_PRICING_LISTING_H
#define GT_PRICING_LISTING_H

#include <stddef.h>

#include "common/arena.h"
#include "pricing/offer.h"
#include "pricing/site_facts.h"

enum { LISTING_FIELDS_MAX = 64, LISTINGS_MAX = 20000 };

/* One cell. Names: label, price or price.TAG[.TAG…] (tags are words of period, basis, role, plan words such as "spot" or
 * "student", or months such as "12m"), discount[.TAG], cards, vram, region, plan, variant, key, stock, vcpu, ram, disk,
 * interconnect, min_cards, min_months, delivery, tier, currency, promo, note. */
struct listing_field {
    struct gt_str name;
    struct gt_str text;   /* the printed text, trimmed */
    struct gt_str header; /* the column's heading or the caption around it: gives units; may be empty */
    struct gt_str rule;   /* which rule matched, for `parse` */
};

/* One row. */
struct listing {
    const struct listing_field *fields;
    size_t field_count;
    int32_t confidence_permille; /* 1000 unless `auto` guessed */
    struct gt_str reasons;
};

/* All that one part of a page yielded, read. */
struct reading {
    struct offer *offers;
    size_t offer_count;
    struct refusal *refused;
    size_t refused_count;
};

/* Reads listings into offers: price phrases, cards, discounts, normal form; then the page-wide solver for unlabelled factors.
 *
 *  facts     what the site's section says (currency, unit, basis …).
 *  part      goes into each identity.
 *  arena     owns everything in *ret_reading.
 *
 * GT_OK also when every row was refused (refused says why); GT_ENOMEM; GT_ELIMIT past LISTINGS_MAX. Rows are isolated: one that
 * cannot be read costs itself only. Output depends on the arguments alone. */
enum gt_err listing_read(const struct listing *listings, size_t count, const struct site_facts *facts, struct gt_str part,
                         struct arena *arena, struct reading *ret_reading);

/* Checks the parts behind the first dot of a field's name that someone wrote by hand. True when each has a meaning; else false with
 * the first that has none in *ret_unknown (part of `name`) and the nearest known word in *ret_nearest, NULL when none is near. */
bool listing_field_name_check(struct gt_str name, struct gt_str *ret_unknown, const char **ret_nearest);

/* The text of the first field called `name`, or an empty one. */
struct gt_str listing_get(const struct listing *listing, const char *name);

#endif
