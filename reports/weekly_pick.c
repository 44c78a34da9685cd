#include "reports/weekly_pick.h"

#include <stdlib.h>

#include "pricing/sku.h"

static const char *const watched[] = {
#define WATCH(name) name,
#include "reports/watch.def"
#undef WATCH
    NULL,
};

const char *const *weekly_watched(void)
{
    return watched;
}

/* ---- tables ---- */

/* All classes of a group share what is asked here. */
static const struct offer_attributes *attributes_of(const struct weekly_group *group)
{
    return &group->classes[0]->low->row->offer.attributes;
}

static bool is_node_group(const struct weekly_group *group)
{
    return attributes_of(group)->delivery == DELIVERY_BARE_METAL;
}

/* A fixed order of reasons, so that the table a reader knows stays where it is from week to week. */
static bool is_better(const struct weekly_group *group, const struct weekly_group *than)
{
    const struct offer_attributes *a = attributes_of(group), *b = attributes_of(than);
    bool is_container = a->delivery == DELIVERY_CONTAINER;
    if (a->market != b->market) return a->market == MARKET_DOMESTIC;
    if (is_container != (b->delivery == DELIVERY_CONTAINER)) return is_container;
    if ((a->tier == TIER_ON_DEMAND) != (b->tier == TIER_ON_DEMAND)) return a->tier == TIER_ON_DEMAND;
    return group->count > than->count;
}

static bool is_picked(const struct weekly_pick *picks, size_t count, const struct weekly_group *group)
{
    for (size_t i = 0; i < count; i++)
        if (picks[i].group == group) return true;
    return false;
}

/* The best group not picked yet: of bare metal (kind 1), of the others (0), of any (-1). NULL when there is none. */
static const struct weekly_group *best_group(const struct weekly *weekly, int kind, const struct weekly_pick *picks, size_t count)
{
    const struct weekly_group *best = NULL;
    for (size_t i = 0; i < weekly->group_count; i++) {
        const struct weekly_group *group = &weekly->groups[i];
        if (is_picked(picks, count, group) || (kind >= 0 && is_node_group(group) != (kind == 1))) continue;
        if (best == NULL || is_better(group, best)) best = group;
    }
    return best;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Adds a table of at most `lines` lines. Returns the lines it takes. */
static size_t add_pick(struct weekly_pick *picks, size_t *count, const struct weekly_group *group, size_t lines)
{
    if (group == NULL || lines <= PICK_TABLE_LINES) return 0;
    size_t rows = smaller(group->count, lines - PICK_TABLE_LINES);
    picks[(*count)++] = (struct weekly_pick){group, rows};
    return rows + PICK_TABLE_LINES;
}

size_t weekly_pick_groups(const struct weekly *weekly, size_t lines, struct weekly_pick ret_picks[PICK_GROUPS_MAX])
{
    size_t count = 0;
    const struct weekly_group *card = best_group(weekly, 0, ret_picks, 0), *node = best_group(weekly, 1, ret_picks, 0);
    size_t kept = node != NULL ? smaller(node->count + PICK_TABLE_LINES, lines / 2) : 0;
    lines -= add_pick(ret_picks, &count, card, lines - kept);
    lines -= add_pick(ret_picks, &count, node, lines);
    while (count < PICK_GROUPS_MAX) {
        const struct weekly_group *group = best_group(weekly, -1, ret_picks, count);
        if (group == NULL || lines < PICK_TABLE_LINES + smaller(group->count, PICK_ROWS_MIN)) break;
        lines -= add_pick(ret_picks, &count, group, lines);
    }
    return count;
}

/* ---- rows ---- */

static bool is_watched(const struct weekly_class *class)
{
    for (const char *const *node = watched; *node != NULL; node++)
        if (sku_is_within(gt_str_from(class->low->row->offer.attributes.sku), gt_str_from(*node))) return true;
    return false;
}

static int price_order(const void *left, const void *right)
{
    const struct weekly_class *a = *(const struct weekly_class *const *)left, *b = *(const struct weekly_class *const *)right;
    if (a->low->price_nano != b->low->price_nano) return a->low->price_nano < b->low->price_nano ? -1 : 1;
    return (a > b) - (a < b);
}

/* What is compared most is told first. */
static int weight_order(const void *left, const void *right)
{
    const struct weekly_class *a = *(const struct weekly_class *const *)left, *b = *(const struct weekly_class *const *)right;
    if (is_watched(a) != is_watched(b)) return is_watched(a) ? -1 : 1;
    if (a->sellers != b->sellers) return a->sellers > b->sellers ? -1 : 1;
    return price_order(left, right);
}

enum gt_err weekly_pick_classes(const struct weekly_pick *pick, struct arena *arena, const struct weekly_class ***ret_classes)
{
    const struct weekly_group *group = pick->group;
    const struct weekly_class **classes = arena_array(arena, group->count, sizeof(const struct weekly_class *));
    if (classes == NULL) return GT_ENOMEM;
    memcpy(classes, group->classes, group->count * sizeof(const struct weekly_class *));
    qsort(classes, group->count, sizeof(const struct weekly_class *), weight_order);
    qsort(classes, pick->rows, sizeof(const struct weekly_class *), price_order);
    *ret_classes = classes;
    return GT_OK;
}
