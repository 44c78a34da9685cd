/* bench parse: pages to raw offers, beside the bare tree parse of the same library, in turn, medians of CPU time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libxml/HTMLparser.h>

#include "bench/pages.h"
#include "parsers/extract.h"

enum { PAGES = 200, ROUNDS = 7, ARENA_BYTES_MAX = 256 * 1024 * 1024 };

struct bench {
    struct strbuf pages[PAGES];
    struct conf *conf;
    struct site_facts facts;
    struct site_rules *rules;
    struct arena *arena;
    size_t offers;
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_parse: %s\n", what);
    exit(1);
}

/* The peer: libxml2's tree parse alone, nothing read from the tree. */
static void run_bare(struct bench *bench)
{
    for (int i = 0; i < PAGES; i++) {
        struct gt_str page = strbuf_str(&bench->pages[i]);
        htmlDocPtr doc = htmlReadMemory(page.ptr, (int)page.len, NULL, "UTF-8",
                                        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
        if (doc == NULL) fail("libxml2 could not parse a page");
        xmlFreeDoc(doc);
    }
}

static void extract_page(struct bench *bench, int i, struct extraction *ret)
{
    struct gt_errinfo info = {0};
    struct page_input page = {.body = strbuf_str(&bench->pages[i]), .content_type = GT_STR("text/html; charset=utf-8")};
    arena_clear(bench->arena);
    if (page_extract(bench->rules, &page, bench->arena, ret, &info) != GT_OK || ret->count != BENCH_PAGE_OFFERS) fail(info.text);
}

/* Ours up to listings. */
static void run_extract(struct bench *bench)
{
    for (int i = 0; i < PAGES; i++) {
        struct extraction extraction;
        extract_page(bench, i, &extraction);
        bench->offers += extraction.count;
    }
}

/* Ours up to offers: phrases, cards, discounts, solver. */
static void run_read(struct bench *bench)
{
    for (int i = 0; i < PAGES; i++) {
        struct extraction extraction;
        struct reading reading;
        extract_page(bench, i, &extraction);
        if (listing_read(extraction.listings, extraction.count, &bench->facts, GT_STR("page"), bench->arena, &reading) != GT_OK)
            fail("a page could not be read");
        bench->offers += reading.offer_count;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

static void setup(struct bench *bench)
{
    struct gt_errinfo info = {0};
    size_t bytes = 0;
    for (int i = 0; i < PAGES; i++) {
        strbuf_init(&bench->pages[i], BENCH_PAGE_BYTES_MAX);
        bench_page_write((uint32_t)i % 20, (uint32_t)i, &bench->pages[i]);
        bytes += bench->pages[i].len;
    }
    bench->conf = conf_new();
    bench->arena = arena_new(ARENA_BYTES_MAX);
    if (bench->arena == NULL || conf_read_text(bench->conf, "bench", gt_str_from(bench_page_section), &info) != GT_OK) fail(info.text);
    const struct conf_section *section = conf_find(bench->conf, "site", GT_STR("bench"));
    if (site_facts_from_conf(section, &bench->facts, &info) != GT_OK || site_rules_new(section, &bench->rules, &info) != GT_OK) fail(info.text);
    printf("%d pages, %zu bytes each, %d offers each; one core, %d rounds in turn, medians of CPU time\n", PAGES, bytes / PAGES,
           BENCH_PAGE_OFFERS, ROUNDS);
}

int main(void)
{
    static struct bench bench;
    static const struct {
        const char *name;
        void (*run)(struct bench *);
    } peers[] = {{"libxml2 tree parse alone", run_bare}, {"gputape, page to listings", run_extract}, {"gputape, page to offers", run_read}};
    enum { PEERS = sizeof peers / sizeof peers[0] };
    double seconds[PEERS][ROUNDS];
    setup(&bench);
    for (int round = 0; round < ROUNDS; round++)
        for (int p = 0; p < PEERS; p++) {
            double begin = cpu_seconds();
            peers[p].run(&bench);
            seconds[p][round] = cpu_seconds() - begin;
        }
    double base = 0;
    for (int p = 0; p < PEERS; p++) {
        double rate = PAGES / median(seconds[p]);
        if (p == 0) base = rate;
        printf("%-28s %8.0f pages/s  %9.0f offers/s  %.2f of the first\n", peers[p].name, rate, rate * BENCH_PAGE_OFFERS, rate / base);
    }
    return 0;
}
