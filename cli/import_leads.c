/* import QUOTES.csv: leads. The table goes into the archive as it is, then its rows into a copy of the store that takes its place: all of them
 * or none. A rebuild reads the table again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/history.h"
#include "cli/import.h"
#include "common/digest.h"
#include "common/file.h"
#include "common/utf8.h"
#include "crawler/archive.h"
#include "crawler/lock.h"
#include "parsers/charset.h"
#include "parsers/csv_table.h"
#include "pricing/lead.h"
#include "store/leads.h"

enum { FAULTS_SHOWN = 20, RECORD_ID_BYTES = 64 };

/* What an import of leads says in the archive's action, so that a rebuild knows it from one of WARC files. */
static const char leads_reason[] = "leads";

struct leads_file {
    struct cli *cli;
    struct arena *arena;
    struct gt_str site; /* --site; empty without */
    int64_t now_unix_s;
    bool tells_faults; /* on stderr, line by line */
    struct lead_header header;
    bool has_header;
    struct lead_row *rows;
    size_t count, cap, bad;
};

/* ---- reading ---- */

/* A row that is no lead. */
static enum gt_err fault_tell(struct leads_file *in, size_t line, const char *why)
{
    in->bad++;
    if (in->tells_faults && in->bad <= FAULTS_SHOWN)
        fprintf(in->cli->err, "gputape: line %zu: %s\n", line, utf8_printable(gt_str_from(why), in->arena).ptr);
    if (in->tells_faults && in->bad == FAULTS_SHOWN) fprintf(in->cli->err, "gputape: further lines are not named\n");
    return GT_OK;
}

/* What a row says, as a digest: its site, date and all that was read of it. */
static bool row_digest(const struct lead *lead, struct gt_str site, const struct gt_str *cells, size_t count, uint8_t ret_sha256[SHA256_BYTES])
{
    struct strbuf all;
    strbuf_init(&all, (size_t)CSV_CELLS_MAX * (CSV_CELL_BYTES_MAX + 64));
    strbuf_addf(&all, "%zu:%.*s%" PRId64, site.len, GT_STR_ARG(site), lead->t_unix_s);
    for (size_t i = 0; i < count; i++) strbuf_addf(&all, " %zu:%.*s", cells[i].len, GT_STR_ARG(cells[i]));
    bool good = all.err == GT_OK && digest_sha256(strbuf_str(&all), ret_sha256) == GT_OK;
    strbuf_done(&all);
    return good;
}

/* What is known of the site that the row names; a site without a section is one that is called so. */
static enum gt_err row_keep(struct leads_file *in, const struct lead *lead, const struct site_facts *facts, struct gt_str site,
                            const struct gt_str *cells, size_t count)
{
    void *items = in->rows;
    struct lead_row row = {.site = site,
                           .title = facts->title.len > 0 ? facts->title : site,
                           .kind = facts->kind,
                           .market = facts->market,
                           .net_rules = net_rules_from_facts(facts),
                           .rule_version = GT_STR("leads"),
                           .t_unix_s = lead->t_unix_s,
                           .offer = lead->offer};
    if (!row_digest(lead, site, cells, count, row.sha256) || in->count == LEADS_MAX ||
        !arena_grow(in->arena, &items, in->count, &in->cap, sizeof *in->rows))
        return gt_fail(&in->cli->info, GT_ELIMIT, "more rows than memory or %d", LEADS_MAX);
    in->rows = items;
    in->rows[in->count++] = row;
    return GT_OK;
}

/* Each row is read by the words of its own site's section: currency and rounding are the site's, not the table's. */
static enum gt_err on_row(void *ctx, size_t line, const struct gt_str *cells, size_t count)
{
    struct leads_file *in = ctx;
    struct gt_errinfo fault = {0};
    struct site_facts facts;
    struct lead lead;
    if (count > CSV_CELLS_MAX) return fault_tell(in, line, "more cells than a row may have");
    if (!in->has_header) {
        in->has_header = true;
        enum gt_err failed = lead_header_read(cells, count, &in->header, &fault);
        return failed == GT_OK ? GT_OK : gt_fail(&in->cli->info, failed, "line %zu: %s", line, fault.text);
    }
    struct gt_str site = lead_site(&in->header, cells, count);
    if (site.len == 0) site = in->site.len > 0 ? in->site : GT_STR("leads");
    enum gt_err err = site_facts_from_conf(conf_find(in->cli->conf, "site", site), &facts, &in->cli->info);
    if (err != GT_OK) return err;
    err = lead_read(&in->header, cells, count, &facts, in->now_unix_s, in->arena, &lead, &fault);
    if (err == GT_EFORMAT) return fault_tell(in, line, fault.text);
    if (err != GT_OK) return gt_fail(&in->cli->info, err, "line %zu: %s", line, fault.text);
    return row_keep(in, &lead, &facts, site, cells, count);
}

/* Bytes of a table as rows. GT_EFORMAT when it is none; bad rows are counted. */
static enum gt_err table_read(struct leads_file *in, struct gt_str bytes)
{
    struct charset_text text;
    struct gt_errinfo fault = {0};
    enum gt_err err = charset_decode(bytes, (struct gt_str){"", 0}, (struct gt_str){"", 0}, in->arena, &text, &in->cli->info);
    if (err != GT_OK) return err;
    err = csv_table_read(text.text, in->arena, on_row, in, &fault);
    if (err != GT_OK && fault.text[0] != '\0') return gt_fail(&in->cli->info, err, "%s", fault.text);
    if (err == GT_OK && !in->has_header) return gt_fail(&in->cli->info, GT_EFORMAT, "the table is empty");
    return err;
}

/* ---- the archive ---- */

/* The id of a table's record follows from its bytes. */
static void record_id_of(const char *hex, char ret_id[RECORD_ID_BYTES])
{
    snprintf(ret_id, RECORD_ID_BYTES, "urn:uuid:%.8s-%.4s-5%.3s-8%.3s-%.12s", hex, hex + 8, hex + 13, hex + 17, hex + 20);
}

/* The table and the action, synced before the store has anything of them. */
static enum gt_err archive_put(struct leads_file *in, const char *path, struct gt_str bytes, struct warc_place *ret_place)
{
    struct cli *cli = in->cli;
    struct warc_writer *writer = NULL;
    struct warc_place own;
    uint8_t sha256[SHA256_BYTES];
    char hex[SHA256_HEX_MAX], id[RECORD_ID_BYTES];
    const char *slash = strrchr(path, '/');
    struct warc_settings settings = {
        .folder = history_archive_folder(cli), .clock = &cli->clock, .software = "gputape/" GPUTAPE_VERSION};
    if (digest_sha256(bytes, sha256) != GT_OK) return gt_fail(&cli->info, GT_EINTERNAL, "no digest");
    digest_hex(sha256, sizeof sha256, hex);
    record_id_of(hex, id);
    struct gt_str uri = arena_printf(in->arena, "gputape:leads/%s", hex);
    struct warc_record record = {.type = WARC_RESOURCE,
                                 .target_uri = uri,
                                 .t_unix_s = in->now_unix_s,
                                 .record_id = gt_str_from(id),
                                 .content_type = GT_STR("text/csv"),
                                 .body = bytes};
    struct archive_action action = {.kind = ACTION_IMPORT,
                                    .t_unix_s = in->now_unix_s,
                                    .site = in->site,
                                    .reason = gt_str_from(leads_reason),
                                    .file = gt_str_from(slash != NULL ? slash + 1 : path),
                                    .file_sha256 = gt_str_from(hex)};
    enum gt_err err = warc_writer_open(&settings, &writer, NULL, &cli->info);
    if (err == GT_OK) err = warc_write(writer, &record, ret_place, &cli->info);
    if (err == GT_OK) err = archive_action_write(writer, &action, &own, &cli->info);
    if (err == GT_OK) err = warc_writer_sync(writer, &cli->info);
    warc_writer_close(writer);
    return err;
}

/* The rows say where their table lies. */
static void rows_place(struct leads_file *in, struct gt_str file, int64_t offset)
{
    for (size_t i = 0; i < in->count; i++) {
        in->rows[i].warc_file = file;
        in->rows[i].warc_offset = offset;
    }
}

bool import_leads_is(const struct archive_action *action)
{
    return action->kind == ACTION_IMPORT && gt_str_is(action->reason, leads_reason) && action->file_sha256.len == SHA256_HEX_MAX - 1;
}

enum gt_err import_leads_again(struct cli *cli, struct store *store, const struct archive_action *action, struct gt_errinfo *info)
{
    struct archive *archive = NULL;
    struct archive_record record;
    struct gt_str head, body;
    char id[RECORD_ID_BYTES], hex[SHA256_HEX_MAX] = {0};
    size_t written = 0;
    struct leads_file in = {.cli = cli, .arena = arena_new(CLI_ARENA_MAX), .site = action->site, .now_unix_s = action->t_unix_s};
    if (in.arena == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    memcpy(hex, action->file_sha256.ptr, sizeof hex - 1);
    record_id_of(hex, id);
    enum gt_err err = archive_open(history_archive_folder(cli), &archive, info);
    if (err == GT_OK) err = archive_find(archive, gt_str_from(id), &record, info);
    if (err == GT_OK) {
        warc_entry_split(&record.entry, &head, &body);
        err = table_read(&in, body);
        /* a table that today's section or reader does not take is told and passed over, like every action that no longer applies */
        if (err != GT_OK) err = gt_fail(info, err == GT_ENOMEM ? err : GT_ENOENT, "%s: %s", hex, cli->info.text);
    }
    if (err == GT_OK) {
        rows_place(&in, arena_dup(in.arena, record.file), record.offset);
        err = store_leads_put(store, in.rows, in.count, &written, info);
    }
    archive_close(archive);
    arena_free(in.arena);
    return err;
}

/* ---- storing ---- */

/* How many rows the store does not have; a store that is not there has none. */
static enum gt_err count_new(struct leads_file *in, size_t *ret_new)
{
    struct store *store = NULL;
    size_t adopted;
    enum gt_err err = cli_store_open(in->cli, STORE_WRITE, &store);
    /* the store must have all that is in the archive before either is added to */
    if (err == GT_OK) err = history_adopt(in->cli, store, NULL, &adopted);
    if (err == GT_OK) err = store_leads_count_new(store, in->rows, in->count, ret_new, &in->cli->info);
    store_close(store);
    return err;
}

/* Into a copy of the store, which then takes its place. */
static enum gt_err copy_put(struct leads_file *in, size_t *ret_written)
{
    struct store *made = NULL;
    struct store_draft *draft = NULL;
    enum gt_err err = cli_store_draft(in->cli, true, &draft, &made);
    if (err == GT_OK) err = store_leads_put(made, in->rows, in->count, ret_written, &in->cli->info);
    if (err == GT_OK) err = history_adopt_none(in->cli, made);
    store_close(made);
    if (err == GT_OK) return store_draft_commit(draft, &in->cli->info);
    store_draft_abort(draft);
    return err;
}

/* Archived before it is stored, and only when some row is new: the same file twice leaves nothing twice. */
static enum gt_err rows_put(struct leads_file *in, const char *path, struct gt_str bytes, size_t *ret_written)
{
    struct run_lock *lock = NULL;
    struct warc_place place = {.offset = 0};
    size_t fresh = 0;
    enum gt_err err = file_make_folder(in->cli->data_folder, &in->cli->info);
    if (err == GT_OK) err = run_lock_take(in->cli->data_folder, &lock, &in->cli->info);
    if (err == GT_OK) err = count_new(in, &fresh);
    if (err == GT_OK && fresh > 0) err = archive_put(in, path, bytes, &place);
    if (err == GT_OK && fresh > 0) {
        rows_place(in, gt_str_from(place.file), place.offset);
        err = copy_put(in, ret_written);
    }
    run_lock_free(lock);
    return err;
}

/* All rows are read before one is written, so that a table is imported as a whole or, told row by row why, not at all. */
int import_leads_run(struct cli *cli, const char *path, const char *site, bool skips_bad)
{
    char *bytes = NULL;
    size_t len = 0, written = 0;
    struct leads_file in = {.cli = cli,
                            .arena = arena_new(CLI_ARENA_MAX),
                            .site = gt_str_from(site),
                            .now_unix_s = clock_unix_s(&cli->clock),
                            .tells_faults = true};
    enum gt_err err = in.arena != NULL ? cli_conf_open(cli) : gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = file_read(path, FILE_ARG_BYTES_MAX, &bytes, &len, &cli->info);
    struct gt_str table = {bytes, len};
    if (err == GT_OK) err = table_read(&in, table);
    if (err == GT_OK && in.bad > 0 && !skips_bad)
        err = gt_fail(&cli->info, GT_EFORMAT, "%zu rows are no leads: nothing was imported (--skip-bad imports the others)", in.bad);
    if (err == GT_OK && in.count > 0) err = rows_put(&in, path, table, &written);
    if (err == GT_OK)
        fprintf(cli->out, "%zu leads imported, %zu known already, %zu rows refused\n", written, in.count - written, in.bad);
    free(bytes);
    arena_free(in.arena);
    return exit_from_err(err);
}
