/* The state of one crawl, shared by the files crawl*.c. A site has parts, a part has pages (the first, and those that `follow`
 * leads to), a page has one request at a time, waiting in its host's queue. Everything of a site lives in the site's arena
 * until it is handed over. */
#ifndef GT_CRAWLER_CRAWL_INTERNAL_H
#define GT_CRAWLER_CRAWL_INTERNAL_H

#include "crawler/crawl.h"
#include "crawler/due.h"
#include "crawler/jail.h"
#include "crawler/robots.h"
#include "crawler/site_plan.h"
#include "crawler/validators.h"
#include "crawler/warc.h"

enum {
    CRAWL_REQUESTS_PER_URL = 3,
    CRAWL_SITES_OPEN_MAX = 256, /* begun ahead of the first that is not handed over: what a slow one keeps in memory behind it */
    CRAWL_REQUESTS_MAX = 100000, /* of one run */
    CRAWL_DEADLINE_DEFAULT_MS = 30 * 60 * 1000,
    CRAWL_DELAY_CAP_S = 300,           /* a longer Crawl-delay: the host is left out */
    CRAWL_ADAPTIVE_FACTOR = 5,         /* a slow host gets a pause of so many times what it took … */
    CRAWL_ADAPTIVE_MAX_MS = 30 * 1000, /* … up to this */
    CRAWL_BACKOFF_MS = 1000,
    CRAWL_BACKOFF_SAMPLE_MS = 20,    /* when options.delay_ms overrides: a loopback server is not hurt */
    CRAWL_RETRY_AFTER_IN_RUN_S = 30, /* a longer wait is left to the next run */
    CRAWL_SITE_ARENA_MAX = EXTRACT_ARENA_MAX,
    CRAWL_ARENA_MAX = 1024 * 1024 * 1024,
    CRAWL_REASON_MAX = 300,              /* bytes of a reason */
    ROBOTS_FRESH_S = 24 * 3600,          /* RFC 9309, 2.4 */
    ROBOTS_LAST_GOOD_S = 30 * 24 * 3600, /* how long an unreachable one is replaced by its last copy */
};

struct crawl;
struct site_job;
struct part_job;
struct render_desk;
struct unread;

enum robots_state { ROBOTS_UNKNOWN, ROBOTS_ASKED, ROBOTS_KNOWN, ROBOTS_UNREACHABLE };

/* robots.txt of one scheme, host and port. */
struct origin {
    struct origin *next;
    struct crawl *crawl;
    struct host *host;
    struct gt_str name; /* "https://host:443" */
    enum robots_state state;
    struct gt_str robots_txt; /* KNOWN: what applies; empty allows all */
    struct gt_str reason;     /* UNREACHABLE: why */
    struct gt_str last_good;  /* of the memory, for when it is unreachable; NULL ptr: none */
    int64_t last_good_unix_s;
    int attempts;
    bool is_side; /* only pages in the browser want something of it: nobody is told when it is out of reach */
};

/* One host: one request at a time, whatever site it is for. */
struct host {
    struct host *next;
    struct crawl *crawl;
    struct gt_str name;
    struct host_memory memory;
    bool is_memory_changed;
    bool is_busy;
    bool is_held; /* a page of it is in the browser: its requests go on, no other page begins */
    int64_t last_done_mono_ms; /* end of the last request; INT64_MIN / 2: long ago */
    int64_t last_elapsed_ms;
    int64_t gap_ms;                /* the longest pause that was asked of it in this run */
    int64_t not_before_mono_ms;    /* back-off within the run */
    struct page_job *first, *last; /* waiting */
    struct origin *origins;
};

/* One address to be fetched, with its retries and redirects. */
struct page_job {
    struct part_job *part;
    struct page_job *next; /* in the host's queue */
    struct url url;        /* as asked for */
    struct url hop;        /* of the present request */
    struct host *host;     /* of the present hop */
    bool is_followed, is_post;
    bool is_unconditional; /* a validator proved useless */
    bool is_conditional;   /* the present request has validators */
    int attempts;          /* requests for the present hop */
    int redirects;
    struct gt_str hops[HTTP_REDIRECTS_MAX]; /* addresses that led on, a NULL ptr for a POST's */
    int64_t not_before_mono_ms;
    int64_t begin_unix_s; /* of the present request */
    /* the outcome */
    bool is_done;
    bool is_same; /* 304, or the digest of the last good body under the same rules */
    struct page_verdict verdict;
    struct known_page seen;         /* what the next run needs to know */
    int32_t http_code;
    int64_t body_bytes;
    struct warc_place place; /* of the response or revisit; "" when no answer came */
    struct gt_str refusals;  /* what the page wanted in the browser and did not get: told when it is not as wanted */
};

struct part_job {
    struct site_job *site;
    const struct plan_part *plan;
    struct page_job *pages[VALIDATOR_PAGES_MAX];
    size_t page_count, pages_open;
    struct known_part *known; /* of the last good run; NULL: nothing, or not to be used */
    bool is_begun, is_done;
    bool is_restarted; /* some pages were the same and some not: all were asked for again */
    struct crawled_part result;
};

enum site_state { SITE_WAITING, SITE_ACTIVE, SITE_FINISHED, SITE_SKIPPED, SITE_ELSEWHERE, SITE_HANDED_OVER };

struct site_job {
    struct crawl *crawl;
    const struct conf_section *section;
    struct gt_str name;
    enum site_state state;
    struct arena *arena;
    struct site_plan plan;
    struct site_facts facts;
    struct site_rules *rules;
    struct attempt last_attempt;
    struct part_job *parts;
    size_t parts_open;
    struct gt_str skip_reason;  /* SKIPPED: why; empty when nobody asked */
    struct gt_str config_fault; /* the section cannot be used: told as a failure without a run */
    int64_t start_unix_s, start_mono_ms, latency_ms;
    bool is_sample;
    struct warc_place *places; /* of its records: answers, outcomes, section */
    size_t place_count, place_cap;
    struct archive_mark archive_end; /* behind its last record */
    struct gt_str section_key, section_value; /* to be remembered with the commit; empty: it is */
};

struct crawl {
    const struct crawl_options *options;
    const struct crawl_memory *memory;
    crawl_site_fn *fn;
    void *fn_ctx;
    struct http_client *client;
    struct jail *jail;             /* where pages are read */
    struct page_job *reading;      /* the page that is; NULL: none */
    struct unread *unread;         /* pages that wait for it */
    size_t unread_bytes;           /* of their answers */
    struct warc_writer *archive;
    struct render_desk *desk; /* NULL until the first page goes to the browser */
    struct archive_mark archive_begin; /* where it ended before this crawl */
    struct arena *arena;           /* hosts, robots */
    struct site_job *sites;        /* in name order */
    size_t site_count, sites_next; /* sites_next: the first not handed over */
    size_t sites_begun;            /* those before it have begun, or never will */
    size_t name_width;
    struct host *hosts;
    size_t requests;
    int64_t start_unix_s, deadline_mono_ms;
    struct crawl_result result;
    bool is_stopping; /* no new request begins */
    enum gt_err err;  /* what ends the crawl; sticky */
    struct gt_errinfo *info;
};

/* ---- crawl_site.c: which sites, and their state ---- */

/* Reads the sections into crawl->sites. */
enum gt_err crawl_sites_load(struct crawl *crawl, struct gt_errinfo *info);

/* Decides what is fetched now; reads plans and rules of those. */
enum gt_err crawl_sites_choose(struct crawl *crawl, struct gt_errinfo *info);

/* Frees what a site holds, as soon as nobody needs it. Twice is harmless. */
void crawl_site_free(struct site_job *site);

/* ---- crawl_host.c: politeness ---- */

/* The host's state, made (and its memory read) at first sight; NULL when memory is out or the crawl has ended with an error. */
struct host *crawl_host(struct crawl *crawl, struct gt_str name);

/* The moment at which the page's request may begin by the host's pauses. */
int64_t host_ready_mono_ms(struct host *host, const struct page_job *page, int64_t crawl_delay_ms);

/* Notes the end of a request. */
void host_note_done(struct host *host, const struct http_response *response);

/* Writes changed states to the memory, at the end of the crawl. */
enum gt_err crawl_hosts_save(struct crawl *crawl, struct gt_errinfo *info);

/* ---- crawl_robots.c ---- */

/* The origin's state, made (and the memory's copy read) at first sight; NULL when memory is out or the crawl has ended with an
 * error. */
struct origin *crawl_origin(struct crawl *crawl, struct host *host, const struct url *url);

/* Sends for robots.txt; the host is busy until it came. */
void origin_ask(struct origin *origin, const struct site_plan *plan);

/* ---- crawl_fetch.c: requests and answers ---- */

/* Puts a page in its host's queue. */
void page_enqueue(struct page_job *page);

/* Begins every request that may begin now. Returns when the next one may, INT64_MAX for none. */
int64_t crawl_start_ready(struct crawl *crawl);

/* Ends a page without an answer: refused, forbidden, out of time. */
void page_fail(struct page_job *page, enum part_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The last answer of a page: archived, then retried, followed or judged. Takes the response over. */
void page_answered(struct page_job *page, struct http_response *response);

/* Keeps what the next run needs to know of a page's last answer: fills page->seen but for its record. */
void page_remember(struct page_job *page, const struct http_response *response);

/* Has a page judged whose answer is archived already. Takes the response over. */
void page_finish(struct page_job *page, struct http_response *response);

/* ---- crawl_render.c: pages that go through a browser, one after the other ---- */

/* Gives the page to the browser, or puts it in line for it; its host is held until it comes back. */
void desk_add(struct page_job *page);

/* Moves the page in the browser on, without waiting. Returns when it wants to be called again at the latest, INT64_MAX when
 * nothing is in the browser. */
int64_t desk_step(struct crawl *crawl);

/* Ends the browser; what is in line is forgotten. Also before anything was begun, and twice. */
void desk_close(struct crawl *crawl);

/* ---- crawl_read.c: pages are read in the jail ---- */

/* Puts a page in line to be judged; it is settled when it was. Waits only when very much is in line. Takes the response over. */
void read_add(struct page_job *page, struct http_response *response);

/* Settles the page that was read, begins with the next; never waits. */
void read_step(struct crawl *crawl);

/* Ends the jail; what was not read is forgotten. Also before anything was begun, and twice. */
void read_stop(struct crawl *crawl);

/* ---- crawl_part.c: from pages to a part, from parts to a site ---- */

/* Begins a part's first page. */
void part_begin(struct part_job *part);

/* A page has come to its end: begins those it leads to, or finishes the part and perhaps the site. */
void page_settle(struct page_job *page);

/* Works out what a part's pages amount to: fills part->result. For pages that are all done. */
void part_result_fill(struct part_job *part);

/* The page of the last good run that this one may be compared with; NULL when there is none or the rules have changed. */
const struct known_page *page_known(const struct page_job *page);

/* ---- crawl_archive.c ---- */

/* Archives request and answer; fills page->place. An error ends the crawl. */
void archive_answer(struct page_job *page, const struct http_response *response);

/* Archives what the browser made of a page, in the shape of an answer, and what it loaded for it (`loads`: warc-fields). Fills
 * page->place. An error ends the crawl. */
void archive_rendered(struct page_job *page, const struct http_response *response, struct gt_str loads);

/* Archives a fetch of robots.txt. */
void archive_robots(struct origin *origin, const struct http_response *response);

/* Archives the section in force when it changed, and the outcome of each part; notes site->archive_end. Durable after the next
 * warc_writer_sync. */
enum gt_err archive_site(struct site_job *site, struct gt_errinfo *info);

/* Archives the crawl's own outcome. */
enum gt_err archive_crawl(struct crawl *crawl, struct gt_errinfo *info);

/* ---- crawl_summary.c: what people see ---- */

/* The line of a site: name, status, and what there is to say. */
void summary_line(const struct crawl *crawl, struct gt_str site, const char *status, struct gt_str note, struct gt_str reason);

/* The line of a finished site after its commit. */
void summary_site(const struct site_job *site, struct gt_str note);

/* What would be fetched, and why not the rest. */
void summary_dry_run(struct crawl *crawl);

/* Draws, or takes away, the progress bar. */
void progress_draw(const struct crawl *crawl);
void progress_clear(const struct crawl *crawl);

/* The status that stands for all parts, and the first reason that is given. */
enum part_status site_status(const struct site_job *site, struct gt_str *ret_reason);

/* ---- crawl.c ---- */

/* Notes an error that ends the crawl; the first one stays. */
void crawl_break(struct crawl *crawl, enum gt_err err, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
