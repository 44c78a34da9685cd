/* Every report in every format, byte for byte. `UPDATE=1` writes the golden files anew; they are read in the diff. */
#include <locale.h>

#include "common/utf8.h"
#include "pricing/holding.h"
#include "reports/advice.h"
#include "reports/html_text.h"
#include "tests/unit/reports/capture.h"
#include "tests/unit/reports/market.h"

struct row {
    const char *name;    /* the golden file */
    const char *report, *format, *lang;
    int width;
    bool is_market;      /* two weeks of a market; else JYGPU alone */
    bool is_sample;
};

static const struct row goldens[] = {
    {"weekly-jygpu-zh-100.txt", "report", "text", "zh", 100, false, false},
    {"weekly-jygpu-en-100.txt", "report", "text", "en", 100, false, false},
    {"weekly-jygpu-zh.md", "report", "md", "zh", 0, false, false},
    {"weekly-jygpu-zh.html", "report", "html", "zh", 0, false, false},
    {"weekly-jygpu-zh.csv", "report", "csv", "zh", 0, false, false},
    {"weekly-jygpu-zh.json", "report", "json", "zh", 0, false, false},
    {"weekly-market-zh-100.txt", "report", "text", "zh", 100, true, false},
    {"weekly-market-zh-80.txt", "report", "text", "zh", 80, true, false},
    {"weekly-market-en-200.txt", "report", "text", "en", 200, true, true},
    {"weekly-market-zh.md", "report", "md", "zh", 0, true, true},
    {"weekly-market-en.html", "report", "html", "en", 0, true, true},
    {"weekly-market-zh.csv", "report", "csv", "zh", 0, true, true},
    {"weekly-market-zh.json", "report", "json", "zh", 0, true, true},
    {"weekly-market-en.md", "report", "md", "en", 0, true, true},
    {"weekly-market-zh.html", "report", "html", "zh", 0, true, true},
    {"weekly-market-en.csv", "report", "csv", "en", 0, true, true},
    {"weekly-market-en.json", "report", "json", "en", 0, true, true},
    {"corrections-market-zh-80.txt", "report", "text", "zh", 80, true, false},
    {"corrections-market-en-200.txt", "report", "text", "en", 200, true, true},
    {"corrections-market-en.md", "report", "md", "en", 0, true, false},
    {"corrections-market-zh.html", "report", "html", "zh", 0, true, true},
    {"corrections-market-zh.csv", "report", "csv", "zh", 0, true, false},
    {"corrections-market-zh.json", "report", "json", "zh", 0, true, false},
    {"published-market-zh-100.txt", "published", "text", "zh", 100, true, false},
    {"published-market-zh-80.txt", "published", "text", "zh", 80, true, false},
    {"published-market-en.md", "published", "md", "en", 0, true, false},
    {"published-market.json", "published", "json", "zh", 0, true, false},
    {"published-market.csv", "published", "csv", "zh", 0, true, false},
    {"offers-market-zh-80.txt", "offers", "text", "zh", 80, true, false},
    {"offers-market-zh-200.txt", "offers", "text", "zh", 200, true, false},
    {"offers-market-en.md", "offers", "md", "en", 0, true, false},
    {"offers-market-zh.csv", "offers", "csv", "zh", 0, true, false},
    {"offers-market.json", "offers", "json", "zh", 0, true, false},
    {"offers-jygpu.json", "offers", "json", "zh", 0, false, false},
    {"history-market-zh-100.txt", "history", "text", "zh", 100, true, false},
    {"history-market-zh.html", "history", "html", "zh", 0, true, false},
    {"history-market.json", "history", "json", "zh", 0, true, false},
    {"changes-market-zh-100.txt", "changes", "text", "zh", 100, true, false},
    {"changes-market-en-80.txt", "changes", "text", "en", 80, true, false},
    {"changes-market.json", "changes", "json", "zh", 0, true, false},
    {"index-market-zh-100.txt", "index", "text", "zh", 100, true, false},
    {"index-market-en.html", "index", "html", "en", 0, true, false},
    {"index-market.json", "index", "json", "zh", 0, true, false},
    {"breakeven-jygpu-zh-100.txt", "breakeven", "text", "zh", 100, false, false},
    {"breakeven-jygpu-en.md", "breakeven", "md", "en", 0, false, false},
    {"breakeven-jygpu-zh.html", "breakeven", "html", "zh", 0, false, false},
    {"breakeven-jygpu.csv", "breakeven", "csv", "zh", 0, false, false},
    {"breakeven-jygpu.json", "breakeven", "json", "zh", 0, false, false},
    {"advise-jygpu-zh-200.txt", "advise", "text", "zh", 200, false, false},
    {"advise-market-en.md", "advise", "md", "en", 0, true, false},
    {"advise-jygpu.json", "advise", "json", "zh", 0, false, false},
    {"audit-jygpu-zh-100.txt", "audit", "text", "zh", 100, false, false},
    {"audit-jygpu.json", "audit", "json", "zh", 0, false, false},
    {"transparency-jygpu-zh-100.txt", "transparency", "text", "zh", 100, false, false},
    {"transparency-market-en.md", "transparency", "md", "en", 0, true, false},
    {"transparency-market.json", "transparency", "json", "zh", 0, true, false},
    {"health-market-zh-100.txt", "health", "text", "zh", 100, true, false},
    {"health-market-en-80.txt", "health", "text", "en", 80, true, false},
    {"health-market-en.md", "health", "md", "en", 0, true, false},
    {"health-market-zh.csv", "health", "csv", "zh", 0, true, false},
    {"health-market.json", "health", "json", "zh", 0, true, false},
};

/* Week 37 as it was published, with figures that are others now; the reports "corrections-…" and "published-…" are made of a store that has it. */
static const struct fake_value published[] = {
    {"week:2026-W37", "{\"published\":1789347600,\"since\":1788710400,\"until\":1789315200,\"how\":\"sent\",\"catalogue\":\"older\",\"rows\":5,\"left_out\":0}"},
    {"rows:2026-W37",
     "[[\"ASCEND-910B/64G/container/on-demand/month/one/domestic/whole\",\"ASCEND-910B\",\"CNY\",\"huawei\",\"华为云\",\"昇腾910B\",3686000000000,5120000000,0,1,\"computed\"],"
     "[\"NVIDIA-A800-80G/80G/container/on-demand/month/one/domestic/whole\",\"NVIDIA-A800-80G\",\"CNY\",\"juxiang\",\"聚享\",\"A800 80G\",4320000000000,6000000000,4500000000000,3,\"printed\"],"
     "[\"NVIDIA-H20-96G/96G/vm/on-demand/month/one/domestic/whole\",\"NVIDIA-H20-96G\",\"CNY\",\"tencent\",\"腾讯云\",\"H20 <96G>\",5040000000000,7000000000,0,1,\"computed\"],"
     "[\"NVIDIA-L40S/48G/vm/on-demand/month/one/domestic/whole\",\"NVIDIA-L40S\",\"CNY\",\"aliyun\",\"阿里云\",\"L40S\",6000000000000,0,0,1,\"printed\"],"
     "[\"NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole\",\"NVIDIA-RTX-4090\",\"CNY\",\"jygpu\",\"极智算\",\"4090\",1074000000000,1570000000,0,2,\"inferred\"]]"},
};

static bool is_published(const struct row *row)
{
    return gt_str_starts(gt_str_from(row->name), GT_STR("corrections-")) || gt_str_starts(gt_str_from(row->name), GT_STR("published-"));
}

/* What `advise` is asked: 70B in two bytes for 1000 hours, with 500 GB and 100 GB out. JYGPU's fees are made up for this test. */
static const struct advice_need advised = {.model = {.params = 70 * NANO, .context = MODEL_CONTEXT_DEFAULT, .batch = 1},
                                           .hours = 1000, .storage_gb = 500, .egress_gb = 100};
static const struct site_extras jygpu_extras[] = {
    {.site = WORDS("jygpu"), .fees = {.storage = {.is_known = true, .amount_nano = NANO / 2, .currency = CNY_CODE, .period = PERIOD_MONTH},
                                      .traffic = {.is_known = true, .amount_nano = CENTS(80), .currency = CNY_CODE},
                                      .replicas_nano = NANO, .management_nano = 5 * NANO, .is_management_known = true}}};

/* What is rented in the market: above it, below it and over, in two classes, and with nothing like it in its currency. */
static const struct held {
    const char *name, *match;
    struct holding holding;
} held[] = {
    {"910b", "910B", {.cards = 2, .month_nano = UNITS(2400), .currency = CNY_CODE}},
    {"h100", "H100", {.cards = 1, .month_nano = UNITS(9000), .currency = CNY_CODE, .until_unix_s = MARKET_NOW + 300 * CIVIL_DAY_S}},
    {"node-b", "4090 delivery=bare-metal", {.cards = 8, .month_nano = UNITS(900), .currency = CNY_CODE, .until_unix_s = MARKET_NOW - 9 * CIVIL_DAY_S}},
    {"train-a", "4090 delivery=container", {.cards = 16, .month_nano = UNITS(1104), .currency = CNY_CODE, .until_unix_s = MARKET_NOW + 10 * CIVIL_DAY_S}},
};

static void hold(struct arena *arena, struct report_input *input)
{
    struct holding *holdings = arena_array(arena, COUNT(held), sizeof *holdings);
    for (size_t i = 0; i < COUNT(held); i++) {
        holdings[i] = held[i].holding;
        holdings[i].name = gt_str_from(held[i].name);
        assert_int_equal(query_read(gt_str_from(held[i].match), arena, &holdings[i].query, NULL), GT_OK);
    }
    input->holdings = holdings;
    input->holding_count = COUNT(held);
}

/* Runs the row's report into memory. */
static struct capture *run(const struct row *row)
{
    struct fake_row rows[JYGPU_ROWS];
    struct fake_market market;
    struct gt_errinfo info = {0};
    struct capture *capture = capture_new();
    market_init(&market);
    for (size_t i = 0; i < JYGPU_ROWS; i++) rows[i] = (struct fake_row){jygpu_rows[i], JYGPU_SEEN, 0};
    struct store jygpu = {.rows = rows, .row_count = JYGPU_ROWS};
    struct report_input input = {.store = row->is_market ? &market.store : &jygpu,
                                 .now_unix_s = MARKET_NOW,
                                 .persona = persona_default(),
                                 .width = row->width,
                                 .has_bom = false,
                                 .zone_offset_s = CIVIL_SHANGHAI_S,
                                 .sites = eleven_sites,
                                 .site_count = COUNT(eleven_sites),
                                 .advice = &advised,
                                 .extras = jygpu_extras,
                                 .extra_count = COUNT(jygpu_extras)};
    input.store->is_sample = row->is_sample;
    if (is_published(row)) {
        input.store->values = published;
        input.store->value_count = COUNT(published);
    }
    if (strcmp(row->report, "published") == 0 && row->width != 100) {
        input.since_unix_s = MARKET_WEEK;
        input.until_unix_s = MARKET_WEEK + CIVIL_WEEK_S;
    }
    if (row->is_market) hold(market.arena, &input);
    assert_true(lang_find(gt_str_from(row->lang), &input.lang));
    enum gt_err err = report_find(gt_str_from(row->report))->run(&input, sink_find(gt_str_from(row->format)), capture->file, &info);
    if (err != GT_OK) print_error("%s\n", info.text);
    assert_int_equal(err, GT_OK);
    market_done(&market);
    return capture;
}

/* The golden file's text, malloc'ed; NULL when there is none. */
static char *golden_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t len = 0;
    if (file == NULL || getdelim(&text, &len, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL) fclose(file);
    return text;
}

static void golden_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool is_update(void)
{
    const char *update = getenv("UPDATE");
    return update != NULL && strcmp(update, "1") == 0;
}

/* Prints the first line that differs. */
static void tell_difference(const char *got, const char *expected)
{
    size_t line = 1, from = 0;
    for (size_t i = 0; got[i] != '\0' && got[i] == expected[i]; i++)
        if (got[i] == '\n') {
            line++;
            from = i + 1;
        }
    print_error("line %zu\n got: %.*s\nwant: %.*s\n", line, (int)strcspn(got + from, "\n"), got + from,
                (int)strcspn(expected + from, "\n"), expected + from);
}

/* The style sheet is one for all pages and stands in its own source: a page has to hold it whole, its golden file does not. */
static void style_cut(char *page)
{
    char *style = strstr(page, html_style());
    assert_non_null(style);
    const char *rest = style + strlen(html_style());
    memmove(style, rest, strlen(rest) + 1);
}

static void check_golden(void **state)
{
    const struct row *row = *state;
    char path[256];
    snprintf(path, sizeof path, "tests/unit/reports/golden/%s", row->name);
    struct capture *capture = run(row);
    char *got = capture_text(capture);
    if (strcmp(row->format, "html") == 0) style_cut(got);
    if (is_update()) golden_write(path, got);
    char *expected = golden_read(path);
    if (expected == NULL) print_error("%s is not there: run with UPDATE=1\n", path);
    assert_non_null(expected);
    bool is_same = strcmp(got, expected) == 0;
    if (!is_same) tell_difference(got, expected);
    free(expected);
    capture_free(capture);
    assert_true(is_same);
}

/* The same under another zone and language of the environment. */
static void check_environment(void **state)
{
    setenv("TZ", "America/New_York", 1);
    setenv("LANG", "de_DE.UTF-8", 1);
    setenv("LC_ALL", "tr_TR.UTF-8", 1);
    setlocale(LC_ALL, "");
    check_golden(state);
    setlocale(LC_ALL, "C");
}

/* The first screen of the golden case: its lines, blanks apart. */
struct screen_line {
    const char *name;
    size_t at;
    const char *words;
};

static const struct screen_line first_screen[] = {
    {"title, terms, tax", 0, "GPU租价周报2026-W38(09-14~09-20北京时间)|月付·普通客户·无抢占|720时/月|税:未标明"},
    {"sources, first week, currency", 1, "来源1/11正常,10家无数据(见末)|首周,无环比|人民币"},
    {"the 4090 node is cheaper by the card", 2, "①4090整机折单卡990,比容器1074低7.8%,但最低月付7920"},
    {"the 910B node is dearer", 3, "②910B整机2650,比容器2139高23.9%"},
    {"what is inferred or implausible", 4, "③待核:0.80系推断;整机标NVLink与型号不符"},
    {"container caption", 5, "A单卡容器·包月·1卡起"},
    {"container columns", 6, "卡显存按量原价/时折后/卡·月环比家数最低平台依据更新"},
    {"4090 container", 7, "409024G1.961074(另解1130)首周1极智算推断09-20"},
    {"910B container", 8, "910B64G4.472139(另解2138)首周1极智算推断09-20"},
    {"H20 container", 9, "H2096G7.753571(另解4464)首周1极智算推断09-20"},
    {"node caption", 10, "B8卡裸金属·按月·8卡起"},
    {"node columns", 11, "卡显存整机折后/月折后/卡·月活动/卡·月环比依据"},
    {"4090 node", 12, "40908×24G7920990—首周标价÷8"},
    {"5090 node", 13, "50908×32G159101989—首周标价÷8"},
    {"910B node with its promotion apart", 14, "910B8×64G2120026502350起,截止未标首周标价÷8"},
    {"cards that nobody offers", 15, "5090容器、A800、H800:无可用报价"},
    {"then the sections begin", 16, ""},
};

static void check_screen(void **state)
{
    const struct screen_line *line = *state;
    struct capture *capture = run(&goldens[0]);
    const char *at = capture_text(capture);
    char words[512];
    size_t len = 0;
    for (size_t i = 0; i < line->at; i++) at = strchr(at, '\n') + 1;
    for (; *at != '\n' && len + 1 < sizeof words; at++)
        if (*at != ' ') words[len++] = *at;
    words[len] = '\0';
    capture_free(capture);
    assert_string_equal(words, line->words);
}

/* The whole message fits on one screen: 24 lines of 100 columns, whatever the market holds. */
static const struct row screens[] = {
    {"JYGPU, Chinese", "report", "text", "zh", 100, false, false},
    {"JYGPU, English, sample data", "report", "text", "en", 100, false, true},
    {"a market, Chinese, sample data", "report", "text", "zh", 100, true, true},
    {"a market, English", "report", "text", "en", 100, true, false},
};

static void check_screen_size(void **state)
{
    struct capture *capture = run(*state);
    const char *text = capture_text(capture), *end = strstr(text, "\n\n==");
    size_t lines = 1;
    assert_non_null(end);
    for (const char *at = text, *next; at < end; at = next) {
        next = strchr(at, '\n') + 1;
        lines += next <= end;
        assert_true(utf8_width((struct gt_str){at, (size_t)(next - at) - 1}) <= 100);
    }
    capture_free(capture);
    assert_true(lines > 10 && lines <= 24);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    int failures = TABLE_RUN(goldens, check_golden) + TABLE_RUN(first_screen, check_screen) +
                   TABLE_RUN(screens, check_screen_size);
    if (!is_update()) failures += TABLE_RUN(goldens, check_environment);
    return failures;
}
