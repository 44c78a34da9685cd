/* The sites of the configuration as reports are told of them; for the report commands and the server. */
#ifndef GT_CLI_REPORT_SITES_H
#define GT_CLI_REPORT_SITES_H

#include "common/conf.h"
#include "reports/report.h"

/* Sets input->sites to the sites that are crawled, in the arena: a source from which nothing came is one that has no data; and input->extras to
 * what is said of fees and facts of all sites, for offers of one that is not crawled any more may be in the store. GT_OK; GT_ENOMEM; GT_EUSAGE
 * for a fact that cannot be read. */
enum gt_err report_sites_read(struct conf *conf, struct report_input *input, struct arena *arena, struct gt_errinfo *info);

/* Adds when each of them is fetched next, by what the crawler remembers in input->store of its last attempt. GT_OK; GT_ENOMEM; what the store
 * says. */
enum gt_err report_sites_due(struct report_input *input, struct arena *arena, struct gt_errinfo *info);

#endif
