/* What the store's own files share. */
#ifndef GT_STORE_STORE_IMPL_H
#define GT_STORE_STORE_IMPL_H

#include "store/db.h"
#include "store/store.h"

struct store {
    struct db *db;
};

struct store_txn {
    struct store *store;
    struct db_txn *txn;
};

/* As store_open, with options of the database: for tests of growth. */
enum gt_err store_open_with(const char *folder, const struct db_options *options, struct store **ret_store,
                            struct gt_errinfo *info);

/* The next run's sequence number, taken: one more than any before, whatever was deleted since. 0 on failure. */
uint64_t store_seq_take(struct db_txn *txn);

#endif
