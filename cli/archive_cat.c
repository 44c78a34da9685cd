/* archive cat and export: what was fetched, decoded or to the byte. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/archive.h"
#include "common/file.h"
#include "crawler/warc_payload.h"
#include "net/header.h"
#include "store/pages.h"

/* "FILE:OFFSET". */
static bool place_read(const char *text, struct gt_str *ret_file, int64_t *ret_offset)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    if (colon == NULL || colon[1] < '0' || colon[1] > '9') return false;
    *ret_file = (struct gt_str){text, (size_t)(colon - text)};
    *ret_offset = strtoll(colon + 1, &end, 10);
    return *end == '\0' && gt_str_ends(*ret_file, GT_STR(".warc.gz"));
}

/* By the store's table of pages when there is a store; else by looking through the archive. */
static enum gt_err record_find(struct cli *cli, struct archive *archive, struct gt_str id, struct archive_record *ret_record)
{
    struct store *store = NULL;
    struct page_place place;
    struct gt_errinfo info = {0};
    const char *folder = cli_data_path(cli, "store");
    if (folder == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    enum gt_err err = store_open(folder, STORE_READ, &store, &info);
    if (err == GT_OK) err = store_page_get(store, id, cli->arena, &place, &info);
    store_close(store);
    if (err == GT_OK) err = archive_read(archive, place.file, place.offset, ret_record, &info);
    if (err == GT_OK && gt_str_eq(ret_record->entry.record_id, id)) return GT_OK;
    return archive_find(archive, id, ret_record, &cli->info);
}

/* A record by what people call it: an id with or without its scheme and brackets, or a place. */
static enum gt_err record_get(struct cli *cli, struct archive *archive, const char *text, struct archive_record *ret_record)
{
    struct gt_str file, id = gt_str_trim(gt_str_from(text));
    int64_t offset;
    if (place_read(text, &file, &offset)) return archive_read(archive, file, offset, ret_record, &cli->info);
    if (gt_str_starts(id, GT_STR("<")) && gt_str_ends(id, GT_STR(">"))) id = gt_str_slice(id, 1, id.len - 2);
    if (id.len == 36) id = arena_printf(cli->arena, "urn:uuid:%.*s", GT_STR_ARG(id));
    return record_find(cli, archive, id, ret_record);
}

/* The record that holds a revisit's payload. */
static enum gt_err revisit_follow(struct cli *cli, struct archive *archive, struct archive_record *record)
{
    struct gt_str id = header_find(record->entry.head, "WARC-Refers-To", 0);
    if (!gt_str_is(record->entry.type, "revisit")) return GT_OK;
    if (gt_str_starts(id, GT_STR("<"))) id = gt_str_slice(id, 1, id.len - 2);
    id = arena_dup(cli->arena, id);
    if (id.len == 0) return gt_fail(&cli->info, GT_EFORMAT, "a revisit that does not say what it refers to");
    return record_find(cli, archive, id, record);
}

/* Bytes to standard output; they may hold anything. */
static enum gt_err bytes_print(struct cli *cli, struct gt_str bytes)
{
    bool is_written = bytes.len == 0 || fwrite(bytes.ptr, 1, bytes.len, cli->out) == bytes.len;
    return is_written ? GT_OK : gt_fail(&cli->info, GT_EIO, "the output could not be written");
}

/* The record as it stands in its member. */
static enum gt_err record_print(struct cli *cli, const struct warc_entry *entry)
{
    enum gt_err err = bytes_print(cli, entry->version);
    if (err == GT_OK) err = bytes_print(cli, entry->head);
    if (err == GT_OK) err = bytes_print(cli, entry->block);
    return err == GT_OK ? bytes_print(cli, GT_STR("\r\n\r\n")) : err;
}

/* The page in it, or, of metadata and requests, the block. */
static enum gt_err page_print(struct cli *cli, struct archive *archive, struct archive_record *record)
{
    struct warc_answer answer;
    enum gt_err err = revisit_follow(cli, archive, record);
    if (err != GT_OK) return err;
    bool is_page = gt_str_is(record->entry.type, "response") || gt_str_is(record->entry.type, "resource");
    struct gt_str bytes = record->entry.block;
    if (is_page) {
        err = warc_answer_read(&record->entry, cli->arena, &answer, &cli->info);
        if (err != GT_OK) return err;
        bytes = answer.body;
    }
    return bytes_print(cli, bytes);
}

/* The digest is asked before anything is printed: bytes that are not what was fetched are no page. */
int archive_cat_run(struct cli *cli, const struct arguments *args)
{
    struct archive *archive = NULL;
    struct archive_record record = {0};
    if (args->word_count != 2) return cli_usage(cli, "usage: gputape archive cat RECORD [--record]");
    enum gt_err err = cli_archive_open(cli, &archive);
    if (err == GT_OK) err = record_get(cli, archive, args->words[1], &record);
    if (err == GT_OK && !warc_entry_check(&record.entry))
        err = gt_fail(&cli->info, GT_ECORRUPT, "%.*s:%" PRId64 ": the record's digest does not hold", GT_STR_ARG(record.file),
                      record.offset);
    if (err == GT_OK && argument_has(args, "--record")) err = record_print(cli, &record.entry);
    else if (err == GT_OK) err = page_print(cli, archive, &record);
    archive_close(archive);
    return exit_from_err(err);
}

/* ---- export ---- */

/* One file, member by member. */
static enum gt_err file_export(struct cli *cli, struct archive *archive, const struct archive_file *file, int fd)
{
    struct strbuf member;
    enum gt_err err = GT_OK;
    int64_t next = 0;
    strbuf_init(&member, PACK_FRAME_BYTES_MAX);
    for (int64_t at = 0; at < file->bytes && err == GT_OK; at = next) {
        strbuf_clear(&member);
        err = archive_member(archive, file->name, at, &member, &next, &cli->info);
        if (err == GT_OK) err = fd == STDOUT_FILENO ? bytes_print(cli, strbuf_str(&member)) : file_write_all(fd, strbuf_str(&member), &cli->info);
    }
    strbuf_done(&member);
    return err;
}

/* True when the command line names the file, or none. */
static bool is_named(const struct arguments *args, struct gt_str name)
{
    for (size_t i = 1; i < args->word_count; i++)
        if (gt_str_is(name, args->words[i])) return true;
    return args->word_count == 1;
}

/* An output that is there is never written over: whoever mistypes it may have named the archive itself. */
int archive_export_run(struct cli *cli, const struct arguments *args)
{
    struct archive *archive = NULL;
    size_t count = 0, exported = 0;
    const char *output = argument_get(args, "--output");
    int fd = STDOUT_FILENO;
    enum gt_err err = cli_archive_open(cli, &archive);
    if (err == GT_OK && output != NULL) {
        fd = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
        if (fd < 0) err = file_fail(&cli->info, "cannot make", output);
    }
    const struct archive_file *files = err == GT_OK ? archive_files(archive, &count) : NULL;
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        if (!is_named(args, files[i].name)) continue;
        err = file_export(cli, archive, &files[i], fd);
        exported++;
    }
    if (err == GT_OK && exported == 0)
        err = gt_fail(&cli->info, GT_ENOENT, "the archive has no such file; `archive list --files` names them");
    if (fd != STDOUT_FILENO && fd >= 0) {
        if (err == GT_OK && fsync(fd) != 0) err = file_fail(&cli->info, "cannot sync", output);
        close(fd);
        if (err != GT_OK) unlink(output); /* a part of a WARC file reads like a whole one; it was made here, so that nothing of anybody's goes */
    }
    archive_close(archive);
    return exit_from_err(err);
}
