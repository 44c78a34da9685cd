/* Where the archive's records lie, by record id; and up to which of them the store has what they say. */
#ifndef GT_STORE_PAGES_H
#define GT_STORE_PAGES_H

#include "common/digest.h"
#include "store/store.h"

/* The place of one record. Borrowed when written; in the arena when read. */
struct page_place {
    struct gt_str record_id;  /* "urn:uuid:…" */
    struct gt_str file;       /* in the archive */
    int64_t offset, bytes;    /* of its gzip member */
    uint8_t sha1[SHA1_BYTES]; /* of the record's block */
};

/* Writes the places of records, in the transaction of the run that they belong to (`txn` NULL: one of its own, for all of them). Ids that are
 * no UUID are passed over. GT_ENOSPC, GT_EIO, GT_ECORRUPT. */
enum gt_err store_pages_put(struct store *store, struct store_txn *txn, const struct page_place *places, size_t count, struct gt_errinfo *info);

/* Reads one. GT_ENOENT when the record is not known. */
enum gt_err store_page_get(struct store *store, struct gt_str record_id, struct arena *arena, struct page_place *ret_place,
                           struct gt_errinfo *info);

/* Calls for each record that is known, by id. What `fn` returns other than GT_OK ends it. */
typedef enum gt_err store_page_fn(void *ctx, const struct page_place *place);
enum gt_err store_pages_each(struct store *store, store_page_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
