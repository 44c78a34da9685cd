/* The sums of the tables, in the meta table under "sums": the transaction that wrote them, then a sum a table in the order of
 * db_tables.def, eight bytes each, big-endian. Every transaction that changes anything writes them. Where they are of an
 * earlier one than the file's last, a root page is an older one: all below it fits together, and the last commits are gone. */
#include "store/db_impl.h"

enum { SUM_BYTES = 8 };

static const struct gt_str sums_key = {"sums", 4};

/* The checksum is 32 bits of CRC, which is linear: sums of such would cancel out in pairs. Multiplying and folding breaks
 * that. */
uint64_t db_sum_of(uint32_t check)
{
    uint64_t mixed = ((uint64_t)check + 1) * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93ULL;
    return mixed ^ mixed >> 29;
}

static uint64_t number_at(struct gt_str value, size_t place)
{
    uint64_t number = 0;
    for (size_t j = 0; j < SUM_BYTES; j++) number = number << 8 | (uint8_t)value.ptr[place * SUM_BYTES + j];
    return number;
}

static void number_put(char *bytes, size_t place, uint64_t number)
{
    for (size_t j = 0; j < SUM_BYTES; j++) bytes[place * SUM_BYTES + j] = (char)(number >> (56 - 8 * j));
}

int db_sums_read(MDB_txn *txn, MDB_dbi meta, struct db_sums *ret_sums)
{
    MDB_val k = {sums_key.len, (void *)(uintptr_t)sums_key.ptr}, v;
    struct gt_str value;
    *ret_sums = (struct db_sums){.is_kept = false};
    int rc = mdb_get(txn, meta, &k, &v);
    if (rc != 0) return rc == MDB_NOTFOUND ? 0 : rc;
    /* Tables that a newer program adds stand behind ours; tables that an older one did not know have had no entries. */
    if (!db_unseal(DB_META, sums_key, v, &value) || value.len < SUM_BYTES || value.len % SUM_BYTES != 0) return MDB_CORRUPTED;
    ret_sums->is_kept = true;
    ret_sums->txn = number_at(value, 0);
    for (size_t i = 0; i < DB_TABLES && (i + 2) * SUM_BYTES <= value.len; i++) ret_sums->of[i] = number_at(value, i + 1);
    return 0;
}

int db_sums_write(MDB_txn *txn, MDB_dbi meta, const struct db_sums *sums)
{
    char bytes[(1 + DB_TABLES) * SUM_BYTES];
    number_put(bytes, 0, mdb_txn_id(txn));
    for (size_t i = 0; i < DB_TABLES; i++) number_put(bytes, i + 1, sums->of[i]);
    return db_meta_put(txn, meta, sums_key, (struct gt_str){bytes, sizeof bytes});
}

uint64_t db_table_sum(const struct db_txn *txn, enum db_table table)
{
    return txn->sums.of[table];
}

bool db_sums_are_last(MDB_txn *txn, const struct db_sums *sums)
{
    /* A compacted copy begins to count at 1: there the writer's number is the larger one. */
    return !sums->is_kept || sums->txn >= mdb_txn_id(txn);
}

/* Past the usual way, which would count this very value into the sums that it holds. */
int db_meta_put(MDB_txn *txn, MDB_dbi meta, struct gt_str key, struct gt_str value)
{
    uint32_t crc = db_check(DB_META, key, value);
    MDB_val k = {key.len, (void *)(uintptr_t)key.ptr}, v = {value.len + DB_CHECK_BYTES, NULL};
    int rc = mdb_put(txn, meta, &k, &v, MDB_RESERVE);
    if (rc != 0) return rc;
    uint8_t *at = v.mv_data;
    memcpy(at, value.ptr, value.len);
    for (int i = 0; i < DB_CHECK_BYTES; i++) at[value.len + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
    return 0;
}
