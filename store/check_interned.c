/* `db check`, the interned tables. */
#include "store/check.h"
#include "store/intern.h"

/* Decodes an entry the way readers do; texts are any bytes. */
static enum gt_err decode(enum db_table table, struct gt_str bytes, struct arena *arena)
{
    struct stream stream;
    struct facts facts;
    struct named_offer offer;
    struct offer_attributes attributes;
    struct offer_record record;
    switch (table) {
    case DB_STREAMS: return dec_stream(bytes, arena, &stream);
    case DB_FACTS: return dec_facts(bytes, arena, &facts);
    case DB_OFFERS: return dec_identity(bytes, arena, &offer.site, &offer.identity);
    case DB_ATTRIBUTES: return dec_attributes(bytes, arena, &attributes);
    case DB_RECORDS: return dec_record(bytes, arena, &record);
    default: return bytes.len > 0 ? GT_OK : GT_ECORRUPT;
    }
}

/* Ids have no gaps, so a missing one shows as a jump; of records some may have been taken away (thin.h), and one that is still referred to is
 * missed by the check of the streams. What cannot be found by its digest would be given a second id by
 * the next run that brings it. */
static void check_entry(struct check *check, enum db_table table, struct gt_str key, struct gt_str bytes, uint32_t id_expected)
{
    uint32_t id = key_id_at(key, 0);
    const char *name = db_table_name(table);
    bool may_jump = table == DB_RECORDS && id > id_expected;
    if (key.len != KEY_ID_BYTES || (id != id_expected && !may_jump))
        check_find(check, "table %s: entry %u is missing", name, (unsigned)id_expected);
    arena_clear(check->arena);
    if (decode(table, bytes, check->arena) != GT_OK)
        check_find(check, "table %s: entry %u cannot be decoded", name, (unsigned)id);
    if (intern_find(check->txn, table, bytes) != id)
        check_find(check, "table %s: entry %u is not found by its digest", name, (unsigned)id);
}

/* Walks one interned table; returns how many entries it has, for the count of keys. */
static uint64_t check_table(struct check *check, enum db_table table)
{
    struct db_cursor cursor;
    uint32_t id = 0;
    db_cursor_init(&cursor, check->txn, table);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has; has = db_cursor_next(&cursor)) {
        check_entry(check, table, cursor.key, cursor.value, id + 1);
        id = key_id_at(cursor.key, 0);
    }
    db_cursor_done(&cursor);
    return db_count(check->txn, table);
}

/* The index by digest has an entry for each value and none besides; counting is enough where each single one was looked up. */
void check_interned(struct check *check)
{
    static const enum db_table tables[] = {DB_TEXTS, DB_STREAMS, DB_OFFERS, DB_ATTRIBUTES, DB_RECORDS, DB_FACTS};
    uint64_t entries = 0;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) entries += check_table(check, tables[i]);
    uint64_t keys = db_count(check->txn, DB_KEYS);
    if (db_err(check->txn) == GT_OK && keys != entries)
        check_find(check, "table keys has %llu entries, the tables it leads to have %llu", (unsigned long long)keys,
                   (unsigned long long)entries);
}
