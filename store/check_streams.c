/* `db check`, the streams: replaying each run log must give the latest block and the delisted offers as they are stored. */
#include <inttypes.h>

#include "store/check.h"
#include "store/price_row.h"

enum { ROW_SCRATCH_MAX = 256 << 20 };

/* One stream under check. */
struct stream_check {
    struct check *check;
    uint32_t id;
    struct part_state replay;
    struct arena *scratch;
    uint64_t rows;
    int64_t so_far_unix_s; /* the latest run up to the block in hand */
};

/* A finding that names the run where the history stops being what it should. */
static void find(struct stream_check *sc, uint64_t seq, const char *what)
{
    check_find(sc->check, "stream %u, run %" PRIu64 ": %s", (unsigned)sc->id, seq, what);
}

/* What a step refers to must be there and decode. */
static void check_step(struct stream_check *sc, const struct run_row_stored *row, const struct step *step)
{
    struct reader *reader = &sc->check->reader;
    reader_offer(reader, step->offer);
    reader_text(reader, step->detail);
    if (step->code == STEP_FACTS) {
        reader_facts(reader, step->after);
        return;
    }
    reader_attributes(reader, step->attr);
    reader_record(reader, step->before);
    reader_record(reader, step->after);
    if (step->first > row->seq || step->fallback_first > step->fallback_shown || step->fallback_shown > row->seq)
        find(sc, row->seq, "a step refers to a later run");
}

/* What the next commit relies on when it reads the last row instead of all of them. */
static void check_row_head(struct stream_check *sc, const struct run_row_stored *row)
{
    const struct part_state *state = &sc->replay;
    if (row->seq > sc->check->seq_last) find(sc, row->seq, "its number was never given out");
    if (row->good_before != state->last_good) find(sc, row->seq, "the good run before it is another one");
    if (row->content_before != state->last_content) find(sc, row->seq, "the run read before it is another one");
    if (row->is_good && !row->is_content) find(sc, row->seq, "it is good but was not read");
    if (row->is_action && (row->is_good || row->is_content)) find(sc, row->seq, "an action counts as a run");
    reader_text(&sc->check->reader, row->reason);
}

/* Whoever looks for a time from the end of the log stops where a block says that all before is older. */
static void check_times(struct stream_check *sc, const struct run_cursor *cursor)
{
    if (cursor->at > 0) return;
    sc->check->run_blocks++;
    if (sc->rows == 0 || cursor->block.latest_unix_s > sc->so_far_unix_s) sc->so_far_unix_s = cursor->block.latest_unix_s;
    if (cursor->block.so_far_unix_s != sc->so_far_unix_s) find(sc, cursor->row->seq, "its block has another latest time");
}

/* Takes one row through the checks and the replay. False when the replay cannot go on. */
static bool check_row(struct stream_check *sc, const struct run_cursor *cursor)
{
    struct run_row_stored row;
    arena_clear(sc->scratch);
    if (run_cursor_row(cursor, sc->scratch, &row) != GT_OK) {
        find(sc, cursor->row->seq, "it cannot be decoded: the history of its part ends before it");
        return false;
    }
    check_times(sc, cursor);
    check_row_head(sc, &row);
    for (size_t i = 0; i < row.step_count; i++) {
        check_step(sc, &row, &row.steps[i]);
        part_step_apply(&sc->replay, &row, &row.steps[i]);
    }
    part_run_apply(&sc->replay, &row);
    sc->rows++;
    if (sc->replay.err == GT_OK) return true;
    find(sc, row.seq, "its steps do not fit what came before");
    return false;
}

/* The whole log in order. After a row that cannot be replayed, the state is unknown and nothing behind it can be judged. */
static bool replay_stream(struct stream_check *sc)
{
    struct run_cursor cursor;
    bool is_fine = true;
    run_cursor_init(&cursor, sc->check->txn, sc->id);
    for (bool has = run_cursor_seek(&cursor, 0); has && is_fine; has = run_cursor_next(&cursor)) is_fine = check_row(sc, &cursor);
    run_cursor_done(&cursor);
    return is_fine && db_err(sc->check->txn) == GT_OK;
}

/* Every field that is stored, none that only replay uses. Fields of a record or doubt that is not there mean nothing. */
static bool slot_eq(const struct slot *a, const struct slot *b)
{
    bool same = a->offer == b->offer && a->is_listed == b->is_listed &&
                a->listed_since == b->listed_since && a->good.record == b->good.record && a->doubt.record == b->doubt.record;
    if (same && a->good.record != 0)
        same = a->good.first == b->good.first && a->good.shown == b->good.shown && a->good.end == b->good.end;
    if (same && a->doubt.record != 0)
        same = a->doubt.first == b->doubt.first && a->doubt.reason == b->doubt.reason && a->doubt.detail == b->doubt.detail &&
               a->doubt.is_releasable == b->doubt.is_releasable && a->doubt.is_part == b->doubt.is_part;
    return same;
}

static bool attributes_eq(const struct slot *a, const struct slot *b)
{
    return a->attr == b->attr && (a->doubt.record == 0 || a->doubt.attr == b->doubt.attr);
}

/* The log is the truth and the latest block a shortcut: where they differ, the next run would go on from a wrong state. */
static void compare(struct stream_check *sc, const struct part_state *stored)
{
    const struct part_state *replay = &sc->replay;
    uint64_t seq = replay->last_seq;
    /* An older format kept others there, which nobody uses: a migration takes them from the log. */
    bool has_attributes = db_format(sc->check->db) >= STORE_FORMAT_VERSION;
    if (stored->facts != replay->facts) find(sc, seq, "the latest block has other facts");
    if (stored->spans != replay->spans) find(sc, seq, "the latest block counts other spans");
    if (stored->baseline_seq != replay->baseline_seq || stored->baseline_rows != replay->baseline_rows ||
        stored->baseline_reason != replay->baseline_reason)
        find(sc, seq, "the latest block has another accepted row count");
    if (stored->count != replay->count) find(sc, seq, "the latest block and the delisted offers are not those of the log");
    for (size_t i = 0; i < stored->count && i < replay->count; i++) {
        const struct slot *a = &stored->slots[i], *b = &replay->slots[i];
        if (slot_eq(a, b) && (!has_attributes || attributes_eq(a, b))) continue;
        check_find(sc->check, "stream %u: offer %u does not stand where the log leaves it", (unsigned)sc->id,
                   (unsigned)b->offer);
        break;
    }
}

/* One stream: replay, then what is stored beside it. Delisted offers are counted, so that rows of no stream show. */
static void check_stream(struct stream_check *sc)
{
    struct part_state stored;
    struct check *check = sc->check;
    part_state_init(&sc->replay, check->arena, true);
    reader_stream(&check->reader, sc->id);
    if (!replay_stream(sc)) return;
    if (sc->rows == 0) check_find(check, "stream %u has no runs", (unsigned)sc->id);
    if (!part_load_latest(check->txn, sc->id, &stored, check->arena)) return;
    size_t listed = stored.count;
    if (!part_load_gone(check->txn, sc->id, &stored)) return;
    check->gone += stored.count - listed;
    compare(sc, &stored);
    if (!price_row_fits(&check->reader, sc->id, &sc->replay)) find(sc, sc->replay.last_seq, "the prices are not those of the records that stand");
}

void check_streams(struct check *check)
{
    struct stream_check sc = {.check = check, .scratch = arena_new(ROW_SCRATCH_MAX)};
    if (sc.scratch == NULL) db_fail(check->txn, GT_ENOMEM, "out of memory");
    for (uint32_t id = part_stream_next(check->txn, 0); id != 0; id = part_stream_next(check->txn, id)) {
        /* Each stream's decoded things go before the next: memory is bounded by the largest stream. */
        arena_clear(check->arena);
        reader_init(&check->reader, check->txn, check->arena);
        sc.id = id;
        sc.rows = 0;
        check_stream(&sc);
    }
    arena_free(sc.scratch);
    if (db_err(check->txn) == GT_OK && check->gone != db_count(check->txn, DB_GONE))
        check_find(check, "table gone has entries of no stream");
    if (db_err(check->txn) == GT_OK && check->findings == 0 && check->run_blocks != db_count(check->txn, DB_RUNS))
        check_find(check, "table runs has entries of no stream");
}
