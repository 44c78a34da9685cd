/* What is derived from printed words, derived anew over all history: for a new catalogue or new aliases. */
#ifndef GT_STORE_REDERIVE_H
#define GT_STORE_REDERIVE_H

#include "store/store.h"

/* Derives one offer anew: `offer` holds its site's identity, the attributes in force and a record (without one: quotes empty).
 * True when attributes or the record's normal form were changed; the identity and everything printed must stay. New texts go to
 * `arena`. Called again for the same offer when the transaction is run again: the answer must follow from the arguments. */
typedef bool store_derive_fn(void *ctx, struct gt_str site, struct offer *offer, struct arena *arena);

/* One offer whose attributes were others at some time. Texts live in the arena of store_rederive. */
struct rederived {
    uint64_t offer_id;
    struct gt_str site;
    struct offer_identity identity;
    struct offer_attributes before, after;
};

struct rederive_counts {
    uint64_t offers;  /* looked at */
    uint64_t changed; /* of them, with other attributes than before */
    uint64_t runs;    /* rewritten */
};

/* Derives the attributes of every offer in every run, and the list prices per card that follow from them, in one transaction:
 * on a failure, or when the machine dies, nothing has changed. Printed words, identities, changes, doubts and times stay as they
 * are, only what the runs say about cards is replaced; the past then shows today's reading.
 *
 *  derive, ctx     see above.
 *  arena           owns *ret_list: *ret_count entries, one an offer and pair of attributes, by offer.
 *
 * Where nothing changes nothing is written. GT_OK; GT_ENOMEM; GT_ENOSPC, GT_EIO, GT_ECORRUPT. */
enum gt_err store_rederive(struct store *store, store_derive_fn *derive, void *ctx, struct arena *arena,
                           const struct rederived **ret_list, size_t *ret_count, struct rederive_counts *ret_counts,
                           struct gt_errinfo *info);

#endif
