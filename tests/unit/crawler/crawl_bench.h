/* What the crawl tests share: a stall of pages with all that can be wrong with them, what was handed over, and one crawl. */
#ifndef GT_TESTS_UNIT_CRAWLER_CRAWL_BENCH_H
#define GT_TESTS_UNIT_CRAWLER_CRAWL_BENCH_H

#include "crawler/crawl.h"

#include <dirent.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/unit/crawler/memory_map.h"
#include "tests/unit/net/raw_server.h"
#include "tests/unit/table.h"

enum { NOW = 1789905600, HOUR = 3600, DAY = 86400, STEPS_MAX = 6, SITES_MAX = 8, NONE = -1 };

#define ROW(label, price) "<tr><td>" label "</td><td>" price "</td></tr>"
#define PAGE(rows)                                                                                                               \
    "<!DOCTYPE html><html><body><table><tr><th>型号</th><th>价格（元/小时）</th></tr>" rows "</table></body></html>"

static const char page_a[] = PAGE(ROW("RTX 4090", "1.98") ROW("A100 80G", "6.50"));
static const char page_b[] = PAGE(ROW("RTX 4090", "1.88") ROW("A100 80G", "6.50") ROW("H800", "16.00"));
static const char page_login[] =
    "<html><head><title>登录</title></head><body><form>请登录 <input type=\"password\"></form></body></html>";
static const char page_challenge[] =
    "<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>";
static const char page_shell[] = "<html><head><script src=/app.js></script></head><body><div id=app></div></body></html>";
static const char page_other[] =
    "<html><body><h1>New design</h1><p>Our prices have moved. We have made this page nicer than it ever was, and "
    "there is nothing here that any rule of ours would find a row in.</p></body></html>";
static const char page_lead[] =
    "<html><body><a class=p href=/prices>one</a> <a class=p href=/more>two</a> and some words around them</body></html>";

/* What the server says at a path, and how. */
struct answer {
    const char *status;  /* "200 OK"; NULL: the connection is closed without a word */
    const char *headers; /* with their line ends */
    const char *body;
    int less;         /* bytes of the body held back */
    const char *etag; /* answered by 304 when it is asked for; NULL: none */
};

static const struct answer good_a = {"200 OK", "Content-Type: text/html\r\n", page_a, 0, "\"a\""};
static const struct answer good_b = {"200 OK", "Content-Type: text/html\r\n", page_b, 0, "\"b\""};
static const struct answer plain_a = {"200 OK", "", page_a, 0, NULL};
static const struct answer cut_b = {"200 OK", "Content-Type: text/html\r\n", page_b, 20, "\"b\""};
static const struct answer login = {"200 OK", "Content-Type: text/html\r\n", page_login, 0, NULL};
static const struct answer challenge = {"200 OK", "Content-Type: text/html\r\n", page_challenge, 0, NULL};
static const struct answer challenge_403 = {"403 Forbidden", "Content-Type: text/html\r\n", page_challenge, 0, NULL};
static const struct answer shell = {"200 OK", "Content-Type: text/html\r\n", page_shell, 0, NULL};
static const struct answer other = {"200 OK", "Content-Type: text/html\r\n", page_other, 0, NULL};
static const struct answer empty = {"200 OK", "", "", 0, NULL};
static const struct answer json_error = {"200 OK", "Content-Type: application/json\r\n", "{\"code\":500,\"msg\":\"internal\"}", 0,
                                         NULL};
static const struct answer no_content = {"204 No Content", "", "", 0, NULL};
static const struct answer gone = {"404 Not Found", "", "no", 0, NULL};
static const struct answer broken = {"500 Oops", "", "no", 0, NULL};
static const struct answer overloaded = {"503 Later", "Retry-After: 7200\r\n", "later", 0, NULL};
static const struct answer too_many = {"429 Slow down", "", "slow", 0, NULL};
static const struct answer bare_304 = {"304 Not Modified", "", "", 0, NULL};
static const struct answer wrong_304 = {"304 Not Modified", "ETag: \"zzz\"\r\n", "", 0, NULL};
static const struct answer silent = {NULL, NULL, NULL, 0, NULL};
static const struct answer moved = {"302 Found", "Location: /more\r\n", "", 0, NULL};
static const struct answer to_private = {"302 Found", "Location: http://10.0.0.1/\r\n", "", 0, NULL};
static const struct answer to_itself = {"302 Found", "Location: /prices\r\n", "", 0, NULL};
static const struct answer lead = {"200 OK", "Content-Type: text/html\r\n", page_lead, 0, "\"lead\""};
static const struct answer allow_all = {"404 Not Found", "", "", 0, NULL};
static const struct answer forbid = {"200 OK", "", "User-agent: gputape\nDisallow: /prices\n", 0, NULL};
static const struct answer hang = {"HANG", "", "", 0, NULL};
static const struct answer chunked = {"200 OK", "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", "", 0, NULL};
static const struct answer slow_crawl = {"200 OK", "", "User-agent: *\nCrawl-delay: 86400\n", 0, NULL};

struct stall {
    const struct answer *prices, *more, *first, *robots;
    atomic_int page_requests, robots_requests;
    int first_pause_ms; /* before /first is answered */
    _Atomic int64_t last_page_mono_ms, least_gap_mono_ms; /* between two page requests */
};

static inline void note_gap(struct stall *market)
{
    int64_t now = clock_mono_ms(), last = atomic_exchange(&market->last_page_mono_ms, now);
    int64_t least = atomic_load(&market->least_gap_mono_ms);
    if (last != 0 && (least == 0 || now - last < least)) atomic_store(&market->least_gap_mono_ms, now - last);
}

static inline void answer_send(int fd, const struct answer *answer, const char *request)
{
    char head[1024], wanted[64];
    size_t len = strlen(answer->body);
    snprintf(wanted, sizeof wanted, "If-None-Match: %s\r\n", answer->etag != NULL ? answer->etag : "-");
    if (answer->etag != NULL && strstr(request, wanted) != NULL) {
        snprintf(head, sizeof head, "HTTP/1.1 304 Not Modified\r\nETag: %s\r\n\r\n", answer->etag);
        raw_puts(fd, head);
        return;
    }
    if (answer == &chunked) {
        snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\n%s\r\n%zx\r\n", answer->headers, strlen(page_a));
        raw_puts(fd, head);
        raw_puts(fd, page_a);
        raw_puts(fd, "\r\n0\r\n\r\n");
        return;
    }
    bool has_body = strncmp(answer->status, "304", 3) != 0 && strncmp(answer->status, "204", 3) != 0;
    int n = snprintf(head, sizeof head, "HTTP/1.1 %s\r\n%s", answer->status, answer->headers);
    if (answer->etag != NULL) n += snprintf(head + n, sizeof head - (size_t)n, "ETag: %s\r\n", answer->etag);
    if (has_body) n += snprintf(head + n, sizeof head - (size_t)n, "Content-Length: %zu\r\n", len);
    snprintf(head + n, sizeof head - (size_t)n, "\r\n");
    raw_puts(fd, head);
    raw_send(fd, answer->body, len - (size_t)answer->less);
}

static inline bool serve(void *ctx, int fd, const char *request)
{
    struct stall *market = ctx;
    const struct answer *answer = market->more;
    if (strncmp(request, "GET /robots.txt ", 16) == 0) {
        atomic_fetch_add(&market->robots_requests, 1);
        answer = market->robots;
    } else {
        atomic_fetch_add(&market->page_requests, 1);
        note_gap(market);
        if (strstr(request, " /prices ") != NULL) answer = market->prices;
        if (strstr(request, " /first ") != NULL) {
            answer = market->first;
            usleep((useconds_t)market->first_pause_ms * 1000);
        }
    }
    if (answer == NULL) answer = &gone;
    if (answer->status == NULL) return false;
    if (answer == &hang) {
        char byte;
        recv(fd, &byte, 1, 0); /* until the other side gives up */
        return false;
    }
    answer_send(fd, answer, request);
    return answer->less == 0;
}

/* ---- what was handed over ---- */

struct seen_part {
    char site[32], part[64], reason[CRAWL_PARTS_MAX + 300], warc_file[200], record_id[64];
    enum part_status status;
    int32_t http_code;
    int offers;
    bool is_full_fetch, is_sample;
    int64_t warc_offset;
};

struct seen {
    struct memory_map *memory;
    struct seen_part parts[SITES_MAX * 2];
    int count;
    struct archive_mark archive_end; /* of the last site */
    enum gt_err fails_with; /* what committing answers */
};

static inline void copy_text(char *out, size_t cap, struct gt_str text)
{
    snprintf(out, cap, "%.*s", GT_STR_ARG(text));
}

static inline enum gt_err on_site(void *ctx, const struct crawled_site *site, struct arena *arena, struct gt_str *ret_note,
                                  struct gt_errinfo *info)
{
    struct seen *seen = ctx;
    if (seen->fails_with != GT_OK) return gt_fail(info, seen->fails_with, "the store is full");
    /* each site's end is behind its own records, also of several that went to the disk together: what is behind it is adopted after a crash */
    const struct archive_mark *end = &site->archive_end;
    if (strcmp(end->file, seen->archive_end.file) == 0) assert_true(end->offset > seen->archive_end.offset);
    for (size_t i = 0; i < site->place_count; i++) {
        const struct warc_place *place = &site->places[i];
        if (strcmp(end->file, place->file) == 0) assert_true(place->offset + place->bytes <= end->offset);
    }
    seen->archive_end = *end;
    for (size_t i = 0; i < site->part_count; i++) {
        const struct crawled_part *part = &site->parts[i];
        struct seen_part *out = &seen->parts[seen->count++];
        *out = (struct seen_part){.status = part->status,
                                  .http_code = part->http_code,
                                  .offers = (int)part->reading.offer_count,
                                  .is_full_fetch = part->is_full_fetch,
                                  .is_sample = site->is_sample,
                                  .warc_offset = part->warc_offset};
        copy_text(out->site, sizeof out->site, site->facts->site);
        copy_text(out->part, sizeof out->part, part->name);
        copy_text(out->reason, sizeof out->reason, part->reason);
        copy_text(out->warc_file, sizeof out->warc_file, part->warc_file);
        copy_text(out->record_id, sizeof out->record_id, part->record_id);
        if (part->validator_key.len > 0) memory_put(seen->memory, "validators", part->validator_key, part->validator_value);
    }
    memory_put(seen->memory, "pages", site->attempt_key, site->attempt_value);
    if (site->section_key.len > 0) memory_put(seen->memory, "pages", site->section_key, site->section_value);
    *ret_note = arena_printf(arena, "noted");
    return GT_OK;
}

/* ---- one crawl ---- */

struct bench {
    struct raw_server server;
    struct stall market;
    struct memory_map memory;
    struct conf *conf;
    char folder[64];
    char rule[64];
};

static inline void bench_begin(struct bench *bench, const char *sites)
{
    memset(bench, 0, sizeof *bench);
    snprintf(bench->folder, sizeof bench->folder, "/tmp/gputape-crawl-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    assert_true(raw_server_start(&bench->server, serve, &bench->market));
    snprintf(bench->rule, sizeof bench->rule, "::127.0.0.1:%u", bench->server.port);
    bench->market.robots = &allow_all;
    bench->conf = conf_new();
    struct gt_errinfo info = {0};
    if (conf_read_text(bench->conf, "test.conf", gt_str_from(sites), &info) != GT_OK) print_error("# %s\n", info.text);
}

static inline void bench_end(struct bench *bench)
{
    char path[512];
    raw_server_stop(&bench->server);
    memory_done(&bench->memory);
    conf_free(bench->conf);
    snprintf(path, sizeof path, "%s/archive", bench->folder);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/archive/%.200s", bench->folder, entry->d_name);
        unlink(path);
    }
    if (dir != NULL) closedir(dir);
    snprintf(path, sizeof path, "%s/archive", bench->folder);
    rmdir(path);
    rmdir(bench->folder);
}

static inline enum gt_err bench_crawl(struct bench *bench, int64_t at_s, bool is_forced, struct crawl_options extra,
                                      struct seen *seen, struct crawl_result *result)
{
    const char *rules[] = {bench->rule, NULL};
    struct gt_clock clock = {true, NOW + at_s};
    struct log log = {NULL, LOG_ERROR};
    struct crawl_memory memory = {&bench->memory, memory_get, memory_put};
    struct gt_errinfo info = {0};
    struct crawl_options options = extra;
    options.data_folder = bench->folder;
    options.clock = &clock;
    options.log = &log;
    options.conf = bench->conf;
    if (options.connect_to == NULL) options.connect_to = rules;
    options.is_forced = is_forced;
    seen->memory = &bench->memory;
    seen->count = 0;
    enum gt_err err = crawl_run(&options, &memory, on_site, seen, result, &info);
    if (err != GT_OK && err != GT_EINTERRUPTED) assert_true(strlen(info.text) > 0);
    return err;
}

#define RULES "currency = CNY\nextract = table\nrows = //tr[td]\nlabel = td[1]\nprice.hour = td[2]\n"
#define SITE_EVERY(every) "[site s]\nurl = http://a.test/prices\nevery = " every "\n" RULES
#define SITE SITE_EVERY("6h")

#endif
