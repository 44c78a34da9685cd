/* From runs (of a crawl, or out of the archive) to the store: what crawl, db rebuild and archive share. */
#ifndef GT_CLI_HISTORY_H
#define GT_CLI_HISTORY_H

#include "alerts/alerts.h"
#include "cli/command.h"
#include "crawler/replay.h"

/* What the store is given of a crawled site; in the arena. NULL when memory is out. */
struct run_input *history_run_of(const struct crawled_site *site, enum provenance provenance, struct gt_str writer,
                                 struct arena *arena);

/* Keeps, in the run's transaction, what belongs to it: validators, that the site was tried, its section, and the places of its records. */
enum gt_err history_keep(struct store *store, struct store_txn *txn, const struct crawled_site *site, struct gt_errinfo *info);

/* Writes how far the archive is committed. `begin`: where the crawl that is not closed yet began; equal to `end` when none is open. */
enum gt_err history_mark_put(struct store *store, struct store_txn *txn, const struct archive_mark *begin,
                             const struct archive_mark *end, struct gt_errinfo *info);

/* Hands over to the store what a crash left in the archive alone: runs whose records were on disk and whose commit was not. Under the run
 * lock, before a crawl. Alerts are evaluated for them when `alerts` is not NULL and the store had a history before. *ret_adopted: how many runs. */
enum gt_err history_adopt(struct cli *cli, struct store *store, struct alerts *alerts, size_t *ret_adopted);

/* Opens the store, adopts, and closes it: before a copy of it is added to. Under the run lock. */
enum gt_err history_settle(struct cli *cli);

/* Notes that the store has all that is in the archive: after an action that was archived and done. */
enum gt_err history_adopt_none(struct cli *cli, struct store *store);

/* Fills an empty store with the history that an action of kind ACTION_DROP speaks of, and dumps it again: what it says then is what was archived, to
 * the byte. *ret_runs: run rows. GT_EFORMAT when it is not. */
enum gt_err history_prove(struct cli *cli, struct store *made, const struct archive_action *action, size_t *ret_runs);

/* Fills an empty store from the archive. *ret_history_runs: run rows that an archived history gave, where pages were dropped; 0 else. */
enum gt_err history_fill(struct cli *cli, struct store *store, struct replay_counts *ret_counts, size_t *ret_history_runs);

/* The archive's folder, in the cli's arena. */
const char *history_archive_folder(struct cli *cli);

/* Puts an action of the operator into the archive before it is done. */
enum gt_err history_action_put(struct cli *cli, const struct archive_action *action);

/* Does an archived action again. One that no longer applies is told on the log and passed over. */
enum gt_err history_action_do(struct cli *cli, struct store *store, const struct archive_action *action, struct gt_errinfo *info);

#endif
