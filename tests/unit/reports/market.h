/* A small market by hand over two weeks: what a weekly report must tell apart. Week 37 ends on 2026-09-13, week 38 on
 * 2026-09-20, 24:00 in Beijing. */
#ifndef GT_TESTS_MARKET_H
#define GT_TESTS_MARKET_H

#include "tests/unit/reports/jygpu.h"

enum {
    MARKET_NOW = JYGPU_SEEN + 3 * CIVIL_HOUR_S,          /* Sunday 23:00 in Beijing */
    MARKET_LAST_WEEK = JYGPU_SEEN - CIVIL_WEEK_S,        /* the Sunday before */
    MARKET_WEEK = 1788710400,                            /* Monday 00:00 of week 37 */
    MARKET_MOVED = JYGPU_SEEN - 2 * CIVIL_DAY_S,         /* Friday */
    MARKET_ROWS_MAX = 32,
};

/* What a market's rows differ in. Amounts of 0 are not printed. */
struct market_offer {
    uint64_t id;
    const char *site, *title, *label, *sku;
    int32_t vram_gb;
    enum sku_status status;
    enum delivery delivery;
    enum market market;
    const char *currency;
    int64_t hour_nano, month_nano;
    enum bound bound;
    enum availability availability;
    int64_t since_unix_s, seen_unix_s;
    bool is_doubted, is_listed;
    const char *doubt;
};

/* A market in the making: its store answers the reports. */
struct fake_market {
    struct arena *arena;
    struct fake_row rows[MARKET_ROWS_MAX];
    struct change changes[MARKET_ROWS_MAX];
    struct history_row spans[MARKET_ROWS_MAX];
    struct run_row runs[MARKET_ROWS_MAX];
    struct store store;
};

static inline struct gt_str copy_of(struct arena *arena, const char *text)
{
    return arena_dup(arena, gt_str_from(text));
}

/* The record of an offer that prints one list price. */
static inline struct offer_record market_record(struct arena *arena, const struct market_offer *offer)
{
    bool is_hour = offer->hour_nano != 0;
    struct quote *quote = arena_alloc(arena, sizeof *quote);
    *quote = (struct quote){.amount_nano = is_hour ? offer->hour_nano : offer->month_nano,
                            .currency = currency_from(gt_str_from(offer->currency)),
                            .period = is_hour ? PERIOD_HOUR : PERIOD_MONTH,
                            .period_count = 1,
                            .basis = BASIS_CARD,
                            .role = ROLE_LIST,
                            .bound = offer->bound,
                            .raw = GT_STR("printed")};
    bool is_exact = offer->bound == BOUND_EXACT;
    return (struct offer_record){.quotes = quote,
                                 .quote_count = quote->amount_nano != 0,
                                 .availability = offer->availability,
                                 .currency = quote->currency,
                                 .hour_list_nano = is_exact ? offer->hour_nano : 0,
                                 .month_list_nano = is_exact ? offer->month_nano : 0};
}

/* A record that prints an hour for the card and a month for the unit, each where it is not 0; the month of a card only where that is exact. */
static inline struct offer_record market_record_of_both(struct arena *arena, const struct market_offer *offer, int32_t cards)
{
    struct quote *quotes = arena_array(arena, 2, sizeof *quotes);
    struct offer_record record = {.quotes = quotes, .availability = offer->availability, .currency = currency_from(gt_str_from(offer->currency)),
                                  .hour_list_nano = offer->hour_nano,
                                  .month_list_nano = offer->bound == BOUND_EXACT && cards > 0 ? offer->month_nano / cards : 0};
    if (offer->hour_nano != 0)
        quotes[record.quote_count++] = (struct quote){.amount_nano = offer->hour_nano, .currency = record.currency, .period = PERIOD_HOUR,
                                                      .period_count = 1, .basis = BASIS_CARD, .role = ROLE_LIST, .raw = GT_STR("h")};
    if (offer->month_nano != 0)
        quotes[record.quote_count++] = (struct quote){.amount_nano = offer->month_nano, .currency = record.currency, .period = PERIOD_MONTH,
                                                      .period_count = 1, .basis = cards > 1 ? BASIS_NODE : BASIS_CARD, .cards = cards,
                                                      .role = ROLE_LIST, .bound = offer->bound, .raw = GT_STR("m")};
    return record;
}

static inline struct board_row market_row(struct arena *arena, const struct market_offer *offer)
{
    struct board_row row = {.offer_id = offer->id,
                            .site = copy_of(arena, offer->site),
                            .site_title = copy_of(arena, offer->title),
                            .kind = KIND_CLOUD,
                            .net_rules = {.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = NANO},
                            .since_unix_s = offer->since_unix_s,
                            .seen_unix_s = offer->seen_unix_s,
                            .site_good_unix_s = offer->seen_unix_s,
                            .is_doubted = offer->is_doubted,
                            .is_listed = offer->is_listed,
                            .doubt = copy_of(arena, offer->doubt != NULL ? offer->doubt : ""),
                            .url = arena_printf(arena, "https://%s.example/prices", offer->site)};
    row.offer = (struct offer){.identity = {.part = GT_STR("main"), .label = copy_of(arena, offer->label)},
                               .attributes = {.sku_status = offer->status, .vram_gb = offer->vram_gb, .cards = 1,
                                              .delivery = offer->delivery, .tier = TIER_ON_DEMAND, .market = offer->market},
                               .record = market_record(arena, offer),
                               .stock = -1,
                               .confidence_permille = 1000};
    snprintf(row.offer.attributes.sku, SKU_NAME_MAX, "%s", offer->sku);
    return row;
}

static inline void market_add(struct fake_market *market, const struct market_offer *offer, int64_t from_unix_s, int64_t to_unix_s)
{
    size_t at = market->store.row_count++;
    market->rows[at] = (struct fake_row){market_row(market->arena, offer), from_unix_s, to_unix_s};
}

/* A change of an offer from one list price to another; either may be NULL. */
static inline void market_change(struct fake_market *market, enum change_kind kind, int64_t t_unix_s, const struct market_offer *before,
                                 const struct market_offer *after)
{
    const struct market_offer *any = after != NULL ? after : before;
    struct board_row *row = arena_alloc(market->arena, sizeof *row);
    struct offer_record *old = arena_alloc(market->arena, sizeof *old), *new = arena_alloc(market->arena, sizeof *new);
    *row = market_row(market->arena, any);
    if (before != NULL) *old = market_record(market->arena, before);
    if (after != NULL) *new = market_record(market->arena, after);
    market->changes[market->store.change_count++] = (struct change){.t_unix_s = t_unix_s,
                                                                    .seq = 40,
                                                                    .kind = kind,
                                                                    .site = row->site,
                                                                    .offer_id = any->id,
                                                                    .detail = any->doubt != NULL ? gt_str_from(any->doubt) : GT_STR(""),
                                                                    .identity = &row->offer.identity,
                                                                    .attributes = &row->offer.attributes,
                                                                    .before = before != NULL ? old : NULL,
                                                                    .after = after != NULL ? new : NULL,
                                                                    .is_doubted = any->is_doubted};
}

static inline void market_span(struct fake_market *market, const struct market_offer *offer, uint64_t first_seq, uint64_t last_seq)
{
    struct board_row *row = arena_alloc(market->arena, sizeof *row);
    *row = market_row(market->arena, offer);
    market->spans[market->store.span_count++] = (struct history_row){.offer = row,
                                                                     .first_unix_s = offer->since_unix_s,
                                                                     .last_unix_s = offer->seen_unix_s,
                                                                     .first_seq = first_seq,
                                                                     .last_seq = last_seq,
                                                                     .observations = (uint32_t)(last_seq - first_seq + 1),
                                                                     .is_doubted = offer->is_doubted,
                                                                     .is_open = offer->seen_unix_s >= JYGPU_SEEN};
}

static inline void market_run(struct fake_market *market, const char *site, const char *title, uint64_t seq, int64_t t_unix_s,
                              enum part_status status, int32_t http_code, const char *reason)
{
    market->runs[market->store.run_count++] = (struct run_row){.site = gt_str_from(site),
                                                               .site_title = gt_str_from(title),
                                                               .is_good = status == STATUS_OK || status == STATUS_UNCHANGED,
                                                               .part = GT_STR("main"),
                                                               .reason = gt_str_from(reason),
                                                               .seq = seq,
                                                               .start_unix_s = t_unix_s,
                                                               .status = status,
                                                               .http_code = http_code};
}

#define MARKET_PLAIN .status = SKU_EXACT, .currency = "CNY", .is_listed = true
#define AUTODL_4090                                                                                                    \
    .id = 20, .site = "autodl", .title = "AutoDL", .label = "RTX 4090", .sku = "NVIDIA-RTX-4090", .vram_gb = 24,       \
    .delivery = DELIVERY_CONTAINER, MARKET_PLAIN
#define JUXIANG_A800                                                                                                   \
    .id = 26, .site = "juxiang", .title = "矩向科技", .label = "A800 80G", .sku = "NVIDIA-A800-80G", .vram_gb = 80,    \
    .delivery = DELIVERY_CONTAINER, MARKET_PLAIN

static const struct market_offer autodl_before = {AUTODL_4090, .hour_nano = CENTS(198), .since_unix_s = MARKET_LAST_WEEK - 20 * CIVIL_DAY_S, .seen_unix_s = MARKET_MOVED - CIVIL_DAY_S};
static const struct market_offer autodl_now = {AUTODL_4090, .hour_nano = CENTS(188), .since_unix_s = MARKET_MOVED, .seen_unix_s = JYGPU_SEEN};
static const struct market_offer juxiang_gone = {JUXIANG_A800, .hour_nano = CENTS(620), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = MARKET_MOVED};

/* Left before anything of it was on a board: its site's other rows lend it title and address. */
static const struct market_offer huawei_gone = {.id = 40, .site = "huawei", .title = "华为云", .label = "A10 旧款", .sku = "NVIDIA-A10", .vram_gb = 24,
                                                .delivery = DELIVERY_CONTAINER, MARKET_PLAIN, .month_nano = UNITS(1800)};

/* Offers that stand alone, each for one thing that a report must do. In order of site. */
static const struct market_offer market_others[] = {
    {.id = 22, .site = "aliyun", .title = "阿里云", .label = "4090 特惠", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .delivery = DELIVERY_CONTAINER, MARKET_PLAIN,
     .hour_nano = CENTS(110), .bound = BOUND_FROM, .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN},
    {.id = 28, .site = "beam", .title = "Beam Cloud", .label = "H100", .sku = "NVIDIA-H100-SXM", .vram_gb = 80, .status = SKU_EXACT, .currency = "USD", .is_listed = true,
     .delivery = DELIVERY_SERVERLESS, .market = MARKET_OVERSEAS, .hour_nano = CENTS(350), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN},
    {.id = 29, .site = "cerebrium", .title = "Cerebrium", .label = "A100", .sku = "NVIDIA-A100", .status = SKU_FAMILY, .currency = "USD", .is_listed = true,
     .delivery = DELIVERY_SERVERLESS, .market = MARKET_OVERSEAS, .hour_nano = CENTS(212), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN},
    {.id = 24, .site = "ctyun", .title = "天翼云", .label = "4090 包月", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .delivery = DELIVERY_CONTAINER, MARKET_PLAIN,
     .month_nano = UNITS(1200), .since_unix_s = MARKET_MOVED, .seen_unix_s = JYGPU_SEEN},
    {.id = 21, .site = "gongji", .title = "共绩算力", .label = "4090", .sku = "NVIDIA-RTX-4090", .vram_gb = 24, .delivery = DELIVERY_CONTAINER, MARKET_PLAIN,
     .hour_nano = CENTS(140), .availability = AVAIL_SOLD_OUT, .since_unix_s = MARKET_MOVED, .seen_unix_s = JYGPU_SEEN},
    {.id = 25, .site = "huawei", .title = "华为云", .label = "昇腾910B", .sku = "ASCEND-910B", .vram_gb = 64, .delivery = DELIVERY_CONTAINER, MARKET_PLAIN,
     .hour_nano = CENTS(512), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN},
    {.id = 25, .site = "huawei", .title = "华为云", .label = "昇腾910B", .sku = "ASCEND-910B", .vram_gb = 64, .delivery = DELIVERY_CONTAINER, MARKET_PLAIN,
     .hour_nano = CENTS(64), .since_unix_s = MARKET_MOVED, .seen_unix_s = JYGPU_SEEN, .is_doubted = true, .doubt = "5.12 to 0.64: the ratio is 8, a card count"},
    {.id = 27, .site = "tencent", .title = "腾讯云", .label = "H20", .sku = "NVIDIA-H20-96G", .vram_gb = 96, .delivery = DELIVERY_VM, MARKET_PLAIN,
     .hour_nano = CENTS(700), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN - 5 * CIVIL_DAY_S},
    {.id = 30, .site = "zhiling", .title = "智灵云", .label = "=cmd()|<script>alert(1)</script>\x1b[31m \xe2\x80\xae`x`\n*y*", .sku = "", .status = SKU_UNMAPPED,
     .currency = "CNY", .is_listed = true, .delivery = DELIVERY_UNKNOWN, .hour_nano = CENTS(99), .since_unix_s = MARKET_LAST_WEEK, .seen_unix_s = JYGPU_SEEN},
};

/* What alerts told of the market: a price's change, the low that it made, a week of the index; what was silenced is no message. */
#define TOLD(id, rule, what, rest) \
    "{\"id\":\"" id "\",\"rule\":\"" rule "\",\"severity\":\"warning\",\"what\":\"" what "\"," rest "}"
#define TOLD_TEXT(text) "\"text\":{\"zh\":\"" text "（中文）\",\"en\":\"" text "\"}"

static const struct fake_event market_events[] = {
    {MARKET_MOVED, TOLD("0123456789abcdef0123456789abcdef", "hour", "price-moved", "\"site\":\"autodl\",\"offer_id\":20,\"metric\":\"hour_list\","
                        "\"currency\":\"CNY\",\"old\":\"1.98\",\"new\":\"1.88\",\"reference\":\"previous\"," TOLD_TEXT("AutoDL: 1.98 to 1.88"))},
    {MARKET_MOVED + 60, TOLD("123456789abcdef0123456789abcdef0", "quiet", "delisted", "\"silenced\":true," TOLD_TEXT("silenced"))},
    {MARKET_MOVED + 90, TOLD("23456789abcdef0123456789abcdef01", "best-in-class", "class-low-moved", "\"site\":\"autodl\",\"site_title\":\"AutoDL\","
                             "\"class\":\"NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole\",\"metric\":\"month_net\",\"currency\":\"CNY\","
                             "\"old\":\"1104\",\"new\":\"1074\",\"evidence\":\"printed\"," TOLD_TEXT("class low: 1104 to 1074"))},
    {MARKET_MOVED + 300, TOLD("3456789abcdef0123456789abcdef012", "index", "index-moved", "\"class\":\"NVIDIA-RTX-4090/24G\"," TOLD_TEXT("the index: -3.1 %"))},
};

/* Fills the market: JYGPU since week 38 only, the others since week 37. In the store's order: by site. */
static inline void market_init(struct fake_market *market)
{
    *market = (struct fake_market){.arena = arena_new(16 << 20)};
    struct store *store = &market->store;
    size_t other = 0;
    market_add(market, &market_others[other++], MARKET_LAST_WEEK, 0);
    market_add(market, &autodl_before, MARKET_LAST_WEEK - 20 * CIVIL_DAY_S, MARKET_MOVED);
    market_add(market, &autodl_now, MARKET_MOVED, 0);
    for (; other < COUNT(market_others) && strcmp(market_others[other].site, "jygpu") < 0; other++)
        market_add(market, &market_others[other], market_others[other].since_unix_s, 0);
    market_add(market, &juxiang_gone, MARKET_LAST_WEEK, MARKET_MOVED);
    market_add(market, &juxiang_gone, MARKET_MOVED, 0);
    market->rows[store->row_count - 1].row.is_listed = false;
    for (size_t i = 0; i < JYGPU_ROWS; i++) market->rows[store->row_count++] = (struct fake_row){jygpu_rows[i], JYGPU_SEEN, 0};
    for (; other < COUNT(market_others); other++) market_add(market, &market_others[other], market_others[other].since_unix_s, 0);
    market_change(market, CHANGE_PRICE, MARKET_MOVED, &autodl_before, &autodl_now);
    market_change(market, CHANGE_DELISTED, MARKET_MOVED + 60, &juxiang_gone, NULL);
    market_change(market, CHANGE_APPEARED, MARKET_MOVED + 120, NULL, &market_others[3]);
    market_change(market, CHANGE_SOLD_OUT, MARKET_MOVED + 180, &market_others[4], &market_others[4]);
    market_change(market, CHANGE_DOUBTED, MARKET_MOVED + 240, &market_others[5], &market_others[6]);
    market_change(market, CHANGE_DELISTED, MARKET_MOVED + 300, &huawei_gone, NULL);
    market_span(market, &autodl_before, 1, 30);
    market_span(market, &autodl_now, 31, 33);
    market_span(market, &market_others[4], 31, 33);
    market_span(market, &juxiang_gone, 24, 29);
    market_span(market, &market_others[5], 24, 33);
    market_span(market, &market_others[6], 31, 33);
    market_run(market, "autodl", "AutoDL", 31, MARKET_MOVED, STATUS_OK, 200, "");
    market_run(market, "autodl", "AutoDL", 33, JYGPU_SEEN, STATUS_UNCHANGED, 304, "");
    market_run(market, "gongji", "共绩算力", 31, MARKET_MOVED, STATUS_OK, 200, "");
    market_run(market, "gongji", "共绩算力", 33, JYGPU_SEEN, STATUS_UNCHANGED, 304, "");
    market_run(market, "jygpu", "JYGPU 极智算", 1, JYGPU_SEEN, STATUS_OK, 200, "");
    market_run(market, "tencent", "腾讯云", 31, MARKET_MOVED, STATUS_FAILED, 503, "the server answers 503");
    market_run(market, "tencent", "腾讯云", 33, JYGPU_SEEN, STATUS_BLOCKED, 200, "a page that asks whether we are human");
    store->rows = market->rows;
    store->changes = market->changes;
    store->spans = market->spans;
    store->runs = market->runs;
    store->events = market_events;
    store->event_count = COUNT(market_events);
}

static inline void market_done(struct fake_market *market)
{
    arena_free(market->arena);
}

#endif
