#include "reports/change_list.h"

#include "reports/figure.h"

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
enum gt_err change_list_entry(const struct change_list *list, size_t at, struct arena *arena, struct change_entry *ret_entry)
{
    const struct change *change = &list->changes[at];
    struct net_rules rules = {.hours_per_month = 720, .round_site_nano = NANO / 100, .round_month_nano = NANO};
    const struct board_row *row = row_index_find(&list->index, change->offer_id);
    struct change_entry entry = {.change = *change};
    if (row == NULL) row = row_index_site(&list->index, change->site);
    if (row != NULL) {
        rules = row->net_rules;
        entry.site_title = row->site_title;
        entry.url = row->url;
    }
    bool is_offer = change->identity != NULL && change->attributes != NULL;
    enum gt_err err = GT_OK;
    if (is_offer && change->before != NULL) err = price_record(change, change->before, &rules, &list->view, arena, &entry.before);
    if (is_offer && change->after != NULL && err == GT_OK)
        err = price_record(change, change->after, &rules, &list->view, arena, &entry.after);
    if (err != GT_OK) return err;
    entry.before_nano = board_price(&entry.before, &list->view.persona);
    entry.after_nano = board_price(&entry.after, &list->view.persona);
    if (entry.after_nano != 0 && currency_eq(entry.before.currency, entry.after.currency))
        entry.has_percent = figure_percent(entry.before_nano, entry.after_nano, &entry.percent_nano);
    *ret_entry = entry;
    return GT_OK;
}

/* ---- reading ---- */

struct reading_changes {
    struct arena *scratch;
    const struct board_view *view;
    struct change *changes; /* in an arena of its own while it grows */
    struct arena *growing;
    size_t count, cap;
};

/* True when the view asks for the change's offer. Only what a query can look at is filled in. */
static bool is_wanted(const struct reading_changes *reading, const struct change *change)
{
    arena_clear(reading->scratch);
    const struct query *query = reading->view->query;
    if (change->identity == NULL || change->attributes == NULL) return query == NULL || query_matches_source(query, change->site);
    const struct offer_record *record = change->after != NULL ? change->after : change->before;
    struct board_row row = {.site = change->site, .offer = {.identity = *change->identity, .attributes = *change->attributes}};
    if (record != NULL) row.offer.record = *record;
    if (record != NULL && reading->view->currency.code[0] != '\0' && !currency_eq(reading->view->currency, record->currency))
        return false;
    return board_row_matches(&row, reading->view, reading->scratch);
}

/* Changes are copied; what they point to lives in the arena. */
static enum gt_err keep_change(void *ctx, const struct change *change)
{
    struct reading_changes *reading = ctx;
    void *changes = reading->changes;
    if (!is_wanted(reading, change)) return GT_OK;
    if (reading->count >= CHANGES_MAX) return GT_ELIMIT;
    if (!arena_grow(reading->growing, &changes, reading->count, &reading->cap, sizeof *change)) return GT_ENOMEM;
    reading->changes = changes;
    reading->changes[reading->count++] = *change;
    return GT_OK;
}

enum gt_err change_list_read(struct store *store, int64_t since_unix_s, int64_t until_unix_s, const struct board_view *view,
                             const struct board_rows *rows, struct arena *arena, struct change_list *ret_list,
                             struct gt_errinfo *info)
{
    struct reading_changes reading = {
        .view = view, .scratch = arena_new(REPORT_BYTES_MAX), .growing = arena_new(REPORT_BYTES_MAX)};
    struct change_list list = {.view = *view};
    enum gt_err err = reading.scratch != NULL && reading.growing != NULL ? GT_OK : GT_ENOMEM;
    if (err == GT_OK) err = store_changes(store, since_unix_s, until_unix_s, arena, keep_change, &reading, info);
    if (err == GT_OK) err = row_index_make(rows, arena, &list.index);
    struct change *changes = err == GT_OK ? arena_array(arena, reading.count, sizeof *changes) : NULL;
    if (err == GT_OK && changes == NULL) err = GT_ENOMEM;
    if (err == GT_OK && reading.count > 0) memcpy(changes, reading.changes, reading.count * sizeof *changes);
    list.changes = changes;
    list.count = reading.count;
    arena_free(reading.scratch);
    arena_free(reading.growing);
    if (err == GT_ELIMIT || err == GT_ENOMEM) return gt_fail(info, err, "reading the changes: %s", gt_err_text(err));
    if (err == GT_OK) *ret_list = list;
    return err;
}
