/* bench decode: pages unpacked by net/decode (libdeflate, brotli, zstd) beside zlib's inflate into a buffer of the right size, in turn. Medians of
 * CPU time; a ratio above 1 says how many times faster than zlib on the same gzip. */
#define ZLIB_CONST /* input is read only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#include "bench/pages.h"
#include "net/decode.h"

enum { PAGES = 64, ROUNDS = 15, PASSES = 8, WINDOW_GZIP = 16 + MAX_WBITS };

struct page {
    struct strbuf plain;
    char *gzip, *zstd;
    size_t gzip_len, zstd_len;
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_decode: %s\n", what);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void page_make(struct page *page, uint32_t number)
{
    z_stream stream = {0};
    strbuf_init(&page->plain, BENCH_PAGE_BYTES_MAX);
    bench_page_write(1, number, &page->plain);
    size_t bound = ZSTD_compressBound(page->plain.len);
    page->gzip = malloc(bound);
    page->zstd = malloc(bound);
    if (page->gzip == NULL || page->zstd == NULL || deflateInit2(&stream, 6, Z_DEFLATED, WINDOW_GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK) fail("out of memory");
    stream.next_in = (const Bytef *)page->plain.ptr;
    stream.avail_in = (uInt)page->plain.len;
    stream.next_out = (Bytef *)page->gzip;
    stream.avail_out = (uInt)bound;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) fail("gzip");
    page->gzip_len = stream.total_out;
    deflateEnd(&stream);
    page->zstd_len = ZSTD_compress(page->zstd, bound, page->plain.ptr, page->plain.len, 3);
}

/* The peer: inflate into a buffer whose size is known beforehand, checksum included. */
static void zlib_unpack(const struct page *page)
{
    z_stream stream = {.next_in = (const Bytef *)page->gzip, .avail_in = (uInt)page->gzip_len};
    char *out = malloc(page->plain.len);
    if (out == NULL || inflateInit2(&stream, WINDOW_GZIP) != Z_OK) fail("out of memory");
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)page->plain.len;
    if (inflate(&stream, Z_FINISH) != Z_STREAM_END || memcmp(out, page->plain.ptr, page->plain.len) != 0) fail("zlib gives other bytes");
    inflateEnd(&stream);
    free(out);
}

/* With one decoder for all pages, as the client has. */
static void own_unpack(struct decoder *decoder, const struct page *page, const char *coding)
{
    struct gt_str wire = coding[0] == 'g' ? (struct gt_str){page->gzip, page->gzip_len} : (struct gt_str){page->zstd, page->zstd_len};
    struct gt_errinfo info = {0};
    char *out = NULL;
    size_t len = 0;
    if (decode_body(decoder, gt_str_from(coding), wire, BENCH_PAGE_BYTES_MAX, &out, &len, &info) != GT_OK) fail(info.text);
    if (len != page->plain.len || memcmp(out, page->plain.ptr, len) != 0) fail("decode gives other bytes");
    free(out);
}

int main(void)
{
    static const char *const names[] = {"zlib", "gzip", "zstd"};
    static struct page pages[PAGES];
    double seconds[3][ROUNDS];
    size_t bytes = 0;
    struct decoder *decoder = decoder_new();
    if (decoder == NULL) fail("out of memory");
    for (uint32_t i = 0; i < PAGES; i++) page_make(&pages[i], i);
    for (size_t i = 0; i < PAGES; i++) bytes += pages[i].plain.len * PASSES;
    for (int round = 0; round < ROUNDS; round++) {
        for (int who = 0; who < 3; who++) {
            double begin = cpu_seconds();
            for (int i = 0; i < PAGES * PASSES; i++) {
                if (who == 0) zlib_unpack(&pages[i % PAGES]);
                else own_unpack(decoder, &pages[i % PAGES], names[who]);
            }
            seconds[who][round] = cpu_seconds() - begin;
        }
    }
    decoder_free(decoder);
    for (int who = 0; who < 3; who++) qsort(seconds[who], ROUNDS, sizeof(double), by_value);
    double peer = seconds[0][ROUNDS / 2];
    printf("%zu pages of %zu bytes, %zu as gzip\n", (size_t)PAGES, pages[0].plain.len, pages[0].gzip_len);
    printf("zlib inflate           %7.0f MB/s\n", (double)bytes / 1e6 / peer);
    printf("decode gzip            %7.0f MB/s   %.2f x zlib\n", (double)bytes / 1e6 / seconds[1][ROUNDS / 2], peer / seconds[1][ROUNDS / 2]);
    printf("decode zstd            %7.0f MB/s   %.2f x zlib on gzip\n", (double)bytes / 1e6 / seconds[2][ROUNDS / 2], peer / seconds[2][ROUNDS / 2]);
    return 0;
}
