/* The golden case by hand: JYGPU's six public rows of 2026-09-20 as a page reader leaves them, with the common factor 0.80
 * that the page's own figures hold and print nowhere. */
#ifndef GT_TESTS_JYGPU_H
#define GT_TESTS_JYGPU_H

#include "common/civil.h"
#include "tests/unit/reports/fake_store.h"

/* A text constant for static data; GT_STR makes a compound literal, which is none. */
#define WORDS(words) {words, sizeof(words) - 1}
#define UNITS(number) ((int64_t)(number) * NANO)
#define CENTS(number) ((int64_t)(number) * (NANO / 100))

/* 2026-09-20 12:00 UTC, 20:00 in Beijing: the last evening of week 38. */
enum { JYGPU_SEEN = 1789905600 };

static const struct condition prepay_month[] = {{.kind = COND_PREPAY_MONTH}};
static const struct condition unknown_condition[] = {{.kind = COND_UNKNOWN}};
static const struct condition promotion[] = {{.kind = COND_PROMOTION}};

#define CNY_CODE {.code = "CNY"}
#define HOUR_QUOTE(nano, what, words)                                                                                     \
    {.amount_nano = (nano), .currency = CNY_CODE, .period = PERIOD_HOUR, .period_count = 1, .basis = BASIS_CARD, .role = (what), \
     .raw = {words, sizeof(words) - 1}}
#define NODE_QUOTE(nano, what, words)                                                                                      \
    {.amount_nano = (nano), .currency = CNY_CODE, .period = PERIOD_MONTH, .period_count = 1, .basis = BASIS_NODE, .cards = 8,    \
     .role = (what), .raw = {words, sizeof(words) - 1}}

static const struct quote quotes_4090[] = {HOUR_QUOTE(CENTS(196), ROLE_LIST, "¥1.96/时"), HOUR_QUOTE(CENTS(157), ROLE_SALE, "折后 ¥1.57/时")};
static const struct quote quotes_910b[] = {HOUR_QUOTE(CENTS(447), ROLE_LIST, "¥4.47/时"), HOUR_QUOTE(CENTS(297), ROLE_SALE, "折后 ¥2.97/时")};
static const struct quote quotes_h20[] = {HOUR_QUOTE(CENTS(775), ROLE_LIST, "¥7.75/时"), HOUR_QUOTE(CENTS(620), ROLE_SALE, "折后 ¥6.20/时")};
static const struct quote quotes_4090_node[] = {NODE_QUOTE(UNITS(9900), ROLE_LIST, "¥9900/月"), NODE_QUOTE(UNITS(7920), ROLE_SALE, "折后 ¥7920/月")};
static const struct quote quotes_5090_node[] = {NODE_QUOTE(UNITS(19888), ROLE_LIST, "¥19888/月"), NODE_QUOTE(UNITS(15910), ROLE_SALE, "折后 ¥15910/月")};
static const struct quote quotes_910b_node[] = {
    NODE_QUOTE(UNITS(26500), ROLE_LIST, "¥26500/月"), NODE_QUOTE(UNITS(21200), ROLE_SALE, "折后 ¥21200/月"),
    {.amount_nano = UNITS(18800), .currency = CNY_CODE, .period = PERIOD_MONTH, .period_count = 1, .basis = BASIS_NODE, .cards = 8,
     .role = ROLE_SALE, .bound = BOUND_FROM, .conditions = promotion, .condition_count = 1, .raw = WORDS("活动期低至 ¥18800/月")}};

#define COMMON_FACTOR                                                                                                       \
    {.factor_nano = 800000000, .conditions = unknown_condition, .condition_count = 1, .stacks = STACKS_YES, .is_inferred = 1}
#define MONTH_LABEL(factor, words)                                                                                          \
    {.factor_nano = (factor), .conditions = prepay_month, .condition_count = 1, .stacks = STACKS_UNKNOWN, .raw = {words, sizeof(words) - 1}}

static const struct discount discounts_4090[] = {COMMON_FACTOR, MONTH_LABEL(950000000, "月付 95 折")};
static const struct discount discounts_910b[] = {COMMON_FACTOR, MONTH_LABEL(830000000, "月付 83 折")};
static const struct discount discounts_h20[] = {COMMON_FACTOR, MONTH_LABEL(800000000, "月付 8 折")};
static const struct discount discounts_node[] = {COMMON_FACTOR};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define JYGPU_ROW(id, name, card, vram, count, how, link, prices, offs, hour, month)                                        \
    {.offer_id = (id),                                                                                                      \
     .site = {"jygpu", 5},                                                                                                  \
     .site_title = {"JYGPU 极智算", sizeof "JYGPU 极智算" - 1},                                                             \
     .net_rules = {.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = NANO},                        \
     .offer = {.identity = {.part = {"main", 4}, .label = {name, sizeof(name) - 1}},                                        \
               .attributes = {.sku = card, .sku_status = SKU_EXACT, .vram_gb = (vram), .cards = (count), .delivery = (how),  \
                              .tier = TIER_ON_DEMAND, .min_cards = (count), .interconnect = {link, sizeof(link) - 1}},      \
               .record = {.quotes = (prices), .quote_count = COUNT(prices), .discounts = (offs), .discount_count = COUNT(offs), \
                          .currency = CNY_CODE, .hour_list_nano = (hour), .month_list_nano = (month)},                      \
               .stock = -1,                                                                                                 \
               .confidence_permille = 1000},                                                                                \
     .since_unix_s = JYGPU_SEEN,                                                                                            \
     .seen_unix_s = JYGPU_SEEN,                                                                                             \
     .site_good_unix_s = JYGPU_SEEN,                                                                                        \
     .is_listed = true,                                                                                                     \
     .url = {"https://www.jygpu.com/markets", 29},                                                                          \
     .warc_file = {"2026/09/jygpu.warc.gz", 21},                                                                            \
     .warc_offset = 4096}

/* In the store's order: by label. */
enum { R_4090_NODE, R_5090_NODE, R_4090, R_H20, R_910B_NODE, R_910B, JYGPU_ROWS };
static const struct board_row jygpu_rows[JYGPU_ROWS] = {
    [R_4090_NODE] = JYGPU_ROW(4, "4090 8 卡裸金属", "NVIDIA-RTX-4090", 24, 8, DELIVERY_BARE_METAL, "NVLink + IB 网卡", quotes_4090_node, discounts_node, 0,
                              CENTS(123750)),
    [R_5090_NODE] = JYGPU_ROW(5, "5090 8 卡裸金属", "NVIDIA-RTX-5090", 32, 8, DELIVERY_BARE_METAL, "NVLink + IB 网卡", quotes_5090_node, discounts_node, 0,
                              UNITS(2486)),
    [R_4090] = JYGPU_ROW(1, "NVIDIA 4090 容器云", "NVIDIA-RTX-4090", 24, 1, DELIVERY_CONTAINER, "", quotes_4090, discounts_4090, CENTS(196), 0),
    [R_H20] = JYGPU_ROW(3, "NVIDIA H20 容器云", "NVIDIA-H20-96G", 96, 1, DELIVERY_CONTAINER, "", quotes_h20, discounts_h20, CENTS(775), 0),
    [R_910B_NODE] = JYGPU_ROW(6, "昇腾 910B 8 卡裸金属", "ASCEND-910B", 64, 8, DELIVERY_BARE_METAL, "NVLink + IB 网卡", quotes_910b_node, discounts_node, 0,
                              CENTS(331250)),
    [R_910B] = JYGPU_ROW(2, "华为昇腾 910B 容器云", "ASCEND-910B", 64, 1, DELIVERY_CONTAINER, "", quotes_910b, discounts_910b, CENTS(447), 0),
};

/* The eleven sites that are crawled; ten of them never answered. */
static const struct report_site eleven_sites[] = {
    {{"aliyun", 6}, {"阿里云", 9}, 21600, 0},   {{"autodl", 6}, {"AutoDL", 6}, 21600, 0},     {{"beam", 4}, {"Beam Cloud", 10}, 21600, 0},
    {{"cerebrium", 9}, {"Cerebrium", 9}, 21600, 0}, {{"ctyun", 5}, {"天翼云", 9}, 21600, 0},  {{"gongji", 6}, {"共绩算力", 12}, 21600, 0},
    {{"huawei", 6}, {"华为云", 9}, 21600, 0},   {{"jygpu", 5}, {"JYGPU 极智算", 15}, 21600, 0}, {{"juxiang", 7}, {"矩向科技", 12}, 21600, 0},
    {{"tencent", 7}, {"腾讯云", 9}, 21600, 0},  {{"zhiling", 7}, {"智灵云", 9}, 21600, 0},
};

#endif
