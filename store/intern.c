#include "store/intern.h"

#include "common/digest.h"

enum {
    DIGEST_USED = 8, /* bytes of the digest that are kept */
    PROBES_MAX = 8,  /* digests of 64 bits that agree by chance: none is expected */
};

/* The key under which bytes of a table are looked up: table, the first 64 bits of their digest, a probe. A digest that could not be
 * computed must not become a key: memory may be out. */
static bool key_by_digest(struct db_txn *txn, enum db_table table, struct gt_str bytes, struct key *ret_key)
{
    uint8_t digest[SHA256_BYTES], tail[1 + DIGEST_USED + 1] = {(uint8_t)table};
    enum gt_err err = digest_sha256(bytes, digest);
    if (err != GT_OK) {
        db_fail(txn, err, "no digest for an entry of table %s", db_table_name(table));
        return false;
    }
    memcpy(tail + 1, digest, DIGEST_USED);
    *ret_key = (struct key){.len = 0};
    key_add_bytes(ret_key, (struct gt_str){(const char *)tail, sizeof tail});
    return true;
}

/* Where the bytes are, or would be: the id (0: not there) and the key that is theirs. A digest alone is not trusted: the bytes are
 * compared. */
static uint32_t look_up(struct db_txn *txn, enum db_table table, struct gt_str bytes, struct key *ret_key)
{
    struct gt_str value, known;
    if (!key_by_digest(txn, table, bytes, ret_key)) return 0;
    for (int probe = 0; probe < PROBES_MAX; probe++) {
        ret_key->bytes[ret_key->len - 1] = (uint8_t)probe;
        if (!db_get(txn, DB_KEYS, key_str(ret_key), &value)) return 0;
        uint32_t id = key_id_at(value, 0);
        if (!intern_get(txn, table, id, &known)) return 0;
        if (gt_str_eq(known, bytes)) return id;
    }
    db_fail(txn, GT_EINTERNAL, "too many digests agree in table %s", db_table_name(table));
    return 0;
}

uint32_t intern_find(struct db_txn *txn, enum db_table table, struct gt_str bytes)
{
    struct key key;
    return bytes.len > 0 ? look_up(txn, table, bytes, &key) : 0;
}

/* The last id given out; 0: none was. */
static uint32_t last_id(struct db_txn *txn, enum db_table table)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, txn, table);
    uint32_t last = db_cursor_seek_before(&cursor, (struct gt_str){NULL, 0}) ? key_id_at(cursor.key, 0) : 0;
    db_cursor_done(&cursor);
    return last;
}

static uint32_t next_id(struct db_txn *txn, enum db_table table)
{
    uint32_t last = last_id(txn, table);
    if (last == UINT32_MAX) db_fail(txn, GT_ELIMIT, "table %s is full", db_table_name(table));
    return last + 1;
}

/* Numbers are never used again, also those of values that were dropped: what refers to one can be trusted to mean it. */
uint32_t intern_put(struct db_txn *txn, enum db_table table, struct gt_str bytes)
{
    struct key by_digest;
    if (bytes.len == 0) return 0;
    uint32_t id = look_up(txn, table, bytes, &by_digest);
    if (id != 0 || db_err(txn) != GT_OK) return id;
    struct key by_id = key_of_id(next_id(txn, table));
    db_put(txn, table, key_str(&by_id), bytes);
    db_put(txn, DB_KEYS, key_str(&by_digest), key_str(&by_id));
    return db_err(txn) == GT_OK ? key_id_at(key_str(&by_id), 0) : 0;
}

/* Filling keeps the numbers of the store that was dumped; one that goes back, or says twice the same, makes no history. */
void intern_put_at(struct db_txn *txn, enum db_table table, uint32_t id, struct gt_str bytes)
{
    struct key by_digest, by_id = key_of_id(id);
    if (id <= last_id(txn, table) || bytes.len == 0 || look_up(txn, table, bytes, &by_digest) != 0) {
        db_fail(txn, GT_EFORMAT, "an entry of table %s has a number that is another's", db_table_name(table));
        return;
    }
    db_put(txn, table, key_str(&by_id), bytes);
    db_put(txn, DB_KEYS, key_str(&by_digest), key_str(&by_id));
}

/* The last number stays, since the next one is counted from it; and so does a value behind which another with the same digest was put. */
bool intern_drop(struct db_txn *txn, enum db_table table, uint32_t id)
{
    struct gt_str bytes, behind;
    struct key by_digest, by_id = key_of_id(id);
    if (id == last_id(txn, table) || !intern_get(txn, table, id, &bytes) || look_up(txn, table, bytes, &by_digest) != id) return false;
    struct key next = by_digest;
    next.bytes[next.len - 1]++;
    if (db_get(txn, DB_KEYS, key_str(&next), &behind)) return false;
    db_del(txn, DB_KEYS, key_str(&by_digest));
    db_del(txn, table, key_str(&by_id));
    return db_err(txn) == GT_OK;
}

uint32_t intern_put_buf(struct db_txn *txn, enum db_table table, const struct strbuf *buf)
{
    if (buf->err != GT_OK) {
        db_fail(txn, buf->err, "an entry of table %s cannot be kept: %s", db_table_name(table), gt_err_text(buf->err));
        return 0;
    }
    return intern_put(txn, table, strbuf_str(buf));
}

bool intern_get(struct db_txn *txn, enum db_table table, uint32_t id, struct gt_str *ret_bytes)
{
    struct key key = key_of_id(id);
    if (db_get(txn, table, key_str(&key), ret_bytes)) return true;
    db_fail(txn, GT_ECORRUPT, "the store is damaged: table %s has no entry %u", db_table_name(table), (unsigned)id);
    return false;
}

struct gt_str intern_text(struct db_txn *txn, uint32_t id, struct arena *arena)
{
    struct gt_str bytes;
    if (id == 0 || !intern_get(txn, DB_TEXTS, id, &bytes)) return (struct gt_str){"", 0};
    struct gt_str text = arena_dup(arena, bytes);
    if (text.ptr == NULL) {
        db_fail(txn, GT_ENOMEM, "out of memory");
        return (struct gt_str){"", 0};
    }
    return text;
}
