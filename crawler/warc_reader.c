/* Records one after the other, out of whatever wrote them. Damage is told with its place and then stepped over; a reader
 * that stops at the first bad byte loses everything behind it, one that says nothing loses trust. */
#include "crawler/warc_reader.h"

#include <stdlib.h>

#include "common/digest.h"
#include "crawler/warc.h"
#include "crawler/warc_source.h"
#include "net/header.h"

struct warc_reader {
    struct warc_source source;
    char *path;
    bool is_begun;
    bool is_member_ready; /* the present member is open and nothing of it was read */
};

enum gt_err warc_reader_open_at(const char *path, int64_t offset, struct warc_reader **ret_reader, struct gt_errinfo *info)
{
    struct warc_reader *reader = calloc(1, sizeof *reader);
    char *copy = strdup(path);
    if (reader == NULL || copy == NULL) {
        free(reader);
        free(copy);
        return gt_fail(info, GT_ENOMEM, "out of memory");
    }
    reader->path = copy;
    enum gt_err err = source_open(path, offset, &reader->source, info);
    if (err != GT_OK) {
        free(copy);
        free(reader);
        return err;
    }
    *ret_reader = reader;
    return GT_OK;
}

enum gt_err warc_reader_open(const char *path, struct warc_reader **ret_reader, struct gt_errinfo *info)
{
    return warc_reader_open_at(path, 0, ret_reader, info);
}

void warc_reader_close(struct warc_reader *reader)
{
    if (reader == NULL) return;
    source_close(&reader->source);
    free(reader->path);
    free(reader);
}

/* A damaged record: told with its place; the reader goes on behind it. The damage itself is forgotten with the member. */
static enum gt_err damaged(struct warc_reader *reader, enum gt_err err, const char *what, struct gt_errinfo *info)
{
    int64_t offset = reader->source.member_offset;
    source_resync(&reader->source);
    return gt_fail(info, err, "%s: %s at offset %lld", reader->path, what, (long long)offset);
}

/* What the source met, told as the record's damage. */
static enum gt_err damaged_source(struct warc_reader *reader, struct gt_errinfo *info)
{
    static const struct {
        enum gt_err err;
        const char *what;
    } texts[] = {{GT_EINCOMPLETE, "a record that is cut off"},
                 {GT_ECORRUPT, "a record that does not unpack"},
                 {GT_ELIMIT, "a record that is too large"},
                 {GT_EIO, "a record that cannot be read"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].err == reader->source.damage) return damaged(reader, texts[i].err, texts[i].what, info);
    return damaged(reader, reader->source.damage, "a record that cannot be read", info);
}

/* The line ends that close a record: two by the grammar, none to four seen. */
static void skip_line_ends(struct warc_source *source)
{
    while (source_fill(source, 1) > 0 && (source->plain[source->pos] == '\r' || source->plain[source->pos] == '\n'))
        source->pos++;
}

/* The length of the head with its empty line, CRLF or LF; 0 when none comes within the limit. */
static size_t head_len(struct warc_source *source)
{
    size_t have = 0, want = 1024, at = 0; /* want doubles: most heads are short */
    for (;;) {
        have = source_fill(source, want);
        const char *text = source->plain + source->pos;
        for (; at < have; at++) {
            if (text[at] != '\n') continue;
            if (at + 1 < have && text[at + 1] == '\n') return at + 2;
            if (at + 2 < have && text[at + 1] == '\r' && text[at + 2] == '\n') return at + 3;
            if (at + 2 >= have) break; /* the rest of the empty line may still come */
        }
        if (have < want || want >= WARC_HEAD_BYTES_MAX) return 0;
        want *= 2;
    }
}

/* Digits only; a length of more than 18 of them is a limit, anything else malformed. */
static enum gt_err length_read(struct gt_str text, size_t *ret_len)
{
    size_t len = 0;
    if (text.len == 0) return GT_EFORMAT;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') return GT_EFORMAT;
        if (len < SIZE_MAX / 20) len = len * 10 + (size_t)(text.ptr[i] - '0');
    }
    /* before a byte of it is read: a stated length costs nothing to write */
    if (len > WARC_BLOCK_BYTES_MAX) return GT_ELIMIT;
    *ret_len = len;
    return GT_OK;
}

/* WARC 1.0's grammar put addresses in brackets, and wget still does. */
static struct gt_str unbracket(struct gt_str text)
{
    bool is_bracketed = text.len >= 2 && text.ptr[0] == '<' && text.ptr[text.len - 1] == '>';
    return is_bracketed ? gt_str_slice(text, 1, text.len - 2) : text;
}

/* The text up to its first line end. */
static struct gt_str first_line(struct gt_str text)
{
    size_t len = 0;
    while (len < text.len && text.ptr[len] != '\r' && text.ptr[len] != '\n') len++;
    return gt_str_slice(text, 0, len);
}

/* The fields that everybody asks for, of a whole record whose head has a known length. */
static void entry_fill(struct gt_str record, size_t head, struct warc_entry *entry)
{
    entry->version = first_line(record);
    entry->head = gt_str_slice(record, entry->version.len, head - entry->version.len);
    entry->block = gt_str_slice(record, head, SIZE_MAX);
    entry->type = header_find(entry->head, "WARC-Type", 0);
    entry->record_id = unbracket(header_find(entry->head, "WARC-Record-ID", 0));
    entry->target_uri = unbracket(header_find(entry->head, "WARC-Target-URI", 0));
}

/* Lines may end with LF alone in foreign files; the blank line that comes first ends the head. */
bool warc_entry_parse(struct gt_str text, struct warc_entry *ret_entry)
{
    struct warc_entry entry = {.is_member_start = true};
    size_t head = gt_str_find(text, GT_STR("\r\n\r\n"), 0), block = 0, len = 4;
    size_t bare = gt_str_find(gt_str_slice(text, 0, head), GT_STR("\n\n"), 0);
    if (bare != SIZE_MAX) {
        head = bare;
        len = 2;
    }
    if (head == SIZE_MAX || !gt_str_starts(text, GT_STR("WARC/"))) return false;
    head += len;
    if (length_read(header_find(gt_str_slice(text, 0, head), "Content-Length", 0), &block) != GT_OK) return false;
    if (block > text.len - head) return false;
    entry_fill(gt_str_slice(text, 0, head + block), head, &entry);
    *ret_entry = entry;
    return true;
}

/* The record that begins at the window. */
static enum gt_err record_read(struct warc_reader *reader, struct warc_entry *ret_entry, struct gt_errinfo *info)
{
    struct warc_source *source = &reader->source;
    int64_t here = source->in_offset - (int64_t)(source->len - source->pos);
    struct warc_entry entry = {.offset = source->is_gzip ? source->member_offset : here};
    size_t head = head_len(source), block = 0;
    if (head == 0 && source->damage != GT_OK) return damaged_source(reader, info);
    if (head == 0) return damaged(reader, GT_EFORMAT, "a head without an end", info);
    struct gt_str text = {source->plain + source->pos, head};
    entry.version = first_line(text);
    if (!gt_str_starts(entry.version, GT_STR("WARC/"))) return damaged(reader, GT_EFORMAT, "something that is no record", info);
    enum gt_err err = length_read(header_find(text, "Content-Length", 0), &block);
    if (err == GT_EFORMAT) return damaged(reader, err, "a record without a usable length", info);
    if (err == GT_ELIMIT) return damaged(reader, err, "a record that is too large", info);
    /* A few bytes more than the block: so a member's checksum has been seen before its record is given out. */
    size_t have = source_fill(source, head + block + 5);
    if (source->damage != GT_OK) return damaged_source(reader, info);
    if (have < head + block) return damaged(reader, GT_EINCOMPLETE, "a record that is cut off", info);
    entry_fill((struct gt_str){source->plain + source->pos, head + block}, head, &entry);
    if (source->is_gzip && !source->is_member_open) entry.member_bytes = source->in_offset - source->member_offset;
    source->pos += head + block;
    *ret_entry = entry;
    return GT_OK;
}

/* Opens the next member. Garbage before it is told once; the member behind it is read by the next call. */
static enum gt_err member_open(struct warc_reader *reader, struct gt_errinfo *info)
{
    int64_t before = reader->source.in_offset;
    if (reader->is_member_ready) {
        reader->is_member_ready = false;
        return GT_OK;
    }
    enum gt_err err = source_next_member(&reader->source);
    if (err == GT_ENOENT) return gt_fail(info, GT_ENOENT, "%s: no further record", reader->path);
    if (err == GT_OK) return GT_OK;
    reader->is_member_ready = reader->source.is_member_open;
    return gt_fail(info, err, "%s: something that is no record at offset %lld", reader->path, (long long)before);
}

/* A gzip member may hold several records (foreign files do): only when it is used up does the next one begin. */
enum gt_err warc_reader_next(struct warc_reader *reader, struct warc_entry *ret_entry, struct gt_errinfo *info)
{
    struct warc_source *source = &reader->source;
    bool is_further = false;
    enum gt_err err = GT_OK;
    if (!reader->is_member_ready) {
        if (reader->is_begun) skip_line_ends(source);
        is_further = reader->is_begun && source_fill(source, 1) > 0;
        if (source->damage != GT_OK) return damaged_source(reader, info);
    }
    reader->is_begun = true;
    if (!is_further) err = member_open(reader, info);
    if (err == GT_OK) err = record_read(reader, ret_entry, info);
    if (err == GT_OK) ret_entry->is_member_start = !is_further || !source->is_gzip;
    return err;
}

void warc_entry_split(const struct warc_entry *entry, struct gt_str *ret_http_head, struct gt_str *ret_payload)
{
    /* a server that ends its lines with LF alone has a head that ends so */
    bool is_http = gt_str_is(entry->type, "request") || gt_str_is(entry->type, "response") || gt_str_is(entry->type, "revisit");
    size_t at = is_http ? gt_str_find(entry->block, GT_STR("\r\n\r\n"), 0) : 0, len = 4;
    if (is_http && at == SIZE_MAX) {
        at = gt_str_find(entry->block, GT_STR("\n\n"), 0);
        len = 2;
    }
    size_t head = !is_http ? 0 : at == SIZE_MAX ? entry->block.len : at + len;
    *ret_http_head = gt_str_slice(entry->block, 0, head);
    *ret_payload = gt_str_slice(entry->block, head, SIZE_MAX);
}

/* True when the stated digest is that of the bytes, or of a kind that is not recomputed here. */
static bool digest_holds(struct gt_str stated, struct gt_str bytes)
{
    char digest[SHA1_BASE32_MAX];
    if (!gt_str_starts(stated, GT_STR("sha1:"))) return true;
    return digest_sha1_base32(bytes, digest) == GT_OK && gt_str_eq_nocase(gt_str_slice(stated, 5, SIZE_MAX), gt_str_from(digest));
}

bool warc_entry_check(const struct warc_entry *entry)
{
    struct gt_str http_head, payload;
    warc_entry_split(entry, &http_head, &payload);
    if (!digest_holds(header_find(entry->head, "WARC-Block-Digest", 0), entry->block)) return false;
    bool has_payload = gt_str_is(entry->type, "response") || gt_str_is(entry->type, "resource");
    return !has_payload || digest_holds(header_find(entry->head, "WARC-Payload-Digest", 0), payload);
}
