/* archive list: a line a record, in the order written. */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "cli/archive.h"
#include "cli/json_offer.h"
#include "common/civil.h"
#include "common/utf8.h"
#include "crawler/dropped.h"
#include "crawler/warc_fields.h"
#include "net/header.h"

/* What is wanted. */
struct list_filter {
    int64_t since_unix_s, until_unix_s;
    struct gt_str site;
    struct gt_str hosts[STORE_PARTS_MAX]; /* of the site's addresses */
    size_t host_count;
};

/* The host in an address; empty when it has none. */
static struct gt_str host_of(struct gt_str url)
{
    size_t at = gt_str_find(url, GT_STR("://"), 0), end;
    struct gt_str rest = at != SIZE_MAX ? gt_str_slice(url, at + 3, SIZE_MAX) : GT_STR("");
    for (end = 0; end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != '?' && rest.ptr[end] != ':';) end++;
    return gt_str_slice(rest, 0, end);
}

/* Reads options. The hosts of a site are those of its section. */
static int filter_read(struct cli *cli, const struct arguments *args, struct list_filter *filter)
{
    const char *site = argument_get(args, "--site");
    *filter = (struct list_filter){.site = gt_str_from(site)};
    if (!argument_time(cli, args, "--since", INT64_MIN, &filter->since_unix_s) ||
        !argument_time(cli, args, "--until", INT64_MAX, &filter->until_unix_s))
        return EXIT_USAGE;
    const struct conf_section *section = site != NULL ? conf_find(cli->conf, "site", filter->site) : NULL;
    if (site != NULL && section == NULL)
        return cli_usage(cli, "no [site %s] in the configuration; `gputape sites list` names them", site);
    const struct conf_value *value;
    for (size_t i = 0; section != NULL && (value = conf_at(section, i)) != NULL; i++) {
        struct gt_str host = host_of(value->text);
        bool is_url = gt_str_starts(value->name, GT_STR("url"));
        if (is_url && host.len > 0 && filter->host_count < STORE_PARTS_MAX) filter->hosts[filter->host_count++] = host;
    }
    return EXIT_DONE;
}

/* Time, then site: its outcomes and its section name it, pages are of its hosts. */
static bool is_wanted(const struct list_filter *filter, const struct warc_entry *entry)
{
    int64_t t_unix_s = fields_time(entry->head, "WARC-Date", 0);
    if (t_unix_s < filter->since_unix_s || t_unix_s >= filter->until_unix_s) return false;
    if (filter->site.len == 0) return true;
    if (gt_str_is(entry->type, "metadata")) return gt_str_eq(header_find(entry->block, "gputape-site", 0), filter->site);
    struct gt_str host = host_of(entry->target_uri), scheme = GT_STR("gputape:site/");
    if (gt_str_starts(entry->target_uri, scheme))
        return gt_str_eq(gt_str_slice(entry->target_uri, scheme.len, SIZE_MAX), filter->site);
    for (size_t i = 0; i < filter->host_count; i++)
        if (gt_str_eq(host, filter->hosts[i])) return true;
    return false;
}

/* One record as text. */
static void record_print(struct cli *cli, const struct archive_record *record)
{
    const struct warc_entry *entry = &record->entry;
    fprintf(cli->out, "%.*s %-8.*s %8zu  %.*s  %.*s:%" PRId64 "  %.*s%s\n", GT_STR_ARG(header_find(entry->head, "WARC-Date", 0)),
            GT_STR_ARG(entry->type), entry->block.len, GT_STR_ARG(entry->record_id), GT_STR_ARG(record->file), record->offset,
            GT_STR_ARG(utf8_printable(entry->target_uri, cli->arena)), dropped_is(entry) ? "  page dropped by retention" : "");
}

static json_t *json_of_record(const struct archive_record *record)
{
    const struct warc_entry *entry = &record->entry;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:b}", "record_id", json_of_text(entry->record_id), "type",
                     json_of_text(entry->type), "date", json_of_text(header_find(entry->head, "WARC-Date", 0)), "url",
                     json_of_text(entry->target_uri), "file", json_of_text(record->file), "offset", (json_int_t)record->offset,
                     "member_bytes", (json_int_t)entry->member_bytes, "block_bytes", (json_int_t)entry->block.len, "dropped",
                     (int)dropped_is(entry));
}

/* Files, and the packs that hold them. */
static enum gt_err files_print(struct cli *cli, struct archive *archive, bool is_json)
{
    size_t count;
    const struct archive_file *files = archive_files(archive, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (is_json)
            json_array_append_new(list, json_pack("{s:o, s:I, s:o}", "file", json_of_text(files[i].name), "bytes",
                                                  (json_int_t)files[i].bytes, "pack", json_of_text(files[i].pack)));
        else
            fprintf(cli->out, "%12" PRId64 "  %.*s%s%.*s\n", files[i].bytes, GT_STR_ARG(files[i].name),
                    files[i].pack.len > 0 ? "  in " : "", GT_STR_ARG(files[i].pack));
    }
    if (is_json) return cli_json_write(cli, json_pack("{s:o}", "files", list));
    json_decref(list);
    return GT_OK;
}

/* Records, damage told on stderr and not taken for the end. */
static enum gt_err records_print(struct cli *cli, struct archive *archive, const struct list_filter *filter, bool is_json)
{
    struct archive_record record;
    json_t *list = json_array();
    size_t damaged = 0;
    enum gt_err err = archive_seek(archive, GT_STR(""), 0, &cli->info);
    while (err == GT_OK) {
        struct gt_errinfo fault = {0};
        err = archive_next(archive, &record, &fault);
        if (archive_is_damage(err)) {
            fprintf(cli->err, "gputape: %s\n", fault.text);
            damaged++;
            err = GT_OK;
        } else if (err == GT_OK && is_wanted(filter, &record.entry)) {
            if (is_json) json_array_append_new(list, json_of_record(&record));
            else record_print(cli, &record);
        } else if (err != GT_OK && err != GT_ENOENT) {
            cli->info = fault;
        }
    }
    if (err == GT_ENOENT) err = GT_OK;
    if (err == GT_OK && is_json)
        err = cli_json_write(cli, json_pack("{s:o, s:I}", "records", list, "damaged", (json_int_t)damaged));
    else json_decref(list);
    return err == GT_OK && damaged > 0 ? gt_fail(&cli->info, GT_ECORRUPT, "%zu damaged places", damaged) : err;
}

int archive_list_run(struct cli *cli, const struct arguments *args)
{
    struct list_filter filter;
    struct archive *archive = NULL;
    if (args->word_count != 1)
        return cli_usage(cli, "usage: gputape archive list [--site S] [--since T] [--until T] [--files] [--json]");
    int code = filter_read(cli, args, &filter);
    if (code != EXIT_DONE) return code;
    bool is_json = argument_has(args, "--json");
    enum gt_err err = cli_archive_open(cli, &archive);
    if (err == GT_OK && argument_has(args, "--files")) err = files_print(cli, archive, is_json);
    else if (err == GT_OK) err = records_print(cli, archive, &filter, is_json);
    archive_close(archive);
    return exit_from_err(err);
}
