/* The crawl loop: due sites, robots, fetch plan, archive, parse. Does not know the store: it is handed an interface that
 * remembers. */
#ifndef GT_CRAWLER_CRAWL_H
#define GT_CRAWLER_CRAWL_H

#include <stdbool.h>

#include "common/clock.h"
#include "common/conf.h"
#include "common/log.h"
#include "crawler/shard.h"
#include "crawler/warc.h"
#include "pricing/listing.h"
#include "pricing/words.h"

/* CRAWL_SITES_MAX: sites that one crawler has, whatever the others of its shards have beside. */
enum { CRAWL_SITES_MAX = 4096, CRAWL_PARTS_MAX = 256 };

/* What the crawler asks of and leaves with whoever remembers (the store, or a test). Every call returns GT_OK, GT_ENOENT for
 * "nothing known", or an error that ends the crawl. Values are opaque bytes of the crawler's own making; `get` copies into the
 * arena. What `put` leaves (to be copied; it is not asked for in the same crawl) is kept when the site that is handed over next is
 * committed, or the crawl is over, at the latest. */
struct crawl_memory {
    void *ctx;
    enum gt_err (*get)(void *ctx, const char *table, struct gt_str key, struct arena *arena, struct gt_str *ret_value);
    enum gt_err (*put)(void *ctx, const char *table, struct gt_str key, struct gt_str value);
};

/* One listing as this crawl saw it. */
struct crawled_part {
    struct gt_str name;
    enum part_status status;
    int32_t http_code;
    int64_t body_bytes;
    uint8_t body_sha256[32];
    struct gt_str warc_file;
    int64_t warc_offset;
    struct gt_str record_id;
    struct gt_str url;
    struct gt_str reason;
    bool is_full_fetch;
    struct reading reading;
    int32_t rows_found, rows_refused;
    /* validators to be kept with the commit of this run and never before it: key and value for the memory's "validators", empty
     * when none */
    struct gt_str validator_key, validator_value;
};

/* A place in the archive between two records. */
struct archive_mark {
    char file[WARC_NAME_MAX]; /* "" before the first one */
    int64_t offset;
};

/* One site's run, complete: handed over once its records are on disk. Lives until the call returns. */
struct crawled_site {
    const struct conf_section *section;
    const struct site_facts *facts;
    int64_t start_unix_s;
    int64_t latency_ms;
    struct gt_str rule_version;
    bool is_sample;
    const struct crawled_part *parts;
    size_t part_count;
    /* the records of the run that can be asked for by id, and the archive's ends when the crawl began and now that they are on disk */
    const struct warc_place *places;
    size_t place_count;
    struct archive_mark crawl_begin, archive_end;
    /* for the memory's "pages", to be kept with the commit of this run and never before it: that the site was tried, and where its section
     * is archived (an empty key: as before) */
    struct gt_str attempt_key, attempt_value, section_key, section_value;
};

/* Takes one finished site; commits it. An error ends the crawl. `ret_note` (in the arena) goes on the site's summary line: "12
 * offers, 1 changed". */
typedef enum gt_err crawl_site_fn(void *ctx, const struct crawled_site *site, struct arena *arena, struct gt_str *ret_note,
                                  struct gt_errinfo *info);

/* "HOST:PORT:ADDRESS:PORT", as curl's --connect-to. */
struct crawl_options {
    const char *data_folder; /* holds archive/ */
    const struct gt_clock *clock;
    const struct log *log;
    struct conf *conf;
    const char *const *sites;      /* names to crawl, NULL-closed; NULL: all that are enabled and due */
    struct shard shard;            /* of these, those whose first address has a host of this shard */
    const char *const *connect_to; /* NULL-closed; NULL: none */
    const char *ca_file;           /* trusted beside the system's; NULL: none */
    int64_t delay_ms;              /* overrides every site's delay; only with connect_to; -1: none */
    bool is_forced;                /* also what is not due, without validators */
    bool is_dry_run;               /* says what would be fetched and why not the rest */
    bool shows_progress;           /* stderr is a terminal */
    FILE *summary;                 /* one line a site */
    const volatile int *stop;      /* set by a signal handler: finish what is committed, start nothing */
    int64_t deadline_ms;           /* for the whole run; 0: half an hour */
};

struct crawl_result {
    int32_t sites_ok, sites_failed, sites_skipped;
    struct archive_mark archive_end; /* after the crawl's own outcome; "" when nothing was archived */
};

/* Runs one crawl. The caller holds the run lock. GT_OK also when sites failed (the result counts them); GT_EINTERRUPTED after a
 * stop; else what ended it. */
enum gt_err crawl_run(const struct crawl_options *options, const struct crawl_memory *memory, crawl_site_fn *fn, void *fn_ctx,
                      struct crawl_result *ret_result, struct gt_errinfo *info);

#endif
