/* What platforms disclose: a truth table, a platform a row; and the fees and facts of sites.conf that are taken or refused. */
#include "reports/transparency.h"
#include "tests/unit/reports/market.h"

enum { PRINTS_MAX = 3, SITES_MAX = 4 };

/* What one offer prints. */
struct print {
    int32_t cards; /* 0: 1 */
    int32_t billing_step_s, min_months, vram_gb, vcpu;
    enum tax tax;
    enum availability availability;
    const char *link, *sku; /* sku NULL: NVIDIA-RTX-4090 */
    bool has_discount, has_unknown_discount, has_promotion, has_promotion_end, has_two_lists;
    bool is_delisted, is_doubted, is_manual;
};

struct row {
    const char *name;
    struct print prints[PRINTS_MAX];
    size_t count;
    const char *conf;     /* sections; that of the offers is [site a] */
    const char *query;
    const char *expected; /* "aspect=state value printed/offers" but for "not-seen" and "not-examined", joined by "; " */
};

#define P(...) {__VA_ARGS__}
#define FACT(name, value) "[site a]\nfact." name " = " value " | https://a.example/docs | 2026-09-01\n"
static const struct row rows[] = {
    {"a plain price and nothing else", {P(.vcpu = 0)}, 1, "", "", "price=disclosed 1/1"},
    {"tax in the price", {P(.tax = TAX_INCLUDED)}, 1, "", "", "price=disclosed 1/1; tax=disclosed included 1/1"},
    {"tax on one of two", {P(.tax = TAX_EXCLUDED), P(.vcpu = 0)}, 2, "", "", "price=disclosed 2/2; tax=disclosed excluded 1/2"},
    {"two offers with different tax are two facts, not a contradiction", {P(.tax = TAX_EXCLUDED), P(.tax = TAX_INCLUDED)}, 2, "", "",
     "price=disclosed 2/2; tax=disclosed excluded / included 2/2"},
    {"billed by the second", {P(.billing_step_s = 1)}, 1, "", "", "price=disclosed 1/1; billing_step=disclosed 1s 1/1"},
    {"billed by the hour", {P(.billing_step_s = 3600)}, 1, "", "", "price=disclosed 1/1; billing_step=disclosed 1h 1/1"},
    {"a month at least", {P(.min_months = 1)}, 1, "", "", "price=disclosed 1/1; min_term=disclosed 1 month 1/1"},
    {"sold out is a word about stock", {P(.availability = AVAIL_SOLD_OUT)}, 1, "", "", "price=disclosed 1/1; stock=disclosed printed 1/1"},
    {"memory and host", {P(.vram_gb = 24, .vcpu = 15)}, 1, "", "", "price=disclosed 1/1; vram=disclosed printed 1/1; host=disclosed printed 1/1"},
    {"a node without a word on its links", {P(.cards = 8)}, 1, "", "", "price=disclosed 1/1"},
    {"a node with links that its card has", {P(.cards = 8, .link = "NVLink", .sku = "NVIDIA-H100-SXM")}, 1, "", "",
     "price=disclosed 1/1; interconnect=disclosed NVLink 1/1"},
    {"a node with links that its card has not", {P(.cards = 8, .link = "NVLink")}, 1, "", "",
     "price=disclosed 1/1; interconnect=contradictory x: NVLink is printed (NVLink), but NVIDIA-RTX-4090 has none 1/1"},
    {"a single card is not asked for links", {P(.link = "")}, 1, "", "", "price=disclosed 1/1"},
    {"a discount with its condition", {P(.has_discount = true)}, 1, "", "", "price=disclosed 1/1; discount=disclosed 月付 95 折 1/1"},
    {"a discount without one", {P(.has_unknown_discount = true)}, 1, "", "", "price=disclosed 1/1"},
    {"a promotion without an end", {P(.has_promotion = true)}, 1, "", "", "price=disclosed 1/1"},
    {"a promotion with its end", {P(.has_promotion = true, .has_promotion_end = true)}, 1, "", "", "price=disclosed 1/1; promotion_end=disclosed 活动价 1/1"},
    {"two list prices in one row", {P(.has_two_lists = true)}, 1, "", "", "price=contradictory x: 1 and 2 are both printed as the list price of a hour 0/1"},
    {"a document says what the page does not", {P(.vcpu = 0)}, 1, FACT("invoice", "增值税专用发票"), "",
     "price=disclosed 1/1; invoice=disclosed 增值税专用发票 @https://a.example/docs 2026-09-01"},
    {"somebody looked and found nothing", {P(.vcpu = 0)}, 1, FACT("fault", "-"), "", "price=disclosed 1/1; fault=not-disclosed @https://a.example/docs 2026-09-01"},
    {"looked in the documents; the page prints it", {P(.tax = TAX_INCLUDED)}, 1, FACT("tax", "-"), "", "price=disclosed 1/1; tax=disclosed included 1/1 @https://a.example/docs 2026-09-01"},
    {"looked, and neither prints it", {P(.vcpu = 0)}, 1, FACT("tax", "-"), "", "price=disclosed 1/1; tax=not-disclosed 0/1 @https://a.example/docs 2026-09-01"},
    {"a document says another tax than the page", {P(.tax = TAX_INCLUDED)}, 1, FACT("tax", "excluded"), "",
     "price=disclosed 1/1; tax=contradictory included / excluded 1/1 @https://a.example/docs 2026-09-01"},
    {"a document says the same tax", {P(.tax = TAX_INCLUDED)}, 1, FACT("tax", "included"), "", "price=disclosed 1/1; tax=disclosed included 1/1 @https://a.example/docs 2026-09-01"},
    {"the same in other words is no contradiction", {P(.tax = TAX_INCLUDED)}, 1, FACT("tax", "6% 增值税"), "",
     "price=disclosed 1/1; tax=disclosed included / 6% 增值税 1/1 @https://a.example/docs 2026-09-01"},
    {"another billing step", {P(.billing_step_s = 3600)}, 1, FACT("billing_step", "1s"), "",
     "price=disclosed 1/1; billing_step=contradictory 1h / 1s 1/1 @https://a.example/docs 2026-09-01"},
    {"the same step in another unit", {P(.billing_step_s = 3600)}, 1, FACT("billing_step", "60m"), "",
     "price=disclosed 1/1; billing_step=disclosed 1h / 60m 1/1 @https://a.example/docs 2026-09-01"},
    {"another least term", {P(.min_months = 3)}, 1, FACT("min_term", "1 month"), "",
     "price=disclosed 1/1; min_term=contradictory 3 months / 1 month 1/1 @https://a.example/docs 2026-09-01"},
    {"two documents against each other", {P(.vcpu = 0)}, 1, "[site a]\nfact.own_cards = yes | one | 2026-09-01\n  resale | two | 2026-09-02\n", "",
     "price=disclosed 1/1; own_cards=contradictory yes / resale @one; two 2026-09-01; 2026-09-02"},
    {"two documents that agree", {P(.vcpu = 0)}, 1, "[site a]\nfact.own_cards = yes | one | 2026-09-01\n  Yes | two | 2026-09-01\n", "",
     "price=disclosed 1/1; own_cards=disclosed yes @one; two 2026-09-01"},
    {"a fee of sites.conf", {P(.vcpu = 0)}, 1, "[site a]\nfee.storage = ~0.01 CNY/GB/day\nfee.management = 5\n", "",
     "price=disclosed 1/1; storage=disclosed ~0.01 CNY/GB/day @sites.conf ; management=disclosed 5% @sites.conf "},
    {"storage included", {P(.vcpu = 0)}, 1, "[site a]\nfee.storage = included\n", "", "price=disclosed 1/1; storage=disclosed included @sites.conf "},
    {"a delisted offer says nothing", {P(.tax = TAX_INCLUDED, .is_delisted = true)}, 1, "", "", ""},
    {"a doubted one neither", {P(.tax = TAX_INCLUDED, .is_doubted = true)}, 1, "", "", ""},
    {"nor one got by hand", {P(.tax = TAX_INCLUDED, .is_manual = true)}, 1, "", "", ""},
    {"a platform that only sites.conf speaks of", {P(.is_delisted = true)}, 0, FACT("icp", "京ICP备0号"), "", "icp=disclosed 京ICP备0号 @https://a.example/docs 2026-09-01"},
    {"a platform of which nobody says anything", {P(.is_delisted = true)}, 0, "[site a]\ntitle = A\n", "", ""},
    {"asked for by name", {P(.vcpu = 0)}, 1, "[site b]\nfee.storage = included\n", "site=a", "price=disclosed 1/1"},
    {"another is asked for", {P(.vcpu = 0)}, 1, "[site b]\nfee.storage = included\n", "site=b", "storage=disclosed included @sites.conf "},
    {"a card is asked for: platforms without offers are left out", {P(.vcpu = 0)}, 1, "[site b]\nfee.storage = included\n", "4090", "price=disclosed 1/1"},
    {"another card", {P(.vcpu = 0)}, 1, "", "H20", ""},
};

static struct board_row print_row(struct arena *arena, const struct print *print, uint64_t id)
{
    static const struct condition monthly[] = {{.kind = COND_PREPAY_MONTH}}, unknown[] = {{.kind = COND_UNKNOWN}},
                                  promoted[] = {{.kind = COND_PROMOTION}, {.kind = COND_UNTIL, .n = JYGPU_SEEN}};
    const struct market_offer offer = {.id = id, .site = "a", .title = "A", .label = "x", .sku = print->sku != NULL ? print->sku : "NVIDIA-RTX-4090", .vram_gb = 24,
                                       .status = SKU_EXACT, .delivery = DELIVERY_CONTAINER, .currency = "CNY", .hour_nano = NANO,
                                       .availability = print->availability, .seen_unix_s = JYGPU_SEEN, .is_listed = !print->is_delisted,
                                       .is_doubted = print->is_doubted};
    struct board_row row = market_row(arena, &offer);
    struct offer_record *record = &row.offer.record;
    struct offer_attributes *attributes = &row.offer.attributes;
    struct quote *quotes = arena_array(arena, 3, sizeof *quotes);
    struct discount *discounts = arena_array(arena, 2, sizeof *discounts);
    quotes[0] = record->quotes[0];
    record->quotes = quotes;
    record->discounts = discounts;
    record->availability = print->availability;
    if (print->has_two_lists) {
        quotes[record->quote_count] = quotes[0];
        quotes[record->quote_count++].amount_nano = 2 * NANO;
    }
    if (print->has_promotion)
        quotes[record->quote_count++] = (struct quote){.amount_nano = NANO / 2, .currency = record->currency, .period = PERIOD_HOUR, .period_count = 1,
                                                       .basis = BASIS_CARD, .role = ROLE_SALE, .conditions = promoted,
                                                       .condition_count = print->has_promotion_end ? 2 : 1, .raw = GT_STR("活动价")};
    if (print->has_discount)
        discounts[record->discount_count++] = (struct discount){.factor_nano = 950000000, .conditions = monthly, .condition_count = 1, .raw = GT_STR("月付 95 折")};
    if (print->has_unknown_discount)
        discounts[record->discount_count++] = (struct discount){.factor_nano = 900000000, .conditions = unknown, .condition_count = 1, .raw = GT_STR("优惠")};
    row.provenance = print->is_manual ? PROVENANCE_MANUAL : PROVENANCE_LIVE;
    attributes->cards = print->cards > 0 ? print->cards : 1;
    attributes->tax = print->tax;
    attributes->billing_step_s = print->billing_step_s;
    attributes->min_months = print->min_months;
    attributes->vram_printed_gb = print->vram_gb;
    attributes->vcpu = attributes->ram_gb = print->vcpu;
    if (print->link != NULL) attributes->interconnect = gt_str_from(print->link);
    return row;
}

static void tell(const struct transparency *list, char *words, size_t max)
{
    words[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const struct transparency_item *item = &list->items[i];
        if (item->disclosure == DISCLOSURE_NOT_EXAMINED || item->disclosure == DISCLOSURE_NOT_SEEN) continue;
        bool has_value = item->value.len > 0;
        snprintf(words + strlen(words), max - strlen(words), "%s%s=%s%s%.*s", words[0] != '\0' ? "; " : "", aspect_word(item->aspect),
                 disclosure_word(item->disclosure), has_value ? " " : "", GT_STR_ARG(item->value));
        if (item->offers > 0) snprintf(words + strlen(words), max - strlen(words), " %d/%d", (int)item->printed, (int)item->offers);
        if (item->source.len > 0)
            snprintf(words + strlen(words), max - strlen(words), " @%.*s %.*s", GT_STR_ARG(item->source), GT_STR_ARG(item->date));
    }
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct board_row board_rows[PRINTS_MAX];
    struct site_extras extras[SITES_MAX];
    struct board_view view = {.now_unix_s = JYGPU_SEEN, .persona = persona_default()};
    struct transparency list = {0};
    char words[1024];
    size_t count = 0;
    for (size_t i = 0; i < row->count; i++) board_rows[i] = print_row(arena, &row->prints[i], i + 1);
    assert_int_equal(query_read(gt_str_from(row->query), arena, &view.query, &info), GT_OK);
    assert_int_equal(conf_read_text(conf, "test", gt_str_from(row->conf), &info), GT_OK);
    const struct conf_section *const *sections = conf_sections(conf, "site");
    for (; sections[count] != NULL; count++) assert_int_equal(site_extras_from_conf(sections[count], arena, &extras[count], &info), GT_OK);
    assert_int_equal(transparency_compute(&(struct board_rows){board_rows, row->count}, &view, extras, count, arena, &list), GT_OK);
    tell(&list, words, sizeof words);
    assert_string_equal(words, row->expected);
    conf_free(conf);
    arena_free(arena);
}

/* ---- sections that are refused, and those that are not ---- */

struct conf_row {
    const char *name, *line;
    bool is_good;
};

static const struct conf_row conf_rows[] = {
    {"a fee a month", "fee.storage = 0.05 USD/GB/month", true},
    {"a fee a day", "fee.storage = 0.01 CNY/GB/day", true},
    {"about", "fee.storage = ~0.10 USD/GB/month", true},
    {"included", "fee.storage = included", true},
    {"traffic", "fee.traffic = 0.8 CNY/GB", true},
    {"three copies", "fee.replicas = 3", true},
    {"no management fee", "fee.management = 0", true},
    {"a fact", "fact.tax = included | https://a.example | 2026-09-01", true},
    {"a fee without a currency", "fee.storage = 0.05", false},
    {"without a period", "fee.storage = 0.05 USD/GB", false},
    {"a period that is none", "fee.storage = 0.05 USD/GB/year", false},
    {"another unit", "fee.storage = 0.05 USD/TB/month", false},
    {"nothing but a word", "fee.storage = free", false},
    {"nothing", "fee.storage = 0 USD/GB/month", false},
    {"below nothing", "fee.storage = -1 USD/GB/month", false},
    {"more behind it", "fee.storage = 0.05 USD/GB/month/copy", false},
    {"more digits than are kept", "fee.storage = 0.0000000001 USD/GB/month", false},
    {"traffic with a period", "fee.traffic = 0.8 CNY/GB/month", false},
    {"half a copy", "fee.replicas = 0.5", false},
    {"a management fee below none", "fee.management = -1", false},
    {"a fact without source and day", "fact.tax = included", false},
    {"without a day", "fact.tax = included | https://a.example", false},
    {"a day in another form", "fact.tax = included | https://a.example | 1 Sep 2026", false},
    {"an empty source", "fact.tax = included | | 2026-09-01", false},
    {"an empty value", "fact.tax = | https://a.example | 2026-09-01", false},
    {"too many pieces", "fact.tax = included | a | 2026-09-01 | b", false},
};

static void check_conf(void **state)
{
    const struct conf_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct conf *conf = conf_new();
    struct gt_errinfo info = {0};
    struct site_extras extras = {0};
    char text[256];
    snprintf(text, sizeof text, "[site a]\n%s\n", row->line);
    enum gt_err err = conf_read_text(conf, "test", gt_str_from(text), &info);
    if (err == GT_OK) err = site_extras_from_conf(conf_find(conf, "site", GT_STR("a")), arena, &extras, &info);
    assert_int_equal(err, row->is_good ? GT_OK : GT_ECONF);
    if (!row->is_good) assert_non_null(strstr(info.text, "test:2:"));
    conf_free(conf);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_row) + TABLE_RUN(conf_rows, check_conf);
}
