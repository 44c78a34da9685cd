/* store_crawl_commit: the row that closes a crawl, and what is decided over several sites. */
#include "store/dump_impl.h"
#include "store/key.h"

enum { SHAPE_VERSION = 1 };

struct crawl_job {
    struct store *store;
    const struct crawl_input *crawl;
    store_hook *hook;
    void *hook_ctx;
};

void enc_crawl(struct strbuf *buf, const struct crawl_input *crawl)
{
    enc_byte(buf, SHAPE_VERSION);
    enc_int(buf, crawl->start_unix_s);
    enc_int(buf, crawl->end_unix_s);
    enc_int(buf, crawl->sites_ok);
    enc_int(buf, crawl->sites_failed);
    enc_int(buf, crawl->sites_skipped);
}

enum gt_err dec_crawl(struct gt_str bytes, struct crawl_input *ret_crawl)
{
    struct dec dec = dec_begin(bytes, NULL);
    if (dec_byte(&dec) != SHAPE_VERSION) dec_damaged(&dec);
    *ret_crawl = (struct crawl_input){.start_unix_s = dec_int(&dec)};
    ret_crawl->end_unix_s = dec_int(&dec);
    ret_crawl->sites_ok = dec_int32(&dec);
    ret_crawl->sites_failed = dec_int32(&dec);
    ret_crawl->sites_skipped = dec_int32(&dec);
    return dec_end(&dec);
}

/* Closing the same crawl again, as after a crash before it was acknowledged, adds no second row. */
static void write_crawl(struct db_txn *txn, const struct crawl_input *crawl)
{
    struct db_cursor cursor;
    struct strbuf bytes;
    strbuf_init(&bytes, CODEC_VALUE_MAX);
    enc_crawl(&bytes, crawl);
    db_cursor_init(&cursor, txn, DB_CRAWLS);
    bool has = db_cursor_seek_before(&cursor, (struct gt_str){NULL, 0});
    uint32_t last = has ? key_id_at(cursor.key, 0) : 0;
    bool is_same = has && gt_str_eq(cursor.value, strbuf_str(&bytes));
    db_cursor_done(&cursor);
    struct key key = key_of_id(last + 1);
    if (bytes.err != GT_OK) db_fail(txn, bytes.err, "a crawl: %s", gt_err_text(bytes.err));
    if (!is_same) db_put(txn, DB_CRAWLS, key_str(&key), strbuf_str(&bytes));
    strbuf_done(&bytes);
}

/* The row first, so that a hook which looks at crawls sees this one. */
static enum gt_err crawl_fill(void *ctx, struct db_txn *txn)
{
    struct crawl_job *job = ctx;
    struct run_summary summary = {.seq = 0};
    struct store_txn hook_txn = {.store = job->store, .txn = txn};
    write_crawl(txn, job->crawl);
    if (db_err(txn) != GT_OK || job->hook == NULL) return db_err(txn);
    return job->hook(job->hook_ctx, &hook_txn, NULL, &summary, db_info(txn));
}

enum gt_err store_crawl_commit(struct store *store, const struct crawl_input *crawl, store_hook *hook, void *hook_ctx,
                               struct gt_errinfo *info)
{
    struct crawl_job job = {.store = store, .crawl = crawl, .hook = hook, .hook_ctx = hook_ctx};
    return db_write(store->db, crawl_fill, &job, info);
}

/* ---- reading ---- */

struct crawl_list {
    struct crawl_input *items;
    size_t count, cap;
};

static void load_crawls(struct db_txn *txn, struct arena *arena, struct crawl_list *list)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, txn, DB_CRAWLS);
    for (bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0}); has; has = db_cursor_next(&cursor)) {
        void *items = list->items;
        struct crawl_input crawl;
        enum gt_err err = dec_crawl(cursor.value, &crawl);
        if (err == GT_OK && !arena_grow(arena, &items, list->count, &list->cap, sizeof *list->items)) err = GT_ENOMEM;
        if (err != GT_OK) db_fail(txn, err, "a crawl: %s", gt_err_text(err));
        if (err != GT_OK) break;
        list->items = items;
        list->items[list->count++] = crawl;
    }
    db_cursor_done(&cursor);
}

/* Loaded first, given afterwards: the callback may take long or read the store itself, and a transaction held meanwhile would keep old pages
 * alive. */
enum gt_err store_crawls(struct store *store, struct arena *arena, crawl_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct crawl_list list = {.count = 0};
    enum gt_err err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) return err;
    load_crawls(txn, arena, &list);
    err = db_read_end(txn);
    for (size_t i = 0; err == GT_OK && i < list.count; i++) err = fn(ctx, &list.items[i]);
    return err;
}
