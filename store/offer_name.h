/* Offers and runs by what is printed and when, for whoever must name them outside of this store: the numbers in it are its own. */
#ifndef GT_STORE_OFFER_NAME_H
#define GT_STORE_OFFER_NAME_H

#include "store/store.h"

/* The site and identity of an offer's number. GT_ENOENT. */
enum gt_err store_offer_name(struct store *store, uint64_t offer_id, struct arena *arena, struct gt_str *ret_site,
                             struct offer_identity *ret_identity, struct gt_errinfo *info);

/* The number of an offer. GT_ENOENT. */
enum gt_err store_offer_find(struct store *store, struct gt_str site, const struct offer_identity *identity,
                             uint64_t *ret_offer_id, struct gt_errinfo *info);

/* When run `seq` of the offer's site and part began; and the last run there that began at a moment. GT_ENOENT. */
enum gt_err store_run_start(struct store *store, uint64_t offer_id, uint64_t seq, int64_t *ret_t_unix_s, struct gt_errinfo *info);
enum gt_err store_run_at(struct store *store, uint64_t offer_id, int64_t t_unix_s, uint64_t *ret_seq, struct gt_errinfo *info);

#endif
