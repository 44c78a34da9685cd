/* Reading packs. The directory is read at opening; index blocks and frames when they are asked for, and kept. Nothing in the file is
 * believed: a place outside of it, a length that is not that of what unpacks, is damage. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "common/digest.h"
#include "common/file.h"
#include "crawler/pack_codec.h"
#include "crawler/pack_fold.h"

#define DIRECTORY_ARENA_MAX ((size_t)1 << 30)

/* One unpacked frame. */
struct cached {
    char *bytes;
    uint64_t used; /* when it was last asked for */
};

struct pack {
    int fd;
    char *path;
    int64_t size;
    struct arena *arena; /* the directory */
    struct gt_str makers;
    uint64_t dropped;
    struct pack_history history;
    struct pack_file *files;
    struct pack_frame *frames;
    struct pack_block *blocks;
    size_t file_count, frame_count, block_count;
    struct cached *cache; /* a place a frame */
    size_t cached_bytes;
    uint64_t clock;
    struct pack_entry *entries; /* of the block that was read last */
    size_t entry_count, entry_block;
    ZSTD_DCtx *unpacker;
};

/* Damage, with the file's name. */
static enum gt_err damaged(const struct pack *pack, const char *what, struct gt_errinfo *info)
{
    return gt_fail(info, GT_ECORRUPT, "%s: %s", pack->path, what);
}

/* Reads a piece of the file. */
static enum gt_err bytes_read(const struct pack *pack, int64_t at, size_t len, char *bytes, struct gt_errinfo *info)
{
    if (at < 0 || at > pack->size || (uint64_t)len > (uint64_t)(pack->size - at))
        return damaged(pack, "a place outside the file", info);
    enum gt_err err = file_read_at(pack->fd, at, bytes, len);
    if (err == GT_OK) return GT_OK;
    return err == GT_EINCOMPLETE ? damaged(pack, "it ends too early", info) : file_fail(info, "cannot read", pack->path);
}

/* Unpacks a piece into malloc'ed memory. */
static enum gt_err piece_unpack(struct pack *pack, const struct pack_piece *piece, struct gt_str key, char **ret_plain,
                                struct gt_errinfo *info)
{
    char *packed = malloc(piece->packed_len + 1), *plain = malloc((size_t)piece->plain_len + 1);
    enum gt_err err = packed == NULL || plain == NULL ? gt_fail(info, GT_ENOMEM, "out of memory")
                                                      : bytes_read(pack, piece->at, piece->packed_len, packed, info);
    if (err == GT_OK) {
        ZSTD_DCtx_reset(pack->unpacker, ZSTD_reset_session_only);
        if (key.len > 0) ZSTD_DCtx_refPrefix(pack->unpacker, key.ptr, key.len);
        size_t len = ZSTD_decompressDCtx(pack->unpacker, plain, piece->plain_len, packed, piece->packed_len);
        if (ZSTD_isError(len) || len != piece->plain_len) err = damaged(pack, "a piece that does not unpack", info);
    }
    free(packed);
    if (err != GT_OK) free(plain);
    else *ret_plain = plain;
    return err;
}

/* ---- the directory ---- */

/* Takes `count` off the directory, each of at least one byte, and makes room for them. */
static void *list_get(struct pack *pack, struct gt_str *rest, size_t bytes, size_t *ret_count)
{
    uint64_t count;
    if (!pack_get(rest, rest->len, &count) || count > rest->len) return NULL;
    *ret_count = (size_t)count;
    return arena_array(pack->arena, (size_t)count, bytes);
}

/* A text of the directory, borrowed. */
static bool text_get(struct gt_str *rest, struct gt_str *ret_text)
{
    uint64_t len;
    if (!pack_get(rest, rest->len, &len) || len > rest->len) return false;
    *ret_text = gt_str_slice(*rest, 0, (size_t)len);
    *rest = gt_str_slice(*rest, (size_t)len, SIZE_MAX);
    return true;
}

/* Pieces lie one behind the other. */
static bool piece_get(struct gt_str *rest, uint64_t plain_max, int64_t *at, struct pack_piece *ret_piece)
{
    uint64_t packed, plain;
    if (!pack_get(rest, UINT32_MAX, &packed) || !pack_get(rest, plain_max, &plain)) return false;
    *ret_piece = (struct pack_piece){*at, (uint32_t)packed, (uint32_t)plain};
    return !__builtin_add_overflow(*at, (int64_t)packed, at);
}

static bool files_get(struct pack *pack, struct gt_str *rest)
{
    uint64_t bytes, blocks, first = 0;
    pack->files = list_get(pack, rest, sizeof *pack->files, &pack->file_count);
    if (pack->files == NULL) return false;
    for (size_t i = 0; i < pack->file_count; i++) {
        struct pack_file *file = &pack->files[i];
        if (!text_get(rest, &file->name) || !pack_get(rest, INT64_MAX, &bytes) || rest->len < sizeof file->sha256) return false;
        file->bytes = (int64_t)bytes;
        memcpy(file->sha256, rest->ptr, sizeof file->sha256);
        *rest = gt_str_slice(*rest, sizeof file->sha256, SIZE_MAX);
        if (!pack_get(rest, UINT32_MAX, &blocks)) return false;
        file->block_first = (uint32_t)first;
        file->block_count = (uint32_t)blocks;
        first += blocks;
        if (first > UINT32_MAX) return false;
    }
    return true;
}

/* A frame is packed against an earlier one that stands alone: no chain is longer than two. */
static bool frames_get(struct pack *pack, struct gt_str *rest, int64_t *at)
{
    uint64_t key;
    pack->frames = list_get(pack, rest, sizeof *pack->frames, &pack->frame_count);
    if (pack->frames == NULL) return false;
    for (size_t i = 0; i < pack->frame_count; i++) {
        struct pack_frame *frame = &pack->frames[i];
        if (!piece_get(rest, PACK_FRAME_BYTES_MAX, at, &frame->piece) || !pack_get(rest, i, &key)) return false;
        if (rest->len < sizeof frame->digest) return false;
        memcpy(frame->digest, rest->ptr, sizeof frame->digest);
        *rest = gt_str_slice(*rest, sizeof frame->digest, SIZE_MAX);
        frame->key = (uint32_t)key;
        if (key > 0 && (pack->frames[key - 1].key != 0 || pack->frames[key - 1].piece.plain_len > PACK_KEY_BYTES_MAX))
            return false;
    }
    return true;
}

static bool blocks_get(struct pack *pack, struct gt_str *rest, int64_t *at)
{
    uint64_t offset, count;
    pack->blocks = list_get(pack, rest, sizeof *pack->blocks, &pack->block_count);
    if (pack->blocks == NULL) return false;
    for (size_t i = 0; i < pack->block_count; i++) {
        struct pack_block *block = &pack->blocks[i];
        if (!piece_get(rest, PACK_INDEX_BYTES_MAX, at, &block->piece)) return false;
        if (!pack_get(rest, INT64_MAX, &offset) || !pack_get(rest, PACK_BLOCK_ENTRIES, &count)) return false;
        block->offset = (int64_t)offset;
        block->count = (uint32_t)count;
    }
    const struct pack_file *last = pack->file_count > 0 ? &pack->files[pack->file_count - 1] : NULL;
    return last == NULL ? pack->block_count == 0 : (uint64_t)last->block_first + last->block_count == pack->block_count;
}

static bool dropped_get(struct pack *pack, struct gt_str *rest)
{
    uint64_t offset;
    if (!pack_get(rest, INT64_MAX, &pack->dropped) || !text_get(rest, &pack->history.file) || !pack_get(rest, INT64_MAX, &offset)) return false;
    pack->history.offset = (int64_t)offset;
    return true;
}

/* The directory's plain bytes, taken apart. */
static bool directory_parse(struct pack *pack, struct gt_str rest)
{
    uint64_t version;
    int64_t at = PACK_HEAD_BYTES;
    if (!pack_get(&rest, PACK_VERSION_DROPPED, &version) || version < PACK_VERSION) return false;
    if (version == PACK_VERSION_DROPPED && !dropped_get(pack, &rest)) return false;
    return text_get(&rest, &pack->makers) && files_get(pack, &rest) && frames_get(pack, &rest, &at) &&
           blocks_get(pack, &rest, &at) && rest.len == 0;
}

/* Finds the directory by the file's last bytes, which are written last. */
static enum gt_err directory_read(struct pack *pack, struct gt_errinfo *info)
{
    char head[PACK_HEAD_BYTES], tail[PACK_TAIL_BYTES], *plain = NULL;
    if (pack->size < PACK_HEAD_BYTES + PACK_TAIL_BYTES) return gt_fail(info, GT_EFORMAT, "%s is no pack", pack->path);
    enum gt_err err = bytes_read(pack, 0, sizeof head, head, info);
    if (err == GT_OK) err = bytes_read(pack, pack->size - PACK_TAIL_BYTES, sizeof tail, tail, info);
    if (err != GT_OK) return err;
    if (memcmp(head, pack_magic, sizeof head) != 0)
        return gt_fail(info, GT_EFORMAT, "%s is no pack, or of a newer form", pack->path);
    if (memcmp(tail + 24, pack_magic, PACK_HEAD_BYTES) != 0) return damaged(pack, "its end is missing", info);
    uint64_t at = pack_get_fixed(tail, 8), packed = pack_get_fixed(tail + 8, 8), len = pack_get_fixed(tail + 16, 8);
    if (at > INT64_MAX || packed > PACK_DIRECTORY_BYTES_MAX || len > PACK_DIRECTORY_BYTES_MAX)
        return damaged(pack, "its directory has impossible lengths", info);
    struct pack_piece piece = {(int64_t)at, (uint32_t)packed, (uint32_t)len};
    err = piece_unpack(pack, &piece, GT_STR(""), &plain, info);
    if (err != GT_OK) return err;
    struct gt_str copy = arena_dup(pack->arena, (struct gt_str){plain, piece.plain_len});
    free(plain);
    if (copy.ptr == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    return directory_parse(pack, copy) ? GT_OK : damaged(pack, "its directory cannot be read", info);
}

/* The directory is read and checked whole, entries only as they are asked for. */
enum gt_err pack_open(const char *path, struct pack **ret_pack, struct gt_errinfo *info)
{
    struct stat st = {.st_size = 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return file_fail(info, "cannot open", path);
    struct pack *pack = calloc(1, sizeof *pack);
    if (pack == NULL) {
        close(fd);
        return gt_fail(info, GT_ENOMEM, "out of memory");
    }
    pack->fd = fd;
    pack->entry_block = SIZE_MAX;
    pack->path = strdup(path);
    pack->arena = arena_new(DIRECTORY_ARENA_MAX);
    pack->unpacker = ZSTD_createDCtx();
    pack->entries = calloc(PACK_BLOCK_ENTRIES, sizeof *pack->entries);
    enum gt_err err = GT_OK;
    if (pack->path == NULL || pack->arena == NULL || pack->unpacker == NULL || pack->entries == NULL)
        err = gt_fail(info, GT_ENOMEM, "out of memory");
    else if (fstat(fd, &st) != 0) err = file_fail(info, "cannot look at", path);
    if (err == GT_OK) {
        pack->size = st.st_size;
        ZSTD_DCtx_setParameter(pack->unpacker, ZSTD_d_windowLogMax, PACK_WINDOW_LOG_MAX);
        err = directory_read(pack, info);
    }
    if (err == GT_OK) {
        pack->cache = arena_array(pack->arena, pack->frame_count, sizeof *pack->cache);
        if (pack->cache == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    }
    if (err != GT_OK) pack_close(pack);
    else *ret_pack = pack;
    return err;
}

void pack_close(struct pack *pack)
{
    if (pack == NULL) return;
    for (size_t i = 0; pack->cache != NULL && i < pack->frame_count; i++) free(pack->cache[i].bytes);
    ZSTD_freeDCtx(pack->unpacker);
    arena_free(pack->arena);
    free(pack->entries);
    free(pack->path);
    close(pack->fd);
    free(pack);
}

const struct pack_file *pack_files(const struct pack *pack, size_t *ret_count)
{
    *ret_count = pack->file_count;
    return pack->files;
}

const struct pack_file *pack_file_find(const struct pack *pack, struct gt_str name)
{
    for (size_t i = 0; i < pack->file_count; i++)
        if (gt_str_eq(pack->files[i].name, name)) return &pack->files[i];
    return NULL;
}

struct gt_str pack_makers(const struct pack *pack)
{
    return pack->makers;
}

uint64_t pack_dropped(const struct pack *pack, struct pack_history *ret_history)
{
    *ret_history = pack->history;
    return pack->dropped;
}

uint32_t pack_frame_key(const struct pack *pack, uint32_t frame)
{
    return frame < pack->frame_count ? pack->frames[frame].key : 0;
}

/* ---- records ---- */

/* Lets the frame go that was not asked for longest, until there is room; never `spared`, which is in use. */
static void cache_shrink(struct pack *pack, size_t wanted, size_t spared)
{
    while (pack->cached_bytes > 0 && pack->cached_bytes + wanted > PACK_CACHE_BYTES) {
        size_t oldest = SIZE_MAX;
        for (size_t i = 0; i < pack->frame_count; i++)
            if (pack->cache[i].bytes != NULL && i != spared &&
                (oldest == SIZE_MAX || pack->cache[i].used < pack->cache[oldest].used))
                oldest = i;
        if (oldest == SIZE_MAX) return;
        free(pack->cache[oldest].bytes);
        pack->cache[oldest].bytes = NULL;
        pack->cached_bytes -= pack->frames[oldest].piece.plain_len;
    }
}

/* A frame's plain bytes, borrowed until the next frame is asked for. */
static enum gt_err frame_get(struct pack *pack, uint32_t index, struct gt_str *ret_plain, struct gt_errinfo *info)
{
    if (index >= pack->frame_count) return damaged(pack, "a record in a frame that is none", info);
    const struct pack_frame *frame = &pack->frames[index];
    struct cached *cached = &pack->cache[index];
    struct gt_str key = GT_STR("");
    enum gt_err err = GT_OK;
    if (cached->bytes == NULL) {
        /* one step deep: a key has no key */
        if (frame->key > 0) err = frame_get(pack, frame->key - 1, &key, info);
        cache_shrink(pack, frame->piece.plain_len, frame->key > 0 ? frame->key - 1 : SIZE_MAX);
        if (err == GT_OK) err = piece_unpack(pack, &frame->piece, key, &cached->bytes, info);
        if (err != GT_OK) return err;
        pack->cached_bytes += frame->piece.plain_len;
    }
    cached->used = ++pack->clock;
    *ret_plain = (struct gt_str){cached->bytes, frame->piece.plain_len};
    return GT_OK;
}

/* Reads a block of the index into pack->entries. */
static enum gt_err block_load(struct pack *pack, const struct pack_file *file, size_t index, struct gt_errinfo *info)
{
    const struct pack_block *block = &pack->blocks[index];
    char *plain = NULL;
    if (pack->entry_block == index) return GT_OK;
    enum gt_err err = piece_unpack(pack, &block->piece, GT_STR(""), &plain, info);
    pack->entry_block = SIZE_MAX;
    if (err != GT_OK) return err;
    struct pack_index_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        free(plain);
        return gt_fail(info, GT_ENOMEM, "out of memory");
    }
    struct gt_str rest = {plain, block->piece.plain_len};
    state->offset = block->offset;
    for (size_t i = 0; err == GT_OK && i < block->count; i++) {
        if (!pack_entry_get(&rest, state, &pack->entries[i])) err = damaged(pack, "an index that cannot be read", info);
        pack->entries[i].file = (uint32_t)(file - pack->files);
    }
    if (err == GT_OK) {
        pack->entry_block = index;
        pack->entry_count = block->count;
    }
    free(state);
    free(plain);
    return err;
}

/* The entry at an offset: its block by halving, then the entry within it. */
static enum gt_err entry_find(struct pack *pack, const struct pack_file *file, int64_t offset, struct pack_entry *ret_entry,
                              struct gt_errinfo *info)
{
    size_t low = file->block_first, high = low + file->block_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pack->blocks[middle].offset <= offset) low = middle;
        else high = middle;
    }
    enum gt_err err = file->block_count > 0 ? block_load(pack, file, low, info) : GT_OK;
    if (err != GT_OK) return err;
    for (size_t i = 0; file->block_count > 0 && i < pack->entry_count; i++) {
        if (pack->entries[i].offset != offset) continue;
        *ret_entry = pack->entries[i];
        return GT_OK;
    }
    return gt_fail(info, GT_ENOENT, "%.*s has no record at offset %lld", GT_STR_ARG(file->name), (long long)offset);
}

/* The entry's bytes in its frame. */
static enum gt_err entry_bytes(struct pack *pack, const struct pack_entry *entry, struct gt_str *ret_bytes,
                               struct gt_errinfo *info)
{
    struct gt_str plain = GT_STR("");
    enum gt_err err = frame_get(pack, entry->frame, &plain, info);
    if (err != GT_OK) return err;
    *ret_bytes = gt_str_slice(plain, entry->at, entry->len);
    return ret_bytes->len == entry->len ? GT_OK : damaged(pack, "a record outside its frame", info);
}

/* The place of the next record follows from what this one took in its file, not from how it lies packed. */
enum gt_err pack_read(struct pack *pack, const struct pack_file *file, int64_t offset, enum pack_form form, struct strbuf *out,
                      int64_t *ret_next, struct gt_errinfo *info)
{
    struct pack_entry entry = {.offset = 0};
    struct gt_str unfolded = GT_STR("");
    enum gt_err err = entry_find(pack, file, offset, &entry, info);
    if (err == GT_OK) err = entry_bytes(pack, &entry, &unfolded, info);
    if (err != GT_OK) return err;
    if (form == PACK_UNFOLDED) {
        strbuf_add(out, unfolded);
        err = out->err;
    } else {
        err = form == PACK_PLAIN ? record_fold_plain(unfolded, out) : record_fold(unfolded, out);
    }
    if (err != GT_OK) return gt_fail(info, err, "%s: a record that cannot be made again: %s", pack->path, gt_err_text(err));
    *ret_next = entry.offset + entry.member_len;
    return GT_OK;
}

/* By frame, then by place in it. */
static int entry_cmp(const void *left, const void *right)
{
    const struct pack_entry *a = left, *b = right;
    if (a->frame != b->frame) return a->frame < b->frame ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* All entries of the pack, malloc'ed. */
static enum gt_err entries_load(struct pack *pack, struct pack_entry **ret_entries, size_t *ret_count, struct gt_errinfo *info)
{
    size_t total = 0, at = 0;
    enum gt_err err = GT_OK;
    for (size_t i = 0; i < pack->block_count; i++) total += pack->blocks[i].count;
    struct pack_entry *all = calloc(total + 1, sizeof *all);
    if (all == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    for (size_t f = 0; f < pack->file_count; f++)
        for (size_t b = 0; b < pack->files[f].block_count && err == GT_OK; b++) {
            err = block_load(pack, &pack->files[f], pack->files[f].block_first + b, info);
            if (err != GT_OK) break;
            memcpy(all + at, pack->entries, pack->entry_count * sizeof *all);
            at += pack->entry_count;
        }
    if (err != GT_OK) {
        free(all);
        return err;
    }
    *ret_entries = all;
    *ret_count = at;
    return GT_OK;
}

/* The frame's own digest: stronger than zstd's checksum, and for those who ask for all of it. */
static enum gt_err frame_check(struct pack *pack, uint32_t index, struct gt_errinfo *info)
{
    struct gt_str plain = GT_STR("");
    uint8_t sha256[SHA256_BYTES];
    enum gt_err err = frame_get(pack, index, &plain, info);
    if (err == GT_OK) err = digest_sha256(plain, sha256);
    if (err != GT_OK) return err;
    return memcmp(sha256, pack->frames[index].digest, PACK_DIGEST_BYTES) == 0
               ? GT_OK
               : damaged(pack, "a frame with a wrong digest", info);
}

/* In the order of frames, so that each is unpacked once. */
enum gt_err pack_walk(struct pack *pack, pack_walk_fn *fn, void *ctx, struct gt_errinfo *info)
{
    struct pack_entry *all = NULL;
    size_t count = 0;
    enum gt_err err = entries_load(pack, &all, &count, info);
    if (err != GT_OK || all == NULL) return err;
    qsort(all, count, sizeof *all, entry_cmp);
    for (size_t i = 0; i < count && err == GT_OK; i++) {
        struct gt_str unfolded = GT_STR("");
        if (i == 0 || all[i].frame != all[i - 1].frame) err = frame_check(pack, all[i].frame, info);
        if (err == GT_OK) err = entry_bytes(pack, &all[i], &unfolded, info);
        if (err == GT_OK) err = fn(ctx, &pack->files[all[i].file], &all[i], unfolded);
    }
    free(all);
    return err;
}
