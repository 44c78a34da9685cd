/* The rows of the store at one moment, read once for all pages of that moment. */
#ifndef GT_WEB_SNAPSHOT_H
#define GT_WEB_SNAPSHOT_H

#include "reports/board.h"

/* Zero-initialise; owned by the worker. */
struct web_snapshot {
    struct arena *arena; /* of what follows; NULL: nothing is read */
    struct board_rows rows;
    struct report_site *sites; /* with the intervals at which they are really fetched; as many as the input's */
    int64_t now_unix_s;
};

/* Reads rows and intervals as of input->now_unix_s, unless they are there. GT_OK; GT_ENOMEM, GT_ELIMIT; what the store says, with nothing kept. */
enum gt_err web_snapshot_read(struct web_snapshot *snapshot, const struct report_input *input, struct gt_errinfo *info);

/* Forgets them: the store has changed. */
void web_snapshot_drop(struct web_snapshot *snapshot);

#endif
