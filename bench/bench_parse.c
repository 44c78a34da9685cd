/* bench parse: pages to raw offers beside the same library's bare tree parse and beside what else people use, in turn, medians of
 * CPU time. Every peer's cells are hashed and have to be ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libxml/HTMLparser.h>

#include "bench/bump.h"
#include "bench/pages.h"
#include "crawler/jail.h"

enum { PAGES = 2000, SITES = 20, ROUNDS_DEFAULT = 5, ROUNDS_MAX = 99, ARENA_BYTES_MAX = 256 * 1024 * 1024, COMMAND_MAX = 512, LINE_MAX_BYTES = 256 };
enum { PARSE_OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET };

struct bench {
    struct strbuf pages[PAGES];
    struct conf *conf;
    struct site_facts facts;
    struct site_rules *rules;
    struct arena *arena;
    char folder[64]; /* the same pages as files, for the peers */
};

static void fail(const char *what)
{
    fprintf(stderr, "bench_parse: %s\n", what);
    exit(1);
}

/* Processor time of this process and of the children that it has waited for. */
static double cpu_seconds(void)
{
    double sum = 0;
    static const int WHO[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage used;
        getrusage(WHO[i], &used);
        sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    }
    return sum;
}

/* ---- the hash of what was read ---- */

static const char *const FIELDS[] = {"label", "vram", "price.hour", "price.month", "discount"};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

/* FNV-1a over the texts of the five cells of each row, white space runs one blank, each closed by 0x1F. */
static uint64_t hash_listings(uint64_t hash, const struct extraction *found)
{
    for (size_t i = 0; i < found->count; i++)
        for (int f = 0; f < FIELD_COUNT; f++) {
            struct gt_str text = listing_get(&found->listings[i], FIELDS[f]);
            for (size_t n = 0; n < text.len; n++) hash = (hash ^ (unsigned char)text.ptr[n]) * UINT64_C(0x100000001b3);
            hash = (hash ^ 0x1F) * UINT64_C(0x100000001b3);
        }
    return hash;
}

/* ---- ours, and the bare library ---- */

static double run_tree(struct bench *bench, int pages)
{
    double begin = cpu_seconds();
    for (int i = 0; i < pages; i++) {
        struct gt_str page = strbuf_str(&bench->pages[i]);
        htmlDocPtr doc = htmlReadMemory(page.ptr, (int)page.len, NULL, "UTF-8", PARSE_OPTIONS);
        if (doc == NULL) fail("libxml2 could not parse a page");
        if (!bump_is_on()) xmlFreeDoc(doc);
        bump_reset();
    }
    return cpu_seconds() - begin;
}

static double run_tree_arena(struct bench *bench, int pages)
{
    bump_begin();
    double seconds = run_tree(bench, pages);
    bump_end();
    return seconds;
}

static struct page_input input_of(const struct bench *bench, int i)
{
    return (struct page_input){.body = strbuf_str(&bench->pages[i]), .content_type = GT_STR("text/html; charset=utf-8")};
}

static uint64_t hash_pages(struct bench *bench, int pages)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < pages; i++) {
        struct extraction found;
        struct page_input page = input_of(bench, i);
        arena_clear(bench->arena);
        if (page_extract(bench->rules, &page, bench->arena, &found, NULL) != GT_OK) fail("a page could not be read");
        hash = hash_listings(hash, &found);
    }
    return hash;
}

static double run_extract(struct bench *bench, int pages)
{
    double begin = cpu_seconds();
    for (int i = 0; i < pages; i++) {
        struct extraction found;
        struct gt_errinfo info = {0};
        struct page_input page = input_of(bench, i);
        arena_clear(bench->arena);
        if (page_extract(bench->rules, &page, bench->arena, &found, &info) != GT_OK || found.count != BENCH_PAGE_OFFERS) fail(info.text);
    }
    return cpu_seconds() - begin;
}

/* What a crawl does: in the jail, the start and end of its workers included. With `reads`, on to offers. */
static double run_in_jail(struct bench *bench, int pages, bool reads)
{
    struct jail *jail = NULL;
    struct gt_errinfo info = {0};
    const struct site_rules *const rules[] = {bench->rules};
    double begin = cpu_seconds();
    if (jail_new(rules, 1, &jail, &info) != GT_OK) fail(info.text);
    for (int i = 0; i < pages; i++) {
        struct extraction found;
        struct reading reading;
        struct page_input page = input_of(bench, i);
        arena_clear(bench->arena);
        if (jail_page_extract(jail, bench->rules, &page, bench->arena, &found, &info) != GT_OK || found.count != BENCH_PAGE_OFFERS) fail(info.text);
        if (reads && listing_read(found.listings, found.count, &bench->facts, GT_STR("page"), bench->arena, &reading) != GT_OK)
            fail("a page could not be read");
    }
    jail_free(jail);
    return cpu_seconds() - begin;
}

static double run_jail(struct bench *bench, int pages)
{
    return run_in_jail(bench, pages, false);
}

static double run_read(struct bench *bench, int pages)
{
    return run_in_jail(bench, pages, true);
}

/* ---- peers in other languages ---- */

/* Runs a peer over the first pages; it prints its seconds (without the start of its interpreter), the number of offers and the hash.
 * Below 0 when it is not installed. */
static double run_script(const struct bench *bench, const char *mode, int pages, uint64_t wanted)
{
    char command[COMMAND_MAX], line[LINE_MAX_BYTES] = "";
    double seconds = -1;
    long offers = 0;
    unsigned long long hash = 0;
    snprintf(command, sizeof command, "/usr/bin/python3 bench/parse_peers.py %s %s %d", mode, bench->folder, pages);
    FILE *out = popen(command, "r");
    if (out == NULL) fail("no shell for the peers");
    bool is_told = fgets(line, sizeof line, out) != NULL;
    int status = pclose(out);
    if (!is_told || status != 0) return -1;
    if (sscanf(line, "%lf %ld %llx", &seconds, &offers, &hash) != 3) fail("a peer says something else than was agreed");
    if (offers != (long)pages * BENCH_PAGE_OFFERS || hash != wanted) fail("a peer reads other cells than we do");
    return seconds;
}

/* ---- the table ---- */

static const struct peer {
    const char *name;
    double (*run)(struct bench *bench, int pages);
    const char *script;
    int pages; /* slow peers get fewer of the same */
    const char *goal;
} PEERS[] = {
    {"libxml2 tree, arena", run_tree_arena, NULL, PAGES, ""},
    {"libxml2 tree, malloc", run_tree, NULL, PAGES, ""},
    {"gputape, in process", run_extract, NULL, PAGES, ""},
    {"gputape, in its jail", run_jail, NULL, PAGES, ">= 0.9 of libxml2 tree, arena"},
    {"gputape, on to offers", run_read, NULL, PAGES, ""},
    {"lxml, XPath", NULL, "lxml", 400, "ours >= 3 x"},
    {"parsel, XPath", NULL, "parsel", 200, "ours >= 6 x"},
    {"BeautifulSoup, lxml", NULL, "bs4", 60, "ours >= 20 x"},
};
enum { PEER_COUNT = sizeof PEERS / sizeof PEERS[0], BASE = 0, IN_PROCESS = 2, OURS = 3 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void page_files_write(struct bench *bench)
{
    snprintf(bench->folder, sizeof bench->folder, "/tmp/gputape-bench-XXXXXX");
    if (mkdtemp(bench->folder) == NULL) fail("no folder for the pages");
    for (int i = 0; i < PAGES; i++) {
        char path[COMMAND_MAX];
        snprintf(path, sizeof path, "%s/%d.html", bench->folder, i);
        FILE *file = fopen(path, "w");
        if (file == NULL || fwrite(bench->pages[i].ptr, 1, bench->pages[i].len, file) != bench->pages[i].len || fclose(file) != 0)
            fail("the pages could not be written");
    }
}

static void page_files_remove(const struct bench *bench)
{
    for (int i = 0; i < PAGES; i++) {
        char path[COMMAND_MAX];
        snprintf(path, sizeof path, "%s/%d.html", bench->folder, i);
        unlink(path);
    }
    rmdir(bench->folder);
}

static void setup(struct bench *bench, int rounds)
{
    struct gt_errinfo info = {0};
    size_t bytes = 0;
    for (int i = 0; i < PAGES; i++) {
        strbuf_init(&bench->pages[i], BENCH_PAGE_BYTES_MAX);
        bench_page_write((uint32_t)i % SITES, (uint32_t)i, &bench->pages[i]);
        bytes += bench->pages[i].len;
    }
    bench->conf = conf_new();
    bench->arena = arena_new(ARENA_BYTES_MAX);
    if (bench->arena == NULL || conf_read_text(bench->conf, "bench", gt_str_from(bench_page_section), &info) != GT_OK) fail(info.text);
    const struct conf_section *section = conf_find(bench->conf, "site", GT_STR("bench"));
    if (site_facts_from_conf(section, &bench->facts, &info) != GT_OK || site_rules_new(section, &bench->rules, &info) != GT_OK) fail(info.text);
    page_files_write(bench);
    printf("%d pages, %zu bytes each, %d offers each; one core, %d rounds in turn, medians of CPU time\n", PAGES, bytes / PAGES,
           BENCH_PAGE_OFFERS, rounds);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static void print(double seconds[PEER_COUNT][ROUNDS_MAX], int rounds)
{
    double rate[PEER_COUNT];
    for (int p = 0; p < PEER_COUNT; p++) rate[p] = seconds[p][0] < 0 ? 0 : PEERS[p].pages / median(seconds[p], rounds);
    for (int p = 0; p < PEER_COUNT; p++) {
        if (rate[p] > 0)
            printf("%-24s %7.0f pages/s %9.0f offers/s  %5.2f of the first  ours %6.2f x  %s\n", PEERS[p].name, rate[p],
                   rate[p] * BENCH_PAGE_OFFERS, rate[p] / rate[BASE], rate[OURS] / rate[p], PEERS[p].goal);
        else printf("%-24s not run, or not installed\n", PEERS[p].name);
    }
    if (rate[IN_PROCESS] > 0 && rate[OURS] > 0) printf("the jail costs %.1f %% over reading in process\n", 100 * (rate[IN_PROCESS] / rate[OURS] - 1));
}

/* Whether the command line leaves a peer in: words behind the number of rounds name beginnings of those wanted; none, all. */
static bool is_wanted(const char *name, int argc, char **argv)
{
    bool is_named = argc <= 2;
    for (int i = 2; i < argc; i++) is_named = is_named || strncmp(name, argv[i], strlen(argv[i])) == 0;
    return is_named;
}

/* usage: bench_parse [ROUNDS [PEER…]] */
int main(int argc, char **argv)
{
    static struct bench bench;
    static double seconds[PEER_COUNT][ROUNDS_MAX];
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ROUNDS_DEFAULT;
    if (rounds < 1 || rounds > ROUNDS_MAX) fail("1 to 99 rounds");
    bump_install();
    setup(&bench, rounds);
    for (int round = 0; round < rounds; round++)
        for (int p = 0; p < PEER_COUNT; p++) {
            const struct peer *peer = &PEERS[p];
            seconds[p][round] = -1;
            if (!is_wanted(peer->name, argc, argv)) continue;
            if (peer->run != NULL) seconds[p][round] = peer->run(&bench, peer->pages);
            else seconds[p][round] = run_script(&bench, peer->script, peer->pages, hash_pages(&bench, peer->pages));
        }
    print(seconds, rounds);
    page_files_remove(&bench);
    return 0;
}
