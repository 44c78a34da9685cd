/* `index`: how prices moved apart from who offers what; beside it the best price, and why the two differ. */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/frame.h"
#include "reports/index_read.h"
#include "reports/name.h"
#include "reports/offer_cells.h"
#include "reports/table.h"

struct index_frame {
    struct frame base;
    struct index_weeks weeks;
    struct price_index index;
};

static struct gt_str week_name(const struct index_frame *frame, size_t week)
{
    return period_name(&frame->weeks.weeks[week], frame->base.input->zone_offset_s, frame->base.arena);
}

/* The last week of a series in which anything was offered. */
static size_t last_week(const struct index_frame *frame, const struct index_series *series)
{
    size_t week = frame->weeks.count - 1;
    while (week > 0 && series->points[week].segment == 0) week--;
    return week;
}

/* The week in which it is 100; SIZE_MAX when it has no values. */
static size_t base_week(const struct index_frame *frame, const struct index_series *series)
{
    if (frame->weeks.base != SIZE_MAX) return series->points[frame->weeks.base].has_value ? frame->weeks.base : SIZE_MAX;
    for (size_t w = 0; w < frame->weeks.count; w++)
        if (series->points[w].has_value) return w;
    return SIZE_MAX;
}

/* ---- for programs ---- */

static const char *const low_words[] = {[INDEX_LOW_NONE] = NULL,       [INDEX_LOW_FIRST] = "first",   [INDEX_LOW_SAME] = "same",
                                        [INDEX_LOW_MOVED] = "moved",   [INDEX_LOW_JOINED] = "joined", [INDEX_LOW_LEFT] = "left"};

static void begin_data(const struct index_frame *frame, const char *key, const struct column_def *defs, size_t count, struct column *columns)
{
    table_columns(defs, count, frame->base.input->lang, columns);
    sink_table_begin(frame->base.writer, key, GT_STR(""), columns, count);
}

static const char *level_word(bool is_card)
{
    return is_card ? "sku" : "class";
}

static void write_points(const struct index_frame *frame)
{
    static const struct column_def defs[] = {
        {.key = "level"},    {.key = "key"},     {.key = "sku"},     {.key = "vram_gb"},         {.key = "week"},
        {.key = "index"},    {.key = "change_percent"},              {.key = "offers"},          {.key = "sellers"},
        {.key = "matched"},  {.key = "matched_sellers"},             {.key = "low"},             {.key = "currency"},
        {.key = "low_site"},
        {.key = "low_change"}};
    struct column columns[sizeof defs / sizeof defs[0]];
    begin_data(frame, "points", defs, sizeof defs / sizeof defs[0], columns);
    for (size_t i = 0; i < frame->index.series_count; i++)
        for (size_t w = 0; w < frame->weeks.count; w++) {
            const struct index_series *series = &frame->index.series[i];
            const struct index_point *point = &series->points[w];
            if (point->segment == 0) continue;
            const struct cell cells[] = {cell_words(level_word(series->is_card)),
                                         cell_text(series->key),
                                         cell_text(series->sku),
                                         cell_count_known(series->vram_gb),
                                         cell_text(week_name(frame, w)),
                                         point->has_value ? cell_money(point->value_nano) : cell_none(),
                                         point->has_link ? cell_number(CELL_PERCENT, point->link_percent_nano) : cell_none(),
                                         cell_number(CELL_COUNT, point->offers),
                                         cell_number(CELL_COUNT, point->sellers),
                                         cell_number(CELL_COUNT, point->matched),
                                         cell_number(CELL_COUNT, point->matched_sellers),
                                         cell_money(point->low_nano),
                                         cell_words(point->low_currency.code),
                                         cell_text(point->low_site),
                                         cell_words(low_words[point->low_reason])};
            sink_row(frame->base.writer, cells);
        }
    sink_table_end(frame->base.writer);
}

static void write_share_data(const struct index_frame *frame)
{
    static const struct column_def defs[] = {{.key = "level"}, {.key = "key"},     {.key = "week"},          {.key = "site"},
                                             {.key = "matched"}, {.key = "percent"}, {.key = "share_percent"}};
    struct column columns[sizeof defs / sizeof defs[0]];
    begin_data(frame, "shares", defs, sizeof defs / sizeof defs[0], columns);
    for (size_t i = 0; i < frame->index.share_count; i++) {
        const struct index_share *share = &frame->index.shares[i];
        const struct cell cells[] = {cell_words(level_word(share->is_card)), cell_text(share->key), cell_text(week_name(frame, share->week)),
                                     cell_text(share->site), cell_number(CELL_COUNT, share->matched),
                                     cell_number(CELL_PERCENT, share->percent_nano), cell_number(CELL_PERCENT, share->share_nano)};
        sink_row(frame->base.writer, cells);
    }
    sink_table_end(frame->base.writer);
}

static void write_data(struct index_frame *frame)
{
    struct sink_writer *writer = frame->base.writer;
    frame_values(&frame->base);
    sink_value(writer, "since", cell_number(CELL_TIME, frame->weeks.weeks[0].since_unix_s));
    sink_value(writer, "until", cell_number(CELL_TIME, frame->weeks.weeks[frame->weeks.count - 1].until_unix_s));
    sink_value(writer, "base", frame->weeks.base != SIZE_MAX ? cell_text(week_name(frame, frame->weeks.base)) : cell_none());
    write_points(frame);
    write_share_data(frame);
}

/* ---- for people ---- */

/* clang-format off */
enum shown_column {
    S_CARD, S_CLASS, S_VRAM, S_WEEK, S_BASE, S_INDEX, S_CHANGE, S_MATCHED, S_SELLERS, S_LOW, S_CURRENCY, S_SITE, S_WHY, SHOWN_COLUMNS
};

static const struct column_def shown_columns[SHOWN_COLUMNS] = {
    [S_CARD] = {"card", LABEL_CARD, 0, 0},
    [S_CLASS] = {"class", LABEL_CLASS, COLUMN_WRAP, 0},
    [S_VRAM] = {"vram", LABEL_VRAM, COLUMN_RIGHT, 0},
    [S_WEEK] = {"week", LABEL_INDEX_WEEK, 0, 0},
    [S_BASE] = {"base", LABEL_INDEX_BASE, 0, 0},
    [S_INDEX] = {"index", LABEL_INDEX, COLUMN_RIGHT | COLUMN_KEEP, 2},
    [S_CHANGE] = {"change", LABEL_WEEK_CHANGE, COLUMN_RIGHT | COLUMN_KEEP, 0},
    [S_MATCHED] = {"matched", LABEL_INDEX_MATCHED, COLUMN_RIGHT, 0},
    [S_SELLERS] = {"sellers", LABEL_INDEX_SELLERS, COLUMN_RIGHT, 0},
    [S_LOW] = {"low", LABEL_LOW, COLUMN_RIGHT, 2},
    [S_CURRENCY] = {"currency", LABEL_CURRENCY, 0, 0},
    [S_SITE] = {"site", LABEL_CHEAPEST_SITE, 0, 0},
    [S_WHY] = {"why", LABEL_INDEX_LOW_WHY, COLUMN_EXTRA, 0},
};
/* clang-format on */

/* "NVIDIA-A100-80G/80G" is "A100 80G" to people. */
static struct gt_str card_name(const struct index_frame *frame, struct gt_str key)
{
    size_t slash = gt_str_find(key, GT_STR("/"), 0);
    struct gt_str card = name_card(gt_str_slice(key, 0, slash)), vram = gt_str_slice(key, slash == SIZE_MAX ? key.len : slash + 1, SIZE_MAX);
    return arena_printf(frame->base.arena, "%.*s %.*s", GT_STR_ARG(card), GT_STR_ARG(vram));
}

static struct gt_str part_of(int32_t part, int32_t whole, struct arena *arena)
{
    return arena_printf(arena, "%d/%d", part, whole);
}

/* What the best price did, in words, where it is not the index's story. */
static struct gt_str low_text(const struct index_frame *frame, const struct index_series *series, size_t week)
{
    static const enum label labels[] = {[INDEX_LOW_NONE] = LABEL_UNTITLED,          [INDEX_LOW_FIRST] = LABEL_FIRST_WEEK,
                                        [INDEX_LOW_SAME] = LABEL_INDEX_LOW_SAME,    [INDEX_LOW_MOVED] = LABEL_INDEX_LOW_MOVED,
                                        [INDEX_LOW_JOINED] = LABEL_INDEX_LOW_JOINED, [INDEX_LOW_LEFT] = LABEL_INDEX_LOW_LEFT};
    const struct index_point *point = &series->points[week];
    struct arena *arena = frame->base.arena;
    int64_t before = week > 0 ? series->points[week - 1].low_nano : 0;
    struct gt_str args[] = {figure_money_text(before, arena), figure_money_text(point->low_nano, arena)};
    return phrase(arena, frame->base.input->lang, labels[point->low_reason], args, 2);
}

static void fill_shown(struct cell *cells, const struct index_frame *frame, const struct index_series *series)
{
    enum gt_lang lang = frame->base.input->lang;
    size_t week = last_week(frame, series), base = base_week(frame, series);
    const struct index_point *point = &series->points[week];
    if (!series->is_card) cells[S_CLASS] = cell_text(name_class(series->key, lang, frame->base.arena));
    else cells[S_CARD] = cell_text(name_card(series->sku));
    if (series->is_card && series->vram_gb != 0) cells[S_VRAM] = cell_text(arena_printf(frame->base.arena, "%dG", series->vram_gb));
    /* Only where it is not the week of all others: the column goes when nothing stands in it. */
    cells[S_WEEK] = week + 1 != frame->weeks.count ? cell_text(week_name(frame, week)) : cell_blank();
    if (base != SIZE_MAX) cells[S_BASE] = cell_text(week_name(frame, base));
    if (point->has_value) cells[S_INDEX] = cell_money(point->value_nano);
    if (point->has_link) cells[S_CHANGE] = cell_number(CELL_PERCENT, point->link_percent_nano);
    else cells[S_CHANGE] = cell_text(label(lang, week == 0 || point->segment == 1 ? LABEL_FIRST_WEEK : LABEL_INDEX_BROKEN));
    cells[S_MATCHED] = cell_text(part_of(point->matched, point->offers, frame->base.arena));
    cells[S_SELLERS] = cell_text(part_of(point->matched_sellers, point->sellers, frame->base.arena));
    cells[S_LOW] = cell_money(point->low_nano);
    if (point->low_nano != 0) cells[S_CURRENCY] = cell_text(name_currency(&point->low_currency, lang));
    cells[S_SITE] = cell_text(name_site_title(frame_title_of(&frame->base, point->low_site), point->low_site, lang));
    cells[S_WHY] = cell_remark(low_text(frame, series, week));
}

static enum gt_err write_level(struct index_frame *frame, bool is_card, enum label heading)
{
    enum gt_lang lang = frame->base.input->lang;
    struct table table;
    table_init(&table, frame->base.arena, lang, shown_columns, SHOWN_COLUMNS);
    for (size_t i = 0; i < frame->index.series_count; i++)
        if (frame->index.series[i].is_card == is_card) fill_shown(table_row(&table), frame, &frame->index.series[i]);
    sink_heading(frame->base.writer, 1, label(lang, heading));
    return table_write(&table, frame->base.writer, is_card ? "cards" : "classes", GT_STR(""));
}

/* Whose prices moved a card in the last week. */
static enum gt_err write_shares(struct index_frame *frame)
{
    static const struct column_def defs[] = {{"card", LABEL_CARD, 0, 0},
                                             {"site", LABEL_PLATFORM, 0, 0},
                                             {"matched", LABEL_INDEX_MATCHED_OFFERS, COLUMN_RIGHT, 0},
                                             {"percent", LABEL_INDEX_OWN, COLUMN_RIGHT, 0},
                                             {"share", LABEL_INDEX_SHARE, COLUMN_RIGHT, 0}};
    enum gt_lang lang = frame->base.input->lang;
    struct table table;
    table_init(&table, frame->base.arena, lang, defs, sizeof defs / sizeof defs[0]);
    for (size_t i = 0; i < frame->index.share_count; i++) {
        const struct index_share *share = &frame->index.shares[i];
        if (!share->is_card || share->week + 1 != frame->weeks.count || share->percent_nano == 0) continue;
        struct cell *cells = table_row(&table);
        cells[0] = cell_text(card_name(frame, share->key));
        cells[1] = cell_text(name_site_title(frame_title_of(&frame->base, share->site), share->site, lang));
        cells[2] = cell_number(CELL_COUNT, share->matched);
        cells[3] = cell_number(CELL_PERCENT, share->percent_nano);
        cells[4] = cell_number(CELL_PERCENT, share->share_nano);
    }
    struct gt_str week = week_name(frame, frame->weeks.count - 1);
    sink_heading(frame->base.writer, 1, phrase(frame->base.arena, lang, LABEL_SECTION_SHARES, &week, 1));
    if (table.row_count == 0) sink_paragraph(frame->base.writer, label(lang, LABEL_NO_SHARES));
    return table_write(&table, frame->base.writer, "shares", GT_STR(""));
}

/* ---- the chart ---- */

/* A card's index as steps: each value holds from its week's end to the next one's. */
static bool line_from(const struct index_frame *frame, const struct index_series *series, struct chart_line *ret_line)
{
    struct chart_step *steps = arena_array(frame->base.arena, frame->weeks.count, sizeof *steps);
    size_t count = 0;
    if (steps == NULL) return false;
    for (size_t w = 0; w < frame->weeks.count; w++) {
        int64_t end = frame->weeks.weeks[w].until_unix_s;
        if (series->points[w].has_value)
            steps[count++] = (struct chart_step){.from_unix_s = end - CIVIL_WEEK_S, .to_unix_s = end, .value_nano = series->points[w].value_nano};
    }
    *ret_line = (struct chart_line){.name = card_name(frame, series->key), .steps = steps, .count = count};
    return count > 1;
}

/* Sellers of a card in the last week: those with many are worth the few lines of a chart. */
static int32_t sellers_of(const struct index_series *series, size_t weeks)
{
    return series->points[weeks - 1].sellers;
}

/* Cards by sellers, most first; the order of keys among equals. */
static size_t charted(const struct index_frame *frame, const struct index_series **ret_series, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < frame->index.series_count && frame->index.series[i].is_card; i++) {
        const struct index_series *series = &frame->index.series[i];
        size_t at = count < max ? count : max;
        while (at > 0 && sellers_of(ret_series[at - 1], frame->weeks.count) < sellers_of(series, frame->weeks.count)) at--;
        if (at == max) continue;
        for (size_t k = count < max ? count : max - 1; k > at; k--) ret_series[k] = ret_series[k - 1];
        ret_series[at] = series;
        count += count < max;
    }
    return count;
}

static void write_chart(struct index_frame *frame)
{
    const struct index_series *series[SINK_CHART_LINES_MAX];
    struct chart_line lines[SINK_CHART_LINES_MAX];
    if (!sink_has_charts(frame->base.writer)) return;
    struct chart chart = {.caption = label(frame->base.input->lang, LABEL_CHART_INDEX),
                          .unit = label(frame->base.input->lang, LABEL_UNIT_INDEX),
                          .lines = lines};
    size_t count = charted(frame, series, SINK_CHART_LINES_MAX);
    for (size_t i = 0; i < count; i++) chart.count += line_from(frame, series[i], &lines[chart.count]);
    if (chart.count > 0) sink_chart(frame->base.writer, &chart);
}

static enum gt_err write_shown(struct index_frame *frame)
{
    enum gt_lang lang = frame->base.input->lang;
    if (frame->index.series_count == 0) {
        sink_paragraph(frame->base.writer, label(lang, LABEL_NO_HISTORY));
        return GT_OK;
    }
    enum gt_err err = write_level(frame, true, LABEL_SECTION_INDEX_CARDS);
    write_chart(frame);
    if (err == GT_OK) err = write_shares(frame);
    if (err == GT_OK) err = write_level(frame, false, LABEL_SECTION_INDEX_CLASSES);
    sink_heading(frame->base.writer, 1, label(lang, LABEL_NOTES));
    sink_paragraph(frame->base.writer, label(lang, LABEL_INDEX_METHOD));
    sink_paragraph(frame->base.writer, label(lang, LABEL_INDEX_LOW_NOTE));
    sink_paragraph(frame->base.writer, label(lang, LABEL_INDEX_SOURCE));
    return err;
}

static struct gt_str index_title(struct index_frame *frame)
{
    struct arena *arena = frame->base.arena;
    struct gt_str args[] = {week_name(frame, 0), week_name(frame, frame->weeks.count - 1), frame->base.input->query_text};
    return gt_str_trim(phrase(arena, frame->base.input->lang, LABEL_INDEX_TITLE, args, 3));
}

static enum gt_err index_run(const struct report_input *input, const struct sink *sink, FILE *file, struct gt_errinfo *info)
{
    struct index_frame *frame = calloc(1, sizeof *frame);
    if (frame == NULL) return gt_fail(info, GT_ENOMEM, "out of memory");
    enum gt_err err = frame_init(&frame->base, input, info);
    if (err == GT_OK) err = index_weeks_from(input, &frame->weeks, info);
    if (err == GT_OK) err = frame_board(&frame->base, input->now_unix_s, info);
    if (err == GT_OK) err = index_read(input, &frame->weeks, frame->base.arena, &frame->index, &frame->base.is_sample, info);
    if (err == GT_OK)
        err = frame_open(&frame->base, sink, file, index_title(frame), name_persona(&input->persona, input->lang, frame->base.arena),
                         GT_STR(""), info);
    if (err == GT_OK && sink->is_data) write_data(frame);
    else if (err == GT_OK) err = write_shown(frame);
    err = frame_done(&frame->base, err, info);
    price_index_done(&frame->index);
    free(frame);
    return err;
}

const struct report report_index = {"index", "how prices moved, apart from who offers what, week by week, per card and per class", index_run};
