/* The archive as its readers see it: files of records in order, whether they lie there as they were written or in a pack. A record's place is
 * its file's name and the offset in it; it stays the same when the file is packed. */
#ifndef GT_CRAWLER_ARCHIVE_H
#define GT_CRAWLER_ARCHIVE_H

#include "crawler/pack.h"
#include "crawler/warc_reader.h"

enum { ARCHIVE_PATH_MAX = 4096, ARCHIVE_PACKS_MAX = 4096 };

/* One file of records. Texts live as long as the archive is open. */
struct archive_file {
    struct gt_str name;
    struct gt_str pack; /* the pack that holds it; empty: it lies in the folder */
    int64_t bytes;      /* as a WARC file */
};

/* One record. Borrowed until the next call on the archive. */
struct archive_record {
    struct gt_str file;
    int64_t offset;
    struct warc_entry entry;
};

/* One pack in the folder. */
struct archive_pack_file {
    struct gt_str name;
    struct gt_str fault; /* why it cannot be read; empty when it can. What it holds is then missing from the files */
};

struct archive;

/* Opens the folder for reading and lists it. A folder that is not there is an empty archive; a damaged pack is told by archive_packs, and the
 * rest is read all the same. GT_EACCES, GT_EIO, GT_ELIMIT, GT_ENOMEM. */
enum gt_err archive_open(const char *folder, struct archive **ret_archive, struct gt_errinfo *info);
void archive_close(struct archive *archive);

/* All files, in the order in which they were written. One that lies in the folder and in a pack (a crash while packing) is given once. */
const struct archive_file *archive_files(const struct archive *archive, size_t *ret_count);

/* The packs. */
const struct archive_pack_file *archive_packs(const struct archive *archive, size_t *ret_count);

/* How many pages were dropped from all of them. *ret_history: the newest that a pack speaks of. */
uint64_t archive_dropped(const struct archive *archive, struct pack_history *ret_history);

/* Reads the record at a place. GT_ENOENT when there is no such file or record; GT_ECORRUPT, GT_EIO, GT_ENOMEM … as warc_reader_next. */
enum gt_err archive_read(struct archive *archive, struct gt_str file, int64_t offset, struct archive_record *ret_record,
                         struct gt_errinfo *info);

/* Adds the gzip member at a place to `out`, as it was written. *ret_next: the offset behind it. */
enum gt_err archive_member(struct archive *archive, struct gt_str file, int64_t offset, struct strbuf *out, int64_t *ret_next,
                           struct gt_errinfo *info);

/* Goes to a place: archive_next then gives the record there, and all that come after it in this and later files. An empty file name is the
 * beginning. GT_ENOENT when the archive has no such file. */
enum gt_err archive_seek(struct archive *archive, struct gt_str file, int64_t offset, struct gt_errinfo *info);

/* The next record. GT_ENOENT at the end. Damage is told with its place (GT_EINCOMPLETE, GT_ECORRUPT, GT_EFORMAT, GT_ELIMIT), and the next call
 * goes on behind it. */
enum gt_err archive_next(struct archive *archive, struct archive_record *ret_record, struct gt_errinfo *info);

/* Looks through the archive for a record by its id ("urn:uuid:…"), newest file first. GT_ENOENT. Slow: for when the store does not know. */
enum gt_err archive_find(struct archive *archive, struct gt_str record_id, struct archive_record *ret_record,
                         struct gt_errinfo *info);

/* True for errors of archive_next that damage one record and not the reading. */
bool archive_is_damage(enum gt_err err);

/* ---- packing ---- */

/* What became of a month. `error` is empty, or says why its files were left as they are. */
struct archive_packed {
    char pack[WARC_NAME_MAX];
    struct pack_made made;
    struct gt_str error;
};
typedef void archive_packed_fn(void *ctx, const struct archive_packed *packed);

/* Packs every closed month: those before that of `now_unix_s`. The caller holds the run lock. A month's files are deleted once its pack is
 * durable and was compared with them, never before; whatever a crash leaves, the next call tidies up. A month that cannot be packed is told
 * and left alone. GT_OK; GT_ECORRUPT when one was left alone; GT_EIO, GT_ENOSPC, GT_ENOMEM. */
enum gt_err archive_pack(const char *folder, int64_t now_unix_s, archive_packed_fn *fn, void *ctx, struct gt_errinfo *info);

#endif
