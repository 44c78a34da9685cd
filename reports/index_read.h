/* The price index of a store: week by week, what was known at each week's end. */
#ifndef GT_REPORTS_INDEX_READ_H
#define GT_REPORTS_INDEX_READ_H

#include "reports/period.h"
#include "reports/price_index.h"
#include "reports/report.h"

enum { INDEX_WEEKS_SHOWN = 13 };

/* The weeks of an index, the last one perhaps not over. */
struct index_weeks {
    struct report_period weeks[INDEX_WEEKS_MAX];
    size_t count;
    size_t base; /* the week that the input names; SIZE_MAX when it names none */
};

/* The weeks that [since, until) touches, or the last INDEX_WEEKS_SHOWN up to the one that holds yesterday when both are 0. GT_EUSAGE past
 * INDEX_WEEKS_MAX, and for a base that is none of them. */
enum gt_err index_weeks_from(const struct report_input *input, struct index_weeks *ret_weeks, struct gt_errinfo *info);

/* Reads each week's board and reckons the index. Rules for what is usable are the weekly report's: no mark, 48 h, no spot unless the
 * persona takes it. *ret_is_sample is set when any row is sample data. End it with price_index_done. GT_OK; GT_ENOMEM; GT_ELIMIT; what the
 * store says. */
enum gt_err index_read(const struct report_input *input, const struct index_weeks *weeks, struct arena *arena,
                       struct price_index *ret_index, bool *ret_is_sample, struct gt_errinfo *info);

#endif
