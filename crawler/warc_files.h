/* The names of archive files: gputape-TIMESTAMP14-SERIAL-HOST.warc.gz. The serial grows even when the clock is set back. */
#ifndef GT_CRAWLER_WARC_FILES_H
#define GT_CRAWLER_WARC_FILES_H

#include "crawler/warc.h"

enum { WARC_HOST_MAX = 64 };

/* A file name taken apart. */
struct warc_name {
    char timestamp[15];
    uint32_t serial;
    char host[WARC_HOST_MAX];
};

/* Takes a name apart. False when it is not one of ours. */
bool warc_name_parse(const char *name, struct warc_name *ret_name);

/* Writes a name. */
void warc_name_print(const struct warc_name *name, char ret_text[WARC_NAME_MAX]);

/* Takes the name of a pack apart (gputape-YYYYMM-FIRST-LAST.pack): its month and the serials of its first and last file. Outputs may be NULL.
 * False when it is none. */
bool warc_pack_name_parse(const char *name, char ret_month[7], uint32_t *ret_first, uint32_t *ret_last);

/* The timestamp of a moment: 14 digits, UTC. */
void warc_timestamp(int64_t t_unix_s, char ret_timestamp[15]);

/* This machine's name, fit for a file name. */
void warc_host(char ret_host[WARC_HOST_MAX]);

/* The highest serial in the folder, packed files counted (0 when it has no file) and, where the host's own newest file has that of all its files, its
 * name ("" else). GT_OK (also for an absent folder), GT_EACCES, GT_EIO. */
enum gt_err warc_newest_find(const char *folder, const char *host, uint32_t *ret_serial, char ret_name[WARC_NAME_MAX],
                             struct gt_errinfo *info);

#endif
