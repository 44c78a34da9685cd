/* Sections proposed for pages without one: the rules that are found, that they read what `auto` reads, and that a page that sells
 * nothing gets none. */
#include "parsers/propose.h"

#include "tests/unit/table.h"

enum { ARENA_BYTES = 256 * 1024 * 1024 };

struct propose_case {
    const char *name;
    const char *type; /* of the page */
    const char *page;
    const char *rules[5]; /* lines that the section must have; none: extract = auto */
    size_t offers;
};

#define ROWS_ZH                                                                                                    \
    "<tr><td>RTX 4090</td><td>24GB</td><td>1.98</td><td>1052</td></tr><tr><td>RTX 5090</td><td>32GB</td><td>2.93</td>" \
    "<td>1560</td></tr><tr><td>A800 80G</td><td>80GB</td><td>5.88</td><td>3200</td></tr>"
#define CARD(name, price) "<li class=\"gpu\"><h3>" name "</h3><p>按量计费</p><b class=\"p\">¥" price "/时</b></li>"

static const struct propose_case cases[] = {
    {"a table with marked headings", "text/html",
     "<html><body><table><tr><th>型号</th><th>显存</th><th>价格（元/时）</th><th>价格（元/月）</th></tr>" ROWS_ZH "</table></body></html>",
     {"extract = table", "rows = //table[.//th[contains(normalize-space(.), '价格（元/时）')]]//tr[td]", "label = 型号",
      "price.hour = 价格（元/时）", "price.month = 价格（元/月）"},
     3},
    {"a table whose headings are cells", "text/html",
     "<html><body><table><tr><td>型号</td><td>显存</td><td>元/时</td><td>元/月</td></tr>" ROWS_ZH "</table></body></html>",
     {"extract = table", "label = 型号"}, 3},
    {"one of two tables", "text/html",
     "<html><body><table><tr><th>组件</th><th>单价</th></tr><tr><td>系统盘</td><td>0.5 元/GB</td></tr></table>"
     "<table id=\"gpu\"><tr><th>型号</th><th>显存</th><th>价格（元/时）</th><th>价格（元/月）</th></tr>" ROWS_ZH "</table></body></html>",
     {"rows = //table[@id='gpu']//tr[td]", "label = 型号"}, 3},
    {"a table that lies on its side", "text/html",
     "<html><body><table><tr><th>型号</th><td>RTX 4090</td><td>RTX 5090</td><td>A800 80G</td></tr>"
     "<tr><th>元/小时</th><td>1.98</td><td>2.93</td><td>5.88</td></tr></table></body></html>",
     {"transposed = yes", "label = 型号"}, 3},
    {"models in headings above", "text/html",
     "<html><body><h2>RTX 4090</h2><table><tr><th>配置</th><th>元/小时</th></tr><tr><td>1卡</td><td>1.98</td></tr><tr><td>2卡</td>"
     "<td>3.96</td></tr></table><h2>H20 96G</h2><table><tr><th>配置</th><th>元/小时</th></tr><tr><td>1卡</td><td>7.75</td></tr>"
     "<tr><td>2卡</td><td>15.50</td></tr></table></body></html>",
     {"variant = preceding::h2[1]"}, 4},
    {"cards", "text/html",
     "<html><body><h1>显卡租用价格</h1><ul>" CARD("RTX 4090", "1.98") CARD("RTX 5090", "2.93") CARD("L40S 48G", "4.98") "</ul></body></html>",
     {"extract = table", "rows = //li[@class='gpu']", "label = .//h3", "price = .//b[@class='p']"}, 3},
    {"a list of definitions", "text/html",
     "<html><body><h1>GPU rental rates</h1><dl><dt>Tesla V100 32 GB</dt><dd>$1.40 per hour</dd><dt>A100 40 GB</dt><dd>$2.10 per hour</dd>"
     "<dt>H100 80 GB</dt><dd>$3.10 per hour</dd></dl></body></html>",
     {"rows = //dt", "label = .", "price = following-sibling::*[1]"}, 3},
    {"JSON", "application/json",
     "{\"code\":0,\"data\":{\"list\":[{\"gpu\":\"RTX 4090\",\"gpu_num\":1,\"pricePerHour\":1.98},{\"gpu\":\"RTX 5090\",\"gpu_num\":1,"
     "\"pricePerHour\":2.93},{\"gpu\":\"A800 80G\",\"gpu_num\":8,\"pricePerHour\":47.04}]}}",
     {"extract = json", "rows = .data.list[] | {label: .gpu, ", "\"price.hour\": .pricePerHour"}, 3},
    {"JSON in a script", "text/html",
     "<html><body><div id=\"root\"></div><script id=\"__NEXT_DATA__\" type=\"application/json\">{\"props\":{\"items\":[{\"name\":\"RTX 4090\","
     "\"price\":\"¥1.98/时\"},{\"name\":\"RTX 5090\",\"price\":\"¥2.93/时\"},{\"name\":\"A800 80G\",\"price\":\"¥5.88/时\"}]}}</script></body></html>",
     {"extract = json", "json_in = //script[@id='__NEXT_DATA__']", "rows = .props.items[] | {label: .name, price: .price}"}, 3},
    {"JSON that a script assigns", "text/html",
     "<html><body><div id=\"root\"></div><script>window.PRICES = [{\"name\":\"RTX 4090\",\"price\":\"¥1.98/时\"},{\"name\":\"RTX 5090\","
     "\"price\":\"¥2.93/时\"},{\"name\":\"A800 80G\",\"price\":\"¥5.88/时\"}];</script></body></html>",
     {"extract = json", "json_var = PRICES"}, 3},
    {"JSON with cards for keys", "application/json",
     "{\"gpu\":{\"A100-80GB\":{\"on_demand\":\"$1.89/hr\"},\"H100-80GB\":{\"on_demand\":\"$2.69/hr\"},\"L40S\":{\"on_demand\":\"$0.79/hr\"}}}",
     {"rows = .gpu | to_entries[] | {label: (.key | gsub(\"[-_]\"; \" \")), price: .value.on_demand}"}, 3},
    {"JSON in arrays within members, which name the card", "application/json",
     "{\"providers\":[{\"gpus\":[{\"model\":\"H100-SXM\",\"pricing\":[{\"count\":1,\"type\":\"on-demand\",\"hourly\":2.99},{\"count\":8,\"type\":"
     "\"on-demand\",\"hourly\":23.92}]},{\"model\":\"A10\",\"pricing\":[{\"count\":1,\"type\":\"on-demand\",\"hourly\":0.75}]}]}]}",
     {"rows = .providers[].gpus[] | . as $p | .pricing[] | {label: $p.model", "\"price.hour\": .hourly"}, 3},
    {"what all offers have alike is said once", "application/json",
     "{\"providers\":[{\"name\":\"Alpha\",\"gpus\":[{\"model\":\"H100-SXM\",\"pricing\":[{\"count\":1,\"type\":\"on-demand\",\"hourly\":2.99},"
     "{\"count\":8,\"type\":\"on-demand\",\"hourly\":23.92}]},{\"model\":\"A10\",\"pricing\":[{\"count\":1,\"type\":\"on-demand\",\"hourly\":0.75}]}]}]}",
     {"tier = on-demand", "variant: \"Alpha\""}, 3},
    {"JSON in cents", "application/json",
     "[{\"gpuType\":\"h100\",\"gpuCount\":8,\"costPerHourCents\":2392},{\"gpuType\":\"h200\",\"gpuCount\":1,\"costPerHourCents\":371},"
     "{\"gpuType\":\"a100\",\"gpuCount\":2,\"costPerHourCents\":276}]",
     {"label: .gpuType", "\"price.hour\": (.costPerHourCents / 100)"}, 3},
    {"markdown", "text/markdown",
     "# GPU rental prices\n\n| GPU | Memory | Price per hour |\n|---|---|---|\n| H100 | 80 GB | $2.99 |\n| A100 | 80 GB | $1.89 |\n| L40S | 48 GB | $0.99 |\n",
     {"extract = markdown", "label = GPU", "price = Price per hour"}, 3},
    {"rows that are no cards are skipped", "application/json",
     "[{\"name\":\"RTX 4090\",\"hourly_price\":\"$0.69/hr\"},{\"name\":\"RTX 5090\",\"hourly_price\":\"$0.99/hr\"},{\"name\":\"H100\",\"hourly_price\":"
     "\"$2.99/hr\"},{\"name\":\"Nanode (1)\",\"hourly_price\":\"$0.01/hr\"}]",
     {"skip = Nanode \\(1\\)"}, 3},
    {"prose has no rules", "text/plain", "8*910B - 15000/月\n8*H100 - 75000/月\n8*H800 - 68000/月\n", {NULL}, 3},
};

static enum gt_err propose(const struct propose_case *row, struct arena *arena, struct proposal *ret, struct gt_errinfo *info)
{
    struct page_input page = {.body = gt_str_from(row->page), .content_type = gt_str_from(row->type)};
    return section_propose(&page, GT_STR(""), arena, ret, info);
}

static void check_case(void **state)
{
    const struct propose_case *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct conf *conf = conf_new();
    struct proposal proposal = {0};
    struct gt_errinfo info = {0};
    bool is_same = false;
    if (propose(row, arena, &proposal, &info) != GT_OK) fail_msg("%s", info.text);
    assert_int_equal(proposal.offers, row->offers);
    assert_int_equal(proposal.is_auto, row->rules[0] == NULL);
    for (size_t i = 0; i < 5 && row->rules[i] != NULL; i++)
        if (gt_str_find(proposal.rules, gt_str_from(row->rules[i]), 0) == SIZE_MAX)
            fail_msg("no \"%s\" in:\n%.*s", row->rules[i], GT_STR_ARG(proposal.rules));
    /* What is proposed is a section, and it reads the page as auto does. */
    struct gt_str text = arena_printf(arena, "[site x]\n%.*s", GT_STR_ARG(proposal.rules));
    struct page_input page = {.body = gt_str_from(row->page), .content_type = gt_str_from(row->type)};
    if (conf_read_text(conf, "x.conf", text, &info) != GT_OK) fail_msg("%s", info.text);
    assert_int_equal(section_is_like_auto(conf_find(conf, "site", GT_STR("x")), &page, GT_STR(""), arena, &is_same, &info), GT_OK);
    assert_true(is_same);
    conf_free(conf);
    arena_free(arena);
}

/* Sections that do not read what auto reads are told from those that do. */
struct other_case {
    const char *name;
    const char *section;
    bool is_same;
};

static const struct other_case others[] = {
    {"the right rules", "currency = CNY\nextract = table\nlabel = 型号\nprice = 元/小时", true},
    {"another column for the label", "currency = CNY\nextract = table\nlabel = 显存\nprice = 元/小时", false},
    {"another column for the price", "currency = CNY\nextract = table\nlabel = 型号\nprice = 元/天", false},
    {"another currency", "currency = USD\nextract = table\nlabel = 型号\nprice = 元/小时", true},
    {"rows that are not there", "currency = CNY\nextract = table\nrows = //div\nlabel = .//a\nprice = .//b", false},
    {"auto itself", "currency = CNY\nextract = auto", true},
};

static void check_other(void **state)
{
    static const char page_text[] = "<html><body><table><tr><th>型号</th><th>显存</th><th>元/小时</th></tr><tr><td>RTX 4090</td><td>24GB</td>"
                                    "<td>1.98</td></tr><tr><td>RTX 5090</td><td>32GB</td><td>2.93</td></tr></table></body></html>";
    const struct other_case *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    bool is_same = !row->is_same;
    struct page_input page = {.body = gt_str_from(page_text), .content_type = GT_STR("text/html")};
    struct gt_str text = arena_printf(arena, "[site x]\n%s\n", row->section);
    if (conf_read_text(conf, "x.conf", text, &info) != GT_OK) fail_msg("%s", info.text);
    enum gt_err err = section_is_like_auto(conf_find(conf, "site", GT_STR("x")), &page, GT_STR("CNY"), arena, &is_same, &info);
    if (err != GT_OK) fail_msg("%s", info.text);
    assert_int_equal(is_same, row->is_same);
    conf_free(conf);
    arena_free(arena);
}

/* Pages from which nothing can be proposed. */
struct nothing_case {
    const char *name;
    const char *type;
    const char *page;
};

static const struct nothing_case nothings[] = {
    {"an empty page", "text/html", ""},
    {"news", "text/html", "<html><body><p>NVIDIA 发布了 RTX 5090，售价 16499 元。</p></body></html>"},
    {"a shop", "text/html", "<html><body><ul><li>RTX 4090 显卡 ¥12999</li><li>RTX 5090 显卡 ¥16499</li></ul></body></html>"},
    {"half a table", "text/html", "<html><body><table><tr><th>型号</th><th>价格"},
    {"broken JSON", "application/json", "{\"list\":[{\"gpu\":\"RTX 4090\",\"price\":"},
    {"quotes and brackets", "text/html", "<html><body><table><tr><th>'\"]</th></tr><tr><td>'\"]</td></tr></table></body></html>"},
};

static void check_nothing(void **state)
{
    const struct nothing_case *row = *state;
    struct arena *arena = arena_new(ARENA_BYTES);
    struct proposal proposal = {.offers = 77};
    struct gt_errinfo info = {0};
    struct page_input page = {.body = gt_str_from(row->page), .content_type = gt_str_from(row->type)};
    enum gt_err err = section_propose(&page, GT_STR(""), arena, &proposal, &info);
    assert_true(err == GT_ENOROWS || err == GT_EFORMAT);
    assert_true(info.text[0] != '\0');
    assert_int_equal(proposal.offers, 77);
    arena_free(arena);
}

/* Whole pages cut anywhere, and bytes turned: an answer or an error, and what is proposed has been run. */
static void check_cut(void **state)
{
    const struct propose_case *row = *state;
    size_t len = strlen(row->page);
    for (size_t cut = 0; cut < len; cut += 1 + len / 24) {
        struct arena *arena = arena_new(ARENA_BYTES);
        struct proposal proposal = {0};
        struct gt_errinfo info = {0};
        char *copy = strndup(row->page, len);
        copy[cut] = "<>\"'{}[]|\\\n"[cut % 11];
        struct page_input page = {.body = {copy, cut % 2 == 0 ? cut : len}, .content_type = gt_str_from(row->type)};
        enum gt_err err = section_propose(&page, GT_STR(""), arena, &proposal, &info);
        assert_true(err != GT_OK || proposal.rules.len > 0);
        free(copy);
        arena_free(arena);
    }
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cases, check_case) + TABLE_RUN(others, check_other) + TABLE_RUN(nothings, check_nothing) +
           TABLE_RUN(cases, check_cut);
}
