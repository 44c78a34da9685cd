/* The actions of `gputape archive`, each in a file of its own. */
#ifndef GT_CLI_ARCHIVE_H
#define GT_CLI_ARCHIVE_H

#include "cli/command.h"
#include "crawler/archive.h"

/* Opens the archive of the data folder. */
enum gt_err cli_archive_open(struct cli *cli, struct archive **ret_archive);

/* Each returns an exit code; messages go to cli->info. */

/* List: a line a record, or a file. */
int archive_list_run(struct cli *cli, const struct arguments *args);
/* Cat: the decoded page of a record, or the record. */
int archive_cat_run(struct cli *cli, const struct arguments *args);
/* Export: WARC files as they were written. */
int archive_export_run(struct cli *cli, const struct arguments *args);
/* Verify: every digest; exit 1 when anything is wrong. */
int archive_verify_run(struct cli *cli, const struct arguments *args);
/* Pack: the months that are over. */
int archive_pack_run(struct cli *cli, const struct arguments *args);
/* Import: foreign WARC files, as history of provenance warc. */
int archive_import_run(struct cli *cli, const struct arguments *args);
/* Reparse: today's rules over archived pages. */
int archive_reparse_run(struct cli *cli, const struct arguments *args);

#endif
