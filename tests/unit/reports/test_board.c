/* The board: order inside a class, marks, what is left out, currencies, staleness. */
#include "reports/crossing.h"
#include "tests/unit/reports/market.h"

/* Board of some offers at a moment, as "label:price:marks" joined by blanks, a bar between classes. */
static void board_words(const struct board *board, char *words, size_t max)
{
    words[0] = '\0';
    for (size_t i = 0; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        char amount[MONEY_TEXT_MAX];
        size_t len = strlen(words);
        bool is_new = i > 0 && !board_is_comparable(&board->entries[i - 1], entry);
        snprintf(words + len, max - len, "%s%.*s:%s%s:%u", i == 0 ? "" : is_new ? " | " : " ", GT_STR_ARG(entry->row->offer.identity.label),
                 money_format(entry->price_nano, amount), entry->is_cheapest ? "!" : "", entry->marks);
    }
}

#define OFFER(who, words, price)                                                                                       \
    {.id = 1, .site = who, .title = who, .label = words, .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT, \
     .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(price), .is_listed = true,                 \
     .since_unix_s = JYGPU_SEEN, .seen_unix_s = JYGPU_SEEN}

struct order_row {
    const char *name;
    struct market_offer offers[4];
    size_t count;
    int64_t now_unix_s;
    int64_t every_s;         /* of all sites; 0 not known */
    const char *currency;    /* asked for; NULL any */
    const char *expected;
};

#define NOW JYGPU_SEEN
#define WITH(...) __VA_ARGS__
static const struct order_row orders[] = {
    {"nothing", {OFFER("a", "x", 1)}, 0, NOW, 0, NULL, ""},
    {"cheapest first", {OFFER("a", "dear", 1200), OFFER("b", "cheap", 990), OFFER("c", "mid", 1074)}, 3, NOW, 0, NULL,
     "cheap:990!:0 mid:1074:0 dear:1200:0"},
    {"equal prices by site", {OFFER("b", "second", 990), OFFER("a", "first", 990)}, 2, NOW, 0, NULL, "first:990!:0 second:990:0"},
    {"sold out is never the cheapest",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "gone", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .availability = AVAIL_SOLD_OUT, .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "dear:1200!:0 gone:500:8"},
    {"a price from is never the cheapest",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "from", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .bound = BOUND_FROM, .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "dear:1200!:0 from:500:1"},
    {"about is never the cheapest",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "about", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .bound = BOUND_APPROX, .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "dear:1200!:0 about:500:1"},
    {"doubted is never the cheapest",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "doubt", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .is_doubted = true, .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "dear:1200!:0 doubt:500:2"},
    {"stale is never the cheapest",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "old", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .is_listed = true, .seen_unix_s = NOW - 3 * CIVIL_DAY_S}},
     2, NOW, 0, NULL, "dear:1200!:0 old:500:4"},
    {"delisted is left out",
     {OFFER("a", "dear", 1200), {.id = 2, .site = "b", .title = "b", .label = "gone", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(500), .is_listed = false, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "dear:1200!:0"},
    {"without a price it stands last",
     {{.id = 2, .site = "a", .title = "a", .label = "ask", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT, .delivery = DELIVERY_CONTAINER,
       .currency = "CNY", .is_listed = true, .seen_unix_s = NOW}, OFFER("b", "dear", 1200)},
     2, NOW, 0, NULL, "dear:1200!:0 ask:0:32"},
    {"other VRAM is another class",
     {OFFER("a", "x", 1200), {.id = 2, .site = "b", .title = "b", .label = "48", .sku = "NVIDIA-RTX-4090", .vram_gb = 48, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = UNITS(2000), .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "x:1200!:0 | 48:2000!:0"},
    {"other currencies are never compared",
     {OFFER("a", "yuan", 1200), {.id = 2, .site = "b", .title = "b", .label = "dollar", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "USD", .month_nano = UNITS(200), .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, NULL, "yuan:1200!:0 | dollar:200!:0"},
    {"a currency asked for leaves the others out",
     {OFFER("a", "yuan", 1200), {.id = 2, .site = "b", .title = "b", .label = "dollar", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .status = SKU_EXACT,
      .delivery = DELIVERY_CONTAINER, .currency = "USD", .month_nano = UNITS(200), .is_listed = true, .seen_unix_s = NOW}},
     2, NOW, 0, "USD", "dollar:200!:0"},
    {"a card that is not sure is a lead, and its class comes last",
     {{.id = 2, .site = "a", .title = "a", .label = "A100", .sku = "NVIDIA-A100", .status = SKU_FAMILY, .delivery = DELIVERY_CONTAINER, .currency = "CNY",
       .month_nano = UNITS(10), .is_listed = true, .seen_unix_s = NOW}, OFFER("b", "z", 1200)},
     2, NOW, 0, NULL, "z:1200!:0 | A100:10:16"},
    {"exactly 48 h old is not stale", {OFFER("a", "x", 1200)}, 1, NOW + 48 * CIVIL_HOUR_S, 0, NULL, "x:1200!:0"},
    {"one second more is", {OFFER("a", "x", 1200)}, 1, NOW + 48 * CIVIL_HOUR_S + 1, 0, NULL, "x:1200:4"},
    {"three intervals of 8 h are not stale", {OFFER("a", "x", 1200)}, 1, NOW + 24 * CIVIL_HOUR_S, 8 * CIVIL_HOUR_S, NULL, "x:1200!:0"},
    {"more than three intervals are", {OFFER("a", "x", 1200)}, 1, NOW + 24 * CIVIL_HOUR_S + 1, 8 * CIVIL_HOUR_S, NULL, "x:1200:4"},
    {"a short interval counts as six hours", {OFFER("a", "x", 1200)}, 1, NOW + 18 * CIVIL_HOUR_S, 600, NULL, "x:1200!:0"},
    {"a long interval does not stretch 48 h", {OFFER("a", "x", 1200)}, 1, NOW + 49 * CIVIL_HOUR_S, 7 * CIVIL_DAY_S, NULL, "x:1200:4"},
};

static void check_order(void **state)
{
    const struct order_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row rows[4];
    struct report_site sites[] = {{.name = GT_STR("a"), .title = GT_STR("a"), .every_s = row->every_s}};
    struct board board;
    char words[512];
    for (size_t i = 0; i < row->count; i++) rows[i] = market_row(arena, &row->offers[i]);
    struct board_view view = {.now_unix_s = row->now_unix_s, .persona = persona_default(), .sites = sites, .site_count = 1,
                              .currency = currency_from(gt_str_from(row->currency))};
    assert_int_equal(board_compute(&(struct board_rows){rows, row->count}, &view, arena, &board), GT_OK);
    board_words(&board, words, sizeof words);
    assert_string_equal(words, row->expected);
    arena_free(arena);
}

/* ---- JYGPU's rows by hand ---- */

struct golden_row {
    const char *name;
    size_t row;
    int64_t month, alt, node, promo;
    enum evidence evidence;
};

static const struct golden_row golden_rows[] = {
    {"4090 container", R_4090, 1074, 1130, 0, 0, EVIDENCE_INFERRED},
    {"910B container", R_910B, 2139, 2138, 0, 0, EVIDENCE_INFERRED},
    {"H20 container", R_H20, 3571, 4464, 0, 0, EVIDENCE_INFERRED},
    {"4090 node", R_4090_NODE, 990, 0, 7920, 0, EVIDENCE_PRINTED},
    {"5090 node", R_5090_NODE, 1989, 0, 15910, 0, EVIDENCE_PRINTED},
    {"910B node, promotion apart", R_910B_NODE, 2650, 0, 21200, 2350, EVIDENCE_PRINTED},
};

static void check_golden(void **state)
{
    const struct golden_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row rows[JYGPU_ROWS];
    struct board board;
    memcpy(rows, jygpu_rows, sizeof rows);
    struct board_view view = {.now_unix_s = JYGPU_SEEN, .persona = persona_default()};
    assert_int_equal(board_compute(&(struct board_rows){rows, JYGPU_ROWS}, &view, arena, &board), GT_OK);
    assert_int_equal(board.count, JYGPU_ROWS);
    for (size_t i = 0; i < board.count; i++) {
        const struct board_entry *entry = &board.entries[i];
        if (entry->row != &rows[row->row]) continue;
        assert_int_equal(entry->net.month_net_nano, row->month * NANO);
        assert_int_equal(entry->net.month_alt_nano, row->alt * NANO);
        assert_int_equal(entry->net.node_month_net_nano, row->node * NANO);
        assert_int_equal(entry->net.promo_month_nano, row->promo * NANO);
        assert_int_equal(entry->net.evidence, row->evidence);
        assert_true(entry->is_cheapest && entry->marks == 0);
    }
    arena_free(arena);
}

/* ---- container against node ---- */

struct crossing_row {
    const char *name;
    const char *sku;
    int64_t container, node, bill, percent_tenths;
    int64_t hours[4];
};

static const struct crossing_row crossings[] = {
    {"4090: the node's card is cheaper", "NVIDIA-RTX-4090", 1074, 990, 7920, -78, {548, 684, 505, 631}},
    {"910B: it is dearer", "ASCEND-910B", 2139, 2650, 21200, 239, {479, 597, 593, 740}},
};

static void check_crossing(void **state)
{
    const struct crossing_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row rows[JYGPU_ROWS];
    struct board board;
    struct crossing_list list;
    size_t found = 0;
    memcpy(rows, jygpu_rows, sizeof rows);
    struct board_view view = {.now_unix_s = JYGPU_SEEN, .persona = persona_default()};
    assert_int_equal(board_compute(&(struct board_rows){rows, JYGPU_ROWS}, &view, arena, &board), GT_OK);
    assert_int_equal(crossing_list_compute(&board, arena, &list), GT_OK);
    assert_int_equal(list.count, 2);
    for (size_t i = 0; i < list.count; i++) {
        const struct crossing *crossing = &list.crossings[i];
        int64_t tenths;
        if (strcmp(crossing->node->row->offer.attributes.sku, row->sku) != 0) continue;
        found++;
        assert_int_equal(money_scale(crossing->percent_nano, 10, NANO, ROUND_HALF_UP, &tenths), GT_OK);
        assert_int_equal(crossing->container->net.month_net_nano, row->container * NANO);
        assert_int_equal(crossing->node->net.month_net_nano, row->node * NANO);
        assert_int_equal(crossing->bill_nano, row->bill * NANO);
        assert_int_equal(tenths, row->percent_tenths);
        assert_int_equal(crossing->container_hours_list, row->hours[0]);
        assert_int_equal(crossing->container_hours_net, row->hours[1]);
        assert_int_equal(crossing->node_hours_list, row->hours[2]);
        assert_int_equal(crossing->node_hours_net, row->hours[3]);
    }
    assert_int_equal(found, 1);
    arena_free(arena);
}

static const struct bill_row {
    const char *name;
    int32_t cards;
    int64_t bill;
} bills[] = {
    {"a node is billed whole", 8, 7920},
    {"a machine of one card", 1, 990},
    {"cards that are not known: no bill", 0, 0},
};

static void check_bill(void **state)
{
    const struct bill_row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct market_offer box = OFFER("a", "box", 1074), metal = OFFER("b", "metal", 990);
    struct board board;
    struct crossing_list list;
    metal.delivery = DELIVERY_BARE_METAL;
    struct board_row rows[] = {market_row(arena, &box), market_row(arena, &metal)};
    rows[1].offer.attributes.cards = row->cards;
    struct board_view view = {.now_unix_s = NOW, .persona = persona_default()};
    assert_int_equal(board_compute(&(struct board_rows){rows, 2}, &view, arena, &board), GT_OK);
    assert_int_equal(crossing_list_compute(&board, arena, &list), GT_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.crossings[0].bill_nano, row->bill * NANO);
    arena_free(arena);
}

struct hours_row {
    const char *name;
    int64_t month, hour, hours;
};

static const struct hours_row hours[] = {
    {"1074 at 1.96", UNITS(1074), CENTS(196), 548}, {"1074 at 1.57", UNITS(1074), CENTS(157), 684},
    {"990 at 1.96", UNITS(990), CENTS(196), 505},   {"990 at 1.57", UNITS(990), CENTS(157), 631},
    {"no month", 0, CENTS(157), 0},                 {"no hour", UNITS(990), 0, 0},
    {"a negative hour is none", UNITS(990), -1, 0}, {"too many hours to count", INT64_MAX, 1, INT64_MAX},
};

static void check_hours(void **state)
{
    const struct hours_row *row = *state;
    assert_int_equal(crossing_hours(row->month, row->hour), row->hours);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(orders, check_order) + TABLE_RUN(golden_rows, check_golden) + TABLE_RUN(crossings, check_crossing) + TABLE_RUN(bills, check_bill) +
           TABLE_RUN(hours, check_hours);
}
