/* The archived page behind an offer, as text, for the server. */
#ifndef GT_CLI_SERVE_PAGE_H
#define GT_CLI_SERVE_PAGE_H

#include "store/store.h"

/* Reads the record at a place of the archive in `folder` (following a record that refers to an earlier one), checks its digest, undoes its
 * codings and decodes it to UTF-8, at most `bytes_max` of it. In the arena. GT_ENOENT; GT_ECORRUPT; what the archive says. */
enum gt_err serve_page_read(const char *folder, struct store *store, struct gt_str warc_file, int64_t offset, size_t bytes_max,
                            struct arena *arena, struct gt_str *ret_text, struct gt_errinfo *info);

#endif
