/* Finds the unlabelled factor that all rows of a page share (JYGPU's 0.80), from list and shown prices. */
#ifndef GT_PRICING_DISCOUNT_SOLVE_H
#define GT_PRICING_DISCOUNT_SOLVE_H

#include "common/arena.h"
#include "pricing/offer.h"

/* What the solver found on a page. */
struct solved_factor {
    int64_t factor_nano;  /* 0: none */
    size_t rows_with;     /* rows whose shown price it explains (with or without the row's label) */
    size_t rows_total;    /* rows that have a list and a shown price */
    struct gt_str detail; /* one sentence with the numbers, in the arena */
};

/* Looks for one factor f, 0 < f < 1, that is printed nowhere and explains the shown price of every row: shown = list × f or
 * list × f × label, each within half of shown's last printed digit. Needs at least three rows, two different labels or none.
 * When found, an inferred discount (condition unknown) is put in front of each explained offer's discounts. GT_OK also when
 * there is none; GT_ENOMEM. */
enum gt_err discount_solve(struct offer *offers, size_t count, struct arena *arena, struct solved_factor *ret_solved);

#endif
