#include "reports/change_list.h"

#include "reports/figure.h"
#include "reports/row_index.h"

/* ---- pricing ---- */

/* What the persona paid for one record on the day of the change: discounts that have ended since still count. */
static enum gt_err price_record(const struct change *change, const struct offer_record *record, const struct net_rules *rules,
                                const struct board_view *view, struct arena *arena, struct net_price *ret_net)
{
    struct offer offer = {.identity = *change->identity, .attributes = *change->attributes, .record = *record, .stock = -1};
    enum gt_err err = net_price_compute(&offer, rules, &view->persona, change->t_unix_s, arena, ret_net);
    if (err == GT_ENOMEM || err == GT_ELIMIT) return GT_ENOMEM;
    if (err != GT_OK) *ret_net = (struct net_price){.currency = record->currency};
    return GT_OK;
}

/* A delisted offer has no row on an old board; any row of its site then lends the rounding and the title. */
static enum gt_err entry_fill(const struct change *change, const struct board_view *view, const struct row_index *index,
                              struct arena *arena, struct change_entry *entry)
{
    struct net_rules rules = {.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = NANO};
    const struct board_row *row = row_index_find(index, change->offer_id);
    if (row == NULL) row = row_index_site(index, change->site);
    *entry = (struct change_entry){.change = *change};
    if (row != NULL) {
        rules = row->net_rules;
        entry->site_title = row->site_title;
        entry->url = row->url;
    }
    if (change->identity == NULL || change->attributes == NULL) return GT_OK;
    if (change->before != NULL && price_record(change, change->before, &rules, view, arena, &entry->before) != GT_OK)
        return GT_ENOMEM;
    if (change->after != NULL && price_record(change, change->after, &rules, view, arena, &entry->after) != GT_OK)
        return GT_ENOMEM;
    entry->before_nano = board_price(&entry->before, &view->persona);
    entry->after_nano = board_price(&entry->after, &view->persona);
    if (entry->after_nano != 0 && currency_eq(entry->before.currency, entry->after.currency))
        entry->has_percent = figure_percent(entry->before_nano, entry->after_nano, &entry->percent_nano);
    return GT_OK;
}

enum gt_err change_list_compute(const struct change *changes, size_t count, const struct board_view *view,
                                const struct board_rows *rows, struct arena *arena, struct change_list *ret_list)
{
    struct change_list list = {.entries = arena_array(arena, count, sizeof *list.entries), .count = count};
    struct row_index index;
    if (list.entries == NULL || row_index_make(rows, arena, &index) != GT_OK) return GT_ENOMEM;
    for (size_t i = 0; i < count; i++)
        if (entry_fill(&changes[i], view, &index, arena, &list.entries[i]) != GT_OK) return GT_ENOMEM;
    *ret_list = list;
    return GT_OK;
}

/* ---- reading ---- */

struct reading_changes {
    struct arena *arena;
    const struct board_view *view;
    struct change *changes;
    size_t count, cap;
};

/* True when the view asks for the change's offer. Only what a query can look at is filled in. */
static bool is_wanted(const struct reading_changes *reading, const struct change *change)
{
    const struct query *query = reading->view->query;
    if (change->identity == NULL || change->attributes == NULL) return query == NULL || query_matches_source(query, change->site);
    const struct offer_record *record = change->after != NULL ? change->after : change->before;
    struct board_row row = {.site = change->site, .offer = {.identity = *change->identity, .attributes = *change->attributes}};
    if (record != NULL) row.offer.record = *record;
    if (record != NULL && reading->view->currency.code[0] != '\0' && !currency_eq(reading->view->currency, record->currency))
        return false;
    return board_row_matches(&row, reading->view, reading->arena);
}

/* Changes are copied; what they point to lives in the arena. */
static enum gt_err keep_change(void *ctx, const struct change *change)
{
    struct reading_changes *reading = ctx;
    void *changes = reading->changes;
    if (!is_wanted(reading, change)) return GT_OK;
    if (reading->count >= CHANGES_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->arena, &changes, reading->count, &reading->cap, sizeof *change)) return GT_ENOMEM;
    reading->changes = changes;
    reading->changes[reading->count++] = *change;
    return GT_OK;
}

enum gt_err change_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                             const struct board_rows *rows, struct arena *arena, struct change_list *ret_list,
                             struct gt_errinfo *info)
{
    struct reading_changes reading = {.arena = arena, .view = view};
    enum gt_err err = store_changes(store, since_unix_s, until_unix_s, arena, keep_change, &reading, info);
    if (err == GT_OK) err = change_list_compute(reading.changes, reading.count, view, rows, arena, ret_list);
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the changes: %s", gt_err_text(err));
    return err;
}
