/* `db check`, what hangs on runs, and what stands alone. */
#include <inttypes.h>

#include "store/check.h"
#include "store/page_key.h"
#include "store/stock.h"

enum { CRAWL_VERSION = 1 };

/* Calls for each entry of a table. */
typedef void entry_fn(struct check *check, struct gt_str key, struct gt_str value, void *ctx);

/* Every entry of a table in key order. A wrong checksum ends the walk: the transaction's error then becomes a finding. */
static void each_entry(struct check *check, enum db_table table, entry_fn *fn, void *ctx)
{
    struct db_cursor cursor;
    db_cursor_init(&cursor, check->txn, table);
    bool has = db_cursor_seek(&cursor, (struct gt_str){NULL, 0});
    for (; has; has = db_cursor_next(&cursor)) fn(check, cursor.key, cursor.value, ctx);
    db_cursor_done(&cursor);
}

/* A stream and run that must exist. The cursor goes on from the run before: blocks are unpacked once. */
static void check_run_exists(struct check *check, struct run_cursor *runs, const char *table, struct gt_str key)
{
    uint32_t stream = key_id_at(key, 0);
    uint64_t seq = key_seq_at(key, KEY_ID_BYTES);
    if (runs->stream != stream) {
        run_cursor_done(runs);
        run_cursor_init(runs, check->txn, stream);
    }
    if (key.len != KEY_ID_BYTES + KEY_SEQ_BYTES || !run_cursor_seek(runs, seq) || runs->row->seq != seq)
        check_find(check, "table %s: there is no run %" PRIu64 " of stream %u", table, seq, (unsigned)stream);
}

/* Pages are the way back to the archive: each must belong to a run and name a file that is known. How many blocks the stream has. */
static uint64_t check_pages_of(struct check *check, uint32_t stream)
{
    struct run_cursor pages, runs;
    uint64_t blocks = 0;
    run_cursor_init_pages(&pages, check->txn, stream);
    run_cursor_init(&runs, check->txn, stream);
    for (bool has = run_cursor_seek(&pages, 0); has; has = run_cursor_next(&pages)) {
        struct run_page page;
        arena_clear(check->arena);
        reader_init(&check->reader, check->txn, check->arena);
        blocks += pages.at == 0;
        if (!run_cursor_seek(&runs, pages.row->seq) || runs.row->seq != pages.row->seq || runs.row->t_unix_s != pages.row->t_unix_s)
            check_find(check, "table run_pages: there is no run %" PRIu64 " of stream %u", pages.row->seq, (unsigned)stream);
        if (dec_page(pages.row->bytes, check->arena, &page) != GT_OK) check_find(check, "a page cannot be decoded");
        else reader_text(&check->reader, page.warc_file);
    }
    run_cursor_done(&runs);
    run_cursor_done(&pages);
    return blocks;
}

static void check_pages(struct check *check)
{
    uint64_t blocks = 0;
    for (uint32_t id = part_stream_next(check->txn, 0); id != 0; id = part_stream_next(check->txn, id)) blocks += check_pages_of(check, id);
    if (db_err(check->txn) == GT_OK && blocks != db_count(check->txn, DB_RUN_PAGES)) check_find(check, "table run_pages has entries of no stream");
}

/* Stock rows build on each other; one that cannot be decoded loses all up to the next whole one. */
static void check_stock(struct check *check, struct gt_str key, struct gt_str value, void *ctx)
{
    uint32_t since_key;
    struct stock *items;
    size_t count = 0;
    arena_clear(check->arena);
    check_run_exists(check, ctx, "stocks", key);
    if (dec_stock(value, check->arena, &since_key, &items, &count) != GT_OK)
        check_find(check, "a row of stock counts cannot be decoded");
}

/* Crawls are history only: nothing refers to them. */
static void check_crawl(struct check *check, struct gt_str key, struct gt_str value, void *ctx)
{
    struct dec dec = dec_begin(value, NULL);
    (void)ctx;
    uint8_t version = dec_byte(&dec);
    dec_int(&dec);
    dec_int(&dec);
    for (int i = 0; i < 3; i++) dec_int32(&dec);
    if (version != CRAWL_VERSION || dec_end(&dec) != GT_OK || key.len != KEY_ID_BYTES)
        check_find(check, "a crawl cannot be decoded");
}

/* A record's place: its file is a text that is known. */
static void check_place(struct check *check, struct gt_str value)
{
    struct page_place place;
    uint32_t file = 0;
    arena_clear(check->arena);
    reader_init(&check->reader, check->txn, check->arena);
    if (dec_page_place(value, &file, &place) != GT_OK) check_find(check, "the place of a record cannot be decoded");
    else reader_text(&check->reader, file);
}

/* Keyed values are their owners' bytes; their form byte is ours. */
static void check_keyed(struct check *check, struct gt_str key, struct gt_str value, void *ctx)
{
    const char *table = ctx;
    if (key.len == 1 + UUID_BYTES && key.ptr[0] == PAGE_KEY_MARK && strcmp(table, db_table_name(DB_PAGES)) == 0) {
        check_place(check, value);
        return;
    }
    if (key.len == 0 || key.ptr[0] != 'k' || value.len == 0 || (uint8_t)value.ptr[0] > 1)
        check_find(check, "table %s: a value has no known form", table);
}

void check_rest(struct check *check)
{
    struct run_cursor runs;
    check_pages(check);
    run_cursor_init(&runs, check->txn, 0);
    each_entry(check, DB_STOCKS, check_stock, &runs);
    run_cursor_done(&runs);
    each_entry(check, DB_CRAWLS, check_crawl, NULL);
    for (int table = DB_VALIDATORS; table < DB_TABLES; table++)
        each_entry(check, (enum db_table)table, check_keyed, (void *)(uintptr_t)db_table_name((enum db_table)table));
}
