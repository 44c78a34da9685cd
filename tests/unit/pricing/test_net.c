/* From printed price to what is paid: evidence, stack, rounding, terms, the other reading. */
#include "pricing/net_price.h"

#include "tests/unit/pricing/build.h"

enum { DAY_S = 86400 };
static const int64_t NOW = 1790000000;

/* What a persona pays, as text: "0" is no such term. */
struct net_case {
    const char *name;
    void (*build)(struct built *built);
    const char *persona;
    const char *hour_net, *month_net, *month_alt;
    enum evidence evidence;
    const char *formula; /* a part of it; NULL: not looked at */
};

/* ---- offers ---- */

static void golden(struct built *built, const char *list, const char *shown, const char *label)
{
    build_offer(built, "NVIDIA 4090 容器云", "NVIDIA-RTX-4090", 1);
    build_hour(built, list, ROLE_LIST);
    struct quote *sale = build_hour(built, shown, ROLE_SALE);
    BUILD_CONDITION(built, sale, COND_PREPAY_MONTH, 0);
    struct discount *inferred = build_factor(built, "0.8", COND_UNKNOWN, 0);
    inferred->is_inferred = 1;
    build_factor(built, label, COND_PREPAY_MONTH, 0);
}

static void golden_4090(struct built *built)
{
    golden(built, "1.96", "1.57", "0.95");
}

static void golden_910b(struct built *built)
{
    golden(built, "4.47", "2.97", "0.83");
}

static void golden_h20(struct built *built)
{
    golden(built, "7.75", "6.20", "0.80");
}

static void node(struct built *built)
{
    build_offer(built, "5090 8 卡裸金属", "NVIDIA-RTX-5090", 8);
    build_month(built, "19888", ROLE_LIST);
    build_month(built, "15910", ROLE_SALE);
}

static void hour_only(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.98", ROLE_LIST);
}

static void month_only(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_month(built, "1052", ROLE_LIST);
}

static void per_second(struct built *built)
{
    build_offer(built, "T4", "NVIDIA-T4", 1);
    build_quote(built, "0.000164", PERIOD_SECOND, ROLE_LIST, BASIS_CARD);
}

static void student(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "9", ROLE_LIST);
    build_factor(built, "0.70", COND_STUDENT, 0);
}

static void article_month(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_month(built, "1260", ROLE_LIST);
    build_month(built, "1800", ROLE_DERIVED);
    build_factor(built, "0.70", COND_PREPAY_MONTH, 0);
    struct discount *company = build_factor(built, "0.95", COND_MIN_MONTHS, 3);
    BUILD_CONDITION(built, company, COND_ENTERPRISE, 0);
    company->stacks = STACKS_YES;
}

static void tiers(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.95", COND_PREPAY_MONTH, 0);
    build_factor(built, "0.9", COND_MIN_MONTHS, 3);
    build_factor(built, "0.8", COND_MIN_MONTHS, 12);
}

static void exclusive(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.9", COND_PREPAY_MONTH, 0);
    build_factor(built, "0.8", COND_STUDENT, 0)->stacks = STACKS_NO;
}

static void exclusive_worse(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.7", COND_PREPAY_MONTH, 0);
    build_factor(built, "0.8", COND_STUDENT, 0)->stacks = STACKS_NO;
}

static void amount_off(struct built *built)
{
    month_only(built);
    struct discount *off = build_factor(built, "0.5", COND_NEW_CUSTOMER, 0);
    off->factor_nano = 0;
    off->amount_off_nano = nano("200");
}

static void spot(struct built *built)
{
    hour_only(built);
    build_hour(built, "1.19", ROLE_SPOT);
}

static void spot_only(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.19", ROLE_SPOT);
    built->offer.attributes.tier = TIER_SPOT;
}

static void member(struct built *built)
{
    hour_only(built);
    struct quote *quote = build_hour(built, "1.88", ROLE_MEMBER);
    BUILD_CONDITION(built, quote, COND_MEMBER, 0);
}

static void year(struct built *built)
{
    month_only(built);
    build_quote(built, "9600", PERIOD_YEAR, ROLE_LIST, BASIS_CARD);
}

static void reserved(struct built *built)
{
    hour_only(built);
    build_hour(built, "1.50", ROLE_LIST)->months = 12;
    build_hour(built, "1.70", ROLE_LIST)->months = 3;
}

static void from_price(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.50", ROLE_LIST)->bound = BOUND_FROM;
}

static void from_beside_exact(struct built *built)
{
    month_only(built);
    struct quote *low = build_month(built, "700", ROLE_SALE);
    low->bound = BOUND_FROM;
}

static void month_and_cheaper_hours(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_month(built, "1260", ROLE_LIST);
    build_hour(built, "1.50", ROLE_LIST);
}

static void unexplained_sale(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "1.96", ROLE_LIST);
    build_hour(built, "1.57", ROLE_SALE);
}

static void printed_factor(struct built *built)
{
    unexplained_sale(built);
    build_factor(built, "0.8", COND_WORDS, 0);
    build_factor(built, "0.95", COND_PREPAY_MONTH, 0);
}

static void ambiguous_factor(struct built *built)
{
    hour_only(built);
    struct discount *discount = build_factor(built, "0.75", COND_PREPAY_MONTH, 0);
    discount->factor_alt_nano = nano("0.25");
}

static void up_to(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.65", COND_PREPAY_MONTH, 0)->is_upto = 1;
}

static void not_understood(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.65", COND_UNKNOWN, 0);
}

static void expired(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.5", COND_UNTIL, NOW - DAY_S);
}

static void running(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.5", COND_UNTIL, NOW + DAY_S);
}

static void begins_now(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.5", COND_FROM, NOW);
}

static void not_begun(struct built *built)
{
    hour_only(built);
    build_factor(built, "0.5", COND_FROM, NOW + 1);
}

static void least_term(struct built *built)
{
    month_only(built);
    built->offer.attributes.min_months = 3;
}

static void unknown_count(struct built *built)
{
    build_offer(built, "H100 整机", "NVIDIA-H100-SXM", 0);
    build_month(built, "70000", ROLE_LIST)->basis = BASIS_NODE;
}

static void thirty_days(struct built *built)
{
    build_offer(built, "8×RTX 4090 裸金属整机", "NVIDIA-RTX-4090", 8);
    struct quote *quote = build_quote(built, "8314.10", PERIOD_DAY, ROLE_LIST, BASIS_NODE);
    quote->period_count = 30;
}

static void by_the_day(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "9", ROLE_LIST);
    build_quote(built, "68", PERIOD_DAY, ROLE_LIST, BASIS_CARD);
}

static void dollars_beside(struct built *built)
{
    hour_only(built);
    build_hour(built, "0.20", ROLE_SALE)->currency = currency_from(GT_STR("USD"));
}

static void student_month(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_month(built, "1500", ROLE_LIST);
    build_month(built, "1200", ROLE_SALE);
    build_factor(built, "0.8", COND_PREPAY_MONTH, 0);
    build_factor(built, "0.9", COND_STUDENT, 0);
}

static void eight_at_least(struct built *built)
{
    hour_only(built);
    built->offer.attributes.min_cards = 8;
    BUILD_CONDITION(built, &built->quotes[0], COND_MIN_CARDS, 8);
}

static void cheaper_by_eight(struct built *built)
{
    hour_only(built);
    BUILD_CONDITION(built, build_hour(built, "1.80", ROLE_LIST), COND_MIN_CARDS, 8);
}

static void huge(struct built *built)
{
    build_offer(built, "RTX 4090", "NVIDIA-RTX-4090", 1);
    build_hour(built, "9200000000", ROLE_LIST);
}

static const struct net_case cases[] = {
    {"golden 4090: list × site × label × 720", golden_4090, "", "1.96", "1074", "1130", EVIDENCE_INFERRED,
     "1.57 × 0.95 × 720 = 1073.88 → 1074"},
    {"golden 910B: the shown price holds both", golden_910b, "", "4.47", "2139", "2138", EVIDENCE_INFERRED,
     "4.47 × 0.80 = 3.576 → 3.58; 3.58 × 0.83 × 720 = 2139.408 → 2139"},
    {"golden H20: label and site factor are alike", golden_h20, "", "7.75", "3571", "4464", EVIDENCE_INFERRED,
     "6.20 × 0.80 × 720 = 3571.2 → 3571"},
    {"who pays by the hour has no monthly discount", golden_4090, "pay=hour", "1.96", "1411", "0", EVIDENCE_COMPUTED,
     "1.96 × 720 = 1411.2 → 1411"},
    {"hours used only", golden_4090, "pay=hour,hours=100", "1.96", "196", "0", EVIDENCE_COMPUTED, "1.96 × 100 = 196"},
    {"a node's printed sale, divided by its printed cards", node, "", "0", "1989", "0", EVIDENCE_PRINTED,
     "15910 ÷ 8 = 1988.75 → 1989"},
    {"a monthly payer of an hourly offer pays its hours", hour_only, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a free monthly payer pays the hours it uses", hour_only, "hours=200", "1.98", "396", "0", EVIDENCE_COMPUTED, NULL},
    {"a monthly discount binds to all hours", golden_4090, "hours=200", "1.96", "1074", "1130", EVIDENCE_INFERRED, NULL},
    {"a monthly offer has no hour", month_only, "", "0", "1052", "0", EVIDENCE_PRINTED, "1052"},
    {"who pays by the hour cannot have a month", month_only, "pay=hour", "0", "0", "0", EVIDENCE_NONE, NULL},
    {"seconds become hours before anything is rounded", per_second, "", "0.5904", "425", "0", EVIDENCE_COMPUTED,
     "0.000164 × 3600 × 720 = 425.088 → 425"},
    {"the student's factor for the student", student, "student", "6.3", "4536", "0", EVIDENCE_COMPUTED, "9 × 0.70"},
    {"and for nobody else", student, "", "9", "6480", "0", EVIDENCE_COMPUTED, NULL},
    {"the article's month holds its own 0.70", article_month, "", "0", "1260", "0", EVIDENCE_PRINTED, NULL},
    {"the company's five percent come on top", article_month, "enterprise,months=3", "0", "1197", "0", EVIDENCE_COMPUTED,
     "1260 × 0.95 = 1197"},
    {"not for a company that stays a month", article_month, "enterprise", "0", "1260", "0", EVIDENCE_PRINTED, NULL},
    {"not for a person who stays a year", article_month, "months=12", "0", "1260", "0", EVIDENCE_PRINTED, NULL},
    {"tiers are alternatives: one month", tiers, "", "1.98", "1354", "0", EVIDENCE_COMPUTED, "× 0.95 × 720"},
    {"tiers are alternatives: a quarter", tiers, "months=3", "1.98", "1283", "0", EVIDENCE_COMPUTED, "1.98 × 0.90 × 720"},
    {"tiers are alternatives: a year", tiers, "months=12", "1.98", "1140", "0", EVIDENCE_COMPUTED, "1.98 × 0.80 × 720"},
    {"an exclusive discount stands alone when it is better", exclusive, "student", "1.584", "1140", "0", EVIDENCE_COMPUTED,
     "1.98 × 0.80 × 720"},
    {"and gives way when it is worse", exclusive_worse, "student", "1.584", "998", "0", EVIDENCE_COMPUTED, "1.98 × 0.70 × 720"},
    {"an amount off the first month", amount_off, "new-customer", "0", "852", "0", EVIDENCE_COMPUTED, "1052 − 200 = 852"},
    {"spread over the months of the stay", amount_off, "new-customer,months=4", "0", "1002", "0", EVIDENCE_COMPUTED,
     "1052 − 50 = 1002"},
    {"and over the cards of the order", amount_off, "new-customer,cards=2", "0", "952", "0", EVIDENCE_COMPUTED, NULL},
    {"never for an old customer", amount_off, "", "0", "1052", "0", EVIDENCE_PRINTED, NULL},
    {"spot for who takes it", spot, "spot", "1.19", "857", "0", EVIDENCE_COMPUTED, "1.19 × 720"},
    {"no spot for the others", spot, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a spot offer is none for the others", spot_only, "", "0", "0", "0", EVIDENCE_NONE, "spot only"},
    {"a spot offer for who takes it", spot_only, "spot", "1.19", "857", "0", EVIDENCE_COMPUTED, NULL},
    {"the member's printed price", member, "member=黄金", "1.88", "1354", "0", EVIDENCE_COMPUTED, NULL},
    {"no member, no member's price", member, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a year paid at once", year, "pay=year", "0", "800", "0", EVIDENCE_PRINTED, "9600 ÷ 12 = 800"},
    {"a year is not for who pays monthly", year, "months=12", "0", "1052", "0", EVIDENCE_PRINTED, NULL},
    {"the longest term that the persona stays", reserved, "months=12", "1.98", "1080", "0", EVIDENCE_COMPUTED, "1.50 × 720"},
    {"a shorter one for a shorter stay", reserved, "months=6", "1.98", "1224", "0", EVIDENCE_COMPUTED, NULL},
    {"none for a month's stay", reserved, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a price from … is used where there is no other", from_price, "", "1.5", "1080", "0", EVIDENCE_COMPUTED, NULL},
    {"and never before an exact one", from_beside_exact, "", "0", "1052", "0", EVIDENCE_PRINTED, NULL},
    {"a lower reading of less evidence stands beside", month_and_cheaper_hours, "", "1.5", "1260", "1080", EVIDENCE_PRINTED,
     NULL},
    {"a shown price without any label is what is paid", unexplained_sale, "", "1.57", "1130", "0", EVIDENCE_COMPUTED,
     "1.57 × 720"},
    {"a printed factor for all is part of the posted price", printed_factor, "", "1.57", "1074", "0", EVIDENCE_COMPUTED,
     "1.57 × 0.95 × 720"},
    {"an ambiguous factor is not multiplied", ambiguous_factor, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"up to … is a bound, not a factor", up_to, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"what was not understood does not hold", not_understood, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a discount that has ended", expired, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a discount that begins in this second", begins_now, "", "0.99", "713", "0", EVIDENCE_COMPUTED, NULL},
    {"a discount that begins in the next one", not_begun, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a discount that runs", running, "", "0.99", "713", "0", EVIDENCE_COMPUTED, NULL},
    {"a least term that the persona does not stay", least_term, "", "0", "0", "0", EVIDENCE_NONE, "least term"},
    {"a least term that it stays", least_term, "months=3", "0", "1052", "0", EVIDENCE_PRINTED, NULL},
    {"the other market", month_only, "market=overseas", "0", "0", "0", EVIDENCE_NONE, "other market"},
    {"a node of unknown size has no price per card", unknown_count, "", "0", "0", "0", EVIDENCE_NONE, NULL},
    {"thirty days are a month", thirty_days, "", "0", "1039", "0", EVIDENCE_PRINTED, "8314.10 ÷ 8"},
    {"days beat hours for who stays", by_the_day, "", "9", "2040", "0", EVIDENCE_COMPUTED, "68 × 30 = 2040"},
    {"prices in another currency stay out", dollars_beside, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a minimum of the offer is met by taking it", eight_at_least, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"a price for eight is not for one", cheaper_by_eight, "", "1.98", "1426", "0", EVIDENCE_COMPUTED, NULL},
    {"but for eight", cheaper_by_eight, "cards=8", "1.8", "1296", "0", EVIDENCE_COMPUTED, NULL},
    {"a student's hope on top of a reduced month stands beside", student_month, "student", "0", "1200", "1080", EVIDENCE_PRINTED,
     NULL},
};

static void check_net(void **state)
{
    const struct net_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    struct persona persona;
    struct net_price price;
    struct net_rules rules = build_rules();
    row->build(&built);
    assert_int_equal(persona_read(gt_str_from(row->persona), &persona, NULL), GT_OK);
    assert_int_equal(net_price_compute(&built.offer, &rules, &persona, NOW, arena, &price), GT_OK);
    assert_money(price.month_net_nano, row->month_net);
    assert_money(price.hour_net_nano, row->hour_net);
    assert_money(price.month_alt_nano, row->month_alt);
    assert_int_equal(price.evidence, row->evidence);
    if (row->formula != NULL && gt_str_find(price.formula, gt_str_from(row->formula), 0) == SIZE_MAX)
        fail_msg("formula is \"%.*s\", without \"%s\"", GT_STR_ARG(price.formula), row->formula);
    arena_free(arena);
}

/* Figures that stand beside the net price. */
struct beside_case {
    const char *name;
    void (*build)(struct built *built);
    const char *hour_alt, *node_month, *promo;
};

static void promotion(struct built *built)
{
    node(built);
    struct quote *promo = build_month(built, "18800", ROLE_SALE);
    promo->bound = BOUND_FROM;
    BUILD_CONDITION(built, promo, COND_PROMOTION, 0);
}

static void promotion_over(struct built *built)
{
    promotion(built);
    struct quote *promo = &built->quotes[built->offer.record.quote_count - 1];
    BUILD_CONDITION(built, promo, COND_UNTIL, NOW - 1);
}

static void least_cards(struct built *built)
{
    month_only(built);
    built->offer.attributes.min_cards = 8;
}

static const struct beside_case beside[] = {
    {"the hour with the inferred factor", golden_4090, "1.57", "0", "0"},
    {"no inferred factor, no other hour", hour_only, "0", "0", "0"},
    {"the whole node", node, "0", "15910", "0"},
    {"a promotion per card, apart", promotion, "0", "15910", "2350"},
    {"a promotion that is over", promotion_over, "0", "15910", "0"},
    {"eight cards at least", least_cards, "0", "8416", "0"},
};

static void check_beside(void **state)
{
    const struct beside_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    struct persona persona = persona_default();
    struct net_price price;
    struct net_rules rules = build_rules();
    row->build(&built);
    assert_int_equal(net_price_compute(&built.offer, &rules, &persona, NOW, arena, &price), GT_OK);
    assert_money(price.hour_alt_nano, row->hour_alt);
    assert_money(price.node_month_net_nano, row->node_month);
    assert_money(price.promo_month_nano, row->promo);
    arena_free(arena);
}

/* Steps of rounding as sections may set them; the facts' own table of rules that do not fit. */
struct rounding_case {
    const char *name;
    const char *site, *label, *month;
    const char *want[3];
};

static const struct rounding_case roundings[] = {
    {"cents after the site's factor, none after labels, whole months", "0.01", "0", "1", {"1074", "2139", "3571"}},
    {"cents after every step", "0.01", "0.01", "1", {"1073", "2138", "3571"}},
    {"no rounding at all", "0", "0", "0", {"1072.512", "2137.0176", "3571.2"}},
    {"months to the tenth", "0.01", "0", "0.1", {"1073.9", "2139.4", "3571.2"}},
};

static void check_rounding(void **state)
{
    static void (*const builders[])(struct built *) = {golden_4090, golden_910b, golden_h20};
    const struct rounding_case *row = *state;
    struct persona persona = persona_default();
    struct net_rules rules = {720, nano(row->site), nano(row->label), nano(row->month)};
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++) {
        struct arena *arena = arena_new(BUILD_ARENA_BYTES);
        struct built built;
        struct net_price price;
        builders[i](&built);
        assert_int_equal(net_price_compute(&built.offer, &rules, &persona, NOW, arena, &price), GT_OK);
        assert_money(price.month_net_nano, row->want[i]);
        arena_free(arena);
    }
}

/* What goes wrong is said, and nothing is assigned. */
struct failure_case {
    const char *name;
    void (*build)(struct built *built);
    size_t arena_bytes;
    enum gt_err err;
};

static const struct failure_case failures[] = {
    {"a month that does not fit", huge, BUILD_ARENA_BYTES, GT_EOVERFLOW},
    {"no memory for the formula", hour_only, 16, GT_ENOMEM},
};

static void check_failure(void **state)
{
    const struct failure_case *row = *state;
    struct arena *arena = arena_new(row->arena_bytes);
    struct built built;
    struct persona persona = persona_default();
    struct net_rules rules = build_rules();
    struct net_price price = {.month_net_nano = -7};
    row->build(&built);
    assert_int_equal(net_price_compute(&built.offer, &rules, &persona, NOW, arena, &price), row->err);
    assert_int_equal(price.month_net_nano, -7);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(cases, check_net) + TABLE_RUN(beside, check_beside) + TABLE_RUN(roundings, check_rounding) +
           TABLE_RUN(failures, check_failure);
}
