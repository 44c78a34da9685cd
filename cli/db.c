/* db: figures, verification, and the operator's word on doubted observations. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/db.h"
#include "cli/json_offer.h"
#include "cli/history.h"
#include "common/civil.h"
#include "crawler/lock.h"
#include "store/offer_name.h"
#include "store/prices.h"

static json_t *json_of_time(int64_t t_unix_s)
{
    char text[CIVIL_TEXT_MAX];
    return t_unix_s == 0 ? json_null() : json_string(civil_rfc3339(t_unix_s, text));
}

/* Of the offers those that pages show today, and what is doubted of them. */
struct listed {
    uint64_t offers, doubted;
    uint64_t last_id;
};

/* Both prices of an offer come together. */
static enum gt_err count_listed(void *ctx, const struct offer_price *price)
{
    struct listed *listed = ctx;
    listed->offers += price->offer_id != listed->last_id;
    listed->doubted += price->is_doubted;
    listed->last_id = price->offer_id;
    return GT_OK;
}

static void print_stat(struct cli *cli, const struct store_stat *stat, const struct listed *listed)
{
    char first[CIVIL_TEXT_MAX], last[CIVIL_TEXT_MAX];
    fprintf(cli->out, "format   %" PRIu64 "\nstreams  %" PRIu64 "\nruns     %" PRIu64 "\noffers   %" PRIu64 ", %" PRIu64 " of them listed, %" PRIu64
            " in doubt\nrecords  %" PRIu64 "\nspans    %" PRIu64 "\nchanges  %" PRIu64 "\n", stat->format_version, stat->streams, stat->runs,
            stat->offers, listed->offers, listed->doubted, stat->records, stat->spans, stat->changes);
    fprintf(cli->out, "file     %" PRIu64 " bytes, %" PRIu64 " of them used; map %" PRIu64 "\n", stat->file_bytes, stat->used_bytes,
            stat->map_bytes);
    if (stat->runs > 0)
        fprintf(cli->out, "from     %s\nto       %s\n", civil_rfc3339(stat->first_run_unix_s, first),
                civil_rfc3339(stat->last_run_unix_s, last));
}

static int run_stat(struct cli *cli, const struct arguments *args)
{
    struct store *store = NULL;
    struct store_stat stat = {0};
    struct listed listed = {0};
    enum gt_err err = cli_store_open(cli, STORE_READ, &store);
    if (err == GT_OK) err = store_stat(store, &stat, &cli->info);
    if (err == GT_OK) err = store_prices(store, count_listed, &listed, &cli->info);
    store_close(store);
    if (err != GT_OK) return exit_from_err(err);
    if (!argument_has(args, "--json")) {
        print_stat(cli, &stat, &listed);
        return EXIT_DONE;
    }
    return exit_from_err(cli_json_write(
        cli, json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "format_version",
                       (json_int_t)stat.format_version, "streams", (json_int_t)stat.streams, "runs", (json_int_t)stat.runs, "offers",
                       (json_int_t)stat.offers, "listed", (json_int_t)listed.offers, "doubted", (json_int_t)listed.doubted, "records",
                       (json_int_t)stat.records, "spans", (json_int_t)stat.spans, "changes",
                       (json_int_t)stat.changes, "file_bytes", (json_int_t)stat.file_bytes, "map_bytes", (json_int_t)stat.map_bytes,
                       "used_bytes", (json_int_t)stat.used_bytes, "first_run", json_of_time(stat.first_run_unix_s), "last_run",
                       json_of_time(stat.last_run_unix_s))));
}

static void print_finding(void *ctx, struct gt_str sentence)
{
    fprintf(ctx, "%.*s\n", GT_STR_ARG(sentence));
}

/* The findings are the output; that there were some is the exit code. */
static int run_check(struct cli *cli, const struct arguments *args)
{
    size_t findings = 0;
    const char *folder = cli_data_path(cli, "store");
    (void)args;
    enum gt_err err = store_check(folder, print_finding, cli->out, &findings, &cli->info);
    if (err == GT_OK) fprintf(cli->out, "%s: clean\n", folder);
    else if (err == GT_ECORRUPT && cli->info.text[0] == '\0') gt_fail(&cli->info, err, "%zu findings in %s", findings, folder);
    return exit_from_err(err);
}

static bool read_number(const char *text, uint64_t *ret)
{
    char *end = NULL;
    *ret = text != NULL ? strtoull(text, &end, 10) : 0;
    return text != NULL && end != text && *end == '\0';
}

/* db release OFFER REASON…, db void OFFER RUN REASON… */
static int run_judge(struct cli *cli, const struct arguments *args)
{
    bool is_void = strcmp(args->words[0], "void") == 0;
    uint64_t offer = 0, seq = 0;
    size_t reason_at = is_void ? 3 : 2;
    if (args->word_count <= reason_at || !read_number(args->words[1], &offer) || (is_void && !read_number(args->words[2], &seq)))
        return cli_usage(cli, "usage: gputape db %s", is_void ? "void OFFER RUN REASON…" : "release OFFER REASON…");
    struct store *store = NULL;
    struct run_lock *lock = NULL;
    struct gt_str reason = argument_words(cli, args, reason_at);
    int64_t now = clock_unix_s(&cli->clock);
    size_t adopted;
    struct archive_action action = {.kind = is_void ? ACTION_VOID : ACTION_RELEASE, .t_unix_s = now, .reason = reason};
    enum gt_err err = cli_conf_open(cli);
    if (err == GT_OK) err = run_lock_take(cli->data_folder, &lock, &cli->info);
    if (err == GT_OK) err = cli_store_open(cli, STORE_WRITE, &store);
    if (err == GT_OK) err = history_adopt(cli, store, NULL, &adopted);
    if (err == GT_OK) err = store_offer_name(store, offer, cli->arena, &action.site, &action.identity, &cli->info);
    if (err == GT_OK && is_void) err = store_run_start(store, offer, seq, &action.run_start_unix_s, &cli->info);
    /* archived first, so that a rebuild does the same again */
    if (err == GT_OK) err = history_action_put(cli, &action);
    if (err == GT_OK)
        err = is_void ? store_void(store, offer, seq, now, reason, &cli->info) : store_release(store, offer, now, reason, &cli->info);
    if (err == GT_OK) err = history_adopt_none(cli, store);
    store_close(store);
    run_lock_free(lock);
    if (err == GT_OK) fprintf(cli->out, "offer %" PRIu64 " %s\n", offer, is_void ? "voided" : "released");
    return exit_from_err(err);
}

static int run(struct cli *cli, const struct arguments *args)
{
    static const struct {
        const char *name;
        int (*run)(struct cli *, const struct arguments *);
        size_t words_max;
    } actions[] = {{"stat", run_stat, 1},           {"check", run_check, 1},
                   {"release", run_judge, SIZE_MAX}, {"void", run_judge, SIZE_MAX},
                   {"rebuild", db_rebuild_run, 1},   {"backup", db_backup_run, 2},
                   {"restore", db_restore_run, 2},   {"compact", db_compact_run, 1},
                   {"migrate", db_migrate_run, 1}};
    for (size_t i = 0; args->word_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(args->words[0], actions[i].name) == 0) {
            const char *what = arena_printf(cli->arena, "db %s", actions[i].name).ptr;
            int code = argument_words_check(cli, args, what != NULL ? what : "db", actions[i].words_max);
            return code == EXIT_DONE ? actions[i].run(cli, args) : code;
        }
    return cli_usage(cli, "db does stat, check, release, void, rebuild, backup, restore, compact or migrate");
}

static const struct option_spec options[] = {{"--json", NULL, "stat and rebuild as JSON"},
                                             {"--skus", NULL, "rebuild: only the cards that labels name"},
                                             {"--replace", NULL, "restore: in the place of a store, which is kept beside it"},
                                             {"--pack", NULL, "compact: old runs packed, too"},
                                             {"--keep-pages", "SPAN", "compact: pages of months that were over so long ago leave the archive"},
                                             {"--dry-run", NULL, "compact --keep-pages: only say what would go"},
                                             {NULL, NULL, NULL}};

const struct command command_db = {
    .name = "db",
    .usage = "stat|check|release|void|rebuild|backup|restore|compact|migrate …",
    .summary = "figures of the store, its verification, the word on doubted observations, cards derived anew, copies",
    .help = "  db stat [--json]                  streams, runs, offers and how many are listed, spans, bytes\n"
            "  db check                          verify every checksum and invariant; exit 1 when anything is wrong\n"
            "  db release OFFER REASON…          a doubted observation is right after all\n"
            "  db void OFFER RUN REASON…         a span that began with that run is wrong; it is kept, marked\n"
            "  db rebuild [--json]               make the store anew from the archive; sends nothing; the old one is kept as store.old\n"
            "  db rebuild --skus [--json]        derive the card of every offer over all history anew, with today's catalogue and the aliases "
            "of sites.conf, and print what changed; labels and identities stay as they are\n"
            "  db backup FILE                    a verified copy of the store in one file, while crawls go on; FILE is replaced only by a good one\n"
            "  db restore FILE [--replace]       a backup becomes the store, after it was verified; --replace keeps the old one as store.old\n"
            "  db compact [--pack] [--keep-pages SPAN [--dry-run]]\n"
            "                                    the store without the pages that hold nothing, verified before it takes the old one's place; "
            "--pack writes all runs but the newest packed, in a third of their bytes: nothing is lost; "
            "marketplaces with `keep` lose single offers that ended so long ago, not how prices were spread; "
            "--keep-pages 180d packs the archive and drops the pages of whole months that were over that long ago, "
            "after all records were archived: a rebuild gives the same store; --dry-run only says what would go\n"
            "  db migrate                        a store of an older format becomes one of this program's, as a verified copy that takes its place; "
            "the older one is kept as store.old",
    .options = options,
    .run = run};
