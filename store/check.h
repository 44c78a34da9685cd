/* What the files of `db check` share. Everything here runs in a child process. */
#ifndef GT_STORE_CHECK_H
#define GT_STORE_CHECK_H

#include "store/view.h"

struct check {
    struct db *db;
    int fd; /* findings go here, one a line */
    size_t findings;
    struct db_txn *txn; /* of the step that runs */
    struct arena *arena;
    struct reader reader;
    uint64_t seq_last; /* the last number given out */
    uint64_t gone, run_blocks; /* counted over all streams */
};

/* Tells a finding. */
void check_find(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The interned tables: each entry decodes, each is found by its digest, no digest leads nowhere. */
void check_interned(struct check *check);

/* Each stream: its log replays, and gives its latest block and delisted offers. */
void check_streams(struct check *check);

/* What belongs to runs: pages, stock; and the rest: crawls, keyed values. */
void check_rest(struct check *check);

#endif
