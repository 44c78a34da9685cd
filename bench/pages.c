#include "bench/pages.h"

const char *const bench_page_section = "[site bench]\n"
                                       "url = https://bench.example/\n"
                                       "currency = CNY\n"
                                       "extract = table\n"
                                       "rows = //table[@id='offers']/tbody/tr\n"
                                       "label = td[1]\n"
                                       "vram = td[2]\n"
                                       "price.hour = td[3]\n"
                                       "price.month = td[4]\n"
                                       "discount = td[5]\n"
                                       "stock = td[6]\n";

static const char *const cards[] = {"RTX 4090", "RTX 3090",   "A100 80GB", "H100 SXM5", "昇腾910B", "H20 96GB", "L40S", "A10",
                                    "T4",       "RTX A6000",  "V100 32GB", "H800",      "A800 80G", "L20",      "RTX 5090", "MTT S4000"};

/* A small generator of our own: the pages must be the same on every machine. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void write_navigation(struct strbuf *page)
{
    strbuf_adds(page, "<!DOCTYPE html><html lang=\"zh\"><head><meta charset=\"utf-8\"><title>价格</title><style>");
    for (int i = 0; i < 220; i++) strbuf_addf(page, ".c%d-%d{padding:%dpx;color:#%06x}", i, i * 7, i % 16, (unsigned)i * 4099u);
    strbuf_adds(page, "</style></head><body><nav><ul>");
    for (int i = 0; i < 30; i++) strbuf_addf(page, "<li class=\"nav c%d\"><a href=\"/p/%d?ref=top&amp;x=%d\">产品 %d</a>", i, i, i, i);
    strbuf_adds(page, "</ul></nav><main class=\"wrap grid\"><h1>GPU 算力价格</h1><p>按小时计费,按月更优惠。</p>");
}

static void write_row(struct strbuf *page, uint32_t row, uint32_t *state)
{
    uint32_t hour_fen = 50 + next_random(state) % 2500;
    uint32_t month_yuan = hour_fen * 720 / 100 * 7 / 10;
    const char *card = cards[row % (sizeof cards / sizeof cards[0])];
    strbuf_addf(page,
                "<tr class=\"offer row-%u c%u\" data-id=\"%u\"><td class=\"name cell\"><strong>%s</strong> <span class=\"tag tag-%u\">"
                "容器 %u</span></td><td class=\"vram cell\">%u GB</td>",
                row, row % 7, next_random(state), card, row % 5, row, 16 + row % 5 * 8);
    strbuf_addf(page,
                "<td class=\"price-hr cell num\">&yen;%u.%02u<small>/小时</small></td><td class=\"price-mo cell num\">&yen;%u"
                "<small>/月</small></td>",
                hour_fen / 100, hour_fen % 100, month_yuan);
    strbuf_addf(page,
                "<td class=\"discount cell\">包年 %u.5 折</td><td class=\"stock cell\">%s</td><td class=\"go cell\"><a class=\"btn btn-%u "
                "btn-primary\" href=\"/order/%u\">立即购买</a></td></tr>\n",
                6 + row % 3, row % 9 == 4 ? "售罄" : "有货", row % 4, next_random(state));
}

static void write_footer(struct strbuf *page)
{
    strbuf_adds(page, "</tbody></table><section class=\"faq\">");
    for (int i = 0; i < 60; i++)
        strbuf_addf(page,
                    "<details class=\"qa c%d\"><summary>常见问题 %d?</summary><p>实例创建后开始计费,关机后停止计费;"
                    "数据盘单独计费,详见<a href=\"/docs/%d\">文档</a>。发票、退款和续费请联系客服,工作日九点到十八点。</p></details>",
                    i, i, i);
    strbuf_adds(page, "</section></main><footer>备案号 0000 号</footer></body></html>\n");
}

void bench_page_write(uint32_t site, uint32_t page, struct strbuf *ret_page)
{
    uint32_t state = site * 2654435761u + page * 40503u + 20260101u;
    strbuf_clear(ret_page);
    write_navigation(ret_page);
    strbuf_adds(ret_page, "<table id=\"offers\" class=\"table\"><thead><tr><th>型号</th><th>显存</th><th>按量价格</th><th>包月价格</th>"
                          "<th>优惠</th><th>库存</th><th></th></tr></thead><tbody>\n");
    for (uint32_t row = 0; row < BENCH_PAGE_OFFERS; row++) write_row(ret_page, row, &state);
    write_footer(ret_page);
}
