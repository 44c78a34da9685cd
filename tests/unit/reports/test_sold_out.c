/* Sold out by hour of the day: which sightings count. Runs 1 to 4 began at 20:30, 21:30, 20:30 and 23:59 in Beijing. */
#include "reports/sold_out_hours.h"
#include "tests/unit/reports/capture.h"
#include "tests/unit/reports/jygpu.h"

enum { SPANS_MAX = 3, RUNS = 4, FIRST = 1789216200, HALF_PAST_NINE_S = 3600, NEXT_DAY_S = 86400, NEARLY_MIDNIGHT_S = 86400 + 12540 };

struct span {
    enum availability availability;
    uint64_t first, last; /* runs; 0: no span */
    bool is_doubted, is_voided;
    enum provenance provenance;
};

struct sold_out_row {
    const char *name;
    struct span spans[SPANS_MAX];
    uint64_t unbelieved; /* a run whose offers were not seen; 0: none */
    size_t sources;
    int64_t sightings_20, sold_out_20, sightings_21, sold_out_21, sightings_23, sold_out_23;
};

#define OUT AVAIL_SOLD_OUT
#define IN AVAIL_IN_STOCK

static const struct sold_out_row sold_outs[] = {
    {"two offers, one sold out", {{.availability = OUT, .first = 1, .last = 4}, {.availability = IN, .first = 1, .last = 4}}, 0, 1, 4, 2, 2, 1, 2, 1},
    {"sold out for some runs", {{.availability = IN, .first = 1, .last = 1}, {.availability = OUT, .first = 2, .last = 4}}, 0, 1, 2, 1, 1, 1, 1, 1},
    {"few left are to be had", {{.availability = AVAIL_LIMITED, .first = 1, .last = 4}}, 0, 1, 2, 0, 1, 0, 1, 0},
    {"unknown beside known does not count", {{.availability = AVAIL_UNKNOWN, .first = 1, .last = 4}, {.availability = IN, .first = 1, .last = 4}}, 0, 1, 2, 0, 1,
     0, 1, 0},
    {"a source that only says sold out: the others are not", {{.availability = AVAIL_UNKNOWN, .first = 1, .last = 4}, {.availability = OUT, .first = 2, .last = 2}},
     0, 1, 2, 0, 2, 1, 1, 0},
    {"a source that says nothing", {{.availability = AVAIL_UNKNOWN, .first = 1, .last = 4}}, 0, 0, 0, 0, 0, 0, 0, 0},
    {"nothing listed", {{.first = 0}}, 0, 0, 0, 0, 0, 0, 0, 0},
    {"listed for one run", {{.availability = IN, .first = 2, .last = 2}}, 0, 1, 0, 0, 1, 0, 0, 0},
    {"a run that is not believed", {{.availability = OUT, .first = 1, .last = 4}}, 3, 1, 1, 1, 1, 1, 1, 1},
    {"doubted", {{.availability = OUT, .first = 1, .last = 4, .is_doubted = true}}, 0, 0, 0, 0, 0, 0, 0, 0},
    {"voided", {{.availability = OUT, .first = 1, .last = 4, .is_voided = true}}, 0, 0, 0, 0, 0, 0, 0, 0},
    {"filled in from elsewhere", {{.availability = OUT, .first = 1, .last = 4, .provenance = PROVENANCE_WAYBACK}}, 0, 0, 0, 0, 0, 0, 0, 0},
};

static void check_hour(const struct sold_out_hour *hour, int64_t sightings, int64_t sold_out)
{
    assert_int_equal(hour->sightings, sightings);
    assert_int_equal(hour->sold_out, sold_out);
}

static void check_sold_out(void **state)
{
    static const int64_t begins[RUNS] = {0, HALF_PAST_NINE_S, NEXT_DAY_S, NEARLY_MIDNIGHT_S};
    const struct sold_out_row *row = *state;
    struct board_row offers[SPANS_MAX];
    struct history_row spans[SPANS_MAX];
    struct run_row runs[2 * RUNS];
    struct store store = {.runs = runs, .run_count = 2 * RUNS, .spans = spans};
    struct sold_out_hours hours;
    struct gt_errinfo info = {0};
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    assert_non_null(arena);
    for (size_t i = 0; i < 2 * RUNS; i++) /* of another site as well, which shows nothing */
        runs[i] = (struct run_row){.site = gt_str_from(i < RUNS ? "a" : "b"), .part = GT_STR("main"), .seq = i + 1, .start_unix_s = FIRST + begins[i % RUNS],
                                   .status = STATUS_OK, .is_good = i + 1 != row->unbelieved};
    for (size_t i = 0; i < SPANS_MAX && row->spans[i].first != 0; i++) {
        offers[i] = (struct board_row){.offer_id = i + 1, .site = GT_STR("a"), .provenance = row->spans[i].provenance};
        offers[i].offer.identity.part = GT_STR("main");
        offers[i].offer.record.availability = row->spans[i].availability;
        spans[store.span_count++] = (struct history_row){.offer = &offers[i], .first_unix_s = FIRST, .last_unix_s = FIRST + NEARLY_MIDNIGHT_S,
                                                         .first_seq = row->spans[i].first, .last_seq = row->spans[i].last,
                                                         .is_doubted = row->spans[i].is_doubted, .is_voided = row->spans[i].is_voided};
    }
    assert_int_equal(sold_out_hours_read(&store, NULL, 0, FIRST, FIRST + CIVIL_WEEK_S, CIVIL_SHANGHAI_S, arena, &hours, &info), GT_OK);
    assert_int_equal(hours.count, row->sources);
    if (hours.count > 0) {
        assert_str(hours.sources[0].site, "a");
        check_hour(&hours.sources[0].hours[20], row->sightings_20, row->sold_out_20);
        check_hour(&hours.sources[0].hours[21], row->sightings_21, row->sold_out_21);
        check_hour(&hours.sources[0].hours[23], row->sightings_23, row->sold_out_23);
        check_hour(&hours.sources[0].all, row->sightings_20 + row->sightings_21 + row->sightings_23,
                   row->sold_out_20 + row->sold_out_21 + row->sold_out_23);
    }
    arena_free(arena);
}

/* ---- what is written ---- */

static struct sold_out_source evening = {.site = WORDS("a"), .title = WORDS("<A>"), .hours = {[9] = {40, 0}, [20] = {10, 10}, [21] = {3, 1}}, .all = {53, 11}};

struct written_row {
    const char *name;
    const struct sink *sink;
    enum gt_lang lang;
    size_t count;
    bool is_long;
    const char *has, *lacks;
};

static const struct written_row written[] = {
    {"a day as marks", &sink_text, LANG_ZH, 1, false, "·········▁··········█▃··", NULL},
    {"its share and the worst hour", &sink_md, LANG_EN, 1, false, "| 20.8% |", NULL},
    {"the worst hour with its n", &sink_md, LANG_EN, 1, false, "| 20:00\\~21:00 | 100.0% (n=10) | 53 |", NULL},
    {"hour by hour", &sink_md, LANG_EN, 1, true, "| 21:00\\~22:00 | 1 | 3 | 33.3% |", "22:00\\~23:00 |"},
    {"in English", &sink_text, LANG_EN, 1, false, "Sold out by hour of the day", NULL},
    {"a name is text", &sink_html, LANG_ZH, 1, false, "&lt;A&gt;", "<A>"},
    {"csv has the hours", &sink_csv, LANG_ZH, 1, false, "a,20,10,10,100\n", "a,22"},
    {"json has the hours", &sink_json, LANG_ZH, 1, false, "{\"site\":\"a\",\"hour\":21,\"sold_out\":1,\"sightings\":3,\"percent\":\"33.33\"}", NULL},
    {"nothing for people where nothing is shown", &sink_text, LANG_ZH, 0, false, NULL, "售罄"},
    {"an empty list for programs", &sink_json, LANG_ZH, 0, false, "\"sold_out_hours\":[", "hour\":"},
};

static void check_written(void **state)
{
    const struct written_row *row = *state;
    const struct sold_out_hours hours = {.sources = &evening, .count = row->count, .zone_offset_s = CIVIL_SHANGHAI_S};
    struct report_head head = {.title = GT_STR("t"), .lang = row->lang, .zone_offset_s = CIVIL_SHANGHAI_S};
    struct capture *capture = capture_new();
    struct arena *arena = arena_new(REPORT_BYTES_MAX);
    struct gt_errinfo info = {0};
    struct sink_writer *writer;
    assert_non_null(arena);
    assert_int_equal(sink_open(row->sink, capture->file, &head, &writer, &info), GT_OK);
    assert_int_equal(sold_out_hours_write(writer, &hours, row->is_long, row->lang, arena), GT_OK);
    assert_int_equal(sink_close(writer, &info), GT_OK);
    const char *text = capture_text(capture);
    bool is_right = (row->has == NULL || strstr(text, row->has) != NULL) && (row->lacks == NULL || strstr(text, row->lacks) == NULL);
    if (!is_right) print_error("%s\n", text);
    assert_true(is_right);
    capture_free(capture);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(sold_outs, check_sold_out) + TABLE_RUN(written, check_written);
}
