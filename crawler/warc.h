/* The archive: WARC 1.1 (iipc/warc-specifications), one gzip member a record, append only. This is the writer; warc_reader.h
 * reads. */
#ifndef GT_CRAWLER_WARC_H
#define GT_CRAWLER_WARC_H

#include <stdbool.h>
#include <stdint.h>

#include "common/clock.h"
#include "common/err.h"
#include "common/str.h"

enum {
    WARC_ID_MAX = 48,                          /* "urn:uuid:" and 36 characters, with the NUL */
    WARC_NAME_MAX = 160,                       /* a file's name in the archive folder */
    WARC_BLOCK_BYTES_MAX = 80 * 1024 * 1024,   /* of one record */
    WARC_UNSYNCED_BYTES_MAX = 8 * 1024 * 1024, /* written and not yet on disk: more than this is synced unasked */
};

#define WARC_FILE_BYTES_DEFAULT ((int64_t)1 << 30)

enum warc_type { WARC_WARCINFO, WARC_REQUEST, WARC_RESPONSE, WARC_REVISIT, WARC_METADATA, WARC_RESOURCE, WARC_TYPES };

/* Why a revisit has no body of its own. */
enum warc_profile { WARC_PROFILE_NONE, WARC_PROFILE_SAME_PAYLOAD, WARC_PROFILE_NOT_MODIFIED };

/* One record to be written. Borrowed. Empty texts leave their field out. */
struct warc_record {
    enum warc_type type;
    struct gt_str target_uri;    /* for all but warcinfo, where metadata may go without */
    int64_t t_unix_s;            /* when the capture began; the same for all records of one capture */
    struct gt_str record_id;     /* "urn:uuid:…" by warc_id_make; empty: made here */
    struct gt_str concurrent_to; /* record id of the capture's other record */
    struct gt_str refers_to;     /* metadata: the record it is about; revisit: the one that holds the payload */
    struct gt_str refers_to_uri; /* revisit only */
    int64_t refers_to_unix_s;    /* revisit only */
    enum warc_profile profile;   /* revisit only */
    struct gt_str content_type;
    struct gt_str address;   /* of the server, printed */
    struct gt_str truncated; /* "length" "time" "disconnect" "unspecified" */
    struct gt_str
        payload_digest;       /* "sha1:…"; revisits of WARC_PROFILE_SAME_PAYLOAD need it, responses and resources get it made */
    struct gt_str head, body; /* the block in two pieces; the payload is `body` */
};

/* Where a record went. */
struct warc_place {
    char file[WARC_NAME_MAX]; /* relative to the archive folder */
    int64_t offset, bytes;    /* of its gzip member */
    char record_id[WARC_ID_MAX];
    uint8_t block_sha1[20];
};

struct warc_settings {
    const char *folder;           /* made when absent */
    const struct gt_clock *clock; /* for file names and warcinfo */
    const char *software;         /* "gputape/0.1.0" */
    struct gt_str user_agent;
    struct gt_str operator_contact;
    int64_t file_bytes_max; /* a file that is larger is followed by a new one; 0: WARC_FILE_BYTES_DEFAULT */
};

/* What opening found at the end of the newest file. */
struct warc_repair {
    char file[WARC_NAME_MAX]; /* "" when there was no file to go on with */
    int64_t cut_bytes;        /* of an unfinished record, cut off */
};

struct warc_writer;

/* Opens the archive for appending: goes on with this host's newest file when it is of the same month and below the size, after
 * cutting it back to its last whole record; makes no file before the first record. The caller holds the run lock. GT_EACCES,
 * GT_ENOSPC, GT_EIO with a message. */
enum gt_err warc_writer_open(const struct warc_settings *settings, struct warc_writer **ret_writer,
                             struct warc_repair *ret_repair, struct gt_errinfo *info);

/* Appends a record; it is on disk after the next warc_writer_sync. On failure the file is as before. GT_ENOSPC, GT_EIO,
 * GT_ELIMIT, GT_EINTERNAL. */
enum gt_err warc_write(struct warc_writer *writer, const struct warc_record *record, struct warc_place *ret_place,
                       struct gt_errinfo *info);

/* Where the next record would go, as far as can be told: the newest file and its length; "" and 0 before the first one. */
void warc_writer_at(const struct warc_writer *writer, char ret_file[WARC_NAME_MAX], int64_t *ret_offset);

/* Makes everything written durable. A failure is final: the writer takes nothing more, for a kernel that lost a write once does
 * not say so again. */
enum gt_err warc_writer_sync(struct warc_writer *writer, struct gt_errinfo *info);

/* Closes; what was not synced may be lost. NULL is accepted. */
void warc_writer_close(struct warc_writer *writer);

/* A fresh "urn:uuid:…" (RFC 4122, version 4) by the kernel's generator. */
enum gt_err warc_id_make(char ret_id[WARC_ID_MAX]);

/* Finds the end of the last whole record of a file of this writer's making: *ret_end is its length or less. Bytes synced long
 * ago are walked by their lengths, the last ones unpacked. GT_OK; GT_EIO, GT_ENOENT, GT_ENOMEM. */
enum gt_err warc_end_find(const char *path, int64_t *ret_end, struct gt_errinfo *info);

#endif
