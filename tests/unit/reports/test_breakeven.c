/* Break-even hours: cases worked by hand, an hourly price against a monthly one. */
#include "reports/breakeven.h"
#include "tests/unit/reports/market.h"

enum { DEALS_MAX = 4 };

/* What one offer of a case prints, per card and hour, and for what is rented in a month. The rest as in `deal_row`. */
struct deal {
    const char *site;
    int64_t hour_nano, month_nano;
    int32_t cards;          /* 0: 1 */
    enum delivery delivery; /* unknown: container */
    const char *sku;        /* NULL: NVIDIA-RTX-4090 */
    const char *currency;   /* NULL: CNY */
    int32_t vram_gb;        /* 0: 24 */
    int32_t min_months, min_cards, hours_per_month;
    enum market market;
    enum tier tier;         /* unknown: on demand */
    enum bound bound;       /* of the month */
    enum availability availability;
    int64_t month_factor_nano; /* a discount for who pays monthly; 0 none */
    int64_t site_factor_nano;  /* a factor that the page's arithmetic shows; 0 none */
    bool is_doubted, is_stale, is_family, counts_no_cards;
};

struct row {
    const char *name;
    struct deal deals[DEALS_MAX];
    const char *expected; /* "hour>month hours[/discounted][!] [bill N]" joined by "; " */
};

#define H(x) UNITS(x)
#define C(x) CENTS(x)
#define D(who, hour, month, ...) {.site = who, .hour_nano = hour, .month_nano = month, __VA_ARGS__}
static const struct row rows[] = {
    {"nothing", {{.site = NULL}}, ""},
    {"only an hour", {D("a", C(200), 0, .cards = 0)}, ""},
    {"only a month", {D("a", 0, H(1000), .cards = 0)}, ""},
    {"one offer's own two prices: 1000 / 2", {D("a", C(200), H(1000), .cards = 0)}, "a>a 500"},
    {"1074 / 1.96 = 547.96", {D("a", C(196), H(1074), .cards = 0)}, "a>a 548"},
    {"1074 / 1.57 = 684.08", {D("a", C(157), H(1074), .cards = 0)}, "a>a 684"},
    {"990 / 1.96 = 505.10", {D("a", C(196), H(990), .cards = 0)}, "a>a 505"},
    {"half an hour counts up: 1005 / 2 = 502.5", {D("a", C(200), H(1005), .cards = 0)}, "a>a 503"},
    {"less than half an hour: 1000.98 / 2 = 500.49", {D("a", C(200), C(100098), .cards = 0)}, "a>a 500"},
    {"a whole month and no more: 1440 / 2 = 720", {D("a", C(200), H(1440), .cards = 0)}, "a>a 720"},
    {"the month is dearer than all its hours: 1442 / 2 = 721", {D("a", C(200), H(1442), .cards = 0)}, "a>a 721!"},
    {"a month of 730 hours reaches 725", {D("a", C(200), H(1450), .hours_per_month = 730)}, "a>a 725"},
    {"one of 720 does not", {D("a", C(200), H(1450), .cards = 0)}, "a>a 725!"},
    {"a tenth of the hours: 144 / 2", {D("a", C(200), H(144), .cards = 0)}, "a>a 72"},
    {"dollars and cents: 321.50 / 0.69 = 465.9", {D("a", C(69), C(32150), .currency = "USD")}, "a>a 466"},
    {"two sites, each has one price: 900 / 2", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .cards = 0)}, "a>b 450"},
    {"the cheapest hour counts, not the first: 900 / 1.8", {D("a", C(200), 0, .cards = 0), D("c", C(180), 0, .cards = 0), D("b", 0, H(900), .cards = 0)}, "c>b 500"},
    {"the cheapest month counts: 850 / 2", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .cards = 0), D("c", 0, H(850), .cards = 0)}, "a>c 425"},
    {"own prices beside a cheaper hour elsewhere: 900 / 2, 900 / 1.5",
     {D("a", C(200), H(900), .cards = 0), D("b", C(150), 0, .cards = 0)}, "a>a 450; b>a 600"},
    {"own prices, and the own hour is the cheapest", {D("a", C(150), H(900), .cards = 0), D("b", C(200), 0, .cards = 0)}, "a>a 600"},
    {"two offers with both prices: 900 / 2, 880 / 2.2, 880 / 2",
     {D("a", C(200), H(900), .cards = 0), D("b", C(220), H(880), .cards = 0)}, "b>b 400; a>a 450; a>b 440"},
    {"a node's month per card: 7920 / 8 = 990, 990 / 1.96",
     {D("a", C(196), 0, .cards = 0), D("b", 0, H(7920), .cards = 8, .delivery = DELIVERY_BARE_METAL)}, "a>b 505 bill 7920"},
    {"a node of four: 4000 / 4 = 1000, 1000 / 2.5", {D("a", C(250), 0, .cards = 0), D("b", 0, H(4000), .cards = 4, .delivery = DELIVERY_BARE_METAL)}, "a>b 400 bill 4000"},
    {"a dear node is beaten by the hour: 21200 / 8 = 2650, 2650 / 3.58 = 740.2",
     {D("a", C(358), 0, .cards = 0), D("b", 0, H(21200), .cards = 8, .delivery = DELIVERY_BARE_METAL)}, "a>b 740! bill 21200"},
    {"containers and nodes are each held against the hour: 1074 / 2, 990 / 2",
     {D("a", C(200), 0, .cards = 0), D("b", 0, H(1074), .cards = 0), D("c", 0, H(7920), .cards = 8, .delivery = DELIVERY_BARE_METAL)}, "a>c 495 bill 7920; a>b 537"},
    {"a node's hour is no hour of a single card", {D("a", C(100), 0, .cards = 8, .delivery = DELIVERY_BARE_METAL), D("b", 0, H(900), .cards = 0)}, ""},
    {"eight cards in a container are none either", {D("a", C(100), 0, .cards = 8), D("b", 0, H(900), .cards = 0)}, ""},
    {"an hour that asks for two cards at least is none", {D("a", C(100), 0, .min_cards = 2), D("b", 0, H(900), .cards = 0)}, ""},
    {"an hour whose cards nobody counted is none", {D("a", C(100), 0, .counts_no_cards = true), D("b", 0, H(900), .cards = 0)}, ""},
    {"another card", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .sku = "NVIDIA-RTX-3090")}, ""},
    {"the D is another card", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .sku = "NVIDIA-RTX-4090D")}, ""},
    {"another memory", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .sku = "NVIDIA-RTX-4090-48G", .vram_gb = 48)}, ""},
    {"another currency", {D("a", C(200), 0, .cards = 0), D("b", 0, H(130), .currency = "USD")}, ""},
    {"another market", {D("a", C(200), 0, .market = MARKET_DOMESTIC), D("b", 0, H(900), .market = MARKET_OVERSEAS)}, ""},
    {"a card that is not sure", {D("a", C(200), H(900), .sku = "NVIDIA-A100", .is_family = true)}, ""},
    {"a month from 900 on is no price", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .bound = BOUND_FROM)}, ""},
    {"about 900 is none", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .bound = BOUND_APPROX)}, ""},
    {"a doubted month", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .is_doubted = true)}, ""},
    {"a doubted hour", {D("a", C(200), 0, .is_doubted = true), D("b", 0, H(900), .cards = 0)}, ""},
    {"a stale hour", {D("a", C(200), 0, .is_stale = true), D("b", 0, H(900), .cards = 0)}, ""},
    {"a stale month", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .is_stale = true)}, ""},
    {"a sold-out month", {D("a", C(200), 0, .cards = 0), D("b", 0, H(900), .availability = AVAIL_SOLD_OUT)}, ""},
    {"the doubted one is passed over for the next", {D("a", C(100), 0, .is_doubted = true), D("c", C(200), 0, .cards = 0), D("b", 0, H(900), .cards = 0)}, "c>b 450"},
    {"a discount for paying monthly makes the month: 2 × 0.9 × 720 = 1296, / 2", {D("a", C(200), 0, .month_factor_nano = 900000000)},
     "a>a 648"},
    {"half price: 360 hours", {D("a", C(200), 0, .month_factor_nano = 500000000)}, "a>a 360"},
    {"a discount on the printed month: 1000 × 0.9 = 900, / 2", {D("a", C(200), H(1000), .month_factor_nano = 900000000)}, "a>a 450"},
    {"an inferred factor gives a second hour: 1.57 × 0.95 × 720 = 1074, / 1.96 and / 1.57",
     {D("a", C(196), 0, .site_factor_nano = 800000000, .month_factor_nano = 950000000)}, "a>a 548/684"},
    {"and the node against both: 990 / 1.96, / 1.57",
     {D("a", C(196), 0, .site_factor_nano = 800000000, .month_factor_nano = 950000000), D("b", 0, H(7920), .cards = 8, .delivery = DELIVERY_BARE_METAL)},
     "a>a 548/684; a>b 505/631 bill 7920"},
    {"two cards of two kinds stay apart: 900 / 2, 500 / 1",
     {D("a", C(200), H(900), .cards = 0), D("a", C(100), H(500), .sku = "NVIDIA-RTX-3090")}, "a>a 500; a>a 450"},
    {"a lease of twelve months counts the same: 600 / 2 for who stays", {D("a", C(200), 0, .cards = 0), D("b", 0, H(600), .min_months = 1)}, "a>b 300"},
    {"a tiny hour: 0.01 an hour, 5 a month", {D("a", C(1), H(5), .cards = 0)}, "a>a 500"},
    {"a huge month does not overflow", {D("a", C(1), H(9000000000), .cards = 0)}, "a>a 900000000000!"},
};

/* One row of the board. */
static struct board_row deal_row(struct arena *arena, const struct deal *deal, uint64_t id)
{
    int32_t cards = deal->counts_no_cards ? 0 : deal->cards != 0 ? deal->cards : 1;
    const struct market_offer offer = {.id = id, .site = deal->site, .title = deal->site, .label = "x", .currency = deal->currency ? deal->currency : "CNY",
                                       .sku = deal->sku ? deal->sku : "NVIDIA-RTX-4090", .vram_gb = deal->is_family ? 0 : deal->vram_gb ? deal->vram_gb : 24,
                                       .status = deal->is_family ? SKU_FAMILY : SKU_EXACT, .availability = deal->availability,
                                       .delivery = deal->delivery ? deal->delivery : DELIVERY_CONTAINER, .market = deal->market,
                                       .seen_unix_s = deal->is_stale ? JYGPU_SEEN - 3 * CIVIL_DAY_S : JYGPU_SEEN, .is_listed = true,
                                       .is_doubted = deal->is_doubted, .hour_nano = deal->hour_nano,
                                       .month_nano = deal->month_nano, .bound = deal->bound};
    struct board_row row = market_row(arena, &offer);
    struct discount *discounts = arena_array(arena, 2, sizeof *discounts);
    static const struct condition monthly[] = {{.kind = COND_PREPAY_MONTH}}, unknown[] = {{.kind = COND_UNKNOWN}};
    struct offer_record *record = &row.offer.record;
    *record = market_record_of_both(arena, &offer, cards);
    record->discounts = discounts;
    if (deal->site_factor_nano != 0)
        discounts[record->discount_count++] = (struct discount){.factor_nano = deal->site_factor_nano, .is_inferred = true, .conditions = unknown,
                                                                .condition_count = 1};
    if (deal->month_factor_nano != 0)
        discounts[record->discount_count++] = (struct discount){.factor_nano = deal->month_factor_nano, .conditions = monthly,
                                                                .condition_count = 1, .raw = GT_STR("月付")};
    row.offer.attributes.cards = cards;
    row.offer.attributes.min_cards = deal->min_cards;
    row.offer.attributes.min_months = deal->min_months;
    if (deal->tier != TIER_UNKNOWN) row.offer.attributes.tier = deal->tier;
    if (deal->hours_per_month != 0) row.net_rules.hours_per_month = deal->hours_per_month;
    return row;
}

static void tell(const struct breakeven_list *list, char *words, size_t max)
{
    words[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const struct breakeven *item = &list->items[i];
        char amount[MONEY_TEXT_MAX], second[32] = "";
        size_t len = strlen(words);
        if (item->hours_discounted != 0) snprintf(second, sizeof second, "/%lld", (long long)item->hours_discounted);
        snprintf(words + len, max - len, "%s%.*s>%.*s %lld%s%s%s%s", i > 0 ? "; " : "", GT_STR_ARG(item->hour->row->site),
                 GT_STR_ARG(item->month->row->site), (long long)item->hours, second, item->is_reachable ? "" : "!",
                 item->bill_nano != 0 ? " bill " : "", item->bill_nano != 0 ? money_format(item->bill_nano, amount) : "");
    }
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row board_rows[DEALS_MAX];
    struct board board;
    struct breakeven_list list;
    char words[512];
    size_t count = 0;
    for (; count < DEALS_MAX && row->deals[count].site != NULL; count++) board_rows[count] = deal_row(arena, &row->deals[count], count + 1);
    struct board_view view = {.now_unix_s = JYGPU_SEEN, .persona = persona_default()};
    assert_int_equal(board_compute(&(struct board_rows){board_rows, count}, &view, arena, &board), GT_OK);
    assert_int_equal(breakeven_list_compute(&board, arena, &list), GT_OK);
    tell(&list, words, sizeof words);
    assert_string_equal(words, row->expected);
    arena_free(arena);
}

/* JYGPU's own page: what the facts of the golden case say. */
static void check_jygpu(void **state)
{
    (void)state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row board_rows[JYGPU_ROWS];
    struct board board;
    struct breakeven_list list;
    char words[512];
    memcpy(board_rows, jygpu_rows, sizeof board_rows);
    struct board_view view = {.now_unix_s = JYGPU_SEEN, .persona = persona_default()};
    assert_int_equal(board_compute(&(struct board_rows){board_rows, JYGPU_ROWS}, &view, arena, &board), GT_OK);
    assert_int_equal(breakeven_list_compute(&board, arena, &list), GT_OK);
    tell(&list, words, sizeof words);
    assert_string_equal(words, "jygpu>jygpu 479/597; jygpu>jygpu 593/740 bill 21200; jygpu>jygpu 461/576; jygpu>jygpu 548/684; "
                               "jygpu>jygpu 505/631 bill 7920");
    arena_free(arena);
}

struct page_row {
    const char *name;
};

static const struct page_row pages[] = {{"JYGPU: 548 or 684 hours for the container, 505 or 631 for the node's card"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_row) + TABLE_RUN(pages, check_jygpu);
}
