/* What is rented against the market: which class, which low, how much, how long. */
#include "pricing/holding.h"
#include "reports/weekly.h"
#include "tests/unit/reports/market.h"

enum {
    OFFERS = 9,
    FRIDAY = 1789754400, /* 2026-09-18 18:00 UTC: Saturday in Shanghai, whose days count */
};

#define CARD_4090 .title = "", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .is_listed = true, .seen_unix_s = FRIDAY
#define BOX .delivery = DELIVERY_CONTAINER, .currency = "CNY"
#define METAL .delivery = DELIVERY_BARE_METAL, .currency = "CNY"

/* The market that every row is held against. */
static const struct market_offer offers[OFFERS] = {
    {CARD_4090, BOX, .id = 1, .site = "a", .label = "box", .month_nano = UNITS(1000)},
    {CARD_4090, BOX, .id = 2, .site = "b", .label = "box", .month_nano = UNITS(1100)},
    {CARD_4090, BOX, .id = 3, .site = "c", .label = "sold", .month_nano = UNITS(500), .availability = AVAIL_SOLD_OUT},
    {CARD_4090, BOX, .id = 4, .site = "d", .label = "from", .month_nano = UNITS(400), .bound = BOUND_FROM},
    {CARD_4090, BOX, .id = 5, .site = "e", .label = "doubted", .month_nano = UNITS(125), .is_doubted = true},
    {CARD_4090, METAL, .id = 6, .site = "a", .label = "metal", .month_nano = UNITS(900)},
    {CARD_4090, .delivery = DELIVERY_CONTAINER, .currency = "USD", .id = 7, .site = "u", .label = "dollars", .month_nano = UNITS(100)},
    {.title = "", .sku = "NVIDIA-A100", .status = SKU_FAMILY, .is_listed = true, .seen_unix_s = FRIDAY, BOX, .id = 8, .site = "f", .label = "A100",
     .month_nano = UNITS(3000)},
    {.title = "", .sku = "NVIDIA-L20", .vram_gb = 48, .is_listed = true, .seen_unix_s = FRIDAY - 3 * CIVIL_DAY_S, BOX, .id = 9, .site = "a",
     .label = "stale", .month_nano = UNITS(2000)},
};

static const struct row {
    const char *name, *match;
    int32_t cards;
    int64_t month_nano;
    const char *currency, *until;
    const char *lines; /* label:difference:hundredths of a percent:days a line, "-" where there is no low */
} rows[] = {
    {"more than the low", "4090 delivery=container", 1, UNITS(1200), "CNY", "", "box:200:2000:0"},
    {"of all cards together", "4090 delivery=container", 16, UNITS(1020), "CNY", "", "box:320:200:0"},
    {"less than the low", "4090 delivery=container", 2, UNITS(800), "CNY", "", "box:-400:-2000:0"},
    {"the same as the low", "4090 delivery=container", 2, UNITS(1000), "CNY", "", "box:0:0:0"},
    {"two classes, the cheaper first", "4090", 1, UNITS(1000), "CNY", "", "metal:100:1111:0 box:0:0:0"},
    {"one platform's class", "4090 site=b", 1, UNITS(1000), "CNY", "", "box:-100:-909:0"},
    {"sold out is no market", "4090 site=c", 1, UNITS(1000), "CNY", "", "-:0:0:0"},
    {"a price from is no market", "4090 site=d", 1, UNITS(1000), "CNY", "", "-:0:0:0"},
    {"a doubted price is no market", "4090 site=e", 1, UNITS(1000), "CNY", "", "-:0:0:0"},
    {"a stale price is no market", "L20", 1, UNITS(1000), "CNY", "", "-:0:0:0"},
    {"a card that is not sure is no market", "label~A100", 1, UNITS(9000), "CNY", "", "-:0:0:0"},
    {"no such card on offer", "H100", 1, UNITS(9000), "CNY", "", "-:0:0:0"},
    {"dollars against dollars", "4090", 1, UNITS(130), "USD", "", "dollars:30:3000:0"},
    {"yuan are not held against dollars", "4090 site=u", 1, UNITS(130), "CNY", "", "-:0:0:0"},
    {"more than can be counted", "4090 delivery=container", 100000, UNITS(9000000000), "CNY", "", "box:?:?:0"},
    {"ends today in Shanghai", "4090 delivery=container", 1, UNITS(1000), "CNY", "2026-09-19", "box:0:0:0"},
    {"ends tomorrow", "4090 delivery=container", 1, UNITS(1000), "CNY", "2026-09-20", "box:0:0:1"},
    {"ended yesterday", "4090 delivery=container", 1, UNITS(1000), "CNY", "2026-09-18", "box:0:0:-1"},
    {"ends in half a year, nothing like it", "H100", 1, UNITS(1000), "CNY", "2027-03-31", "-:0:0:193"},
};

static void print_line(char *text, size_t size, const struct weekly_holding *line)
{
    size_t at = strlen(text);
    if (line->low != NULL && !line->is_known) {
        snprintf(text + at, size - at, "%s%.*s:?:?:%lld", at > 0 ? " " : "", GT_STR_ARG(line->low->row->offer.identity.label), (long long)line->days_left);
        return;
    }
    struct gt_str label = line->low != NULL ? line->low->row->offer.identity.label : GT_STR("-");
    snprintf(text + at, size - at, "%s%.*s:%lld:%lld:%lld", at > 0 ? " " : "", GT_STR_ARG(label), (long long)(line->difference_nano / NANO),
             (long long)(line->percent_nano / (NANO / 100)), (long long)line->days_left);
}

static void check_holding(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct board_row board_rows[OFFERS];
    struct holding holding = {.name = GT_STR("h"), .cards = row->cards, .month_nano = row->month_nano, .currency = currency_from(gt_str_from(row->currency))};
    struct report_input input = {.holdings = &holding, .holding_count = 1, .zone_offset_s = CIVIL_SHANGHAI_S};
    struct board_view view = {.now_unix_s = FRIDAY, .persona = persona_default()};
    struct weekly weekly = {.at_unix_s = FRIDAY, .rows = {board_rows, OFFERS}};
    struct gt_errinfo info = {0};
    char got[256] = "";
    for (size_t i = 0; i < OFFERS; i++) board_rows[i] = market_row(arena, &offers[i]);
    for (size_t i = 0; i < OFFERS; i++)
        if (offers[i].status != SKU_FAMILY) board_rows[i].offer.attributes.sku_status = SKU_EXACT;
    assert_int_equal(query_read(gt_str_from(row->match), arena, &holding.query, &info), GT_OK);
    if (row->until[0] != '\0') assert_true(civil_parse(gt_str_from(row->until), &holding.until_unix_s));
    assert_int_equal(board_compute(&weekly.rows, &view, arena, &weekly.board), GT_OK);
    assert_int_equal(weekly_classes_compute(&weekly, arena), GT_OK);
    assert_int_equal(weekly_holdings_compute(&weekly, &input, arena), GT_OK);
    for (size_t i = 0; i < weekly.holding_count; i++) print_line(got, sizeof got, &weekly.holdings[i]);
    arena_free(arena);
    assert_string_equal(got, row->lines);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_holding);
}
