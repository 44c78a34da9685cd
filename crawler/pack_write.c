/* Writing a pack: frames, index, directory, and a tail that says where the directory is, each behind the other, so that an unfinished file is
 * known by its missing end. Then it is read back and compared with the sources, record by record: what is deleted afterwards must be in
 * there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include "common/digest.h"
#include "common/file.h"
#include "crawler/pack_writer.h"

#define WRITER_ARENA_MAX ((size_t)4 << 30)

static enum gt_err out_of_memory(struct pack_writer *writer)
{
    return gt_fail(writer->info, GT_ENOMEM, "out of memory");
}

/* Appends bytes to the file. */
static enum gt_err append(struct pack_writer *writer, struct gt_str bytes)
{
    enum gt_err err = file_write_all(writer->fd, bytes, writer->info);
    if (err == GT_OK) writer->size += (int64_t)bytes.len;
    return err;
}

/* Packs a piece, against `key` when there is one, and appends it. */
static enum gt_err piece_append(struct pack_writer *writer, struct gt_str plain, struct gt_str key, struct pack_piece *ret_piece)
{
    size_t bound = ZSTD_compressBound(plain.len);
    if (plain.len > PACK_FRAME_BYTES_MAX) return gt_fail(writer->info, GT_ELIMIT, "a record that is too large to be packed");
    char *packed = malloc(bound);
    if (packed == NULL) return out_of_memory(writer);
    ZSTD_CCtx_reset(writer->packer, ZSTD_reset_session_only);
    if (key.len > 0) ZSTD_CCtx_refPrefix(writer->packer, key.ptr, key.len);
    size_t len = ZSTD_compress2(writer->packer, packed, bound, plain.ptr, plain.len);
    enum gt_err err =
        ZSTD_isError(len) || len > UINT32_MAX ? gt_fail(writer->info, GT_EINTERNAL, "a piece cannot be packed") : GT_OK;
    struct pack_piece piece = {writer->size, (uint32_t)len, (uint32_t)plain.len};
    if (err == GT_OK) err = append(writer, (struct gt_str){packed, len});
    free(packed);
    if (err == GT_OK) *ret_piece = piece;
    return err;
}

/* ---- frames ---- */

enum gt_err pack_frame_end(struct pack_writer *writer, bool is_key)
{
    void *frames = writer->frames;
    if (writer->plain.len == 0) return GT_OK;
    if (!arena_grow(writer->arena, &frames, writer->frame_count, &writer->frame_cap, sizeof *writer->frames))
        return out_of_memory(writer);
    writer->frames = frames;
    struct pack_frame frame = {.key = writer->key_frame};
    struct gt_str key = writer->key_frame > 0 ? strbuf_str(&writer->key) : GT_STR("");
    uint8_t sha256[SHA256_BYTES];
    enum gt_err err = digest_sha256(strbuf_str(&writer->plain), sha256);
    memcpy(frame.digest, sha256, sizeof frame.digest);
    if (err == GT_OK) err = piece_append(writer, strbuf_str(&writer->plain), key, &frame.piece);
    if (err != GT_OK) return err;
    writer->frames[writer->frame_count++] = frame;
    if (is_key && writer->plain.len <= PACK_KEY_BYTES_MAX) {
        strbuf_clear(&writer->key);
        strbuf_add(&writer->key, strbuf_str(&writer->plain));
        if (writer->key.err != GT_OK) return out_of_memory(writer);
        writer->key_frame = (uint32_t)writer->frame_count;
    }
    strbuf_clear(&writer->plain);
    return GT_OK;
}

/* Puts a record into the present frame. */
static enum gt_err record_add(struct pack_writer *writer, struct pack_source *record)
{
    enum gt_err err = sources_member(&writer->sources, record, &writer->member, writer->info);
    size_t before = writer->plain.len;
    if (err != GT_OK) return err;
    err = record_unfold(strbuf_str(&writer->member), &writer->hints, &writer->plain);
    if (err != GT_OK) return gt_fail(writer->info, err, "a record cannot be packed: %s", gt_err_text(err));
    record->frame = (uint32_t)writer->frame_count;
    record->at = (uint32_t)before;
    record->len = (uint32_t)(writer->plain.len - before);
    writer->made.verbatim += writer->plain.ptr[before] == 0;
    writer->made.records++;
    writer->made.source_bytes += record->member_len;
    return GT_OK;
}

/* All records in the order of addresses. The key is one whole version: it ends where the next one begins. */
static enum gt_err frames_write(struct pack_writer *writer)
{
    enum gt_err err = GT_OK;
    bool is_key_open = false, has_version = false;
    uint32_t group = 0;
    for (size_t i = 0; i < writer->sources.count && err == GT_OK; i++) {
        struct pack_source *record = &writer->sources.records[i];
        bool is_other = i == 0 || record->group != group;
        bool is_full = writer->plain.len >= PACK_FRAME_BYTES || (is_key_open && has_version && record->is_response);
        if (is_other || is_full) {
            err = pack_frame_end(writer, !is_other && is_key_open);
            is_key_open = is_other && record->group != 0;
        }
        if (is_other) {
            writer->key_frame = 0;
            has_version = false;
            group = record->group;
            writer->hints.payload = (struct deflate_recipe){.maker = DEFLATE_BY_NOBODY};
        }
        has_version = has_version || record->is_response;
        if (err == GT_OK) err = record_add(writer, record);
    }
    return err == GT_OK ? pack_frame_end(writer, false) : err;
}

/* ---- index and directory ---- */

/* One block of entries of one file, from record `first` on. */
static enum gt_err block_write(struct pack_writer *writer, size_t first, size_t count)
{
    void *blocks = writer->blocks;
    struct strbuf plain;
    const struct pack_source *records = &writer->sources.records[first];
    struct pack_block block = {.offset = records[0].offset, .count = (uint32_t)count};
    struct pack_index_state *state = calloc(1, sizeof *state);
    if (state == NULL || !arena_grow(writer->arena, &blocks, writer->block_count, &writer->block_cap, sizeof *writer->blocks)) {
        free(state);
        return out_of_memory(writer);
    }
    writer->blocks = blocks;
    strbuf_init(&plain, PACK_INDEX_BYTES_MAX);
    state->offset = block.offset;
    for (size_t i = 0; i < count; i++) {
        const struct pack_source *r = &records[i];
        struct pack_entry entry = {
            .offset = r->offset, .member_len = r->member_len, .frame = r->frame, .at = r->at, .len = r->len};
        pack_entry_put(&plain, state, &entry);
    }
    enum gt_err err =
        plain.err == GT_OK ? piece_append(writer, strbuf_str(&plain), GT_STR(""), &block.piece) : out_of_memory(writer);
    strbuf_done(&plain);
    free(state);
    if (err == GT_OK) writer->blocks[writer->block_count++] = block;
    return err;
}

/* The index: file by file, block by block. */
static enum gt_err index_write(struct pack_writer *writer)
{
    struct pack_sources *sources = &writer->sources;
    enum gt_err err = GT_OK;
    sources_sort_by_place(sources);
    for (size_t first = 0, count; first < sources->count && err == GT_OK; first += count) {
        uint32_t file = sources->records[first].file;
        for (count = 1;
             count < PACK_BLOCK_ENTRIES && first + count < sources->count && sources->records[first + count].file == file;)
            count++;
        sources->files[file].block_count++;
        err = block_write(writer, first, count);
    }
    return err;
}

static void text_put(struct strbuf *out, struct gt_str text)
{
    pack_put(out, text.len);
    strbuf_add(out, text);
}

/* What was found, as the reader wants it. */
static void directory_print(const struct pack_writer *writer, struct strbuf *out)
{
    bool has_dropped = writer->made.dropped > 0;
    pack_put(out, has_dropped ? PACK_VERSION_DROPPED : PACK_VERSION);
    if (has_dropped) {
        pack_put(out, writer->made.dropped);
        text_put(out, writer->history.file);
        pack_put(out, (uint64_t)writer->history.offset);
    }
    text_put(out, writer->makers);
    pack_put(out, writer->sources.file_count);
    for (size_t i = 0; i < writer->sources.file_count; i++) {
        const struct pack_file *file = &writer->sources.files[i];
        text_put(out, file->name);
        pack_put(out, (uint64_t)file->bytes);
        strbuf_add(out, (struct gt_str){(const char *)file->sha256, sizeof file->sha256});
        pack_put(out, file->block_count);
    }
    pack_put(out, writer->frame_count);
    for (size_t i = 0; i < writer->frame_count; i++) {
        pack_put(out, writer->frames[i].piece.packed_len);
        pack_put(out, writer->frames[i].piece.plain_len);
        pack_put(out, writer->frames[i].key);
        strbuf_add(out, (struct gt_str){(const char *)writer->frames[i].digest, PACK_DIGEST_BYTES});
    }
    pack_put(out, writer->block_count);
    for (size_t i = 0; i < writer->block_count; i++) {
        pack_put(out, writer->blocks[i].piece.packed_len);
        pack_put(out, writer->blocks[i].piece.plain_len);
        pack_put(out, (uint64_t)writer->blocks[i].offset);
        pack_put(out, writer->blocks[i].count);
    }
}

/* Directory and tail. */
static enum gt_err directory_write(struct pack_writer *writer)
{
    struct strbuf plain, tail;
    struct pack_piece piece = {0};
    strbuf_init(&plain, PACK_DIRECTORY_BYTES_MAX);
    strbuf_init(&tail, PACK_TAIL_BYTES);
    directory_print(writer, &plain);
    enum gt_err err = plain.err == GT_OK ? piece_append(writer, strbuf_str(&plain), GT_STR(""), &piece) : out_of_memory(writer);
    pack_put_fixed(&tail, (uint64_t)piece.at, 8);
    pack_put_fixed(&tail, piece.packed_len, 8);
    pack_put_fixed(&tail, piece.plain_len, 8);
    strbuf_adds(&tail, pack_magic);
    if (err == GT_OK) err = append(writer, strbuf_str(&tail));
    strbuf_done(&plain);
    strbuf_done(&tail);
    return err;
}

/* ---- the comparison ---- */

/* One record, read back and made a member again. */
static enum gt_err record_compare(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded)
{
    struct pack_writer *writer = ctx;
    struct pack_source source = {.file = entry->file, .offset = entry->offset, .member_len = entry->member_len};
    struct strbuf again;
    strbuf_init(&again, 2 * WARC_BLOCK_BYTES_MAX);
    enum gt_err err = record_fold(unfolded, &again);
    if (err == GT_OK) err = sources_member(&writer->sources, &source, &writer->member, writer->info);
    bool is_same = err == GT_OK && gt_str_eq(strbuf_str(&again), strbuf_str(&writer->member));
    strbuf_done(&again);
    writer->compared++;
    if (is_same) return GT_OK;
    return gt_fail(writer->info, GT_EINTERNAL, "the record at offset %lld of %.*s did not come out of the pack as it went in",
                   (long long)entry->offset, GT_STR_ARG(file->name));
}

/* Reads the file back as anyone would. */
static enum gt_err compare(struct pack_writer *writer)
{
    struct pack *pack = NULL;
    enum gt_err err = pack_open(writer->path, &pack, writer->info);
    if (err == GT_OK) err = pack_walk(pack, record_compare, writer, writer->info);
    pack_close(pack);
    if (err == GT_OK && writer->compared != writer->made.records)
        err = gt_fail(writer->info, GT_EINTERNAL, "the pack has lost records");
    return err;
}

enum gt_err pack_writer_finish(struct pack_writer *writer)
{
    enum gt_err err = index_write(writer);
    writer->made.files = writer->sources.file_count;
    if (err == GT_OK) err = directory_write(writer);
    if (err == GT_OK && fsync(writer->fd) != 0) err = file_fail(writer->info, "cannot sync", writer->path);
    writer->made.pack_bytes = writer->size;
    return err;
}

/* The packing library, told once. */
static enum gt_err packer_open(struct pack_writer *writer)
{
    writer->packer = ZSTD_createCCtx();
    if (writer->packer == NULL) return out_of_memory(writer);
    ZSTD_CCtx_setParameter(writer->packer, ZSTD_c_compressionLevel, PACK_ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(writer->packer, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(writer->packer, ZSTD_c_windowLog, PACK_WINDOW_LOG);
    return GT_OK;
}

enum gt_err pack_writer_open(struct pack_writer *writer, const char *path, struct gt_errinfo *info)
{
    *writer = (struct pack_writer){.path = path, .fd = -1, .info = info};
    strbuf_init(&writer->plain, PACK_FRAME_BYTES_MAX);
    strbuf_init(&writer->member, 2 * WARC_BLOCK_BYTES_MAX);
    strbuf_init(&writer->key, PACK_KEY_BYTES_MAX);
    writer->arena = arena_new(WRITER_ARENA_MAX);
    enum gt_err err = writer->arena != NULL ? packer_open(writer) : out_of_memory(writer);
    if (err != GT_OK) return err;
    writer->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    return writer->fd >= 0 ? append(writer, gt_str_from(pack_magic)) : file_fail(info, "cannot make", path);
}

/* A pack that failed goes at once; what it was to replace is still there. */
void pack_writer_close(struct pack_writer *writer, enum gt_err err)
{
    if (writer->fd >= 0 && err != GT_OK) unlink(writer->path);
    if (writer->fd >= 0) close(writer->fd);
    sources_done(&writer->sources);
    strbuf_done(&writer->plain);
    strbuf_done(&writer->member);
    strbuf_done(&writer->key);
    ZSTD_freeCCtx(writer->packer);
    arena_free(writer->arena);
}

enum gt_err pack_make(const char *folder, const char *const *files, size_t file_count, const char *path,
                      struct pack_made *ret_made, struct gt_errinfo *info)
{
    struct pack_writer writer;
    if (file_count > PACK_FILES_MAX) return gt_fail(info, GT_ELIMIT, "more than %d files to pack", PACK_FILES_MAX);
    enum gt_err err = pack_writer_open(&writer, path, info);
    if (err == GT_OK) err = sources_scan(folder, files, file_count, writer.arena, &writer.sources, info);
    if (err == GT_OK) {
        sources_sort_by_group(&writer.sources);
        writer.makers = arena_printf(writer.arena, "libdeflate %s, zlib %s", LIBDEFLATE_VERSION_STRING, zlibVersion());
        err = frames_write(&writer);
    }
    if (err == GT_OK) err = pack_writer_finish(&writer);
    if (err == GT_OK) err = compare(&writer);
    pack_writer_close(&writer, err);
    if (err == GT_OK) *ret_made = writer.made;
    return err;
}
