#include "reports/weekly.h"

/* The view of the report: the persona's, without spot unless it takes spot, and without the sites' own intervals: in a week's
 * price 48 h count. */
static struct board_view view_at(const struct report_input *input, int64_t at_unix_s)
{
    struct board_view view = board_view_from(input, at_unix_s);
    view.sites = NULL;
    view.site_count = 0;
    view.skips_spot = true;
    return view;
}

/* Both weeks as they were known at their ends: what came to light later belongs to later reports. */
static enum gt_err read_boards(const struct report_input *input, struct weekly *weekly, struct arena *arena,
                               struct gt_errinfo *info)
{
    int64_t before_unix_s = weekly->period.since_unix_s - 1;
    struct board_view now = view_at(input, weekly->at_unix_s), before = view_at(input, before_unix_s);
    enum gt_err err = board_read(input->store, weekly->at_unix_s, arena, &weekly->rows, info);
    if (err == GT_OK) err = board_read(input->store, before_unix_s, arena, &weekly->rows_before, info);
    if (err == GT_OK) err = board_compute(&weekly->rows, &now, arena, &weekly->board);
    if (err == GT_OK) err = board_compute(&weekly->rows_before, &before, arena, &weekly->board_before);
    weekly->is_first = weekly->rows_before.count == 0;
    weekly->is_sample |= weekly->board.is_sample;
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

/* What follows from the boards, changes and history. */
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

enum gt_err weekly_read(const struct report_input *input, const struct report_period *period, int64_t history_since_unix_s,
                        struct arena *arena, struct weekly *ret_weekly, struct gt_errinfo *info)
{
    struct weekly weekly = {.period = *period, .at_unix_s = period->until_unix_s - 1};
    if (input->now_unix_s < weekly.at_unix_s) weekly.at_unix_s = input->now_unix_s;
    struct board_view view = view_at(input, weekly.at_unix_s);
    int64_t until = weekly.at_unix_s + 1;
    enum gt_err err = read_boards(input, &weekly, arena, info);
    if (err == GT_OK)
        err = change_list_read(input->store, period->since_unix_s, until, &view, &weekly.rows, arena, &weekly.changes, info);
    if (err == GT_OK) err = history_read(input->store, history_since_unix_s, until, &view, arena, &weekly.history, info);
    if (err == GT_OK)
        err = source_list_read(input->store, period->since_unix_s, until, &weekly.rows, input->sites, input->site_count,
                               weekly.at_unix_s, arena, &weekly.sources, info);
    if (err == GT_OK) err = reckon(&weekly, arena);
    if (err == GT_ENOMEM) return gt_fail(info, err, "making the weekly report: out of memory");
    if (err == GT_OK) *ret_weekly = weekly;
    return err;
}
