/* Writes the pages of the fetch and pipeline benches: FOLDER/SSS/pPP.html.gz, packed as servers pack them, and a list of addresses.
 * usage: make_pages FOLDER SITES PAGES PORT   Site s is 127.0.(1 + s / 200).(1 + s % 200), or siteSSS.bench.example. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include "bench/pages.h"

enum { PATH_BYTES_MAX = 4096, NUMBER_MAX = 100000, PAGE_BYTES = 60 * 1024, FILL_BYTES = 200 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* More questions and answers behind the page, to the size that pricing pages have. */
static void page_fill(struct strbuf *page)
{
    for (int i = 0; page->len + FILL_BYTES < PAGE_BYTES; i++)
        strbuf_addf(page,
                    "<details class=\"more c%d\"><summary>Question %d about plan %d?</summary><p>Instances are billed while they run; "
                    "disks are billed apart, see <a href=\"/docs/more/%d\">the manual</a>.</p></details>\n",
                    i % 7, i, i * 37 % 101, i);
}

static void page_write(const char *path, struct gt_str page)
{
    gzFile file = gzopen(path, "wb6");
    if (file == NULL || gzwrite(file, page.ptr, (unsigned)page.len) != (int)page.len || gzclose(file) != Z_OK) fail(path);
}

static uint32_t number(const char *text)
{
    long value = strtol(text, NULL, 10);
    if (value < 1 || value > NUMBER_MAX) fail("not a number from 1 on");
    return (uint32_t)value;
}

/* One address a line, sites in turn, as a crawler meets them. */
static void list_write(const char *folder, const char *name, uint32_t sites, uint32_t pages, const char *port)
{
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) fail(path);
    for (uint32_t p = 0; p < pages; p++)
        for (uint32_t s = 0; s < sites; s++) {
            if (port != NULL) fprintf(file, "http://127.0.%u.%u:%s", 1 + s / 200, 1 + s % 200, port);
            else fprintf(file, "http://site%03u.bench.example", s);
            fprintf(file, "/%03u/p%02u.html\n", s, p);
        }
    if (fclose(file) != 0) fail(path);
}

int main(int argc, char **argv)
{
    struct strbuf page;
    size_t bytes = 0;
    char path[PATH_BYTES_MAX];
    if (argc != 5) {
        fprintf(stderr, "usage: make_pages FOLDER SITES PAGES PORT\n");
        return 2;
    }
    uint32_t sites = number(argv[2]), pages = number(argv[3]);
    strbuf_init(&page, BENCH_PAGE_BYTES_MAX);
    for (uint32_t s = 0; s < sites; s++) {
        snprintf(path, sizeof path, "%s/%03u", argv[1], s);
        if (mkdir(path, 0755) != 0) fail(path);
        for (uint32_t p = 0; p < pages; p++) {
            bench_page_write(s, p, &page);
            page_fill(&page);
            snprintf(path, sizeof path, "%s/%03u/p%02u.html.gz", argv[1], s, p);
            page_write(path, strbuf_str(&page));
            bytes += page.len;
        }
    }
    list_write(argv[1], "addresses", sites, pages, argv[4]);
    list_write(argv[1], "names", sites, pages, NULL);
    size_t count = (size_t)sites * pages;
    printf("%zu pages of %zu bytes\n", count, bytes / count);
    strbuf_done(&page);
    return 0;
}
