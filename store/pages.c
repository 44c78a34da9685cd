/* The table "pages", beside what the crawler keeps there under keys of its own (keyed.c): those begin with 'k', these with 'r'. */
#include "store/pages.h"

#include "store/codec.h"
#include "store/intern.h"
#include "store/page_key.h"
#include "store/store_impl.h"

enum { PAGE_VERSION = 1 };

#define PAGES_ARENA_MAX ((size_t)1 << 30)

/* The value of a hexadecimal digit, -1 for anything else. */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/* A UUID is kept as its 16 bytes: the table has a row for every record that was ever archived. */
bool page_key_make(struct gt_str record_id, struct key *ret_key)
{
    static const char mark = PAGE_KEY_MARK;
    char bytes[UUID_BYTES];
    size_t count = 0;
    if (!gt_str_starts(record_id, GT_STR("urn:uuid:")) || record_id.len != PAGE_ID_BYTES) return false;
    for (size_t i = 9; i + 1 < record_id.len; i += 2) {
        if (record_id.ptr[i] == '-') i++;
        int high = hex_value(record_id.ptr[i]), low = hex_value(record_id.ptr[i + 1]);
        if (high < 0 || low < 0 || count == sizeof bytes) return false;
        bytes[count++] = (char)(high << 4 | low);
    }
    *ret_key = (struct key){.len = 0};
    key_add_bytes(ret_key, (struct gt_str){&mark, 1});
    key_add_bytes(ret_key, (struct gt_str){bytes, sizeof bytes});
    return count == sizeof bytes;
}

/* The reverse. */
static void id_print(struct gt_str key, char ret_id[PAGE_ID_BYTES + 1])
{
    static const char digits[] = "0123456789abcdef";
    char *out = ret_id;
    memcpy(out, "urn:uuid:", 9);
    out += 9;
    for (size_t i = 1; i < key.len && i <= UUID_BYTES; i++) {
        unsigned char byte = (unsigned char)key.ptr[i];
        if (i == 5 || i == 7 || i == 9 || i == 11) *out++ = '-';
        *out++ = digits[byte >> 4];
        *out++ = digits[byte & 15];
    }
    *out = '\0';
}

enum gt_err dec_page_place(struct gt_str bytes, uint32_t *ret_file, struct page_place *place)
{
    struct dec dec = dec_begin(bytes, NULL);
    if (dec_byte(&dec) != PAGE_VERSION) dec_damaged(&dec);
    *ret_file = dec_id(&dec);
    place->offset = dec_int(&dec);
    place->bytes = dec_int(&dec);
    dec_bytes(&dec, place->sha1, sizeof place->sha1);
    return dec_end(&dec);
}

/* Rows on their way in. */
struct pages_job {
    const struct page_place *places;
    size_t count;
};

static void page_fill(struct db_txn *txn, const struct key *key, const struct page_place *place)
{
    struct strbuf bytes;
    uint32_t file = intern_put(txn, DB_TEXTS, place->file);
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_byte(&bytes, PAGE_VERSION);
    enc_uint(&bytes, file);
    enc_int(&bytes, place->offset);
    enc_int(&bytes, place->bytes);
    enc_bytes(&bytes, place->sha1, sizeof place->sha1);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "a record's place: %s", gt_err_text(bytes.err));
    db_put(txn, DB_PAGES, key_str(key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

static enum gt_err pages_fill(void *ctx, struct db_txn *txn)
{
    const struct pages_job *job = ctx;
    for (size_t i = 0; i < job->count && db_err(txn) == GT_OK; i++) {
        struct key key;
        /* records of foreign files may have ids of other kinds: they are found by looking */
        if (page_key_make(job->places[i].record_id, &key)) page_fill(txn, &key, &job->places[i]);
    }
    return db_err(txn);
}

enum gt_err store_pages_put(struct store *store, struct store_txn *txn, const struct page_place *places, size_t count, struct gt_errinfo *info)
{
    struct pages_job job = {places, count};
    if (txn == NULL) return db_write(store->db, pages_fill, &job, info);
    enum gt_err err = pages_fill(&job, txn->txn);
    return err == GT_OK ? GT_OK : gt_fail(info, err, "%s", db_info(txn->txn)->text);
}

/* One row, its texts in the arena. */
static bool page_read(struct db_txn *txn, struct gt_str key, struct gt_str value, struct arena *arena,
                      struct page_place *ret_place)
{
    char id[PAGE_ID_BYTES + 1];
    uint32_t file = 0;
    if (dec_page_place(value, &file, ret_place) != GT_OK) {
        db_fail(txn, GT_ECORRUPT, "a record's place cannot be decoded");
        return false;
    }
    id_print(key, id);
    ret_place->record_id = arena_dup(arena, gt_str_from(id));
    ret_place->file = intern_text(txn, file, arena);
    if (ret_place->record_id.ptr == NULL) db_fail(txn, GT_ENOMEM, "out of memory");
    return db_err(txn) == GT_OK;
}

enum gt_err store_page_get(struct store *store, struct gt_str record_id, struct arena *arena, struct page_place *ret_place,
                           struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct gt_str value;
    struct key key;
    struct page_place place = {.offset = 0};
    if (!page_key_make(record_id, &key)) return gt_fail(info, GT_ENOENT, "%.*s is no record id", GT_STR_ARG(record_id));
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) return err;
    bool is_known = db_get(txn, DB_PAGES, key_str(&key), &value) && page_read(txn, key_str(&key), value, arena, &place);
    err = db_read_end(txn);
    if (err != GT_OK) return err;
    if (!is_known) return gt_fail(info, GT_ENOENT, "the store knows no record %.*s", GT_STR_ARG(record_id));
    *ret_place = place;
    return GT_OK;
}

/* The arena is cleared row by row: memory does not grow with the archive. */
enum gt_err store_pages_each(struct store *store, store_page_fn *fn, void *ctx, struct gt_errinfo *info)
{
    static const char mark = PAGE_KEY_MARK;
    struct db_txn *txn = NULL;
    struct db_cursor cursor;
    struct arena *arena = arena_new(PAGES_ARENA_MAX);
    enum gt_err err = arena != NULL ? db_read_begin(store->db, &txn, info) : gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) {
        arena_free(arena);
        return err;
    }
    db_cursor_init(&cursor, txn, DB_PAGES);
    bool has = db_cursor_seek(&cursor, (struct gt_str){&mark, 1});
    while (has && err == GT_OK && cursor.key.len > 0 && cursor.key.ptr[0] == mark) {
        struct page_place place = {.offset = 0};
        arena_clear(arena);
        if (page_read(txn, cursor.key, cursor.value, arena, &place)) err = fn(ctx, &place);
        has = db_err(txn) == GT_OK && db_cursor_next(&cursor);
    }
    db_cursor_done(&cursor);
    enum gt_err ended = db_read_end(txn);
    arena_free(arena);
    return err != GT_OK ? err : ended;
}
