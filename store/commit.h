/* One run on its way into the database: what the commit's files share. A part goes through them in this order: load
 * (part_load), sight (who is on the page), judge (what that means), write. */
#ifndef GT_STORE_COMMIT_H
#define GT_STORE_COMMIT_H

#include "store/reader.h"
#include "store/store_impl.h"

/* One offer of the page, found among those known. */
struct sighting {
    uint32_t offer, attr, record;
    const struct offer *seen;
    struct gt_str duplicate; /* a sentence when the page shows the identity twice with different records */
};

struct part_job {
    struct db_txn *txn;
    struct arena *arena; /* dies with the attempt */
    const struct run_input *run;
    const struct run_part *part;
    uint32_t stream;
    struct part_state state; /* before the steps, then after them */
    struct reader reader;
    struct run_row_stored row;
    struct guard_verdict part_verdict;
    struct sighting *sightings; /* by offer, each offer once */
    size_t sighting_count;
    struct guard_pair *reworded; /* newcomers that are most likely an offer that left, and what it cost */
    size_t reworded_count;
    uint32_t *gone; /* offers that were delisted before this run and are on the page again */
    size_t gone_count, gone_cap;
    struct step *steps;
    size_t step_count, step_cap;
    size_t doubted; /* sightings that may not stand */
};

/* Adds a step. Failures stand in the transaction. */
void job_step_add(struct part_job *job, struct step step);

/* Interns a text of at most OFFER_TEXT_MAX bytes; 0 for an empty one. */
uint32_t job_text(struct part_job *job, struct gt_str text);

/* Finds every offer of the part among those known (giving new ones an id), its attributes and record. Fills job->sightings. */
void job_sight(struct part_job *job);

/* What the page means for each offer: adds steps. Run after job_sight. */
void job_judge(struct part_job *job);

/* Guards the part as a whole; sets job->part_verdict. */
void job_guard_part(struct part_job *job);

/* Guards the part by how its prices moved together: run after job_sight, doubts the part as job_guard_part does. */
void job_guard_moves(struct part_job *job);

/* Guards one offer, beyond guard_offer, by what stands beside it: an open doubt, its neighbours on the page. `slot` is
 * NULL for a newcomer. */
struct guard_verdict job_guard_beside(struct part_job *job, const struct slot *slot, const struct sighting *sighting,
                                      struct guard_verdict verdict);

/* True when the page is another one than that on which the slot's doubt began: only such a page can release it. An equal page
 * says the same again, and so does one that only repeats a header. */
bool job_is_second_look(struct part_job *job, const struct slot *slot);

/* Doubts the part as a whole, or not: sets the verdict and what follows from it. A verdict that a person has accepted, or that a
 * second full fetch releases, counts as none. */
void job_part_verdict(struct part_job *job, struct guard_verdict verdict);

/* Adds what the run means for the source: failed, recovered, doubted as a whole, other facts. */
void job_judge_source(struct part_job *job);

/* Writes stock counts that differ from those before. */
void job_stock_write(struct part_job *job);

/* The row's fields that follow from status and state, before anything is judged. */
void job_classify(struct part_job *job);

/* Applies the steps to the state and writes row, latest block and delisted offers. Also for operator's
 * actions. */
void job_write(struct part_job *job);

/* The changes that a stored row tells, appended to an array in `arena`, in order of steps and kinds; what they point to is the
 * reader's. False on failure. */
bool row_changes(struct reader *reader, uint32_t stream, const struct run_row_stored *row, struct arena *arena,
                 struct change **changes, size_t *count, size_t *cap);

#endif
