/* Packed months: the WARC files of a month, version against version, each record still readable alone and each file still to be had as
 * it was, byte for byte. crawler/PACK.md draws the bytes. A record keeps its place: the file's name and the offset in it. */
#ifndef GT_CRAWLER_PACK_H
#define GT_CRAWLER_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/digest.h"
#include "common/err.h"
#include "common/strbuf.h"
#include "crawler/warc.h"
#include "crawler/warc_reader.h"

enum {
    PACK_FILES_MAX = 100000,
    PACK_FRAME_BYTES = 1024 * 1024,       /* plain bytes after which a frame ends: what one record costs to read */
    PACK_KEY_BYTES_MAX = 1024 * 1024,     /* of the first frame of an address, against which the others are packed */
    PACK_SMALL_BYTES = 32 * 1024,         /* addresses with less than this in all share frames */
    PACK_BLOCK_ENTRIES = 1024,            /* of the index, unpacked together */
    PACK_CACHE_BYTES = 512 * 1024 * 1024, /* unpacked frames that a reader keeps */
    PACK_DIRECTORY_BYTES_MAX = 256 * 1024 * 1024,
    PACK_INDEX_BYTES_MAX = PACK_BLOCK_ENTRIES * 40,
};

/* A frame's plain bytes: a record may be as large as records get, and what it unpacks to. */
#define PACK_FRAME_BYTES_MAX ((size_t)4 * WARC_BLOCK_BYTES_MAX)

/* One source file. */
struct pack_file {
    struct gt_str name;
    int64_t bytes;
    uint8_t sha256[SHA256_BYTES];
    uint32_t block_first, block_count; /* of the index */
};

/* Where a record lies. */
struct pack_entry {
    uint32_t file;  /* which source file */
    int64_t offset; /* of its member there */
    uint32_t member_len;
    uint32_t frame, at, len; /* its unfolded bytes */
};

struct pack;

/* Opens a pack and reads its directory. GT_ENOENT, GT_EACCES, GT_EIO; GT_EFORMAT (none, or of a newer form); GT_ECORRUPT; GT_ENOMEM. */
enum gt_err pack_open(const char *path, struct pack **ret_pack, struct gt_errinfo *info);
void pack_close(struct pack *pack);

/* The source files, in order of name. */
const struct pack_file *pack_files(const struct pack *pack, size_t *ret_count);

/* The file of that name, or NULL. */
const struct pack_file *pack_file_find(const struct pack *pack, struct gt_str name);

/* What packed it, for when the same bytes cannot be made again: "libdeflate 1.14, zlib 1.2.13". Borrowed. */
struct gt_str pack_makers(const struct pack *pack);

/* What stands for pages that were dropped: where in the archive the history begins that has their records (archive_history.h). */
struct pack_history {
    struct gt_str file;
    int64_t offset;
};

/* How many records are only what is left of a page that was dropped. *ret_history: of the last time; borrowed, empty when there is none. */
uint64_t pack_dropped(const struct pack *pack, struct pack_history *ret_history);

enum pack_form { PACK_PLAIN, PACK_MEMBER, PACK_UNFOLDED };

/* Adds the record that begins at `offset` of a source file to `out`: in plain, its gzip member, or as it lies in its frame. *ret_next: the
 * offset behind it. GT_OK; GT_ENOENT when none begins there; GT_ECORRUPT, GT_EIO, GT_ENOMEM. */
enum gt_err pack_read(struct pack *pack, const struct pack_file *file, int64_t offset, enum pack_form form, struct strbuf *out,
                      int64_t *ret_next, struct gt_errinfo *info);

/* Takes one record in the order of frames (the cheap one for all of them): its place, and its unfolded bytes (pack_fold.h). */
typedef enum gt_err pack_walk_fn(void *ctx, const struct pack_file *file, const struct pack_entry *entry, struct gt_str unfolded);

/* Walks all records. A frame that does not unpack ends it with GT_ECORRUPT; what `fn` returns other than GT_OK ends it, too. */
enum gt_err pack_walk(struct pack *pack, pack_walk_fn *fn, void *ctx, struct gt_errinfo *info);

/* ---- writing ---- */

struct pack_made {
    size_t files, records, verbatim; /* verbatim: members that could not be made again and were kept as they are */
    size_t dropped;                  /* records that are only what is left of a page */
    int64_t source_bytes, pack_bytes;
};

/* Packs whole source files of `folder` into a new file `path` (which must not exist), durable on return, and compares every member of it with
 * the sources. On failure no file is left. GT_ECORRUPT names a source file that is damaged; GT_EINTERNAL for a record that did not come out
 * as it went in; GT_ENOSPC, GT_EIO, GT_ENOMEM, GT_ELIMIT. */
enum gt_err pack_make(const char *folder, const char *const *files, size_t file_count, const char *path,
                      struct pack_made *ret_made, struct gt_errinfo *info);

/* True when a page goes. Asked more than once of one record, and then says the same. */
typedef bool pack_goes_fn(void *ctx, const struct warc_entry *entry);

/* Writes the pack `from` again as a new file `path` (which must not exist), durable on return, with a note (dropped.h) in place of each page
 * that goes; every other record is in it as it was, each has the place that it had, and all were compared. On failure no file is left.
 * GT_ECORRUPT for a pack that is damaged, or a page that goes and whose digest does not hold; else as pack_make. */
enum gt_err pack_thin(const char *from, const char *path, int64_t dropped_unix_s, const struct pack_history *history, pack_goes_fn *goes, void *ctx,
                      struct pack_made *ret_made, struct gt_errinfo *info);

#endif
