#include "store/view.h"

#include <stdlib.h>

/* Empties the memory of times and pages: run numbers mean another stream's now. */
static bool view_begin(struct view *view, struct reader *reader, uint32_t stream)
{
    *view = (struct view){.reader = reader, .stream_id = stream, .stream = reader_stream(reader, stream)};
    return view->stream != NULL;
}

/* Facts and stock as of the state's last run, not as of today. */
static bool view_finish(struct view *view, struct arena *work)
{
    struct reader *reader = view->reader;
    view->facts = reader_facts(reader, view->state.facts);
    if (view->facts == NULL) db_fail(reader->txn, GT_ECORRUPT, "stream %u has no facts", (unsigned)view->stream_id);
    return stock_load(reader->txn, view->stream_id, view->state.last_seq, work, &view->stock);
}

bool view_open(struct view *view, struct reader *reader, uint32_t stream, struct arena *work)
{
    if (!view_begin(view, reader, stream) || !part_load_latest(reader->txn, stream, &view->state, work)) return false;
    view->newest_seq = view->state.last_seq;
    view->newest_unix_s = view->state.last_t_unix_s;
    return view->newest_seq != 0;
}

/* The latest block answers for today and any moment after the last run. */
static bool load_newest(struct view *view, struct arena *work)
{
    struct db_txn *txn = view->reader->txn;
    bool is_newest = view->state.last_seq == view->newest_seq;
    if (is_newest && view->is_whole) return true;
    if (!is_newest && !part_load_latest(txn, view->stream_id, &view->state, work)) return false;
    return part_load_gone(txn, view->stream_id, &view->state);
}

/* The past is replayed: from the beginning, or on from the moment before. */
static bool load_past(struct view *view, uint64_t cut)
{
    if (!view->is_whole) part_replay_begin(&view->state, false);
    return part_replay_on(view->reader->txn, view->stream_id, cut, &view->state);
}

/* The newest moment is one read; an earlier one replays the log, and a later one goes on from there. */
bool view_move(struct view *view, int64_t at_unix_s, struct arena *work)
{
    struct db_txn *txn = view->reader->txn;
    bool is_newest = view->newest_unix_s <= at_unix_s;
    uint64_t cut = is_newest ? view->newest_seq : part_cut_at(txn, view->stream_id, at_unix_s);
    view->is_known = cut != 0;
    if (!view->is_known) return db_err(txn) == GT_OK;
    if (!(is_newest ? load_newest(view, work) : load_past(view, cut))) return false;
    view->is_whole = true;
    return view_finish(view, work);
}

bool view_load_all(struct view *view, struct reader *reader, uint32_t stream, const struct offer_set *offers, struct arena *work)
{
    if (!view_begin(view, reader, stream)) return false;
    if (!part_replay_of(reader->txn, stream, KEY_SEQ_LAST, offers, &view->state, work)) return false;
    return view->state.last_seq != 0 && view_finish(view, work);
}

/* The first of the blocks in hand that ends at or behind a run: they stand by sequence. */
static size_t times_place(const struct view *view, uint64_t seq)
{
    size_t low = 0, high = view->times_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct run_times *times = &view->times[middle];
        if (times->items[times->count - 1].seq < seq) low = middle + 1;
        else high = middle;
    }
    return low;
}

int64_t view_time(struct view *view, uint64_t seq)
{
    int64_t t_unix_s = 0;
    void *items = view->times;
    struct reader *reader = view->reader;
    struct run_times times;
    if (seq == 0) return 0;
    size_t at = times_place(view, seq);
    if (at < view->times_count && run_time_find(&view->times[at], seq, &t_unix_s)) return t_unix_s;
    if (!arena_grow(view->state.arena, &items, view->times_count, &view->times_cap, sizeof *view->times)) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return 0;
    }
    view->times = items;
    if (!run_times_get(reader->txn, view->stream_id, seq, view->state.arena, &times)) {
        db_fail(reader->txn, GT_ECORRUPT, "stream %u has no run %llu", (unsigned)view->stream_id, (unsigned long long)seq);
        return 0;
    }
    memmove(&view->times[at + 1], &view->times[at], (view->times_count - at) * sizeof times);
    view->times[at] = times;
    view->times_count++;
    run_time_find(&times, seq, &t_unix_s);
    return t_unix_s;
}

void view_row(struct view *view, uint32_t offer, uint32_t attr, uint32_t record, struct board_row *ret_row)
{
    const struct named_offer *named = reader_offer(view->reader, offer);
    const struct offer_attributes *attributes = reader_attributes(view->reader, attr);
    const struct offer_record *standing = reader_record(view->reader, record);
    struct stock stock = stock_of(&view->stock, offer);
    *ret_row = (struct board_row){.offer_id = offer,
                                  .site = view->stream->site,
                                  .site_title = view->facts->title,
                                  .kind = view->facts->kind,
                                  .provenance = view->stream->provenance,
                                  .net_rules = view->facts->net_rules,
                                  .is_sample = view->facts->is_sample,
                                  .url = view->facts->url};
    if (named != NULL) ret_row->offer.identity = named->identity;
    if (attributes != NULL) ret_row->offer.attributes = *attributes;
    if (standing != NULL) ret_row->offer.record = *standing;
    ret_row->offer.stock = stock.units;
    ret_row->offer.confidence_permille = stock.confidence_permille;
    ret_row->offer.reasons = reader_text(view->reader, stock.reasons);
}

int view_order(const void *left, const void *right)
{
    struct view *a = (struct view *)(uintptr_t)left, *b = (struct view *)(uintptr_t)right;
    int order = stream_part_cmp(a->stream, b->stream);
    if (order != 0) return order;
    if (a->is_known != b->is_known) return a->is_known ? -1 : 1;
    bool a_good = a->state.last_good != 0, b_good = b->state.last_good != 0;
    if (a_good != b_good) return a_good ? -1 : 1;
    int64_t a_time = view_time(a, a->state.last_good), b_time = view_time(b, b->state.last_good);
    if (a_time != b_time) return a_time > b_time ? -1 : 1;
    if (a->stream->provenance != b->stream->provenance) return (int)a->stream->provenance - (int)b->stream->provenance;
    return gt_str_cmp(a->stream->writer, b->stream->writer);
}

int view_number_cmp(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Sorted first: several rows lie in one block, which is then read once. */
bool view_pages_load(struct view *view, uint64_t *seqs, size_t count)
{
    struct run_cursor cursor;
    struct db_txn *txn = view->reader->txn;
    enum gt_err err = GT_OK;
    view->page_count = 0;
    view->pages = arena_array(view->state.arena, count, sizeof *view->pages);
    if (view->pages == NULL) err = GT_ENOMEM;
    if (count > 0) qsort(seqs, count, sizeof *seqs, view_number_cmp);
    run_cursor_init_pages(&cursor, txn, view->stream_id);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        struct run_page page;
        if ((i > 0 && seqs[i] == seqs[i - 1]) || !run_cursor_seek(&cursor, seqs[i]) || cursor.row->seq != seqs[i]) continue;
        err = dec_page(cursor.row->bytes, view->state.arena, &page);
        if (err == GT_OK) view->pages[view->page_count++] = (struct view_page){seqs[i], page.warc_file, page.warc_offset};
    }
    run_cursor_done(&cursor);
    if (err != GT_OK) db_fail(txn, err, "the pages of stream %u: %s", (unsigned)view->stream_id, gt_err_text(err));
    return db_err(txn) == GT_OK;
}

void view_page_of(struct view *view, uint64_t seq, struct gt_str *warc_file, int64_t *warc_offset)
{
    /* `seq` is the first member */
    const struct view_page *page =
        view->page_count > 0 ? bsearch(&seq, view->pages, view->page_count, sizeof *view->pages, view_number_cmp) : NULL;
    if (page == NULL) return;
    *warc_file = reader_text(view->reader, page->warc_file);
    *warc_offset = page->warc_offset;
}

int board_offer_cmp(const struct board_row *a, const struct board_row *b)
{
    int order = a->site.ptr != b->site.ptr ? gt_str_cmp(a->site, b->site) : 0;
    if (order == 0) order = offer_identity_cmp(&a->offer.identity, &b->offer.identity);
    if (order != 0) return order;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    return (int)a->provenance - (int)b->provenance;
}

int board_row_cmp(const struct board_row *a, const struct board_row *b)
{
    int order = board_offer_cmp(a, b);
    return order != 0 ? order : (int)a->is_doubted - (int)b->is_doubted;
}
