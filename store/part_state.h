/* Where a stream stands after a run: which offers it lists, their standing good record, their open doubt. The commit works on
 * it and writes it down as the stream's "latest" block; replaying the run log gives the same again, and `db check` compares
 * the two. */
#ifndef GT_STORE_PART_STATE_H
#define GT_STORE_PART_STATE_H

#include "store/run_log.h"

/* Why a good record stands. The numbers are stored. */
enum good_end {
    GOOD_OPEN,      /* every good run since has shown it */
    GOOD_SUSPENDED, /* a doubt is open beside it; it goes on when the doubt ends */
    GOOD_ABSENT,    /* the offer was not shown by a good run: delisted */
    GOOD_VOIDED,    /* what came after it was voided: the last record that counts */
    GOOD_ENDS
};

/* A span as replay makes it. */
struct span {
    uint32_t offer, record, attr;
    uint64_t first, last;  /* runs: the first and last that showed it */
    uint64_t from;         /* `first`; of a piece (part_spans_cut) the run that begins it */
    size_t window;         /* what part_spans_cut was told last; else 0 */
    int64_t from_unix_s, last_unix_s; /* when those two began */
    uint32_t observations; /* good runs that showed it (for doubts: any that were read) */
    bool is_doubted, is_voided, is_open;
    uint32_t detail; /* the guard's sentence */
};

#define PART_NO_WINDOW SIZE_MAX

struct span_log {
    struct span *items;
    size_t count, cap;
};

/* One offer of a stream. */
struct slot {
    uint32_t offer;
    uint32_t attr;         /* attributes of the good record as it was last seen; where none stands, of the offer */
    bool is_listed;               /* on the page of the last good run, or an open good or doubted span says so */
    uint64_t listed_since; /* run that put it on the list: every good run since has shown it, in whatever state */
    struct {
        uint32_t record; /* 0: none */
        uint64_t first;  /* run that opened its span */
        uint64_t shown;  /* a run that showed it; the last one unless GOOD_OPEN */
        enum good_end end;
    } good;
    struct {
        uint32_t record; /* 0: none */
        uint32_t attr;   /* a page that is not believed says nothing about the good record's cards */
        uint64_t first;
        enum guard_reason reason;
        bool is_releasable, is_part;
        uint32_t detail;
    } doubt;
    /* replay only: the open spans' places in the log, and where counting of their observations began */
    size_t good_span, doubt_span;
    uint64_t good_base, doubt_base;
};

struct part_state {
    struct arena *arena; /* owns the slots */
    struct slot *slots;  /* by offer */
    size_t count, cap;
    uint32_t facts;
    uint64_t baseline_seq; /* runs up to it do not count for the guard of row counts */
    uint32_t baseline_rows;
    enum guard_reason baseline_reason; /* what a person accepted at that count */
    uint64_t spans;                    /* spans opened so far */
    int64_t until_next_unix_s;         /* the earliest `until` or `from` of a standing record that had not passed; 0 none. Not replayed */
    /* from the last row */
    uint64_t last_seq, last_good, last_content;
    int64_t last_t_unix_s;
    bool is_failing, is_part_doubted, is_part_releasable;
    uint32_t offers_seen; /* of the last run that was read */
    /* replay only */
    struct span_log spans_seen;
    size_t window; /* of spans that begin; PART_NO_WINDOW: they are not logged */
    uint64_t good_count, content_count;
    int64_t last_good_unix_s, last_content_unix_s; /* when those runs began */
    enum gt_err err; /* GT_ENOMEM; GT_ECORRUPT for steps that no commit writes */
};

/* An empty state. One that `is_replay` logs its spans. */
void part_state_init(struct part_state *state, struct arena *arena, bool is_replay);

/* The slot of an offer, or NULL. Pointers are good until a slot is added or removed. */
struct slot *part_slot_find(const struct part_state *state, uint32_t offer);

/* Adds the slot of an offer that has none; NULL when memory is out (state->err). */
struct slot *part_slot_add(struct part_state *state, uint32_t offer);

/* Adds slots, by offer, of offers that have none. False when memory is out. */
bool part_slots_merge(struct part_state *state, const struct slot *slots, size_t count);

/* Takes a slot out. */
void part_slot_remove(struct part_state *state, uint32_t offer);

/* The last run that showed the standing good record. */
uint64_t part_good_seen(const struct part_state *state, const struct slot *slot);

/* Does one step of the run `row`. The states before and after follow from the arguments alone. */
void part_step_apply(struct part_state *state, const struct run_row_stored *row, const struct step *step);

/* Closes a run after its steps: last good, last content, flags, counts. */
void part_run_apply(struct part_state *state, const struct run_row_stored *row);

/* Replay: fills in the end of the spans that are still open. */
void part_spans_finish(struct part_state *state);

/* Replay, between two runs: what is open ends and goes on as pieces of the same spans, which count their observations from run `from` on.
 * Pieces and spans that begin have this window until the next cut: any number, or PART_NO_WINDOW, where none are logged. */
void part_spans_cut(struct part_state *state, const struct run_place *from, size_t window);

/* ---- the "latest" block of a stream, and the row of a delisted offer ---- */

/* Writes the listed slots and what belongs to the stream; not what the last row of the run log tells. */
void enc_latest(struct strbuf *buf, const struct part_state *state);

/* Into a state that part_state_init has prepared. GT_OK; GT_ECORRUPT; GT_ENOMEM. */
enum gt_err dec_latest(struct gt_str bytes, struct part_state *state);

/* One slot alone; its offer stands in the key. */
void enc_gone(struct strbuf *buf, const struct slot *slot);
enum gt_err dec_gone(struct gt_str bytes, uint32_t offer, struct slot *ret_slot);

#endif
