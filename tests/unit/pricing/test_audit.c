/* Audits: figures that do not fit are named with both numbers; figures that fit are not. */
#include "pricing/audit.h"

#include "tests/unit/pricing/build.h"

struct audit_case {
    const char *name;
    void (*build)(struct built *built);
    const char *code;   /* NULL: nothing at all is found */
    const char *detail; /* a part of it */
};

static void golden(struct built *built, const char *list, const char *shown, const char *label)
{
    build_offer(built, "容器云", "NVIDIA-RTX-4090", 1);
    build_hour(built, list, ROLE_LIST);
    BUILD_CONDITION(built, build_hour(built, shown, ROLE_SALE), COND_PREPAY_MONTH, 0);
    build_factor(built, "0.8", COND_UNKNOWN, 0)->is_inferred = 1;
    build_factor(built, label, COND_PREPAY_MONTH, 0);
}

static void golden_4090(struct built *built)
{
    golden(built, "1.96", "1.57", "0.95");
    build_month(built, "1074", ROLE_DERIVED)->bound = BOUND_APPROX;
}

static void golden_910b(struct built *built)
{
    golden(built, "4.47", "2.97", "0.83");
    build_month(built, "2139", ROLE_DERIVED)->bound = BOUND_APPROX;
}

static void golden_h20(struct built *built)
{
    golden(built, "7.75", "6.20", "0.80");
    build_month(built, "3571", ROLE_DERIVED)->bound = BOUND_APPROX;
}

static void golden_wrong_month(struct built *built)
{
    golden(built, "7.75", "6.20", "0.80");
    build_month(built, "3300", ROLE_LIST);
}

static void plain(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.98", ROLE_LIST);
    build_month(built, "1052", ROLE_LIST);
}

static void label_fits(struct built *built)
{
    build_offer(built, "H20", "NVIDIA-H20-96G", 1);
    build_hour(built, "7.75", ROLE_LIST);
    build_hour(built, "6.20", ROLE_SALE);
    build_factor(built, "0.8", COND_WORDS, 0);
}

static void label_does_not_fit(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.96", ROLE_LIST);
    build_hour(built, "1.57", ROLE_SALE);
    build_factor(built, "0.95", COND_PREPAY_MONTH, 0);
}

static void sale_above(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.57", ROLE_LIST);
    build_hour(built, "1.96", ROLE_SALE);
}

static void two_lists(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.57", ROLE_LIST);
    build_hour(built, "1.96", ROLE_LIST);
}

static void percent(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_quote(built, "68", PERIOD_DAY, ROLE_LIST, BASIS_CARD)->bound = BOUND_FROM;
    build_month(built, "510", ROLE_LIST);
    struct discount *discount = build_factor(built, "0.75", COND_PREPAY_MONTH, 0);
    discount->factor_alt_nano = nano("0.25");
    discount->raw = GT_STR("享 25% 折扣");
}

static void month_above(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.00", ROLE_LIST);
    build_month(built, "900", ROLE_LIST);
}

static void day_above(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.00", ROLE_LIST);
    build_quote(built, "30", PERIOD_DAY, ROLE_LIST, BASIS_CARD);
}

static void seconds_fit(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_quote(built, "0.000192", PERIOD_SECOND, ROLE_LIST, BASIS_CARD);
    build_hour(built, "0.69", ROLE_LIST);
}

static void seconds_swapped(struct built *built)
{
    build_offer(built, "T4", "NVIDIA-T4", 1);
    build_quote(built, "0.54", PERIOD_SECOND, ROLE_LIST, BASIS_CARD);
    build_hour(built, "0.000150", ROLE_LIST);
}

static void node_fits(struct built *built)
{
    build_offer(built, "4090 8 卡裸金属", "NVIDIA-RTX-4090", 8);
    build_month(built, "9900", ROLE_LIST);
    build_month(built, "7920", ROLE_SALE);
    struct quote *card = build_quote(built, "990", PERIOD_MONTH, ROLE_DERIVED, BASIS_CARD);
    card->bound = BOUND_APPROX;
}

static void node_rounded(struct built *built)
{
    build_offer(built, "5090 8 卡裸金属", "NVIDIA-RTX-5090", 8);
    build_month(built, "19888", ROLE_LIST);
    build_month(built, "15910", ROLE_SALE);
    build_quote(built, "1989", PERIOD_MONTH, ROLE_DERIVED, BASIS_CARD);
}

static void node_does_not_fit(struct built *built)
{
    build_offer(built, "4090 8 卡裸金属", "NVIDIA-RTX-4090", 8);
    build_month(built, "7920", ROLE_LIST);
    build_quote(built, "1200", PERIOD_MONTH, ROLE_DERIVED, BASIS_CARD);
}

static void basis_unclear(struct built *built)
{
    build_offer(built, "8x H100", "NVIDIA-H100-SXM", 8);
    built->offer.record.currency = currency_from(GT_STR("USD"));
    build_quote(built, "2.49", PERIOD_HOUR, ROLE_LIST, BASIS_UNKNOWN);
}

static void basis_clear_enough(struct built *built)
{
    build_offer(built, "8x H100", "NVIDIA-H100-SXM", 8);
    built->offer.record.currency = currency_from(GT_STR("USD"));
    build_quote(built, "23.92", PERIOD_HOUR, ROLE_LIST, BASIS_UNKNOWN);
}

static void spot_above(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.98", ROLE_LIST);
    build_hour(built, "2.40", ROLE_SPOT);
}

static void spot_below(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.98", ROLE_LIST);
    build_hour(built, "1.19", ROLE_SPOT);
}

static void reserved_above(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.98", ROLE_LIST);
    build_hour(built, "2.10", ROLE_LIST)->months = 12;
}

static void lower_reading(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_month(built, "1260", ROLE_LIST);
    build_hour(built, "1.76", ROLE_LIST);
    build_hour(built, "1.50", ROLE_SALE);
}

static void nvlink_on(struct built *built, const char *sku, const char *words)
{
    build_offer(built, "node", sku, 8);
    build_month(built, "20000", ROLE_LIST);
    built->offer.attributes.interconnect = gt_str_from(words);
}

static void nvlink_on_4090(struct built *built)
{
    nvlink_on(built, "NVIDIA-RTX-4090", "NVLink + IB");
}

static void nvlink_on_910b(struct built *built)
{
    nvlink_on(built, "ASCEND-910B", "NVLink + IB");
}

static void nvlink_on_a100(struct built *built)
{
    nvlink_on(built, "NVIDIA-A100-SXM4-80G", "NVLink 600GB/s");
}

static void hccs_on_910b(struct built *built)
{
    nvlink_on(built, "ASCEND-910B", "HCCS");
}

static void roce_on_4090(struct built *built)
{
    nvlink_on(built, "NVIDIA-RTX-4090", "RoCE 200G");
}

static void nvlink_on_nobody(struct built *built)
{
    nvlink_on(built, "", "NVLink");
}

static const struct audit_case cases[] = {
    {"a factor that is printed nowhere is named", golden_4090, "inferred-factor",
     "1.57 is shown for a list price of 1.96: a factor of 0.80"},
    {"row 1 holds the site's factor alone", golden_4090, "shown-holds-site-factor", "1.96 × 0.80 = 1.568"},
    {"row 2 holds both", golden_910b, "shown-holds-both", "4.47 × 0.80 × 0.83 = 2.96808"},
    {"row 3 holds one, and the label would do as well", golden_h20, "shown-holds-site-factor",
     "the label alone would come to the same"},
    {"a month that no factor explains", golden_wrong_month, "month-hour-mismatch", "but the month is printed as 3300"},
    {"hour and month of a package", plain, NULL, NULL},
    {"a label that fits", label_fits, NULL, NULL},
    {"a label that does not", label_does_not_fit, "discount-mismatch", "1.96 × 0.95 = 1.862, but 1.57 is shown"},
    {"a reduced price above the list price", sale_above, "sale-above-list", "the reduced price is 1.96, the list price is 1.57"},
    {"two list prices of one term", two_lists, "list-prices-differ", "1.57 and 1.96"},
    {"25% 折扣", percent, "percent-discount-ambiguous", "2040 a month × 0.75 = 1530, × 0.25 = 510, and 510 is printed"},
    {"a month above its hours", month_above, "month-above-hours", "900 against 720"},
    {"a day above its hours", day_above, "day-above-hours", "30 against 24"},
    {"seconds that add up", seconds_fit, NULL, NULL},
    {"columns that were swapped", seconds_swapped, "second-hour-mismatch", "0.54 × 3600 = 1944"},
    {"node and card agree", node_fits, NULL, NULL},
    {"node and rounded card agree", node_rounded, NULL, NULL},
    {"node and card do not", node_does_not_fit, "node-card-mismatch", "1200 a card × 8 = 9600, but the node is printed as 7920"},
    {"for one card or for eight", basis_unclear, "basis-unclear", "2.49 for 8 cards"},
    {"for eight, since a card can cost an eighth", basis_clear_enough, NULL, NULL},
    {"spot above on demand", spot_above, "spot-above-on-demand", "spot is 2.40, on demand is 1.98"},
    {"spot below on demand", spot_below, NULL, NULL},
    {"a term that is dearer than none", reserved_above, "reserved-above-on-demand", "2.10"},
    {"a lower reading of less evidence", lower_reading, "lower-reading", "1080"},
    {"NVLink on a 4090", nvlink_on_4090, "interconnect-implausible", "NVLink is printed"},
    {"NVLink on a 910B", nvlink_on_910b, "interconnect-implausible", "HCCS"},
    {"NVLink on an A100", nvlink_on_a100, NULL, NULL},
    {"HCCS on a 910B", hccs_on_910b, NULL, NULL},
    {"RoCE is between nodes", roce_on_4090, NULL, NULL},
    {"no card, no opinion", nvlink_on_nobody, NULL, NULL},
};

static const struct audit_finding *finding_of(const struct audit_result *result, const char *code)
{
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->findings[i].code, code) == 0) return &result->findings[i];
    return NULL;
}

static void check_audit(void **state)
{
    const struct audit_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct net_rules rules = build_rules();
    struct built built;
    struct audit_result result;
    row->build(&built);
    assert_int_equal(audit_offer(&built.offer, &rules, arena, &result), GT_OK);
    if (row->code == NULL) {
        if (result.count != 0) fail_msg("found %s: %.*s", result.findings[0].code, GT_STR_ARG(result.findings[0].detail));
    } else {
        const struct audit_finding *finding = finding_of(&result, row->code);
        for (size_t i = 0; i < result.count && finding == NULL; i++) print_error("found %s\n", result.findings[i].code);
        assert_non_null(finding);
        assert_non_null(audit_code_meaning(gt_str_from(finding->code)));
        if (gt_str_find(finding->detail, gt_str_from(row->detail), 0) == SIZE_MAX)
            fail_msg("detail is \"%.*s\"", GT_STR_ARG(finding->detail));
    }
    arena_free(arena);
}

/* With the months shown nothing else is wrong with the golden rows. */
struct silence_case {
    const char *name;
    void (*build)(struct built *built);
    const char *absent;
};

static const struct silence_case silences[] = {
    {"row 1: the month is explained", golden_4090, "month-hour-mismatch"},
    {"row 2: the month is explained", golden_910b, "month-hour-mismatch"},
    {"row 3: the month is explained", golden_h20, "month-hour-mismatch"},
    {"row 1: the shown price is explained", golden_4090, "discount-mismatch"},
    {"row 2 does not hold the site's factor alone", golden_910b, "shown-holds-site-factor"},
    {"row 1 does not hold both", golden_4090, "shown-holds-both"},
    {"row 3 does not hold both", golden_h20, "shown-holds-both"},
};

static void check_silence(void **state)
{
    const struct silence_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct net_rules rules = build_rules();
    struct built built;
    struct audit_result result;
    row->build(&built);
    assert_int_equal(audit_offer(&built.offer, &rules, arena, &result), GT_OK);
    assert_null(finding_of(&result, row->absent));
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cases, check_audit) + TABLE_RUN(silences, check_silence);
}
