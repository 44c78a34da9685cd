#include "tests/unit/crawler/crawl_bench.h"

#include <fcntl.h>
#include <unistd.h>

#include "crawler/warc_reader.h"
#include "net/header.h"

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

/* What the archive says of bodies that are not as they came: cut at the limit, and without their chunks. */
static const struct record_row {
    const char *name;
    const char *conf;
    bool is_large;
    const struct answer *prices;
    int status;
    const char *has, *lacks; /* in the record's head or block */
} records[] = {
    {"larger than body_max", SITE "body_max = 1k\n", true, NULL, STATUS_INCOMPLETE, "WARC-Truncated: length\r\n", NULL},
    {"chunked", SITE, false, &chunked, STATUS_OK, "\nX-Crawl-Transfer-Encoding: chunked\r\n", "\nTransfer-Encoding"},
    {"cut on the way", SITE, false, &cut_b, STATUS_INCOMPLETE, "WARC-Truncated: disconnect\r\n", NULL},
    {"whole", SITE, false, &good_a, STATUS_OK, "Content-Type: text/html\r\n", "WARC-Truncated"},
};

static void check_record(void **state)
{
    const struct record_row *row = *state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    char *body = calloc(1, 5000);
    memset(body, 'x', 4999);
    struct answer large = {"200 OK", "", body, 0, NULL};
    bench_begin(&bench, row->conf);
    bench.market.prices = row->is_large ? &large : row->prices;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_int_equal(seen.parts[0].status, row->status);
    char path[512];
    struct warc_reader *reader = NULL;
    struct warc_entry entry;
    snprintf(path, sizeof path, "%s/archive/%s", bench.folder, seen.parts[0].warc_file);
    assert_int_equal(warc_reader_open_at(path, seen.parts[0].warc_offset, &reader, NULL), GT_OK);
    assert_int_equal(warc_reader_next(reader, &entry, NULL), GT_OK);
    assert_str(entry.type, "response");
    assert_true(warc_entry_check(&entry));
    struct gt_str has = gt_str_from(row->has), lacks = gt_str_from(row->lacks);
    assert_true(gt_str_find(entry.head, has, 0) != SIZE_MAX || gt_str_find(entry.block, has, 0) != SIZE_MAX);
    if (row->lacks != NULL)
        assert_true(gt_str_find(entry.head, lacks, 0) == SIZE_MAX && gt_str_find(entry.block, lacks, 0) == SIZE_MAX);
    warc_reader_close(reader);
    free(body);
    bench_end(&bench);
}

/* Three sites of one host: one connection, one request at a time, the pause between them. */
static void check_polite(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 60};
    bench_begin(&bench, "[site a]\nurl = http://a.test/prices\n" RULES "[site b]\nurl = http://a.test/more\n" RULES
                        "[site c]\nurl = http://a.test/first\n" RULES);
    bench.market.prices = bench.market.more = bench.market.first = &good_a;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_int_equal(result.sites_ok, 3);
    assert_int_equal(atomic_load(&bench.server.connections), 1);
    assert_int_equal(atomic_load(&bench.market.robots_requests), 1);
    assert_true(atomic_load(&bench.market.least_gap_mono_ms) >= 59);
    bench_end(&bench);
}

/* A robots.txt of more than 500 KiB is read as far as that. */
static void check_large_robots(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    static const char rule[] = "User-agent: *\nDisallow: /prices\n";
    char *body = calloc(1, 700 * 1024);
    memset(body, '#', 700 * 1024 - 1);
    memcpy(body, rule, sizeof rule - 1);
    struct answer robots = {"200 OK", "", body, 0, NULL};
    bench_begin(&bench, SITE);
    bench.market.prices = &good_a;
    bench.market.robots = &robots;
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_int_equal(seen.parts[0].status, STATUS_FAILED);
    assert_non_null(strstr(seen.parts[0].reason, "Disallow: /prices"));
    assert_int_equal(atomic_load(&bench.market.page_requests), 0);
    free(body);
    bench_end(&bench);
}

/* A site that is under way when the time is over has failed; its page's connection is cut. */
static void check_deadline(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0, .deadline_ms = 300};
    bench_begin(&bench, SITE "[site t]\nurl = http://t.test/more\n" RULES);
    bench.market.prices = &hang;
    bench.market.more = &good_b;
    int64_t begin = clock_mono_ms();
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_OK);
    assert_true(clock_mono_ms() - begin < 3000);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.parts[0].status, STATUS_FAILED);
    assert_non_null(strstr(seen.parts[0].reason, "time was over"));
    assert_int_equal(seen.parts[1].status, STATUS_OK);
    bench_end(&bench);
}

/* Without an archive nothing is fetched, let alone committed. */
static void check_no_archive(void **state)
{
    (void)state;
    struct bench bench;
    struct seen seen = {.fails_with = GT_OK};
    struct crawl_result result;
    struct crawl_options extra = {.delay_ms = 0};
    char path[128];
    bench_begin(&bench, SITE);
    bench.market.prices = &good_a;
    snprintf(path, sizeof path, "%s/archive", bench.folder);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(bench_crawl(&bench, 0, false, extra, &seen, &result), GT_EEXIST);
    assert_int_equal(seen.count, 0);
    assert_int_equal(atomic_load(&bench.server.requests), 0);
    unlink(path);
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
  privates[] = {{"loopback, and a redirect to 10.0.0.1"}}, secrets[] = {{"header_file"}},
  polites[] = {{"three sites of one host"}}, large_robots[] = {{"700 KiB"}}, deadlines[] = {{"one site hangs"}},
  no_archives[] = {{"a file in the archive's place"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(archives, check_archive) + TABLE_RUN(records, check_record) + TABLE_RUN(manys, check_many) +
           TABLE_RUN(ends, check_end) + TABLE_RUN(privates, check_private) + TABLE_RUN(secrets, check_secret) +
           TABLE_RUN(polites, check_polite) + TABLE_RUN(large_robots, check_large_robots) + TABLE_RUN(deadlines, check_deadline) +
           TABLE_RUN(no_archives, check_no_archive);
}
