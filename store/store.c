/* Opening the store; the sequence. */
#include "store/store.h"

#include <stdlib.h>

#include "store/codec.h"
#include "store/key.h"
#include "store/store_impl.h"

/* A file that is shorter than its last page is looked at in a child first; when nothing is missing, it is opened after all. */
static enum gt_err open_short(const char *folder, const struct db_options *options, struct db **ret_db, struct gt_errinfo *info)
{
    size_t findings = 0;
    struct db_options again = *options;
    again.is_short_fine = true;
    enum gt_err err = store_check(folder, NULL, NULL, &findings, info);
    if (err == GT_OK) return db_open(folder, &again, ret_db, info);
    if (err != GT_ECORRUPT) return err;
    return gt_fail(info, GT_ECORRUPT, "the store in %s is cut short: %zu findings, see `gputape db check`", folder, findings);
}

enum gt_err store_open_with(const char *folder, const struct db_options *options, struct store **ret_store,
                            struct gt_errinfo *info)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_open(folder, options, &store->db, info);
    if (err == GT_EINCOMPLETE) err = open_short(folder, options, &store->db, info);
    if (err != GT_OK) {
        store_close(store);
        return err;
    }
    *ret_store = store;
    return GT_OK;
}

enum gt_err store_open(const char *folder, enum store_mode mode, struct store **ret_store, struct gt_errinfo *info)
{
    struct db_options options = {.is_write = mode == STORE_WRITE};
    return store_open_with(folder, &options, ret_store, info);
}

void store_close(struct store *store)
{
    if (store == NULL) return;
    db_close(store->db);
    free(store);
}

/* In the run's own transaction: a number is either committed with its run or free again. */
uint64_t store_seq_take(struct db_txn *txn)
{
    struct gt_str value;
    uint64_t seq = db_get(txn, DB_META, GT_STR("seq"), &value) ? key_seq_at(value, 0) + 1 : 1;
    if (seq >= KEY_SEQ_LAST) db_fail(txn, GT_ELIMIT, "no run numbers are left");
    struct key taken = {.len = 0};
    key_add_seq(&taken, seq);
    db_put(txn, DB_META, GT_STR("seq"), key_str(&taken));
    return db_err(txn) == GT_OK ? seq : 0;
}
