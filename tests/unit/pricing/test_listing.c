/* From named printed texts to offers: fields, names of fields, headings, identity, attributes, isolation of rows. */
#include "pricing/listing.h"

#include "tests/unit/pricing/rows.h"

/* One row in, its prices out. */
struct row_case {
    const char *name;
    const char *line;
    const char *currency; /* of the section */
    const char *shown;    /* quotes and discounts; NULL: refused */
    const char *hour_list, *month_list;
};

static const struct row_case rows[] = {
    {"a bare number in a price column", "label=RTX 4090; price.hour=1.98", "CNY", "1.98 CNY/hour list exact unknown", "1.98",
     "0"},
    {"unit in the heading", "label=L20; price[按需价格（元/小时）]=15.72", "", "15.72 CNY/hour list exact unknown", "15.72", "0"},
    {"words win over the field's name", "label=RTX 4090; price.hour=¥1052/月", "CNY", "1052 CNY/month list exact unknown", "0",
     "1052"},
    {"two columns", "label=RTX 4090; price.hour=1.98; price.month=1052", "CNY",
     "1.98 CNY/hour list exact unknown | 1052 CNY/month list exact unknown", "1.98", "1052"},
    {"a reduced month", "label=RTX 4090; price.month.list=1260; price.month.sale=1052", "CNY",
     "1260 CNY/month list exact unknown | 1052 CNY/month sale exact unknown", "0", "1260"},
    {"spot per card", "label=RTX 4090; price.spot.hour.card=1.19; price.hour.card=1.98", "CNY",
     "1.19 CNY/hour spot exact card | 1.98 CNY/hour list exact card", "1.98", "0"},
    {"a commitment", "label=RTX 4090; price.hour=1.98; price.hour.12m=1.50", "CNY",
     "1.98 CNY/hour list exact unknown | 1.5 CNY/hour list exact unknown 12m", "1.98", "0"},
    {"a commitment comes first", "label=RTX 4090; price.hour.12m=1.50; price.hour=1.98", "CNY",
     "1.5 CNY/hour list exact unknown 12m | 1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"a student's price", "label=RTX 4090; price.hour=2; price.hour.student=1.4", "CNY",
     "2 CNY/hour list exact unknown | 1.4 CNY/hour list exact unknown +student", "2", "0"},
    {"a plan that binds for three years", "label=H100; plan=3-year reserved; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +min-months", "0", "0"},
    {"a plan that is a length of time", "label=H100; plan=12个月; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +min-months", "0", "0"},
    {"a label with a commitment", "label=H100 Reserved 1yr; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +min-months", "0", "0"},
    {"a label with a term", "label=H100 1年期; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +min-months", "0", "0"},
    {"years of warranty are no commitment", "label=H100 3年质保; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"paid by the year", "label=H100 年付; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +prepay-year", "0", "0"},
    {"paid by the month or the year: as one likes", "label=H100 月付/年付; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"a plan that is paid by the month", "label=H100; plan=包月; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +prepay-month", "0", "0"},
    {"on demand asks for nothing", "label=H100; plan=按量计费; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"for students", "label=H100 学生专享; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +student", "0", "0"},
    {"for newcomers", "label=H100; variant=新用户专享; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +new-customer", "0", "0"},
    {"for members", "label=H100 会员价; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +member", "0", "0"},
    {"for the night", "label=H100 夜间; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +night", "0", "0"},
    {"off-peak", "label=H100; plan=off-peak; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +night", "0", "0"},
    {"a flash sale", "label=H100 秒杀; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown +promotion", "0", "0"},
    {"an edition for companies is a product", "label=H100 企业版; price.hour=1.98", "CNY",
     "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"a year's price says itself for how long", "label=H100 年付; price.year=9600", "CNY", "9600 CNY/year list exact unknown", "0", "0"},
    {"a heading for students", "label=H100; price.hour[学生价(元/时)]=1.98", "CNY", "1.98 CNY/hour list exact unknown +student", "0", "0"},
    {"a heading for newcomers", "label=H100; price.month[首月价(元/月)]=198", "CNY", "198 CNY/month list exact unknown +new-customer", "0", "0"},
    {"a heading for the night", "label=H100; price.hour[Off-peak price/hr]=1.98", "CNY", "1.98 CNY/hour list exact unknown +night", "0", "0"},
    {"a heading of a flash sale", "label=H100; price.hour[秒杀价(元/时)]=1.98", "CNY", "1.98 CNY/hour sale exact unknown +promotion", "0", "0"},
    {"a heading for all", "label=H100; price.hour[单价(元/时)]=1.98", "CNY", "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"a name that says what the heading means", "label=H100; price.hour.list[学生价(元/时)]=1.98", "CNY", "1.98 CNY/hour list exact unknown", "1.98", "0"},
    {"a bound by the field's name", "label=RTX 4090; price.hour.from=1.2", "CNY", "1.2 CNY/hour list from unknown", "0", "0"},
    {"a node divided by its cards", "label=8卡 H100 整机; price.month.node=70000", "CNY", "70000 CNY/month list exact node", "0",
     "8750"},
    {"cards in a cell of their own", "label=MLU370-S4; cards=4; price.month.node=24964.07", "CNY",
     "24964.07 CNY/month list exact node", "0", "6241.0175"},
    {"a node without a count", "label=H100 整机; price.month.node=70000", "CNY", "70000 CNY/month list exact node", "0", "0"},
    {"a quarter of a card has no price per card", "label=A10; cards=1/4; price.month.node=2033.34", "CNY",
     "2033.34 CNY/month list exact node", "0", "0"},
    {"seconds become hours", "label=T4; price.second.card=$0.000164", "USD", "0.000164 USD/second list exact card", "0.5904",
     "0"},
    {"the printed hour before the seconds", "label=T4; price.second.card=$0.000150; price.hour.card=$0.54", "USD",
     "0.00015 USD/second list exact card | 0.54 USD/hour list exact card", "0.54", "0"},
    {"a day is neither", "label=RTX 4090; price.day=68", "CNY", "68 CNY/day list exact unknown", "0", "0"},
    {"a year is neither", "label=RTX 4090; price.year=9600", "CNY", "9600 CNY/year list exact unknown", "0", "0"},
    {"a discount beside", "label=RTX 4090; price.hour=1.98; discount.month=95折", "CNY",
     "1.98 CNY/hour list exact unknown | 0.95 +prepay-month", "1.98", "0"},
    {"a discount for a year", "label=RTX 4090; price.hour=1.98; discount.12m=8折", "CNY",
     "1.98 CNY/hour list exact unknown | 0.8 +min-months:12", "1.98", "0"},
    {"a discount under its heading", "label=RTX 4090; price.hour=1.98; discount[月付折扣]=95折", "CNY",
     "1.98 CNY/hour list exact unknown | 0.95 +prepay-month", "1.98", "0"},
    {"a bare fraction", "label=RTX 4090; price.hour=1.98; discount.month=0.95", "CNY",
     "1.98 CNY/hour list exact unknown | 0.95 +prepay-month", "1.98", "0"},
    {"a bare 95 can be read two ways", "label=RTX 4090; price.hour=1.98; discount=95", "CNY", "1.98 CNY/hour list exact unknown",
     "1.98", "0"},
    {"no discount is no discount", "label=RTX 4090; price.hour=1.98; discount=1", "CNY", "1.98 CNY/hour list exact unknown",
     "1.98", "0"},
    {"a discount that is printed twice", "label=RTX 4090; price=¥1.96/时, 月付 95 折后 ¥1.57/时; discount.month=95折", "CNY",
     "1.96 CNY/hour list exact unknown | 1.57 CNY/hour sale exact unknown +prepay-month | 0.95 +prepay-month", "1.96", "0"},
    {"the row's own currency", "label=RTX 4090; currency=usd; price.hour=0.69", "CNY", "0.69 USD/hour list exact unknown", "0.69",
     "0"},
    {"sold out without a price is an offer", "label=RTX 4090; stock=售罄", "CNY", "", "0", "0"},
    {"sold out in the price column", "label=RTX 4090; price=售罄", "CNY", "", "0", "0"},
    {"a dash is listed without a price", "label=RTX 4090; price=—", "CNY", "", "0", "0"},
    {"a dash beside a price", "label=RTX 4090; price.hour=1.98; price.month=--", "CNY", "1.98 CNY/hour list exact unknown",
     "1.98", "0"},
    {"a dash without a card", "label=合计; price=—", "CNY", NULL, "0", "0"},
    {"no price cell at all", "label=RTX 4090; vcpu=16", "CNY", NULL, "0", "0"},
    {"no currency anywhere", "label=RTX 4090; price.hour=1.98", "", "1.98 /hour list exact unknown", "1.98", "0"},
    {"on request", "label=H100; price=面议", "CNY", NULL, "0", "0"},
    {"no label", "price.hour=1.98", "CNY", NULL, "0", "0"},
    {"a label of blanks", "label=\u3000; price.hour=1.98", "CNY", NULL, "0", "0"},
    {"a disk", "label=数据盘; price.hour=0.01", "CNY", NULL, "0", "0"},
    {"nothing, where nothing is called free", "label=RTX 4090; price.hour=0", "CNY", NULL, "0", "0"},
    {"words alone", "label=RTX 4090; price=敬请期待", "CNY", NULL, "0", "0"},
};

static void check_row(void **state)
{
    const struct row_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts(row->currency);
    const char *const lines[] = {row->line, NULL};
    struct reading reading = rows_read(lines, &facts, arena);
    assert_int_equal(reading.offer_count, row->shown != NULL);
    if (row->shown == NULL) {
        assert_true(reading.refused_count > 0);
    } else {
        const struct offer *offer = &reading.offers[0];
        assert_str(rows_show(offer, arena), row->shown);
        assert_money(offer->record.hour_list_nano, row->hour_list);
        assert_money(offer->record.month_list_nano, row->month_list);
    }
    arena_free(arena);
}

/* One row in, its attributes out. */
struct attribute_case {
    const char *name;
    const char *line;
    const char *shown;
};

static const struct attribute_case attributes[] = {
    {"a container", "label=NVIDIA 4090 容器云; variant=24GB 显存 / 15核 / 60GB内存; price=¥1.96/时",
     "NVIDIA-RTX-4090 exact 24G cards=1 container unknown vcpu=15 ram=60"},
    {"a node", "label=4090 8 卡裸金属; variant=8×24GB, NVLink + IB 网卡; price=¥9900/月",
     "NVIDIA-RTX-4090 exact 24G cards=8 bare-metal on-demand link=NVLink + IB"},
    {"a count glued to the name", "label=8*910B; price=15000/月", "ASCEND-910B exact 64G cards=8 unknown on-demand"},
    {"an instance type beside the card", "label=GN7.5XLARGE80; variant=2 * NVIDIA T4; price.hour.node=17.36",
     "NVIDIA-T4 exact 16G cards=2 unknown unknown"},
    {"memory tells variants apart", "label=A100; vram=80GB; price.hour=7", "NVIDIA-A100-80G exact 80G cards=1 unknown unknown"},
    {"without it the family stays open", "label=A100; price.hour=7", "NVIDIA-A100 family 0G cards=1 unknown unknown"},
    {"an unknown card", "label=神秘卡 X1; price.hour=7", "- unmapped 0G cards=0 unknown unknown"},
    {"spot by its words", "label=RTX 4090 抢占式; price.hour=1.19", "NVIDIA-RTX-4090 exact 24G cards=1 unknown spot"},
    {"spot by its only price", "label=RTX 4090; price.hour.spot=1.19", "NVIDIA-RTX-4090 exact 24G cards=1 unknown spot"},
    {"a lease is not taken away", "label=RTX 4090; price.month=1052", "NVIDIA-RTX-4090 exact 24G cards=1 unknown on-demand"},
    {"a plan says more", "label=RTX 4090; plan=按量计费; price.hour=1.98", "NVIDIA-RTX-4090 exact 24G cards=1 unknown on-demand"},
    {"least cards and months", "label=H100 SXM; variant=起租 8 卡，3 个月起租; price.hour.card=$3.99",
     "NVIDIA-H100-SXM exact 80G cards=1 unknown unknown min=8/3m"},
    {"cells of their own", "label=RTX 4090; vcpu=16; ram=64 GB; disk=100GB; min_cards=2; min_months=1年; price.hour=2",
     "NVIDIA-RTX-4090 exact 24G cards=1 unknown unknown vcpu=16 ram=64 disk=100 min=2/12m"},
    {"a quarter card", "label=A10; cards=1/4; price.hour.node=2", "NVIDIA-A10 exact 24G cards=0 unknown unknown slice=1/4"},
    {"memory of a part of a card", "label=NVIDIA A16; variant=2 GB VRAM; price.hour.node=0.059",
     "NVIDIA-A16 exact 16G cards=0 unknown unknown slice=1/8"},
    {"the memory of all cards together", "label=RTX 4090 24GB × 2; variant=总显存 48GB; price.hour.card=2.8",
     "NVIDIA-RTX-4090 exact 24G cards=2 unknown unknown"},
    {"more memory than the card has is not that card", "label=RTX 4090; vram=96GB; price.hour=2",
     "- ambiguous 96G cards=1 unknown unknown"},
    {"memory that no card has is none", "label=RTX 4090; vram=45791200 GB; price.hour=2",
     "NVIDIA-RTX-4090 exact 24G cards=1 unknown unknown"},
    {"stock as a count", "label=RTX 4090; stock=1351/2288; price.hour=2",
     "NVIDIA-RTX-4090 exact 24G cards=1 unknown unknown in-stock=1351"},
    {"no stock left", "label=RTX 4090; stock=0; price.hour=2", "NVIDIA-RTX-4090 exact 24G cards=1 unknown unknown sold-out=0"},
};

static struct gt_str show_attributes(const struct offer *offer, struct arena *arena)
{
    const struct offer_attributes *a = &offer->attributes;
    struct gt_str text = arena_printf(arena, "%s %s %dG cards=%d %s %s", a->sku[0] != '\0' ? a->sku : "-",
                                      word_text(VOCABULARY_SKU, (int)a->sku_status), (int)a->vram_gb, (int)a->cards,
                                      word_text(VOCABULARY_DELIVERY, (int)a->delivery), word_text(VOCABULARY_TIER, (int)a->tier));
    if (a->slice_den != 0) text = arena_printf(arena, "%.*s slice=%d/%d", GT_STR_ARG(text), (int)a->slice_num, (int)a->slice_den);
    if (a->vcpu != 0) text = arena_printf(arena, "%.*s vcpu=%d", GT_STR_ARG(text), (int)a->vcpu);
    if (a->ram_gb != 0) text = arena_printf(arena, "%.*s ram=%d", GT_STR_ARG(text), (int)a->ram_gb);
    if (a->disk_gb != 0) text = arena_printf(arena, "%.*s disk=%d", GT_STR_ARG(text), (int)a->disk_gb);
    if (a->min_cards + a->min_months != 0)
        text = arena_printf(arena, "%.*s min=%d/%dm", GT_STR_ARG(text), (int)a->min_cards, (int)a->min_months);
    if (a->interconnect.len > 0) text = arena_printf(arena, "%.*s link=%.*s", GT_STR_ARG(text), GT_STR_ARG(a->interconnect));
    if (offer->stock >= 0)
        text = arena_printf(arena, "%.*s %s=%lld", GT_STR_ARG(text), word_text(VOCABULARY_AVAIL, (int)offer->record.availability),
                            (long long)offer->stock);
    return text;
}

static void check_attribute(void **state)
{
    const struct attribute_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    const char *const lines[] = {row->line, NULL};
    struct reading reading = rows_read(lines, &facts, arena);
    assert_int_equal(reading.offer_count, 1);
    assert_str(show_attributes(&reading.offers[0], arena), row->shown);
    arena_free(arena);
}

/* Whole pages: how many offers stay, how many texts are refused. */
struct page_case {
    const char *name;
    const char *lines[8];
    size_t offers, refused;
};

static const struct page_case pages[] = {
    {"a bad row costs itself only",
     {"label=RTX 4090; price.hour=1.98", "label=RTX 5090; price.hour=1,98,7.6.5", "label=L20; price.hour=3.87", NULL},
     2,
     1},
    {"a table printed twice",
     {"label=RTX 4090; price.hour=1.98", "label=L20; price.hour=3.87", "label=RTX  4090; price.hour=1.98", NULL},
     2,
     0},
    {"one label at two prices stays two", {"label=RTX 4090; price.hour=1.98", "label=RTX 4090; price.hour=2.08", NULL}, 2, 0},
    {"regions tell apart",
     {"label=RTX 4090; region=a; price.hour=1.98", "label=RTX 4090; region=b; price.hour=1.98", NULL},
     2,
     0},
    {"cards tell apart where nothing else does",
     {"label=RTX 4090; cards=1; price.hour.node=1.98", "label=RTX 4090; cards=8; price.hour.node=15.84", NULL},
     2,
     0},
    {"nothing at all", {NULL}, 0, 0},
    {"nothing but headings", {"label=型号; price=价格", NULL}, 0, 1},
};

static void check_page(void **state)
{
    const struct page_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    struct reading reading = rows_read(row->lines, &facts, arena);
    assert_int_equal(reading.offer_count, row->offers);
    assert_int_equal(reading.refused_count, row->refused);
    arena_free(arena);
}

/* What becomes of the printed words: "label|plan|variant|region|key". */
struct identity_case {
    const char *name;
    const char *line;
    const char *identity;
};

static const struct identity_case identities[] = {
    {"the label alone", "label=RTX 4090; price.hour=2", "RTX 4090||||"},
    {"blanks of all kinds", "label= RTX\u00a0\u00a04090\u3000D ; price.hour=2", "RTX 4090 D||||"},
    {"all of them", "label=A; plan=包月; variant=x; region=cn-north; key=k1; price.hour=2", "A|包月|x|cn-north|k1"},
    {"two variants", "label=A; variant=x; variant=y; price.hour=2", "A||x | y||"},
    {"sizes where nothing else tells apart", "label=A100; cards=8; vram=80GB; vcpu=96; ram=1.5T; price.hour=2",
     "A100||8 | 80GB | 96 | 1.5T||"},
    {"not where the site has a key", "label=A100; cards=8; key=k1; price.hour=2", "A100||||k1"},
    {"not where the rules name a variant", "label=A100; cards=8; variant=SXM; price.hour=2", "A100||SXM||"},
    {"stock and disk are never part of it", "label=A100; stock=3; disk=100G; price.hour=2", "A100||||"},
};

static void check_identity(void **state)
{
    const struct identity_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct site_facts facts = rows_facts("CNY");
    const char *const lines[] = {row->line, NULL};
    struct reading reading = rows_read(lines, &facts, arena);
    assert_int_equal(reading.offer_count, 1);
    const struct offer_identity *identity = &reading.offers[0].identity;
    assert_str(arena_printf(arena, "%.*s|%.*s|%.*s|%.*s|%.*s", GT_STR_ARG(identity->label), GT_STR_ARG(identity->plan),
                            GT_STR_ARG(identity->variant), GT_STR_ARG(identity->region), GT_STR_ARG(identity->key)),
               row->identity);
    assert_str(identity->part, "page");
    arena_free(arena);
}

/* Hostile texts: whatever comes, the call returns, and the same twice. */
struct hostile_case {
    const char *name;
    const char *unit; /* repeated */
    size_t times;
};

static const struct hostile_case hostiles[] = {
    {"a long label", "RTX 4090 ", 5000},
    {"digits without end", "9", 60000},
    {"nothing but signs", "¥", 20000},
    {"折 without end", "95折", 4000},
    {"numbers and units", "8卡1元/时", 3000},
    {"broken UTF-8", "\xff\xc0\x80", 5000},
    {"slashes", "1/", 20000},
    {"times", "8×", 10000},
    {"nothing", "", 0},
};

static void check_hostile(void **state)
{
    static const char *const names[] = {"label", "price", "price.hour", "discount", "cards",
                                        "vram",  "promo", "note",       "stock",    "variant"};
    enum { NAMES = sizeof names / sizeof names[0] };
    const struct hostile_case *row = *state;
    size_t unit = strlen(row->unit), len = unit * row->times;
    char *text = malloc(len + 1);
    assert_non_null(text);
    for (size_t i = 0; i < row->times; i++) memcpy(text + i * unit, row->unit, unit);
    struct site_facts facts = rows_facts("CNY");
    struct gt_str shown[2] = {{NULL, 0}};
    struct arena *arenas[2];
    for (int pass = 0; pass < 2; pass++) {
        struct listing_field fields[NAMES + 1] = {{.name = GT_STR("label"), .text = GT_STR("RTX 4090")}};
        for (size_t i = 0; i < NAMES; i++)
            fields[i + 1] = (struct listing_field){.name = gt_str_from(names[i]), .text = {text, len}};
        struct listing listing = {.fields = fields, .field_count = NAMES + 1, .confidence_permille = 1000};
        struct reading reading = {0};
        arenas[pass] = arena_new(256 * (size_t)1024 * 1024);
        assert_int_equal(listing_read(&listing, 1, &facts, GT_STR("page"), arenas[pass], &reading), GT_OK);
        if (reading.offer_count > 0) shown[pass] = rows_show(&reading.offers[0], arenas[pass]);
    }
    assert_true(gt_str_eq(shown[0], shown[1]));
    for (int pass = 0; pass < 2; pass++) arena_free(arenas[pass]);
    free(text);
}

/* Limits: too many rows, too little memory. */
struct limit_case {
    const char *name;
    size_t count, arena_bytes;
    enum gt_err err;
};

static const struct limit_case limits[] = {
    {"as many rows as there may be", LISTINGS_MAX, 256 * (size_t)1024 * 1024, GT_OK},
    {"one more", LISTINGS_MAX + 1, 256 * (size_t)1024 * 1024, GT_ELIMIT},
    {"no memory", 10, 1024, GT_ENOMEM},
    {"memory for some of the rows", 1000, 600 * 1024, GT_ENOMEM},
};

static void check_limit(void **state)
{
    const struct limit_case *row = *state;
    struct listing_field field[] = {{.name = GT_STR("label"), .text = GT_STR("RTX 4090")},
                                    {.name = GT_STR("price"), .text = GT_STR("¥1.98/时")}};
    struct listing *listings = calloc(row->count, sizeof *listings);
    struct arena *arena = arena_new(row->arena_bytes);
    struct site_facts facts = rows_facts("CNY");
    struct reading reading = {.offer_count = 77};
    assert_non_null(listings);
    for (size_t i = 0; i < row->count; i++) listings[i] = (struct listing){.fields = field, .field_count = 2};
    assert_int_equal(listing_read(listings, row->count, &facts, GT_STR("page"), arena, &reading), row->err);
    assert_int_equal(reading.offer_count, row->err == GT_OK ? 1 : 77);
    free(listings);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_row) + TABLE_RUN(attributes, check_attribute) + TABLE_RUN(pages, check_page) +
           TABLE_RUN(identities, check_identity) + TABLE_RUN(hostiles, check_hostile) + TABLE_RUN(limits, check_limit);
}
