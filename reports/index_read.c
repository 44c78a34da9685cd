#include "reports/index_read.h"

#include "common/civil.h"
#include "reports/board.h"

enum gt_err index_weeks_from(const struct report_input *input, struct index_weeks *ret_weeks, struct gt_errinfo *info)
{
    bool is_asked = input->since_unix_s != 0 || input->until_unix_s != 0;
    struct report_period last = period_week_of(is_asked ? input->until_unix_s - 1 + CIVIL_DAY_S : input->now_unix_s, input->zone_offset_s);
    int64_t since = is_asked ? input->since_unix_s : last.until_unix_s - INDEX_WEEKS_SHOWN * (int64_t)CIVIL_WEEK_S;
    if (is_asked && input->since_unix_s >= input->until_unix_s) return gt_fail(info, GT_EUSAGE, "the period ends before it begins");
    if ((last.until_unix_s - since) / CIVIL_WEEK_S >= INDEX_WEEKS_MAX)
        return gt_fail(info, GT_EUSAGE, "more than %d weeks", INDEX_WEEKS_MAX);
    size_t count = 0;
    for (int64_t end = last.until_unix_s; end > since && count < INDEX_WEEKS_MAX; end -= CIVIL_WEEK_S) count++;
    ret_weeks->count = count;
    ret_weeks->base = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        int64_t end = last.until_unix_s - (int64_t)(count - 1 - i) * CIVIL_WEEK_S;
        ret_weeks->weeks[i] = (struct report_period){REPORT_WEEK, end - CIVIL_WEEK_S, end};
        if (input->base_unix_s == end - CIVIL_WEEK_S) ret_weeks->base = i;
    }
    if (input->base_unix_s != 0 && ret_weeks->base == SIZE_MAX)
        return gt_fail(info, GT_EUSAGE, "the base week is none of the weeks asked for (see --since, --until)");
    return GT_OK;
}

/* ---- quotes of one week ---- */

/* The last text that was kept: a board is ordered by class, so equal texts mostly follow each other. */
struct kept {
    struct gt_str text;
};

static bool keep(struct kept *kept, struct gt_str text, struct arena *arena)
{
    if (kept->text.ptr != NULL && gt_str_eq(kept->text, text)) return true;
    kept->text = arena_dup(arena, text);
    return kept->text.ptr != NULL;
}

/* Usable offers, one a row. Their texts go from the week's arena into the index's. */
static enum gt_err quotes_of(const struct board *board, struct arena *week_arena, struct arena *arena, struct index_quote **ret_quotes,
                             size_t *ret_count)
{
    struct kept class = {0}, sku = {0}, site = {0};
    struct index_quote *quotes = arena_array(week_arena, board->count + 1, sizeof *quotes);
    size_t count = 0;
    if (quotes == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < board->count; i++) {
        const struct board_entry *entry = &board->entries[i];
        if (entry->marks != 0 || entry->price_nano <= 0 || board_class_is_unsure(entry->class)) continue;
        if (!keep(&class, entry->class, arena) || !keep(&sku, gt_str_from(entry->row->offer.attributes.sku), arena) ||
            !keep(&site, entry->row->site, arena))
            return GT_ENOMEM;
        quotes[count++] = (struct index_quote){.offer_id = entry->row->offer_id,
                                               .class = class.text,
                                               .sku = sku.text,
                                               .vram_gb = entry->row->offer.attributes.vram_gb,
                                               .site = site.text,
                                               .currency = entry->net.currency,
                                               .price_nano = entry->price_nano};
    }
    *ret_quotes = quotes;
    *ret_count = count;
    return GT_OK;
}

static enum gt_err read_week(const struct report_input *input, int64_t at_unix_s, struct arena *week_arena, struct price_index *index,
                             bool *ret_is_sample, struct gt_errinfo *info)
{
    struct board_view view = board_view_from(input, at_unix_s);
    struct board_rows rows = {0};
    struct board board = {0};
    struct index_quote *quotes = NULL;
    size_t count = 0;
    view.sites = NULL;
    view.site_count = 0;
    view.skips_spot = true;
    enum gt_err err = board_read(input->store, at_unix_s, week_arena, &rows, info);
    if (err != GT_OK) return err;
    err = board_compute(&rows, &view, week_arena, &board);
    if (err == GT_OK) err = quotes_of(&board, week_arena, index->arena, &quotes, &count);
    if (err == GT_OK) err = price_index_add(index, quotes, count);
    *ret_is_sample = *ret_is_sample || board.is_sample;
    return err == GT_OK ? GT_OK : gt_fail(info, err, "reckoning the index: %s", gt_err_text(err));
}

enum gt_err index_read(const struct report_input *input, const struct index_weeks *weeks, struct arena *arena,
                       struct price_index *ret_index, bool *ret_is_sample, struct gt_errinfo *info)
{
    struct price_index index = {0};
    struct arena *week_arena = arena_new(REPORT_BYTES_MAX);
    enum gt_err err = week_arena != NULL ? price_index_init(&index, arena, weeks->count) : GT_ENOMEM;
    if (err != GT_OK) gt_fail(info, err, "making the index: %s", gt_err_text(err));
    for (size_t i = 0; i < weeks->count && err == GT_OK; i++) {
        int64_t at = weeks->weeks[i].until_unix_s - 1;
        arena_clear(week_arena);
        err = read_week(input, at < input->now_unix_s ? at : input->now_unix_s, week_arena, &index, ret_is_sample, info);
    }
    arena_free(week_arena);
    if (err != GT_OK) {
        price_index_done(&index);
        return err;
    }
    price_index_finish(&index, weeks->base);
    *ret_index = index;
    return GT_OK;
}
