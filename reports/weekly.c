#include "reports/weekly.h"

#include <stdlib.h>

struct board_view weekly_view_at(const struct report_input *input, int64_t at_unix_s)
{
    struct board_view view = board_view_from(input, at_unix_s);
    view.sites = NULL;
    view.site_count = 0;
    view.skips_spot = true;
    return view;
}

/* The board of the week before on its way in. */
struct reading_before {
    const struct report_input *input;
    struct weekly *weekly;
    struct arena *arena;
    struct gt_errinfo *info;
};

/* Of the week before little is kept, so that a large store's report holds one board in memory and not two. */
static enum gt_err keep_before(void *ctx, struct board_row *row_list, size_t count)
{
    const struct reading_before *reading = ctx;
    struct weekly *weekly = reading->weekly;
    struct board_rows rows = {row_list, count};
    struct report_period before = period_before(&weekly->period, reading->input->zone_offset_s);
    struct board_view view = weekly_view_at(reading->input, weekly->period.since_unix_s - 1);
    struct board board;
    struct arena *spare = arena_new(REPORT_BYTES_MAX);
    if (spare == NULL) return GT_ENOMEM;
    enum gt_err err = board_entries_compute(&rows, &view, spare, &board);
    if (err == GT_OK) err = weekly_before_compute(weekly, &board, reading->arena);
    if (err == GT_OK) weekly->is_first = rows.count == 0;
    arena_free(spare);
    if (err == GT_OK) err = corrections_add(reading->input, &before, &rows, reading->arena, &weekly->corrections, reading->info);
    return err;
}

/* Both weeks as they were known at their ends: what came to light later belongs to later reports. */
static enum gt_err read_boards(const struct report_input *input, struct weekly *weekly, struct arena *arena, struct gt_errinfo *info)
{
    int64_t at_unix_s = weekly->at_unix_s, before_unix_s = weekly->period.since_unix_s - 1;
    struct reading_before reading = {input, weekly, arena, info};
    struct board_view view = weekly_view_at(input, at_unix_s);
    if (before_unix_s > at_unix_s) before_unix_s = at_unix_s; /* a week that has not begun */
    struct correction_list older = {.count = 0};
    /* First, while no board is in memory. */
    enum gt_err err = corrections_add_older(input, &weekly->period, arena, &older, info);
    if (err == GT_OK) err = board_read_after(input->store, before_unix_s, keep_before, &reading, at_unix_s, arena, &weekly->rows, info);
    if (err == GT_OK) err = board_compute(&weekly->rows, &view, arena, &weekly->board);
    if (err == GT_OK) weekly->is_sample |= weekly->board.is_sample;
    bool is_over = at_unix_s == weekly->period.until_unix_s - 1;
    if (err == GT_OK && is_over) err = corrections_add(input, &weekly->period, &weekly->rows, arena, &weekly->corrections, info);
    if (err == GT_OK) err = corrections_join(&weekly->corrections, &older, arena);
    return err;
}

void weekly_counts_compute(struct weekly *weekly)
{
    weekly->doubted = weekly->unmapped = weekly->leads = weekly->factor_count = 0;
    for (size_t i = 0; i < weekly->board.count; i++) {
        const struct board_entry *entry = &weekly->board.entries[i];
        const struct offer_record *record = &entry->row->offer.record;
        weekly->doubted += (entry->marks & BOARD_DOUBTED) != 0;
        weekly->leads += (entry->marks & BOARD_LEAD) != 0;
        weekly->unmapped += entry->row->offer.attributes.sku_status == SKU_UNMAPPED;
        for (size_t k = 0; k < record->discount_count; k++) {
            int64_t factor = record->discounts[k].is_inferred ? record->discounts[k].factor_nano : 0;
            size_t at = 0;
            while (at < weekly->factor_count && weekly->factors[at] != factor) at++;
            if (factor != 0 && at == weekly->factor_count && at < WEEKLY_FACTORS_MAX)
                weekly->factors[weekly->factor_count++] = factor;
        }
    }
}

/* What follows from boards and changes. */
static enum gt_err reckon(struct weekly *weekly, struct arena *arena)
{
    enum gt_err err = weekly_moves_compute(weekly, arena);
    if (err == GT_OK) err = weekly_classes_compute(weekly, arena);
    if (err == GT_OK) err = weekly_groups_compute(weekly, arena);
    if (err == GT_OK) err = crossing_list_compute(&weekly->board, arena, &weekly->crossings);
    if (err == GT_OK) err = finding_list_compute(&weekly->board, arena, &weekly->findings);
    if (err == GT_OK) weekly_counts_compute(weekly);
    return err;
}

static int id_order(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* A large store's charts are read as far as they have lines: a span takes nearly a KiB, and what no line shows is only counted. */
static size_t charted_count(const struct weekly_class *class)
{
    return class->count < SINK_CHART_LINES_MAX ? class->count : SINK_CHART_LINES_MAX;
}

static bool is_charted_whole(const struct weekly *weekly)
{
    return weekly->rows.count <= WEEKLY_CHART_OFFERS_MAX;
}

size_t weekly_chart_left_out(const struct weekly *weekly, const struct weekly_class *class)
{
    return is_charted_whole(weekly) ? 0 : class->count - charted_count(class);
}

/* The offers whose history is shown, ascending: the cheapest of each class, and where there are charts those with lines in them, in the order of
 * the tables. */
static uint64_t *shown_offers(const struct weekly *weekly, bool has_charts, struct arena *arena, size_t *ret_count)
{
    uint64_t *offers = arena_array(arena, weekly->class_count + WEEKLY_CHART_LINES_MAX, sizeof *offers);
    size_t count = 0;
    if (offers == NULL) return NULL;
    for (size_t i = 0; i < weekly->class_count; i++)
        if (weekly->classes[i].low != NULL) offers[count++] = weekly->classes[i].low->row->offer_id;
    size_t room = has_charts ? WEEKLY_CHART_LINES_MAX : 0;
    for (size_t i = 0; i < weekly->group_count; i++)
        for (size_t k = 0; k < weekly->groups[i].count && charted_count(weekly->groups[i].classes[k]) <= room; k++) {
            const struct weekly_class *class = weekly->groups[i].classes[k];
            for (size_t j = 0; j < charted_count(class); j++) offers[count++] = class->entries[j].row->offer_id;
            room -= charted_count(class);
        }
    if (count > 0) qsort(offers, count, sizeof *offers, id_order);
    *ret_count = count;
    return offers;
}

/* For charts (`since` lies before the period) of everything, as long as that is not too much: what is gone now has a line, too. */
static enum gt_err read_history(const struct report_input *input, int64_t since_unix_s, struct weekly *weekly, struct arena *arena,
                                struct gt_errinfo *info)
{
    struct board_view view = weekly_view_at(input, weekly->at_unix_s);
    bool has_charts = since_unix_s < weekly->period.since_unix_s;
    bool is_whole = has_charts && is_charted_whole(weekly);
    size_t count = 0;
    uint64_t *offers = is_whole ? NULL : shown_offers(weekly, has_charts, arena, &count);
    if (!is_whole && offers == NULL) return GT_ENOMEM;
    return history_read_of(input->store, offers, count, since_unix_s, weekly->at_unix_s + 1, &view, arena, &weekly->history, info);
}

enum gt_err weekly_read(const struct report_input *input, const struct report_period *period, int64_t history_since_unix_s,
                        struct arena *arena, struct weekly *ret_weekly, struct gt_errinfo *info)
{
    struct weekly weekly = {.period = *period, .at_unix_s = period->until_unix_s - 1};
    if (input->now_unix_s < weekly.at_unix_s) weekly.at_unix_s = input->now_unix_s;
    struct board_view view = weekly_view_at(input, weekly.at_unix_s);
    int64_t until = weekly.at_unix_s + 1;
    enum gt_err err = read_boards(input, &weekly, arena, info);
    if (err == GT_OK)
        err = change_list_read(input->store, period->since_unix_s, until, &view, &weekly.rows, arena, &weekly.changes, info);
    if (err == GT_OK)
        err = source_list_read(input->store, period->since_unix_s, until, &weekly.rows, input->sites, input->site_count,
                               weekly.at_unix_s, arena, &weekly.sources, info);
    if (err == GT_OK) err = reckon(&weekly, arena);
    if (err == GT_OK) err = weekly_holdings_compute(&weekly, input, arena);
    if (err == GT_OK) err = read_history(input, history_since_unix_s, &weekly, arena, info);
    if (err == GT_OK) err = weekly_means_compute(&weekly, arena);
    if (err == GT_ENOMEM) return gt_fail(info, err, "making the weekly report: out of memory");
    if (err == GT_OK) *ret_weekly = weekly;
    return err;
}
