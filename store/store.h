/* The price history: streams, runs, offers, spans, changes. The only folder that knows LMDB. store/FORMAT.md draws every key
 * and value. */
#ifndef GT_STORE_STORE_H
#define GT_STORE_STORE_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/err.h"
#include "pricing/guard.h"
#include "pricing/net_price.h"
#include "pricing/offer.h"

enum { STORE_PARTS_MAX = 256, STORE_URL_MAX = 4096, STORE_FORMAT_VERSION = 3, STORE_FORMAT_OLDEST = 2 /* that `db migrate` reads */ };

struct store;
struct store_txn;

/* ---- opening ---- */

enum store_mode { STORE_READ, STORE_WRITE };

/* Opens (STORE_WRITE: makes) the store in `folder`. One store per process and folder. GT_ENOENT when there is none to read;
 * GT_EACCES; GT_ENOSPC; GT_ENEWER (a newer format: may be read only when its features say so); GT_EFORMAT (an older one, which only
 * `db rebuild` brings up to date); GT_ECORRUPT; GT_EREFUSED (network file system). */
enum gt_err store_open(const char *folder, enum store_mode mode, struct store **ret_store, struct gt_errinfo *info);
void store_close(struct store *store);

/* Which state of which file a store is in: differs after every commit of any process, and when another file has taken the store's place. */
struct store_version {
    uint64_t device, inode, commit;
};

/* Reads it without opening the store: a few system calls, from any thread. GT_ENOENT, GT_EACCES, GT_ECORRUPT. */
enum gt_err store_version_read(const char *folder, struct store_version *ret_version, struct gt_errinfo *info);

/* ---- writing one run ---- */

/* One listing that is complete in itself, as one run saw it. Borrowed. */
struct run_part {
    struct gt_str name;
    enum part_status status;
    int32_t http_code; /* 0 when there was no answer */
    int64_t body_bytes;
    uint8_t body_sha256[32]; /* zero when there was no body */
    struct gt_str warc_file; /* relative to the archive folder; empty when none */
    int64_t warc_offset;
    struct gt_str record_id; /* "urn:uuid:…" of the response or revisit */
    struct gt_str url;
    struct gt_str reason;       /* why not ok: one sentence; empty when ok */
    bool is_full_fetch;         /* a body came and differs from the last one: only such runs release doubts */
    const struct offer *offers; /* for ok (and drifted: doubted) parts */
    size_t offer_count;
    int32_t rows_found, rows_refused;
};

/* One attempt at one site. Borrowed. */
struct run_input {
    struct gt_str site;
    struct gt_str title;
    enum site_kind kind;
    enum market market;
    struct net_rules net_rules;
    enum provenance provenance;
    struct gt_str writer; /* the crawler installation */
    int64_t start_unix_s;
    int64_t latency_ms;
    struct gt_str rule_version; /* of the site's section and the program */
    bool is_sample;             /* the data came through --connect-to: SAMPLE / 示例数据 */
    const struct run_part *parts;
    size_t part_count;
};

/* What happened to one offer, or to a source. */
struct change {
    int64_t t_unix_s;
    uint64_t seq; /* run sequence number in its stream */
    enum change_kind kind;
    struct gt_str site;
    uint64_t offer_id;    /* 0: the source itself */
    struct gt_str detail; /* one sentence, e.g. the guard's */
    /* before and after, NULL where there is none; point into the reader's arena */
    const struct offer_identity *identity;
    const struct offer_attributes *attributes;
    const struct offer_record *before;
    const struct offer_record *after;
    bool is_doubted;
};

struct run_summary {
    uint64_t seq;
    size_t offers_seen, offers_doubted, spans_opened, changes;
    const struct change *change_list; /* `changes` of them, in the arena given */
    const bool *part_good;            /* one a part of the run: whether its offers were seen and believed; NULL when not known */
};

/* Called inside the transaction that holds the run, after its changes are known and before they are durable: alerts put their
 * state and events here, through `txn`. Returning other than GT_OK aborts the run. When the map has to grow, the transaction
 * is run again from its beginning and the hook with it: what it does must follow from the store and its arguments alone. */
typedef enum gt_err store_hook(void *ctx, struct store_txn *txn, const struct run_input *run, const struct run_summary *summary,
                               struct gt_errinfo *info);

/* Commits one run, durable on return. An unchanged run writes run rows only. Idempotent: a run of the same streams with the
 * same start time, digests and record ids is not written twice (seq of the first is returned, with no changes; the hook is not
 * called). Sequence numbers are the store's own and never go back. What is told (changes) and stands (board) is judged here:
 * store/README.md has the rules. GT_EUSAGE (two parts of one name), GT_ELIMIT; GT_ENOSPC, GT_EIO, GT_ECORRUPT. On every
 * failure nothing was written. */
enum gt_err store_run_commit(struct store *store, const struct run_input *run, store_hook *hook, void *hook_ctx,
                             struct arena *arena, struct run_summary *ret_summary, struct gt_errinfo *info);

/* All runs of one invocation. */
struct crawl_input {
    int64_t start_unix_s, end_unix_s;
    int32_t sites_ok, sites_failed, sites_skipped;
};

/* Closes a crawl: writes its row and lets `hook` decide what needs several sites; `run` is NULL for it and the summary empty. */
enum gt_err store_crawl_commit(struct store *store, const struct crawl_input *crawl, store_hook *hook, void *hook_ctx,
                               struct gt_errinfo *info);

typedef enum gt_err crawl_fn(void *ctx, const struct crawl_input *crawl);

/* Every crawl that was closed, in order. GT_ECORRUPT, GT_ENOMEM; what `fn` returns. */
enum gt_err store_crawls(struct store *store, struct arena *arena, crawl_fn *fn, void *ctx, struct gt_errinfo *info);

/* ---- reading ---- */

/* The state of one offer at a moment. Rows and texts live in the arena of the call. */
struct board_row {
    uint64_t offer_id;
    struct gt_str site, site_title;
    enum site_kind kind;
    enum provenance provenance;
    struct offer offer; /* identity, attributes, record; stock, confidence as last seen */
    struct net_rules net_rules;
    int64_t since_unix_s;     /* the run that opened its span */
    int64_t seen_unix_s;      /* the last good run that showed it */
    int64_t site_good_unix_s; /* the last good run of its part: later than seen when delisted */
    bool is_doubted;
    bool is_listed; /* false: delisted (kept for reports that say so) */
    bool is_sample;
    struct gt_str doubt; /* the guard's sentence */
    struct gt_str url, warc_file;
    int64_t warc_offset;
};

/* Return anything but GT_OK to stop; store_… returns it. */
typedef enum gt_err board_fn(void *ctx, const struct board_row *row);

/* Every offer as it was known at `at_unix_s` (by run time; INT64_MAX: now), in order of site, label, plan, region, variant, key.
 * When a doubted span is open beside a good one, both are given, the good one first. */
enum gt_err store_board(struct store *store, int64_t at_unix_s, struct arena *arena, board_fn *fn, void *ctx,
                        struct gt_errinfo *info);

/* The same rows as one array, in the arena; and on the way, from one reading of the runs, the board of a moment that is not later: `fn`
 * (NULL: nobody wants it) gets its rows. They are gone when it returns, but for their texts, which lie in `arena`; it must not write to
 * the store. */
typedef enum gt_err board_rows_fn(void *ctx, struct board_row *rows, size_t count);
enum gt_err store_board_rows(struct store *store, int64_t before_unix_s, board_rows_fn *fn, void *ctx, int64_t at_unix_s,
                             struct arena *arena, struct board_row **ret_rows, size_t *ret_count, struct gt_errinfo *info);

/* One span of one offer. */
struct history_row {
    const struct board_row *offer; /* identity and attributes; record is this span's. Until `fn` returns; its texts live in the arena */
    int64_t first_unix_s, last_unix_s;
    uint64_t first_seq, last_seq;
    uint32_t observations; /* good runs that showed it in this span */
    bool is_doubted, is_open, is_voided;
};
typedef enum gt_err history_fn(void *ctx, const struct history_row *row);

/* All spans that touch [since, until), offers in store_board's order, each offer's spans by stream, then sequence. All streams
 * are given. */
enum gt_err store_history(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, history_fn *fn,
                          void *ctx, struct gt_errinfo *info);

/* As store_history, of the offers named alone: `offer_count` ids in `offers`, ascending; NULL: of all. */
enum gt_err store_history_of(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s,
                             int64_t until_unix_s, struct arena *arena, history_fn *fn, void *ctx, struct gt_errinfo *info);

typedef enum gt_err change_fn(void *ctx, const struct change *change);

/* All changes in [since, until) by time, then site, seq, offer, kind. */
enum gt_err store_changes(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, change_fn *fn,
                          void *ctx, struct gt_errinfo *info);

/* One part of one run, for health. */
struct run_row {
    struct gt_str site, site_title, part, reason, url;
    uint64_t seq;
    int64_t start_unix_s, latency_ms, body_bytes;
    enum part_status status;
    int32_t http_code, rows_found, rows_refused, offers_seen;
    /* what a replay of the run needs beside it; of the part as it is now, but for is_good */
    enum provenance provenance;
    enum site_kind kind;
    enum market market;
    struct net_rules net_rules;
    bool is_sample;
    bool is_good; /* its offers were seen and believed */
};
typedef enum gt_err run_fn(void *ctx, const struct run_row *row);

/* All run parts that started in [since, until), by site, then seq, then part. Leads (provenance manual) are no runs at a site. A site's
 * rows are in memory at a time, so `fn` is called while the store is read: it must not write to it, and after a failure has seen some. */
enum gt_err store_runs(struct store *store, int64_t since_unix_s, int64_t until_unix_s, struct arena *arena, run_fn *fn,
                       void *ctx, struct gt_errinfo *info);

/* What everything that comes from such a store says of itself: the same in both languages, so that nobody overlooks it. */
#define STORE_SAMPLE_NOTICE "SAMPLE / 示例数据"

/* True when any run in the store is sample data. */
enum gt_err store_is_sample(struct store *store, bool *ret_is_sample, struct gt_errinfo *info);

/* ---- the crawler's memory: small keyed values (validators, hosts, robots) and the alert engine's state ---- */

enum store_table {
    STORE_VALIDATORS,
    STORE_HOSTS,
    STORE_ROBOTS,
    STORE_PAGES,
    STORE_ALERT_STATE,
    STORE_OUTBOX,
    STORE_REPORTS,
    STORE_META
};

/* Reads a value into the arena. GT_ENOENT when there is none; GT_ECORRUPT when its checksum fails. Keys may be any bytes up to
 * STORE_URL_MAX (long ones are hashed, the full key stands in the value). `txn` NULL reads in a transaction of its own. */
enum gt_err store_get(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct arena *arena,
                      struct gt_str *ret_value, struct gt_errinfo *info);

/* Writes (an empty value with NULL ptr deletes). `txn` NULL writes in a durable transaction of its own. */
enum gt_err store_put(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str key, struct gt_str value,
                      struct gt_errinfo *info);

typedef enum gt_err store_each_fn(void *ctx, struct gt_str key, struct gt_str value);

/* All pairs whose key begins with `prefix`, in key order. */
enum gt_err store_each(struct store *store, struct store_txn *txn, enum store_table table, struct gt_str prefix,
                       struct arena *arena, store_each_fn *fn, void *ctx, struct gt_errinfo *info);

/* ---- care ---- */

/* Counts over the whole store; runs are those of sites, each once whatever its parts. */
struct store_stat {
    uint64_t format_version, streams, runs, offers, records, spans, changes;
    uint64_t file_bytes, map_bytes, used_bytes;
    int64_t first_run_unix_s, last_run_unix_s; /* earliest first and latest last run of any part; 0 without runs */
};

/* Counts and sizes. GT_ECORRUPT, GT_EIO, GT_ENOMEM. */
enum gt_err store_stat(struct store *store, struct store_stat *ret_stat, struct gt_errinfo *info);

/* Verifies every value's checksum and every invariant of FORMAT.md, in a child process, so that a damaged file cannot take the
 * caller down. One sentence per finding goes to `fn`. GT_OK with *ret_findings 0 when clean; GT_ECORRUPT when not. */
typedef void store_finding_fn(void *ctx, struct gt_str sentence);
enum gt_err store_check(const char *folder, store_finding_fn *fn, void *ctx, size_t *ret_findings, struct gt_errinfo *info);

/* New stores and copies. Each is made beside its place, in "PLACE.gputape-part", checked there as store_check does, and put into the
 * place by one rename: on every failure what was there stays. What stood in a store's place is kept as "FOLDER.old" until the next
 * time. Hold the run lock but for a backup. GT_ELOCKED while another is being made for the same place; GT_ECORRUPT when it is not clean;
 * GT_ENOSPC, GT_EACCES, GT_EIO.
 *
 *  store_backup   the last committed state into one file; writers may go on meanwhile.
 *  store_compact  the store without the pages that hold nothing; nothing is kept of the old file. `packs`: written anew, with all
 *                 runs but the newest of each stream packed; who reads it sees no difference.
 *  store_restore  a backup's file becomes the store in `folder`, in this program's format. GT_EEXIST when there is one, unless
 *                 `replaces`. */
enum gt_err store_backup(struct store *store, const char *path, struct gt_errinfo *info);
enum gt_err store_compact(const char *folder, bool packs, struct gt_errinfo *info);
enum gt_err store_restore(const char *folder, const char *path, bool replaces, struct gt_errinfo *info);

/* Brings the store in `folder` to this program's format, as a copy that takes its place once it is verified; the older one is kept as
 * FOLDER.old. *ret_from is the format that it had: STORE_FORMAT_VERSION when there was nothing to do. GT_ENEWER for a newer one,
 * GT_EFORMAT for one that is not read any more; else as the others. */
enum gt_err store_migrate(const char *folder, int *ret_from, struct gt_errinfo *info);

/* A store in the making that is to take the place of the one in `folder`: empty, or (is_copy) with all that it holds. *ret_store is
 * open for writing; close it before the draft ends, by store_draft_commit or store_draft_abort (which takes NULL). */
struct store_draft;
enum gt_err store_draft_begin(const char *folder, bool is_copy, struct store_draft **ret_draft, struct store **ret_store,
                              struct gt_errinfo *info);
enum gt_err store_draft_commit(struct store_draft *draft, struct gt_errinfo *info);
void store_draft_abort(struct store_draft *draft);

/* Where it lies, to be opened again between its closing and its end. */
const char *store_draft_folder(const struct store_draft *draft);

/* Operator actions; `reason` is kept in the change. Each has a sequence number and time of its own, so that a board of an
 * earlier moment shows what was known before it.
 *
 *  store_release  makes an offer's open doubt a good span, from its first run. Where the whole part was doubted, its row count
 *                 is accepted, too.
 *  store_void     the span that began in run `first_seq` does not count any more. Where it stood, the last one that counts
 *                 stands, with its own age, until the next run is judged against it.
 *
 * GT_ENOENT when the offer has no open doubt, or no such span. */
enum gt_err store_release(struct store *store, uint64_t offer_id, int64_t now_unix_s, struct gt_str reason,
                          struct gt_errinfo *info);
enum gt_err store_void(struct store *store, uint64_t offer_id, uint64_t first_seq, int64_t now_unix_s, struct gt_str reason,
                       struct gt_errinfo *info);

#endif
