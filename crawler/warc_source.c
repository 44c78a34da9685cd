/* A window over the plain bytes of one gzip member at a time. Nothing is read ahead of what is asked for beyond one buffer,
 * and no member, however it was packed, can grow the window past its limit. */
#include "crawler/warc_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "crawler/warc.h"

enum {
    WINDOW_BITS_GZIP = 16 + MAX_WBITS,
    PLAIN_STEP = 64 * 1024,
    PLAIN_BYTES_MAX = WARC_BLOCK_BYTES_MAX + 2 * WARC_HEAD_BYTES_MAX,
};

/* Reads more of the file when the buffer is used up. False at the end. */
static bool in_fill(struct warc_source *source)
{
    while (source->in_pos == source->in_len && !source->is_file_end) {
        ssize_t n = pread(source->fd, source->in, sizeof source->in, source->in_offset);
        if (n < 0 && errno == EINTR) continue;
        source->in_pos = 0;
        source->in_len = n > 0 ? (size_t)n : 0;
        if (n <= 0) source->is_file_end = true;
        if (n < 0) source->damage = GT_EIO;
    }
    return source->in_pos < source->in_len;
}

/* Goes to an offset of the file. */
static void in_seek(struct warc_source *source, int64_t offset)
{
    source->in_pos = source->in_len = 0;
    source->in_offset = offset;
    source->is_file_end = false;
}

/* Takes bytes off the input. */
static void in_take(struct warc_source *source, size_t len)
{
    source->in_pos += len;
    source->in_offset += (int64_t)len;
}

/* Room for another step behind the window; what was read is dropped first. */
static bool plain_reserve(struct warc_source *source)
{
    /* records are read one after the other, so what is moved is seldom more than a few bytes */
    if (source->pos > 0) {
        memmove(source->plain, source->plain + source->pos, source->len - source->pos);
        source->len -= source->pos;
        source->pos = 0;
    }
    if (source->cap - source->len >= PLAIN_STEP) return true;
    size_t cap = source->cap == 0 ? 2 * PLAIN_STEP : source->cap * 2;
    if (cap > 2 * (size_t)PLAIN_BYTES_MAX) return false;
    char *grown = realloc(source->plain, cap);
    if (grown == NULL) return false;
    source->plain = grown;
    source->cap = cap;
    return true;
}

/* Moves input into the window as it is. */
static void step_plain(struct warc_source *source)
{
    size_t len = source->in_len - source->in_pos, room = source->cap - source->len;
    if (len > room) len = room;
    memcpy(source->plain + source->len, source->in + source->in_pos, len);
    source->len += len;
    in_take(source, len);
}

/* Unpacks input into the window. zlib checks length and checksum of a member when it ends. */
static void step_gzip(struct warc_source *source)
{
    z_stream *stream = &source->stream;
    size_t room = source->cap - source->len, before = source->in_len - source->in_pos;
    stream->next_in = (Bytef *)source->in + source->in_pos;
    stream->avail_in = (uInt)before;
    stream->next_out = (Bytef *)source->plain + source->len;
    stream->avail_out = (uInt)room;
    int result = inflate(stream, Z_NO_FLUSH);
    in_take(source, before - stream->avail_in);
    source->len += room - stream->avail_out;
    if (result == Z_STREAM_END) source->is_member_open = false;
    else if (result != Z_OK && result != Z_BUF_ERROR) source->damage = GT_ECORRUPT;
}

/* Damage is noted, not returned: what was read before it is still whole and is handed out first. */
size_t source_fill(struct warc_source *source, size_t want)
{
    while (source->len - source->pos < want && source->is_member_open && source->damage == GT_OK) {
        if (!plain_reserve(source)) {
            source->damage = GT_ELIMIT;
        } else if (!in_fill(source)) {
            if (source->is_gzip && source->damage == GT_OK) source->damage = GT_EINCOMPLETE;
            source->is_member_open = false;
        } else if (source->is_gzip) {
            step_gzip(source);
        } else {
            step_plain(source);
        }
    }
    return source->len - source->pos;
}

/* Goes on to the next two bytes that begin a gzip member. Returns how many bytes were passed over. */
static int64_t find_member(struct warc_source *source)
{
    int64_t passed = 0;
    while (in_fill(source)) {
        /* ID1, ID2, and the only method there is */
        char *at = source->in + source->in_pos;
        char *hit = memchr(at, 0x1F, source->in_len - source->in_pos);
        size_t skipped = hit != NULL ? (size_t)(hit - at) : source->in_len - source->in_pos;
        in_take(source, skipped);
        passed += (int64_t)skipped;
        if (hit == NULL) continue;
        /* the three bytes may lie across two reads */
        if (source->in_len - source->in_pos < 3) in_seek(source, source->in_offset);
        if (!in_fill(source)) break;
        bool is_magic = source->in_len - source->in_pos >= 3 && memcmp(source->in + source->in_pos, "\x1F\x8B\x08", 3) == 0;
        if (is_magic) return passed;
        in_take(source, 1);
        passed++;
    }
    return passed;
}

enum gt_err source_next_member(struct warc_source *source)
{
    source->pos = source->len = 0;
    source->damage = GT_OK;
    int64_t passed = source->is_gzip ? find_member(source) : 0;
    if (!in_fill(source)) return passed > 0 ? GT_ECORRUPT : GT_ENOENT;
    source->member_offset = source->in_offset;
    source->is_member_open = true;
    if (source->is_gzip) inflateReset(&source->stream);
    return passed > 0 ? GT_ECORRUPT : GT_OK;
}

/* From one byte behind the member's beginning: the next one that looks like a beginning is tried. */
void source_resync(struct warc_source *source)
{
    source->pos = source->len = 0;
    source->is_member_open = false;
    source->damage = GT_OK;
    if (source->is_gzip) {
        in_seek(source, source->member_offset + 1);
        find_member(source);
    } else {
        source->in_pos = source->in_len;
        source->is_file_end = true;
    }
}

/* What the first bytes say the file is. */
static enum gt_err sniff(struct warc_source *source, const char *path, struct gt_errinfo *info)
{
    if (!in_fill(source)) return source->damage != GT_OK ? file_fail(info, "cannot read", path) : GT_OK;
    struct gt_str front = {source->in, source->in_len};
    source->is_gzip = gt_str_starts(front, (struct gt_str){"\x1F\x8B", 2});
    if (source->is_gzip || gt_str_starts(front, GT_STR("WARC/"))) return GT_OK;
    if (gt_str_starts(front, GT_STR("filedesc://"))) return gt_fail(info, GT_EREFUSED, "%s is an ARC file, not a WARC", path);
    bool is_zstd = gt_str_starts(front, (struct gt_str){"\x28\xB5\x2F\xFD", 4}) ||
                   gt_str_starts(front, (struct gt_str){"\x5D\x2A\x4D\x18", 4});
    if (is_zstd) return gt_fail(info, GT_EREFUSED, "%s is packed with zstd; only gzip and plain files are read", path);
    return gt_fail(info, GT_EFORMAT, "%s is not a WARC file", path);
}

enum gt_err source_open(const char *path, int64_t offset, struct warc_source *ret_source, struct gt_errinfo *info)
{
    struct warc_source *source = ret_source;
    memset(source, 0, sizeof *source);
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0) return file_fail(info, "cannot open", path);
    in_seek(source, offset);
    enum gt_err err = sniff(source, path, info);
    if (err == GT_OK && source->is_gzip && inflateInit2(&source->stream, WINDOW_BITS_GZIP) != Z_OK)
        err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) close(source->fd);
    return err;
}

void source_close(struct warc_source *source)
{
    if (source->is_gzip) inflateEnd(&source->stream);
    free(source->plain);
    close(source->fd);
}
