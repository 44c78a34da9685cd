/* Which cards are offered where, and which labels name no card for certain: for whoever writes rules and aliases. */
#ifndef GT_PRICING_COVERAGE_H
#define GT_PRICING_COVERAGE_H

#include "common/arena.h"
#include "common/err.h"
#include "pricing/offer.h"

/* How an offer stands at the moment that is asked about. */
enum coverage_state {
    COVERAGE_CURRENT,  /* can be had, as far as is known */
    COVERAGE_SOLD_OUT, /* printed, and not to be had now */
    COVERAGE_STALE,    /* not seen lately */
    COVERAGE_DOUBTED,  /* its present record may not stand */
    COVERAGE_STATES
};

/* One card at one site. */
struct coverage_cell {
    struct gt_str sku, site;
    size_t offers[COVERAGE_STATES];
};

/* One label of one site that no single card is known for. */
struct coverage_label {
    struct gt_str site, label;
    enum sku_status status;   /* unmapped or ambiguous */
    struct gt_str candidates; /* names joined by ' ' */
    size_t offers;            /* that print it */
};

/* All of it. Texts are borrowed from what was added. */
struct coverage {
    struct arena *arena;
    struct coverage_cell *cells; /* by card, then site */
    size_t cell_count, cell_cap;
    struct coverage_label *labels; /* by site, then label */
    size_t label_count, label_cap;
    enum gt_err err; /* sticky: GT_ENOMEM */
};

/* An empty one; lists grow in the arena. It has no end. */
void coverage_init(struct coverage *coverage, struct arena *arena);

/* Counts one offer. `site` and the offer's texts are borrowed until the end. */
void coverage_add(struct coverage *coverage, struct gt_str site, const struct offer *offer, enum coverage_state state);

/* Orders what was added and counts what belongs together. GT_OK; GT_ENOMEM. */
enum gt_err coverage_finish(struct coverage *coverage);

#endif
