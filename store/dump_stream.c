/* One stream of a dump. Its log is replayed once: each run is given with what it did, and what it showed is noted as stretches of runs, a
 * few numbers each. Behind the last run it is known how every span ended (released, voided), so only then are the stretches given out,
 * run by run: memory does not grow with the observations. */
#include <stdlib.h>

#include "store/dump_impl.h"
#include "store/stock.h"

#define ROW_ARENA_MAX ((size_t)256 << 20)

/* What is needed of a run to tell who was seen by it. */
struct run_mark {
    uint64_t seq;
    int64_t t_unix_s;
    bool is_good, is_content;
};

/* Consecutive runs in which an offer stood with one record: those among them that count showed it. */
struct stretch {
    uint32_t offer, attr, record;
    bool is_doubt;       /* runs that were read count; else good ones only */
    uint64_t span_first; /* the span it belongs to */
    size_t begin, end;   /* runs [begin, end) by place */
};

/* The stretch of an offer that goes on; record 0: none does. */
struct open_stretch {
    uint32_t offer;
    size_t place;
};

struct walk {
    struct dump *dump;
    uint32_t id;
    const struct stream *stream;
    struct arena *row_arena;
    struct part_state state;
    struct run_mark *runs;
    size_t run_count, run_cap;
    struct stretch *stretches;
    size_t stretch_count, stretch_cap;
    struct open_stretch *open; /* by offer */
    size_t open_count, open_cap;
};

static void out_of_memory(struct walk *walk)
{
    db_fail(walk->dump->txn, GT_ENOMEM, "out of memory");
}

/* ---- runs, changes, stock counts ---- */

/* The page behind a run. */
static void add_page(struct walk *walk, struct dump_run *run)
{
    struct run_page page;
    if (!run_page_get(walk->dump->txn, walk->id, run->row.seq, walk->row_arena, &page)) return;
    memcpy(run->sha256, page.sha256, sizeof run->sha256);
    run->warc_file = intern_text(walk->dump->txn, page.warc_file, walk->row_arena);
    run->warc_offset = page.warc_offset;
    run->record_id = page.record_id;
}

static void give_run(struct walk *walk, const struct run_row_stored *row)
{
    struct dump_run run = {.stream_id = walk->id, .stream = *walk->stream, .row = *row};
    run.reason = intern_text(walk->dump->txn, row->reason, walk->row_arena);
    add_page(walk, &run);
    dump_need(walk->dump, DUMP_STREAM, walk->id);
    dump_give(walk->dump, DUMP_RUN, &run);
}

/* A record by value, an empty one where there is none; steps on the source have something else in these fields. */
static struct offer_record record_of(struct walk *walk, const struct step *step, uint32_t id)
{
    const struct offer_record *record = step->offer != 0 ? reader_record(&walk->dump->reader, id) : NULL;
    return record != NULL ? *record : (struct offer_record){.quote_count = 0};
}

/* What a step refers to, before it. */
static void need_all(struct walk *walk, const struct step *step)
{
    dump_need(walk->dump, DUMP_STREAM, walk->id);
    dump_need(walk->dump, DUMP_OFFER, step->offer);
    if (step->code == STEP_FACTS) dump_need(walk->dump, DUMP_FACTS, step->after);
    if (step->offer == 0) return;
    dump_need(walk->dump, DUMP_ATTRIBUTES, step->attr);
    dump_need(walk->dump, DUMP_RECORD, step->before);
    dump_need(walk->dump, DUMP_RECORD, step->after);
}

/* What the caller does not want is left out before anything that it refers to is given. */
static void give_change(struct walk *walk, const struct run_row_stored *row, const struct step *step)
{
    struct reader *reader = &walk->dump->reader;
    struct dump_change change = {.stream_id = walk->id,
                                 .stream = *walk->stream,
                                 .seq = row->seq,
                                 .t_unix_s = row->t_unix_s,
                                 .step = *step,
                                 .detail = intern_text(walk->dump->txn, step->detail, walk->row_arena)};
    const struct named_offer *named = reader_offer(reader, step->offer);
    const struct offer_attributes *attributes = step->offer != 0 ? reader_attributes(reader, step->attr) : NULL;
    bool wants = step->offer != 0 ? dump_wants_offer(walk->dump, step->offer, step->attr, step->after != 0 ? step->after : step->before)
                                  : dump_wants_source(walk->dump, walk->stream);
    if (!wants) return;
    if (named != NULL) change.identity = named->identity;
    if (attributes != NULL) change.attributes = *attributes;
    change.before = record_of(walk, step, step->before);
    change.after = record_of(walk, step, step->after);
    need_all(walk, step);
    dump_give(walk->dump, DUMP_CHANGE, &change);
}

/* Stock rows build on each other, so each is given as it is. */
static void give_stock(struct walk *walk, const struct run_row_stored *row)
{
    struct gt_str value;
    struct stock *items;
    size_t count = 0;
    struct dump_stock stock = {.stream_id = walk->id, .stream = *walk->stream, .seq = row->seq, .t_unix_s = row->t_unix_s};
    struct key key = key_of_run(walk->id, row->seq);
    if (!db_get(walk->dump->txn, DB_STOCKS, key_str(&key), &value)) return;
    enum gt_err err = dec_stock(value, walk->row_arena, &stock.since_whole, &items, &count);
    if (err != GT_OK) db_fail(walk->dump->txn, err, "stock counts cannot be read: %s", gt_err_text(err));
    else if (count == 0) dump_give(walk->dump, DUMP_STOCK, &stock);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        stock.offer = items[i].offer;
        stock.units = items[i].units;
        stock.confidence_permille = items[i].confidence_permille;
        stock.reasons = intern_text(walk->dump->txn, items[i].reasons, walk->row_arena);
        if (!dump_give(walk->dump, DUMP_STOCK, &stock)) return;
    }
}

static void give_row(struct walk *walk, const struct run_row_stored *row)
{
    if (!dump_wants_time(walk->dump, row->t_unix_s)) return;
    if (dump_wants_source(walk->dump, walk->stream)) give_run(walk, row);
    for (size_t i = 0; i < row->step_count; i++) give_change(walk, row, &row->steps[i]);
    if (walk->dump->is_complete) give_stock(walk, row);
}

/* ---- stretches ---- */

/* The place of an offer among those that were ever open, made when it has none. NULL when memory is out. */
static struct open_stretch *open_of(struct walk *walk, uint32_t offer)
{
    size_t low = 0, high = walk->open_count;
    void *items = walk->open;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (walk->open[middle].offer < offer) low = middle + 1;
        else high = middle;
    }
    if (low < walk->open_count && walk->open[low].offer == offer) return &walk->open[low];
    if (!arena_grow(walk->dump->arena, &items, walk->open_count, &walk->open_cap, sizeof *walk->open)) {
        out_of_memory(walk);
        return NULL;
    }
    walk->open = items;
    memmove(&walk->open[low + 1], &walk->open[low], (walk->open_count - low) * sizeof *walk->open);
    walk->open_count++;
    walk->open[low] = (struct open_stretch){offer, SIZE_MAX};
    return &walk->open[low];
}

/* What a run that counts would show of a slot; record 0: nothing. A doubt hides the good record beside it. */
static struct stretch stretch_of(const struct slot *slot)
{
    if (slot != NULL && slot->doubt.record != 0)
        return (struct stretch){slot->offer, slot->doubt.attr, slot->doubt.record, true, slot->doubt.first, 0, 0};
    if (slot != NULL && slot->good.record != 0 && slot->good.end == GOOD_OPEN)
        return (struct stretch){slot->offer, slot->attr, slot->good.record, false, slot->good.first, 0, 0};
    return (struct stretch){.offer = 0};
}

static bool stretch_goes_on(const struct stretch *a, const struct stretch *b)
{
    return a->record == b->record && a->attr == b->attr && a->is_doubt == b->is_doubt && a->span_first == b->span_first;
}

/* After the steps of run `place`: ends the offer's stretch where something else stands now, and begins that. */
static void note_offer(struct walk *walk, uint32_t offer, size_t place)
{
    struct stretch now = stretch_of(part_slot_find(&walk->state, offer));
    struct open_stretch *open = open_of(walk, offer);
    void *items = walk->stretches;
    if (open == NULL) return;
    if (open->place != SIZE_MAX && stretch_goes_on(&walk->stretches[open->place], &now)) return;
    if (open->place != SIZE_MAX) walk->stretches[open->place].end = place;
    open->place = SIZE_MAX;
    if (now.record == 0) return;
    if (!arena_grow(walk->dump->arena, &items, walk->stretch_count, &walk->stretch_cap, sizeof *walk->stretches)) {
        out_of_memory(walk);
        return;
    }
    walk->stretches = items;
    now.begin = place;
    now.end = SIZE_MAX;
    open->place = walk->stretch_count;
    walk->stretches[walk->stretch_count++] = now;
}

/* Keeps what is needed of a run; its place. */
static size_t mark_run(struct walk *walk, const struct run_row_stored *row)
{
    void *items = walk->runs;
    if (!arena_grow(walk->dump->arena, &items, walk->run_count, &walk->run_cap, sizeof *walk->runs)) {
        out_of_memory(walk);
        return 0;
    }
    walk->runs = items;
    walk->runs[walk->run_count] = (struct run_mark){row->seq, row->t_unix_s, row->is_good, row->is_content};
    return walk->run_count++;
}

/* One row of the log. Steps stand by offer, so an offer with several is looked at again in vain, which costs little. */
static void walk_row(struct walk *walk, const struct run_cursor *cursor)
{
    struct run_row_stored row;
    arena_clear(walk->row_arena);
    if (run_cursor_row(cursor, walk->row_arena, &row) != GT_OK) return;
    give_row(walk, &row);
    size_t place = mark_run(walk, &row);
    for (size_t i = 0; i < row.step_count; i++) part_step_apply(&walk->state, &row, &row.steps[i]);
    part_run_apply(&walk->state, &row);
    if (walk->state.err != GT_OK) db_fail(walk->dump->txn, walk->state.err, "the log of stream %u does not fit itself", (unsigned)walk->id);
    for (size_t i = 0; i < row.step_count && db_err(walk->dump->txn) == GT_OK; i++)
        if (row.steps[i].offer != 0) note_offer(walk, row.steps[i].offer, place);
}

/* ---- observations ---- */

static int span_cmp(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->offer != b->offer) return a->offer < b->offer ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static int stretch_cmp(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;
    if (a->offer != b->offer) return a->offer < b->offer ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* How the span of a stretch stands today. */
static void add_span(struct walk *walk, const struct stretch *stretch, struct dump_observation *seen)
{
    struct span wanted = {.offer = stretch->offer, .first = stretch->span_first};
    const struct span_log *log = &walk->state.spans_seen;
    const struct span *span = log->count > 0 ? bsearch(&wanted, log->items, log->count, sizeof wanted, span_cmp) : NULL;
    if (span == NULL) return;
    seen->is_doubted = span->is_doubted;
    seen->is_voided = span->is_voided;
    if (span->is_doubted) seen->doubt = reader_text(&walk->dump->reader, span->detail);
}

/* One span, for those who want no observations. */
static void give_span(struct walk *walk, const struct span *item)
{
    struct reader *reader = &walk->dump->reader;
    const struct named_offer *named = reader_offer(reader, item->offer);
    const struct offer_attributes *attributes = reader_attributes(reader, item->attr);
    const struct offer_record *record = reader_record(reader, item->record);
    if (named == NULL || attributes == NULL || record == NULL) return;
    if (!dump_wants_offer(walk->dump, item->offer, item->attr, item->record)) return;
    dump_need(walk->dump, DUMP_STREAM, walk->id);
    dump_need(walk->dump, DUMP_OFFER, item->offer);
    const struct dump_span span = {.stream_id = walk->id,
                                   .stream = *walk->stream,
                                   .offer = item->offer,
                                   .identity = named->identity,
                                   .attributes = *attributes,
                                   .record = *record,
                                   .first_seq = item->first,
                                   .last_seq = item->last,
                                   .observations = item->observations,
                                   .is_doubted = item->is_doubted,
                                   .is_voided = item->is_voided,
                                   .is_open = item->is_open};
    dump_give(walk->dump, DUMP_SPAN, &span);
}

/* Each run of a stretch that counts. */
static void give_stretch(struct walk *walk, const struct stretch *stretch)
{
    struct reader *reader = &walk->dump->reader;
    const struct named_offer *named = reader_offer(reader, stretch->offer);
    const struct offer_attributes *attributes = reader_attributes(reader, stretch->attr);
    const struct offer_record *record = reader_record(reader, stretch->record);
    if (named == NULL || attributes == NULL || record == NULL) return;
    if (!dump_wants_offer(walk->dump, stretch->offer, stretch->attr, stretch->record)) return;
    struct dump_observation seen = {.stream_id = walk->id,
                                    .stream = *walk->stream,
                                    .first_seq = stretch->span_first,
                                    .offer = stretch->offer,
                                    .attributes_id = stretch->attr,
                                    .record_id = stretch->record,
                                    .identity = named->identity,
                                    .attributes = *attributes,
                                    .record = *record,
                                    .doubt = {"", 0}};
    add_span(walk, stretch, &seen);
    for (size_t i = stretch->begin; i < stretch->end && i < walk->run_count; i++) {
        const struct run_mark *run = &walk->runs[i];
        if (!(stretch->is_doubt ? run->is_content : run->is_good) || !dump_wants_time(walk->dump, run->t_unix_s)) continue;
        seen.seq = run->seq;
        seen.t_unix_s = run->t_unix_s;
        dump_need(walk->dump, DUMP_STREAM, walk->id);
        dump_need(walk->dump, DUMP_OFFER, stretch->offer);
        dump_need(walk->dump, DUMP_ATTRIBUTES, stretch->attr);
        dump_need(walk->dump, DUMP_RECORD, stretch->record);
        if (!dump_give(walk->dump, DUMP_OBSERVATION, &seen)) return;
    }
}

/* Observations, or spans where these are wanted. */
static void give_observations(struct walk *walk)
{
    struct span_log *log = &walk->state.spans_seen;
    part_spans_finish(&walk->state);
    if (log->count > 0) qsort(log->items, log->count, sizeof *log->items, span_cmp);
    for (size_t i = 0; i < log->count && walk->dump->options->has_spans && db_err(walk->dump->txn) == GT_OK; i++) give_span(walk, &log->items[i]);
    if (walk->dump->options->has_spans) return;
    if (walk->stretch_count > 0) qsort(walk->stretches, walk->stretch_count, sizeof *walk->stretches, stretch_cmp);
    for (size_t i = 0; i < walk->stretch_count && db_err(walk->dump->txn) == GT_OK; i++) give_stretch(walk, &walk->stretches[i]);
}

/* Observations come after the runs: where a stretch ends is only known once its last run was read. */
void dump_one_stream(struct dump *dump, uint32_t id)
{
    struct run_cursor cursor;
    struct walk walk = {.dump = dump, .id = id, .stream = reader_stream(&dump->reader, id), .row_arena = arena_new(ROW_ARENA_MAX)};
    if (walk.row_arena == NULL) out_of_memory(&walk);
    part_state_init(&walk.state, dump->arena, true);
    run_cursor_init(&cursor, dump->txn, id);
    bool is_wanted = walk.stream != NULL && (!dump->options->is_manual_only || walk.stream->provenance == PROVENANCE_MANUAL);
    bool has = is_wanted && run_cursor_seek(&cursor, 0);
    for (; has && db_err(dump->txn) == GT_OK; has = run_cursor_next(&cursor)) walk_row(&walk, &cursor);
    run_cursor_done(&cursor);
    if (db_err(dump->txn) == GT_OK) give_observations(&walk);
    arena_free(walk.row_arena);
}
