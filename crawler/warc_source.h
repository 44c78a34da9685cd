/* The bytes behind a WARC reader: a file, unpacked member by member. Shared by the reader's files. */
#ifndef GT_CRAWLER_WARC_SOURCE_H
#define GT_CRAWLER_WARC_SOURCE_H

#include <zlib.h>

#include "crawler/warc_reader.h"

enum { SOURCE_IN_BYTES = 64 * 1024 };

/* A window on the plain bytes of the present member (of a file that is not packed: of the whole file). */
struct warc_source {
    int fd;
    bool is_gzip;
    bool is_member_open; /* more of the member may come */
    bool is_file_end;
    enum gt_err damage; /* of the present member; GT_OK: none so far */
    int64_t member_offset;
    int64_t in_offset; /* file offset of in[in_pos] */
    size_t in_pos, in_len;
    z_stream stream;
    char *plain; /* malloc'ed; [pos, len) are to be read */
    size_t pos, len, cap;
    char in[SOURCE_IN_BYTES];
};

/* Opens the file at an offset and looks at what it is; errors as warc_reader_open. */
enum gt_err source_open(const char *path, int64_t offset, struct warc_source *ret_source, struct gt_errinfo *info);
void source_close(struct warc_source *source);

/* Makes `want` bytes of the window available, or all that the member has left; returns how many there are. Sets source->damage. */
size_t source_fill(struct warc_source *source, size_t want);

/* Goes to the next member. GT_OK; GT_ENOENT at the end of the file; GT_ECORRUPT when there was something else before it, or
 * nothing but that. */
enum gt_err source_next_member(struct warc_source *source);

/* Gives the present member up and looks for the next one behind its first byte. */
void source_resync(struct warc_source *source);

#endif
