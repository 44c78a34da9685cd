/* The store's whole history as records of the archive: what stays of the pages that retention drops. Its text (JSON Lines, as `gputape
 * export` writes them) lies in `resource` records one behind the other, cut anywhere; the action that drops the pages comes behind them and
 * says where they begin. A rebuild begins with the newest one and replays what came after it. */
#ifndef GT_CRAWLER_ARCHIVE_HISTORY_H
#define GT_CRAWLER_ARCHIVE_HISTORY_H

#include <stdio.h>

#include "crawler/archive_action.h"
#include "crawler/crawl.h"

#define ARCHIVE_HISTORY_URI "gputape:history"

/* Writes the text. */
typedef enum gt_err archive_history_fn(void *ctx, FILE *file, struct gt_errinfo *info);

/* Archives what `fn` writes, and behind it `action`, of kind ACTION_DROP, whose file (in `arena`), offset and records are set here. Durable
 * on return; a crash before leaves records that nothing speaks of. Errors as warc_write and warc_writer_sync; what `fn` returned. */
enum gt_err archive_history_put(const char *folder, const struct gt_clock *clock, archive_history_fn *fn, void *ctx, struct arena *arena,
                                struct archive_action *action, struct gt_errinfo *info);

/* The action that dropped pages last, by what the packs say; its file in `arena`, other texts are not given. *ret_mark: its place: what is
 * before it is in the history that it speaks of. GT_ENOENT, without a sentence, when no page was ever dropped. GT_ECORRUPT when that history
 * is not whole. */
enum gt_err archive_history_find(const char *folder, struct arena *arena, struct archive_action *ret_action, struct archive_mark *ret_mark,
                                 struct gt_errinfo *info);

/* The text that an action speaks of, to be read from its beginning, by rewind() as often as wanted; fclose ends it. A record that is missing or whose
 * digest does not hold fails the reading. GT_ENOENT, GT_EACCES, GT_EIO, GT_ENOMEM. */
enum gt_err archive_history_open(const char *folder, const struct archive_action *action, FILE **ret_file, struct gt_errinfo *info);

#endif
