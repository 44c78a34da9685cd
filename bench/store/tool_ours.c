/* The bench's price history through the product's own commit path: whole offers, one durable transaction a page; then the questions,
 * by the interfaces that reports use. usage: tool_ours FOLDER SHAPE [packed]
 * packed: the history is there, taken in before; the store is packed, and asked again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/history.h"
#include "common/digest.h"
#include "store/prices.h"

#define ARENA_MAX ((size_t)16 << 30)
#define NANO_OF_PRICE (NANO / 10000)

struct bench {
    struct store *store;
    struct history *history;
    struct arena *arena;
    int64_t *low, *high; /* a series each: what a question gathers */
    struct medians *medians;
    struct answer answer;
    size_t *series_of; /* by the store's number of the offer, as SQL stores have them from a table of series */
    uint64_t ids, asked_id;
    struct gt_errinfo info;
};

static void check(const struct bench *bench, enum gt_err err)
{
    if (err == GT_OK) return;
    fprintf(stderr, "tool_ours: %s: %s\n", gt_err_text(err), bench->info.text);
    exit(1);
}

/* ---- in ---- */

/* A printed price an hour; the site's own key is the number of the series, so that answers find it again. */
static struct offer offer_of(struct arena *arena, size_t series, int64_t price)
{
    static const char *const plans[] = {"by the hour", "month", "year"};
    static const enum delivery deliveries[] = {DELIVERY_CONTAINER, DELIVERY_VM, DELIVERY_BARE_METAL};
    size_t plan = series % HISTORY_PER_SITE % HISTORY_PLANS;
    struct offer offer = {.stock = -1, .confidence_permille = 1000};
    struct quote *quote = must(arena_alloc(arena, sizeof *quote));
    offer.record.currency = currency_from(GT_STR("USD"));
    *quote = (struct quote){.amount_nano = price * NANO_OF_PRICE, .currency = offer.record.currency, .period = PERIOD_HOUR, .period_count = 1,
                            .basis = BASIS_CARD, .role = ROLE_LIST, .bound = BOUND_EXACT, .where = GT_STR("price.hour")};
    quote->raw = arena_printf(arena, "$%lld.%02lld/hr", (long long)(price / 10000), (long long)(price / 100 % 100));
    offer.record.quotes = quote;
    offer.record.quote_count = 1;
    offer.record.availability = AVAIL_IN_STOCK;
    offer.record.hour_list_nano = quote->amount_nano;
    offer.identity.part = GT_STR("page");
    offer.identity.label = arena_printf(arena, "Card %02d", history_sku(series));
    offer.identity.plan = arena_printf(arena, "%s", plans[plan % 3]);
    offer.identity.key = arena_printf(arena, "%zu", series);
    snprintf(offer.attributes.sku, sizeof offer.attributes.sku, "BENCH-%02d", history_sku(series));
    offer.attributes.sku_status = SKU_EXACT;
    offer.attributes.vram_gb = 24;
    offer.attributes.cards = 1;
    offer.attributes.delivery = deliveries[plan / 3];
    offer.attributes.tier = TIER_ON_DEMAND;
    return offer;
}

/* One page: other bytes, another length and latency every hour, as pages have. */
static void page_commit(struct bench *bench, size_t site, int64_t hour, struct arena *page, struct meter *meter)
{
    struct offer *offers = must(arena_array(page, HISTORY_PER_SITE, sizeof *offers));
    uint64_t drawn = history_mix((uint64_t)site << 32 | (uint64_t)hour);
    size_t count = 0;
    for (size_t i = 0; i < HISTORY_PER_SITE; i++) {
        size_t series = site * HISTORY_PER_SITE + i;
        if (bench->history->now[series] != 0) offers[count++] = offer_of(page, series, bench->history->now[series]);
    }
    struct run_part part = {.name = GT_STR("page"), .status = STATUS_OK, .http_code = 200, .body_bytes = 60000 + (int64_t)(drawn >> 32) % 4000,
                            .warc_file = arena_printf(page, "2026-01-01-%05lld.warc.gz", (long long)(hour / 24)),
                            .warc_offset = (int64_t)(site * 24 + (size_t)hour % 24) * 7400, .url = GT_STR("https://example.com/pricing"),
                            .record_id = arena_printf(page, "urn:uuid:%08llx-%04llx-4000-8000-%012llx", (unsigned long long)(drawn >> 32),
                                                      (unsigned long long)(drawn & 0xffff), (unsigned long long)(drawn >> 16)),
                            .is_full_fetch = true, .offers = offers, .offer_count = count, .rows_found = (int32_t)count};
    struct run_input run = {.site = arena_printf(page, "site%04zu", site), .title = arena_printf(page, "Site %zu", site),
                            .net_rules = {.hours_per_month = 720, .round_month_nano = NANO}, .provenance = PROVENANCE_LIVE,
                            .writer = GT_STR("local"), .start_unix_s = history_time(site, hour), .latency_ms = 80 + (int64_t)(drawn % 400),
                            .rule_version = GT_STR("v1"), .parts = &part, .part_count = 1};
    check(bench, digest_sha256((struct gt_str){(const char *)&drawn, sizeof drawn}, part.body_sha256));
    meter_begin(meter);
    struct arena *arena = must(arena_new(ARENA_MAX));
    check(bench, store_run_commit(bench->store, &run, NULL, NULL, arena, NULL, &bench->info));
    arena_free(arena);
    meter_end(meter);
}

static void history_take(struct bench *bench, const char *folder)
{
    struct arena *page = must(arena_new(ARENA_MAX));
    struct meter meter = meter_init(bench->history->sites * (uint64_t)bench->history->hours);
    check(bench, store_open(folder, STORE_WRITE, &bench->store, &bench->info));
    for (int64_t hour = 0; hour < bench->history->hours; hour++) {
        history_step(bench->history, hour);
        for (size_t site = 0; site < bench->history->sites; site++) {
            arena_clear(page);
            page_commit(bench, site, hour, page, &meter);
        }
    }
    arena_free(page);
    store_close(bench->store);
    meter_print(&meter);
}

static void pack(struct bench *bench, const char *folder)
{
    struct meter meter = meter_init(1);
    meter_begin(&meter);
    check(bench, store_compact(folder, true, &bench->info));
    meter_end(&meter);
    meter_print(&meter);
}

/* ---- out ---- */

static size_t series_of(const struct board_row *row)
{
    return strtoul(row->offer.identity.key.ptr, NULL, 10);
}

/* What is doubted stands behind the good price and is what the page shows. */
static enum gt_err note_latest(void *ctx, const struct offer_price *price)
{
    struct bench *bench = ctx;
    bench->high[bench->series_of[price->offer_id]] = price->price.nano / NANO_OF_PRICE;
    return GT_OK;
}

static struct answer ask_latest(void *ctx)
{
    struct bench *bench = ctx;
    struct answer answer = {0, 0};
    memset(bench->high, 0, bench->history->series * sizeof *bench->high);
    check(bench, store_prices(bench->store, note_latest, bench, &bench->info));
    for (size_t i = 0; i < bench->history->series; i++) {
        answer.count += bench->high[i] != 0;
        answer.sum += (uint64_t)bench->high[i];
    }
    return answer;
}

/* The store's numbers of all series: whoever asks for one offer has its number from a board. */
static enum gt_err note_id(void *ctx, const struct board_row *row)
{
    struct bench *bench = ctx;
    if (row->offer_id > bench->ids) {
        fprintf(stderr, "tool_ours: more offers than series\n");
        exit(1);
    }
    bench->series_of[row->offer_id] = series_of(row);
    if (series_of(row) == history_asked(bench->history->series)) bench->asked_id = row->offer_id;
    return GT_OK;
}

static int64_t span_price(const struct price_span *span)
{
    return span->price.nano / NANO_OF_PRICE;
}

/* Asks for the prices of the asked series alone, or of all. */
static void ask_prices(struct bench *bench, bool is_of_one, const int64_t *bounds, size_t count, price_span_fn *fn)
{
    struct price_windows windows = {bounds, count};
    check(bench, store_price_spans(bench->store, is_of_one ? &bench->asked_id : NULL, is_of_one ? 1 : 0, windows, fn, bench, &bench->info));
}

static enum gt_err note_asked(void *ctx, const struct price_span *span)
{
    struct bench *bench = ctx;
    bench->answer.count += span->observations;
    bench->answer.sum += span->observations * (uint64_t)span_price(span);
    return GT_OK;
}

static struct answer ask_range(void *ctx)
{
    static const int64_t all[] = {INT64_MIN, INT64_MAX};
    struct bench *bench = ctx;
    bench->answer = (struct answer){0, 0};
    ask_prices(bench, true, all, 2, note_asked);
    return bench->answer;
}

static enum gt_err note_median(void *ctx, const struct price_span *span)
{
    struct bench *bench = ctx;
    medians_add(bench->medians, (int64_t)span->window, history_sku(bench->series_of[span->offer_id]), span_price(span), span->observations);
    return GT_OK;
}

static struct answer ask_medians(void *ctx)
{
    struct bench *bench = ctx;
    size_t weeks = (size_t)bench->history->hours / HISTORY_WEEK_HOURS + 2; /* the last run may begin in the hour behind */
    int64_t *bounds = must(arena_array(bench->arena, weeks + 1, sizeof *bounds));
    for (size_t i = 0; i <= weeks; i++) bounds[i] = HISTORY_BEGIN_UNIX_S + (int64_t)i * HISTORY_WEEK_S;
    bench->medians = medians_new();
    ask_prices(bench, false, bounds, weeks + 1, note_median);
    arena_clear(bench->arena);
    return medians_end(bench->medians);
}

static enum gt_err note_swing(void *ctx, const struct price_span *span)
{
    struct bench *bench = ctx;
    size_t series = bench->series_of[span->offer_id];
    int64_t price = span_price(span);
    if (bench->high[series] == 0 || price < bench->low[series]) bench->low[series] = price;
    if (price > bench->high[series]) bench->high[series] = price;
    return GT_OK;
}

static struct answer ask_swings(void *ctx)
{
    struct bench *bench = ctx;
    struct swings swings = {.count = 0};
    const int64_t week[] = {history_last_week(bench->history), INT64_MAX};
    memset(bench->high, 0, bench->history->series * sizeof *bench->high);
    ask_prices(bench, false, week, 2, note_swing);
    for (size_t i = 0; i < bench->history->series; i++)
        if (bench->high[i] != 0) swings_add(&swings, i, bench->low[i], bench->high[i]);
    return swings_end(&swings);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) return fprintf(stderr, "usage: tool_ours FOLDER SHAPE [packed]\n"), 2;
    struct bench bench = {.history = history_new(argv[2])};
    static ask_fn *const asks[] = {ask_latest, ask_range, ask_medians, ask_swings};
    size_t series = bench.history->series;
    bench.arena = must(arena_new(ARENA_MAX));
    bench.low = must(calloc(series, sizeof *bench.low));
    bench.high = must(calloc(series, sizeof *bench.high));
    bench.ids = series;
    bench.series_of = must(calloc(series + 1, sizeof *bench.series_of));
    if (argc == 4) pack(&bench, argv[1]);
    else history_take(&bench, argv[1]);
    check(&bench, store_open(argv[1], STORE_READ, &bench.store, &bench.info));
    check(&bench, store_board(bench.store, INT64_MAX, bench.arena, note_id, &bench, &bench.info));
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) question_ask((int)i + 1, asks[i], &bench);
    store_close(bench.store);
    arena_free(bench.arena);
    free(bench.series_of);
    free(bench.low);
    free(bench.high);
    history_free(bench.history);
    return 0;
}
