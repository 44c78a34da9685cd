/* What commands open: the configuration, the data folder, the store. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/command.h"

static const char conf_system[] = "/etc/gputape/sites.conf";

/* What cron and scripts tell apart: wrong use (mend the line), another run (wait), everything else (look). */
int exit_from_err(enum gt_err err)
{
    switch (err) {
    case GT_OK: return EXIT_DONE;
    case GT_EUSAGE:
    case GT_ECONF: return EXIT_USAGE;
    case GT_ELOCKED: return EXIT_LOCKED;
    default: return EXIT_FAILED;
    }
}

int cli_usage(struct cli *cli, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gt_vfail(&cli->info, GT_EUSAGE, format, args);
    va_end(args);
    return EXIT_USAGE;
}

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* A file of the folder that the program lies in (`up` 0) or of the one above it (1): built here, or installed with any prefix. */
static const char *beside_program(struct cli *cli, int up, const char *name)
{
    char program[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    if (len <= 0) return name;
    program[len] = '\0';
    for (char *slash; up >= 0 && (slash = strrchr(program, '/')) != NULL; up--) *slash = '\0';
    return arena_printf(cli->arena, "%s/%s", program, name).ptr;
}

/* `-c` is one file and nothing else. A build in its tree takes the tree's file, so that a clone works without an installation; installed,
 * /etc lies over what was shipped. */
enum gt_err cli_conf_open(struct cli *cli)
{
    cli->conf = conf_new();
    if (cli->conf == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (cli->conf_path != NULL) return conf_read_file(cli->conf, cli->conf_path, &cli->info);
    const char *tree = beside_program(cli, 0, "sites.conf"), *shipped = beside_program(cli, 1, "share/gputape/sites.conf");
    if (tree == NULL || shipped == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (exists(tree)) return conf_read_file(cli->conf, tree, &cli->info);
    if (!exists(shipped) && !exists(conf_system))
        return gt_fail(&cli->info, GT_ECONF, "no configuration: neither %s nor %s exists; name one with -c", conf_system, shipped);
    enum gt_err err = exists(shipped) ? conf_read_file(cli->conf, shipped, &cli->info) : GT_OK;
    if (err == GT_OK && exists(conf_system)) err = conf_read_file(cli->conf, conf_system, &cli->info);
    return err;
}

const char *cli_data_path(struct cli *cli, const char *name)
{
    return arena_printf(cli->arena, "%s/%s", cli->data_folder, name).ptr;
}

enum gt_err cli_store_open(struct cli *cli, enum store_mode mode, struct store **ret_store)
{
    const char *folder = cli_data_path(cli, "store");
    if (folder == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = store_open(folder, mode, ret_store, &cli->info);
    if (err == GT_ENOENT)
        return gt_fail(&cli->info, GT_ENOENT, "no store in %s yet: `gputape -d %s crawl` makes one", cli->data_folder, cli->data_folder);
    return err;
}

enum gt_err cli_store_draft(struct cli *cli, bool is_copy, struct store_draft **ret_draft, struct store **ret_store)
{
    const char *folder = cli_data_path(cli, "store");
    if (folder == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    return store_draft_begin(folder, is_copy, ret_draft, ret_store, &cli->info);
}

int cli_width(const struct cli *cli)
{
    struct winsize size;
    return isatty(fileno(cli->out)) && ioctl(fileno(cli->out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

enum gt_err cli_json_write(struct cli *cli, struct json_t *value)
{
    if (value == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    int failed = json_dumpf(value, cli->out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(value);
    if (failed != 0 || fputc('\n', cli->out) == EOF) return gt_fail(&cli->info, GT_EIO, "the output could not be written");
    return GT_OK;
}
