#include "crawler/crawl.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crawler/warc_reader.h"
#include "net/header.h"
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
static const struct answer slow_crawl = {"200 OK", "", "User-agent: *\nCrawl-delay: 86400\n", 0, NULL};

struct stall {
    const struct answer *prices, *more, *first, *robots;
    atomic_int page_requests, robots_requests;
};

static void answer_send(int fd, const struct answer *answer, const char *request)
{
    char head[1024], wanted[64];
    size_t len = strlen(answer->body);
    snprintf(wanted, sizeof wanted, "If-None-Match: %s\r\n", answer->etag != NULL ? answer->etag : "-");
    if (answer->etag != NULL && strstr(request, wanted) != NULL) {
        snprintf(head, sizeof head, "HTTP/1.1 304 Not Modified\r\nETag: %s\r\n\r\n", answer->etag);
        raw_puts(fd, head);
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

static bool serve(void *ctx, int fd, const char *request)
{
    struct stall *market = ctx;
    const struct answer *answer = market->more;
    if (strncmp(request, "GET /robots.txt ", 16) == 0) {
        atomic_fetch_add(&market->robots_requests, 1);
        answer = market->robots;
    } else {
        atomic_fetch_add(&market->page_requests, 1);
        if (strstr(request, " /prices ") != NULL) answer = market->prices;
        if (strstr(request, " /first ") != NULL) answer = market->first;
    }
    if (answer == NULL) answer = &gone;
    if (answer->status == NULL) return false;
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
    enum gt_err fails_with; /* what committing answers */
};

static void copy_text(char *out, size_t cap, struct gt_str text)
{
    snprintf(out, cap, "%.*s", GT_STR_ARG(text));
}

static enum gt_err on_site(void *ctx, const struct crawled_site *site, struct arena *arena, struct gt_str *ret_note,
                           struct gt_errinfo *info)
{
    struct seen *seen = ctx;
    if (seen->fails_with != GT_OK) return gt_fail(info, seen->fails_with, "the store is full");
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

static void bench_begin(struct bench *bench, const char *sites)
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

static void bench_end(struct bench *bench)
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

static enum gt_err bench_crawl(struct bench *bench, int64_t at_s, bool is_forced, struct crawl_options extra, struct seen *seen,
                               struct crawl_result *result)
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

/* Every record of the archive holds its digests; counts them by type. */
static int archive_count(const struct bench *bench, const char *file, const char *type)
{
    char path[512];
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    struct gt_errinfo info = {0};
    int count = 0;
    enum gt_err err;
    snprintf(path, sizeof path, "%s/archive/%s", bench->folder, file);
    assert_int_equal(warc_reader_open(path, &reader, &info), GT_OK);
    while ((err = warc_reader_next(reader, &entry, &info)) == GT_OK) {
        assert_true(warc_entry_check(&entry));
        count += gt_str_is(entry.type, type);
    }
    assert_int_equal(err, GT_ENOENT);
    warc_reader_close(reader);
    return count;
}

#define RULES "currency = CNY\nextract = table\nrows = //tr[td]\nlabel = td[1]\nprice.hour = td[2]\n"
#define SITE_EVERY(every) "[site s]\nurl = http://a.test/prices\nevery = " every "\n" RULES
#define SITE SITE_EVERY("6h")

/* One crawl after the other at one site; `prices` NULL: as before. status NONE: not crawled. */
static const struct story_row {
    const char *name;
    const char *conf;
    struct step {
        int64_t at_s;
        const struct answer *prices, *robots;
        bool is_forced;
        int status;
        const char *reason; /* a part of it */
        int requests;       /* for pages */
        int offers;
        bool is_full;
    } steps[STEPS_MAX];
} stories[] = {
    {"good, then unchanged by 304, then changed",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false},
      {2 * DAY, &good_b, NULL, false, STATUS_OK, "", 1, 3, true}}},
    {"unchanged by digest where there is no validator",
     SITE,
     {{0, &plain_a, NULL, false, STATUS_OK, "", 1, 2, true}, {DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"not due, then due",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {60, NULL, NULL, false, NONE, "", 0, 0, false},
      {5 * HOUR, NULL, NULL, false, NONE, "", 0, 0, false},
      {6 * HOUR - 200, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"forced: in full though not due",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}, {60, NULL, NULL, true, STATUS_OK, "", 1, 2, false}}},
    {"fetched in full when validators are old",
     SITE "fresh = 1d\n",
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {6 * HOUR, &wrong_304, NULL, false, STATUS_FAILED, "304", 2, 0, false},
      {DAY, &bare_304, NULL, false, STATUS_FAILED, "304", 1, 0, false}}},
    {"304 for another body: asked again in full",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, &wrong_304, NULL, false, STATUS_FAILED, "HTTP 304", 2, 0, false}}},
    {"304 without having asked", SITE, {{0, &bare_304, NULL, false, STATUS_FAILED, "HTTP 304", 1, 0, false}}},
    {"cut body leaves no validator",
     SITE,
     {{0, &cut_b, NULL, false, STATUS_INCOMPLETE, "", 3, 0, false}, {DAY, &good_b, NULL, false, STATUS_OK, "", 1, 3, true}}},
    {"cut body keeps the older validator",
     SITE,
     {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {DAY, &cut_b, NULL, false, STATUS_INCOMPLETE, "", 3, 0, false},
      {2 * DAY, &good_a, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"login page", SITE, {{0, &login, NULL, false, STATUS_BLOCKED, "login", 1, 0, false}}},
    {"challenge with 200", SITE, {{0, &challenge, NULL, false, STATUS_BLOCKED, "challenge", 1, 0, false}}},
    {"challenge with 403", SITE, {{0, &challenge_403, NULL, false, STATUS_BLOCKED, "HTTP 403", 1, 0, false}}},
    {"empty shell of scripts", SITE, {{0, &shell, NULL, false, STATUS_BLOCKED, "shell", 1, 0, false}}},
    {"empty body", SITE, {{0, &empty, NULL, false, STATUS_BLOCKED, "empty", 1, 0, false}}},
    {"no content", SITE, {{0, &no_content, NULL, false, STATUS_FAILED, "HTTP 204", 1, 0, false}}},
    {"another layout", SITE, {{0, &other, NULL, false, STATUS_DRIFTED, "", 1, 0, true}}},
    {"JSON that reports an error", SITE, {{0, &json_error, NULL, false, STATUS_FAILED, "reports an error", 1, 0, false}}},
    {"not found", SITE, {{0, &gone, NULL, false, STATUS_FAILED, "HTTP 404", 1, 0, false}}},
    {"broken: three attempts, then sooner again",
     SITE,
     {{0, &broken, NULL, false, STATUS_FAILED, "HTTP 500", 3, 0, false},
      {60, NULL, NULL, false, NONE, "", 0, 0, false},
      {2 * HOUR, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"Retry-After is kept across runs",
     SITE_EVERY("1h"),
     {{0, &overloaded, NULL, false, STATUS_FAILED, "HTTP 503", 1, 0, false},
      {HOUR, &good_a, NULL, false, NONE, "", 0, 0, false},
      {HOUR, NULL, NULL, true, NONE, "", 0, 0, false},
      {7201, NULL, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"429 without Retry-After opens the breaker",
     SITE_EVERY("1m"),
     {{0, &too_many, NULL, false, STATUS_FAILED, "HTTP 429", 3, 0, false},
      {600, &good_a, NULL, false, NONE, "", 0, 0, false},
      {901, NULL, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"closed without an answer", SITE, {{0, &silent, NULL, false, STATUS_FAILED, "without an answer", 3, 0, false}}},
    {"redirect to another page", SITE, {{0, &moved, NULL, false, STATUS_FAILED, "HTTP 404", 2, 0, false}}},
    {"redirect to itself", SITE, {{0, &to_itself, NULL, false, STATUS_FAILED, "redirects", 6, 0, false}}},
    {"POST is never repeated",
     SITE "method = POST\nbody = {}\n",
     {{0, &broken, NULL, false, STATUS_FAILED, "HTTP 500", 1, 0, false},
      {DAY, &good_a, NULL, false, STATUS_OK, "", 1, 2, true},
      {2 * DAY, NULL, NULL, false, STATUS_UNCHANGED, "", 1, 0, false}}},
    {"larger than body_max", SITE "body_max = 1k\n", {{0, &good_a, NULL, false, STATUS_OK, "", 1, 2, true}}},
    {"robots.txt forbids", SITE, {{0, &good_a, &forbid, false, STATUS_FAILED, "Disallow: /prices", 0, 0, false}}},
    {"robots.txt forbids, on a host of one's own",
     SITE "robots = ignore\n",
     {{0, &good_a, &forbid, false, STATUS_OK, "", 1, 2, true}}},
    {"robots.txt wants a day between requests",
     SITE,
     {{0, &good_a, &slow_crawl, false, STATUS_FAILED, "pause of 86400", 0, 0, false}}},
    {"robots.txt out of order",
     SITE,
     {{0, &good_a, &broken, false, STATUS_FAILED, "robots.txt unreachable: HTTP 500", 0, 0, false}}},
    {"robots.txt out of order, the last copy stands in",
     SITE,
     {{0, &good_a, &allow_all, false, STATUS_OK, "", 1, 2, true},
      {2 * DAY, NULL, &broken, false, STATUS_UNCHANGED, "", 1, 0, false},
      {32 * DAY, NULL, &broken, false, STATUS_FAILED, "robots.txt unreachable", 0, 0, false}}},
};

static void check_story(void **state)
{
    const struct story_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    bench_begin(&bench, row->conf);
    for (int i = 0; i < STEPS_MAX && (i == 0 || row->steps[i].at_s > 0); i++) {
        const struct step *step = &row->steps[i];
        if (step->prices != NULL) bench.market.prices = step->prices;
        if (step->robots != NULL) bench.market.robots = step->robots;
        atomic_store(&bench.market.page_requests, 0);
        struct crawl_options extra = {.delay_ms = 0};
        assert_int_equal(bench_crawl(&bench, step->at_s, step->is_forced, extra, &seen, &result), GT_OK);
        if (seen.count > 0 && (int)seen.parts[0].status != step->status)
            print_error("# step %d: %s (%s)\n", i, word_text(VOCABULARY_STATUS, (int)seen.parts[0].status), seen.parts[0].reason);
        assert_int_equal(seen.count, step->status == NONE ? 0 : 1);
        assert_int_equal(atomic_load(&bench.market.page_requests), step->requests);
        if (step->status == NONE) {
            assert_int_equal(result.sites_skipped, 1);
            continue;
        }
        const struct seen_part *part = &seen.parts[0];
        assert_int_equal(part->status, step->status);
        assert_non_null(strstr(part->reason, step->reason));
        bool is_good = part->status == STATUS_OK || part->status == STATUS_UNCHANGED;
        assert_int_equal(part->reason[0] == '\0', is_good);
        assert_int_equal(part->offers, step->offers);
        assert_int_equal(part->is_full_fetch, step->is_full);
        assert_int_equal(result.sites_ok, is_good);
        assert_int_equal(result.sites_failed, !is_good);
        assert_true(part->is_sample);
        assert_string_equal(part->part, "main");
    }
    bench_end(&bench);
}

#define LEAD "[site s]\nurl = http://a.test/first\nevery = 6h\nfollow = //a[@class='p']/@href\n" RULES

/* Pages behind a page. */
static const struct follow_row {
    const char *name;
    const struct answer *prices[3], *more[3]; /* on three days */
    int status[3], requests[3], offers[3];
} follows[] = {
    {"two good pages, unchanged, one changed",
     {&good_a, &good_a, &good_b},
     {&good_b, &good_b, &good_b},
     {STATUS_OK, STATUS_UNCHANGED, STATUS_OK},
     {3, 3, 6},
     {4, 0, 3}},
    {"one of them is missing: the listing is not whole",
     {&good_a, &good_a, &good_a},
     {&gone, &gone, &good_b},
     {STATUS_FAILED, STATUS_FAILED, STATUS_OK},
     {3, 3, 3},
     {0, 0, 4}},
    {"one has no rows of its own",
     {&good_a, &good_a, &good_a},
     {&other, &other, &other},
     {STATUS_OK, STATUS_UNCHANGED, STATUS_UNCHANGED},
     {3, 3, 3},
     {2, 0, 0}},
    {"one is a challenge",
     {&good_a, &good_a, &good_a},
     {&challenge, &good_b, &good_b},
     {STATUS_BLOCKED, STATUS_OK, STATUS_UNCHANGED},
     {3, 3, 3},
     {0, 4, 0}},
    {"none has rows",
     {&other, &good_a, &good_a},
     {&other, &other, &other},
     {STATUS_DRIFTED, STATUS_OK, STATUS_UNCHANGED},
     {3, 3, 3},
     {0, 2, 0}},
};

static void check_follow(void **state)
{
    const struct follow_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    bench_begin(&bench, LEAD);
    bench.market.first = &lead;
    for (int day = 0; day < 3; day++) {
        bench.market.prices = row->prices[day];
        bench.market.more = row->more[day];
        atomic_store(&bench.market.page_requests, 0);
        struct crawl_options extra = {.delay_ms = 0};
        assert_int_equal(bench_crawl(&bench, day * DAY, false, extra, &seen, &result), GT_OK);
        assert_int_equal(seen.count, 1);
        if ((int)seen.parts[0].status != row->status[day]) print_error("# day %d: %s\n", day, seen.parts[0].reason);
        assert_int_equal(seen.parts[0].status, row->status[day]);
        assert_int_equal(seen.parts[0].offers, row->offers[day]);
        assert_int_equal(atomic_load(&bench.market.page_requests), row->requests[day]);
    }
    bench_end(&bench);
}

/* What the archive holds after three days: good, unchanged by 304, the same bytes in full. */
static void check_archive(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    bench_begin(&bench, SITE);
    bench.market.prices = &good_a;
    bench_crawl(&bench, 0, false, extra, &seen, &result);
    struct seen_part first = seen.parts[0];
    bench_crawl(&bench, 6 * HOUR, false, extra, &seen, &result);
    bench_crawl(&bench, 12 * HOUR, true, extra, &seen, &result);
    struct seen_part third = seen.parts[0];
    assert_string_equal(first.warc_file, third.warc_file);
    assert_int_equal(archive_count(&bench, first.warc_file, "warcinfo"), 3);
    assert_int_equal(archive_count(&bench, first.warc_file, "response"), 2); /* the page and robots.txt */
    assert_int_equal(archive_count(&bench, first.warc_file, "revisit"), 2);
    assert_int_equal(archive_count(&bench, first.warc_file, "request"), 4);
    assert_int_equal(archive_count(&bench, first.warc_file, "metadata"), 6); /* a run and a crawl each */
    assert_int_equal(archive_count(&bench, first.warc_file, "resource"), 1); /* the section, once */
    char path[512];
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    struct gt_str http_head, payload;
    snprintf(path, sizeof path, "%s/archive/%s", bench.folder, first.warc_file);
    assert_int_equal(warc_reader_open_at(path, first.warc_offset, &reader, NULL), GT_OK);
    assert_int_equal(warc_reader_next(reader, &entry, NULL), GT_OK);
    assert_str(entry.record_id, first.record_id);
    warc_entry_split(&entry, &http_head, &payload);
    assert_str(payload, page_a);
    warc_reader_close(reader);
    assert_int_equal(warc_reader_open_at(path, third.warc_offset, &reader, NULL), GT_OK);
    assert_int_equal(warc_reader_next(reader, &entry, NULL), GT_OK);
    assert_str(entry.type, "revisit");
    char refers[80];
    snprintf(refers, sizeof refers, "<%s>", first.record_id);
    assert_str(header_find(entry.head, "WARC-Refers-To", 0), refers);
    warc_reader_close(reader);
    bench_end(&bench);
}

/* Several sites: handed over in name order; a faulty section costs itself only; two parts. */
static void check_many(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    bench_begin(
        &bench,
        "[site zeta]\nurl = http://z.test/prices\n" RULES
        "[site alpha]\nurl = east http://a.test/prices\n  west http://a.test/more\n" RULES
        "[site mu]\nurl = http://m.test/prices\nuser_agent = anonymous\n[site off]\nurl = http://o.test/prices\nenabled = no\n");
    bench.market.prices = &good_a;
    bench.market.more = &gone;
    char *text = NULL;
    size_t len = 0;
    extra.summary = open_memstream(&text, &len);
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    fclose(extra.summary);
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.parts[0].site, "alpha");
    assert_string_equal(seen.parts[0].part, "east");
    assert_int_equal(seen.parts[0].status, STATUS_OK);
    assert_string_equal(seen.parts[1].part, "west");
    assert_int_equal(seen.parts[1].status, STATUS_FAILED);
    assert_string_equal(seen.parts[2].site, "zeta");
    assert_int_equal(result.sites_ok, 1);
    assert_int_equal(result.sites_failed, 2);
    assert_string_equal(
        text, "alpha  failed     noted; 1 of 2 parts: HTTP 404\n"
              "mu     failed     test.conf:18: user_agent: no address or mail in the user agent: set `contact`, so that a "
              "site's owner can reach you\n"
              "zeta   ok         noted\n");
    free(text);
    bench_end(&bench);
}

static const volatile int stopped = 1;

/* Ends that are not the sites' fault. */
static const struct end_row {
    const char *name;
    enum gt_err commit; /* what the store answers */
    bool is_stopped, is_dry_run;
    int64_t deadline_ms;
    const struct answer *prices;
    enum gt_err err;
    int handed_over, requests;
} ends[] = {
    {"a dry run asks for nothing", GT_OK, false, true, 0, &good_a, GT_OK, 0, 0},
    {"stopped before it began", GT_OK, true, false, 0, &good_a, GT_EINTERRUPTED, 0, 0},
    {"the store is full", GT_ENOSPC, false, false, 0, &good_a, GT_ENOSPC, 0, 1},
    {"no time at all: the site stays due", GT_OK, false, false, 1, &good_a, GT_OK, 0, 0},
};

static void check_end(void **state)
{
    const struct end_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = row->commit};
    struct crawl_result result;
    struct crawl_options extra = {
        .delay_ms = 0, .is_dry_run = row->is_dry_run, .stop = row->is_stopped ? &stopped : NULL, .deadline_ms = row->deadline_ms};
    bench_begin(&bench, SITE);
    bench.market.prices = row->prices;
    if (row->deadline_ms > 0) bench.market.robots = &silent;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), row->err);
    assert_int_equal(seen.count, row->handed_over);
    assert_int_equal(atomic_load(&bench.market.page_requests), row->requests);
    /* nothing was committed, so nothing is remembered of the page: the next crawl fetches it in full */
    bench.market.robots = &allow_all;
    seen.fails_with = GT_OK;
    atomic_store(&bench.market.page_requests, 0);
    struct crawl_options plain = {.delay_ms = 0};
    assert_int_equal(bench_crawl(&bench, 1, false, plain, &seen, &result), GT_OK);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.parts[0].status, STATUS_OK);
    assert_int_equal(seen.parts[0].offers, 2);
    bench_end(&bench);
}

/* A private address is reached neither at once nor by a redirect. */
static void check_private(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    const char *none[] = {NULL}, *rules[] = {"a.test:80:127.0.0.1:1", NULL};
    char rule[64];
    struct crawl_options extra = {.delay_ms = -1, .connect_to = none};
    bench_begin(&bench, "[defaults]\ndelay = 0\n[site s]\nurl = http://127.0.0.1/prices\n");
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.parts[0].status, STATUS_FAILED);
    assert_non_null(strstr(seen.parts[0].reason, "loopback"));
    assert_false(seen.parts[0].is_sample);
    bench_end(&bench);
    bench_begin(&bench, SITE);
    bench.market.prices = &to_private;
    snprintf(rule, sizeof rule, "a.test:80:127.0.0.1:%u", bench.server.port);
    rules[0] = rule;
    extra.connect_to = rules;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_int_equal(seen.parts[0].status, STATUS_FAILED);
    assert_non_null(strstr(seen.parts[0].reason, "private"));
    bench_end(&bench);
}

/* Secrets of header_file are sent, and stand neither in the archive nor anywhere else. */
static void check_secret(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    char conf[1024], path[128], file[512];
    snprintf(path, sizeof path, "/tmp/gputape-secret-%ld", (long)getpid());
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0 && write(fd, "Authorization: Bearer s3cr3t\n", 29) == 29);
    close(fd);
    snprintf(conf, sizeof conf, SITE "header_file = %s\n", path);
    bench_begin(&bench, conf);
    bench.market.prices = &good_a;
    struct crawl_options extra = {.delay_ms = 0};
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_non_null(strstr(bench.server.last_request, "Authorization: Bearer s3cr3t\r\n"));
    snprintf(file, sizeof file, "%s/archive/%s", bench.folder, seen.parts[0].warc_file);
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    int redacted = 0;
    assert_int_equal(warc_reader_open(file, &reader, NULL), GT_OK);
    while (warc_reader_next(reader, &entry, NULL) == GT_OK) {
        assert_int_equal(gt_str_find(entry.block, GT_STR("s3cr3t"), 0), SIZE_MAX);
        redacted += gt_str_find(entry.block, GT_STR("Authorization: [redacted]"), 0) != SIZE_MAX;
    }
    assert_int_equal(redacted, 1);
    warc_reader_close(reader);
    unlink(path);
    bench_end(&bench);
}

static const struct single {
    const char *name;
} archives[] = {{"three fetches of one page"}}, manys[] = {{"four sites, name order"}},
  privates[] = {{"loopback, and a redirect to 10.0.0.1"}}, secrets[] = {{"header_file"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(stories, check_story) + TABLE_RUN(follows, check_follow) + TABLE_RUN(archives, check_archive) +
           TABLE_RUN(manys, check_many) + TABLE_RUN(ends, check_end) + TABLE_RUN(privates, check_private) +
           TABLE_RUN(secrets, check_secret);
}
