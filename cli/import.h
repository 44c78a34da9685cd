/* What the files of `import` share. */
#ifndef GT_CLI_IMPORT_H
#define GT_CLI_IMPORT_H

#include "cli/command.h"

/* `import --history FILE.jsonl`. Exit codes. */
int import_history_run(struct cli *cli, const char *path);

#endif
