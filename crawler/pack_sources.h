/* The records of source files, in the order in which they are packed. Shared by the files pack_*.c. */
#ifndef GT_CRAWLER_PACK_SOURCES_H
#define GT_CRAWLER_PACK_SOURCES_H

#include "crawler/pack.h"

enum { PACK_RECORDS_MAX = 64 * 1024 * 1024 };

/* One record of a source file. */
struct pack_source {
    uint32_t file, member_len;
    int64_t offset;
    uint32_t group;          /* its address; 0: one of those that share frames */
    bool is_response;        /* begins a version */
    uint32_t frame, at, len; /* set when it is written */
};

/* The files, open. */
struct pack_sources {
    struct arena *arena; /* the caller's */
    const char *const *names;
    size_t file_count;
    int *fds;
    struct pack_file *files;
    struct pack_source *records; /* malloc'ed; in order of file and offset after sources_scan */
    size_t count, cap;
};

/* Opens the files and finds all their records, with digests of the files. GT_ECORRUPT for one that has anything but whole members of our
 * making; GT_ENOENT, GT_EIO, GT_ENOMEM, GT_ELIMIT. In every case sources_done ends it. */
enum gt_err sources_scan(const char *folder, const char *const *names, size_t file_count, struct arena *arena,
                         struct pack_sources *sources, struct gt_errinfo *info);
void sources_done(struct pack_sources *sources);

/* Reads a record's member over what `out` holds. */
enum gt_err sources_member(const struct pack_sources *sources, const struct pack_source *record, struct strbuf *out,
                           struct gt_errinfo *info);

/* A further record in the list, zeroed. NULL when there are too many, or memory is out. */
struct pack_source *sources_record_add(struct pack_sources *sources);

/* By address (those that share frames first), each address in order of time, which is that of files and offsets; or by file and offset. */
void sources_sort_by_group(struct pack_sources *sources);
void sources_sort_by_place(struct pack_sources *sources);

#endif
