#include "cli/archive.h"
int archive_import_run(struct cli *cli, const struct arguments *args) { (void)args; return cli_usage(cli, "later"); }
