/* db compact --keep-pages: pages of months that are long over leave the archive. In this order, each step durable before the next: the months
 * are packed; what may go is found and told; the whole history is archived, with the action; a store is made of what was archived, and says
 * the same; the packs lose their pages. Whatever a crash leaves is an archive that makes the same store, and the next call goes on. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "cli/db.h"
#include "cli/history.h"
#include "common/civil.h"
#include "crawler/archive.h"
#include "crawler/archive_drop.h"
#include "crawler/archive_history.h"
#include "export/export.h"

#define RUNS_ARENA_MAX ((size_t)4 << 30)

/* ---- what the store needs ---- */

struct seen_run {
    uint64_t seq;
    struct gt_str record_id;
};

/* One stream after the other, as a dump gives them. */
struct wanting {
    struct arena *arena, *stream_arena; /* of all; of one stream */
    uint32_t stream;
    struct seen_run *runs; /* of the stream, in order */
    size_t run_count, run_cap;
    struct gt_str newest; /* the record of its last run that was read */
    uint32_t offer;
    uint64_t standing_seq, doubted_seq; /* where the offer's open spans began; 0: none */
    struct gt_str *ids;
    size_t count, cap;
    enum gt_err err;
};

static void id_want(struct wanting *want, struct gt_str id)
{
    void *ids = want->ids;
    struct gt_str kept = arena_dup(want->arena, id);
    if (id.len == 0) return;
    if (kept.ptr == NULL || !arena_grow(want->arena, &ids, want->count, &want->cap, sizeof *want->ids)) {
        want->err = GT_ENOMEM;
        return;
    }
    want->ids = ids;
    want->ids[want->count++] = kept;
}

static void run_want(struct wanting *want, uint64_t seq)
{
    size_t low = 0, high = want->run_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (want->runs[middle].seq < seq) low = middle + 1;
        else high = middle;
    }
    if (low < want->run_count && want->runs[low].seq == seq) id_want(want, want->runs[low].record_id);
}

/* The newest page of a part: the next crawl asks whether it has changed, and what answers "no" refers to it. */
static void stream_end(struct wanting *want)
{
    id_want(want, want->newest);
    want->newest = GT_STR("");
    want->runs = NULL;
    want->run_count = want->run_cap = 0;
    want->offer = 0;
    arena_clear(want->stream_arena);
}

static void run_see(struct wanting *want, const struct dump_run *run)
{
    void *runs = want->runs;
    if (run->stream_id != want->stream) stream_end(want);
    want->stream = run->stream_id;
    struct gt_str id = arena_dup(want->stream_arena, run->record_id);
    if (id.ptr == NULL || !arena_grow(want->stream_arena, &runs, want->run_count, &want->run_cap, sizeof *want->runs)) {
        want->err = GT_ENOMEM;
        return;
    }
    want->runs = runs;
    want->runs[want->run_count++] = (struct seen_run){run->row.seq, id};
    bool is_read = run->row.status == STATUS_OK || run->row.status == STATUS_UNCHANGED || run->row.status == STATUS_DRIFTED;
    if (is_read && id.len > 0) want->newest = id;
}

/* Whoever decides on an open doubt looks at the page that began it, and at the one that began what stands. */
static void span_see(struct wanting *want, const struct dump_span *span)
{
    if (!span->is_open || span->is_voided) return;
    if (span->offer != want->offer) want->standing_seq = want->doubted_seq = 0;
    want->offer = span->offer;
    *(span->is_doubted ? &want->doubted_seq : &want->standing_seq) = span->first_seq;
    if (want->doubted_seq == 0) return;
    run_want(want, want->doubted_seq);
    run_want(want, want->standing_seq);
}

static enum gt_err thing_see(void *ctx, enum dump_kind kind, const void *item)
{
    struct wanting *want = ctx;
    if (kind == DUMP_RUN) run_see(want, item);
    if (kind == DUMP_SPAN) span_see(want, item);
    return want->err;
}

/* All of a store, in the cli's arena. */
static enum gt_err wanted_find(struct cli *cli, struct store *store, struct drop_options *options)
{
    static const struct dump_options kinds = {.has_spans = true, .kinds = 1U << DUMP_RUN | 1U << DUMP_SPAN};
    struct wanting want = {.arena = cli->arena, .stream_arena = arena_new(RUNS_ARENA_MAX)};
    if (want.stream_arena == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = store_dump(store, &kinds, thing_see, &want, &cli->info);
    if (err == GT_OK) stream_end(&want);
    arena_free(want.stream_arena);
    options->wanted = want.ids;
    options->wanted_count = want.count;
    return err == GT_OK ? want.err : err;
}

/* ---- what is told ---- */

/* Bytes of all files in the archive's folder. */
static int64_t archive_bytes(const char *folder)
{
    struct stat st;
    struct dirent *entry;
    int64_t bytes = 0;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)) bytes += st.st_size;
    if (dir != NULL) closedir(dir);
    return bytes;
}

/* Month by month; the sum into the action. */
static void plan_tell(struct cli *cli, const struct drop_plan *plan, const char *will, struct archive_action *action)
{
    size_t count;
    const struct drop_month *months = drop_plan_months(plan, &count);
    for (size_t i = 0; i < count; i++) {
        action->pages += (int64_t)months[i].pages;
        action->bytes += months[i].bytes;
        if (months[i].pages + months[i].kept > 0)
            fprintf(cli->out, "%.4s-%.2s: %zu pages %s, %" PRId64 " bytes as they came; %zu stay\n", months[i].month, months[i].month + 4,
                    months[i].pages, will, months[i].bytes, months[i].kept);
    }
}

/* ---- what is done ---- */

static enum gt_err history_print(void *ctx, FILE *file, struct gt_errinfo *info)
{
    static const struct dump_options spans = {.has_spans = true};
    return export_jsonl(ctx, &spans, file, info);
}

/* Archives the history, and makes a store of what lies there: only then can it stand for pages. */
static enum gt_err history_archive(struct cli *cli, struct archive_action *action)
{
    const char *folder = history_archive_folder(cli);
    struct store *store = NULL, *made = NULL;
    struct store_draft *draft = NULL;
    size_t runs;
    enum gt_err err = cli_store_open(cli, STORE_WRITE, &store);
    if (err == GT_OK) err = archive_history_put(folder, &cli->clock, history_print, store, cli->arena, action, &cli->info);
    if (err == GT_OK) err = history_adopt_none(cli, store);
    store_close(store);
    if (err == GT_OK) err = cli_store_draft(cli, false, &draft, &made);
    if (err == GT_OK) err = history_prove(cli, made, action, &runs);
    store_close(made);
    store_draft_abort(draft);
    return err;
}

static void pack_tell(void *ctx, const struct archive_packed *packed)
{
    struct cli *cli = ctx;
    if (packed->error.len > 0) fprintf(cli->err, "gputape: %s: %.*s\n", packed->pack, GT_STR_ARG(packed->error));
}

/* Cuts off what a crash left unfinished at the archive's end, as every writer does: it was never acknowledged, and is no damage. */
static enum gt_err end_mend(struct cli *cli)
{
    struct warc_writer *writer = NULL;
    struct warc_settings settings = {.folder = history_archive_folder(cli), .clock = &cli->clock, .software = "gputape/" GPUTAPE_VERSION};
    enum gt_err err = warc_writer_open(&settings, &writer, NULL, &cli->info);
    warc_writer_close(writer);
    return err;
}

/* What may go, as of now. */
static enum gt_err plan_make(struct cli *cli, struct drop_options *options, struct drop_plan **ret_plan)
{
    struct store *store = NULL;
    enum gt_err err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = wanted_find(cli, store, options);
    store_close(store);
    if (err == GT_OK) err = drop_plan_make(options, ret_plan, &cli->info);
    if (!archive_is_damage(err)) return err;
    struct gt_errinfo why = cli->info;
    return gt_fail(&cli->info, err, "no page is dropped, for the archive is damaged (`gputape archive verify`): %s", why.text);
}

enum gt_err db_pages_drop(struct cli *cli, int64_t before_unix_s, bool is_dry)
{
    const char *folder = history_archive_folder(cli);
    struct drop_options options = {.folder = folder, .before_unix_s = before_unix_s, .now_unix_s = clock_unix_s(&cli->clock)};
    struct archive_action action = {.kind = ACTION_DROP, .t_unix_s = options.now_unix_s, .until_unix_s = before_unix_s};
    struct drop_plan *plan = NULL;
    char day[CIVIL_TEXT_MAX];
    int64_t bytes = archive_bytes(folder);
    enum gt_err err = is_dry ? GT_OK : end_mend(cli);
    if (err == GT_OK && !is_dry) err = history_settle(cli);
    if (err == GT_OK && !is_dry) err = archive_pack(folder, action.t_unix_s, pack_tell, cli, &cli->info);
    if (err == GT_OK) err = plan_make(cli, &options, &plan);
    if (err == GT_OK) plan_tell(cli, plan, is_dry ? "would go" : "go", &action);
    if (err == GT_OK && action.pages == 0)
        fprintf(cli->out, "no page goes: those of before %s are gone or needed\n", civil_date(before_unix_s, 0, day));
    if (err == GT_OK && action.pages > 0 && !is_dry) {
        fflush(cli->out); /* what goes is told before it is gone */
        err = history_archive(cli, &action);
        const struct pack_history history = {action.file, action.offset};
        if (err == GT_OK) err = drop_plan_run(plan, &history, &cli->info);
        if (err == GT_OK)
            fprintf(cli->out, "%" PRId64 " pages dropped, all records kept in a history of %" PRId64 " parts; archive: %" PRId64 " bytes, %" PRId64
                              " before\n",
                    action.pages, action.records, archive_bytes(folder), bytes);
    }
    drop_plan_free(plan);
    return err;
}
