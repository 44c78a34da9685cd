#include "reports/crossing.h"

#include <stdlib.h>

#include "reports/name.h"

bool crossing_has_month(const struct net_price *net, int64_t hour_nano, int32_t hours_per_month)
{
    int64_t hours;
    if (net->month_net_nano <= 0) return false;
    if (net->evidence == EVIDENCE_PRINTED || hour_nano <= 0) return true;
    if (__builtin_mul_overflow(hour_nano, hours_per_month, &hours)) return false;
    return hours - net->month_net_nano > NANO; /* a month is rounded to the unit of money */
}

int64_t crossing_hours(int64_t month_nano, int64_t hour_nano)
{
    int64_t hours;
    if (month_nano <= 0 || hour_nano <= 0) return 0;
    return money_scale(month_nano, 1, hour_nano, ROUND_HALF_UP, &hours) == GT_OK ? hours : 0;
}

int64_t crossing_hour_discounted(const struct board_entry *entry)
{
    const struct offer_record *record = &entry->row->offer.record;
    int64_t list = entry->net.hour_list_nano, step = entry->row->net_rules.round_site_nano, hour;
    if (list == 0) return 0;
    for (size_t i = 0; i < record->discount_count; i++) {
        if (!record->discounts[i].is_inferred || record->discounts[i].factor_nano == 0) continue;
        if (money_scale(list, record->discounts[i].factor_nano, NANO, ROUND_HALF_UP, &hour) != GT_OK) return 0;
        return step > 0 && money_round(hour, step, ROUND_HALF_UP, &hour) != GT_OK ? 0 : hour;
    }
    return entry->net.hour_net_nano < list ? entry->net.hour_net_nano : 0;
}

bool crossing_is_pair(const struct board_entry *a, const struct board_entry *b)
{
    struct class_pieces x, y;
    if (!name_class_split(a->class, &x) || !name_class_split(b->class, &y)) return false;
    return gt_str_eq(x.sku, y.sku) && gt_str_eq(x.vram, y.vram) && gt_str_eq(x.tier, y.tier) && gt_str_eq(x.market, y.market) &&
           gt_str_eq(x.includes, y.includes) && currency_eq(a->net.currency, b->net.currency);
}

/* One card at a time: containers and virtual machines alike. */
static bool is_container(const struct board_entry *entry)
{
    enum delivery delivery = entry->row->offer.attributes.delivery;
    return (delivery == DELIVERY_CONTAINER || delivery == DELIVERY_VM) && entry->row->offer.attributes.cards <= 1;
}

/* The cheapest container of the node's card, or NULL. Entries of one card stand together: the search leaves when the card
 * ends. */
static const struct board_entry *container_of(const struct board *board, size_t node)
{
    const struct board_entry *entries = board->entries, *best = NULL;
    const char *sku = entries[node].row->offer.attributes.sku;
    size_t from = node, to = node;
    while (from > 0 && strcmp(entries[from - 1].row->offer.attributes.sku, sku) == 0) from--;
    while (to < board->count && strcmp(entries[to].row->offer.attributes.sku, sku) == 0) to++;
    for (size_t i = from; i < to; i++) {
        if (!entries[i].is_cheapest || !is_container(&entries[i]) || !crossing_is_pair(&entries[i], &entries[node])) continue;
        if (best == NULL || entries[i].price_nano < best->price_nano) best = &entries[i];
    }
    return best;
}

/* False when there is nothing to compare the node with, or one of the two has no month. */
static bool crossing_from(const struct board *board, size_t node, struct crossing *ret_crossing)
{
    const struct board_entry *entry = &board->entries[node], *container = container_of(board, node);
    struct crossing crossing = {.container = container, .node = entry, .bill_nano = entry->net.node_month_net_nano};
    if (entry->row->offer.attributes.cards == 1) crossing.bill_nano = entry->net.month_net_nano; /* a machine of one card */
    if (container == NULL || container->net.month_net_nano <= 0 || entry->net.month_net_nano <= 0) return false;
    int64_t before = container->net.month_net_nano;
    if (money_scale(entry->net.month_net_nano - before, 100 * NANO, before, ROUND_HALF_UP, &crossing.percent_nano) != GT_OK)
        return false;
    int64_t list = container->net.hour_list_nano, net = crossing_hour_discounted(container);
    crossing.container_hours_list = crossing_hours(container->net.month_net_nano, list);
    crossing.container_hours_net = crossing_hours(container->net.month_net_nano, net);
    crossing.node_hours_list = crossing_hours(entry->net.month_net_nano, list);
    crossing.node_hours_net = crossing_hours(entry->net.month_net_nano, net);
    *ret_crossing = crossing;
    return true;
}

/* By what the reader looks for, then by place on the board, so that equal prices do not swap from run to run. */
static int crossing_order(const void *left, const void *right)
{
    const struct crossing *a = left, *b = right;
    int64_t x = a->node->price_nano, y = b->node->price_nano;
    if (x != y) return x < y ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

enum gt_err crossing_list_compute(const struct board *board, struct arena *arena, struct crossing_list *ret_list)
{
    struct crossing_list list = {0};
    size_t nodes = 0;
    for (size_t i = 0; i < board->count; i++)
        nodes += board->entries[i].is_cheapest && board->entries[i].row->offer.attributes.delivery == DELIVERY_BARE_METAL;
    list.crossings = arena_array(arena, nodes, sizeof *list.crossings);
    if (list.crossings == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < board->count; i++)
        if (board->entries[i].is_cheapest && board->entries[i].row->offer.attributes.delivery == DELIVERY_BARE_METAL)
            list.count += crossing_from(board, i, &list.crossings[list.count]);
    if (list.count > 0) qsort(list.crossings, list.count, sizeof *list.crossings, crossing_order);
    *ret_list = list;
    return GT_OK;
}
