/* What changed between two records of one offer, as kinds of change. */
#ifndef GT_STORE_DIFF_H
#define GT_STORE_DIFF_H

#include "pricing/offer.h"

/* The bit of a kind. */
#define KIND_BIT(kind) (1U << (kind))

/* The kinds (bits) that tell a move from `before` to `after`; none when only raw words or places differ.
 *
 *  price            a list amount or the amount of a quote moved, in the same unit.
 *  unit             what a quote's amount is for changed: period, basis, cards; or the cards (slice) of the unit sold.
 *  terms            anything else that decides what is paid: quotes added or gone, discounts, conditions, tax, bounds.
 *  promotion-began, promotion-ended, sold-out, back-in-stock.
 *
 * Attributes may be NULL when they are the same. */
unsigned diff_kinds(const struct offer_record *before, const struct offer_record *after,
                    const struct offer_attributes *attributes_before, const struct offer_attributes *attributes_after);

/* `unit` when the unit sold differs, else 0. */
unsigned diff_attributes(const struct offer_attributes *before, const struct offer_attributes *after);

#endif
