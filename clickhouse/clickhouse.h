/* A ClickHouse server over HTTP: blocks of rows in, rows out. Needs no more of it than version 18.16 has. */
#ifndef GT_CLICKHOUSE_CLICKHOUSE_H
#define GT_CLICKHOUSE_CLICKHOUSE_H

#include "common/err.h"
#include "common/str.h"
#include "store/store.h"

struct json_t;

/* What `--store` and `import --history` take beside a file's name: "clickhouse:http://…". */
#define CLICKHOUSE_SCHEME "clickhouse:"

enum {
    CLICKHOUSE_ATTEMPTS = 3,                   /* of one block or query */
    CLICKHOUSE_BLOCK_BYTES = 32 * 1024 * 1024, /* of one insert; half of what the client sends at most */
    CLICKHOUSE_DIGEST_MAX = 33,                /* 16 bytes in hexadecimal, closed */
};

struct clickhouse;

/* Makes ready to speak to `url`: http or https, settings of the server (database, insert_quorum) behind "?". User and password are those of
 * $GPUTAPE_CLICKHOUSE_USER and $GPUTAPE_CLICKHOUSE_PASSWORD; a URL that holds them is refused, and no message repeats it. Loopback and
 * private addresses may be meant. Nothing is sent yet. GT_EUSAGE; GT_ENOMEM. */
enum gt_err clickhouse_open(const char *url, struct clickhouse **ret_server, struct gt_errinfo *info);
void clickhouse_close(struct clickhouse *server);

/* Inserts rows, a JSON object a line, and waits until every shard has them. What fails for a reason that may pass is sent again, whole: a
 * block may arrive more than once, so its rows must have keys. GT_ENET, GT_ETIMEOUT; GT_EREFUSED with what the server said. */
enum gt_err clickhouse_insert(struct clickhouse *server, const char *table, struct gt_str rows, struct gt_errinfo *info);

/* One row of an answer, borrowed. Other than GT_OK ends the reading. */
typedef enum gt_err clickhouse_row_fn(void *ctx, const struct json_t *row);

/* Asks, and hands over the answer's rows once all have come. Errors as clickhouse_insert; GT_ELIMIT for an answer larger than the client
 * takes; what `fn` returned. */
enum gt_err clickhouse_select(struct clickhouse *server, const char *query, clickhouse_row_fn *fn, void *ctx,
                              struct gt_errinfo *info);

/* A column of a row: numbers, which the server may print as strings; text, "" where there is none. */
uint64_t clickhouse_number(const struct json_t *row, const char *column);
const char *clickhouse_text(const struct json_t *row, const char *column);

/* The first 16 bytes of a SHA-256 in hexadecimal: what offers and runs are called by. GT_EINTERNAL. */
enum gt_err clickhouse_digest(struct gt_str text, char ret_digest[CLICKHOUSE_DIGEST_MAX]);

/* An offer's words, and what it is called by for them. */
struct clickhouse_offer {
    char digest[CLICKHOUSE_DIGEST_MAX];
    const char *body;
};

/* Fills an empty store with the history that crawlers have pushed: as if one had crawled everything. GT_ENOENT when there
 * is none; GT_EINCOMPLETE when rows are missing
 * that a run counts (a replica lags behind); GT_EFORMAT, GT_ECORRUPT when they do not fit each other; errors of clickhouse_select and
 * store_fill. */
enum gt_err clickhouse_pull(struct clickhouse *server, struct store *store, struct gt_errinfo *info);

/* Opens the history that lies at `url`, filled into a store that is gone when it is closed and checked as store_check does.
 * Errors of clickhouse_open and clickhouse_pull, of making a store below $TMPDIR. */
enum gt_err clickhouse_store_open(const char *url, struct store **ret_store, struct gt_errinfo *info);

/* What a push did. */
struct clickhouse_pushed {
    size_t runs, changes, streams_rewritten, streams_refused;
};

/* Sends what the server does not have of a store. A stream whose runs there are not all in the store has a second crawler: it is left as it
 * is, counted, and told in `info`. GT_OK then, too; errors of store_dump and clickhouse_insert. */
enum gt_err clickhouse_push(struct clickhouse *server, struct store *store, struct clickhouse_pushed *ret_pushed,
                            struct gt_errinfo *info);

#endif
