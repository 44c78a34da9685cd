/* Changes and the alerts' events in one line of time: whose line an event stands in, which are shown. */
#include "reports/told_list.h"
#include "tests/unit/reports/market.h"

enum { EVENTS_MAX = 4, AT = MARKET_MOVED };

#define PRICE(id, more) TOLD(id, "r", "price-moved", "\"site\":\"a\",\"offer_id\":1," more TOLD_TEXT("moved"))

/* Three changes at one moment: the price and the stock of offer 1, and a failure of site a. Each row has events at it, or a second later. */
static const struct row {
    const char *name;
    int64_t later_s;
    const char *events[EVENTS_MAX], *query;
    const char *lines; /* a line each: the kind, '=' and its event's id where it has one; of an event alone '+' and its id */
} rows[] = {
    {"no events", 0, {NULL}, "", "price sold-out source-failed"},
    {"of a price rule", 0, {PRICE("x", "")}, "", "price=x sold-out source-failed"},
    {"of a threshold", 0, {TOLD("x", "r", "price-below", "\"site\":\"a\",\"offer_id\":1," TOLD_TEXT("low"))}, "", "price=x sold-out source-failed"},
    {"of two rules", 0, {PRICE("x", ""), PRICE("y", "")}, "", "price=x sold-out source-failed +y"},
    {"of the stock", 0, {TOLD("x", "r", "sold-out", "\"site\":\"a\",\"offer_id\":1," TOLD_TEXT("gone"))}, "", "price sold-out=x source-failed"},
    {"of the source", 0, {TOLD("x", "r", "source-failed", "\"site\":\"a\"," TOLD_TEXT("503"))}, "", "price sold-out source-failed=x"},
    {"of another site's failure", 0, {TOLD("x", "r", "source-failed", "\"site\":\"b\"," TOLD_TEXT("503"))}, "", "price sold-out source-failed +x"},
    {"of another offer", 0, {TOLD("x", "r", "price-moved", "\"site\":\"a\",\"offer_id\":2," TOLD_TEXT("moved"))}, "", "price sold-out source-failed +x"},
    {"of the class, not the offer that sets its low", 0, {PRICE("x", "\"class\":\"NVIDIA-RTX-4090/24G\",")}, "", "price sold-out source-failed +x"},
    {"told by a later run", 60, {PRICE("x", "")}, "", "price sold-out source-failed +x"},
    {"of all sources", 0, {TOLD("x", "r", "network-down", "\"class\":\"1\"," TOLD_TEXT("down"))}, "", "price sold-out source-failed +x"},
    {"silenced", 0, {PRICE("x", "\"silenced\":true,")}, "", "price sold-out source-failed"},
    {"inhibited", 0, {TOLD("x", "r", "source-failed", "\"site\":\"a\",\"inhibited\":true," TOLD_TEXT("503"))}, "", "price sold-out source-failed"},
    {"a test and a report", 0, {TOLD("x", "test", "test", TOLD_TEXT("t")), TOLD("y", "weekly", "report", TOLD_TEXT("r"))}, "", "price sold-out source-failed"},
    {"a record that cannot be read", 0, {"{\"id\":", "[]", PRICE("x", "")}, "", "price=x sold-out source-failed"},
    {"asked for a card: its class", 0, {TOLD("x", "r", "index-moved", "\"class\":\"NVIDIA-RTX-4090/24G\"," TOLD_TEXT("i"))}, "4090", "price sold-out +x"},
    {"asked for another card", 0, {TOLD("x", "r", "index-moved", "\"class\":\"NVIDIA-RTX-4090/24G\"," TOLD_TEXT("i"))}, "H100", ""},
    {"asked for a site: its source", 60, {TOLD("x", "r", "drift", "\"site\":\"a\"," TOLD_TEXT("d"))}, "site=a", "price sold-out source-failed +x"},
    {"asked for another site", 60, {TOLD("x", "r", "drift", "\"site\":\"a\"," TOLD_TEXT("d")), TOLD("y", "r", "network-down", TOLD_TEXT("d"))}, "site=b", ""},
};

static void print_entry(char *text, size_t size, const struct told_entry *entry)
{
    const char *kind = entry->is_event_alone ? "+" : word_text(VOCABULARY_CHANGE, (int)entry->priced.change.kind);
    struct gt_str id = entry->event != NULL ? entry->event->id : GT_STR("");
    size_t at = strlen(text);
    snprintf(text + at, size - at, "%s%s%s%.*s", at > 0 ? " " : "", kind, entry->event != NULL && !entry->is_event_alone ? "=" : "", GT_STR_ARG(id));
}

static void check_lines(void **state)
{
    const struct row *row = *state;
    static const struct market_offer offer = {.id = 1, .site = "a", .title = "", .label = "4090", .sku = "NVIDIA-RTX-4090", .vram_gb = 24,
                                              .currency = "CNY", .month_nano = UNITS(1000), .is_listed = true};
    struct fake_market market = {.arena = arena_new(16 << 20)};
    struct fake_event events[EVENTS_MAX];
    struct store *store = &market.store;
    struct board_view view = {.now_unix_s = AT, .persona = persona_default()};
    struct board_rows board;
    struct change_list changes;
    struct told_list list;
    struct told_entry entry;
    char got[256] = "";
    store->rows = market.rows;
    store->changes = market.changes;
    market_add(&market, &offer, 0, 0);
    market_change(&market, CHANGE_PRICE, AT, &offer, &offer);
    market_change(&market, CHANGE_SOLD_OUT, AT, &offer, &offer);
    market.changes[store->change_count++] = (struct change){.t_unix_s = AT, .kind = CHANGE_SOURCE_FAILED, .site = GT_STR("a")};
    for (; store->event_count < EVENTS_MAX && row->events[store->event_count] != NULL; store->event_count++)
        events[store->event_count] = (struct fake_event){AT + row->later_s, row->events[store->event_count]};
    store->events = events;
    if (row->query[0] != '\0') assert_int_equal(query_read(gt_str_from(row->query), market.arena, &view.query, NULL), GT_OK);
    assert_int_equal(board_read(store, AT, market.arena, &board, NULL), GT_OK);
    assert_int_equal(change_list_read(store, 0, AT + 61, &view, &board, market.arena, &changes, NULL), GT_OK);
    assert_int_equal(told_list_read(store, 0, AT + 61, &changes, LANG_EN, market.arena, &list, NULL), GT_OK);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(told_list_entry(&list, i, market.arena, &entry), GT_OK);
        assert_true(i == 0 || told_list_time(&list, i) >= told_list_time(&list, i - 1));
        print_entry(got, sizeof got, &entry);
    }
    assert_string_equal(got, row->lines);
    market_done(&market);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(rows, check_lines);
}
