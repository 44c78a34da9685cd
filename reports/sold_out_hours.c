#include "reports/sold_out_hours.h"

#include "common/civil.h"
#include "common/utf8.h"
#include "pricing/money.h"
#include "reports/figure.h"
#include "reports/name.h"
#include "reports/table.h"
#include "store/prices.h"

/* ---- counting ---- */

/* How many offers more (or fewer) each run shows than the run before it in the index: a span is two entries however long it is. */
struct run_steps {
    int32_t listed, sold_out, to_be_had;
};

struct reading_hours {
    struct run_index runs;
    struct run_steps *steps; /* one a run, and one behind them */
};

static enum gt_err note_span(void *ctx, const struct price_span *span)
{
    struct reading_hours *reading = ctx;
    enum availability availability = span->price.availability;
    if (span->is_doubted || span->provenance != PROVENANCE_LIVE) return GT_OK;
    struct run_steps *first = &reading->steps[run_index_place(&reading->runs, span->site, span->part, span->first_seq)];
    struct run_steps *behind = &reading->steps[run_index_place(&reading->runs, span->site, span->part, span->last_seq + 1)];
    bool is_sold_out = availability == AVAIL_SOLD_OUT, is_to_be_had = availability == AVAIL_IN_STOCK || availability == AVAIL_LIMITED;
    first->listed++, behind->listed--;
    first->sold_out += is_sold_out, behind->sold_out -= is_sold_out;
    first->to_be_had += is_to_be_had, behind->to_be_had -= is_to_be_had;
    return GT_OK;
}

/* Of one source while its runs are gone through: what is listed counts only where nothing ever says "to be had". */
struct source_sum {
    struct sold_out_source source;
    int64_t listed[HOURS_A_DAY];
    int64_t to_be_had;
};

/* Adds the source unless it says nothing of availability. */
static void sum_close(struct source_sum *sum, struct sold_out_hours *list)
{
    struct sold_out_source *source = &sum->source;
    for (int i = 0; i < HOURS_A_DAY; i++) {
        if (sum->to_be_had == 0) source->hours[i].sightings = sum->listed[i];
        source->all.sightings += source->hours[i].sightings;
        source->all.sold_out += source->hours[i].sold_out;
    }
    if (sum->to_be_had > 0 || source->all.sold_out > 0) list->sources[list->count++] = *source;
}

static void sum_run(struct source_sum *sum, const struct run_entry *run, const struct run_steps *shown, int32_t zone_offset_s)
{
    int hour = civil_from_unix(run->start_unix_s, zone_offset_s).hour;
    sum->source.hours[hour].sightings += (int64_t)shown->sold_out + shown->to_be_had;
    sum->source.hours[hour].sold_out += shown->sold_out;
    sum->listed[hour] += shown->listed;
    sum->to_be_had += shown->to_be_had;
}

/* Runs stand by site. */
static enum gt_err sum_up(const struct reading_hours *reading, int32_t zone_offset_s, struct arena *arena, struct sold_out_hours *list)
{
    const struct run_index *runs = &reading->runs;
    struct run_steps shown = {0};
    struct source_sum sum = {0};
    size_t sites = 0;
    for (size_t i = 0; i < runs->count; i++) sites += i == 0 || !gt_str_eq(runs->runs[i].site, runs->runs[i - 1].site);
    list->sources = arena_array(arena, sites, sizeof *list->sources);
    if (list->sources == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < runs->count; i++) {
        const struct run_entry *run = &runs->runs[i];
        if (i > 0 && !gt_str_eq(run->site, run[-1].site)) {
            sum_close(&sum, list);
            sum = (struct source_sum){0};
        }
        sum.source.site = run->site;
        shown.listed += reading->steps[i].listed;
        shown.sold_out += reading->steps[i].sold_out;
        shown.to_be_had += reading->steps[i].to_be_had;
        if (run->is_good) sum_run(&sum, run, &shown, zone_offset_s);
    }
    if (runs->count > 0) sum_close(&sum, list);
    return GT_OK;
}

enum gt_err sold_out_hours_read(struct store *store, const uint64_t *offers, size_t offer_count, int64_t since_unix_s, int64_t until_unix_s,
                                int32_t zone_offset_s, struct arena *arena, struct sold_out_hours *ret_hours, struct gt_errinfo *info)
{
    struct arena *scratch = arena_new(REPORT_BYTES_MAX);
    struct reading_hours reading = {.steps = NULL};
    struct sold_out_hours list = {.zone_offset_s = zone_offset_s};
    const int64_t bounds[] = {since_unix_s, until_unix_s};
    const struct price_windows window = {bounds, sizeof bounds / sizeof bounds[0]};
    if (scratch == NULL) return gt_fail(info, GT_ENOMEM, "reading what is sold out: out of memory");
    enum gt_err err = run_index_read(store, since_unix_s, until_unix_s, NULL, 0, arena, &reading.runs, info);
    if (err == GT_OK && (reading.steps = arena_array(scratch, reading.runs.count + 1, sizeof *reading.steps)) == NULL) err = GT_ENOMEM;
    if (err == GT_OK) err = store_price_spans(store, offers, offer_count, window, note_span, &reading, info);
    if (err == GT_OK) err = sum_up(&reading, zone_offset_s, arena, &list);
    arena_free(scratch);
    if (err == GT_ENOMEM) return gt_fail(info, err, "reading what is sold out: out of memory");
    if (err == GT_OK) *ret_hours = list;
    return err;
}

/* ---- writing ---- */

/* "12.3 %" as nano-units of percent; false without sightings. */
static bool share_of(const struct sold_out_hour *hour, int64_t *ret_percent_nano)
{
    return hour->sightings > 0 && money_scale(hour->sold_out, 100 * NANO, hour->sightings, ROUND_HALF_UP, ret_percent_nano) == GT_OK;
}

/* The day as 24 marks, each an eighth of all sightings high; a dot where nothing was looked at. */
static struct gt_str day_text(const struct sold_out_source *source, struct arena *arena)
{
    enum { LEVELS = 8, LOWEST = 0x2581, DOT = 0xB7 };
    char *bytes = arena_array(arena, HOURS_A_DAY, 4);
    size_t len = 0;
    if (bytes == NULL) return GT_STR("");
    for (int i = 0; i < HOURS_A_DAY; i++) {
        int64_t percent = 0;
        bool is_known = share_of(&source->hours[i], &percent);
        len += utf8_encode(is_known ? LOWEST + (int32_t)(percent * (LEVELS - 1) / (100 * NANO)) : DOT, bytes + len);
    }
    return (struct gt_str){bytes, len};
}

/* The hour with the largest share, the earliest of several; -1 when none is sold out. */
static int worst_hour(const struct sold_out_source *source)
{
    int worst = -1;
    int64_t most = 0, percent;
    for (int i = 0; i < HOURS_A_DAY; i++) {
        if (!share_of(&source->hours[i], &percent) || percent <= most) continue;
        most = percent;
        worst = i;
    }
    return worst;
}

static struct gt_str hour_text(int hour, struct arena *arena)
{
    return arena_printf(arena, "%02d:00~%02d:00", hour, hour + 1);
}

static enum gt_err write_days(struct sink_writer *writer, const struct sold_out_hours *list, enum gt_lang lang, struct arena *arena)
{
    static const struct column_def defs[] = {{"site", LABEL_PLATFORM, COLUMN_KEEP, 0}, {"share", LABEL_SOLD_OUT_SHARE, COLUMN_RIGHT | COLUMN_KEEP, 0},
                                             {"day", LABEL_SOLD_OUT_DAY, 0, 0},        {"hour", LABEL_SOLD_OUT_WORST, 0, 0},
                                             {"worst", LABEL_SOLD_OUT_SHARE, COLUMN_RIGHT, 0}, {"n", LABEL_SIGHTINGS, COLUMN_RIGHT | COLUMN_KEEP, 0}};
    struct table table;
    table_init(&table, arena, lang, defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < list->count; i++) {
        const struct sold_out_source *source = &list->sources[i];
        struct cell *cells = table_row(&table);
        int worst = worst_hour(source);
        int64_t percent;
        cells[0] = cell_text(name_site_title(source->title, source->site, lang));
        if (share_of(&source->all, &percent)) cells[1] = cell_text(figure_percent_text(percent, arena));
        cells[2] = cell_text(day_text(source, arena));
        cells[5] = cell_number(CELL_COUNT, source->all.sightings);
        if (worst < 0 || !share_of(&source->hours[worst], &percent)) continue;
        cells[3] = cell_text(hour_text(worst, arena));
        cells[4] = cell_text(arena_printf(arena, "%.*s (n=%lld)", GT_STR_ARG(figure_percent_text(percent, arena)),
                                          (long long)source->hours[worst].sightings));
    }
    sink_paragraph(writer, label(lang, LABEL_SOLD_OUT_MARKS));
    return table_write(&table, writer, "sold_out", GT_STR(""));
}

/* Hours at which nothing was looked at are left out: their share is not known. */
static enum gt_err write_hours(struct sink_writer *writer, const struct sold_out_hours *list, enum gt_lang lang, struct arena *arena)
{
    static const struct column_def data[] = {{.key = "site"}, {.key = "hour"}, {.key = "sold_out"}, {.key = "sightings"}, {.key = "percent"}};
    static const struct column_def shown[] = {{"site", LABEL_UNTITLED, 0, 0},
                                              {"hour", LABEL_HOUR_OF_DAY, COLUMN_KEEP, 0},
                                              {"sold_out", LABEL_SOLD_OUT_COUNT, COLUMN_RIGHT | COLUMN_KEEP, 0},
                                              {"sightings", LABEL_SIGHTINGS, COLUMN_RIGHT | COLUMN_KEEP, 0},
                                              {"percent", LABEL_SOLD_OUT_SHARE, COLUMN_RIGHT | COLUMN_KEEP, 0}};
    bool is_data = sink_is_data(writer);
    struct table table;
    table_init(&table, arena, lang, is_data ? data : shown, sizeof data / sizeof data[0]);
    for (size_t i = 0; i < list->count; i++)
        for (int hour = 0; hour < HOURS_A_DAY; hour++) {
            const struct sold_out_hour *counts = &list->sources[i].hours[hour];
            int64_t percent;
            if (!share_of(counts, &percent)) continue;
            struct cell *cells = table_row(&table);
            if (is_data) cells[0] = cell_text(list->sources[i].site);
            cells[1] = is_data ? cell_number(CELL_COUNT, hour) : cell_text(hour_text(hour, arena));
            cells[2] = cell_number(CELL_COUNT, counts->sold_out);
            cells[3] = cell_number(CELL_COUNT, counts->sightings);
            cells[4] = is_data ? cell_number(CELL_PERCENT, percent) : cell_text(figure_percent_text(percent, arena));
        }
    return is_data ? table_write_all(&table, writer, "sold_out_hours") : table_write(&table, writer, "sold_out_hours", GT_STR(""));
}

enum gt_err sold_out_hours_write(struct sink_writer *writer, const struct sold_out_hours *hours, bool is_long, enum gt_lang lang,
                                 struct arena *arena)
{
    if (sink_is_data(writer)) return write_hours(writer, hours, lang, arena);
    if (hours->count == 0) return GT_OK;
    struct gt_str zone = name_zone(hours->zone_offset_s, lang, arena);
    sink_heading(writer, 1, phrase(arena, lang, LABEL_SECTION_SOLD_OUT, &zone, 1));
    sink_paragraph(writer, label(lang, LABEL_SOLD_OUT_NOTE));
    return is_long ? write_hours(writer, hours, lang, arena) : write_days(writer, hours, lang, arena);
}
