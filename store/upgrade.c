#include "store/upgrade.h"

#include "store/part_load.h"
#include "store/part_rebuild.h"

#define UPGRADE_ARENA_MAX ((size_t)4 << 30)

/* What format 2 told otherwise: a latest block had the attributes that an offer showed last, also where that was on a doubted page. Format 3
 * has those of the good record, and the doubt's beside them. Both follow from the log, which is the same in both. */
static bool is_rewritten(enum db_table table)
{
    return table == DB_META || table == DB_HEADS || table == DB_GONE;
}

/* Whatever is not meant to change is held against its sum of before. */
static enum gt_err upgrade_all(void *ctx, struct db_txn *txn)
{
    struct arena *arena = ctx;
    uint64_t before[DB_TABLES];
    for (enum db_table table = 0; table < DB_TABLES; table++) before[table] = db_table_sum(txn, table);
    for (uint32_t id = part_stream_next(txn, 0); id != 0 && db_err(txn) == GT_OK; id = part_stream_next(txn, id)) {
        arena_clear(arena);
        part_latest_rebuild(txn, id, arena);
    }
    db_format_upgrade(txn);
    for (enum db_table table = 0; table < DB_TABLES; table++)
        if (!is_rewritten(table) && db_table_sum(txn, table) != before[table])
            db_fail(txn, GT_EINTERNAL, "table %s is not what it was", db_table_name(table));
    return db_err(txn);
}

enum gt_err db_upgrade(struct db *db, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(UPGRADE_ARENA_MAX);
    if (arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = db_write(db, upgrade_all, arena, info);
    arena_free(arena);
    return err;
}
