/* store_board: every offer as it was known at a moment, or at two. */
#include <stdlib.h>

#include "store/store_impl.h"
#include "store/view.h"

struct board {
    struct reader reader;
    struct arena *work; /* holds the streams' states while their rows are made */
    struct view *views;
    size_t view_count, view_cap;
    struct board_row *rows;
    size_t row_count;
};

/* Ends the query; returns false so that callers can pass it on. */
static bool out_of_memory(struct board *board)
{
    db_fail(board->reader.txn, GT_ENOMEM, "out of memory");
    return false;
}

/* All streams, also those that will not speak: which one does depends on when the others were last read. */
static bool open_views(struct board *board)
{
    struct reader *reader = &board->reader;
    for (uint32_t id = part_stream_next(reader->txn, 0); id != 0; id = part_stream_next(reader->txn, id)) {
        void *views = board->views;
        if (!arena_grow(board->work, &views, board->view_count, &board->view_cap, sizeof *board->views))
            return out_of_memory(board);
        board->views = views;
        if (view_open(&board->views[board->view_count], reader, id, board->work)) board->view_count++;
    }
    return db_err(reader->txn) == GT_OK;
}

static int row_cmp(const void *left, const void *right)
{
    return board_row_cmp(left, right);
}

/* The row of the record that stands, whatever has become of the offer since: `is_listed` and the two times tell. */
static void add_good(struct board *board, struct view *view, const struct slot *slot)
{
    struct board_row *row = &board->rows[board->row_count++];
    view_row(view, slot->offer, slot->attr, slot->good.record, row);
    uint64_t seen = part_good_seen(&view->state, slot);
    row->since_unix_s = view_time(view, slot->good.first);
    row->seen_unix_s = view_time(view, seen);
    row->site_good_unix_s = view_time(view, view->state.last_good);
    row->is_listed = slot->is_listed;
    view_page_of(view, seen, &row->warc_file, &row->warc_offset);
}

/* The row of what is doubted beside it. It was seen by the run read last, or the doubt would have ended. */
static void add_doubted(struct board *board, struct view *view, const struct slot *slot)
{
    struct board_row *row = &board->rows[board->row_count++];
    view_row(view, slot->offer, slot->doubt.attr, slot->doubt.record, row);
    row->since_unix_s = view_time(view, slot->doubt.first);
    row->seen_unix_s = view_time(view, view->state.last_content);
    row->site_good_unix_s = view_time(view, view->state.last_good);
    row->is_listed = true;
    row->is_doubted = true;
    row->doubt = reader_text(view->reader, slot->doubt.detail);
    view_page_of(view, view->state.last_content, &row->warc_file, &row->warc_offset);
}

static bool is_same_site(const struct view *a, const struct view *b)
{
    return gt_str_eq(a->stream->site, b->stream->site);
}

/* One part, several writers or imports: one speaks, none are mixed. */
static bool is_silent(const struct board *board, size_t i)
{
    const struct view *view = &board->views[i];
    return !view->is_known || (i > 0 && is_same_site(view, view - 1) && gt_str_eq(view->stream->part, view[-1].stream->part));
}

/* The pages behind the rows: most offers were seen by the last good run, what is gone or doubted by others. */
static bool load_pages(struct board *board, struct view *view)
{
    const struct part_state *state = &view->state;
    uint64_t *seqs = arena_array(board->work, state->count + 2, sizeof *seqs);
    size_t count = 0;
    if (seqs == NULL) return out_of_memory(board);
    seqs[count++] = state->last_good;
    seqs[count++] = state->last_content;
    for (size_t i = 0; i < state->count; i++)
        if (state->slots[i].good.end != GOOD_OPEN) seqs[count++] = part_good_seen(state, &state->slots[i]);
    return view_pages_load(view, seqs, count);
}

/* Room for all rows at once: those of 100,000 offers are 50 MiB, and a list that doubles takes and clears three times as
 * much. */
static bool rows_reserve(struct board *board, struct arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < board->view_count; i++) {
        const struct part_state *state = &board->views[i].state;
        if (is_silent(board, i)) continue;
        for (size_t j = 0; j < state->count; j++)
            count += (size_t)(state->slots[j].good.record != 0) + (size_t)(state->slots[j].doubt.record != 0);
    }
    board->rows = arena_array(arena, count, sizeof *board->rows);
    board->row_count = 0;
    return board->rows != NULL || out_of_memory(board);
}

/* The rows of a site's views, put in order while they are warm. */
static bool add_site(struct board *board, size_t begin, size_t end)
{
    size_t first = board->row_count;
    for (size_t i = begin; i < end; i++) {
        struct view *view = &board->views[i];
        if (is_silent(board, i)) continue;
        if (!load_pages(board, view)) return false;
        for (size_t j = 0; j < view->state.count; j++) {
            const struct slot *slot = &view->state.slots[j];
            if (slot->good.record != 0) add_good(board, view, slot);
            if (slot->doubt.record != 0) add_doubted(board, view, slot);
        }
    }
    if (board->row_count > first) qsort(board->rows + first, board->row_count - first, sizeof *board->rows, row_cmp);
    return db_err(board->reader.txn) == GT_OK;
}

/* Moves all streams to a moment that is not before the last one, and puts them in the board's order. */
static bool views_move(struct board *board, int64_t at_unix_s)
{
    for (size_t i = 0; i < board->view_count; i++)
        if (!view_move(&board->views[i], at_unix_s, board->work)) return false;
    if (board->view_count > 0) qsort(board->views, board->view_count, sizeof *board->views, view_order);
    return true;
}

/* All rows of the moment at which the views stand. Views stand by site, which is what rows are ordered by first. */
static bool load_rows(struct board *board, struct arena *arena)
{
    if (!rows_reserve(board, arena)) return false;
    for (size_t i = 0, end; i < board->view_count; i = end) {
        for (end = i + 1; end < board->view_count && is_same_site(&board->views[i], &board->views[end]);) end++;
        if (!add_site(board, i, end)) return false;
    }
    return true;
}

/* Another moment's rows to who wants them, gone before the next are made: two boards of 100,000 offers are not held at once. */
static enum gt_err give_rows(struct board *board, board_rows_fn *fn, void *ctx)
{
    struct arena *arena = arena_new(VIEW_BYTES_MAX);
    if (arena == NULL) return db_fail(board->reader.txn, GT_ENOMEM, "out of memory");
    enum gt_err err =
        load_rows(board, arena) ? fn(ctx, board->rows, board->row_count) : GT_OK; /* a failure is the transaction's */
    arena_free(arena);
    return err;
}

/* Both moments in one transaction and one walk: what the earlier board needed is the later one's beginning, and no commit can fall between.
 */
enum gt_err store_board_rows(struct store *store, int64_t before_unix_s, board_rows_fn *fn, void *ctx, int64_t at_unix_s,
                             struct arena *arena, struct board_row **ret_rows, size_t *ret_count, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct board board = {.work = arena_new(VIEW_BYTES_MAX)};
    if (board.work == NULL) return gt_fail(info, GT_ENOMEM, "reading the board: out of memory");
    enum gt_err err = db_read_begin(store->db, &txn, info), fn_err = GT_OK;
    if (err == GT_OK) {
        reader_init(&board.reader, txn, arena);
        open_views(&board);
        if (fn != NULL && views_move(&board, before_unix_s)) fn_err = give_rows(&board, fn, ctx);
        if (fn_err == GT_OK && views_move(&board, at_unix_s)) load_rows(&board, arena);
        err = db_read_end(txn);
    }
    arena_free(board.work);
    if (err == GT_OK) err = fn_err;
    if (err != GT_OK) return err;
    *ret_rows = board.rows;
    *ret_count = board.row_count;
    return GT_OK;
}

enum gt_err store_board(struct store *store, int64_t at_unix_s, struct arena *arena, board_fn *fn, void *ctx,
                        struct gt_errinfo *info)
{
    struct board_row *rows;
    size_t count = 0;
    enum gt_err err = store_board_rows(store, 0, NULL, NULL, at_unix_s, arena, &rows, &count, info);
    /* The snapshot is closed by now: a slow reader keeps no pages, and may write. */
    for (size_t i = 0; i < count && err == GT_OK; i++) err = fn(ctx, &rows[i]);
    return err;
}
