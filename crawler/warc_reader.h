/* Reading WARC files: strictly our own, leniently everybody's. */
#ifndef GT_CRAWLER_WARC_READER_H
#define GT_CRAWLER_WARC_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/str.h"

enum { WARC_HEAD_BYTES_MAX = 64 * 1024 };

struct warc_reader;

/* One record. Texts are borrowed until the next call on the reader. */
struct warc_entry {
    struct gt_str version;                     /* "WARC/1.1" */
    struct gt_str head;                        /* the named fields, for header_find */
    struct gt_str type, record_id, target_uri; /* angle brackets taken off */
    struct gt_str block;
    int64_t offset;       /* where to find it again: of its gzip member, or of itself in a file that is not packed */
    int64_t member_bytes; /* of its gzip member; 0 where that is not known: in plain files, and before a further record */
    bool is_member_start; /* false: a further record in the same member; cannot be read alone */
};

/* Opens a .warc or .warc.gz. GT_ENOENT, GT_EACCES, GT_EIO; GT_EREFUSED for ARC and zstd files; GT_EFORMAT for anything else
 * that is no WARC. */
enum gt_err warc_reader_open(const char *path, struct warc_reader **ret_reader, struct gt_errinfo *info);

/* As warc_reader_open, and goes to the record at `offset`. */
enum gt_err warc_reader_open_at(const char *path, int64_t offset, struct warc_reader **ret_reader, struct gt_errinfo *info);

/* The next record. GT_OK; GT_ENOENT at the end; GT_EINCOMPLETE (the file ends inside a record), GT_ECORRUPT (damage: a
 * checksum, garbage between members), GT_EFORMAT (not the grammar), GT_ELIMIT (head or block too large): `info` names the
 * offset, and the next call goes on behind the damage where there is something to go on with. GT_EIO, GT_ENOMEM. */
enum gt_err warc_reader_next(struct warc_reader *reader, struct warc_entry *ret_entry, struct gt_errinfo *info);

/* The record at the beginning of `text`, which is plain; borrowed. Offset 0. False when it is none, or not whole. */
bool warc_entry_parse(struct gt_str text, struct warc_entry *ret_entry);

/* Closes; NULL is accepted. */
void warc_reader_close(struct warc_reader *reader);

/* The HTTP head (empty line included) and payload of a request's, response's or revisit's block; a block without an empty line
 * is all head. For other types the head is empty and the payload the block. */
void warc_entry_split(const struct warc_entry *entry, struct gt_str *ret_http_head, struct gt_str *ret_payload);

/* Recomputes the block digest and, for responses and resources, the payload digest where the record states them as sha1. False
 * when one differs; records that state none pass. */
bool warc_entry_check(const struct warc_entry *entry);

#endif
