/* The table of sources, shared by `health` and the weekly report. */
#ifndef GT_REPORTS_SOURCE_TABLE_H
#define GT_REPORTS_SOURCE_TABLE_H

#include "reports/source_list.h"

/* Writes the sources as of `at_unix_s`: for people or for programs, as the sink wants. is_long: with what concerns the crawler (streak,
 * latency, bytes, rows, next run), which a stored report leaves out, for it changes with the hour. GT_OK; GT_ENOMEM. */
enum gt_err source_table_write(struct sink_writer *writer, const struct source_list *list, bool is_long, int64_t at_unix_s,
                               enum gt_lang lang, struct arena *arena);

#endif
