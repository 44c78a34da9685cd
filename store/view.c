#include "store/view.h"

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

/* The latest block answers for today and any moment after the last run; the past is replayed. */
bool view_load_at(struct view *view, struct reader *reader, uint32_t stream, int64_t at_unix_s, struct arena *work)
{
    if (!view_begin(view, reader, stream)) return false;
    if (!part_load_latest(reader->txn, stream, &view->state, work)) return false;
    if (view->state.last_seq == 0) return false;
    if (view->state.last_t_unix_s <= at_unix_s) {
        if (!part_load_gone(reader->txn, stream, &view->state)) return false;
        return view_finish(view, work);
    }
    uint64_t cut = part_cut_at(reader->txn, stream, at_unix_s);
    if (cut == 0 || !part_replay_slots(reader->txn, stream, cut, &view->state, work)) return false;
    return view_finish(view, work);
}

bool view_load_all(struct view *view, struct reader *reader, uint32_t stream, struct arena *work)
{
    if (!view_begin(view, reader, stream)) return false;
    if (!part_replay(reader->txn, stream, KEY_SEQ_LAST, &view->state, work)) return false;
    return view->state.last_seq != 0 && view_finish(view, work);
}

int64_t view_time(struct view *view, uint64_t seq)
{
    int64_t t_unix_s = 0;
    void *items = view->times;
    struct reader *reader = view->reader;
    if (seq == 0) return 0;
    /* the last block is asked for most and was loaded first, with the last run */
    for (size_t i = 0; i < view->times_count; i++)
        if (run_time_find(&view->times[i], seq, &t_unix_s)) return t_unix_s;
    if (!arena_grow(view->state.arena, &items, view->times_count, &view->times_cap, sizeof *view->times)) {
        db_fail(reader->txn, GT_ENOMEM, "out of memory");
        return 0;
    }
    view->times = items;
    if (run_times_get(reader->txn, view->stream_id, seq, view->state.arena, &view->times[view->times_count]))
        run_time_find(&view->times[view->times_count++], seq, &t_unix_s);
    else db_fail(reader->txn, GT_ECORRUPT, "stream %u has no run %llu", (unsigned)view->stream_id, (unsigned long long)seq);
    return t_unix_s;
}

struct board_row view_row(struct view *view, uint32_t offer, uint32_t attr, uint32_t record)
{
    const struct named_offer *named = reader_offer(view->reader, offer);
    const struct offer_attributes *attributes = reader_attributes(view->reader, attr);
    const struct offer_record *standing = reader_record(view->reader, record);
    struct stock stock = stock_of(&view->stock, offer);
    struct board_row row = {.offer_id = offer,
                            .site = view->stream->site,
                            .site_title = view->facts->title,
                            .kind = view->facts->kind,
                            .provenance = view->stream->provenance,
                            .net_rules = view->facts->net_rules,
                            .is_sample = view->facts->is_sample,
                            .url = view->facts->url};
    if (named != NULL) row.offer.identity = named->identity;
    if (attributes != NULL) row.offer.attributes = *attributes;
    if (standing != NULL) row.offer.record = *standing;
    row.offer.stock = stock.units;
    row.offer.confidence_permille = stock.confidence_permille;
    row.offer.reasons = reader_text(view->reader, stock.reasons);
    return row;
}

void view_row_page(struct view *view, uint64_t seq, struct board_row *row)
{
    size_t place = seq != view->state.last_good;
    if (view->pages[place].seq != seq) {
        view->pages[place].page = (struct run_page){.warc_file = 0};
        view->pages[place].seq = seq;
        run_page_get(view->reader->txn, view->stream_id, seq, view->reader->arena, &view->pages[place].page);
    }
    row->warc_file = reader_text(view->reader, view->pages[place].page.warc_file);
    row->warc_offset = view->pages[place].page.warc_offset;
}

int board_row_cmp(const struct board_row *a, const struct board_row *b)
{
    const struct offer_identity *x = &a->offer.identity, *y = &b->offer.identity;
    const struct gt_str pairs[][2] = {{a->site, b->site},       {x->label, y->label}, {x->plan, y->plan}, {x->region, y->region},
                                      {x->variant, y->variant}, {x->key, y->key},     {x->part, y->part}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        int order = gt_str_cmp(pairs[i][0], pairs[i][1]);
        if (order != 0) return order;
    }
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    if (a->provenance != b->provenance) return (int)a->provenance - (int)b->provenance;
    return (int)a->is_doubted - (int)b->is_doubted;
}
