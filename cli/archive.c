/* archive: what was fetched, as it came: listed, shown, exported, verified, packed, read anew. */
#include "cli/archive.h"

#include <string.h>

enum gt_err cli_archive_open(struct cli *cli, struct archive **ret_archive)
{
    const char *folder = cli_data_path(cli, "archive");
    return folder == NULL ? gt_fail(&cli->info, GT_ENOMEM, "out of memory") : archive_open(folder, ret_archive, &cli->info);
}

static int run(struct cli *cli, const struct arguments *args)
{
    static const struct {
        const char *name;
        int (*run)(struct cli *, const struct arguments *);
    } actions[] = {{"list", archive_list_run},      {"cat", archive_cat_run},       {"export", archive_export_run},
                   {"import", archive_import_run},  {"verify", archive_verify_run}, {"pack", archive_pack_run},
                   {"reparse", archive_reparse_run}};
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) return actions[i].run(cli, args);
    return cli_usage(cli, "archive does list, cat, export, import, verify, pack or reparse");
}

static const struct option_spec options[] = {
    {"--json", NULL, "list, verify, import, pack and reparse as JSON"},
    {"--files", NULL, "list: files instead of records"},
    {"--site", "SITE", "list: records of that site's addresses and outcomes; import: whose pages these are"},
    {"--since", "T", "list, reparse: from this time on"},
    {"--until", "T", "list: up to this time, not included"},
    {"--record", NULL, "cat: the whole record instead of the decoded page"},
    {"--output", "FILE", "export: into this file instead of standard output"},
    {"--apply", NULL, "reparse: replace the history; without it, only what would change is told"},
    {NULL, NULL, NULL},
};

const struct command command_archive = {
    .name = "archive",
    .usage = "list|cat|export|import|verify|pack|reparse …",
    .summary = "what was fetched, as it came: listed, shown, exported, verified, packed, read anew",
    .help =
        "  archive list [--site S] [--since T] [--until T] [--files]   records (or files), where they lie and how large they "
        "are\n"
        "  archive cat RECORD [--record]     the page of a record (urn:uuid:…, or FILE:OFFSET), decoded; or the record itself\n"
        "  archive export [FILE…]            the WARC file as it was written, byte for byte, packed or not; without FILE all of "
        "them\n"
        "  archive import FILE… [--site S]   foreign WARC files, as history of provenance warc\n"
        "  archive verify                    every digest of every record; exit 1 when anything is wrong\n"
        "  archive pack                      pack the months that are over; records keep their places\n"
        "  archive reparse SITE --since T    what today's rules make of the archived pages; --apply puts it in the history's "
        "place",
    .options = options,
    .needs = NEEDS_CONF,
    .run = run};
