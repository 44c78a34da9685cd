/* What the files of `import` share. */
#ifndef GT_CLI_IMPORT_H
#define GT_CLI_IMPORT_H

#include "cli/command.h"
#include "crawler/archive_action.h"

/* `import --history FILE.jsonl`. An exit code. */
int import_history_run(struct cli *cli, const char *path);

/* `import QUOTES.csv`; `site` may be NULL. An exit code. */
int import_leads_run(struct cli *cli, const char *path, const char *site, bool skips_bad);

/* True for the action that an import of leads has left in the archive. */
bool import_leads_is(const struct archive_action *action);

/* Does it again, for a rebuild: the table is read out of the archive. GT_ENOENT when it is not there; errors of store_leads_put. */
enum gt_err import_leads_again(struct cli *cli, struct store *store, const struct archive_action *action, struct gt_errinfo *info);

#endif
