#include "reports/breakeven.h"

#include "reports/crossing.h"

/* What can be rented a card at a time. A row that counts no cards does not say so. */
static bool is_single(const struct board_entry *entry)
{
    const struct offer_attributes *attributes = &entry->row->offer.attributes;
    return attributes->cards == 1 && attributes->delivery != DELIVERY_BARE_METAL && attributes->min_cards <= 1;
}

/* The price at which an hour is compared: what the persona pays, else the list price. */
static int64_t hour_of(const struct board_entry *entry)
{
    return entry->net.hour_net_nano > 0 ? entry->net.hour_net_nano : entry->net.hour_list_nano;
}

static bool has_month(const struct board_entry *entry)
{
    return entry->marks == 0 && crossing_has_month(&entry->net, entry->net.hour_list_nano, entry->row->net_rules.hours_per_month);
}

/* The cheapest hour of a single card that may be held against the month. Entries of one card stand together. */
static const struct board_entry *cheapest_hour(const struct board *board, size_t month)
{
    const struct board_entry *entries = board->entries, *best = NULL;
    const char *sku = entries[month].row->offer.attributes.sku;
    size_t from = month;
    while (from > 0 && strcmp(entries[from - 1].row->offer.attributes.sku, sku) == 0) from--;
    for (size_t i = from; i < board->count && strcmp(entries[i].row->offer.attributes.sku, sku) == 0; i++) {
        const struct board_entry *entry = &entries[i];
        if (entry->marks != 0 || entry->net.hour_list_nano <= 0 || !is_single(entry)) continue;
        if (!crossing_is_pair(entry, &entries[month])) continue;
        if (best == NULL || hour_of(entry) < hour_of(best)) best = entry;
    }
    return best;
}

static struct breakeven breakeven_of(const struct board_entry *hour, const struct board_entry *month)
{
    struct breakeven item = {.hour = hour,
                             .month = month,
                             .is_same = hour == month,
                             .hour_nano = hour->net.hour_list_nano,
                             .discounted_nano = crossing_hour_discounted(hour),
                             .bill_nano = month->net.node_month_net_nano};
    if (item.discounted_nano == item.hour_nano) item.discounted_nano = 0;
    item.hours = crossing_hours(month->net.month_net_nano, item.hour_nano);
    item.hours_discounted = crossing_hours(month->net.month_net_nano, item.discounted_nano);
    item.is_reachable = item.hours > 0 && item.hours <= month->row->net_rules.hours_per_month;
    return item;
}

enum gt_err breakeven_list_compute(const struct board *board, struct arena *arena, struct breakeven_list *ret_list)
{
    struct breakeven_list list = {.items = arena_array(arena, board->count * 2 + 1, sizeof *list.items)};
    if (list.items == NULL) return GT_ENOMEM;
    for (size_t from = 0, to; from < board->count; from = to) {
        const char *sku = board->entries[from].row->offer.attributes.sku;
        for (to = from; to < board->count && strcmp(board->entries[to].row->offer.attributes.sku, sku) == 0;) to++;
        for (size_t i = from; i < to; i++) {
            const struct board_entry *entry = &board->entries[i];
            if (has_month(entry) && entry->net.hour_list_nano > 0) list.items[list.count++] = breakeven_of(entry, entry);
        }
        for (size_t i = from; i < to; i++) {
            const struct board_entry *entry = &board->entries[i];
            const struct board_entry *hour = entry->is_cheapest && has_month(entry) ? cheapest_hour(board, i) : NULL;
            if (hour != NULL && hour != entry) list.items[list.count++] = breakeven_of(hour, entry);
        }
    }
    *ret_list = list;
    return GT_OK;
}
