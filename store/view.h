/* A stream as a reader sees it: its state at a moment, and what the rows of a board need beside it. */
#ifndef GT_STORE_VIEW_H
#define GT_STORE_VIEW_H

#include "store/part_load.h"
#include "store/reader.h"
#include "store/stock.h"
#include "store/store.h"

enum { VIEW_BYTES_MAX = 1 << 30 /* of states at work */ };

struct view {
    struct reader *reader;
    uint32_t stream_id;
    const struct stream *stream;
    const struct facts *facts;
    struct part_state state;
    struct stock_list stock;
    struct run_times *times; /* of the blocks asked for so far */
    size_t times_count, times_cap;
    struct view_page {
        uint64_t seq;
        uint32_t warc_file;
        int64_t warc_offset;
    } * pages; /* by run, of those that view_pages_load was asked for */
    size_t page_count;
};

/* Loads the stream as it was known at `at_unix_s`, delisted offers included. The state lives in `work`, what rows are made of in
 * the reader's arena. False when it had no runs then, or on failure (in the transaction). */
bool view_load_at(struct view *view, struct reader *reader, uint32_t stream, int64_t at_unix_s, struct arena *work);

/* Loads it with all spans (view->state.spans_seen) of these offers, in `work` too; NULL: of all. */
bool view_load_all(struct view *view, struct reader *reader, uint32_t stream, const struct offer_set *offers, struct arena *work);

/* When a run of the stream began; 0 for run 0. */
int64_t view_time(struct view *view, uint64_t seq);

/* What all rows of an offer share: names, facts, stock. The record, times and flags are the caller's. */
struct board_row view_row(struct view *view, uint32_t offer, uint32_t attr, uint32_t record);

/* Reads the pages of these runs (in any order, which it changes; some may be there twice, and some without a page): for
 * view_row_page. In order of sequence each block of pages is opened once. False on failure, in the transaction. */
bool view_pages_load(struct view *view, uint64_t *seqs, size_t count);

/* Adds the page of a run to a row; nothing where it has none. */
void view_row_page(struct view *view, uint64_t seq, struct board_row *row);

/* The order of offers on a board: site, label, plan, region, variant, key, part; then number and provenance. */
int board_offer_cmp(const struct board_row *a, const struct board_row *b);

/* The order of its rows: that, and of one offer the good row before the doubted one. */
int board_row_cmp(const struct board_row *a, const struct board_row *b);

#endif
