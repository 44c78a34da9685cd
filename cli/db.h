/* The actions of `gputape db` that have a file of their own. Inside cli/db*.c only. */
#ifndef GT_CLI_DB_H
#define GT_CLI_DB_H

#include "cli/command.h"

/* db rebuild --skus: derives the cards of all history anew. */
int db_rebuild_run(struct cli *cli, const struct arguments *args);

/* db backup FILE, db restore FILE, db compact, db migrate. */
int db_backup_run(struct cli *cli, const struct arguments *args);
int db_restore_run(struct cli *cli, const struct arguments *args);
int db_compact_run(struct cli *cli, const struct arguments *args);
int db_migrate_run(struct cli *cli, const struct arguments *args);

/* db compact --keep-pages: drops the pages of the months before `before_unix_s`, the beginning of one, and says which. `is_dry`: says only
 * which would go. Under the run lock. GT_ECORRUPT when anything in the archive is damaged: then nothing went. */
enum gt_err db_pages_drop(struct cli *cli, int64_t before_unix_s, bool is_dry);

/* db rebuild without --skus: from the archive. */
int db_refill_run(struct cli *cli, const struct arguments *args);

#endif
