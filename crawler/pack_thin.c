/* A pack written again without the pages that go: what stays is copied as it lies, and a page that goes leaves a note in its place. Records keep
 * their order, so that the frames are those of before, but for an address that loses the version that the others were packed against: its first one
 * that stays becomes that. No chain grows, and no record moves for who asks by file and offset. */
#include "crawler/dropped.h"
#include "crawler/pack_writer.h"

struct thinning {
    struct pack_writer writer;
    struct pack *from;
    pack_goes_fn *goes;
    void *ctx;
    int64_t dropped_unix_s;
    uint32_t frame;              /* of `from`, whose records are being copied */
    bool is_page;                /* `wanted` is a page that stays */
    bool has_page, key_has_page; /* the present frame of the new pack has one; that against which others are packed */
    struct strbuf plain, wanted; /* a record; and as it is to lie in the new pack */
    size_t compared;
    struct gt_errinfo *info;
};

/* What is to lie in the place of a record: itself, or a note. What is thrown away was looked at first: a page with a wrong digest may be all that
 * tells of a fault. */
static enum gt_err record_want(struct thinning *job, struct gt_str unfolded)
{
    struct warc_entry entry;
    strbuf_clear(&job->plain);
    strbuf_clear(&job->wanted);
    enum gt_err err = record_fold_plain(unfolded, &job->plain);
    if (err == GT_OK && !warc_entry_parse(strbuf_str(&job->plain), &entry)) err = GT_ECORRUPT;
    if (err != GT_OK) return gt_fail(job->info, err, "%s: a record that cannot be read", job->writer.path);
    bool may_go = dropped_may_be(&entry);
    job->is_page = may_go && !job->goes(job->ctx, &entry);
    if (!may_go || job->is_page) {
        strbuf_add(&job->wanted, unfolded);
        return job->wanted.err;
    }
    if (!warc_entry_check(&entry))
        return gt_fail(job->info, GT_ECORRUPT, "%.*s: the digest does not hold", GT_STR_ARG(entry.record_id));
    struct strbuf note;
    strbuf_init(&note, PACK_FRAME_BYTES_MAX);
    dropped_note_add(&entry, job->dropped_unix_s, &note);
    record_unfold_dropped(strbuf_str(&note), &job->wanted);
    err = note.err != GT_OK ? note.err : job->wanted.err;
    strbuf_done(&note);
    return err;
}

/* True for an address with several frames beside its key: in one frame its versions are packed against each other as it is. */
static bool is_long(const struct pack *from, uint32_t frame)
{
    uint32_t key = pack_frame_key(from, frame);
    return key > 0 && (pack_frame_key(from, frame - 1) == key || pack_frame_key(from, frame + 1) == key);
}

/* Ends the frame before a record of `from`, where one ended there, and around the first page that stays of a long address whose key has none left:
 * that version, up to where the next one begins, is the key from then on. */
static enum gt_err frame_begin(struct thinning *job, uint32_t frame)
{
    struct pack_writer *writer = &job->writer;
    bool is_alone = pack_frame_key(job->from, frame) == 0, is_other = frame != job->frame, was_key = writer->key_frame == 0;
    bool is_version = job->is_page && is_long(job->from, frame);
    bool ends = is_other || (is_version && (was_key ? job->has_page : !job->key_has_page));
    enum gt_err err = ends ? pack_frame_end(writer, was_key) : GT_OK;
    if (ends && was_key) job->key_has_page = job->has_page;
    if (ends) job->has_page = false;
    if ((is_other && is_alone) || (is_version && !job->key_has_page)) writer->key_frame = 0;
    job->frame = frame;
    return err;
}

/* Records come in the order of frames. */
static enum gt_err record_copy(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct thinning *job = ctx;
    struct pack_writer *writer = &job->writer;
    (void)file;
    enum gt_err err = record_want(job, unfolded);
    if (err == GT_OK) err = frame_begin(job, entry->frame);
    if (err != GT_OK) return err;
    struct pack_source *record = sources_record_add(&writer->sources);
    if (record == NULL) return gt_fail(job->info, GT_ELIMIT, "too many records");
    *record = (struct pack_source){.file = entry->file,
                                   .member_len = entry->member_len,
                                   .offset = entry->offset,
                                   .frame = (uint32_t)writer->frame_count,
                                   .at = (uint32_t)writer->plain.len,
                                   .len = (uint32_t)job->wanted.len};
    strbuf_add(&writer->plain, strbuf_str(&job->wanted));
    job->has_page = job->has_page || job->is_page;
    writer->made.records++;
    writer->made.dropped += record_is_dropped(strbuf_str(&job->wanted));
    writer->made.source_bytes += entry->member_len;
    return writer->plain.err;
}

/* One record of the new pack, read back: it has the place that it had, and is what it was or what is to be left of it. */
static enum gt_err record_compare(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct thinning *job = ctx;
    struct strbuf before;
    int64_t next = 0;
    strbuf_init(&before, PACK_FRAME_BYTES_MAX);
    const struct pack_file *source = pack_file_find(job->from, file->name);
    enum gt_err err = source != NULL ? pack_read(job->from, source, entry->offset, PACK_UNFOLDED, &before, &next, job->info) : GT_ENOENT;
    if (err == GT_OK) err = record_want(job, strbuf_str(&before));
    bool is_same = err == GT_OK && next == entry->offset + entry->member_len && gt_str_eq(unfolded, strbuf_str(&job->wanted));
    strbuf_done(&before);
    job->compared++;
    if (is_same) return GT_OK;
    return gt_fail(job->info, GT_EINTERNAL, "the record at offset %lld of %.*s did not come out of the new pack as it went in",
                   (long long)entry->offset, GT_STR_ARG(file->name));
}

/* The new pack against the old one. */
static enum gt_err compare(struct thinning *job)
{
    struct pack *made = NULL;
    enum gt_err err = pack_open(job->writer.path, &made, job->info);
    if (err == GT_OK) err = pack_walk(made, record_compare, job, job->info);
    pack_close(made);
    if (err == GT_OK && job->compared != job->writer.made.records)
        err = gt_fail(job->info, GT_EINTERNAL, "the new pack has lost records");
    return err;
}

/* The files that the pack stands for: their names, lengths and digests are those of the WARC files as they were written. */
static enum gt_err files_copy(struct thinning *job)
{
    struct pack_sources *sources = &job->writer.sources;
    const struct pack_file *files = pack_files(job->from, &sources->file_count);
    sources->files = arena_array(job->writer.arena, sources->file_count, sizeof *sources->files);
    if (sources->files == NULL) return gt_fail(job->info, GT_ENOMEM, "out of memory");
    for (size_t i = 0; i < sources->file_count; i++) {
        sources->files[i] = files[i];
        sources->files[i].block_first = sources->files[i].block_count = 0;
    }
    job->writer.makers = pack_makers(job->from);
    return GT_OK;
}

enum gt_err pack_thin(const char *from, const char *path, int64_t dropped_unix_s, const struct pack_history *history, pack_goes_fn *goes, void *ctx,
                      struct pack_made *ret_made, struct gt_errinfo *info)
{
    struct thinning job = {.goes = goes, .ctx = ctx, .dropped_unix_s = dropped_unix_s, .info = info};
    strbuf_init(&job.plain, PACK_FRAME_BYTES_MAX);
    strbuf_init(&job.wanted, PACK_FRAME_BYTES_MAX);
    enum gt_err err = pack_writer_open(&job.writer, path, info);
    job.writer.history = *history;
    if (err == GT_OK) err = pack_open(from, &job.from, info);
    if (err == GT_OK) err = files_copy(&job);
    if (err == GT_OK) err = pack_walk(job.from, record_copy, &job, info);
    if (err == GT_OK) err = pack_frame_end(&job.writer, false);
    if (err == GT_OK) err = pack_writer_finish(&job.writer);
    if (err == GT_OK) err = compare(&job);
    pack_writer_close(&job.writer, err);
    pack_close(job.from);
    strbuf_done(&job.plain);
    strbuf_done(&job.wanted);
    if (err == GT_OK) *ret_made = job.writer.made;
    return err;
}
