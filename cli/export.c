/* export: everything that the store knows, out again. */
#include <string.h>

#include "cli/command.h"
#include "common/file.h"
#include "export/export.h"
#include "pricing/query.h"

enum { TERMS_ARENA_MAX = 1 << 20 };

static const struct {
    const char *name;
    export_fn *write;
} formats[] = {{"jsonl", export_jsonl}, {"csv", export_csv}, {"openmetrics", export_openmetrics}};

/* A query and memory for what one offer is asked about. */
struct wish {
    const struct query *query;
    struct arena *arena;
};

/* Sources pass where the query asks for nothing that only an offer has. */
static bool wish_has(void *ctx, struct gt_str site, const struct offer_identity *identity, const struct offer_attributes *attributes,
                     const struct offer_record *record)
{
    const struct wish *wish = ctx;
    if (identity == NULL) return query_matches_source(wish->query, site);
    arena_clear(wish->arena);
    const struct query_subject subject = {site, identity, attributes, query_terms(record, wish->arena)};
    return query_matches(wish->query, &subject);
}

/* The format's writer, or NULL with a message. */
static export_fn *format_of(struct cli *cli, const struct arguments *args)
{
    const char *name = argument_get(args, "--format");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(name != NULL ? name : "jsonl", formats[i].name) == 0) return formats[i].write;
    cli_usage(cli, "--format takes jsonl, csv or openmetrics, not \"%s\"", name);
    return NULL;
}

/* Into a file as a whole or not at all, without holding it in memory. */
static enum gt_err write_file(struct cli *cli, struct store *store, const struct dump_options *options, export_fn *write, const char *path)
{
    struct file_draft draft;
    enum gt_err err = file_draft_begin(path, 0644, &draft, &cli->info);
    if (err != GT_OK) return err;
    err = write(store, options, draft.file, &cli->info);
    return file_draft_end(&draft, err, &cli->info);
}

/* The words of the command line as what is wanted. */
static int options_of(struct cli *cli, const struct arguments *args, struct wish *wish, struct dump_options *options)
{
    struct gt_str words = argument_words(cli, args, 0);
    options->since_unix_s = INT64_MIN;
    options->until_unix_s = INT64_MAX;
    options->has_times = argument_has(args, "--since") || argument_has(args, "--until");
    if (!argument_time(cli, args, "--since", INT64_MIN, &options->since_unix_s) ||
        !argument_time(cli, args, "--until", INT64_MAX, &options->until_unix_s))
        return EXIT_USAGE;
    enum gt_err err = query_read(words, cli->arena, &wish->query, &cli->info);
    if (err != GT_OK || words.len == 0) return exit_from_err(err);
    options->wants = wish_has;
    options->wants_ctx = wish;
    return EXIT_DONE;
}

static int export_run(struct cli *cli, const struct arguments *args)
{
    struct dump_options options = {0};
    struct wish wish = {.arena = arena_new(TERMS_ARENA_MAX)};
    struct store *store = NULL;
    const char *path = argument_get(args, "-o");
    export_fn *write = format_of(cli, args);
    int code = write == NULL ? EXIT_USAGE : options_of(cli, args, &wish, &options);
    if (code == EXIT_DONE) {
        enum gt_err err = wish.arena != NULL ? cli_store_open(cli, STORE_READ, &store) : GT_ENOMEM;
        if (err == GT_OK)
            err = path != NULL ? write_file(cli, store, &options, write, path) : write(store, &options, cli->out, &cli->info);
        code = exit_from_err(err);
    }
    store_close(store);
    arena_free(wish.arena);
    return code;
}

static const struct option_spec options[] = {
    {"--format", "F", "jsonl (everything), csv (a table of observations, changes, runs) or openmetrics"},
    {"--since", "T", "only what runs from then on saw"},
    {"--until", "T", "only what runs before then saw"},
    {"-o", "FILE", "write there, as a whole or not at all"},
    {NULL, NULL, NULL},
};

const struct command command_export = {
    .name = "export",
    .usage = "[QUERY] [--since T] [--until T] [--format jsonl|csv|openmetrics] [-o FILE]",
    .summary = "every observation, change and run; without QUERY and times what `import --history` makes a store of",
    .options = options,
    .run = export_run,
};
