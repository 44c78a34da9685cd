/* report --publish: the figures of a week are kept as they are told. Under the run lock, for a crawl that closes may publish, too. */
#include "cli/history.h"
#include "cli/report.h"
#include "crawler/lock.h"
#include "reports/frame.h"
#include "reports/published.h"

int cli_publish_begin(struct cli *cli, const struct arguments *args, const struct report_input *input, struct cli_publication *ret_publication)
{
    struct cli_publication publication = {.is_wanted = argument_has(args, "--publish")};
    struct store *store = NULL;
    *ret_publication = publication;
    if (argument_get(args, "--store") != NULL && (publication.is_wanted || argument_has(args, "--published")))
        return cli_usage(cli, "what is published stands in the data folder: not with --store");
    if (!publication.is_wanted) return EXIT_DONE;
    if (argument_has(args, "--published")) return cli_usage(cli, "one of --publish, --published");
    enum gt_err err = frame_period(input, period_week_of(input->now_unix_s, input->zone_offset_s), &publication.period, &cli->info);
    if (err == GT_OK) err = published_check(input, &publication.period, &cli->info);
    /* To write makes what is missing; here there must be something to publish. */
    if (err == GT_OK) err = cli_store_open(cli, STORE_READ, &store);
    store_close(store);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &publication.lock, &cli->info);
    if (err == GT_OK) *ret_publication = publication;
    return exit_from_err(err);
}

enum gt_err cli_published_archive(struct cli *cli, struct store *store)
{
    struct published_texts texts;
    enum gt_err err;
    bool is_any = false;
    while ((err = published_unarchived(store, cli->arena, &texts, &cli->info)) == GT_OK) {
        struct archive_action action = {
            .kind = ACTION_PUBLISH, .t_unix_s = clock_unix_s(&cli->clock), .week = texts.week, .head = texts.head, .rows = texts.rows};
        err = history_action_put(cli, &action);
        if (err == GT_OK) err = published_archived_put(store, texts.week, &cli->info);
        if (err != GT_OK) return err;
        is_any = true;
    }
    if (err == GT_ENOENT) err = is_any ? history_adopt_none(cli, store) : GT_OK;
    return err;
}

/* The message goes to stderr: stdout is the report. */
enum gt_err cli_publish_end(struct cli *cli, struct report_input *input, struct cli_publication *publication, enum gt_err err)
{
    bool is_new = false;
    if (!publication->is_wanted || err != GT_OK) goto out;
    struct gt_str week = period_name(&publication->period, input->zone_offset_s, cli->arena);
    err = cli_store_open(cli, STORE_WRITE, &input->store);
    if (err != GT_OK) goto out;
    size_t adopted;
    err = history_adopt(cli, input->store, NULL, &adopted);
    if (err == GT_OK) err = published_keep(input, NULL, &publication->period, PUBLISHED_BY_HAND, &is_new, &cli->info);
    if (err == GT_OK) err = cli_published_archive(cli, input->store);
    store_close(input->store);
    if (err == GT_OK)
        fprintf(cli->err, "gputape: %.*s %s\n", GT_STR_ARG(week),
                is_new ? "is published: what differs from it later is printed as a correction" : "was published before: its figures of then stay");
out:
    run_lock_free(publication->lock);
    return err;
}
