/* store_get, store_put, store_each: small values by key, for the crawler's memory and the alerts' state. */
#include <stdlib.h>

#include "common/digest.h"
#include "store/codec.h"
#include "store/store_impl.h"

enum {
    KEYED_RAW_MAX = 400, /* longer keys are their first so many bytes and a digest; LMDB takes 511 */
    KEYED_MARK = 'k',    /* before every key: LMDB knows no empty one */
    KEYED_SHORT = 0,     /* first byte of a value: nothing but the value follows */
    KEYED_LONG = 1,      /* the whole key follows first */
};

/* The caller's tables are the last ones of the database, in the same order. */
static enum db_table table_of(enum store_table table)
{
    return (enum db_table)(DB_VALIDATORS + (int)table);
}

/* Limits first: a key that cannot be kept must not be half written. */
static enum gt_err check_args(enum store_table table, struct gt_str key, struct gt_errinfo *info)
{
    if ((unsigned)table > STORE_META) return gt_fail(info, GT_EUSAGE, "no such table");
    if (key.len > STORE_URL_MAX) return gt_fail(info, GT_ELIMIT, "a key of %zu bytes is too long", key.len);
    return GT_OK;
}

/* A key as it stands in the database. */
struct keyed_key {
    char bytes[1 + KEYED_RAW_MAX + SHA256_BYTES];
    size_t len;
};

static struct gt_str keyed_str(const struct keyed_key *key)
{
    return (struct gt_str){key->bytes, key->len};
}

static void keyed_add(struct keyed_key *key, struct gt_str bytes)
{
    if (bytes.len > 0) memcpy(key->bytes + key->len, bytes.ptr, bytes.len);
    key->len += bytes.len;
}

/* Fits by its limits: mark, at most KEYED_RAW_MAX bytes, a digest. */
static enum gt_err stored_key(struct gt_str key, struct keyed_key *ret_key)
{
    static const char mark = KEYED_MARK;
    uint8_t digest[SHA256_BYTES];
    ret_key->len = 0;
    keyed_add(ret_key, (struct gt_str){&mark, 1});
    keyed_add(ret_key, gt_str_slice(key, 0, KEYED_RAW_MAX));
    if (key.len <= KEYED_RAW_MAX) return GT_OK;
    enum gt_err err = digest_sha256(key, digest);
    if (err == GT_OK) keyed_add(ret_key, (struct gt_str){(const char *)digest, sizeof digest});
    return err;
}

/* Splits a stored pair into the caller's key and value, borrowed. */
static bool pair_read(struct gt_str stored_key_bytes, struct gt_str stored, struct gt_str *ret_key, struct gt_str *ret_value)
{
    struct dec dec = dec_begin(stored, NULL);
    uint8_t form = dec_byte(&dec);
    *ret_key = gt_str_slice(stored_key_bytes, 1, SIZE_MAX);
    if (form == KEYED_LONG) *ret_key = dec_text(&dec, STORE_URL_MAX);
    else if (form != KEYED_SHORT) dec_damaged(&dec);
    *ret_value = (struct gt_str){(const char *)dec.at, (size_t)(dec.end - dec.at)};
    return dec.err == GT_OK;
}

struct keyed {
    enum db_table table;
    struct gt_str key, value;
};

/* Writes or deletes inside a transaction, the caller's or its own. */
static enum gt_err put_in(void *ctx, struct db_txn *txn)
{
    const struct keyed *put = ctx;
    struct keyed_key key;
    struct strbuf bytes;
    enum gt_err err = stored_key(put->key, &key);
    if (err != GT_OK) return db_fail(txn, err, "a key has no digest");
    if (put->value.ptr == NULL) {
        db_del(txn, put->table, keyed_str(&key));
        return db_err(txn);
    }
    strbuf_init(&bytes, DB_VALUE_MAX);
    enc_byte(&bytes, put->key.len > KEYED_RAW_MAX ? KEYED_LONG : KEYED_SHORT);
    if (put->key.len > KEYED_RAW_MAX) enc_text(&bytes, put->key, STORE_URL_MAX);
    strbuf_add(&bytes, put->value);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "a value of %zu bytes: %s", put->value.len, gt_err_text(bytes.err));
    db_put(txn, put->table, keyed_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
    return db_err(txn);
}

enum gt_err store_put(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct gt_str value,
                      struct gt_errinfo *info)
{
    struct keyed put = {.table = table_of(table), .key = key, .value = value};
    enum gt_err err = check_args(table, key, info);
    if (err != GT_OK) return err;
    if (txn == NULL) return db_write(store->db, put_in, &put, info);
    err = put_in(&put, txn->txn);
    if (err != GT_OK && info != NULL && info != db_info(txn->txn)) gt_fail(info, err, "%s", gt_err_text(err));
    return err;
}

/* The whole key is compared, also of long ones: a digest that agrees is not yet the key. */
static enum gt_err get_in(struct db_txn *txn, const struct keyed *get, struct arena *arena, struct gt_str *ret_value)
{
    struct keyed_key key;
    struct gt_str stored, known, value;
    enum gt_err err = stored_key(get->key, &key);
    if (err != GT_OK) return db_fail(txn, err, "a key has no digest");
    if (!db_get(txn, get->table, keyed_str(&key), &stored)) return db_err(txn) != GT_OK ? db_err(txn) : GT_ENOENT;
    if (!pair_read(keyed_str(&key), stored, &known, &value) || !gt_str_eq(known, get->key))
        return db_fail(txn, GT_ECORRUPT, "a value of table %s is damaged", db_table_name(get->table));
    value = arena_dup(arena, value);
    if (value.ptr == NULL) return db_fail(txn, GT_ENOMEM, "out of memory");
    *ret_value = value;
    return GT_OK;
}

/* Within a transaction of the caller's it sees what that has written, as evaluations of alerts must. */
enum gt_err store_get(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct arena *arena,
                      struct gt_str *ret_value, struct gt_errinfo *info)
{
    struct keyed get = {.table = table_of(table), .key = key};
    struct db_txn *own = NULL;
    enum gt_err err = check_args(table, key, info);
    if (err == GT_OK && txn == NULL) err = db_read_begin(store->db, &own, info);
    if (err != GT_OK) return err;
    err = get_in(txn != NULL ? txn->txn : own, &get, arena, ret_value);
    db_read_end(own);
    if (err == GT_ENOENT) gt_fail(info, err, "nothing is kept under \"%.*s\"", GT_STR_ARG(key));
    return err;
}

struct pair_list {
    struct keyed *items;
    size_t count, cap;
};

/* Copies, since nothing of the database may be seen once the transaction is over. */
static bool add_pair(struct db_txn *txn, const struct db_cursor *cursor, struct gt_str prefix, struct arena *arena,
                     struct pair_list *list)
{
    struct keyed pair;
    void *items = list->items;
    if (!pair_read(cursor->key, cursor->value, &pair.key, &pair.value)) {
        db_fail(txn, GT_ECORRUPT, "a value of table %s is damaged", db_table_name(cursor->table));
        return false;
    }
    if (!gt_str_starts(pair.key, prefix)) return true;
    pair.key = arena_dup(arena, pair.key);
    pair.value = arena_dup(arena, pair.value);
    if (pair.key.ptr == NULL || pair.value.ptr == NULL ||
        !arena_grow(arena, &items, list->count, &list->cap, sizeof *list->items)) {
        db_fail(txn, GT_ENOMEM, "out of memory");
        return false;
    }
    list->items = items;
    list->items[list->count++] = pair;
    return true;
}

/* All that begin with as much of the prefix as stands in keys; add_pair looks at the rest. */
static void load_pairs(struct db_txn *txn, enum db_table table, struct gt_str prefix, struct arena *arena, struct pair_list *list)
{
    struct db_cursor cursor;
    struct keyed_key key;
    struct gt_str raw = gt_str_slice(prefix, 0, KEYED_RAW_MAX);
    if (stored_key(raw, &key) != GT_OK) return;
    db_cursor_init(&cursor, txn, table);
    bool has = db_cursor_seek(&cursor, keyed_str(&key));
    while (has && gt_str_starts(cursor.key, keyed_str(&key)) && add_pair(txn, &cursor, prefix, arena, list))
        has = db_cursor_next(&cursor);
    db_cursor_done(&cursor);
}

static int pair_cmp(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    return gt_str_cmp(a->key, b->key);
}

enum gt_err store_each(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str prefix,
                       struct arena *arena, store_each_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct db_txn *own = NULL;
    struct pair_list list = {.count = 0};
    enum gt_err err = check_args(table, prefix, info);
    if (err == GT_OK && txn == NULL) err = db_read_begin(store->db, &own, info);
    if (err != GT_OK) return err;
    struct db_txn *reading = txn != NULL ? txn->txn : own;
    load_pairs(reading, table_of(table), prefix, arena, &list);
    err = db_err(reading);
    db_read_end(own);
    if (err != GT_OK) return err;
    /* Long keys lie by digest behind their common beginning. */
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, pair_cmp);
    for (size_t i = 0; i < list.count && err == GT_OK; i++) err = fn(ctx, list.items[i].key, list.items[i].value);
    return err;
}
