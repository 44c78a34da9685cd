/* How often each site is really fetched: `every` of its section says how often it may be, cron may come less often. */
#ifndef GT_REPORTS_INTERVAL_H
#define GT_REPORTS_INTERVAL_H

#include "reports/report.h"

enum { INTERVAL_LOOK_BACK_S = 3 * 86400 };

/* The input's sites with `every_s` raised to the mean distance of their runs in the INTERVAL_LOOK_BACK_S before `at_unix_s`;
 * 0 (not known) where fewer than two runs tell. In the arena. GT_OK; GT_ENOMEM; what the store says. */
enum gt_err intervals_read(const struct report_input *input, int64_t at_unix_s, struct arena *arena,
                           struct report_site **ret_sites, struct gt_errinfo *info);

#endif
