/* A month of hourly fetches of one page whose prices move, as a crawl archives them: for the tests of packing and its benchmark. The same
 * numbers give the same pages everywhere. */
#ifndef GT_TESTS_UNIT_CRAWLER_MONTH_H
#define GT_TESTS_UNIT_CRAWLER_MONTH_H

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "common/civil.h"
#include "common/digest.h"
#include "crawler/warc.h"

enum { MONTH_ROWS = 40, MONTH_HOURS = 720, MONTH_MOVES_PERMILLE = 20, MONTH_PAGE_BYTES_MAX = 256 * 1024 };

#define MONTH_START ((int64_t)1788220800) /* 2026-09-01T00:00:00Z */

/* A site's page: 40 cards, two prices each. */
struct month_page {
    uint32_t state;
    uint32_t hour_fen[MONTH_ROWS], month_yuan[MONTH_ROWS];
};

static uint32_t month_random(struct month_page *page)
{
    page->state = page->state * 1664525u + 1013904223u;
    return page->state >> 8;
}

static void month_begin(uint32_t site, struct month_page *page)
{
    page->state = site * 2654435761u + 20260901u;
    for (int i = 0; i < MONTH_ROWS; i++) {
        page->hour_fen[i] = 50 + month_random(page) % 2500;
        page->month_yuan[i] = page->hour_fen[i] * 5;
    }
}

/* Each of the 80 prices moves with a chance of 2 % an hour. */
static void month_move(struct month_page *page)
{
    for (int i = 0; i < MONTH_ROWS; i++) {
        if (month_random(page) % 1000 < MONTH_MOVES_PERMILLE) page->hour_fen[i] = 50 + month_random(page) % 2500;
        if (month_random(page) % 1000 < MONTH_MOVES_PERMILLE) page->month_yuan[i] = 300 + month_random(page) % 20000;
    }
}

/* About 60 KiB. Token, nonce, time and request id are others each time, as on real pages. */
static void month_print(struct month_page *page, uint32_t site, int64_t t_unix_s, struct strbuf *out)
{
    char date[CIVIL_TEXT_MAX];
    strbuf_clear(out);
    strbuf_adds(out, "<!DOCTYPE html><html lang=\"zh\"><head><meta charset=\"utf-8\"><title>GPU 算力价格</title><style>");
    for (unsigned i = 0; i < 260; i++)
        strbuf_addf(out, ".m%u-%u{padding:%upx %upx;color:#%06x}", i, i * 7 + site, i % 16, i % 11,
                    (i * 4099u + site * 77u) & 0xFFFFFF);
    strbuf_addf(
        out, "</style><meta name=\"csrf\" content=\"%08x%08x\"><script nonce=\"%08x\">boot(\"%s\",%u)</script></head><body><nav>",
        month_random(page), month_random(page), month_random(page), civil_rfc3339(t_unix_s, date), month_random(page));
    for (unsigned i = 0; i < 30; i++)
        strbuf_addf(out, "<li class=\"nav c%u\"><a href=\"/p/%u?ref=top&amp;x=%u\">产品 %u</a>", i, i, i, i);
    strbuf_adds(out, "</nav><table id=\"offers\"><tr><th>型号</th><th>按量</th><th>包月</th></tr>");
    for (unsigned i = 0; i < MONTH_ROWS; i++) {
        strbuf_addf(out,
                    "<tr class=\"offer row-%u c%u\" data-id=\"%u\"><td class=\"name cell\"><strong>RTX %u</strong> <span "
                    "class=\"tag\">容器 "
                    "%u</span></td><td class=\"price-hr cell num\">&yen;%u.%02u<small>/小时</small></td>",
                    i, i % 7, i * 7919 + site, 3050 + i * 10, i, page->hour_fen[i] / 100, page->hour_fen[i] % 100);
        strbuf_addf(
            out,
            "<td class=\"price-mo cell num\">&yen;%u<small>/月</small></td><td class=\"stock\">有货</td><td class=\"go cell\"><a "
            "class=\"btn btn-primary\" href=\"/order/%u\">立即购买</a></td></tr>\n",
            page->month_yuan[i], i * 104729 + site);
    }
    strbuf_adds(out, "</table><section class=\"faq\">");
    for (unsigned i = 0; i < 90; i++)
        strbuf_addf(
            out,
            "<details class=\"qa c%u\"><summary>常见问题 %u?</summary><p>实例创建后开始计费,关机后停止计费;数据盘单独计费,详见"
            "<a href=\"/docs/%u\">文档</a>。发票、退款和续费请联系客服,工作日九点到十八点。</p></details>",
            i, i * 31 % 97, i * 17);
    strbuf_addf(out, "</section><footer>请求 %08x</footer></body></html>\n", month_random(page));
}

/* As a server sends it: gzip by zlib, level 6. *ret_packed is malloc'ed. */
static size_t month_gzip(struct gt_str plain, char **ret_packed)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)plain.ptr, .avail_in = (uInt)plain.len};
    *ret_packed = malloc(plain.len + 1024);
    stream.next_out = (Bytef *)*ret_packed;
    stream.avail_out = (uInt)plain.len + 1024;
    if (*ret_packed == NULL || deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    deflateEnd(&stream);
    return stream.total_out;
}

/* One fetch: response, request, outcome. False when the archive does not take it. */
static bool month_fetch_write(struct warc_writer *writer, uint32_t site, int64_t t_unix_s, struct gt_str body, bool is_gzip)
{
    char uri[64], head[256], request[256], fields[1024], hex[SHA256_HEX_MAX], date[CIVIL_TEXT_MAX];
    uint8_t sha256[SHA256_BYTES];
    struct warc_place place, other;
    struct gt_errinfo info = {0};
    snprintf(uri, sizeof uri, "https://site%u.example/pricing", site);
    snprintf(head, sizeof head,
             "HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Type: text/html; charset=utf-8\r\n%sContent-Length: %zu\r\n\r\n",
             civil_rfc3339(t_unix_s, date), is_gzip ? "Content-Encoding: gzip\r\n" : "", body.len);
    struct warc_record record = {.type = WARC_RESPONSE,
                                 .target_uri = gt_str_from(uri),
                                 .t_unix_s = t_unix_s,
                                 .address = GT_STR("203.0.113.7"),
                                 .content_type = GT_STR("application/http;msgtype=response"),
                                 .head = gt_str_from(head),
                                 .body = body};
    if (warc_write(writer, &record, &place, &info) != GT_OK) return false;
    snprintf(request, sizeof request,
             "GET /pricing HTTP/1.1\r\nHost: site%u.example\r\nUser-Agent: gputape/bench\r\nAccept: */*\r\n\r\n", site);
    record = (struct warc_record){.type = WARC_REQUEST,
                                  .target_uri = gt_str_from(uri),
                                  .t_unix_s = t_unix_s,
                                  .concurrent_to = gt_str_from(place.record_id),
                                  .content_type = GT_STR("application/http;msgtype=request"),
                                  .head = gt_str_from(request)};
    if (warc_write(writer, &record, &other, &info) != GT_OK || digest_sha256(body, sha256) != GT_OK) return false;
    digest_hex(sha256, sizeof sha256, hex);
    int len = snprintf(
        fields, sizeof fields,
        "gputape-outcome: run\r\ngputape-site: site%u\r\ngputape-run-start: %s\r\nfetchTimeMs: %u\r\ngputape-status: ok\r\n"
        "gputape-http-code: 200\r\ngputape-body-sha256: %s\r\ngputape-rows-found: 40\r\ngputape-page: %s %s\r\n",
        site, date, 40 + (unsigned)(t_unix_s / 3600 % 60), hex, place.record_id, uri);
    record = (struct warc_record){.type = WARC_METADATA,
                                  .target_uri = gt_str_from(uri),
                                  .t_unix_s = t_unix_s,
                                  .refers_to = gt_str_from(place.record_id),
                                  .content_type = GT_STR("application/warc-fields"),
                                  .body = {fields, (size_t)len}};
    return warc_write(writer, &record, &other, &info) == GT_OK && warc_writer_sync(writer, &info) == GT_OK;
}

/* Writes `hours` fetches of `sites` pages into `folder`. The clock of the files stands at the month's beginning. Returns the bytes of the
 * pages in plain; 0 on failure. */
static int64_t month_write(const char *folder, uint32_t sites, int hours, bool is_gzip)
{
    const struct gt_clock clock = {true, MONTH_START};
    struct warc_settings settings = {.folder = folder, .clock = &clock, .software = "gputape/bench"};
    struct warc_writer *writer = NULL;
    struct gt_errinfo info = {0};
    struct month_page *pages = calloc(sites, sizeof *pages);
    struct strbuf page;
    int64_t bytes = 0;
    bool is_good = pages != NULL && warc_writer_open(&settings, &writer, NULL, &info) == GT_OK;
    strbuf_init(&page, MONTH_PAGE_BYTES_MAX);
    for (uint32_t s = 0; is_good && s < sites; s++) month_begin(s, &pages[s]);
    for (int h = 0; is_good && h < hours; h++)
        for (uint32_t s = 0; is_good && s < sites; s++) {
            int64_t t_unix_s = MONTH_START + h * 3600 + s;
            char *packed = NULL;
            month_move(&pages[s]);
            month_print(&pages[s], s, t_unix_s, &page);
            struct gt_str body = strbuf_str(&page);
            if (is_gzip) body.len = month_gzip(strbuf_str(&page), &packed);
            if (is_gzip) body.ptr = packed;
            is_good = month_fetch_write(writer, s, t_unix_s, body, is_gzip);
            bytes += (int64_t)page.len;
            free(packed);
        }
    warc_writer_close(writer);
    strbuf_done(&page);
    free(pages);
    return is_good ? bytes : 0;
}

#endif
