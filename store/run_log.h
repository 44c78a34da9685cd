/* The run log: one row a stream and run, holding what happened and, as a list of steps, what it did to the offers. Spans are
 * not stored: replaying the steps gives them, so what was known at any moment follows exactly, and nothing is ever rewritten
 * but the "latest" block. */
#ifndef GT_STORE_RUN_LOG_H
#define GT_STORE_RUN_LOG_H

#include "store/codec.h"
#include "store/store.h"

/* What a run (or the operator) does to one offer of a stream, or to the stream itself. The numbers are stored: append only. */
enum step_code {
    STEP_NONE,
    STEP_GOOD,       /* a good span of `after` begins; a good or doubted one ends */
    STEP_BACK,       /* the doubted span ends, the good one goes on */
    STEP_DOUBT,      /* a doubted span of `after` begins beside the good one */
    STEP_DOUBT_END,  /* the doubted span ends, nothing new is known of the good one */
    STEP_RELEASE,    /* the doubted span becomes a good one, from its beginning */
    STEP_ABSENT,     /* not shown by a good run: all its spans end */
    STEP_ATTRIBUTES, /* derived facts are `attr` from here on */
    STEP_NOTE,       /* a change without a new span: an `until` has passed */
    STEP_VOID,       /* the span that began at `first` does not count; where it was the good one, `after` stands in its place */
    STEP_FACTS,      /* of the stream: its facts are `after` from here on */
    STEP_SOURCE,     /* of the stream: it failed, recovered, or is doubted as a whole */
    STEP_BASELINE, /* of the stream: a person accepted `rows` rows; counts before do not count, nor does `reason` at that count */
    STEP_CODES
};

struct step {
    enum step_code code;
    uint32_t offer;                          /* 0: the stream */
    uint32_t kinds;                          /* bit 1 << CHANGE_…: what is told as changes */
    uint32_t attr;                           /* attributes in force */
    uint32_t before, after;                  /* records */
    uint32_t detail;                         /* text */
    enum guard_reason reason;                /* DOUBT, BASELINE */
    bool is_releasable;                      /* DOUBT: by a second full fetch */
    bool is_part;                            /* DOUBT: the whole part was doubted */
    uint64_t first;                          /* VOID: the span */
    uint64_t fallback_first, fallback_shown; /* VOID: the span of `after` */
    uint32_t rows;                           /* BASELINE */
};

/* One row. */
struct run_row_stored {
    uint64_t seq; /* this and the time come from its place */
    int64_t t_unix_s;
    enum part_status status;
    bool is_action;                       /* the operator's: no attempt at the site */
    bool is_good;                         /* shows presence and prices that may stand */
    bool is_content;                      /* a page was read, or is known to be the one read last */
    bool is_failing;                      /* after it the source counts as failing */
    bool is_part_doubted;                 /* after it: the part read last is doubted as a whole */
    bool is_part_releasable;              /* and a second full fetch releases it */
    uint64_t good_before, content_before; /* the last such run before it; 0 none */
    int32_t http_code;
    int64_t latency_ms, body_bytes;
    uint32_t reason; /* text */
    uint32_t rows_found, rows_refused, offers_seen;
    const struct step *steps; /* by offer, the stream's own first */
    size_t step_count;
};

enum { RUN_STEPS_MAX = 65536, RUN_BYTES_MAX = 16 << 20 };

/* Where a row lies: what its block knows of it. */
struct run_place {
    uint64_t seq;
    int64_t t_unix_s;
    struct gt_str bytes;
};

/* Writes a row but for its sequence number and time, which its place has. */
void enc_run(struct strbuf *buf, const struct run_row_stored *row);

/* `arena` gets the steps; NULL leaves them out (steps NULL, step_count 0). GT_OK; GT_ECORRUPT; GT_ENOMEM. */
enum gt_err dec_run(const struct run_place *place, struct arena *arena, struct run_row_stored *ret_row);

/* The steps of a row, read one by one: a replay needs none of them longer. */
struct run_steps {
    struct dec dec;
    size_t left;
    uint32_t offer;       /* of the last one read */
    uint32_t first, last; /* steps of offers before and behind these may be passed over unread; all offers at the beginning */
};

/* The row without its steps, and those. GT_OK; GT_ECORRUPT (the row may be filled in part). */
enum gt_err run_steps_begin(const struct run_place *place, struct run_row_stored *ret_row, struct run_steps *ret_steps);

/* The same, but of the row only its place, flags and offers_seen; the rest is left as it is, and passed over unread. */
enum gt_err run_steps_skim(const struct run_place *place, struct run_row_stored *ret_row, struct run_steps *ret_steps);

/* The next step; false behind the last one and on damage, which run_steps_end tells: GT_OK when all were read, else GT_ECORRUPT. */
bool run_steps_next(struct run_steps *steps, struct step *ret_step);
enum gt_err run_steps_end(const struct run_steps *steps);

/* The last good (content) run once this row is written. */
static inline uint64_t run_good_after(const struct run_row_stored *row)
{
    return row->is_good ? row->seq : row->good_before;
}
static inline uint64_t run_content_after(const struct run_row_stored *row)
{
    return row->is_content ? row->seq : row->content_before;
}

/* How many changes the row tells. */
size_t run_change_count(const struct run_row_stored *row);

#endif
