/* archive verify and pack: what is broken, by name; and making closed months small. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/archive.h"
#include "cli/json_offer.h"
#include "common/digest.h"
#include "common/utf8.h"
#include "crawler/dropped.h"
#include "crawler/lock.h"
#include "crawler/pack_fold.h"
#include "net/header.h"
#include "store/pages.h"

enum { IDS_FIRST = 4096 };

/* What was looked at, and what is wrong. */
struct verify {
    struct cli *cli;
    struct archive *archive;
    size_t records, revisits, dropped, index_rows, findings;
    json_t *list;  /* NULL: as text */
    uint64_t *ids; /* malloc'ed: of every record, a hash of its id */
    size_t id_count, id_cap;
    uint64_t *wanted; /* malloc'ed: what revisits refer to */
    size_t wanted_count, wanted_cap;
    struct gt_str pack_name;
};

/* One finding, a sentence. */
static void find(struct verify *verify, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void find(struct verify *verify, const char *format, ...)
{
    struct gt_errinfo info = {0};
    va_list args;
    va_start(args, format);
    gt_vfail(&info, GT_ECORRUPT, format, args);
    va_end(args);
    verify->findings++;
    if (verify->list != NULL) json_array_append_new(verify->list, json_of_text(gt_str_from(info.text)));
    else fprintf(verify->cli->out, "%s\n", info.text);
}

/* Adds to one of the two lists of hashes. */
static bool hash_add(uint64_t **list, size_t *count, size_t *cap, struct gt_str id)
{
    if (*count == *cap) {
        size_t grown = *cap == 0 ? IDS_FIRST : *cap * 2;
        uint64_t *hashes = realloc(*list, grown * sizeof *hashes);
        if (hashes == NULL) return false;
        *list = hashes;
        *cap = grown;
    }
    (*list)[(*count)++] = digest_check64(id);
    return true;
}

static struct gt_str unbracket(struct gt_str id)
{
    return gt_str_starts(id, GT_STR("<")) && id.len > 2 ? gt_str_slice(id, 1, id.len - 2) : id;
}

/* Digests, and what must be there for others to refer to. */
static enum gt_err record_verify(struct verify *verify, struct gt_str file, int64_t offset, const struct warc_entry *entry)
{
    verify->records++;
    if (!warc_entry_check(entry))
        find(verify, "%.*s:%" PRId64 ": %.*s: the digest does not hold", GT_STR_ARG(file), offset, GT_STR_ARG(entry->record_id));
    struct gt_str refers = unbracket(header_find(entry->head, "WARC-Refers-To", 0));
    bool is_kept = hash_add(&verify->ids, &verify->id_count, &verify->id_cap, entry->record_id);
    if (gt_str_is(entry->type, "revisit") && refers.len > 0) {
        verify->revisits++;
        is_kept = is_kept && hash_add(&verify->wanted, &verify->wanted_count, &verify->wanted_cap, refers);
    }
    return is_kept ? GT_OK : gt_fail(&verify->cli->info, GT_ENOMEM, "out of memory");
}

/* One record of a pack: made again, as its readers do. */
static enum gt_err packed_verify(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct verify *verify = ctx;
    struct strbuf member, plain;
    struct warc_entry parsed;
    enum gt_err err = GT_OK;
    strbuf_init(&member, PACK_FRAME_BYTES_MAX);
    strbuf_init(&plain, PACK_FRAME_BYTES_MAX);
    bool is_dropped = record_is_dropped(unfolded); /* its member is another than that of the page */
    bool is_whole = (is_dropped || (record_fold(unfolded, &member) == GT_OK && member.len == entry->member_len)) &&
                    record_fold_plain(unfolded, &plain) == GT_OK && warc_entry_parse(strbuf_str(&plain), &parsed);
    verify->dropped += is_dropped;
    if (is_whole) err = record_verify(verify, file->name, entry->offset, &parsed);
    else
        find(verify, "%.*s:%" PRId64 ": a record of %.*s that cannot be made again", GT_STR_ARG(file->name), entry->offset,
             GT_STR_ARG(verify->pack_name));
    strbuf_done(&member);
    strbuf_done(&plain);
    return err;
}

/* Packs are walked by frame; damage of one ends the walk of that pack. */
static enum gt_err packs_verify(struct verify *verify)
{
    size_t count;
    enum gt_err err = GT_OK;
    const struct archive_pack_file *packs = archive_packs(verify->archive, &count);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        struct pack *pack = NULL;
        struct gt_errinfo info = {0};
        const char *path =
            arena_printf(verify->cli->arena, "%s/archive/%.*s", verify->cli->data_folder, GT_STR_ARG(packs[i].name)).ptr;
        if (path == NULL) return gt_fail(&verify->cli->info, GT_ENOMEM, "out of memory");
        verify->pack_name = packs[i].name;
        err = pack_open(path, &pack, &info);
        if (err == GT_OK) err = pack_walk(pack, packed_verify, verify, &info);
        pack_close(pack);
        if (archive_is_damage(err)) {
            find(verify, "%s", info.text);
            err = GT_OK;
        } else if (err != GT_OK) {
            gt_fail(&verify->cli->info, err, "%s", info.text);
        }
    }
    return err;
}

/* Files in the folder, record by record; damage is told and passed over. */
static enum gt_err files_verify(struct verify *verify)
{
    size_t count;
    enum gt_err err = GT_OK;
    const struct archive_file *files = archive_files(verify->archive, &count);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        struct warc_reader *reader = NULL;
        struct warc_entry entry;
        struct gt_errinfo info = {0};
        if (files[i].pack.len > 0) continue;
        const char *path =
            arena_printf(verify->cli->arena, "%s/archive/%.*s", verify->cli->data_folder, GT_STR_ARG(files[i].name)).ptr;
        err = path != NULL ? warc_reader_open(path, &reader, &info) : GT_ENOMEM;
        while (err == GT_OK) {
            err = warc_reader_next(reader, &entry, &info);
            if (err == GT_OK) err = record_verify(verify, files[i].name, entry.offset, &entry);
            else if (archive_is_damage(err)) {
                find(verify, "%s", info.text);
                err = GT_OK;
            }
        }
        warc_reader_close(reader);
        if (archive_is_damage(err)) find(verify, "%s", info.text);
        if (err == GT_ENOENT || archive_is_damage(err)) err = GT_OK;
        else gt_fail(&verify->cli->info, err, "%s", info.text);
    }
    return err;
}

static int hash_cmp(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* A revisit without what it refers to is a page that is lost. */
static void revisits_verify(struct verify *verify)
{
    if (verify->id_count > 0) qsort(verify->ids, verify->id_count, sizeof *verify->ids, hash_cmp);
    for (size_t i = 0; i < verify->wanted_count; i++)
        if (verify->id_count == 0 ||
            bsearch(&verify->wanted[i], verify->ids, verify->id_count, sizeof *verify->ids, hash_cmp) == NULL)
            find(verify, "a revisit refers to a record that is not in the archive");
}

/* The store's index against the records. */
static enum gt_err page_verify(void *ctx, const struct page_place *place)
{
    struct verify *verify = ctx;
    struct archive_record record;
    struct gt_errinfo info = {0};
    char stated[SHA1_BASE32_MAX];
    verify->index_rows++;
    enum gt_err err = archive_read(verify->archive, place->file, place->offset, &record, &info);
    digest_base32(place->sha1, stated);
    if (err == GT_OK) {
        struct gt_str digest = dropped_digest(&record.entry);
        bool is_same = gt_str_eq(record.entry.record_id, place->record_id) &&
                       (digest.len <= 5 || gt_str_is(gt_str_slice(digest, 5, SIZE_MAX), stated));
        if (!is_same) find(verify, "%.*s: the store's index leads to another record", GT_STR_ARG(place->record_id));
    } else if (err == GT_ENOENT || archive_is_damage(err)) {
        find(verify, "%.*s: the store's index leads nowhere: %s", GT_STR_ARG(place->record_id), info.text);
    } else {
        return gt_fail(&verify->cli->info, err, "%s", info.text);
    }
    return GT_OK;
}

/* Without a store there is no index to be wrong. */
static enum gt_err index_verify(struct verify *verify)
{
    struct store *store = NULL;
    struct gt_errinfo info = {0};
    const char *folder = cli_data_path(verify->cli, "store");
    enum gt_err err = folder != NULL ? store_open(folder, STORE_READ, &store, &info) : GT_ENOMEM;
    if (err == GT_ENOENT) return GT_OK;
    if (err == GT_OK) err = store_pages_each(store, page_verify, verify, &info);
    store_close(store);
    return err == GT_OK ? GT_OK : gt_fail(&verify->cli->info, err, "%s", info.text);
}

/* Packs, files, what refers to what, and the store's index of it: each can be wrong while the others are right. */
int archive_verify_run(struct cli *cli, const struct arguments *args)
{
    struct verify verify = {.cli = cli};
    if (args->word_count != 1) return cli_usage(cli, "usage: gputape archive verify [--json]");
    if (argument_has(args, "--json")) verify.list = json_array();
    enum gt_err err = cli_archive_open(cli, &verify.archive);
    if (err == GT_OK) err = packs_verify(&verify);
    if (err == GT_OK) err = files_verify(&verify);
    if (err == GT_OK) revisits_verify(&verify);
    if (err == GT_OK) err = index_verify(&verify);
    archive_close(verify.archive);
    free(verify.ids);
    free(verify.wanted);
    if (err == GT_OK && verify.list != NULL)
        err = cli_json_write(
            cli, json_pack("{s:I, s:I, s:I, s:I, s:O}", "records", (json_int_t)verify.records, "revisits", (json_int_t)verify.revisits, "dropped",
                           (json_int_t)verify.dropped, "index_rows", (json_int_t)verify.index_rows, "findings", verify.list));
    else if (err == GT_OK)
        fprintf(cli->out, "%zu records (%zu of them pages dropped by retention), %zu revisits, %zu rows of the index: %zu findings\n", verify.records,
                verify.dropped, verify.revisits, verify.index_rows, verify.findings);
    json_decref(verify.list);
    if (err == GT_OK && verify.findings > 0)
        err = gt_fail(&cli->info, GT_ECORRUPT, "%zu findings in the archive", verify.findings);
    return exit_from_err(err);
}
