/* Changes: made from the steps of stored runs, found by the times of their blocks. */
#include <stdlib.h>

#include "store/commit.h"
#include "store/diff.h"
#include "store/part_load.h"

enum { CHANGES_BYTES_MAX = 1 << 30 };

/* A step tells kinds; each becomes a change with everything that a reader or an alert rule needs, so that none has to
 * come back and ask. A stream's own steps have neither offer nor records. */
static struct change change_of(struct reader *reader, const struct stream *stream, const struct run_row_stored *row,
                               const struct step *step, enum change_kind kind)
{
    const struct named_offer *offer = reader_offer(reader, step->offer);
    return (struct change){.t_unix_s = row->t_unix_s,
                           .seq = row->seq,
                           .kind = kind,
                           .site = stream->site,
                           .offer_id = step->offer,
                           .detail = reader_text(reader, step->detail),
                           .identity = offer != NULL ? &offer->identity : NULL,
                           .attributes = reader_attributes(reader, step->attr),
                           .before = reader_record(reader, step->before),
                           .after = reader_record(reader, step->after),
                           .is_doubted = step->code == STEP_DOUBT};
}

/* One step may be several kinds of change (a price moved and a promotion began): each is told for itself, in the order of their words. */
bool row_changes(struct reader *reader, uint32_t stream_id, const struct run_row_stored *row, struct arena *arena,
                 struct change **changes, size_t *count, size_t *cap)
{
    if (run_change_count(row) == 0) return true;
    const struct stream *stream = reader_stream(reader, stream_id);
    for (size_t i = 0; i < row->step_count && stream != NULL; i++)
        for (int kind = 0; kind < CHANGE_WORDS; kind++) {
            void *items = *changes;
            if ((row->steps[i].kinds & KIND_BIT(kind)) == 0) continue;
            if (!arena_grow(arena, &items, *count, cap, sizeof **changes)) {
                db_fail(reader->txn, GT_ENOMEM, "out of memory");
                return false;
            }
            *changes = items;
            (*changes)[(*count)++] = change_of(reader, stream, row, &row->steps[i], (enum change_kind)kind);
        }
    return db_err(reader->txn) == GT_OK;
}

struct change_list {
    struct arena *arena; /* holds the items */
    struct arena *steps; /* of one row at a time */
    struct change *items;
    size_t count, cap;
};

/* By time, site, seq, offer, kind; the part's name, which the identity holds, decides between sources. */
static int change_cmp(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->t_unix_s != b->t_unix_s) return a->t_unix_s < b->t_unix_s ? -1 : 1;
    int by_site = gt_str_cmp(a->site, b->site);
    if (by_site != 0) return by_site;
    if (a->seq != b->seq) return a->seq < b->seq ? -1 : 1;
    if (a->offer_id != b->offer_id) return a->offer_id < b->offer_id ? -1 : 1;
    if (a->kind != b->kind) return (int)a->kind - (int)b->kind;
    return gt_str_cmp(a->detail, b->detail);
}

/* One stream's, from the steps of its runs in the window. */
static bool load_stream(struct reader *reader, uint32_t stream, int64_t since_unix_s, int64_t until_unix_s,
                        struct change_list *list)
{
    struct run_cursor cursor;
    bool is_fine = true;
    run_cursor_init(&cursor, reader->txn, stream);
    cursor.since_unix_s = since_unix_s;
    cursor.until_unix_s = until_unix_s;
    for (bool has = run_cursor_seek(&cursor, 0); has && is_fine; has = run_cursor_next(&cursor)) {
        struct run_row_stored row;
        if (cursor.row->t_unix_s < since_unix_s || cursor.row->t_unix_s >= until_unix_s) continue;
        arena_clear(list->steps);
        is_fine = run_cursor_row(&cursor, list->steps, &row) == GT_OK &&
                  row_changes(reader, stream, &row, list->arena, &list->items, &list->count, &list->cap);
    }
    run_cursor_done(&cursor);
    return is_fine;
}

/* By time as the clocks said it, which is what `since` and `until` mean; the order within a site stays the sequence's. */
static void load_changes(struct reader *reader, int64_t since_unix_s, int64_t until_unix_s, struct change_list *list)
{
    for (uint32_t id = part_stream_next(reader->txn, 0); id != 0; id = part_stream_next(reader->txn, id))
        if (!load_stream(reader, id, since_unix_s, until_unix_s, list)) return;
}

/* Into an array of its size: whoever is given the changes mostly makes a list of them, and two that have doubled are four times as much. */
static enum gt_err changes_trim(struct change_list *list, struct gt_errinfo *info)
{
    struct arena *arena = arena_new(CHANGES_BYTES_MAX);
    struct change *items = arena != NULL ? arena_array(arena, list->count, sizeof *items) : NULL;
    if (items == NULL) {
        arena_free(arena);
        return gt_fail(info, GT_ENOMEM, "reading the changes: out of memory");
    }
    if (list->count > 0) memcpy(items, list->items, list->count * sizeof *items);
    arena_free(list->arena);
    list->arena = arena;
    list->items = items;
    return GT_OK;
}

enum gt_err store_changes(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, change_fn *fn,
                          void *ctx, struct gt_errinfo *info)
{
    struct db_txn *txn = NULL;
    struct reader reader;
    struct change_list list = {.arena = arena_new(CHANGES_BYTES_MAX), .steps = arena_new(CHANGES_BYTES_MAX)};
    enum gt_err err = GT_ENOMEM;
    if (list.arena == NULL || list.steps == NULL) gt_fail(info, err, "reading the changes: out of memory");
    else err = db_read_begin(store->db, &txn, info);
    if (err != GT_OK) goto out;
    reader_init(&reader, txn, arena);
    load_changes(&reader, since_unix_s, until_unix_s, &list);
    err = db_read_end(txn);
    if (err == GT_OK) err = changes_trim(&list, info);
    if (err != GT_OK) goto out;
    if (list.count > 0) qsort(list.items, list.count, sizeof *list.items, change_cmp);
    /* No transaction is open here: the caller may take its time, and may write. */
    for (size_t i = 0; i < list.count && err == GT_OK; i++) err = fn(ctx, &list.items[i]);
out:
    arena_free(list.arena);
    arena_free(list.steps);
    return err;
}
