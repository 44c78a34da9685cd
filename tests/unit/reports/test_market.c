/* The spreads of a marketplace, run by run: who stands in which run, what is no part of it, where rows begin and end. */
#include "reports/market_history.h"
#include "tests/unit/reports/market.h"

enum { SPANS_MAX = 5, RUNS_MAX = 6, DAY0 = 1788220800 };

struct span_words {
    uint64_t first_seq, last_seq;
    int64_t price;
    const char *marks; /* 'd' doubted, 'v' voided, 's' sold out, 'w' from an archive, 'c' a cloud's, '8' and '4' of so many cards */
};

static const struct row {
    const char *name;
    struct span_words spans[SPANS_MAX];
    const char *runs; /* of seq 1, 2, …: 'g' good, 'f' not */
    const char *want; /* "first-last:runs min median p75 offers cards" a row */
} rows[] = {
    {"one offer", {{1, 3, 100, ""}}, "ggg", "1-3:3 100 100 100 1 1"},
    {"one joins", {{1, 3, 100, ""}, {2, 3, 80, ""}}, "ggg", "1-1:1 100 100 100 1 1; 2-3:2 80 80 100 2 2"},
    {"one leaves", {{1, 3, 100, ""}, {1, 2, 80, ""}}, "ggg", "1-2:2 80 80 100 2 2; 3-3:1 100 100 100 1 1"},
    {"a price moves", {{1, 1, 100, ""}, {2, 3, 90, ""}}, "ggg", "1-1:1 100 100 100 1 1; 2-3:2 90 90 90 1 1"},
    {"one goes, another comes at its price: one spread", {{1, 1, 100, ""}, {2, 3, 100, ""}}, "ggg", "1-3:3 100 100 100 1 1"},
    {"a failed run says nothing", {{1, 3, 100, ""}}, "gfg", "1-3:2 100 100 100 1 1"},
    {"nothing is offered for a run", {{1, 1, 100, ""}, {3, 3, 100, ""}}, "ggg", "1-1:1 100 100 100 1 1; 3-3:1 100 100 100 1 1"},
    {"doubted, voided, sold out, from an archive: no part of it", {{1, 2, 100, ""}, {1, 2, 1, "d"}, {1, 2, 2, "v"}, {1, 2, 3, "s"}, {1, 2, 4, "w"}}, "gg",
     "1-2:2 100 100 100 1 1"},
    {"a price from is no price", {{1, 1, 0, ""}, {1, 1, 100, ""}}, "g", "1-1:1 100 100 100 1 1"},
    {"a list of prices is no marketplace", {{1, 2, 100, "c"}}, "gg", ""},
    {"cards weigh", {{1, 1, 100, "8"}, {1, 1, 50, "4"}}, "g", "1-1:1 50 100 100 2 12"},
    {"before the period's first run", {{1, 1, 100, ""}}, "fg", ""},
};

static struct history_span span_from(struct arena *arena, uint64_t id, const struct span_words *words)
{
    bool is_market = strchr(words->marks, 'c') == NULL;
    struct market_offer offer = {.id = id, .site = is_market ? "m" : "a", .title = "", .label = "4090", .sku = "NVIDIA-RTX-4090", .vram_gb = 24,
                                 .status = SKU_EXACT, .delivery = DELIVERY_CONTAINER, .currency = "CNY", .month_nano = words->price * NANO,
                                 .availability = strchr(words->marks, 's') != NULL ? AVAIL_SOLD_OUT : AVAIL_IN_STOCK, .is_listed = true};
    struct history_span span = {.row = market_row(arena, &offer),
                                .first_seq = words->first_seq,
                                .last_seq = words->last_seq,
                                .first_unix_s = DAY0,
                                .last_unix_s = DAY0,
                                .is_doubted = strchr(words->marks, 'd') != NULL,
                                .is_voided = strchr(words->marks, 'v') != NULL};
    span.row.kind = is_market ? KIND_MARKET : KIND_CLOUD;
    span.row.provenance = strchr(words->marks, 'w') != NULL ? PROVENANCE_WAYBACK : PROVENANCE_LIVE;
    const char *cards = strpbrk(words->marks, "48");
    if (cards != NULL) span.row.offer.attributes.cards = *cards - '0';
    return span;
}

static void print_row(char *text, size_t size, const struct market_row *row)
{
    size_t at = strlen(text);
    const struct spread *spread = &row->spread;
    snprintf(text + at, size - at, "%s%lld-%lld:%u %lld %lld %lld %zu %lld", at > 0 ? "; " : "", (long long)(row->first_unix_s - DAY0),
             (long long)(row->last_unix_s - DAY0), row->runs, (long long)(spread->min_nano / NANO), (long long)(spread->median_nano / NANO),
             (long long)(spread->p75_nano / NANO), spread->offers, (long long)spread->cards);
}

static void check(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(16 << 20);
    struct history_span spans[SPANS_MAX];
    struct run_row run_rows[RUNS_MAX];
    struct store store = {.runs = run_rows};
    struct board_view view = {.now_unix_s = DAY0, .persona = persona_default()};
    struct run_index index = {NULL, 0};
    struct history history;
    struct run_index runs;
    struct market_history market;
    struct gt_errinfo info = {0};
    char got[256] = "";
    size_t count = 0;
    for (; count < SPANS_MAX && row->spans[count].first_seq != 0; count++) spans[count] = span_from(arena, count + 1, &row->spans[count]);
    for (; row->runs[store.run_count] != '\0'; store.run_count++)
        run_rows[store.run_count] = (struct run_row){.site = GT_STR("m"), .seq = store.run_count + 1, .start_unix_s = DAY0 + (int64_t)store.run_count + 1,
                                                     .kind = KIND_MARKET, .provenance = PROVENANCE_LIVE, .is_good = row->runs[store.run_count] == 'g'};
    assert_int_equal(history_compute(spans, count, &index, &view, arena, &history), GT_OK);
    assert_int_equal(market_runs_read(&store, DAY0, DAY0 + 100, arena, &runs, &info), GT_OK);
    assert_int_equal(market_history_compute(&history, &runs, arena, &market), GT_OK);
    for (size_t i = 0; i < market.count; i++) print_row(got, sizeof got, &market.rows[i]);
    assert_string_equal(got, row->want);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check);
}
