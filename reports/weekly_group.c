/* Classes that differ in the card alone stand in one table. */
#include <stdlib.h>

#include "reports/name.h"
#include "reports/weekly.h"

/* The place of a delivery among the tables. */
static int delivery_place(const struct weekly_class *class)
{
    static const int places[DELIVERY_WORDS] = {[DELIVERY_CONTAINER] = 0,
                                               [DELIVERY_VM] = 1,
                                               [DELIVERY_BARE_METAL] = 2,
                                               [DELIVERY_SERVERLESS] = 3,
                                               [DELIVERY_UNKNOWN] = 4};
    return places[class->entries[0].row->offer.attributes.delivery];
}

/* Orders two classes by the table they belong to. */
static int group_order(const struct weekly_class *a, const struct weekly_class *b)
{
    struct class_pieces x = {0}, y = {0};
    int order = delivery_place(a) - delivery_place(b);
    if (order != 0) return order;
    (void)name_class_split(a->entries[0].class, &x);
    (void)name_class_split(b->entries[0].class, &y);
    order = gt_str_cmp(x.market, y.market);
    if (order == 0) order = -gt_str_cmp(x.min_cards, y.min_cards);
    if (order == 0) order = gt_str_cmp(x.tier, y.tier);
    if (order == 0) order = gt_str_cmp(x.term, y.term);
    if (order == 0) order = gt_str_cmp(x.delivery, y.delivery);
    if (order == 0) order = -gt_str_cmp(x.includes, y.includes);
    return order != 0 ? order : strcmp(a->entries[0].net.currency.code, b->entries[0].net.currency.code);
}

/* Groups in their order, and inside a group by price. */
static int class_order(const void *left, const void *right)
{
    const struct weekly_class *a = *(const struct weekly_class *const *)left, *b = *(const struct weekly_class *const *)right;
    int order = group_order(a, b);
    if (order != 0) return order;
    if (a->low->price_nano != b->low->price_nano) return a->low->price_nano < b->low->price_nano ? -1 : 1;
    return (a > b) - (a < b);
}

/* Sums up one group: the count of cards where all agree, and whether anything is sold by the hour. */
static void group_sum(struct weekly_group *group)
{
    group->cards = group->classes[0]->low->row->offer.attributes.cards;
    for (size_t i = 0; i < group->count; i++) {
        const struct board_entry *low = group->classes[i]->low;
        if (low->row->offer.attributes.cards != group->cards) group->cards = 0;
        group->has_hour |= low->net.hour_list_nano != 0;
    }
}

enum gt_err weekly_groups_compute(struct weekly *weekly, struct arena *arena)
{
    const struct weekly_class **usable = arena_array(arena, weekly->class_count, sizeof(const struct weekly_class *));
    size_t count = 0;
    weekly->groups = arena_array(arena, weekly->class_count, sizeof *weekly->groups);
    weekly->group_count = 0;
    if (usable == NULL || weekly->groups == NULL) return GT_ENOMEM;
    for (size_t i = 0; i < weekly->class_count; i++)
        if (weekly->classes[i].low != NULL) usable[count++] = &weekly->classes[i];
    if (count > 0) qsort(usable, count, sizeof(const struct weekly_class *), class_order);
    for (size_t i = 0, n; i < count; i += n) {
        n = 1;
        while (i + n < count && group_order(usable[i], usable[i + n]) == 0) n++;
        struct weekly_group *group = &weekly->groups[weekly->group_count++];
        *group = (struct weekly_group){.classes = usable + i, .count = n};
        group_sum(group);
    }
    return GT_OK;
}
