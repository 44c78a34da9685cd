/* Rows on their way into ClickHouse, in blocks: what runs refer to goes before them, whatever the order in which it was added. */
#ifndef GT_CLICKHOUSE_ROWS_H
#define GT_CLICKHOUSE_ROWS_H

#include "clickhouse/clickhouse.h"
#include "common/strbuf.h"
#include "store/dump.h"

struct json_t;

/* In the order in which they are sent. */
enum clickhouse_table { TABLE_OFFERS, TABLE_CHANGES, TABLE_SPANS, TABLE_RUNS, CLICKHOUSE_TABLES };

struct clickhouse_rows {
    struct clickhouse *server;
    struct strbuf blocks[CLICKHOUSE_TABLES];
};

/* What the rows of one stream share. */
struct clickhouse_entity {
    uint64_t entity;
    uint32_t epoch;
    const struct stream *stream;
};

/* One run: what its row and those of its changes need beside the item. */
struct clickhouse_run {
    uint32_t n, changes;
    uint64_t bytes;
    const char *digest, *body;
};

/* One span: the places and times of its first and last run; `version` grows with the stream. */
struct clickhouse_span {
    const char *offer;
    uint32_t first_n, last_n;
    int64_t first_unix_s, last_unix_s;
    uint32_t version;
};

/* Empty blocks for a server, which is borrowed; _done forgets what was not sent. */
void clickhouse_rows_init(struct clickhouse_rows *rows, struct clickhouse *server);
void clickhouse_rows_done(struct clickhouse_rows *rows);

/* The row of a run. Like the three below: GT_OK; GT_ENOMEM; GT_ELIMIT when a block holds no more. */
enum gt_err clickhouse_run_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of, const struct dump_run *item,
                               const struct clickhouse_run *run);

/* Change `i`, from 0 on, of run `n`; `offer` is what its offer is called, NULL for the source. */
enum gt_err clickhouse_change_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of,
                                  const struct dump_change *item, uint32_t n, uint32_t i, const char *offer, const char *body);

/* The words of an offer. */
enum gt_err clickhouse_offer_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of,
                                 const struct clickhouse_offer *offer, const struct offer_identity *identity);

/* A span as it stands now. */
enum gt_err clickhouse_span_add(struct clickhouse_rows *rows, const struct clickhouse_entity *of, const struct dump_span *item,
                                const struct clickhouse_span *span);

/* Sends what there is of the tables before `until`: CLICKHOUSE_TABLES sends all. Errors of clickhouse_insert. */
enum gt_err clickhouse_rows_send(struct clickhouse_rows *rows, enum clickhouse_table until, struct gt_errinfo *info);

#endif
