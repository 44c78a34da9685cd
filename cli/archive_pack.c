/* archive pack: closed months made small. */
#include <inttypes.h>

#include <jansson.h>

#include "cli/archive.h"
#include "cli/json_offer.h"
#include "crawler/lock.h"

struct pack_job {
    struct cli *cli;
    json_t *list; /* NULL: as text */
    size_t count;
};

/* One month. */
static void tell(void *ctx, const struct archive_packed *packed)
{
    struct pack_job *job = ctx;
    const struct pack_made *made = &packed->made;
    job->count++;
    if (job->list != NULL) {
        json_array_append_new(
            job->list, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "pack", packed->pack, "files", (json_int_t)made->files,
                                 "records", (json_int_t)made->records, "verbatim", (json_int_t)made->verbatim, "source_bytes",
                                 (json_int_t)made->source_bytes, "pack_bytes", (json_int_t)made->pack_bytes, "error",
                                 json_of_text(packed->error)));
    } else if (packed->error.len > 0) {
        fprintf(job->cli->out, "%s: left as it is: %.*s\n", packed->pack, GT_STR_ARG(packed->error));
    } else {
        fprintf(job->cli->out,
                "%s: %zu files, %zu records, %" PRId64 " bytes in %" PRId64 ": %" PRId64 ".%" PRId64 " times smaller\n",
                packed->pack, made->files, made->records, made->source_bytes, made->pack_bytes,
                made->source_bytes / made->pack_bytes, made->source_bytes * 10 / made->pack_bytes % 10);
    }
}

/* A damaged month is told and left as it is; the others are packed all the same. */
int archive_pack_run(struct cli *cli, const struct arguments *args)
{
    struct pack_job job = {.cli = cli};
    struct run_lock *lock = NULL;
    const char *folder = cli_data_path(cli, "archive");
    if (args->word_count != 1) return cli_usage(cli, "usage: gputape archive pack [--json]");
    if (argument_has(args, "--json")) job.list = json_array();
    enum gt_err err =
        folder != NULL ? run_lock_take(cli->data_folder, &lock, &cli->info) : gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = archive_pack(folder, clock_unix_s(&cli->clock), tell, &job, &cli->info);
    run_lock_free(lock);
    bool is_told = err == GT_OK || err == GT_ECORRUPT;
    if (is_told && job.list != NULL) {
        enum gt_err written = cli_json_write(cli, json_pack("{s:O}", "packs", job.list));
        if (err == GT_OK) err = written;
    } else if (err == GT_OK && job.count == 0) {
        fprintf(cli->out, "nothing to pack: no month is over that is not packed\n");
    }
    json_decref(job.list);
    return exit_from_err(err);
}
