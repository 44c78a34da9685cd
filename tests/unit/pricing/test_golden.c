/* The golden page: list price, printed label and shown hourly price in, months per card out, to the yuan. Then the figures of
 * articles about the market, read by the same rules. */
#include "pricing/audit.h"
#include "pricing/net_price.h"
#include "tests/unit/pricing/rows.h"

/* The six rows, months hidden. */
#define CONTAINERS                                                                                                               \
    "label=NVIDIA 4090 容器云; variant=24GB 显存 / 15核 / 60GB内存; price=¥1.96/时, 月付 95 折后 ¥1.57/时",                      \
        "label=华为昇腾 910B 容器云; variant=64GB 显存 / 20核 / 200GB内存; price=¥4.47/时, 月付 83 折后 ¥2.97/时",               \
        "label=NVIDIA H20 容器云; variant=96GB 显存 / 24核 / 128GB内存; price=¥7.75/时, 月付 8 折后 ¥6.20/时"
#define NODES                                                                                                                    \
    "label=4090 8 卡裸金属; variant=8×24GB, NVLink + IB 网卡; price=¥9900/月, 折后 ¥7920/月",                                    \
        "label=5090 8 卡裸金属; variant=8×32GB, NVLink + IB 网卡; price=¥19888/月, 折后 ¥15910/月"
#define NODE_910B "label=昇腾 910B 8 卡裸金属; variant=8×64GB, NVLink + IB 网卡; price=¥26500/月, 折后 ¥21200/月"

static const char *const without_promotion[] = {CONTAINERS, NODES, NODE_910B, NULL};
static const char *const with_promotion[] = {CONTAINERS, NODES, NODE_910B "; promo=活动期低至 ¥18800/月", NULL};
static const char *const promotion_in_price[] = {CONTAINERS, NODES, NODE_910B "; price=活动期低至 ¥18800/月", NULL};
static const char *const containers_alone[] = {CONTAINERS, NULL};

/* The same facts in columns of their own. */
static const char *const in_columns[] = {
    "label=NVIDIA 4090 容器云; price.list[价格]=¥1.96/时; price.sale[优惠价]=月付 95 折后 ¥1.57/时",
    "label=华为昇腾 910B 容器云; price.list[价格]=¥4.47/时; price.sale[优惠价]=月付 83 折后 ¥2.97/时",
    "label=NVIDIA H20 容器云; variant=96GB 显存; price.list[价格]=¥7.75/时; price.sale[优惠价]=月付 8 折后 ¥6.20/时",
    "label=4090 8 卡裸金属; variant=8×24GB，NVLink + IB 网卡; price.list[价格]=¥9900/月; price.sale[优惠价]=折后 ¥7920/月",
    "label=5090 8 卡裸金属; variant=8×32GB，NVLink + IB 网卡; price.list[价格]=¥19888/月; price.sale[优惠价]=折后 ¥15910/月",
    "label=昇腾 910B 8 卡裸金属; variant=8×64GB，NVLink + IB 网卡; price.list[价格]=¥26500/月; price.sale[优惠价]=折后 ¥21200/月",
    NULL};

/* The months shown, as the article prints them. */
static const char *const with_months[] = {
    "label=NVIDIA 4090 容器云; price=¥1.96/时, 月付 95 折后 ¥1.57/时; price[折算]=约 ¥1074/月",
    "label=华为昇腾 910B 容器云; price=¥4.47/时, 月付 83 折后 ¥2.97/时; price[折算]=约 ¥2139/月",
    "label=NVIDIA H20 容器云; variant=96GB 显存; price=¥7.75/时, 月付 8 折后 ¥6.20/时; price[折算]=约 ¥3571/月",
    "label=4090 8 卡裸金属; variant=8×24GB, NVLink + IB 网卡; price=¥9900/月, 折后 ¥7920/月; price[折算]=单卡约 ¥990/月",
    "label=5090 8 卡裸金属; variant=8×32GB, NVLink + IB 网卡; price=¥19888/月, 折后 ¥15910/月; price[折算]=单卡约 ¥1989/月",
    NODE_910B,
    NULL};

struct golden_case {
    const char *name;
    const char *const *lines;
    size_t row;
    const char *sku;
    int32_t cards;
    const char *month_net, *month_alt, *node_month, *promo;
    enum evidence evidence;
};

static const struct golden_case golden[] = {
    {"4090 container", without_promotion, 0, "NVIDIA-RTX-4090", 1, "1074", "1130", "0", "0", EVIDENCE_INFERRED},
    {"910B container", without_promotion, 1, "ASCEND-910B", 1, "2139", "2138", "0", "0", EVIDENCE_INFERRED},
    {"H20 container", without_promotion, 2, "NVIDIA-H20-96G", 1, "3571", "4464", "0", "0", EVIDENCE_INFERRED},
    {"4090 node", without_promotion, 3, "NVIDIA-RTX-4090", 8, "990", "0", "7920", "0", EVIDENCE_PRINTED},
    {"5090 node", without_promotion, 4, "NVIDIA-RTX-5090", 8, "1989", "0", "15910", "0", EVIDENCE_PRINTED},
    {"910B node", without_promotion, 5, "ASCEND-910B", 8, "2650", "0", "21200", "0", EVIDENCE_PRINTED},
    {"promotion: 910B node", with_promotion, 5, "ASCEND-910B", 8, "2650", "0", "21200", "2350", EVIDENCE_PRINTED},
    {"promotion: the other rows are as before", with_promotion, 0, "NVIDIA-RTX-4090", 1, "1074", "1130", "0", "0",
     EVIDENCE_INFERRED},
    {"promotion in a price cell", promotion_in_price, 5, "ASCEND-910B", 8, "2650", "0", "21200", "2350", EVIDENCE_PRINTED},
    {"containers alone: 4090", containers_alone, 0, "NVIDIA-RTX-4090", 1, "1074", "1130", "0", "0", EVIDENCE_INFERRED},
    {"containers alone: 910B", containers_alone, 1, "ASCEND-910B", 1, "2139", "2138", "0", "0", EVIDENCE_INFERRED},
    {"containers alone: H20", containers_alone, 2, "NVIDIA-H20-96G", 1, "3571", "4464", "0", "0", EVIDENCE_INFERRED},
    {"in columns: 4090", in_columns, 0, "NVIDIA-RTX-4090", 1, "1074", "1130", "0", "0", EVIDENCE_INFERRED},
    {"in columns: 910B", in_columns, 1, "ASCEND-910B", 1, "2139", "2138", "0", "0", EVIDENCE_INFERRED},
    {"in columns: H20", in_columns, 2, "NVIDIA-H20-96G", 1, "3571", "4464", "0", "0", EVIDENCE_INFERRED},
    {"in columns: 5090 node", in_columns, 4, "NVIDIA-RTX-5090", 8, "1989", "0", "15910", "0", EVIDENCE_PRINTED},
    {"months shown: 4090", with_months, 0, "NVIDIA-RTX-4090", 1, "1074", "1130", "0", "0", EVIDENCE_INFERRED},
    {"months shown: 910B", with_months, 1, "ASCEND-910B", 1, "2139", "2138", "0", "0", EVIDENCE_INFERRED},
    {"months shown: H20", with_months, 2, "NVIDIA-H20-96G", 1, "3571", "4464", "0", "0", EVIDENCE_INFERRED},
    {"months shown: 4090 node", with_months, 3, "NVIDIA-RTX-4090", 8, "990", "0", "7920", "0", EVIDENCE_PRINTED},
    {"months shown: 5090 node", with_months, 4, "NVIDIA-RTX-5090", 8, "1989", "0", "15910", "0", EVIDENCE_PRINTED},
};

static void check_golden(void **state)
{
    const struct golden_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    struct net_rules rules = net_rules_from_facts(&facts);
    struct persona persona = persona_default();
    struct net_price price;
    struct reading reading = rows_read(row->lines, &facts, arena);
    assert_true(row->row < reading.offer_count);
    const struct offer *offer = &reading.offers[row->row];
    print_message("# %.*s\n", GT_STR_ARG(rows_show(offer, arena)));
    assert_int_equal(net_price_compute(offer, &rules, &persona, 0, arena, &price), GT_OK);
    assert_string_equal(offer->attributes.sku, row->sku);
    assert_int_equal(offer->attributes.cards, row->cards);
    assert_money(price.month_net_nano, row->month_net);
    assert_money(price.month_alt_nano, row->month_alt);
    assert_money(price.node_month_net_nano, row->node_month);
    assert_money(price.promo_month_nano, row->promo);
    assert_int_equal(price.evidence, row->evidence);
    assert_int_equal(price.bound, BOUND_EXACT);
    if (price.promo_month_nano != 0) assert_int_equal(price.promo_bound, BOUND_FROM);
    arena_free(arena);
}

/* What the audit says of a row, and what it must not say. */
struct finding_case {
    const char *name;
    const char *const *lines;
    size_t row;
    const char *code;
    bool is_there;
};

static const struct finding_case findings[] = {
    {"row 1 holds the site's factor alone", with_months, 0, "shown-holds-site-factor", true},
    {"row 1 does not hold both", with_months, 0, "shown-holds-both", false},
    {"row 2 holds both", with_months, 1, "shown-holds-both", true},
    {"row 2 does not hold one alone", with_months, 1, "shown-holds-site-factor", false},
    {"row 3 holds the site's factor alone", with_months, 2, "shown-holds-site-factor", true},
    {"row 3 does not hold both", with_months, 2, "shown-holds-both", false},
    {"row 1: the factor is named", with_months, 0, "inferred-factor", true},
    {"row 4: the factor is named", with_months, 3, "inferred-factor", true},
    {"row 1: the month is explained", with_months, 0, "month-hour-mismatch", false},
    {"row 2: the month is explained", with_months, 1, "month-hour-mismatch", false},
    {"row 3: the month is explained", with_months, 2, "month-hour-mismatch", false},
    {"row 4: node and card agree", with_months, 3, "node-card-mismatch", false},
    {"row 5: node and rounded card agree", with_months, 4, "node-card-mismatch", false},
    {"row 4: no NVLink on a 4090", with_months, 3, "interconnect-implausible", true},
    {"row 5: nor on a 5090", with_months, 4, "interconnect-implausible", true},
    {"row 6: nor on a 910B", with_months, 5, "interconnect-implausible", true},
    {"row 1 prints no interconnect", with_months, 0, "interconnect-implausible", false},
};

static void check_finding(void **state)
{
    const struct finding_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    struct net_rules rules = net_rules_from_facts(&facts);
    struct audit_result result;
    struct reading reading = rows_read(row->lines, &facts, arena);
    assert_int_equal(audit_offer(&reading.offers[row->row], &rules, arena, &result), GT_OK);
    bool is_there = false;
    for (size_t i = 0; i < result.count; i++) is_there |= strcmp(result.findings[i].code, row->code) == 0;
    assert_int_equal(is_there, row->is_there);
    arena_free(arena);
}

/* Figures of articles. "0" is no such figure. */
struct article_case {
    const char *name;
    const char *line;
    const char *persona;
    const char *hour_net, *month_net;
    const char *finding; /* NULL: none is looked for */
};

static const struct article_case articles[] = {
    {"hour and day", "label=RTX 4090; price=按小时（9 元 / 小时）、按天（68 元 / 天）; note=学生认证享 30% 折扣", "pay=hour", "9",
     "6480", NULL},
    {"the student pays seventy percent",
     "label=RTX 4090; price=按小时（9 元 / 小时）、按天（68 元 / 天）, 学生认证享 30% 折扣, 20 小时成本仅 126 元（折扣后）",
     "pay=hour,student", "6.3", "4536", NULL},
    {"1800 is a month at hourly rates, never an hour",
     "label=RTX 4090; price=月租成本较小时租低 30%，RTX 4090 月均费用 1260 元（小时租 1800 元）", "", "0", "1260", NULL},
    {"an amount off the first order", "label=RTX 4090; price.month=1260 元/月; note=新人首单立减 200 元", "new-customer", "0",
     "1060", NULL},
    {"which nobody else gets", "label=RTX 4090; price.month=1260 元/月; note=新人首单立减 200 元", "", "0", "1260", NULL},
    {"five percent more for companies that stay",
     "label=RTX 4090; price=月租成本较小时租低 30%，RTX 4090 月均费用 1260 元（小时租 1800 元）; note=企业长期（3 "
     "个月以上）额外享 5% 折扣",
     "enterprise,months=3", "0", "1197", NULL},
    {"25% 折扣 that is three quarters off",
     "label=RTX 4090; price=按天计费低至 68 元（RTX 4090），按月租赁享 25% 折扣（月均 510 元）", "", "0", "510",
     "percent-discount-ambiguous"},
    {"eight cards at least are what one card asks for", "label=H100 SXM; price=H100 $3.99/h，起租 8 卡", "", "3.99", "2873",
     NULL},
    {"a range is no net price of its low end alone", "label=RTX 4090; price=RTX 4090 时租 1.7-2.0 元", "pay=hour", "1.7", "1224",
     NULL},
};

static void check_article(void **state)
{
    const struct article_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    struct net_rules rules = net_rules_from_facts(&facts);
    struct persona persona;
    struct net_price price;
    struct audit_result result;
    const char *const lines[] = {row->line, NULL};
    struct reading reading = rows_read(lines, &facts, arena);
    assert_int_equal(persona_read(gt_str_from(row->persona), &persona, NULL), GT_OK);
    assert_int_equal(reading.offer_count, 1);
    print_message("# %.*s\n", GT_STR_ARG(rows_show(&reading.offers[0], arena)));
    assert_int_equal(net_price_compute(&reading.offers[0], &rules, &persona, 0, arena, &price), GT_OK);
    assert_money(price.hour_net_nano, row->hour_net);
    assert_money(price.month_net_nano, row->month_net);
    assert_int_equal(audit_offer(&reading.offers[0], &rules, arena, &result), GT_OK);
    bool is_there = row->finding == NULL;
    for (size_t i = 0; i < result.count; i++)
        is_there |= row->finding != NULL && strcmp(result.findings[i].code, row->finding) == 0;
    assert_true(is_there);
    arena_free(arena);
}

/* Texts that are no offers. */
struct refused_case {
    const char *name;
    const char *line;
};

static const struct refused_case refusals[] = {
    {"a claim about others", "label=A100、H800; price=单卡时租普遍超 50 元"},
    {"the total of a task", "label=7B 模型 LoRA 微调; price=单次 20 小时成本仅 34-40 元"},
    {"a row without a label", "label=; price=¥1.98/时"},
    {"a price on request", "label=H100 集群; price=面议"},
    {"memory on the price list", "label=Memory; price=$0.00000222 /GB/s"},
    {"cores on the price list", "label=CPU; price.second=0.00000655"},
    {"no price at all", "label=RTX 4090; price=敬请期待"},
};

static void check_refused(void **state)
{
    const struct refused_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    const char *const lines[] = {row->line, NULL};
    struct reading reading = rows_read(lines, &facts, arena);
    for (size_t i = 0; i < reading.offer_count; i++) print_message("# %.*s\n", GT_STR_ARG(rows_show(&reading.offers[i], arena)));
    assert_int_equal(reading.offer_count, 0);
    assert_true(reading.refused_count > 0);
    assert_true(reading.refused[0].reason.len > 0);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(golden, check_golden) + TABLE_RUN(findings, check_finding) + TABLE_RUN(articles, check_article) +
           TABLE_RUN(refusals, check_refused);
}
