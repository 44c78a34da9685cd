/* Corrections: published figures of a week that would be others now, because pages were read again, the catalogue changed, or doubts of
 * that week were decided after it. */
#ifndef GT_REPORTS_CORRECTION_H
#define GT_REPORTS_CORRECTION_H

#include "reports/published.h"

enum { CORRECTION_WEEKS_MAX = 104 }; /* published weeks that are looked back at */

/* Why, as far as it is known. */
enum correction_cause {
    CORRECTION_REREAD,    /* the history itself is another: reparse, rebuild, import */
    CORRECTION_CATALOGUE, /* as before, and the catalogue of cards is another */
    CORRECTION_RELEASED,  /* a doubt of an offer of the class was decided since: it counts */
    CORRECTION_VOIDED,    /* … it does not */
    CORRECTION_CAUSES
};

/* One class and currency of a published week. */
struct correction {
    struct gt_str week;
    int64_t published_unix_s;
    const struct published_row *was, *now; /* NULL: no usable price */
    enum correction_cause cause;
    int64_t decided_unix_s; /* of a decision; 0 else */
    struct gt_str detail;   /* its reason, as it was given */
};

struct correction_list {
    struct correction *items; /* by week as they were added, then class and currency */
    size_t count, cap;
};

/* "reread", "catalogue", "released", "voided". */
const char *correction_cause_word(enum correction_cause cause);

/* Adds what differs in a week, when it was published by input->now_unix_s and the input asks for what everybody gets; nothing else. `rows`
 * are the store's at the week's last second. Everything is in the arena. GT_OK; GT_ENOMEM; GT_ECORRUPT; what the store says. */
enum gt_err corrections_add(const struct report_input *input, const struct report_period *period, const struct board_rows *rows, struct arena *arena,
                            struct correction_list *list, struct gt_errinfo *info);

/* Adds, the newest week first, what differs in weeks that lie further back than the one before `period`, as far as it came to light in `period`
 * or after it: a doubt was decided, or the history derived anew. One board after another is read, and only where that may be; of a report's
 * own week and the one before corrections_add tells all. Everything is in the arena. Errors as corrections_add. */
enum gt_err corrections_add_older(const struct report_input *input, const struct report_period *period, struct arena *arena,
                                  struct correction_list *list, struct gt_errinfo *info);

/* Puts the other list's corrections behind those of the list, in the arena. GT_OK; GT_ENOMEM. */
enum gt_err corrections_join(struct correction_list *list, const struct correction_list *other, struct arena *arena);

#endif
