#include "crawler/archive_history.h"

#include <errno.h>
#include <stdlib.h>

#include "crawler/archive.h"
#include "crawler/warc_fields.h"
#include "net/header.h"

enum { RECORD_BYTES = 1024 * 1024 }; /* of one record: what a reader and a pack hold at a time */

/* ---- writing ---- */

struct history_writer {
    struct warc_writer *writer;
    struct archive_action *action;
    struct strbuf text;
    struct warc_place first;
    struct gt_errinfo *info;
    enum gt_err err;
};

/* What has gathered, as one record. */
static void record_put(struct history_writer *out)
{
    struct warc_place place;
    struct warc_record record = {.type = WARC_RESOURCE,
                                 .target_uri = GT_STR(ARCHIVE_HISTORY_URI),
                                 .t_unix_s = out->action->t_unix_s,
                                 .content_type = GT_STR("application/jsonl"),
                                 .body = strbuf_str(&out->text)};
    if (out->err != GT_OK || out->text.len == 0) return;
    out->err = warc_write(out->writer, &record, &place, out->info);
    if (out->err == GT_OK && out->action->records++ == 0) out->first = place;
    strbuf_clear(&out->text);
}

/* A line may be longer than a record. */
static ssize_t text_take(void *ctx, const char *bytes, size_t len)
{
    struct history_writer *out = ctx;
    for (size_t done = 0; done < len && out->err == GT_OK;) {
        struct gt_str piece = gt_str_slice((struct gt_str){bytes, len}, done, RECORD_BYTES - out->text.len);
        strbuf_add(&out->text, piece);
        out->err = out->text.err;
        done += piece.len;
        if (out->text.len == RECORD_BYTES) record_put(out);
    }
    return out->err == GT_OK ? (ssize_t)len : 0;
}

/* The text, record by record. */
static enum gt_err text_write(struct history_writer *out, archive_history_fn *fn, void *ctx)
{
    struct gt_errinfo own = {0};
    FILE *file = fopencookie(out, "w", (cookie_io_functions_t){.write = text_take});
    if (file == NULL) return gt_fail(out->info, GT_ENOMEM, "out of memory");
    enum gt_err err = fn(ctx, file, &own);
    if (fclose(file) != 0 && err == GT_OK) err = GT_EIO;
    record_put(out);
    if (out->err != GT_OK) return out->err; /* why the text could not be written */
    return err == GT_OK ? GT_OK : gt_fail(out->info, err, "%s", own.text[0] != '\0' ? own.text : gt_err_text(err));
}

enum gt_err archive_history_put(const char *folder, const struct gt_clock *clock, archive_history_fn *fn, void *ctx, struct arena *arena,
                                struct archive_action *action, struct gt_errinfo *info)
{
    struct history_writer out = {.action = action, .info = info};
    struct warc_settings settings = {.folder = folder, .clock = clock, .software = "gputape/" GPUTAPE_VERSION};
    struct warc_place place;
    action->records = 0;
    strbuf_init(&out.text, RECORD_BYTES);
    enum gt_err err = warc_writer_open(&settings, &out.writer, NULL, info);
    if (err == GT_OK) err = text_write(&out, fn, ctx);
    action->file = arena_dup(arena, gt_str_from(out.first.file));
    action->offset = out.first.offset;
    if (err == GT_OK && action->file.ptr == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) err = archive_action_write(out.writer, action, &place, info);
    if (err == GT_OK) err = warc_writer_sync(out.writer, info);
    warc_writer_close(out.writer);
    strbuf_done(&out.text);
    return err;
}

/* ---- finding ---- */

/* True for the action behind a history. */
static bool is_drop(const struct warc_entry *entry, struct archive_action *ret_action)
{
    return gt_str_is(entry->type, "metadata") && gt_str_is(header_find(entry->block, "gputape-outcome", 0), "action") &&
           archive_action_read(entry->block, ret_action) && ret_action->kind == ACTION_DROP;
}

/* From where the packs say that it begins to the action behind it. */
enum gt_err archive_history_find(const char *folder, struct arena *arena, struct archive_action *ret_action, struct archive_mark *ret_mark,
                                 struct gt_errinfo *info)
{
    struct archive *archive = NULL;
    struct archive_record record;
    struct pack_history history;
    struct archive_action action = {.records = 0};
    struct gt_errinfo fault = {0};
    int64_t records = 0;
    enum gt_err err = archive_open(folder, &archive, info);
    if (err == GT_OK && archive_dropped(archive, &history) == 0) err = GT_ENOENT;
    if (err != GT_OK) goto out;
    err = archive_seek(archive, history.file, history.offset, &fault);
    while (err == GT_OK) {
        err = archive_next(archive, &record, &fault);
        bool is_piece = err == GT_OK && gt_str_is(record.entry.target_uri, ARCHIVE_HISTORY_URI);
        records += is_piece;
        /* a file that became full on the way is followed by one that begins with what it is */
        if (!is_piece && !(err == GT_OK && gt_str_is(record.entry.type, "warcinfo"))) break;
    }
    bool is_whole = err == GT_OK && is_drop(&record.entry, &action) && action.records == records && action.offset == history.offset;
    if (err == GT_ENOMEM || err == GT_EIO || err == GT_EACCES) {
        err = gt_fail(info, err, "%s", fault.text);
    } else if (!is_whole) {
        err = gt_fail(info, GT_ECORRUPT, "the history in %.*s that stands for dropped pages is not whole %s", GT_STR_ARG(history.file), fault.text);
    } else {
        *ret_action = (struct archive_action){ACTION_DROP, .until_unix_s = action.until_unix_s, .offset = action.offset, .records = records};
        ret_action->file = arena_dup(arena, history.file);
        snprintf(ret_mark->file, sizeof ret_mark->file, "%.*s", GT_STR_ARG(record.file));
        ret_mark->offset = record.offset;
        err = ret_action->file.ptr != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    }
out:
    archive_close(archive);
    return err;
}

/* ---- reading ---- */

struct history_reader {
    struct archive *archive;
    struct archive_action action; /* its file's name is in the archive's list */
    struct archive_record record; /* the present one; empty before the first */
    size_t at;                    /* in its block */
    int64_t taken;                /* records, this one counted */
};

/* The next of the records. False when it is missing or damaged. */
static bool record_next(struct history_reader *in)
{
    for (;;) {
        if (archive_next(in->archive, &in->record, NULL) != GT_OK) return false;
        if (gt_str_is(in->record.entry.target_uri, ARCHIVE_HISTORY_URI)) break;
    }
    in->at = 0;
    in->taken++;
    return warc_entry_check(&in->record.entry);
}

static ssize_t text_give(void *ctx, char *bytes, size_t len)
{
    struct history_reader *in = ctx;
    while (in->at == in->record.entry.block.len) {
        if (in->taken == in->action.records) return 0;
        if (record_next(in)) continue;
        errno = EIO;
        return -1;
    }
    struct gt_str piece = gt_str_slice(in->record.entry.block, in->at, len);
    memcpy(bytes, piece.ptr, piece.len);
    in->at += piece.len;
    return (ssize_t)piece.len;
}

/* To the beginning alone. */
static int text_seek(void *ctx, off64_t *offset, int whence)
{
    struct history_reader *in = ctx;
    if (whence != SEEK_SET || *offset != 0) return -1;
    in->record = (struct archive_record){.offset = 0};
    in->at = 0;
    in->taken = 0;
    return archive_seek(in->archive, in->action.file, in->action.offset, NULL) == GT_OK ? 0 : -1;
}

static int text_close(void *ctx)
{
    struct history_reader *in = ctx;
    archive_close(in->archive);
    free(in);
    return 0;
}

enum gt_err archive_history_open(const char *folder, const struct archive_action *action, FILE **ret_file, struct gt_errinfo *info)
{
    struct archive_record first;
    struct history_reader *in = calloc(1, sizeof *in);
    if (in == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    in->action = *action;
    enum gt_err err = archive_open(folder, &in->archive, info);
    if (err == GT_OK) err = archive_read(in->archive, action->file, action->offset, &first, info);
    if (err == GT_OK) {
        in->action.file = first.file;
        err = archive_seek(in->archive, first.file, action->offset, info);
    }
    FILE *file = err == GT_OK ? fopencookie(in, "r", (cookie_io_functions_t){text_give, NULL, text_seek, text_close}) : NULL;
    if (err == GT_OK && file == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err == GT_OK) *ret_file = file;
    else text_close(in);
    return err;
}
