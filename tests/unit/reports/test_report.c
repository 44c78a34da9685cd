/* Every report in every format when there is nothing, when the store fails, when the disk is full, when the question is wrong. */
#include <jansson.h>

#include "tests/unit/reports/capture.h"
#include "tests/unit/reports/market.h"

struct row {
    const char *name; /* of the report */
    const char *table; /* its main table in json */
};

static const struct row reports[] = {
    {"offers", "offers"}, {"history", "spans"}, {"changes", "changes"},
    {"report", "classes"}, {"audit", "findings"}, {"health", "sources"},
};

static struct report_input input_of(struct store *store)
{
    return (struct report_input){.store = store, .now_unix_s = MARKET_NOW, .persona = persona_default(), .width = 80, .zone_offset_s = CIVIL_SHANGHAI_S};
}

/* Nothing was ever stored: every format is whole, and json has its table, empty. */
static void check_empty(void **state)
{
    const struct row *row = *state;
    for (const struct sink *const *sink = sink_list(); *sink != NULL; sink++) {
        struct store store = {0};
        struct report_input input = input_of(&store);
        struct capture *capture = capture_new();
        struct gt_errinfo info = {0};
        assert_int_equal(report_find(gt_str_from(row->name))->run(&input, *sink, capture->file, &info), GT_OK);
        const char *text = capture_text(capture);
        assert_true(capture->len > 20);
        assert_null(strstr(text, "(null)"));
        if (strcmp((*sink)->name, "json") == 0) {
            json_error_t error;
            json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
            assert_non_null(root);
            assert_true(json_is_array(json_object_get(root, row->table)));
            assert_int_equal(json_array_size(json_object_get(root, row->table)), 0);
            json_decref(root);
        }
        capture_free(capture);
    }
}

/* A damaged store is told, and nothing is written. */
static void check_damaged(void **state)
{
    const struct row *row = *state;
    struct store store = {.err = GT_ECORRUPT};
    struct report_input input = input_of(&store);
    struct capture *capture = capture_new();
    struct gt_errinfo info = {0};
    assert_int_equal(report_find(gt_str_from(row->name))->run(&input, &sink_text, capture->file, &info), GT_ECORRUPT);
    assert_string_equal(info.text, "the store is damaged");
    assert_string_equal(capture_text(capture), "");
    capture_free(capture);
}

/* A full disk is told by name, in every format. */
static void check_full_disk(void **state)
{
    const struct row *row = *state;
    for (const struct sink *const *sink = sink_list(); *sink != NULL; sink++) {
        struct fake_market market;
        struct gt_errinfo info = {0};
        FILE *file = fopen("/dev/full", "w");
        market_init(&market);
        struct report_input input = input_of(&market.store);
        assert_int_equal(report_find(gt_str_from(row->name))->run(&input, *sink, file, &info), GT_ENOSPC);
        assert_non_null(strstr(info.text, "full"));
        market_done(&market);
        fclose(file);
    }
}

/* A period that ends before it begins is refused by those that have one. */
static void check_period(void **state)
{
    const struct row *row = *state;
    struct store store = {0};
    struct report_input input = input_of(&store);
    struct capture *capture = capture_new();
    struct gt_errinfo info = {0};
    bool has_period = strcmp(row->name, "offers") != 0 && strcmp(row->name, "audit") != 0;
    input.since_unix_s = MARKET_NOW;
    input.until_unix_s = MARKET_NOW - 1;
    enum gt_err err = report_find(gt_str_from(row->name))->run(&input, &sink_text, capture->file, &info);
    assert_int_equal(err, has_period ? GT_EUSAGE : GT_OK);
    capture_free(capture);
}

/* Twice the same: nothing depends on addresses or on what ran before. */
static void check_twice(void **state)
{
    const struct row *row = *state;
    for (const struct sink *const *sink = sink_list(); *sink != NULL; sink++) {
        struct capture *captures[2];
        for (int i = 0; i < 2; i++) {
            struct fake_market market;
            struct gt_errinfo info = {0};
            captures[i] = capture_new();
            market_init(&market);
            struct report_input input = input_of(&market.store);
            assert_int_equal(report_find(gt_str_from(row->name))->run(&input, *sink, captures[i]->file, &info), GT_OK);
            market_done(&market);
        }
        assert_string_equal(capture_text(captures[0]), capture_text(captures[1]));
        capture_free(captures[0]);
        capture_free(captures[1]);
    }
}

/* What a query and a currency leave. */
struct filter_row {
    const char *name, *query, *currency;
    size_t offers;
    const char *site; /* of the first */
};

static const struct filter_row filters[] = {
    {"everything", "", "", 16, "jygpu"},
    {"one card", "4090", "", 6, "jygpu"},
    {"one card, one way", "4090 delivery=container", "", 5, "jygpu"},
    {"one site", "site=autodl", "", 1, "autodl"},
    {"a card that nobody has", "B200", "", 0, NULL},
    {"one currency", "", "USD", 2, "beam"},
    {"a currency that nobody asks for", "", "EUR", 0, NULL},
    {"abroad", "market=overseas", "", 2, "beam"},
};

static void check_filter(void **state)
{
    const struct filter_row *row = *state;
    struct fake_market market;
    struct gt_errinfo info = {0};
    struct capture *capture = capture_new();
    market_init(&market);
    struct report_input input = input_of(&market.store);
    input.currency = currency_from(gt_str_from(row->currency));
    assert_int_equal(query_read(gt_str_from(row->query), market.arena, &input.query, &info), GT_OK);
    assert_int_equal(report_find(GT_STR("offers"))->run(&input, &sink_json, capture->file, &info), GT_OK);
    json_error_t error;
    json_t *root = json_loads(capture_text(capture), 0, &error);
    json_t *offers = json_object_get(root, "offers"), *first = json_array_get(offers, 0);
    assert_int_equal(json_array_size(offers), row->offers);
    if (row->site != NULL) assert_string_equal(json_string_value(json_object_get(first, "site")), row->site);
    json_decref(root);
    market_done(&market);
    capture_free(capture);
}

static void check_name(void **state)
{
    const struct row *row = *state;
    const struct report *report = report_find(gt_str_from(row->name));
    assert_non_null(report);
    assert_string_equal(report->name, row->name);
    assert_true(strlen(report->summary) > 0);
    assert_null(report_find(GT_STR("weekly")));
    assert_null(report_find(GT_STR("")));
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(reports, check_name) + TABLE_RUN(reports, check_empty) + TABLE_RUN(reports, check_damaged) +
           TABLE_RUN(reports, check_full_disk) + TABLE_RUN(reports, check_period) + TABLE_RUN(reports, check_twice) +
           TABLE_RUN(filters, check_filter);
}
