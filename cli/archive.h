/* The actions of `gputape archive`, each in a file of its own. */
#ifndef GT_CLI_ARCHIVE_H
#define GT_CLI_ARCHIVE_H

#include "cli/command.h"
#include "crawler/archive.h"

/* Opens the archive of the data folder. */
enum gt_err cli_archive_open(struct cli *cli, struct archive **ret_archive);

int archive_list_run(struct cli *cli, const struct arguments *args);
int archive_cat_run(struct cli *cli, const struct arguments *args);
int archive_export_run(struct cli *cli, const struct arguments *args);
int archive_verify_run(struct cli *cli, const struct arguments *args);
int archive_pack_run(struct cli *cli, const struct arguments *args);
int archive_import_run(struct cli *cli, const struct arguments *args);
int archive_reparse_run(struct cli *cli, const struct arguments *args);

#endif
