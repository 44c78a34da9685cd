/* Where the rows of the run log lie, and beside them the pages of those runs: some dozens of one stream in one value, a block, in
 * order of sequence. A row by itself would cost as much for its place in LMDB's tree as for what it says. Each block knows between
 * which times its runs began, so that whoever looks for a time opens the blocks that hold it. */
#ifndef GT_STORE_RUN_BLOCK_H
#define GT_STORE_RUN_BLOCK_H

#include "store/key.h"
#include "store/run_log.h"
#include "store/stream.h"

enum {
    RUN_BLOCK_BYTES = 4096 - 16 - DB_CHECK_BYTES, /* of a block that still grows: with LMDB's header it is a page */
    RUN_BLOCK_ROWS_MAX = 65536,
    RUN_PACK_BYTES = 65536, /* of all rows of a packed block, unpacked */
    RUN_PLAIN_ROWS = 12     /* of a stream's newest, which stay plain: a commit looks back as far */
};

/* A block, taken apart. Rows are borrowed from the database, good until the next write, or (packed ones) from `plain`, good until the
 * cursor moves. */
struct run_block {
    struct run_place *rows; /* at least one */
    size_t count, cap;
    int64_t earliest_unix_s, latest_unix_s;
    int64_t so_far_unix_s; /* the latest of all runs of the stream up to the block's end: clocks may have jumped back */
    bool is_packed;
    struct strbuf plain; /* the rows of a packed block, unpacked */
};

/* Walks the rows of one stream. Closed by run_cursor_done, before its transaction ends and before anything is written. */
struct run_cursor {
    struct db_txn *txn;
    uint32_t stream;
    int64_t since_unix_s, until_unix_s; /* blocks without a run in [since, until) may be left out; everything after init */
    struct db_cursor blocks;
    struct run_block block;
    size_t at;
    const struct run_place *row; /* where the cursor stands */
};

/* Begins before the first row of the log. */
void run_cursor_init(struct run_cursor *cursor, struct db_txn *txn, uint32_t stream);
/* The same over the pages: row->bytes is one for dec_page. */
void run_cursor_init_pages(struct run_cursor *cursor, struct db_txn *txn, uint32_t stream);
void run_cursor_done(struct run_cursor *cursor);

/* The first row at or after `seq`; the last one; the next; the one before. False when there is none, or on failure (in the
 * transaction). */
bool run_cursor_seek(struct run_cursor *cursor, uint64_t seq);
bool run_cursor_last(struct run_cursor *cursor);
bool run_cursor_next(struct run_cursor *cursor);
bool run_cursor_prev(struct run_cursor *cursor);

/* The row where the cursor stands, as dec_run gives it; a failure is also the transaction's. */
enum gt_err run_cursor_row(const struct run_cursor *cursor, struct arena *arena, struct run_row_stored *ret_row);

/* Reads one row without its steps. False when there is none; failures stand in the transaction. */
bool run_row_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct run_row_stored *ret_row);

/* The page that a run got. False when it has none, or on failure (in the transaction). */
bool run_page_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct arena *arena, struct run_page *ret_page);

/* When the runs of one block began. */
struct run_times {
    const struct run_time {
        uint64_t seq;
        int64_t t_unix_s;
    } *items;
    size_t count;
};

/* The times of the block that holds run `seq`, in the arena: runs asked for together mostly share it. False as above. */
bool run_times_get(struct db_txn *txn, uint32_t stream, uint64_t seq, struct arena *arena, struct run_times *ret_times);

/* When a run of the block began; false when it is in another one. */
bool run_time_find(const struct run_times *times, uint64_t seq, int64_t *ret_t_unix_s);

/* Writes a row behind the stream's last one. Failures (GT_ELIMIT, GT_ENOMEM …) stand in the transaction. */
void run_row_append(struct db_txn *txn, uint32_t stream, const struct run_row_stored *row);

/* Writes the page of a run that was just appended; none when there is nothing to say of it (a refused connection, without an archive). */
void run_page_append(struct db_txn *txn, uint32_t stream, const struct run_row_stored *row, const struct run_page *page);

/* Takes the rows from `seq` on away, and their pages. */
void run_rows_cut(struct db_txn *txn, uint32_t stream, uint64_t seq);

/* Writes other bytes in the place of rows that are there: `rows` in order of sequence, of times as they are. */
void run_rows_replace(struct db_txn *txn, uint32_t stream, const struct run_place *rows, size_t count);

/* Writes a stream's rows of the log into another database that has none of it nor of a later one, the newest RUN_PLAIN_ROWS plain, the
 * others packed. Each transaction has its own failures. */
void run_rows_pack(struct db_txn *from, struct db_txn *to, uint32_t stream);

#endif
