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
    uint64_t newest_seq; /* of the stream, whatever the state's moment */
    int64_t newest_unix_s;
    bool is_whole; /* the state has the delisted offers, too */
    bool is_known;
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

/* Finds a stream's latest state, before view_move. The state lives in `work`, what rows are made of in the reader's arena. False when
 * it has no runs, or on failure (in the transaction). */
bool view_open(struct view *view, struct reader *reader, uint32_t stream, struct arena *work);

/* Brings it to how the stream was known at `at_unix_s`, delisted offers included; view->is_known is false when it had no runs then.
 * Moments may only ascend: what was replayed for one goes on for the next. False on failure, in the transaction. */
bool view_move(struct view *view, int64_t at_unix_s, struct arena *work);

/* Loads a stream with all spans (view->state.spans_seen) of these offers, in `work` too; NULL: of all. False as view_open. */
bool view_load_all(struct view *view, struct reader *reader, uint32_t stream, const struct offer_set *offers, struct arena *work);

/* When a run of the stream began; 0 for run 0. */
int64_t view_time(struct view *view, uint64_t seq);

/* What all rows of an offer share: names, facts, stock. The record, times and flags are the caller's. */
void view_row(struct view *view, uint32_t offer, uint32_t attr, uint32_t record, struct board_row *ret_row);

/* For qsort over views: by site and part; within one part the stream that speaks comes first: the one read successfully last, live before
 * imported. */
int view_order(const void *left, const void *right);

/* For qsort and bsearch over 64-bit numbers. */
int view_number_cmp(const void *left, const void *right);

/* Reads the pages of these runs (in any order, which it changes; some may be there twice, and some without a page): for
 * view_page_of. In order of sequence each block of pages is opened once. False on failure, in the transaction. */
bool view_pages_load(struct view *view, uint64_t *seqs, size_t count);

/* Where the page of a run lies; both stay as they are where it has none. */
void view_page_of(struct view *view, uint64_t seq, struct gt_str *warc_file, int64_t *warc_offset);

/* The order of offers on a board: site, label, plan, region, variant, key, part; then number and provenance. */
int board_offer_cmp(const struct board_row *a, const struct board_row *b);

/* The order of its rows: that, and of one offer the good row before the doubted one. */
int board_row_cmp(const struct board_row *a, const struct board_row *b);

#endif
